"""When our own code fails in the middle of something: the room says so, forgets the attempt, and goes on."""

from __future__ import annotations

from typing import Any

import pytest

from cards import find_game
from engine.errors import Fault
from engine.match import Match
from engine.store import state_hash
from rooms import wire
from rooms.core import LastMove, RoomCore
from rooms.happenings import (
    Acted,
    Answer,
    BotMoved,
    Came,
    Commit,
    Committed,
    Drop,
    Tell,
    Think,
    TimeUp,
    Unwritten,
    Wake,
    Who,
)
from rooms.scripts import Code
from rooms.seating import Seating
from rooms.state import Clock, RoomState, Setup, Sitter

ANA, BO = Who("a", "Ana"), Who("b", "Bo")


class Table:
    """A room's core and its store, both in this process; everything that was told lies in `told`."""

    def __init__(self, bots: dict[int, str] | None = None, clock: Clock | None = None) -> None:
        setup = Setup(game="ggltcg", seats=2, bots=bots or {}, clock=clock)
        sitters = [Sitter("a", "Ana"), Sitter(bot="random") if bots else Sitter("b", "Bo")]
        seating = Seating("room", sitters, setup.watch)
        last = [LastMove(), LastMove()]
        self.core = RoomCore("room", find_game("ggltcg"), RoomState(setup=setup), 0, "1", seating, last, b"s" * 32)
        self.now = 1_000_000
        self.effects: list[Any] = []

    def hear(self, event: Any, code: Code = Code.OK) -> list[Any]:
        """What comes of an event once the store has answered."""
        found = list(self.core.step(event, self.now))
        effects = list(found)
        while any(isinstance(effect, Commit) for effect in found):
            found = list(self.core.step(Committed(code, self.core.ver + 1, self.now), self.now))
            effects += found
        return effects

    def seat(self, *people: Who) -> list[Any]:
        effects = []
        for who in people:
            effects += self.hear(Came(who, wire.Join(i="join", room="room"), who.user))
        return effects

    def act(self, who: Who, do: dict[str, Any] | None = None, i: str = "act", code: Code = Code.OK) -> list[Any]:
        seat = self.core.seating.seat_of(who.user)
        assert seat is not None
        act = wire.Act(i=i, room="room", n=self.core.last[seat].n + 1, do=do or {"type": "end_turn"})
        return self.hear(Acted(who, act, who.user), code)

    @property
    def mover(self) -> Who:
        assert self.core.match is not None
        return (ANA, BO)[self.core.match.waiting()[0]]


def answers(effects: list[Any]) -> list[str]:
    return [getattr(e.frame, "code", "ok") for e in effects if isinstance(e, Answer) and getattr(e.frame, "i", None)]


def boom(*_: Any, **__: Any) -> Any:
    raise RuntimeError("our own bug")


def fault(*_: Any, **__: Any) -> Any:
    raise Fault("a card's bug")


def test_a_table_is_dealt_and_played_on() -> None:
    table = Table()
    assert answers(table.seat(ANA, BO)) == ["ok", "ok"]
    assert answers(table.act(table.mover)) == ["ok"]


def test_a_deal_that_fails_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    monkeypatch.setattr(Match, "deal", fault)
    assert answers(table.seat(ANA, BO)) == ["ok", "ok"], "whoever sat down was not told"
    monkeypatch.undo()
    assert table.core.match is None
    table.seat(ANA)
    assert table.core.ver == 1, "the next one who comes may find it mended"


def test_a_view_that_fails_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table had moved on already when the view failed: that must not be written with the next move."""
    table = Table()
    table.seat(ANA, BO)
    core = table.core
    assert core.match is not None
    assert core.teller is not None
    before = state_hash(core.match.table)
    with monkeypatch.context() as broken:
        broken.setattr(core.teller, "tell", boom)
        try:
            found = answers(table.act(table.mover))
        except RuntimeError:
            found = ["an exception"]
    assert state_hash(core.match.table) == before, "a move that failed stays on the table"
    assert core.ver == 1
    assert found == ["our_fault"]
    assert not core.busy
    assert answers(table.act(table.mover)) == ["ok"]


def test_an_expiry_that_fails_twice_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(clock=Clock(decision=1000))
    table.seat(ANA, BO)
    monkeypatch.setattr(Match, "expire", fault)
    table.now += 5000
    woken = 0
    for _ in range(3):
        effects = table.hear(TimeUp())
        woken += sum(isinstance(effect, Wake) and effect.at > 0 for effect in effects)
        assert table.core.match is not None
        if table.core.match.over:
            break
    assert table.core.match.over or woken, "nobody will ever look at this table again"


def test_a_bot_whose_move_is_refused_thinks_again() -> None:
    table = Table(bots={1: "random"})
    table.seat(ANA)
    while table.core.match is not None and table.core.match.waiting() != (1,):
        table.act(ANA)
    effects = table.hear(BotMoved(1, -table.core.ver, {"type": "nonsense"}))
    assert any(isinstance(effect, Think | Commit) for effect in effects), "the bot never moves again"


def test_a_store_that_takes_nothing_is_told_as_busy_and_the_move_may_come_again() -> None:
    table = Table()
    table.seat(ANA, BO)
    core, mover = table.core, table.mover
    assert core.match is not None
    before = state_hash(core.match.table)
    act = wire.Act(i="one", room="room", n=1, do={"type": "end_turn"})
    core.step(Acted(mover, act, mover.user), table.now)
    effects = core.step(Unwritten(), table.now)
    assert [(e.frame.code, e.frame.retry) for e in effects if isinstance(e, Answer)] == [("busy", True)]
    assert not any(isinstance(effect, Tell) for effect in effects)
    assert (core.ver, state_hash(core.match.table)) == (1, before)
    assert any(isinstance(effect, Commit) for effect in core.step(Acted(mover, act, mover.user), table.now))


def test_a_deal_that_could_not_be_written_is_tried_again() -> None:
    table = Table()
    for who in (ANA, BO):
        table.core.step(Came(who, wire.Join(i="join", room="room"), who.user), table.now)
    assert table.core.busy
    effects = table.core.step(Unwritten(), table.now)
    assert table.core.match is None
    wake = next(effect.at for effect in effects if isinstance(effect, Wake))
    assert wake > table.now
    assert any(isinstance(effect, Commit) for effect in table.core.step(TimeUp(), wake))


def test_whatever_waits_behind_a_lost_room_is_answered_and_writes_nothing() -> None:
    table = Table()
    table.seat(ANA, BO)
    mover, core = table.mover, table.core
    act = wire.Act(i="first", room="room", n=1, do={"type": "end_turn"})
    effects = core.step(Acted(mover, act, mover.user), table.now)
    assert any(isinstance(effect, Commit) for effect in effects)
    other = BO if mover is ANA else ANA
    for i, who in (("second", mover), ("third", other)):
        again = wire.Act(i=i, room="room", n=1, do={"type": "end_turn"})
        assert core.step(Acted(who, again, who.user), table.now) == []
    came = Came(Who("c", "Cy"), wire.Join(i="fourth", room="room", as_="watch"), "c")
    assert core.step(came, table.now) == []
    effects = core.step(Committed(Code.FENCED, 5, table.now), table.now)
    place = next(k for k, effect in enumerate(effects) if isinstance(effect, Drop))
    assert not any(isinstance(effect, Commit | Tell) for effect in effects[place:]), "goes on after it was lost"
    found = [e.frame.i for e in effects if isinstance(e, Answer) and getattr(e.frame, "i", None)]
    assert sorted(found) == ["first", "fourth", "second", "third"], f"only {found} were answered"


@pytest.mark.parametrize("code", [Code.FENCED, Code.VERSION, Code.TOO_EARLY, Code.SEQ_CONFLICT])
def test_a_refused_commit_leaves_no_mark(code: Code) -> None:
    table = Table()
    table.seat(ANA, BO)
    core = table.core
    assert core.match is not None
    assert core.teller is not None
    before = state_hash(core.match.table)
    views = {name: lens.whole() for name, lens in core.teller.gallery.lenses.items()}
    effects = table.act(table.mover, code=code)
    assert not any(isinstance(effect, Tell) for effect in effects)
    assert state_hash(core.match.table) == before
    assert {name: lens.whole() for name, lens in core.teller.gallery.lenses.items()} == views
    assert core.ver == 1
    if not any(isinstance(effect, Drop) for effect in effects):
        told = [effect for effect in table.act(table.mover) if isinstance(effect, Tell)]
        assert told[0].told["0"].v == 2

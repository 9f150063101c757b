"""What is unusual about a move, from the table through the room to whoever made it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from engine.replay import Input
from rooms import wire
from rooms.answers import LastMove
from rooms.core import RoomCore
from rooms.happenings import Acted, Answer, BotMoved, Came, Commit, Committed, Who
from rooms.scripts import Code
from rooms.seating import Seating
from rooms.state import RoomState, Setup, Sitter
from tests.engine.perch import Perch, done, warning

ANA, BO = Who("a", "Ana"), Who("b", "Bo")
SING = {"type": "sing"}
LOUD = {"rule": "loud", "level": "soft", "text": "One does not sing at night.", "say": ["rule.loud", {}]}


class Table:
    """A room with a perch over which a plugin was laid."""

    def __init__(self, ask_first: bool = False, bot: bool = False, **rule: Any) -> None:
        self.game = Perch(warning(**rule))
        setup = Setup(game="perch", seats=2, options={"ask_first": ask_first}, bots={0: "random"} if bot else {})
        sitters = [Sitter(bot="random") if bot else Sitter("a", "Ana"), Sitter("b", "Bo")]
        last = [LastMove(), LastMove()]
        seating = Seating("room", sitters, setup.watch)
        self.core = RoomCore("room", self.game, RoomState(setup=setup), 0, "1", seating, last, b"s" * 32)
        self.commits: list[Commit] = []
        for who in (BO,) if bot else (ANA, BO):
            self.hear(Came(who, wire.Join(i="join", room="room"), who.user))

    def hear(self, event: Any) -> list[Any]:
        found = list(self.core.step(event, 1000))
        effects = list(found)
        while commits := [effect for effect in found if isinstance(effect, Commit)]:
            self.commits += commits
            found = list(self.core.step(Committed(Code.OK, self.core.ver + 1, 1000), 1000))
            effects += found
        return effects

    def act(self, n: int = 1, **more: Any) -> Any:
        """The answer to Ana's song."""
        effects = self.hear(Acted(ANA, wire.Act(i="act", room="room", n=n, do=SING, **more), "a"))
        (answer,) = [effect.frame for effect in effects if isinstance(effect, Answer)]
        return answer

    @property
    def done(self) -> list[str]:
        assert self.core.match is not None
        return done(self.core.match)

    @property
    def logged(self) -> Input:
        return msgspec.json.decode(self.commits[-1].input, type=Input)


def test_a_person_hears_of_it_in_the_acknowledgement() -> None:
    table = Table()
    ok = table.act()
    assert (ok.v, ok.warnings) == (2, [LOUD])
    assert table.done == ["sing"]
    assert not table.logged.sure


def test_whoever_sends_the_move_again_hears_the_same_again() -> None:
    table = Table()
    assert table.act() == table.act()
    assert table.done == ["sing"]


def test_the_next_owner_of_the_room_remembers_it_too() -> None:
    table = Table()
    table.act()
    commit = table.commits[-1]
    again = LastMove.read(str(commit.n).encode(), commit.digest.encode(), commit.result.encode())
    assert again == table.core.last[0]
    assert again.answer("x").warnings == [LOUD]


def test_a_move_without_a_remark_is_stored_as_its_version_alone() -> None:
    assert LastMove(3, "d", 7).result == "7"
    assert LastMove.read(b"3", b"d", b"7") == LastMove(3, "d", 7)
    assert LastMove.read(b"0", b"", b"0") == LastMove()


def test_a_usual_move_is_acknowledged_without_a_word() -> None:
    assert Table(on="hop").act().warnings is UNSET


def test_a_table_that_asks_first_waits_until_one_is_sure() -> None:
    table = Table(ask_first=True)
    err = table.act()
    assert (err.code, err.warn, err.retry, err.text) == ("unusual", True, False, "One does not sing at night.")
    assert err.warnings == [LOUD]
    assert table.done == []
    ok = table.act(sure=True)  # a refused move used no number
    assert (ok.v, ok.warnings) == (2, UNSET)
    assert table.done == ["sing!"]
    assert table.logged.sure


def test_a_table_that_asks_first_takes_a_yes_even_where_a_bot_would_be_stopped() -> None:
    assert Table(ask_first=True, firm=True).act(sure=True).v == 2


@pytest.mark.parametrize(
    ("level", "heed", "stopped"), [("soft", "hard", False), ("soft", "all", True), ("hard", "hard", True)]
)
def test_whoever_wants_to_be_stopped_is(level: str, heed: str, stopped: bool) -> None:
    table = Table(level=level)
    assert isinstance(table.act(heed=heed), wire.Err) is stopped
    assert table.done == ([] if stopped else ["sing"])


def test_a_bot_that_wants_something_unusual_does_something_else() -> None:
    table = Table(bot=True)
    table.hear(BotMoved(0, -1, SING))
    assert table.done == ["rest"]


def test_a_bot_that_can_do_nothing_usual_does_the_least_all_the_same() -> None:
    table = Table(bot=True, on="*")
    table.hear(BotMoved(0, -1, SING))
    assert table.done == ["rest"]

"""A room's core with everything around it in this process: the store says yes, and what was told to whom is kept.

    table = Table()
    ana, bo = table.sit("Ana", "Bo")
    ana.proposes("draw")
    bo.replies("draw")
    assert table.result.reason == "agreed"

Time stands still unless it is moved: `table.later(1000)`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from cards import find_game
from engine.table import Result
from rooms import wire
from rooms.core import LastMove, RoomCore
from rooms.happenings import (
    Acted,
    Answer,
    Brought,
    Came,
    Commit,
    Committed,
    Drop,
    File,
    Known,
    LookUp,
    Make,
    Mark,
    Note,
    Off,
    Present,
    Recall,
    Save,
    Saved,
    Shut,
    Tell,
    TimeUp,
    Wake,
    Went,
    Who,
    Wished,
)
from rooms.manners import Manners
from rooms.scripts import Code
from rooms.seating import Seating
from rooms.state import Clock, RoomState, Setup, Sitter, read_sitters, unpack_room


class Person:
    """Somebody in the room, by one connection."""

    def __init__(self, table: Table, name: str) -> None:
        self.table, self.name = table, name
        self.who = Who(name.lower(), name)
        self.told: list[wire.Frame] = []
        self.count = 0

    def __repr__(self) -> str:
        return self.name

    def comes(self, watch: bool = False, **more: Any) -> Any:
        self.count += 1
        join = wire.Join(i=f"j{self.count}", room="room", as_="watch" if watch else "seat")
        self.table.hear(Came(self.who, join, self, **more))
        return self.answer(join.i)

    def goes(self, closed: bool = False, ours: bool = False) -> None:
        self.table.hear(Went(self, closed, ours))

    def wishes(self, kind: type[Any], **fields: Any) -> Any:
        self.count += 1
        wish = kind(i=f"w{self.count}", room="room", **fields)
        self.table.hear(Wished(self.who, wish, self))
        return self.answer(wish.i)

    def proposes(self, what: str) -> Any:
        return self.wishes(wire.Propose, what=what)

    def replies(self, what: str, yes: bool = True) -> Any:
        return self.wishes(wire.Reply, what=what, yes=yes)

    def says(self, text: str) -> Any:
        return self.wishes(wire.Say, text=text)

    def acts(self, do: dict[str, Any] | None = None, lag: int = 0) -> Any:
        self.count += 1
        n = self.table.core.last[self.seat].n + 1
        act = wire.Act(i=f"a{self.count}", room="room", n=n, do=do or {"type": "end_turn"})
        self.table.hear(Acted(self.who, act, self, lag))
        return self.answer(act.i)

    @property
    def seat(self) -> int:
        seat = self.table.core.seating.seat_of(self.who.user)
        assert seat is not None
        return seat

    def answer(self, i: str) -> Any:
        """`ok`, or the code of the refusal; None while there is no answer."""
        found = [frame for frame in self.told if getattr(frame, "i", None) == i]
        assert len(found) < 2
        return getattr(found[0], "code", "ok") if found else None

    def heard(self, kind: type[Any]) -> list[Any]:
        return [frame for frame in self.told if isinstance(frame, kind)]


class Table:
    """A room with people around it."""

    def __init__(
        self,
        game: str = "ggltcg",
        *,
        users: tuple[str, ...] = ("ana", "bo"),
        manners: Manners | None = None,
        **setup: Any,
    ) -> None:
        self.setup = Setup(game=game, seats=len(users) + len(setup.get("bots", {})), **setup)
        self.now = 1_000_000
        self.side: dict[str, bytes] = {
            f"seat{seat}": msgspec.json.encode(Sitter(user, user.title())) for seat, user in enumerate(users)
        }
        self.inputs: list[bytes] = []
        self.made: list[Make] = []
        self.reports: list[dict[str, Any]] = []
        self.marks: dict[str, str] = {}
        self.off: list[Off] = []
        self.shut: list[Shut] = []
        self.people: list[Person] = []
        self.records: list[bytes] = []
        self.wake = 0
        self.code = Code.OK  # what the store says to the next commit
        self.manners = manners or Manners()
        self.ep = 1
        self.state = RoomState(setup=self.setup)
        self.touched = self.now
        self.last = [LastMove() for _ in range(self.setup.seats)]
        self.open()

    def open(self) -> None:
        """Some process takes the room, from what is stored."""
        self.ep += 1
        sitters = read_sitters(self.side, self.setup)
        kicked = msgspec.json.decode(self.side.get("kicked", b"[]"))
        seating = Seating("room", sitters, self.setup.watch, self.setup, kicked)
        state = unpack_room(msgspec.msgpack.encode(self.state))
        ver = len(self.inputs)
        game = find_game(self.setup.game)
        self.core = RoomCore(
            "room",
            game,
            state,
            ver,
            str(self.ep),
            seating,
            list(self.last),
            b"s" * 32,
            dict(self.side),
            self.manners,
            self.touched,
        )
        self._do(self.core.wake_up(self.now))

    def moves_house(self) -> None:
        """The process died, and another one took over; everybody comes back by themselves."""
        self.open()
        for person in self.people:
            watch = person.who.user not in [s.user for s in self.core.seating.sitters]
            join = wire.Join(i="again", room="room", as_="watch" if watch else "seat")
            self.hear(Came(person.who, join, person, quiet=True))

    def person(self, name: str) -> Person:
        self.people.append(Person(self, name))
        return self.people[-1]

    def sit(self, *names: str) -> list[Person]:
        people = [self.person(name) for name in names]
        for person in people:
            assert person.comes() == "ok"
        return people

    @property
    def mover(self) -> Person:
        assert self.core.match is not None
        seat = self.core.match.waiting()[0]
        return next(person for person in self.people if self.core.seating.seat_of(person.who.user) == seat)

    @property
    def waits(self) -> Person:
        return next(p for p in self.people if p is not self.mover and self.core.seating.seat_of(p.who.user) is not None)

    @property
    def result(self) -> Result | None:
        return self.core.match.table.result if self.core.match else None

    def later(self, ms: int) -> None:
        """Time passes; the room is woken when it wanted to be."""
        end = self.now + ms
        while self.wake and self.wake <= end:
            self.now, self.wake = max(self.now, self.wake), 0
            self.hear(TimeUp())
        self.now = end

    def hear(self, event: Any) -> None:
        self._do(self.core.step(event, self.now))

    def _do(self, effects: list[Any]) -> None:
        for effect in effects:
            match effect:
                case Answer(to=person, frame=frame):
                    person.told.append(frame)
                case Present(frame=frame, deaf=deaf):
                    for person in self.people:
                        if self.core.seating.is_here(person) and person not in deaf:
                            person.told.append(frame)
                case Commit():
                    self._commit(effect)
                case Save(pairs=pairs, guard=guard):
                    taken = bool(guard) and guard in self.side
                    if not taken:
                        self._note(pairs)
                    self.hear(Saved(Code.TAKEN if taken else Code.OK, self.now))
                case Note(pairs=pairs):
                    self._note(pairs)
                case Recall():
                    self.hear(Brought(list(self.inputs)))
                case Make():
                    if effect.room not in [made.room for made in self.made]:
                        self.made.append(effect)
                    self.hear(Brought(True))
                case Off():
                    self.off.append(effect)
                    self.hear(Brought(True))
                case Shut():
                    self.shut.append(effect)
                case File(report=report):
                    self.reports.append(report)
                case LookUp(user=user):
                    if user in self.marks:
                        self.hear(Known(user, self.marks[user]))
                case Mark(user=user, word=word):
                    self.marks[user] = word
                case Wake(at=at):
                    self.wake = at
                case Drop(why=why):
                    raise AssertionError(f"the room was dropped: {why}")
                case Tell():
                    pass

    def _commit(self, commit: Commit) -> None:
        code, self.code = self.code, Code.OK
        if code == Code.OK:
            assert commit.not_before <= self.now
            assert commit.base == len(self.inputs)
            self.inputs.append(commit.input)
            self.state = unpack_room(commit.snapshot)
            self.touched = self.now
            if commit.seat:
                self.last[int(commit.seat)] = LastMove(commit.n, commit.digest, commit.base + 1)
            if commit.record:
                self.records.append(commit.record)
        self.hear(Committed(code, len(self.inputs), self.now))

    def _note(self, pairs: dict[str, bytes]) -> None:
        for name, value in pairs.items():
            if value:
                self.side[name] = value
            else:
                self.side.pop(name, None)


def clock(**how: int) -> Clock:
    return Clock(**how)

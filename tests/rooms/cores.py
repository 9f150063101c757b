"""A room's core with a store that answers at once: people come, move and leave, and the room says what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cards import find_game
from engine.offers import fillings
from rooms import wire
from rooms.answers import LastMove
from rooms.core import RoomCore
from rooms.happenings import Acted, Came, Commit, Committed, Present, Save, Saved, Went, Who
from rooms.scripts import Code
from rooms.seating import Seating
from rooms.state import RoomState, Setup, Sitter


class Core:
    """One room. A seat is a person's name, or `bot:NAME`."""

    def __init__(self, game: str, seats: Sequence[str], state: RoomState | None = None, **setup: Any) -> None:
        self.game, self.names = find_game(game), seats
        options = self.game.read_options(setup.pop("options", {}))
        bots = {seat: name[4:] for seat, name in enumerate(seats) if name.startswith("bot:")}
        agreed = Setup(game=game, seats=len(seats), bots=bots, options=options, **setup)
        sitters = [agreed.sitter(seat) if seat in bots else Sitter(name, name) for seat, name in enumerate(seats)]
        self.now = 1_000_000
        self.saved: dict[str, bytes] = {}
        self.heard: list[Any] = []  # every effect so far
        last = [LastMove() for _ in seats]
        ver = 0 if state is None else 1
        self.core = RoomCore(
            "room", self.game, state or RoomState(setup=agreed), ver, "1", Seating("room", sitters, agreed.watch), last,
            b"s" * 32,
        )  # fmt: skip

    def hear(self, event: Any) -> list[Any]:
        """What comes of an event once the store has answered."""
        effects = waiting = list(self.core.step(event, self.now))
        while waiting:
            answers: list[Any] = []
            for effect in waiting:
                if isinstance(effect, Commit):
                    answers += self.core.step(Committed(Code.OK, self.core.ver + 1, self.now), self.now)
                elif isinstance(effect, Save):
                    self.saved |= effect.pairs
                    answers += self.core.step(Saved(Code.OK, self.now), self.now)
            effects, waiting = effects + answers, answers
        self.heard += effects
        return effects

    def comes(self, *names: str) -> list[Any]:
        return [effect for name in names for effect in self.hear(self._came(name))]

    def goes(self, name: str) -> list[Any]:
        return self.hear(Went(name))

    def acts(self, name: str, do: dict[str, Any] | None = None, ask: int | None = None) -> list[Any]:
        """A person's move; without one, the first filling of the last thing offered."""
        seat = self.names.index(name)
        do = do or next(fillings(self.match.offers(seat)[-1]))
        act = wire.Act(i="act", room="room", n=self.core.last[seat].n + 1, do=do, ask=ask)
        return self.hear(Acted(Who(name, name), act, name))

    def _came(self, name: str) -> Came:
        return Came(Who(name, name), wire.Join(i="join", room="room"), name)

    @property
    def match(self) -> Any:
        assert self.core.match is not None
        return self.core.match

    def presence(self) -> dict[str, Any]:
        """Who is here, as everybody was told last."""
        told = [effect.frame for effect in self.heard if isinstance(effect, Present)]
        seats: dict[str, Any] = told[-1].seats
        return seats


def of(kind: type, effects: Sequence[Any]) -> list[Any]:
    """The effects of one kind."""
    return [effect for effect in effects if isinstance(effect, kind)]

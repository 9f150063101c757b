"""The bots of one room in a world whose clock jumps."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

from rooms.bots import Bots, Habits
from rooms.happenings import BotMoved, Think
from tests.rooms.cores import Core
from tests.simulation.time_and_turns import Loop, Turns


class Stage:
    """A host's bots, in a world whose clock jumps; they answer into `moved`."""

    def __init__(self, room: Core, habits: Habits) -> None:
        self.turns, self.wrong = Turns(), []
        self.loop = Loop(self.turns, lambda loop: None, self.wrong.append)
        self.moved: list[tuple[float, BotMoved]] = []
        self.actor = SimpleNamespace(room="room", core=room.core, dropped=False, hear=self._hear)
        host = SimpleNamespace(loop=self.loop, counts=Counter(), library=None)
        self.bots = Bots.__new__(Bots)
        self.loop.call_soon(lambda: Bots.__init__(self.bots, host, habits))
        self.wait(0.001)

    def _hear(self, event: BotMoved) -> None:
        self.moved.append((self.turns.now, event))

    def think(self, ask: Think) -> None:
        self.loop.call_soon(self.bots.think, self.actor, ask)
        self.wait(0.001)

    def wait(self, seconds: float) -> None:
        end = self.turns.now + seconds
        self.turns.at(end, lambda: None)
        while self.turns.now < end:
            self.turns.step()
        assert not self.wrong

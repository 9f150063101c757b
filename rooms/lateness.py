"""Keeping watchers behind: they are told the same as everybody, some moves or some time later."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from engine.merge import merge
from rooms.happenings import Answer, Effect, Tell, WakeWatch
from rooms.state import OVER, Delay
from rooms.telling import Told

if TYPE_CHECKING:
    from rooms.core import RoomCore


class Late(Struct):
    """One version that watchers have not seen yet."""

    v: int
    epoch: str
    at: int
    told: Told | None  # none: shown as a whole when its time has come
    view: dict[str, Any]  # the patch, or the whole view where there is no frame


class Lateness:
    """What watchers see of a room that keeps them behind."""

    def __init__(self, delay: Delay) -> None:
        self.delay = delay
        self.v = 0  # the version that watchers have
        self.epoch = "0"
        self.floor = 0  # an epoch: what they are shown is not older than what they have seen
        self.view: dict[str, Any] = {}  # empty until the first version has come through
        self._waiting: deque[Late] = deque()

    def seen(self, ep: int) -> None:
        """Some of them have seen something under this epoch, which may be lost."""
        self.floor = max(self.floor, ep)
        self.epoch = str(max(int(self.epoch), self.floor))

    def add(self, late: Late) -> None:
        """A version was made."""
        self._waiting.append(late)

    def due(self, ver: int, now: int, over: bool) -> list[Late]:
        """The versions whose time has come, in order; after them, the watchers' own view is theirs."""
        come = []
        while self._waiting and self._ripe(self._waiting[0], ver, now, over):
            late = self._waiting.popleft()
            self.view = merge(self.view, late.view) if late.told else late.view
            self.v, self.epoch = late.v, str(max(int(late.epoch), self.floor))
            come.append(late)
        return come

    def next_at(self) -> int:
        """When to look again; 0 if only another move can bring something."""
        return self._waiting[0].at + self.delay.ms if self._waiting and self.delay.ms else 0

    def _ripe(self, late: Late, ver: int, now: int, over: bool) -> bool:
        if self.delay.ms:
            return now >= late.at + self.delay.ms
        return over or late.v <= ver - self.delay.moves


def let_watch(core: RoomCore, now: int) -> list[Effect]:
    """Tell watchers who are kept behind what they may see by now."""
    if core.late is None:
        return []
    effects: list[Effect] = []
    for late in core.late.due(core.ver, now, core.status == OVER):
        if late.told is not None:
            effects.append(Tell({"watch": late.told}))
        else:
            effects += [Answer(to, core.seating.late_snap(core)) for to in core.seating.watchers]
    return [*effects, WakeWatch(core.late.next_at())]

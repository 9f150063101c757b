"""Bytes on their way: in order on each connection, late now and then, and sometimes never."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

from msgspec import Struct

from tests.simulation.time_and_turns import Loop, Turns

QUICK = (0.001, 0.001, 0.002, 0.003, 0.005, 0.02)  # seconds


class Weather(Struct):
    """How often things go wrong on the way."""

    slow: float = 0.03
    lost: float = 0.003
    unheard: float = 0.05  # of what is told on channels
    twice: float = 0.05


class Network:
    """All connections of the world."""

    def __init__(self, turns: Turns, luck: Random, weather: Weather) -> None:
        self.turns, self.luck, self.weather = turns, luck, weather
        self.faulty = True
        self.deaf_until = 0.0  # until then nothing is heard on channels
        self.cut_off: set[Loop] = set()  # nothing comes or goes
        self.links: dict[Link, None] = {}

    def delay(self, loop: Loop) -> float | None:
        """How long something is under way; None if it never arrives."""
        luck = self.luck
        if self.faulty:
            if loop in self.cut_off:
                return None
            chance = luck.random()
            if chance < self.weather.lost:
                return None
            if chance < self.weather.lost + self.weather.slow:
                return luck.uniform(0.05, 4.0)
        return luck.choice(QUICK)


class Link:
    """A connection of a process: to the store, or from a player. It sends both ways, each way in order.

    `near` is told on the process's side, `far` on the other. What was lost leaves the rest of that way lost too.
    """

    def __init__(self, net: Network, loop: Loop, near: Callable[[Any], None], far: Callable[[Any], None]) -> None:
        self.net, self.loop = net, loop
        self.near, self.far = near, far
        self.near_gone: Callable[[], None] = lambda: None  # told that the other side has hung up
        self.far_gone: Callable[[], None] = lambda: None
        self.near_open = self.far_open = True
        self._out_at = self._in_at = 0.0
        self._out_lost = self._in_lost = False
        net.links[self] = None

    def send_out(self, data: Any) -> None:
        """From the process to the other side."""
        if self.near_open and not self._out_lost:
            delay = self.net.delay(self.loop)
            if delay is None:
                self._out_lost = True
                return
            self._out_at = max(self._out_at, self.net.turns.now + delay)
            self.net.turns.at(self._out_at, lambda: self._arrive_far(data))

    def send_in(self, data: Any) -> None:
        """From the other side to the process."""
        if self.far_open and not self._in_lost:
            delay = self.net.delay(self.loop)
            if delay is None:
                self._in_lost = True
                return
            self._in_at = max(self._in_at, self.net.turns.now + delay)
            self.net.turns.at(self._in_at, lambda: self._arrive_near(data), self.loop)

    def leave(self, patience: float) -> None:
        """The process hangs up; if that is never heard, the other side notices at some time."""
        if self.near_open:
            delay = None if self._out_lost else self.net.delay(self.loop)
            self.near_open = False
            late = patience if delay is None else delay
            self.net.turns.at(max(self._out_at, self.net.turns.now + late), self._far_end)

    def hang_up(self, patience: float) -> None:
        """The other side hangs up."""
        if self.far_open:
            delay = None if self._in_lost else self.net.delay(self.loop)
            self.far_open = False
            late = patience if delay is None else delay
            self.net.turns.at(max(self._in_at, self.net.turns.now + late), self._near_end, self.loop)
            self._forget()

    def _arrive_far(self, data: Any) -> None:
        if self.far_open:
            self.far(data)

    def _arrive_near(self, data: Any) -> None:
        if self.near_open:
            self.near(data)

    def _far_end(self) -> None:
        if self.far_open:
            self.far_open = False
            self._forget()
            self.far_gone()

    def _near_end(self) -> None:
        if self.near_open:
            self.near_open = False
            self.near_gone()

    def _forget(self) -> None:
        self.net.links.pop(self, None)


class Plug(asyncio.Transport):
    """The process's end of a connection to the store, as asyncio knows such ends."""

    def __init__(self, protocol: asyncio.Protocol, loop: Loop) -> None:
        super().__init__()
        self.protocol, self.loop = protocol, loop
        self.link: Link
        self._closed = False

    def write(self, data: bytes) -> None:  # type: ignore[override]
        self.link.send_out(data)

    def abort(self) -> None:
        if not self._closed:
            self._closed = True
            self.link.leave(5.0)
            self.loop.call_soon(self.protocol.connection_lost, None)

    close = abort

    def is_closing(self) -> bool:
        return self._closed

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def gone(self) -> None:
        """The other side hung up."""
        if not self._closed:
            self._closed = True
            self.protocol.connection_lost(ConnectionResetError("they hung up"))

"""All rooms, for a process that has some itself: its own by the short way, the others through the line."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import msgspec

from rooms import wire
from rooms.happenings import Event
from rooms.host import Host, RoomElsewhere, RoomGone
from rooms.library import Library
from rooms.nodes import StoreTrouble
from rooms.places import Room
from rooms.remote_host import RemoteHost
from rooms.state import Setup

TRIES, WAIT = 40, 0.25  # to find a room whose guests wait for an answer


class House:
    """The rooms of this process and of all others."""

    def __init__(self, host: Host, far: RemoteHost) -> None:
        self.host, self.far = host, far
        self.lost: list[Callable[[Room], None]] = far.lost
        self.library: Library = host.library
        host.lost.append(self._lost)
        far.hand_back = self._hand_back

    @property
    def draining(self) -> bool:
        """Whether this process is about to stop."""
        return self.host.draining

    def now(self) -> int:
        """Server time in milliseconds since 1970."""
        return self.host.now()

    async def room(self, room: str) -> Room:
        """The room: ours if we have it or should have it, else wherever it is."""
        if room in self.host.rooms or self.host.alone:
            return await self.host.room(room)
        if room in self.far.rooms:
            return self.far.rooms[room]
        owner, _ = await self.far.owner(room)
        if owner in (self.host.own, "") and not self.draining:
            try:
                return await self.host.room(room)
            except RoomElsewhere as elsewhere:
                if not elsewhere.own:
                    raise
        return await self.far.room(room)

    async def make(self, room: str, setup: Setup, key: str, side: dict[str, bytes]) -> str:
        """Open a room."""
        return await self.host.make(room, setup, key, side)

    async def matches_of(self, user: str) -> list[dict[str, Any]]:
        """The running matches of a user."""
        return await self.host.matches_of(user)

    async def ask(self, what: str, key: str, *words: Any) -> Any:
        """Do or read it ourselves: we are a host. What comes back is as from afar."""
        return msgspec.to_builtins(await self.host.desk.answer(what, [key, *words]), str_keys=True)

    @property
    def name(self) -> str:
        """What this process is called as a gateway."""
        return self.far.own

    def listen(self, tell: Callable[[str, wire.Frame], None], about: Callable[[str], None]) -> None:
        """From now on tell the first what is meant for a user, and the second of whom something has changed."""
        self.far.listen(tell, about)

    def _hand_back(self, room: str, events: list[Event]) -> None:
        """A room has come to us; what was asked of its last owner is now asked of us."""
        if events:
            self.far.spawn(self._ask_again(room, events))

    async def _ask_again(self, room: str, events: list[Event]) -> None:
        for _ in range(TRIES):
            with contextlib.suppress(RoomElsewhere, StoreTrouble):
                try:
                    found = await self.room(room)
                except RoomGone:
                    return
                for event in events:
                    found.hear(event)
                return
            await asyncio.sleep(WAIT)

    def _lost(self, room: Room) -> None:
        for tell in self.lost:
            tell(room)

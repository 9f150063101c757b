"""What can be read about rooms by a process that must not see their secrets."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from engine.replay import Replay
from rooms.library import Library
from rooms.nodes import Nodes


class RemoteLibrary(Library):
    """What a gateway may read itself it reads; for the rest it asks a host."""

    def __init__(self, nodes: Nodes, ask: Callable[..., Awaitable[Any]]) -> None:
        super().__init__(nodes)
        self._ask = ask

    async def facts(self, room: str) -> dict[str, Any] | None:
        """What anybody may know of a room."""
        found: dict[str, Any] | None = await self._ask("facts", room)
        return found

    async def seat_of(self, room: str, user: str) -> int | None:
        """The seat of a user in a room."""
        found: int | None = await self._ask("seat_of", room, user)
        return found

    async def replay(self, room: str, user: str) -> Replay | None:
        """A finished match whole."""
        found = await self._ask("replay", room, user)
        return None if found is None else msgspec.convert(found, Replay)

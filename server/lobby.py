"""The lobby as everybody sees it: who is about, which tables are open, what may be watched, where people wait.

One picture for all who follow it, looked at anew while anybody does. What changed is written once, however many are
told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
import structlog

from engine.merge import diff
from rooms import wire
from rooms.nodes import StoreTrouble
from rooms.telling import Told

if TYPE_CHECKING:
    from server.connection import Connection
    from server.gateway import Gateway

log = structlog.get_logger()
EVERY = 1.0  # seconds between two looks
CAREFUL = 10  # looks between two at which rooms that are gone are crossed out
MOST_OPEN, MOST_LIVE = 100, 30

_json = msgspec.json.Encoder()


class LobbyFeed:
    """The lobby, and the connections that follow it through this gateway."""

    def __init__(self, gateway: Gateway, online: Callable[[], int]) -> None:
        self.gateway, self.host, self.online = gateway, gateway.host, online
        self.followers: dict[Connection, None] = {}
        self.encoded = 0  # how often something was written, for all together
        self.view: dict[str, Any] = {}
        self._whole: Told | None = None
        self._watching: asyncio.Task[None] | None = None
        self._looks = 0

    async def follow(self, connection: Connection, wish: wire.Lobby) -> None:
        """Somebody wants to see the lobby, or has seen enough."""
        if not wish.on:
            self.followers.pop(connection, None)
            connection.put(wire.Ok(i=wish.i))
            return
        try:
            if not self.followers:
                await self.look()
        except StoreTrouble:
            connection.refuse(wish.i, "busy", "The lobby cannot be looked at at the moment; try again.", retry=True)
            return
        if connection.line.closed:
            return
        connection.put(wire.Ok(i=wish.i))
        connection.put(self._snap())
        self.followers[connection] = None
        self._watching = self._watching or self.gateway.loop.create_task(self._watch())

    def again(self, connection: Connection) -> None:
        """A slow follower has caught up: show them everything anew."""
        if connection in self.followers:
            connection.put(self._snap())

    def gone(self, connection: Connection) -> None:
        """A connection is closed."""
        self.followers.pop(connection, None)

    async def look(self) -> None:
        """Look at everything anew, and tell what changed."""
        view = await self._seen()
        patch = diff(self.view, view)
        self.view = view
        if patch:
            self._whole = None
            told = self._encode(wire.LobbyNews(patch=patch))
            for connection in self.followers:
                if not connection.lobby_behind:
                    connection.put(told)

    def _snap(self) -> Told:
        if self._whole is None:
            self._whole = self._encode(wire.LobbyNews(snap=self.view))
        return self._whole

    def _encode(self, news: wire.LobbyNews) -> Told:
        self.encoded += 1
        return Told(_json.encode(news), 0, "")

    async def _seen(self) -> dict[str, Any]:
        self._looks += 1
        careful = self._looks % CAREFUL == 1
        rooms = await (self.host.library.listed() if careful else self.host.library.listing())
        rooms.sort(key=lambda facts: -facts["made"])
        open_now = [facts for facts in rooms if facts["status"] == "open" and not all(facts["seats"])]
        live = [facts for facts in rooms if facts["status"] == "live" and facts["watch"] == "all"]
        live.sort(key=lambda facts: facts["mode"] != "ranked")
        return {
            "online": self.online(),
            "open": {facts["room"]: _shown(facts) for facts in open_now[:MOST_OPEN]},
            "live": {facts["room"]: _shown(facts) for facts in live[:MOST_LIVE]},
            "queues": await self.host.ask("queues", "lobby"),
        }

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            if self.followers:
                try:
                    await self.look()
                except StoreTrouble as error:
                    log.warning("lobby_unreachable", why=str(error))
                except Exception:  # without this task nobody would be told anything any more
                    log.exception("lobby_failed")


def _shown(facts: dict[str, Any]) -> dict[str, Any]:
    """A room in the lobby: what one chooses by. A view holds no null."""
    return {key: value for key, value in facts.items() if value is not None}

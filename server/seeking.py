"""People of this gateway who seek a match: what they wish for, their signs of life, and what they are told."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import msgspec
import structlog
from msgspec import Struct

from cards import NoSuchGame, find_game
from engine.errors import Refused
from rooms import wire
from rooms.matchmaking import seeking
from rooms.nodes import StoreTrouble
from rooms.queues import Queue, Ticket
from server.protocol import ClockRequest

if TYPE_CHECKING:
    from server.connection import Connection
    from server.gateway import Gateway

log = structlog.get_logger()
BEAT = 5.0  # seconds between two signs of life; a queue gives nobody a match who was silent for three of them
BATCH = 500


class Sought(Struct):
    """Where somebody of ours seeks."""

    queue: Queue
    ticket: Ticket
    room: str = ""  # the room that was found for them, until it has begun


class Seekers:
    """All who seek through this gateway, by user."""

    def __init__(self, gateway: Gateway) -> None:
        self.gateway = gateway
        self.host = gateway.host
        self.seeks: dict[str, Sought] = {}
        self._beating: asyncio.Task[None] | None = None

    # commands

    async def seek(self, connection: Connection, wish: wire.Seek) -> None:
        """Enter a queue. The same wish again is no second one."""
        who = connection.who
        try:
            queue, deck = read_wish(wish)
            ticket = Ticket(who.user, who.name, deck=deck, gateway=self.host.name)
            standing = await self._enter(queue, ticket)
        except Refused as no:
            connection.refuse(wish.i, no.code, str(no))
            return
        except StoreTrouble:
            connection.refuse(wish.i, "busy", "The queue cannot be reached at the moment; try again.", retry=True)
            return
        connection.put(wire.Ok(i=wish.i))
        await self._tell(who.user, standing)
        self._beating = self._beating or self.gateway.loop.create_task(self._beat())

    async def unseek(self, connection: Connection, wish: wire.Unseek) -> None:
        """Leave the queue; whoever is in none has left it."""
        sought = self.seeks.get(connection.who.user)
        try:
            if sought is not None and wish.game in ("", sought.queue.game):
                await self._leave(connection.who.user)
        except StoreTrouble:
            connection.refuse(wish.i, "busy", "The queue cannot be reached at the moment; try again.", retry=True)
            return
        connection.put(wire.Ok(i=wish.i))

    async def renew(self, user: str) -> None:
        """Something about somebody has changed that counts in the queue; they keep their place."""
        sought = self.seeks.get(user)
        if sought is not None and not sought.room:
            with contextlib.suppress(Refused):
                await self._ask(sought.queue, sought.ticket)

    def gone(self, user: str, closed: bool) -> None:
        """The last connection of a user is gone. Who left on purpose seeks no more; who was cut off is waited for."""
        if user in self.seeks:
            if closed:
                self.gateway.spawn(self._quietly(user))
            else:
                del self.seeks[user]

    def hear(self, user: str, frame: wire.Frame) -> None:
        """A matchmaker has something for somebody of ours."""
        sought = self.seeks.get(user)
        match frame:
            case wire.Matched():
                if sought is not None:
                    sought.room = frame.room
            case wire.Seeking(over=True):
                self.seeks.pop(user, None)
            case wire.Seeking() if sought is not None:
                sought.room = ""
        self.gateway.tell_user(user, frame)

    async def matched_again(self, connection: Connection, seats: list[dict[str, Any]]) -> None:
        """Somebody came back: a match may have been found for them in the meantime."""
        for entry in seats:
            if entry.get("ready_by", 0) > self.host.now():
                by, seat = entry["ready_by"], entry["seat"]
                connection.put(wire.Matched(room=entry["room"], seat=seat, ready_by=by))

    # the queue

    async def _enter(self, queue: Queue, ticket: Ticket) -> dict[str, Any]:
        standing = await self._ask(queue, ticket)
        self.seeks[ticket.user] = Sought(queue, ticket)
        return standing

    async def _ask(self, queue: Queue, ticket: Ticket) -> dict[str, Any]:
        words = (msgspec.to_builtins(queue), msgspec.to_builtins(ticket))
        standing: dict[str, Any] = await self.host.ask("seek", queue.name, *words)
        return standing

    async def _leave(self, user: str) -> None:
        sought = self.seeks.pop(user, None)
        if sought is not None:
            await self.host.ask("unseek", sought.queue.name, user)

    async def _quietly(self, user: str) -> None:
        try:
            await self._leave(user)
        except StoreTrouble as error:
            log.warning("unseek_late", why=str(error))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            try:
                await self.beat()
            except StoreTrouble as error:
                log.warning("queues_unreachable", why=str(error))
            except Exception:  # without this task nobody of ours would be seen
                log.exception("beat_failed")

    async def beat(self) -> None:
        """Say who is still there, and tell everybody how it stands."""
        queues: dict[str, list[str]] = {}
        for user, sought in self.seeks.items():
            queues.setdefault(sought.queue.name, []).append(user)
        for name, users in queues.items():
            for start in range(0, len(users), BATCH):
                some = [user for user in users[start : start + BATCH] if user in self.seeks]
                if some:
                    queue = self.seeks[some[0]].queue
                    words = (msgspec.to_builtins(queue), some)
                    for user, standing in zip(some, await self.host.ask("beat", name, *words), strict=True):
                        await self._tell(user, standing)

    async def _tell(self, user: str, standing: dict[str, Any]) -> None:
        sought = self.seeks.get(user)
        if sought is None:
            return
        if "since" in standing:
            sought.room = ""
            self.gateway.tell_user(user, seeking(sought.queue, standing))
        elif "room" in standing:
            if sought.room != standing["room"]:  # that it was found was said, and lost
                await self._find(user, sought, standing["room"])
        elif sought.room:
            del self.seeks[user]  # it has begun, or they did not come
        else:  # the queue has forgotten them: they were out of sight for too long
            await self._enter(sought.queue, sought.ticket)

    async def _find(self, user: str, sought: Sought, room: str) -> None:
        for entry in await self.host.matches_of(user):
            if entry["room"] == room and "seat" in entry:
                sought.room = room
                by = entry.get("ready_by", 0)
                self.gateway.tell_user(user, wire.Matched(room=room, seat=entry["seat"], ready_by=by))


def read_wish(wish: wire.Seek) -> tuple[Queue, list[str] | None]:
    """What somebody seeks, and with which deck; Refused if that cannot be."""
    try:
        game = find_game(wish.game)
    except NoSuchGame as no:
        raise Refused(no.code, str(no)) from None
    least, most = game.seats
    seats = wish.seats or least
    if not max(2, least) <= seats <= most:
        raise Refused("bad_seats", f"{game.title} is for {least} to {most} players, not {seats}.")
    try:
        clock = None if wish.clock is None else msgspec.convert(wish.clock, ClockRequest).agreed()
    except msgspec.ValidationError as error:
        raise Refused("bad_clock", f"This is no clock: {error}.") from None
    deck = game.find_deck(wish.deck, game.read_options({}))
    return Queue(game.id, wish.mode, clock, seats), deck

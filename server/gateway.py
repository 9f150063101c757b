"""The front door for sockets: knows who is connected and which room they speak to, and no rules at all."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeAlias

import structlog
from msgspec import UNSET

from rooms import wire
from rooms.happenings import Acted, Came, Went, Who, Wished
from rooms.host import RoomElsewhere, RoomGone
from rooms.nodes import StoreTrouble
from rooms.places import Room, Rooms
from server.connection import Chair, Connection
from server.doorkeeper import Banned, Doorkeeper, Visitor, say_of
from server.identity import BadToken
from server.limits import Bucket, Crowd, Misses, guess_key
from server.metrics import Metrics
from server.reception import Reception
from server.settings import Settings
from server.site import SiteAway
from server.wires import Wire

log = structlog.get_logger()
ToRoom: TypeAlias = wire.Act | wire.Wish | wire.Leave
ON_PURPOSE = (1000, 1001, 1005, 4401, 4403)  # how a connection ends that somebody closed, or that is shown out
HELD = 16  # commands of one connection that wait while their room is being looked for


class Gateway:
    """All connections of this process."""

    def __init__(self, host: Rooms, door: Doorkeeper, settings: Settings, metrics: Metrics) -> None:
        self.host = host
        self.door = door
        self.settings = settings
        self.metrics = metrics
        self.loop = asyncio.get_running_loop()
        self.connections: set[Connection] = set()
        self.users = Crowd(settings.sockets_per_user)
        self.addresses = Crowd(settings.sockets_per_address)
        self.handshakes = Bucket(settings.handshakes_per_second, settings.handshakes_per_second / 2)
        self.misses = Misses(settings.code_misses)
        self._tasks: set[asyncio.Task[None]] = set()
        self._chairs: dict[Room, set[Chair]] = {}
        self._writing: list[Connection] = []
        self.reception = Reception(self)
        host.lost.append(self._room_lost)

    def connect(self, line: Wire, text: bool, address: str) -> Connection:
        """A socket was accepted."""
        connection = Connection(self, line, text, address)
        self.connections.add(connection)
        self.metrics.connections.add("all")
        line.listen(connection)
        return connection

    def gone(self, connection: Connection, code: int) -> None:
        """A socket is closed; its players stay seated."""
        self.connections.discard(connection)
        self.metrics.connections.add("all", -1)
        self.addresses.leave(connection.address)
        if connection.who.user:
            self.users.leave(connection.who.user)
        self.reception.gone(connection, code in ON_PURPOSE)
        for chair in list(connection.chairs.values()):
            self._stand_up(chair, code in ON_PURPOSE)

    def will_write(self, connection: Connection) -> None:
        """This connection has something to say before the turn of the event loop is over."""
        if not self._writing:
            self.loop.call_soon(self._flush)
        self._writing.append(connection)

    def _flush(self) -> None:
        writing, self._writing = self._writing, []
        for connection in writing:
            connection.flush()

    # commands

    def hear(self, connection: Connection, command: wire.AnyCommand) -> None:
        """Pass a command on, or answer it."""
        kind = str(command.__struct_config__.tag)
        self.metrics.commands.add(kind)
        match command:
            case wire.Hello():
                self._hello(connection, command)
            case wire.Ping():
                connection.put(wire.Pong(i=command.i, c=command.c, now=self.host.now()))
            case _ if not connection.who.user:
                connection.refuse(command.i, "no_hello", "Say hello first.")
                connection.close(4401)
            case wire.Act():
                self._act(connection, command)
            case wire.Join():
                connection.held.setdefault(command.room or "", [])
                self.spawn(self._join(connection, command))
            case wire.Leave() if command.room in connection.held:
                self._hold(connection, command, connection.chairs.get(command.room))
            case wire.Leave():
                chair = connection.chairs.get(command.room)
                if chair is not None:
                    self._stand_up(chair, True)
                connection.put(wire.Ok(i=command.i))
            case wire.Say() if not self.reception.may_say(connection, command):
                pass
            case wire.Report() if not self.reception.may_talk(connection, command.i):
                pass
            case (
                wire.Say()
                | wire.Propose()
                | wire.Reply()
                | wire.Resign()
                | wire.Claim()
                | wire.Ready()
                | wire.Kick()
                | wire.Mute()
                | wire.Report()
            ):
                self._wish(connection, command)
            case _:
                self.reception.hear(connection, command)

    def _hello(self, connection: Connection, hello: wire.Hello) -> None:
        least, most = hello.proto
        if connection.who.user:
            connection.refuse(hello.i, "hello_twice", "You have said hello already.")
            return
        if not least <= wire.PROTO <= most:
            connection.refuse(hello.i, "protocol", f"This server speaks version {wire.PROTO}.")
            connection.close(4406)
            return
        connection.knocked()
        self.spawn(self._admit(connection, hello))

    async def _admit(self, connection: Connection, hello: wire.Hello) -> None:
        """Find out who that is. Until then nothing more is heard from them."""
        try:
            mentioned = self.reception.mentioned
            visitor = await self.door.admit(hello.token)
            if not connection.line.closed:
                await self._let_in(connection, hello.i, visitor, mentioned)
        except BadToken as no:
            connection.put(wire.Err(i=hello.i, code=no.code, text=str(no), say=say_of(no)))
            connection.close(4403 if isinstance(no, Banned) else 4401)
        except SiteAway:
            connection.refuse(hello.i, "busy", "Nobody can say who you are at the moment; try again.", retry=True)
            connection.close(4500)
        finally:
            connection.answered()

    async def _let_in(self, connection: Connection, i: str, visitor: Visitor, mentioned: int) -> None:
        user = visitor.user
        if not self.users.enter(user.id):
            connection.refuse(i, "too_many", "You have too many windows open.")
            connection.close(4409)
            return
        connection.greeted(Who(user.id, user.name), visitor)
        sure = visitor.sure and mentioned == self.reception.mentioned  # nothing has changed since they were looked up
        await self._welcome(connection, i, visitor, await self.reception.came(connection, sure))

    async def _welcome(self, connection: Connection, i: str, visitor: Visitor, seats: list[dict[str, Any]]) -> None:
        settings, who = self.settings, connection.who
        limits = {
            "frame": settings.max_frame,
            "commands": settings.player_commands,
            "seconds": settings.command_seconds,
        }
        connection.put(
            wire.Welcome(
                i=i,
                user={"id": who.user, "name": who.name},
                proto=wire.PROTO,
                now=self.host.now(),
                limits=limits,
                heartbeat=round(settings.ping_seconds * 1000),
                seats=seats,
                token=visitor.token or UNSET,
            )
        )
        await self.reception.welcomed(connection, seats)

    def tell_user(self, user: str, frame: wire.Frame) -> None:
        """Say something to somebody in all their windows."""
        self.reception.tell_user(user, frame)

    def _act(self, connection: Connection, act: wire.Act) -> None:
        chair = connection.chairs.get(act.room)
        if chair is None or chair.actor is None or chair.actor.dropped:
            self._hold(connection, act, chair)
        else:
            chair.actor.hear(Acted(connection.who, act, chair, connection.line.lag))

    def _wish(self, connection: Connection, wish: wire.Wish) -> None:
        chair = connection.chairs.get(wish.room)
        if chair is None or chair.actor is None or chair.actor.dropped:
            self._hold(connection, wish, chair)
        else:
            chair.actor.hear(Wished(connection.who, wish, chair))

    def _hold(self, connection: Connection, command: ToRoom, chair: Chair | None) -> None:
        """Keep a command while its room is being looked for; if it is not, say so."""
        held = connection.held.get(command.room)
        if held is not None and len(held) < HELD:
            held.append(command)
        elif chair is None:
            connection.refuse(command.i, "not_joined", "Join the room first.")
        else:
            connection.refuse(command.i, "moved_on", "The table is being handed over; send again.", retry=True)

    def _let_go(self, connection: Connection, room: str) -> None:
        for command in connection.held.pop(room, ()):
            self.hear(connection, command)

    # rooms

    async def _join(self, connection: Connection, join: wire.Join) -> None:
        try:
            room = await self._room_of(connection, join)
            if room is not None:
                await self._enter(connection, join, room)
        finally:
            self._let_go(connection, join.room or "")

    async def _enter(self, connection: Connection, join: wire.Join, room: str) -> None:
        try:
            actor = await self.host.room(room)
        except RoomGone:
            connection.refuse(join.i, "no_room", "There is no such room, or it is gone.")
            return
        except (RoomElsewhere, StoreTrouble):
            connection.refuse(join.i, "busy", "The room cannot be reached at the moment; try again.", retry=True)
            return
        if connection.line.closed:
            return
        by_code = join.code is not None or room in connection.invited
        chair = connection.chairs.get(room) or Chair(connection, room, join, by_code)
        chair.join, chair.mirrored, chair.asked = join, False, join.i
        chair.by_code = chair.by_code or by_code
        self._sit(chair, actor)
        connection.chairs[room] = chair
        actor.hear(Came(connection.who, join, chair, chair.by_code))
        connection.plays(any(chair.join.as_ == "seat" for chair in connection.chairs.values()))

    async def _room_of(self, connection: Connection, join: wire.Join) -> str | None:
        if join.room is not None and join.code is None:
            return join.room
        if join.code is None:
            connection.refuse(join.i, "bad_command", "Say which room, or by which code.")
            return None
        guesser = guess_key(connection.address)
        if not self.misses.may_guess(guesser):
            connection.refuse(join.i, "too_many_codes", "Too many wrong codes; wait a minute.", retry=True)
            return None
        try:
            room = await self.host.library.find(join.code)
        except StoreTrouble:
            connection.refuse(join.i, "busy", "The room cannot be reached at the moment; try again.", retry=True)
            return None
        if room is None or join.room not in (None, room):
            self.misses.add(guesser)
            connection.refuse(join.i, "bad_code", "No table has this code, or it has run out.")
            return None
        return room

    def turned_away(self, chair: Chair) -> None:
        """A room did not let them in."""
        chair.connection.chairs.pop(chair.room, None)
        if chair.actor is not None:
            self._chairs.get(chair.actor, set()).discard(chair)

    def _sit(self, chair: Chair, actor: Room) -> None:
        if chair.actor is not None:
            self._chairs.get(chair.actor, set()).discard(chair)
        chair.actor = actor
        self._chairs.setdefault(actor, set()).add(chair)

    def heed(self, chair: Chair, frame: wire.Closed | wire.Next | wire.Said) -> bool:
        """What a room says may concern the connection itself. False if they do not want to hear it."""
        if isinstance(frame, wire.Said):
            return frame.user not in chair.connection.blocked
        if isinstance(frame, wire.Next):
            if chair.by_code:
                chair.connection.invited.add(frame.next)
        else:
            self.loop.call_soon(self._stand_up, chair)
        return True

    def _stand_up(self, chair: Chair, closed: bool = False) -> None:
        chair.connection.chairs.pop(chair.room, None)
        actor = chair.actor
        if actor is not None:
            self._chairs.get(actor, set()).discard(chair)
            if not actor.dropped:
                actor.leave(chair)
                actor.hear(Went(chair, closed))

    def _room_lost(self, actor: Room) -> None:
        """A room is not here any more: find it again for everybody who follows it."""
        chairs = self._chairs.pop(actor, set())
        for chair in chairs:
            chair.connection.held.setdefault(actor.room, [])
        if chairs and not self.host.draining:
            self.spawn(self._find_again(actor.room, chairs))

    async def _find_again(self, room: str, chairs: set[Chair]) -> None:
        wait = 0.05
        while any(not chair.connection.line.closed for chair in chairs):
            try:
                actor = await self.host.room(room)
            except RoomGone:
                break
            except (RoomElsewhere, StoreTrouble):
                await asyncio.sleep(wait)
                wait = min(wait * 2, 1.0)
                continue
            for chair in sorted(chairs, key=lambda chair: not chair.mirrored):  # who plays sits down last, and plays
                if not chair.connection.line.closed and chair.connection.chairs.get(room) is chair:
                    self._sit(chair, actor)
                    actor.hear(chair.again())
            break
        for chair in chairs:
            self._let_go(chair.connection, room)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside everything else."""
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("command_failed", exc_info=error)

    async def drain(self, spread: float) -> None:
        """Ask everybody to come back elsewhere, a few at a time."""
        connections = list(self.connections)
        for place, connection in enumerate(connections):
            after = round(1000 * spread * place / max(1, len(connections)))
            connection.put(wire.Bye(code=4503, after=after))
            connection.close(4503)

"""The host's end of the line: takes letters from gateways to the rooms here, and their answers back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import msgspec
import structlog

from engine.errors import Refused
from rooms import letters, wire
from rooms.actor import Actor
from rooms.desk import NoSuchAsk
from rooms.happenings import Acted, Came, Closing, Went, Wished
from rooms.host import Host, RoomElsewhere, RoomGone
from rooms.keys import gateway_inbox, host_inbox
from rooms.library import NotOver
from rooms.nodes import StoreTrouble
from rooms.post import Inbox, Post, open_mail
from rooms.registry import GATEWAYS, HOSTS, Registry, place
from rooms.remote_guest import RemoteGuest
from rooms.telling import Told

log = structlog.get_logger()

BACKLOG = 2000  # commands that may wait; the rest is told to try again

RoomCommand: TypeAlias = letters.Come | letters.Go | letters.Act | letters.Want
_json = msgspec.json.Encoder()


class HostLine:
    """All that gateways want from the rooms of this host."""

    def __init__(self, host: Host, registry: Registry) -> None:
        self.host, self.registry = host, registry
        self.post = Post(host.nodes, host.own)
        self.inbox = Inbox(host.nodes, host_inbox(host.own), self._heard)
        self.asked_to_stop: Callable[[], None] = lambda: None
        self.guests: dict[tuple[str, int], RemoteGuest] = {}
        self._in_room: dict[str, dict[RemoteGuest, None]] = {}
        self._opening: dict[str, list[tuple[str, RoomCommand]]] = {}  # letters to rooms that are being opened
        self._tasks: set[asyncio.Task[None]] = set()
        self._last_said: tuple[wire.Frame, str, int, letters.Said] | None = None
        host.lost.append(self._lost)
        host.gone = registry.vanished
        host.keeper.up = registry.up
        host.keeper.hint = self._hint
        host.matchmaker.up = registry.up
        host.matchmaker.tell = self._tell_user
        host.about = self._tell_gateways
        registry.left.append(self._left)
        registry.ticked.append(self._ticked)

    async def start(self) -> None:
        """Listen."""
        await self.inbox.start()

    async def stop(self) -> None:
        """Listen no more. Whoever still writes to us notices at once."""
        for task in self._tasks:
            task.cancel()
        await self.inbox.stop()

    # what comes

    def _heard(self, mails: list[bytes]) -> None:
        taken = 0
        for data in mails:
            mail: letters.HostMail | None = open_mail(letters.read_host_mail, data)
            if mail is None:
                continue
            to = gateway_inbox(mail.sender)
            for letter in mail.letters:
                taken += 1
                try:
                    self._open_letter(to, letter, taken > BACKLOG)
                except Exception:  # ours, and no reason to drop the other letters
                    log.exception("letter_failed")

    def _open_letter(self, to: str, letter: letters.ToHost, too_much: bool) -> None:
        match letter:
            case letters.Look(rooms=rooms):
                self._spawn(self.host.keeper.look_after(rooms))
            case letters.CloseRoom(room=room):
                self._spawn(self._close_room(room))
            case letters.Drain():
                self.asked_to_stop()
            case letters.Rated(frame=frame):
                self.host.rated(frame)
            case _ if too_much:
                self.post.send(to, letters.Busy(letter.number))
            case letters.Ask():
                self._spawn(self._look_up(to, letter))
            case _:
                self._take(to, letter)

    def _take(self, to: str, command: RoomCommand) -> None:
        """Hand a command to its room, at once if the room is here for sure."""
        self.host.publishes = True
        queue = self._opening.get(command.room)
        if queue is not None:
            queue.append((to, command))
            return
        actor = self.host.rooms.get(command.room)
        if actor is not None and self.host.loop.time() < actor.lease:
            self._deliver(actor, to, command)
        else:
            self._opening[command.room] = [(to, command)]
            self._spawn(self._open(command.room))

    async def _open(self, room: str) -> None:
        actor, owner = None, None
        try:
            actor = await self.host.room(room)
        except RoomElsewhere as elsewhere:
            owner = elsewhere.own or self._next_owner(room)
        except RoomGone:
            pass
        except StoreTrouble as error:
            log.warning("room_unreachable", room=room, why=str(error))
            self._opening.pop(room)  # the gateway sends again
            return
        for to, command in self._opening.pop(room):
            if actor is not None:
                self._deliver(actor, to, command)
            elif owner is not None:
                self.post.send(to, letters.Elsewhere(room, owner))
            else:
                self.post.send(to, letters.Gone(command.number))

    def _deliver(self, actor: Actor, to: str, command: RoomCommand) -> None:
        if actor.dropped:
            self.post.send(to, letters.Elsewhere(actor.room, ""))
            return
        guest = self.guests.get((to, command.guest))
        if guest is None:
            if isinstance(command, letters.Go):
                self.post.send(to, letters.Heard(command.number))
                return
            guest = self._welcome(to, command)
        if not guest.is_new(command.number):
            return
        match command:
            case letters.Come(join=join, quiet=quiet):
                if quiet:
                    self.post.send(to, letters.Heard(command.number))
                else:
                    guest.expected.setdefault(join.i, []).append(command.number)
                actor.hear(Came(command.who, join, guest, command.code, quiet))
            case letters.Act(act=act):
                guest.expected.setdefault(act.i, []).append(command.number)
                actor.hear(Acted(command.who, act, guest, command.lag))
            case letters.Want(wish=wish):
                guest.expected.setdefault(wish.i, []).append(command.number)
                actor.hear(Wished(command.who, wish, guest))
            case letters.Go(closed=closed):
                self.post.send(to, letters.Heard(command.number))
                self._show_out(actor, guest, closed=closed)

    def _welcome(self, to: str, command: RoomCommand) -> RemoteGuest:
        guest = self.guests[to, command.guest] = RemoteGuest(self, to, command.room, command.guest)
        self._in_room.setdefault(command.room, {})[guest] = None
        if not isinstance(command, letters.Come):
            self.post.send(to, letters.Stranger(command.room))
        return guest

    def _show_out(self, actor: Actor | None, guest: RemoteGuest, *, closed: bool = False, ours: bool = False) -> None:
        self.guests.pop((guest.to, guest.number), None)
        self._in_room.get(guest.room, {}).pop(guest, None)
        if actor is not None and not actor.dropped:
            actor.leave(guest)
            actor.hear(Went(guest, closed, ours))

    async def _close_room(self, room: str) -> None:
        """If it is ours, or nobody's. Whoever asked sees what became of it, and asks again or asks another."""
        try:
            (await self.host.room(room)).hear(Closing())
        except (RoomElsewhere, RoomGone):
            pass
        except StoreTrouble as error:
            log.warning("room_unreachable", room=room, why=str(error))

    async def _look_up(self, to: str, ask: letters.Ask) -> None:
        """Do what only hosts may do."""
        reply = letters.Reply(ask.number, b"")
        try:
            reply.value = _json.encode(await self.host.desk.answer(ask.what, ask.words))
        except NotOver:
            reply.error = "not_over"
        except NoSuchAsk:
            reply.error = "unknown"
        except Refused as no:
            reply.error, reply.value = "refused", _json.encode([no.code, str(no), no.args_])
        except StoreTrouble as error:
            log.warning("ask_failed", kind=ask.what, why=str(error))
            return  # the gateway asks again
        self.post.send(to, reply)

    # what goes

    def show(self, guest: RemoteGuest, told: Told) -> None:
        """A version for one guest."""
        actor = self.host.rooms.get(guest.room)
        ep, newest = (int(actor.core.ep), told.v == actor.core.ver) if actor is not None else (0, False)
        letter = letters.Shown(guest.number, ep, told.epoch, told.was, told.v, told.whole, newest, told.json)
        self.post.send(guest.to, letter)

    def say(self, guest: RemoteGuest, frame: wire.Frame) -> None:
        """Presence or talk; what several guests of one gateway are told goes in one letter."""
        last = self._last_said
        if last is not None and last[0] is frame and last[1] == guest.to and last[2] == self.post.turn:
            last[3].guests.append(guest.number)
            return
        letter = letters.Said([guest.number], _json.encode(frame))
        self._last_said = (frame, guest.to, self.post.turn, letter)
        self.post.send(guest.to, letter)

    def _tell_user(self, gateway: str, user: str, frame: wire.Frame) -> None:
        """Something for a user, wherever in a gateway they are."""
        self.post.send(gateway_inbox(gateway), letters.ForUser(user, _json.encode(frame)))

    def _tell_gateways(self, user: str) -> None:
        """Whatever gateway has this user looks again at what is known of them."""
        for name in self.registry.gateways():
            self.post.send(gateway_inbox(name), letters.About(user))

    # what changes

    def _lost(self, actor: Actor) -> None:
        """A room is not ours any more: pass its guests on, and the room too if we are leaving."""
        guests = self._in_room.pop(actor.room, {})
        to = self._next_owner(actor.room) if self.host.draining else ""
        for guest in guests:
            self.guests.pop((guest.to, guest.number), None)
        if to:
            self._hint(to, [actor.room])
        for address in dict.fromkeys(guest.to for guest in guests):
            self.post.send(address, letters.Elsewhere(actor.room, to))

    def _next_owner(self, room: str) -> str:
        others = tuple(own for own in self.registry.up() if own != self.host.own)
        return place(room, others)[0] if others else ""

    def _hint(self, own: str, rooms: list[str]) -> None:
        if own != self.host.own:
            self.post.send(host_inbox(own), letters.Look(rooms))

    def tell_rated(self, own: str, frame: wire.Rated) -> None:
        """What a match did to ratings, for the host that has its room."""
        self.post.send(host_inbox(own), letters.Rated(frame))

    def _left(self, table: str, name: str) -> None:
        if table == HOSTS:
            self.host.keeper.take_from(name)
        elif table == GATEWAYS:
            for guest in [guest for guest in self.guests.values() if guest.to == gateway_inbox(name)]:
                self._show_out(self.host.rooms.get(guest.room), guest, ours=True)

    def _ticked(self) -> None:
        self.host.publishes = bool(self.registry.gateways().keys() - {self.host.own})
        self._spawn(self._keep_inbox())

    async def _keep_inbox(self) -> None:
        try:
            await self.inbox.keep()
        except StoreTrouble as error:
            log.warning("inbox_unreachable", why=str(error))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self.host.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("letter_failed", exc_info=error)

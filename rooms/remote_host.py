"""The gateway's end of the line: all rooms of other processes, as if they were here."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
import structlog

from engine.errors import Refused
from rooms import letters, wire
from rooms.ears import Ears
from rooms.errands import PATIENCE, SILENCE, Errands
from rooms.following import Follower
from rooms.happenings import Event
from rooms.host import RoomElsewhere, RoomGone
from rooms.keys import gateway_inbox, host_inbox, keys_of
from rooms.library import Library, NotOver
from rooms.nodes import Nodes, StoreTrouble, Uncertain
from rooms.places import Room
from rooms.post import Inbox, Post, open_mail
from rooms.registry import HOSTS, Registry, place
from rooms.remote_library import RemoteLibrary
from rooms.remote_room import RemoteRoom
from rooms.state import Setup
from rooms.telling import Told

log = structlog.get_logger()

TAIL_SECONDS = 2.0
TICK = 0.2
QUIET = 3.0  # after the store was away, owners that could not renew are given so long before anybody else is asked
MOST_WAITING = 2000

_to_users = msgspec.json.Decoder(wire.ToUser)
_side = msgspec.json.Decoder(wire.AtTable)


class RemoteHost:
    """The rooms of all other processes."""

    def __init__(self, nodes: Nodes, own: str, registry: Registry, *, mine: str = "") -> None:
        self.nodes, self.own, self.registry, self.mine = nodes, own, registry, mine
        self.loop = asyncio.get_running_loop()
        self.now = registry.now
        self.post = Post(nodes, own)
        self.inbox = Inbox(nodes, gateway_inbox(own), self._heard)
        self.ears = Ears(nodes)
        self.library: Library = RemoteLibrary(nodes, self.ask)
        self.lost: list[Callable[[Room], None]] = []
        self.asked_to_stop: Callable[[], None] = lambda: None
        self.hand_back: Callable[[str, list[Event]], None] = lambda room, events: None  # for a room that is ours now
        self.tell_user: Callable[[str, wire.Frame], None] = lambda user, frame: None
        self.about_user: Callable[[str], None] = lambda user: None
        self.draining = False
        self.rooms: dict[str, RemoteRoom] = {}
        self.guests: dict[int, tuple[RemoteRoom, Follower]] = {}
        self.waiting: dict[int, Errands] = {}  # by number: commands without an answer
        self.most_waiting = MOST_WAITING
        self.gaps = self.repaired = self.stale = 0  # versions missed and noticed; found by looking; of old owners
        self._numbers = itertools.count(1)
        self._asks: dict[int, asyncio.Future[letters.Reply]] = {}
        self._nobody_there = asyncio.Event()  # somebody whom we wrote to is gone
        self._tasks: set[asyncio.Task[None]] = set()
        self._losses, self._quiet_until = nodes.losses, 0.0

    async def start(self) -> None:
        """Listen, and look after what has no answer."""
        self.post.nobody = self._nobody
        self.registry.left.append(self._left)
        self.registry.resumed.append(self._resumed)
        self.registry.ticked.append(lambda: self.spawn(self._keep_inbox()))
        await self.inbox.start()
        self.spawn(self._watch())
        self.spawn(self._tail())

    async def stop(self) -> None:
        """Listen no more."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.ears.close()
        await self.inbox.stop()

    # as a host

    async def room(self, room: str) -> RemoteRoom:
        """The room, wherever it is."""
        if room not in self.rooms:
            owner, _ = await self.owner(room)
            if not owner:
                raise RoomElsewhere("")
            self.rooms.setdefault(room, RemoteRoom(self, room, owner))
        return self.rooms[room]

    async def make(self, room: str, setup: Setup, key: str, side: dict[str, bytes]) -> str:
        """Have a host open a room."""
        made: str = await self.ask("make", room, msgspec.json.encode(setup), key, side)
        return made

    async def matches_of(self, user: str) -> list[dict[str, Any]]:
        """The running matches of a user."""
        return await self.library.matches_of(user)

    @property
    def name(self) -> str:
        """What this process is called as a gateway."""
        return self.own

    def listen(self, tell: Callable[[str, wire.Frame], None], about: Callable[[str], None]) -> None:
        """From now on tell the first what is meant for a user, and the second of whom something has changed.

        An empty name is everybody: we were out of reach for a while.
        """
        self.tell_user, self.about_user = tell, about

    # who has what

    async def meta(self, room: str) -> tuple[int, str, int, int]:
        """Version, owner, end of the lease and status of a room."""
        meta = keys_of(room).meta
        ver, own, exp, st = await self.nodes.ask(meta, "HMGET", meta, "ver", "own", "exp", "st")
        if ver is None:
            raise RoomGone(room)
        return int(ver), bytes(own).decode(), int(exp), int(st)

    async def owner(self, room: str, silent: str = "") -> tuple[str, int]:
        """Who has a room, or should; and until when it is surely theirs. Empty if there is no host at all."""
        _, own, exp, _ = await self.meta(room)
        good = exp > self.now() or own != silent or self.quiet()
        if own and good and (own in self.registry.hosts() or not self.registry.vanished(own)):
            return own, exp
        up = self.registry.up()
        if own in up and own != silent:
            return own, exp
        others = tuple(host for host in up if host != silent) or up
        return (place(room, others)[0], 0) if others else ("", 0)

    def quiet(self) -> bool:
        """Whether the store was away a moment ago: then silence says nothing."""
        if self.nodes.losses != self._losses:
            self._losses = self.nodes.losses
            self._quiet_until = self.loop.time() + QUIET
        return self.loop.time() < self._quiet_until

    def forget(self, room: RemoteRoom) -> None:
        """Nobody here follows a room any more."""
        if self.rooms.get(room.room) is room:
            del self.rooms[room.room]
        for follower in room.followers.values():
            self.guests.pop(follower.number, None)
        for number in room.unanswered:
            self.waiting.pop(number, None)

    def count(self) -> int:
        """A number that nobody has yet."""
        return next(self._numbers)

    # letters

    async def ask(self, what: str, room: str, *words: Any) -> Any:
        """Have a host do something that we may not."""
        number, end = self.count(), self.loop.time() + PATIENCE
        self._asks[number] = answer = self.loop.create_future()
        try:
            while self.loop.time() < end:
                if up := self.registry.up():
                    order = place(room, up)
                    turn = int((self.loop.time() - end + PATIENCE) / SILENCE)
                    to = host_inbox(order[turn % len(order)])
                    self.post.send(to, letters.Ask(number, what, [room, *words]))
                self._nobody_there.clear()
                hurry = asyncio.ensure_future(self._nobody_there.wait())
                await asyncio.wait([answer, hurry], timeout=SILENCE, return_when=asyncio.FIRST_COMPLETED)
                hurry.cancel()
                if answer.done():
                    reply = answer.result()
                    if reply.error == "not_over":
                        raise NotOver
                    if reply.error == "refused":
                        code, text, args = msgspec.json.decode(reply.value)
                        raise Refused(code, text, **args)
                    return msgspec.json.decode(reply.value)
            raise Uncertain("no host answered in time")
        finally:
            del self._asks[number]

    def _heard(self, mails: list[bytes]) -> None:
        for data in mails:
            mail: letters.GatewayMail | None = open_mail(letters.read_gateway_mail, data)
            for letter in mail.letters if mail is not None else ():
                try:
                    self._take(mail.sender if mail else "", letter)
                except Exception:  # ours, and no reason to drop the other letters
                    log.exception("letter_failed")

    def _take(self, sender: str, letter: letters.ToGateway) -> None:
        match letter:
            case letters.Answer(number=number, frame=frame):
                if isinstance(room := self._waits(sender, number), RemoteRoom):
                    room.answered(number, frame)
            case letters.Heard(number=number):
                if (room := self._waits(sender, number)) is not None:
                    room.settle(number)
            case letters.Gone(number=number):
                if (room := self._waits(sender, number)) is not None:
                    room.refuse(number, "no_room", "There is no such room, or it is gone.")
            case letters.Busy(number=number):
                if (room := self._waits(sender, number)) is not None:
                    room.refuse(number, "busy", "Too much is waiting at the moment; try again.", retry=True)
            case letters.Elsewhere(room=name, to=to):
                if name in self.rooms:
                    self.rooms[name].moved(sender, to)
            case letters.Stranger(room=name):
                if name in self.rooms and self.rooms[name].owner == sender:
                    self.rooms[name].introduce()
            case letters.Said(guests=guests, frame=frame):
                told = _side.decode(frame)
                for number in guests:
                    if number in self.guests:
                        self.guests[number][1].guest.tell(told)
            case letters.ForUser(user=user, frame=frame):
                self.tell_user(user, _to_users.decode(frame))
            case letters.About(user=user):
                self.about_user(user)
            case letters.Reply(number=number):
                if number in self._asks and not self._asks[number].done():
                    self._asks[number].set_result(letter)
            case letters.Drain():
                self.asked_to_stop()
            case _:
                self._for_guest(sender, letter)

    def _for_guest(
        self, sender: str, letter: letters.Following | letters.Shown | letters.Mirror | letters.Close
    ) -> None:
        room, follower = self.guests.get(letter.guest, (None, None))
        if room is None or follower is None:
            return
        if room.owner == sender:
            room.spoke()
        match letter:
            case letters.Following(view=view, late=late):
                room.following(follower, view, late)
            case letters.Shown():
                told = Told(letter.frame, letter.v, letter.epoch, letter.was, letter.whole)
                room.shown(follower, letter.ep, told, letter.newest)
            case letters.Mirror():
                follower.guest.mirror()
            case letters.Close(code=code):
                follower.guest.close(code)

    def _waits(self, sender: str, number: int) -> Errands | None:
        room = self.waiting.get(number)
        if room is not None and room.owner == sender:
            room.spoke()
        return room

    # what goes wrong

    def _nobody(self, key: str) -> None:
        """Nobody reads at a host's address any more: whoever wrote there looks again."""
        self.registry.strike(HOSTS, key.removeprefix("{h:").removesuffix("}:in"))
        self._nobody_there.set()
        for room in list(self.rooms.values()):
            if room.owner and host_inbox(room.owner) == key:
                room.look(silent=room.owner)

    def _left(self, table: str, name: str) -> None:
        if table == HOSTS:
            for room in list(self.rooms.values()):
                if room.owner == name:
                    room.look(silent=name)

    def _resumed(self) -> None:
        """We slept, or could not reach the store: hosts may have shown our guests out."""
        self.about_user("")
        for room in list(self.rooms.values()):
            room.introduce()

    async def _watch(self) -> None:
        """Look after commands without an answer."""
        while True:
            await asyncio.sleep(TICK)
            now = self.loop.time()
            for room in dict.fromkeys(self.waiting.values()):
                room.late(now)

    async def _tail(self) -> None:
        """Find out what was never heard of."""
        while True:
            await asyncio.sleep(TAIL_SECONDS)
            if not self.quiet():
                await asyncio.gather(*(room.check() for room in self.rooms.values()), return_exceptions=True)

    async def _keep_inbox(self) -> None:
        try:
            await self.inbox.keep()
        except StoreTrouble as error:
            log.warning("inbox_unreachable", why=str(error))

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something on the side."""
        _ = self.begin(work)

    def begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """The same for whoever wants to know when it is done."""
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("line_failed", exc_info=error)

"""A process that runs rooms: takes them, keeps them, lets them sleep and hands them over."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

import msgspec
import structlog

from cards import find_game
from rooms import scripts, wire
from rooms.actor import Actor
from rooms.answers import LastMove
from rooms.bots import Bots, Habits
from rooms.core import RoomCore
from rooms.desk import Desk
from rooms.guestbook import Guestbook
from rooms.happenings import Rated
from rooms.keeping import Keeper
from rooms.keys import Keys, keys_of
from rooms.library import Library
from rooms.manners import Manners
from rooms.matchmaking import Matchmaker
from rooms.nodes import Nodes, StoreTrouble
from rooms.people import People
from rooms.scripts import VANISHED_MS, Claimed, Code
from rooms.seating import Seating
from rooms.state import OVER, WAITING, RoomState, Setup, pack_room, read_sitters, unpack_room
from rooms.telling import Kept

if TYPE_CHECKING:
    from rooms.archive.archive import Archive

log = structlog.get_logger()


class RoomGone(Exception):
    """There is no such room, or not any more."""


class RoomElsewhere(Exception):
    """Another host has the room."""

    def __init__(self, own: str) -> None:
        super().__init__(own)
        self.own = own


class Host:
    """The rooms of one process."""

    def __init__(
        self,
        nodes: Nodes,
        *,
        name: str,
        lease_ms: int = 6000,
        renew_ms: int = 2000,
        sweep_ms: int = 1000,
        habits: Habits | None = None,
        games: tuple[str, ...] = (),
    ) -> None:
        self.nodes = nodes
        self.own = f"{name}.{secrets.token_hex(4)}"
        self.lease_ms, self.renew_ms, self.sweep_ms = lease_ms, renew_ms, sweep_ms
        self.loop = asyncio.get_running_loop()
        self.rooms: dict[str, Actor] = {}
        self.publishes = False  # whether other processes listen
        self.alone = False  # whether the store is ours alone
        self.repairs = False  # whether the store has replicas, which may forget
        self.idle_seconds = 300.0
        self.manners = Manners()
        self.counts: Counter[str] = Counter()
        self._commits = secrets.randbits(64)
        self.lost: list[Callable[[Actor], None]] = []  # who wants to know that a room is not ours any more
        self.opening: dict[str, asyncio.Future[Actor]] = {}
        self._offset = time.time() * 1000 - self.loop.time() * 1000
        self._notes: set[asyncio.Task[None]] = set()
        self.library = Library(nodes)
        self.people = People(nodes)
        self.guestbook = Guestbook(nodes)
        self.about: Callable[[str], None] = lambda user: None  # gateways look anew at what is known of somebody
        self.matchmaker = Matchmaker(self)
        self.desk = Desk(self)
        self.bots = Bots(self, habits or Habits(), games)
        self.draining = False
        self.gone: Callable[[str], bool] = lambda own: False  # whether a host is known to live no more
        self.leaving: dict[str, asyncio.Future[None]] = {}  # rooms that are being given back
        self.keeper = Keeper(self)
        self.ended: Callable[[str], None] = lambda room: None  # who wants to know that a match here has ended
        self.archive: Archive | None = None  # where matches go when they are over

    # time is the store's, for everybody

    def now(self) -> int:
        """Server time in milliseconds since 1970."""
        return int(self.loop.time() * 1000 + self._offset)

    def heard_time(self, now: int) -> None:
        """The store told its time."""
        self._offset = now - self.loop.time() * 1000

    @property
    def lease_seconds(self) -> float:
        """How long after the last sign of life a room may be answered for from memory: nobody can have taken it."""
        return min(VANISHED_MS / 1000 - 0.5, self.lease_ms / 1000 - min(0.5, self.lease_ms / 4000))

    def commit_id(self) -> bytes:
        """A name for one commit that no other has: counted up from a number that nobody else began with."""
        self._commits += 1
        return b"%016x" % (self._commits & 0xFFFF_FFFF_FFFF_FFFF)

    def count(self, script: str, code: Code) -> None:
        """Remember how a write went, for the figures."""
        self.counts[f"{script}.{code.name.lower()}"] += 1

    # opening

    async def make(self, room: str, setup: Setup, key: str, side: dict[str, bytes]) -> str:
        """Open a room in the store; making it twice with one key makes one. Returns the key that it was made with."""
        public = msgspec.structs.replace(setup, host="", arranged=None)  # what anybody may read without owning the room
        side = {**side, "setup": msgspec.json.encode(public)}
        words = scripts.create_args(
            keys_of(room), room=room, key=key, snapshot=pack_room(RoomState(setup=setup)), ttl=self.lease_ms, side=side
        )
        reply = await self.call("create", words)
        self.heard_time(reply[2])
        return key if reply[0] == Code.OK else bytes(reply[4]).decode()

    async def room(self, room: str) -> Actor:
        """The room, taken over if nobody has it."""
        while room in self.leaving:
            await asyncio.wait([self.leaving[room]])
        actor = self.rooms.get(room)
        if actor is not None and await self.keeper.still_ours(actor):
            return actor
        if self.draining:
            raise RoomElsewhere("")
        opening = self.opening.get(room)
        if opening is None:
            opening = self.opening[room] = asyncio.ensure_future(self._open(room))
            opening.add_done_callback(lambda _: self.opening.pop(room, None))
        return await asyncio.shield(opening)

    async def _open(self, room: str, gone: tuple[str, str] = ("", "")) -> Actor:
        keys, sent = keys_of(room), self.loop.time()
        words = scripts.claim_args(keys, room=room, own=self.own, ttl=self.lease_ms, gone=gone, alone=self.alone)
        reply = await self.call("claim", words)
        self.heard_time(reply[2])
        self.count("claim", Code(reply[0]))
        if reply[0] == Code.FENCED:
            own = bytes(reply[4]).decode()
            if not gone[0] and (self.alone or self.gone(own)):  # on a store of our own nobody else can be alive
                return await self._open(room, (own, str(reply[3])))
            raise RoomElsewhere(own)
        if reply[0] != Code.OK:
            raise RoomGone(room)
        claimed = scripts.read_claim(reply)
        self.counts["takeovers"] += claimed.last_own not in ("", self.own)
        actor = self._seat(room, claimed, sent + self.lease_seconds)
        await self._read_rings(actor, keys)
        self.rooms[room] = actor
        actor.wake_up()
        return actor

    def _seat(self, room: str, claimed: Claimed, lease: float) -> Actor:
        state = unpack_room(claimed.snapshot)
        game = find_game(state.setup.game)
        kicked = msgspec.json.decode(claimed.side.get("kicked", b"[]"))
        sitters = read_sitters(claimed.side, state.setup)
        seating = Seating(room, sitters, state.setup.watch, state.setup, kicked)
        last = [_last_move(claimed.meta, seat) for seat in range(state.setup.seats)]
        core = RoomCore(
            room,
            game,
            state,
            claimed.ver,
            claimed.ep,
            seating,
            last,
            secrets.token_bytes(32),
            claimed.side,
            self.manners,
            int(claimed.meta["at"]),
            int(claimed.meta.get("out", b"0")),
        )
        return Actor(self, core, lease)

    async def _read_rings(self, actor: Actor, keys: Keys) -> None:
        """Bring back what the last owner told, so that nobody need be shown everything anew."""
        teller = actor.core.teller
        if teller is None:
            return
        rings = [keys.view(view) for view in teller.views]
        replies = await asyncio.gather(*(self.nodes.ask(ring, "HVALS", ring) for ring in rings))
        for view, values in zip(teller.views, replies, strict=True):
            kept = sorted(map(Kept.read, values), key=lambda entry: entry.v)
            teller.rings[view].extend(entry for entry in kept if entry.v <= actor.core.ver)

    def dropped(self, actor: Actor) -> None:
        """A room is not ours any more."""
        if self.rooms.get(actor.room) is actor:
            del self.rooms[actor.room]
        self.bots.forget(actor.room, actor.core.state.setup.seats)
        if actor.room not in self.leaving:
            self.tell_lost(actor)

    def tell_lost(self, actor: Actor) -> None:
        """Let everybody know who wants to."""
        for tell in self.lost:
            tell(actor)

    def changed(self, actor: Actor) -> None:
        """A room began, ended or filled up: the lists must follow. They may be a moment late."""
        if actor.core.status == OVER:
            self.ended(actor.room)
        self.spawn(self._note(actor))

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside everything else."""
        task = self.loop.create_task(work)
        self._notes.add(task)
        task.add_done_callback(self._notes.discard)

    async def _note(self, actor: Actor) -> None:
        async with actor.noting:  # one after the other, so that the last word is the newest
            await self._note_now(actor)

    async def _note_now(self, actor: Actor) -> None:
        core, room = actor.core, actor.room
        users = [sitter.user for sitter in core.seating.sitters if sitter.user]
        setup = core.state.setup
        before, actor.noted = actor.noted, core.seating.people()
        try:
            for user in {user for user, _ in before if user} - set(users):  # who stood up, or was shown out
                await self.library.left(user, room)
            if core.status != WAITING and not actor.begun:  # even if it is over already
                await self.matchmaker.began(setup)
                actor.begun = True
            if core.status == OVER:
                await self._unlist(actor)
                return
            await asyncio.gather(*(self.library.sits(user, room, setup.game, setup.made) for user in users))
            facts = await self.library.facts(room)
            if facts is not None and not setup.private:
                await self.library.list_room(room, facts)
        except (StoreTrouble, OSError) as error:
            log.warning("list_late", room=room, why=str(error))

    def rated(self, frame: wire.Rated) -> None:
        """A match is in the archive and did this to ratings: whoever played it is told, if its room is still here."""
        if (actor := self.rooms.get(frame.room)) is not None:
            actor.hear(Rated(frame))

    async def set_next(self, room: str, setup: Setup, side: dict[str, bytes]) -> bool:
        """Open the room in which a table goes on, for those who sat at it."""
        await self.make(room, setup, room, side)
        facts = await self.library.facts(room)
        if facts is not None and not setup.private:
            await self.library.list_room(room, facts)
        users = [sitter.user for sitter in read_sitters(side, setup) if sitter.user]
        await asyncio.gather(*(self.library.sits(user, room, setup.game, setup.made) for user in users))
        return True

    async def let_down(self, actor: Actor, came: list[str]) -> bool:
        """A match that was arranged does not take place."""
        await self.matchmaker.let_down(actor.core.state.setup, came)
        return True

    def closed(self, actor: Actor) -> None:
        """A room was closed before anything was played in it: the lists must follow."""
        self.spawn(self._unlist(actor))

    async def _unlist(self, actor: Actor) -> None:
        users = [sitter.user for sitter in actor.core.seating.sitters if sitter.user]
        try:
            await self.library.unlist_room(actor.room)
            await asyncio.gather(*(self.library.left(user, actor.room) for user in users))
        except (StoreTrouble, OSError) as error:
            log.warning("list_late", room=actor.room, why=str(error))

    async def matches_of(self, user: str) -> list[dict[str, Any]]:
        """The running matches of a user."""
        return await self.library.matches_of(user)

    # keeping

    def start(self) -> None:
        """Begin to renew leases and to look after rooms that nobody has."""
        self.keeper.start()

    async def stop(self) -> None:
        """Hand every room over and stop."""
        await self.keeper.stop()
        await self.bots.stop()

    async def call(self, name: str, words: list[bytes]) -> list[Any]:
        """Have a script run, trying again while the store is away. Only for scripts that may run twice."""
        return await self.nodes.within(8, lambda: self.try_once(name, words))

    async def try_once(self, name: str, words: list[bytes]) -> list[Any]:
        """Have a script run, now or not at all."""
        done: asyncio.Future[Any] = self.loop.create_future()
        self.nodes.call(name, words, lambda reply: None if done.done() else done.set_result(reply))
        reply = await done
        if isinstance(reply, StoreTrouble):
            raise reply
        found: list[Any] = reply
        return found


def _last_move(meta: dict[str, bytes], seat: int) -> LastMove:
    return LastMove.read(meta.get(f"q{seat}", b"0"), meta.get(f"d{seat}", b""), meta.get(f"r{seat}", b"0"))

"""A process that runs rooms: takes them, keeps them, lets them sleep and hands them over."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
import structlog

from cards import find_game
from engine.bots import BOTS
from rooms import scripts
from rooms.actor import Actor
from rooms.answers import LastMove
from rooms.clocks import credit
from rooms.core import RoomCore
from rooms.keeping import Keeper
from rooms.keys import Keys, keys_of
from rooms.library import Library
from rooms.nodes import Nodes, StoreTrouble
from rooms.scripts import VANISHED_MS, Claimed, Code
from rooms.seating import Seating
from rooms.state import OVER, RoomState, Setup, pack_room, read_sitters, unpack_room
from rooms.telling import Kept

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
        self, nodes: Nodes, *, name: str, lease_ms: int = 6000, renew_ms: int = 2000, sweep_ms: int = 1000
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
        self.counts: Counter[str] = Counter()
        self.lost: list[Callable[[Actor], None]] = []  # who wants to know that a room is not ours any more
        self.opening: dict[str, asyncio.Future[Actor]] = {}
        self._offset = time.time() * 1000 - self.loop.time() * 1000
        self._notes: set[asyncio.Task[None]] = set()
        self.library = Library(nodes)
        self._bots: dict[tuple[str, int], Any] = {}
        self.draining = False
        self.gone: Callable[[str], bool] = lambda own: False  # whether a host is known to live no more
        self.leaving: dict[str, asyncio.Future[None]] = {}  # rooms that are being given back
        self.keeper = Keeper(self)

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

    def count(self, script: str, code: Code) -> None:
        """Remember how a write went, for the figures."""
        self.counts[f"{script}.{code.name.lower()}"] += 1

    # opening

    async def make(self, room: str, setup: Setup, key: str, side: dict[str, bytes]) -> str:
        """Open a room in the store; making it twice with one key makes one. Returns the key that it was made with."""
        public = msgspec.structs.replace(setup, host="")  # what anybody may read without owning the room
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
        if reply[0] == Code.GONE and reply[4] == b"over":
            return await self._open_finished(room)
        if reply[0] != Code.OK:
            raise RoomGone(room)
        claimed = scripts.read_claim(reply)
        self.counts["takeovers"] += claimed.last_own not in ("", self.own)
        actor = self._seat(room, claimed, sent + self.lease_seconds)
        await self._read_rings(actor, keys)
        self.rooms[room] = actor
        actor.wake_up()
        return actor

    async def _open_finished(self, room: str) -> Actor:
        """A match that is over can still be looked at and talked about. Nobody writes it, so nobody owns it."""
        claimed = await self.library.finished(room)
        if claimed is None:
            raise RoomGone(room)
        actor = self.rooms[room] = self._seat(room, claimed, self.loop.time())
        actor.finished = True
        actor.wake_up()
        return actor

    def _seat(self, room: str, claimed: Claimed, lease: float) -> Actor:
        state = unpack_room(claimed.snapshot)
        game = find_game(state.setup.game)
        state.times = credit(state.times, int(claimed.meta.get("out", b"0")))  # all the time that nobody served
        seating = Seating(room, read_sitters(claimed.side, state.setup), state.setup.watch)
        last = [_last_move(claimed.meta, seat) for seat in range(state.setup.seats)]
        core = RoomCore(room, game, state, claimed.ver, claimed.ep, seating, last, secrets.token_bytes(32))
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
        for seat in range(actor.core.state.setup.seats):
            self._bots.pop((actor.room, seat), None)
        if actor.room not in self.leaving:
            self.tell_lost(actor)

    def tell_lost(self, actor: Actor) -> None:
        """Let everybody know who wants to."""
        for tell in self.lost:
            tell(actor)

    def changed(self, actor: Actor) -> None:
        """A room began, ended or filled up: the lists must follow. They may be a moment late."""
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
        try:
            if core.status == OVER:
                await self.library.unlist_room(room)
                await asyncio.gather(*(self.library.left(user, room) for user in users))
                return
            await asyncio.gather(*(self.library.sits(user, room, setup.game, setup.made) for user in users))
            facts = await self.library.facts(room)
            if facts is not None and not setup.private:
                await self.library.list_room(room, facts)
        except (StoreTrouble, OSError) as error:
            log.warning("list_late", room=room, why=str(error))

    async def matches_of(self, user: str) -> list[dict[str, Any]]:
        """The running matches of a user."""
        return await self.library.matches_of(user)

    # bots

    def think(self, actor: Actor, seat: int, bot: str) -> None:
        """Let a bot think, away from the event loop, and play what it picks."""
        core = actor.core
        assert core.match is not None
        assert core.teller is not None
        agent = self._bots.get((actor.room, seat))
        if agent is None:
            agent = self._bots[actor.room, seat] = BOTS[bot](core.game, seat, secrets.randbits(32))
        view = core.teller.gallery.lenses[str(seat)].view()
        offers, v, record = core.match.offers(seat), core.ver, core.records.get(seat, [])

        def moved(done: asyncio.Future[Any]) -> None:
            if done.cancelled() or actor.dropped:
                return
            if done.exception() is not None:
                log.warning("bot_failed", room=actor.room, bot=bot, why=repr(done.exception()))
                do = BOTS["random"](core.game, seat, v).pick(view, offers, record)
            else:
                do = done.result()
            actor.bot_moved(seat, v, dict(do))

        self.loop.run_in_executor(None, agent.pick, view, offers, list(record)).add_done_callback(moved)

    # keeping

    def start(self) -> None:
        """Begin to renew leases and to look after rooms that nobody has."""
        self.keeper.start()

    async def stop(self) -> None:
        """Hand every room over and stop."""
        await self.keeper.stop()

    async def call(self, name: str, words: list[bytes]) -> list[Any]:
        """Have a script run, trying again while the store is away. Only for scripts that may run twice."""

        async def once() -> list[Any]:
            done: asyncio.Future[Any] = self.loop.create_future()
            self.nodes.call(name, words, lambda reply: None if done.done() else done.set_result(reply))
            reply = await done
            if isinstance(reply, StoreTrouble):
                raise reply
            found: list[Any] = reply
            return found

        return await self.nodes.within(8, once)


def _last_move(meta: dict[str, bytes], seat: int) -> LastMove:
    n = int(meta.get(f"q{seat}", b"0"))
    return LastMove(n, meta.get(f"d{seat}", b"").decode(), int(meta.get(f"r{seat}", b"0") or b"0"))

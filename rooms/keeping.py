"""How a host keeps its rooms: renews them, lets them sleep, takes those that nobody has, and gives them back."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import structlog

from rooms import scripts
from rooms.keys import BUCKETS, bucket_of, keys_of, wake_key
from rooms.nodes import StoreTrouble, Uncertain
from rooms.registry import may_claim, place, share
from rooms.scripts import ASLEEP, Code
from rooms.telling import KEEP
from rooms.timing import look_again_at

if TYPE_CHECKING:
    from rooms.actor import Actor
    from rooms.host import Host

log = structlog.get_logger()

ALL_SECONDS = 10.0  # so often every bucket is looked at, not only our share
LOADS = 50  # rooms that are read in at once
PATIENCE = 8.0  # seconds to wait for a write before whoever waits for it is told to try again
AGAIN = 0.02  # and between two looks
PACE = 200  # rooms a second that are handed over or taken from the dead


class Keeper:
    """Looks after the rooms of one host, and after those of nobody."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.up: Callable[[], tuple[str, ...]] = lambda: (host.own,)  # the hosts that take rooms
        self.hint: Callable[[str, list[str]], None] = lambda own, rooms: None  # tells a host of rooms it should take
        self._tasks: list[asyncio.Task[None]] = []
        self._takers: set[asyncio.Task[None]] = set()
        self._loads = asyncio.Semaphore(LOADS)
        self._losses = host.nodes.losses
        self._quiet_until = self._all_at = 0.0

    def start(self) -> None:
        """Begin."""
        every = ((self.host.renew_ms, self._renew), (self.host.sweep_ms, self._sweep))
        self._tasks = [self.host.loop.create_task(self._every(ms, do)) for ms, do in every]

    async def stop(self) -> None:
        """Hand every room over and stop."""
        host = self.host
        host.draining = True
        await asyncio.gather(*host.opening.values(), return_exceptions=True)
        while len(host.rooms) > PACE // 10 and not host.alone:
            some = list(host.rooms.values())[: PACE // 10]
            await asyncio.gather(asyncio.sleep(0.1), *(self._release(actor, scripts.NOW) for actor in some))
        await asyncio.gather(*(self._release(actor, scripts.NOW) for actor in list(host.rooms.values())))
        for task in (*self._tasks, *self._takers):
            task.cancel()
        await asyncio.gather(*self._tasks, *self._takers, return_exceptions=True)

    async def _every(self, ms: int, do: Callable[[], Any]) -> None:
        while True:
            await asyncio.sleep(ms / 1000)
            try:
                await do()
            except (StoreTrouble, OSError) as error:
                log.warning("store_trouble", why=str(error))
            except Exception:  # without this task every room would be lost
                log.exception("keeping_failed")

    # keeping

    async def _renew(self) -> None:
        """Keep what we have; find out at once about what we have lost."""
        buckets: dict[int, list[Actor]] = {}
        for actor in self.host.rooms.values():
            if actor.core.committing:
                continue  # that renews it too, and tells what a renewal would hide: that time ran out in a silence
            buckets.setdefault(bucket_of(actor.room), []).append(actor)
        await asyncio.gather(*(self._renew_bucket(bucket, actors) for bucket, actors in buckets.items()))
        await self._let_sleep()

    async def _renew_bucket(self, bucket: int, actors: list[Actor]) -> None:
        host, sent = self.host, self.host.loop.time()
        for start in range(0, len(actors), scripts.BATCH):
            some = actors[start : start + scripts.BATCH]
            rooms = [(actor.room, actor.keys, actor.core.ep) for actor in some]
            known = [actor.core.ver for actor in some]
            reply = await host.try_once(
                "renew", scripts.renew_args(wake_key(bucket), rooms, own=host.own, ttl=host.lease_ms)
            )
            host.heard_time(reply[2])
            for actor, had, (code, ver, unserved) in zip(some, known, scripts.read_renewal(reply), strict=True):
                if code == Code.OK:
                    actor.lease = max(actor.lease, sent + host.lease_seconds)
                    actor.unserved(unserved)
                    if ver < had and not actor.core.busy:
                        actor.mend(ver)
                elif not actor.dropped:
                    host.count("renew", code)
                    if not actor.core.busy:
                        actor.drop(code.name.lower())

    async def still_ours(self, actor: Actor) -> bool:
        """Whether a room may be answered for from memory. After a long pause only the store knows."""
        loop = self.host.loop
        end = loop.time() + PATIENCE
        trouble: StoreTrouble = Uncertain("what was written last is not certain yet")
        while not actor.dropped and loop.time() >= actor.lease:
            if loop.time() > end:
                raise trouble
            if not actor.core.committing:
                try:
                    await self._renew_bucket(bucket_of(actor.room), [actor])
                    continue
                except StoreTrouble as error:
                    trouble = error
                    self.host.nodes.stir()
            await asyncio.sleep(AGAIN)
        return not actor.dropped

    async def _let_sleep(self) -> None:
        """Let go of rooms that nobody follows and nothing happens in; a deadline wakes them."""
        now = self.host.loop.time()
        for actor in list(self.host.rooms.values()):
            quiet = now - actor.touched > self.host.idle_seconds and not actor.core.seating.followers()
            if quiet and not actor.core.busy:
                wake = look_again_at(actor.core)
                await self._release(actor, wake or scripts.NEVER, thin=True)

    async def _release(self, actor: Actor, look: int | None, thin: bool = False) -> None:
        host = self.host
        while actor.core.busy and not actor.dropped:
            await asyncio.sleep(0.01)
        if actor.dropped:
            return
        teller = actor.core.teller
        views = teller.views if thin and teller else ()
        forget = scripts.old_slots(actor.core.ver, KEEP, ASLEEP) if views else ()
        words = scripts.release_args(
            actor.keys, room=actor.room, own=host.own, ep=actor.core.ep, look=look, views=views, forget=forget
        )
        left = host.leaving[actor.room] = host.loop.create_future()
        actor.drop("released")
        try:
            await host.call("release", words)
        except StoreTrouble as error:
            log.warning("release_failed", room=actor.room, why=str(error))
        finally:
            del host.leaving[actor.room]
            left.set_result(None)
            host.tell_lost(actor)  # only now can anybody else have it

    # taking

    async def _sweep(self) -> None:
        """Take rooms whose time has come and that nobody looks after, if it is our turn; tell whoever's turn it is."""
        host, now = self.host, self.host.now()
        if host.draining or self._just_back():
            return
        up = self.up()
        calls = [
            host.nodes.ask(
                wake_key(bucket), "ZRANGEBYSCORE", wake_key(bucket), "-inf", now, "WITHSCORES", "LIMIT", 0, 50
            )
            for bucket in self._share(up)
        ]
        mine: list[str] = []
        others: dict[str, list[str]] = {}
        for due in await asyncio.gather(*calls, return_exceptions=True):
            if isinstance(due, list):
                for name, score in zip(due[::2], due[1::2], strict=True):
                    room = bytes(name).decode()
                    if host.alone or may_claim(room, host.own, up, now - int(float(score))):
                        mine.append(room)
                    elif up:
                        others.setdefault(place(room, up)[0], []).append(room)
        for own, rooms in others.items():
            self.hint(own, rooms)
        await self.look_after(mine)

    def _just_back(self) -> bool:
        """After the store was away its owners come first: they could not renew, but they live."""
        now, losses = self.host.loop.time(), self.host.nodes.losses
        if losses != self._losses or not self.host.nodes.up:
            self._losses = losses
            self._quiet_until = now + self.host.lease_ms / 2000
        return now < self._quiet_until and not self.host.alone

    def _share(self, up: tuple[str, ...]) -> Iterable[int]:
        """The buckets that we look at this time: those where we come first or second, and now and then all."""
        now = self.host.loop.time()
        if now - self._all_at > ALL_SECONDS:
            self._all_at = now
            return range(BUCKETS)
        return share(self.host.own, up)

    async def look_after(self, rooms: Iterable[str]) -> None:
        """Take these rooms, unless somebody else has them after all."""
        await asyncio.gather(*(self._take(room) for room in rooms))

    async def _take(self, room: str) -> None:
        from rooms.host import RoomElsewhere, RoomGone

        if room not in self.host.rooms:
            async with self._loads:
                with contextlib.suppress(RoomGone, RoomElsewhere, StoreTrouble):
                    await self.host.room(room)

    def take_from(self, gone: str) -> None:
        """A host has vanished: take what falls to us of its rooms, without waiting for its leases."""
        if not self.host.draining:
            task = self.host.loop.create_task(self._take_all(gone))
            self._takers.add(task)
            task.add_done_callback(self._takers.discard)

    async def _take_all(self, gone: str) -> None:
        ask, up = self.host.nodes.ask, self.up()
        for bucket in range(BUCKETS):
            with contextlib.suppress(StoreTrouble):
                names = [
                    bytes(name).decode() for name in await ask(wake_key(bucket), "ZRANGE", wake_key(bucket), 0, -1)
                ]
                owners = await asyncio.gather(
                    *(ask(keys_of(room).meta, "HGET", keys_of(room).meta, "own") for room in names)
                )
                rooms = [room for room, own in zip(names, owners, strict=True) if own == gone.encode()]
                mine = [room for room in rooms if up and place(room, up)[0] == self.host.own]
                await self.look_after(mine)
                await asyncio.sleep(len(mine) / PACE)

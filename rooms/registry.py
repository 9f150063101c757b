"""Who is there: each second every host and every gateway says so, and reads what the others said.

An entry that was not renewed for three seconds counts as vanished. Which host should have a room that nobody has is
worked out from the names alone, so that all agree on it without talking.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Literal

import msgspec
import structlog
from msgspec import Struct

from rooms.address import pack
from rooms.keys import BUCKETS
from rooms.nodes import Nodes, StoreTrouble

log = structlog.get_logger()

HOSTS, GATEWAYS = "hosts", "gateways"
TICK = 1.0  # seconds between two signs of life
GONE_MS = 3000  # without one for so long, somebody is gone
FORGET_MS = 60_000  # after that even the entry goes
SECOND_MS, ANYONE_MS = 500, 1500  # how long a room waits for its first choice, and for its second


class Entry(Struct, omit_defaults=True):
    """What a process says of itself."""

    load: int = 0  # rooms of a host, connections of a gateway
    state: Literal["up", "draining"] = "up"
    seen: int = 0  # server time
    fenced: int = 0  # writes that were refused because somebody else had the room
    pid: int = 0
    people: int = 0  # users of a gateway, however many connections they have


class StoreTime:
    """The store's time, in a process without rooms."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._offset = time.time() * 1000 - self._loop.time() * 1000

    def now(self) -> int:
        """Server time in milliseconds since 1970."""
        return int(self._loop.time() * 1000 + self._offset)

    def heard(self, now: int) -> None:
        """The store told its time."""
        self._offset = now - self._loop.time() * 1000


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Entry).decode


class Registry:
    """The hosts and gateways on one store, as this process knows them."""

    def __init__(self, nodes: Nodes, now: Callable[[], int], heard_time: Callable[[int], None]) -> None:
        self.nodes, self.now, self.heard_time = nodes, now, heard_time
        self.left: list[Callable[[str, str], None]] = []  # told the table and name of whoever is gone
        self.resumed: list[Callable[[], None]] = []  # told when we were away for so long that we may be thought gone
        self.ticked: list[Callable[[], Any]] = []  # told after each look
        self._mine: dict[tuple[str, str], Callable[[], Entry]] = {}
        self._found: dict[str, dict[str, Entry]] = {HOSTS: {}, GATEWAYS: {}}
        self._known: dict[str, set[str]] = {HOSTS: set(), GATEWAYS: set()}  # who is not known to be gone
        self._since = self._last = 0  # we look since then without a break; we looked last
        self._task: asyncio.Task[None] | None = None

    def enter(self, table: str, name: str, facts: Callable[[], Entry]) -> None:
        """From now on say that we are there, and these facts."""
        self._mine[table, name] = facts

    async def start(self) -> None:
        """Say so for the first time, and go on."""
        await self.nodes.within(8, self.tick)
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Say that we are gone."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        leaving = [self.nodes.ask(table, "HDEL", table, name) for table, name in self._mine]
        self._mine.clear()
        await asyncio.gather(*leaving, return_exceptions=True)

    async def tick(self) -> None:
        """Read what the others say, then say our own."""
        seconds, *tables = await asyncio.gather(
            self.nodes.ask(HOSTS, "TIME"), *(self.nodes.ask(table, "HGETALL", table) for table in (HOSTS, GATEWAYS))
        )
        now = int(seconds[0]) * 1000 + int(seconds[1]) // 1000
        self.heard_time(now)
        if now - self._last > GONE_MS - 1000 * TICK:
            self._since = now  # nobody could be heard for a while, so nobody's silence says anything
            if self._last:
                for told in self.resumed:
                    told()  # and others may think that we are gone
        self._last = now
        for table, flat in zip((HOSTS, GATEWAYS), tables, strict=True):
            self._read(table, flat, now)
        await self.announce()
        for told in self.ticked:
            told()

    async def announce(self) -> None:
        """Say our own now: something has changed."""
        said = []
        for (table, name), facts in self._mine.items():
            entry = facts()
            entry.seen = self.now()
            self._found[table][name] = entry
            said.append(self.nodes.ask(table, "HSET", table, name, _encode(entry)))
        await asyncio.gather(*said)

    def strike(self, table: str, name: str) -> None:
        """Somebody is gone, as we found out ourselves; forget them until they say otherwise."""
        self._found[table].pop(name, None)

    # what is known

    def hosts(self) -> dict[str, Entry]:
        """The hosts that live."""
        return self._found[HOSTS]

    def gateways(self) -> dict[str, Entry]:
        """The gateways that live."""
        return self._found[GATEWAYS]

    def up(self) -> tuple[str, ...]:
        """The hosts that take rooms."""
        return tuple(sorted(name for name, entry in self.hosts().items() if entry.state == "up"))

    def vanished(self, host: str) -> bool:
        """Whether a host is surely gone: nobody has heard of it for long enough, and we would have."""
        return self._watching(self.now()) and host not in self.hosts()

    def _watching(self, now: int) -> bool:
        """Whether we looked for long enough, without a break, to know who is silent."""
        return now - self._last < GONE_MS <= now - self._since

    def _read(self, table: str, flat: list[bytes], now: int) -> None:
        entries = {bytes(name).decode(): _decode(said) for name, said in zip(flat[::2], flat[1::2], strict=True)}
        live = self._found[table] = {name: entry for name, entry in entries.items() if now - entry.seen < GONE_MS}
        known = self._known[table]
        known.update(live)
        for name in [name for name in sorted(known) if name not in live and self._watching(now)]:
            known.discard(name)
            if (table, name) not in self._mine:
                log.info("vanished", kind=table, endpoint=name)
                for tell in self.left:
                    tell(table, name)
        for name, entry in entries.items():
            if now - entry.seen > FORGET_MS:
                self.nodes.send(table, pack("HDEL", table, name), lambda reply: None)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            try:
                await self.tick()
            except StoreTrouble as error:
                log.warning("registry_unreachable", why=str(error))
            except Exception:  # without this task everybody would think that we are gone
                log.exception("registry_failed")


@lru_cache(maxsize=65536)
def place(room: str, hosts: tuple[str, ...]) -> tuple[str, ...]:
    """The hosts in the order in which they should have a room. One more or less moves only its own rooms."""
    return tuple(sorted(hosts, key=lambda host: blake2b(f"{host}/{room}".encode(), digest_size=8).digest()))


def share(own: str, hosts: tuple[str, ...]) -> list[int]:
    """The buckets that a host looks at: those where it comes first or second."""
    return [bucket for bucket in range(BUCKETS) if own in place(f"bucket {bucket}", hosts)[:2]]


def may_claim(room: str, own: str, hosts: Collection[str], overdue: int) -> bool:
    """Whether it is this host's turn to take a room that nobody has had for so many ms."""
    order = place(room, tuple(sorted(hosts)))
    if own not in order:
        return False
    return overdue >= (0, SECOND_MS, ANYONE_MS)[min(order.index(own), 2)]

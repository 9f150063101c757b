"""Plays finished matches again, one after the other and without haste: each proves itself, and its cards are counted.

Any number of us may do that at the same time. Whoever is first counts a match; what others found is thrown away.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
import structlog

from rooms.archive.archive import Archive
from rooms.archive.recounting import SOUND, Recount
from rooms.nodes import StoreTrouble
from rooms.registry import place
from rooms.thinker import Again
from rooms.thinkers import NoThought

if TYPE_CHECKING:
    from rooms.host import Host

log = structlog.get_logger()

BATCH = 32
PATIENCE = 4  # seconds of rest for each second of work: people and bots come first
LONGEST = 120.0  # seconds for one match
ANYBODY_MS = 60_000  # a match that nobody has played again for so long is anybody's
DAY_MS = 86_400_000
DROP_EVERY = 3600.0  # seconds between two looks for matches that have been kept long enough

_encode = msgspec.msgpack.Encoder().encode


class Auditor:
    """Works for one host."""

    def __init__(self, host: Host, archive: Archive, days: float = 0.0, every: float = 5.0) -> None:
        self.host, self.archive, self.days, self.every = host, archive, days, every
        self.up: Callable[[], tuple[str, ...]] = lambda: (host.own,)
        self._task: asyncio.Task[None] | None = None
        self._drop_at = 0.0
        self._failed: set[str] = set()  # matches that nothing can be made of here

    def start(self) -> None:
        """Begin."""
        self._task = self.host.loop.create_task(self._run())

    async def stop(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self.every)
            try:
                while await self.look():
                    pass
            except StoreTrouble as error:
                log.warning("archive_unreachable", why=str(error))
            except Exception:  # without this task nothing would ever be counted
                log.exception("audit_failed")

    async def look(self) -> int:
        """Play again what falls to us. Returns how many matches were counted by us."""
        now, up, counted = self.host.now(), self.up(), 0
        if self.days and self.host.loop.time() >= self._drop_at:
            self._drop_at = self.host.loop.time() + DROP_EVERY
            if dropped := await self.archive.filing.drop_before(now - round(self.days * DAY_MS)):
                log.info("matches_dropped", matches=dropped)
        for one in await self.archive.statistics.unseen(BATCH + len(self._failed)):
            ours = not up or place(one.room, up)[0] == self.host.own or now - one.ended > ANYBODY_MS
            if ours and one.room not in self._failed and not self.host.draining:
                began = self.host.loop.time()
                counted += await self._again(one.room)
                await asyncio.sleep(PATIENCE * (self.host.loop.time() - began))
        return counted

    async def _again(self, room: str) -> bool:
        data = await self.archive.statistics.kept(room)
        if data is None:
            return False
        try:
            found = msgspec.convert(await self.host.bots.thinkers.think(_encode(Again(data)), LONGEST), Recount)
        except NoThought as why:  # another host, or our successor, may know more
            log.warning("match_not_played_again", room=room, why=str(why))
            self._failed.add(room)
            return False
        counted = await self.archive.statistics.count(room, found)
        if counted:
            self.host.counts[f"recount.{('unseen', 'sound', 'strayed', 'foreign')[found.seen]}"] += 1
            if found.seen != SOUND:
                log.warning("match_not_counted", room=room, why=found.why)
        return counted

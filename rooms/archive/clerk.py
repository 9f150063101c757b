"""Brings finished matches from the store to the archive: one of perhaps many who do, and any of them may die.

Results lie in a stream for each bucket of rooms, written by the last commit of a match. A consumer group hands each of
them to one of us; whoever has one for too long is taken to be dead. A match is written to the archive first, which does
that once however often it is asked, and only then leaves the store.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec
import structlog

from engine.lens import view_name, viewers
from rooms import scripts, wire
from rooms.archive.archive import Archive
from rooms.archive.database import BadArchive
from rooms.archive.filing import Change, Record
from rooms.fault_points import reach
from rooms.keys import BUCKETS, bucket_of, keys_of, results_key
from rooms.nodes import StoreTrouble, Uncertain
from rooms.registry import share
from rooms.replaying import replay_of
from rooms.scripts import ARCHIVE, LINGER
from rooms.state import RoomState, unpack_room

if TYPE_CHECKING:
    from engine.replay import Replay
    from rooms.host import Host

log = structlog.get_logger()

KNOWN = "{archive}"  # which archive the matches of this store go to
CLERK = "clerk"  # one name for all of us: only how long something lies there matters
EVERY = 5.0  # seconds between two looks at what nobody told us of
AGAIN = 1.0  # seconds until the next try when something is away
ALL_EVERY = 4  # looks between two at the buckets of others
LOST_MS = 10_000  # whoever has a result for so long is taken to be dead
BATCH = 16  # results that are taken at once
REST = 0.05  # seconds after each match: where hundreds end in a second, those who still play come first
LATEST = 600.0  # seconds between two tries of a match that cannot be written

_record = msgspec.json.Decoder(Record)
_json = msgspec.json.Encoder()


class Clerk:
    """Works for one host."""

    def __init__(self, host: Host, archive: Archive, linger_ms: int = LINGER) -> None:
        self.host, self.archive, self.linger_ms = host, archive, linger_ms
        self.up: Callable[[], tuple[str, ...]] = lambda: (host.own,)  # the hosts that are at work
        self.tell: Callable[[str, wire.Rated], None] = lambda own, rated: None  # for a room that another host has
        self.waiting = 0  # results in the store, when they were counted last
        self._due: set[int] = set()  # buckets in which a match of ours has ended
        self._news = asyncio.Event()
        self._grouped: set[int] = set()
        self._agreed = False
        self._failed: dict[bytes, tuple[int, float]] = {}  # entries that cannot be written: how often tried, when next
        self._looks, self._look_at = 0, 0.0
        self._task: asyncio.Task[None] | None = None
        host.ended = self.ended

    async def start(self) -> None:
        """Begin, if this is the archive of this store; if that cannot be known yet, begin all the same."""
        try:
            await self._agree()
        except StoreTrouble as error:
            log.warning("archive_unreachable", why=str(error))
        self._news.set()  # somebody may have left something
        self._task = self.host.loop.create_task(self._run())

    async def stop(self) -> None:
        """Stop. What is unfinished somebody else finishes."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def ended(self, room: str) -> None:
        """A match of ours has ended: its result need not wait for the next look."""
        self._due.add(bucket_of(room))
        self._news.set()

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await self._news.wait()
            self._news.clear()
            try:
                await self.look()
            except StoreTrouble as error:
                log.warning("archive_unreachable", why=str(error))
                await asyncio.sleep(AGAIN)
                self._look_at = 0.0
                self._news.set()
            except Exception:  # without this task no match would ever leave the store
                log.exception("filing_failed")
                await asyncio.sleep(AGAIN)

    async def look(self) -> int:
        """Take what there is. Returns how many matches came to the archive."""
        if not self._agreed:
            await self._agree()
        due, self._due, filed = self._due, set(), 0
        for bucket in sorted(due):
            filed += await self._work(bucket)
        now = self.host.loop.time()
        if now >= self._look_at:
            self._look_at = now + EVERY
            for bucket in await self._found():
                filed += await self._work(bucket) + await self._work(bucket, of_others=True)
        return filed

    async def _agree(self) -> None:
        """The matches of one store go to one archive; in two of them nobody would find anything."""
        mark = await self.archive.mark()
        known = await self._ask(KNOWN, "SET", KNOWN, mark, "NX", "GET")
        if known is not None and bytes(known).decode() != mark:
            if not self.host.alone:
                raise BadArchive(
                    "The matches of this store are kept in another archive: give every host the same --archive."
                    f" To begin a new one for good, delete the key {KNOWN} in the store."
                )
            log.warning("new_archive")  # the old one is gone; there is nobody else who could have it
            await self._ask(KNOWN, "SET", KNOWN, mark)
        self._agreed = True

    async def _found(self) -> list[int]:
        """Buckets in which results lie: of our share, and now and then of all."""
        self._looks += 1
        whole = self._looks % ALL_EVERY == 1
        mine = list(range(BUCKETS) if whole else share(self.host.own, self.up()))
        keys = [results_key(bucket) for bucket in mine]
        counts = await asyncio.gather(*(self._ask(key, "XLEN", key) for key in keys))
        if whole:
            self.waiting = sum(counts)
        return [bucket for bucket, count in zip(mine, counts, strict=True) if count]

    async def _work(self, bucket: int, of_others: bool = False) -> int:
        """File what is new in a bucket; or what somebody began with and did not finish."""
        key, filed = results_key(bucket), 0
        if bucket not in self._grouped:
            with _expected("BUSYGROUP"):
                await self.host.nodes.ask(key, "XGROUP", "CREATE", key, ARCHIVE, "0", "MKSTREAM")
            self._grouped.add(bucket)
        while True:
            with _expected("NOGROUP") as forgotten:
                entries = await (self._lost(key) if of_others else self._new(key))
            if forgotten:  # the store went back
                self._grouped.discard(bucket)
                return filed
            for entry, room, record in entries:
                filed += await self._file(entry, room, record)
            if len(entries) < BATCH or of_others:
                return filed

    async def _new(self, key: str) -> list[tuple[bytes, str, bytes]]:
        words = ("XREADGROUP", "GROUP", ARCHIVE, CLERK, "COUNT", BATCH, "STREAMS", key, ">")
        found = await self.host.nodes.ask(key, *words)
        return _entries(found[0][1]) if found else []

    async def _lost(self, key: str) -> list[tuple[bytes, str, bytes]]:
        idle = 0 if self.host.alone else LOST_MS  # on a store of our own nobody else can be at it
        found = await self.host.nodes.ask(key, "XAUTOCLAIM", key, ARCHIVE, CLERK, idle, "0-0", "COUNT", BATCH)
        return _entries(found[1])

    # one match

    async def _file(self, entry: bytes, room: str, data: bytes) -> int:
        tried, again = self._failed.get(entry, (0, 0.0))
        if again > self.host.loop.time():
            return 0
        try:
            record = _record.decode(data)
            state, replay = await self._kept(record)
            changes = await self.archive.filing.put(record, state, replay)
        except StoreTrouble:
            raise
        except Exception:  # it stays in the store until somebody can write it
            log.exception("match_not_filed", room=room, tries=tried + 1)
            self.host.counts["archive.failed"] += 1
            self._failed[entry] = tried + 1, self.host.loop.time() + min(LATEST, LOST_MS / 1000 * 2**tried)
            return 0
        self._failed.pop(entry, None)
        reach("archive.after_write")
        await self._shelve(entry, record, changes)
        await asyncio.sleep(REST)
        return 1

    async def _kept(self, record: Record) -> tuple[RoomState | None, Replay | None]:
        """What the store has of a match; nothing, if it was deleted or the name is another match's by now."""
        keys = keys_of(record.room)
        data = await self._ask(keys.state, "GET", keys.state)
        state = unpack_room(bytes(data)) if data is not None else None
        if state is None or not state.table or state.started != record.started:
            return None, None
        replay = replay_of(state, await self.host.library.inputs(record.room))
        return (state, replay) if replay.result == record.result else (None, None)

    async def _shelve(self, entry: bytes, record: Record, changes: dict[int, Change]) -> None:
        views = [view_name(viewer) for viewer in viewers(len(record.players))]
        rated = _told(record, changes)
        words = scripts.shelve_args(
            keys_of(record.room),
            entry=entry,
            views=views,
            linger=self.linger_ms,
            rated=_json.encode(rated) if rated is not None else b"",
        )
        code, _, _, _, own = await self.host.call("shelve", words)
        self.host.counts["archive.filed"] += 1
        if code == scripts.Code.OK and rated is not None:
            self._tell(bytes(own).decode(), rated)

    def _tell(self, own: str, rated: wire.Rated) -> None:
        if own and own != self.host.own:
            self.tell(own, rated)
        else:
            self.host.rated(rated)

    async def _ask(self, key: str, *words: bytes | str | int) -> Any:
        return await self.host.nodes.within(8, lambda: self.host.nodes.ask(key, *words))


def _entries(found: Iterable[Any]) -> list[tuple[bytes, str, bytes]]:
    entries = []
    for id, flat in found:
        fields = dict(zip(map(bytes, flat[::2]), map(bytes, flat[1::2]), strict=True))
        entries.append((bytes(id), fields[b"room"].decode(), fields[b"record"]))
    return entries


def _told(record: Record, changes: dict[int, Change]) -> wire.Rated | None:
    """What the players are told."""
    if not changes:
        return None
    seats = {
        str(seat): {"rating": round(one.after), "change": round(one.after) - round(one.before)}
        for seat, one in changes.items()
    }
    return wire.Rated(room=record.room, game=record.game, seats=seats)


@contextlib.contextmanager
def _expected(word: str) -> Any:
    """The store may say this. What is given is not empty then."""
    said: list[str] = []
    try:
        yield said
    except Uncertain as error:
        if not str(error).startswith(word):
            raise
        said.append(word)

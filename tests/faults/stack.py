"""A service whose store is a process of its own, behind a wire that can be broken."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import hiredis
import psutil
import redis

from rooms.scripts import HASHES
from tests.fault_proxy import FaultProxy, Way
from tests.live.canaries import scan
from tests.live.serving import Live
from tests.redis_servers import Server, running

KEPT = ("--appendonly", "yes", "--appendfsync", "always")


class Stack(Live):
    """One `upcard serve`, the store that it was told to use, and the wire between them."""

    def __init__(self, folder: Path, server: Server, wire: FaultProxy, **settings: Any) -> None:
        super().__init__(folder, redis=f"redis://127.0.0.1:{wire.port}", **settings)
        self.server, self.wire = server, wire

    def store(self) -> redis.Redis:
        """Past the wire."""
        return self.server.client()

    async def number(self, name: str) -> float:
        """A figure of /metrics. That page is all numbers, so it is not searched for those of hidden cards."""
        found = await super().number(name)
        self.pages.pop()
        return found

    async def start_again(self) -> Live:
        """Start it while others, and the wire, go on."""
        return await asyncio.to_thread(self.start)

    async def commits(self, result: str) -> float:
        """How many commits the store answered with this."""
        return await self.number(f'upcard_commits_total{{result="{result}"}}')


@contextlib.asynccontextmanager
async def stacked(folder: Path, wire: type[FaultProxy] = FaultProxy, **settings: Any) -> AsyncIterator[Stack]:
    """Everything up; afterwards all that was said is searched for hidden cards."""
    (folder / "service").mkdir()
    with running(Server(folder / "store", *KEPT)) as server:
        async with wire(server.port) as between:
            live = Stack(folder / "service", server, between, **settings)
            try:
                await asyncio.to_thread(live.start)
                yield live
                await asyncio.to_thread(scan, live)
            finally:
                if live.running:
                    await asyncio.to_thread(live.stop)


class ReplyEater(FaultProxy):
    """Loses the answer to every so many-th commit, and the connection with it: it was done, and nobody was told."""

    def __init__(self, upstream: int | str) -> None:
        super().__init__(upstream)
        self.every = 0  # 0 lets everything through
        self.commits = self.eaten = 0
        self._asked: dict[asyncio.StreamWriter, _Asked] = {}

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there = await asyncio.open_connection("127.0.0.1", int(self.upstream))
        self._writers |= {writer, there}
        asked = self._asked[writer] = self._asked[there] = _Asked()
        asked.ends = (writer, there)
        for task in (self._carry(reader, there, "requests"), self._carry(there_reader, writer, "replies")):
            running = asyncio.create_task(task)
            self._tasks.add(running)
            running.add_done_callback(self._tasks.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: Way) -> None:
        asked = self._asked[writer]
        with contextlib.suppress(OSError):
            while piece := await reader.read(65536):
                if way == "requests":
                    self.commits += asked.hear(piece)
                elif asked.answered(piece, self.every):
                    self.eaten += 1
                    for end in asked.ends:
                        end.transport.abort()
                    break
                writer.write(piece)
                await writer.drain()
        self._writers.discard(writer)
        writer.close()


class _Asked:
    """What was asked over one connection and not answered yet."""

    def __init__(self) -> None:
        self.requests, self.replies = hiredis.Reader(), hiredis.Reader()
        self.waiting: deque[bool] = deque()  # whether it is a commit
        self.ends: tuple[asyncio.StreamWriter, ...] = ()
        self.answers = 0

    def hear(self, piece: bytes) -> int:
        self.requests.feed(piece)
        commits = 0
        while (words := self.requests.gets()) is not False:
            commit = words[0].upper() == b"EVALSHA" and words[1] == HASHES["commit"].encode()
            self.waiting.append(commit)
            commits += commit
        return commits

    def answered(self, piece: bytes, every: int) -> bool:
        """Whether the answer that is to be lost is among these."""
        self.replies.feed(piece)
        lost = False
        while (reply := self.replies.gets()) is not False:
            if self.waiting.popleft() and isinstance(reply, list) and reply[0] == 1:
                self.answers += 1
                lost = lost or bool(every and self.answers % every == 0)
        return lost


def memory(live: Live) -> int:
    """Bytes that the service holds."""
    return int(psutil.Process(live.pid).memory_info().rss)


def traces(live: Live) -> list[str]:
    """Lines of its log that only something unforeseen leaves behind."""
    lines = (live.folder / "log").read_text(errors="replace").splitlines()
    return [line for line in lines if "Traceback" in line or "_failed" in line or "Error" in line]

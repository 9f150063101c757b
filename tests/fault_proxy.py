"""A wire that can be broken: stands between a client and a server and does to their bytes what networks do.

async with FaultProxy(upstream_port) as wire:
    ...connect to wire.port...
    wire.freeze()        # nothing passes either way, nobody is told; thaw() lets it all through
    wire.drop("replies") # bytes of one direction vanish; also "requests"; heal() ends it
    wire.delay = 0.2     # seconds added to each piece, either way
    wire.swallow(5)      # the next 5 bytes of replies vanish
    wire.cut()           # all connections break; new ones are accepted
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from typing import Literal, Self

Way = Literal["requests", "replies"]


class FaultProxy:
    """One listening port in front of one server, a port number or a unix socket's path."""

    def __init__(self, upstream: int | str, *, tls: ssl.SSLContext | None = None) -> None:
        self.upstream, self.tls = upstream, tls
        self.delay = 0.0
        self.port = 0
        self.passed = {"requests": 0, "replies": 0}  # bytes that arrived at the other end
        self._flows = asyncio.Event()
        self._flows.set()
        self._dropped: set[Way] = set()
        self._swallow = 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._meet, "127.0.0.1", 0, ssl=self.tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def freeze(self) -> None:
        self._flows.clear()

    def thaw(self) -> None:
        self._flows.set()

    def drop(self, way: Way) -> None:
        self._dropped.add(way)

    def heal(self) -> None:
        self._dropped.clear()

    def swallow(self, count: int) -> None:
        self._swallow = count

    def cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if isinstance(self.upstream, str):
                there_reader, there = await asyncio.open_unix_connection(self.upstream)
            else:
                there_reader, there = await asyncio.open_connection("127.0.0.1", self.upstream)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, there}
        for task in (self._carry(reader, there, "requests"), self._carry(there_reader, writer, "replies")):
            running = asyncio.create_task(task)
            self._tasks.add(running)
            running.add_done_callback(self._tasks.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: Way) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(65536):
                if self.delay:
                    await asyncio.sleep(self.delay)
                await self._flows.wait()
                if way == "replies" and self._swallow:
                    eaten = min(self._swallow, len(piece))
                    self._swallow, piece = self._swallow - eaten, piece[eaten:]
                if way not in self._dropped:
                    self.passed[way] += len(piece)
                    writer.write(piece)
                    await writer.drain()
        self._writers.discard(writer)
        writer.close()

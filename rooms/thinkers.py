"""Processes that think for the bots of one host: few, started when they are first needed, replaced when lost."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from typing import Any

import msgspec
import structlog

from rooms.thinker import LENGTH, Thought, framed

log = structlog.get_logger()
START_SECONDS = 30.0  # for a process to come up on a busy machine
MOST_WAITING = 500  # thoughts; a bot beyond that plays its default

_thought = msgspec.msgpack.Decoder(Thought)


class NoThought(Exception):
    """A bot did not come to a decision."""

    def __init__(self, word: str, kind: str = "") -> None:
        super().__init__(f"{word}: {kind}" if kind else word)
        self.word = word  # for the figures


class Thinkers:
    """At most so many processes, each of which thinks about one thing at a time."""

    def __init__(self, most: int, modules: Sequence[str] = ()) -> None:
        self.most = most
        self.modules = tuple(modules)  # with further games
        self.started = 0  # processes, ever
        self._free = asyncio.Semaphore(most)
        self._idle: list[Process] = []
        self._alive: set[Process] = set()
        self._ended: list[Process] = []  # and perhaps not quite gone
        self._waiting = 0

    async def think(self, question: bytes, seconds: float) -> dict[str, Any]:
        """What a bot picks, if it does so in time. The question is a `Job` as bytes."""
        if self._waiting >= MOST_WAITING:
            raise NoThought("crowded")
        self._waiting += 1
        try:
            async with self._free:
                return await self._ask(question, seconds)
        finally:
            self._waiting -= 1

    async def stop(self) -> None:
        """End all of them."""
        for process in list(self._alive):
            self._end(process)
        await asyncio.gather(*(process.wait() for process in self._ended))

    async def _ask(self, data: bytes, seconds: float) -> dict[str, Any]:
        process = self._rested() or await self._start()
        try:
            async with asyncio.timeout(seconds):
                thought = _thought.decode(await _exchange(process, data))
        except TimeoutError:
            self._end(process)
            raise NoThought("overran") from None
        except (OSError, asyncio.IncompleteReadError, msgspec.DecodeError):
            self._end(process)
            raise NoThought("crashed") from None
        except BaseException:  # nobody wants to know any more, and it still thinks
            self._end(process)
            raise
        self._idle.append(process)
        if thought.do is None:
            raise NoThought("failed", thought.error)
        return thought.do

    def _rested(self) -> Process | None:
        """One that waits for work and has not died over it."""
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
            self._alive.discard(process)
        return None

    async def _start(self) -> Process:
        words = [sys.executable, "-m", "rooms.thinker", *self.modules]
        ours = {name: value for name, value in os.environ.items() if not name.startswith("UPCARD_")}
        paths = os.pathsep.join(filter(None, sys.path))
        self.started += 1
        try:
            process = await asyncio.create_subprocess_exec(
                *words, stdin=PIPE, stdout=PIPE, env={**ours, "PYTHONPATH": paths}
            )
        except OSError:
            raise NoThought("not_started") from None
        self._alive.add(process)
        try:
            async with asyncio.timeout(START_SECONDS):
                await _read(process)
        except (TimeoutError, OSError, asyncio.IncompleteReadError):
            self._end(process)
            raise NoThought("not_started") from None
        except BaseException:
            self._end(process)
            raise
        return process

    def _end(self, process: Process) -> None:
        self._alive.discard(process)
        self._ended = [*(old for old in self._ended if old.returncode is None), process]
        if process in self._idle:
            self._idle.remove(process)
        assert process.stdin is not None
        process.stdin.close()
        with contextlib.suppress(ProcessLookupError):
            process.kill()


async def _exchange(process: Process, data: bytes) -> bytes:
    assert process.stdin is not None
    process.stdin.write(framed(data))
    await process.stdin.drain()
    return await _read(process)


async def _read(process: Process) -> bytes:
    assert process.stdout is not None
    head = await process.stdout.readexactly(LENGTH)
    return await process.stdout.readexactly(int.from_bytes(head, "big"))

"""Carries letters between processes, through one stream for each of them.

A sender's letters to one address leave together, once per turn of the event loop. A stream is read by one connection
of its own, and goes by itself when nobody reads it any more; a letter to nobody is reported at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import structlog

from rooms.address import pack
from rooms.letters import Letter, encode
from rooms.nodes import Nodes, StoreTrouble
from rooms.pipe import Down, Lost, Pipe, ReplyError

log = structlog.get_logger()

BLOCK_MS = 1000
LIFE_MS = 30_000  # a stream outlives its reader by so much
HOST_MOST, GATEWAY_MOST = 10_000, 5_000  # entries that a stream keeps, about


class Post:
    """Sends letters in the name of one process."""

    def __init__(self, nodes: Nodes, own: str) -> None:
        self.nodes, self.own = nodes, own
        self.nobody: Callable[[str], None] = lambda key: None  # told an address where nobody reads
        self.turn = 0  # counts the times that letters left
        self._loop = asyncio.get_running_loop()
        self._out: dict[str, list[Letter]] = {}

    def send(self, key: str, letter: Letter) -> None:
        """Put a letter into the next mail to this address."""
        letters = self._out.get(key)
        if letters is not None:
            letters.append(letter)
            return
        if not self._out:
            self._loop.call_soon(self._leave)
        self._out[key] = [letter]

    def _leave(self) -> None:
        out, self._out = self._out, {}
        self.turn += 1
        for key, letters in out.items():
            most = HOST_MOST if key.startswith("{h:") else GATEWAY_MOST
            mail = encode((self.own, letters))
            packed = pack("XADD", key, "NOMKSTREAM", "MAXLEN", "~", most, "*", "x", mail)
            self.nodes.send(key, packed, partial(self._left, key))

    def _left(self, key: str, reply: Any) -> None:
        if reply is None:
            self.nobody(key)
        elif isinstance(reply, StoreTrouble):  # commands are sent again, and what is missing is noticed
            log.warning("letters_lost", endpoint=key, why=str(reply))


class Inbox:
    """Reads the letters to one process."""

    def __init__(self, nodes: Nodes, key: str, heard: Callable[[list[bytes]], None]) -> None:
        self.nodes, self.key, self.heard = nodes, key, heard
        self._last: bytes | str = "0"
        self._pipe: Pipe | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Make the stream, and read it from now on."""
        await self.nodes.within(8, self._make)
        self._task = asyncio.get_running_loop().create_task(self._read())

    async def stop(self) -> None:
        """Read no more, and let senders know."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._pipe is not None:
            await self._pipe.close()
        await asyncio.gather(self.nodes.ask(self.key, "DEL", self.key), return_exceptions=True)

    async def keep(self) -> None:
        """Keep the stream alive, and only what was not read yet."""
        there, _ = await asyncio.gather(
            self.nodes.ask(self.key, "PEXPIRE", self.key, LIFE_MS),
            self.nodes.ask(self.key, "XTRIM", self.key, "MINID", "~", self._last),
        )
        if not there:
            await self._make()  # the store lost it, or we slept too long

    async def _make(self) -> None:
        self._last = await self.nodes.ask(self.key, "XADD", self.key, "*", "x", b"")
        await self.nodes.ask(self.key, "PEXPIRE", self.key, LIFE_MS)

    async def _read(self) -> None:
        while True:
            try:
                pipe = await self._connected()
            except Down:
                await asyncio.sleep(0.05)
                continue
            try:
                reply = await pipe.call("XREAD", "BLOCK", BLOCK_MS, "STREAMS", self.key, self._last)
            except (Down, Lost):
                await asyncio.sleep(0.05)
                continue
            except ReplyError as error:
                if str(error).startswith("MOVED"):
                    self.nodes.moved(str(error), pipe.address)
                self.nodes.stir()
                await asyncio.sleep(0.05)
                continue
            if reply:
                entries = reply[0][1]
                self._last = entries[-1][0]
                self._hand_over([fields[1] for _, fields in entries if fields[1]])

    def _hand_over(self, mails: list[bytes]) -> None:
        try:
            self.heard(mails)
        except Exception:  # one letter must not stop the others
            log.exception("letter_failed")

    async def _connected(self) -> Pipe:
        address = self.nodes.home(self.key)
        if address is None:
            raise Down("no server holds this part of the store")
        if self._pipe is None or self._pipe.address != address:
            if self._pipe is not None:
                self._pipe.hang_up()
            self._pipe = Pipe(address, deadline=BLOCK_MS / 1000 + max(1.0, self.nodes.deadline))
        if not self._pipe.up:
            await self._pipe.start()
        return self._pipe


def open_mail(read: Callable[[bytes], Any], data: bytes) -> Any | None:
    """A mail, if we can read it; a newer process may write what we do not know."""
    try:
        return read(data)
    except msgspec.DecodeError as error:
        log.warning("letter_unreadable", why=str(error))
        return None

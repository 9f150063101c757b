"""One connection to a Redis server that never waits for one answer before the next question.

Whatever is sent within one turn of the event loop leaves in one write, and answers are matched to questions in order.
A question ends in exactly one of these:

    an answer   what the server said; its refusals arrive as `ReplyError` objects
    Down        it was never sent, so nothing happened
    Lost        it was sent and the connection broke: it may have happened, or not
"""

from __future__ import annotations

import asyncio
import errno
import random
import ssl
from collections import deque
from collections.abc import Callable
from typing import Any, cast

import hiredis
from hiredis import ReplyError as ReplyError

from rooms.address import Address, pack

Done = Callable[[Any], None]

FIRST_WAIT, LONGEST_WAIT = 0.02, 1.0  # seconds between two tries to connect, before jitter


class Down(Exception):
    """It was not sent: there is no connection, or too much is waiting for one."""


class Lost(Exception):
    """The connection broke before the answer came. It may have been done, or not."""


class Copied:
    """Answers that count only once enough replicas have what was written; the server is asked once for all of them."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self._held: list[tuple[Done, Any]] = []

    def hold(self, done: Done) -> Done:
        """Whoever hears this answer hears it later; that nothing was written they hear at once."""

        def heard(reply: Any) -> None:
            if isinstance(reply, Exception):
                done(reply)
            else:
                self._held.append((done, reply))

        return heard

    def counted(self, reply: Any) -> None:
        """So many replicas have it."""
        enough = isinstance(reply, int) and reply >= self.wanted
        for done, answer in self._held:
            done(answer if enough else Lost(f"{self.wanted} replicas should have it ({reply})"))


class Pipe(asyncio.Protocol):
    """A connection that comes back by itself. Whoever makes it may also set, before the start:"""

    greet: tuple[bytes, ...] = ()  # commands for every new connection, before anybody else may speak
    push: Callable[[Any], bool] | None = None  # is shown every answer; says True to those that nobody asked for
    came: Callable[[], None] | None = None  # is told when the connection is there
    went: Callable[[], None] | None = None  # and when it is gone
    copies = 0  # replicas that must have a write before its answer counts, where that is asked for

    def __init__(self, address: Address, *, deadline: float = 0.5, limit: int = 16 << 20) -> None:
        self.address, self.deadline, self.limit = address, deadline, limit
        self.up = False
        self.trouble = "not connected yet"  # one sentence for the operator, while it is down
        self.overflows = self.losses = 0  # questions turned away as too much was waiting; connections that broke
        self._loop = asyncio.get_running_loop()
        self._reader, self._transport = hiredis.Reader(), cast(asyncio.Transport | None, None)
        self._waiting: deque[Done] = deque()  # in order; the last len(_out) of them are not sent yet
        self._out, self._held = cast(list[bytes], []), 0  # and how many bytes that is
        self._copied: Copied | None = None  # of what is not sent yet
        self._full, self._heard = False, 0.0  # the system takes no more for now; when we last heard something
        self._clock: asyncio.TimerHandle | None = None
        self._settled, self._gone = asyncio.Event(), asyncio.Event()  # a try to connect, a connection came to an end
        self._gone.set()
        self._keeper: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Connect, and stay connected from now on."""
        self._keeper = self._keeper or self._loop.create_task(self._keep())

    async def start(self) -> None:
        """The same, and wait. Says so if this try fails, and goes on trying."""
        self.open()
        await self._settled.wait()
        if not self.up:
            raise Down(self.trouble)

    def send(self, packed: bytes, done: Done, copied: bool = False) -> None:
        """Ask. `done` is called once, later, never from within; if it is a write that must be `copied`, after that."""
        if not self.up or self._held > self.limit:
            self.overflows += self.up
            self._loop.call_soon(done, Down(f"too much is waiting for {self.address}" if self.up else self.trouble))
            return
        if not self._out and not self._full:
            self._loop.call_soon(self._flush)
        if copied and self.copies:
            self._copied = self._copied or Copied(self.copies)
            done = self._copied.hold(done)
        self._out.append(packed)
        self._waiting.append(done)
        self._held += len(packed)

    async def call(self, *args: bytes | str | int) -> Any:
        """Ask and wait for the answer; anything but an answer is raised."""
        answer: asyncio.Future[Any] = self._loop.create_future()
        self.send(pack(*args), lambda reply: None if answer.done() else answer.set_result(reply))
        if isinstance(reply := await answer, Exception):
            raise reply
        return reply

    def cut(self, why: str) -> None:
        """Give this connection up. What was sent is lost; a new one is on its way."""
        self.trouble = why
        if self._transport is not None:
            self._transport.abort()

    def hang_up(self) -> None:
        """Give it up for good."""
        self.came = self.went = None
        if self._keeper is not None:
            self._keeper.cancel()

    async def close(self) -> None:
        """The same, and wait until it is done."""
        self.hang_up()
        if self._keeper is not None:
            await asyncio.wait([self._keeper])
            await self._gone.wait()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport, self._reader, self._full = cast(asyncio.Transport, transport), hiredis.Reader(), False
        self._transport.set_write_buffer_limits(high=1 << 20)  # bytes; after that we hold our own
        self._gone.clear()
        self.trouble = ""
        said = [*self.address.introduction(), *self.greet, pack("PING")]
        self._waiting.extend([self._greeted] * (len(said) - 1) + [self._welcomed])
        self._watch()
        self._transport.write(b"".join(said))

    def data_received(self, data: bytes) -> None:
        self._heard = self._loop.time()
        self._reader.feed(data)
        gets, waiting, push = self._reader.gets, self._waiting, self.push
        try:
            while (reply := gets()) is not False:
                if push is not None and push(reply):
                    continue
                (waiting.popleft() if waiting else self._unasked)(reply)
        except hiredis.ProtocolError as error:
            self._unasked(error)
        except Exception as error:  # a caller's bug must not shift the answers of all others
            self._loop.call_exception_handler({"message": "an answer was not taken", "exception": error})
            self._loop.call_soon(self.data_received, b"")

    def pause_writing(self) -> None:
        self._full = True

    def resume_writing(self) -> None:
        self._full = False
        self._flush()

    def connection_lost(self, error: Exception | None) -> None:
        was_up, self.up, self._transport = self.up, False, None
        self.losses += was_up
        self.trouble = self.trouble or f"the connection to {self.address} broke ({error or 'they hung up'})"
        waiting, unsent = self._waiting, len(self._out)
        self._waiting, self._out, self._held, self._copied = deque(), [], 0, None
        for left in range(len(waiting), 0, -1):
            self._loop.call_soon(waiting.popleft(), (Down if left <= unsent else Lost)(self.trouble))
        self._settled.set()
        self._gone.set()
        if was_up and self.went is not None:
            self.went()

    def _flush(self) -> None:
        if self._out and self._transport is not None and not self._full:
            if self._copied is not None:
                self._out.append(pack("WAIT", self.copies, round(self.deadline * 500)))
                self._waiting.append(self._copied.counted)
                self._copied = None
            packed, self._out, self._held = b"".join(self._out), [], 0
            if self._clock is None:
                self._watch()
            self._transport.write(packed)

    def _watch(self) -> None:
        self._heard = self._loop.time()
        self._clock = self._loop.call_later(self.deadline / 4, self._look, self._heard + self.deadline / 4)

    def _look(self, due: float) -> None:
        """Cut a connection that owes an answer and says nothing."""
        now, self._clock = self._loop.time(), None
        if now - due > self.deadline / 4:
            self._heard = now  # it was us who slept; the answers may be lying there unread
        if self._waiting and now - self._heard >= self.deadline:
            self.cut(f"{self.address} has not answered for {self.deadline:g} s")
        elif self._waiting:
            self._clock = self._loop.call_later(self.deadline / 4, self._look, now + self.deadline / 4)

    async def _keep(self) -> None:
        wait = FIRST_WAIT
        try:
            while True:
                await self._try(self.address)
                wait = FIRST_WAIT if self.up else wait
                await self._gone.wait()
                await asyncio.sleep(wait * random.uniform(0.5, 1.0))
                wait = min(wait * 2, LONGEST_WAIT)
                self._settled.clear()
        finally:
            self.cut("closed")  # connection_lost follows

    async def _try(self, at: Address) -> None:
        try:
            async with asyncio.timeout(max(2 * self.deadline, 1.0)):
                if at.path:
                    await self._loop.create_unix_connection(lambda: self, at.path)
                else:
                    await self._loop.create_connection(lambda: self, at.host, at.port, ssl=at.tls)
                await self._settled.wait()
        except OSError as error:  # TimeoutError is one
            self.cut(_reason(at, error))
            self._settled.set()

    def _unasked(self, reply: Any) -> None:
        self.cut(f"{self.address} does not speak as a Redis server does ({reply!r:.80})")

    def _greeted(self, reply: Any) -> None:
        if isinstance(reply, ReplyError) and not self.trouble:
            who = "AUTH" in str(reply) or str(reply).startswith(("WRONGPASS", "NOPERM"))
            self.cut(f"{self.address} {'refuses our user and password' if who else 'is not ready for us'} ({reply})")

    def _welcomed(self, reply: Any) -> None:
        self._greeted(reply)
        if not self.trouble:
            self.up = True
            self._settled.set()
            if self.came is not None:
                self.came()


def _reason(address: Address, error: OSError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate of {address} is not trusted ({error.verify_message}); name its authority with ?ca=FILE"
    if error.errno in (errno.ECONNREFUSED, errno.ENOENT):
        return f"nobody listens at {address}"
    return f"{address} cannot be reached ({error.strerror or str(error) or 'no answer'})"

"""The door: the socket that everybody comes through, deadlines for those who dawdle in it, and closing time.

uvicorn serves; here it is given patience with an end (a request that drips in byte by byte is dropped), bounds on what
a request may hold, and manners: the app may say goodbye before connections close, and a stop is no failure.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import threading
from asyncio import TimerHandle, Transport
from collections.abc import Awaitable, Callable, Generator
from typing import Any

import msgspec
import structlog
import uvicorn
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.server import HANDLED_SIGNALS

from server.settings import BadSetting, Settings
from server.sockets import BoundedWS

log = structlog.get_logger(__name__)

HEADER_BYTES = 16 * 1024
BODY_BYTES = 64 * 1024
BACKLOG = 2048
LAST_WORDS = 0.4  # seconds for connections to close by themselves once the app has said goodbye
TICK = 0.02


class PunctualHttp(HttpToolsProtocol):
    """uvicorn's HTTP connection, for requests that come in time and in bounds."""

    header_seconds = 5.0
    body_seconds = 10.0
    _deadline: TimerHandle | None = None
    _busy = False  # the app is at it
    _in_head = True
    _size = 0  # bytes of this head or body so far

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_within(self.header_seconds)

    def data_received(self, data: bytes) -> None:
        if self._deadline is None and not self._busy:
            self._await_within(self.header_seconds)
        super().data_received(data)
        if self._in_head:
            self._size += len(data)
            if self._size > HEADER_BYTES and not self.transport.is_closing():
                self._refuse(431, "Those headers are too long.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._size = True, 0
        self._await_within(self.header_seconds)

    def on_headers_complete(self) -> None:
        self._in_head, self._size = False, 0
        self._await_within(self.body_seconds)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._size += len(body)
        if self._size <= BODY_BYTES:
            super().on_body(body)
        elif not self.transport.is_closing():
            self._refuse(413, "That is more than anybody needs to send here.")

    def on_message_complete(self) -> None:
        self._await_within(None)
        self._busy = True
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._busy = False
        super().on_response_complete()

    def handle_websocket_upgrade(self) -> None:
        self._await_within(None)
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        self._await_within(None)
        super().connection_lost(exc)

    def _await_within(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)

    def _refuse(self, status: int, text: str) -> None:
        code = {413: "too_big", 431: "headers_too_big"}.get(status, "bad_request")
        body = msgspec.json.encode({"code": code, "text": text, "say": [code, {}]})
        head = b"content-type: application/json\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(body)
        self.transport.write(STATUS_LINE[status] + head + body)
        self.transport.close()


class UpcardServer(uvicorn.Server):
    """uvicorn's server: the app speaks before its connections close, and being asked to stop is a success."""

    def __init__(
        self,
        config: uvicorn.Config,
        before_close: Callable[[], Awaitable[None]] | None = None,
        on_listening: Callable[[str, int], None] | None = None,
        drain_seconds: float = 25.0,
    ) -> None:
        super().__init__(config)
        self.before_close = before_close
        self.on_listening = on_listening
        self.drain_seconds = drain_seconds

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the door and say where it is."""
        await super().startup(sockets)
        if self.on_listening is not None and self.started:
            self.on_listening(*self.address)

    @property
    def address(self) -> tuple[str, int]:
        """Where the door is, once it is open."""
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        return host, port

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Nobody new; the app says goodbye; whoever is left is closed, then cut off."""
        for server in self.servers:
            server.close()
        for door in sockets or []:
            door.close()
        await self._say_goodbye()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        await self._until(lambda: not self.server_state.connections and not self.server_state.tasks, LAST_WORDS)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        for task in list(self.server_state.tasks):
            task.cancel()
        await self._until(lambda: not self.server_state.connections and not self.server_state.tasks, LAST_WORDS)
        await self.lifespan.shutdown()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """As uvicorn does, but without dying of the signal in the end: the status is 0."""
        mine = HANDLED_SIGNALS if threading.current_thread() is threading.main_thread() else ()
        before = {number: signal.signal(number, self.handle_exit) for number in mine}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def _say_goodbye(self) -> None:
        if self.before_close is None:
            return
        speaking = asyncio.ensure_future(self.before_close())
        await self._until(speaking.done, self.drain_seconds)
        if not speaking.done():
            speaking.cancel()
        try:
            await speaking
        except asyncio.CancelledError:
            log.warning("goodbye_cut_short")
        except Exception:
            log.exception("goodbye_failed")

    async def _until(self, done: Callable[[], bool], seconds: float) -> None:
        """Wait for something, but not for ever, and not if somebody asked twice."""
        end = asyncio.get_running_loop().time() + seconds
        while not done() and not self.force_exit and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(TICK)


class SideDoor(UpcardServer):
    """A door beside the main business: who runs that also minds the signals."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """They are somebody else's."""
        yield


def configure(app: Any, settings: Settings) -> uvicorn.Config:
    """How uvicorn is to serve this app."""
    return uvicorn.Config(
        app,
        http=PunctualHttp,
        ws=type("WS", (BoundedWS,), {"stall_seconds": settings.stall_seconds}),
        ws_max_size=settings.hard_frame,
        ws_ping_interval=settings.ping_seconds,
        ws_ping_timeout=settings.silent_seconds,
        ws_per_message_deflate=False,
        lifespan="on",
        interface="asgi3",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        timeout_keep_alive=5,
        backlog=BACKLOG,
    )


def open_door(settings: Settings, shared: bool = False) -> socket.socket:
    """Take the address to listen on; several processes may share it."""
    host, port = settings.host, settings.port
    try:
        family, kind, proto, _, where = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        door = socket.socket(family, kind, proto)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        door.bind(where)
    except OSError as error:
        raise BadSetting(
            f"Cannot listen on {host} port {port}: {error.strerror}. Choose another with --port."
        ) from None
    door.setblocking(False)
    door.set_inheritable(True)
    return door

"""One WebSocket: frames in by callback, frames out at once, and nothing that a peer does can make it grow.

A peer that does not read, or has fallen silent, is cut off rather than closed: waiting to say goodbye to it would wait
for ever.
"""

from __future__ import annotations

import socket
from asyncio import BaseTransport, TimerHandle
from typing import Any, cast

import structlog
from uvicorn.protocols.utils import ClientDisconnected
from websockets.http11 import Request

from server.hearing import HearingWS
from server.wires import BINARY, DRAINING, GONE, OUR_FAULT, TEXT, TOO_SLOW, Listener, header

log = structlog.get_logger(__name__)

PING = b"\x89\x00"
HIGH, LOW, KERNEL = 32 * 1024, 8 * 1024, 64 * 1024  # bytes that may wait here, and in the system


class BoundedWS(HearingWS):
    """A `Wire` over uvicorn's WebSocket connection. Messages never become tasks or wait in a queue."""

    stall_seconds = 5.0

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.ping, self.silent = self.config.ws_ping_interval or 5.0, self.config.ws_ping_timeout or 12.0
        self._beat_timer: TimerHandle | None = None
        self._stall_timer: TimerHandle | None = None
        self._stuck_at = 0

    # the wire

    @property
    def closed(self) -> bool:
        return self.code is not None

    @property
    def buffered(self) -> int:
        return self.transport.get_write_buffer_size()

    def listen(self, listener: Listener) -> None:
        self.listener = listener
        for handshake in ("request", "response", "scope"):
            self.__dict__.pop(handshake, None)  # kilobytes that nobody needs any more
        if self.code is not None:
            self.loop.call_soon(listener.on_close, self.code)
        self.resume()

    def send_text(self, data: bytes) -> bool:
        return self.write(header(TEXT, len(data)) + data)

    def send_binary(self, data: bytes) -> bool:
        return self.write(header(BINARY, len(data)) + data)

    def write(self, frame: bytes) -> bool:
        if self.full or self.code is not None:
            return False
        self.transport.write(frame)
        return True

    def heartbeat(self, ping: float, silent: float) -> None:
        self.ping, self.silent = ping, silent
        self.start_keepalive()

    # the way out

    def pause_writing(self) -> None:
        super().pause_writing()
        self.full = True
        self._stuck_at = self.buffered
        self._stall_timer = self.loop.call_later(self.stall_seconds, self._check_stall)

    def resume_writing(self) -> None:
        super().resume_writing()
        self.full = False
        if self._stall_timer is not None:
            self._stall_timer.cancel()
        if self.listener is not None and self.code is None:
            self.listener.on_drained()

    def _check_stall(self) -> None:
        """A peer that took nothing in all this time will not take a goodbye either."""
        if self.buffered >= self._stuck_at:
            self.abort(TOO_SLOW)
        else:
            self._stuck_at = self.buffered
            self._stall_timer = self.loop.call_later(self.stall_seconds, self._check_stall)

    def start_keepalive(self) -> None:
        if self._beat_timer is not None:
            self._beat_timer.cancel()
        if self.code is None:
            self._beat_timer = self.loop.call_later(min(self.ping, self.silent), self._beat)

    def stop_keepalive(self) -> None:
        """The end: no ping and no patience any more."""
        for timer in (self._beat_timer, self._stall_timer):
            if timer is not None:
                timer.cancel()

    def _beat(self) -> None:
        left = self._heard + self.silent - self.loop.time()
        if self._deaf:
            left = self.silent  # it is we who do not listen
        if left <= 0:
            return self.abort()
        if not self.full:
            self._pinged = self._pinged or self.loop.time()
            self.transport.write(PING)
        self._beat_timer = self.loop.call_later(min(self.ping, left), self._beat)
        return None

    # the beginning and the end

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(HIGH, LOW)
        if (plug := transport.get_extra_info("socket")) is not None and plug.family != socket.AF_UNIX:
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            cast("dict[str, Any]", self.scope["extensions"])["upcard.wire"] = self

    async def run_asgi(self) -> None:
        """Let the app decide. It returns once it listens; the connection stays."""
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except Exception:
            log.exception("handshake_failed")
            self.close(OUR_FAULT)
        if self.listener is None and self.close_timer is None:
            self.send_500_response()
            self.transport.close()

    async def send(self, message: Any) -> None:
        """What the app says before it listens."""
        if message["type"] == "websocket.close" and self.handshake_complete and not self.disconnected:
            self.close(message.get("code", 1000), message.get("reason") or "")
        else:
            await super().send(message)

    def shutdown(self) -> None:
        """The server stops."""
        if not self.handshake_complete:
            self.send_500_response()
            self.transport.close()
        self.close(DRAINING)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(GONE)
        self._finished = True
        super().connection_lost(exc)

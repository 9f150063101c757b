"""A WebSocket for load tests: reads whole frames itself and costs next to nothing, so that the server is measured.

It trusts the server: no fragments, no extensions, no checks of what a good server does anyway.
"""

from __future__ import annotations

import asyncio
import secrets
import ssl
from base64 import b64encode
from typing import Self, cast
from urllib.parse import urlsplit

try:
    from websockets.speedups import apply_mask
except ImportError:  # where the wheel is pure Python
    from websockets.utils import apply_mask

TEXT, BINARY, CLOSE, PING, PONG = 0x81, 0x82, 0x88, 0x89, 0x8A


class RawSocket(asyncio.Protocol):
    """One connection. Subclasses hear messages and the end."""

    def __init__(self) -> None:
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.open = False
        self.transport: asyncio.Transport
        self._mask = secrets.token_bytes(4)
        self._rest = b""

    async def connect(self, url: str, subprotocol: str = "") -> Self:
        """Shake hands with the server at a ws or http address."""
        parts = urlsplit(url)
        tls = ssl.create_default_context() if parts.scheme in ("https", "wss") else None
        port = parts.port or (443 if tls else 80)
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self, parts.hostname or "127.0.0.1", port, ssl=tls)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        head = [f"GET {path} HTTP/1.1", f"Host: {parts.netloc}", "Upgrade: websocket", "Connection: Upgrade"]
        head += [f"Sec-WebSocket-Key: {b64encode(secrets.token_bytes(16)).decode()}", "Sec-WebSocket-Version: 13"]
        head += [f"Sec-WebSocket-Protocol: {subprotocol}"] if subprotocol else []
        self.transport.write("\r\n".join([*head, "", ""]).encode())
        await asyncio.wait_for(self.opened, 30)
        return self

    def on_message(self, data: bytes, size: int) -> None:
        """A message came; `size` is what it took on the wire."""
        raise NotImplementedError

    def on_end(self, code: int) -> None:
        """The server hung up."""

    def send(self, data: bytes, kind: int = TEXT) -> None:
        """Say something."""
        size = len(data)
        if size < 126:
            head = bytes((kind, 0x80 | size))
        else:
            head = bytes((kind, 0xFE, size >> 8, size & 0xFF))
        self.transport.write(head + self._mask + apply_mask(data, self._mask))

    def hang_up(self) -> None:
        """Go, and hear no more."""
        self.open = False
        self.transport.abort()

    # asyncio's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is there."""
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Some bytes came: take whole messages out of them."""
        if self._rest:
            data = self._rest + data
        at, size = 0 if self.open else self._shake(data), len(data)
        while size - at >= 2:
            kind, length, start = data[at], data[at + 1], at + 2
            if length > 125:
                start += 2 if length == 126 else 8
                if start > size:
                    break
                length = int.from_bytes(data[at + 2 : start], "big")
            end = start + length
            if end > size:
                break
            if kind in (TEXT, BINARY):
                self.on_message(data[start:end], end - at)
            elif kind == PING:
                self.send(data[start:end], PONG)
            elif kind == CLOSE:
                self._over(int.from_bytes(data[start : start + 2], "big"))
            at = end
        self._rest = data[at:]

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._over(1006)

    def _shake(self, data: bytes) -> int:
        end = data.find(b"\r\n\r\n")
        if end < 0:
            return 0
        if not data.startswith(b"HTTP/1.1 101") and not self.opened.done():
            self.opened.set_exception(ConnectionError(data.split(b"\r\n")[0].decode(errors="replace")))
            self.transport.abort()
            return len(data)
        self.open = True
        if not self.opened.done():
            self.opened.set_result(None)
        return end + 4

    def _over(self, code: int) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the server hung up"))
        if self.open:
            self.open = False
            self.on_end(code)

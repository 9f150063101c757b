"""A server in a thread, and peers on bare sockets that may be as rude as they like."""

from __future__ import annotations

import asyncio
import base64
import os
import queue
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import uvloop
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from server.listening import UpcardServer, configure, open_door
from server.settings import Settings
from server.wires import Wire, wire_of

LOOPS: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {
    "uvloop": uvloop.new_event_loop,
    "asyncio": asyncio.new_event_loop,
}
PATIENCE = 10.0  # seconds before a test gives up on something that should happen at once
TEXT, BINARY, CONT, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10


class Frame(NamedTuple):
    """What a peer read."""

    opcode: int
    data: bytes


class Guest:
    """A listener that writes everything down, and answers what the path asks for."""

    def __init__(self, wire: Wire, does: str) -> None:
        self.wire, self.does = wire, does
        self.heard: queue.Queue[tuple[Any, ...]] = queue.Queue()

    def on_frame(self, data: bytes, text: bool) -> None:
        if self.does == "boom":
            raise RuntimeError("the listener fell over")
        if self.does == "pause":
            self.wire.pause()
        self.heard.put(("frame", data, text))
        if self.does == "echo":
            (self.wire.send_text if text else self.wire.send_binary)(data)

    def on_drained(self) -> None:
        self.heard.put(("drained",))

    def on_close(self, code: int) -> None:
        self.heard.put(("close", code))

    def next(self) -> tuple[Any, ...]:
        return self.heard.get(timeout=PATIENCE)

    def close_code(self) -> int:
        while (event := self.next())[0] != "close":
            pass
        code: int = event[1]
        return code


class House:
    """A running server and whoever is in it."""

    def __init__(self, settings: Settings, loop: str) -> None:
        self.guests: queue.Queue[Guest] = queue.Queue()
        routes = [
            WebSocketRoute("/ws/{does}", self.admit),
            Route("/hello", self.hello),
            Route("/body", self.body, methods=["POST"]),
        ]
        self.server = UpcardServer(configure(Starlette(routes=routes), settings))
        self.settings = settings
        self.loop = LOOPS[loop]()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.listening = threading.Event()
        self.server.on_listening = lambda *_: self.listening.set()

    def run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self.server.serve([open_door(self.settings)]))
        self.loop.close()

    async def admit(self, websocket: WebSocket) -> None:
        does = websocket.path_params["does"]
        if does == "refuse":
            return await websocket.close()
        if does == "fall":
            raise RuntimeError("the app fell over")
        wire = wire_of(websocket.scope)
        await websocket.accept(subprotocol=next(iter(websocket.scope["subprotocols"]), None))
        if does == "ban":
            return await websocket.close(4403, "not allowed")
        if does == "late":
            await asyncio.sleep(0.05)
        guest = Guest(wire, does)
        wire.listen(guest)
        self.guests.put(guest)
        return None

    async def hello(self, request: Request) -> PlainTextResponse:
        return PlainTextResponse("hello")

    async def body(self, request: Request) -> PlainTextResponse:
        return PlainTextResponse(str(len(await request.body())))

    def guest(self) -> Guest:
        return self.guests.get(timeout=PATIENCE)

    def does(self, what: Callable[[], Any]) -> Any:
        """Do something where the server lives, and wait for it."""
        done: queue.Queue[Any] = queue.Queue()
        self.loop.call_soon_threadsafe(lambda: done.put(what()))
        return done.get(timeout=PATIENCE)

    def dial(self, receive_buffer: int = 0) -> socket.socket:
        plug = socket.socket()
        if receive_buffer:
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        plug.settimeout(PATIENCE)
        plug.connect(self.server.address)
        return plug

    def peer(self, path: str = "/ws/echo", **named: Any) -> Peer:
        return Peer(self.dial(**named), path)


class Peer:
    """A WebSocket client made by hand."""

    def __init__(self, plug: socket.socket, path: str) -> None:
        self.plug, self.rest = plug, b""
        key = base64.b64encode(os.urandom(16)).decode()
        plug.sendall(
            f"GET {path} HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        while b"\r\n\r\n" not in self.rest:
            self.rest += self._more()
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        self.head = head.decode().lower()
        self.status = int(self.head.split()[1])

    def send(self, data: bytes, opcode: int = TEXT, fin: bool = True) -> None:
        self.plug.sendall(frame(data, opcode, fin))

    def read(self) -> Frame:
        """The next frame; the end of the stream is an EOFError."""
        head, size = self._take(2)
        if size == 126:
            (size,) = struct.unpack("!H", self._take(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", self._take(8))
        return Frame(head & 0x0F, self._take(size))

    def close_code(self) -> int:
        """Read on until the server says goodbye."""
        while (got := self.read()).opcode != CLOSE:
            pass
        return int.from_bytes(got.data[:2], "big") if got.data else 1005

    def hang_up(self) -> None:
        self.plug.close()

    def _take(self, count: int) -> bytes:
        while len(self.rest) < count:
            self.rest += self._more()
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def _more(self) -> bytes:
        if not (data := self.plug.recv(65536)):
            raise EOFError
        return data


def frame(data: bytes = b"", opcode: int = TEXT, fin: bool = True, mask: bool = True, rsv: int = 0) -> bytes:
    """A frame as a client sends it, or as no client should."""
    head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
    bit = 0x80 if mask else 0
    if len(data) < 126:
        head += bytes([bit | len(data)])
    elif len(data) < 65536:
        head += struct.pack("!BH", bit | 126, len(data))
    else:
        head += struct.pack("!BQ", bit | 127, len(data))
    if not mask:
        return head + data
    key = os.urandom(4)
    return head + key + bytes(sign ^ key[place % 4] for place, sign in enumerate(data))


@contextmanager
def opened(loop: str, **changes: Any) -> Iterator[House]:
    """A server that is up for as long as the block lasts."""
    house = House(Settings(port=0, **changes), loop)
    house.thread.start()
    assert house.listening.wait(PATIENCE)
    try:
        yield house
    finally:
        house.server.should_exit = True
        house.thread.join(PATIENCE)
        assert not house.thread.is_alive()

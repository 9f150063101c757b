"""A client for Upcard in Python: connects, resumes by itself, sends a move exactly once, and keeps each view whole.

async with Client("http://localhost:8000", name="Ana") as me:
    table = await me.join(code="ABC234")
    while not table.over:
        offers = await table.my_turn()
        await table.act({"type": "end_turn"})
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
from collections.abc import Callable
from hashlib import sha256
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

from engine.merge import canonical, merge
from rooms import wire
from server.web_request import request

FINAL = (4400, 4401, 4403, 4406, 4409)  # close codes after which coming back is no use
PATIENCE = 20.0  # seconds that a command waits for its answer, reconnections included

_json = msgspec.json.Encoder()
_msgpack = msgspec.msgpack.Encoder()


class Rejected(Exception):
    """The server said no."""

    def __init__(self, frame: dict[str, Any]) -> None:
        super().__init__(frame["text"])
        self.code: str = frame["code"]
        self.retry: bool = frame["retry"]
        self.warn: bool = frame.get("warn", False)  # the same with `sure=True` would pass
        self.warnings: list[dict[str, Any]] = frame.get("warnings", [])


class Disconnected(Exception):
    """The connection is closed for good."""

    def __init__(self, code: int) -> None:
        super().__init__(f"closed with {code}")
        self.code = code


class Seat:
    """One room as this client sees it. Everything in here came from the server."""

    def __init__(self, client: Client, room: str, join: dict[str, Any]) -> None:
        self.client = client
        self.room = room
        self.join = join
        self.view: dict[str, Any] = {}
        self.v = -1
        self.epoch = ""
        self.seat: int | None = None
        self.n = 1
        self.offers: list[dict[str, Any]] = []
        self.blocked: list[dict[str, Any]] = []
        self.ask: dict[str, Any] | None = None
        self.clock: dict[str, Any] | None = None
        self.presence: dict[str, Any] = {}
        self.record: list[dict[str, Any]] = []
        self.snaps = 0  # how often everything came anew
        self.drifts = 0  # views that were not what their checksum says
        self.heard: list[Callable[[dict[str, Any]], None]] = []  # who wants to see every frame
        self._news = asyncio.Event()
        self._unsure: dict[str, Any] | None = None  # a move without an answer: it is sent again after a break

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return "result" in self.view

    async def act(self, do: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Make a move. Returns once it is committed; a lost connection in between makes no difference."""
        command = {"t": "act", "room": self.room, "n": self.n, "do": do, **more}
        if self.ask is not None and "ask" not in more:
            command["ask"] = self.ask["id"]
        self._unsure = command
        try:
            answer = await self.client.ask(command)
        finally:
            self._unsure = None
        self.n = max(self.n, command["n"] + 1)
        await self.until(lambda: self.v >= answer["v"])  # the acknowledgement may come before the news
        return answer

    async def changed(self) -> None:
        """Wait until the server has said something about this room."""
        self._news.clear()
        await self._news.wait()

    async def until(self, test: Callable[[], object]) -> None:
        """Wait until something holds."""
        while not test():
            await self.changed()

    async def my_turn(self) -> list[dict[str, Any]]:
        """Wait until there is something to do, or the match is over."""
        await self.until(lambda: self.offers or self.over)
        return self.offers

    def hear(self, frame: dict[str, Any]) -> None:
        """Take in what the server says."""
        for hook in self.heard:
            hook(frame)
        match frame["t"]:
            case "snap":
                self._snap(frame)
            case "delta":
                self._delta(frame)
            case "presence":
                self.presence = frame
        self._news.set()

    def _snap(self, frame: dict[str, Any]) -> None:
        self.snaps += 1
        self.view, self.v, self.epoch = frame["view"], frame["v"], frame["epoch"]
        self.offers, self.blocked = frame.get("offers", []), frame.get("blocked", [])
        self.ask, self.clock = frame.get("ask"), frame.get("clock")
        self.seat = frame.get("seat", self.seat)
        self.n = frame.get("n", self.n)

    def _delta(self, frame: dict[str, Any]) -> None:
        if frame["v"] <= self.v:
            return
        if frame["v"] != self.v + 1:
            self.client.spawn(self.client.rejoin(self))
            return
        self.v = frame["v"]
        self.epoch = frame.get("epoch", self.epoch)
        self.view = merge(self.view, frame.get("patch", {}))
        for name in ("offers", "blocked", "ask", "clock"):
            if name in frame:
                setattr(self, name, frame[name])
        self.record += frame.get("events", [])
        if "sum" in frame and sha256(canonical(self.view)).hexdigest()[:8] != frame["sum"]:
            self.drifts += 1
            self.client.spawn(self.client.rejoin(self, whole=True))

    def rejoin_command(self, whole: bool = False) -> dict[str, Any]:
        """How to come back to this room and be told only what was missed."""
        command = {"t": "join", "room": self.room, "as": self.join.get("as", "seat")}
        if "code" in self.join and self.seat is None:
            command["code"] = self.join["code"]
        if self.v >= 0 and self.epoch and not whole:
            command["have"] = {"epoch": self.epoch, "v": self.v}
        return command


class Client:
    """A person or a bot at a server."""

    def __init__(self, url: str, *, name: str = "", token: str = "", msgpack: bool = False) -> None:
        self.url = url.rstrip("/")
        self.name = name
        self.token = token
        self.msgpack = msgpack
        self.user: dict[str, str] = {}
        self.welcome: dict[str, Any] = {}
        self.rooms: dict[str, Seat] = {}
        self.standing: dict[str, dict[str, Any]] = {}  # what is said again on every connection, by a name for it
        self.frames: list[Callable[[dict[str, Any]], None]] = []  # who wants to see every frame
        self.reconnects = 0
        self.closed_with: int | None = None
        self._numbers = itertools.count(1)
        self._waiting: dict[str, tuple[dict[str, Any], asyncio.Future[dict[str, Any]]]] = {}
        self._hooks: dict[str, Callable[[dict[str, Any]], None]] = {}
        self._socket: ClientConnection | None = None
        self._ready = asyncio.Event()
        self._runner: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._after = 0.0

    async def __aenter__(self) -> Client:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def open(self) -> None:
        """Get a session if there is none, and connect."""
        if not self.token:
            session = await self.http("POST", "/api/session", {"name": self.name} if self.name else {})
            self.token, self.user = session["token"], session["user"]
        self._runner = asyncio.create_task(self._run())
        ready = asyncio.create_task(self._ready.wait())
        await asyncio.wait([ready, self._runner], return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if self._runner.done():
            self._runner.result()

    async def close(self) -> None:
        """Leave. A seat stays one's own."""
        if self._runner is not None:
            self._runner.cancel()
            await asyncio.gather(self._runner, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()
        for task in list(self._tasks):
            task.cancel()

    async def http(self, method: str, path: str, body: Any = None) -> Any:
        """A call to the HTTP side, as this user."""
        return await request(method, self.url + path, body, self.token)

    async def make_room(self, game: str, **more: Any) -> dict[str, Any]:
        """Open a table."""
        made: dict[str, Any] = await self.http("POST", "/api/rooms", {"game": game, **more})
        return made

    async def join(self, room: str = "", *, code: str = "", watch: bool = False, deck: Any = None) -> Seat:
        """Sit down at a table, return to it, or watch it."""
        command: dict[str, Any] = {"t": "join", "as": "watch" if watch else "seat"}
        command |= {"room": room} if room else {"code": code}
        if deck is not None:
            command["deck"] = deck
        seats: list[Seat] = []

        def arrived(ok: dict[str, Any]) -> None:
            seats.append(self.rooms.setdefault(ok["room"], Seat(self, ok["room"], command)))
            seats[0].join = command
            seats[0].seat = ok.get("seat")

        await self.ask(command, arrived)
        await seats[0].until(lambda: seats[0].v >= 0)
        return seats[0]

    async def rejoin(self, seat: Seat, whole: bool = False) -> None:
        """Ask for what was missed."""
        with contextlib.suppress(Rejected, Disconnected, TimeoutError):
            await self.ask(seat.rejoin_command(whole))

    async def ask(
        self, command: dict[str, Any], at_once: Callable[[dict[str, Any]], None] | None = None
    ) -> dict[str, Any]:
        """Send a command and wait for its answer, over as many connections as it takes."""
        command = {"i": str(next(self._numbers)), **command}
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[command["i"]] = (command, answer)
        if at_once is not None:
            self._hooks[command["i"]] = at_once
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    await self._send(command)
                    frame = await asyncio.shield(answer)
                    if frame["t"] != "err":
                        return frame
                    left = self.rooms.get(command.get("room", "")) if frame["code"] == "not_joined" else None
                    if left is not None:  # the way back to the table was refused for a moment
                        await self.rejoin(left)
                    elif not frame["retry"] or command["t"] == "ping":
                        raise Rejected(frame)
                    answer = asyncio.get_running_loop().create_future()
                    self._waiting[command["i"]] = (command, answer)
                    await asyncio.sleep(random.uniform(0.05, 0.2))
        finally:
            self._waiting.pop(command["i"], None)
            self._hooks.pop(command["i"], None)

    def spawn(self, work: Any) -> None:
        """Do something on the side."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # the connection

    async def _run(self) -> None:
        tries = 0
        while True:
            try:
                await self._connect()
                tries = 0
                await self._listen()
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else 1006
                self.closed_with = code
                if code in FINAL:
                    self._fail(code)
                    raise Disconnected(code) from None
            except (OSError, InvalidHandshake, TimeoutError):
                pass
            self._ready.clear()
            self._socket = None
            tries += 1
            self.reconnects += 1
            await asyncio.sleep(self._after + random.uniform(0, min(5.0, 0.1 * 2 ** min(tries, 8))))
            self._after = 0.0

    async def _connect(self) -> None:
        parts = urlsplit(self.url)
        scheme = "wss" if parts.scheme == "https" else "ws"
        name = Subprotocol("upcard.v1.msgpack" if self.msgpack else "upcard.v1.json")
        self._socket = await connect(
            f"{scheme}://{parts.netloc}/ws", subprotocols=[name], compression=None, max_size=2**24, open_timeout=5
        )
        hello = {"t": "hello", "i": "hello", "token": self.token, "proto": [wire.PROTO, wire.PROTO], "client": "python"}
        await self._socket.send(self._encode(hello))
        while True:
            frame = self._decode(await self._socket.recv())
            if frame["t"] == "welcome":
                break
            if frame["t"] == "err" and not frame["retry"]:
                self._hear(frame)
        self.welcome, self.user, self.token = frame, frame["user"], frame.get("token", self.token)
        for seat in self.rooms.values():  # first back to every table, then again what has no answer yet
            await self._socket.send(self._encode({"i": f"back {seat.room}"[:32], **seat.rejoin_command()}))
        for command, answer in list(self._waiting.values()):
            if not answer.done():
                await self._socket.send(self._encode(command))
        for word, wish in self.standing.items():
            await self._socket.send(self._encode({"i": f"again {word}"[:32], **wish}))
        self._ready.set()

    async def _listen(self) -> None:
        assert self._socket is not None
        async for data in self._socket:
            self._hear(self._decode(data))
        raise ConnectionClosed(self._socket.protocol.close_rcvd, self._socket.protocol.close_sent)

    def _hear(self, frame: dict[str, Any]) -> None:
        for hook in self.frames:
            hook(frame)
        if frame["t"] == "bye":
            self._after = frame["after"] / 1000
        i = frame.get("i")
        if i is not None and frame["t"] in ("ok", "err", "pong"):
            hook_ = self._hooks.get(i)
            if hook_ is not None and frame["t"] == "ok":
                hook_(frame)
            waiting = self._waiting.get(i)
            if waiting is not None and not waiting[1].done():
                waiting[1].set_result(frame)
        if i is not None and frame["t"] == "err" and frame["retry"] and i.startswith("back "):
            for seat in self.rooms.values():
                if f"back {seat.room}"[:32] == i:
                    self.spawn(self.rejoin(seat))
        here = self.rooms.get(frame.get("room", ""))
        if here is not None and frame["t"] not in ("ok", "err"):
            here.hear(frame)

    async def _send(self, command: dict[str, Any]) -> None:
        await self._ready.wait()
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(self._encode(command))

    def _fail(self, code: int) -> None:
        for _, answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(Disconnected(code))

    def _encode(self, command: dict[str, Any]) -> str | bytes:
        return _msgpack.encode(command) if self.msgpack else _json.encode(command).decode()

    def _decode(self, data: str | bytes) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.msgpack.decode(data) if isinstance(data, bytes) else msgspec.json.decode(data)
        return found

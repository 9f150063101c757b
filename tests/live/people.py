"""People on bare sockets: they say exactly what they are told to say, and write down every byte that they hear."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from engine.offers import at_random
from server.commands.bot import read_offer
from tests.live.serving import PATIENCE, Live

SNUGGLES = ["Snuggles", "Ka", "Knight", "Beary", "Raggy", "Umbruh"]  # its question makes matches more interesting


class Heard(NamedTuple):
    """A frame as it came."""

    raw: str | bytes
    frame: dict[str, Any]
    at: float


class Board:
    """One room, rebuilt from nothing but frames. Every version must come exactly once and in order."""

    def __init__(self) -> None:
        self.view: dict[str, Any] = {}
        self.v, self.epoch = -1, ""
        self.offers: list[dict[str, Any]] = []
        self.blocked: list[dict[str, Any]] = []
        self.ask: dict[str, Any] | None = None
        self.clock: dict[str, Any] | None = None
        self.seat: int | None = None
        self.n = 1
        self.snaps = self.sums = 0
        self.presence: dict[str, Any] = {}
        self.mirror = False
        self.events: list[dict[str, Any]] = []
        self.past: dict[int, Past] = {}

    @property
    def over(self) -> bool:
        return "result" in self.view

    def hear(self, frame: dict[str, Any]) -> None:
        match frame["t"]:
            case "snap":
                self._snap(frame)
            case "delta":
                self._delta(frame)
            case "presence" if frame.get("mirror"):
                self.mirror = True
            case "presence":
                self.presence = frame

    def same(self, other: Board) -> None:
        """Both show the same table and offer the same, to the last byte."""
        assert self.v == other.v
        assert plain(self.view) == plain(other.view)
        assert plain(self.offers) == plain(other.offers)
        assert plain(self.ask) == plain(other.ask)
        assert plain(self.blocked) == plain(other.blocked)
        assert plain(self.clock) == plain(other.clock)

    def _snap(self, frame: dict[str, Any]) -> None:
        self.snaps += 1
        self.view, self.v, self.epoch = frame["view"], frame["v"], frame["epoch"]
        self.offers, self.blocked = frame.get("offers") or [], frame.get("blocked") or []
        self.ask, self.clock = frame.get("ask"), frame.get("clock")
        self.seat, self.n = frame.get("seat"), frame.get("n", 1)
        self._keep()

    def _delta(self, frame: dict[str, Any]) -> None:
        assert frame["v"] == self.v + 1, f"version {frame['v']} came after {self.v}"
        self.v = frame["v"]
        self.epoch = frame.get("epoch", self.epoch)
        self.view = merge(self.view, frame.get("patch", {}))
        for name in ("offers", "blocked", "ask", "clock"):
            if name in frame:
                setattr(self, name, frame[name])
        self.events += frame.get("events", [])
        if "sum" in frame:
            assert sha256(plain(self.view)).hexdigest()[:8] == frame["sum"], f"the view has drifted at {self.v}"
            self.sums += 1
        self._keep()

    def _keep(self) -> None:
        assert not holds_null(self.view), "a view holds a null"
        self.past[self.v] = Past(self.epoch, plain(self.view), list(self.events))


class Past(NamedTuple):
    """What somebody had at one version."""

    epoch: str
    view: bytes
    events: list[dict[str, Any]]


class Person:
    """Somebody at the service. Whatever else they hear while they wait is kept, and nothing is answered for them."""

    def __init__(self, live: Live, socket: ClientConnection, msgpack: bool, session: dict[str, Any]) -> None:
        self.live, self.socket, self.msgpack = live, socket, msgpack
        self.token, self.user = session.get("token", ""), session.get("user", {})
        self.heard: list[Heard] = []
        self.boards: defaultdict[str, Board] = defaultdict(Board)
        self.code: int | None = None  # why the connection ended
        self.wrong: Exception | None = None
        self.numbers = itertools.count(1)
        self.news = asyncio.Event()
        self.reader = asyncio.create_task(self._read())
        live.people.append(self)

    @property
    def frames(self) -> list[dict[str, Any]]:
        return [heard.frame for heard in self.heard]

    # speaking

    async def send(self, data: Any) -> None:
        """Send this frame as it is; bytes and text go out untouched."""
        if not isinstance(data, str | bytes):
            data = msgspec.msgpack.encode(data) if self.msgpack else msgspec.json.encode(data).decode()
        with suppress(ConnectionClosed):
            await self.socket.send(data)

    async def say(self, t: str, **fields: Any) -> str:
        """Send a command; the `i` it has."""
        i = f"{t}{next(self.numbers)}"
        fields = {name.removesuffix("_"): value for name, value in fields.items()}  # as_ is a word of Python
        await self.send({"t": t, "i": i, **fields})
        return i

    async def ask(self, t: str, **fields: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        return await self.answer(await self.say(t, **fields))

    async def answer(self, i: str) -> dict[str, Any]:
        """The answer to a command."""
        return await self.until(lambda: next((f for f in self.frames if f.get("i") == i), None))

    async def until(self, test: Callable[[], Any], seconds: float = PATIENCE) -> Any:
        """Wait until something is so."""
        try:
            async with asyncio.timeout(seconds):
                while not (found := test()):
                    if self.wrong is not None:
                        raise self.wrong
                    if self.code is not None:
                        raise AssertionError(f"closed with {self.code} while waiting; last: {self.frames[-3:]}")
                    self.news.clear()
                    await self.news.wait()
        except TimeoutError:
            raise AssertionError(f"waited in vain; last heard: {self.frames[-4:]}; {self.live.said()}") from None
        return found

    async def next(self, t: str, after: int = 0) -> dict[str, Any]:
        """The first frame of a kind among those heard after so many."""
        return await self.until(lambda: next((f for f in self.frames[after:] if f["t"] == t), None))

    async def ending(self, seconds: float = PATIENCE) -> int:
        """Wait for the end; the close code."""
        async with asyncio.timeout(seconds):
            await asyncio.shield(self.reader)
        assert self.code is not None
        return self.code

    async def leave(self) -> None:
        """Hang up."""
        await self.socket.close()
        await self.reader

    def vanish(self) -> None:
        """Be gone without a word."""
        self.socket.transport.abort()

    # playing

    async def join(self, room: str = "", **fields: Any) -> Board:
        """Sit down or watch, and wait until the table can be seen."""
        if room:
            fields["room"] = room
        answer = await self.ask("join", **fields)
        assert answer["t"] == "ok", answer
        board = self.boards[answer["room"]]
        await self.until(lambda: board.v >= answer["v"])
        return board

    async def act(self, room: str, do: dict[str, Any]) -> dict[str, Any]:
        """Make a move with the right number and wait until it can be seen."""
        board = self.boards[room]
        more = {"ask": board.ask["id"]} if board.ask else {}
        answer = await self.ask("act", room=room, n=board.n, do=do, **more)
        if answer["t"] == "ok":
            board.n += 1
            await self.until(lambda: board.v >= answer["v"])
        return answer

    async def play(self, room: str, luck: Random, *, stop: Callable[[Board], bool] = lambda board: board.over) -> Board:
        """Play by chance until the match is over, or until something is so."""
        board = self.boards[room]
        while True:
            await self.until(lambda: board.offers or stop(board) or board.over, 30)
            if stop(board) or board.over:
                return board
            answer = await self.act(room, any_move(board, luck))
            assert answer["t"] == "ok", answer

    async def _read(self) -> None:
        try:
            async for raw in self.socket:
                assert isinstance(raw, bytes) == self.msgpack, "a frame came in the other encoding"
                frame = (msgspec.msgpack if isinstance(raw, bytes) else msgspec.json).decode(raw)
                self.heard.append(Heard(raw, frame, time.time()))
                if frame["t"] not in ("ok", "err") and "room" in frame:
                    self.boards[frame["room"]].hear(frame)
                self.news.set()
        except ConnectionClosed:
            pass
        except Exception as wrong:
            self.wrong = wrong
        self.code = self.socket.close_code if self.socket.close_code is not None else 1006
        self.news.set()


async def dial(live: Live, *, msgpack: bool = False, session: dict[str, Any] | None = None, **more: Any) -> Person:
    """A connection on which nothing has been said yet."""
    name = Subprotocol("upcard.v1.msgpack" if msgpack else "upcard.v1.json")
    more = {"subprotocols": [name], "compression": None, "max_size": 2**24, "ping_interval": None, **more}
    socket = await connect(f"ws://{live.netloc}/ws", **more)
    return Person(live, socket, msgpack, session or {})


async def come(live: Live, name: str = "", *, session: dict[str, Any] | None = None, **more: Any) -> Person:
    """Somebody with a session who has said hello."""
    person = await dial(live, session=session or await live.session(name), **more)
    welcome = await person.ask("hello", token=person.token, proto=[1, 1])
    assert welcome["t"] == "welcome", welcome
    return person


async def again(person: Person, **more: Any) -> Person:
    """The same user on another connection."""
    session = {"token": person.token, "user": person.user}
    return await come(person.live, session=session, **{"msgpack": person.msgpack, **more})


async def make_room(person: Person, **asked: Any) -> dict[str, Any]:
    """Open a table over HTTP."""
    answer = await person.live.call("POST", "/api/rooms", {"game": "ggltcg", **asked}, person.token)
    assert answer.status == 201, answer
    made: dict[str, Any] = answer.json
    return made


async def seated(
    live: Live, *, msgpack: tuple[bool, bool] = (False, False), **asked: Any
) -> tuple[str, Person, Person]:
    """A table with two people at it; the cards are dealt."""
    ana, bo = [await come(live, name, msgpack=binary) for name, binary in zip(("Ana", "Bo"), msgpack, strict=True)]
    room = (await make_room(ana, **asked))["room"]
    await ana.join(room)
    await bo.join(room)
    await reached(room, 1, ana, bo)
    return room, ana, bo


async def reached(room: str, v: int, *people: Person) -> None:
    """Wait until everybody has heard of a version."""
    for person in people:
        board = person.boards[room]
        await person.until(lambda board=board: board.v >= v)


async def play_out(room: str, *people: Person, seed: int = 0, **more: Any) -> None:
    """Everybody plays by chance."""
    async with asyncio.TaskGroup() as group:
        for place, person in enumerate(people):
            group.create_task(person.play(room, Random(f"{seed}/{place}"), **more))


@asynccontextmanager
async def question(live: Live) -> Any:
    """A table at which somebody has been asked something: the room, whoever is asked, and the other one."""
    for seed in range(12):
        room, ana, bo = await seated(live, options={"set": "all"}, deck=SNUGGLES)

        def asked(board: Board, room: str = room, people: tuple[Person, ...] = (ana, bo)) -> bool:
            return any(person.boards[room].ask for person in people)

        done = asyncio.gather(*(p.play(room, Random(f"{seed}/{k}"), stop=asked) for k, p in enumerate((ana, bo))))
        await asyncio.wait([done], timeout=PATIENCE)
        done.cancel()
        for one, other in ((ana, bo), (bo, ana)):
            if one.boards[room].ask:
                yield room, one, other
                return
    raise AssertionError("nobody was ever asked anything")


def refused(answer: dict[str, Any], code: str, retry: bool = False) -> None:
    """It was refused for this reason, and said so in full."""
    assert answer["t"] == "err", answer
    assert (answer["code"], answer["retry"]) == (code, retry), answer
    assert isinstance(answer["text"], str)
    assert answer["text"]


def mover(room: str, *people: Person) -> Person:
    """Whose turn it is."""
    return next(person for person in people if person.boards[room].offers)


def any_move(board: Board, luck: Random) -> dict[str, Any]:
    """One of the offers, filled by chance."""
    return dict(at_random([read_offer(offer) for offer in board.offers], luck.randrange))


def merge(view: Any, patch: Any) -> Any:
    """RFC 7396, written down once more."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(view) if isinstance(view, dict) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = merge(merged.get(name), value)
    return merged


def plain(value: Any) -> bytes:
    """A value written canonically."""
    return msgspec.json.encode(value, order="sorted")


def holds_null(value: Any) -> bool:
    """Whether there is a null anywhere inside."""
    if isinstance(value, dict):
        return any(map(holds_null, value.values()))
    if isinstance(value, list):
        return any(map(holds_null, value))
    return value is None

"""Players for load tests: each takes the first legal move that comes to mind, and all that is said is measured.

A move is an offer with its slots filled from the front, so any game can be played without knowing its rules.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import UNSET, Raw

from rooms import wire
from server.commands.load_frames import Figures, Heard, Speech
from server.commands.raw_socket import RawSocket
from server.web_request import request

AT_ONCE = 16  # rooms that are opened at the same time

_now = time.perf_counter_ns


class Table:
    """One room and the two who play in it."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.room = ""
        self.sent: dict[int, int] = {}  # version -> when the move was sent that makes it
        self.players: list[Player] = []

    async def open(self) -> None:
        """Bring both players to the server and sit them down."""
        for seat in (0, 1):
            self.players.append(Player(self, seat))
            await self.players[-1].arrive()
        await self.begin()

    async def begin(self) -> None:
        """A new room with the same players."""
        made = await self.load.call("/api/rooms", {"game": self.load.game}, self.players[0].token)
        self.room = made["room"]
        self.sent.clear()
        for player in self.players:
            await player.sit_down()

    async def again(self) -> None:
        """The match is over: play another."""
        self.load.figures.restarts += self.load.figures.on
        for player in self.players:
            player.say({"t": "leave", "i": "leave", "room": self.room})
        try:
            await self.begin()
        except (OSError, TimeoutError) as error:
            self.load.failed(repr(error))

    def ended(self) -> None:
        """Somebody heard that it is over."""
        if self.sent.pop(-1, None) is None and self.load.going:
            self.sent[-1] = 0  # so that the second to hear it does nothing
            self.load.spawn(self.again())


class Guest(RawSocket):
    """Anybody who comes to a room over a socket."""

    def __init__(self, load: Load) -> None:
        super().__init__()
        self.load = load
        self.token = ""
        self._answers: dict[str, asyncio.Future[None]] = {}

    async def arrive(self) -> None:
        """Get a session, connect and say hello."""
        if not self.token:
            self.token = (await self.load.call("/api/session", {"name": self.load.name()}))["token"]
        await self.connect(self.load.url + "/ws", self.load.speech.name)
        hello = {"t": "hello", "i": "hello", "token": self.token, "proto": [wire.PROTO, wire.PROTO], "client": "bench"}
        await self.ask(hello)

    async def ask(self, command: dict[str, Any]) -> None:
        """Say something and wait until it is answered."""
        answer = self._answers[command["i"]] = asyncio.get_running_loop().create_future()
        self.say(command)
        await asyncio.wait_for(answer, 30)

    def say(self, command: dict[str, Any]) -> None:
        """Say something."""
        if self.open:
            self.send(self.load.speech.encode(command), self.load.speech.kind)

    def answered(self, frame: Heard) -> None:
        """An answer to something other than a move came."""
        waiting = self._answers.pop(frame.i, None)
        if waiting is not None and not waiting.done():
            if frame.t == "err":
                waiting.set_exception(ConnectionError(f"{frame.code}: {frame.text}"))
            else:
                waiting.set_result(None)

    def on_end(self, code: int) -> None:
        """Cut off by the server."""
        closed = self.load.figures.closed
        closed[code] = closed.get(code, 0) + 1
        for waiting in self._answers.values():
            if not waiting.done():
                waiting.set_exception(ConnectionError(f"closed with {code}"))


class Player(Guest):
    """Moves as soon as it may, or after a while."""

    def __init__(self, table: Table, seat: int) -> None:
        super().__init__(table.load)
        self.table = table
        self.seat = seat
        self._clear()

    def _clear(self) -> None:
        self.v = 0
        self.n = 1
        self.offers: Raw | None = None
        self.question: int | None = None
        self._mine = -1  # the version that my last move makes
        self._unanswered = False
        self._sent = 0

    async def sit_down(self) -> None:
        """Join the table's room."""
        self._clear()
        await self.ask({"t": "join", "i": f"join {self.table.room}"[:32], "room": self.table.room, "as": "seat"})

    def on_message(self, data: bytes, size: int) -> None:
        """Take a frame in, and move if it is my turn."""
        at = _now()
        frame = self.load.speech.frame(data)
        kind = frame.t
        if kind == "delta":
            if frame.room == self.table.room:
                self._delta(frame, size, at)
        elif kind == "ok" and frame.i == "m":
            self._ok(frame, size, at)
        elif kind == "snap":
            self._snap(frame)
        elif kind == "err" and frame.i == "m":
            self._refused(frame)
        elif kind in ("ok", "err", "welcome"):
            self.answered(frame)

    def _delta(self, frame: Heard, size: int, at: int) -> None:
        self.v = v = frame.v
        offers = frame.offers
        figures = self.load.figures
        told = 0
        if offers is not UNSET:
            told = len(bytes(offers)) + self.load.speech.key
            self.offers = offers
        if frame.ask is not UNSET:
            self.question = frame.ask.id if frame.ask else None
        if figures.on:
            figures.offers += told
            if v == self._mine:
                figures.to_mover += size - told
            elif (sent := self.table.sent.pop(v, 0)) > 0:
                figures.to_opponent += size - told
                figures.opponent.append(at - sent)
                figures.moves += 1
        if frame.patch is not UNSET and frame.patch.result is not UNSET:
            self.offers = None
            self.table.ended()
        else:
            self.move_if_due()

    def _ok(self, frame: Heard, size: int, at: int) -> None:
        figures = self.load.figures
        if figures.on:
            figures.own.append(at - self._sent)
            figures.to_mover += size
        self._unanswered = False
        if self.v >= frame.v:
            self.move_if_due()

    def _snap(self, frame: Heard) -> None:
        if frame.room == self.table.room:
            self.v, self.n = frame.v, frame.n or self.n
            self.offers = None if frame.offers is UNSET else frame.offers
            self.question = frame.ask.id if frame.ask is not UNSET and frame.ask else None
            self.move_if_due()

    def _refused(self, frame: Heard) -> None:
        refused = self.load.figures.refused
        refused[frame.code] = refused.get(frame.code, 0) + 1
        self.n -= 1
        self._unanswered = False
        if len(refused) < 10 and refused[frame.code] < 1000:
            asyncio.get_running_loop().call_later(0.05, self.move_if_due)

    def move_if_due(self) -> None:
        """Move if I may, now or after thinking."""
        if self._unanswered or self.offers is None or not self.load.going or self.v < self._mine:
            return
        if self.load.think:
            self._unanswered = True  # nothing else is to set this off meanwhile
            asyncio.get_running_loop().call_later(self.load.think, self._move)
        else:
            self._move()

    def _move(self) -> None:
        self._unanswered = False
        if self.offers is None or not self.load.going or not self.open:
            return
        offers = self.load.speech.offers(self.offers)
        if not offers:
            return
        offer = offers[0] if len(offers) == 1 else random.choice(offers)
        do: dict[str, Any] = {"type": offer.type}
        if offer.card:
            do["card"] = offer.card
        for slot in offer.slots:
            do[slot.name] = slot.range[0] if slot.range else slot.from_[: max(slot.least, 1)]
        command = {"t": "act", "i": "m", "room": self.table.room, "n": self.n, "do": do}
        if self.question is not None:
            command["ask"] = self.question
        self.n += 1
        self._mine = self.v + 1
        self._unanswered = True
        data = self.load.speech.encode(command)
        self._sent = self.table.sent[self._mine] = _now()
        self.send(data, self.load.speech.kind)


class Watcher(Guest):
    """Looks on and counts."""

    async def watch(self, room: str) -> None:
        """Come and look."""
        await self.arrive()
        await self.ask({"t": "join", "i": "watch", "room": room, "as": "watch"})

    def on_message(self, data: bytes, size: int) -> None:
        """One more frame."""
        if self._answers:
            frame = self.load.speech.frame(data)
            if frame.t in ("ok", "err", "welcome"):
                self.answered(frame)
        self.load.figures.watched += 1


class Load:
    """All tables of a load test."""

    def __init__(self, url: str, game: str, *, msgpack: bool = False, think: float = 0.0) -> None:
        self.url = url.rstrip("/")
        self.game = game
        self.speech = Speech(msgpack)
        self.think = think
        self.going = False
        self.figures = Figures()
        self.tables: list[Table] = []
        self.watchers: list[Watcher] = []
        self.trouble = ""
        self._named = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self, rooms: int, opened: Callable[[int], None]) -> None:
        """Open so many rooms with two players each."""
        self.tables = [Table(self) for _ in range(rooms)]
        await _few_at_a_time([table.open for table in self.tables], opened)

    async def watch(self, each: int, opened: Callable[[int], None]) -> None:
        """Let so many watch each room. Eight share a session, as a user may have eight windows."""
        new: list[tuple[Watcher, str]] = []
        for table in self.tables:
            new += [(Watcher(self), table.room) for _ in range(each)]
        for first in range(0, len(new), 8):
            token = (await self.call("/api/session", {"name": self.name()}))["token"]
            for watcher, _ in new[first : first + 8]:
                watcher.token = token
        await _few_at_a_time([lambda w=watcher, r=room: w.watch(r) for watcher, room in new], opened)  # type: ignore[misc]
        self.watchers = [watcher for watcher, _ in new]

    def start(self) -> None:
        """Begin to move; spread out if everybody thinks."""
        self.going = True
        loop = asyncio.get_running_loop()
        for place, table in enumerate(self.tables):
            for player in table.players:
                loop.call_later(self.think * place / len(self.tables), player.move_if_due)

    def close(self) -> None:
        """Everybody goes."""
        self.going = False
        for task in self._tasks:
            task.cancel()
        for guest in (*self.watchers, *(player for table in self.tables for player in table.players)):
            if guest.open:
                guest.hang_up()

    def name(self) -> str:
        """A name for somebody new."""
        self._named += 1
        return f"Load {self._named}"

    async def call(self, path: str, body: Any, token: str = "") -> Any:
        """Ask the HTTP side for something."""
        return await request("POST", self.url + path, body, token, seconds=60)

    def spawn(self, work: Awaitable[None]) -> None:
        """Do something on the side."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def failed(self, why: str) -> None:
        """Something went wrong on the side; the first reason is the one to tell."""
        self.trouble = self.trouble or why


async def _few_at_a_time(work: list[Callable[[], Awaitable[None]]], done: Callable[[int], None]) -> None:
    left, finished = iter(work), 0

    async def worker() -> None:
        nonlocal finished
        for one in left:
            await one()
            finished += 1
            done(finished)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(AT_ONCE, len(work))):
            group.create_task(worker())

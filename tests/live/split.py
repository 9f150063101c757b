"""Hosts and gateways as processes of their own on one store, and people who play on them without a pause."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import msgspec
import redis

from cards import find_game
from engine.bots import BOTS
from engine.merge import canonical
from rooms.keys import keys_of
from rooms.state import unpack_room
from server.client import Client, Seat
from server.commands.bot import read_offer
from tests.live.serving import COMMON, Truth
from tests.redis_servers import Server, free_port, until

ROOT = Path(__file__).parents[2]
LEASE = COMMON["lease_ms"] / 1000
GAME = find_game("ggltcg")


class Part:
    """One process: a host, a gateway, or both."""

    def __init__(self, split: Split, role: str, *flags: str) -> None:
        self.role = role
        number = len(split.parts)
        self.out, self.log = (split.folder / f"{role}{number}.{end}" for end in ("out", "log"))
        settings = {**COMMON, "redis": split.url(role), "state": split.folder / "state", **split.settings}
        settings["port"] = 0 if role == "host" else free_port()
        words = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
        env = {name: value for name, value in os.environ.items() if not name.startswith("UPCARD_")}
        with self.out.open("wb") as out, self.log.open("wb") as log:
            command = [sys.executable, "-m", "tests.service", role, *words, *flags]
            self.process = subprocess.Popen(command, stdout=out, stderr=log, env=env, cwd=ROOT)
        self.name = ""  # of a host: its incarnation; of a gateway: its address

    @property
    def pid(self) -> int:
        return self.process.pid

    def wait_ready(self) -> Part:
        self.name = until(self._ready, what=self.role)
        return self

    def _ready(self) -> str:
        if self.process.poll() is not None:
            raise AssertionError(f"the {self.role} did not start: {self.said()}")
        words = self.out.read_text().split()
        return words[1] if len(words) > 1 else ""

    def signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(10)

    async def leaves(self, seconds: float = 15.0) -> int:
        """Its exit status, once it is gone."""
        return await asyncio.to_thread(self.process.wait, seconds)

    def said(self) -> str:
        return self.log.read_text(errors="replace")[-3000:]


class Split:
    """A store and whatever runs on it."""

    def __init__(self, folder: Path, store: Any = None, **settings: Any) -> None:
        self.folder, self.settings = folder, {"log_level": "info", "drain_spread_seconds": 0.5, **settings}
        self.server = store or Server(folder / "store")
        self.parts: list[Part] = []
        self.guarded = False

    def start(self, hosts: int = 2, gateways: int = 2, guarded: bool = False) -> Split:
        self.server.start()
        if guarded:
            self.guard()
        for role, many in (("host", hosts), ("gateway", gateways)):
            for _ in range(many):
                self.add(role)
        for part in self.parts:
            part.wait_ready()
        return self

    def add(self, role: str, *flags: str) -> Part:
        self.parts.append(Part(self, role, *flags))
        return self.parts[-1]

    def stop(self) -> None:
        for part in self.parts:
            if part.process.poll() is None:
                part.signal(signal.SIGCONT)
                part.kill()
        self.server.stop()

    @property
    def hosts(self) -> list[Part]:
        return [part for part in self.parts if part.role in ("host", "serve") and part.process.poll() is None]

    @property
    def gateways(self) -> list[Part]:
        return [part for part in self.parts if part.role in ("gateway", "serve") and part.process.poll() is None]

    def url(self, role: str) -> str:
        """The store's address, for whoever is to have that role."""
        return self.server.url.replace("//", f"//{role}:{role}@") if self.guarded else self.server.url

    def guard(self) -> None:
        """Give each role only the rights that our own file for the store gives it."""
        self.guarded = True
        with self.server.client() as store:
            for line in (ROOT / "deploy" / "users.acl").read_text().splitlines():
                name = line.split()[1]
                if name != "default":
                    rights = re.sub(r">@\w+@", f">{name}", line).split()[2:]
                    store.execute_command("ACL", "SETUSER", name, *rights)

    async def looks(self) -> dict[str, Any]:
        """What `upcard rooms --json` says."""
        command = [sys.executable, "-m", "server.cli", "rooms", "--json", f"--redis={self.url('ops')}"]
        done = await asyncio.to_thread(subprocess.run, command, cwd=ROOT, capture_output=True, check=True)
        found: dict[str, Any] = msgspec.json.decode(done.stdout)
        return found

    async def host_facts(self, part: Part) -> dict[str, Any]:
        facts = (await self.looks())["hosts"]
        return next((host for host in facts if host["name"] == part.name), {})

    def owner(self, room: str) -> str:
        with self.server.client() as store:
            return (store.hget(keys_of(room).meta, "own") or b"").decode()

    def truth(self, room: str) -> Truth:
        keys = keys_of(room)
        with self.server.client() as store:
            state: Any = store.get(keys.state)
            entries: Any = store.xrange(keys.inputs)
        return Truth(unpack_room(state), [next(iter(fields.values())) for _, fields in entries])

    def store(self) -> redis.Redis:
        return self.server.client()


class Player:
    """Somebody who plays, and writes down what they were promised and what they were refused."""

    def __init__(self, url: str, name: str) -> None:
        self.client = Client(url, name=name)
        self.client.frames.append(self._frame)
        self.errors: Counter[str] = Counter()
        self.acked: dict[str, dict[int, int]] = defaultdict(dict)  # room -> number of the move -> version
        self.times: dict[str, list[float]] = defaultdict(list)  # room -> when moves were acknowledged
        self.elsewhere = ""  # where to go when shown out
        self.backwards = 0
        self._newest: dict[str, tuple[int, int]] = {}

    def _frame(self, frame: dict[str, Any]) -> None:
        if frame["t"] == "err":
            self.errors[frame["code"]] += 1
        elif frame["t"] == "bye" and self.elsewhere:
            self.client.url = self.elsewhere
        elif frame["t"] in ("snap", "delta"):
            room = frame["room"]
            epoch = int(frame.get("epoch", self._newest.get(room, (0, 0))[0]))
            at = (epoch, frame["v"])
            self.backwards += at < self._newest.get(room, (0, 0))
            self._newest[room] = max(at, self._newest.get(room, (0, 0)))

    async def opens(self) -> str:
        """A room of their own, through whichever gateway is there."""
        while True:
            try:
                return str((await self.client.make_room(GAME.id))["room"])
            except OSError:  # it has just been stopped
                await asyncio.sleep(0.05)

    async def play(self, seat: Seat, pause: float, over: asyncio.Event | None = None) -> None:
        """Play a match to its end, or until it is enough."""
        agent = BOTS["random"](GAME, seat.seat or 0, seat.seat or 0)
        while (offers := await seat.my_turn()) and not (over is not None and over.is_set()):
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))
            n = seat.n
            ok = await seat.act(dict(agent.pick(seat.view, [read_offer(offer) for offer in offers], seat.record)))
            self.acked[seat.room][n] = ok["v"]
            self.times[seat.room].append(time.monotonic())


class Load:
    """Pairs of people at tables, one through each gateway, who play match after match until it is enough."""

    def __init__(self, split: Split, tables: int = 6, pause: float = 0.03) -> None:
        self.split, self.tables, self.pause = split, tables, pause
        self.enough = asyncio.Event()
        self.players: list[Player] = []
        self.seats: dict[str, list[Seat]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Load:
        urls = [part.name for part in self.split.gateways]
        for table in range(self.tables):
            pair = [Player(urls[(table + k) % len(urls)], f"{'ab'[k]}{table}") for k in (0, 1)]
            for player in pair:
                player.elsewhere = next((url for url in urls if url != player.client.url), "")
                await player.client.open()
            self.players += pair
            self._tasks.append(asyncio.create_task(self._sit(*pair)))
        await self.moves_each(3)
        return self

    async def __aexit__(self, kind: Any, *_: object) -> None:
        self.enough.set()
        if kind is not None:
            for task in self._tasks:
                task.cancel()
        await asyncio.gather(*(player.client.close() for player in self.players), return_exceptions=True)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _sit(self, ana: Player, bo: Player) -> None:
        while not self.enough.is_set():
            room = await ana.opens()
            seats = [await player.client.join(room) for player in (ana, bo)]
            self.seats[room] = seats
            playing = [
                asyncio.create_task(player.play(seat, self.pause, self.enough))
                for player, seat in zip((ana, bo), seats, strict=True)
            ]
            stop = asyncio.create_task(self.enough.wait())
            try:
                await asyncio.wait([asyncio.ensure_future(_all(playing)), stop], return_when=asyncio.FIRST_COMPLETED)
                await asyncio.wait(playing, timeout=0.5)
            finally:
                for task in (*playing, stop):
                    task.cancel()
                done = await asyncio.gather(*playing, return_exceptions=True)
            for error in done:
                if isinstance(error, Exception):
                    raise error

    # what is going on

    def moves(self, player: Player) -> int:
        return sum(map(len, player.acked.values()))

    async def moves_each(self, more: int, seconds: float = 20.0) -> None:
        """Wait until everybody has made so many more moves."""
        before = {player: self.moves(player) for player in self.players}
        async with asyncio.timeout(seconds):
            while not all(self.moves(player) >= before[player] + more for player in self.players):
                self.check_tasks()
                await asyncio.sleep(0.02)

    def check_tasks(self) -> None:
        for task in self._tasks:
            if task.done():
                task.result()

    def errors(self) -> Counter[str]:
        """What people were refused: every code, since they only ever play what they were offered."""
        return sum((player.errors for player in self.players), Counter())

    def longest_silence(self, since: float) -> float:
        """The longest time that somebody waited between two moves at any table, from a moment on."""
        longest = 0.0
        for room in self.seats:
            times = sorted(at for player in self.players for at in player.times.get(room, ()) if at >= since)
            longest = max([longest, *(b - a for a, b in itertools.pairwise(times))])
        return longest

    async def finish(self) -> None:
        """Stop, and check what must hold whatever happened: nothing lost, nothing twice, everybody sees the same."""
        self.enough.set()
        await asyncio.wait(self._tasks, timeout=5)
        self.check_tasks()
        for room, seats in self.seats.items():
            await self._converged(room, seats)
            inputs = self.split.truth(room).inputs
            for k, seat in enumerate(seats):
                player = next(one for one in self.players if one.client is seat.client)
                numbers = [entry["n"] for entry in inputs if entry.get("seat") == k and entry.get("n")]
                assert numbers == list(range(1, len(numbers) + 1)), (room, k, numbers)
                written = {entry["n"]: entry["v"] for entry in inputs if entry.get("seat") == k}
                for n, v in player.acked[room].items():
                    assert written.get(n) == v, (room, k, n, v)
            self.split.truth(room).tables()  # and the inputs lead to the table
        assert not any(seat.drifts for seats in self.seats.values() for seat in seats)
        assert not any(player.backwards for player in self.players)

    async def _converged(self, room: str, seats: list[Seat]) -> None:
        """What players have in the end is what a newcomer is shown."""
        ver = max(1, len(self.split.truth(room).entries))  # both sit, so it is dealt or about to be
        for seat in seats:
            async with asyncio.timeout(8):
                await seat.until(lambda seat=seat: seat.v >= ver)
        for player in [one for one in self.players if any(one.client is seat.client for seat in seats)]:
            had = player.client.rooms[room]
            async with Client(player.client.url, token=player.client.token) as again:
                fresh = await again.join(room)
                assert (fresh.v, canonical(fresh.view)) == (had.v, canonical(had.view))


async def _all(tasks: list[asyncio.Task[None]]) -> None:
    """Until all are done, or one has failed."""
    await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)

"""A running service for the tests: the process, its store, and what really lies on its tables."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import redis

from cards import find_game
from engine.match import Match
from engine.replay import Input
from engine.store import state_hash, unpack
from engine.table import Table
from rooms import fault_points
from rooms.embedded import socket_for
from rooms.keys import keys_of
from rooms.state import RoomState, unpack_room
from server.settings import HIDDEN
from tests.redis_servers import free_port, until

PAST = ("/replay", "/api/players", "/api/leaderboard", "/api/stats")  # they speak of matches that are over
PATIENCE = 10.0  # seconds before a test gives up on something that should happen at once
COMMON = {  # short leases, and nobody is slowed unless the test is about that
    "durability": "everysec",
    "lease_ms": 1500,
    "renew_ms": 400,
    "sweep_ms": 200,
    "player_commands": 100_000,
    "watcher_commands": 100_000,
    "command_burst": 10_000,
    "chat_lines": 10_000,
    "log_level": "warning",
    "bot_least_seconds": 0,
    "bot_most_seconds": 0,
    "audit_seconds": 86_400,  # a match with ids of four digits cannot be played again by a process that makes others
}


class Answer(NamedTuple):
    """What an HTTP call came back with."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)


class Live:
    """One `upcard serve` and everybody who is connected to it."""

    def __init__(self, folder: Path, program: Path | None = None, **settings: Any) -> None:
        self.folder = folder
        self.program = program  # where another build of ours lies, if it is that which is to be tested
        # Its own from the start and not one of those that callers are given: it must be free when it starts again.
        self.settings = {**COMMON, "port": free_port(), **settings}
        self.process: subprocess.Popen[bytes] | None = None
        self.url = ""
        self.people: list[Any] = []  # everybody who was ever told something
        self.faults = ""  # at which moment it is to die; once
        self.searched = True  # for hidden cards, after each test
        self.pages: list[bytes] = []  # every HTTP answer to somebody without a seat

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    @property
    def store_pid(self) -> int:
        return int((self.folder / "state" / "store.pid").read_text())

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def netloc(self) -> str:
        return self.url.removeprefix("http://")

    # the process

    def start(self) -> Live:
        """Start it, on the same address as before if it ran already, and wait until it is ready."""
        out = self.folder / "out"
        settings = {**self.settings, "state": self.folder / "state"}
        flags = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items() if name not in HIDDEN]
        env = {name: value for name, value in os.environ.items() if not name.startswith("UPCARD_")}
        env |= {f"UPCARD_{name.upper()}": str(value) for name, value in settings.items() if name in HIDDEN}
        env |= {fault_points.VARIABLE: self.faults} if self.faults else {}
        self.faults = ""
        with out.open("wb") as said, (self.folder / "log").open("ab") as log:
            command = [sys.executable, "-m", "server.cli" if self.program else "tests.service", "serve", *flags]
            cwd = self.program or Path(__file__).parents[2]
            self.process = subprocess.Popen(command, stdout=said, stderr=log, env=env, cwd=cwd)
        found = until(lambda: self._ready_line(out), what="the service")
        self.url = found[1].decode()
        return self

    def stop(self, sign: int = signal.SIGTERM) -> int:
        """Ask it to stop; its exit status."""
        assert self.process is not None
        if self.running:
            os.kill(self.pid, signal.SIGCONT)
            os.kill(self.pid, sign)
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        """End it without warning."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(PATIENCE)

    async def start_again(self) -> Live:
        """Start it while others go on."""
        return await asyncio.to_thread(self.start)

    def _ready_line(self, out: Path) -> re.Match[bytes] | None:
        assert self.process is not None
        if self.process.poll() is not None:
            raise AssertionError(f"the service did not start: {self.said()}")
        return re.search(rb"^ready (http://\S+)$", out.read_bytes(), re.M)

    def said(self) -> str:
        """The end of its log."""
        return (self.folder / "log").read_text(errors="replace")[-4000:]

    # HTTP

    async def call(
        self, method: str, path: str, body: Any = None, token: str = "", raw: bytes | None = None, **headers: str
    ) -> Answer:
        """An HTTP call as it is, whatever comes back."""
        data = raw if raw is not None else b"" if body is None else msgspec.json.encode(body)
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.netloc}", "Connection: close"]
        lines += [f"Content-Length: {len(data)}"] if data or method == "POST" else []
        lines += [f"Authorization: Bearer {token}"] if token else []
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        host, _, port = self.netloc.rpartition(":")
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write("\r\n".join([*lines, "", ""]).encode() + data)
            whole = await reader.read()
            writer.close()
        head, _, content = whole.partition(b"\r\n\r\n")
        status, *fields = head.decode().split("\r\n")
        pairs = (field.split(": ", 1) for field in fields)
        if not any(past in path for past in PAST):
            self.pages.append(content)
        return Answer(int(status.split()[1]), {name.lower(): value for name, value in pairs}, content)

    async def session(self, name: str = "") -> dict[str, Any]:
        """A new guest."""
        answer = await self.call("POST", "/api/session", {"name": name} if name else {})
        assert answer.status == 201, answer
        found: dict[str, Any] = answer.json
        return found

    async def number(self, name: str) -> float:
        """A figure of /metrics; 0 if it is not told."""
        text = (await self.call("GET", "/metrics")).body.decode()
        found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.M)
        return float(found[1]) if found else 0.0

    # the truth

    def store(self) -> redis.Redis:
        return redis.Redis(unix_socket_path=str(socket_for(self.folder / "state")), protocol=2)

    def truth(self, room: str) -> Truth:
        """What really happened in a room, whoever may know it."""
        keys = keys_of(room)
        with self.store() as store:
            pipe = store.pipeline()
            pipe.get(keys.state)
            pipe.xrange(keys.inputs)
            state, entries = pipe.execute()
        return Truth(unpack_room(state), [next(iter(fields.values())) for _, fields in entries])


class Truth:
    """A room as the store has it: every input, and the table after each of them."""

    def __init__(self, state: RoomState, entries: list[bytes]) -> None:
        self.state = state
        self.entries: list[dict[str, Any]] = [msgspec.json.decode(entry) for entry in entries]

    @property
    def inputs(self) -> list[dict[str, Any]]:
        """What was done after the deal."""
        return [entry for entry in self.entries if entry["v"] > 1]

    def tables(self) -> dict[int, Table]:
        """The whole table at each version, played again from the seed."""
        if not self.state.table:
            return {}
        game = find_game(self.state.setup.game)
        last = unpack(game, self.state.table)
        match = Match.deal(
            game,
            seats=self.state.setup.seats,
            seed=last.seed,
            decks=self.state.decks,
            options=self.state.setup.options,
            first=self.state.setup.first,
            names=[str(last.seat(seat).facts["name"]) for seat in range(last.seats)],
            version=1,
        )
        match.remember()
        found = {1: _copy(match)}
        for entry in self.inputs:
            entry = {name: value for name, value in entry.items() if name != "hash"}
            msgspec.convert(entry, Input).apply(match)
            found[entry["v"]] = _copy(match)
        assert state_hash(match.table) == state_hash(last), "the inputs in the store do not lead to its table"
        return found


def _copy(match: Match) -> Table:
    table = match.table
    return msgspec.structs.replace(table, entities=dict(table.entities), zones=dict(table.zones))


def milliseconds() -> int:
    """The time as the service tells it."""
    return round(time.time() * 1000)

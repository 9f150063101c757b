"""Real servers for the tests: alone, in a cluster, watched by sentinels. Nothing is mocked.

Each is a process of its own on the loopback interface with a folder of its own, and is ended by its process id.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import redis

from rooms.embedded import find_server

HOST = "127.0.0.1"


def free_port() -> int:
    """A port that nobody has, below those that the system hands out to callers."""
    while True:
        port = random.SystemRandom().randrange(12000, 32000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind((HOST, port))
            return port


def until(true: Callable[[], Any], seconds: float = 20.0, what: str = "it") -> Any:
    """Wait for something to become true."""
    end = time.monotonic() + seconds
    while True:
        with contextlib.suppress(redis.RedisError, OSError):
            if value := true():
                return value
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come true in {seconds:g} s")
        time.sleep(0.01)


class Server:
    """One server process."""

    def __init__(self, folder: Path, *settings: str, unix: bool = False, sentinel: bool = False) -> None:
        self.folder, self.settings, self.sentinel = folder, settings, sentinel
        folder.mkdir(parents=True, exist_ok=True)
        self.socket = folder / "s" if unix else None
        self.port = 0 if unix else free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.password = settings[settings.index("--requirepass") + 1] if "--requirepass" in settings else None

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    @property
    def url(self) -> str:
        return f"unix://{self.socket}" if self.socket else f"redis://{HOST}:{self.port}"

    def start(self) -> Server:
        for _ in range(5):  # somebody else may have taken the port meanwhile
            self.process = subprocess.Popen(self._command(), cwd=self.folder)
            with contextlib.suppress(AssertionError):
                until(self._ready, what=self.url)
                if self.process.poll() is None:
                    return self
            self.kill()
            self.port = self.port and free_port()
        raise AssertionError(f"no server came up in {self.folder}")

    def client(self) -> redis.Redis:
        if self.socket:
            return redis.Redis(unix_socket_path=str(self.socket), protocol=2, password=self.password)
        return redis.Redis(HOST, self.port, protocol=2, socket_timeout=2, password=self.password)

    def ask(self, *words: Any) -> Any:
        with self.client() as client:
            return client.execute_command(*words)

    def info(self, part: str) -> dict[str, Any]:
        with self.client() as client:
            found: dict[str, Any] = client.info(part)
            return found

    def freeze(self) -> None:
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """End it without warning."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    stop = kill

    def _ready(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            return True  # start() looks at that
        try:
            return self.ask("PING") in (True, b"PONG")
        except redis.AuthenticationError:
            return True

    def _command(self) -> list[str]:
        where = ["--unixsocket", str(self.socket)] if self.socket else ["--bind", HOST]
        common = ["--port", str(self.port), *where, "--logfile", "log", "--save", "", "--dir", str(self.folder)]
        if self.sentinel:
            config = self.folder / "sentinel.conf"
            config.touch()
            return [str(find_server().path), str(config), "--sentinel", *common[:4], "--logfile", "log", *self.settings]
        return [str(find_server().path), *common, "--enable-debug-command", "yes", *self.settings]


class Cluster:
    """Three primaries and their three replicas."""

    def __init__(self, folder: Path) -> None:
        ways = ("--cluster-enabled", "yes", "--cluster-node-timeout", "1000", "--cluster-replica-validity-factor", "0")
        more = ("--cluster-require-full-coverage", "no", "--repl-diskless-sync-delay", "0", "--appendonly", "no")
        self.servers = [Server(folder / str(n), *ways, *more, "--cluster-port", str(free_port())) for n in range(6)]

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"{HOST}:{server.port}" for server in self.servers[:2])

    def start(self) -> Cluster:
        for server in self.servers:
            server.start()
        for n, server in enumerate(self.servers):
            server.ask("CLUSTER", "SET-CONFIG-EPOCH", n + 1)
        first = self.servers[0]
        for other in self.servers[1:]:
            bus = other.settings[other.settings.index("--cluster-port") + 1]
            first.ask("CLUSTER", "MEET", HOST, other.port, bus)
        for n, share in enumerate(((0, 5460), (5461, 10922), (10923, 16383))):
            self.servers[n].ask("CLUSTER", "ADDSLOTSRANGE", *share)
        until(lambda: all(len(self.known_to(server)) == 6 for server in self.servers), what="the meeting")
        for n in range(3):
            self.servers[3 + n].ask("CLUSTER", "REPLICATE", self.name(self.servers[n]))
        self.settle()
        return self

    def client(self) -> Any:
        """Whoever holds a key is asked for it."""
        return redis.RedisCluster(HOST, self.alive()[0].port, protocol=2)

    def settle(self) -> None:
        """Wait until all agree and every replica has a primary."""
        until(self._settled, 40, "the cluster's peace")

    def known_to(self, server: Server) -> list[str]:
        """One line for every server that this one has heard of."""
        lines: list[str] = server.ask("CLUSTER", "NODES").decode().splitlines()
        return lines

    def name(self, server: Server) -> str:
        own: bytes = server.ask("CLUSTER", "MYID")
        return own.decode()

    def alive(self) -> list[Server]:
        return [server for server in self.servers if server.process is not None and server.process.poll() is None]

    def primaries(self) -> list[Server]:
        return [server for server in self.alive() if server.info("replication")["role"] == "master"]

    def owner(self, slot: int) -> Server:
        """The server that holds a slot, by what the servers say."""
        for first, last, primary, *_ in self.alive()[0].ask("CLUSTER", "SLOTS"):
            if first <= slot <= last:
                return next(server for server in self.servers if server.port == primary[1])
        raise AssertionError(f"nobody holds slot {slot}")

    def migrate(self, slot: int, source: Server, target: Server) -> None:
        """Give an empty or small slot to another primary, keys and all."""
        target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", self.name(source))
        source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", self.name(target))
        for key in source.ask("CLUSTER", "GETKEYSINSLOT", slot, 1000):
            source.ask("MIGRATE", HOST, target.port, key, 0, 1000)
        for server in (target, source):
            server.ask("CLUSTER", "SETSLOT", slot, "NODE", self.name(target))

    def stop(self) -> None:
        for server in self.servers:
            server.kill()

    def _settled(self) -> bool:
        for server in self.alive():
            role = server.info("replication")
            if b"cluster_state:ok" not in server.ask("CLUSTER", "INFO"):
                return False
            if role["role"] == "slave" and role["master_link_status"] != "up":
                return False
        views = {tuple(sorted((first, last, primary[1]) for first, last, primary, *_ in rows)) for rows in self._maps()}
        return len(views) == 1 and len(self.primaries()) == 3

    def _maps(self) -> list[Any]:
        return [server.ask("CLUSTER", "SLOTS") for server in self.alive()]


class Watched:
    """A primary, its replica, and three sentinels that watch over them."""

    service = "upcard"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.primary = Server(folder / "primary", "--repl-diskless-sync-delay", "0")
        self.replica: Server | None = None
        self.sentinels: list[Server] = []

    @property
    def url(self) -> str:
        return f"redis+sentinel://{','.join(f'{HOST}:{each.port}' for each in self.sentinels)}/{self.service}"

    def start(self) -> Watched:
        self.primary.start()
        copy = self.replica = Server(self.folder / "replica", "--replicaof", HOST, str(self.primary.port)).start()
        until(lambda: copy.info("replication")["master_link_status"] == "up", what="the copy")
        for n in range(3):
            sentinel = Server(self.folder / f"sentinel{n}", sentinel=True).start()
            self.sentinels.append(sentinel)
            for word, value in (("INFO", 200), ("ASK", 100), ("PING", 100), ("PUBLISH", 100)):  # all of them: hurry
                sentinel.ask("SENTINEL", "DEBUG", f"{word}-PERIOD", value)
            sentinel.ask("SENTINEL", "MONITOR", self.service, HOST, self.primary.port, 2)
            sentinel.ask("SENTINEL", "SET", self.service, "DOWN-AFTER-MILLISECONDS", 500, "FAILOVER-TIMEOUT", 1500)
        until(lambda: all(self._sees(sentinel) for sentinel in self.sentinels), 30, "the watch")
        return self

    def client(self) -> redis.Redis:
        """Whichever of the two is the primary now."""
        pair = [server for server in (self.primary, self.replica) if server and server.process.poll() is None]
        return next(server for server in pair if server.info("replication")["role"] == "master").client()

    def stop(self) -> None:
        for server in (*self.sentinels, self.primary, *([self.replica] if self.replica else ())):
            server.kill()

    def _sees(self, sentinel: Server) -> bool:
        with sentinel.client() as client:
            seen = client.info("sentinel")["master0"]
        return bool(seen["status"] == "ok" and seen["slaves"] == 1 and seen["sentinels"] == 3)


@contextlib.contextmanager
def running(server: Any) -> Iterator[Any]:
    """Start it, and end it whatever happens."""
    try:
        yield server.start()
    finally:
        server.stop()

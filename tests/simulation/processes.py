"""One process of the service: every part of it as in production, put together as `server.app` does."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import deque
from collections.abc import Callable

from rooms.guestbook import Known
from rooms.host import Host
from rooms.house import House
from rooms.line import HostLine
from rooms.nodes import Nodes, StoreTrouble
from rooms.places import Rooms
from rooms.registry import GATEWAYS, HOSTS, Entry, Registry, StoreTime
from rooms.remote_host import RemoteHost
from rooms.scripts import SCRIPTS
from server.doorkeeper import Visitor
from server.gateway import Gateway
from server.identity import BadToken, User
from server.metrics import Metrics
from server.settings import Settings
from server.wires import Listener
from tests.simulation.network import Link, Network
from tests.simulation.time_and_turns import Loop

# Nobody is slowed: that clock is the real one.
SETTINGS = Settings(player_commands=100_000, watcher_commands=100_000, command_burst=10_000)
METRICS = Metrics()
SILENT = 12.0  # seconds after which a gateway gives up a player who says nothing


class Doorkeeper:
    """Believes everybody."""

    async def admit(self, token: str) -> Visitor:
        """The name is the proof."""
        if not token:
            raise BadToken("bad_token", "Nobody.")
        return Visitor(User(token, token), 0)

    async def look_up(self, user: str) -> Known:
        """There is nothing to know."""
        return Known()

    def check(self, known: Known, issued: int) -> None:
        """Everybody may stay."""


class Process:
    """A host, a gateway, or both in one."""

    def __init__(self, loop: Loop, name: str, roles: tuple[str, ...], idle_seconds: float, repairs: bool) -> None:
        self.loop, self.name, self.roles, self.idle_seconds, self.repairs = loop, name, roles, idle_seconds, repairs
        self.host: Host | None = None
        self.gateway: Gateway | None = None
        self.ready = self.leaving = False
        loop.create_task(self._start())

    async def _start(self) -> None:
        while True:
            self.nodes = Nodes("redis://store", SCRIPTS)
            try:
                await self.nodes.start()
                break
            except StoreTrouble:
                await asyncio.sleep(0.2)
        if HOSTS in self.roles:
            host = self.host = Host(self.nodes, name=self.name)
            host.idle_seconds, host.repairs = self.idle_seconds, self.repairs
            self.registry = Registry(self.nodes, host.now, host.heard_time)
            self.registry.enter(HOSTS, host.own, lambda: self._entry(len(host.rooms)))
            await _insist(HostLine(host, self.registry).start)
        else:
            clock = StoreTime()
            self.registry = Registry(self.nodes, clock.now, clock.heard)
        if GATEWAYS in self.roles:
            await self._open_gateway()
        await _insist(self.registry.start)
        if self.host is not None:
            self.host.start()
        self.ready = True

    async def _open_gateway(self) -> None:
        host = self.host
        own = host.own if host is not None else f"{self.name}.{secrets.token_hex(4)}"
        far = self.far = RemoteHost(self.nodes, own, self.registry, mine=own if host is not None else "")
        self.registry.enter(GATEWAYS, own, lambda: self._entry(len(gateway.connections)))
        rooms: Rooms = far if host is None else House(host, far)
        gateway = Gateway(rooms, Doorkeeper(), SETTINGS, METRICS)  # type: ignore[arg-type]
        await _insist(far.start)
        self.gateway = gateway

    def _entry(self, load: int) -> Entry:
        return Entry(load, "draining" if self.leaving else "up")

    async def leave(self, gone: Callable[[], None]) -> None:
        """Say goodbye to everybody, hand the rooms over, and stop."""
        self.ready, self.leaving = False, True
        if GATEWAYS in self.roles:
            self.far.draining = True
        if self.host is not None:
            self.host.draining = True
        with contextlib.suppress(StoreTrouble):
            await self.registry.announce()
        if self.gateway is not None:
            await self.gateway.drain(0.0)
        if self.host is not None:
            await self.host.stop()
        with contextlib.suppress(StoreTrouble):
            await self.registry.stop()
        gone()


async def _insist(start: Callable[[], object]) -> None:
    """Production gives up when the store is away at the start, and is started again; that again and again is this."""
    while True:
        try:
            await start()  # type: ignore[misc]
            return
        except StoreTrouble:
            await asyncio.sleep(0.2)


class DoorWire:
    """The gateway's end of a player's connection."""

    full = False
    buffered = waiting = lag = 0

    def __init__(self, net: Network, process: Process, said: Callable[[bytes], None], cut: Callable[[], None]) -> None:
        self.process = process
        self.code: int | None = None
        self.listener: Listener | None = None
        self.deaf = False
        self._held: deque[bytes] = deque()
        self.link = Link(net, process.loop, self._heard, said)
        self.link.near_gone, self.link.far_gone = self._gone, cut

    @property
    def closed(self) -> bool:
        return self.code is not None

    def listen(self, listener: Listener) -> None:
        self.listener = listener

    def write(self, frame: bytes) -> bool:
        if self.closed:
            return False
        self.link.send_out(frame)
        return True

    send_text = send_binary = write

    def heartbeat(self, ping: float, silent: float) -> None:
        pass

    def pause(self) -> None:
        self.deaf = True

    def resume(self) -> None:
        self.deaf = False
        while self._held and not self.deaf and not self.closed and self.listener is not None:
            self.listener.on_frame(self._held.popleft(), True)

    def close(self, code: int, reason: str = "") -> None:
        if not self.closed:
            self.code = code
            self.link.leave(SILENT)
            if self.listener is not None:
                self.process.loop.call_soon(self.listener.on_close, code)

    abort = close

    def _heard(self, data: bytes) -> None:
        if self.listener is None and not self.closed:  # the first word is also the knock at the door
            if self.process.ready and self.process.gateway is not None:
                self.process.gateway.connect(self, True, "")
            else:
                self.close(4503)
        if self.deaf:
            self._held.append(data)
        elif self.listener is not None and not self.closed:
            self.listener.on_frame(data, True)

    def _gone(self) -> None:
        if not self.closed:
            self.code = 1006
            if self.listener is not None:
                self.listener.on_close(1006)

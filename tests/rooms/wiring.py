"""Hosts and gateways in one process, each with connections of its own, and people who remember what they heard."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from cards import find_game
from engine.bots import BOTS
from engine.merge import merge
from rooms import wire
from rooms.happenings import Acted, Came, Who
from rooms.host import Host
from rooms.keys import keys_of
from rooms.line import HostLine
from rooms.nodes import Nodes
from rooms.registry import GATEWAYS, HOSTS, Entry, Registry, StoreTime
from rooms.remote_host import RemoteHost
from rooms.remote_room import RemoteRoom
from rooms.scripts import SCRIPTS
from rooms.state import Setup, Sitter
from rooms.telling import Told
from server.commands.bot import read_offer
from tests.redis_servers import Server

GAME = find_game("ggltcg")
LEASE_MS = 1500


class Person:
    """A guest who remembers what they heard."""

    def __init__(self, user: str) -> None:
        self.who = Who(user, user)
        self.frames: list[dict[str, Any]] = []
        self.closed = 0
        self.mirrored = False
        self.view: dict[str, Any] = {}
        self.v, self.epoch, self.n = -1, "", 1
        self.offers: list[dict[str, Any]] = []
        self.ask: dict[str, Any] | None = None
        self.news = asyncio.Event()

    def follows(self, view: str, late: bool) -> bool:
        return True

    def tell(self, frame: wire.Frame | Told) -> None:
        data = frame.json if isinstance(frame, Told) else msgspec.json.encode(frame)
        said = msgspec.json.decode(data)
        self.frames.append(said)
        if said["t"] == "delta":
            assert said["v"] == self.v + 1, (self.v, said["v"])
            self.view = merge(self.view, said.get("patch", {}))
        if said["t"] in ("snap", "delta"):
            self.view = said.get("view", self.view)
            self.v, self.epoch = said["v"], said.get("epoch", self.epoch)
            self.offers, self.ask = said.get("offers", self.offers), said.get("ask", self.ask)
            self.n = said.get("n", self.n)
        self.news.set()

    def mirror(self) -> None:
        self.mirrored = True

    def close(self, code: int) -> None:
        self.closed = code

    async def hears(self, test: Callable[[dict[str, Any]], object], seconds: float = 5.0) -> dict[str, Any]:
        """The first thing they heard that fits."""
        async with asyncio.timeout(seconds):
            while not (found := [frame for frame in self.frames if test(frame)]):
                self.news.clear()
                await self.news.wait()
        return found[0]

    async def answer(self, i: str, seconds: float = 5.0) -> dict[str, Any]:
        return await self.hears(lambda frame: frame.get("i") == i and frame["t"] in ("ok", "err"), seconds)

    async def reaches(self, v: int, seconds: float = 5.0) -> None:
        await self.hears(lambda frame: self.v >= v, seconds)

    def told(self, kind: str) -> list[dict[str, Any]]:
        return [frame for frame in self.frames if frame["t"] == kind]


class Table:
    """A room with two people who came through one gateway."""

    def __init__(self, far: RemoteHost, name: str, room: RemoteRoom) -> None:
        self.far, self.name, self.room = far, name, room
        self.ana, self.bo = Person("ana"), Person("bo")
        self._count = 0

    async def join(self, person: Person, **more: Any) -> dict[str, Any]:
        self._count += 1
        i = f"join{self._count}"
        self.room.hear(Came(person.who, wire.Join(i=i, room=self.name, **more), person))
        return await person.answer(i)

    async def sit(self) -> Table:
        for person in (self.ana, self.bo):
            assert (await self.join(person))["t"] == "ok"
        for person in (self.ana, self.bo):
            await person.reaches(1)
        return self

    @property
    def mover(self) -> Person:
        return next(person for person in (self.ana, self.bo) if person.offers)

    def act(self, person: Person, i: str = "") -> wire.Act:
        self._count += 1
        bot = BOTS["random"](GAME, person.view["you"], person.n)
        do = dict(bot.pick(person.view, [read_offer(offer) for offer in person.offers], []))
        ask = person.ask["id"] if person.ask else None
        return wire.Act(i=i or f"act{self._count}", room=self.name, n=person.n, do=do, ask=ask)

    async def move(self, seconds: float = 5.0) -> int:
        """One move by whoever may; both are told. Returns the version."""
        person = self.mover
        act = self.act(person)
        self.room.hear(Acted(person.who, act, person))
        ok = await person.answer(act.i, seconds)
        assert ok["t"] == "ok", ok
        person.n += 1
        for each in (self.ana, self.bo):
            await each.reaches(ok["v"], seconds)
        return int(ok["v"])


class Wiring:
    """Hosts and gateways in this process, each with connections of its own."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.hosts: list[Host] = []
        self.lines: list[HostLine] = []
        self.registries: list[Registry] = []
        self._closing: list[Callable[[], Awaitable[None]]] = []
        self._rooms = 0

    async def nodes(self, scripts: dict[str, str] | None) -> Nodes:
        nodes = Nodes(self.server.url, scripts)
        self._closing.append(nodes.stop)
        await nodes.start()
        return nodes

    async def host(self, name: str = "host", lease_ms: int = LEASE_MS) -> Host:
        host = Host(await self.nodes(SCRIPTS), name=name, lease_ms=lease_ms, renew_ms=400, sweep_ms=200)
        registry = Registry(host.nodes, host.now, host.heard_time)
        registry.enter(HOSTS, host.own, lambda: Entry(state="draining" if host.draining else "up"))
        line = HostLine(host, registry)
        self._closing += [line.stop, registry.stop]
        await line.start()
        await registry.start()
        host.start()
        self._closing.append(host.stop)
        self.hosts.append(host)
        self.lines.append(line)
        self.registries.append(registry)
        return host

    async def gateway(self, name: str = "gate.1") -> RemoteHost:
        nodes, clock = await self.nodes(None), StoreTime()
        registry = Registry(nodes, clock.now, clock.heard)
        registry.enter(GATEWAYS, name, Entry)
        far = RemoteHost(nodes, name, registry)
        self._closing += [far.stop, registry.stop]
        await far.start()
        await registry.start()
        self.registries.append(registry)
        return far

    async def look(self) -> None:
        """Let everybody notice everybody now."""
        for registry in self.registries:
            await registry.tick()

    async def table(self, far: RemoteHost, **setup: Any) -> Table:
        self._rooms += 1
        name = f"room{self._rooms}-{id(self)}"
        made = Setup(game="ggltcg", seats=2, **setup)
        sitter = msgspec.json.encode(Sitter("ana", "ana"))
        assert await far.make(name, made, name, {"seat0": sitter}) == name
        return Table(far, name, await far.room(name))

    def owner(self, table: Table) -> Host:
        return next(host for host in self.hosts if table.name in host.rooms)

    async def close(self) -> None:
        for close in reversed(self._closing):
            await close()


def deafen(table: Table, count: int, *views: str) -> list[int]:
    """Lose the next messages on every channel of a table, or on some. Returns the versions that were lost."""
    lost: list[int] = []
    for view in views or table.room.feeds:
        listener = table.far.ears._wanted[keys_of(table.name).view(view)]
        heard, left = listener.heard, [count]

        def drop(payload: bytes, heard: Any = heard, left: list[int] = left) -> None:
            if left[0]:
                left[0] -= 1
                v = int(payload.split(b":")[1])
                if v not in lost:
                    lost.append(v)
            else:
                heard(payload)

        listener.heard = drop
    return lost


async def silence(wiring: Wiring, host: Host) -> None:
    """A host stops doing anything, and does not know it."""
    for task in host.keeper._tasks:
        task.cancel()
    place = wiring.hosts.index(host)
    line = wiring.lines[place]
    line.inbox.heard = lambda mails: None
    registry = wiring.registries.pop(place)
    assert registry._task is not None
    registry._task.cancel()

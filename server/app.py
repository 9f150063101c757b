"""The service put together: store, rooms, gateway and HTTP, as far as this process has a part in them."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
import structlog
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from rooms.bots import Habits
from rooms.embedded import Embedded, find_server, state_folder
from rooms.host import Host
from rooms.house import House
from rooms.line import HostLine
from rooms.manners import Manners
from rooms.matchmaking import Customs
from rooms.nodes import Nodes, StoreTrouble
from rooms.places import Rooms
from rooms.registry import GATEWAYS, HOSTS, Entry, Registry, StoreTime
from rooms.remote_host import RemoteHost
from rooms.scripts import SCRIPTS
from server.api import Api
from server.cores import cores
from server.doorkeeper import Doorkeeper
from server.games_api import GamesApi
from server.gateway import Gateway
from server.history_api import HistoryApi
from server.identity import Identity, load_keys
from server.identity_api import IdentityApi
from server.limits import address_key
from server.metrics import CONTENT_TYPE, Metrics
from server.pages import Pages
from server.phrases import Words
from server.protocol import MSGPACK, SUBPROTOCOLS
from server.replays_api import ReplaysApi
from server.settings import Settings
from server.site import Site
from server.wires import wire_of

if TYPE_CHECKING:
    from rooms.archive.auditor import Auditor
    from rooms.archive.clerk import Clerk

log = structlog.get_logger()


async def _problem(request: Request, error: Exception) -> Response:
    """What is not there, in the same words as everything else that is refused."""
    status = getattr(error, "status_code", 500)
    code, text = {
        404: ("not_found", "There is nothing here."),
        405: ("bad_method", "That cannot be done here."),
    }.get(status, ("our_fault", "That is our own fault."))
    body = msgspec.json.encode({"code": code, "text": text, "say": [code, {}]})
    return Response(body, status, media_type="application/json")


PROBLEMS = {404: _problem, 405: _problem, 500: _problem}


class Service:
    """Everything that one process runs."""

    def __init__(self, settings: Settings, roles: tuple[str, ...] = (HOSTS, GATEWAYS)) -> None:
        self.settings, self.roles = settings, roles
        self.asked_to_stop: Callable[[], None] = lambda: None  # somebody wants us to leave
        self.metrics = Metrics()
        self.folder = Path(settings.state) if settings.state else state_folder()
        self.embedded: Embedded | None = None
        self.nodes: Nodes
        self.registry: Registry
        self.host: Host | None = None
        self.line: HostLine | None = None
        self.far: RemoteHost | None = None
        self.clerk: Clerk | None = None
        self.auditor: Auditor | None = None
        self.gateway: Gateway | None = None
        self.ready = self.leaving = False
        self._closing = contextlib.AsyncExitStack()

    async def start(self) -> Starlette:
        """Open the store, the rooms and the door."""
        settings = self.settings
        url = settings.redis
        if not url:
            self.embedded = Embedded(
                find_server(settings.redis_server or None), self.folder, fsync=_fsync(settings.durability)
            )
            self._closing.push_async_callback(self.embedded.stop)
            await self.embedded.start()
            url = self.embedded.url
        self.nodes = Nodes(url, SCRIPTS if HOSTS in self.roles else None, copies=settings.replicas)
        self._closing.push_async_callback(self.nodes.stop)
        await self.nodes.start()
        if HOSTS in self.roles:
            host = self._open_host()
            await self._open_archive(host)
        else:
            clock = StoreTime()
            self.registry = Registry(self.nodes, clock.now, clock.heard)
        rooms = self._open_rooms() if GATEWAYS in self.roles else None
        for part in (self.line, self.far):
            if part is not None:
                part.asked_to_stop = self._leave
                self._closing.push_async_callback(part.stop)
                await part.start()
        self._closing.push_async_callback(self.registry.stop)
        await self.registry.start()
        if self.host is not None:
            self.host.start()
            self.host.matchmaker.start()
            self._closing.push_async_callback(self.host.matchmaker.stop)
        if self.clerk is not None and self.auditor is not None:
            await self.clerk.start()
            self.auditor.start()
            self._closing.push_async_callback(self.auditor.stop)
            self._closing.push_async_callback(self.clerk.stop)
        self.ready = True
        routes = self._open_door(rooms) if rooms is not None else self._plain_doors()
        return Starlette(routes=routes, middleware=_other_sites(settings.origins), exception_handlers=PROBLEMS)

    async def goodbye(self) -> None:
        """Say goodbye to everybody and hand the rooms over."""
        self.ready, self.leaving = False, True
        if self.far is not None:
            self.far.draining = True
        if self.host is not None:
            self.host.draining = True
        with contextlib.suppress(StoreTrouble):
            await self.registry.announce()
        if self.gateway is not None:
            spread = 0.0 if self.embedded is not None else self.settings.drain_spread_seconds
            await self.gateway.drain(spread)
        if self.host is not None:
            await self.host.stop()

    async def stop(self) -> None:
        """Close the store, ours last."""
        await self._closing.aclose()

    # parts

    def _open_host(self) -> Host:
        settings = self.settings
        host = self.host = Host(
            self.nodes,
            name=_here(),
            lease_ms=settings.lease_ms,
            renew_ms=settings.renew_ms,
            sweep_ms=settings.sweep_ms,
            habits=_habits(settings),
            games=settings.games,
        )
        host.idle_seconds = settings.idle_seconds
        host.manners = manners(settings)
        host.matchmaker.customs = customs(settings)
        host.alone = self.embedded is not None
        host.repairs = self.nodes.place.kind != "single"
        self.registry = Registry(self.nodes, host.now, host.heard_time)
        self.registry.enter(HOSTS, host.own, lambda: self._entry(len(host.rooms), _fenced(host)))
        self.line = HostLine(host, self.registry)
        return host

    async def _open_archive(self, host: Host) -> None:
        """Where matches go when they are over, and who brings them there."""
        from rooms.archive.archive import Archive  # only a host has use for it, and it takes a while to load
        from rooms.archive.auditor import Auditor
        from rooms.archive.clerk import Clerk

        settings, line = self.settings, self.line
        archive = host.archive = Archive(settings.archive, self.folder)
        self._closing.push_async_callback(archive.close)
        self.clerk = Clerk(host, archive, round(settings.linger_seconds * 1000))
        self.auditor = Auditor(host, archive, settings.archive_days, settings.audit_seconds)
        self.clerk.up = self.auditor.up = self.registry.up
        if line is not None:
            self.clerk.tell = line.tell_rated
        host.matchmaker.rating = archive.standings.rating
        host.library.past = archive.filing.replay

    def _open_rooms(self) -> Rooms:
        """All rooms, wherever they are; ours, if we have any, by the short way."""
        own = self.host.own if self.host is not None else f"{_here()}.{secrets.token_hex(4)}"
        far = self.far = RemoteHost(self.nodes, own, self.registry, mine=own if self.host is not None else "")
        self.registry.enter(GATEWAYS, own, self._gateway_entry)
        return far if self.host is None else House(self.host, far)

    def _open_door(self, rooms: Rooms) -> list[BaseRoute]:
        settings = self.settings
        keys = load_keys(settings.secret, settings.old_secret, self.folder)
        identity = Identity(keys, lambda: rooms.now() / 1000, settings.site_hours)
        site = Site(settings) if settings.site_secret or settings.site_jwks else None
        door = Doorkeeper(rooms, identity, site, Words(settings.words))
        gateway = self.gateway = Gateway(rooms, door, settings, self.metrics)
        gateway.reception.words = door.words
        gateway.reception.lobby.online = self._online
        parts = (
            Pages(),
            GamesApi(),
            IdentityApi(rooms, door, gateway.misses),
            Api(rooms, door, gateway),
            ReplaysApi(rooms, door),
            HistoryApi(rooms),
        )
        socket = WebSocketRoute("/ws", self._socket)
        return [*self._plain_doors(), socket, *(route for part in parts for route in part.routes())]

    def _leave(self) -> None:
        self.asked_to_stop()

    def _online(self) -> int:
        """How many people there are, here and elsewhere."""
        return sum(entry.people for entry in self.registry.gateways().values())

    def _gateway_entry(self) -> Entry:
        entry = self._entry(len(self.gateway.connections) if self.gateway else 0)
        entry.people = len(self.gateway.reception.by_user) if self.gateway else 0
        return entry

    def _entry(self, load: int, refused: int = 0) -> Entry:
        return Entry(load, "draining" if self.leaving else "up", fenced=refused, pid=os.getpid())

    # the plain doors

    def _plain_doors(self) -> list[BaseRoute]:
        return [
            Route("/healthz", self._healthz),
            Route("/readyz", self._readyz),
            Route("/metrics", self._metrics),
        ]

    async def _healthz(self, request: Request) -> Response:
        return Response("alive\n", media_type="text/plain")

    async def _readyz(self, request: Request) -> Response:
        good = self.ready and self.nodes.up
        return Response("ready\n" if good else "not ready\n", 200 if good else 503, media_type="text/plain")

    async def _metrics(self, request: Request) -> Response:
        if not self.settings.metrics:
            return Response("not found\n", 404, media_type="text/plain")
        self.metrics.rooms.clear()
        self.metrics.commits.clear()
        self.metrics.thoughts.clear()
        self.metrics.archived.clear()
        self.metrics.recounts.clear()
        self.metrics.results_waiting = self.clerk.waiting if self.clerk is not None else 0
        self.metrics.takeovers = self.host.counts["takeovers"] if self.host is not None else 0
        for actor in self.host.rooms.values() if self.host is not None else ():
            self.metrics.rooms.add(("waiting", "playing", "over")[actor.core.status])
        for name, count in self.host.counts.items() if self.host is not None else ():
            script, _, result = name.partition(".")
            if script == "commit":
                self.metrics.commits.add(result, count)
            elif script in ("thought", "archive", "recount"):
                told = {"thought": self.metrics.thoughts, "archive": self.metrics.archived}
                told.get(script, self.metrics.recounts).add(result, count)
        return Response(self.metrics.text(), media_type=CONTENT_TYPE)

    async def _socket(self, socket: WebSocket) -> None:
        """Let a socket in, or say why not before it is one."""
        gateway, line = self.gateway, wire_of(socket.scope)
        assert gateway is not None
        address = address_key(socket.client.host if socket.client else None)
        self.metrics.handshakes += 1
        if not self._may_enter(gateway, socket, address):
            self.metrics.handshakes_refused += 1
            await socket.close(4403)
            return
        asked = socket.scope.get("subprotocols", [])
        chosen = next((name for name in asked if name in SUBPROTOCOLS), None)
        await socket.accept(subprotocol=chosen)
        gateway.connect(line, chosen != MSGPACK, address)

    def _may_enter(self, gateway: Gateway, socket: WebSocket, address: str) -> bool:
        origin, host = socket.headers.get("origin"), socket.headers.get("host")
        if origin is not None and _site(origin) != host and origin not in self.settings.origins:
            return False
        if not self.ready or (address and not gateway.handshakes.take()):
            return False
        return gateway.addresses.enter(address)


def _other_sites(origins: tuple[str, ...]) -> list[Middleware]:
    """Let pages of the sites that were named make calls. No cookie authenticates, so there is nothing to be lent."""
    if not origins:
        return []
    methods, headers = ["GET", "POST", "DELETE"], ["authorization", "content-type"]
    return [Middleware(CORSMiddleware, allow_origins=origins, allow_methods=methods, allow_headers=headers)]


def manners(settings: Settings) -> Manners:
    """The house rules, in ms."""
    fast, middle, slow = settings.grace_fast_seconds, settings.grace_seconds, settings.grace_slow_seconds
    return Manners(
        grace=(round(fast * 1000), round(middle * 1000), round(slow * 1000)),
        closed=round(settings.closed_seconds * 1000),
        pause=round(settings.pause_seconds * 1000),
        idle_table=round(settings.table_seconds * 1000),
        abandoned=round(settings.abandon_hours * 3_600_000),
    )


def customs(settings: Settings) -> Customs:
    """How people are brought together, in ms."""
    return Customs(
        ready=round(settings.ready_seconds * 1000),
        bot_after=round(settings.seek_bot_seconds * 1000),
        ranked_delay=round(settings.ranked_delay_seconds * 1000),
    )


def _here() -> str:
    return socket.gethostname().partition(".")[0] or "host"


def _habits(settings: Settings) -> Habits:
    """How bots behave here. They leave a core to the rest of us, where there is more than one."""
    spare = max(1, (cores() - 1) // settings.workers)
    return Habits(
        settings.bot_least_seconds,
        settings.bot_most_seconds,
        settings.bot_think_seconds,
        settings.bot_overrun_seconds,
        settings.bot_processes or spare,
    )


def _fenced(host: Host) -> int:
    return sum(
        count for name, count in host.counts.items() if name.endswith(".fenced") and not name.startswith("claim")
    )


def _fsync(durability: str) -> str:
    return "everysec" if durability == "everysec" else "always"


def _site(origin: str) -> str | None:
    """The host and port of an origin; None if it is no address at all."""
    try:
        return urlsplit(origin).netloc or None
    except ValueError:
        return None

"""Where the store is. One address names it, whatever it is made of:

    unix:///path                                   a server on this machine
    redis://[user:password@]host[:port][/db]       one server; rediss:// for TLS
    redis+sentinel://host[:port][,...]/service     the primary that the sentinels agree on
    redis+cluster://host[:port][,...]              a cluster; any of its nodes will do

`?ca=FILE` or `?insecure` say whom to trust over TLS, `?tls` asks for it in the last two, and the sentinels' own
password goes into `?sentinel_password=`.
"""

from __future__ import annotations

import re
import ssl
from typing import Any, Literal, cast
from urllib.parse import parse_qsl, unquote, urlsplit

import hiredis
from msgspec import Struct
from msgspec.structs import replace
from redis.asyncio import Redis
from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff

KINDS = {
    "unix": ("single", "unix"),
    "redis": ("single", ""),
    "rediss": ("single", "tls"),
    "redis+sentinel": ("sentinel", ""),
    "redis+cluster": ("cluster", ""),
}
OPTIONS = {"ca", "insecure", "tls", "db", "sentinel_user", "sentinel_password"}
FORMS = (
    "write unix:///path, redis://host:port/db, rediss://host:port/db, redis+sentinel://host:port,host:port/service"
    " or redis+cluster://host:port,host:port"
)


class BadAddress(ValueError):
    """The store's address cannot be understood. The text says why in one sentence."""


def pack(*args: bytes | str | int) -> bytes:
    """A command as the server wants to read it."""
    return cast(bytes, hiredis.pack_command(args))  # type: ignore[arg-type]


class Address(Struct, frozen=True):
    """Where a server is, and how to introduce ourselves to it."""

    host: str = ""
    port: int = 6379
    path: str = ""  # of a unix socket; then host and port say nothing
    user: str = ""
    password: str = ""
    db: int = 0
    tls: ssl.SSLContext | None = None

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"

    def introduction(self) -> list[bytes]:
        """What a server must hear first."""
        said = [pack("AUTH", self.user or "default", self.password)] if self.password else []
        return [*said, pack("SELECT", self.db)] if self.db else said


class Place(Struct, frozen=True):
    """The store's address, taken apart."""

    kind: Literal["single", "sentinel", "cluster"]
    seeds: tuple[Address, ...]  # servers; for sentinels, theirs
    server: Address  # what all servers have in common: names, database, TLS
    service: str = ""
    tls: dict[str, Any] = {}  # the same for redis-py


def parse(url: str) -> Place:
    """Take the store's address apart, or say what is wrong with it."""
    parts = urlsplit(url)
    asked = dict(parse_qsl(parts.query, keep_blank_values=True))
    kind, way = KINDS.get(parts.scheme, ("", ""))
    if unknown := asked.keys() - OPTIONS:
        raise BadAddress(f"{_shown(url)}: nothing is called ?{min(unknown)} here, only {', '.join(sorted(OPTIONS))}.")
    names, _, hosts = parts.netloc.rpartition("@")
    user, _, password = names.partition(":")
    tls = _tls(asked) if way == "tls" or "tls" in asked else {}
    path = unquote(parts.path).strip("/")
    server = Address(user=unquote(user), password=unquote(password), tls=tls.pop("context", None))
    match kind:
        case "single" if way == "unix" and path and not parts.netloc:
            return Place("single", (replace(server, path=f"/{path}", db=_number(url, asked.get("db", "0"))),), server)
        case "single" if way != "unix" and hosts:
            server = replace(server, db=_number(url, path or asked.get("db", "0")))
            return Place("single", _hosts(url, hosts, server, 6379)[:1], server, tls=tls)
        case "sentinel" if hosts and path:
            own = replace(server, user=asked.get("sentinel_user", ""), password=asked.get("sentinel_password", ""))
            server = replace(server, db=_number(url, asked.get("db", "0")))
            return Place("sentinel", _hosts(url, hosts, own, 26379), server, path, tls)
        case "cluster" if hosts and not path:
            return Place("cluster", _hosts(url, hosts, server, 6379), server, tls=tls)
    raise BadAddress(f"{_shown(url)} is not the address of a store: {FORMS}.")


def _shown(url: str) -> str:
    return re.sub(r"//[^@/]*@", "//***@", url)  # no password in a log


def _number(url: str, text: str) -> int:
    if not text.isdecimal():
        raise BadAddress(f"{_shown(url)}: {text!r} is not the number of a database.")
    return int(text)


def _hosts(url: str, text: str, like: Address, port: int) -> tuple[Address, ...]:
    found = [re.fullmatch(r"(\[[^\]]+\]|[^:\[\]]+)(?::(\d{1,5}))?", host) for host in text.split(",")]
    if not all(found):
        raise BadAddress(f"{_shown(url)}: {text!r} is not host:port, or several with commas between.")
    return tuple(replace(like, host=each[1].strip("[]"), port=int(each[2] or port)) for each in found if each)


def _tls(asked: dict[str, str]) -> dict[str, Any]:
    ca, strict = asked.get("ca"), "insecure" not in asked
    try:
        context = ssl.create_default_context(cafile=ca)
    except OSError as error:
        raise BadAddress(f"The certificates in ?ca={ca} cannot be read ({error.strerror or error}).") from None
    if not strict:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    trust = {"ssl_cert_reqs": "required" if strict else "none", "ssl_check_hostname": strict, "ssl_ca_certs": ca}
    return {"context": context, "ssl": True, **trust}


def client_of(place: Place) -> Any:
    """A client of redis-py for this store, that tries everything once."""
    at, seed = place.server, place.seeds[0]
    ways: dict[str, Any] = {"protocol": 2, "socket_timeout": 2.0, "socket_connect_timeout": 1.0, **place.tls}
    ways |= {"retry": Retry(NoBackoff(), 0), "max_connections": 1000}
    ours = {**ways, "username": at.user or None, "password": at.password or None}
    hosts = [(seed.host, seed.port) for seed in place.seeds]
    if place.kind == "cluster":
        return RedisCluster(startup_nodes=[ClusterNode(*host) for host in hosts], require_full_coverage=False, **ours)
    if place.kind == "sentinel":
        theirs = {**ways, "username": seed.user or None, "password": seed.password or None}
        return Sentinel(hosts, 0, theirs, **ours).master_for(place.service, db=at.db)  # type: ignore[no-untyped-call]
    return Redis(host=seed.host, port=seed.port, unix_socket_path=seed.path or None, db=seed.db, **ours)

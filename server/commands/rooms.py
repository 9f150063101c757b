"""`upcard rooms`: what runs where."""

from __future__ import annotations

import argparse
import asyncio
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from rooms.embedded import socket_for, state_folder
from rooms.keys import BUCKETS, keys_of, wake_key
from rooms.nodes import BadAddress, Nodes, StoreTrouble
from rooms.registry import GATEWAYS, HOSTS, Registry, StoreTime
from server.commands.arguments import BadArgument
from server.settings import read_settings

STATUS = ("waiting", "playing", "over")


def add(commands: Any) -> None:
    """Tell the command line about this command."""
    parser = commands.add_parser("rooms", help="show what runs where")
    add_store(parser)
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.set_defaults(run=run)


def add_store(parser: argparse.ArgumentParser) -> None:
    """Which store to look at: one that is named, or the one of a server on this machine."""
    parser.add_argument(
        "--redis", metavar="URL", help="the store (default: UPCARD_REDIS_URL, else that of `serve` here)"
    )
    parser.add_argument("--state", metavar="FOLDER", help="the folder of that server, if it is not the usual one")


def run(args: argparse.Namespace) -> int:
    """Look once and tell."""
    found = asyncio.run(with_store(args, look))
    if args.json:
        print(msgspec.json.encode(found).decode())
    else:
        show(found)
    return 0


async def with_store(args: argparse.Namespace, do: Any) -> Any:
    """Do something with the store and the registry on it."""
    settings = read_settings(args, os.environ)
    folder = Path(settings.state) if settings.state else state_folder()
    url = settings.redis or f"unix://{quote(str(socket_for(folder)))}"
    try:
        nodes = Nodes(url, lanes=1)
        await nodes.start()
    except (BadAddress, StoreTrouble) as error:
        raise BadArgument(f"There is no store to look at: {error}. Name one with --redis.") from None
    try:
        clock = StoreTime()
        registry = Registry(nodes, clock.now, clock.heard)
        await registry.tick()
        return await do(nodes, registry)
    except StoreTrouble as error:
        raise BadArgument(f"The store does not answer as it should: {error}.") from None
    finally:
        await nodes.stop()


async def look(nodes: Nodes, registry: Registry) -> dict[str, Any]:
    """Every process, and every room that is not over."""
    now = registry.now()
    due = await asyncio.gather(
        *(nodes.ask(wake_key(b), "ZRANGE", wake_key(b), 0, -1, "WITHSCORES") for b in range(BUCKETS))
    )
    wake = {
        bytes(room).decode(): int(float(at)) for flat in due for room, at in zip(flat[::2], flat[1::2], strict=True)
    }
    metas = await asyncio.gather(*(_meta(nodes, room) for room in wake))
    rooms = [
        {"room": room, **meta, "overdue_ms": max(0, now - wake[room])}
        for room, meta in zip(wake, metas, strict=True)
        if meta is not None
    ]
    return {
        HOSTS: [{"name": name, **_entry(entry, now)} for name, entry in sorted(registry.hosts().items())],
        GATEWAYS: [{"name": name, **_entry(entry, now)} for name, entry in sorted(registry.gateways().items())],
        "rooms": sorted(rooms, key=lambda room: (room["owner"], room["room"])),
    }


async def _meta(nodes: Nodes, room: str) -> dict[str, Any] | None:
    meta = keys_of(room).meta
    ver, own, st = await nodes.ask(meta, "HMGET", meta, "ver", "own", "st")
    return None if ver is None else {"owner": bytes(own).decode(), "status": STATUS[int(st)], "v": int(ver)}


def _entry(entry: Any, now: int) -> dict[str, Any]:
    facts: dict[str, Any] = msgspec.structs.asdict(entry)
    return {**facts, "seen": max(0, now - facts["seen"])}


def show(found: dict[str, Any]) -> None:
    """As tables for people."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    processes = Table("process", "role", "state", "load", "pid", "seen (ms ago)", box=None, header_style="bold")
    for role, what in ((HOSTS, "host"), (GATEWAYS, "gateway")):
        unit = "rooms" if role == HOSTS else "sockets"
        for one in found[role]:
            processes.add_row(
                one["name"], what, one["state"], f"{one['load']} {unit}", str(one["pid"]), str(one["seen"])
            )
    console.print(processes if processes.row_count else "No host and no gateway is running.")
    rooms = Table("room", "owner", "status", "version", "waits (ms)", box=None, header_style="bold")
    for one in found["rooms"]:
        rooms.add_row(one["room"], one["owner"] or "nobody", one["status"], str(one["v"]), str(one["overdue_ms"] or ""))
    console.print()
    console.print(rooms if rooms.row_count else "No room is open or playing.")

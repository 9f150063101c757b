"""`upcard bench`: how fast a server is, with many rooms over real sockets.

Without --url a server of its own is started for it, with a store and a folder of its own, and no limits on how fast
anybody may play. Two players in each room move in turn: at once, or after thinking.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.table import Table as Grid

from server.commands.arguments import BadArgument
from server.commands.dealing import whole
from server.commands.load import Load
from server.commands.processes import Usage, usage_of
from server.commands.screen import Screen
from server.web_request import HttpProblem

UNLIMITED = {  # a load test is faster than any person
    "UPCARD_PLAYER_COMMANDS": "100000",
    "UPCARD_WATCHER_COMMANDS": "100000",
    "UPCARD_COMMAND_SECONDS": "0.1",
    "UPCARD_COMMAND_BURST": "10000",
    "UPCARD_ROOMS_PER_USER": "10000",
    "UPCARD_HANDSHAKES_PER_SECOND": "100000",
    "UPCARD_LOG_LEVEL": "error",
}


def add(commands: Any) -> None:
    """Tell the command line about this command."""
    parser = commands.add_parser("bench", help="load a server and measure it", description=__doc__)
    parser.add_argument("--url", help="a running server (default: one of its own)")
    parser.add_argument("--pid", metavar="N", type=whole(1), help="the process of that server, for what it uses")
    parser.add_argument("--rooms", metavar="R", type=whole(1), default=50, help="rooms with two players (default: 50)")
    parser.add_argument("--seconds", metavar="S", type=_seconds, default=10.0, help="how long to measure (default: 10)")
    parser.add_argument("--warm", metavar="S", type=_seconds, default=2.0, help="how long to play before (default: 2)")
    parser.add_argument("--think", metavar="S", type=_seconds, default=0.0, help="time before each move (default: 0)")
    parser.add_argument("--watchers", metavar="W", type=whole(0), default=0, help="watchers in each room (default: 0)")
    parser.add_argument("--game", metavar="GAME", default="ggltcg", help="which game (default: ggltcg)")
    parser.add_argument("--msgpack", action="store_true", help="speak MessagePack instead of JSON")
    parser.add_argument("--durability", choices=("always", "everysec"), default="always", help="of its own store")
    parser.add_argument("--json", action="store_true", help="print one machine-readable object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and show. Players that were cut off or refused make the status 1."""
    try:
        if args.url:
            found = _run_loop(measure(args, args.url, args.pid))
        else:
            with own_server(args.durability) as (url, pid):
                found = _run_loop(measure(args, url, pid))
    except* (HttpProblem, OSError, TimeoutError) as group:
        raise BadArgument(f"The server could not be loaded: {_reason(group)}.") from None
    if args.json:
        print(json.dumps(found, indent=2))
    else:
        show(Screen(), found)
    return 1 if found["refused"] or found["closed"] or found["trouble"] or not found["moves"] else 0


@contextmanager
def own_server(durability: str) -> Iterator[tuple[str, int]]:
    """A server for this test alone: where it is and which process."""
    with tempfile.TemporaryDirectory(prefix="upcard-bench-") as folder:
        command = [sys.executable, "-m", "server.cli", "serve", "--port", "0", "--state", folder]
        command += ["--durability", durability]
        environ = {**os.environ, **UNLIMITED}
        environ.pop("UPCARD_REDIS_URL", None)
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ, start_new_session=True)
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            if not line.startswith("ready "):
                raise BadArgument("The server did not start.")
            yield line.split()[1], server.pid
        finally:
            server.send_signal(signal.SIGTERM)
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


async def measure(args: argparse.Namespace, url: str, pid: int | None) -> dict[str, Any]:
    """Open the rooms, play, and gather the figures."""
    load = Load(url, args.game, msgpack=args.msgpack, think=args.think)
    note = Progress()
    empty, began = _usage(pid), time.perf_counter()
    await load.open(args.rooms, lambda n: note.tell(f"{n} of {args.rooms} rooms"))
    opening = round(time.perf_counter() - began, 2)
    await asyncio.sleep(min(1.0, args.seconds))
    full = _usage(pid)
    load.start()
    try:
        await _play(load, args.warm, note, "warming up")
        alone = await _measured(load, args.seconds, pid, note)
        found = {**_facts(args), "opening_seconds": opening, **alone}
        if empty and full:
            found["room_kb"] = round((full.rss - empty.rss) / args.rooms / 1024, 1)
        if args.watchers:
            found |= await _watched(load, args, pid, note, alone)
    finally:
        load.close()
        note.clear()
    figures = load.figures
    trouble = {"refused": figures.refused, "closed": figures.closed, "trouble": load.trouble}
    return {**found, "restarts": figures.restarts, **trouble}


async def _watched(
    load: Load, args: argparse.Namespace, pid: int | None, note: Progress, alone: dict[str, Any]
) -> dict[str, Any]:
    """The same with watchers: what one watcher adds to one frame."""
    many, began = args.watchers * args.rooms, time.perf_counter()
    await load.watch(args.watchers, lambda n: note.tell(f"{n} of {many} watchers"))
    joining = round(time.perf_counter() - began, 2)
    await _play(load, args.warm, note, "warming up")
    load.figures.watched = 0
    crowd = await _measured(load, args.seconds, pid, note)
    found: dict[str, Any] = {"watched": crowd, "watcher_frames": load.figures.watched, "joining_seconds": joining}
    if "server_us" in crowd and crowd["moves"]:
        frames = load.figures.watched / crowd["moves"]
        found["watcher_us"] = round((crowd["server_us"] - alone["server_us"]) / max(1.0, frames), 2)
    return found


async def _measured(load: Load, seconds: float, pid: int | None, note: Progress) -> dict[str, Any]:
    figures = load.figures
    _reset(load)
    before, mine, began = _usage(pid), time.process_time(), time.perf_counter()
    figures.on = True
    await _play(load, seconds, note, "measuring")
    figures.on = False
    took = time.perf_counter() - began
    mine, after = time.process_time() - mine, _usage(pid)
    moves = max(1, figures.moves)
    found: dict[str, Any] = {
        "moves": figures.moves,
        "moves_per_second": round(figures.moves / took, 1),
        "own_ms": percentiles(figures.own),
        "opponent_ms": percentiles(figures.opponent),
        "bytes_mover": round(figures.to_mover / moves, 1),
        "bytes_opponent": round(figures.to_opponent / moves, 1),
        "bytes_offers": round(figures.offers / moves, 1),
        "client_percent": round(mine / took * 100, 1),
    }
    if before and after:
        found["server_us"] = round((after.server - before.server) / moves * 1e6, 1)
        found["server_percent"] = round((after.server - before.server) / took * 100, 1)
        if before.store is not None and after.store is not None:
            found["store_us"] = round((after.store - before.store) / moves * 1e6, 1)
        found["server_mb"] = round(after.rss / 2**20, 1)
    return found


def percentiles(times: Any) -> list[float]:
    """The median, and what 95 and 99 of 100 stay below, in milliseconds."""
    ordered = sorted(times)
    if not ordered:
        return []
    return [round(ordered[min(len(ordered) - 1, int(len(ordered) * part))] / 1e6, 3) for part in (0.5, 0.95, 0.99)]


async def _play(load: Load, seconds: float, note: Progress, what: str) -> None:
    end = time.perf_counter() + seconds
    before, since = load.figures.moves, time.perf_counter()
    while (left := end - time.perf_counter()) > 0:
        await asyncio.sleep(min(1.0, left))
        moves, at = load.figures.moves, time.perf_counter()
        speed = f", {(moves - before) / (at - since):,.0f} moves/s" if load.figures.on else ""
        note.tell(f"{what}: {max(0.0, end - at):.0f} s left{speed}", always=True)
        before, since = moves, at


def _reset(load: Load) -> None:
    figures = load.figures
    figures.moves = figures.to_mover = figures.to_opponent = figures.offers = 0
    del figures.own[:], figures.opponent[:]


def _facts(args: argparse.Namespace) -> dict[str, Any]:
    return {
        "game": args.game,
        "rooms": args.rooms,
        "seconds": args.seconds,
        "think": args.think,
        "encoding": "msgpack" if args.msgpack else "json",
        "watchers": args.watchers,
        "durability": None if args.url else args.durability,
    }


# what people see


class Progress:
    """One line on stderr that says how far it is; lines now and then where there is no terminal."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._told = 0.0

    def tell(self, text: str, always: bool = False) -> None:
        """How far it is."""
        now = time.monotonic()
        if not self._live or (now - self._told < 0.1 and not always):
            return
        self._told = now
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """It is done."""
        if self._live:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def show(screen: Screen, found: dict[str, Any]) -> None:
    """One table."""
    pace = f"{found['think']:g} s to think" if found["think"] else "as fast as they can"
    kept = f", store: {found['durability']}" if found["durability"] else ""
    screen.print(f"{found['game']}: {found['rooms']:,} rooms, two players each, {pace}, {found['encoding']}{kept}\n")
    grid = Grid(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    grid.add_column(min_width=44)
    grid.add_column(justify="right")
    for name, value in rows(found):
        grid.add_row(name, value)
    screen.print(grid)
    for word in ("refused", "closed", "trouble"):
        if found[word]:
            screen.print(f"{word}: {found[word]}", style="red")


def rows(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every figure with its name."""

    def one(key: str, name: str, shape: Callable[[Any], str]) -> Iterator[tuple[str, str]]:
        if found.get(key) not in (None, []):
            yield name, shape(found[key])

    yield from one("moves_per_second", "moves a second", lambda x: f"{x:,.0f}")
    yield from one("own_ms", "move to acknowledgement, p50 / p95 / p99", _ms)
    yield from one("opponent_ms", "move to the opponent, p50 / p95 / p99", _ms)
    yield from one("bytes_mover", "told to the mover a move, offers apart", _bytes)
    yield from one("bytes_opponent", "told to the opponent a move, offers apart", _bytes)
    yield from one("bytes_offers", "offers a move", _bytes)
    yield from one("server_us", "server CPU a move", _us)
    yield from one("store_us", "store CPU a move", _us)
    yield from one("server_percent", "server CPU", lambda x: f"{x:.0f} %")
    yield from one("client_percent", "CPU of this test itself", lambda x: f"{x:.0f} %")
    yield from one("room_kb", "server memory a room with two connections", lambda x: f"{x:,.0f} KB")
    yield from one("opening_seconds", "to open all rooms", lambda x: f"{x:.1f} s")
    yield from one("restarts", "matches that ended and began anew", lambda x: f"{x:,}")
    if "watched" in found:
        speed = found["watched"]["moves_per_second"]
        yield f"with {found['watchers']:,} watchers a room: moves a second", f"{speed:,.0f}"
        yield from one("watcher_us", "server CPU a watcher and frame", _us)
        yield from one("joining_seconds", "for all watchers to join", lambda x: f"{x:.1f} s")


def _ms(times: list[float]) -> str:
    return " / ".join(f"{time:.2f}" for time in times) + " ms"


def _us(cost: float) -> str:
    return f"{cost:,.1f} µs"


def _bytes(size: float) -> str:
    return f"{size:,.0f} B"


# small things


def _run_loop(work: Any) -> dict[str, Any]:
    try:
        import uvloop

        found: dict[str, Any] = uvloop.run(work)
    except ImportError:
        found = asyncio.run(work)
    return found


def _usage(pid: int | None) -> Usage | None:
    return usage_of(pid) if pid else None


def _seconds(text: str) -> float:
    number = float(text)
    if not 0 <= number <= 3600:
        raise argparse.ArgumentTypeError(f"is a number of seconds up to 3600, not {text}")
    return number


def _reason(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or "no answer in time"

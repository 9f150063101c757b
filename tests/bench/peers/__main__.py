"""`make bench-peers`: Upcard beside Colyseus and boardgame.io, as ratios of one run.

Every server plays the same game under the same kind of client, one after another and several times over, on one core;
the client and the stores have the other one. Read ratios between 0.8 and 1.25 as ties: others use the machine too.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.peers import servers
from tests.bench.peers.servers import OTHERS, Running, pinned

SETTINGS = ((50, 0.0), (500, 0.0), (500, 1.0))  # rooms, seconds to think
COLYSEUS, MEMORY, POSTGRES = "colyseus immediate", "boardgame.io memory", "boardgame.io postgres"
EVERYSEC, ALWAYS, MSGPACK = "upcard everysec", "upcard always", "upcard everysec msgpack"
ALL = (COLYSEUS, MEMORY, POSTGRES, EVERYSEC, ALWAYS, MSGPACK)
HEAD = (
    "| server | rooms | moves/s | a core | own p50/p95/p99 ms | opponent p50/p95/p99 ms "
    "| server µs (%) | store µs | client % | B mover / opponent (offers) | KB/room |"
)
NOTE = """
«a core» is 1 s / server µs: what one core would do if nobody else used it. Where a server in lockstep had much less
than 100 % of its core, others were at work and its moves/s say little; the worse of both ratios counts.
"""


def main() -> None:
    """Run everything and print medians and ratios."""
    args = read_arguments()
    with contextlib.suppress(OSError):
        if args.nice:
            os.setpriority(os.PRIO_PROCESS, 0, args.nice)
    node = servers.prepare(args.work)
    chosen = [name for name in ALL if any(part in name for part in args.only.split(","))]
    if not servers.has_postgres() and POSTGRES in chosen:
        print("PostgreSQL is not installed; its row is left out", file=sys.stderr)
        chosen.remove(POSTGRES)
    lines = list(runs(args, node, chosen))
    if args.out:
        args.out.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    show(lines)


def read_arguments() -> argparse.Namespace:
    """What was typed."""
    parser = argparse.ArgumentParser(prog="make bench-peers", description=__doc__)
    work = Path(tempfile.gettempdir(), "upcard-peers")
    parser.add_argument("--work", type=Path, default=work, help=f"where the others are installed (default: {work})")
    parser.add_argument("--repeat", type=int, default=3, help="how often each is measured (default: 3)")
    parser.add_argument("--seconds", type=float, default=6, help="how long each time (default: 6)")
    parser.add_argument("--only", default="", help="parts of names, with commas between (default: all)")
    parser.add_argument("--rooms", default="", help="only settings with so many rooms, for example 50,500")
    parser.add_argument("--nice", type=int, default=0, help="priority, for example -10 as root on a busy machine")
    parser.add_argument("--out", type=Path, help="a file for every single run, a JSON object a line")
    return parser.parse_args()


def runs(args: argparse.Namespace, node: Path, chosen: list[str]) -> Iterator[dict[str, Any]]:
    """Every server under every load, repetitions outermost."""
    rooms_wanted = {int(part) for part in args.rooms.split(",") if part}
    for repetition in range(args.repeat):
        for rooms, think in SETTINGS:
            if rooms_wanted and rooms not in rooms_wanted:
                continue
            for name in chosen:
                if name == MSGPACK and rooms != 50:
                    continue  # it is there for its bytes
                try:
                    found = one_run(args, node, name, rooms, think)
                except (subprocess.SubprocessError, OSError, ValueError, IndexError) as error:
                    found = {"failed": repr(error)[:300]}
                line = {"name": name, "rooms": rooms, "think": think, "repetition": repetition, **found}
                print(f"{name:26} {rooms:4} rooms  {_brief(line)}", file=sys.stderr, flush=True)
                yield line


def one_run(args: argparse.Namespace, node: Path, name: str, rooms: int, think: float) -> dict[str, Any]:
    """A fresh server under one load."""
    load = ["--rooms", str(rooms), "--seconds", str(args.seconds), "--think", str(think), "--warm", "2"]
    with contextlib.ExitStack() as stack:
        enter = stack.enter_context
        if name.startswith("upcard"):
            running = enter(servers.our_server(args.work, "always" if name == ALWAYS else "everysec"))
            command = ["server.cli", "bench", "--url", running.url, "--game", "bench-duel", "--json"]
            command += ["--msgpack"] if name == MSGPACK else []
        elif name == COLYSEUS:
            running = enter(servers.node_server(args.work, node, "colyseus_server.mjs"))
            command = ["tests.bench.peers.load", "colyseus", "--port", str(running.port)]
        else:
            running = enter(_boardgame(stack, args.work, node, name))
            command = ["tests.bench.peers.load", "bgio", "--port", str(running.port), "--store", str(running.store)]
        command = [sys.executable, "-m", *command, "--pid", str(running.pid), *load]
        others = _busy()
        done = subprocess.run(pinned(OTHERS, command), capture_output=True, text=True, timeout=180, check=False)
        if not done.stdout.strip():
            raise ValueError(done.stderr[-300:])
        found: dict[str, Any] = json.loads(done.stdout)
        return {**found, "machine_seconds": round(_busy() - others, 1)}


@contextlib.contextmanager
def _boardgame(stack: contextlib.ExitStack, work: Path, node: Path, name: str) -> Iterator[Running]:
    if name == MEMORY:
        with servers.node_server(work, node, "bgio_server.cjs") as running:
            yield running
        return
    url, pid = stack.enter_context(servers.postgres(work))
    with servers.node_server(work, node, "bgio_server.cjs", STORE="postgres", PGURL=url) as running:
        running.store = pid
        yield running


# what came out


def show(lines: list[dict[str, Any]]) -> None:
    """Medians, then ratios against what is wanted."""
    found = {
        (name, rooms, think): _medians([line for line in lines if _key(line) == (name, rooms, think)])
        for name in ALL
        for rooms, think in SETTINGS
    }
    found = {key: figures for key, figures in found.items() if figures}
    print(HEAD)
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for (name, rooms, think), it in found.items():
        pace = f"{rooms}, {think:g} s" if think else f"{rooms}"
        offers = f" ({it['bytes_offers']:.0f})" if it.get("bytes_offers") else ""
        cells = [name, pace, _spread(it), f"{1e6 / it['server_us']:,.0f}", _ms(it["own_ms"]), _ms(it["opponent_ms"])]
        cells += [
            f"{it['server_us']:.0f} ({it['server_percent']:.0f})",
            f"{it.get('store_us') or 0:.0f}",
            f"{it['client_percent']:.0f}",
        ]
        cells += [f"{it['bytes_mover']:.0f} / {it['bytes_opponent']:.0f}{offers}", f"{it['room_kb']:.0f}"]
        print("| " + " | ".join(cells) + " |")
    print(NOTE)
    for text in verdicts(found):
        print(text)


def verdicts(found: dict[tuple[str, int, float], dict[str, Any]]) -> Iterator[str]:
    """What is wanted, what it is, and whether that is enough."""
    for rooms in (50, 500):
        ours = found.get((EVERYSEC, rooms, 0.0))
        for peer, least in ((COLYSEUS, 0.7), (MEMORY, 1.5), (POSTGRES, 15)):
            theirs = found.get((peer, rooms, 0.0))
            if ours and theirs:
                ratio = ours["moves_per_second"] / theirs["moves_per_second"]
                cores = theirs["server_us"] / ours["server_us"]
                what = f"{rooms} rooms, moves/s against {peer}: {ratio:.2f}, by server CPU {cores:.2f}"
                yield _verdict(what, f"{least} or more", min(ratio, cores) >= least)
    ours = found.get((EVERYSEC, 500, 1.0))
    for peer, most in ((COLYSEUS, 2.5), (MEMORY, 1.0)):
        theirs = found.get((peer, 500, 1.0))
        if ours and theirs:
            for place, part in enumerate(("p50", "p95")):
                ratio = ours["opponent_ms"][place] / theirs["opponent_ms"][place]
                yield _verdict(f"opponent {part} against {peer}: {ratio:.2f}", f"{most} or less", ratio <= most)
    for name, mover, opponent in ((EVERYSEC, 450, 350), (MSGPACK, 300, 220)):
        if it := found.get((name, 50, 0.0)):
            text = f"{name}: {it['bytes_mover']:.0f} B to the mover, {it['bytes_opponent']:.0f} B to the opponent"
            good = it["bytes_mover"] <= mover and it["bytes_opponent"] <= opponent
            yield _verdict(text, f"{mover} and {opponent} or less", good)
    if it := found.get((EVERYSEC, 500, 0.0)):
        yield _verdict(f"{it['room_kb']:.0f} KB a room with two connections", "under 100", it["room_kb"] < 100)


def _verdict(text: str, wanted: str, good: bool) -> str:
    return f"{'yes' if good else 'NO '}  {text}; wanted: {wanted}"


def _medians(lines: list[dict[str, Any]]) -> dict[str, Any]:
    lines = [line for line in lines if line.get("moves")]
    if not lines:
        return {}
    found: dict[str, Any] = {}
    for key, value in lines[0].items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            found[key] = statistics.median(line.get(key) or 0 for line in lines)
        elif isinstance(value, list):
            found[key] = [statistics.median(parts) for parts in zip(*(line[key] for line in lines), strict=True)]
    speeds = [line["moves_per_second"] for line in lines]
    return {**found, "least": min(speeds), "most": max(speeds)}


def _key(line: dict[str, Any]) -> tuple[str, int, float]:
    return line["name"], line["rooms"], line["think"]


def _spread(it: dict[str, Any]) -> str:
    return f"{it['moves_per_second']:,.0f} ({it['least']:,.0f}-{it['most']:,.0f})"


def _ms(times: list[float]) -> str:
    return " / ".join(f"{time:.2f}" for time in times)


def _brief(line: dict[str, Any]) -> str:
    if "failed" in line:
        return f"failed: {line['failed']}"
    extra = {key: line[key] for key in ("refused", "closed", "trouble", "stuck") if line.get(key)}
    return f"{line['moves_per_second']:8,.0f} moves/s  {line['server_us']:7.1f} µs  {extra or ''}"


def _busy() -> float:
    """Processor seconds that the whole machine has spent, to see how much others took."""
    with contextlib.suppress(OSError):
        fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
        user, nice, system, _, _, irq, soft, steal = map(int, fields)
        return (user + nice + system + irq + soft + steal) / os.sysconf("SC_CLK_TCK")
    return 0.0


if __name__ == "__main__":
    main()

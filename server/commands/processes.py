"""What processes cost: processor time and memory, from /proc, or from `ps` where there is none."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from msgspec import Struct

PROC = Path("/proc")
STORES = ("valkey-server", "redis-server", "postgres")


class Process(Struct, frozen=True):
    """One process at one moment."""

    pid: int
    parent: int
    name: str
    seconds: float  # of processor time, all threads
    rss: int  # bytes


class Usage(Struct, frozen=True):
    """A server and its store at one moment. A store elsewhere cannot be seen and is None."""

    server: float
    store: float | None
    rss: int


def usage_of(pid: int) -> Usage | None:
    """What a server has used so far, with its workers and the store that it started; None if it is not there."""
    family = _family(pid)
    if not family:
        return None
    stores = [one for one in family if one.name.startswith(STORES)]
    servers = [one for one in family if one not in stores]
    store = sum(one.seconds for one in stores) if stores else None
    return Usage(sum(one.seconds for one in servers), store, sum(one.rss for one in servers))


def cpu_of(pid: int) -> float:
    """Processor seconds of a process and all below it."""
    return sum(one.seconds for one in _family(pid))


def _family(pid: int) -> list[Process]:
    """A process and everything below it."""
    everybody = list(map(_read, _pids())) if PROC.joinpath("self/stat").exists() else _ask_ps()
    running = [one for one in everybody if one is not None]
    found, pids = [one for one in running if one.pid == pid], {pid}
    while new := [one for one in running if one.parent in pids and one.pid not in pids]:
        found += new
        pids |= {one.pid for one in new}
    return found


def _pids() -> list[int]:
    return [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()]


def _read(pid: int) -> Process | None:
    try:
        head, _, tail = (PROC / str(pid) / "stat").read_text("utf-8", "replace").rpartition(")")
    except OSError:  # gone meanwhile
        return None
    fields = tail.split()
    ticks, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    seconds = (int(fields[11]) + int(fields[12])) / ticks
    return Process(pid, int(fields[1]), head.partition("(")[2], seconds, int(fields[21]) * page)


def _ask_ps() -> list[Process | None]:
    try:
        said = subprocess.run(
            ["ps", "-axo", "pid=,ppid=,time=,rss=,comm="], capture_output=True, text=True, timeout=10, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return []
    rows = (re.match(r"\s*(\d+)\s+(\d+)\s+([\d:.-]+)\s+(\d+)\s+(.*)", line) for line in said.splitlines())
    return [
        Process(int(row[1]), int(row[2]), Path(row[5].strip()).name, _seconds(row[3]), int(row[4]) * 1024)
        for row in rows
        if row
    ]


def _seconds(text: str) -> float:
    """Processor time as `ps` writes it: [[dd-]hh:]mm:ss[.cc]."""
    days, _, clock = text.rpartition("-")
    total = 0.0
    for part in clock.split(":"):
        total = total * 60 + float(part)
    return total + 86400 * int(days or 0)

"""A PostgreSQL for the tests: one that UPCARD_TEST_POSTGRES names, else one of our own if the programs are here."""

from __future__ import annotations

import atexit
import ctypes
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

import asyncpg

from tests.redis_servers import until

VARIABLE = "UPCARD_TEST_POSTGRES"
NOT_ROOT = ("postgres", "nobody")  # it does not run as root


def programs() -> Path | None:
    """Where the server's programs are, if they are here."""
    places = [Path(found).resolve().parent for found in filter(None, [shutil.which("postgres")])]
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "initdb").exists() and (place / "pg_ctl").exists()), None)


def found() -> bool:
    """Whether tests of it can be run here."""
    return bool(os.environ.get(VARIABLE)) or programs() is not None


@cache
def server() -> str:
    """The address of a server that is there as long as this process is; `NAME` stands for a database."""
    if named := os.environ.get(VARIABLE):
        return named
    place = programs()
    assert place is not None, "no PostgreSQL here"
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    user = _user()
    if user is not None:
        shutil.chown(folder, user)
    common = {"user": user, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": "/"}
    made = [place / "initdb", "-D", folder / "data", "-U", "upcard", "-A", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run(made, check=True, **common)  # type: ignore[call-overload]
    settings = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={folder}", "-c", "fsync=off"]
    command = [place / "postgres", "-D", folder / "data", *settings]
    process = subprocess.Popen(command, preexec_fn=_end_with_us, **common)  # type: ignore[call-overload]  # noqa: PLW1509

    def stop() -> None:
        process.send_signal(signal.SIGINT)  # fast: whoever is connected is not waited for
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(stop)
    until((folder / ".s.PGSQL.5432").exists, what="PostgreSQL")
    return f"postgresql://upcard@/NAME?host={folder}"


@asynccontextmanager
async def database() -> AsyncIterator[str]:
    """The address of a database of one's own, which is gone afterwards."""
    name = f"upcard_{secrets.token_hex(6)}"
    await _run(f"CREATE DATABASE {name}")
    try:
        yield server().replace("NAME", name)
    finally:
        await _run(f"DROP DATABASE {name} WITH (FORCE)")


async def _run(words: str) -> None:
    """As somebody who may; the server may only just have come up."""
    for again in range(100):
        try:
            line = await asyncpg.connect(server().replace("NAME", "postgres"), timeout=5)
            break
        except (OSError, asyncpg.CannotConnectNowError):
            assert again < 99
    try:
        await line.execute(words)
    finally:
        await line.close()


def _end_with_us() -> None:
    """Whatever ends this process ends the server too."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGINT)  # PR_SET_PDEATHSIG


def _user() -> str | None:
    """Whom the server runs as, if not as us."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in NOT_ROOT if name in known)

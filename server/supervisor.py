"""Several processes that share one port: starts them, starts a dead one again, passes signals on."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import structlog

from server.listening import open_door
from server.logs import configure_logs
from server.settings import Settings

log = structlog.get_logger()

SOON, LATEST = 0.2, 5.0  # seconds until a dead worker is replaced: at first, and if they die all the time
STABLE = 10.0  # seconds of life after which a worker's death is no sign of anything
STOPPING = (signal.SIGTERM, signal.SIGINT)


class Supervisor:
    """Parent of the workers. `work` serves in a child, and says where once it listens."""

    def __init__(self, workers: int, work: Callable[[Callable[[str], None]], int]) -> None:
        self.workers, self.work = workers, work
        self._born: dict[int, float] = {}
        self._due: list[float] = []  # when to start workers in the place of dead ones
        self._leaving = False
        self._wait = SOON
        self._lines = b""
        self._heard, self._said = os.pipe()
        self._woken, self._wake = os.pipe()
        self._orphaned, self._alive = os.pipe()  # only the parent holds the second end: it closes when the parent dies

    def run(self, settings: Settings) -> int:
        """Keep the workers running until told to stop."""
        configure_logs(settings.log, settings.log_level)
        door = open_door(settings, shared=True)  # takes the port before anybody starts, or says why not
        for end in (self._heard, self._woken, self._wake):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        for number in STOPPING:
            signal.signal(number, self._pass_on)
        self._due = [0.0] * self.workers
        while self._born or not self._leaving:
            self._start_due()
            self._listen()
            self._bury()
        door.close()
        return 0

    def _start_due(self) -> None:
        now = time.monotonic()
        for due in [due for due in self._due if due <= now]:
            self._due.remove(due)
            if not self._leaving:
                self._start()

    def _start(self) -> None:
        pid = os.fork()
        if pid:
            self._born[pid] = time.monotonic()
            return
        os.setpgid(0, 0)  # what is typed at the terminal reaches us through the parent, once
        signal.set_wakeup_fd(-1)
        for number in (*STOPPING, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        os.close(self._alive)
        threading.Thread(target=self._leave_with_parent, daemon=True).start()
        status = 1
        try:
            status = self.work(self._tell)
        except BaseException:
            log.exception("worker_failed")
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)

    def _leave_with_parent(self) -> None:
        """A worker whose parent is gone, whatever ended it, stops as if it had been told to."""
        os.read(self._orphaned, 1)
        os.kill(os.getpid(), signal.SIGTERM)

    def _tell(self, where: str) -> None:
        """A worker says that it listens."""
        os.write(self._said, where.encode() + b"\n")

    def _listen(self) -> None:
        """Wait for a signal, a worker's word or the time to start one; say where once all of them listen."""
        wait = max(0.0, min(self._due) - time.monotonic()) if self._due else None
        ready, _, _ = select.select([self._heard, self._woken], [], [], wait)
        if self._woken in ready:
            os.read(self._woken, 4096)
        if self._heard in ready:
            before = self._lines.count(b"\n")
            self._lines += os.read(self._heard, 4096)
            if before < self.workers <= self._lines.count(b"\n"):
                print(f"ready {self._lines.decode().splitlines()[0]}", flush=True)

    def _bury(self) -> None:
        while self._born:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            age = time.monotonic() - self._born.pop(pid, 0.0)
            if not self._leaving:
                log.warning("worker_died", pid=pid, exit_code=os.waitstatus_to_exitcode(status))
                self._wait = SOON if age > STABLE else min(self._wait * 2, LATEST)
                self._due.append(time.monotonic() + self._wait)

    def _pass_on(self, number: int, frame: Any) -> None:
        self._leaving = True
        self._due.clear()
        for pid in self._born:
            os.kill(pid, number)

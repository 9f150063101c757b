"""A clock that jumps, and an event loop for each process that lives by it."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import traceback
from collections import deque
from collections.abc import Callable
from contextvars import Context
from typing import Any

NO_TIME = 1e-6  # seconds
BUGS = (ArithmeticError, AssertionError, AttributeError, LookupError, NameError, TypeError, ValueError, RuntimeError)


class Turns:
    """Everything that is still to happen, in order. A process that sleeps is kept waiting; one that died is skipped."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.done = 0  # callbacks so far
        self._heap: list[tuple[float, int, Loop | None, asyncio.Handle | Callable[[], None]]] = []
        self._numbers = itertools.count()

    def at(self, when: float, do: Callable[[], None], loop: Loop | None = None) -> None:
        """Do something, in a process or outside of all of them."""
        heapq.heappush(self._heap, (max(when, self.now), next(self._numbers), loop, do))

    def handle_at(self, when: float, loop: Loop, handle: asyncio.Handle) -> None:
        """The same for what an event loop was asked to do."""
        heapq.heappush(self._heap, (when, next(self._numbers), loop, handle))

    def step(self) -> None:
        """Let the next thing happen."""
        self.now, _, loop, what = heapq.heappop(self._heap)
        if loop is None:
            what()  # type: ignore[operator]
        elif not loop.dead:
            handle = what if isinstance(what, asyncio.Handle) else asyncio.Handle(what, (), loop)
            if not handle._cancelled:
                loop.ready.append(handle)
                if not loop.asleep:
                    loop.run_ready()


class Loop(asyncio.AbstractEventLoop):
    """What a process believes to be its event loop."""

    def __init__(self, turns: Turns, connect: Callable[[Loop], Any], failed: Callable[[str], None]) -> None:
        self.turns, self.connect, self.failed = turns, connect, failed
        self.ready: deque[asyncio.Handle] = deque()
        self.asleep = self.dead = self._running = False
        self._sleep_in, self._sleep_for = -1, 0.0

    def fall_asleep(self, after: int, seconds: float) -> None:
        """Do nothing for a while, after so many more callbacks: in the middle of anything."""
        self._sleep_in, self._sleep_for = after, seconds

    def wake_up(self) -> None:
        """Go on."""
        self._sleep_in = -1
        if self.asleep:
            self.asleep = False
            self.run_ready()

    def run_ready(self) -> None:
        """One turn: everything that is to be done now, unless sleep comes over us in the middle."""
        self._running = True
        asyncio._set_running_loop(self)
        ready = self.ready
        try:
            while ready and not self.dead:
                if self._sleep_in >= 0:
                    self._sleep_in -= 1
                    if self._sleep_in < 0:
                        self.asleep = True
                        self.turns.at(self.turns.now + self._sleep_for, self.wake_up)
                        return
                handle = ready.popleft()
                if not handle._cancelled:
                    self.turns.done += 1
                    handle._run()
        finally:
            asyncio._set_running_loop(None)
            self._running = False

    # what asyncio asks of a loop

    def time(self) -> float:
        return self.turns.now

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return self._running

    def is_closed(self) -> bool:
        return self.dead

    def call_soon(self, callback: Any, *args: Any, context: Context | None = None) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        if not self.dead:
            self.ready.append(handle)
            if not self._running and not self.asleep:
                self.turns.at(self.turns.now, _nothing, self)
        return handle

    call_soon_threadsafe = call_soon

    def call_later(self, delay: float, callback: Any, *args: Any, context: Context | None = None) -> Any:
        return self.call_at(self.turns.now + delay, callback, *args, context=context)

    def call_at(self, when: float, callback: Any, *args: Any, context: Context | None = None) -> Any:
        handle = asyncio.TimerHandle(max(when, self.turns.now + NO_TIME), callback, args, self, context)
        if not self.dead:
            self.turns.handle_at(handle.when(), self, handle)
        return handle

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        pass

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(self, coro: Any, *, name: str | None = None, context: Context | None = None) -> asyncio.Task[Any]:
        task = asyncio.Task(coro, loop=self, name=name, context=context)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        """Nobody may ever ask what became of a task; a bug must show all the same."""
        if not task.cancelled() and isinstance(error := task.exception(), BUGS):
            where = "".join(traceback.format_exception(error)[-4:])
            self.failed(f"{task.get_coro().__qualname__} ended with {error!r}\n{where}")

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if not self.dead:
            self.failed(f"{context.get('message')}: {context.get('exception')!r}")

    async def create_connection(self, factory: Any, *where: Any, **how: Any) -> Any:
        return await self.connect(self)(factory)


def _nothing() -> None:
    pass

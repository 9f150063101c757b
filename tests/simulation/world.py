"""One world from one number: who is there, what goes wrong and when, and how it ends."""

from __future__ import annotations

import asyncio
import gc
import itertools
import random
import secrets
import sys
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import msgspec
import structlog

import cards
from engine.merge import same
from rooms import scripts
from rooms.keys import keys_of
from rooms.model import Model
from rooms.registry import GATEWAYS, HOSTS
from rooms.state import Clock, Delay, RoomState, Setup, Watch, pack_room
from server.connection import Chair, Connection
from tests.simulation.game import GAME
from tests.simulation.judge import Judge
from tests.simulation.network import Network, Weather
from tests.simulation.players import Player
from tests.simulation.processes import Process
from tests.simulation.store import Store
from tests.simulation.time_and_turns import Loop, Turns

TROUBLE_SECONDS = 30.0
CALM_SECONDS = 90.0  # within which everything must be well again
BOTH = (HOSTS, GATEWAYS)
FAULTS = ("crash", "pause", "nap", "part", "blink", "leave", "deaf")
DEAF = ("deaf",)
SLEEPY = ("nap",)  # a world in which owners sleep while an answer of the store is on its way, and people look in


class Result(msgspec.Struct):
    """How a world ended."""

    seed: int
    violations: list[str]
    counts: Counter[str]
    digest: str
    story: list[str]


class World:
    """Three hosts, some gateways, a store and the people who play."""

    def __init__(
        self, seed: int, *, lossy: bool = False, model: type[Model] = Model, faults: tuple[str, ...] = FAULTS
    ) -> None:
        self.seed, self.lossy = seed, lossy
        self._faults = faults + ("fail over",) * (3 * lossy)
        self.luck = luck = Random(seed)
        self.turns = Turns()
        self.counts: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self._story: deque[str] = deque(maxlen=400)
        weather = Weather(luck.choice((0.0, 0.01, 0.03)), luck.choice((0.0, 0.001, 0.004)))
        self.judge = Judge(self)
        self.net = Network(self.turns, luck, weather)
        self.store = Store(self.net, self._script, model, lossy=lossy)
        self.resigning = luck.choice((0.0, 0.0, 0.0, 0.01))
        self.room = _room()
        self.processes: list[Process] = []
        self.calm = self.settled = False
        self._nap = 0.0  # how long the owner will sleep before it hears the store's next answer
        self._roles = [BOTH] * 3 if luck.random() < 0.6 or faults == SLEEPY else [(HOSTS,)] * 3 + [(GATEWAYS,)] * 2
        self._idle = luck.choice((2.0, 300.0, 300.0))
        self._pace = luck.choice((1.0, 2.0, 4.0))  # seconds between faults, about
        self._graveyard: list[Process] = []  # nothing of theirs may come to its end at a moment that memory decides

    def note(self, what: str) -> None:
        """Something happened; the last of it is told when something fails."""
        self._story.append(f"{self.turns.now - 1000:8.3f} {what}")

    # the run

    def run(self) -> Result:
        """Everything from beginning to end."""
        with _made_up(self):
            self._open_room()
            for place in range(len(self._roles)):
                self._start(place)
            restless = self.luck.random() < 0.4 or self._faults == SLEEPY
            self.players = [Player(self, "ann"), Player(self, "bob"), Player(self, "wim", True, restless)]
            self.turns.at(self.turns.now + 3.0, self._trouble)
            self._until(lambda: self.turns.now > 1000 + TROUBLE_SECONDS)
            self._calm_down()
            self._finish()
            if not self.judge.violations:
                self.judge.close()
            for process in self.processes:
                process.loop.dead = True
        judge = self.judge
        self.counts += Counter(
            steps=self.turns.done, versions=len(judge.log), takeovers=judge.takeovers, acks=len(judge.acks),
            expiries=judge.expiries, reads=judge.reads, lost_acks=len(judge.lost_acks()),
        )  # fmt: skip
        return Result(self.seed, judge.violations, self.counts, judge.digest.hexdigest()[:16], list(self._story))

    def _until(self, done: Callable[[], bool]) -> None:
        while not done() and not self.judge.violations:
            self.turns.step()

    def _open_room(self) -> None:
        luck = self.luck
        clock = luck.choice((None, None, Clock(decision=luck.randint(3000, 8000)), Clock(base=20_000, inc=1000)))
        watch = Watch(delay=luck.choice((Delay(), Delay(), Delay(), Delay(ms=2000), Delay(moves=2))))
        self.kept_behind = watch.delay != Delay()
        options = {"windows": luck.random() < 0.5}
        setup = Setup(game=GAME.id, seats=2, options=options, clock=clock, watch=watch)
        words = scripts.create_args(
            keys_of(self.room), room=self.room, key="k", snapshot=pack_room(RoomState(setup=setup)), ttl=6000,
            side={"setup": msgspec.json.encode(setup)},
        )  # fmt: skip
        self.store.model.call("create", words)

    # what goes wrong

    def _start(self, place: int) -> None:
        loop = Loop(self.turns, self.store.connect, self.judge.failed)
        process = Process(loop, f"h{place}", self._roles[place], self._idle, self.lossy)
        self._graveyard += self.processes[place : place + 1]
        self.processes[place : place + 1] = [process]

    def _trouble(self) -> None:
        if self.calm:
            return
        luck, turns = self.luck, self.turns
        turns.at(turns.now + luck.uniform(0.2, 2 * self._pace), self._trouble)
        process = self.owner() if luck.random() < 0.4 else None
        process = process or luck.choice(self.processes)
        place = self.processes.index(process)
        if process.loop.dead or not process.ready:
            return
        kind = luck.choice(self._faults)
        self.counts[kind] += 1
        self.note(f"{kind}: {process.name}")
        match kind:
            case "crash":
                self._crash(place)
            case "pause":
                process.loop.fall_asleep(luck.randrange(40), luck.choice((luck.uniform(0.1, 1), luck.uniform(1, 15))))
            case "nap":
                self._nap = luck.uniform(3, 12)
            case "deaf":
                self.net.deaf_until = turns.now + luck.uniform(1, 6)
            case "part":
                self.net.cut_off.add(process.loop)
                turns.at(turns.now + luck.uniform(0.5, 12), lambda: self.net.cut_off.discard(process.loop))
            case "blink":
                self.store.stop(luck.uniform(0.0, 2.0))
            case "leave":
                process.loop.call_soon(lambda: self._leave(place, process))
            case "fail over":
                self._fail_over()

    def owner(self) -> Process | None:
        """The process that has the room."""
        own = self.judge.owner[0].decode()
        return next((one for one in self.processes if one.host is not None and one.host.own == own), None)

    def _leave(self, place: int, process: Process) -> None:
        process.loop.create_task(process.leave(lambda: self._crash(place, process)))

    def _script(self, name: str, words: list[bytes], reply: list[Any]) -> None:
        self.judge.script(name, words, reply)
        if self._nap and name in ("renew", "commit") and (owner := self.owner()) is not None:
            owner.loop.fall_asleep(0, self._nap)
            self._nap = 0.0

    def _crash(self, place: int, process: Process | None = None) -> None:
        if process is not None and self.processes[place] is not process:
            return
        loop = self.processes[place].loop
        if loop.dead:
            return
        for link in [link for link in self.net.links if link.loop is loop]:
            link.leave(15.0)
        loop.dead = True
        self.turns.at(self.turns.now + (0.5 if self.calm else self.luck.uniform(0.3, 8)), lambda: self._start(place))

    def _fail_over(self) -> None:
        meta = keys_of(self.room).meta.encode()
        if self.store.fail_over(self.luck.uniform(0.0, 0.3)):
            self.judge.went_back(self.store.model.data.hashes[meta])

    def _calm_down(self) -> None:
        self.note("calm")
        self.calm, self._nap = True, 0.0
        self.net.faulty = False
        self.net.cut_off.clear()
        for process in self.processes:
            process.loop.wake_up()
        self._calm_acks = {player: player.acked for player in self.players}

    # how it ends

    def _finish(self) -> None:
        """Everybody plays a little more; then all must agree with each other and with whoever comes only now."""
        deadline = self.turns.now + CALM_SECONDS
        self._wait("players to move", self._moved_on, deadline)
        if self.seed % 2 == 0:  # once all is well, nobody may have to ask twice
            self._wait("all to see the same", self._agree, deadline)
            self.settled = True
            well_until = self.turns.now + 8.0
            self._until(lambda: self.turns.now > well_until)
            self.settled = False
        for player in self.players:
            player.plays = False
        self._wait("answers", lambda: all(player.pending is None for player in self.players), deadline)
        self._wait("all to see the same", self._agree, deadline)
        newcomers = [Player(self, player.name, player.watches) for player in self.players]
        for player in newcomers:
            player.plays = False
        self._wait("newcomers", lambda: self._agree(newcomers), deadline)

    def _wait(self, what: str, done: Callable[[], bool], deadline: float) -> None:
        self._until(lambda: done() or self.turns.now > deadline)
        if not self.judge.violations and not done():
            state = {p.name: (p.v, p.joined, p.pending and p.pending.command) for p in self.players}
            self.judge.failed(f"waited in vain for {what}: {len(self.judge.log)} versions, {state}")

    def _moved_on(self) -> bool:
        if any(player.over for player in self.players[:2]):
            return True
        return all(player.acked >= self._calm_acks[player] + 2 for player in self.players[:2])

    def _agree(self, newcomers: list[Player] | None = None) -> bool:
        newest = len(self.judge.log)
        for player in (*self.players, *(newcomers or [])):
            if not player.joined or (player.v != newest and not (player.watches and self.kept_behind)):
                return False
        if newcomers is None:
            return True
        pairs = list(zip(self.players, newcomers, strict=True))
        if self.kept_behind:
            pairs.pop()  # how far watchers had come is forgotten when the table is handed over
        for one, other in pairs:
            keys = {*one.state, *other.state}
            if self.judge.outage:
                keys -= {"clock"}  # what was credited is told with the next version
            differs = [
                (key, a, b)
                for key in sorted(keys)
                if not same(a := one.state.get(key) or None, b := other.state.get(key) or None)
            ]
            if differs:
                self.judge.failed(f"{one.name} and a newcomer see {one.v} differently: {differs}")
        return True


_numbers = itertools.count()


class NumberedChair(Chair):
    """A chair whose place in a set does not depend on where it lies in memory."""

    __slots__ = ("number",)

    def __init__(self, *args: Any) -> None:
        self.number = next(_numbers)
        super().__init__(*args)

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return self is other


class NumberedConnection(Connection):
    """The same for a connection."""

    def __init__(self, *args: Any) -> None:
        self.number = next(_numbers)
        super().__init__(*args)

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return self is other


@contextmanager
def _made_up(world: World) -> Iterator[None]:
    """Let chance, time and names come from the world."""
    chance = Random(world.seed + 1)
    before, running = random.getstate(), asyncio._get_running_loop()
    random.seed(world.seed)
    global _numbers
    _numbers = itertools.count()
    clock = SimpleNamespace(time=lambda: world.store.clock() / 1000)
    processors = structlog.get_config()["processors"]
    logged = processors.copy()
    processors[:] = [_listen(world)]
    asyncio._set_running_loop(None)
    collects = gc.isenabled()
    gc.disable()
    try:
        with (
            patch.object(secrets, "token_hex", lambda size: chance.randbytes(size).hex()),
            patch.object(secrets, "token_bytes", chance.randbytes),
            patch("rooms.host.time", clock),
            patch("rooms.registry.time", clock),
            patch("rooms.keeping.BUCKETS", 1),
            patch("server.gateway.Chair", NumberedChair),
            patch("server.gateway.Connection", NumberedConnection),
            patch.dict(cards._guests, {GAME.id: GAME}),
        ):
            yield
    finally:
        if collects:
            gc.enable()
        asyncio._set_running_loop(running)
        processors[:] = logged
        random.setstate(before)


def _listen(world: World) -> Any:
    """Whatever production code logs as an error is one."""

    def heard(logger: Any, method: str, event: dict[str, Any]) -> Any:
        if method in ("error", "exception", "critical"):
            error = sys.exc_info()[1] or event.get("exc_info")
            where = "".join(traceback.format_exception(error)[-3:]) if isinstance(error, BaseException) else ""
            world.judge.failed(f"logged {event.get('event')}: {error!r}\n{where}")
        world.note(f"log: {event.get('event')} {event.get('why', '')}")
        raise structlog.DropEvent

    return heard


def _room() -> str:
    """A room in the one bucket that there is."""
    return next(name for n in range(10_000) if keys_of(name := f"sim{n}").wake == "{b:00}:wake")

"""Which Redis server holds what, and how to run a script there."""

from __future__ import annotations

import asyncio
import contextlib
import random
from binascii import crc32, crc_hqx
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from hashlib import sha1
from typing import Any, TypeVar

import structlog
from msgspec.structs import replace
from redis import exceptions as said

from rooms.address import Address, client_of, pack
from rooms.address import BadAddress as BadAddress
from rooms.address import parse as parse
from rooms.pipe import Done, Down, Lost, Pipe, ReplyError

log = structlog.get_logger(__name__)

T = TypeVar("T")
Held = list[tuple[int, int, Address]]  # from slot, to slot, by whom
SLOTS = 16384
SURE = "commit"  # the script whose writes replicas must have, if that is wanted
TRIES = 6  # a move of slots sends a call on at most so often
NEWS = {"CLUSTERDOWN", "LOADING", "READONLY", "MASTERDOWN"}  # the servers may have changed places
DEFINITE = {"NOSCRIPT", "MOVED", "ASK", "TRYAGAIN", "NOREPLICAS", "OOM", "MISCONF", "BUSY"} | NEWS
OUTAGES = (said.ConnectionError, said.TimeoutError, said.RedisClusterException, OSError)
PASSING = (said.TryAgainError, said.ReadOnlyError, said.AskError, said.ClusterDownError, said.BusyLoadingError)


class StoreTrouble(Exception):
    """The store did not do as it was asked, or did not say."""


class Refused(StoreTrouble):
    """It was not done, for sure. The code is the server's own word, or DOWN."""

    def __init__(self, code: str, text: str = "") -> None:
        super().__init__(text or code)
        self.code = code


class Uncertain(StoreTrouble):
    """It may have been done, or not: ask again with the same mark and find out."""


class Nodes:
    """The store. `eval` is for what happens all the time, `client` for everything else."""

    def __init__(
        self,
        url: str,
        scripts: Mapping[str, str] | None = None,
        *,
        lanes: int = 2,
        deadline: float = 0.5,
        copies: int = 0,
    ) -> None:
        self.place, self.deadline = parse(url), deadline
        self.client = client_of(self.place)
        self.changed: list[Callable[[], None]] = []  # told when servers came, went or swapped slots
        self.trouble = ""  # why the servers' places are not known, if they are not
        self.copies = copies  # replicas that must have a commit before anybody is told of it
        self._lanes = min(max(lanes, 1), 8)
        self._loads = {name: pack("SCRIPT", "LOAD", source) for name, source in (scripts or {}).items()}
        self._shas = {name: sha1(source.encode()).hexdigest() for name, source in (scripts or {}).items()}
        self._groups: dict[Address, tuple[Pipe, ...]] = {}
        self._nowhere = (Pipe(Address()),)
        self._nowhere[0].trouble = "no server holds this part of the store"
        self._slots: list[tuple[Pipe, ...]] = [self._nowhere]
        self._whole = False  # whether every slot is held by somebody
        self._known: set[Address] = set()  # of a cluster: every server, replicas too
        self._retired: list[Pipe] = []
        self._news = asyncio.Event()
        self._tender: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Find the servers and connect to all of them, or say in one sentence why not."""
        try:
            await self._find()
            await asyncio.gather(*(pipe.start() for group in self._groups.values() for pipe in group))
        except Down as down:
            await self.stop()
            raise Refused("DOWN", str(down)) from None
        if self.place.kind != "single":
            self._tender = asyncio.create_task(self._tend())

    async def stop(self) -> None:
        """Hang up everywhere."""
        if self._tender is not None:
            self._tender.cancel()
            await asyncio.gather(self._tender, return_exceptions=True)
        retired, self._retired = self._retired, []
        await asyncio.gather(*(pipe.close() for group in (*self._groups.values(), retired) for pipe in group))
        await self.client.aclose()

    @property
    def up(self) -> bool:
        """Whether every part of the store can be spoken to right now."""
        return self._whole and all(pipe.up for group in self._groups.values() for pipe in group)

    @property
    def losses(self) -> int:
        """How often a connection to the store broke so far."""
        return sum(pipe.losses for group in self._groups.values() for pipe in group)

    def pipe(self, key: str) -> Pipe:
        """The connection for a key: to the server that holds it, and always the same one."""
        tag = tag_of(key)
        slots = self._slots
        group = slots[crc_hqx(tag, 0) % len(slots)]
        return group[crc32(tag) % len(group)]

    def home(self, key: str) -> Address | None:
        """The server that holds a key, if anybody does."""
        pipe = self.pipe(key)
        return None if pipe is self._nowhere[0] else pipe.address

    def eval(self, name: str, keys: Sequence[str], args: Sequence[bytes | str | int], done: Done) -> None:
        """Run a script where its keys are. `done` gets the answer, or a StoreTrouble that tells whether it ran."""
        self._post(name, pack("EVALSHA", self._shas[name], len(keys), *keys, *args), keys[0], done, TRIES)

    def call(self, name: str, words: Sequence[bytes], done: Done) -> None:
        """Run a script with words that `rooms.scripts` made: the number of keys, the keys, the arguments."""
        self._post(name, pack("EVALSHA", self._shas[name], *words), words[1].decode(), done, TRIES)

    async def run(self, name: str, keys: Sequence[str], args: Sequence[bytes | str | int]) -> Any:
        """The same for those who can wait; a StoreTrouble is raised."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.eval(name, keys, args, lambda reply: None if answer.done() else answer.set_result(reply))
        if isinstance(reply := await answer, StoreTrouble):
            raise reply
        return reply

    def send(self, key: str, packed: bytes, done: Done) -> None:
        """Any packed command, where its key is. `done` gets the answer or a StoreTrouble."""
        self._post("", packed, key, done, TRIES)

    async def ask(self, key: str, *words: bytes | str | int) -> Any:
        """The same for those who can wait; a StoreTrouble is raised."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.send(key, pack(*words), lambda reply: None if answer.done() else answer.set_result(reply))
        if isinstance(reply := await answer, StoreTrouble):
            raise reply
        return reply

    async def within(self, seconds: float, call: Callable[[], Awaitable[T]]) -> T:
        """Try until it works or the time is up. Only for what may safely happen twice."""
        loop, wait, unsure = asyncio.get_running_loop(), 0.05, False
        end = loop.time() + seconds
        while True:
            try:
                async with asyncio.timeout_at(end):
                    return await call()
            except (*OUTAGES, *PASSING, StoreTrouble, Down, Lost, ReplyError) as error:
                why = str(error) or "no answer in time"
                if isinstance(error, ReplyError) and why.partition(" ")[0] not in DEFINITE:
                    raise
                unsure = unsure or not isinstance(error, (*PASSING, Refused, Down, ReplyError))
            self.stir()
            if loop.time() + wait >= end:
                raise Uncertain(why) if unsure else Refused("DOWN", why)
            await asyncio.sleep(wait * random.uniform(0.5, 1.0))
            wait = min(wait * 2, 0.5)

    def stir(self) -> None:
        """Something looks wrong: look again who holds what. However many say so, one looks."""
        self._news.set()

    def moved(self, text: str, asked: Address) -> tuple[Pipe, ...]:
        """The servers' own word that a slot lies elsewhere (MOVED or ASK); a MOVED one is noted at once."""
        code, slot, where = text.split()[:3]
        host, _, port = where.rpartition(":")
        group = self._group(replace(self.place.server, host=host or asked.host, port=int(port)))
        if code == "MOVED":
            if len(self._slots) == SLOTS:
                self._slots[int(slot)] = group
            self.stir()
        return group

    def _post(self, name: str, packed: bytes, key: str, done: Done, tries: int) -> None:
        pipe = self.pipe(key)
        pipe.send(packed, partial(self._answered, name, packed, key, done, tries, pipe), name == SURE)

    def _answered(self, name: str, packed: bytes, key: str, done: Done, tries: int, pipe: Pipe, reply: Any) -> None:
        if not isinstance(reply, Exception):
            done(reply)
            return
        text = str(reply)
        code = text.partition(" ")[0] if isinstance(reply, ReplyError) else ""
        again = partial(self._post, name, packed, key, done, tries - 1)
        if isinstance(reply, Down):
            self.stir()
            done(Refused("DOWN", text))
        elif isinstance(reply, Lost) or code not in DEFINITE or " script: " in text:  # the last: it failed half-way
            done(Uncertain(text))
        elif code == "NOSCRIPT" and tries:
            heard = partial(self._answered, name, packed, key, done, tries - 1, pipe)
            _send_both(pipe, self._loads[name], packed, heard, name == SURE)
        elif code == "MOVED" and tries:
            _when_up(self.moved(text, pipe.address), again)
        elif code == "ASK" and tries:
            there = self.moved(text, pipe.address)
            other = there[crc32(tag_of(key)) % len(there)]
            heard = partial(self._answered, name, packed, key, done, tries - 1, other)
            _when_up(there, partial(_send_both, other, pack("ASKING"), packed, heard, name == SURE))
        elif code == "TRYAGAIN" and tries:
            asyncio.get_running_loop().call_later(0.05, again)
        else:
            if code in NEWS:
                self.stir()
            done(Refused(code, text))

    def _group(self, address: Address) -> tuple[Pipe, ...]:
        if address not in self._groups:
            self._groups[address] = tuple(Pipe(address, deadline=self.deadline) for _ in range(self._lanes))
            for pipe in self._groups[address]:
                pipe.greet, pipe.went, pipe.copies = tuple(self._loads.values()), self.stir, self.copies
                pipe.open()
        return self._groups[address]

    async def _tend(self) -> None:
        """Keep the map of the store true: look when something happened, and now and then in any case."""
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), 15)
            self._news.clear()
            try:
                await self._find()
            except Down:
                pass  # the next round asks others
            except Exception:  # without this task the store would never be found again
                log.exception("store_map")
            if not self.up:
                await asyncio.sleep(random.uniform(0.1, 0.3))
                self.stir()

    async def _find(self) -> None:
        try:
            held = await self._ask_around()
        except Down as down:
            self.trouble = str(down)
            raise
        self.trouble = ""
        before, self._slots = self._slots, [self._nowhere] * (SLOTS if self.place.kind == "cluster" else 1)
        for first, last, at in held:
            self._slots[first : last + 1] = [self._group(at)] * (last + 1 - first)
        self._whole = self._nowhere not in self._slots
        for address in self._groups.keys() - {at for _, _, at in held}:
            for pipe in self._groups.pop(address):
                pipe.went = None
                self._retired.append(pipe)
                asyncio.get_running_loop().call_later(1.0, self._retire, pipe)  # answers may still be on their way
        if before != self._slots:
            for tell in self.changed:
                tell()

    def _retire(self, pipe: Pipe) -> None:
        if pipe in self._retired:
            self._retired.remove(pipe)
            pipe.hang_up()

    async def _ask_around(self) -> Held:
        """Who holds each slot, by whoever answers first."""
        if self.place.kind == "single":
            return [(0, 0, self.place.seeds[0])]
        known = {*self.place.seeds, *self._known}
        look = self._cluster_by if self.place.kind == "cluster" else self._primary_by
        asking = [asyncio.create_task(look(at)) for at in random.sample(sorted(known, key=str), len(known))[:5]]
        why = ""
        try:
            for answer in asyncio.as_completed(asking):
                try:
                    return await answer
                except (Down, Lost, ReplyError, LookupError) as error:
                    why = str(error)
            raise Down(why)
        finally:
            for task in asking:
                task.cancel()
            await asyncio.gather(*asking, return_exceptions=True)

    async def _cluster_by(self, at: Address) -> Held:
        held: Held = []
        known: set[Address] = set()
        for first, last, *nodes in await ask(at, "CLUSTER", "SLOTS"):
            hosts = [(node[0] or b"").decode().replace("?", "") or at.host for node in nodes]
            there = [
                replace(self.place.server, host=host, port=node[1]) for host, node in zip(hosts, nodes, strict=True)
            ]
            held.append((first, last, there[0]))
            known.update(there)
        self._known = known
        return held

    async def _primary_by(self, sentinel: Address) -> Held:
        found = await ask(sentinel, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", self.place.service)
        if found is None:
            raise LookupError(f"{sentinel} knows no service called {self.place.service!r}")
        address = replace(self.place.server, host=found[0].decode(), port=int(found[1]))
        if (await ask(address, "ROLE"))[0] != b"master":
            raise LookupError(f"{address} is not a primary yet")
        return [(0, 0, address)]


def tag_of(key: str) -> bytes:
    """The part of a key that decides where it lies."""
    start = key.find("{")
    end = key.find("}", start + 1)
    return (key[start + 1 : end] if start >= 0 and end > start + 1 else key).encode()


async def ask(address: Address, *args: bytes | str | int, deadline: float = 1.0) -> Any:
    """Ask a server one thing, over a connection of its own."""
    pipe = Pipe(address, deadline=deadline)
    try:
        await pipe.start()
        return await pipe.call(*args)
    finally:
        await pipe.close()


def _send_both(pipe: Pipe, first: bytes, packed: bytes, done: Done, copied: bool) -> None:
    pipe.send(first, lambda reply: None)
    pipe.send(packed, done, copied)


def _when_up(group: tuple[Pipe, ...], then: Callable[[], None]) -> None:
    """Go on once these are connected, or cannot be."""

    async def wait() -> None:
        await asyncio.gather(*(pipe.start() for pipe in group), return_exceptions=True)
        then()

    if all(pipe.up for pipe in group):
        then()
    else:
        task = asyncio.get_running_loop().create_task(wait())
        _WAITS.add(task)
        task.add_done_callback(_WAITS.discard)


_WAITS: set[asyncio.Task[None]] = set()  # the loop alone would forget them

"""The store: the model of the scripts behind the store's own wire format, with the few plain commands that we use."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import hiredis

from rooms.model import Data, Model
from rooms.scripts import HASHES
from tests.simulation.network import Link, Network, Plug
from tests.simulation.time_and_turns import Loop

EPOCH_MS = 1_700_000_000_000
NAMES = {digest.encode(): name for name, digest in HASHES.items()}
LATER = object()  # the answer to a question that waits
REMEMBERED = 0.3  # seconds by which a replica may be behind

Judge = Callable[[str, list[bytes], list[Any]], None]


class Session:
    """One connection, as the store sees it."""

    def __init__(self, store: Store) -> None:
        self.store, self.reader = store, hiredis.Reader()
        self.link: Link
        self.channels: set[bytes] = set()
        self.reading: tuple[bytes, bytes] | None = None  # the stream that it waits for, and the last entry it knows

    def hear(self, data: bytes) -> None:
        """Bytes arrived."""
        self.reader.feed(data)
        out = []
        while (words := self.reader.gets()) is not False:
            reply = self.store.obey(self, words)
            if reply is not LATER:
                out.append(encode(reply))
        if out:
            self.link.send_in(b"".join(out))

    def gone(self) -> None:
        """The other end hung up."""
        for channel in self.channels:
            self.store.listeners.get(channel, {}).pop(self, None)
        self.reading = None


class Store:
    """One server."""

    def __init__(self, net: Network, judge: Judge, model: type[Model] = Model, *, lossy: bool = False) -> None:
        self.net, self.judge, self.lossy = net, judge, lossy
        self.model = model(self.clock, self._tell)
        self.down_until = 0.0
        self.asking: Session  # whose question is being answered
        self.listeners: dict[bytes, dict[Session, None]] = {}
        self._sessions: dict[Session, None] = {}
        self._past: deque[tuple[float, Data]] = deque()  # before each write

    def clock(self) -> int:
        """Server time."""
        return EPOCH_MS + int(self.net.turns.now * 1000)

    def connect(self, loop: Loop) -> Callable[[Any], Any]:
        """How a process reaches the store."""

        async def connect(factory: Any) -> tuple[Plug, Any]:
            await self._way_there(loop)
            if self.net.turns.now < self.down_until:
                raise ConnectionRefusedError(111, "nobody listens")
            plug, session = Plug(factory(), loop), Session(self)
            link = plug.link = session.link = Link(self.net, loop, plug.protocol.data_received, session.hear)
            link.near_gone, link.far_gone = plug.gone, session.gone
            self._sessions[session] = None
            plug.protocol.connection_made(plug)
            return plug, plug.protocol

        return connect

    async def _way_there(self, loop: Loop) -> None:
        delay, arrived = self.net.delay(loop), loop.create_future()

        def arrive() -> None:
            if not arrived.done():
                arrived.set_result(None)

        if delay is not None:
            self.net.turns.at(self.net.turns.now + delay, arrive, loop)
        await arrived

    # what goes wrong

    def stop(self, seconds: float) -> None:
        """The server goes away, and comes back with what it had."""
        self.down_until = self.net.turns.now + seconds
        for session in list(self._sessions):
            session.gone()
            session.link.hang_up(1.0)
        self._sessions.clear()

    def fail_over(self, lag: float) -> bool:
        """A replica takes over that is so far behind. Says whether anything was lost."""
        then = self.net.turns.now - lag
        lost = next((data for when, data in self._past if when > then), None)
        if lost is not None:
            self.model.data = lost.copy()
        self._past.clear()
        self.stop(self.net.luck.uniform(0.05, 1.5))
        return lost is not None

    # what is asked

    def obey(self, session: Session, words: list[bytes]) -> Any:
        """Do what somebody asks."""
        self.model.expire(self.clock())
        name = words[0].decode().lower()
        if name == "evalsha":
            return self._run(NAMES[words[1]], words[2:])
        self.asking = session
        return getattr(self, "do_" + name)(*words[1:])

    def _run(self, name: str, words: list[bytes]) -> list[Any]:
        if self.lossy and name != "renew":
            now = self.net.turns.now
            self._past.append((now, self.model.data.copy()))
            while self._past[0][0] < now - REMEMBERED:
                self._past.popleft()
        reply = self.model.call(name, words)
        self.judge(name, words, reply)
        return reply

    def do_ping(self) -> str:
        return "PONG"

    def do_script(self, *words: bytes) -> str:
        return "OK"

    def do_time(self) -> list[bytes]:
        now = self.clock()
        return [b"%d" % (now // 1000), b"%d" % (now % 1000 * 1000)]

    # hashes and strings

    def do_get(self, key: bytes) -> bytes | None:
        return self.model.data.strings.get(key)

    def do_hget(self, key: bytes, field: bytes) -> bytes | None:
        return self.model.data.hashes.get(key, {}).get(field)

    def do_hmget(self, key: bytes, *fields: bytes) -> list[bytes | None]:
        held = self.model.data.hashes.get(key, {})
        return [held.get(field) for field in fields]

    def do_hgetall(self, key: bytes) -> list[bytes]:
        return [word for pair in self.model.data.hashes.get(key, {}).items() for word in pair]

    def do_hvals(self, key: bytes) -> list[bytes]:
        return list(self.model.data.hashes.get(key, {}).values())

    def do_hset(self, key: bytes, *pairs: bytes) -> int:
        held = self.model.data.hashes.setdefault(key, {})
        new = len(set(pairs[::2]) - held.keys())
        held.update(zip(pairs[::2], pairs[1::2], strict=True))
        return new

    def do_hdel(self, key: bytes, *fields: bytes) -> int:
        self.model._forget(key, fields)
        return 1

    def do_del(self, key: bytes) -> int:
        self.model._delete(key)
        return 1

    def do_pexpire(self, key: bytes, ms: bytes) -> int:
        data = self.model.data
        if key not in data.streams and key not in data.hashes and key not in data.strings:
            return 0
        data.ends[key] = self.clock() + int(ms)
        return 1

    # sets

    def do_smembers(self, key: bytes) -> list[bytes]:
        return []  # nobody blocks anybody in these worlds

    # indexes

    def do_zrange(self, key: bytes, *_: bytes) -> list[bytes]:
        return [name for name, _ in self._ranked(key)]

    def do_zrangebyscore(self, key: bytes, _: bytes, most: bytes, *__: bytes) -> list[bytes]:
        due = [pair for pair in self._ranked(key) if pair[1] <= int(most)]
        return [word for name, score in due[:50] for word in (name, b"%d" % score)]

    def _ranked(self, key: bytes) -> list[tuple[bytes, int]]:
        return sorted(self.model.data.indexes.get(key, {}).items(), key=lambda pair: (pair[1], pair[0]))

    # streams

    def do_xadd(self, key: bytes, *words: bytes) -> bytes | None:
        if b"NOMKSTREAM" in words and key not in self.model.data.streams:
            return None
        id, mail = self.model._next_id(key, self.clock()), words[-1]
        self.model._append(key, id, b"x", mail)
        for waiting in self._sessions:
            if waiting.reading is not None and waiting.reading[0] == key:
                found = self._entries(*waiting.reading)
                waiting.reading = None
                waiting.link.send_in(encode(found))
        return id

    def do_xread(self, _: bytes, ms: bytes, __: bytes, key: bytes, last: bytes) -> Any:
        found = self._entries(key, last)
        if found is not None:
            return found
        session, turns = self.asking, self.net.turns
        mark = session.reading = (key, last)

        def give_up() -> None:
            if session.reading is mark:
                session.reading = None
                session.link.send_in(b"*-1\r\n")

        turns.at(turns.now + int(ms) / 1000, give_up)
        return LATER

    def _entries(self, key: bytes, last: bytes) -> list[Any] | None:
        entries = self.model.data.streams.get(key, [])
        new = [[id, list(facts)] for id, facts in entries if _place(id) > _place(last)]
        return [[key, new]] if new else None

    def do_xrange(self, key: bytes, *_: bytes) -> list[Any]:
        return [[id, list(facts)] for id, facts in self.model.data.streams.get(key, [])]

    def do_xtrim(self, key: bytes, *words: bytes) -> int:
        entries = self.model.data.streams.get(key)
        if entries:
            entries[:] = [entry for entry in entries[:-1] if _place(entry[0]) >= _place(words[-1])] + entries[-1:]
        return 0

    # channels

    def do_ssubscribe(self, channel: bytes) -> list[Any]:
        session = self.asking
        self.listeners.setdefault(channel, {})[session] = None
        session.channels.add(channel)
        return [b"ssubscribe", channel, len(session.channels)]

    def do_sunsubscribe(self, channel: bytes) -> list[Any]:
        session = self.asking
        self.listeners.get(channel, {}).pop(session, None)
        session.channels.discard(channel)
        return [b"sunsubscribe", channel, len(session.channels)]

    def _tell(self, channel: bytes, payload: bytes) -> None:
        message = encode([b"smessage", channel, payload])
        net = self.net
        for session in self.listeners.get(channel, ()):
            chance = net.luck.random() if net.faulty else 1.0
            if chance < net.weather.unheard or (net.faulty and net.turns.now < net.deaf_until):
                continue
            session.link.send_in(message * 2 if chance < net.weather.unheard + net.weather.twice else message)


def encode(reply: Any) -> bytes:
    """An answer as it goes over the wire."""
    if isinstance(reply, bytes):
        return b"$%d\r\n%b\r\n" % (len(reply), reply)
    if isinstance(reply, int):
        return b":%d\r\n" % reply
    if isinstance(reply, list):
        return b"*%d\r\n%b" % (len(reply), b"".join(map(encode, reply)))
    return b"$-1\r\n" if reply is None else b"+%b\r\n" % reply.encode()


def _place(id: bytes) -> tuple[int, int]:
    ms, _, n = id.partition(b"-")
    return int(ms), int(n or 0)

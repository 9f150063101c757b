"""What the scripts do, said once more in Python over plain dicts.

The simulator plays thousands of failovers against this with a clock of its own. A test calls it and the real server
with the same words and compares every answer and every key, so the two cannot drift apart. Like the scripts, every
answer begins with a code, a version and the time; see `rooms.scripts.Code`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from msgspec import Struct, field

from rooms.queue_model import QueueModel
from rooms.scripts import BATCH, Code

Reply: TypeAlias = list[Any]
Words: TypeAlias = Sequence[bytes]
Entry: TypeAlias = tuple[bytes, tuple[bytes, ...]]  # the id, then fields and values

PLAYING, OVER = b"1", b"2"
ARGS_MOST = 1000


class Data(Struct):
    """All that is stored. Like the server, it holds no empty hash or index."""

    strings: dict[bytes, bytes] = field(default_factory=dict)
    hashes: dict[bytes, dict[bytes, bytes]] = field(default_factory=dict)
    streams: dict[bytes, list[Entry]] = field(default_factory=dict)
    tops: dict[bytes, bytes] = field(default_factory=dict)  # the last id of each stream, whatever has left it since
    indexes: dict[bytes, dict[bytes, int]] = field(default_factory=dict)
    ends: dict[bytes, int] = field(default_factory=dict)  # when a key goes by itself

    def copy(self) -> Data:
        """As it is now; later writes do not show."""
        return Data(
            dict(self.strings),
            {key: dict(value) for key, value in self.hashes.items()},
            {key: list(value) for key, value in self.streams.items()},
            dict(self.tops),
            {key: dict(value) for key, value in self.indexes.items()},
            dict(self.ends),
        )


class Model(QueueModel):
    """A store that obeys the scripts. Replace `data` by an earlier copy, and it has lost what came between."""

    def __init__(self, clock: Callable[[], int], tell: Callable[[bytes, bytes], None] | None = None) -> None:
        self.clock, self.tell = clock, tell
        self.data = Data()

    def call(self, script: str, words: Words) -> Reply:
        """Run a script with the words that its builder makes."""
        count = int(words[0])
        keys, args = words[1 : 1 + count], words[1 + count :]
        now = self.clock()
        self.expire(now)
        reply: Reply = getattr(self, "_" + script)(keys, args, now)
        return reply

    def expire(self, now: int) -> None:
        """Drop what has had its time."""
        for key in [key for key, end in self.data.ends.items() if end < now]:
            self._delete(key)

    # the scripts

    def _commit(self, keys: Words, args: Words, now: int) -> Reply:
        views = len(keys) - 5
        told = len(args) > 16 and args[16] == b"1"
        if views < 1 or len(args) != 19 + (2 if told else 1) * views or not args[3]:
            return _bad()
        own, ep, base, cid, ttl, status, deadline, not_before, seat, n, digest, result = args[:12]
        snapshot, entry, slot, room, _, record, excused, *payloads = args[12:]
        meta, state, inputs, wake, out, *rings = keys
        m = self.data.hashes.get(meta)
        if m is None:
            return [Code.GONE, 0, now, 0, b"none"]
        ver, epoch = int(m[b"ver"]), int(m[b"ep"])
        if m[b"cid"] == cid:
            return [Code.DUP_COMMIT, ver, now, epoch, b""]
        if (m[b"own"], m[b"ep"]) != (own, ep):
            return [Code.FENCED, ver, now, epoch, m[b"own"]]
        if m[b"st"] == OVER:
            return [Code.GONE, ver, now, epoch, b"over"]
        exp = b"%d" % (now + int(ttl))
        refusal = _seat_refusal(m, seat, n, digest) or _time_refusal(m, base, not_before, now)
        if not refusal and m[b"st"] == PLAYING and excused:
            unserved = self._unserved(m, int(ttl), now)
            refusal = (Code.UNSERVED, b"%d" % unserved) if unserved > int(excused) else None
        if refusal:
            m[b"exp"] = exp
            code, detail = refusal
            return [code, ver, now, epoch, detail]
        ver += 1
        self._append(inputs, b"%d-0" % ver, b"x", entry)
        self._set(state, snapshot)
        m.pop(b"out", None)
        m |= {b"ver": b"%d" % ver, b"cid": cid, b"exp": exp, b"st": status, b"dl": deadline, b"at": b"%d" % now}
        if seat:
            m |= {b"q" + seat: n, b"d" + seat: digest, b"r" + seat: result}
        for ring, payload in zip(rings, payloads, strict=False):
            self._hash(ring)[slot] = payload
        if status == OVER:
            self._unwake(wake, room)
            self._append(out, self._next_id(out, now), b"room", room, b"record", record)
        for ring, frame in zip(rings, payloads[views:], strict=False):
            if frame:
                self._publish(ring, b"%b:%d:%b" % (ep, ver, frame))
        return [Code.OK, ver, now, epoch, b""]

    def _claim(self, keys: Words, args: Words, now: int) -> Reply:
        if len(keys) != 4 or len(args) != 6 or not args[0]:
            return _bad()
        (meta, state, side, wake), (own, ttl, room, seen_own, seen_ep, patience) = keys, args
        m = self.data.hashes.get(meta)
        if m is None:
            self._unwake(wake, room)
            return [Code.GONE, 0, now, 0, b"none"]
        over = m[b"st"] == OVER
        ver, last, ep, exp = int(m[b"ver"]), m[b"own"], int(m[b"ep"]), int(m[b"exp"])
        life = exp - int(ttl) if last else exp  # the last sign of life; none of a room that sleeps
        forced = seen_ep != b"" and (last, m[b"ep"]) == (seen_own, seen_ep) and now >= life + int(patience)
        if last not in (own, b"") and exp > now and not forced:
            self._look(wake, room, exp, over)
            return [Code.FENCED, ver, now, ep, last, exp]
        ep, lapse = max(ep + 1, now), now + int(ttl)
        if life > 0 and (last != own or _silent(m, int(ttl), now)) and not over:
            m[b"out"] = b"%d" % (int(m.get(b"out", b"0")) + max(0, now - max(life, int(m[b"at"]))))
        m |= {b"own": own, b"ep": b"%d" % ep, b"exp": b"%d" % lapse}
        self._look(wake, room, lapse, over)
        found = [self.data.strings.get(state), _flat(m), _flat(self.data.hashes.get(side, {}))]
        return [Code.OK, ver, now, ep, last, exp, *found]

    def _renew(self, keys: Words, args: Words, now: int) -> Reply:
        if not 0 < len(keys) - 1 <= BATCH or len(args) != 2 * len(keys):
            return [Code.BAD_ARGS, 0, 0]
        wake, *metas = keys
        own, ttl, *rest = args
        exp = now + int(ttl)
        reply: Reply = [Code.OK, 0, now]
        kept: list[tuple[dict[bytes, bytes], bytes]] = []
        for meta, room, ep in zip(metas, rest[::2], rest[1::2], strict=True):
            m = self.data.hashes.get(meta)
            if m is None:
                reply += (Code.GONE, 0, 0)
            elif (m[b"own"], m[b"ep"]) != (own, ep):
                reply += (Code.FENCED, int(m[b"ver"]), 0)
            else:
                reply += (Code.OK, int(m[b"ver"]), self._unserved(m, int(ttl), now))
                kept.append((m, room))
        for m, room in kept:
            m[b"exp"] = b"%d" % exp
            if m[b"st"] != OVER:
                self._wake(wake, room, exp)
        reply[1] = len(kept)
        return reply

    def _unserved(self, m: dict[bytes, bytes], ttl: int, now: int) -> int:
        """How long nobody was served since the last version, until now."""
        if m[b"st"] == OVER:
            return 0
        unserved = int(m.get(b"out", b"0"))
        if _silent(m, ttl, now):
            unserved += max(0, now - max(int(m[b"exp"]) - ttl, int(m[b"at"])))
            m[b"out"] = b"%d" % unserved
        return unserved

    def _release(self, keys: Words, args: Words, now: int) -> Reply:
        if len(keys) < 2 or not 4 <= len(args) <= ARGS_MOST:
            return _bad()
        (meta, wake, *rings), (own, ep, room, look, *forget) = keys, args
        m = self.data.hashes.get(meta)
        if m is None or (m[b"own"], m[b"ep"]) != (own, ep):
            return _not_mine(m, now)
        m |= {b"own": b"", b"exp": b"%d" % (now if look == b"0" else 0)}
        if look == b"" or m[b"st"] == OVER:
            self._unwake(wake, room)
        else:
            self._wake(wake, room, int(look) or now)
        for ring in rings:
            self._forget(ring, forget)
        return [Code.OK, int(m[b"ver"]), now, int(m[b"ep"]), b""]

    def _create(self, keys: Words, args: Words, now: int) -> Reply:
        if len(keys) != 4 or not 6 <= len(args) <= ARGS_MOST or len(args) % 2:
            return _bad()
        (meta, state, side, wake), (room, own, ttl, status, snapshot, key, *pairs) = keys, args
        m = self.data.hashes.get(meta)
        if m is not None:
            return [Code.TAKEN, int(m[b"ver"]), now, int(m[b"ep"]), m.get(b"key", b""), m[b"own"]]
        look = now + int(ttl)
        ep, exp = (now, look) if own else (0, 0)
        made = self._hash(meta)
        made |= {b"ver": b"0", b"ep": b"%d" % ep, b"own": own, b"exp": b"%d" % exp, b"cid": b"", b"st": status}
        made |= {b"dl": b"0", b"at": b"%d" % now, b"key": key}
        self._set(state, snapshot)
        if pairs:
            self._hash(side).update(zip(pairs[::2], pairs[1::2], strict=True))
        self._wake(wake, room, look)
        return [Code.OK, 0, now, ep, key]

    def _side(self, keys: Words, args: Words, now: int) -> Reply:
        if len(keys) != 3 or not 5 <= len(args) <= ARGS_MOST or len(args) % 2 == 0 or len(args) < 5 + 2 * int(args[4]):
            return _bad()
        (meta, side, channel), (own, ep, ttl, payload, guards, *rest) = keys, args
        m = self.data.hashes.get(meta)
        if m is None or (m[b"own"], m[b"ep"]) != (own, ep):
            return _not_mine(m, now)
        ver, epoch = int(m[b"ver"]), int(m[b"ep"])
        m[b"exp"] = b"%d" % (now + int(ttl))
        pairs = list(zip(rest[::2], rest[1::2], strict=True))
        held = self.data.hashes.get(side, {})
        for name, _ in pairs[: int(guards)]:
            if name in held:
                return [Code.TAKEN, ver, now, epoch, held[name], name]
        if put := {name: value for name, value in pairs if value}:
            self._hash(side).update(put)
        self._forget(side, [name for name, value in pairs if not value])
        if m[b"st"] == OVER and meta in self.data.ends:
            self._expire_at(side, self.data.ends[meta], now)
        if payload:
            self._publish(channel, payload)
        return [Code.OK, ver, now, epoch, b""]

    def _close(self, keys: Words, args: Words, now: int) -> Reply:
        if len(keys) != 4 or len(args) != 3:
            return _bad()
        (meta, state, side, wake), (own, ep, room) = keys, args
        m = self.data.hashes.get(meta)
        if m is None or (m[b"own"], m[b"ep"]) != (own, ep):
            return _not_mine(m, now)
        ver, epoch = int(m[b"ver"]), int(m[b"ep"])
        if m[b"st"] != b"0":
            return [Code.VERSION, ver, now, epoch, m[b"cid"]]
        for key in (meta, state, side):
            self._delete(key)
        self._unwake(wake, room)
        return [Code.OK, ver, now, epoch, b""]

    def _shelve(self, keys: Words, args: Words, now: int) -> Reply:
        if len(keys) < 5 or len(args) != 4 or not args[0]:
            return _bad()
        (meta, state, inputs, side, out, *rings), (_, entry, linger, rated) = keys, args
        m = self.data.hashes.get(meta)
        there = self._cross_out(out, entry)
        if m is None:
            return [Code.GONE, 0, now, 0, b"none"]
        told = [int(m[b"ver"]), now, int(m[b"ep"]), m[b"own"]]
        if not there or m[b"st"] != OVER:
            return [Code.TAKEN, *told]
        if rated:
            self._hash(side)[b"rated"] = rated
        for key in (meta, state, inputs, side, *rings):
            self._expire_at(key, now + int(linger), now)
        return [Code.OK, *told]

    # what the server's own commands do

    def _hash(self, key: bytes) -> dict[bytes, bytes]:
        return self.data.hashes.setdefault(key, {})

    def _forget(self, key: bytes, names: Sequence[bytes]) -> None:
        held = self.data.hashes.get(key)
        if held is not None:
            for name in names:
                held.pop(name, None)
            if not held:
                self._delete(key)

    def _set(self, key: bytes, value: bytes) -> None:
        self.data.strings[key] = value
        self.data.ends.pop(key, None)

    def _append(self, key: bytes, id: bytes, *facts: bytes) -> None:
        entries = self.data.streams.setdefault(key, [])
        assert _place(self.data.tops.get(key, b"0-0")) < _place(id), "the server would refuse this entry"
        entries.append((id, facts))
        self.data.tops[key] = id

    def _cross_out(self, key: bytes, id: bytes) -> bool:
        """Take an entry out of a stream. An empty stream stays, and knows which ids it has given."""
        entries = self.data.streams.get(key, [])
        left = [entry for entry in entries if entry[0] != id]
        found = len(left) < len(entries)
        entries[:] = left
        return found

    def _next_id(self, key: bytes, now: int) -> bytes:
        ms, n = _place(self.data.tops.get(key, b"0-0"))
        return b"%d-0" % now if now > ms else b"%d-%d" % (ms, n + 1)

    def _wake(self, key: bytes, room: bytes, at: int) -> None:
        self.data.indexes.setdefault(key, {})[room] = at

    def _look(self, key: bytes, room: bytes, at: int, over: bool) -> None:
        if over:
            self._unwake(key, room)
        else:
            self._wake(key, room, at)

    def _unwake(self, key: bytes, room: bytes) -> None:
        index = self.data.indexes.get(key, {})
        index.pop(room, None)
        if not index:
            self._delete(key)

    def _expire_at(self, key: bytes, at: int, now: int) -> None:
        """Let a key end; one whose end is this very moment is gone at once, though others last through theirs."""
        data = self.data
        if key in data.strings or key in data.hashes or key in data.streams:
            data.ends[key] = at
            if at <= now:
                self._delete(key)

    def _delete(self, key: bytes) -> None:
        data = self.data
        for kind in (data.strings, data.hashes, data.streams, data.tops, data.indexes, data.ends):
            kind.pop(key, None)

    def _publish(self, channel: bytes, payload: bytes) -> None:
        if self.tell is not None:
            self.tell(channel, payload)


def _seat_refusal(m: dict[bytes, bytes], seat: bytes, n: bytes, digest: bytes) -> tuple[Code, bytes] | None:
    if not seat:
        return None
    last, number = int(m.get(b"q" + seat, 0)), int(n)
    if number == last:
        same = m.get(b"d" + seat) == digest
        return (Code.DUP_CMD, m.get(b"r" + seat, b"")) if same else (Code.SEQ_CONFLICT, b"")
    if number < last:
        return Code.OLD_CMD, b"%d" % last
    if number > last + 1:
        return Code.SEQ_GAP, b"%d" % (last + 1)
    return None


def _silent(m: dict[bytes, bytes], ttl: int, now: int) -> bool:
    """Whether a room's owner gave no sign of life for more than half of its lease."""
    return now - (int(m[b"exp"]) - ttl) > ttl / 2


def _time_refusal(m: dict[bytes, bytes], base: bytes, not_before: bytes, now: int) -> tuple[Code, bytes] | None:
    if m[b"ver"] != base:
        return Code.VERSION, m[b"cid"]
    if int(not_before) > now:
        return Code.TOO_EARLY, not_before
    return None


def _not_mine(m: dict[bytes, bytes] | None, now: int) -> Reply:
    if m is None:
        return [Code.GONE, 0, now, 0, b"none"]
    return [Code.FENCED, int(m[b"ver"]), now, int(m[b"ep"]), m[b"own"]]


def _bad() -> Reply:
    return [Code.BAD_ARGS, 0, 0, 0, b"args"]


def _flat(fields: dict[bytes, bytes]) -> list[bytes]:
    return [word for pair in fields.items() for word in pair]


def _place(id: bytes) -> tuple[int, int]:
    ms, _, n = id.partition(b"-")
    return int(ms), int(n)

"""The scripts that write rooms, what they answer, and the words that they are called with.

A script runs whole or not at all, and nothing else writes a room. Each lies in a file of its own beside this one; its
head says which keys and arguments it takes. What is made here goes behind `EVALSHA <hash>`: the number of keys, the
keys, the arguments. The first key says which server it is for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache
from hashlib import sha1
from pathlib import Path
from typing import Any

from msgspec import Struct

from rooms.keys import Keys

SCRIPTS: dict[str, str] = {
    path.stem: path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.lua"))
}
HASHES: dict[str, str] = {
    name: sha1(text.encode(), usedforsecurity=False).hexdigest() for name, text in SCRIPTS.items()
}

BATCH = 1000  # rooms that one renewal takes
VANISHED_MS = 3000  # an owner that said nothing for so long may be replaced before its lease ends
LINGER = 86_400_000  # ms that a room stays after its match is in the archive
ARCHIVE = "archive"  # the group that reads results, whoever of us does it
ASLEEP = 4  # versions that a sleeping room keeps of each view
NOW = 0  # look after a released room at once
NEVER = None  # do not look after it until somebody comes


class Code(IntEnum):
    """What a script says happened. Above zero it is done, now or before."""

    OLD_CMD = 4
    """The seat has moved on since this move: it was applied long ago. The owner's memory is behind."""
    DUP_CMD = 3
    """This very move of the seat is applied already; its result comes along. The owner's memory is behind."""
    DUP_COMMIT = 2
    """This very commit is applied already. As good as OK, even for an owner who has been replaced since."""
    OK = 1
    """Done."""
    TAKEN = 0
    """It is there already: the room (create; its key comes along) or the field (side; its value comes along)."""
    FENCED = -1
    """Somebody else owns the room. Their name comes along. Nothing was written."""
    VERSION = -2
    """The room is not at the version that the commit builds on. The last commit's id comes along."""
    SEQ_GAP = -3
    """A move of the seat is missing before this one. The expected number comes along."""
    SEQ_CONFLICT = -4
    """The seat made another move under this number."""
    TOO_EARLY = -5
    """A deadline that has not passed by the store's clock. It comes along."""
    GONE = -6
    """There is no such room (`none`), or its match is over (`over`)."""
    UNSERVED = -7
    """Nobody was served for longer than the owner knew of, and that is nobody's time. How long in all comes along."""
    BAD_ARGS = -9
    """The call itself is wrong: our bug."""

    @property
    def applied(self) -> bool:
        """Whether what the commit wanted is in the store."""
        return self in (Code.OK, Code.DUP_COMMIT)


class Claimed(Struct, frozen=True):
    """A room as its new owner finds it."""

    ver: int
    now: int
    ep: str
    last_own: str
    last_exp: int  # when the last owner's lease ended, or would have
    snapshot: bytes
    meta: dict[str, bytes]
    side: dict[str, bytes]


def slot_of(ver: int, keep: int) -> bytes:
    """Where a version lies in a view's ring."""
    return b"%d" % (ver % keep)


def old_slots(ver: int, keep: int, left: int = ASLEEP) -> list[bytes]:
    """The slots of a ring that hold none of the newest versions."""
    fresh = {slot_of(v, keep) for v in range(ver, ver - left, -1)}
    return [slot for slot in (b"%d" % n for n in range(keep)) if slot not in fresh]


def commit_args(
    keys: Keys,
    *,
    room: str,
    own: str,
    ep: str,
    base: int,
    cid: bytes,
    ttl: int,
    status: int,
    snapshot: bytes,
    input: bytes,
    views: Mapping[str, bytes],
    keep: int,
    deadline: int = 0,
    not_before: int = 0,
    seat: str = "",
    n: int = 0,
    digest: str = "",
    result: str = "",
    frames: Mapping[str, bytes] | None = None,
    record: bytes = b"",
    excused: int | None = None,
) -> list[bytes]:
    """Write the version after `base`. Each view's payload begins with `<ep>:<ver>:`; a timer has no seat.

    `excused` is the time without service that the new state leaves out of everybody's clock; None if that is certain.
    `frames` are published with the same head, atomically with the write; a view without one is told nothing.
    """
    return [
        *_commit_keys(keys, tuple(views)),
        own.encode(),
        ep.encode(),
        b"%d" % base,
        cid,
        b"%d" % ttl,
        b"%d" % status,
        b"%d" % deadline,
        b"%d" % not_before,
        seat.encode(),
        b"%d" % n,
        digest.encode(),
        result.encode(),
        snapshot,
        input,
        slot_of(base + 1, keep),
        room.encode(),
        b"0" if frames is None else b"1",
        record,
        b"" if excused is None else b"%d" % excused,
        *views.values(),
        *([] if frames is None else [frames.get(view, b"") for view in views]),
    ]


def claim_args(
    keys: Keys, *, room: str, own: str, ttl: int, gone: tuple[str, str] = ("", ""), alone: bool = False
) -> list[bytes]:
    """Take a room that nobody holds; or from `gone`, the name and epoch of an owner who is no more.

    An owner that gave a sign of life within the last seconds is left alone, unless the store is ours `alone`.
    """
    patience = b"0" if alone else b"%d" % VANISHED_MS
    return [*_room_keys(keys), own.encode(), b"%d" % ttl, room.encode(), *(word.encode() for word in gone), patience]


def renew_args(wake: str, rooms: Sequence[tuple[str, Keys, str]], *, own: str, ttl: int) -> list[bytes]:
    """Keep rooms of one bucket, each given by name, keys and epoch."""
    if not 0 < len(rooms) <= BATCH:
        raise ValueError(f"{len(rooms)} rooms in one renewal; it takes 1 to {BATCH}")
    words = [b"%d" % (1 + len(rooms)), wake.encode(), *(keys.meta.encode() for _, keys, _ in rooms)]
    words += (own.encode(), b"%d" % ttl)
    for room, _, ep in rooms:
        words += (room.encode(), ep.encode())
    return words


def release_args(
    keys: Keys,
    *,
    room: str,
    own: str,
    ep: str,
    look: int | None,
    views: Collection[str] = (),
    forget: Iterable[bytes] = (),
) -> list[bytes]:
    """Let go of a room; somebody looks after it NOW, at a time, or NEVER. `forget` thins out the rings of `views`."""
    rings = [keys.view(name).encode() for name in views]
    again = b"" if look is None else b"%d" % look
    heads = [b"%d" % (2 + len(rings)), keys.meta.encode(), keys.wake.encode(), *rings]
    return [*heads, own.encode(), ep.encode(), room.encode(), again, *forget]


def create_args(
    keys: Keys,
    *,
    room: str,
    key: str,
    snapshot: bytes,
    ttl: int,
    own: str = "",
    status: int = 0,
    side: Mapping[str, bytes] | None = None,
) -> list[bytes]:
    """Open a room. `key` is made by whoever asks, and tells their second try from a stranger's room."""
    facts = [room.encode(), own.encode(), b"%d" % ttl, b"%d" % status, snapshot, key.encode()]
    return [*_room_keys(keys), *facts, *_pairs(side or {})]


def side_args(
    keys: Keys,
    *,
    own: str,
    ep: str,
    ttl: int,
    pairs: Mapping[str, bytes],
    absent: Collection[str] = (),
    publish: bytes = b"",
    channel: str = "",
) -> list[bytes]:
    """Write to the side record; `b""` deletes. All is refused if a field of `absent` is there. The channel is the
    record's own unless another is named."""
    guarded = {field: pairs[field] for field in pairs if field in absent}
    if len(guarded) != len(absent):
        raise ValueError("a guarded field must also be written")
    free = {field: pairs[field] for field in pairs if field not in guarded}
    heads = [b"3", keys.meta.encode(), keys.side.encode(), (channel or keys.side).encode()]
    facts = [own.encode(), ep.encode(), b"%d" % ttl, publish, b"%d" % len(guarded)]
    return [*heads, *facts, *_pairs(guarded), *_pairs(free)]


def close_args(keys: Keys, *, room: str, own: str, ep: str) -> list[bytes]:
    """Take a room away in which nothing was ever played."""
    return [*_room_keys(keys), own.encode(), ep.encode(), room.encode()]


def shelve_args(
    keys: Keys, *, entry: bytes, views: Collection[str], linger: int = LINGER, rated: bytes = b""
) -> list[bytes]:
    """A match is in the archive under what `entry` of the results told of it: let its room fade in `linger` ms."""
    names = (keys.meta, keys.state, keys.inputs, keys.side, keys.out, *map(keys.view, views))
    heads = [b"%d" % len(names), *(name.encode() for name in names)]
    return [*heads, ARCHIVE.encode(), entry, b"%d" % linger, rated]


def read_claim(reply: Sequence[Any]) -> Claimed:
    """What a claim that went well brought."""
    _, ver, now, ep, own, exp, snapshot, meta, side = reply
    return Claimed(ver, now, str(ep), own.decode(), exp, snapshot, _fields(meta), _fields(side))


def read_renewal(reply: Sequence[Any]) -> list[tuple[Code, int, int]]:
    """For each room of a renewal, in order: how it went, the stored version, and for how many ms nobody served."""
    return [(Code(code), ver, ms) for code, ver, ms in zip(reply[3::3], reply[4::3], reply[5::3], strict=True)]


@lru_cache(maxsize=16384)
def _commit_keys(keys: Keys, views: tuple[str, ...]) -> tuple[bytes, ...]:
    names = (keys.meta, keys.state, keys.inputs, keys.wake, keys.out, *map(keys.view, views))
    return (b"%d" % len(names), *(name.encode() for name in names))


def _room_keys(keys: Keys) -> list[bytes]:
    return [b"4", keys.meta.encode(), keys.state.encode(), keys.side.encode(), keys.wake.encode()]


def _pairs(fields: Mapping[str, bytes]) -> Iterable[bytes]:
    for field, value in fields.items():
        yield field.encode()
        yield value


def _fields(flat: Sequence[bytes]) -> dict[str, bytes]:
    return {field.decode(): value for field, value in zip(flat[::2], flat[1::2], strict=True)}

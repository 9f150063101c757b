"""What can be read about rooms without owning them: facts for lists, codes, whose matches run, finished replays."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from engine.replay import Replay
from rooms.keys import keys_of
from rooms.nodes import Nodes, StoreTrouble
from rooms.replaying import replay_of
from rooms.state import OVER, RoomState, Setup, Sitter, read_sitters, unpack_room

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # no look-alikes
CODE_LENGTH = 6
CODE_MS = 15 * 60 * 1000
REPORTS, MOST_REPORTS = "{reports}", 10_000  # a stream of what people report
LISTED = "{lobby}:rooms"  # a hash: room -> its public facts, as long as it is open or live

_json = msgspec.json.Encoder()
_setup = msgspec.json.Decoder(Setup)


class NotOver(Exception):
    """A replay before the end would tell what is hidden."""


class Library:
    """Reads, and keeps the lists that others read."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.past: Callable[[str, str], Awaitable[tuple[Replay | None, bool] | None]] = _no_past

    # codes

    async def new_code(self, room: str) -> str:
        """A code that leads to this room for a quarter of an hour."""
        while True:
            code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
            if await self._call(f"code:{code}", "SET", f"code:{code}", room, "NX", "PX", CODE_MS):
                return code

    async def find(self, code: str) -> str | None:
        """The room behind a code; how it is written does not matter."""
        code = code.strip().upper()
        if len(code) != CODE_LENGTH or any(letter not in ALPHABET for letter in code):
            return None
        room = await self._call(f"code:{code}", "GET", f"code:{code}")
        return None if room is None else bytes(room).decode()

    # lists

    async def list_room(self, room: str, facts: dict[str, Any]) -> None:
        """Put a room on the public list."""
        await self._call(LISTED, "HSET", LISTED, room, _json.encode(facts))

    async def unlist_room(self, room: str) -> None:
        """Take a room off the public list."""
        await self._call(LISTED, "HDEL", LISTED, room)

    async def listing(self) -> list[dict[str, Any]]:
        """The rooms that are on the list; a dead one may still be among them."""
        return [msgspec.json.decode(facts) for facts in await self._call(LISTED, "HVALS", LISTED)]

    async def listed(self) -> list[dict[str, Any]]:
        """The rooms that are open or live."""
        found = await self.listing()
        statuses = await asyncio.gather(*(self.status(facts["room"]) for facts in found))
        gone = [facts["room"] for facts, status in zip(found, statuses, strict=True) if status in (None, OVER)]
        for room in gone:  # whoever owned it died before it could cross it out
            await self.unlist_room(room)
        return [facts for facts in found if facts["room"] not in gone]

    async def sits(self, user: str, room: str, game: str, now: int, **more: int) -> None:
        """Remember that a user has a match there."""
        key = _seats_key(user)
        await self._call(key, "HSET", key, room, _json.encode({"room": room, "game": game, "since": now, **more}))

    async def left(self, user: str, room: str) -> None:
        """The match is over."""
        key = _seats_key(user)
        await self._call(key, "HDEL", key, room)

    async def matches_of(self, user: str) -> list[dict[str, Any]]:
        """The running matches of a user. What has ended since is forgotten on the way."""
        key = _seats_key(user)
        found = []
        for data in await self._call(key, "HVALS", key):
            entry = msgspec.json.decode(data)
            if await self.status(entry["room"]) in (None, OVER):
                await self.left(user, entry["room"])
            else:
                found.append(entry)
        return found

    # reports

    async def file(self, report: dict[str, Any]) -> None:
        """Put a report where the operator finds it."""
        await self._call(REPORTS, "XADD", REPORTS, "MAXLEN", "~", MOST_REPORTS, "*", "x", _json.encode(report))

    # one room

    async def inputs(self, room: str) -> list[bytes]:
        """Everything that was done in a room, in order."""
        key = keys_of(room).inputs
        return [bytes(fields[1]) for _, fields in await self._call(key, "XRANGE", key, "-", "+")]

    async def status(self, room: str) -> int | None:
        """Waiting, playing, over; None if there is no such room."""
        meta = keys_of(room).meta
        st = await self._call(meta, "HGET", meta, "st")
        return None if st is None else int(st)

    async def facts(self, room: str) -> dict[str, Any] | None:
        """What anybody may know of a room."""
        status = await self.status(room)
        if status is None:
            return None
        side = await self._fields(keys_of(room).side)
        setup = _setup.decode(side["setup"])
        sitters = read_sitters(side, setup)
        names = {0: "open", 1: "live", 2: "over"}
        return {
            "room": room,
            "game": setup.game,
            "status": names[status],
            "mode": setup.mode,
            "options": setup.options,
            "clock": None if setup.clock is None else msgspec.to_builtins(setup.clock),
            "private": setup.private,
            "watch": setup.watch.who,
            "delay": msgspec.to_builtins(setup.watch.delay),
            "leavers": setup.leavers,
            "made": setup.made,
            "seats": [_chair(sitter) for sitter in sitters],
            "ready": setup.ready,
            **({"series": msgspec.to_builtins(setup.series)} if setup.series is not None else {}),
        }

    async def ready_by(self, room: str) -> int | None:
        """When everybody must have come to a match that was arranged; None if there is no such room."""
        side = await self._fields(keys_of(room).side)
        return _setup.decode(side["setup"]).ready_by if "setup" in side else None

    async def seat_of(self, room: str, user: str) -> int | None:
        """The seat that a user has in a room."""
        side = await self._fields(keys_of(room).side)
        sitters = read_sitters(side, _setup.decode(side["setup"]))
        return next((seat for seat, sitter in enumerate(sitters) if sitter.user == user), None)

    async def replay(self, room: str, user: str) -> Replay | None:
        """A finished match with its seed and everything that was done; only for whoever could have watched."""
        trouble: StoreTrouble | None = None
        try:
            past = await self.past(room, user)
        except StoreTrouble as error:  # it may still lie where it was played
            past, trouble = None, error
        if past is not None:
            replay, allowed = past
            if not allowed:
                raise NotOver
            return replay
        found = await self._read(room)
        if found is None:
            if trouble is not None:
                raise trouble
            return None
        state, status, side = found
        seated = any(sitter.user == user for sitter in read_sitters(side, state.setup)) if user else False
        if status != OVER or not (state.setup.watch.who == "all" or seated):
            raise NotOver
        return replay_of(state, await self.inputs(room))

    async def so_far(self, room: str, state: RoomState) -> Replay:
        """A match that runs, as far as it is written down. Secret: only for whoever owns the room."""
        return replay_of(state, await self.inputs(room))

    async def _read(self, room: str) -> tuple[RoomState, int, dict[str, bytes]] | None:
        keys = keys_of(room)
        snapshot = await self._call(keys.state, "GET", keys.state)
        status = await self.status(room)
        if snapshot is None or status is None:
            return None
        return unpack_room(bytes(snapshot)), status, await self._fields(keys.side)

    async def _fields(self, key: str) -> dict[str, bytes]:
        flat = await self._call(key, "HGETALL", key)
        return {bytes(k).decode(): bytes(v) for k, v in zip(flat[::2], flat[1::2], strict=True)}

    async def _call(self, key: str, *words: bytes | str | int) -> Any:
        return await self.nodes.within(8, lambda: self.nodes.ask(key, *words))


def _chair(sitter: Sitter) -> dict[str, Any]:
    if not sitter.taken:
        return {}
    return {
        "name": sitter.name,
        "bot": bool(sitter.played_by),
        **({"id": sitter.user} if sitter.user else {}),
    }


async def _no_past(room: str, user: str) -> None:
    """Nothing is kept here once it has left the store."""


def _seats_key(user: str) -> str:
    return f"{{u:{user}}}:seats"

"""What is known of people beside their matches: whom they block, whom they met last, and where they seek."""

from __future__ import annotations

from typing import Any

import msgspec

from rooms.nodes import Nodes

DAY_MS = 86_400_000
MET_MS = 7 * DAY_MS  # after a week one may meet anybody again
SEEK_MS = 60_000  # how long somebody counts as seeking without another sign of it
MOST_BLOCKED = 500

_json = msgspec.json.Encoder()
_names = msgspec.json.Decoder(list[str])


class People:
    """Reads and writes what is kept of users, each under a tag of their own."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes

    # whom they block

    async def blocked(self, user: str) -> list[str]:
        """Whom somebody does not want to meet."""
        key = _key(user, "blocked")
        return [bytes(name).decode() for name in await self._call(key, "SMEMBERS", key)]

    async def block(self, user: str, other: str, on: bool) -> bool:
        """Somebody wants to meet another no more, or again. False if the list is full."""
        key = _key(user, "blocked")
        if on and await self._call(key, "SCARD", key) >= MOST_BLOCKED:
            return False
        await self._call(key, "SADD" if on else "SREM", key, other)
        return True

    # whom they met

    async def last_met(self, user: str) -> list[str]:
        """Whom somebody played last."""
        key = _key(user, "met")
        data = await self._call(key, "GET", key)
        return [] if data is None else _names.decode(data)

    async def have_met(self, users: list[str]) -> None:
        """These play a match against each other."""
        for user in users:
            key = _key(user, "met")
            others = [other for other in users if other != user]
            await self._call(key, "SET", key, _json.encode(others), "PX", MET_MS)

    # where they seek

    async def seeks(self, user: str, queue: str) -> str:
        """Somebody enters a queue; the queue that they are in, which may be another."""
        key = _key(user, "seek")
        if await self._call(key, "SET", key, queue, "NX", "PX", SEEK_MS):
            return queue
        there = await self._call(key, "GET", key)
        return queue if there is None else bytes(there).decode()

    async def sought(self, user: str) -> str:
        """The queue that somebody is in; nothing if in none."""
        key = _key(user, "seek")
        there = await self._call(key, "GET", key)
        return "" if there is None else bytes(there).decode()

    async def still_seek(self, users: list[str]) -> None:
        """They are still at it."""
        for user in users:
            key = _key(user, "seek")
            await self._call(key, "PEXPIRE", key, SEEK_MS)

    async def stop_seeking(self, users: list[str]) -> None:
        """They seek no more."""
        for user in users:
            key = _key(user, "seek")
            await self._call(key, "DEL", key)

    # whether they left

    async def marked(self, user: str) -> str:
        """Whether somebody has left a match today: a word, or nothing."""
        key = _key(user, "left")
        mark = await self._call(key, "GET", key)
        return "" if mark is None else bytes(mark).decode()

    async def mark(self, user: str, word: str) -> None:
        """Remember for a day that somebody left a match."""
        key = _key(user, "left")
        await self._call(key, "SET", key, word, "PX", DAY_MS)

    async def _call(self, key: str, *words: bytes | str | int) -> Any:
        return await self.nodes.within(8, lambda: self.nodes.ask(key, *words))


def _key(user: str, what: str) -> str:
    return f"{{u:{user}}}:{what}"

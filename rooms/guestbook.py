"""What the house knows of a user beside their token: a name they took, whether they are banned, what was signed out.

Whoever has a token is who it says; this says what became of them since. Few users have any of it, so most look-ups
find nothing, and each record goes by itself when no token can need it any more.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

import msgspec
from msgspec import Struct

from rooms.library import ALPHABET
from rooms.nodes import Nodes

DAY_MS = 86_400_000
SIGNED_OUT_MS = 31 * DAY_MS  # longer than any token lasts
NAMED_MS = 400 * DAY_MS
PASS_LENGTH = 8  # of a one-time code; 31 symbols, so nobody guesses one
PASS_MS = 10 * 60 * 1000

_json = msgspec.json.Encoder()


class Ban(Struct, omit_defaults=True):
    """Somebody may not come in: why, and until when; 0 is for good."""

    why: str = ""
    until: int = 0


class Known(Struct, omit_defaults=True):
    """What is to be minded when somebody comes in."""

    name: str = ""  # that they took after their token was signed, or were given by the operator
    since: int = 0  # tokens that were signed before are no good any more
    ban: Ban | None = None
    blocked: list[str] = []  # whom they do not want to hear


class Pass(Struct):
    """Whose identity a one-time code hands over, and when it was made."""

    user: str
    name: str
    at: int


_ban = msgspec.json.Decoder(Ban)
_pass = msgspec.json.Decoder(Pass)


class Guestbook:
    """Reads and writes what is known of users, each under a tag of their own."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes

    async def about(self, user: str) -> Known:
        """All that is known of somebody."""
        keys = [_key(user, what) for what in ("name", "since", "ban")]
        blocked = _key(user, "blocked")
        (name, since, ban), names = await asyncio.gather(
            self._call(keys[0], "MGET", *keys), self._call(blocked, "SMEMBERS", blocked)
        )
        return Known(
            "" if name is None else bytes(name).decode(),
            int(since or 0),
            None if ban is None else _ban.decode(ban),
            sorted(bytes(other).decode() for other in names),
        )

    async def rename(self, user: str, name: str) -> None:
        """From now on somebody is called so, whatever their tokens say."""
        key = _key(user, "name")
        await self._call(key, "SET", key, name, "PX", NAMED_MS)

    async def ban(self, user: str, ban: Ban, now: int) -> None:
        """Somebody may not come in any more."""
        key = _key(user, "ban")
        lasts = ("PX", max(1, ban.until - now)) if ban.until else ()
        await self._call(key, "SET", key, _json.encode(ban), *lasts)

    async def unban(self, user: str) -> bool:
        """They may again. False if they might all the time."""
        key = _key(user, "ban")
        return bool(await self._call(key, "DEL", key))

    async def forget(self, user: str, now: int) -> None:
        """Keep nothing of somebody but what keeps others from being them: old tokens stay bad, and a ban a ban."""
        since = _key(user, "since")
        await self._call(since, "SET", since, now, "PX", SIGNED_OUT_MS)
        keys = [_key(user, what) for what in ("name", "blocked", "met", "left", "seek", "seats")]
        await self._call(keys[0], "DEL", *keys)

    # to another device

    async def new_pass(self, user: str, name: str, now: int) -> str:
        """A code that makes another device the same user, once, within ten minutes."""
        while True:
            code = "".join(secrets.choice(ALPHABET) for _ in range(PASS_LENGTH))
            key, data = _pass_key(code), _json.encode(Pass(user, name, now))
            if await self._call(key, "SET", key, data, "NX", "PX", PASS_MS):
                return code

    async def use_pass(self, code: str, by: str) -> Pass | None:
        """Whom a code makes the caller; None if it is none, or was used. Asking again as the same is no second use."""
        code = code.strip().upper().replace("-", "").replace(" ", "")
        if len(code) != PASS_LENGTH or any(letter not in ALPHABET for letter in code):
            return None
        key = _pass_key(code)
        data = await self._call(key, "GET", key)
        if data is None:
            return None
        taken = f"{key}:by"
        first = await self._call(taken, "SET", taken, by, "NX", "GET", "PX", PASS_MS)
        return _pass.decode(data) if first is None or bytes(first).decode() == by else None

    async def _call(self, key: str, *words: bytes | str | int) -> Any:
        return await self.nodes.within(8, lambda: self.nodes.ask(key, *words))


def _key(user: str, what: str) -> str:
    return f"{{u:{user}}}:{what}"


def _pass_key(code: str) -> str:
    return f"{{pass:{code}}}"

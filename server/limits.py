"""How much anybody may do, and what happens to those who do more.

A fast player is slowed by not being read for a moment, and notices little; only a flood is refused, and only somebody
who goes on flooding is shown out. Every clock is handed in, in seconds, so that a test can turn it.
"""

from __future__ import annotations

import ipaddress
from collections import deque
from collections.abc import Callable
from time import monotonic

Clock = Callable[[], float]

FLOOD = 16 * 1024  # bytes sent ahead of us while we do not listen: no player does that
PATIENCE = 60.0  # seconds within which breaches are counted together
REMEMBERED = 10_000  # addresses whose wrong guesses are kept; beyond that the oldest are forgotten


class Bucket:
    """Holds `burst` tokens and gains `rate` a second; whoever takes one from an empty bucket has to wait."""

    __slots__ = ("_at", "_clock", "_tokens", "burst", "rate")

    def __init__(self, rate: float, burst: float, clock: Clock = monotonic) -> None:
        self.rate, self.burst, self._clock = rate, burst, clock
        self._tokens, self._at = burst, clock()

    def take(self, count: float = 1) -> bool:
        """Take tokens if they are there."""
        if self.level() < count:
            return False
        self._tokens -= count
        return True

    def borrow(self, count: float = 1) -> float:
        """Take tokens in any case, and tell how many seconds to wait until they are paid back."""
        level = self.level()
        self._tokens -= count
        return max(0.0, count - level) / self.rate

    def level(self) -> float:
        """How many tokens there are now; below nothing if some were borrowed."""
        now = self._clock()
        self._tokens = min(self.burst, self._tokens + (now - self._at) * self.rate)
        self._at = now
        return self._tokens

    def wait(self) -> float:
        """Seconds until a token is there."""
        return max(0.0, 1 - self.level()) / self.rate


class Pace:
    """How fast the commands of one connection are taken."""

    __slots__ = ("_bucket", "cost")

    def __init__(self, commands: int, seconds: float, burst: int, clock: Clock = monotonic) -> None:
        self._bucket = Bucket(commands / seconds, burst, clock)
        self.cost = 1.0  # of a command, in commands of a player

    def delay(self) -> float:
        """Count a command, and tell for how many seconds not to listen after it."""
        return self._bucket.borrow(self.cost)

    def wait(self) -> float:
        """Seconds until the next command would be in time."""
        return self._bucket.wait()

    def floods(self, waiting: int = 0) -> bool:
        """Whether this is no fast player but a flood: far ahead of us, by bytes that wait or by commands taken."""
        level = self._bucket.level()
        return level < -self._bucket.burst or (level < 0 and waiting > FLOOD)


class Breaches:
    """Undecodable, oversized and too frequent frames of one connection. Two a minute are forgiven."""

    __slots__ = ("_allowed", "_clock", "_times")

    def __init__(self, allowed: int = 2, clock: Clock = monotonic) -> None:
        self._allowed, self._clock = allowed, clock
        self._times: deque[float] = deque(maxlen=allowed + 1)

    def add(self) -> bool:
        """Count a breach; True when it was one too many and the connection is to be closed."""
        now = self._clock()
        self._times.append(now)
        return len(self._times) > self._allowed and now - self._times[0] < PATIENCE


class Crowd:
    """How many of somebody's connections are open. An empty name is free."""

    __slots__ = ("_inside", "most")

    def __init__(self, most: int) -> None:
        self.most = most
        self._inside: dict[str, int] = {}

    def enter(self, who: str) -> bool:
        """Let one more in, if there is room. Whoever entered must leave."""
        inside = self._inside.get(who, 0)
        if who and inside >= self.most:
            return False
        if who:
            self._inside[who] = inside + 1
        return True

    def leave(self, who: str) -> None:
        """One less."""
        left = self._inside.get(who, 0) - 1
        if left > 0:
            self._inside[who] = left
        else:
            self._inside.pop(who, None)

    def count(self, who: str) -> int:
        """How many are inside."""
        return self._inside.get(who, 0)


class Misses:
    """Wrong invite codes by address: guessing is slow work here."""

    __slots__ = ("_buckets", "_clock", "_most", "_seconds")

    def __init__(self, most: int = 10, seconds: float = 60.0, clock: Clock = monotonic) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._buckets: dict[str, Bucket] = {}

    def may_guess(self, who: str) -> bool:
        """Whether this address may try another code. Ask before looking it up."""
        bucket = self._buckets.get(who)
        return bucket is None or bucket.level() >= 1

    def add(self, who: str) -> None:
        """This address guessed wrong."""
        bucket = self._buckets.pop(who, None) or Bucket(self._most / self._seconds, self._most, self._clock)
        bucket.take()
        self._buckets[who] = bucket  # at the end: the first are those that have been quiet for longest
        while len(self._buckets) > REMEMBERED:
            del self._buckets[next(iter(self._buckets))]


def address_key(address: str | None) -> str:
    """Whom an address stands for: itself, its /64 in IPv6, and nobody (free) on this very machine."""
    host = _host(address)
    if host is None:
        return address or ""
    if host.is_loopback:
        return ""
    return str(host) if host.version == 4 else str(ipaddress.ip_network((host, 64), strict=False))


def guess_key(address: str | None) -> str:
    """The same for guessing, where this machine is not free: a proxy may stand on it."""
    return address_key(address) or "here"


def _host(address: str | None) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        host = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return None
    return host.ipv4_mapped or host if isinstance(host, ipaddress.IPv6Address) else host

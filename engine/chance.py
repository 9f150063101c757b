"""Chance that is part of the table.

Every number comes from BLAKE2 of the match's secret seed, the lane it is drawn in and a counter. The counters
are stored with the table, so a seed and a list of moves give the same match again, and nobody who lacks the seed
can tell the next card. The hash of the seed is published at the start and the seed at the end.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b, sha256

from engine.table import SEAT_NUMBERS

LUCK = "luck"
IDS = "ids"
BLOCK = 256  # ids are dealt from blocks in any order: a small match has short ones, which is less on the wire
_AT_ONCE = 8  # numbers that one hash gives


def make_seed(seed: str | bytes | int) -> bytes:
    """32 bytes from whatever a person types; 32 bytes stay as they are."""
    if isinstance(seed, bytes) and len(seed) == 32:
        return seed
    return sha256(seed if isinstance(seed, bytes) else str(seed).encode()).digest()


def commitment(seed: bytes) -> str:
    """What is published before the first card: anyone can check the seed against it at the end."""
    return sha256(seed).hexdigest()


def draw(seed: bytes, lane: str, count: int) -> int:
    """The count-th 64-bit number of a lane."""
    batch, place = divmod(count, _AT_ONCE)
    return _batch(seed, lane, batch)[place]


@lru_cache(maxsize=64)  # whoever shuffles draws many in a row
def _batch(seed: bytes, lane: str, batch: int) -> list[int]:
    digest = blake2b(batch.to_bytes(8, "big") + lane.encode(), key=seed).digest()
    return [int.from_bytes(digest[at : at + 8], "big") for at in range(0, 8 * _AT_ONCE, 8)]


def below(seed: bytes, lane: str, count: int, limit: int) -> tuple[int, int]:
    """A number from 0 to limit - 1, each as likely, and the counter after it."""
    if limit < 1:
        raise ValueError("there is nothing to choose from")
    ceiling = (1 << 64) - (1 << 64) % limit
    while (number := draw(seed, lane, count)) >= ceiling:
        count += 1
    return number % limit, count + 1


class Lane:
    """Numbers of one lane in order, for whoever needs some before there is a table."""

    def __init__(self, seed: bytes, lane: str) -> None:
        self._seed, self._lane, self._count = seed, lane, 0

    def __call__(self, limit: int) -> int:
        number, self._count = below(self._seed, self._lane, self._count, limit)
        return number


def minted(seed: bytes, count: int) -> int:
    """The count-th card id of a match: a number without order or meaning that never comes twice and is no seat's."""
    block, place = divmod(count, BLOCK)
    return block * BLOCK + _ids(seed, block)[place] + SEAT_NUMBERS


@lru_cache(maxsize=16384)  # a running match comes back to its block again and again
def _ids(seed: bytes, block: int) -> bytes:
    """One block of ids in the order in which they are given out: any order, each as likely."""
    first = block * BLOCK
    lots = [draw(seed, IDS, first + place) for place in range(BLOCK)]
    return bytes(sorted(range(BLOCK), key=lots.__getitem__))

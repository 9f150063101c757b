"""Chance that is part of the table.

Every number comes from BLAKE2 of the match's secret seed, the lane it is drawn in and a counter. The counters
are stored with the table, so a seed and a list of moves give the same match again, and nobody who lacks the seed
can tell the next card. The hash of the seed is published at the start and the seed at the end.
"""

from __future__ import annotations

from hashlib import blake2b, sha256

LUCK = "luck"
IDS = "ids"

_HALF = 6  # ids are permuted in blocks of 2 ** 12: short on the wire
_MASK = (1 << _HALF) - 1
BLOCK = 1 << (2 * _HALF)
_ROUNDS = (b"id0", b"id1", b"id2", b"id3")


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
    return int.from_bytes(blake2b(count.to_bytes(8, "big") + lane.encode(), key=seed, digest_size=8).digest(), "big")


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
    """The count-th card id of a match: a number without order or meaning that never comes twice.

    A keyed permutation of the counter (a Feistel network) needs no memory of the ids given before.
    """
    block, low = divmod(count, BLOCK)
    left, right = low >> _HALF, low & _MASK
    head = block.to_bytes(6, "big")
    for person in _ROUNDS:
        digest = blake2b(head + right.to_bytes(1, "big"), key=seed, digest_size=1, person=person).digest()
        left, right = right, left ^ (digest[0] & _MASK)
    return block * BLOCK + (left << _HALF | right) + 1

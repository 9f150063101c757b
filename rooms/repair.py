"""Writing again what the store has forgotten.

Replication is asynchronous: when a primary dies, its replica may not have heard the last commits, although they were
acknowledged. The owner of a room still knows them. If what the store holds is a beginning of the owner's own history,
the rest is written again, in order and under the same marks.
"""

from __future__ import annotations

from collections import deque

KEPT_SECONDS = 3.0  # longer than a replica may lag behind


class Recent:
    """The last commits of one room, as they were sent."""

    def __init__(self) -> None:
        self._kept: deque[tuple[float, int, list[bytes]]] = deque()

    def keep(self, at: float, ver: int, words: list[bytes]) -> None:
        """A version was committed. The newest one always stays: it proves whose history the store holds."""
        self._kept.append((at, ver, words))
        while len(self._kept) > 1 and self._kept[0][0] < at - KEPT_SECONDS:
            self._kept.popleft()

    def after(self, ver: int, cid: bytes) -> list[list[bytes]] | None:
        """What followed this version, if it is one of ours under this mark; None if that cannot be shown."""
        known = [kept for kept in self._kept if kept[1] >= ver]
        if not known or known[0][1] != ver or _cid(known[0][2]) != cid:
            return None
        return [words for _, _, words in known[1:]]


def under(words: list[bytes], ep: str) -> list[bytes]:
    """The same commit in the name of a later claim by the same owner."""
    place = int(words[0]) + 2
    return [*words[:place], ep.encode(), *words[place + 1 :]]


def as_it_was(words: list[bytes]) -> list[bytes]:
    """The same commit, whose clocks were right when it was written first."""
    place = int(words[0]) + 19
    return [*words[:place], b"", *words[place + 1 :]]


def _cid(words: list[bytes]) -> bytes:
    return words[int(words[0]) + 4]

"""Who plays whom: a queue of people who seek a match, and how they are brought together.

Plain arithmetic on tickets: the store says who waits, this says who fits. Everybody accepts opponents within a window
around their own rating, which grows with the time that they have waited; both windows must reach.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Sequence
from hashlib import blake2b

import msgspec
from msgspec import Struct

from rooms.state import Queue as Queue

START = 1500  # the rating of somebody who has none
FIRST, FAR, FARTHEST = 50.0, 300.0, 600.0  # points: at once, after 76 s, after 16 minutes
PER_SECOND, THEN_PER_SECOND = 3.3, 0.33
FIRST_OF_ALL = 1 << 60  # ms by which whoever was let down is ahead of everybody else
TRIES = 200  # candidates that are looked at for one seeker


class Ticket(Struct, omit_defaults=True):
    """Somebody in a queue: their name, strength and deck, and whom they would rather not meet."""

    user: str
    name: str
    rating: float = START
    deck: list[str] | None = None
    gateway: str = ""  # who can tell them
    last: list[str] = []  # whom they played last
    blocked: list[str] = []
    front: bool = False  # was let down by somebody, and comes first


class Waiting(Struct):
    """A ticket, and since when it has been waiting."""

    ticket: Ticket
    since: int


def window(waited: int) -> float:
    """How far from one's own rating an opponent may be, after so many ms."""
    seconds = max(0, waited) / 1000
    until = (FAR - FIRST) / PER_SECOND
    if seconds <= until:
        return FIRST + PER_SECOND * seconds
    return min(FARTHEST, FAR + THEN_PER_SECOND * (seconds - until))


def bring_together(waiting: Iterable[Waiting], now: int, seats: int = 2) -> list[tuple[Waiting, ...]]:
    """As many matches as there are, the longest waiting first, each with whoever is nearest to them."""
    line = _Line(list(waiting), now)
    found = []
    for one in line.by_turn():
        if one not in line.gone:
            table = line.table_for(one, seats)
            if table is not None:
                line.take(table)
                found.append(tuple(line.people[k] for k in table))
    return found


def room_of(match: str) -> str:
    """The room in which a match is played that was arranged under this id."""
    digest = blake2b(f"match/{match}".encode(), digest_size=16).digest()
    return urlsafe_b64encode(digest).rstrip(b"=").decode()


def seating_order(match: str, users: Sequence[str]) -> list[str]:
    """Who sits where: as chance has it, and the same for everybody who works it out."""
    return sorted(users, key=lambda user: blake2b(f"{match}/{user}".encode(), digest_size=8).digest())


class _Line:
    """Everybody in order of strength, with neighbours that close up when somebody leaves."""

    def __init__(self, people: list[Waiting], now: int) -> None:
        self.people = sorted(people, key=lambda one: one.ticket.rating)
        self.gone: set[int] = set()
        self._windows = [window(now - one.since) for one in self.people]
        count = len(self.people)
        self._left, self._right = list(range(-1, count - 1)), list(range(1, count + 1))
        self._crowd = count > 2
        self._ratings = [one.ticket.rating for one in self.people]

    def by_turn(self) -> list[int]:
        """Whose turn it is to be given a match: who was let down, then who has waited longest."""
        turns = [one.since - FIRST_OF_ALL if one.ticket.front else one.since for one in self.people]
        return sorted(range(len(turns)), key=turns.__getitem__)

    def table_for(self, one: int, seats: int) -> list[int] | None:
        """The nearest who fit, if there are enough of them."""
        table = [one]
        for other in self._nearest(one):
            if all(self._fit(member, other) for member in table):
                table.append(other)
                if len(table) == seats:
                    return table
        return None

    def take(self, table: list[int]) -> None:
        """These leave the line."""
        for k in table:
            self.gone.add(k)
            left, right = self._left[k], self._right[k]
            if left >= 0:
                self._right[left] = right
            if right < len(self.people):
                self._left[right] = left

    def _nearest(self, one: int) -> Iterable[int]:
        """The others from the nearest on, as far as this one's window reaches."""
        ratings, reach = self._ratings, self._windows[one]
        rating, left, right, count = ratings[one], self._left[one], self._right[one], len(ratings)
        for _ in range(TRIES):
            below = rating - ratings[left] if left >= 0 else reach + 1
            above = ratings[right] - rating if right < count else reach + 1
            if min(below, above) > reach:
                return
            if below <= above:
                yield left
                left = self._left[left]
            else:
                yield right
                right = self._right[right]

    def _fit(self, one: int, other: int) -> bool:
        mine, theirs = self.people[one].ticket, self.people[other].ticket
        apart = abs(mine.rating - theirs.rating)
        if apart > self._windows[one] or apart > self._windows[other]:
            return False
        if mine.user == theirs.user or theirs.user in mine.blocked or mine.user in theirs.blocked:
            return False
        again = theirs.user in mine.last or mine.user in theirs.last
        return not (again and self._crowd)


_ticket = msgspec.json.Decoder(Ticket)
_json = msgspec.json.Encoder()


def pack_ticket(ticket: Ticket) -> bytes:
    """A ticket as it lies in the store; no line break and no tab is in it."""
    return _json.encode(ticket)


def unpack_ticket(data: bytes | memoryview) -> Ticket:
    """The ticket that was stored."""
    return _ticket.decode(data)


def read_pending(data: bytes) -> tuple[int, list[Waiting]]:
    """When a match was arranged, and for whom."""
    at, *lines = data.split(b"\n")
    found = []
    for line in lines:
        _, since, ticket = line.split(b"\t", 2)
        found.append(Waiting(unpack_ticket(ticket), int(since)))
    return int(at), found

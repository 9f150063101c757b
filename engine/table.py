"""The table and everything that lies on it.

A card, a seat and the table itself are entities: frozen, and swapped by the journal when something about them
changes. Cards have ids from 16 on, the table is 0, seat 0 is -1, seat 1 is -2 and so on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct, field

from engine.frames import Ask, Entity, EntityId, Frame, Heard, Seat, Turn

__all__ = [
    "AUDIENCE",
    "EVERYONE",
    "SEAT_NUMBERS",
    "TABLE",
    "Attr",
    "Entity",
    "EntityId",
    "Place",
    "Result",
    "Seat",
    "Table",
    "Viewer",
    "Zone",
    "bit",
    "seat_id",
]

T = TypeVar("T")

Viewer: TypeAlias = int  # a seat, or AUDIENCE
AUDIENCE: Viewer = -1
EVERYONE = -1  # as a set of viewers: all bits
TABLE: EntityId = 0
SEAT_NUMBERS = 16  # a number below this one is a seat, one from here on a card


def seat_id(seat: Seat) -> EntityId:
    """The entity that holds the facts of a seat."""
    return -1 - seat


def bit(viewer: Viewer) -> int:
    """A viewer as a member of a set of viewers."""
    return 1 << (viewer + 1)


class Attr(Generic[T]):
    """A typed name for a fact: CC.of(seat) is an int, and the type checker knows it."""

    __slots__ = ("default", "name")

    def __init__(self, name: str, default: T) -> None:
        self.name = name
        self.default = default

    def of(self, entity: Entity) -> T:
        """The fact as it stands on this entity."""
        value: T = entity.facts.get(self.name, self.default)
        return value


class Zone(Struct, frozen=True):
    """A kind of place: who sees the faces there, and who can tell its cards apart.

    `faces` is who sees them; `things` who can at least point at a card that lies face down. Unless it is said,
    nobody sees anything but how many cards there are, and `counted=False` hides even that.
    """

    name: str
    faces: Literal["all", "owner", "none"] = "none"
    things: Literal["all", "owner", "none"] = "none"
    shared: bool = False
    counted: bool = True
    live: bool = False  # cards here are in play: they hear events and bend numbers

    def places(self, seats: int) -> Iterator[Place]:
        """This zone as it lies on a table for so many."""
        if self.shared:
            yield self._place(self.name, AUDIENCE)
            return
        for seat in range(seats):
            yield self._place(f"{seat}.{self.name}", seat)

    def _place(self, key: str, seat: Seat) -> Place:
        faces = _viewers(self.faces, seat)
        things = faces | _viewers(self.things, seat)
        return Place(key, self.name, seat, faces, things, EVERYONE if self.counted else things, self.live)


def _viewers(word: str, seat: Seat) -> int:
    return {"all": EVERYONE, "owner": bit(seat) if seat >= 0 else 0, "none": 0}[word]


class Place(Struct, frozen=True):
    """One zone of one table, with the sets of viewers who may look."""

    key: str
    kind: str
    seat: Seat  # whose side it is; AUDIENCE for a shared one
    faces: int
    things: int
    counts: int
    live: bool

    def seen_by(self, card: Entity) -> int:
        """The viewers who see the face of a card that lies here."""
        return self.faces & ~card.dark | card.shown

    def known_to(self, card: Entity) -> int:
        """The viewers who can at least point at it."""
        return self.things | card.shown


class Result(Struct, frozen=True):
    """How a match ended. No winners: a draw."""

    winners: tuple[Seat, ...]
    reason: str
    ranking: tuple[tuple[Seat, ...], ...] = ()


class Table(Struct):
    """The whole truth of a match. Only the journal writes on it."""

    game: str
    rules: str
    cards: str  # the hash of the card rows that this match was dealt with
    seats: int
    seed: bytes
    options: dict[str, Any] = field(default_factory=dict)
    version: int = 0
    entities: dict[EntityId, Entity] = field(default_factory=dict)
    zones: dict[str, tuple[EntityId, ...]] = field(default_factory=dict)
    stack: tuple[Frame, ...] = ()
    bag: tuple[Heard, ...] = ()
    luck: dict[str, int] = field(default_factory=dict)
    asked: int = 0
    result: Result | None = None

    def __getitem__(self, id: EntityId) -> Entity:
        return self.entities[id]

    def seat(self, seat: Seat) -> Entity:
        """The entity of a seat: its name, its counters."""
        return self.entities[-1 - seat]

    @property
    def names(self) -> list[str]:
        """What the players are called, seat by seat; empty where nobody said."""
        return [str(self.seat(seat).facts.get("name", "")) for seat in range(self.seats)]

    def lying(self, zone: str) -> list[Entity]:
        """The cards of a zone from the bottom to the top."""
        entities = self.entities
        return [entities[id] for id in self.zones[zone]]

    @property
    def active(self) -> Seat:
        """Whose turn it is, also while somebody else answers a question."""
        for frame in self.stack:
            if type(frame) is Turn:
                return frame.seat
        return AUDIENCE

    def waiting(self) -> tuple[Seat, ...]:
        """The seats that still owe a move or an answer."""
        if self.result is not None or not self.stack:
            return ()
        top = self.stack[-1]
        if type(top) is Turn:
            return (top.seat,)
        return tuple([seat for seat in top.questions if seat not in top.answers]) if type(top) is Ask else ()

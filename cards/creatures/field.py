"""The nouns of the creature battle: the places where creatures fight, and what can be seen there.

A creature is a stack of cards: tools and energies underneath, then what it grew out of, on top what it is now. Whatever
is asked here is asked with somebody's eyes: a card that lies face down to them tells them nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from cards.creatures.faces import Card, Status
from cards.table.facts import COUNTERS, DONE, TURNED, sees
from engine.frames import Entity, Seat, Slot
from engine.look import Look
from engine.table import EVERYONE, TABLE, Attr, Table

ACTIVE, STAGING, STADIUM = "active", "staging", "stadium"
BENCH = tuple(f"bench_{n}" for n in range(1, 6))
PRIZES = tuple(f"prizes_{n}" for n in range(1, 7))
FIELD = (ACTIVE, *BENCH)
DAMAGE = {"10": 10, "50": 50, "100": 100}
STATUSES: dict[str, str] = {"90": "paralyzed", "-90": "asleep", "180": "confused"}
TURNS: dict[str, str] = {status: turn for turn, status in STATUSES.items()}

MARKERS = Attr[list[str]]("markers", [])  # of a seat: which of its two once-a-game markers are turned over
EXTRA = Attr("extra", 0)  # of a seat: cards it may draw because the other had to begin again


def kind(zone: str) -> str:
    """A place without its seat."""
    return zone.partition(".")[2] or zone


def in_field(zone: str) -> bool:
    """Whether creatures fight here."""
    return kind(zone) in FIELD


def places(seat: Seat) -> tuple[str, ...]:
    """Where the creatures of a seat are: the active one first."""
    return tuple(f"{seat}.{name}" for name in FIELD)


def printed_on(look: Look, card: Entity) -> Card:
    """What a card says."""
    return cast("Card", look.face(card))


def stack(look: Look, seat: Seat, zone: str) -> list[tuple[Entity, Card]]:
    """The cards of a place that a seat sees, from the bottom to the top."""
    return [(card, printed_on(look, card)) for card in look.table.lying(zone) if sees(look, seat, card)]


def creature(look: Look, seat: Seat, zone: str) -> tuple[Entity, Card] | None:
    """The creature of a place, as it is now."""
    return next(((card, face) for card, face in reversed(stack(look, seat, zone)) if face.is_creature), None)


def energies(look: Look, seat: Seat, zone: str) -> list[tuple[Entity, Card]]:
    """The energies that are attached to the creature of a place."""
    return [(card, face) for card, face in stack(look, seat, zone) if face.is_energy]


def known_to(look: Look, zone: str) -> int:
    """The viewers who see every card of a place."""
    known, place = EVERYONE, look.places[zone]
    for card in look.table.lying(zone):
        known &= place.seen_by(card)
    return known


def counters(table: Table, zone: str) -> dict[str, int]:
    """What lies on the creature of a place."""
    ids = table.zones[zone]
    return COUNTERS.of(table[ids[-1]]) if ids else {}


def damage(counts: dict[str, int]) -> int:
    """The damage that these counters are."""
    return sum(each * counts.get(name, 0) for name, each in DAMAGE.items())


def status(table: Table, zone: str) -> Status | None:
    """What the way a creature is turned says about it."""
    ids = table.zones[zone]
    return cast("Status | None", STATUSES.get(TURNED.of(table[ids[-1]]))) if ids else None


def beaten(look: Look, seat: Seat, zone: str) -> bool:
    """Whether somebody can see that a creature cannot go on."""
    here = creature(look, seat, zone)
    return here is not None and damage(counters(look.table, zone)) >= here[1].row.hp


def has_creatures(table: Table, seat: Seat) -> bool:
    """Whether anything lies where the creatures of a seat are."""
    return any(table.zones[zone] for zone in places(seat))


def prizes(table: Table, seat: Seat) -> list[str]:
    """The prizes that a seat has still to take."""
    return [key for name in PRIZES if table.zones[key := f"{seat}.{name}"]]


# what was done this turn


def deeds(table: Table) -> list[dict[str, Any]]:
    """What was done this turn, in order, as far as everybody knows."""
    done = DONE.of(table[TABLE])
    return [done[number] for number in sorted(done, key=int)]


def carried(table: Table) -> Iterator[tuple[str, str, str, bool]]:
    """Every card that was carried this turn: what it is, from where, to where, and whether its player was sure."""
    for deed in deeds(table):
        if "cards" in deed and "to" in deed:
            origins = deed["from"] if isinstance(deed["from"], list) else [deed["from"]] * len(deed["cards"])
            for face, origin in zip(deed["cards"], origins, strict=True):
                yield face, origin, deed["to"], bool(deed.get("sure"))


def knocked_out(table: Table, seat: Seat) -> int:
    """How many creatures of a seat were beaten this turn."""
    return sum(deed["do"] == "knock_out" and deed["of"] == seat for deed in deeds(table))


def due(table: Table, seat: Seat) -> int:
    """How many prizes a seat has still to take for creatures that were beaten this turn."""
    beaten = sum(knocked_out(table, other) for other in range(table.seats) if other != seat)
    taken = sum(kind(origin) in PRIZES and origin.startswith(f"{seat}.") for _, origin, _, _ in carried(table))
    return max(0, min(beaten - taken, len(prizes(table, seat))))


# slots of offers


def choice(name: str, *entries: int | str) -> Slot:
    """One of these."""
    return Slot(name, entries)


def number(name: str, least: int, most: int) -> Slot:
    """A number between these."""
    return Slot(name, range=(least, most))

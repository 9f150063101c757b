"""The nouns of the fizzlebox: faces, facts, how many cards there are, and who is still in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from cards.loading import read_effects
from engine.effects import Effects, Face, by_topic
from engine.errors import BadCards
from engine.frames import Entity, EntityId, Seat
from engine.look import Look
from engine.table import TABLE, Attr, Table

HERE = Path(__file__).parent
DEALT = 7  # cards for each hand, beside one that puts out a spark
SPARE_FOR_TWO = 2  # of those, how many go into the pile when only two play
PAIR, TRIPLE, FIVE = 2, 3, 5

Kind = Literal["spark", "douse", "veto", "action", "trinket"]
Count = Annotated[int, Meta(ge=0)]

# of a seat
PLACE = Attr("place", 0)  # the rank of a seat that is out; 0 while it is in
# of the table
NUMBER = Attr("number", 0)  # turns so far, this one included
TURNS = Attr("turns", 1)  # turns that the player still has, this one included
SHOVED = Attr("shoved", False)  # those turns are the doing of somebody else
WINDOW = Attr[dict[str, Any]]("window", {})  # what was played and has not taken effect: anyone may still cancel it


class Row(Struct):
    """A line of the card file: how many there are in the plain set and in the full one, and what bots think of it."""

    name: str
    kind: Kind
    plain: Count
    full: Count
    worth: Annotated[float, Meta(ge=0)] = 0.0
    effects: str = ""
    text: str = ""


class Card(Face, frozen=True, kw_only=True):
    """A card of the box."""

    kind: Kind
    plain: int
    full: int
    worth: float = 0.0  # each of it makes winning so much likelier, as a logarithm: fitted to matches of bots
    aimed: bool = False  # it needs somebody to be played at


def make_card(effects: Effects, row: Row) -> Card:
    """A face from its line."""
    abilities = read_effects(effects, row.effects)
    if bool(abilities) != (row.kind == "action"):
        raise BadCards(["an action has an effect, and nothing else has"])
    return Card(
        name=row.name,
        text=row.text,
        abilities=abilities,
        by=by_topic(abilities),
        kind=row.kind,
        plain=row.plain,
        full=row.full,
        worth=row.worth,
        aimed=any(ability.aim for ability in abilities),
    )


def face(look: Look, card: Entity) -> Card:
    """What is printed on a card."""
    found = look.face(card)
    assert isinstance(found, Card)
    return found


def copies(card: Card, seats: int, actions: bool) -> int:
    """How many of a face a match for so many is played with."""
    count = card.full if actions else card.plain
    if card.kind == "spark":
        return min(count, seats - 1)
    if card.kind == "douse":
        return min(count, seats + SPARE_FOR_TWO) if seats == 2 else count
    return count


def held(look: Look, seat: Seat, kind: Kind) -> tuple[EntityId, ...]:
    """The cards of one kind in a hand."""
    table = look.table
    return tuple(id for id in table.zones[f"{seat}.hand"] if face(look, table[id]).kind == kind)


def living(table: Table) -> list[Seat]:
    """The seats that are still in."""
    return [seat for seat in range(table.seats) if not PLACE.of(table.seat(seat))]


def next_seat(table: Table, seat: Seat) -> Seat:
    """Who comes after this seat; those who are out are passed over."""
    order = [(seat + step) % table.seats for step in range(1, table.seats + 1)]
    return next(other for other in order if not PLACE.of(table.seat(other)))


def robbable(table: Table, seat: Seat) -> tuple[Seat, ...]:
    """The others who have a card to lose."""
    return tuple(other for other in living(table) if other != seat and table.zones[f"{other}.hand"])


def window(table: Table) -> dict[str, Any]:
    """What waits to take effect, if anything does."""
    return WINDOW.of(table[TABLE])

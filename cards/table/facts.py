"""The nouns of a free table: turns, decisions, counters, and who may touch what.

Three things are never left to the players: a card is where it is, a place has only so much room, and what is hidden
stays hidden. Everything else is a remark at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from engine.frames import Entity, EntityId, Move, Seat
from engine.look import Look
from engine.table import AUDIENCE, TABLE, Attr, Place, Table, bit

if TYPE_CHECKING:
    from cards.table.furniture import Furniture
    from cards.table.rules import FreeTable

SETUP, PLAYING = "setup", "playing"
TOP, BOTTOM = "top", "bottom"
ALL = "all"
UPRIGHT = "0"
PLENTY = 10_000  # cards that have room where nothing is said
MOST_DONE = 200  # moves of one turn that are remembered

# of the table
NUMBER = Attr("number", 0)  # turns so far, this one included; 0 while the table is set up
PHASE = Attr("phase", PLAYING)
DONE = Attr[dict[str, Any]]("done", {})  # what was done this turn, as far as everybody knows, by a running number
DECISION = Attr[dict[str, Any]]("decision", {})  # who has to decide something, for whom, and what lies open until then
CLAIM = Attr[dict[str, Any]]("claim", {})  # what others are asked to agree to
MOVES = Attr("moves", 0)
# of a seat
READY = Attr("ready", False)  # done with setting up
GONE = Attr("gone", False)
LOOKS = Attr[list[str]]("looks", [])  # hidden places that this seat is looking into
# of a card
COUNTERS = Attr[dict[str, int]]("counters", {})
TURNED = Attr("orientation", UPRIGHT)
FLAGS = Attr[list[str]]("flags", [])


def game_of(look: Look) -> FreeTable:
    """The game, which knows its furniture."""
    return cast("FreeTable", look.game)


def furniture(look: Look) -> Furniture:
    """The furniture of a table."""
    return game_of(look).furniture


def phase(table: Table) -> str:
    """Whether the table is still being set up."""
    return PHASE.of(table[TABLE])


def decision(table: Table) -> dict[str, Any]:
    """What somebody has to decide now; empty if nobody has."""
    return DECISION.of(table[TABLE])


def deciding(table: Table, seat: Seat) -> bool:
    """Whether it is this seat that has to decide something."""
    return decision(table).get("seat") == seat


def others(table: Table, seat: Seat) -> tuple[Seat, ...]:
    """Everybody else who is still here, in the order in which they sit."""
    order = [(seat + step) % table.seats for step in range(1, table.seats)]
    return tuple(other for other in order if not GONE.of(table.seat(other)))


# who may touch what


def mine(place: Place, seat: Seat) -> bool:
    """Whether a place is a seat's own or everybody's."""
    return place.seat in (seat, AUDIENCE)


def sees(look: Look, seat: Seat, card: Entity) -> bool:
    """Whether a seat sees the face of a card."""
    return bool(look.places[card.zone].seen_by(card) & bit(seat))


def points(look: Look, seat: Seat, card: Entity) -> bool:
    """Whether a seat can point at a card."""
    return bool(look.places[card.zone].known_to(card) & bit(seat))


def movable(look: Look, seat: Seat, card: Entity) -> bool:
    """Whether a seat can take a card up: any that it sees, and of its own those that lie face down."""
    place = look.places[card.zone]
    return points(look, seat, card) if mine(place, seat) else sees(look, seat, card)


def room(look: Look, zone: str) -> int:
    """How many more cards a place holds."""
    most = furniture(look).row(look.places[zone]).most
    return PLENTY if most is None else max(0, most - len(look.table.zones[zone]))


def bears_counters(look: Look, zone: str) -> bool:
    """Whether cards here bear counters: they lie on the table, not in a pile or a hand."""
    return furniture(look).row(look.places[zone]).counters


def stacked(look: Look, zone: str) -> bool:
    """Whether cards here lie on each other."""
    return furniture(look).row(look.places[zone]).ordered


def bearer(look: Look, id: EntityId) -> EntityId:
    """The card that bears the counters where this one lies."""
    zone = look.table[id].zone
    return look.table.zones[zone][-1] if stacked(look, zone) else id


# what a move says


def what(move: Move) -> tuple[EntityId, ...]:
    """The cards of a move, in their order."""
    return move.chosen("what")


def one(move: Move, slot: str, default: str = "") -> Any:
    """The one thing in a slot."""
    chosen = move.chosen(slot)
    return chosen[0] if chosen else default


def end(move: Move) -> str | int:
    """Where in a place cards come to lie: at an end, or so many above the bottom. The top, if nothing is said."""
    at = move.picks.get("at", (TOP,))
    return at if isinstance(at, int) else str(at[0])


def target(move: Move) -> str:
    """The place that a move leads to, whatever the slot is called."""
    return str(one(move, "to") or one(move, "zone"))

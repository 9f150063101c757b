"""The nouns of the red planet: what a seat has, what the table remembers, and a card made ready to be played."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

from msgspec import Struct

from cards.mars.schema import (
    Condition,
    Happened,
    Need,
    Per,
    Resource,
    Storage,
    Stored,
    VictoryPoints,
)
from engine.effects import Face
from engine.frames import Entity, Program, Seat
from engine.look import Look
from engine.table import TABLE, Attr, Table

HERE = Path(__file__).parent
RESOURCES: tuple[str, ...] = get_args(Resource)
STORED: tuple[str, ...] = get_args(Stored)
START_RATING = 20
PRICE = 3  # of a card that is bought
ACTIONS_A_TURN = 2
DEALT, RESEARCHED, CORPORATIONS = 10, 4, 2
LEAST_INCOME = -5  # how low the production of money may fall; nothing else falls below 0

# of a seat
HAS = {name: Attr(name, 0) for name in RESOURCES}
MAKES = {name: Attr(f"{name}-production", 0) for name in RESOURCES}
RATING = Attr("tr", START_RATING)
PASSED = Attr("passed", False)
GONE = Attr("gone", False)  # left the match
DID = Attr[dict[str, int]]("did", {})  # what happened to a seat this generation, as often as it did
NEXT = Attr[list[dict[str, Any]]]("next", [])  # modifiers for the next card of this generation
FORCED = Attr("forced", False)  # the first action of the corporation is still to be taken
SCORE = Attr[dict[str, int]]("score", {})  # the sheet, once it is over
# of the table
GENERATION = Attr("generation", 0)
PHASE = Attr("phase", "start")
ACTIONS = Attr("actions", 0)  # left to the player whose turn it is
FIRST = Attr("first", 0)
TRACKS = {"temperature": Attr("temperature", -30), "oxygen": Attr("oxygen", 0), "oceans": Attr("oceans", 0)}
MILESTONES = Attr[dict[str, Seat]]("milestones", {})
AWARDS = Attr[dict[str, Seat]]("awards", {})
# of a card in play
USED = Attr("used", False)
TILE = Attr("tile", "")  # the hex where the tile of this card lies
HOLDS = {name: Attr(name, 0) for name in STORED}


class Deed(Struct, frozen=True, omit_defaults=True):
    """A behaviour made ready: what must be given, what is done in which order, and what may be chosen.

    The words of `program` pay for what is given before they do the rest; only money is paid with the move, since
    that can be done in several ways.
    """

    program: Program = ()
    name: str = ""  # of a branch
    text: str = ""
    credits: int = 0
    materials: tuple[str, ...] = ()  # in which those credits may also be paid
    pays: tuple[tuple[str, int], ...] = ()  # other resources of the player
    spends: tuple[tuple[str, int], ...] = ()  # what lies on the card
    discards: int = 0
    makes: tuple[tuple[str, int, Per | None], ...] = ()  # own production, up and down, in order
    forces: tuple[tuple[str, int], ...] = ()  # production that somebody must lose
    varies: tuple[tuple[str, int], ...] = ()  # what each unit of a chosen number takes: a resource or a production
    aimed: bool = False  # it does nothing unless one of its words finds a target
    needs: tuple[Need, ...] = ()
    happened: tuple[Happened, ...] = ()
    branches: tuple[Deed, ...] = ()
    condition: Condition | None = None


class Card(Face, frozen=True, kw_only=True):
    """A card, a corporation or a tile."""

    id: str = ""
    type: str
    cost: int = 0
    tags: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()
    deeds: tuple[Deed, ...] = ()  # in the order printed; words name them by number
    plays: tuple[int, ...] = ()
    action: int = -1
    starts: tuple[int, ...] = ()
    firsts: tuple[int, ...] = ()
    storage: Storage | None = None
    points: tuple[VictoryPoints, ...] = ()
    pack: str = ""
    copies: int = 0


class ProjectRow(Struct, frozen=True):
    """A standard project or a conversion: what it costs of which resource, and what it does."""

    name: str
    id: str
    cost: int
    pays: str
    deed: Deed


def face(look: Look, card: Entity) -> Card:
    """What is printed on a card."""
    found = look.face(card)
    assert isinstance(found, Card)
    return found


def here(table: Table) -> Entity:
    """The table's own facts."""
    return table.entities[TABLE]


def living(table: Table) -> list[Seat]:
    """The seats that have not left."""
    return [seat for seat in range(table.seats) if not GONE.of(table.seat(seat))]


def around(table: Table, seat: Seat) -> list[Seat]:
    """All seats in turn order, from this one."""
    return [(seat + step) % table.seats for step in range(table.seats)]


def tableau(table: Table, seat: Seat) -> list[Entity]:
    """The cards that a seat has in play, in the order played."""
    return table.lying(f"{seat}.tableau")


def floor(resource: str) -> int:
    """How low a production may fall."""
    return LEAST_INCOME if resource == "credit" else 0


def stored(card: Entity) -> int:
    """How many of whatever a card holds lie on it."""
    return sum(HOLDS[name].of(card) for name in STORED)

"""The nouns of the toy battle: faces, facts and where cards lie."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from cards.loading import read_effects
from engine.effects import Ability, Effects, Face, by_topic
from engine.errors import BadCards
from engine.frames import Entity, EntityId, Seat
from engine.look import Look
from engine.table import TABLE, Attr, Table

HERE = Path(__file__).parent
STATS = ("speed", "strength", "stamina")
MOST_CC = 7
STRIKES_A_TURN = 2
DECK_SIZE = 6
STANDSTILL = 50  # so many turns in which nothing was decided, and the match is a draw
SLOW_GOING = 40  # from here on everybody is shown how many

# of a seat
CC = Attr("cc", 0)
STRIKES = Attr("strikes", 0)  # direct attacks made this turn
DECK = Attr[list[str]]("deck", [])
# of the table
NUMBER = Attr("number", 0)  # player turns so far, this one included
FIRST = Attr("first", 0)
BUSY = Attr("busy", False)  # something other than ending the turn was done in it, or its income counted
IDLE = Attr("idle", 0)  # turns in a row in which nothing could be done
STILL = Attr("still", 0)  # turns in a row in which no card in play went to sleep and no hand was struck
# of a card
DAMAGE = Attr("damage", 0)
SHAPE = Attr("as", "")  # the face that a Copy has taken on
PLUS = Attr[dict[str, int]]("plus", {})  # until the end of the turn


class Row(Struct):
    """A line of the card file."""

    name: str
    set: Literal["core", "extra"]
    type: Literal["toy", "action"]
    cost: Annotated[int, Meta(ge=-1)]
    speed: Annotated[int, Meta(ge=0)] | None = None
    strength: Annotated[int, Meta(ge=0)] | None = None
    stamina: Annotated[int, Meta(ge=1)] | None = None
    effects: str = ""
    text: str = ""


class Card(Face, frozen=True, kw_only=True):
    """A toy or an action. A cost of -1 is the cost of whatever it is aimed at."""

    set: str
    type: str
    cost: int
    speed: int = 0
    strength: int = 0
    stamina: int = 0
    aimed: Ability | None = None  # the word that needs a target, found once when the file is read
    waits: bool = False  # not to be played on one's own first turn
    attacks: Literal["always", "not_turn_1", "never"] = "always"


def make_card(effects: Effects, row: Row) -> Card:
    """A face from its line."""
    stats = (row.speed, row.strength, row.stamina)
    mistakes = []
    if row.type == "toy" and None in stats:
        mistakes.append("a toy needs speed, strength and stamina")
    if row.type == "action" and stats != (None, None, None):
        mistakes.append("an action has no speed, strength or stamina")
    if row.cost < 0 and row.type == "toy":
        mistakes.append("only an action can cost what its target costs")
    try:
        abilities = read_effects(effects, row.effects)
    except BadCards as error:
        raise BadCards((*mistakes, *error.mistakes)) from None
    if mistakes:
        raise BadCards(mistakes)
    speed, strength, stamina = (stat or 0 for stat in stats)
    return Card(
        name=row.name,
        text=row.text,
        abilities=abilities,
        by=by_topic(abilities),
        set=row.set,
        type=row.type,
        cost=row.cost,
        speed=speed,
        strength=strength,
        stamina=stamina,
        aimed=next((ability for ability in abilities if ability.kind == "does" and ability.aim), None),
        waits=_says(abilities, "not_first_turn"),
        attacks=_attacks(abilities),
    )


def _attacks(abilities: Iterable[Ability]) -> Literal["always", "not_turn_1", "never"]:
    if any(ability.kind == "allows" and ability.topic == "tussle" for ability in abilities):
        return "never"
    return "not_turn_1" if _says(abilities, "not_turn_1") else "always"


def _says(abilities: Iterable[Ability], when: str) -> bool:
    return any(ability.word.args.get("when") == when for ability in abilities)


def face(look: Look, card: Entity) -> Card:
    """What a card is now: its printed self, or what it has copied."""
    found = look.face(card)
    assert isinstance(found, Card)
    return found


def stat(look: Look, card: Entity, name: str) -> int:
    """A toy's speed, strength or stamina as it counts now."""
    printed: int = getattr(face(look, card), name)
    number = printed + look.bent(card.id).get(name, 0) + PLUS.of(card).get(name, 0)
    return number - DAMAGE.of(card) if name == "stamina" else number


def sleepers(table: Table, seat: Seat) -> int:
    """How many cards of a seat are asleep."""
    return len(table.zones[f"{seat}.sleep"])


def hand(table: Table, seat: Seat) -> tuple[EntityId, ...]:
    """The ids in a seat's hand."""
    return table.zones[f"{seat}.hand"]


def side(table: Table, seat: Seat) -> tuple[EntityId, ...]:
    """The ids that a seat has in play."""
    return table.zones[f"{seat}.in_play"]


def turn_number(table: Table) -> int:
    """1 is the first player's first turn, 2 the second player's first."""
    return NUMBER.of(table[TABLE])


def first_turn(table: Table, seat: Seat) -> bool:
    """Whether this is the seat's own first turn."""
    return turn_number(table) == (1 if seat == FIRST.of(table[TABLE]) else 2)


def protected(look: Look, card: Entity, against: Seat) -> bool:
    """Whether the effects of this seat's cards pass a card by."""
    mine = look.controller(card)
    if mine == against:
        return False
    if "allows:effects" in look.face(card).by:
        return True
    return any(look.controller(source) == mine for source, _ in look.bearing("allows:team_effects"))


Targets = list[EntityId]

"""The nouns of the quays: faces, facts, where cards lie, and the one question for every number of a card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from engine.effects import Ability, Face
from engine.frames import Entity, EntityId, Program, Run, Seat, Turn
from engine.look import Look
from engine.table import TABLE, Attr, Table

HERE = Path(__file__).parent
GOAL = 20  # lore that wins
HAND = 7  # cards dealt
INKS = ("Amber", "Amethyst", "Emerald", "Ruby", "Sapphire", "Steel")
ORDINALS = ("first", "second", "third")
IN_PLAY = ("characters", "items", "locations")

Ink: TypeAlias = Literal["Amber", "Amethyst", "Emerald", "Ruby", "Sapphire", "Steel"]
Kind: TypeAlias = Literal["character", "action", "song", "item", "location"]
Keyword: TypeAlias = Literal[
    "alert", "bodyguard", "challenger", "evasive", "reckless", "resist", "rush", "singer", "support", "vanish", "ward"
]
Rule: TypeAlias = Literal[
    "cannot_challenge",
    "cannot_be_challenged",
    "cannot_quest",
    "cannot_ready",
    "cannot_sing",
    "challenges_ready",
    "stays_exerted",
]
Count = Annotated[int, Meta(ge=1)]

# of a seat
LORE = Attr("lore", 0)
INKED = Attr("inked", 0)  # cards put into the inkwell this turn by the turn's own right
ALTERED = Attr("altered", 0)  # cards that were exchanged before the first turn
DECK = Attr[dict[str, int]]("deck", {})  # the list that was brought; its player alone knows it
# of the table
NUMBER = Attr("number", 0)  # player turns so far, this one included
FIRST = Attr("first", 0)
PHASE = Attr("phase", "alter")
FIGHT = Attr[dict[str, Any]]("fight", {})  # who challenges whom, while they do
LATER = Attr[list[dict[str, Any]]]("later", [])  # what waits for the end of the turn
# of a card
EXERTED = Attr("exerted", False)
DRYING = Attr("drying", False)
DAMAGE = Attr("damage", 0)
AT = Attr("at", 0)  # the location where a character is
ON = Attr("on", 0)  # the character that lies on top of this card
USED = Attr[list[str]]("used", [])  # what it may do once a turn and has done
# of a card or a seat
MODS = Attr[list[list[Any]]]("mods", [])  # what changes its numbers for a while: which, by how much, until when

# words that a frame begins with when a step of the rules comes next, not the rest of what a card says
STEPS = frozenset(
    {
        "ready_step",
        "set_step",
        "draw_step",
        "main_step",
        "end_step",
        "turn_over",
        "last_check",
        "next_turn",
        "strike",
        "ask_alter",
        "shuffle_altered",
        "take_trigger",
    }
)


class Row(Struct, forbid_unknown_fields=True):
    """A card as its file has it."""

    name: str
    set: str
    ink: Ink
    type: Kind
    cost: Annotated[int, Meta(ge=0)]
    text: str
    inkable: bool = True
    strength: Annotated[int, Meta(ge=0)] | None = None
    willpower: Count | None = None
    lore: Annotated[int, Meta(ge=0)] | None = None
    move: Annotated[int, Meta(ge=0)] | None = None
    classes: tuple[str, ...] = ()
    keywords: dict[str, Any] = {}
    abilities: tuple[Any, ...] = ()


class Shift(Struct, frozen=True):
    """What a character may be played on, and for how much: its own name, a class of characters, or any (`*`)."""

    cost: int
    onto: str = ""


class Card(Face, frozen=True, kw_only=True):
    """A character, an action or song, an item or a location."""

    set: str
    ink: str
    type: Kind
    cost: int
    inkable: bool
    move: int = 0
    classes: tuple[str, ...] = ()
    family: str = ""  # the name without its version
    numbers: dict[str, int] = {}  # strength, willpower, lore and keywords, as printed
    keywords: Mapping[str, Any] = {}
    shift: Shift | None = None
    together: int = 0
    boost: int = 0
    program: Program = ()  # what an action does
    uses: tuple[Ability, ...] = ()

    @property
    def zone(self) -> str:
        """Where it lies when it is in play."""
        return {"character": "characters", "item": "items", "location": "locations"}.get(self.type, "stage")


def nth(place: int) -> str:
    """What the ability at this place of a card is called."""
    return ORDINALS[place] if place < len(ORDINALS) else f"number_{place + 1}"


def face(look: Look, card: Entity) -> Card:
    """What is printed on a card."""
    found = look.game.faces[card.face]
    assert isinstance(found, Card)
    return found


def number(look: Look, card: Entity, what: str) -> int:
    """A number of a card as it counts now: printed, bent by cards in play, changed for a while.

    Keywords and restrictions are numbers too, so there is one question for all of them.
    """
    found: int = face(look, card).numbers.get(what, 0) + look.bent(card.id).get(what, 0)
    mods = card.facts.get("mods")
    if mods:
        for name, amount, _ in mods:
            if name == what:
                found += amount
    return found


def strength(look: Look, card: Entity) -> int:
    """What a character hits for: below nothing is nothing, and a challenger hits harder."""
    found = number(look, card, "strength")
    if FIGHT.of(look.table[TABLE]).get("by") == card.id:
        found += number(look, card, "challenger")
    return max(0, found)


def voice(look: Look, card: Entity) -> int:
    """What a character's cost counts for when it sings."""
    return max(face(look, card).cost, number(look, card, "singer"))


def dry(card: Entity) -> bool:
    """Whether a character is ready and may be exerted to quest, sing or use an ability."""
    return "exerted" not in card.facts and "drying" not in card.facts


def side(table: Table, seat: Seat) -> list[Entity]:
    """The characters of a seat."""
    return table.lying(f"{seat}.characters")


def hand(table: Table, seat: Seat) -> tuple[EntityId, ...]:
    """The ids in a seat's hand."""
    return table.zones[f"{seat}.hand"]


def ready_ink(table: Table, seat: Seat) -> list[EntityId]:
    """The ink that a seat can still spend."""
    entities = table.entities
    return [id for id in table.zones[f"{seat}.inkwell"] if "exerted" not in entities[id].facts]


def beneath(table: Table, card: Entity) -> list[EntityId]:
    """The cards that lie under a character, face up and face down."""
    below = table.zones[f"{card.owner}.under"]
    return [id for id in below if table.entities[id].facts.get("on") == card.id] if below else []


def in_play(look: Look, id: EntityId) -> Entity | None:
    """A card that is in play, if it still is."""
    card = look.table.entities.get(id)
    return card if card is not None and card.zone and look.places[card.zone].live else None


def busy(table: Table) -> bool:
    """Whether a card is in the middle of what it says. Nothing else may happen before it is done."""
    top = table.stack[-1]
    return type(top) is Run and not (top.todo and top.todo[0].name in STEPS)


def turn_of(table: Table) -> Seat:
    """Whose turn it is."""
    return next(frame.seat for frame in table.stack if type(frame) is Turn)


def numbers_of(look: Look, card: Entity, names: Iterable[str]) -> dict[str, int]:
    """Several numbers of a card that are not nothing."""
    return {name: found for name in names if (found := number(look, card, name))}

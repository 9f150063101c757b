"""Which cards, on what condition, and how many: the parts of speech that the words on cards share.

who     {"side": "theirs", "damaged": true}       the cards that are meant
given   {"have": {"class": "Choir"}, "count": 2}  what must be so
tally   {"count": {"side": "mine"}, "every": 2}   a number that is counted when it is needed
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from cards.lore.facts import (
    DAMAGE,
    FIGHT,
    IN_PLAY,
    LORE,
    Card,
    Keyword,
    Kind,
    beneath,
    face,
    number,
    strength,
)
from engine.frames import Entity, Event, Seat
from engine.look import Look
from engine.table import TABLE

Side: TypeAlias = Literal["mine", "theirs", "any"]
Where: TypeAlias = Literal["play", "hand", "discard", "aside"]
PLACES: dict[str, tuple[str, ...]] = {
    "character": ("characters",),
    "item": ("items",),
    "location": ("locations",),
    "any": IN_PLAY,
}


class Who(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, rename={"class_": "class"}):
    """The cards that are meant, seen from the card that speaks of them."""

    side: Side = "any"
    type: Kind | Literal["any"] = "character"
    zone: Where = "play"
    this: bool = False  # only the card itself
    other: bool = False  # any but the card itself
    here: bool = False  # at this location
    name: str = ""  # as printed before the comma
    class_: str = ""
    damaged: bool | None = None
    exerted: bool | None = None
    cost_most: int | None = None
    cost_least: int | None = None
    keyword: Keyword | Literal[""] = ""
    strength_most: int | None = None

    @property
    def steady(self) -> bool:
        """Whether it asks for nothing that cards in play could bend."""
        return not self.keyword and self.strength_most is None

    @property
    def anything(self) -> bool:
        """Whether every card of the zone is meant."""
        return self == Who(self.side, "any", self.zone)


class Given(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What must be so. All of it must."""

    have: Who | None = None  # cards like these, at least `count`
    count: int = 1
    my_turn: bool | None = None
    exerted: bool | None = None  # of the card that speaks
    damaged: bool | None = None
    under: bool | None = None  # whether a card lies under it
    challenging: bool | None = None
    challenged: bool | None = None
    shifted: bool | None = None  # of the card whose play is heard
    behind: bool | None = None  # whether an opponent has more lore
    their_hand_most: int | None = None
    ink_least: int | None = None


class Tally(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A number that is counted when it is needed."""

    count: Who | None = None  # so many cards
    stat: Literal["", "strength", "willpower", "lore", "damage"] = ""  # or a number of the card that speaks
    bound: str = ""  # or a number that was chosen
    every: int = 1
    times: int = 1
    most: int | None = None


Number: TypeAlias = int | Tally
ANYONE = Who()
MYSELF = Who(this=True)


def find(look: Look, who: Who, source: Entity, seat: Seat) -> Iterator[Entity]:
    """The cards that are meant, seat by seat."""
    table = look.table
    if who.this:
        now = table.entities.get(source.id)
        if now is not None and now.zone and look.places[now.zone].live and fits(look, who, now, source, seat):
            yield now
        return
    seats = (0, 1) if who.side == "any" else (seat,) if who.side == "mine" else (1 - seat,)
    kinds = PLACES[who.type if who.type in PLACES else "any"] if who.zone == "play" else (who.zone,)
    entities, zones = table.entities, table.zones
    for one in seats:
        for kind in kinds:
            for id in zones[f"{one}.{kind}"]:
                if fits(look, who, entities[id], source, seat):
                    yield entities[id]


def fits(look: Look, who: Who, card: Entity, source: Entity, seat: Seat) -> bool:
    """Whether a card is one of those that are meant, wherever it lies."""
    mine = look.controller(card) == seat
    if (who.side == "mine" and not mine) or (who.side == "theirs" and mine):
        return False
    if who.other and card.id == source.id:
        return False
    printed = face(look, card)
    return _printed_so(who, printed) and _lies_so(who, card, source) and (who.steady or _counts_so(look, who, card))


def _printed_so(who: Who, printed: Card) -> bool:
    if who.type not in ("any", printed.type) and not (who.type == "action" and printed.type == "song"):
        return False
    if (who.name and printed.family != who.name) or (who.class_ and who.class_ not in printed.classes):
        return False
    if who.cost_most is not None and printed.cost > who.cost_most:
        return False
    return who.cost_least is None or printed.cost >= who.cost_least


def _lies_so(who: Who, card: Entity, source: Entity) -> bool:
    facts = card.facts
    if who.damaged is not None and who.damaged != ("damage" in facts):
        return False
    if who.exerted is not None and who.exerted != ("exerted" in facts):
        return False
    return not who.here or facts.get("at") == source.id


def _counts_so(look: Look, who: Who, card: Entity) -> bool:
    if who.keyword and number(look, card, who.keyword) <= 0:
        return False
    return who.strength_most is None or strength(look, card) <= who.strength_most


def holds(look: Look, given: Given, source: Entity, seat: Seat, event: Event | None = None) -> bool:
    """Whether all of it is so now."""
    if given.have is not None and sum(1 for _ in find(look, given.have, source, seat)) < given.count:
        return False
    return _of_card(look, given, source) and _of_table(look, given, seat) and _of_event(look, given, source, event)


def _of_card(look: Look, given: Given, source: Entity) -> bool:
    now = look.table.entities.get(source.id, source)
    if given.exerted is not None and given.exerted != ("exerted" in now.facts):
        return False
    if given.damaged is not None and given.damaged != ("damage" in now.facts):
        return False
    return given.under is None or given.under == bool(beneath(look.table, now))


def _of_table(look: Look, given: Given, seat: Seat) -> bool:
    table = look.table
    if given.my_turn is not None and given.my_turn != (table.active == seat):
        return False
    if given.behind is not None and given.behind != (LORE.of(table.seat(1 - seat)) > LORE.of(table.seat(seat))):
        return False
    if given.their_hand_most is not None and len(table.zones[f"{1 - seat}.hand"]) > given.their_hand_most:
        return False
    return given.ink_least is None or len(table.zones[f"{seat}.inkwell"]) >= given.ink_least


def _of_event(look: Look, given: Given, source: Entity, event: Event | None) -> bool:
    if given.shifted is not None and given.shifted != (event is not None and "shifted" in event.facts):
        return False
    fight = FIGHT.of(look.table[TABLE])
    if given.challenging is not None and given.challenging != (fight.get("by") == source.id):
        return False
    return given.challenged is None or given.challenged == (fight.get("on") == source.id)


def count(look: Look, said: Number, source: Entity, seat: Seat, bound: Mapping[str, Any] | None = None) -> int:
    """The number that is meant."""
    if type(said) is int:
        return said
    assert isinstance(said, Tally)
    if said.count is not None:
        found = sum(1 for _ in find(look, said.count, source, seat))
    elif said.bound:
        found = int((bound or {}).get(said.bound, 0))
    else:
        found = _stat(look, said.stat, look.table.entities.get(source.id, source))
    found = found // said.every * said.times
    return found if said.most is None else min(found, said.most)


def _stat(look: Look, stat: str, card: Entity) -> int:
    if stat == "damage":
        return DAMAGE.of(card)
    return strength(look, card) if stat == "strength" else max(0, number(look, card, stat))


def steady(said: Any) -> bool:
    """Whether nothing in these arguments of a static ability asks for what static abilities bend."""
    if isinstance(said, Who):
        return said.steady
    if isinstance(said, Given):
        return said.have is None or said.have.steady
    if isinstance(said, Tally):
        return not said.bound and said.stat in ("", "damage") and (said.count is None or said.count.steady)
    return True

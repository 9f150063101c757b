"""Who may challenge whom."""

from __future__ import annotations

from cards.lore.facts import number, side
from engine.frames import Entity, EntityId, Seat
from engine.look import Look


class Foes:
    """The other side as a challenger sees it, looked over once for all challengers."""

    def __init__(self, look: Look, seat: Seat) -> None:
        self.look = look
        table = look.table
        theirs = side(table, 1 - seat)
        self.there = [card for card in theirs if number(look, card, "cannot_be_challenged") <= 0]
        self.evasive = {card.id for card in self.there if number(look, card, "evasive") > 0}
        self.guards = {card.id for card in self.there if number(look, card, "bodyguard") > 0}
        open_to_all = table.lying(f"{1 - seat}.locations")
        self.places = [card for card in open_to_all if number(look, card, "cannot_be_challenged") <= 0]

    def of(self, card: Entity) -> tuple[EntityId, ...]:
        """The characters that this one may challenge. A Bodyguard that it may challenge comes before the others."""
        look = self.look
        able = [foe for foe in self.there if "exerted" in foe.facts or number(look, card, "challenges_ready") > 0]
        if self.evasive and not (number(look, card, "evasive") > 0 or number(look, card, "alert") > 0):
            able = [foe for foe in able if foe.id not in self.evasive]
        able = [foe for foe in able if not _refused(look, foe, card)]
        guards = [foe.id for foe in able if foe.id in self.guards]
        return tuple(guards) if guards else tuple([foe.id for foe in able])

    def places_of(self, card: Entity) -> tuple[EntityId, ...]:
        """The locations that this one may challenge, whoever guards the other side."""
        return tuple([place.id for place in self.places if not _refused(self.look, place, card)])


def may_challenge(look: Look, card: Entity) -> bool:
    """Whether a character can be the challenger at all."""
    facts = card.facts
    if "exerted" in facts or number(look, card, "cannot_challenge") > 0:
        return False
    return "drying" not in facts or number(look, card, "rush") > 0


def _refused(look: Look, foe: Entity, card: Entity) -> bool:
    said = look.face(foe).by.get("allows:challenge_me", ())
    return any(not ability.fn(look, foe, card, **ability.word.args) for ability in said)

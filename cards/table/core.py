"""The table's own remarks: whose place is it, and whether a move does anything at all."""

from __future__ import annotations

from cards.table.facts import bears_counters, mine, one, target, what
from cards.table.furniture import DISCARD
from cards.table.offering import FOREIGN_CARD, FOREIGN_ZONE, NO_COUNTERS
from engine.hooks import Block, Deed, Outcome, Plugin, Warn
from engine.look import Look

CARRYING = ("move_card", "move_card_stack", "place_on_zone")


def core_plugin() -> Plugin:
    """What every free table minds, before any game is laid over it."""
    core = Plugin("table", "The table")

    @core.before(*CARRYING, "shuffle", rule=FOREIGN_ZONE, level="hard", priority=10)
    def foreign_zone(look: Look, deed: Deed) -> Outcome:
        """Other people's places are theirs; what is thrown away may go anywhere that things are thrown away."""
        place = look.places[target(deed.move)]
        if mine(place, deed.seat) or (place.kind == DISCARD and deed.move.type in CARRYING):
            return None
        return _strict(look) or Warn({"zone": place.key})

    @core.before("swap_card_stacks", rule=FOREIGN_ZONE, level="hard", priority=10)
    def foreign_swap(look: Look, deed: Deed) -> Outcome:
        """Both places must be one's own."""
        strange = [key for key in deed.move.chosen("zones") if not mine(look.places[key], deed.seat)]
        return (_strict(look) or Warn({"zone": strange[0]})) if strange else None

    @core.before(*CARRYING, rule=FOREIGN_CARD, level="hard", priority=11)
    def foreign_card(look: Look, deed: Deed) -> Outcome:
        """Other people's cards are taken up only to be thrown away."""
        if look.places[target(deed.move)].kind == DISCARD:
            return None
        for id in what(deed.move):
            if not mine(look.place(look.table[id]), deed.seat):
                return _strict(look) or Warn({"zone": look.table[id].zone})
        return None

    @core.before("add_counter", rule=NO_COUNTERS, priority=300)
    def no_counters(look: Look, deed: Deed) -> Outcome:
        """In a hand or a pile nothing can lie on a card."""
        (id,) = what(deed.move)
        return None if bears_counters(look, look.table[id].zone) else Warn({"counter": one(deed.move, "counter")})

    return core


def _strict(look: Look) -> Block | None:
    if look.table.options["ownership"] == "block":
        return Block("not_yours", "That belongs to somebody else.")
    return None

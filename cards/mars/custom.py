"""Procedures of their own, for the rare card that the common words cannot express.

A card names one in `custom`, with what it is given: `{"do": "reveal_top", "with": {"tag": "microbe", ...}}`. It is a
word like any other: its signature is its schema, and a card that gives it something else is refused when it is read.
"""

from __future__ import annotations

from cards.mars import verbs
from cards.mars.facts import face
from cards.mars.schema import AnyTag, Count, Stored
from cards.mars.vocabulary import effects
from engine.effects import Ctx
from engine.table import EVERYONE


@effects.does("reveal_top")
def reveal_top(ctx: Ctx, /, tag: AnyTag, resource: Stored, amount: Count = 1) -> None:
    """Show everybody the top card of the deck and discard it; if it has the tag, something is laid on this card."""
    id = verbs.top(ctx.journal)
    if id is None:
        return
    hit = tag in face(ctx.look, ctx.table[id]).tags
    ctx.journal.say("revealed", seat=ctx.seat, card=ctx.journal.ref(id, EVERYONE))
    ctx.journal.move(id, "discard")
    if hit:
        verbs.store(ctx.journal, ctx.card.id, resource, amount)

"""What things cost: the chosen cost, more and less of it, and never below nothing."""

from __future__ import annotations

from cards.lore.facts import INKED, MODS, face, ready_ink
from engine.frames import Entity, Seat
from engine.look import Look


def price(look: Look, seat: Seat, card: Entity, base: int | None = None) -> int:
    """What a seat pays in ink to play a card, by its own cost or by another that was chosen."""
    printed = face(look, card)
    cost = printed.cost if base is None else base
    for ability in printed.by.get("costs:own_play", ()):
        cost -= ability.fn(look, card, seat, **ability.word.args)
    for source, ability in look.bearing("costs:play"):
        cost -= ability.fn(look, source, card, seat, **ability.word.args)
    for what, amount, _ in MODS.of(look.table.seat(seat)):
        if what == f"discount.{printed.type}":
            cost -= amount
    return max(0, cost)


def inks_left(look: Look, seat: Seat) -> int:
    """How many cards a seat may still ink this turn."""
    more: int = sum(
        ability.fn(look, **ability.word.args)
        for source, ability in look.bearing("allows:ink")
        if look.controller(source) == seat
    )
    return 1 + more - INKED.of(look.table.seat(seat))


def can_pay(look: Look, seat: Seat, amount: int) -> bool:
    """Whether a seat has so much ink ready."""
    return amount <= 0 or len(ready_ink(look.table, seat)) >= amount

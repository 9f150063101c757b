"""What fits where in solitaire. Nobody is held to it; it is what bots do and what people are shown first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from cards.table.deck import PlayingCard
from engine.frames import Entity, Offer, Slot
from engine.look import Look

RED = ("diamonds", "hearts")
KING = 13


def fitting(look: Look, tableau: Sequence[str], foundations: Sequence[str], waste: str) -> Iterator[Offer]:
    """Single cards that can be laid up onto a foundation, or down onto a pile."""
    table = look.table
    for origin in (waste, *tableau):
        cards = table.lying(origin)
        if not cards or cards[-1].dark:
            continue
        places = [zone for zone in foundations if _goes_up(look, cards[-1], table.lying(zone))]
        alone = len(cards) == 1 and origin != waste  # a king need not go from one empty pile to the next
        places += [zone for zone in tableau if zone != origin and _goes_down(look, cards[-1], table.lying(zone), alone)]
        if places:
            yield Offer("move_card", slots=(_slot("what", cards[-1].id), _slot("to", *places), _slot("at", "top")))


def _goes_up(look: Look, card: Entity, pile: Sequence[Entity]) -> bool:
    """Of one suit, from the ace to the king."""
    face = _face(look, card)
    if not pile:
        return face.rank == 1
    top = _face(look, pile[-1])
    return not pile[-1].dark and (top.suit, top.rank + 1) == (face.suit, face.rank)


def _goes_down(look: Look, card: Entity, pile: Sequence[Entity], alone: bool) -> bool:
    """Red on black and black on red, from the king down."""
    face = _face(look, card)
    if not pile:
        return face.rank == KING and not alone
    top = _face(look, pile[-1])
    return not pile[-1].dark and top.rank == face.rank + 1 and (top.suit in RED) != (face.suit in RED)


def _face(look: Look, card: Entity) -> PlayingCard:
    return cast("PlayingCard", look.face(card))


def _slot(name: str, *entries: int | str) -> Slot:
    return Slot(name, entries)

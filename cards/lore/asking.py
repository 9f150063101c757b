"""The questions of the quays. Every answer is a `choose`, with one field: cards, a yes or no, an option, a number.

Whoever does not answer in time declines what is optional, and takes what comes first where something must be chosen.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.frames import Arg, Entity, EntityId, Heard, Move, Offer, Program, Question, Seat, Slot
from engine.look import Look
from engine.table import bit

YES, NO = "yes", "no"


def cards(name: str, ids: Sequence[EntityId], least: int, most: int, key: str, args: dict[str, Arg]) -> Question:
    """Cards out of these, in the order chosen."""
    offer = Offer("choose", slots=(Slot(name, tuple(ids), None, least, most),))
    return Question((offer,), key, args, Move("choose", 0, {name: list(ids[:least])}))


def yes_or_no(key: str, args: dict[str, Arg], then: Program) -> Question:
    """Whether to do something that may be left."""
    offer = Offer("choose", slots=(Slot("answer", (YES, NO)),))
    return Question((offer,), key, args, Move("choose", 0, {"answer": [NO]}), {"choose": then})


def option(names: Sequence[str], args: dict[str, Arg], then: Program) -> Question:
    """One of several things to do."""
    offer = Offer("choose", slots=(Slot("option", tuple(names)),))
    return Question((offer,), "ask.option", args, Move("choose", 0, {"option": [names[0]]}), {"choose": then})


def amount(least: int, most: int, default: int, args: dict[str, Arg]) -> Question:
    """A number between these."""
    offer = Offer("choose", slots=(Slot("amount", range=(least, most)),))
    return Question((offer,), "ask.amount", args, Move("choose", 0, {"amount": default}))


def order(look: Look, bag: Sequence[Heard], seat: Seat) -> Question:
    """Which of one's own triggers comes next. They are numbered by their place in the bag."""
    offers = tuple(
        Offer("order_triggers", _seen(look, heard.source, seat), (Slot("item", (item(place),)),))
        for place, heard in enumerate(bag, 1)
        if heard.seat == seat
    )
    first = Move("order_triggers", offers[0].card, {"item": list(offers[0].slots[0].from_)})
    return Question(offers, "ask.order", {}, first)


def item(place: int) -> str:
    """What waits in the bag goes by its place."""
    return f"#{place}"


def place_of(item: str) -> int:
    """The place of what waits in the bag."""
    return int(item[1:])


def alter(hand: Sequence[EntityId]) -> Question:
    """Which cards to exchange before the first turn."""
    offer = Offer("alter_hand", slots=(Slot("card_ids", tuple(hand), None, 0, len(hand)),))
    return Question((offer,), "ask.alter", {}, Move("alter_hand", 0, {"card_ids": []}))


def _seen(look: Look, card: Entity, seat: Seat) -> EntityId:
    """The card that has something to say, if its player can still point at it."""
    now = look.table.entities.get(card.id)
    return card.id if now is not None and look.places[now.zone].things & bit(seat) else 0

"""Matching a filled offer against what was offered, and filling offers.

The client needs no rules: every legal move goes out as a template with its candidates. Whatever comes back is
checked here against exactly those templates, so that every filling is accepted and everything else is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

from engine.errors import Refused
from engine.frames import Move, Offer, Slot


def accept(offers: Sequence[Offer], do: Mapping[str, Any]) -> Move:
    """The move that this message makes, or the reason why it makes none."""
    kind, card = do.get("type"), do.get("card", 0)
    if not isinstance(kind, str) or type(card) is not int:
        raise Refused("bad_move", "A move needs a type, and its card is the number of a card.")
    reason: Refused | None = None
    for offer in offers:
        if offer.type == kind and offer.card == card:
            try:
                return _filled(offer, do)
            except Refused as no:
                reason = _better(reason, no)
    raise reason or Refused("illegal", f"You cannot do that now: {kind} is not among your offers.", type=kind)


def _filled(offer: Offer, do: Mapping[str, Any]) -> Move:
    if len(do) != len(offer.slots) + 1 + (offer.card != 0):
        raise Refused("bad_move", f"A {offer.type} takes {_fields(offer)}.", type=offer.type)
    picks = {}
    for slot in offer.slots:
        if slot.name not in do:
            raise Refused("bad_move", f"A {offer.type} takes {_fields(offer)}.", type=offer.type)
        picks[slot.name] = _fits(slot, do[slot.name])
    return Move(offer.type, offer.card, picks)


def suits(slot: Slot, value: Any) -> bool:
    """Whether this can be put into a slot."""
    try:
        _fits(slot, value)
    except Refused:
        return False
    return True


def _fits(slot: Slot, value: Any) -> Any:
    if slot.range is not None:
        low, high = slot.range
        if type(value) is not int or not low <= value <= high:
            raise Refused("bad_number", f"{slot.name} is a whole number from {low} to {high}.", slot=slot.name)
        return value
    if not isinstance(value, list | tuple) or any(type(entry) not in (int, str) for entry in value):
        raise Refused("bad_move", f"{slot.name} is a list of what was chosen.", slot=slot.name)
    if len(set(value)) != len(value) or not slot.least <= len(value) <= slot.most:
        raise Refused("bad_count", f"Choose {_count(slot)} for {slot.name}, all different.", slot=slot.name)
    if any(entry not in slot.from_ for entry in value):
        raise Refused("bad_target", f"That cannot be chosen for {slot.name}.", slot=slot.name)
    if slot.worth and _worth(slot, value) < slot.total:
        text = f"What you choose for {slot.name} must come to {slot.total}; that is {_worth(slot, value)}."
        raise Refused("bad_total", text, slot=slot.name, total=slot.total)
    return list(value)


def _worth(slot: Slot, value: Iterable[int | str]) -> int:
    """What these entries come to."""
    return sum(slot.worth[slot.from_.index(entry)] for entry in value)


def _better(first: Refused | None, second: Refused) -> Refused:
    """Of two refusals of like offers, the one that came closer to a yes."""
    rank = ("bad_move", "bad_count", "bad_number", "bad_target", "bad_total")
    if first is None or rank.index(second.code) > rank.index(first.code):
        return second
    return first


def _fields(offer: Offer) -> str:
    names = ["type", *(["card"] if offer.card else []), *(slot.name for slot in offer.slots)]
    return ", ".join(names) + " and nothing else"


def _count(slot: Slot) -> str:
    return str(slot.least) if slot.least == slot.most else f"{slot.least} to {slot.most}"


def usual(offers: Sequence[Offer]) -> Sequence[Offer]:
    """What bots are offered: what breaks no rule of the table and serves some purpose; if there is nothing, all."""
    return [offer for offer in offers if not offer.warns and not offer.free] or offers


def at_random(offers: Sequence[Offer], below: Callable[[int], int]) -> dict[str, Any]:
    """One filling of one of these offers, left to chance."""
    offer = offers[below(len(offers))]
    do: dict[str, Any] = {"type": offer.type}
    if offer.card:
        do["card"] = offer.card
    for slot in offer.slots:
        do[slot.name] = _some(slot, below)
    return do


def _some(slot: Slot, below: Callable[[int], int]) -> Any:
    if slot.range is not None:
        low, high = slot.range
        return low + below(high - low + 1)
    most = min(slot.most, len(slot.from_))
    count = slot.least if slot.least >= most else slot.least + below(most - slot.least + 1)
    if count == 1 and not slot.worth:
        return [slot.from_[below(len(slot.from_))]]
    left = list(slot.from_)
    chosen: list[int | str] = []
    while len(chosen) < count or (slot.worth and _worth(slot, chosen) < slot.total):
        chosen.append(left.pop(below(len(left))))
    return chosen


def fillings(offer: Offer, limit: int = 64) -> Iterator[dict[str, Any]]:
    """Fillings of an offer in a fixed order, at most so many."""
    found: list[dict[str, Any]] = [{"type": offer.type, **({"card": offer.card} if offer.card else {})}]
    for slot in offer.slots:
        found = [{**do, slot.name: value} for do in found for value in _values(slot, limit)][:limit]
    yield from found


def _values(slot: Slot, limit: int) -> Iterable[Any]:
    if slot.range is not None:
        low, high = slot.range
        return range(low, min(high, low + limit - 1) + 1)
    most = min(slot.most, len(slot.from_))
    chosen: list[list[int | str]] = []
    for count in range(slot.least, most + 1):
        for pick in permutations(slot.from_, count):
            if len(chosen) == limit:
                return chosen
            if not slot.worth or _worth(slot, pick) >= slot.total:
                chosen.append(list(pick))
    return chosen

"""Words that ask: where a tile goes, whom or which card it hits, what is kept, which branch is taken.

Each function only says what the question is; the word beside it does what was chosen. Where nothing can be chosen that
part is lost, and where only one thing can, nobody is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from cards.mars.board import NOWHERE
from cards.mars.counting import at_goal, board, holders, holds, room
from cards.mars.facts import HAS, HOLDS, PRICE, STORED, Deed, face, living, tableau
from cards.mars.judging import losers, refusal
from cards.mars.prices import Means
from cards.mars.schema import Count, Resource, Restrictions, Stored
from cards.mars.vocabulary import Asking, Found, asks
from engine.frames import PASS, Entity, EntityId, Move, Offer, Question, Seat, Slot, Word, word
from engine.look import Look


def one_of(type: str, slot: str, options: Sequence[int | str], after: Word, key: str, **args: Any) -> Found:
    """Ask for one of these; without a choice there is no question, without options nothing happens."""
    if not options:
        return ()
    if len(options) == 1:
        return (word("settled", slot=slot, value=options[0]), after)
    offer = Offer(type, slots=(Slot(slot, tuple(options)),))
    default = Move(type, 0, {slot: [options[0]]})
    return Question((offer,), key, args, default, {type: (after,)})


def or_nothing(type: str, slot: str, options: Sequence[int | str], after: Word, key: str, **args: Any) -> Found:
    """Ask for one of these or none at all."""
    offers = (Offer(type, slots=(Slot(slot, tuple(options)),)), Offer(PASS))
    return Question(offers, key, args, Move(PASS), {type: (after,)}) if options else ()


# tiles


@asks("tile")
def tile(
    asking: Asking,
    /,
    kind: Literal["ocean", "city", "greenery", "special"],
    name: str = "",
    where: Restrictions = NOWHERE,
) -> Found:
    """Choose where a tile goes."""
    look = asking.look
    if kind == "ocean" and at_goal(look, "oceans"):
        return ()
    spots = board(look).spots(look.table, asking.seat, kind, where)
    after = word("lay", kind=kind, name=name) if name else word("lay", kind=kind)
    return one_of("place", "hex", spots, after, f"ask.{kind}", tile=name)


@asks("stake")
def stake(asking: Asking, /) -> Found:
    """Choose a hex that nobody else may build on."""
    spots = board(asking.look).spots(asking.look.table, asking.seat, "claim")
    return one_of("place", "hex", spots, word("mark"), "ask.claim")


# players


@asks("take_away")
def take_away(asking: Asking, /, resource: Resource, amount: Count) -> Found:
    """Whose resources are removed; nobody's, if one likes."""
    look, me = asking.look, asking.seat
    able = [
        seat
        for seat in living(look.table)
        if HAS[resource].of(look.table.seat(seat)) and _open(look, me, seat, resource)
    ]
    if not any(seat != me for seat in able):
        return ()
    after = word("take", resource=resource, amount=amount)
    return or_nothing("player", "seat", able, after, "ask.take_away", resource=resource, amount=amount)


@asks("steal")
def steal(asking: Asking, /, resource: Resource, amount: Count) -> Found:
    """From whom something is stolen."""
    look, me = asking.look, asking.seat
    able = [
        seat
        for seat in living(look.table)
        if seat != me and HAS[resource].of(look.table.seat(seat)) and _open(look, me, seat, resource)
    ]
    after = word("take", resource=resource, amount=amount, steal=True)
    return one_of("player", "seat", able, after, "ask.steal", resource=resource, amount=amount)


@asks("lower_any")
def lower_any(asking: Asking, /, resource: Resource, amount: Count) -> Found:
    """Whose production falls: somebody's must, if it can."""
    able = losers(asking.look, resource, amount)
    after = word("lower", resource=resource, amount=amount)
    return one_of("player", "seat", able, after, "ask.lower", resource=resource, amount=amount)


# cards in play


@asks("add_to")
def add_to(asking: Asking, /, resource: Stored, amount: Count) -> Found:
    """On which card something is laid."""
    look = asking.look
    able = [card.id for card in holders(look, asking.seat, resource) if room(face(look, card), card)]
    return one_of("pick", "cards", able, word("put", amount=amount), "ask.add", kind=resource, amount=amount)


@asks("add_any")
def add_any(asking: Asking, /, amount: Count) -> Found:
    """Which card gets more of whatever already lies on it."""
    look = asking.look
    able = [
        card.id
        for card in tableau(look.table, asking.seat)
        if any(HOLDS[kind].of(card) for kind in STORED) and room(face(look, card), card)
    ]
    return one_of("pick", "cards", able, word("put", amount=amount), "ask.add_any", amount=amount)


@asks("remove_from")
def remove_from(asking: Asking, /, resource: Stored, amount: Count) -> Found:
    """Off which card something is taken; off none, if one likes."""
    able = targets(asking.look, asking.seat, resource)
    after = word("rob", resource=resource, amount=amount)
    return or_nothing("pick", "cards", able, after, "ask.remove", kind=resource, amount=amount)


@asks("steal_from")
def steal_from(asking: Asking, /, resource: Stored, amount: Count) -> Found:
    """Off which card something is stolen for this one."""
    able = targets(asking.look, asking.seat, resource, asking.source)
    after = word("rob", resource=resource, amount=amount, steal=True)
    return one_of("pick", "cards", able, after, "ask.rob", kind=resource, amount=amount)


def targets(look: Look, seat: Seat, kind: str, thief: Entity | None = None) -> list[EntityId]:
    """The cards that something can be taken off: not the thief itself, no empty one, none that is defended."""
    found = []
    for other in living(look.table):
        for card in tableau(look.table, other):
            if HOLDS[kind].of(card) and (thief is None or card.id != thief.id) and _open(look, seat, other, kind, card):
                found.append(card.id)
    return found


def _open(look: Look, seat: Seat, other: Seat, resource: str, card: Entity | None = None) -> bool:
    """Whether a seat can get at what another has: one's own is never out of reach."""
    if seat == other:
        return True
    return not any(
        ability.fn(resource, source.id == card.id if card else False, **ability.word.args)
        for source, ability in look.bearing("allows:defense")
        if look.controller(source) == other
    )


# cards from the hand and from the deck


@asks("discard")
def discard(asking: Asking, /, amount: Count) -> Found:
    """Which cards of the hand are given up."""
    hand = asking.look.table.zones[f"{asking.seat}.hand"]
    if len(hand) < amount:
        return ()
    offer = Offer("discard", slots=(Slot("cards", hand, least=amount, most=amount),))
    default = Move("discard", 0, {"cards": list(hand[:amount])})
    return Question((offer,), "ask.discard", {"amount": amount}, default, {"discard": (word("throw_away"),)})


@asks("take_peeked")
def take_peeked(asking: Asking, /, amount: Count, last: bool = True) -> Found:
    """Which of the cards looked at are kept."""
    seen = asking.look.table.zones[f"{asking.seat}.draft"]
    count = min(amount, len(seen))
    if not count:
        return ()
    offer = Offer("take", slots=(Slot("cards", seen, least=count, most=count),))
    default = Move("take", 0, {"cards": list(seen[:count])})
    after = word("keep") if last else word("keep", last=False)
    return Question((offer,), "ask.take", {"amount": count}, default, {"take": (after,)})


@asks("buy_peeked")
def buy_peeked(asking: Asking, /, amount: Count) -> Found:
    """Which of the cards looked at are bought."""
    seen = asking.look.table.zones[f"{asking.seat}.draft"]
    if not seen:
        return ()
    offers = purchases(Means(asking.look, asking.seat), seen, amount)
    return Question(offers, "ask.buy", {"amount": amount}, nothing(offers), {"buy": (word("keep", bought=True),)})


def purchases(means: Means, cards: Sequence[EntityId], most: int) -> tuple[Offer, ...]:
    """Buying none or some of these cards: as many as there is money for, in every way to pay."""
    found: list[tuple[int, int, tuple[Slot, ...]]] = []
    for count in range(min(most, len(cards)) + 1):
        for box in means.ways(0, plain=PRICE * count)[:1]:
            low, high, same = found[-1] if found else (0, -1, ())
            if high == count - 1 and same == box and found:
                found[-1] = (low, count, box)
            else:
                found.append((count, count, box))
    return tuple(
        Offer("buy", slots=(Slot("cards", tuple(cards), least=low, most=high), *box)) for low, high, box in found
    )


def nothing(offers: Iterable[Offer]) -> Move:
    """Buying no card."""
    free = next(iter(offers))
    return Move("buy", 0, {slot.name: slot.range[0] if slot.range else [] for slot in free.slots})


# branches and offers that may be declined


@asks("choose")
def choose(asking: Asking, /, n: int) -> Found:
    """Which branch a passive takes; none, if none can be paid for."""
    names = [branch.name for branch in _deed(asking, n).branches if can_give(asking, branch)]
    return one_of("choose", "choice", names, word("branch", n=n), "ask.choose")


@asks("may")
def may(asking: Asking, /, n: int) -> Found:
    """Whether a passive that costs something is taken up."""
    if not can_give(asking, _deed(asking, n)):
        return ()
    return or_nothing("choose", "choice", ("yes",), word("go", n=n), "ask.may")


def _deed(asking: Asking, n: int) -> Deed:
    assert asking.source is not None
    return face(asking.look, asking.source).deeds[n]


def can_give(asking: Asking, deed: Deed) -> bool:
    """Whether a passive can be paid for."""
    means = Means(asking.look, asking.seat)
    if deed.credits > means.has["credit"] + means.heat:
        return False
    hand = asking.look.table.zones[f"{asking.seat}.hand"]
    return _reaches(asking, deed) and not refusal(means, (deed,), asking.source, len(hand))


def _reaches(asking: Asking, deed: Deed) -> bool:
    """Whether what goes to the card that set it off can lie there."""
    card = asking.look.table.entities.get(asking.bound.get("trigger", 0))
    kinds = [one.args["resource"] for one in deed.program if one.args.get("there")]
    return not kinds or (card is not None and all(holds(face(asking.look, card), kind) for kind in kinds))

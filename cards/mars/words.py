"""Words that act: what outputs and inputs come to when it is their turn."""

from __future__ import annotations

from typing import Literal

import msgspec

from cards.mars import verbs
from cards.mars.counting import holds, room, times
from cards.mars.facts import HAS, HOLDS, MAKES, NEXT, PRICE, Deed, face, floor
from cards.mars.prices import Means, bill
from cards.mars.schema import Count, Per, Resource, Selector, Stored
from cards.mars.vocabulary import effects
from engine.effects import Ctx
from engine.frames import EntityId, Seat, word
from engine.table import seat_id

Kind = Literal["ocean", "city", "greenery", "special"]


def scaled(ctx: Ctx, amount: int, per: Per | None, most: int, variable: bool) -> int:
    """An amount, times what it is multiplied by."""
    if variable:
        amount *= ctx.bound["amount"]
    return amount * times(ctx.look, ctx.seat, per, ctx.source, most)


def cause(ctx: Ctx) -> EntityId:
    """The card that does this; 0 where it is none, but a project."""
    return ctx.source.id if ctx.source else 0


def deed(ctx: Ctx, n: int) -> Deed:
    """One of the behaviours of the card that speaks."""
    return face(ctx.look, ctx.card).deeds[n]


# what a player has


@effects.does("gain")
def gain(
    ctx: Ctx, /, resource: Resource, amount: int, per: Per | None = None, most: int = -1, variable: bool = False
) -> None:
    """Gain a resource."""
    verbs.gain(ctx.journal, ctx.seat, resource, scaled(ctx, amount, per, most, variable))


@effects.does("produce")
def produce(
    ctx: Ctx, /, resource: Resource, amount: int, per: Per | None = None, most: int = -1, variable: bool = False
) -> None:
    """Raise or lower one's own production; by something that is counted, no lower than it may fall."""
    made = scaled(ctx, amount, per, most, variable)
    if per is not None:
        made = max(made, floor(resource) - MAKES[resource].of(ctx.table.seat(ctx.seat)))
    verbs.produce(ctx.journal, ctx.seat, resource, made, cause(ctx))


@effects.does("pay")
def pay(ctx: Ctx, /, resource: Resource, amount: Count, variable: bool = False) -> None:
    """Pay a resource; money that is short is made up by what counts as money."""
    due = scaled(ctx, amount, None, -1, variable)
    if resource == "credit":
        means = Means(ctx.look, ctx.seat)
        short = max(0, due - means.has["credit"])
        verbs.pay(ctx.journal, ctx.seat, bill(means, 0, due, {"heat": short}))
    else:
        verbs.pay(ctx.journal, ctx.seat, {resource: due})


@effects.does("rate")
def rate(ctx: Ctx, /, amount: int, per: Per | None = None, most: int = -1) -> None:
    """Raise one's rating."""
    gained = scaled(ctx, amount, per, most, False)
    if gained:
        verbs.rate(ctx.journal, ctx.seat, gained, cause(ctx))
        ctx.journal.say("rated", seat=ctx.seat, amount=gained)


@effects.does("raise")
def raise_track(ctx: Ctx, /, track: Literal["temperature", "oxygen"], steps: Count = 1) -> None:
    """Raise a parameter step by step: what one step sets off comes before the next."""
    after = verbs.step(ctx.journal, ctx.seat, track, cause(ctx))
    more = (word("raise", track=track, steps=steps - 1),) if steps > 1 else ()
    if after or more:
        ctx.then(*after, *more)


@effects.does("take")
def take(ctx: Ctx, /, resource: Resource, amount: Count, steal: bool = False) -> None:
    """Somebody loses a resource, as much of it as there is; a thief has it then."""
    foe: Seat = ctx.bound["seat"][0]
    lost = min(amount, HAS[resource].of(ctx.table.seat(foe)))
    verbs.gain(ctx.journal, foe, resource, -lost)
    if steal:
        verbs.gain(ctx.journal, ctx.seat, resource, lost)
    ctx.journal.say("stolen" if steal else "taken", seat=ctx.seat, foe=foe, amount=lost, resource=resource)


@effects.does("lower")
def lower(ctx: Ctx, /, resource: Resource, amount: Count) -> None:
    """The production of whoever was chosen falls."""
    foe: Seat = ctx.bound["seat"][0]
    verbs.produce(ctx.journal, foe, resource, -amount)
    ctx.journal.say("lowered", seat=ctx.seat, foe=foe, amount=amount, resource=resource)


# what lies on cards


@effects.does("store")
def store(
    ctx: Ctx, /, resource: Stored, amount: Count, per: Per | None = None, most: int = -1, there: bool = False
) -> None:
    """Lay something on this card, or on the one that set it off."""
    id: EntityId = ctx.bound["trigger"] if there else ctx.card.id
    card = ctx.table.entities.get(id)
    if card is not None and holds(face(ctx.look, card), resource):
        fits = room(face(ctx.look, card), card)
        verbs.store(ctx.journal, id, resource, min(fits, scaled(ctx, amount, per, most, False)))


@effects.does("spend")
def spend(ctx: Ctx, /, resource: Stored, amount: Count) -> None:
    """Take something off this card."""
    verbs.store(ctx.journal, ctx.card.id, resource, -amount)


@effects.does("put")
def put(ctx: Ctx, /, amount: Count) -> None:
    """Lay so many more of what it holds on the card that was chosen."""
    for id in ctx.chosen("cards"):
        card = ctx.table[id]
        printed = face(ctx.look, card)
        if printed.storage is not None:
            verbs.store(ctx.journal, id, printed.storage.type, min(amount, room(printed, card)))
            ctx.journal.say("put", seat=ctx.seat, card=ctx.journal.ref(id), amount=amount, kind=printed.storage.type)


@effects.does("rob")
def rob(ctx: Ctx, /, resource: Stored, amount: Count, steal: bool = False) -> None:
    """Take something off the card that was chosen; a thief lays it on this one."""
    for id in ctx.chosen("cards"):
        lost = min(amount, HOLDS[resource].of(ctx.table[id]))
        verbs.store(ctx.journal, id, resource, -lost)
        if steal:
            verbs.store(ctx.journal, ctx.card.id, resource, lost)
        ctx.journal.say("robbed", seat=ctx.seat, card=ctx.journal.ref(id), amount=lost, kind=resource)


# tiles


@effects.does("lay")
def lay(ctx: Ctx, /, kind: Kind, name: str = "", at: str = "") -> None:
    """Lay a tile where it was chosen to lie."""
    key = at or ctx.bound["hex"][0]
    after = verbs.lay(ctx.journal, ctx.seat, kind, name, key, cause(ctx))
    if after:
        ctx.then(*after)


@effects.does("mark")
def mark(ctx: Ctx, /) -> None:
    """Stake a claim on the hex that was chosen."""
    verbs.claim_land(ctx.journal, ctx.seat, ctx.bound["hex"][0])


# cards from the deck


@effects.does("draw")
def draw(ctx: Ctx, /, amount: Count, per: Per | None = None, most: int = -1) -> None:
    """Draw cards."""
    verbs.draw(ctx.journal, ctx.seat, scaled(ctx, amount, per, most, False))


@effects.does("peek")
def peek(ctx: Ctx, /, amount: Count) -> None:
    """Look at the top cards of the deck."""
    seen = verbs.draw(ctx.journal, ctx.seat, amount, "draft")
    ctx.journal.tell("looked", seat=ctx.seat, zone="deck", count=seen)


@effects.does("keep")
def keep(ctx: Ctx, /, bought: bool = False, last: bool = True) -> None:
    """Keep what was chosen of the cards looked at; perhaps against money. The rest is discarded in the end."""
    chosen = ctx.chosen("cards")
    if bought and chosen:
        verbs.pay(ctx.journal, ctx.seat, bill(Means(ctx.look, ctx.seat), 0, PRICE * len(chosen), ctx.bound))
    for id in chosen:
        ctx.journal.move(id, f"{ctx.seat}.hand")
    ctx.journal.say("bought" if bought else "kept", seat=ctx.seat, count=len(chosen))
    if last:
        verbs.discard(ctx.journal, ctx.table.zones[f"{ctx.seat}.draft"])


@effects.does("throw_away")
def throw_away(ctx: Ctx, /) -> None:
    """Discard what was chosen from the hand."""
    chosen = ctx.chosen("cards")
    verbs.discard(ctx.journal, chosen)
    ctx.journal.say("discarded", seat=ctx.seat, count=len(chosen))


# modifiers that wait for the next card


@effects.does("next_card")
def next_card(ctx: Ctx, /, modifier: str, amount: int, selectors: tuple[Selector, ...] = ()) -> None:
    """The next card of this generation is cheaper or easier to play."""
    args: dict[str, object] = {"amount": amount}
    if selectors:
        args["selectors"] = msgspec.to_builtins(selectors)
    kept = [*NEXT.of(ctx.table.seat(ctx.seat)), {"word": modifier, "args": args}]
    ctx.journal.set(seat_id(ctx.seat), NEXT, kept)


# what was settled without a question, and branches


@effects.does("settled")
def settled(ctx: Ctx, /, slot: str, value: int | str) -> None:
    """There was only one thing to choose."""
    ctx.bind(**{slot: [value]})


@effects.does("branch")
def branch(ctx: Ctx, /, n: int) -> None:
    """Go on with the branch that was chosen."""
    chosen = ctx.bound["choice"][0]
    found = next(one for one in deed(ctx, n).branches if one.name == chosen)
    if found.program:
        ctx.then(*found.program)


@effects.does("go")
def go(ctx: Ctx, /, n: int) -> None:
    """Go on with a behaviour as it is printed."""
    ctx.then(*deed(ctx, n).program)

"""What cards do. A word is a function here; its signature is what a card may say."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from cards.lore import asking, verbs
from cards.lore.facts import DAMAGE, Count, Keyword, Rule, in_play, number, strength
from cards.lore.picking import Number, Tally, Who
from cards.lore.speech import Whom, effects, many, meant, played, speaks, whom
from engine.effects import Ctx
from engine.frames import EntityId, word
from engine.table import bit

Until: TypeAlias = Literal["turn", "my_next_turn", "its_next_turn", "always"]
NONE: dict[Keyword | Rule, int] = {}

# cards and lore


@effects.does("draw")
def draw(ctx: Ctx, /, count: Number = 1, who: Whom = "you") -> None:
    """Draw cards."""
    amount = many(ctx, count)
    for seat in whom(ctx, who):
        if amount > 0 and ctx.table.result is None:
            verbs.draw(ctx.journal, seat, amount)


@effects.does("discard")
def discard(ctx: Ctx, /, on: str = "target") -> None:
    """Put the chosen cards from a hand into the discard."""
    for id in meant(ctx, on):
        verbs.discard(ctx.journal, id)


@effects.does("gain_lore")
def gain_lore(ctx: Ctx, /, amount: Number = 1) -> None:
    """Gain lore."""
    verbs.gain_lore(ctx.journal, ctx.seat, many(ctx, amount))


@effects.does("lose_lore")
def lose_lore(ctx: Ctx, /, amount: Number = 1) -> None:
    """Each opponent loses lore."""
    verbs.lose_lore(ctx.journal, 1 - ctx.seat, many(ctx, amount))


@effects.does("ramp")
def ramp(ctx: Ctx, /, exerted: bool = True) -> None:
    """Put the top card of your deck into your inkwell, face down."""
    verbs.ramp(ctx.journal, ctx.seat, exerted)


@effects.does("look_at")
def look_at(ctx: Ctx, /, count: Count) -> None:
    """Look at the top cards of your deck."""
    verbs.look_at(ctx.journal, ctx.seat, count)


@effects.does("put_rest")
def put_rest(ctx: Ctx, /, where: Literal["bottom", "top"] = "bottom") -> None:
    """Put back what was looked at and not taken, in any order: the first named lies nearest to the end."""
    left = ctx.table.zones[f"{ctx.seat}.aside"]
    if len(left) > 1:
        ctx.then(word("ask_rest", where=where), word("lay_rest", where=where))
    elif left:
        ctx.then(word("lay_rest", where=where))


@effects.does("ask_rest")
def ask_rest(ctx: Ctx, /, where: str) -> None:
    """Ask in which order the rest goes back."""
    left = ctx.table.zones[f"{ctx.seat}.aside"]
    ctx.ask({ctx.seat: asking.cards("order", left, len(left), len(left), f"ask.rest_{where}", speaks(ctx))})


@effects.does("lay_rest")
def lay_rest(ctx: Ctx, /, where: str) -> None:
    """The rest goes back, one by one."""
    left = ctx.table.zones[f"{ctx.seat}.aside"]
    order = [id for id in ctx.bound.get("order", left) if id in left]
    faces = [ctx.table[id].face for id in order]
    ctx.journal.say("laid", to=bit(ctx.seat), seat=ctx.seat, faces=faces, where=where)
    for id in order if where == "bottom" else order[::-1]:
        ctx.journal.move(id, f"{ctx.seat}.deck", 0 if where == "bottom" else None)


# cards that move


@effects.does("to_hand")
def to_hand(ctx: Ctx, /, on: str = "target") -> None:
    """Return cards to their players' hands, from play or wherever they are."""
    for id in meant(ctx, on):
        if not _aside(ctx, id):
            ctx.journal.say("returned", card=ctx.journal.ref(id), owner=ctx.table[id].owner)
        _send(ctx, id, "hand")


@effects.does("to_bottom")
def to_bottom(ctx: Ctx, /, on: str = "target") -> None:
    """Put cards on the bottom of their players' decks."""
    for id in meant(ctx, on):
        if not _aside(ctx, id):
            ctx.journal.say("sunk", card=ctx.journal.ref(id), owner=ctx.table[id].owner)
        _send(ctx, id, "deck", 0)


@effects.does("to_inkwell")
def to_inkwell(ctx: Ctx, /, on: str = "target", exerted: bool = True) -> None:
    """Put cards into their players' inkwells, face down."""
    for id in meant(ctx, on):
        ctx.journal.say("drowned", card=ctx.journal.ref(id), owner=ctx.table[id].owner)
        _send(ctx, id, "inkwell", facts={"exerted": True} if exerted else {})


def _aside(ctx: Ctx, id: EntityId) -> bool:
    """Whether a card is one that its player looks at in secret."""
    return ctx.look.place(ctx.table[id]).kind == "aside"


def _send(ctx: Ctx, id: EntityId, kind: str, at: int | None = None, facts: dict[str, Any] | None = None) -> None:
    if in_play(ctx.look, id):
        verbs.leave(ctx.journal, id, kind, at, facts)
    else:
        ctx.journal.move(id, f"{ctx.table[id].owner}.{kind}", at, facts)


@effects.does("banish")
def banish(ctx: Ctx, /, on: str = "target") -> None:
    """Banish cards."""
    verbs.banish(ctx.journal, [card.id for card in played(ctx, on)])


# cards that change


@effects.does("exert")
def exert(ctx: Ctx, /, on: str = "target") -> None:
    """Exert cards."""
    for card in played(ctx, on):
        verbs.exert(ctx.journal, card.id)


@effects.does("ready")
def ready(ctx: Ctx, /, on: str = "target") -> None:
    """Ready cards, unless something keeps them from it."""
    for card in played(ctx, on):
        if number(ctx.look, card, "cannot_ready") <= 0:
            verbs.ready(ctx.journal, card.id)


@effects.does("damage")
def damage(ctx: Ctx, /, amount: Number, on: str = "target") -> None:
    """Deal damage."""
    hit = many(ctx, amount)
    verbs.deal(ctx.journal, [(card.id, hit) for card in played(ctx, on)])


@effects.does("put_damage")
def put_damage(ctx: Ctx, /, amount: Number, on: str = "target") -> None:
    """Put damage on cards; it is not dealt, so Resist does not help."""
    for card in played(ctx, on):
        verbs.put_damage(ctx.journal, card.id, many(ctx, amount))


@effects.does("heal")
def heal(ctx: Ctx, /, amount: Number, up_to: bool = False, on: str = "target") -> None:
    """Remove damage, all of it or up to so much."""
    cards = played(ctx, on)
    if not up_to:
        for card in cards:
            verbs.heal(ctx.journal, card.id, many(ctx, amount))
        return
    most = min(many(ctx, amount), max((DAMAGE.of(card) for card in cards), default=0))
    if most > 0:
        ctx.then(word("ask_amount", most=most), word("heal", amount=Tally(bound="amount"), on=on))


@effects.does("move_damage")
def move_damage(ctx: Ctx, /, most: Count, from_: str = "from", to: str = "to") -> None:
    """Move up to so much damage from one card to another. It is not dealt."""
    if played(ctx, to):
        there = max((DAMAGE.of(card) for card in played(ctx, from_)), default=0)
        if there > 0:
            ctx.then(word("ask_amount", most=min(most, there)), word("carry_over", from_=from_, to=to))


@effects.does("ask_amount")
def ask_amount(ctx: Ctx, /, most: int) -> None:
    """Ask how much. Whoever does not answer leaves it."""
    ctx.ask({ctx.seat: asking.amount(0, most, 0, speaks(ctx))})


@effects.does("carry_over")
def carry_over(ctx: Ctx, /, from_: str, to: str) -> None:
    """The damage changes places."""
    for card, other in zip(played(ctx, from_), played(ctx, to), strict=False):
        if healed := verbs.heal(ctx.journal, card.id, ctx.bound.get("amount", 0)):
            verbs.put_damage(ctx.journal, other.id, healed)


@effects.does("gets")
def gets(
    ctx: Ctx,
    /,
    strength: Number = 0,
    willpower: Number = 0,
    lore: Number = 0,
    keywords: dict[Keyword | Rule, int] = NONE,
    until: Until = "turn",
    on: str = "target",
) -> None:
    """Change numbers of cards, or give them keywords, for a while."""
    changes: dict[str, int] = {"strength": many(ctx, strength), "willpower": many(ctx, willpower)}
    changes |= {"lore": many(ctx, lore), **{str(what): amount for what, amount in keywords.items()}}
    for card in played(ctx, on):
        ends = {"my_next_turn": f"start.{ctx.seat}", "its_next_turn": f"start.{ctx.look.controller(card)}"}
        for what, amount in changes.items():
            if amount:
                verbs.change(ctx.journal, card.id, what, amount, ends.get(until, until))
        told = ", ".join(f"{what.replace('_', ' ')} {amount:+}" for what, amount in changes.items() if amount)
        ctx.journal.say("gets", card=ctx.journal.ref(card.id), what=told)


# what keywords do


@effects.does("lend_strength")
def lend_strength(ctx: Ctx, /) -> None:
    """Lend this character's strength to another until the end of the turn, if you like."""
    ctx.then(
        word("choose", who=Who(other=True), optional=True),
        word("gets", strength=max(0, strength(ctx.look, ctx.table.entities.get(ctx.card.id, ctx.card)))),
    )


@effects.does("fade")
def fade(ctx: Ctx, /) -> None:
    """Chosen by an action of the other side, it is gone."""
    verbs.banish(ctx.journal, [card.id for card in played(ctx, "this")])

"""Words that ask and decide: which cards, whether at all, which of several things, now or later."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from cards.lore import asking, verbs
from cards.lore.facts import LATER, Count, face, number, ready_ink
from cards.lore.picking import ANYONE, Given, Who, find, holds
from cards.lore.speech import effects, played, speaks
from engine.effects import Ctx
from engine.frames import Entity, Event, Heard, Program, Seat, word
from engine.look import Look
from engine.table import TABLE

# which cards


@effects.does("choose")
def choose(
    ctx: Ctx,
    /,
    who: Who = ANYONE,
    count: Count = 1,
    optional: bool = False,
    into: str = "target",
    by: Literal["you", "opponent"] = "you",
) -> None:
    """Choose cards. What is hidden is always asked for: whether there is anything to choose must not tell."""
    seat = ctx.seat if by == "you" else 1 - ctx.seat
    ids = [card.id for card in find(ctx.look, who, ctx.card, ctx.seat) if may_choose(ctx.look, card, seat)]
    most = min(count, len(ids))
    least = 0 if optional else most
    if face(ctx.look, ctx.card).type in ("action", "song"):
        ctx.then(word("were_chosen", into=into, by=by))
    if (not ids or least == len(ids)) and not _tells(ctx, who):
        ctx.bind(**{into: ids})
        return
    ctx.ask({seat: asking.cards(into, ids, least, most, _about(ctx), speaks(ctx))})


def may_choose(look: Look, card: Entity, seat: Seat) -> bool:
    """Whether a seat may choose a card: a Ward keeps the other side away."""
    place = look.places[card.zone]
    return place.seat == seat or not place.live or number(look, card, "ward") <= 0


def _tells(ctx: Ctx, who: Who) -> bool:
    """Whether not asking would tell something of a hidden zone. How many cards lie there everybody knows."""
    seats = (ctx.seat,) if who.side == "mine" else (1 - ctx.seat,) if who.side == "theirs" else (0, 1)
    there = any(ctx.table.zones[f"{seat}.{who.zone}"] for seat in seats) if who.zone in ("hand", "aside") else False
    return there and not who.anything


def _about(ctx: Ctx) -> str:
    """What is asked: the word that comes next says what it is for."""
    run: Any = ctx.table.stack[-1]
    names = [said.name for said in run.todo if said.name not in ("were_chosen", "choose")]
    return f"ask.{names[0]}" if names else "ask.choose"


@effects.does("were_chosen")
def were_chosen(ctx: Ctx, /, into: str, by: Literal["you", "opponent"]) -> None:
    """Cards that an action of the other side was aimed at may vanish, when the action is done."""
    seat = ctx.seat if by == "you" else 1 - ctx.seat
    for card in played(ctx, into):
        owner = ctx.look.controller(card)
        if owner != seat and number(ctx.look, card, "vanish") > 0:
            ctx.journal.hear(Heard(word("fade"), card, owner, Event("chosen", owner, card)))


@effects.does("each")
def each(ctx: Ctx, /, who: Who = ANYONE, into: str = "target") -> None:
    """All of these, without choosing any."""
    ctx.bind(**{into: [card.id for card in find(ctx.look, who, ctx.card, ctx.seat)]})


# what happens or not


@effects.does("may")
def may(ctx: Ctx, /, do: Program, pay: int = 0) -> None:
    """Ask whether to do something, perhaps for ink; not if it cannot be done anyway."""
    if len(ready_ink(ctx.table, ctx.seat)) >= pay and _possible(ctx, do):
        key = "ask.may_pay" if pay else f"ask.may_{do[0].name}"
        then = (word("go_on", do=do, pay=pay),)
        ctx.ask({ctx.seat: asking.yes_or_no(key, speaks(ctx, **({"ink": pay} if pay else {})), then)})


def _possible(ctx: Ctx, do: Program) -> bool:
    first = do[0]
    who = first.args.get("who", ANYONE)
    if first.name != "choose" or _tells(ctx, who):
        return True
    return any(may_choose(ctx.look, card, ctx.seat) for card in find(ctx.look, who, ctx.card, ctx.seat))


@effects.does("go_on")
def go_on(ctx: Ctx, /, do: Program, pay: int = 0) -> None:
    """The answer was yes, or it was not."""
    if ctx.bound.get("answer") == [asking.YES]:
        verbs.pay(ctx.journal, ctx.seat, pay)
        ctx.then(*do)


@effects.does("one_of")
def one_of(ctx: Ctx, /, options: Program) -> None:
    """Choose what to do."""
    names = [said.args["name"] for said in options]
    ctx.ask({ctx.seat: asking.option(names, speaks(ctx), (word("take_option", options=options),))})


@effects.does("option")
def option(ctx: Ctx, /, name: str, do: Program) -> None:
    """One of the things that may be chosen."""
    ctx.then(*do)


@effects.does("take_option")
def take_option(ctx: Ctx, /, options: Program) -> None:
    """What was chosen is done."""
    ctx.then(*(said for said in options if [said.args["name"]] == ctx.bound.get("option")))


@effects.does("provided")
def provided(ctx: Ctx, /, given: Given, do: Program, otherwise: Program = ()) -> None:
    """Do something if something is so, and perhaps something else if not."""
    so = holds(ctx.look, given, ctx.card, ctx.seat, ctx.event)
    ctx.then(*(do if so else otherwise))


@effects.does("later")
def later(ctx: Ctx, /, do: Program, on: str = "target") -> None:
    """At the end of this turn, do something to these cards if they are still there."""
    ids = [card.id for card in played(ctx, on)]
    if ids:
        what = {"seat": ctx.seat, "target": ids, "by": ctx.card, "do": do}
        plain = msgspec.json.decode(msgspec.json.encode(what))  # as it would come back from storage
        ctx.journal.note(LATER, [*LATER.of(ctx.table[TABLE]), plain])


@effects.does("delayed")
def delayed(ctx: Ctx, /, do: Program, target: list[int]) -> None:
    """What waited for the end of the turn."""
    ctx.bind(target=target)
    ctx.then(*do)

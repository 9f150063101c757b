"""The words on the cards of the fizzlebox, and those that the rules speak between two moves."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from cards.kittens import asking, verbs
from cards.kittens.facts import SHOVED, TURNS, WINDOW, face, living, next_seat, robbable, window
from engine.effects import Ctx, Effects
from engine.frames import Program, word
from engine.journal import Journal
from engine.look import Look
from engine.table import EVERYONE, TABLE, bit

Count = Annotated[int, Meta(ge=1)]

effects = Effects()


# words of the rules


@effects.does("draw")
def draw(ctx: Ctx, /) -> None:
    """Draw; a spark must be doused and put back, or it is the end."""
    journal, seat = ctx.journal, ctx.seat
    if not verbs.draw(journal, seat):
        verbs.end_turn(journal, seat)
    elif verbs.douse(journal, seat):
        ctx.then(word("ask_place"), word("put_back"))
    else:
        verbs.go_out(journal, seat, "exploded")
        if ctx.table.result is None:
            verbs.start_turn(journal, next_seat(ctx.table, seat))


@effects.does("ask_place")
def ask_place(ctx: Ctx, /) -> None:
    """Ask where the spark goes."""
    ctx.ask({ctx.seat: asking.place(ctx.table)}, seconds=ctx.table.options["place_seconds"])


@effects.does("put_back")
def put_back(ctx: Ctx, /) -> None:
    """Put the spark where its player wants it; that ends the turn."""
    verbs.put_back(ctx.journal, ctx.seat, ctx.bound["at"])
    verbs.end_turn(ctx.journal, ctx.seat)


@effects.does("ask_veto")
def ask_veto(ctx: Ctx, /) -> None:
    """Anyone may cancel what was played. Everybody is asked, for the same time: the asking must not tell."""
    ctx.ask(asking.vetoes(ctx.look), into="window", first=True, seconds=ctx.table.options["veto_seconds"])


@effects.does("spend_veto")
def spend_veto(ctx: Ctx, /) -> None:
    """A veto is played."""
    for id in ctx.chosen("veto"):
        verbs.veto(ctx.journal, ctx.seat, id)


@effects.does("close_window")
def close_window(ctx: Ctx, /) -> None:
    """After a veto everybody is asked anew; after none, what was played takes effect or does not."""
    waits = window(ctx.table)
    if waits.get("again"):
        ctx.journal.note(WINDOW, {key: value for key, value in waits.items() if key != "again"})
        ctx.then(word("ask_veto"), word("close_window"))
        return
    ctx.journal.note(WINDOW, {})
    if waits.get("vetoed"):
        ctx.journal.say("cancelled", seat=waits["by"])
        return
    ctx.bind(**{key: waits[key] for key in ("foe", "name", "take") if key in waits})
    ctx.then(*program(ctx.look, waits["do"]))


def program(look: Look, do: str) -> Program:
    """What something that was played does: as printed on the card, or what a set of cards is good for."""
    if do in SETS:
        return SETS[do]
    return tuple(ability.word for ability in look.game.faces[do].by["does:"])


# words of the cards


@effects.does("shove")
def shove(ctx: Ctx, /, turns: Count) -> None:
    """End the turn; the next player takes so many, and perhaps those that were left."""
    here = ctx.table[TABLE]
    if SHOVED.of(here) and ctx.table.options["shoves"] == "add_up":
        turns += TURNS.of(here)
    verbs.start_turn(ctx.journal, next_seat(ctx.table, ctx.seat), turns, shoved=True)


@effects.does("sidestep")
def sidestep(ctx: Ctx, /) -> None:
    """End this one turn without drawing."""
    verbs.end_turn(ctx.journal, ctx.seat)


@effects.does("stir")
def stir(ctx: Ctx, /) -> None:
    """Shuffle the pile: whatever was known of it is known no more."""
    ctx.journal.shuffle("pile")


@effects.does("foresee")
def foresee(ctx: Ctx, /, count: Count) -> None:
    """Look at the top of the pile. What it was, is told once and to nobody else."""
    top = ctx.table.lying("pile")[-count:][::-1]
    ctx.journal.tell("looked", seat=ctx.seat, zone="pile", count=len(top))
    ctx.journal.say("foreseen", to=bit(ctx.seat), seat=ctx.seat, faces=[card.face for card in top])


def others(journal: Journal) -> None:
    """Marks a word that is aimed at another player."""


@effects.does("tithe", aim=others)
def tithe(ctx: Ctx, /) -> None:
    """Another player gives a card of their choice, if they still have one."""
    foe = ctx.bound["foe"]
    if foe in robbable(ctx.table, ctx.seat):
        ctx.ask({foe: asking.gift(ctx.table, foe, ctx.seat)}, seconds=ctx.table.options["give_seconds"])


@effects.does("give")
def give(ctx: Ctx, /) -> None:
    """The gift changes hands."""
    for id in ctx.chosen("gift"):
        verbs.hand_over(ctx.journal, id, ctx.table.active, "given")


# what sets of cards are good for


@effects.does("steal")
def steal(ctx: Ctx, /) -> None:
    """Take a card from another hand, unseen."""
    foe = ctx.bound["foe"]
    if foe in robbable(ctx.table, ctx.seat):
        verbs.hand_over(ctx.journal, ctx.journal.pick(ctx.table.zones[f"{foe}.hand"]), ctx.seat, "stolen")


@effects.does("demand")
def demand(ctx: Ctx, /) -> None:
    """Name a card: the other gives it up if they have it, and everybody hears whether."""
    foe, name = ctx.bound["foe"], ctx.bound["name"]
    id = verbs.named(ctx.look, foe, name) if foe in living(ctx.table) else None
    ctx.journal.say("missed" if id is None else "demanded", seat=ctx.seat, foe=foe, face=name)
    if id is not None:
        ctx.journal.move(id, f"{ctx.seat}.hand")


@effects.does("salvage")
def salvage(ctx: Ctx, /) -> None:
    """Take a card from the discard pile."""
    for id in ctx.chosen("take"):
        assert face(ctx.look, ctx.table[id]).kind != "spark"
        ctx.journal.say("salvaged", seat=ctx.seat, card=ctx.journal.ref(id, EVERYONE))
        ctx.journal.move(id, f"{ctx.seat}.hand")


SETS: dict[str, Program] = {"pair": (word("steal"),), "triple": (word("demand"),), "five": (word("salvage"),)}

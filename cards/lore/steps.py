"""The steps of a turn, the challenge, the bag, and what the rules see to between any two things."""

from __future__ import annotations

from typing import Any

import msgspec

from cards.lore import asking, verbs
from cards.lore.facts import (
    ALTERED,
    DAMAGE,
    EXERTED,
    FIGHT,
    FIRST,
    GOAL,
    HAND,
    INKED,
    LATER,
    LORE,
    NUMBER,
    PHASE,
    USED,
    busy,
    face,
    hand,
    in_play,
    number,
    strength,
)
from cards.lore.speech import effects
from engine.effects import Ctx
from engine.frames import Entity, EntityId, Event, Heard, Run, Seat, word
from engine.journal import Journal
from engine.look import Look
from engine.table import TABLE, seat_id

# before the first turn


def open_match(journal: Journal, begins: Seat) -> None:
    """Everybody may exchange cards, whoever begins first; then the first turn."""
    journal.note(FIRST, begins)
    journal.take_turn(begins)
    journal.run((word("next_turn"),), 1 - begins)
    journal.run((word("shuffle_altered"),), begins)
    for seat in (1 - begins, begins):
        journal.run((word("ask_alter"), word("alter")), seat)


@effects.does("ask_alter")
def ask_alter(ctx: Ctx, /) -> None:
    """Ask which cards go back."""
    ctx.ask({ctx.seat: asking.alter(hand(ctx.table, ctx.seat))})


@effects.does("alter")
def alter(ctx: Ctx, /) -> None:
    """The cards go to the bottom of the deck unseen, and as many are drawn. The others learn how many."""
    ids = ctx.bound["card_ids"]
    journal, seat = ctx.journal, ctx.seat
    journal.say("altered", seat=seat, count=len(ids))
    journal.set(seat_id(seat), ALTERED, len(ids))
    for id in ids:
        journal.move(id, f"{seat}.deck", 0)
    for _ in range(HAND - len(hand(ctx.table, seat))):
        journal.move(ctx.table.zones[f"{seat}.deck"][-1], f"{seat}.hand")


@effects.does("shuffle_altered")
def shuffle_altered(ctx: Ctx, /) -> None:
    """Whoever exchanged a card shuffles."""
    for seat in (ctx.seat, 1 - ctx.seat):
        if ALTERED.of(ctx.table.seat(seat)):
            ctx.journal.shuffle(f"{seat}.deck")


# the turn


@effects.does("next_turn")
def next_turn(ctx: Ctx, /) -> None:
    """The other player is up."""
    journal, seat = ctx.journal, 1 - ctx.seat
    number = NUMBER.of(ctx.table[TABLE]) + 1
    journal.note(NUMBER, number)
    journal.take_turn(seat)
    journal.set(seat_id(seat), INKED, 0)
    journal.say("turn", number=number, seat=seat)
    for step in ("main_step", "draw_step", "set_step", "ready_step"):  # the last pushed comes first
        journal.run((word(step),), seat)


@effects.does("ready_step")
def ready_step(ctx: Ctx, /) -> None:
    """All cards of the active player are readied; what lasted until the start of their turn ends."""
    journal, look, seat = ctx.journal, ctx.look, ctx.seat
    journal.note(PHASE, "ready")
    for kind in ("inkwell", "characters", "items"):
        for id in ctx.table.zones[f"{seat}.{kind}"]:
            card = ctx.table.entities[id]
            if "exerted" in card.facts and (kind == "inkwell" or not _held(look, card)):
                journal.set(id, EXERTED, False)
    verbs.expire(journal, f"start.{seat}")


def _held(look: Look, card: Entity) -> bool:
    """Whether something keeps a card from being readied now."""
    return number(look, card, "cannot_ready") > 0 or number(look, card, "stays_exerted") > 0


@effects.does("set_step")
def set_step(ctx: Ctx, /) -> None:
    """Characters are dry, locations give their lore, and then what happens at the start of a turn is heard."""
    journal, seat = ctx.journal, ctx.seat
    journal.note(PHASE, "set")
    verbs.dry_out(journal, seat)
    locations = ctx.table.lying(f"{seat}.locations")
    verbs.gain_lore(journal, seat, sum(max(0, number(ctx.look, card, "lore")) for card in locations))
    journal.emit(Event("turn_started", seat))


@effects.does("draw_step")
def draw_step(ctx: Ctx, /) -> None:
    """Draw a card; not on the first turn of all."""
    ctx.journal.note(PHASE, "draw")
    if NUMBER.of(ctx.table[TABLE]) > 1:
        verbs.draw(ctx.journal, ctx.seat)


@effects.does("main_step")
def main_step(ctx: Ctx, /) -> None:
    """The player may act."""
    ctx.journal.note(PHASE, "main")


@effects.does("end_step")
def end_step(ctx: Ctx, /) -> None:
    """What happens at the end of a turn is heard, and what waited for it."""
    journal = ctx.journal
    journal.note(PHASE, "end")
    event = Event("turn_ended", ctx.seat)
    for one in LATER.of(ctx.table[TABLE]):
        source = msgspec.convert(one["by"], Entity)
        delayed = effects.word("delayed", {"do": one["do"], "target": one["target"]})
        journal.hear(Heard(delayed, source, one["seat"], event))
    journal.note(LATER, [])
    journal.emit(event)


@effects.does("turn_over")
def turn_over(ctx: Ctx, /) -> None:
    """What lasted for this turn ends."""
    verbs.expire(ctx.journal, "turn")
    for card in ctx.look.in_play():
        if "used" in card.facts:
            ctx.journal.set(card.id, USED, [])


@effects.does("last_check")
def last_check(ctx: Ctx, /) -> None:
    """Whoever ends their turn without a deck has lost."""
    seat = ctx.seat
    if ctx.table.options["deck_out"] == "end_of_turn" and not ctx.table.zones[f"{seat}.deck"]:
        ctx.journal.say("deck_out", seat=seat)
        ctx.journal.end((1 - seat,), "deck_out")


# the challenge


@effects.does("declare")
def declare(ctx: Ctx, /, by: int, on: int) -> None:
    """Who challenges whom."""
    verbs.challenge(ctx.journal, ctx.seat, by, on)


@effects.does("strike")
def strike(ctx: Ctx, /) -> None:
    """Both hit at the same moment, if both are still there. A location does not hit back."""
    look, journal = ctx.look, ctx.journal
    fight = FIGHT.of(ctx.table[TABLE])
    by, on = in_play(look, fight["by"]), in_play(look, fight["on"])
    if by is None or on is None:
        journal.note(FIGHT, {})
        return
    hits = [(on.id, strength(look, by))]
    if face(look, on).type == "character":
        hits.append((by.id, strength(look, on)))
    journal.note(FIGHT, {**fight, "struck": True})
    verbs.deal(journal, hits)


# between any two things


def settle(journal: Journal) -> bool:
    """Whoever has enough lore has won; what has taken as much damage as it can bear is banished."""
    table = journal.table
    if busy(table):
        return False
    for seat in (table.active, 1 - table.active):
        if LORE.of(table.seat(seat)) >= GOAL:
            journal.say("won", seat=seat)
            journal.end((seat,), "lore")
            return True
    fight = FIGHT.of(table[TABLE])
    struck = fight if "struck" in fight else None
    if dead := _dead(journal.look):
        verbs.banish(journal, dead, struck)
        return True
    if struck:
        journal.note(FIGHT, {})
    return bool(struck)


def _dead(look: Look) -> list[EntityId]:
    entities, zones, found = look.table.entities, look.table.zones, []
    for key in ("0.characters", "1.characters", "0.locations", "1.locations"):
        for id in zones[key]:
            card = entities[id]
            if (card.facts or look.bent(id)) and DAMAGE.of(card) >= number(look, card, "willpower"):
                found.append(id)
    return found


def open_bag(journal: Journal) -> bool:
    """The active player's triggers come first, then the other's; whoever has several says which is next."""
    table = journal.table
    if busy(table):
        return False
    active = table.active
    seats = {heard.seat for heard in table.bag}
    seat = active if active in seats else 1 - active
    places = [place for place, heard in enumerate(table.bag, 1) if heard.seat == seat]
    if len(places) == 1:
        _take(journal, places[0])
    else:
        journal.run((word("take_trigger"),), seat)
        journal.ask({seat: asking.order(journal.look, table.bag, seat)})
    return True


@effects.does("take_trigger")
def take_trigger(ctx: Ctx, /) -> None:
    """The trigger that was chosen comes next."""
    _take(ctx.journal, asking.place_of(ctx.bound["item"][0]))


def _take(journal: Journal, place: int) -> None:
    bag = journal.empty_bag()
    heard = bag[place - 1]
    journal.hear(*bag[: place - 1], *bag[place:])
    journal.push(Run((heard.word,), heard.seat, heard.source, heard.event))


def shown_bag(journal_bag: tuple[Heard, ...]) -> list[dict[str, Any]]:
    """What waits in the bag, as everybody sees it."""
    return [
        {"item": asking.item(place), "seat": heard.seat, "face": heard.source.face, "card": heard.source.id}
        for place, heard in enumerate(journal_bag, 1)
    ]

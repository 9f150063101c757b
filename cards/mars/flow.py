"""How a match goes: the start, generations with research, turns and income, and the last greeneries.

What everybody decides in secret is one question to all at once: nobody's answer shows before the last one is in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from cards.mars import scoring, verbs
from cards.mars.asking import nothing, purchases
from cards.mars.counting import at_goal, rules
from cards.mars.facts import (
    ACTIONS,
    ACTIONS_A_TURN,
    DID,
    FIRST,
    FORCED,
    GENERATION,
    GONE,
    NEXT,
    PASSED,
    PHASE,
    PRICE,
    RESEARCHED,
    TRACKS,
    USED,
    Card,
    around,
    face,
    here,
    living,
    tableau,
)
from cards.mars.moves import project
from cards.mars.prices import Means, bill
from cards.mars.vocabulary import effects
from engine.effects import Ctx
from engine.frames import Ask, EntityId, Move, Offer, Program, Question, Run, Seat, Slot, word
from engine.journal import Journal
from engine.look import Look
from engine.table import Table, seat_id

SECRET: dict[str, Program] = {
    "start": (word("begin"), word("first_turn")),
    "research": (word("researched"),),
}  # what follows when all have answered
NOBODY: Seat = -1  # these words are the table's own, and go on whoever leaves


# the start


def start_question(look: Look, seat: Seat) -> Question:
    """Which corporation to be, and which cards to buy out of what it starts with."""
    table = look.table
    cards = table.zones[f"{seat}.draft"]
    offers = tuple(_founding(face(look, table[id]), id, cards) for id in table.zones[f"{seat}.offer"])
    default = Move("start", offers[0].card, {"cards": []})
    return Question(offers, "ask.start", {"price": PRICE}, default)


def _founding(corporation: Card, id: EntityId, cards: tuple[EntityId, ...]) -> Offer:
    words = [one for n in corporation.starts for one in corporation.deeds[n].program]
    money = sum(one.args["amount"] for one in words if one.name == "gain" and one.args["resource"] == "credit")
    return Offer("start", id, (Slot("cards", cards, least=0, most=min(len(cards), money // PRICE)),))


@effects.does("ask_start")
def ask_start(ctx: Ctx, /) -> None:
    """Everybody chooses in secret."""
    ctx.ask({seat: start_question(ctx.look, seat) for seat in living(ctx.table)}, into="start")


@effects.does("begin")
def begin(ctx: Ctx, /) -> None:
    """All have chosen: corporations are shown, what they start with is dealt out, cards are paid for."""
    answers: Mapping[str, Any] = ctx.bound["start"]
    for seat in reversed(around(ctx.table, FIRST.of(here(ctx.table)))):
        if str(seat) in answers:
            _found(ctx.journal, seat, answers[str(seat)])


def _found(journal: Journal, seat: Seat, answer: Mapping[str, Any]) -> None:
    id = journal.move(answer["card"], f"{seat}.tableau")
    for other in journal.table.zones[f"{seat}.offer"]:
        journal.move(other, "corporations")
    card = journal.table[id]
    printed = face(journal.look, card)
    journal.say("founded", seat=seat, card=journal.ref(id))
    journal.set(seat_id(seat), FORCED, bool(printed.firsts))
    words = [one for n in (*printed.starts, *printed.plays) for one in printed.deeds[n].program]
    journal.push(Run((*words, word("keep", bought=True)), seat, card, None, {"cards": answer["picks"]["cards"]}))


@effects.does("first_turn")
def first_turn(ctx: Ctx, /) -> None:
    """The first generation has no research: what was bought at the start was it."""
    open_generation(ctx.journal)
    start_turn(ctx.journal, _first_there(ctx.table))


# research


def research_question(look: Look, seat: Seat) -> Question:
    """Which of the cards dealt to buy."""
    cards = look.table.zones[f"{seat}.draft"]
    offers = purchases(Means(look, seat), cards, len(cards))
    return Question(offers, "ask.research", {"price": PRICE}, nothing(offers))


@effects.does("deal_research")
def deal_research(ctx: Ctx, /) -> None:
    """Four cards for everybody."""
    for seat in around(ctx.table, FIRST.of(here(ctx.table))):
        if not GONE.of(ctx.table.seat(seat)):
            verbs.draw(ctx.journal, seat, RESEARCHED, "draft")


@effects.does("ask_research")
def ask_research(ctx: Ctx, /) -> None:
    """Everybody buys in secret."""
    ctx.ask({seat: research_question(ctx.look, seat) for seat in living(ctx.table)}, into="research")


@effects.does("researched")
def researched(ctx: Ctx, /) -> None:
    """All have chosen: cards are paid for, the rest is discarded, and the first player begins."""
    answers: Mapping[str, Any] = ctx.bound["research"]
    first = FIRST.of(here(ctx.table))
    for seat in around(ctx.table, first):
        if str(seat) in answers:
            _buy(ctx.journal, seat, answers[str(seat)]["picks"])
    ctx.journal.note(PHASE, "action")
    start_turn(ctx.journal, _first_there(ctx.table))


def _buy(journal: Journal, seat: Seat, picks: Mapping[str, Any]) -> None:
    cards = picks["cards"]
    verbs.pay(journal, seat, bill(Means(journal.look, seat), 0, PRICE * len(cards), picks))
    for id in cards:
        journal.move(id, f"{seat}.hand")
    verbs.discard(journal, journal.table.zones[f"{seat}.draft"])
    journal.say("bought", seat=seat, count=len(cards))


# generations and turns


def _first_there(table: Table) -> Seat:
    """The first player; if they have left, the next one."""
    return next(seat for seat in around(table, FIRST.of(here(table))) if not GONE.of(table.seat(seat)))


def open_generation(journal: Journal) -> None:
    """One more generation."""
    number = GENERATION.of(here(journal.table)) + 1
    journal.note(GENERATION, number)
    journal.note(PHASE, "action")
    journal.tell("phase", phase="generation", number=number)
    journal.say("generation", number=number)


def start_turn(journal: Journal, seat: Seat) -> None:
    """A seat may do one or two things."""
    journal.note(ACTIONS, ACTIONS_A_TURN)
    journal.take_turn(seat)
    journal.say("turn", seat=seat, number=GENERATION.of(here(journal.table)))


def next_turn(journal: Journal, seat: Seat) -> None:
    """The next one who has not passed goes on; when all have, the generation is over."""
    table = journal.table
    for other in (*around(table, seat)[1:], seat):
        entity = table.seat(other)
        if not PASSED.of(entity) and not GONE.of(entity):
            start_turn(journal, other)
            return
    end_generation(journal)


def end_generation(journal: Journal) -> None:
    """Everybody produces; then comes another generation, or the end."""
    table = journal.table
    for seat in around(table, FIRST.of(here(table))):
        if not GONE.of(table.seat(seat)):
            verbs.income(journal, seat)
            _refresh(journal, seat)
    done = all(at_goal(journal.look, track) for track in TRACKS)
    if done or GENERATION.of(here(table)) >= table.options["generations"]:
        journal.note(PHASE, "final")
        journal.say("final" if done else "generations")
        last_greeneries(journal)
    else:
        _next_generation(journal)


def _refresh(journal: Journal, seat: Seat) -> None:
    journal.set(seat_id(seat), PASSED, False)
    journal.set(seat_id(seat), DID, {})
    journal.set(seat_id(seat), NEXT, [])
    for card in tableau(journal.table, seat):
        if USED.of(card):
            journal.set(card.id, USED, False)


def _next_generation(journal: Journal) -> None:
    table = journal.table
    order = around(table, FIRST.of(here(table)))
    first = next(seat for seat in (*order[1:], order[0]) if not GONE.of(table.seat(seat)))
    journal.note(FIRST, first)
    open_generation(journal)
    journal.note(PHASE, "research")
    journal.take_turn(first)
    journal.run((word("deal_research"), word("ask_research"), *SECRET["research"]), NOBODY)


def withdraw(journal: Journal, seat: Seat) -> None:
    """Nothing that a seat has begun goes on without it; what others have to say to it is still said."""
    table = journal.table
    top = table.stack[-1]
    if isinstance(top, Ask) and seat in top.questions:
        journal.pop()
    for depth, frame in enumerate(table.stack):
        if isinstance(frame, Run) and frame.seat == seat:
            journal.swap(replace(frame, todo=()), depth)
    verbs.discard(journal, table.zones[f"{seat}.draft"])
    if table.active == seat:
        journal.note(ACTIONS, 0)


# the end


def last_greeneries(journal: Journal) -> None:
    """In turn order everybody may still turn plants into greeneries; who cannot is passed over."""
    table = journal.table
    for seat in around(table, FIRST.of(here(table))):
        entity = table.seat(seat)
        if not PASSED.of(entity) and not GONE.of(entity) and can_convert(journal.look, seat):
            if table.active != seat or ACTIONS.of(here(table)):
                journal.note(ACTIONS, 0)
                journal.take_turn(seat)
            return
    done = all(at_goal(journal.look, track) for track in TRACKS)
    scoring.finish(journal, "terraformed" if done else "generations")


def can_convert(look: Look, seat: Seat) -> bool:
    """Whether a seat has plants for a greenery and a place for it."""
    return bool(project(Means(look, seat), rules(look).projects["convert_plants"])[1])

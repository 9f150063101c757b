"""Doing what was chosen on a turn, and playing cards because another card says so."""

from __future__ import annotations

from cards.lore import asking, verbs
from cards.lore.abilities import Cost
from cards.lore.facts import MODS, Card, face, nth
from cards.lore.prices import price
from cards.lore.speech import effects, meant, speaks
from engine.effects import Ability, Ctx
from engine.frames import Entity, EntityId, Event, Move, Program, Seat, word
from engine.journal import Journal
from engine.table import EVERYONE, seat_id


def perform(journal: Journal, seat: Seat, move: Move) -> None:
    """Do a move of the main phase."""
    match move.type:
        case "play_ink":
            verbs.ink(journal, seat, move.card)
        case "play_character" | "play_item" | "play_location":
            _play(journal, seat, move)
        case "play_action":
            _pay(journal, seat, move.card)
            perform_action(journal, seat, move.card)
        case "sing_song" | "sing_together":
            _sing(journal, seat, move.card, move.chosen("singer") or move.chosen("singers"))
        case "quest_character":
            verbs.quest(journal, seat, move.card)
        case "challenge_character" | "challenge_location":
            _challenge(journal, seat, move)
        case "move_character":
            _go(journal, seat, move.card, move.chosen("location")[0])
        case "activate_ability":
            _activate(journal, seat, move)
        case "boost":
            verbs.pay(journal, seat, face(journal.look, journal.table[move.card]).boost)
            verbs.boost(journal, seat, move.card)
        case "pass_turn":
            end_turn(journal, seat)


def _play(journal: Journal, seat: Seat, move: Move) -> None:
    onto, exerted = move.chosen("shift_onto"), bool(move.chosen("enter_exerted"))
    if not onto:
        _pay(journal, seat, move.card)
        verbs.enter(journal, seat, move.card, exerted)
        return
    shift = face(journal.look, journal.table[move.card]).shift
    assert shift is not None
    _pay(journal, seat, move.card, shift.cost)
    verbs.enter_on(journal, seat, move.card, onto[0], exerted)


def _pay(journal: Journal, seat: Seat, id: EntityId, base: int | None = None) -> None:
    """Pay for a card, and use up what makes the next one of its type cheaper."""
    card = journal.table[id]
    cost = price(journal.look, seat, card, base)
    journal.say("played", seat=seat, card=journal.ref(id, EVERYONE), ink=cost)
    verbs.pay(journal, seat, cost)
    what = f"discount.{face(journal.look, card).type}"
    mods = MODS.of(journal.table.seat(seat))
    journal.set(seat_id(seat), MODS, [mod for mod in mods if mod[0] != what])


def perform_action(journal: Journal, seat: Seat, id: EntityId) -> None:
    """An action does what it says and is discarded; whoever heard of it waits until then."""
    printed = face(journal.look, journal.table[id])
    journal.move(id, "stage")
    card = journal.table[id]
    journal.emit(Event("played", seat, card))
    journal.run((*printed.program, word("retire")), seat, card)


@effects.does("retire")
def retire(ctx: Ctx, /) -> None:
    """An action that has done its work goes to the discard."""
    if ctx.card.id in ctx.table.zones["stage"]:
        ctx.journal.move(ctx.card.id, f"{ctx.card.owner}.discard")


def _sing(journal: Journal, seat: Seat, song: EntityId, singers: tuple[EntityId, ...]) -> None:
    refs = [journal.ref(id) for id in singers]
    journal.say("sang", seat=seat, card=journal.ref(song, EVERYONE), on=refs)
    for id in singers:
        verbs.exert(journal, id)
        journal.emit(Event("sang", seat, journal.table[id]))
    perform_action(journal, seat, song)


def _challenge(journal: Journal, seat: Seat, move: Move) -> None:
    """A challenge has two steps: what it sets off comes before the damage."""
    on = (move.chosen("defender") or move.chosen("location"))[0]
    journal.run((word("strike"),), seat)
    journal.run((word("declare", by=move.card, on=on),), seat)


def _go(journal: Journal, seat: Seat, id: EntityId, location: EntityId) -> None:
    verbs.pay(journal, seat, face(journal.look, journal.table[location]).move)
    verbs.move_to(journal, seat, id, location)


def _activate(journal: Journal, seat: Seat, move: Move) -> None:
    card = journal.table[move.card]
    uses = face(journal.look, card).uses
    place, ability = next((n, one) for n, one in enumerate(uses) if nth(n) == move.chosen("ability")[0])
    journal.say("used", seat=seat, card=journal.ref(card.id))
    _pay_cost(journal, seat, card, ability, move)
    if ability.word.args.get("once"):
        verbs.use(journal, card.id, f"use.{place}")
    program: Program = ability.word.args["do"]
    journal.run(program, seat, card)


def _pay_cost(journal: Journal, seat: Seat, card: Entity, ability: Ability, move: Move) -> None:
    cost: Cost = ability.word.args["cost"]
    verbs.pay(journal, seat, cost.ink)
    if cost.exert:
        verbs.exert(journal, card.id)
    for id in move.chosen("discard"):
        verbs.discard(journal, id)
    for id in move.chosen("tap"):
        verbs.exert(journal, id)
    gone = [*move.chosen("sacrifice"), *([card.id] if cost.banish else [])]
    if gone:
        verbs.banish(journal, gone)


def end_turn(journal: Journal, seat: Seat) -> None:
    """The turn is passed on; the end of it has steps of its own."""
    journal.say("ended", seat=seat)
    for step in ("next_turn", "last_check", "turn_over", "end_step"):  # the last pushed comes first
        journal.run((word(step),), seat)


# cards that are played because another says so


@effects.does("play_free")
def play_free(ctx: Ctx, /, on: str = "target", exerted: bool = False) -> None:
    """Play the chosen card for nothing. A Bodyguard may come exerted."""
    for id in meant(ctx, on):
        printed = face(ctx.look, ctx.table[id])
        if "bodyguard" in printed.numbers and not exerted:
            ctx.then(word("ask_entry"), word("come", on=on))
        else:
            ctx.then(word("come", on=on, exerted=exerted))


@effects.does("ask_entry")
def ask_entry(ctx: Ctx, /) -> None:
    """Ask whether it comes exerted."""
    ctx.ask({ctx.seat: asking.yes_or_no("ask.entry", speaks(ctx), ())})


@effects.does("come")
def come(ctx: Ctx, /, on: str = "target", exerted: bool = False) -> None:
    """The card comes into play, or does what an action does."""
    for id in meant(ctx, on):
        ctx.journal.say("played", seat=ctx.seat, card=ctx.journal.ref(id, EVERYONE), ink=0)
        if face(ctx.look, ctx.table[id]).zone == "stage":
            perform_action(ctx.journal, ctx.seat, id)
        else:
            verbs.enter(ctx.journal, ctx.seat, id, exerted or ctx.bound.get("answer") == [asking.YES])


def shiftable(printed: Card, onto: Card) -> bool:
    """Whether a character may be played on top of this one."""
    shift = printed.shift
    if shift is None:
        return False
    if shift.onto == "*":
        return True
    return shift.onto in onto.classes if shift.onto else onto.family == printed.family

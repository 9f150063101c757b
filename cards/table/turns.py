"""Turns, and how a match ends.

First everybody sets up, one after the other, where the game wants that; then they take turns.
"""

from __future__ import annotations

from typing import Any

from cards.table import looking
from cards.table.decisions import clear_decision, resolve_decision
from cards.table.facts import (
    CLAIM,
    DONE,
    FLAGS,
    GONE,
    NUMBER,
    PHASE,
    PLAYING,
    READY,
    SETUP,
    decision,
    game_of,
    one,
    others,
    phase,
)
from cards.table.noting import note
from engine.frames import Entity, EntityId, Move, Offer, Question, Seat, word
from engine.hooks import Deed
from engine.journal import Journal
from engine.look import Look
from engine.table import EVERYONE, TABLE, seat_id

FRESH = "played_this_turn"  # a flag that every turn takes away


def marked(card: Entity, flag: str) -> bool:
    """Whether a card bears a flag."""
    return flag in FLAGS.of(card)


def mark(journal: Journal, id: EntityId, flag: str) -> None:
    """Let a card bear a flag."""
    journal.set(id, FLAGS, [*FLAGS.of(journal.table[id]), flag])


def start_turn(journal: Journal, seat: Seat) -> None:
    """Let a seat begin its turn."""
    number = NUMBER.of(journal.table[TABLE]) + 1
    journal.note(NUMBER, number)
    journal.note(DONE, {})
    journal.take_turn(seat)
    journal.tell("phase", phase=PLAYING, number=number, seat=seat)
    journal.say("turn", number=number, seat=seat)


def start_setup(journal: Journal, seat: Seat) -> None:
    """Let a seat set up its side."""
    journal.note(PHASE, SETUP)
    journal.note(DONE, {})
    journal.take_turn(seat)
    journal.tell("phase", phase=SETUP, number=0, seat=seat)
    journal.say("setup", seat=seat)


def end_turn(journal: Journal, deed: Deed) -> int:
    """Hand the turn over. Whoever only had a decision to make hands that back instead."""
    table = journal.table
    if decision(table):
        return resolve_decision(journal, deed)
    looking.end_looks(journal, deed.seat)
    limit = table.options["turn_limit"]
    if limit and NUMBER.of(table[TABLE]) >= limit:
        journal.say("too_long", number=limit)
        journal.end((), "turn_limit")
    else:
        _pass_on(journal, deed.seat)
    return EVERYONE


def _pass_on(journal: Journal, seat: Seat) -> None:
    if phase(journal.table) == SETUP:
        _set_up(journal, seat)
        return
    _clear_flags(journal)
    start_turn(journal, next(iter(others(journal.table, seat)), seat))


def _set_up(journal: Journal, seat: Seat) -> None:
    table = journal.table
    journal.set(seat_id(seat), READY, True)
    journal.say("ready", seat=seat)
    left = [other for other in others(table, seat) if not READY.of(table.seat(other))]
    if left:
        start_setup(journal, left[0])
    else:
        journal.note(PHASE, PLAYING)
        game_of(journal.look).begin(journal, seat)


def _clear_flags(journal: Journal) -> None:
    for id, card in list(journal.table.entities.items()):
        if id > 0 and FRESH in FLAGS.of(card):
            journal.set(id, FLAGS, [flag for flag in FLAGS.of(card) if flag != FRESH])


# the end


def declare_victory(journal: Journal, deed: Deed) -> int:
    """Claim the match. Where the table cannot see that it is won, the others are asked."""
    reason = one(deed.move, "reason", "victory")
    journal.say("claims", seat=deed.seat, reason=reason)
    game, seat = game_of(journal.look), deed.seat
    if game.won(journal.look, seat, reason) or not others(journal.table, seat):
        crown(journal, seat, reason)
        return EVERYONE
    journal.note(CLAIM, {"what": "victory", "seat": seat, "reason": reason})
    journal.run((word("ask_claim"), word("close_victory")), seat)
    return note(journal, deed, reason=reason)


def ask_victory(look: Look, claim: dict[str, Any]) -> dict[Seat, Question]:
    """Everybody else may agree or not. A bot agrees where the table can tell that it is so."""
    seat, reason = claim["seat"], claim["reason"]
    agree = Offer("agree", warns=game_of(look).doubts(look, seat, reason))
    question = Question((agree, Offer("refuse")), "ask.victory", {"seat": seat, "reason": reason}, Move("refuse"))
    return dict.fromkeys(others(look.table, seat), question)


def crown(journal: Journal, seat: Seat, reason: str) -> None:
    """The match is won."""
    clear_decision(journal)
    journal.note(CLAIM, {})
    journal.say("won", seat=seat)
    journal.end((seat,), reason)


def leave(journal: Journal, seat: Seat, reason: str) -> None:
    """Somebody goes. The last one who is left has won; if there are more, they play on."""
    table = journal.table
    left = others(table, seat)
    if GONE.of(table.seat(seat)):
        return
    journal.say("left", seat=seat, reason=reason)
    clear_decision(journal)
    journal.note(CLAIM, {})
    if len(left) < 2:
        journal.end(left, reason)
        return
    journal.set(seat_id(seat), GONE, True)
    while len(table.stack) > 1:  # whatever somebody was asked, they are not asked any more
        journal.pop()
    if table.active == seat:
        looking.end_looks(journal, seat)
        _pass_on(journal, seat)

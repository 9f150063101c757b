"""What can happen in the fizzlebox: each change and its announcement in one place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cards.kittens.facts import NUMBER, PLACE, SHOVED, TURNS, WINDOW, face, held, living, next_seat, window
from engine.frames import EntityId, Seat, word
from engine.journal import Journal
from engine.look import Look
from engine.table import EVERYONE, TABLE, bit, seat_id


def start_turn(journal: Journal, seat: Seat, turns: int = 1, shoved: bool = False) -> None:
    """Let a seat begin the first of so many turns."""
    number = NUMBER.of(journal.table[TABLE]) + 1
    journal.note(NUMBER, number)
    journal.note(TURNS, turns)
    journal.note(SHOVED, shoved)
    journal.take_turn(seat)
    journal.tell("phase", phase="main", number=number, seat=seat)
    journal.say("turn" if turns == 1 else "turns", number=number, seat=seat, turns=turns)


def end_turn(journal: Journal, seat: Seat) -> None:
    """One turn is done; the same seat goes on if it was shoved into more."""
    table = journal.table
    left = TURNS.of(table[TABLE]) - 1
    if left:
        start_turn(journal, seat, left, SHOVED.of(table[TABLE]))
    else:
        start_turn(journal, next_seat(table, seat))


def discard(journal: Journal, ids: Iterable[EntityId]) -> None:
    """Lay cards on the discard pile, face up."""
    for id in tuple(ids):
        journal.move(id, "discard")


def draw(journal: Journal, seat: Seat) -> bool:
    """Draw the top card. A spark is shown to everybody; returns whether it was one."""
    table = journal.table
    assert table.zones["pile"], "the pile cannot run out while two are in"
    top = table.zones["pile"][-1]
    if face(journal.look, table[top]).kind == "spark":
        journal.say("sparked", seat=seat, card=journal.ref(top, EVERYONE))
        journal.move(top, "fuse")
        return True
    journal.say("drew", seat=seat, card=journal.ref(top, bit(seat)))
    journal.move(top, f"{seat}.hand")
    return False


def douse(journal: Journal, seat: Seat) -> bool:
    """Put the spark out, with one card if the seat has one."""
    for id in held(journal.look, seat, "douse")[:1]:
        journal.say("doused", seat=seat, card=journal.ref(id, EVERYONE))
        journal.move(id, "discard")
        return True
    return False


def put_back(journal: Journal, seat: Seat, at: int) -> None:
    """Put the spark into the pile, so many cards below the top. Where, only its player is told."""
    (spark,) = journal.table.zones["fuse"]
    journal.say("returned", seat=seat)
    journal.say("placed", to=bit(seat), seat=seat, at=at)
    journal.move(spark, "pile", at=len(journal.table.zones["pile"]) - at)


def go_out(journal: Journal, seat: Seat, why: str, **args: Any) -> None:
    """A seat is out: its hand is discarded, and the last one who is in has won."""
    table = journal.table
    place = len(living(table))
    journal.say(why, seat=seat, place=place, **args)
    journal.set(seat_id(seat), PLACE, place)
    discard(journal, table.zones[f"{seat}.hand"])
    for spark in table.zones["fuse"] if seat == table.active else ():
        journal.move(spark, "out")
    if place == 2:
        crown(journal, living(table)[0], args.get("reason", "last_one_in"))


def crown(journal: Journal, winner: Seat, reason: str) -> None:
    """The last one has won; the others are ranked by how long they lasted."""
    table = journal.table
    journal.say("won", seat=winner)
    others = sorted((seat for seat in range(table.seats) if seat != winner), key=lambda s: PLACE.of(table.seat(s)))
    journal.end((winner,), reason, [(winner,), *((seat,) for seat in others)])


def take_out_a_spark(journal: Journal) -> None:
    """One spark less, any of them, so that there are never more than can be drawn."""
    look, pile = journal.look, journal.table.zones["pile"]
    sparks = [id for id in pile if face(look, journal.table[id]).kind == "spark"]
    if sparks:
        journal.say("spark_removed")
        journal.move(journal.pick(sparks), "out")


def open_window(journal: Journal, seat: Seat, **what: Any) -> None:
    """Something was played: it waits until nobody cancels it any more."""
    journal.note(WINDOW, {"by": seat, "last": seat, **what})
    journal.run((word("ask_veto"), word("close_window")), seat)


def veto(journal: Journal, seat: Seat, id: EntityId) -> None:
    """Cancel what was played last."""
    journal.say("vetoed", seat=seat, card=journal.ref(id, EVERYONE))
    journal.move(id, "discard")
    waits = window(journal.table)
    journal.note(WINDOW, {**waits, "last": seat, "vetoed": not waits.get("vetoed", False), "again": True})


def hand_over(journal: Journal, id: EntityId, seat: Seat, key: str) -> None:
    """A card goes from one hand to another; only those two see it."""
    foe = journal.look.controller(journal.table[id])
    both = bit(seat) | bit(foe)
    journal.say(key, to=both, seat=seat, foe=foe, face=journal.table[id].face)
    journal.say(key, to=EVERYONE & ~both, seat=seat, foe=foe)
    journal.move(id, f"{seat}.hand")


def named(look: Look, seat: Seat, name: str) -> EntityId | None:
    """A card of this name in a hand."""
    return next((card.id for card in look.table.lying(f"{seat}.hand") if card.face == name), None)

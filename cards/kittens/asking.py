"""The questions of the fizzlebox: where the spark goes, whether anybody cancels, what is given."""

from __future__ import annotations

from cards.kittens.facts import held, living, window
from engine.frames import PASS, Arg, Move, Offer, Program, Question, Seat, Slot, word
from engine.look import Look
from engine.table import Table


def place(table: Table) -> Question:
    """Any place in the pile: 0 is the top, drawn next. Whoever does not choose leaves it to luck."""
    return Question((Offer("place", slots=(Slot("at", range=(0, len(table.zones["pile"]))),)),), "ask.place")


def vetoes(look: Look) -> dict[Seat, Question]:
    """One question for everybody who is in, but not for who played last. What they hold shows in the answers only."""
    waits = window(look.table)
    asked: dict[str, Arg] = {"seat": waits["last"]}
    after: dict[str, Program] = {"veto": (word("spend_veto"),)}
    return {
        seat: Question(_answers(look, seat), "ask.veto", asked, Move(PASS), after)
        for seat in living(look.table)
        if seat != waits["last"]
    }


def _answers(look: Look, seat: Seat) -> tuple[Offer, ...]:
    cards = held(look, seat, "veto")
    return (*([Offer("veto", slots=(Slot("veto", cards),))] if cards else []), Offer(PASS))


def gift(table: Table, foe: Seat, seat: Seat) -> Question:
    """Any card of the hand. Whoever does not choose gives what luck picks."""
    give = Offer("give", slots=(Slot("gift", table.zones[f"{foe}.hand"]),))
    return Question((give,), "ask.gift", {"seat": seat}, then={"give": (word("give"),)})

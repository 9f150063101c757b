"""The questions of the fizzlebox: where the spark goes, whether anybody cancels, what is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
    key, asked = _played(look.table, waits)
    after: dict[str, Program] = {"veto": (word("spend_veto"),)}
    return {
        seat: Question(_answers(look, seat), key, asked, Move(PASS), after)
        for seat in living(look.table)
        if seat != waits["last"]
    }


def _played(table: Table, waits: Mapping[str, Any]) -> tuple[str, dict[str, Arg]]:
    """What may be cancelled, in words: what was played last, and at whom."""
    if "vetoed" in waits:
        key = "ask.again" if waits["vetoed"] else "ask.restored"
        return key, {"seat": waits["last"], "owner": waits["by"]}
    asked: dict[str, Arg] = {"seat": waits["by"]}
    if "foe" in waits:
        asked["foe"] = waits["foe"]
    match waits["do"]:
        case "pair" | "triple" | "five" as kind:
            if "name" in waits:
                asked["face"] = waits["name"]
            for id in waits.get("take", ()):
                asked["face"] = table[id].face
            return f"ask.{kind}", asked
        case face:
            return "ask.played_at" if "foe" in waits else "ask.played", {**asked, "face": face}


def _answers(look: Look, seat: Seat) -> tuple[Offer, ...]:
    cards = held(look, seat, "veto")
    return (*([Offer("veto", slots=(Slot("veto", cards),))] if cards else []), Offer(PASS))


def gift(table: Table, foe: Seat, seat: Seat) -> Question:
    """Any card of the hand. Whoever does not choose gives what luck picks."""
    give = Offer("give", slots=(Slot("gift", table.zones[f"{foe}.hand"]),))
    return Question((give,), "ask.gift", {"seat": seat}, then={"give": (word("give"),)})

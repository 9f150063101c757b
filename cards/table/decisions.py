"""Decisions: a small turn inside a turn.

Somebody else does what they have to do, with the same moves as always, and hands back. The number of the turn does not
change, and there is one decision at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cards.table.facts import CLAIM, DECISION, NUMBER, decision, one, target
from cards.table.looking import end_looks, show
from cards.table.noting import note
from engine.errors import Refused
from engine.frames import Move, Offer, Question, Ref, Seat, Turn, word
from engine.hooks import Deed
from engine.journal import Journal
from engine.table import EVERYONE, TABLE


def create_decision(journal: Journal, deed: Deed) -> int:
    """Let somebody else decide something in the middle of a turn."""
    open_decision(journal, deed.seat, one(deed.move, "seat"), one(deed.move, "message"))
    return note(journal, deed)


def open_decision(journal: Journal, by: Seat, seat: Seat, message: str = "", zones: Sequence[str] = ()) -> None:
    """A small turn for somebody, for whom these places lie open."""
    if decision(journal.table):
        raise Refused("decision_open", "Somebody has a decision to make already.")
    about: dict[str, Any] = {"message": message} if message else {}
    journal.note(DECISION, {"by": by, "seat": seat, "zones": list(zones), **about})
    journal.push(Turn(seat))
    journal.tell("phase", phase="decision", number=NUMBER.of(journal.table[TABLE]), seat=seat)
    journal.say("decides_about" if message else "decides", seat=seat, **about)


def resolve_decision(journal: Journal, deed: Deed) -> int:
    """Done deciding: what lay open is hidden again, and the turn goes on."""
    if decision(journal.table).get("seat") != deed.seat:
        raise Refused("no_decision", "You have no decision to make.")
    end_looks(journal, deed.seat)
    clear_decision(journal)
    journal.pop()
    journal.say("decided", seat=deed.seat)
    return note(journal, deed)


def clear_decision(journal: Journal) -> None:
    """Nothing is to be decided any more; what lay open for it is hidden again."""
    for zone in decision(journal.table).get("zones", ()):
        place = journal.look.places[zone]
        for id in journal.table.zones[zone]:
            if journal.table[id].shown:
                journal.turn(id, place.faces & ~journal.table[id].dark)
    journal.note(DECISION, {})


# a hand is laid open


def reveal_hand(journal: Journal, deed: Deed) -> int:
    """Lay a hand open for somebody to decide on. To see theirs as well, they are asked first."""
    zone, seat, message = target(deed.move), one(deed.move, "seat"), one(deed.move, "message")
    if decision(journal.table):
        raise Refused("decision_open", "Somebody has a decision to make already.")
    known = note(journal, deed, zone=zone)
    if one(deed.move, "how") == "mutual":
        journal.note(CLAIM, {"what": "hands", "seat": deed.seat, "of": seat, "zone": zone, "message": message})
        journal.run((word("ask_claim"), word("open_hands")), deed.seat)
    else:
        open_hands(journal, deed.seat, seat, [zone], message)
    return known


def ask_hands(claim: dict[str, Any]) -> dict[Seat, Question]:
    """Nobody's hand is opened against their will."""
    answers = (Offer("agree"), Offer("refuse"))
    return {claim["of"]: Question(answers, "ask.hands", {"seat": claim["seat"]}, Move("refuse"))}


def open_hands(journal: Journal, by: Seat, seat: Seat, zones: Sequence[str], message: str) -> None:
    """Let everybody see what lies in these places, until somebody has decided."""
    names: list[Ref] = []
    for zone in zones:
        for id in journal.table.zones[zone]:
            show(journal, id, EVERYONE)
            names.append(journal.ref(id))
    journal.say("revealed_hand", seat=by, cards=names)
    open_decision(journal, by, seat, message, zones)

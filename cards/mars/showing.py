"""How a match looks to everybody, and what is still to be done in it, so that anyone can take it up from there."""

from __future__ import annotations

from typing import Any

import msgspec

from cards.mars.facts import (
    ACTIONS,
    AWARDS,
    DID,
    FIRST,
    FORCED,
    GENERATION,
    GONE,
    HAS,
    MAKES,
    MILESTONES,
    NEXT,
    PASSED,
    PHASE,
    RATING,
    SCORE,
    TRACKS,
    here,
)
from cards.mars.vocabulary import HAPPENINGS
from engine.frames import Ask, Run, Seat
from engine.look import Look
from engine.table import Attr

MARKS: tuple[Attr[Any], ...] = (PASSED, GONE, FORCED, DID, NEXT, SCORE)
NUMBERS: tuple[Attr[int], ...] = (RATING, *HAS.values(), *MAKES.values())
OPEN = ("choice", "amount", "trigger")  # what was settled before that everybody may know


def show_seat(look: Look, seat: Seat) -> dict[str, Any]:
    """Resources, production and rating always; the rest when there is something to tell."""
    entity = look.table.seat(seat)
    shown: dict[str, Any] = {attr.name: attr.of(entity) for attr in NUMBERS}
    shown.update((attr.name, entity.facts[attr.name]) for attr in MARKS if attr.name in entity.facts)
    return shown


def show_table(look: Look) -> dict[str, Any]:
    """The planet, the milestones and the awards."""
    facts = here(look.table)
    shown: dict[str, Any] = {name: attr.of(facts) for name, attr in TRACKS.items()}
    return {**shown, "milestones": MILESTONES.of(facts), "awards": AWARDS.of(facts)}


def show_turn(look: Look) -> dict[str, Any]:
    """The generation, the phase and the actions left; while a question is open, what is asked and what comes after.

    `heard` is what cards will have to say when the words that are still to be spoken are through.
    """
    table = look.table
    facts = here(table)
    shown: dict[str, Any] = {"number": GENERATION.of(facts), "phase": PHASE.of(facts), "first": FIRST.of(facts)}
    if actions := ACTIONS.of(facts):
        shown["actions"] = actions
    if len(table.stack) > 2 and isinstance(table.stack[-1], Ask) and len(table.stack[-1].questions) == 1:
        runs = [frame for frame in table.stack if isinstance(frame, Run)]
        shown["asks"] = runs[-1].bound["asked"]
        shown["todo"] = [show_run(run) for run in runs if run.todo or run is runs[-1]]
        if table.bag:
            heard = (Run((one.word,), one.seat, one.source, one.event) for one in table.bag)
            shown["heard"] = [show_run(run) for run in heard]
    return shown


def show_run(run: Run) -> dict[str, Any]:
    """Words that are still to be spoken: whose, because of which card, and what was settled before."""
    shown: dict[str, Any] = {"seat": run.seat, "do": msgspec.to_builtins(run.todo)}
    if run.source is not None:
        shown["by"] = run.source.id
    if known := {name: run.bound[name] for name in OPEN if name in run.bound}:
        shown["with"] = known
    if run.event is not None and run.todo and run.todo[0].name in HAPPENINGS:
        event = run.event
        shown["on"] = {"kind": event.kind, "seat": event.seat, "facts": event.facts}
        if event.card is not None:
            shown["on"]["card"] = event.card.id
    return shown

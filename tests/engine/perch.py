"""Perch: a table that knows no rule at all. A bird may hop, sing or rest; whatever else there is, plugins bring."""

from __future__ import annotations

from typing import Any

from engine.effects import Effects, Face
from engine.findings import Finding
from engine.frames import Move, Offer, Slot
from engine.game import Game, Option
from engine.hooks import Deed, Plugin, Plugins, Warn
from engine.journal import Journal
from engine.look import Look
from engine.match import Match
from engine.table import EVERYONE, TABLE, Attr, Zone

DONE = Attr[list[str]]("done", [])
EIGHT = Offer("hop", slots=(Slot("far", range=(1, 8)),))


class Perch(Game):
    """Two birds on a perch, and whatever is laid over them."""

    id, title, rules, seats = "perch", "Perch", "1", (2, 2)
    effects = Effects()
    faces = {"Bird": Face(name="Bird")}
    zones = (Zone("branch", faces="all", shared=True),)
    options = (Option("ask_first", "switch", False, "Ask before something unusual is done."),)
    messages = {"rule.loud": "One does not sing at night.", "rule.far": "A hop of {far} is a flight."}

    def __init__(self, *plugins: Plugin) -> None:
        self.plugins = Plugins(*plugins)
        super().__init__()

    def deal(self, journal: Journal, decks: Any, first: Any) -> None:
        journal.create("Bird", -1, "branch")
        journal.take_turn(0)

    def offers(self, look: Look, seat: int) -> list[Offer]:
        own = [offer for custom in self.plugins.customs.values() for offer in custom.offers(look, seat)]
        return [EIGHT, Offer("sing"), Offer("rest"), *own]

    def judge(self, look: Look, seat: int, move: Move) -> tuple[Finding, ...]:
        return self.plugins.judge(look, Deed(seat, move)).findings

    def perform(self, journal: Journal, seat: int, move: Move) -> None:
        self.plugins.carry_out(journal, Deed(seat, move), self._do)

    def _do(self, journal: Journal, deed: Deed) -> int:
        move = deed.move
        text = f"{move.type} {move.picks['far']}" if move.picks else move.type
        journal.note(DONE, [*DONE.of(journal.table[TABLE]), text + ("!" if move.sure else "")])
        if move.type == "rest":
            journal.take_turn(1 - deed.seat)
        return EVERYONE


def perch(*plugins: Plugin) -> Match:
    return Match.deal(Perch(*plugins), seed=1)


def done(match: Match) -> list[str]:
    return DONE.of(match.table[TABLE])


def hop(far: int = 1) -> dict[str, Any]:
    return {"type": "hop", "far": far}


SING, REST = {"type": "sing"}, {"type": "rest"}


def plugin(id: str = "house", **more: Any) -> Plugin:
    return Plugin(id, id.title(), **more)


def says(outcome: Any) -> Any:
    """A hook that always says the same."""
    return lambda look, deed: outcome


def warning(rule: str = "loud", on: str = "sing", **more: Any) -> Plugin:
    """A plugin that always remarks on one kind of move."""
    house = plugin(rule)
    house.before(on, rule=rule, **more)(says(Warn()))
    return house

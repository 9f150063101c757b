"""A game in ten lines, for which the client has no line: throw your pebbles; whoever has none left has won."""

from __future__ import annotations

from engine.effects import Effects, Face
from engine.frames import Offer, Turn
from engine.game import Game
from engine.table import Zone


class Pebbles(Game):
    """Throw a pebble; whoever has none left has won."""

    id, title, rules, seats = "pebbles", "Pebbles", "1.0", (2, 2)
    effects, faces = (
        Effects(),
        {name: Face(name=name, text=f"A {name.lower()} pebble.") for name in ("Grey", "Speckled", "White")},
    )
    zones = (Zone("hand", faces="owner"), Zone("pond", faces="all", shared=True))

    def deal(self, journal, decks, first):
        for seat in range(journal.table.seats):
            for name in self.faces:
                journal.create(name, seat, f"{seat}.hand")
        journal.push(Turn(first or 0))

    def offers(self, look, seat):
        yield from (Offer("throw", id) for id in look.table.zones[f"{seat}.hand"])

    def perform(self, journal, seat, move):
        journal.move(move.card, "pond")
        if not journal.table.zones[f"{seat}.hand"]:
            return journal.end((seat,), "empty_handed")
        return journal.swap(Turn(1 - seat))


GAME = Pebbles()

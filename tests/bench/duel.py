"""Bench duel: the game that services are compared with, on our engine.

Two players, each with a hidden deck of thirty cards of their own, five of them in hand. A move plays a card to the
board, draws one and passes the turn. Whoever has played all thirty gets them back, shuffled; nobody ever wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.effects import Effects, Face
from engine.frames import Move, Offer, Seat, Slot
from engine.game import Game
from engine.journal import Journal
from engine.look import Look
from engine.table import Zone

DECK, HAND = 30, 5


class Fighter(Face, frozen=True, kw_only=True):
    """A card with a price and a power. They mean nothing here but bytes on the wire."""

    cost: int
    power: int


class Duel(Game):
    """Play, draw, pass, for ever."""

    id = "bench-duel"
    title = "Bench duel"
    rules = "1"
    seats = (2, 2)
    effects = Effects()
    faces: Mapping[str, Fighter] = {
        f"f{n}": Fighter(name=f"f{n}", cost=1 + n % 9, power=1 + n * 7 % 12) for n in range(DECK)
    }
    zones = (Zone("deck"), Zone("hand", faces="owner"), Zone("board", faces="all"))
    decks = {"all": tuple(faces)}

    def deal(self, journal: Journal, decks: Sequence[Sequence[str]], first: Seat | None) -> None:
        """Everybody gets all thirty cards, and seat 0 begins."""
        for seat, deck in enumerate(decks):
            for name in deck:
                journal.create(name, seat, f"{seat}.deck")
            shuffle_and_draw(journal, seat)
        journal.take_turn(first or 0)

    def offers(self, look: Look, seat: Seat) -> Iterator[Offer]:
        """Any card of the hand."""
        yield Offer("play", slots=(Slot("what", look.table.zones[f"{seat}.hand"]),))

    def perform(self, journal: Journal, seat: Seat, move: Move) -> None:
        """Play it, draw one, pass the turn."""
        zones = journal.table.zones
        hand, deck, board = f"{seat}.hand", f"{seat}.deck", f"{seat}.board"
        journal.move(move.picks["what"][0], board)
        if zones[deck]:
            journal.move(zones[deck][-1], hand)
        elif not zones[hand]:
            journal.gather(zones[board], deck)
            shuffle_and_draw(journal, seat)
        journal.take_turn(1 - seat)

    def catalogue(self) -> dict[str, Any]:
        """Its price and its power: printed once, so no view need repeat them."""
        return {name: {"cost": face.cost, "power": face.power} for name, face in self.faces.items()}


def shuffle_and_draw(journal: Journal, seat: Seat) -> None:
    """Shuffle a deck and draw the first hand from it."""
    deck, hand = f"{seat}.deck", f"{seat}.hand"
    journal.shuffle(deck)
    for _ in range(HAND):
        journal.move(journal.table.zones[deck][-1], hand)


GAME = Duel()

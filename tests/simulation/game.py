"""The game that is played: the bench duel, where now and then both are asked something and time runs out."""

from __future__ import annotations

from engine.frames import PASS, Move, Offer, Question, Seat
from engine.game import Option
from engine.journal import Journal
from tests.bench.duel import Duel

SECONDS = 2.0


class SimulatedDuel(Duel):
    """Every third card opens a reaction window: pass or cheer, or it closes by itself."""

    id = "simulated-duel"
    options = (Option("windows", "switch", True, "whether reaction windows are opened"),)

    def perform(self, journal: Journal, seat: Seat, move: Move) -> None:
        """Play, draw, pass, and perhaps ask everybody."""
        super().perform(journal, seat, move)
        if journal.table.options["windows"] and journal.table.version % 3 == 0:
            question = Question((Offer(PASS), Offer("cheer")), default=Move(PASS))
            journal.ask({0: question, 1: question}, seconds=SECONDS)

    def expired(self, journal: Journal, seat: Seat) -> None:
        """A turn that runs out is passed on, so that clocks can run out again and again."""
        journal.take_turn(1 - seat)


GAME = SimulatedDuel()

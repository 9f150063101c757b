"""Bots. A bot gets what a person in its seat gets, and never the table.

`greedy` thinks one move ahead: it plays each offer on a table that could be the real one for all it knows, and
takes the one after which it stands best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from engine.errors import EngineError
from engine.frames import Offer, Seat
from engine.game import Game, Record, View
from engine.lens import Lens
from engine.match import Match
from engine.offers import at_random, fillings


class Agent(Protocol):
    """Somebody who plays a seat: sees a view, is made offers, remembers its record, and picks."""

    def pick(self, view: View, offers: Sequence[Offer], record: Record) -> Mapping[str, Any]:
        """The filled offer to play."""
        ...


class RandomBot:
    """Plays any offer, each as likely."""

    def __init__(self, game: Game, seat: Seat, seed: int = 0) -> None:
        self._below = Random(f"random/{game.id}/{seat}/{seed}").randrange

    def pick(self, view: View, offers: Sequence[Offer], record: Record) -> Mapping[str, Any]:
        """One of the offers, filled by chance."""
        return at_random(offers, self._below)


class GreedyBot:
    """Plays whatever leaves it best off right away."""

    most = 200  # fillings looked at

    def __init__(self, game: Game, seat: Seat, seed: int = 0) -> None:
        self.game = game
        self.seat = seat
        self._random = Random(f"greedy/{game.id}/{seat}/{seed}")

    def pick(self, view: View, offers: Sequence[Offer], record: Record) -> Mapping[str, Any]:
        """The filling after which this seat stands best; of equals, any."""
        moves = [do for offer in offers for do in fillings(offer)][: self.most]
        if len(moves) == 1:
            return moves[0]
        match = Match(self.game, self.game.imagine(view, record, self._random.randrange))
        lens = Lens(match.look, self.seat)
        scored = [(self._worth(match, lens, do), self._random.random(), n) for n, do in enumerate(moves)]
        return moves[max(scored)[2]]

    def _worth(self, match: Match, lens: Lens, do: Mapping[str, Any]) -> float:
        try:
            match.act(self.seat, do)
        except EngineError:
            return -1.0  # legal at the real table, but not at the imagined one
        worth = self.game.score(lens.whole(), self.seat)
        match.undo()
        return worth


BOTS: dict[str, Callable[[Game, Seat, int], Agent]] = {"random": RandomBot, "greedy": GreedyBot}

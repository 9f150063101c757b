"""Bots. A bot gets what a person in its seat gets, and never the table.

random    any offer
greedy    thinks one move ahead: plays each offer on a table that could be the real one for all it knows, and takes
          the one after which it stands best
mcts      thinks many moves ahead on many such tables; `mcts:50` goes over it fifty times, `mcts:200ms` for so long
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from engine.errors import EngineError, Refused
from engine.frames import Offer, Seat
from engine.game import Game, Record, View
from engine.lens import Lens
from engine.match import Match
from engine.offers import at_random, fillings, usual
from engine.search import Search

ITERATIONS = 300  # of a bot that was told no number
MOST_ITERATIONS, MOST_MS = 100_000, 60_000


class Agent(Protocol):
    """Somebody who plays a seat: sees a view, is made offers, remembers its record, and picks."""

    def pick(self, view: View, offers: Sequence[Offer], record: Record) -> Mapping[str, Any]:
        """The filled offer to play."""
        ...


Clock = Callable[[], float]  # seconds, from wherever


class RandomBot:
    """Plays any offer, each as likely."""

    def __init__(self, game: Game, seat: Seat, seed: int = 0) -> None:
        self._below = Random(f"random/{game.id}/{seat}/{seed}").randrange

    def pick(self, view: View, offers: Sequence[Offer], record: Record) -> Mapping[str, Any]:
        """One of the offers, filled by chance."""
        return at_random(usual(offers), self._below)


class GreedyBot:
    """Plays whatever leaves it best off right away."""

    most = 200  # fillings looked at

    def __init__(self, game: Game, seat: Seat, seed: int = 0) -> None:
        self.game = game
        self.seat = seat
        self._random = Random(f"greedy/{game.id}/{seat}/{seed}")

    def pick(self, view: View, offers: Sequence[Offer], record: Record) -> Mapping[str, Any]:
        """The filling after which this seat stands best; of equals, any."""
        moves = [do for offer in usual(offers) for do in fillings(offer)][: self.most]
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


class MctsBot:
    """Plays many matches in its head before it moves. With iterations for a budget a seed decides all it does."""

    def __init__(self, game: Game, seat: Seat, seed: int = 0) -> None:
        self.game = game
        self.seat = seat
        self.iterations = ITERATIONS
        self.seconds = 0.0  # thinks no longer than this, where it has a clock
        self.clock: Clock | None = None
        self._random = Random(f"mcts/{game.id}/{seat}/{seed}")

    def pick(self, view: View, offers: Sequence[Offer], record: Record) -> Mapping[str, Any]:
        """The move that it came back to most often."""
        offers = usual(offers)
        moves = [do for offer in offers for do in fillings(offer, 2)][:2]
        if len(moves) == 1:
            return moves[0]
        search = Search(self.game, self.seat, self._random.randrange, view, record)
        search.think(offers, self._enough())
        return search.best() or at_random(offers, self._random.randrange)

    def _enough(self) -> Callable[[int], bool]:
        clock = self.clock
        if clock is None or not self.seconds:
            return lambda done: done >= self.iterations
        end = clock() + self.seconds
        return lambda done: done >= self.iterations or clock() >= end


BOTS: dict[str, Callable[[Game, Seat, int], Agent]] = {"random": RandomBot, "greedy": GreedyBot, "mcts": MctsBot}


def make_bot(name: str, game: Game, seat: Seat, seed: int, clock: Clock | None = None, most: float = 0) -> Agent:
    """A bot by its name, with its budget if it has one. With a clock it thinks no longer than `most` seconds."""
    kind, iterations, seconds = read_name(name)
    agent = BOTS[kind](game, seat, seed)
    if isinstance(agent, MctsBot):
        agent.iterations, agent.clock = iterations, clock
        agent.seconds = min(filter(None, (seconds, most)), default=0.0)
    return agent


def read_name(name: str) -> tuple[str, int, float]:
    """What a bot is called, its iterations and its seconds: `mcts`, `mcts:50` or `mcts:200ms`."""
    kind, colon, budget = name.partition(":")
    if kind not in BOTS:
        raise Refused("unknown_bot", f"There is no bot {kind!r}; there is {', '.join(BOTS)}.", bot=kind)
    if not colon:
        return kind, ITERATIONS, 0.0
    found = re.fullmatch(r"([0-9]{1,6})(ms)?", budget)
    most = MOST_MS if found and found[2] else MOST_ITERATIONS
    if kind != "mcts" or found is None or not 1 <= int(found[1]) <= most:
        text = f"{name!r} is no bot; a budget is written mcts:50 (iterations) or mcts:200ms, and only mcts has one."
        raise Refused("bad_budget", text, bot=name)
    return (kind, MOST_ITERATIONS, int(found[1]) / 1000) if found[2] else (kind, int(found[1]), 0.0)


def name_bots(bots: Mapping[Seat, str]) -> dict[Seat, str]:
    """What bots are called at a table: by their kind, and by number where there are several of a kind."""
    kinds = {seat: bots[seat].partition(":")[0].capitalize() for seat in sorted(bots)}
    count, many = Counter[str](), Counter(kinds.values())
    for seat, kind in kinds.items():
        count[kind] += 1
        kinds[seat] = f"{kind} {count[kind]}" if many[kind] > 1 else kind
    return kinds


def can_play(name: str, game: Game) -> bool:
    """Whether a bot can play a game: all but `random` must be able to imagine its table."""
    return name.partition(":")[0] == "random" or type(game).imagine is not Game.imagine

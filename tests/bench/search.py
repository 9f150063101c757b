"""How fast bots think: iterations of the search a second, on one core, from positions after ten moves.

An iteration is whole: imagine a world, go down the trees, play on to the end or as far as the game looks ahead, and
remember what it was worth.
"""

from __future__ import annotations

import statistics
import time
from random import Random
from typing import Any

from cards import find_game
from engine.bots import can_play
from engine.lens import Lens
from engine.match import Match
from engine.offers import at_random
from engine.search import Search

POSITIONS, EACH, MOVES = 20, 100, 10
LONGEST = 4.0  # seconds for one round; where thinking is slow it is over fewer positions


def iterations(game: str, rounds: int = 3) -> dict[str, float] | None:
    """Iterations a second: the best of several rounds, since others share the machine, and the median one."""
    if not can_play("mcts", find_game(game)):
        return None
    positions, found = _positions(game), []
    for _ in range(rounds):
        start, done = time.process_time(), 0
        for position in positions:
            done += _think(*position)
            if time.process_time() - start > LONGEST:
                break
        found.append(done / (time.process_time() - start))
    return {"best": max(found), "median": statistics.median(found)}


def _positions(game: str) -> list[tuple[Match, list[Any]]]:
    found: list[tuple[Match, list[Any]]] = []
    seed = 0
    while len(found) < POSITIONS:
        match, record = _after_some_moves(game, seed)
        seed += 1
        if not match.over:
            found.append((match, record))
    return found


def _after_some_moves(game: str, seed: int) -> tuple[Match, list[Any]]:
    match, below = Match.deal(find_game(game), seed=seed), Random(seed).randrange
    lenses = [Lens(match.look, seat) for seat in range(match.table.seats)]
    records: list[list[Any]] = [[] for _ in lenses]
    for _ in range(MOVES):
        if match.over:
            break
        seat = match.waiting()[0]
        step = match.act(seat, at_random(match.offers(seat), below))
        for lens, record in zip(lenses, records, strict=True):
            record += lens.news(step)
    return match, records[(match.waiting() or (0,))[0]]


def _think(match: Match, record: list[Any]) -> int:
    seat = match.waiting()[0]
    search = Search(match.game, seat, Random(1).randrange, Lens(match.look, seat).whole(), record)
    search.think(match.offers(seat), lambda done: done >= EACH)
    return search.iterations - search.failed

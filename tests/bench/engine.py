"""How fast the engine is: random matches through `Match`, with the offers worked out at every step."""

from __future__ import annotations

import cProfile
import pstats
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from cards import find_game
from engine.gallery import Gallery
from engine.match import Match
from engine.merge import canonical
from engine.offers import at_random
from engine.store import pack

LONGEST = 600  # moves; a match that nobody wins is left there
OPTIONS = {"ggltcg": {"set": "all"}}
LONG = {"mars": 10}  # games whose matches are so many times as long: fewer of them will do


def play(game: str, matches: int, each: Callable[[Match, int, dict[str, Any]], None] | None = None) -> int:
    """Play random matches. Returns how many moves were made."""
    rules, below, moves = find_game(game), Random(1).randrange, 0
    for seed in range(matches // LONG.get(game, 1)):
        match = Match.deal(rules, seed=seed, options=OPTIONS.get(game, {}))
        while not match.over and match.table.version < LONGEST:
            seat = match.waiting()[0]
            do = at_random(match.offers(seat), below)
            if each is None:
                match.act(seat, do)
            else:
                each(match, seat, do)
            moves += 1
    return moves


def speed(game: str, seconds: float) -> dict[str, float]:
    """Moves a second on one core, deals included: the best of several rounds, since others share the machine."""
    rounds, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(rounds) < 3:
        start = time.process_time()
        moves = play(game, 200)
        rounds.append(moves / (time.process_time() - start))
    return {"best": max(rounds), "median": statistics.median(rounds)}


def parts(game: str, matches: int = 300) -> dict[str, Any]:
    """What one move costs: acting, offering, telling everybody, and what is stored and sent."""
    act: list[int] = []
    offer: list[int] = []
    tell: list[int] = []
    stored: list[int] = []
    sent: list[int] = []
    galleries: dict[int, Gallery] = {}

    def each(match: Match, seat: int, do: dict[str, Any]) -> None:
        gallery = galleries.setdefault(id(match), Gallery(match))
        start = time.perf_counter_ns()
        step = match.act(seat, do)
        acted = time.perf_counter_ns()
        patches, news = gallery.patches(step), gallery.news(step)
        told = time.perf_counter_ns()
        for waiting in match.waiting():
            match.offers(waiting)
        act.append(acted - start)
        tell.append(told - acted)
        offer.append(time.perf_counter_ns() - told)
        sent.append(len(canonical({"patch": patches["1"], "events": news["1"]})))
        if 10 <= step.version <= 20:
            stored.append(len(pack(match.table)))
        if match.over:
            galleries.clear()

    play(game, matches, each)
    return {
        "act_us": statistics.median(act) / 1000,
        "offers_us": statistics.median(offer) / 1000,
        "views_us": statistics.median(tell) / 1000,
        "stored_bytes": statistics.median(stored),
        "stored_most": max(stored),
        "sent_bytes": statistics.median(sent),
    }


def shares(game: str) -> list[tuple[str, float]]:
    """Where the time goes: the share of each module in the time of a random match."""
    profile = cProfile.Profile()
    profile.runcall(play, game, 100)
    spent: dict[str, float] = {}
    for (file, _, _), (_, _, own, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        path = Path(file)
        name = f"{path.parent.name}/{path.stem}" if path.suffix == ".py" else "built in"
        spent[name] = spent.get(name, 0.0) + own
    whole = sum(spent.values())
    return sorted(((name, own / whole) for name, own in spent.items()), key=lambda share: -share[1])[:8]

"""What a full table costs: as it stands when a match has gone on for long, laid out by a module of the game."""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from engine.gallery import Gallery
from engine.lens import Lens
from engine.match import Match
from engine.merge import canonical
from engine.offers import fillings


def measure(late: Callable[[int], Match], matches: int = 20, repeat: int = 20) -> dict[str, Any]:
    """Offers and reasons of a seat, single moves, and what each of them sends to the other player, by its kind too."""
    offering, blocking, acting = [], [], []
    sent: dict[str, list[int]] = defaultdict(list)
    for seed in range(matches):
        match = late(seed)
        seat = match.waiting()[0]
        for _ in range(repeat):
            match._offers = {}
            match.look.stale()
            start = time.perf_counter_ns()
            offers = match.offers(seat)
            offering.append(time.perf_counter_ns() - start)
            match.look.stale()
            start = time.perf_counter_ns()
            list(match.game.blocked(match.look, seat))
            blocking.append(time.perf_counter_ns() - start)
        for offer in offers:
            do = next(fillings(offer))
            gallery = Gallery(match)
            start = time.perf_counter_ns()
            step = match.act(seat, do)
            acting.append(time.perf_counter_ns() - start)
            name = str(1 - seat)
            told = {"patch": gallery.patches(step)[name], "events": gallery.news(step)[name]}
            sent[offer.type].append(len(canonical(told)))
            match.undo()
    every = [size for sizes in sent.values() for size in sizes]
    return {
        "late_offers_us": statistics.median(offering) / 1000,
        "late_offers_worst_us": max(offering) / 1000,
        "late_blocked_us": statistics.median(blocking) / 1000,
        "late_act_us": statistics.median(acting) / 1000,
        "late_act_p95_us": sorted(acting)[len(acting) * 95 // 100] / 1000,
        "late_sent_bytes": statistics.median(every),
        "late_sent_p95_bytes": sorted(every)[len(every) * 95 // 100],
        "late_sent_by_move": {kind: statistics.median(sizes) for kind, sizes in sorted(sent.items())},
        "late_offers": len(offers),
        "late_offers_bytes": len(canonical(Lens(match.look, seat).offers(match))),
    }

"""What a late generation of Mars costs: full hands, thirty cards in play on both sides, half of the planet built on."""

from __future__ import annotations

import statistics
import time
from random import Random
from typing import Any

from cards import find_game
from cards.mars.facts import FORCED, GENERATION, HAS, MAKES, RESOURCES, TRACKS
from engine.gallery import Gallery
from engine.journal import Journal
from engine.match import Match
from engine.merge import canonical
from engine.offers import fillings
from engine.table import seat_id

IN_PLAY, IN_HAND, TILES = 30, 16, 28


def late(seed: int) -> Match:
    """A match as it stands in its tenth generation."""
    luck, game = Random(seed), find_game("mars")
    match = Match.deal(game, seed=seed, options={"packs": "all", "temperature": -6, "oxygen": 7, "oceans": 6})
    match.expire()
    table, journal = match.table, Journal(match.look)
    journal.note(GENERATION, 10)
    for seat in range(table.seats):
        for id in [card.id for card in table.lying("deck") if game.faces[card.face].type != "event"][:IN_PLAY]:  # type: ignore[attr-defined]
            journal.move(id, f"{seat}.tableau")
        for id in table.zones["deck"][-IN_HAND:]:
            journal.move(id, f"{seat}.hand")
        journal.set(seat_id(seat), FORCED, False)
        for name in RESOURCES:
            journal.set(seat_id(seat), HAS[name], luck.randrange(5, 40))
            journal.set(seat_id(seat), MAKES[name], luck.randrange(1, 8))
    free = [key for key, ids in table.zones.items() if key.startswith("hex.") and not ids]
    for key in luck.sample(free, TILES):
        if match.game.board.hexes[key].kind != "ocean":  # type: ignore[attr-defined]
            journal.create(luck.choice(("City", "Greenery")), luck.randrange(2), key)
    assert TRACKS["oceans"].of(table[0]) == 6
    journal.close()
    match._offers = {}
    return match


def measure(matches: int = 20, repeat: int = 20) -> dict[str, Any]:
    """Offers and reasons of a seat, single moves, and what each of them sends to the other player."""
    offering, blocking, acting, sent = [], [], [], []
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
            sent.append(len(canonical({"patch": gallery.patches(step)[name], "events": gallery.news(step)[name]})))
            match.undo()
    return {
        "late_offers_us": statistics.median(offering) / 1000,
        "late_offers_worst_us": max(offering) / 1000,
        "late_blocked_us": statistics.median(blocking) / 1000,
        "late_act_us": statistics.median(acting) / 1000,
        "late_act_p95_us": sorted(acting)[len(acting) * 95 // 100] / 1000,
        "late_sent_bytes": statistics.median(sent),
        "late_sent_p95_bytes": sorted(sent)[len(sent) * 95 // 100],
        "late_offers": len(offers),
    }

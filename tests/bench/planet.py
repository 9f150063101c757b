"""What a late generation of Mars costs: full hands, thirty cards in play on both sides, half of the planet built on."""

from __future__ import annotations

from random import Random

from cards import find_game
from cards.mars.facts import FORCED, GENERATION, HAS, MAKES, RESOURCES, TRACKS
from engine.journal import Journal
from engine.match import Match
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

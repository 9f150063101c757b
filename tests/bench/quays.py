"""What a full table of Lore costs: seven characters on both sides, two locations each, and eight cards in hand."""

from __future__ import annotations

from random import Random

from cards import find_game
from cards.lore.facts import AT, DAMAGE, EXERTED, LORE
from engine.frames import Turn
from engine.journal import Journal
from engine.match import Match
from engine.table import seat_id

INK, CHARACTERS, ITEMS, LOCATIONS, IN_HAND = 9, 7, 2, 2, 8


def late(seed: int) -> Match:
    """A match as it stands when both have built up, with the first player to move."""
    luck, game = Random(seed), find_game("lore")
    decks = sorted(game.decks)
    match = Match.deal(game, seed=seed, decks=[game.decks[decks[(seed + seat) % len(decks)]] for seat in (0, 1)])
    while not isinstance(match.table.stack[-1], Turn):
        match.expire()
    journal = Journal(match.look)
    for seat in (0, 1):
        _lay_out(journal, seat, luck)
    journal.close()
    match._offers = {}
    return match


def _lay_out(journal: Journal, seat: int, luck: Random) -> None:
    table, faces = journal.table, journal.look.game.faces
    for kind, count in (("character", CHARACTERS), ("item", ITEMS), ("location", LOCATIONS)):
        found = [card.id for card in table.lying(f"{seat}.deck") if faces[card.face].type == kind]  # type: ignore[attr-defined]
        for id in found[:count]:
            journal.move(id, f"{seat}.{kind}s")
    for zone, count in (("inkwell", INK), ("hand", IN_HAND - len(table.zones[f"{seat}.hand"]))):
        for id in table.zones[f"{seat}.deck"][-count:]:
            journal.move(id, f"{seat}.{zone}")
    for id in table.zones[f"{seat}.characters"]:
        journal.set(id, EXERTED, seat != table.active and luck.random() < 0.6)
        journal.set(id, DAMAGE, luck.randrange(2) if faces[table[id].face].numbers["willpower"] > 1 else 0)  # type: ignore[attr-defined]
        if places := table.zones[f"{seat}.locations"]:
            journal.set(id, AT, luck.choice((0, *places)))
    journal.set(seat_id(seat), LORE, luck.randrange(5, 14))

"""A creature battle with a full board: six creatures on both sides, grown, with energies and tools, and full hands."""

from __future__ import annotations

from random import Random

from cards import find_game
from cards.creatures.field import FIELD
from cards.table.facts import COUNTERS, NUMBER, PHASE, PLAYING
from engine.frames import Turn
from engine.journal import Journal
from engine.match import Match

GROWN = {
    0: ("Barbed Collar", *["Ember Charge"] * 3, "Sootling", "Cindermaul", "Kilnwyrm"),
    1: ("Feather Harness", *["Tide Charge"] * 3, "Puddlet", "Rillback", "Maelstrake"),
}
IN_HAND = 10


def late(seed: int) -> Match:
    """A match as it stands when nobody has room for one more."""
    luck, match = Random(seed), Match.deal(find_game("creatures"), seed=seed, first=0)
    table, journal = match.table, Journal(match.look)
    journal.note(PHASE, PLAYING)
    journal.note(NUMBER, 20)
    for seat, stack in GROWN.items():
        for place in FIELD:
            ids = [journal.create(face, seat, f"{seat}.{place}") for face in stack]
            journal.set(ids[-1], COUNTERS, {"10": luck.randrange(1, 9)})
        for id in table.zones[f"{seat}.deck"][:IN_HAND]:
            journal.move(id, f"{seat}.hand")
        for id in table.zones[f"{seat}.deck"][:IN_HAND]:
            journal.move(id, f"{seat}.discard")
    journal.create("Kiln Terrace", 0, "stadium")
    table.stack = (Turn(0),)
    journal.close()
    match._offers = {}
    return match

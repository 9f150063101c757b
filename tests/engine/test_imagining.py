"""A table laid out from a view: what is seen lies as it is seen, what is hidden is filled in."""

from __future__ import annotations

from random import Random

from engine.imagining import Imagined
from engine.lens import Lens
from engine.match import Match
from engine.merge import canonical
from engine.table import bit
from tests.engine.games import MAGPIES, pen

ANN = 0


def laid_out(match: Match) -> Imagined:
    """What Ann sees, laid out; whatever she does not see is a spoon."""
    imagined = Imagined(MAGPIES, Lens(match.look, ANN).whole(), Random(1).randrange, lambda shown: {})
    for zone, places in imagined.unseen.items():
        imagined.hide(zone, ["Spoon"] * len(places), -1)
    return imagined


def cards_of(table, zone: str) -> list[tuple[int, str]]:
    return [(id, table[id].face) for id in table.zones[zone]]


def test_a_thing_that_lies_face_down_keeps_its_id_and_gets_some_face():
    match = Match.deal(MAGPIES, seed=1)
    with pen(match) as journal:
        lump = journal.create("Coin", -1, "1.nest")
        down = journal.turn(journal.create("Cat", -1, "1.yard"), 0)
    table = laid_out(match).table
    assert cards_of(table, "1.nest") == [(lump, "Spoon")]
    assert cards_of(table, "1.yard") == [(down, "Spoon")]


def test_a_card_that_was_shown_to_the_viewer_is_known_among_hidden_ones():
    match = Match.deal(MAGPIES, seed=1)
    card = match.table.zones["1.hand"][1]
    with pen(match) as journal:
        journal.show(card, bit(ANN))
    table = laid_out(match).table
    assert cards_of(table, "1.hand")[1] == (card, match.table[card].face)
    assert [face for _, face in cards_of(table, "1.hand")].count("Spoon") >= 2


def test_rendered_again_it_looks_the_same():
    match = Match.deal(MAGPIES, seed=1)
    with pen(match) as journal:
        journal.turn(journal.create("Cat", -1, "1.yard"), 0)
        journal.turn(match.table.zones["pile"][-1], bit(ANN))
        journal.create("Coin", -1, "2.nest")
    real, imagined = Lens(match.look, ANN).whole(), Lens(Match(MAGPIES, laid_out(match).done()).look, ANN).whole()
    for part in ("zones", "cards"):
        assert canonical(real[part]) == canonical(imagined[part])

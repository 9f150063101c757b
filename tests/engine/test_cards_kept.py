"""Cards are never lost, never twice there, and never recognised by whoever lost sight of them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given

from engine import chance
from engine.journal import Journal
from engine.match import Match
from engine.table import AUDIENCE, bit
from tests.engine.games import GAMES, MAGPIES, games, pen, play, seeds


def faces(match: Match) -> Counter[tuple[str, int]]:
    """The cards of a match; a token is laid on the table when it is needed, and comes out of no pile."""
    printed = match.game.faces
    cards = (card for id, card in match.table.entities.items() if id > 0 and not printed[card.face].token)
    return Counter((card.face, card.owner) for card in cards)


@given(game=games, seed=seeds)
def test_cards_are_conserved(game, seed):
    match = Match.deal(game, seed=seed)
    dealt = faces(match)
    assert dealt.total() > 0
    for _ in play(match, Random(seed)):
        lying = [id for ids in match.table.zones.values() for id in ids]
        assert len(set(lying)) == len(lying)
        assert set(lying) == {id for id in match.table.entities if id > 0}
        assert all(match.table[id].id == id for id in match.table.entities)
        assert all(match.table[id].zone == zone for zone, ids in match.table.zones.items() for id in ids)
        assert faces(match) == dealt


@given(game=games, seed=seeds)
def test_an_id_never_comes_twice_in_a_match(game, seed):
    """An id that is gone is gone; one that is new was never there before."""
    match = Match.deal(game, seed=seed)
    used: set[int] = set()
    now: set[int] = set()
    for _ in play(match, Random(seed)):
        before, now = now, {id for id in match.table.entities if id > 0}
        assert used.isdisjoint(now - before)
        used |= now


def test_ids_stay_unique_beyond_the_first_block():
    match = Match.deal(MAGPIES, seed="block")
    with pen(match) as journal:
        for _ in range(30):
            journal.create("Coin", -1, "heap")
    match.table.luck = {**match.table.luck, chance.IDS: (1 << 20) - 20}
    used = set(match.table.entities)
    for _ in range(3):
        with pen(match) as journal:
            journal.shuffle("heap")
        assert used.isdisjoint(match.table.zones["heap"])
        used |= set(match.table.zones["heap"])
    assert min(match.table.zones["heap"]) > 1 << 20


def test_a_shuffle_gives_new_ids_to_cards_that_somebody_could_tell_apart():
    match = Match.deal(MAGPIES, seed="shuffle")
    pile = match.table.zones["pile"]
    with pen(match) as journal:
        journal.show(pile[3], bit(0))
        journal.shuffle("pile")
    assert set(pile) - set(match.table.zones["pile"]) == {pile[3]}
    assert len(match.table.zones["pile"]) == len(pile)
    assert not any(card.shown for card in match.table.lying("pile"))


# id kept or minted anew, for every way between two kinds of zone. Who could see: faces, then things.
SEES = {"pile": "nobody", "heap": "all", "0.hand": "Ann", "1.hand": "Bo", "0.nest": "all, as a lump", "0.pocket": "Ann"}
KEEPS = {
    ("pile", "heap"),
    ("pile", "0.hand"),
    ("pile", "1.hand"),
    ("pile", "0.nest"),
    ("pile", "0.pocket"),
    ("pile", "pile"),
    ("0.hand", "heap"),
    ("1.hand", "heap"),
    ("0.nest", "heap"),
    ("0.pocket", "heap"),
    ("heap", "heap"),
    ("0.hand", "0.pocket"),
    ("0.pocket", "0.hand"),
    ("0.hand", "0.hand"),
    ("1.hand", "1.hand"),
    ("0.pocket", "0.pocket"),
    ("0.nest", "0.nest"),
}


@pytest.mark.parametrize("to", SEES)
@pytest.mark.parametrize("start", SEES)
def test_a_card_gets_a_new_id_exactly_when_somebody_loses_sight_of_it(start, to):
    match = Match.deal(MAGPIES, seed=1)
    with pen(match) as journal:
        card = journal.create("Coin", -1, start)
        now = journal.move(card, to)
    assert (now == card) == ((start, to) in KEEPS)
    assert match.table[now].zone == to
    assert (card in match.table.entities) == (now == card)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_card_that_leaves_one_kind_of_zone_is_its_printed_self_again(game):
    match = Match.deal(game, seed=1)
    places = match.look.places
    other = "0.hand" if "0.hand" in places else next(iter(places))
    kind = places[other].kind
    zone = next(
        key for key, place in places.items() if place.seat in (0, AUDIENCE) and place.faces and place.kind != kind
    )
    with pen(match) as journal:
        face = next(iter(game.faces))
        card = journal.create(face, 0, other, mark=1)
        card = journal.move(card, other)
        assert match.table[card].facts == {"mark": 1}
        card = journal.move(card, zone)
        assert match.table[card].facts == {}
        card = journal.move(card, other, facts={"mark": 2})
        assert match.table[card].facts == {"mark": 2}


def test_a_card_can_be_put_anywhere_in_a_zone():
    match = Match.deal(MAGPIES, seed=1)
    pile = match.table.zones["pile"]
    with pen(match) as journal:
        card = journal.create("Coin", -1, "0.hand")
        bottom = journal.move(card, "pile", at=0)
        second = journal.move(journal.create("Coin", -1, "0.hand"), "pile", at=1)
        top = journal.move(journal.create("Coin", -1, "0.hand"), "pile")
    assert match.table.zones["pile"] == (bottom, second, *pile, top)


def test_striking_out_brings_everything_back_in_its_order():
    match = Match.deal(MAGPIES, seed=1)
    before = dict(match.table.zones), dict(match.table.entities), match.table.luck, match.table.stack
    journal = Journal(match.look)
    journal.shuffle("pile")
    journal.move(match.table.zones["pile"][0], "0.hand")
    journal.create("Coin", -1, "heap")
    journal.arrange("1.hand", match.table.zones["1.hand"][::-1])
    journal.end([0], "counted")
    journal.strike()
    assert (dict(match.table.zones), dict(match.table.entities), match.table.luck, match.table.stack) == before
    assert match.table.result is None

"""Before the first turn: how many cards there are, who gets what, and what a card's number says of it."""

from __future__ import annotations

from collections import Counter
from statistics import mean

import pytest

from engine.errors import Refused
from engine.match import Match
from engine.store import state_hash
from tests.cards.fizzle import GAME

PLAIN = {"actions": False}


def faces(match: Match, zone: str) -> list[str]:
    return [card.face for card in match.table.lying(zone)]


@pytest.mark.parametrize(
    ("seats", "sparks", "spare", "trinkets", "pile", "total"),
    [(2, 1, 2, 33, 36, 52), (3, 2, 3, 26, 31, 55), (4, 3, 2, 19, 24, 56), (5, 4, 1, 12, 17, 57)],
)
def test_the_plain_box(seats, sparks, spare, trinkets, pile, total):
    match = Match.deal(GAME, seats=seats, seed=seats, options=PLAIN)
    kinds = Counter(GAME.cards[face].kind for face in faces(match, "pile"))
    assert kinds == {"spark": sparks, "douse": spare, "trinket": trinkets}
    assert len(match.table.zones["pile"]) == pile
    assert sum(id > 0 for id in match.table.entities) == total
    for seat in range(seats):
        hand = Counter(GAME.cards[face].kind for face in faces(match, f"{seat}.hand"))
        assert hand == {"douse": 1, "trinket": 7}


@pytest.mark.parametrize(("seats", "spare"), [(2, 2), (3, 3), (4, 2), (5, 1)])
def test_the_full_box(seats, spare):
    match = Match.deal(GAME, seats=seats, seed=seats)
    pile = Counter(faces(match, "pile"))
    assert (pile["Spark"], pile["Douse"]) == (seats - 1, spare)
    for seat in range(seats):
        hand = faces(match, f"{seat}.hand")
        assert (len(hand), hand.count("Douse"), hand.count("Spark")) == (8, 1, 0)
    printed = {"Veto": 5, "Shove": 4, "Sidestep": 4, "Tithe": 4, "Stir": 4, "Foresight": 5}
    printed |= dict.fromkeys(("Button", "Marble", "Thimble", "Spool", "Feather"), 4)
    dealt = Counter(card.face for card in match.table.entities.values() if card.id > 0)
    assert {face: count for face, count in dealt.items() if face not in ("Spark", "Douse")} == printed


@pytest.mark.parametrize("seats", [1, 6])
def test_one_and_six_cannot_play(seats):
    with pytest.raises(Refused, match="2 to 5"):
        Match.deal(GAME, seats=seats, seed=1)


def test_a_seed_decides_the_deal():
    deals = [state_hash(Match.deal(GAME, seats=4, seed=seed).table) for seed in ("one", "one", "other")]
    assert deals[0] == deals[1] != deals[2]


def test_the_number_of_a_card_does_not_tell_its_kind():
    """Among all cards of a deal, sorted by number, every kind is found everywhere."""
    ranks: dict[str, list[float]] = {}
    odd: dict[str, list[int]] = {}
    for seed in range(200):
        match = Match.deal(GAME, seats=4, seed=seed)
        ids = sorted(id for id in match.table.entities if id > 0)
        for rank, id in enumerate(ids):
            kind = GAME.cards[match.table[id].face].kind
            ranks.setdefault(kind, []).append(rank / (len(ids) - 1))
            odd.setdefault(kind, []).append(id % 2)
    assert ranks.keys() == {"spark", "douse", "veto", "action", "trinket"}
    for kind in ranks:
        assert 0.46 < mean(ranks[kind]) < 0.54, kind  # of 600 sparks the mean strays by about 0.012
        assert 0.44 < mean(odd[kind]) < 0.56, kind


def test_everybody_begins_equally_often():
    begun = Counter(Match.deal(GAME, seats=4, seed=seed).waiting()[0] for seed in range(1000))
    assert all(195 < begun[seat] < 305 for seat in range(4)), begun  # 250, give or take four times 14

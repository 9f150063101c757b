"""Filling offers, and matching what comes back."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Refused
from engine.frames import Move, Offer, Slot
from engine.merge import canonical
from engine.offers import accept, at_random, fillings

OFFERS = (
    Offer("play", 12, (Slot("target", (31, 44)),), {"cc": 2}),
    Offer("play", 12, (Slot("target", (50,)),), {"cc": 3}),
    Offer("play", 12, (Slot("pay", (60, 61), None, 1, 2),)),
    Offer("play", 13),
    Offer("bid", slots=(Slot("coins", range=(0, 5)),)),
    Offer("mark", slots=(Slot("zone", ("hex.0.1", "hex.1.0"), None, 0, 2), Slot("seat", (0, 1)))),
    Offer("end_turn"),
)


@pytest.mark.parametrize(
    ("do", "move"),
    [
        ({"type": "play", "card": 12, "target": [44]}, Move("play", 12, {"target": (44,)})),
        ({"type": "play", "card": 12, "target": [50]}, Move("play", 12, {"target": (50,)})),
        ({"type": "play", "card": 12, "pay": [61, 60]}, Move("play", 12, {"pay": (61, 60)})),
        ({"type": "play", "card": 13}, Move("play", 13)),
        ({"type": "bid", "coins": 0}, Move("bid", 0, {"coins": 0})),
        ({"type": "bid", "coins": 5}, Move("bid", 0, {"coins": 5})),
        ({"type": "mark", "zone": [], "seat": [1]}, Move("mark", 0, {"zone": (), "seat": (1,)})),
        ({"type": "mark", "zone": ["hex.1.0"], "seat": [0]}, Move("mark", 0, {"zone": ("hex.1.0",), "seat": (0,)})),
        ({"type": "end_turn"}, Move("end_turn")),
    ],
)
def test_a_filled_offer_is_a_move(do, move):
    assert canonical(accept(OFFERS, do)) == canonical(move)


@pytest.mark.parametrize(
    ("do", "code"),
    [
        ({}, "bad_move"),
        ({"type": 7}, "bad_move"),
        ({"type": None}, "bad_move"),
        ({"type": ["end_turn"]}, "bad_move"),
        ({"type": "play", "card": "12"}, "bad_move"),
        ({"type": "play", "card": 12.0, "target": [44]}, "bad_move"),
        ({"type": "play", "card": True}, "bad_move"),
        ({"type": "play", "card": None}, "bad_move"),
        ({"type": "dance"}, "illegal"),
        ({"type": "play", "card": 14}, "illegal"),
        ({"type": "play"}, "illegal"),
        ({"type": "end_turn", "card": 12}, "illegal"),
        ({"type": "play", "card": 12}, "bad_move"),
        ({"type": "play", "card": 13, "target": [44]}, "bad_move"),
        ({"type": "play", "card": 12, "target": [44], "pay": [60]}, "bad_move"),
        ({"type": "play", "card": 12, "target": 44}, "bad_move"),
        ({"type": "play", "card": 12, "target": [44.0]}, "bad_move"),
        ({"type": "play", "card": 12, "target": [None]}, "bad_move"),
        ({"type": "play", "card": 12, "target": [[44]]}, "bad_move"),
        ({"type": "play", "card": 12, "target": "44"}, "bad_move"),
        ({"type": "play", "card": 12, "target": {"44": 1}}, "bad_move"),
        ({"type": "play", "card": 12, "target": []}, "bad_count"),
        ({"type": "play", "card": 12, "target": [31, 44]}, "bad_count"),
        ({"type": "play", "card": 12, "pay": [60, 60]}, "bad_count"),
        ({"type": "play", "card": 12, "target": [60]}, "bad_target"),
        ({"type": "play", "card": 12, "target": ["44"]}, "bad_target"),
        ({"type": "play", "card": 12, "target": [10**40]}, "bad_target"),
        ({"type": "bid", "coins": 6}, "bad_number"),
        ({"type": "bid", "coins": -1}, "bad_number"),
        ({"type": "bid", "coins": True}, "bad_number"),
        ({"type": "bid", "coins": 1.0}, "bad_number"),
        ({"type": "bid", "coins": math.nan}, "bad_number"),
        ({"type": "bid", "coins": [1]}, "bad_number"),
        ({"type": "bid", "coins": None}, "bad_number"),
        ({"type": "bid"}, "bad_move"),
        ({"type": "mark", "zone": [True], "seat": [0]}, "bad_move"),
        ({"type": "mark", "zone": ["hex.9.9"], "seat": [0]}, "bad_target"),
        ({"type": "mark", "zone": ["hex.0.1", "hex.0.1"], "seat": [0]}, "bad_count"),
        ({"type": "mark", "seat": [0], "other": []}, "bad_move"),
        ({"type": "end_turn", "n": 1}, "bad_move"),
        ({"type": "end_turn", "card": 0}, "bad_move"),
    ],
)
def test_anything_else_is_refused_with_its_code(do, code):
    with pytest.raises(Refused) as no:
        accept(OFFERS, do)
    assert no.value.code == code
    assert no.value.say[0] == code


def test_of_two_like_offers_the_one_that_came_closer_gives_the_reason():
    with pytest.raises(Refused) as no:
        accept(OFFERS, {"type": "play", "card": 12, "target": [7]})
    assert no.value.say == ("bad_target", {"slot": "target"})


def test_without_offers_everything_is_refused():
    with pytest.raises(Refused, match="not among your offers"):
        accept((), {"type": "end_turn"})


CHOIR = Offer("sing", 5, (Slot("singers", (31, 44, 50), None, 1, 3, (3, 4, 5), 7),))


@pytest.mark.parametrize("singers", [[31, 44], [44, 31], [44, 50], [31, 50], [31, 44, 50]])
def test_entries_that_are_worth_something_must_come_to_the_total(singers):
    assert accept([CHOIR], {"type": "sing", "card": 5, "singers": singers}).picks == {"singers": singers}


@pytest.mark.parametrize(
    ("singers", "code"), [([31], "bad_total"), ([50], "bad_total"), ([], "bad_count"), ([31, 9], "bad_target")]
)
def test_what_comes_to_less_is_refused_with_what_is_missing(singers, code):
    with pytest.raises(Refused) as no:
        accept([CHOIR], {"type": "sing", "card": 5, "singers": singers})
    assert no.value.code == code
    if code == "bad_total":
        assert "must come to 7" in str(no.value)
        assert no.value.say == ("bad_total", {"slot": "singers", "total": 7})


def test_fillings_of_entries_that_are_worth_something_come_to_the_total():
    assert [do["singers"] for do in fillings(CHOIR)][:6] == [[31, 44], [31, 50], [44, 31], [44, 50], [50, 31], [50, 44]]
    luck = Random(3)
    every = {str(do) for do in fillings(CHOIR)}
    assert {str(at_random([CHOIR], luck.randrange)) for _ in range(2000)} == every
    alone = Offer("sing", 5, (Slot("singers", (31, 44), None, 1, 2, (7, 1), 7),))
    assert {len(at_random([alone], luck.randrange)["singers"]) for _ in range(200)} == {1, 2}


slots = st.one_of(
    st.builds(
        lambda from_, least, more: Slot(
            "one", tuple(from_), None, min(least, len(from_)), min(least + more, len(from_))
        ),
        st.lists(st.integers(1, 99), unique=True, max_size=5),
        st.integers(0, 3),
        st.integers(0, 3),
    ),
    st.builds(lambda low, width: Slot("one", range=(low, low + width)), st.integers(-5, 5), st.integers(0, 200)),
)
offers = st.builds(
    lambda one, other: Offer(
        "do", 7, (one, *([Slot("two", other.from_, other.range, other.least, other.most)] if other else []))
    ),
    slots,
    st.none() | slots,
)


@given(offer=offers)
def test_every_filling_is_accepted_and_none_comes_twice(offer):
    found = list(fillings(offer))
    assert 0 < len(found) <= 64
    moves = [accept([offer], do) for do in found]
    assert len({str(move) for move in moves}) == len(moves)


@given(offer=offers, seed=st.integers(0, 9))
def test_a_filling_by_chance_is_accepted(offer, seed):
    luck = Random(seed)
    do = at_random([Offer("no"), offer], luck.randrange)
    accept([Offer("no"), offer], do)


def test_chance_reaches_every_filling_of_every_offer():
    luck = Random(1)
    every = {str(do) for offer in OFFERS for do in fillings(offer)}
    assert {str(at_random(OFFERS, luck.randrange)) for _ in range(3000)} == every


def test_fillings_come_in_the_same_order_and_stop_at_the_limit():
    many = Offer("pick", slots=(Slot("cards", tuple(range(1, 30)), None, 1, 3),))
    assert [do["cards"] for do in fillings(many, 3)] == [[1], [2], [3]]
    assert len(list(fillings(many))) == 64
    assert [do["n"] for do in fillings(Offer("pick", slots=(Slot("n", range=(3, 10**9)),)), 2)] == [3, 4]
    assert list(fillings(Offer("pass"))) == [{"type": "pass"}]


def test_an_order_counts():
    both = Offer("rank", slots=(Slot("seats", (0, 1), None, 2, 2),))
    assert [do["seats"] for do in fillings(both)] == [[0, 1], [1, 0]]

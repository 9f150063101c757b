"""Sparks: drawn, put out, hidden again, and the end."""

from __future__ import annotations

from random import Random

import pytest

from cards.kittens.facts import living
from engine.match import Match
from engine.offers import at_random
from tests.cards.fizzle import GAME, Box


def test_without_a_douse_a_spark_is_the_end():
    box = Box(hands=[["Button", "Stir"], [], []], pile=["Spark", "Acorn", "Spark"])
    ann, bob, cy = box
    ann.draws()
    assert box.alive == [bob, cy]
    assert box.discard == ["Button", "Stir"]
    assert box.faces("fuse") == []
    assert box.pile == ["Acorn", "Spark"]
    assert "Spark" in box.faces("out")
    assert cy.was_told("exploded") == [{"seat": 0, "place": 3}]
    assert box.waiting_for() == [bob]


def test_with_a_douse_it_is_put_out_and_must_be_hidden_before_anything_else():
    box = Box(hands=[["Douse", "Stir"], ["Stir"], []], pile=["Spark", "Acorn", "Spark"])
    ann, bob, _ = box
    ann.draws()
    assert box.discard == ["Douse"]
    assert box.alive == list(box)
    assert box.waiting_for() == [ann]
    for move in ({"type": "draw"}, {"type": "play", "card": ann.card("Stir")}, {"type": "pass"}):
        with box.refused("pending_decision"):
            ann.sends(move)
    for move in ({"type": "place", "at": 0}, {"type": "draw"}, {"type": "play", "card": bob.card("Stir")}):
        with box.refused("not_asked"):
            bob.sends(move)
    ann.places(1)
    assert box.pile == ["Acorn", "Spark", "Spark"]
    assert box.waiting_for() == [bob]


def test_hidden_on_top_it_is_drawn_next():
    box = Box(hands=[["Douse"], [], []], pile=["Spark", "Acorn", "Spark"])
    ann, bob, cy = box
    ann.draws()
    ann.places(0)
    bob.draws()
    assert box.alive == [ann, cy]


def test_hidden_under_one_card_it_is_drawn_second():
    box = Box(hands=[["Douse"], [], []], pile=["Spark", "Acorn", "Marble", "Spark"])
    ann, bob, cy = box
    ann.draws()
    ann.places(1)
    bob.draws()
    assert bob.hand == ["Acorn"]
    cy.draws()
    assert box.alive == [ann, bob]


def test_hidden_at_the_bottom_it_is_drawn_last():
    box = Box(hands=[["Douse"], [], []], pile=["Spark", "Acorn", "Marble", "Button"])
    ann, bob, cy = box
    ann.draws()
    ann.places(3)
    for player in (bob, cy, ann):
        player.draws()
    assert box.pile == ["Spark"]
    bob.draws()
    assert box.alive == [ann, cy]


@pytest.mark.parametrize("at", [-1, 3, 10**9, 2.5, 1.0, "top", "0", None, [0], True])
def test_no_other_place_will_do_and_the_question_stays_open(at):
    box = Box(hands=[["Douse"], [], []], pile=["Spark", "Acorn", "Spark"])
    ann, bob, _ = box
    ann.draws()
    question = box.window
    with box.refused():
        ann.places(at)
    assert box.window == question
    ann.places(2)
    assert box.waiting_for() == [bob]


def test_into_an_empty_pile_there_is_one_place():
    box = Box(seats=2, hands=[["Douse"], []], pile=["Spark"])
    ann, bob = box
    ann.draws()
    assert [offer.slots[0].range for offer in box.match.offers(0)] == [(0, 0)]
    with box.refused("bad_number"):
        ann.places(1)
    ann.places(0)
    bob.draws()
    assert box.match.table.result.winners == (0,)


def test_of_two_douses_one_is_used():
    box = Box(hands=[["Douse", "Douse"], [], []], pile=["Spark", "Acorn", "Spark"])
    ann, *_ = box
    ann.draws()
    assert ann.hand == ["Douse"]
    assert box.discard == ["Douse"]


def test_one_may_draw_the_spark_that_one_has_hidden():
    box = Box(seats=2, hands=[["Douse", "Douse"], []], pile=["Spark", "Acorn"])
    ann, bob = box
    ann.draws()
    ann.places(1)
    bob.draws()
    ann.draws()
    assert box.waiting_for() == [ann]
    assert ann.hand == []
    ann.places(0)
    bob.draws()
    assert box.match.table.result.winners == (0,)
    assert box.match.table.result.ranking == ((0,), (1,))


def test_whoever_does_not_hide_it_in_time_leaves_it_to_luck_and_the_game_goes_on():
    places = set()
    for seed in range(40):
        box = Box(hands=[["Douse"], [], []], pile=["Spark", "Acorn", "Marble", "Button"], seed=seed)
        ann, bob, _ = box
        ann.draws()
        box.expires()
        places.add(box.pile.index("Spark"))
        assert box.waiting_for() == [bob]
        assert ann.was_told("placed") == [{"seat": 0, "at": box.pile.index("Spark")}]
    assert places == {0, 1, 2, 3}


def test_the_last_one_wins_at_once_and_the_others_are_ranked():
    box = Box(seats=4, hands=[[]] * 4, pile=["Spark", "Acorn", "Spark", "Spark"])
    ann, bob, cy, di = box
    for player in (ann, bob, cy):
        player.draws()
    turns = len(di.was_told("turn"))
    di.draws()
    result = box.match.table.result
    assert result.winners == (bob.seat,)
    assert result.ranking == ((bob.seat,), (di.seat,), (cy.seat,), (ann.seat,))
    assert result.reason == "last_one_in"
    assert box.waiting_for() == []
    assert len(di.was_told("turn")) == turns  # no further turn
    with box.refused("over"):
        bob.draws()


def test_whoever_leaves_is_out_and_a_spark_goes_with_them():
    box = Box(seats=3, hands=[["Stir"], ["Button"], []], pile=["Spark", "Acorn", "Spark"])
    ann, bob, cy = box
    bob.leaves()
    assert (box.alive, box.sparks()) == ([ann, cy], 1)
    assert box.waiting_for() == [ann]
    ann.leaves()
    assert box.match.table.result.ranking == ((2,), (0,), (1,))


def test_whoever_leaves_while_hiding_a_spark_takes_that_one_along():
    box = Box(seats=3, hands=[["Douse"], [], []], pile=["Spark", "Acorn", "Spark"])
    ann, bob, cy = box
    ann.draws()
    ann.leaves()
    assert (box.alive, box.pile, box.waiting_for()) == ([bob, cy], ["Acorn", "Spark"], [bob])


def test_what_somebody_played_who_left_has_no_effect():
    box = Box(seats=3, hands=[["Tithe"], ["Button"], []], pile=["Spark", "Acorn", "Spark"])
    ann, bob, _ = box
    ann.plays("Tithe", at=bob)
    ann.leaves()
    assert bob.hand == ["Button"]
    assert box.window == 0
    assert box.waiting_for() == [bob]


def test_somebody_who_left_gives_nothing_and_cancels_nothing():
    box = Box(seats=3, hands=[["Tithe"], ["Button"], ["Veto"]], pile=["Spark", "Acorn", "Spark"])
    ann, bob, cy = box
    ann.plays("Tithe", at=bob)
    cy.leaves()
    assert box.waiting_for() == [bob]
    bob.passes()
    bob.leaves()
    assert box.match.table.result.winners == (ann.seat,)


def a_match(seats: int, seed: int) -> None:
    """A match by chance, with people who leave and questions that run out: the invariant after every action."""
    luck = Random(f"{seats}/{seed}")
    options = {
        "actions": bool(seed % 3),
        "play_ends_turn": bool(seed % 2),
        "shoves": ("add_up", "always_two")[seed % 2],
    }
    match = Match.deal(GAME, seats=seats, seed=seed, options=options)
    table, cards = match.table, _cards(match)
    for _ in range(3000):
        if match.over:
            break
        chance = luck.random()
        if chance < 0.03:
            match.expire()
        elif chance < 0.033:
            match.resign(luck.choice(living(table)))
        else:
            seat = luck.choice(match.waiting())
            match.act(seat, at_random(match.offers(seat), luck.randrange))
        assert _cards(match) == cards
        if not match.over:
            faces = [table[id].face for zone in ("pile", "fuse") for id in table.zones[zone]]
            assert faces.count("Spark") == len(living(table)) - 1
            assert not any(table[id].face == "Spark" for seat in range(seats) for id in table.zones[f"{seat}.hand"])
    assert match.over, "a match that does not end"
    assert sorted(seat for rank in table.result.ranking for seat in rank) == list(range(seats))
    assert len(living(table)) == 1


def _cards(match: Match) -> int:
    laid = [id for ids in match.table.zones.values() for id in ids]
    assert len(set(laid)) == len(laid)
    return len(laid)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_there_is_always_one_spark_less_than_players_and_every_match_ends(seats):
    for seed in range(250):
        a_match(seats, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_so_it_is_in_ten_thousand_matches(seats):
    for seed in range(2500):
        a_match(seats, seed)

"""Turns: playing, drawing, whose turn it is, and what may not be done."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cards.fizzle import Box

PLAIN = {"actions": False}


def test_drawing_a_trinket_ends_the_turn():
    box = Box(hands=[["Button"], [], []], pile=["Acorn", "Spark", "Spark"], options=PLAIN)
    ann, bob, _ = box
    ann.draws()
    assert ann.hand == ["Button", "Acorn"]
    assert box.pile == ["Spark", "Spark"]
    assert box.waiting_for() == [bob]


def test_whoever_is_out_does_not_get_the_turn():
    box = Box(hands=[[], [], []], pile=["Spark", "Acorn", "Acorn", "Spark"], options=PLAIN)
    ann, bob, cy = box
    ann.draws()
    assert box.waiting_for() == [bob]
    bob.draws()
    cy.draws()
    assert box.waiting_for() == [bob]


def test_one_may_play_before_one_draws_and_it_is_still_one_turn():
    box = Box(hands=[["Button", "Marble"], [], []], pile=["Acorn", "Spark", "Spark"], options=PLAIN)
    ann, bob, _ = box
    ann.plays("Button")
    ann.plays("Marble")
    assert box.waiting_for() == [ann]
    ann.draws()
    assert ann.hand == ["Acorn"]
    assert box.discard == ["Button", "Marble"]
    assert box.waiting_for() == [bob]


def test_with_the_option_a_play_ends_the_turn():
    box = Box(hands=[["Button", "Marble"], ["Spool"], []], options={**PLAIN, "play_ends_turn": True})
    ann, bob, cy = box
    ann.plays("Button")
    with box.refused("not_your_turn"):
        ann.plays("Marble")
    bob.plays("Spool")
    assert box.waiting_for() == [cy]
    assert box.discard == ["Button", "Spool"]


def test_nobody_plays_or_draws_out_of_turn():
    box = Box(hands=[[], ["Button", "Stir"], []])
    _, bob, _ = box
    for move in ({"type": "draw"}, {"type": "play", "card": bob.card("Stir")}):
        with box.refused("not_your_turn"):
            bob.sends(move)


def test_whoever_is_out_does_nothing_any_more():
    box = Box(hands=[["Stir"], [], []], pile=["Spark", "Button", "Spark"])
    ann, bob, _ = box
    stir = ann.card("Stir")
    ann.draws()
    for move in ({"type": "draw"}, {"type": "play", "card": stir}, {"type": "pass"}):
        with box.refused():
            ann.sends(move)
    assert box.waiting_for() == [bob]


@pytest.mark.parametrize("card", [-1, 0, 10**9, 2**70, 1.5, "top", "Button", None, [1], True])
def test_a_card_that_is_none_is_refused(card: Any):
    box = Box(hands=[["Stir"], [], []])
    ann, *_ = box
    with box.refused():
        ann.sends({"type": "play", "card": card})


def test_a_douse_is_not_thrown_away_and_a_spark_cannot_be_played():
    box = Box(hands=[["Douse", "Stir"], ["Stir"], []], pile=["Spark", "Spark"], options=PLAIN)
    ann, bob, _ = box
    with box.refused("keep"):
        ann.plays("Douse")
    for spark in box.table.zones["pile"]:
        with box.refused("illegal"):
            ann.sends({"type": "play", "card": spark})
    with box.refused("illegal"):
        ann.sends({"type": "play", "card": bob.card("Stir")})
    ann.draws()
    (drawn,) = box.table.zones["fuse"]
    with box.refused():
        ann.sends({"type": "play", "card": drawn})


def test_a_veto_is_no_play_of_ones_own_turn_and_one_trinket_is_none_at_all():
    box = Box(hands=[["Veto", "Button"], [], []])
    ann, *_ = box
    with box.refused("not_now"):
        ann.plays("Veto")
    with box.refused("alone"):
        ann.plays("Button")


def test_the_turn_passes_over_one_and_then_two_who_are_out():
    box = Box(seats=5, hands=[[]] * 5, pile=["Acorn", "Spark", "Acorn", "Spark", "Acorn", "Acorn", "Spark", "Spark"])
    ann, bob, cy, di, ed = box
    ann.draws()
    bob.draws()  # out
    cy.draws()
    di.draws()  # out
    assert box.waiting_for() == [ed]
    ed.draws()
    assert box.waiting_for() == [ann]
    ann.draws()
    assert box.waiting_for() == [cy]  # over bob
    cy.draws()  # out, and di is out too
    assert box.alive == [ann, ed]
    assert box.waiting_for() == [ed]  # over di
    ed.draws()
    assert box.match.table.result.winners == (ann.seat,)


def test_the_turn_comes_round_although_the_first_seat_is_out():
    box = Box(seats=4, hands=[[]] * 4, pile=["Spark", "Acorn", "Acorn", "Spark", "Acorn", "Acorn", "Spark"])
    ann, bob, cy, di = box
    for player in (ann, bob, cy, di):
        player.draws()
    assert box.alive == [bob, cy]
    assert box.waiting_for() == [bob]  # over di, and over the first seat


# action cards


def test_a_shove_gives_two_turns_and_a_sidestep_takes_one_away():
    box = Box(hands=[["Shove"], ["Sidestep"], []], pile=["Acorn", "Spark", "Spark"])
    ann, bob, cy = box
    ann.plays("Shove")
    box.all_pass()
    assert (box.waiting_for(), box.turns) == ([bob], 2)
    bob.plays("Sidestep")
    box.all_pass()
    assert (box.waiting_for(), box.turns) == ([bob], 1)
    bob.draws()
    assert (box.waiting_for(), box.turns) == ([cy], 1)


@pytest.mark.parametrize(("shoves", "at_once", "after_one"), [("add_up", 4, 3), ("always_two", 2, 2)])
def test_a_shove_by_the_shoved(shoves: str, at_once: int, after_one: int):
    for drawn, turns in ((0, at_once), (1, after_one)):
        box = Box(hands=[["Shove"], ["Shove"], []], pile=["Acorn", "Spark", "Spark"], options={"shoves": shoves})
        ann, bob, cy = box
        ann.plays("Shove")
        box.all_pass()
        for _ in range(drawn):
            bob.draws()
        bob.plays("Shove")
        box.all_pass()
        assert (box.waiting_for(), box.turns) == ([cy], turns)


def test_a_shove_by_somebody_who_was_not_shoved_adds_nothing_up():
    box = Box(hands=[["Shove"], [], ["Shove"]], pile=["Acorn"] * 4 + ["Spark"] * 2)
    ann, bob, cy = box
    ann.plays("Shove")
    box.all_pass()
    bob.draws()
    bob.draws()
    cy.plays("Shove")
    box.all_pass()
    assert (box.waiting_for(), box.turns) == ([ann], 2)


def test_a_spark_that_is_put_out_uses_up_one_of_two_turns():
    box = Box(hands=[["Shove"], ["Douse"], []], pile=["Spark", "Acorn", "Spark"])
    ann, bob, _ = box
    ann.plays("Shove")
    box.all_pass()
    bob.draws()
    bob.places(2)
    assert (box.waiting_for(), box.turns) == ([bob], 1)


def test_turns_that_somebody_owed_go_with_them():
    box = Box(hands=[["Shove"], [], []], pile=["Spark", "Acorn", "Spark"])
    ann, bob, cy = box
    ann.plays("Shove")
    box.all_pass()
    bob.draws()
    assert box.alive == [ann, cy]
    assert (box.waiting_for(), box.turns) == ([cy], 1)


def test_a_tithe_is_what_the_other_chooses_to_give():
    box = Box(hands=[["Tithe"], ["Button", "Veto"], []])
    ann, bob, cy = box
    ann.plays("Tithe", at=bob)
    bob.passes()
    cy.passes()
    assert box.waiting_for() == [bob]
    bob.gives("Button")
    assert (ann.hand, bob.hand) == (["Button"], ["Veto"])
    assert box.waiting_for() == [ann]
    assert ann.was_told("given")[0]["face"] == bob.was_told("given")[0]["face"] == "Button"
    assert cy.was_told("given") == [{"seat": 0, "foe": 1}]


def test_an_empty_hand_cannot_be_asked_for_anything():
    box = Box(hands=[["Tithe", "Button", "Button", "Button"], [], ["Button"]])
    ann, bob, cy = box
    for attempt in (
        lambda: ann.plays("Tithe", at=bob),
        lambda: ann.pairs("Button", bob),
        lambda: ann.triples("Button", bob, "Veto"),
        lambda: ann.plays("Tithe", at=ann),
    ):
        with box.refused("bad_target"):
            attempt()
    ann.plays("Tithe", at=cy)
    assert box.window


def test_a_hand_that_was_emptied_by_a_veto_has_nothing_to_give():
    box = Box(hands=[["Tithe", "Veto"], ["Veto"], []])
    ann, bob, _ = box
    ann.plays("Tithe", at=bob)
    bob.vetoes()
    ann.vetoes()
    box.all_pass()
    assert bob.hand == ann.hand == []
    assert box.waiting_for() == [ann]


def test_two_alike_steal_a_card_unseen():
    stolen = set()
    for seed in range(20):
        box = Box(hands=[["Button", "Button"], ["Veto", "Stir"], []], seed=seed)
        ann, bob, cy = box
        ann.pairs("Button", bob)
        box.all_pass()
        (card,) = ann.hand
        stolen.add(card)
        assert sorted([card, *bob.hand]) == ["Stir", "Veto"]
        assert ann.was_told("stolen") == bob.was_told("stolen") == [{"seat": 0, "foe": 1, "face": card}]
        assert cy.was_told("stolen") == [{"seat": 0, "foe": 1}]
    assert stolen == {"Stir", "Veto"}


def test_two_that_differ_and_two_actions_alike_are_no_pair():
    box = Box(hands=[["Button", "Marble", "Stir", "Stir"], ["Veto"], []])
    ann, bob, _ = box
    assert not ann.may("pair")
    for cards in (["Button", "Marble"], ["Stir", "Stir"]):
        with box.refused():
            ann.sends({"type": "pair", "cards": [ann.cards(c, 1)[0] for c in cards], "foe": [bob.seat]})


@pytest.mark.parametrize(("name", "gets"), [("Veto", ["Veto"]), ("Stir", [])])
def test_three_alike_get_the_card_that_was_named_if_it_is_there(name: str, gets: list[str]):
    box = Box(hands=[["Button"] * 3, ["Veto", "Spool"], []])
    ann, bob, cy = box
    ann.triples("Button", bob, name)
    box.all_pass()
    assert ann.hand == gets
    told = "demanded" if gets else "missed"
    assert cy.was_told(told) == [{"seat": 0, "foe": 1, "face": name}]  # a miss is public, and so is a hit


def test_five_different_take_any_card_from_the_discard_pile():
    five = ["Button", "Marble", "Veto", "Stir", "Shove"]
    box = Box(hands=[[*five, "Douse"], [], []], discard=["Acorn", "Douse"])
    ann, *_ = box
    with box.refused():
        ann.fives([*five[:4], "Douse"], take="Douse")
    ann.fives(five, take="Douse")
    box.all_pass()
    assert sorted(ann.hand) == ["Douse", "Douse"]
    assert sorted(box.discard) == sorted(["Acorn", *five])


def test_a_stir_shuffles_the_pile_and_foresight_shows_its_top_to_one_seat():
    box = Box(hands=[["Foresight", "Stir"], [], []], pile=["Spark", "Button", "Marble", "Spark"])
    ann, bob, _ = box
    ann.plays("Foresight")
    box.all_pass()
    assert ann.was_told("foreseen") == [{"seat": 0, "faces": ["Spark", "Button", "Marble"]}]
    assert not bob.was_told("foreseen")
    assert not any(event.get("key") == "foreseen" for event in box.told[-1])
    assert {"e": "looked", "seat": 0, "zone": "pile", "count": 3} in bob.heard
    ann.plays("Stir")
    box.all_pass()
    assert sorted(box.pile) == ["Button", "Marble", "Spark", "Spark"]
    assert {"e": "shuffled", "zone": "pile"} in bob.heard
    assert box.waiting_for() == [ann]


def test_a_stirred_pile_may_lie_in_any_order():
    orders = set()
    for seed in range(60):
        box = Box(seats=2, hands=[["Stir"], []], pile=["Button", "Marble", "Spark"], seed=seed)
        box.players[0].plays("Stir")
        box.all_pass()
        orders.add(tuple(box.pile))
    assert len(orders) == 6


def test_foresight_into_a_short_pile_shows_what_there_is():
    box = Box(seats=2, hands=[["Foresight"], []], pile=["Button", "Spark"])
    ann, _ = box
    ann.plays("Foresight")
    box.all_pass()
    assert ann.was_told("foreseen")[0]["faces"] == ["Button", "Spark"]

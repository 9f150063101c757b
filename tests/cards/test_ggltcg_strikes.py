"""Direct attacks on a hand."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.cards.scene import Scene, copy_of, hurt, side


def test_two_attacks_put_two_cards_to_sleep_and_a_third_is_refused():
    scene = Scene(side(play=["Ka"]), side(hand=["Twist", "Wake", "Copy"]))
    ann, bob = scene
    ann.strikes("Ka")
    ann.strikes("Ka")
    assert (len(bob.hand), len(bob.asleep)) == (1, 2)
    assert ann.cc == 3
    assert not ann.may("strike")
    with scene.refused("strike_limit"):
        ann.strikes("Ka")


def test_all_toys_share_the_two_attacks():
    scene = Scene(side(play=["Ka", "Raggy", "Knight"]), side(hand=["Twist", "Wake", "Copy"]))
    ann, _ = scene
    ann.strikes("Ka")
    ann.strikes("Raggy")
    assert not ann.may("strike")
    with scene.refused("strike_limit"):
        ann.strikes("Knight")


def test_any_card_of_the_hand_may_be_hit():
    hit: Counter[str] = Counter()
    for seed in range(300):
        ann, bob = Scene(side(play=["Ka"]), side(hand=["Twist", "Wake", "Copy"]), seed=seed)
        ann.strikes("Ka")
        hit.update(bob.asleep)
    assert set(hit) == {"Twist", "Wake", "Copy"}
    assert min(hit.values()) > 70


def test_the_card_that_was_hit_is_seen_by_both():
    scene = Scene(side(play=["Ka"]), side(hand=["Twist", "Wake"]))
    ann, bob = scene
    ann.strikes("Ka")
    (hit,) = bob.asleep
    for player in scene:
        (id,) = player.view["zones"]["1.sleep"]["cards"]
        assert player.view["cards"][str(id)]["face"] == hit


def test_a_toy_in_play_shields_the_hand():
    scene = Scene(side(play=["Ka"]), side(play=["Gibbers"]))
    ann, _ = scene
    assert not ann.may("strike", "Ka")
    with scene.refused("shielded"):
        ann.strikes("Ka")


@pytest.mark.parametrize(("plane", "price"), [("Paper Plane", 2), ("Plane Plus", 1)])
def test_a_plane_flies_past_the_toys_in_play(plane: str, price: int):
    ann, bob = Scene(side(play=[plane]), side(play=["Car"]))
    assert ann.may("tussle", plane)
    assert ann.price("strike", plane) == price
    ann.strikes(plane)
    assert (bob.asleep, bob.play) == (["Block"], ["Car"])


def test_planes_are_bound_by_the_limit():
    scene = Scene(side(play=["Paper Plane", "Plane Plus"]), side(play=["Car"], hand=["Twist", "Wake", "Copy"]))
    ann, _ = scene
    ann.strikes("Paper Plane")
    ann.strikes("Plane Plus")
    assert not ann.may("strike")
    assert ann.may("tussle", "Paper Plane")
    with scene.refused("strike_limit"):
        ann.strikes("Paper Plane")


def test_a_copy_of_a_plane_flies_too():
    ann, bob = Scene(side(play=[copy_of("Paper Plane")]), side(play=["Car"]))
    ann.strikes("Copy of Paper Plane")
    assert bob.asleep == ["Block"]


def test_an_empty_hand_cannot_be_attacked():
    scene = Scene(side(play=["Paper Plane"]), side(play=["Car"], hand=[]))
    ann, _ = scene
    assert ann.may("tussle", "Paper Plane")
    with scene.refused("nothing_to_attack"):
        ann.strikes("Paper Plane")


def test_a_card_hit_in_hand_is_not_heard():
    scene = Scene(side(play=["Paper Plane"]), side(play=["Car"], hand=["Umbruh"], cc=0))
    ann, bob = scene
    ann.strikes("Paper Plane")
    assert (bob.asleep, bob.cc) == (["Umbruh"], 0)


def test_a_snuggles_hit_in_hand_asks_nothing():
    scene = Scene(side(play=["Paper Plane"]), side(play=["Car"], hand=["Snuggles"]))
    ann, bob = scene
    ann.strikes("Paper Plane")
    assert bob.asleep == ["Snuggles"]
    assert scene.waiting_for() == [ann]


def test_protection_does_not_help_in_hand():
    ann, bob = Scene(side(play=["Paper Plane"]), side(play=["Sock Sorcerer"], hand=["Beary"]))
    ann.strikes("Paper Plane")
    assert bob.asleep == ["Beary"]


def test_hitting_the_last_card_wins():
    scene = Scene(side(play=["Ka"]), side(hand=["Twist"], asleep=["Car"]))
    ann, bob = scene
    ann.strikes("Ka")
    assert (scene.winner, bob.hand) == (ann, [])


@pytest.mark.parametrize(
    ("toys", "price"), [(["Ka"], 2), (["Ka", "Wizard"], 1), (["Raggy"], 0), (["Plane Plus"], 1), (["Paper Plane"], 2)]
)
def test_a_direct_attack_costs_what_a_tussle_costs(toys: list[str], price: int):
    ann, _ = Scene(side(play=toys), side())
    assert ann.price("strike", toys[0]) == price
    ann.strikes(toys[0])
    assert ann.cc == 7 - price


def test_a_direct_attack_that_cannot_be_paid_for_is_refused():
    scene = Scene(side(play=["Ka"], cc=1), side())
    ann, _ = scene
    with scene.refused("cannot_afford"):
        ann.strikes("Ka")


def test_a_direct_attack_leaves_the_attacker_untouched():
    ann, _ = Scene(side(play=[hurt("Knight", 2)]), side(hand=["Dino", "Car"]))
    ann.strikes("Knight")
    assert ann.stats("Knight") == (4, 4, 1)


def test_the_hand_lies_open_once_the_last_defender_sleeps():
    scene = Scene(side(play=["Knight"]), side(play=["Umbruh"]))
    ann, bob = scene
    assert not ann.may("strike")
    ann.tussles("Knight", "Umbruh")
    ann.strikes("Knight")
    assert scene.winner is ann
    assert bob.asleep == ["Umbruh", "Block"]


def test_the_attacks_already_made_this_turn_count():
    ann, _ = Scene(side(play=["Ka"], attacks=1), side(hand=["Twist", "Wake"]))
    assert ann.may("strike")
    ann.strikes("Ka")
    assert not ann.may("strike")

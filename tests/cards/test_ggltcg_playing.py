"""Playing cards from the hand: prices, targets, and cards that hear of it."""

from __future__ import annotations

import pytest

from tests.cards.scene import Scene, copy_of, side, stolen


def test_a_toy_is_paid_for_and_enters_play():
    ann, _ = Scene(side(hand=["Ka", "Twist"], cc=2), side(), turn=1)
    ann.plays("Ka")
    assert (ann.play, ann.hand, ann.cc) == (["Ka"], ["Twist"], 0)


def test_a_toy_that_cannot_be_paid_for_is_refused():
    scene = Scene(side(hand=["Ka"], cc=1), side(), turn=1)
    ann, _ = scene
    assert not ann.may("play", "Ka")
    with scene.refused("cannot_afford"):
        ann.plays("Ka")


def test_an_action_resolves_and_goes_to_sleep():
    ann, bob = Scene(side(hand=["Rush", "Ka"], cc=1), side())
    ann.plays("Rush")
    assert (ann.asleep, ann.hand, ann.cc) == (["Rush"], ["Ka"], 3)
    assert bob.asleep == []


@pytest.mark.parametrize(("turn", "first"), [(1, 0), (2, 1), (1, 1), (2, 0)])
def test_rush_waits_until_the_own_first_turn_is_over(turn: int, first: int):
    scene = Scene(side(hand=["Rush", "Ka"]), side(hand=["Rush", "Ka"]), turn=turn, first=first)
    player = scene.waiting_for()[0]
    assert not player.may("play", "Rush")
    with scene.refused("first_turn"):
        player.plays("Rush")


@pytest.mark.parametrize("turn", [3, 4])
def test_rush_is_free_from_the_own_second_turn_on(turn: int):
    scene = Scene(side(hand=["Rush", "Ka"], cc=0), side(hand=["Rush", "Ka"], cc=0), turn=turn)
    player = scene.waiting_for()[0]
    player.plays("Rush")
    assert player.cc == 2


@pytest.mark.parametrize(("card", "cc", "left"), [("Surge", 2, 3), ("Cake", 3, 5)])
def test_other_gains_may_be_played_on_the_first_turn(card: str, cc: int, left: int):
    ann, _ = Scene(side(hand=[card, "Ka"], cc=cc), side(), turn=1)
    ann.plays(card)
    assert ann.cc == left


SLEEPERS = ["Wake", "Copy", "Sun", "Clean", "Toynado"]


@pytest.mark.parametrize(("count", "price"), [(0, 4), (1, 3), (3, 1), (4, 0), (5, 0)])
def test_dream_costs_1_less_for_each_own_sleeper(count: int, price: int):
    ann, _ = Scene(side(hand=["Dream"], asleep=SLEEPERS[:count]), side(asleep=SLEEPERS[:2]))
    assert ann.price("play", "Dream") == price


@pytest.mark.parametrize(("count", "price"), [(0, 5), (2, 3), (5, 0)])
def test_gibbers_taxes_dream_before_the_floor(count: int, price: int):
    ann, _ = Scene(side(hand=["Dream"], asleep=SLEEPERS[:count]), side(play=["Gibbers"]))
    assert ann.price("play", "Dream") == price


@pytest.mark.parametrize(("count", "price"), [(0, 0), (3, 3)])
def test_mabookbook_costs_1_more_for_each_own_sleeper(count: int, price: int):
    ann, _ = Scene(side(hand=["MaBookBook"], asleep=SLEEPERS[:count]), side(asleep=SLEEPERS[:2]))
    assert ann.price("play", "MaBookBook") == price


def test_gibbers_taxes_the_other_side_only():
    ann, _ = Scene(side(hand=["Rush", "Clean"]), side(play=["Gibbers"]))
    assert (ann.price("play", "Rush"), ann.price("play", "Clean")) == (1, 4)
    ann, _ = Scene(side(play=["Gibbers"], hand=["Rush"]), side())
    assert ann.price("play", "Rush") == 0


def test_the_tax_is_paid():
    scene = Scene(side(hand=["Clean", "Ka"], cc=4), side(play=["Gibbers"]))
    ann, _ = scene
    ann.plays("Clean")
    assert ann.cc == 0


def test_the_tax_can_make_a_card_too_dear():
    scene = Scene(side(hand=["Rush"], cc=0), side(play=["Gibbers"]))
    ann, _ = scene
    with scene.refused("cannot_afford"):
        ann.plays("Rush")


def test_two_gibbers_tax_twice():
    ann, _ = Scene(side(hand=["Rush"]), side(play=["Gibbers", copy_of("Gibbers")]))
    assert ann.price("play", "Rush") == 2


def test_the_tax_ends_when_gibbers_sleeps():
    ann, bob = Scene(side(play=["Ka"], hand=["Rush"]), side(play=["Gibbers"]))
    ann.tussles("Ka", "Gibbers")
    assert bob.asleep == ["Gibbers"]
    assert ann.price("play", "Rush") == 0


def test_a_stolen_gibbers_taxes_its_owner():
    ann, _ = Scene(side(hand=["Rush"]), side(play=[stolen("Gibbers")]))
    assert ann.price("play", "Rush") == 1


def test_gibbers_in_hand_taxes_nobody():
    ann, _ = Scene(side(hand=["Rush"]), side(hand=["Gibbers"], asleep=["Gibbers"]))
    assert ann.price("play", "Rush") == 0


def test_protected_cards_in_hand_are_not_taxed():
    ann, _ = Scene(side(hand=["Beary", "Knight"]), side(play=["Gibbers"]))
    assert (ann.price("play", "Beary"), ann.price("play", "Knight")) == (1, 2)


@pytest.mark.parametrize("guard", ["Sock Sorcerer", "Bubble Blocker"])
def test_a_guard_in_play_keeps_the_tax_from_the_whole_hand(guard: str):
    ann, _ = Scene(side(play=[guard], hand=["Knight", "Rush", "Clean"]), side(play=["Gibbers"]))
    assert [ann.price("play", card) for card in ("Knight", "Rush", "Clean")] == [1, 0, 3]


def test_a_guard_in_hand_is_taxed_itself():
    ann, _ = Scene(side(hand=["Sock Sorcerer", "Rush"]), side(play=["Gibbers"]))
    assert (ann.price("play", "Sock Sorcerer"), ann.price("play", "Rush")) == (4, 1)


def test_an_action_without_a_target_is_not_offered():
    scene = Scene(side(hand=["Wake", "Sun", "Glue", "That was fun"]), side(asleep=["Ka", "Rush"]))
    ann, _ = scene
    for card in ("Wake", "Sun", "Glue", "That was fun"):
        assert not ann.may("play", card)
        with scene.refused("no_target"):
            ann.plays(card)


def test_a_toy_with_nothing_to_affect_is_offered():
    ann, _ = Scene(side(hand=["Monster"], cc=2), side())
    ann.plays("Monster")
    assert (ann.play, ann.stats("Monster")) == (["Monster"], (3, 1, 2))


def test_a_mass_effect_may_be_played_on_an_empty_board():
    ann, _ = Scene(side(hand=["Clean", "Toynado", "Ka"]), side())
    ann.plays("Clean")
    ann.plays("Toynado")
    assert ann.asleep == ["Clean", "Toynado"]


def test_wake_returns_a_sleeper_to_the_hand():
    ann, _ = Scene(side(hand=["Wake"], asleep=["Ka", "Rush"], cc=1), side())
    assert ann.targets("play", "Wake") == ["Ka", "Rush"]
    ann.plays("Wake", on="Ka")
    assert (ann.hand, ann.asleep, ann.cc) == (["Ka"], ["Rush", "Wake"], 0)


def test_sun_as_the_last_card_brings_two_back_and_loses_nothing():
    scene = Scene(side(hand=["Sun"], asleep=["Ka", "Knight", "Rush"]), side())
    ann, _ = scene
    ann.plays("Sun", on=["Ka", "Rush"])
    assert (ann.hand, ann.asleep) == (["Ka", "Rush"], ["Knight", "Sun"])
    assert scene.waiting_for() == [ann]


def test_sun_is_content_with_one_sleeper():
    ann, _ = Scene(side(hand=["Sun"], asleep=["Ka"]), side())
    ann.plays("Sun", on="Ka")
    assert (ann.hand, ann.asleep) == (["Ka"], ["Sun"])


def test_sun_may_bring_back_one_of_several():
    ann, _ = Scene(side(hand=["Sun"], asleep=["Ka", "Knight"]), side())
    ann.plays("Sun", on="Ka")
    assert (ann.hand, ann.asleep) == (["Ka"], ["Knight", "Sun"])


@pytest.mark.parametrize("chosen", [[], ["Ka", "Ka"], ["Ka", "Knight", "Rush"]])
def test_sun_wants_one_or_two_different_cards(chosen: list[str]):
    scene = Scene(side(hand=["Sun"], asleep=["Ka", "Knight", "Rush"]), side())
    ann, _ = scene
    with scene.refused("bad_count"):
        ann.plays("Sun", on=chosen)


def test_sun_cannot_fetch_itself():
    scene = Scene(side(hand=["Sun"], asleep=["Ka"]), side())
    ann, _ = scene
    with scene.refused("bad_target"):
        ann.plays("Sun", on=ann.s("Sun"))


@pytest.mark.parametrize("card", ["Wake", "Sun", "That was fun", "Glue", "Twist", "Copy", "Clone", "Drop", "Jumpscare"])
def test_a_card_that_has_targets_cannot_be_played_without_one(card: str):
    scene = Scene(side(play=["Car"], hand=[card], asleep=["Rush"]), side(play=["Dino"]))
    ann, _ = scene
    assert ann.may("play", card)
    with scene.refused("bad_move"):
        ann.plays(card)
    with scene.refused("bad_count"):
        ann.plays(card, on=[])


def test_a_card_without_targets_takes_none():
    scene = Scene(side(hand=["Rush", "Ka"]), side(play=["Dino"]))
    ann, _ = scene
    with scene.refused("bad_move"):
        ann.plays("Rush", on="Dino")


def test_rush_as_the_last_card_awake_loses_at_once():
    scene = Scene(side(hand=["Rush"], asleep=["Ka"]), side())
    ann, bob = scene
    ann.plays("Rush")
    assert scene.winner is bob


def test_rush_with_a_toy_in_play_does_not_lose():
    scene = Scene(side(hand=["Rush"], play=["Ka"]), side())
    ann, _ = scene
    ann.plays("Rush")
    assert scene.waiting_for() == [ann]


def test_wake_as_the_last_card_is_safe():
    scene = Scene(side(hand=["Wake"], asleep=["Ka"]), side())
    ann, _ = scene
    ann.plays("Wake", on="Ka")
    assert scene.waiting_for() == [ann]


def test_that_was_fun_wakes_actions_only():
    scene = Scene(side(hand=["That was fun"], asleep=["Ka", "Rush", "Sun"]), side(asleep=["Clean"]))
    ann, _ = scene
    assert ann.targets("play", "That was fun") == ["Rush", "Sun"]
    with scene.refused("bad_target"):
        ann.plays("That was fun", on="Ka")
    ann.plays("That was fun", on="Rush")
    assert ann.hand == ["Rush"]


def test_that_was_fun_is_not_offered_when_only_toys_sleep():
    ann, _ = Scene(side(hand=["That was fun"], asleep=["Ka", "Dream"]), side())
    assert not ann.may("play", "That was fun")


def test_wake_reaches_own_sleepers_only():
    scene = Scene(side(hand=["Wake", "Rush"], asleep=["Ka"]), side(hand=["Dream"], asleep=["Knight"], play=["Car"]))
    ann, bob = scene
    for card in (bob.s("Dream"), bob.s("Knight"), bob.s("Car"), ann.s("Rush")):
        with scene.refused("bad_target"):
            ann.plays("Wake", on=card)


def test_a_card_of_the_other_hand_cannot_be_played():
    scene = Scene(side(), side(hand=["Surge"]))
    ann, bob = scene
    with scene.refused("illegal"):
        ann.plays(bob.s("Surge"))


def test_a_sleeping_card_cannot_be_played():
    scene = Scene(side(asleep=["Surge"]), side())
    ann, _ = scene
    with scene.refused("illegal"):
        ann.plays(ann.s("Surge"))


def test_hind_leg_kicker_gives_1_cc_for_another_card():
    ann, _ = Scene(side(play=["Hind Leg Kicker"], hand=["Ka"], cc=5), side())
    ann.plays("Ka")
    assert ann.cc == 4


def test_two_kickers_give_2():
    ann, _ = Scene(side(play=["Hind Leg Kicker", copy_of("Hind Leg Kicker")], hand=["Ka"], cc=5), side())
    ann.plays("Ka")
    assert ann.cc == 5


def test_a_kicker_does_not_kick_for_itself():
    ann, _ = Scene(side(hand=["Hind Leg Kicker"], cc=5), side())
    ann.plays("Hind Leg Kicker")
    assert ann.cc == 4


def test_a_copy_that_becomes_a_kicker_does_not_kick_for_itself():
    ann, _ = Scene(side(play=["Hind Leg Kicker"], hand=["Copy"], cc=5), side())
    ann.plays("Copy", on="Hind Leg Kicker")
    assert ann.cc == 5  # one paid, and one from the Kicker that was there before


def test_a_kicker_does_not_kick_for_the_opponent():
    ann, bob = Scene(side(hand=["Ka"], cc=5), side(play=["Hind Leg Kicker"], cc=5))
    ann.plays("Ka")
    assert (ann.cc, bob.cc) == (3, 5)


def test_a_kicker_kicks_after_the_card_has_resolved():
    ann, _ = Scene(side(play=["Hind Leg Kicker"], hand=["Cake", "Rush"], cc=3), side())
    ann.plays("Cake")
    assert ann.cc == 6
    ann.plays("Rush")
    assert ann.cc == 7


def test_a_stolen_kicker_kicks_for_the_thief():
    ann, bob = Scene(side(play=[stolen("Hind Leg Kicker")], hand=["Ka"], cc=5), side(cc=5))
    ann.plays("Ka")
    assert (ann.cc, bob.cc) == (4, 5)


def test_a_kick_does_not_help_to_pay():
    scene = Scene(side(play=["Hind Leg Kicker"], hand=["Ka"], cc=1), side())
    ann, _ = scene
    with scene.refused("cannot_afford"):
        ann.plays("Ka")

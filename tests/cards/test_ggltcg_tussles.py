"""Tussles between two toys: who strikes first, who sleeps, what it costs."""

from __future__ import annotations

import pytest

from tests.cards.scene import Scene, copy_of, hurt, side, stolen


def test_the_faster_toy_fells_the_slower_one_and_takes_nothing():
    scene = Scene(side(play=["Ka"]), side(play=["Wizard"]))
    ann, bob = scene
    ann.tussles("Ka", "Wizard")
    assert bob.asleep == ["Wizard"]
    assert ann.stamina("Ka") == 1
    assert ann.cc == 5  # it cost 2
    assert scene.waiting_for() == [ann]


def test_a_slower_attacker_is_felled_before_it_strikes():
    ann, bob = Scene(side(play=["Wizard"]), side(play=["Dino"]))
    ann.tussles("Wizard", "Dino")  # 2 against 3
    assert ann.asleep == ["Wizard"]
    assert bob.stats("Dino") == (3, 7, 1)


def test_attacking_gives_1_speed():
    """Beary against Beary: 6 against 5."""
    ann, bob = Scene(side(play=["Beary"]), side(play=["Beary"]))
    ann.tussles("Beary", "Beary")
    assert (ann.asleep, bob.asleep) == ([], ["Beary"])
    assert ann.stamina("Beary") == 3


def test_equal_speeds_strike_at_the_same_moment():
    ann, bob = Scene(side(play=["Block"]), side(play=["Belchaletta"]))
    ann.tussles("Block", "Belchaletta")  # 3 against 3, and both survive
    assert (ann.stamina("Block"), bob.stamina("Belchaletta")) == (2, 1)


def test_a_survivor_strikes_back():
    """Block 3 against Umbruh 4: Umbruh strikes for 4, Block is left with 1 and strikes back for 3."""
    ann, bob = Scene(side(play=["Block"]), side(play=["Umbruh"]))
    ann.tussles("Block", "Umbruh")
    assert (ann.stamina("Block"), bob.stamina("Umbruh")) == (1, 1)


@pytest.mark.parametrize(("attacker", "foe"), [("Car", "Dino"), ("Dino", "Block")])
def test_plain_toys_fight_by_their_numbers(attacker: str, foe: str):
    ann, bob = Scene(side(play=[attacker]), side(play=[foe]))
    ann.tussles(attacker, foe)
    assert (ann.play, bob.asleep) == ([attacker], [foe])


def test_boosts_of_speed_count_in_a_tussle():
    """Knight 4 + 2 defends against Beary 5 + 1: both strike."""
    ann, bob = Scene(side(play=["Beary"]), side(play=["Knight", "Drum"]))
    ann.tussles("Beary", "Knight")
    assert (ann.asleep, bob.asleep) == (["Beary"], ["Knight"])


def test_boosts_of_strength_count_in_a_tussle():
    ann, bob = Scene(side(play=["Car", "Ka"]), side(play=["Umbruh"]))
    ann.tussles("Car", "Umbruh")  # 2 + 2 against a stamina of 4
    assert bob.asleep == ["Umbruh"]


# Knight


def test_knight_puts_the_defender_to_sleep_without_a_fight():
    ann, bob = Scene(side(play=["Knight"]), side(play=["Umbruh"], cc=3))
    ann.tussles("Knight", "Umbruh")
    assert bob.asleep == ["Umbruh"]
    assert ann.stats("Knight") == (4, 4, 3)
    assert (ann.cc, bob.cc) == (5, 4)  # and Umbruh is heard


def test_knight_needs_no_speed_to_win():
    ann, bob = Scene(side(play=[hurt("Knight", 2)]), side(play=["Car", "Ka"]))
    ann.tussles("Knight", "Car")
    assert (ann.play, bob.asleep) == (["Knight"], ["Car"])


def test_a_copy_of_knight_wins_likewise():
    ann, bob = Scene(side(play=[copy_of("Knight")]), side(play=["Car", "Ka"]))
    ann.tussles("Copy of Knight", "Car")
    assert bob.asleep == ["Car"]


def test_knights_mates_do_not_share_its_gift():
    ann, bob = Scene(side(play=["Knight", "Wizard"]), side(play=["Dino"]))
    ann.tussles("Wizard", "Dino")
    assert (ann.asleep, bob.play) == (["Wizard"], ["Dino"])


def test_knight_fights_beary_as_equals():
    ann, bob = Scene(side(play=["Knight"]), side(play=["Beary"]))
    ann.tussles("Knight", "Beary")  # 5 against 5
    assert (ann.asleep, bob.asleep) == (["Knight"], ["Beary"])


def test_beary_beats_knight():
    ann, bob = Scene(side(play=["Beary"]), side(play=["Knight"]))
    ann.tussles("Beary", "Knight")  # 6 against 4
    assert (ann.stamina("Beary"), bob.asleep) == (3, ["Knight"])


def test_knight_defends_like_anybody():
    scene = Scene(side(play=["Knight"]), side(play=["Ka"]), turn=4)
    ann, bob = scene
    bob.tussles("Ka", "Knight")
    assert (ann.asleep, bob.play) == (["Knight"], ["Ka"])


@pytest.mark.parametrize("guard", ["Sock Sorcerer", "Bubble Blocker"])
def test_knight_fights_whoever_is_under_a_guard(guard: str):
    ann, bob = Scene(side(play=["Knight"]), side(play=["Ka", guard]))
    ann.tussles("Knight", "Ka")  # 5 against 5
    assert (ann.asleep, bob.asleep) == (["Knight"], ["Ka"])


def test_knight_fights_a_copy_of_beary():
    ann, bob = Scene(side(play=["Knight"]), side(play=[copy_of("Beary")]))
    ann.tussles("Knight", "Copy of Beary")
    assert (ann.asleep, bob.asleep) == (["Knight"], ["Copy"])


def test_a_stolen_knight_wins_for_the_thief():
    ann, bob = Scene(side(hand=["Twist", "Rush"]), side(play=["Knight", "Car"]))
    ann.plays("Twist", on="Knight")
    ann.tussles("Knight", "Car")
    assert (ann.play, bob.asleep) == (["Knight"], ["Car"])


# stamina


def test_lent_stamina_counts_in_a_tussle():
    """Beary hits Demideca for 3 of 4; it strikes back for 3, which is all that Beary has."""
    ann, bob = Scene(side(play=["Beary"]), side(play=["Demideca"]))
    ann.tussles("Beary", "Demideca")
    assert bob.stats("Demideca") == (4, 3, 1)
    assert ann.asleep == ["Beary"]


def test_damage_stays_for_later_turns():
    scene = Scene(side(play=["Block"]), side(play=["Umbruh"]))
    ann, bob = scene
    ann.tussles("Block", "Umbruh")
    ann.ends_turn()
    bob.ends_turn()
    assert (ann.stamina("Block"), bob.stamina("Umbruh")) == (1, 1)


def test_a_toy_that_was_returned_and_replayed_is_as_good_as_new():
    scene = Scene(side(play=["Block"], hand=["Toynado"]), side(play=["Umbruh"]))
    ann, _ = scene
    ann.tussles("Block", "Umbruh")
    ann.plays("Toynado")
    ann.plays("Block")
    assert ann.stamina("Block") == 5


def test_a_toy_that_slept_and_was_replayed_is_as_good_as_new():
    ann, _ = Scene(side(play=[hurt("Knight", 2)], hand=["Drop", "Wake"]), side())
    ann.plays("Drop", on="Knight")
    ann.plays("Wake", on="Knight")
    ann.plays("Knight")
    assert ann.stamina("Knight") == 3


# what it costs


def test_a_tussle_costs_2():
    scene = Scene(side(play=["Ka"], cc=1), side(play=["Car"]))
    ann, _ = scene
    assert not ann.may("tussle", "Ka")
    with scene.refused("cannot_afford"):
        ann.tussles("Ka", "Car")


def test_wizard_lets_all_tussles_of_its_side_cost_1():
    scene = Scene(side(play=["Wizard", "Ka"]), side(play=["Car"]))
    ann, bob = scene
    assert (ann.price("tussle", "Ka"), ann.price("tussle", "Wizard")) == (1, 1)
    ann.ends_turn()
    assert bob.price("tussle", "Car") == 2


def test_two_wizards_are_no_cheaper_than_one():
    ann, _ = Scene(side(play=["Wizard", copy_of("Wizard"), "Ka"]), side(play=["Car"]))
    assert ann.price("tussle", "Ka") == 1


def test_the_lowest_price_counts():
    ann, _ = Scene(side(play=["Wizard", "Raggy", "Plane Plus"]), side(play=["Car"]))
    assert (ann.price("tussle", "Raggy"), ann.price("tussle", "Plane Plus")) == (0, 1)
    ann, _ = Scene(side(play=["Raggy", "Plane Plus", "Ka"]), side(play=["Car"]))
    assert [ann.price("tussle", card) for card in ("Raggy", "Plane Plus", "Ka")] == [0, 1, 2]


def test_a_stolen_wizard_serves_the_thief():
    scene = Scene(side(play=["Ka", stolen("Wizard")]), side(play=["Car"]))
    ann, bob = scene
    assert ann.price("tussle", "Ka") == 1
    ann.ends_turn()
    assert bob.price("tussle", "Car") == 2


# Raggy


def test_raggy_starts_nothing_on_turn_1():
    scene = Scene(side(play=["Raggy"]), side(play=["Archer"]), turn=1)
    ann, _ = scene
    assert not ann.may("tussle")
    with scene.refused("cannot_tussle"):
        ann.tussles("Raggy", "Archer")


def test_raggy_does_not_strike_a_hand_on_turn_1():
    scene = Scene(side(play=["Raggy"]), side(), turn=1)
    ann, _ = scene
    with scene.refused("cannot_tussle"):
        ann.strikes("Raggy")


@pytest.mark.parametrize("turn", [2, 3])
def test_raggy_may_tussle_from_turn_2_on(turn: int):
    scene = Scene(side(play=["Raggy", "Archer"]), side(play=["Raggy", "Archer"]), turn=turn)
    player = scene.waiting_for()[0]
    player.tussles("Raggy", "Archer")
    assert player.cc == 7


def test_raggy_tussles_for_nothing_as_often_as_it_likes():
    ann, bob = Scene(side(play=["Raggy"], cc=0), side(play=["Archer", "Gibbers"]))
    ann.tussles("Raggy", "Archer")
    ann.tussles("Raggy", "Archer")
    ann.tussles("Raggy", "Gibbers")
    assert bob.asleep == ["Archer", "Gibbers"]
    assert ann.cc == 0


# who may attack whom


def test_archer_attacks_nobody():
    scene = Scene(side(play=["Archer"]), side(play=["Car"]))
    ann, _ = scene
    assert not ann.may("tussle")
    with scene.refused():
        ann.tussles("Archer", "Car")


def test_archer_attacks_no_hand():
    scene = Scene(side(play=["Archer"]), side())
    ann, _ = scene
    assert not ann.may("strike")
    with scene.refused("cannot_tussle"):
        ann.strikes("Archer")


def test_archer_defends_itself_with_nothing():
    ann, bob = Scene(side(play=["Car"]), side(play=["Archer"]))
    ann.tussles("Car", "Archer")
    assert (ann.stamina("Car"), bob.stamina("Archer")) == (2, 3)


def test_archer_next_to_ka_strikes_back():
    ann, bob = Scene(side(play=["Car"]), side(play=["Archer", "Ka"]))
    ann.tussles("Car", "Archer")
    assert (ann.asleep, bob.stamina("Archer")) == (["Car"], 3)


def test_any_toy_of_the_other_side_may_be_attacked():
    ann, _ = Scene(side(play=["Ka", "Wizard"]), side(play=["Car", "Beary", copy_of("Car")], asleep=["Dino"]))
    assert ann.foes("Ka") == ann.foes("Wizard") == ["Beary", "Car", "Copy of Car"]


def test_only_toys_of_the_other_side_in_play_may_be_attacked():
    scene = Scene(side(play=["Ka", "Knight"]), side(play=["Car"], hand=["Dream"], asleep=["Umbruh"]))
    ann, bob = scene
    for foe in (ann.s("Knight"), ann.s("Ka"), bob.s("Dream"), bob.s("Umbruh")):
        with scene.refused("bad_target"):
            ann.tussles("Ka", foe)


def test_only_own_toys_in_play_attack():
    scene = Scene(side(play=["Ka"], hand=["Beary"], asleep=["Knight"]), side(play=["Car", "Dino"]))
    ann, bob = scene
    for card in (bob.s("Car"), ann.s("Beary"), ann.s("Knight")):
        with scene.refused():
            ann.tussles(card, "Dino")


def test_a_tussle_is_with_one_foe():
    scene = Scene(side(play=["Ka"]), side(play=["Car", "Dino"]))
    ann, bob = scene
    for foes in ([], [bob.s("Car"), bob.s("Dino")]):
        with scene.refused("bad_count"):
            ann.sends({"type": "tussle", "card": ann.s("Ka"), "foe": foes})

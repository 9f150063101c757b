"""Cards that the other side's effects don't touch."""

from __future__ import annotations

import pytest

from tests.cards.scene import Scene, copy_of, side, stolen

GUARDS = ["Sock Sorcerer", "Bubble Blocker"]
AIMED = ["Twist", "Drop", "Stomp", "Jumpscare"]


def test_clean_sleeps_both_sides_and_each_card_at_its_owners():
    ann, bob = Scene(side(play=["Ka", stolen("Car")], hand=["Clean", "Rush"]), side(play=["Knight"]))
    ann.plays("Clean")
    assert (ann.play, bob.play) == ([], [])
    assert ann.asleep == ["Ka", "Clean"]
    assert sorted(bob.asleep) == ["Car", "Knight"]


def test_an_opposing_clean_passes_beary_by():
    ann, bob = Scene(side(hand=["Clean", "Rush"]), side(play=["Knight", "Beary"]))
    ann.plays("Clean")
    assert (bob.play, bob.asleep) == (["Beary"], ["Knight"])


def test_the_own_clean_sleeps_the_own_beary():
    ann, _ = Scene(side(play=["Beary"], hand=["Clean", "Rush"]), side())
    ann.plays("Clean")
    assert ann.asleep == ["Beary", "Clean"]


def test_an_opposing_toynado_leaves_beary_and_its_copy():
    ann, bob = Scene(side(hand=["Toynado", "Rush"]), side(play=["Knight", "Beary", copy_of("Beary")]))
    ann.plays("Toynado")
    assert bob.play == ["Beary", "Copy of Beary"]
    assert bob.hand == ["Block", "Knight"]


def test_toynado_fires_nothing_that_waits_for_sleep():
    scene = Scene(side(hand=["Toynado", "Rush"]), side(play=["Umbruh", "Snuggles", "Beary"], cc=0))
    ann, bob = scene
    ann.plays("Toynado")
    assert bob.cc == 0
    assert scene.waiting_for() == [ann]


def test_the_own_toynado_returns_the_own_beary():
    ann, _ = Scene(side(play=["Beary"], hand=["Toynado"]), side())
    ann.plays("Toynado")
    assert ann.hand == ["Beary"]


@pytest.mark.parametrize("card", AIMED)
def test_beary_is_no_target_for_the_opponent(card: str):
    scene = Scene(side(hand=[card, "Rush"]), side(play=["Beary", "Car"]))
    ann, _ = scene
    assert ann.targets("play", card) == ["Car"]
    with scene.refused("bad_target"):
        ann.plays(card, on="Beary")
    assert ann.cc == 7


@pytest.mark.parametrize("card", AIMED)
def test_a_card_with_only_protected_targets_is_not_offered(card: str):
    scene = Scene(side(hand=[card, "Rush"]), side(play=["Beary"]))
    ann, _ = scene
    assert not ann.may("play", card)
    with scene.refused("no_target"):
        ann.plays(card, on="Beary")


def test_archer_cannot_aim_at_beary():
    scene = Scene(side(play=["Archer"]), side(play=["Beary", "Car"]))
    ann, _ = scene
    assert ann.targets("use", "Archer") == ["Car"]
    with scene.refused("bad_target"):
        ann.uses("Archer", on="Beary")


def test_drop_reaches_both_sides_but_neither_beary_nor_sleepers():
    scene = Scene(
        side(play=["Ka"], hand=["Drop", "Rush"], asleep=["Wizard"]),
        side(play=["Knight", "Beary"], asleep=["Dream"]),
    )
    ann, bob = scene
    assert ann.targets("play", "Drop") == ["Ka", "Knight"]
    for card in (bob.s("Dream"), ann.s("Wizard"), ann.s("Rush"), bob.s("Block")):
        with scene.refused("bad_target"):
            ann.plays("Drop", on=card)


@pytest.mark.parametrize("card", ["Drop", "Jumpscare", "Stomp"])
def test_the_own_beary_may_be_aimed_at(card: str):
    ann, _ = Scene(side(play=["Beary"], hand=[card, "Rush"]), side())
    ann.plays(card, on="Beary")
    assert ann.play == []


@pytest.mark.parametrize("guard", GUARDS)
@pytest.mark.parametrize("card", AIMED)
def test_a_guard_keeps_aimed_effects_from_its_side(guard: str, card: str):
    ann, _ = Scene(side(hand=[card]), side(play=[guard, "Ka"]))
    assert not ann.may("play", card)


@pytest.mark.parametrize("guard", GUARDS)
def test_a_guard_keeps_clean_from_its_side(guard: str):
    ann, bob = Scene(side(play=["Car"], hand=["Clean", "Rush"]), side(play=[guard, "Ka"]))
    ann.plays("Clean")
    assert bob.play == [guard, "Ka"]
    assert ann.asleep == ["Car", "Clean"]


@pytest.mark.parametrize("guard", GUARDS)
def test_a_guard_keeps_monster_from_its_side(guard: str):
    ann, bob = Scene(side(play=["Wizard"], hand=["Monster"]), side(play=[guard, "Ka", "Knight"]))
    ann.plays("Monster")
    assert bob.play == [guard, "Ka", "Knight"]
    assert (bob.stamina("Knight"), ann.stamina("Wizard")) == (3, 1)


@pytest.mark.parametrize("guard", GUARDS)
def test_archer_has_nothing_to_aim_at_under_a_guard(guard: str):
    ann, _ = Scene(side(play=["Archer"]), side(play=[guard, "Ka"]))
    assert not ann.may("use")


def test_a_guard_does_not_cover_the_other_side():
    ann, _ = Scene(side(play=["Sock Sorcerer", "Ka"], hand=["Drop"]), side(play=["Knight"]))
    assert "Knight" in ann.targets("play", "Drop")


def test_a_guard_does_not_help_against_own_effects():
    ann, _ = Scene(side(play=["Sock Sorcerer", "Ka"], hand=["Drop", "Clean", "Rush"]), side(play=["Knight"]))
    assert ann.targets("play", "Drop") == ["Ka", "Knight", "Sock Sorcerer"]
    ann.plays("Clean")
    assert ann.play == []


def test_a_guard_asleep_or_in_hand_covers_nobody():
    ann, _ = Scene(side(hand=["Drop"]), side(play=["Ka"], hand=["Bubble Blocker"], asleep=["Sock Sorcerer"]))
    assert ann.targets("play", "Drop") == ["Ka"]


def test_the_cover_ends_when_the_guard_is_felled():
    ann, bob = Scene(side(play=["Car"], hand=["Drop"]), side(play=["Bubble Blocker", "Ka"]))
    ann.tussles("Car", "Bubble Blocker")
    assert bob.asleep == ["Bubble Blocker"]
    assert "Ka" in ann.targets("play", "Drop")


def test_a_copy_of_a_guard_covers_its_side():
    ann, _ = Scene(side(hand=["Drop"]), side(play=[copy_of("Sock Sorcerer"), "Ka"]))
    assert not ann.may("play", "Drop")


def test_a_stolen_guard_covers_the_thief():
    ann, _ = Scene(side(hand=["Drop"]), side(play=[stolen("Bubble Blocker"), "Ka"]))
    assert not ann.may("play", "Drop")


def test_blows_are_no_effects():
    ann, bob = Scene(side(play=["Car"]), side(play=["Beary", "Sock Sorcerer"]))
    ann.tussles("Car", "Beary")
    assert bob.stamina("Beary") == 1
    assert ann.asleep == ["Car"]


def test_a_stolen_beary_is_protected_against_its_owner():
    scene = Scene(side(play=["Archer"], hand=["Drop", "Twist", "Clean"]), side(play=[stolen("Beary")]))
    ann, bob = scene
    assert ann.targets("play", "Drop") == ["Archer"]
    assert not ann.may("play", "Twist")
    assert not ann.may("use", "Archer")
    ann.plays("Clean")
    assert bob.play == ["Beary"]


def test_a_stolen_beary_is_not_protected_against_its_thief():
    ann, bob = Scene(side(play=[stolen("Beary")], hand=["Drop", "Rush"]), side())
    assert ann.targets("play", "Drop") == ["Beary"]
    ann.plays("Drop", on="Beary")
    assert bob.asleep == ["Beary"]

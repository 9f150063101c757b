"""Challenges, step by step: who may be challenged, what comes before the damage, the damage, and what follows it."""

from __future__ import annotations

import pytest

from tests.cards.lore_scene import Scene, exerted, hurt, side


def test_a_3_4_challenges_an_exerted_2_3_banishes_it_and_has_2_damage():
    scene = Scene(side(["Crew, 3/4/1"]), side([exerted("Crew, 2/3/1")]))
    ann, bob = scene
    ann.challenges("Crew", "Crew")
    assert (bob.play, bob.discard) == ([], ["Crew, 2/3/1"])
    assert (ann.damage("Crew"), ann.is_exerted("Crew")) == (2, True)
    assert scene.waiting_for() == [ann]


def test_an_equal_trade_banishes_both():
    scene = Scene(side(["Crew, 3/3/1"]), side([exerted("Crew, 3/3/1")]))
    ann, bob = scene
    ann.challenges("Crew", "Crew")
    assert (ann.play, bob.play) == ([], [])
    assert (ann.discard, bob.discard) == (["Crew, 3/3/1"], ["Crew, 3/3/1"])


def test_a_ready_character_cannot_be_challenged():
    scene = Scene(side(["Crew, 3/4/1"]), side(["Crew, 2/3/1"]))
    ann, _ = scene
    with scene.refused("nothing_to_challenge"):
        ann.challenges("Crew", "Crew")


def test_one_s_own_character_cannot_be_challenged():
    scene = Scene(side(["Crew, 3/4/1", exerted("Crew, 2/3/1")]), side([exerted("Crew, 1/1/1")]))
    ann, _ = scene
    move = {"type": "challenge_character", "card": ann.id("Crew, 3/4/1"), "defender": [ann.id("Crew, 2/3/1")]}
    with scene.refused("bad_target"):
        ann.sends(move)


def test_an_exerted_character_cannot_challenge():
    scene = Scene(side([exerted("Crew, 3/4/1")]), side([exerted("Crew, 2/3/1")]))
    ann, _ = scene
    with scene.refused("exerted"):
        ann.challenges("Crew", "Crew")


def test_who_has_quested_cannot_challenge():
    scene = Scene(side(["Crew, 3/4/1"]), side([exerted("Crew, 2/3/1")]))
    ann, _ = scene
    ann.quests("Crew")
    with scene.refused("exerted"):
        ann.challenges("Crew", "Crew")


def test_a_challenger_of_strength_0_is_legal_and_deals_nothing():
    scene = Scene(side(["Crew, 0/3/1"]), side([exerted("Crew, 2/3/1")]))
    ann, bob = scene
    ann.challenges("Crew", "Crew")
    assert (bob.damage("Crew"), ann.damage("Crew")) == (0, 2)


def test_damage_stays_over_turns_until_one_more_is_enough():
    scene = Scene(side(["Crew, 3/4/1", "Crew, 1/1/1"]), side([exerted("Crew, 2/4/1")]))
    ann, bob = scene
    ann.challenges("Crew, 3/4/1", "Crew")
    assert bob.damage("Crew") == 3
    ann.ends_turn()
    bob.quests("Crew")
    bob.ends_turn()
    assert bob.damage("Crew") == 3
    ann.challenges("Crew, 1/1/1", "Crew")
    assert bob.discard == ["Crew, 2/4/1"]


# challenger, resist, strength


def test_challenger_counts_when_attacking_and_not_when_defending():
    scene = Scene(side(["Duellist"]), side([exerted("Crew, 1/5/1")]))
    ann, bob = scene
    ann.challenges("Duellist", "Crew")
    assert bob.damage("Crew") == 4
    other = Scene(side(["Crew, 1/5/1"]), side([exerted("Duellist")]))
    ann, bob = other
    ann.challenges("Crew", "Duellist")
    assert ann.damage("Crew") == 2


def test_two_sources_of_challenger_add_up_and_count_against_a_location():
    scene = Scene(side(["Duellist", "Ysolde"], hand=["Embolden"], ink=1), side(["The Tilting Mast"]))
    ann, bob = scene
    ann.plays("Embolden")
    ann.chooses("Duellist")
    ann.challenges("Duellist", "The Tilting Mast")
    assert bob.damage("The Tilting Mast") == 2 + 2 + 1 + 1


def test_resist_1_against_1_damage_is_no_damage_and_nobody_hears_of_any():
    scene = Scene(side(["Crew, 1/5/1"]), side([exerted("Oyster, Sore and Hard")]))
    ann, bob = scene
    ann.challenges("Crew", "Oyster")
    assert (bob.damage("Oyster"), bob.lore) == (0, 0)


def test_what_is_dealt_damage_hears_of_it():
    scene = Scene(side(["Crew, 1/5/1"]), side([exerted("Oyster, Sore")]))
    ann, bob = scene
    ann.challenges("Crew", bob.id("Oyster"))
    assert (bob.damage("Oyster"), bob.lore) == (1, 1)


def test_resist_of_1_and_2_adds_up():
    scene = Scene(side(["Shell, Resist 1"], hand=["Harden"], ink=1), side([exerted("Crew, 4/4/1")]))
    ann, _ = scene
    ann.plays("Harden")
    assert ann.number("Shell", "resist") == 3
    ann.challenges("Shell", "Crew")
    assert ann.damage("Shell") == 4 - 3
    ann.ends_turn()
    assert ann.number("Shell", "resist") == 1


def test_damage_that_is_moved_ignores_resist():
    scene = Scene(side([hurt("Crew, 2/9/1", 3), "Healer"], ink=1), side(["Shell, Resist 2"]))
    ann, bob = scene
    ann.uses("Healer")
    ann.chooses("Crew")
    ann.names(3)
    assert (ann.damage("Crew"), bob.damage("Shell")) == (0, 3)


def test_a_strength_below_0_deals_nothing():
    scene = Scene(side(["Crew, 2/3/1"], hand=["Cripple"], ink=1), side([exerted("Crew, 1/5/1")]))
    ann, bob = scene
    ann.plays("Cripple")
    ann.chooses("Crew, 2/3/1")
    assert ann.number("Crew", "strength") == -2
    ann.challenges("Crew", "Crew")
    assert (bob.damage("Crew"), ann.damage("Crew")) == (0, 1)


def test_both_amounts_are_worked_out_before_either_is_dealt():
    """Old Harrow hits harder while damaged; the damage of this very challenge does not count yet."""
    scene = Scene(side(["Crew, 2/9/1"]), side([exerted("Old Harrow")]))
    ann, bob = scene
    ann.challenges("Crew", "Old Harrow")
    assert (ann.damage("Crew"), bob.damage("Old Harrow")) == (4, 2)
    assert bob.strength("Old Harrow") == 6


# what a challenge sets off


def test_who_banishes_the_defender_first_takes_no_damage_and_stays_exerted():
    scene = Scene(side(["Ambush"]), side([exerted("Crew, 5/5/2")]))
    ann, bob = scene
    ann.challenges("Ambush", "Crew")
    assert (bob.discard, ann.damage("Ambush"), ann.is_exerted("Ambush")) == (["Crew, 5/5/2"], 0, True)
    assert scene.waiting_for() == [ann]


def test_who_banishes_the_challenger_first_takes_no_damage():
    scene = Scene(side(["Crew, 5/5/2"]), side([exerted("Trapper")]))
    ann, bob = scene
    ann.challenges("Crew", "Trapper")
    assert (ann.discard, bob.damage("Trapper")) == (["Crew, 5/5/2"], 0)


def test_who_is_banished_before_the_damage_was_not_banished_in_the_challenge():
    scene = Scene(side(["Ambush"]), side([exerted("Tumbling Sprite")]))
    ann, bob = scene
    ann.challenges("Ambush", "Tumbling Sprite")
    assert (scene.asked(), bob.discard) == ([], ["Tumbling Sprite, Attic Familiar"])


def test_an_emberhound_that_is_challenged_and_banished_takes_the_challenger_along():
    scene = Scene(side(["Crew, 4/5/1"]), side([exerted("Emberhound")]))
    ann, bob = scene
    ann.challenges("Crew", "Emberhound")
    assert (ann.discard, bob.discard) == (["Crew, 4/5/1"], ["Emberhound, Kennel Stray"])


def test_an_emberhound_that_attacks_and_is_banished_takes_nobody_along():
    scene = Scene(side(["Emberhound"]), side([exerted("Crew, 4/5/1")]))
    ann, bob = scene
    ann.challenges("Emberhound", "Crew")
    assert (ann.discard, bob.damage("Crew")) == (["Emberhound, Kennel Stray"], 3)


def test_who_banishes_another_in_a_challenge_hears_of_it():
    scene = Scene(side(["Hunter"]), side([exerted("Crew, 2/3/1")]))
    ann, _ = scene
    ann.challenges("Hunter", "Crew")
    assert ann.lore == 1


def test_who_is_banished_in_the_challenge_that_it_won_still_hears_of_it():
    scene = Scene(side(["Brute"]), side([exerted("Crew, 2/3/1")]))
    ann, bob = scene
    ann.challenges("Brute", "Crew")
    assert (ann.play, bob.play, ann.lore) == ([], [], 1)


def test_two_who_banish_each_other_both_hear_of_it():
    scene = Scene(side(["Brute"]), side([exerted("Brute")]))
    ann, bob = scene
    ann.challenges("Brute", "Brute")
    assert (ann.lore, bob.lore) == (1, 1)


# locations


def test_a_location_takes_damage_deals_none_and_is_banished_at_its_willpower():
    scene = Scene(side(["Crew, 3/4/1", "Crew, 3/3/1"]), side(["The Lamplit Quay"]))
    ann, bob = scene
    ann.challenges("Crew, 3/4/1", "The Lamplit Quay")
    assert (bob.damage("The Lamplit Quay"), ann.damage("Crew, 3/4/1")) == (3, 0)
    ann.challenges("Crew, 3/3/1", "The Lamplit Quay")
    assert (bob.play, bob.discard) == ([], ["The Lamplit Quay"])


def test_a_location_can_be_challenged_with_no_exerted_character_around_and_past_a_bodyguard():
    scene = Scene(side(["Crew, 3/4/1", "Crew, 3/3/1"]), side(["The Lamplit Quay", "Crew, 2/3/1"]))
    ann, _ = scene
    assert ann.may("challenge_location", "Crew, 3/4/1")
    assert not ann.may("challenge_character")
    guarded = Scene(side(["Crew, 3/4/1"]), side(["The Lamplit Quay", exerted("Mastiff, Plain")]))
    ann, bob = guarded
    ann.challenges("Crew", "The Lamplit Quay")
    assert bob.damage("The Lamplit Quay") == 3


def test_to_banish_a_location_is_not_to_banish_another_character():
    scene = Scene(side(["Hunter", "Crew, 3/4/1"]), side([hurt("Pier", 4)]))
    ann, bob = scene
    ann.challenges("Hunter", "Pier")
    assert (bob.play, ann.lore) == ([], 0)


# restrictions


@pytest.mark.parametrize("kind", ["quest_character", "challenge_character", "sing_song"])
def test_what_a_character_is_kept_from_it_cannot_do(kind: str):
    scene = Scene(side(["Voice, cost 3"], hand=["Hush", "Song of 3"], ink=1), side([exerted("Crew, 2/3/1")]))
    ann, _ = scene
    assert ann.may(kind)
    ann.plays("Hush")
    ann.chooses("Voice")
    assert not ann.may(kind)


def test_what_lasts_until_the_start_of_its_player_s_next_turn_is_over_when_that_player_may_act():
    scene = Scene(side(hand=["Hush"], ink=1), side(["Voice, cost 3"]))
    ann, bob = scene
    ann.plays("Hush")
    assert bob.number("Voice", "cannot_quest") == 1
    ann.ends_turn()
    bob.quests("Voice")


def test_who_cannot_be_challenged_is_no_target_until_its_player_s_next_turn():
    scene = Scene(side([exerted("Crew, 2/3/1")], hand=["Veil"], ink=1), side(["Crew, 3/4/1"]))
    ann, bob = scene
    ann.plays("Veil")
    ann.ends_turn()
    with scene.refused("nothing_to_challenge"):
        bob.challenges("Crew", "Crew")
    bob.ends_turn()
    assert ann.number("Crew", "cannot_be_challenged") == 0


def test_a_location_can_be_kept_from_challengers_too():
    scene = Scene(side(["Crew, 3/4/1", hurt("Crew, 4/5/1", 1)]), side(["Fort", "Pier"], hand=["Curtain"], ink=1))
    ann, bob = scene
    for card, places in (("Crew, 3/4/1", ["Fort", "Pier"]), ("Crew, 4/5/1", ["Pier"])):
        (offer,) = ann.offers("challenge_location", card)
        assert sorted(scene.table[int(id)].face for id in offer.slots[0].from_) == places
    ann.ends_turn()
    bob.plays("Curtain")
    bob.chooses("Fort")
    bob.ends_turn()
    assert not ann.offers("challenge_location", "Crew, 3/4/1")[0].slots[0].from_[1:]  # the pier is left
    with scene.refused("bad_target"):
        ann.challenges("Crew, 3/4/1", "Fort")


def test_damaged_characters_cannot_challenge_an_anvil_tobb():
    scene = Scene(side(["Crew, 3/4/1", hurt("Crew, 4/5/1", 1)]), side([exerted("Anvil Tobb"), exerted("Crew, 1/1/1")]))
    ann, _ = scene
    assert ann.foes("Crew, 3/4/1") == ["Anvil Tobb, Foundry Guard", "Crew, 1/1/1"]
    assert ann.foes("Crew, 4/5/1") == ["Crew, 1/1/1"]

"""Archer's bow, Monster's entrance, and the question that Snuggles leaves behind."""

from __future__ import annotations

import pytest

from tests.cards.scene import Scene, copy_of, hurt, side, stolen

# Archer


def test_archer_has_nothing_to_shoot_at_without_an_opposing_toy():
    scene = Scene(side(play=["Archer", "Car"]), side())
    ann, _ = scene
    assert not ann.may("use")
    with scene.refused():
        ann.uses("Archer", on="Car")


def test_archer_aims_at_opposing_toys_only():
    scene = Scene(side(play=["Archer", "Car"]), side(play=["Ka"]))
    ann, _ = scene
    assert ann.targets("use", "Archer") == ["Ka"]
    for card in (ann.s("Car"), ann.s("Archer")):
        with scene.refused("bad_target"):
            ann.uses("Archer", on=card)


def test_a_shot_costs_1_cc_and_takes_1_stamina():
    ann, bob = Scene(side(play=["Archer"], cc=1), side(play=["Block"]))
    assert ann.price("use", "Archer") == 1
    ann.uses("Archer", on="Block")
    assert (ann.cc, bob.stats("Block")) == (0, (2, 3, 4))


def test_a_shot_that_cannot_be_paid_for_is_refused():
    scene = Scene(side(play=["Archer"], cc=0), side(play=["Block"]))
    ann, _ = scene
    with scene.refused():
        ann.uses("Archer", on="Block")


def test_neither_boosts_nor_wizard_change_a_shot():
    ann, bob = Scene(side(play=["Archer", "Ka", "Wizard"]), side(play=["Block"]))
    ann.uses("Archer", on="Block")
    assert (ann.cc, bob.stamina("Block")) == (6, 4)


def test_four_shots_fell_umbruh_who_is_heard():
    ann, bob = Scene(side(play=["Archer"], cc=4), side(play=["Umbruh"], cc=0))
    ann.uses("Archer", on="Umbruh", times=3)
    assert (bob.play, bob.stamina("Umbruh")) == (["Umbruh"], 1)
    ann.uses("Archer", on="Umbruh")
    assert (bob.asleep, ann.cc, bob.cc) == (["Umbruh"], 0, 1)


def test_shooting_the_last_card_wins_at_once():
    scene = Scene(side(play=["Archer"]), side(play=["Ka"], hand=[]))
    ann, _ = scene
    ann.uses("Archer", on="Ka")
    assert scene.winner is ann


def test_a_felled_toy_is_no_longer_a_target():
    scene = Scene(side(play=["Archer"]), side(play=["Ka", "Car"]))
    ann, bob = scene
    ann.uses("Archer", on="Ka")
    with scene.refused("bad_target"):
        ann.uses("Archer", on=bob.s("Ka"))


def test_lent_stamina_counts_against_shots():
    ann, bob = Scene(side(play=["Archer"]), side(play=["Demideca"]))
    ann.uses("Archer", on="Demideca", times=3)
    assert (bob.play, bob.stamina("Demideca")) == (["Demideca"], 1)
    ann.uses("Archer", on="Demideca")
    assert bob.asleep == ["Demideca"]


def test_a_stolen_archer_shoots_at_its_owner():
    ann, bob = Scene(side(play=[stolen("Archer")]), side(play=["Block"]))
    ann.uses("Archer", on="Block")
    assert bob.stamina("Block") == 4


def test_archer_in_hand_does_not_shoot():
    scene = Scene(side(hand=["Archer"]), side(play=["Block"]))
    ann, bob = scene
    with scene.refused("illegal"):
        ann.uses(ann.s("Archer"), on=bob.s("Block"))


# Monster


def test_monster_leaves_every_other_toy_with_1_stamina():
    ann, bob = Scene(side(play=["Wizard"], hand=["Monster"]), side(play=["Knight", "Block"]))
    ann.plays("Monster")
    assert (ann.stamina("Wizard"), bob.stamina("Knight"), bob.stamina("Block")) == (1, 1, 1)
    assert ann.stats("Monster") == (3, 1, 2)


def test_monster_sleeps_toys_printed_with_1_stamina_on_both_sides():
    ann, bob = Scene(
        side(play=["Ka", "Gibbers"], hand=["Monster"]), side(play=["Paper Plane", "Hind Leg Kicker", copy_of("Ka")])
    )
    ann.plays("Monster")
    assert (ann.play, ann.asleep) == (["Monster"], ["Ka", "Gibbers"])
    assert (bob.play, bob.asleep) == ([], ["Paper Plane", "Hind Leg Kicker", "Copy"])


def test_monster_does_not_touch_an_opposing_beary():
    ann, bob = Scene(side(play=["Beary"], hand=["Monster"]), side(play=["Beary"]))
    ann.plays("Monster")
    assert (ann.stamina("Beary"), bob.stamina("Beary")) == (1, 3)


def test_monster_leaves_a_toy_that_is_down_to_1_alone():
    ann, bob = Scene(side(hand=["Monster", "Rush"]), side(play=[hurt("Knight", 2), hurt("Umbruh", 1)]))
    ann.plays("Monster")
    assert (bob.stamina("Knight"), bob.stamina("Umbruh")) == (1, 1)


def test_lent_stamina_comes_on_top_of_what_monster_leaves():
    ann, bob = Scene(side(hand=["Monster", "Rush"]), side(play=["Knight", "Demideca"]))
    ann.plays("Monster")
    assert (bob.stamina("Knight"), bob.stamina("Demideca")) == (2, 2)


def test_monster_heals_nobody():
    ann, bob = Scene(side(hand=["Monster", "Rush"]), side(play=[hurt("Knight", 3), "Demideca"]))
    ann.plays("Monster")
    assert bob.stamina("Knight") == 1  # all of it lent


def test_toys_that_monster_sleeps_are_heard():
    scene = Scene(side(hand=["Monster", "Rush"]), side(play=["Snuggles", "Car"]))
    ann, bob = scene
    ann.plays("Monster")
    assert scene.waiting_for() == [bob]
    assert bob.targets() == ["Car", "Monster"]


def test_monster_reaches_stolen_toys():
    ann, bob = Scene(side(play=[stolen("Ka")], hand=["Monster"]), side(play=[stolen("Dino")]))
    ann.plays("Monster")
    assert (ann.play, bob.play) == (["Monster"], [])
    assert (ann.asleep, bob.asleep) == (["Dino"], ["Ka"])


def test_monster_wears_a_stolen_toy_down():
    ann, _ = Scene(side(play=[stolen("Umbruh")], hand=["Monster"]), side())
    ann.plays("Monster")
    assert ann.stamina("Umbruh") == 1


# Snuggles


def snuggled(**bob_has: object) -> Scene:
    """Ann's Ka has just felled Bob's Snuggles."""
    scene = Scene(side(play=["Ka", "Car"]), side(**{"play": ["Snuggles", "Dino"], **bob_has}))  # type: ignore[arg-type]
    ann, _ = scene
    ann.tussles("Ka", "Snuggles")
    return scene


def test_a_felled_snuggles_lets_its_owner_choose_a_card_in_play():
    scene = snuggled()
    _, bob = scene
    assert scene.waiting_for() == [bob]
    assert bob.targets() == ["Car", "Dino", "Ka"]
    assert bob.asleep == ["Snuggles"]


def test_choosing_the_attacker_puts_it_to_sleep():
    scene = snuggled()
    ann, bob = scene
    bob.chooses("Ka")
    assert (ann.play, ann.asleep) == (["Car"], ["Ka"])
    assert scene.waiting_for() == [ann]


def test_choosing_an_own_card_puts_it_to_sleep():
    scene = snuggled()
    ann, bob = scene
    bob.chooses("Dino")
    assert bob.asleep == ["Snuggles", "Dino"]
    assert scene.waiting_for() == [ann]


def test_declining_changes_nothing():
    scene = snuggled()
    ann, bob = scene
    bob.passes()
    assert (ann.play, bob.play, bob.asleep) == (["Ka", "Car"], ["Dino"], ["Snuggles"])
    assert scene.waiting_for() == [ann]


def test_running_out_of_time_declines():
    scene = snuggled()
    ann, bob = scene
    scene.expire()
    assert (ann.play, bob.play) == (["Ka", "Car"], ["Dino"])
    assert scene.waiting_for() == [ann]


def test_the_game_waits_for_the_answer():
    scene = snuggled()
    ann, _ = scene
    for move in (ann.ends_turn, ann.passes, lambda: ann.tussles("Ka", "Dino")):
        with scene.refused("not_asked"):
            move()


@pytest.mark.parametrize("kind", ["end_turn", "play"])
def test_an_answer_is_all_that_may_be_given(kind: str):
    scene = snuggled()
    _, bob = scene
    with scene.refused("pending_decision"):
        bob.sends({"type": kind})


def test_only_one_card_in_play_may_be_chosen():
    scene = snuggled(hand=["Rush"], asleep=["Sun"])
    ann, bob = scene
    for card in (bob.s("Rush"), bob.s("Sun"), bob.s("Snuggles"), ann.s("Block")):
        with scene.refused("bad_target"):
            bob.chooses(card)
    with scene.refused("bad_count"):
        bob.sends({"type": "choose", "target": [ann.s("Ka"), ann.s("Car")]})
    with scene.refused("bad_count"):
        bob.sends({"type": "choose", "target": []})


def test_protected_cards_are_not_offered_to_snuggles():
    scene = Scene(side(play=["Ka", "Beary"]), side(play=["Snuggles", "Beary"]))
    ann, bob = scene
    ann.tussles("Ka", "Snuggles")
    assert bob.targets() == ["Beary", "Ka"]
    with scene.refused("bad_target"):
        bob.chooses(ann.s("Beary"))
    bob.chooses(bob.s("Beary"))
    assert bob.asleep == ["Snuggles", "Beary"]


def test_without_a_card_to_choose_nothing_is_asked():
    scene = Scene(side(hand=["Clean", "Rush"]), side(play=["Snuggles"]))
    ann, bob = scene
    ann.plays("Clean")
    assert bob.asleep == ["Snuggles"]
    assert scene.waiting_for() == [ann]


def test_a_snuggles_given_from_hand_asks_nothing():
    scene = Scene(side(hand=["Ballaber", "Snuggles"], cc=0), side(play=["Car"]))
    ann, _ = scene
    ann.plays("Ballaber", pay="Snuggles")
    assert scene.waiting_for() == [ann]
    assert not ann.may("choose")


def test_a_snuggles_given_from_play_asks_its_player():
    scene = Scene(side(play=["Snuggles"], hand=["Ballaber"], cc=0), side(play=["Car"]))
    ann, bob = scene
    ann.plays("Ballaber", pay="Snuggles")
    assert ann.targets() == ["Ballaber", "Car"]
    ann.chooses("Car")
    assert (ann.play, bob.asleep) == (["Ballaber"], ["Car"])
    assert ann.may("end_turn")


def test_snuggles_sleeping_snuggles_asks_again():
    scene = Scene(side(play=["Ka", "Snuggles"]), side(play=["Snuggles", "Car"]))
    ann, bob = scene
    ann.tussles("Ka", "Snuggles")
    bob.chooses(ann.s("Snuggles"))
    assert scene.waiting_for() == [ann]
    assert ann.targets() == ["Car", "Ka"]
    ann.chooses("Car")
    assert bob.asleep == ["Snuggles", "Car"]
    assert scene.waiting_for() == [ann]
    assert ann.may("end_turn")


def test_the_card_that_snuggles_took_is_heard():
    scene = Scene(side(play=["Ka", "Umbruh"], cc=2), side(play=["Snuggles"]))
    ann, bob = scene
    ann.tussles("Ka", "Snuggles")
    bob.chooses("Umbruh")
    assert ann.cc == 1


def test_a_stolen_snuggles_asks_its_owner():
    scene = Scene(side(play=["Ka"]), side(play=[stolen("Snuggles"), "Car"]))
    ann, bob = scene
    ann.tussles("Ka", "Snuggles")
    assert (ann.asleep, bob.asleep) == (["Snuggles"], [])
    assert scene.waiting_for() == [ann]
    ann.chooses("Car")
    assert bob.asleep == ["Car"]


def test_of_two_at_once_the_active_player_answers_first():
    scene = Scene(side(play=["Snuggles"], hand=["Monster"]), side(play=["Snuggles", "Car"]))
    ann, bob = scene
    ann.plays("Monster")
    assert scene.waiting_for() == [ann]
    ann.chooses("Car")
    assert scene.waiting_for() == [bob]
    assert bob.targets() == ["Monster"]  # Car is gone by now
    bob.passes()
    assert scene.waiting_for() == [ann]


def test_of_two_stolen_ones_at_once_the_active_player_answers_first():
    """Control has reverted by the time they are asked, so it is the owners' turn order that counts."""
    scene = Scene(side(play=[stolen("Snuggles")], hand=["Monster"]), side(play=[stolen("Snuggles"), "Car"]))
    ann, bob = scene
    ann.plays("Monster")
    assert scene.waiting_for() == [ann]
    ann.passes()
    assert scene.waiting_for() == [bob]


def test_whoever_is_wiped_out_is_not_asked():
    scene = Scene(side(play=["Ka"]), side(play=["Snuggles"], hand=[]))
    ann, _ = scene
    ann.tussles("Ka", "Snuggles")
    assert scene.winner is ann


def test_snuggles_can_win():
    scene = Scene(side(play=["Ka"], hand=[]), side(play=["Snuggles"]))
    ann, bob = scene
    ann.tussles("Ka", "Snuggles")
    bob.chooses("Ka")
    assert scene.winner is bob


def test_snuggles_can_lose():
    scene = Scene(side(play=["Ka"]), side(play=["Snuggles", "Dino"], hand=[]))
    ann, bob = scene
    ann.tussles("Ka", "Snuggles")
    bob.chooses("Dino")
    assert scene.winner is ann


def test_a_snuggles_that_tires_at_the_turns_end_asks_before_the_next_turn():
    juice = "VeryVeryAppleJuice"
    scene = Scene(side(play=[hurt("Snuggles", 1), "Car"], hand=[juice, "Rush"]), side())
    ann, bob = scene
    ann.plays(juice)
    ann.ends_turn()
    assert ann.asleep == [juice, "Snuggles"]
    assert scene.waiting_for() == [ann]
    ann.passes()
    assert scene.waiting_for() == [bob]
    assert scene.turn == 4

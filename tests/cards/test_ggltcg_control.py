"""Owners and thieves: Twist, Ballaber's price, and where cards go that leave play."""

from __future__ import annotations

import pytest

from tests.cards.scene import Scene, copy_of, hurt, side, stolen


def owner_of(scene: Scene, id: int) -> int:
    return scene.table[id].owner


def test_twist_takes_a_card_over_and_leaves_its_owner():
    scene = Scene(side(play=["Wizard", "Knight"], hand=["Twist"], cc=4), side(play=["Ka", "Car"]))
    ann, bob = scene
    ann.plays("Twist", on="Ka")
    assert (ann.play, bob.play) == (["Wizard", "Knight", "Ka"], ["Car"])
    assert owner_of(scene, ann.s("Ka")) == bob.seat
    seen = bob.view["cards"][str(ann.s("Ka"))]
    assert (seen["owner"], seen["controller"]) == (bob.seat, ann.seat)


def test_the_boosts_of_a_stolen_card_serve_the_thief():
    ann, bob = Scene(side(play=["Knight"], hand=["Twist"]), side(play=["Ka", "Car"]))
    assert bob.strength("Car") == 4
    ann.plays("Twist", on="Ka")
    assert (ann.strength("Knight"), ann.strength("Ka"), bob.strength("Car")) == (6, 11, 2)


def test_a_stolen_card_attacks_at_once_at_the_thiefs_price():
    ann, bob = Scene(side(play=["Wizard"], hand=["Twist"], cc=4), side(play=["Ka", "Umbruh"]))
    ann.plays("Twist", on="Ka")
    ann.tussles("Ka", "Umbruh")
    assert (bob.asleep, ann.cc) == (["Umbruh"], 0)


def test_a_stolen_card_keeps_its_damage():
    ann, _ = Scene(side(hand=["Twist", "Rush"]), side(play=[hurt("Umbruh", 3)]))
    ann.plays("Twist", on="Umbruh")
    assert ann.stamina("Umbruh") == 1


def test_a_stolen_card_is_kept_for_good():
    scene = Scene(side(hand=["Twist", "Rush"]), side(play=["Car"]))
    ann, bob = scene
    ann.plays("Twist", on="Car")
    ann.ends_turn()
    bob.ends_turn()
    assert ann.play == ["Car"]
    assert ann.may("strike", "Car")


def test_a_stolen_card_may_be_twisted_back():
    scene = Scene(side(hand=["Twist", "Rush"]), side(play=[stolen("Car")]))
    ann, _ = scene
    ann.plays("Twist", on="Car")
    assert "controller" not in ann.view["cards"][str(ann.s("Car"))]
    assert ann.play == ["Car"]


def test_twist_takes_only_cards_of_the_other_side_in_play():
    scene = Scene(side(play=["Ka"], hand=["Twist", "Rush"]), side(play=["Car"], hand=["Dream"], asleep=["Umbruh"]))
    ann, bob = scene
    assert ann.targets("play", "Twist") == ["Car"]
    for card in (ann.s("Ka"), bob.s("Dream"), bob.s("Umbruh")):
        with scene.refused("bad_target"):
            ann.plays("Twist", on=card)


# a stolen Umbruh


def test_a_stolen_umbruh_slept_by_clean_pays_its_owner():
    ann, bob = Scene(side(play=[stolen("Umbruh")], hand=["Clean", "Rush"], cc=3), side(cc=2))
    ann.plays("Clean")
    assert (ann.play, bob.asleep) == ([], ["Umbruh"])
    assert (ann.cc, bob.cc) == (0, 3)


def test_a_stolen_umbruh_felled_in_a_tussle_pays_its_owner():
    ann, bob = Scene(side(play=["Ka"], cc=2), side(play=[stolen("Umbruh")], cc=2))
    ann.tussles("Ka", "Umbruh")
    assert (bob.play, ann.asleep) == ([], ["Umbruh"])
    assert (ann.cc, bob.cc) == (1, 2)


def test_a_stolen_umbruh_shot_by_archer_pays_its_owner():
    ann, bob = Scene(side(play=["Archer"], cc=4), side(play=[stolen("Umbruh")], cc=2))
    ann.uses("Archer", on="Umbruh", times=4)
    assert (bob.play, ann.asleep) == ([], ["Umbruh"])
    assert (ann.cc, bob.cc) == (1, 2)


def test_a_stolen_umbruh_given_for_ballaber_pays_its_owner():
    ann, bob = Scene(side(play=[stolen("Umbruh")], hand=["Ballaber"], cc=0), side(cc=2))
    ann.plays("Ballaber", pay="Umbruh")
    assert (ann.play, bob.asleep) == (["Ballaber"], ["Umbruh"])
    assert (ann.cc, bob.cc) == (0, 3)


def test_a_stolen_umbruh_is_cut_off_at_7_too():
    ann, bob = Scene(side(play=[stolen("Umbruh")], hand=["Clean", "Rush"]), side(cc=7))
    ann.plays("Clean")
    assert bob.cc == 7


# leaving play


def test_a_stolen_damaged_toy_wakes_as_good_as_new():
    scene = Scene(side(play=["Archer"], hand=["Wake"]), side(play=[stolen(hurt("Umbruh", 3))]))
    ann, _ = scene
    ann.uses("Archer", on="Umbruh")
    ann.plays("Wake", on="Umbruh")
    ann.plays("Umbruh")
    assert ann.play == ["Archer", "Umbruh"]
    assert ann.stats("Umbruh") == (4, 4, 4)


@pytest.mark.parametrize("card", ["Toynado", "Jumpscare"])
def test_a_stolen_card_returns_to_its_owners_hand(card: str):
    scene = Scene(side(play=[stolen(hurt("Knight", 2))], hand=[card, "Rush"]), side())
    ann, bob = scene
    ann.plays(card, on="Knight" if card == "Jumpscare" else None)
    assert (ann.play, ann.hand) == ([], ["Rush"])
    assert bob.hand == ["Block", "Knight"]
    ann.ends_turn()
    bob.plays("Knight")
    assert (bob.play, bob.stats("Knight")) == (["Knight"], (4, 4, 3))


# Ballaber


def test_ballaber_costs_3_cc():
    ann, _ = Scene(side(hand=["Ballaber", "Ka"], cc=3), side())
    ann.plays("Ballaber")
    assert (ann.cc, ann.hand) == (0, ["Ka"])


def test_ballaber_may_be_paid_for_with_a_card_in_play():
    ann, _ = Scene(side(play=["Ka"], hand=["Ballaber"], cc=0), side())
    ann.plays("Ballaber", pay="Ka")
    assert (ann.play, ann.asleep, ann.cc) == (["Ballaber"], ["Ka"], 0)


def test_ballaber_may_be_paid_for_with_a_card_in_hand():
    ann, _ = Scene(side(hand=["Ballaber", "Ka"], cc=0), side())
    ann.plays("Ballaber", pay="Ka")
    assert (ann.play, ann.hand, ann.asleep) == (["Ballaber"], [], ["Ka"])


def test_ballaber_may_be_paid_for_with_a_stolen_card():
    ann, bob = Scene(side(play=[stolen("Demideca")], hand=["Ballaber"], cc=0), side())
    ann.plays("Ballaber", pay="Demideca")
    assert (ann.play, ann.asleep, bob.asleep) == (["Ballaber"], [], ["Demideca"])


def test_umbruh_from_play_pays_1_cc_back():
    ann, _ = Scene(side(play=["Umbruh"], hand=["Ballaber"], cc=0), side())
    ann.plays("Ballaber", pay="Umbruh")
    assert ann.cc == 1


def test_umbruh_from_hand_pays_nothing_back():
    ann, _ = Scene(side(hand=["Ballaber", "Umbruh"], cc=0), side())
    ann.plays("Ballaber", pay="Umbruh")
    assert ann.cc == 0


def test_ballaber_is_no_price_for_itself():
    scene = Scene(side(play=["Car"], hand=["Ballaber", "Ka"], cc=0), side())
    ann, _ = scene
    assert ann.targets("play", "Ballaber", "pay") == ["Car", "Ka"]
    with scene.refused("bad_target"):
        ann.plays("Ballaber", pay="Ballaber")


def test_ballaber_alone_at_0_cc_cannot_be_played():
    scene = Scene(side(hand=["Ballaber"], asleep=["Ka"], cc=0), side(play=["Car"]))
    ann, _ = scene
    assert not ann.may("play", "Ballaber")
    with scene.refused("cannot_afford"):
        ann.plays("Ballaber", pay="Ballaber")


def test_neither_the_opponents_cards_nor_sleepers_pay_for_ballaber():
    scene = Scene(side(hand=["Ballaber", "Ka"], asleep=["Rush"]), side(play=["Car"]))
    ann, bob = scene
    for card in (bob.s("Car"), bob.s("Block"), ann.s("Rush")):
        with scene.refused("bad_target"):
            ann.plays("Ballaber", pay=card)


def test_ballabers_other_price_is_not_taxed():
    ann, _ = Scene(side(hand=["Ballaber", "Ka"]), side(play=["Gibbers"]))
    assert ann.price("play", "Ballaber") == 4
    assert ann.price("play", "Ballaber", pay="Ka") == 0


def test_a_kicker_hears_of_a_ballaber_paid_by_sleeping():
    ann, _ = Scene(side(play=["Hind Leg Kicker"], hand=["Ballaber", "Ka"], cc=0), side())
    ann.plays("Ballaber", pay="Ka")
    assert ann.cc == 1


def test_a_copy_given_for_ballaber_is_a_copy_again():
    ann, _ = Scene(side(play=[copy_of("Umbruh")], hand=["Ballaber"], cc=0), side())
    ann.plays("Ballaber", pay="Copy of Umbruh")
    assert (ann.asleep, ann.cc) == (["Copy"], 1)


# control decides who has lost


def test_twisting_the_last_awake_card_wins_at_once():
    scene = Scene(side(hand=["Twist", "Rush"]), side(play=["Car"], hand=[], asleep=["Ka", "Dream"]))
    ann, _ = scene
    ann.plays("Twist", on="Car")
    assert scene.winner is ann


def test_a_stolen_card_keeps_the_thief_alive():
    scene = Scene(side(play=[stolen("Car")], hand=["Surge"], asleep=["Ka"]), side())
    ann, bob = scene
    ann.plays("Surge")
    assert not scene.over
    ann.ends_turn()
    assert scene.waiting_for() == [bob]


def test_a_card_under_the_opponents_control_does_not_keep_its_owner_alive():
    scene = Scene(side(hand=["Surge"], asleep=["Ka"]), side(play=[stolen("Car")]))
    ann, bob = scene
    ann.plays("Surge")
    assert scene.winner is bob

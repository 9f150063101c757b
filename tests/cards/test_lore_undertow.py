"""The cards of the set undertow: known words in new company."""

from __future__ import annotations

import pytest

from tests.cards.lore_scene import GAME, Scene, at, exerted, hurt, side

UNDERTOW = [name for name, card in GAME.cards.items() if card.set == "undertow"]


def test_there_are_twenty_of_them():
    assert len(UNDERTOW) == 20


def test_isaura_may_pay_to_exert_whatever_the_other_side_plays():
    scene = Scene(side(hand=["Crew, 2/3/1", "Bell"], ink=3), side(["Isaura"], ink=1))
    ann, bob = scene
    ann.plays("Crew")
    assert scene.asked() == [bob]
    bob.says("yes")
    assert (ann.is_exerted("Crew"), bob.ink) == (True, 0)
    ann.plays("Bell")
    assert scene.asked() == []  # an item is no character


def test_the_whisper_net_gains_lore_for_the_first_discard_of_a_turn():
    scene = Scene(
        side(["Whisper Net"], hand=["Corin", "Light Fingers", "Poke"], ink=5), side(hand=["Kick", "Tome", "Fine"])
    )
    ann, bob = scene
    ann.uses("Whisper Net", 0, discard="Poke")
    bob.chooses("Kick")
    assert (ann.lore, ann.discard) == (1, ["Poke"])
    ann.plays("Corin")
    bob.chooses("Fine")
    assert ann.lore == 1  # once a turn
    ann.plays("Light Fingers")
    assert (bob.hand, ann.lore) == ([], 1)


def test_the_whisper_net_hears_the_other_side_only():
    scene = Scene(side(["Whisper Net"], hand=["Poke", "Kick"]), side())
    ann, _ = scene
    ann.uses("Whisper Net", 0, discard="Poke")
    assert ann.lore == 0


@pytest.mark.parametrize(("cards", "drawn"), [(1, 1), (3, 1), (4, 0)])
def test_light_fingers_draw_when_at_most_2_are_left(cards: int, drawn: int):
    scene = Scene(side(hand=["Light Fingers"], ink=2), side(hand=["Poke"] * cards))
    ann, bob = scene
    ann.plays("Light Fingers")
    while scene.asked():
        bob.chooses("Poke")
    assert (len(bob.hand), len(ann.hand)) == (cards - 1, drawn)


def test_smoke_hides_all_of_one_s_characters_until_the_next_own_turn():
    scene = Scene(
        side(["Crew, 2/3/1", "Crew, 3/4/1"], hand=["Smoke"], ink=3), side(["Crew, 5/5/2"], hand=["Kick"], ink=1)
    )
    ann, bob = scene
    ann.plays("Smoke")
    ann.quests("Crew, 2/3/1")
    ann.ends_turn()
    assert bob.foes("Crew") == []
    bob.plays("Kick")
    assert scene.asked() == []  # nobody can be chosen
    bob.ends_turn()
    assert ann.number("Crew, 2/3/1", "evasive") == ann.number("Crew, 2/3/1", "ward") == 0


def test_tallow_steals_lore_from_whoever_he_beats():
    scene = Scene(side(["Tallow"]), side([exerted("Crew, 1/1/1")], lore=3))
    ann, bob = scene
    ann.challenges("Tallow", "Crew")
    assert (ann.lore, bob.lore) == (1, 2)


def test_mother_kell_sends_somebody_home_for_one_of_hers_once_a_turn():
    scene = Scene(side(["Mother Kell", "Ghost", "Crew, 1/1/1"]), side(["Crew, 5/5/2", "Crew, 3/4/1"]))
    ann, bob = scene
    ann.uses("Mother Kell", sacrifice="Ghost")
    ann.chooses("Crew, 5/5/2")
    assert (bob.hand, ann.discard, len(ann.hand)) == (["Crew, 5/5/2"], ["Ghost, Parting Gift"], 1)
    with scene.refused("used_up"):
        ann.uses("Mother Kell", sacrifice="Crew")


def test_mother_kell_does_not_give_herself():
    scene = Scene(side(["Mother Kell"]), side(["Crew, 5/5/2"]))
    ann, _ = scene
    with scene.refused("nothing_to_pay_with"):
        ann.uses("Mother Kell", sacrifice="Mother Kell")


@pytest.mark.parametrize(("sinks", "deck"), [(True, ["Kick", "Poke"]), (False, ["Poke", "Kick"])])
def test_marlo_may_put_the_top_card_under_the_deck(sinks: bool, deck: list[str]):
    scene = Scene(side(hand=["Marlo"], ink=1, deck=["Poke", "Kick"]))
    ann, _ = scene
    ann.plays("Marlo")
    assert ann.choices() == ["Kick"]
    ann.chooses(*(["Kick"] if sinks else []))
    assert (ann.deck, ann.zone("aside"), scene.waiting_for()) == (deck, [], [ann])


def test_odo_grows_and_heals_whenever_a_card_is_inked():
    scene = Scene(side([hurt("Odo", 2), "Pettifog"], hand=["Poke", "Kick"]))
    ann, _ = scene
    ann.inks("Poke")
    ann.inks("Kick")
    assert (ann.strength("Odo"), ann.damage("Odo")) == (5, 0)
    ann.ends_turn()
    assert ann.strength("Odo") == 1


@pytest.mark.parametrize(("items", "price"), [(0, 6), (2, 4), (7, 0)])
def test_calla_costs_less_for_every_item(items: int, price: int):
    ann, _ = Scene(side(["Bell"] * items, hand=["Calla"], ink=6), side(["Bell"]))
    assert ann.price("Calla") == [price]


@pytest.mark.parametrize(("ink", "lore"), [(6, 1), (7, 3), (9, 3)])
def test_calla_is_worth_more_over_a_full_inkwell(ink: int, lore: int):
    ann, _ = Scene(side(["Calla"], ink=ink - 1, spent=1))
    assert ann.number("Calla", "lore") == lore


def test_the_still_fills_the_inkwell_for_a_character_s_work():
    scene = Scene(side(["Rainglass", "Crew, 2/3/1", exerted("Crew, 3/4/1")]))
    ann, _ = scene
    with scene.refused("bad_target"):
        ann.uses("Rainglass", 0, tap="Crew, 3/4/1")
    ann.uses("Rainglass", 0, tap="Crew, 2/3/1")
    assert (ann.inkwell, ann.ink, ann.is_exerted("Crew, 2/3/1"), ann.is_exerted("Rainglass")) == (1, 0, True, True)


def test_the_still_can_be_broken_for_two_cards():
    scene = Scene(side(["Rainglass"], ink=2))
    ann, _ = scene
    ann.uses("Rainglass", 1)
    assert (len(ann.hand), ann.ink, ann.discard) == (2, 0, ["Rainglass Still"])


def test_double_entry_makes_the_next_character_cheaper_and_only_that():
    scene = Scene(side(hand=["Double Entry", "Voice, cost 3", "Voice, cost 2", "Bell"], ink=4, deck=["Poke"] * 3))
    ann, bob = scene
    ann.plays("Double Entry")
    assert (ann.price("Voice, cost 3"), ann.price("Bell")) == ([1], [1])
    ann.plays("Bell")
    ann.plays("Voice, cost 3")
    assert (ann.ink, ann.price("Voice, cost 2")) == (1, [])
    ann.ends_turn()
    assert "mods" not in bob.view["seats"]["0"]


def test_what_double_entry_left_unused_is_gone_on_the_next_turn():
    scene = Scene(side(hand=["Double Entry", "Voice, cost 3"], ink=4))
    ann, bob = scene
    ann.plays("Double Entry")
    ann.ends_turn()
    bob.ends_turn()
    assert ann.price("Voice, cost 3") == [3]


def test_the_archive_makes_lore_and_welcomes_the_first_visitor_of_a_turn():
    scene = Scene(side(["The Sunken Archive", "Crew, 2/3/1", "Crew, 3/4/1"], ink=2))
    ann, _ = scene
    ann.moves("Crew, 2/3/1", "The Sunken Archive")
    ann.moves("Crew, 3/4/1", "The Sunken Archive")
    assert (len(ann.hand), ann.number("Crew, 2/3/1", "lore")) == (1, 2)


def test_bellamy_sings_for_6_and_mends_his_side():
    scene = Scene(side(["Choirmaster", hurt("Crew, 2/3/1", 2)], hand=["Song of 5"]))
    ann, _ = scene
    ann.sings("Song of 5", "Choirmaster")
    assert (ann.lore, ann.damage("Crew")) == (2, 1)


def test_the_vesper_brings_somebody_back_exerted_and_drying():
    scene = Scene(side(hand=["Vesper"], ink=4, discard=["Envoy", "Voice, cost 5", "Bell"]))
    ann, _ = scene
    ann.plays("Vesper")
    assert scene.asked() == [ann]  # the envoy was the only choice, and now has two things to say
    ann.resolves("Envoy")
    assert (ann.is_exerted("Envoy"), ann.is_drying("Envoy"), ann.lore) == (True, True, 1)


def test_glim_comes_on_anybody_and_slips_into_the_inkwell():
    scene = Scene(side(["Crew, 2/3/1"], hand=["Glim"], ink=2), side([exerted("Crew, 5/5/2")]))
    ann, bob = scene
    ann.plays("Glim", onto="Crew")
    ann.challenges("Glim", "Crew")
    assert (ann.play, ann.discard, ann.inkwell, ann.ink) == ([], [], 4, 0)
    assert bob.damage("Crew") == 3


def test_glim_is_banished_like_anybody_else_outside_a_challenge():
    scene = Scene(side(hand=["Kick"], ink=1), side(["Glim"]))
    ann, bob = scene
    ann.plays("Kick")
    assert bob.discard == ["Glim, Borrowed Face"]


def test_the_hall_weakens_the_other_side_and_takes_lore_while_two_are_exerted():
    scene = Scene(side(["The Hall of Glass", exerted("Crew, 2/3/1"), exerted("Gull")]), side(["Crew, 0/3/1"], lore=2))
    ann, bob = scene
    assert (bob.strength("Crew"), bob.number("Crew", "strength"), ann.strength("Gull")) == (0, -1, 2)
    ann.ends_turn()
    assert bob.lore == 1


def test_the_signal_breaks_a_location():
    scene = Scene(side(["Crew, 2/3/1"], hand=["Breakwater Signal"], ink=2), side(["Pier", "Jetty"]))
    ann, bob = scene
    ann.plays("Breakwater Signal")
    ann.says("three_damage_to_a_location")
    ann.chooses("Jetty")
    assert bob.damage("Jetty") == 3


def test_the_signal_makes_somebody_bold_enough_to_challenge_the_ready():
    scene = Scene(side(["Crew, 2/3/1"], hand=["Breakwater Signal"], ink=2), side(["Crew, 1/5/1"]))
    ann, bob = scene
    ann.plays("Breakwater Signal")
    ann.says("a_bold_challenger")
    ann.challenges("Crew", "Crew")
    assert bob.damage("Crew") == 3


def test_jute_goes_off_on_both_sides():
    scene = Scene(side(["Crew, 3/4/1", "Ghost"]), side([exerted("Powder Jute"), "Crew, 2/3/1"]))
    ann, bob = scene
    ann.challenges("Crew", "Powder Jute")
    assert (ann.damage("Crew"), bob.damage("Crew")) == (3, 1)
    assert (ann.discard, len(ann.hand)) == (["Ghost, Parting Gift"], 1)


def test_the_chain_hurts_whoever_challenges_a_bodyguard_before_the_blow():
    scene = Scene(
        side(["Crew, 1/1/1", "Crew, 3/4/1"]), side([exerted("Rivet"), exerted("Crew, 2/3/1"), "Harbour Chain"])
    )
    ann, bob = scene
    ann.challenges("Crew, 1/1/1", "Rivet")
    assert (ann.discard, bob.damage("Rivet")) == (["Crew, 1/1/1"], 0)
    ann.challenges("Crew, 3/4/1", "Rivet")
    assert (ann.damage("Crew, 3/4/1"), bob.damage("Rivet")) == (2, 3)


def test_who_is_at_a_place_keeps_it_through_a_shift_by_glim():
    scene = Scene(side(["Pier", at("Crew, 2/3/1", "Pier")], hand=["Glim"], ink=2))
    ann, _ = scene
    ann.plays("Glim", onto="Crew")
    assert ann.card("Glim").facts["at"] == ann.id("Pier")

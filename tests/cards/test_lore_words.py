"""Words, conditions and selectors that no ready-made card uses: they do what they say all the same."""

from __future__ import annotations

import pytest

from tests.cards.lore_scene import Scene, exerted, hurt, side


def test_who_is_put_into_the_inkwell_lies_there_face_down_and_can_be_ready_ink():
    scene = Scene(side(hand=["Drown"], ink=1), side(["Crew, 2/3/1"]))
    ann, bob = scene
    ann.plays("Drown")
    assert (bob.play, bob.inkwell, bob.ink) == ([], 1, 1)


def test_a_choice_can_ask_for_a_cost_and_for_a_strength_as_it_is_now():
    scene = Scene(side(hand=["Sift", "Cripple"], ink=2), side(["Voice, cost 3", "Voice, cost 2", "Hothead, Reckless"]))
    ann, bob = scene
    ann.plays("Cripple")
    ann.chooses("Hothead, Reckless")
    ann.plays("Sift")
    assert ann.choices() == ["Hothead, Reckless", "Voice, cost 3"]
    ann.chooses("Hothead, Reckless")
    assert bob.discard == ["Hothead, Reckless"]


def test_something_can_hold_only_while_a_character_challenges():
    scene = Scene(side(["Charger"]), side([exerted("Crew, 4/5/1")]))
    ann, _ = scene
    assert ann.number("Charger", "resist") == 0
    ann.challenges("Charger", "Crew")
    assert (ann.damage("Charger"), ann.number("Charger", "resist")) == (4 - 2, 0)


def test_something_can_hold_only_while_a_character_is_challenged():
    scene = Scene(side(["Crew, 1/5/1"]), side([exerted("Rock")]))
    ann, bob = scene
    ann.challenges("Crew", "Rock")
    assert (ann.damage("Crew"), bob.strength("Rock")) == (1 + 3, 1)


def test_a_card_can_hear_what_anybody_does():
    scene = Scene(side(["Gossip", "Crew, 2/3/1"]), side(["Crew, 2/3/1"]))
    ann, bob = scene
    ann.quests("Crew")
    assert ann.lore == 2
    ann.ends_turn()
    bob.quests("Crew")
    assert (ann.lore, bob.lore) == (3, 1)


@pytest.mark.parametrize(("foe", "lore"), [(hurt("Crew, 2/9/1", 1), 1), ("Crew, 2/9/1", 0)])
def test_a_card_can_hear_only_of_some_opponents(foe, lore: int):
    scene = Scene(side(["Rival"]), side([exerted(foe)]))
    ann, _ = scene
    ann.challenges("Rival", "Crew")
    assert ann.lore == lore


def test_more_than_one_further_card_can_be_inked():
    ann, _ = Scene(side(["Steward"], hand=["Crew, 2/3/1"] * 4))
    for _ in range(3):
        ann.inks("Crew, 2/3/1")
    assert not ann.may("play_ink")


def test_a_blow_can_be_taken_for_some_and_not_for_others():
    scene = Scene(side(hand=["Poke", "Poke"], ink=2), side(["Shield", "Crew, 2/9/1", exerted("Crew, 1/5/1")]))
    ann, bob = scene
    ann.plays("Poke")
    ann.chooses("Crew, 2/9/1")
    assert (bob.damage("Shield"), bob.damage("Crew, 2/9/1")) == (0, 1)
    ann.plays("Poke")
    ann.chooses("Crew, 1/5/1")
    assert (bob.damage("Shield"), bob.damage("Crew, 1/5/1")) == (1, 0)


def test_what_one_does_can_be_for_the_other_player_once_a_turn():
    scene = Scene(side(["Voice, cost 3", "Voice, cost 4"], hand=["Song of 3", "Song of 3"]), side(["Debtor"]))
    ann, bob = scene
    ann.sings("Song of 3", "Voice, cost 3")
    ann.sings("Song of 3", "Voice, cost 4")
    assert (len(ann.hand), len(bob.hand)) == (1, 0)


def test_a_number_can_be_counted_and_multiplied():
    ann, _ = Scene(side(["Bell", "Bomb", "Crew, 2/3/1"], hand=["Harvest"], ink=1))
    ann.plays("Harvest")
    assert ann.lore == 4


def test_both_can_draw_at_once():
    ann, bob = Scene(side(hand=["Feast"], ink=1))
    ann.plays("Feast")
    assert (len(ann.hand), len(bob.hand)) == (1, 1)


@pytest.mark.parametrize(("crew", "lore", "cards"), [(2, 2, 0), (1, 0, 1)])
def test_if_something_is_not_so_something_else_can_happen(crew: int, lore: int, cards: int):
    ann, _ = Scene(side(["Crew, 2/3/1"] * crew, hand=["Coin"], ink=1))
    ann.plays("Coin")
    assert (ann.lore, len(ann.hand)) == (lore, cards)


def test_cards_can_cost_the_other_side_more():
    ann, bob = Scene(side(["Toll"], hand=["Poke"], ink=3), side(hand=["Poke"]))
    assert ann.price("Poke") == [1]
    ann.ends_turn()
    assert bob.view["cards"][str(bob.id("Poke", "hand"))]["cost"] == 2

"""Shift and Boost, items, locations and moving."""

from __future__ import annotations

import pytest

from tests.cards.lore_scene import Scene, at, boosted, drying, exerted, hurt, over, side, watched

YOUNG, GROWN = "Ember, Young", "Ember, Grown"


# shift


def test_shift_onto_a_ready_dry_character_with_2_damage_gives_one_that_can_act_now():
    scene = Scene(side([hurt(YOUNG, 2)], hand=[GROWN], ink=3))
    ann, _ = scene
    ann.plays(GROWN, onto=YOUNG)
    assert (ann.play, ann.zone("under"), ann.ink) == ([GROWN], [YOUNG], 0)
    assert (ann.is_exerted(GROWN), ann.is_drying(GROWN), ann.damage(GROWN)) == (False, False, 2)
    ann.quests(GROWN)
    assert ann.lore == 2


def test_onto_an_exerted_one_it_is_exerted_and_onto_a_drying_one_it_is_drying():
    scene = Scene(side([exerted(YOUNG), drying("Ember, Frail")], hand=[GROWN, GROWN], ink=6))
    ann, _ = scene
    ann.plays(GROWN, onto=YOUNG)
    assert (ann.is_exerted(GROWN), ann.is_drying(GROWN)) == (True, False)
    first = ann.id(GROWN)
    ann.plays(GROWN, onto="Ember, Frail")
    second = next(id for id in scene.table.zones["0.characters"] if id != first)
    assert (ann.is_exerted(second), ann.is_drying(second)) == (False, True)


def test_it_takes_over_where_the_other_was_and_nothing_that_was_done_to_it():
    scene = Scene(side(["Pier", at(YOUNG, "Pier")], hand=[GROWN, "Wave"], ink=4))
    ann, _ = scene
    ann.plays("Wave")
    assert ann.strength(YOUNG) == 3
    ann.plays(GROWN, onto=YOUNG)
    assert ann.card(GROWN).facts["at"] == ann.id("Pier")
    assert ann.strength(GROWN) == 4


def test_shift_onto_another_name_is_refused():
    scene = Scene(side(["Crew, 2/3/1", YOUNG], hand=[GROWN], ink=3))
    ann, _ = scene
    with scene.refused("bad_target"):
        ann.plays(GROWN, onto="Crew")


def test_shift_without_anybody_to_shift_onto_is_refused():
    scene = Scene(side(["Crew, 2/3/1"], hand=[GROWN], ink=3), side([YOUNG]))
    ann, _ = scene
    with scene.refused("cannot_afford"):
        ann.plays(GROWN, onto="Crew")


@pytest.mark.parametrize("onto", ["Kestrel", YOUNG])
def test_a_sailor_shift_goes_onto_any_sailor(onto: str):
    scene = Scene(side([onto], hand=["Captain"], ink=3))
    ann, _ = scene
    ann.plays("Captain", onto=onto)
    assert ann.play == ["Captain, Sailor Shift"]


def test_a_sailor_shift_goes_onto_nobody_else():
    scene = Scene(side(["Crew, 2/3/1", YOUNG], hand=["Captain"], ink=3))
    ann, _ = scene
    with scene.refused("bad_target"):
        ann.plays("Captain", onto="Crew")


def test_a_universal_shift_goes_onto_anybody():
    scene = Scene(side(["Crew, 2/3/1"], hand=["Anyone"], ink=3))
    ann, _ = scene
    ann.plays("Anyone", onto="Crew")
    assert (ann.play, ann.zone("under")) == (["Anyone, Universal Shift"], ["Crew, 2/3/1"])


def test_a_shifted_character_that_is_banished_takes_what_is_under_it_along():
    scene = Scene(side(["Crew, 5/5/2"]), side([exerted(over(GROWN, YOUNG))]))
    ann, bob = scene
    ann.challenges("Crew", GROWN)
    assert (bob.play, sorted(bob.discard), bob.zone("under")) == ([], [GROWN, YOUNG], [])


def test_a_shifted_character_that_is_returned_takes_what_is_under_it_to_the_hand():
    scene = Scene(side(hand=["Hook"], ink=1), side([over(GROWN, YOUNG)]))
    ann, bob = scene
    ann.plays("Hook")
    assert sorted(bob.hand) == [GROWN, YOUNG]
    assert bob.zone("under") == []


def test_shifts_pile_up_and_go_together():
    scene = Scene(side([over(GROWN, YOUNG)], hand=["Ember, Old", "Hook"], ink=5))
    ann, _ = scene
    ann.plays("Ember, Old", onto=GROWN)
    assert sorted(ann.zone("under")) == [GROWN, YOUNG]
    ann.plays("Hook")
    assert sorted(ann.hand) == [GROWN, "Ember, Old", YOUNG]


def test_shift_with_more_damage_than_it_can_bear_is_banished_at_once_and_its_trigger_still_resolves():
    scene = Scene(side([hurt(YOUNG, 2)], hand=["Ember, Frail"], ink=3))
    ann, _ = scene
    ann.plays("Ember, Frail", onto=YOUNG)
    assert (ann.play, sorted(ann.discard)) == ([], ["Ember, Frail", YOUNG])
    assert len(ann.hand) == 1  # drawn


def test_a_shift_is_one_way_to_play_it_and_its_cost_another():
    scene = Scene(side([YOUNG], hand=[GROWN], ink=6))
    ann, _ = scene
    assert ann.price(GROWN) == [3, 6]
    ann.plays(GROWN)
    assert sorted(ann.play) == [GROWN, YOUNG]


# boost


def test_boost_lays_the_top_card_of_the_deck_face_down_under_it_once_a_turn():
    scene = Scene(side(["Scribe"], ink=2, deck=["Crew, 1/1/1", "Crew, 3/4/1"]))
    ann, bob = scene
    ann.boosts("Scribe")
    assert (ann.deck, len(ann.zone("under")), ann.ink) == (["Crew, 1/1/1"], 1, 1)
    for view in (ann.view, bob.view, watched(scene)):
        (id,) = view["zones"]["0.under"]["cards"]
        assert view["cards"][str(id)] == {"owner": 0, "on": ann.id("Scribe")}
    with scene.refused("used_up"):
        ann.boosts("Scribe")


def test_a_boost_can_be_repeated_on_the_next_own_turn():
    scene = Scene(side(["Scribe"], ink=2))
    ann, bob = scene
    ann.boosts("Scribe")
    ann.ends_turn()
    bob.ends_turn()
    ann.boosts("Scribe")
    assert len(ann.zone("under")) == 2


def test_while_a_card_is_under_it_counts():
    scene = Scene(side(["Scribe"], ink=1))
    ann, _ = scene
    assert ann.strength("Scribe") == 1
    ann.boosts("Scribe")
    assert ann.strength("Scribe") == 3


def test_the_card_under_it_leaves_with_it():
    scene = Scene(side(hand=["Hook"], ink=1), side([boosted("Scribe", 2)]))
    ann, bob = scene
    ann.plays("Hook")
    assert (len(bob.hand), bob.zone("under")) == (3, [])


def test_boost_needs_ink_and_a_deck():
    scene = Scene(side(["Scribe"]))
    ann, _ = scene
    with scene.refused("cannot_afford"):
        ann.boosts("Scribe")
    empty = Scene(side(["Scribe"], ink=1, deck=()))
    ann, _ = empty
    with empty.refused("deck_empty"):
        ann.boosts("Scribe")


# items


def test_an_item_that_is_banished_for_its_ability_is_in_the_discard_and_the_effect_happens():
    scene = Scene(side(["Bomb"]), side(["Crew, 2/3/1"]))
    ann, bob = scene
    ann.uses("Bomb")
    assert (ann.play, ann.discard, bob.damage("Crew")) == ([], ["Bomb"], 2)


def test_a_cost_that_names_another_card_is_paid_with_the_one_chosen():
    scene = Scene(side(["Altar", "Crew, 2/3/1", "Ghost"]))
    ann, _ = scene
    ann.uses("Altar", sacrifice="Crew")
    assert (ann.discard, len(ann.hand)) == (["Crew, 2/3/1"], 1)


def test_a_cost_that_cannot_be_paid_is_refused():
    scene = Scene(side(["Altar"]), side(["Crew, 2/3/1"]))
    ann, _ = scene
    with scene.refused("nothing_to_pay_with"):
        ann.uses("Altar", sacrifice=[])


# locations


def test_drying_and_exerted_characters_may_move_for_ink_and_go_on_to_another_location():
    scene = Scene(side(["Pier", "Jetty", drying("Crew, 2/3/1"), exerted("Crew, 3/4/1")], ink=3))
    ann, _ = scene
    ann.moves("Crew, 2/3/1", "Pier")
    ann.moves("Crew, 3/4/1", "Pier")
    assert (ann.ink, ann.is_exerted("Crew, 2/3/1")) == (1, False)
    ann.moves("Crew, 2/3/1", "Jetty")
    assert (ann.ink, ann.card("Crew, 2/3/1").facts["at"]) == (0, ann.id("Jetty"))


def test_nobody_moves_to_where_they_are_or_to_a_location_of_the_other_side():
    scene = Scene(side(["Pier", "Jetty", at("Crew, 2/3/1", "Pier")], ink=3), side(["Gallows"]))
    ann, bob = scene
    with scene.refused("bad_target"):
        ann.moves("Crew", "Pier")
    with scene.refused("bad_target"):
        ann.moves("Crew", bob.id("Gallows"))


def test_a_move_that_cannot_be_paid_is_refused():
    scene = Scene(side(["Gallows", "Crew, 2/3/1"], ink=1))
    ann, _ = scene
    with scene.refused("nowhere_to_go"):
        ann.moves("Crew", "Gallows")


def test_what_a_location_gives_ends_when_it_is_banished_and_the_characters_stay():
    scene = Scene(side(["Crew, 4/5/1"]), side([hurt("Gallows", 3), at("Crew, 2/3/1", "Gallows")]))
    ann, bob = scene
    assert bob.number("Crew", "evasive") == 1
    ann.challenges("Crew", "Gallows")
    assert (bob.play, bob.number("Crew", "evasive")) == (["Crew, 2/3/1"], 0)
    assert "at" not in bob.card("Crew").facts


def test_resist_at_the_lamplit_quay_is_for_those_who_are_there():
    scene = Scene(
        side(["Crew, 3/4/1"]), side(["The Lamplit Quay", at(exerted("Crew, 2/4/1"), "The Lamplit Quay"), "Crew, 2/3/1"])
    )
    ann, bob = scene
    ann.challenges("Crew", bob.id("Crew, 2/4/1"))
    assert bob.damage("Crew, 2/4/1") == 2
    assert bob.number("Crew, 2/3/1", "resist") == 0

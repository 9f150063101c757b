"""Bodyguard, Evasive, Alert, Reckless, Ward and Vanish."""

from __future__ import annotations

import pytest

from tests.cards.lore_scene import Scene, drying, exerted, side

OTHER = "Crew, 2/3/1"
GUARD, WINGED = "Mastiff, Plain Guard", "Mastiff, Winged Guard"


# bodyguard


def test_an_exerted_bodyguard_is_the_only_character_that_may_be_challenged():
    scene = Scene(side(["Crew, 3/4/1"]), side([exerted(GUARD), exerted(OTHER)]))
    ann, _ = scene
    assert ann.foes("Crew") == [GUARD]
    with scene.refused("bad_target"):
        ann.challenges("Crew", OTHER)


def test_a_ready_bodyguard_protects_nobody_and_cannot_be_challenged():
    scene = Scene(side(["Crew, 3/4/1"]), side([GUARD, exerted(OTHER)]))
    ann, _ = scene
    assert ann.foes("Crew") == [OTHER]
    with scene.refused("bad_target"):
        ann.challenges("Crew", GUARD)


def test_of_two_bodyguards_either_may_be_challenged_and_nobody_else():
    scene = Scene(side(["Crew, 3/4/1"]), side([exerted(GUARD), exerted("Rivet"), exerted(OTHER)]))
    ann, _ = scene
    assert ann.foes("Crew") == [GUARD, "Rivet, Clockwork Sentry"]


def test_of_two_bodyguards_only_the_exerted_one_binds():
    scene = Scene(side(["Crew, 3/4/1"]), side([exerted(GUARD), "Rivet", exerted(OTHER)]))
    ann, _ = scene
    assert ann.foes("Crew") == [GUARD]


def test_a_bodyguard_that_this_attacker_cannot_challenge_does_not_bind_it():
    scene = Scene(side(["Crew, 3/4/1", "Gull"]), side([exerted(WINGED), exerted(OTHER)]))
    ann, _ = scene
    assert ann.foes("Crew") == [OTHER]
    assert ann.foes("Gull") == [WINGED]


def test_a_bodyguard_may_enter_play_exerted_or_ready():
    for how in (True, False):
        scene = Scene(side(hand=[GUARD], ink=2))
        ann, _ = scene
        ann.plays(GUARD, exerted=how)
        assert (ann.is_exerted(GUARD), ann.is_drying(GUARD)) == (how, True)


def test_a_bodyguard_that_shifts_may_enter_exerted_too_and_never_readies_what_it_shifts_onto():
    young = "Ember, Young"
    for onto, how, lies in ((young, True, True), (young, False, False), (exerted(young), False, True)):
        scene = Scene(side([onto], hand=["Ember, On Guard"], ink=3))
        ann, _ = scene
        ann.plays("Ember, On Guard", onto=young, exerted=how)
        assert (ann.is_exerted("Ember, On Guard"), ann.is_drying("Ember, On Guard")) == (lies, False)


def test_nobody_else_may_enter_play_exerted():
    scene = Scene(side(hand=[OTHER], ink=2))
    ann, _ = scene
    with scene.refused("bad_move"):
        ann.plays(OTHER, exerted=True)


# evasive and alert


@pytest.mark.parametrize(("attacker", "may"), [("Crew, 3/4/1", False), ("Gull", True), ("Lookout", True)])
def test_only_evasive_and_alert_characters_challenge_an_evasive_one(attacker: str, may: bool):
    scene = Scene(side([attacker]), side([exerted("Gull")]))
    ann, _ = scene
    assert ann.foes(attacker) == (["Gull, Plain Evasive"] if may else [])
    if not may:
        with scene.refused("nothing_to_challenge"):
            ann.challenges(attacker, "Gull")


def test_an_alert_character_can_be_challenged_by_anyone():
    scene = Scene(side(["Crew, 3/4/1"]), side([exerted("Lookout")]))
    ann, bob = scene
    ann.challenges("Crew", "Lookout")
    assert bob.play == []


def test_who_is_evasive_on_the_own_turn_can_be_challenged_by_anyone_on_the_other():
    scene = Scene(side(["Kestrel"]), side([exerted("Gull"), "Crew, 3/4/1"]))
    ann, bob = scene
    assert ann.foes("Kestrel") == ["Gull, Plain Evasive"]
    ann.quests("Kestrel")
    ann.ends_turn()
    assert ann.number("Kestrel", "evasive") == 0
    assert bob.foes("Crew") == ["Kestrel Vane, Rigging Runner"]


# reckless


def test_a_reckless_character_does_not_quest():
    scene = Scene(side(["Hothead, Reckless"]))
    ann, _ = scene
    with scene.refused("reckless"):
        ann.quests("Hothead")


def test_the_turn_cannot_be_passed_while_a_reckless_character_has_something_to_challenge():
    scene = Scene(side(["Hothead, Reckless"]), side([exerted(OTHER)]))
    ann, _ = scene
    with scene.refused("must_challenge"):
        ann.ends_turn()
    ann.challenges("Hothead", OTHER)
    ann.ends_turn()


def test_a_location_is_something_to_challenge_too():
    scene = Scene(side(["Hothead, Reckless"]), side(["Pier"]))
    ann, _ = scene
    with scene.refused("must_challenge"):
        ann.ends_turn()


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (["Hothead, Reckless"], [OTHER]),  # nothing that it could challenge
        (["Hothead, Reckless"], [exerted("Gull")]),  # nothing that it may challenge
        ([exerted("Hothead, Reckless")], [exerted(OTHER)]),
        ([drying("Hothead, Reckless")], [exerted(OTHER)]),
    ],
)
def test_otherwise_a_reckless_character_does_not_bind(mine, theirs):
    scene = Scene(side(mine), side(theirs))
    ann, bob = scene
    ann.ends_turn()
    assert scene.waiting_for() == [bob]


def test_a_reckless_character_with_rush_binds_while_drying():
    scene = Scene(side([drying("Hothead, Reckless and")]), side([exerted(OTHER)]))
    ann, _ = scene
    with scene.refused("must_challenge"):
        ann.ends_turn()


def test_a_reckless_character_that_sings_is_exerted_and_the_turn_may_end():
    scene = Scene(side(["Hothead, Reckless"], hand=["Song of 3"]), side([exerted(OTHER)]))
    ann, bob = scene
    with scene.refused("must_challenge"):
        ann.ends_turn()
    ann.sings("Song of 3", "Hothead")
    ann.ends_turn()
    assert scene.waiting_for() == [bob]


# ward


def test_the_other_side_cannot_choose_a_character_with_ward():
    scene = Scene(side(hand=["Poke"], ink=1), side(["Warden, Plain", OTHER, "Crew, 3/4/1"]))
    ann, _ = scene
    ann.plays("Poke")
    assert ann.choices() == [OTHER, "Crew, 3/4/1"]
    with scene.refused("bad_target"):
        ann.chooses("Warden")


def test_what_hits_each_hits_a_ward_too():
    scene = Scene(side(hand=["Storm"], ink=1), side(["Warden, Plain", OTHER]))
    ann, bob = scene
    ann.plays("Storm")
    assert (bob.damage("Warden"), bob.damage(OTHER)) == (1, 1)


def test_a_ward_does_not_keep_challengers_away():
    scene = Scene(side(["Crew, 3/4/1"]), side([exerted("Warden, Plain")]))
    ann, bob = scene
    ann.challenges("Crew", "Warden")
    assert bob.play == []


def test_its_own_player_may_choose_a_ward():
    scene = Scene(side(["Warden, Plain", OTHER], hand=["Wave"], ink=1))
    ann, _ = scene
    ann.plays("Wave")
    ann.chooses("Warden")
    assert ann.strength("Warden") == 3


# vanish


def test_an_action_of_the_other_side_that_chooses_it_makes_it_vanish_when_it_is_done():
    scene = Scene(side(hand=["Point"], ink=1), side(["Wraith", OTHER]))
    ann, bob = scene
    ann.plays("Point")
    ann.chooses("Wraith")
    assert (bob.play, bob.discard, ann.discard) == ([OTHER], ["Wraith, Plain Vanish"], ["Point"])


def test_it_vanishes_too_when_it_is_the_only_one_there_is_to_choose():
    scene = Scene(side(hand=["Point"], ink=1), side(["Wraith"]))
    ann, bob = scene
    ann.plays("Point")
    assert bob.discard == ["Wraith, Plain Vanish"]


def test_an_ability_of_an_item_or_a_character_does_not_make_it_vanish():
    scene = Scene(side(["Pointer"], hand=["Maude"], ink=4), side(["Wraith"]))
    ann, bob = scene
    ann.uses("Pointer")
    assert (bob.strength("Wraith"), bob.play) == (1, ["Wraith, Plain Vanish"])
    ann.plays("Maude")
    ann.chooses("Wraith")
    assert bob.damage("Wraith") == 2


def test_an_action_of_its_own_player_does_not_make_it_vanish():
    scene = Scene(side(["Wraith", OTHER], hand=["Wave"], ink=1))
    ann, _ = scene
    ann.plays("Wave")
    ann.chooses("Wraith")
    assert ann.strength("Wraith") == 3


def test_an_action_that_chooses_nobody_does_not_make_it_vanish():
    scene = Scene(side(hand=["Storm"], ink=1), side(["Wraith"]))
    ann, bob = scene
    ann.plays("Storm")
    assert bob.damage("Wraith") == 1

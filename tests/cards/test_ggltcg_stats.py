"""Speed, strength and stamina, and what raises them."""

from __future__ import annotations

from tests.cards.scene import Scene, copy_of, hurt, side, stolen, watched

JUICE = "VeryVeryAppleJuice"


def test_ka_strengthens_itself():
    ann, _ = Scene(side(play=["Ka"]), side())
    assert ann.stats("Ka") == (5, 11, 1)


def test_ka_strengthens_its_own_side_only():
    ann, bob = Scene(side(play=["Ka", "Knight"]), side(play=["Knight"]))
    assert (ann.strength("Knight"), bob.strength("Knight")) == (6, 4)


def test_boosts_of_different_cards_add_up():
    ann, bob = Scene(side(play=["Ka", "Violin", "Knight"]), side(play=["Knight"]))
    assert (ann.strength("Knight"), ann.strength("Ka"), ann.strength("Violin")) == (8, 13, 5)
    assert bob.strength("Knight") == 4


def test_ka_and_its_copy_strengthen_each_other():
    ann, _ = Scene(side(play=["Ka", copy_of("Ka")]), side())
    assert (ann.strength("Ka"), ann.strength("Copy of Ka")) == (13, 13)


def test_drum_gives_speed_and_nothing_else():
    ann, _ = Scene(side(play=["Drum", "Knight"]), side())
    assert ann.stats("Knight") == (6, 4, 3)
    assert ann.stats("Drum") == (3, 3, 2)


def test_two_drums_give_twice_the_speed():
    ann, _ = Scene(side(play=["Drum", copy_of("Drum"), "Knight"]), side())
    assert ann.speed("Knight") == 8


def test_a_boost_ends_the_moment_its_source_sleeps():
    ann, _ = Scene(side(play=["Drum", "Knight"], hand=["Drop", "Rush"]), side())
    ann.plays("Drop", on="Drum")
    assert ann.speed("Knight") == 4


def test_a_boost_ends_the_moment_its_source_returns_to_hand():
    ann, _ = Scene(side(play=["Drum", "Knight"], hand=["Jumpscare"]), side())
    ann.plays("Jumpscare", on="Drum")
    assert ann.speed("Knight") == 4


def test_a_boost_changes_sides_with_its_source():
    ann, bob = Scene(side(play=["Knight"], hand=["Twist", "Rush"]), side(play=["Drum", "Beary"]))
    ann.plays("Twist", on="Drum")
    assert (ann.speed("Knight"), bob.speed("Beary")) == (6, 5)


def test_demideca_gives_one_of_everything_itself_included():
    ann, bob = Scene(side(play=["Demideca", "Knight"]), side(play=["Knight"]))
    assert ann.stats("Demideca") == (4, 3, 4)
    assert ann.stats("Knight") == (5, 5, 4)
    assert bob.stats("Knight") == (4, 4, 3)


def test_juice_lasts_until_the_end_of_the_turn():
    scene = Scene(side(play=["Knight"], hand=[JUICE]), side())
    ann, _ = scene
    ann.plays(JUICE)
    assert ann.stats("Knight") == (5, 5, 4)
    ann.ends_turn()
    assert ann.stats("Knight") == (4, 4, 3)


def test_juice_is_for_the_own_toys():
    ann, bob = Scene(side(play=["Knight", stolen("Car")], hand=[JUICE]), side(play=["Knight"]))
    ann.plays(JUICE)
    assert bob.stats("Knight") == (4, 4, 3)
    assert ann.stats("Car") == (8, 3, 3)


def test_juice_is_not_for_toys_played_later():
    ann, _ = Scene(side(play=["Knight"], hand=[JUICE, "Beary"]), side())
    ann.plays(JUICE)
    ann.plays("Beary")
    assert ann.stats("Beary") == (5, 3, 3)


def test_juice_adds_to_a_lasting_boost():
    ann, _ = Scene(side(play=["Knight", "Ka"], hand=[JUICE]), side())
    ann.plays(JUICE)
    assert ann.strength("Knight") == 7


def test_juice_stacks():
    ann, _ = Scene(side(play=["Knight"], hand=[JUICE, JUICE, "Rush"]), side())
    ann.plays(JUICE)
    ann.plays(JUICE)
    assert ann.stats("Knight") == (6, 6, 5)
    ann.ends_turn()
    assert ann.stats("Knight") == (4, 4, 3)


def test_juice_is_washed_off_by_leaving_play():
    ann, _ = Scene(side(play=["Knight"], hand=[JUICE, "Jumpscare"]), side())
    ann.plays(JUICE)
    ann.plays("Jumpscare", on="Knight")
    ann.plays("Knight")
    assert ann.stats("Knight") == (4, 4, 3)


def test_cards_in_hand_or_asleep_get_no_boosts():
    ann, _ = Scene(side(play=["Ka", "Demideca"], hand=["Knight", JUICE], asleep=["Beary"]), side())
    ann.plays(JUICE)
    assert ann.stats("Knight") == (4, 4, 3)
    assert ann.stats("Beary") == (5, 3, 3)


def test_cards_in_hand_or_asleep_give_no_boosts():
    ann, _ = Scene(side(play=["Knight"], hand=["Ka", "Drum"], asleep=["Demideca", "Violin"]), side())
    assert ann.stats("Knight") == (4, 4, 3)


def test_everybody_is_shown_the_stats_that_count():
    scene = Scene(side(play=["Ka", hurt("Knight", 1)], hand=[JUICE]), side())
    ann, bob = scene
    ann.plays(JUICE)
    for view in (ann.view, bob.view, watched(scene)):
        knight = view["cards"][str(ann.s("Knight"))]
        assert (knight["speed"], knight["strength"], knight["stamina"]) == (5, 7, 3)


# stamina that is only lent


def test_a_worn_toy_sleeps_when_demideca_sleeps():
    ann, bob = Scene(side(play=["Knight"]), side(play=["Demideca", hurt("Umbruh", 4)], cc=0))
    assert bob.stamina("Umbruh") == 1
    ann.tussles("Knight", "Demideca")
    assert bob.asleep == ["Demideca", "Umbruh"]
    assert bob.cc == 1  # and Umbruh is heard


def test_a_worn_toy_sleeps_when_demideca_returns_to_hand():
    ann, bob = Scene(side(hand=["Jumpscare", "Ka"]), side(play=["Demideca", hurt("Knight", 3)]))
    ann.plays("Jumpscare", on="Demideca")
    assert (bob.asleep, bob.play) == (["Knight"], [])


def test_a_worn_toy_sleeps_when_demideca_is_stolen():
    ann, bob = Scene(side(hand=["Twist", "Ka"]), side(play=["Demideca", hurt("Knight", 3)]))
    ann.plays("Twist", on="Demideca")
    assert (bob.asleep, ann.play) == (["Knight"], ["Demideca"])


def test_a_toy_with_stamina_of_its_own_outlives_demideca():
    ann, bob = Scene(side(hand=["Drop", "Ka"]), side(play=["Demideca", hurt("Knight", 2)]))
    ann.plays("Drop", on="Demideca")
    assert bob.stamina("Knight") == 1


def test_juice_saves_a_toy_in_a_tussle_until_the_turn_ends():
    """Umbruh 6 against Knight 6, both strike: with juice Umbruh has 5 stamina and takes 4."""
    scene = Scene(side(play=["Umbruh"], hand=[JUICE, "Rush"], cc=2), side(play=["Knight", "Drum"]))
    ann, bob = scene
    ann.plays(JUICE)
    ann.tussles("Umbruh", "Knight")
    assert bob.asleep == ["Knight"]
    assert ann.stamina("Umbruh") == 1
    ann.ends_turn()
    assert ann.asleep == [JUICE, "Umbruh"]
    assert ann.cc == 1
    assert scene.waiting_for() == [bob]


def test_the_end_of_the_juice_can_lose_the_match():
    scene = Scene(side(play=["Umbruh"], hand=[JUICE]), side(play=["Knight", "Drum"]))
    ann, bob = scene
    ann.plays(JUICE)
    ann.tussles("Umbruh", "Knight")
    ann.ends_turn()
    assert scene.winner is bob

"""Turns, income and the counters that a turn resets."""

from __future__ import annotations

import pytest

from tests.cards.scene import Scene, copy_of, side, stolen

KNIGHTLY = ("Beary", "Ka", "Knight", "Raggy", "Twist", "Wake")
TIDY = ("Ka", "Wizard", "Beary", "Copy", "Clean", "Wake")


def idle(scene: Scene, turns: int) -> None:
    for _ in range(turns):
        scene.waiting_for()[0].ends_turn()


def test_the_first_turn_gives_2_cc_and_everybody_holds_their_six():
    scene = Scene.dealt(KNIGHTLY, TIDY)
    ann, bob = scene
    assert (scene.turn, scene.waiting_for()) == (1, [ann])
    assert (ann.cc, bob.cc) == (2, 0)
    assert (ann.hand, bob.hand) == (list(KNIGHTLY), list(TIDY))
    assert ann.play == bob.play == ann.asleep == bob.asleep == []


def test_the_second_turn_gives_the_other_player_4_cc():
    scene = Scene.dealt(KNIGHTLY, TIDY)
    ann, bob = scene
    ann.ends_turn()
    assert (scene.turn, scene.waiting_for()) == (2, [bob])
    assert (ann.cc, bob.cc) == (2, 4)


def test_whoever_begins_gets_the_small_income():
    scene = Scene.dealt(KNIGHTLY, TIDY, first=1)
    ann, bob = scene
    assert scene.waiting_for() == [bob]
    assert (ann.cc, bob.cc) == (0, 2)


def test_who_begins_is_left_to_chance_unless_it_is_fixed():
    begins = [Scene.dealt(KNIGHTLY, TIDY, first=None, seed=seed).waiting_for()[0].name for seed in range(60)]
    assert 15 <= begins.count("ann") <= 45


def test_unspent_cc_are_kept_up_to_7():
    scene = Scene.dealt(KNIGHTLY, TIDY)
    ann, bob = scene
    idle(scene, 2)
    assert (scene.turn, ann.cc) == (3, 6)
    idle(scene, 2)
    assert (scene.turn, ann.cc, bob.cc) == (5, 7, 7)


@pytest.mark.parametrize(("before", "after"), [(0, 4), (2, 6), (3, 7), (5, 7), (7, 7)])
def test_income_is_4_and_cut_off_at_7(before: int, after: int):
    scene = Scene(side(), side(cc=before))
    ann, bob = scene
    ann.ends_turn()
    assert bob.cc == after


@pytest.mark.parametrize(
    ("card", "before", "after"),
    [("Cake", 3, 5), ("Cake", 7, 7), ("Rush", 6, 7), ("Rush", 5, 7), ("Rush", 0, 2), ("Surge", 6, 7), ("Surge", 7, 7)],
)
def test_a_gain_is_cut_off_at_7(card: str, before: int, after: int):
    ann, _ = Scene(side(hand=[card, "Ka"], cc=before), side())
    ann.plays(card)
    assert ann.cc == after


def test_the_attacks_of_a_turn_are_forgotten_on_the_next_own_turn():
    scene = Scene(side(play=["Ka"]), side(hand=["Twist", "Wake", "Copy", "Sun"]))
    ann, _ = scene
    ann.strikes("Ka")
    ann.strikes("Ka")
    assert ann.attacks == 2
    idle(scene, 2)
    assert ann.attacks == 0
    assert ann.may("strike", "Ka")


def test_nothing_is_offered_to_whoever_is_not_on_turn():
    scene = Scene(side(play=["Ka"]), side(play=["Car"], hand=["Rush"]))
    ann, bob = scene
    assert scene.match.offers(bob.seat) == ()
    assert ann.may("end_turn")


def test_a_move_out_of_turn_is_refused():
    scene = Scene(side(play=["Ka"]), side(play=["Car"], hand=["Rush"]))
    _, bob = scene
    for move in (
        lambda: bob.plays("Rush"),
        lambda: bob.tussles("Car", "Ka"),
        lambda: bob.strikes("Car"),
        bob.ends_turn,
    ):
        with scene.refused("not_your_turn"):
            move()


def test_ending_the_turn_is_always_offered_on_it():
    ann, bob = Scene(side(hand=["Twist"], cc=0), side())
    assert ann.may("end_turn")
    assert not bob.may("end_turn")


def test_a_toy_acts_the_turn_it_is_played_and_as_often_as_it_is_paid_for():
    ann, bob = Scene(side(hand=["Beary", "Twist"], cc=7), side(play=["Gibbers", "Dino", "Paper Plane"]))
    ann.plays("Beary")  # Gibbers does not tax it
    ann.tussles("Beary", "Gibbers")
    ann.tussles("Beary", "Dino")
    ann.tussles("Beary", "Paper Plane")
    assert bob.play == []
    assert ann.cc == 0


@pytest.mark.parametrize(("before", "after"), [(0, 6), (1, 7), (5, 7)])
def test_belchaletta_adds_2_to_the_income_of_its_player(before: int, after: int):
    scene = Scene(side(play=["Belchaletta"], cc=before), side(cc=0))
    ann, bob = scene
    idle(scene, 1)
    assert (ann.cc, bob.cc) == (before, 4)  # Bob's start is not Ann's
    idle(scene, 1)
    assert ann.cc == after


def test_two_belchalettas_add_up_to_no_more_than_7():
    scene = Scene(side(play=["Belchaletta", copy_of("Belchaletta")], cc=0), side())
    ann, _ = scene
    idle(scene, 2)
    assert ann.cc == 7


def test_a_stolen_belchaletta_serves_the_thief():
    scene = Scene(side(), side(play=[stolen("Belchaletta")], cc=0))
    ann, bob = scene
    ann.ends_turn()
    assert bob.cc == 6


def test_belchaletta_does_nothing_in_hand_or_asleep():
    scene = Scene(side(hand=["Belchaletta"], asleep=["Belchaletta"], cc=0), side())
    ann, _ = scene
    idle(scene, 2)
    assert ann.cc == 4

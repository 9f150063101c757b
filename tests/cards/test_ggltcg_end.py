"""How a match ends: won, lost, drawn, resigned or run out of time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.errors import Refused
from tests.cards.scene import Scene, hurt, side, stolen, watched


def ended(scene: Scene, turns: int) -> Scene:
    """The scene after so many turns in which nothing is done."""
    for _ in range(turns):
        assert not scene.over
        scene.waiting_for()[0].ends_turn()
    return scene


# won


def test_putting_the_last_awake_card_to_sleep_wins():
    scene = Scene(side(play=["Ka"]), side(play=["Wizard"], hand=[], asleep=["Rush", "Sun", "Wake", "Copy", "Clean"]))
    ann, bob = scene
    ann.tussles("Ka", "Wizard")
    assert scene.winner is ann
    assert len(bob.asleep) == 6
    assert scene.waiting_for() == []
    assert watched(scene)["result"] == {"winners": [0], "ranking": [[0], [1]], "reason": "no_cards"}


def test_one_card_in_hand_keeps_a_player_in_the_match():
    scene = Scene(side(play=["Ka"]), side(play=["Wizard"], hand=["Rush"]))
    ann, _ = scene
    ann.tussles("Ka", "Wizard")
    assert scene.waiting_for() == [ann]


def test_nothing_happens_after_the_end():
    scene = Scene(side(play=["Ka"]), side(play=["Wizard"], hand=[]))
    ann, bob = scene
    ann.tussles("Ka", "Wizard")
    moves: list[Callable[[], object]] = [ann.ends_turn, bob.ends_turn, lambda: ann.strikes("Ka")]
    moves += [ann.resigns, bob.resigns, scene.expire]
    for move in moves:
        with scene.refused("over"):
            move()
    assert scene.match.offers(0) == scene.match.offers(1) == ()


@pytest.mark.parametrize("card", ["Rush", "Surge", "Cake", "Clean", "Toynado"])
def test_an_action_as_the_last_card_awake_loses(card: str):
    scene = Scene(side(hand=[card], asleep=["Ka"]), side())
    ann, bob = scene
    ann.plays(card)
    assert scene.winner is bob


def test_a_toynado_that_returns_an_own_card_does_not_lose():
    scene = Scene(side(hand=["Toynado"], play=["Ka"]), side())
    ann, _ = scene
    ann.plays("Toynado")
    assert ann.hand == ["Ka"]
    assert scene.waiting_for() == [ann]


# drawn because nobody has a card left


def test_clean_with_the_last_cards_of_both_is_a_draw():
    scene = Scene(side(play=["Ka"], hand=["Clean"]), side(play=["Car"], hand=[]))
    ann, _ = scene
    ann.plays("Clean")
    assert scene.drawn == "simultaneous_sleep"
    assert watched(scene)["result"]["winners"] == []


def test_felling_each_other_with_the_last_cards_is_a_draw():
    scene = Scene(side(play=["Knight"], hand=[]), side(play=["Beary"], hand=[]))
    ann, _ = scene
    ann.tussles("Knight", "Beary")
    assert scene.drawn == "simultaneous_sleep"


def test_the_last_card_spent_on_the_last_card_is_a_draw():
    scene = Scene(side(hand=["Drop"]), side(play=["Car"], hand=[]))
    ann, _ = scene
    ann.plays("Drop", on="Car")
    assert scene.drawn == "simultaneous_sleep"


def test_a_toy_that_loses_its_lent_stamina_sleeps_in_the_same_action():
    """Dino and Demideca fell each other, and with Demideca goes what kept Umbruh awake."""
    scene = Scene(side(play=["Dino"], hand=[]), side(play=["Demideca", hurt("Umbruh", 4)], hand=[]))
    ann, _ = scene
    ann.tussles("Dino", "Demideca")
    assert scene.drawn == "simultaneous_sleep"


def test_clean_with_a_card_left_in_one_hand_is_no_draw():
    scene = Scene(side(play=["Ka"], hand=["Clean", "Rush"]), side(play=["Car"], hand=[]))
    ann, _ = scene
    ann.plays("Clean")
    assert scene.winner is ann


def test_felling_each_other_with_a_card_left_is_no_draw():
    scene = Scene(side(play=["Knight"], hand=[]), side(play=["Beary"], hand=["Rush"]))
    ann, bob = scene
    ann.tussles("Knight", "Beary")
    assert scene.winner is bob


def test_seat_1_has_no_advantage_in_a_draw():
    scene = Scene(side(play=["Car"], hand=[]), side(play=["Ka"], hand=["Clean"]), turn=4)
    _, bob = scene
    bob.plays("Clean")
    assert scene.drawn == "simultaneous_sleep"


# drawn because nothing can be done any more


def test_one_idle_turn_each_is_a_deadlock():
    scene = Scene(side(hand=["Twist"]), side(hand=["Twist"]))
    ended(scene, 1)
    assert not scene.over
    ended(scene, 1)
    assert scene.drawn == "deadlock"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (side(hand=["Copy", "Twist"]), side(hand=["Copy", "Twist"])),
        (side(play=["Archer"], hand=[]), side(hand=["Copy"])),
        (side(play=["Archer"], hand=["Wake"]), side(hand=["Clone", "Sun"])),
    ],
)
def test_hands_that_cannot_be_played_are_a_deadlock(one: object, other: object):
    assert ended(Scene(one, other), 2).drawn == "deadlock"  # type: ignore[arg-type]


def test_a_turn_whose_income_still_counted_is_not_idle():
    scene = Scene(side(hand=["Twist"]), side(hand=["Twist"], cc=5))
    ended(scene, 2)
    assert not scene.over  # Bob's CC went from 5 to 7
    ended(scene, 2)
    assert scene.drawn == "deadlock"


def test_an_idle_pair_of_turns_with_cc_still_growing_does_not_count():
    scene = Scene(side(hand=["Twist"], cc=0), side(hand=["Twist"], cc=0))
    ann, bob = scene
    ended(scene, 4)
    assert (ann.cc, bob.cc) == (7, 7)  # by two incomes each, which all counted
    ended(scene, 2)
    assert not scene.over  # of these two, Ann's turn began with an income that counted
    ended(scene, 1)
    assert scene.drawn == "deadlock"


def test_a_turn_in_which_something_could_have_been_done_is_not_idle():
    scene = Scene(side(hand=["Twist"]), side(hand=["Twist", "Surge"]))
    ended(scene, 12)
    assert not scene.over


def test_a_turn_in_which_something_was_done_is_not_idle():
    scene = Scene(side(hand=["Twist"]), side(hand=["Twist", "Surge"]))
    ann, bob = scene
    ann.ends_turn()
    bob.plays("Surge")  # at 7 CC it gives nothing, but it was played
    bob.ends_turn()
    assert not scene.over
    ended(scene, 1)
    assert not scene.over
    ended(scene, 1)
    assert scene.drawn == "deadlock"


def test_fifty_turns_in_which_nothing_is_decided_are_a_standstill():
    scene = Scene(side(hand=["Twist"]), side(hand=["Twist", "Surge"]))
    ended(scene, 49)  # Bob could always play Surge, and never wants to
    assert not scene.over
    ended(scene, 1)
    assert scene.drawn == "standstill"


def test_a_card_put_to_sleep_ends_a_standstill():
    scene = Scene(side(play=["Knight"], hand=["Rush"]), side(play=["Beary"], hand=["Surge"]))
    ann, _ = scene
    ended(scene, 48)
    ann.tussles("Knight", "Beary")
    ended(scene, 49)
    assert not scene.over
    ended(scene, 1)
    assert scene.drawn == "standstill"


def test_a_struck_hand_ends_a_standstill():
    scene = Scene(side(play=["Car"]), side(hand=["Surge", "Twist"]))
    ann, _ = scene
    ended(scene, 48)
    ann.strikes("Car")
    ended(scene, 49)
    assert not scene.over
    ended(scene, 1)
    assert scene.drawn == "standstill"


def test_a_standstill_is_seen_coming():
    scene = Scene(side(hand=["Twist"]), side(hand=["Twist", "Surge"]))
    ann, _ = scene
    ended(scene, 39)
    assert "still" not in ann.view["turn"]
    ended(scene, 1)
    assert ann.view["turn"]["still"] == 40


def test_the_two_idle_turns_are_consecutive():
    scene = Scene(side(hand=["Twist"]), side(hand=["Twist"], play=["Car"]))
    ended(scene, 4)  # Ann may steal Car and Bob may attack: nobody is stuck
    assert not scene.over


def test_whoever_can_only_spend_a_toy_is_not_stuck():
    scene = Scene(side(hand=["Twist"]), side(hand=["Car"]))
    ended(scene, 6)
    assert not scene.over


def test_an_affordable_attack_is_something_to_do():
    scene = Scene(side(play=["Ka"], hand=[]), side(hand=["Twist"]))
    ended(scene, 6)
    assert not scene.over


# drawn because the room said so


@pytest.mark.parametrize("limit", [4, 5, "4"])
def test_a_turn_limit_draws_at_the_end_of_that_turn(limit: int | str):
    scene = Scene(side(hand=["Ka"]), side(hand=["Ka"]), options={"turn_limit": limit})
    ended(scene, int(limit) - 3)
    assert not scene.over
    ended(scene, 1)
    assert scene.drawn == "turn_limit"


def test_without_a_limit_a_match_goes_on_while_something_happens():
    scene = Scene(side(play=["Car"], hand=["Ka"]), side(hand=["Ka", "Surge", "Twist", "Rush"]))
    ann, _ = scene
    for _ in range(3):
        ended(scene, 40)
        ann.strikes("Car")
    assert not scene.over


def test_a_win_on_the_last_turn_is_a_win():
    scene = Scene(side(play=["Ka"]), side(play=["Wizard"], hand=[]), options={"turn_limit": 3})
    ann, _ = scene
    ann.tussles("Ka", "Wizard")
    assert scene.winner is ann


# given up, or run out of time


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("turn", [3, 4])
def test_either_player_may_resign_on_either_turn(seat: int, turn: int):
    scene = Scene(side(), side(), turn=turn)
    scene.players[seat].resigns()
    assert scene.winner is scene.players[1 - seat]
    assert watched(scene)["result"]["reason"] == "resigned"


@pytest.mark.parametrize("seat", [0, 1])
def test_either_player_may_resign_while_a_question_is_open(seat: int):
    scene = Scene(side(play=["Ka"]), side(play=["Snuggles", "Dino"]))
    ann, bob = scene
    ann.tussles("Ka", "Snuggles")
    assert scene.waiting_for() == [bob]
    scene.players[seat].resigns()
    assert scene.winner is scene.players[1 - seat]
    assert scene.waiting_for() == []


def test_nobody_else_can_resign():
    scene = Scene(side(), side())
    for seat in (-1, 2):
        with pytest.raises(Refused) as no:
            scene.match.resign(seat)
        assert no.value.code == "bad_seat"


@pytest.mark.parametrize("turn", [3, 4])
def test_a_turn_that_runs_out_of_time_loses(turn: int):
    scene = Scene(side(), side(), turn=turn)
    (late,) = scene.waiting_for()
    scene.expire()
    assert scene.winner is scene.players[1 - late.seat]
    assert watched(scene)["result"]["reason"] == "time"


# the check runs whenever something could have changed


def test_lent_stamina_lasts_as_long_as_its_lender():
    scene = Scene(side(play=[hurt("Umbruh", 4), stolen("Demideca")]), side())
    ann, bob = scene
    ann.ends_turn()
    bob.ends_turn()
    assert (ann.play, ann.stamina("Umbruh")) == (["Umbruh", "Demideca"], 1)


def test_an_empty_side_has_lost_by_the_next_move():
    scene = Scene(side(hand=["Surge", "Ka"]), side(hand=[]))
    ann, _ = scene
    ann.plays("Surge")
    assert scene.winner is ann

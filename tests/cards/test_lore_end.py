"""How a match ends: lore, an empty deck by either rule, and giving up."""

from __future__ import annotations

from tests.cards.lore_scene import Scene, side


def test_whoever_ends_the_turn_with_an_empty_deck_loses():
    scene = Scene(side(deck=()))
    ann, bob = scene
    ann.ends_turn()
    assert (scene.winner, scene.reason) == (bob, "deck_out")
    assert scene.turn == 3


def test_the_end_of_turn_triggers_come_before_the_empty_deck_counts():
    scene = Scene(side(["Herald, Late"], lore=19, deck=()))
    ann, _ = scene
    ann.ends_turn()
    assert (scene.winner, scene.reason) == (ann, "lore")


def test_a_deck_that_is_refilled_before_the_end_is_not_empty():
    scene = Scene(side(["Herald, Late Drinker"], discard=["Crew, 2/3/1"], deck=()))
    ann, bob = scene
    ann.ends_turn()
    assert (ann.deck, scene.waiting_for()) == (["Crew, 2/3/1"], [bob])


def test_second_tide_refills_a_deck():
    cards = ["Crew, 2/3/1", "Crew, 3/4/1", "Poke"]
    scene = Scene(side(hand=["Second Tide"], ink=3, discard=cards, deck=()))
    ann, bob = scene
    ann.plays("Second Tide")
    assert ann.choices() == ["Crew, 2/3/1", "Crew, 3/4/1"]
    ann.chooses("Crew, 2/3/1", "Crew, 3/4/1")
    assert (ann.hand, ann.deck) == (["Crew, 2/3/1"], ["Crew, 3/4/1"])
    ann.ends_turn()
    assert scene.waiting_for() == [bob]


def test_the_other_player_s_empty_deck_is_no_loss_on_your_turn():
    scene = Scene(side(), side(deck=()))
    ann, bob = scene
    ann.ends_turn()
    assert scene.waiting_for() == [bob]


def test_the_draw_step_with_an_empty_deck_draws_nothing_and_the_match_goes_on_until_the_turn_ends():
    scene = Scene(side(), side(["Crew, 2/3/1"], deck=()))
    ann, bob = scene
    ann.ends_turn()
    assert (bob.hand, scene.phase) == ([], "main")
    bob.quests("Crew")
    bob.ends_turn()
    assert (scene.winner, scene.reason) == (ann, "deck_out")


def test_by_the_older_rule_whoever_must_draw_from_an_empty_deck_loses_there():
    scene = Scene(side(), side(deck=()), deck_out="on_draw")
    ann, _ = scene
    ann.ends_turn()
    assert (scene.winner, scene.reason, scene.phase) == (ann, "deck_out", "draw")


def test_by_the_older_rule_a_card_that_draws_loses_too_and_an_empty_deck_alone_does_not():
    scene = Scene(side(deck=()), side(), deck_out="on_draw")
    ann, bob = scene
    ann.ends_turn()
    assert scene.waiting_for() == [bob]
    drawn = Scene(side(hand=["Tome"], ink=1, deck=["Poke"]), side(), deck_out="on_draw")
    ann, bob = drawn
    ann.plays("Tome")
    assert (drawn.winner, drawn.reason) == (bob, "deck_out")


def test_by_the_newer_rule_a_card_that_draws_from_an_empty_deck_draws_what_there_is():
    scene = Scene(side(hand=["Tome"], ink=1, deck=["Poke"]))
    ann, _ = scene
    ann.plays("Tome")
    assert (ann.hand, scene.winner) == (["Poke"], None)


def test_the_twentieth_lore_wins_when_it_arrives_also_with_an_empty_deck():
    scene = Scene(side(["Crew, 2/3/1"], lore=19, deck=()))
    ann, _ = scene
    ann.quests("Crew")
    assert (scene.winner, scene.reason) == (ann, "lore")


def test_more_than_twenty_is_enough_too():
    scene = Scene(side(["Crew, 5/5/2"], lore=19))
    ann, _ = scene
    ann.quests("Crew")
    assert (scene.winner, ann.lore) == (ann, 21)


def test_if_both_have_twenty_the_active_player_wins():
    for turn in (3, 4):
        scene = Scene(side(lore=20), side(lore=20), turn=turn)
        (active,) = scene.waiting_for()
        active.ends_turn()
        assert (scene.winner, scene.reason) == (active, "lore")


def test_anybody_may_give_up_at_any_time():
    scene = Scene(side())
    ann, bob = scene
    scene.match.resign(bob.seat)  # on Ann's turn
    assert (scene.winner, scene.reason) == (ann, "resigned")
    asked = Scene(side(hand=["Poke"], ink=1), side(["Crew, 2/3/1", "Crew, 3/4/1"]))
    ann, bob = asked
    ann.plays("Poke")
    asked.match.resign(bob.seat)
    assert asked.winner is ann


def test_whoever_lets_the_turn_run_out_of_time_has_lost():
    scene = Scene(side())
    _, bob = scene
    scene.match.expire()
    assert (scene.winner, scene.reason) == (bob, "time")

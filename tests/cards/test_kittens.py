"""Fizzlebox by its rules: the deal, the turn, sparks, vetoes and who is out."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from cards import find_game
from cards.kittens.facts import TURNS, living
from engine.errors import Refused
from engine.lens import Lens
from engine.match import Match
from engine.offers import at_random
from engine.store import state_hash
from engine.table import AUDIENCE, TABLE
from tests.engine.games import pen

GAME = find_game("kittens")


def dealt(seats=3, hands=(), top=(), **how) -> Match:
    """A match in which seat 0 begins, with these cards in the hands beside what was dealt, and these on the pile."""
    match = Match.deal(GAME, **{"seats": seats, "seed": 1, "first": 0, **how})
    with pen(match) as journal:
        for seat, names in enumerate(hands):
            for id in match.table.zones[f"{seat}.hand"]:
                journal.move(id, "out")
            for name in names:
                journal.create(name, -1, f"{seat}.hand")
        for name in reversed(top):
            journal.create(name, -1, "pile")
    match._offers.clear()
    return match


def faces(match, zone):
    return [card.face for card in match.table.lying(zone)]


def play(match, seat, face, **slots):
    id = next(card.id for card in match.table.lying(f"{seat}.hand") if card.face == face)
    return match.act(seat, {"type": "play", "card": id, **slots})


def veto(match, seat):
    held = [card.id for card in match.table.lying(f"{seat}.hand") if card.face == "Veto"]
    return match.act(seat, {"type": "veto", "veto": held[:1]})


def all_pass(match):
    while match.table.stack[-1:] and match.question(match.waiting()[0]):
        match.act(match.waiting()[0], {"type": "pass"})


@pytest.mark.parametrize(("seats", "pile", "total"), [(2, 36, 52), (3, 31, 55), (4, 24, 56), (5, 17, 57)])
def test_the_plain_deal_is_as_the_table_of_the_rules_has_it(seats, pile, total):
    match = Match.deal(GAME, seats=seats, seed=seats, options={"actions": False})
    assert len(match.table.zones["pile"]) == pile
    assert Counter(faces(match, "pile"))["Spark"] == seats - 1
    for seat in range(seats):
        hand = faces(match, f"{seat}.hand")
        assert (len(hand), hand.count("Douse"), hand.count("Spark")) == (8, 1, 0)
    assert sum(id > 0 for id in match.table.entities) == total


@pytest.mark.parametrize("seats", [1, 6])
def test_one_and_six_cannot_play(seats):
    with pytest.raises(Refused, match="2 to 5"):
        Match.deal(GAME, seats=seats, seed=1)


def test_drawing_ends_the_turn_and_playing_does_not():
    match = dealt(hands=(["Button", "Marble"], [], []), top=["Acorn"], options={"actions": False})
    play(match, 0, "Button")
    play(match, 0, "Marble")
    match.act(0, {"type": "draw"})
    assert faces(match, "0.hand") == ["Acorn"]
    assert match.waiting() == (1,)


def test_with_the_option_a_play_ends_the_turn():
    match = dealt(hands=(["Button"], [], []), options={"actions": False, "play_ends_turn": True})
    play(match, 0, "Button")
    assert match.waiting() == (1,)


def test_a_douse_is_not_thrown_away():
    match = dealt(options={"actions": False})
    id = next(card.id for card in match.table.lying("0.hand") if card.face == "Douse")
    before = state_hash(match.table)
    with pytest.raises(Refused) as no:
        match.act(0, {"type": "play", "card": id})
    assert no.value.code == "keep"
    assert state_hash(match.table) == before


def test_without_a_douse_a_spark_is_the_end():
    match = dealt(hands=(["Button"], [], []), top=["Spark"])
    match.act(0, {"type": "draw"})
    assert living(match.table) == [1, 2]
    assert faces(match, "discard") == ["Button"]
    assert "Spark" in faces(match, "out")
    assert match.waiting() == (1,)


@pytest.mark.parametrize("at", [0, 1, 5])
def test_a_doused_spark_goes_where_its_player_wants_it(at):
    match = dealt(hands=(["Douse", "Douse"], [], []), top=["Spark"])
    match.act(0, {"type": "draw"})
    assert faces(match, "0.hand") == ["Douse"]
    with pytest.raises(Refused):
        match.act(0, {"type": "draw"})
    match.act(0, {"type": "place", "at": at})
    assert faces(match, "pile")[-1 - at] == "Spark"
    assert match.waiting() == (1,)


@pytest.mark.parametrize("at", [-1, 10_000, 2.5, "top"])
def test_no_other_place_will_do(at):
    match = dealt(hands=(["Douse"], [], []), top=["Spark"])
    match.act(0, {"type": "draw"})
    with pytest.raises(Refused):
        match.act(0, {"type": "place", "at": at})
    assert match.question(0)


def test_where_the_spark_lies_changes_nothing_that_others_are_told():
    told = set()
    for at in (0, 7, 20):
        match = dealt(hands=(["Douse"], [], []), top=["Spark"])
        match.act(0, {"type": "draw"})
        lenses = [Lens(match.look, viewer) for viewer in (1, 2, AUDIENCE)]
        step = match.act(0, {"type": "place", "at": at})
        told.add(str([(lens.whole(), lens.news(step)) for lens in lenses]))
    assert len(told) == 1


def test_the_last_one_wins_at_once_and_the_others_are_ranked():
    match = dealt(hands=([], [], []), top=["Spark", "Spark"])
    match.act(0, {"type": "draw"})
    match.act(1, {"type": "draw"})
    assert match.table.result.ranking == ((2,), (1,), (0,))


@pytest.mark.parametrize(("vetoes", "works"), [((), True), ((1,), False), ((1, 0), True), ((1, 0, 2), False)])
def test_a_veto_cancels_and_a_veto_on_a_veto_restores(vetoes, works):
    match = dealt(hands=(["Sidestep", "Veto"], ["Veto"], ["Veto"]))
    play(match, 0, "Sidestep")
    for seat in vetoes:
        veto(match, seat)
        assert seat not in match.waiting()
    all_pass(match)
    assert match.waiting() == ((1,) if works else (0,))


def test_everybody_is_asked_alike_whether_or_not_they_hold_a_veto():
    asks = []
    for hand in ([], ["Veto"]):
        match = dealt(hands=(["Stir"], hand, []))
        play(match, 0, "Stir")
        asks.append((match.waiting(), match.table.stack[-1].seconds))
    assert asks[0] == asks[1] == ((1, 2), 5.0)


def test_a_shove_gives_two_turns_and_a_sidestep_takes_one_away():
    match = dealt(hands=(["Shove"], ["Sidestep"], []))
    play(match, 0, "Shove")
    all_pass(match)
    assert (match.waiting(), TURNS.of(match.table[TABLE])) == ((1,), 2)
    play(match, 1, "Sidestep")
    all_pass(match)
    assert (match.waiting(), TURNS.of(match.table[TABLE])) == ((1,), 1)


@pytest.mark.parametrize(("shoves", "turns"), [("add_up", 4), ("always_two", 2)])
def test_a_shove_by_the_shoved(shoves, turns):
    match = dealt(hands=(["Shove"], ["Shove"], []), options={"shoves": shoves})
    for seat in (0, 1):
        play(match, seat, "Shove")
        all_pass(match)
    assert (match.waiting(), TURNS.of(match.table[TABLE])) == ((2,), turns)


def test_a_tithe_that_nobody_chooses_is_left_to_luck():
    match = dealt(hands=(["Tithe"], ["Button", "Marble"], []))
    play(match, 0, "Tithe", foe=[1])
    match.expire()
    assert match.waiting() == (1,)
    match.expire()
    assert len(faces(match, "0.hand")) == len(faces(match, "1.hand")) == 1
    assert match.waiting() == (0,)


def test_an_empty_hand_cannot_be_asked_for_a_tithe():
    match = dealt(hands=(["Tithe"], [], ["Button"]))
    with pytest.raises(Refused):
        play(match, 0, "Tithe", foe=[1])


def test_foresight_is_told_to_one_seat_only():
    match = dealt(hands=(["Foresight"], [], []), top=["Spark", "Button", "Stir"])
    play(match, 0, "Foresight")
    match.act(1, {"type": "pass"})
    step = match.act(2, {"type": "pass"})
    told = [[e for e in Lens(match.look, v).news(step) if e.get("key") == "foreseen"] for v in (0, 1, 2, AUDIENCE)]
    assert told[0][0]["args"]["faces"] == ["Spark", "Button", "Stir"]
    assert told[1:] == [[], [], []]


@pytest.mark.parametrize(("name", "hand"), [("Veto", ["Veto"]), ("Stir", [])])
def test_three_alike_get_the_card_that_was_named_if_it_is_there(name, hand):
    match = dealt(hands=(["Button"] * 3, ["Veto"], []))
    match.act(0, {"type": "triple", "cards": list(match.table.zones["0.hand"]), "foe": [1], "name": [name]})
    all_pass(match)
    assert faces(match, "0.hand") == hand


def test_in_random_matches_there_is_always_one_spark_less_than_players():
    for seed in range(80):
        luck = Random(seed)
        match = Match.deal(GAME, seats=2 + seed % 4, seed=seed, options={"actions": bool(seed % 3)})
        cards = sum(id > 0 for id in match.table.entities)
        while not match.over:
            seat, chance = luck.choice(match.waiting()), luck.random()
            if chance < 0.05:
                match.expire()
            elif chance < 0.055:
                match.resign(luck.choice(living(match.table)))
            else:
                match.act(seat, at_random(match.offers(seat), luck.randrange))
            assert sum(id > 0 for id in match.table.entities) == cards
            if not match.over:
                sparks = [*faces(match, "pile"), *faces(match, "fuse")].count("Spark")
                assert sparks == len(living(match.table)) - 1
        assert len(match.table.result.ranking) == match.table.seats

"""Turns, decisions, counters, chance and the end on the free table."""

from __future__ import annotations

import pytest

from cards.table.facts import DECISION
from engine.errors import Refused
from engine.store import state_hash
from tests.cards.tables import Scene
from tests.cards.test_table_moving import ACE, GAME, KING, QUEEN, THREE, TWO, scene

ANN, BO, CY, DI = 0, 1, 2, 3


# turns


def test_the_turn_goes_round():
    table = Scene(GAME, {}, seats=3)
    for seat, number in ((ANN, 1), (BO, 2), (CY, 3)):
        assert (table.waiting(), table.number) == ((seat,), number)
        table.act(seat, "end_turn")
    assert (table.waiting(), table.number) == ((ANN,), 4)


def test_nobody_acts_out_of_turn():
    table = scene(theirs=[KING])
    assert table.refuses(BO, "end_turn", sure=True) == "not_your_turn"


def test_a_table_may_end_after_so_many_turns():
    table = Scene(GAME, {}, turn_limit=2)
    table.act(ANN, "end_turn")
    table.act(BO, "end_turn")
    assert (table.match.table.result.winners, table.match.table.result.reason) == ((), "turn_limit")


def test_a_table_may_end_after_so_many_moves():
    table = Scene(GAME, {}, move_limit=3)
    for _ in range(3):
        table.act(ANN, "coin_flip", count=1)
    assert table.match.table.result.reason == "move_limit"


# decisions


def test_a_decision_is_a_small_turn_of_somebody_else():
    table = scene(hand=[ACE], theirs=[KING])
    table.act(ANN, "create_decision", seat=BO, message="Choose a card.")
    assert (table.waiting(), table.number) == ((BO,), 1)
    assert table.view(ANN)["turn"]["seat"] == ANN
    assert table.view(ANN)["turn"]["decision"] == {"by": ANN, "seat": BO, "zones": [], "message": "Choose a card."}
    table.move(BO, KING, "1.front")
    table.act(BO, "resolve_decision")
    assert (table.waiting(), table.number, table.fact(DECISION)) == ((ANN,), 1, {})
    assert [entry["do"] for entry in table.view(ANN)["turn"]["done"].values()] == [
        "create_decision",
        "move_card",
        "resolve_decision",
    ]


def test_ending_the_turn_in_a_decision_hands_it_back_and_keeps_the_number():
    table = scene()
    table.act(ANN, "create_decision", seat=BO, message=[])
    table.act(BO, "end_turn")
    assert (table.waiting(), table.number) == ((ANN,), 1)


def test_time_runs_out_for_a_decision_before_it_does_for_the_match():
    table = scene()
    table.act(ANN, "create_decision", seat=BO, message=[])
    table.match.expire()
    assert table.waiting() == (ANN,)
    table.match.expire()
    assert table.match.table.result.winners == (BO,)
    assert table.match.table.result.reason == "time"


def test_nobody_is_asked_to_decide_by_themselves_or_if_they_are_not_there():
    table = scene()
    assert table.refuses(ANN, "create_decision", seat=ANN, message=[]) == "bad_target"
    assert table.refuses(ANN, "create_decision", seat=7, message=[]) == "bad_target"
    assert table.refuses(ANN, "create_decision", seat=BO, message="I hate you.") == "bad_target"


# counters and orientation


def test_counters_lie_on_the_top_card_and_are_counted():
    table = scene(stack=[ACE, TWO])
    table.act(ANN, "add_counter", what=TWO, counter="chip", amount=3)
    table.act(ANN, "add_counter", what=TWO, counter="mark", amount=1)
    assert table.counters(TWO) == {"chip": 3, "mark": 1}
    assert table.view(BO)["cards"][str(table.id(TWO))] == {"face": TWO, "owner": 0, "chip": 3, "mark": 1}


def test_whatever_comes_to_lie_on_top_takes_the_counters():
    table = scene(stack=[ACE], hand=[TWO, THREE])
    table.act(ANN, "add_counter", what=ACE, counter="chip", amount=3)
    table.move(ANN, TWO, "0.stack")
    assert (table.counters(ACE), table.counters(TWO)) == ({}, {"chip": 3})
    table.move(ANN, THREE, "0.stack", "bottom")
    assert (table.counters(THREE), table.counters(TWO)) == ({}, {"chip": 3})


def test_a_card_taken_out_of_a_stack_leaves_its_counters_behind():
    table = scene(stack=[ACE, TWO])
    table.act(ANN, "add_counter", what=TWO, counter="chip", amount=3)
    table.move(ANN, TWO, "0.hand")
    assert table.counters(ACE) == {"chip": 3}


def test_the_last_card_and_a_whole_stack_take_their_counters_along():
    table = scene(stack=[ACE, TWO])
    table.act(ANN, "add_counter", what=TWO, counter="chip", amount=3)
    table.act(ANN, "swap_card_stacks", zones=["0.stack", "0.front"])
    assert table.counters(TWO) == {"chip": 3}
    table.act(ANN, "move_card_stack", what=[ACE, TWO], to="0.stack", at="top")
    assert table.counters(TWO) == {"chip": 3}
    table.move(ANN, ACE, "discard")
    table.move(ANN, TWO, "middle")
    assert table.counters(TWO) == {"chip": 3}


def test_counters_stay_on_the_table():
    table = scene(front=[ACE])
    table.act(ANN, "add_counter", what=ACE, counter="chip", amount=3)
    table.move(ANN, ACE, "discard")
    assert table.counters(ACE) == {}
    table.move(ANN, ACE, "0.front")
    assert table.counters(ACE) == {}


def test_in_a_hand_nothing_lies_on_a_card():
    table = scene(hand=[ACE])
    table.act(ANN, "add_counter", what=ACE, counter="chip", amount=3)
    assert table.counters(ACE) == {}
    assert table.warned() == ["no_counters"]


def test_where_cards_lie_side_by_side_each_bears_its_own():
    table = scene(front=[ACE, TWO])
    table.act(ANN, "add_counter", what=ACE, counter="chip", amount=1)
    table.act(ANN, "add_counter", what=TWO, counter="chip", amount=2)
    assert (table.counters(ACE), table.counters(TWO)) == ({"chip": 1}, {"chip": 2})
    table.move(ANN, ACE, "middle")
    assert (table.counters(ACE), table.counters(TWO)) == ({"chip": 1}, {"chip": 2})


def test_no_more_counters_are_taken_off_than_there_are():
    table = scene(front=[ACE])
    table.act(ANN, "add_counter", what=ACE, counter="chip", amount=2)
    table.act(ANN, "remove_counter", what=ACE, counter="chip", amount=5)
    assert table.counters(ACE) == {}
    assert "remove_counter" not in table.offered(ANN)


@pytest.mark.parametrize(("value", "left"), [(7, {"chip": 7}), (0, {})])
def test_counters_are_set(value, left):
    table = scene(front=[ACE])
    table.act(ANN, "add_counter", what=ACE, counter="chip", amount=2)
    table.act(ANN, "set_counter", what=ACE, counter="chip", value=value)
    assert table.counters(ACE) == left


def test_a_shuffled_stack_bears_its_counters_on_top():
    table = scene(stack=[ACE, TWO, THREE, KING, QUEEN])
    table.act(ANN, "add_counter", what=QUEEN, counter="chip", amount=2)
    table.act(ANN, "shuffle", zone="0.stack")
    assert table.counters(table.faces("0.stack")[-1]) == {"chip": 2}


def test_a_card_is_turned_and_stands_upright_once_it_moves():
    table = scene(front=[ACE])
    table.act(ANN, "set_orientation", what=ACE, orientation="90")
    assert table.view(BO)["cards"][str(table.id(ACE))] == {
        "face": ACE,
        "owner": 0,
        "orientation": "90",
        "turned": True,
    }
    table.move(ANN, ACE, "middle")
    assert table.orientation(ACE) == "0"
    table.act(ANN, "set_orientation", what=ACE, orientation="180")
    table.act(ANN, "set_orientation", what=ACE, orientation="0")
    assert "orientation" not in table.view(BO)["cards"][str(table.id(ACE))]


def test_a_card_is_turned_only_the_ways_that_are_known():
    assert scene(front=[ACE]).refuses(ANN, "set_orientation", what=ACE, orientation="45") == "bad_target"


# chance


def test_coins_and_dice_fall_for_everybody_to_see():
    table = scene()
    table.act(ANN, "coin_flip", count=3)
    (rolled,) = [news for news in table.step.news if news.e == "rolled"]
    assert len(rolled.facts["results"]) == 3
    assert set(rolled.facts["results"]) <= {"heads", "tails"}
    table.act(ANN, "dice_roll", count=5, sides=6)
    assert all(1 <= result <= 6 for result in table.view(BO)["turn"]["done"]["1"]["results"])


@pytest.mark.parametrize(
    ("type", "slots"),
    [
        ("coin_flip", {"count": 10**6}),
        ("coin_flip", {"count": 0}),
        ("dice_roll", {"count": 21, "sides": 6}),
        ("dice_roll", {"count": 1, "sides": 1}),
        ("dice_roll", {"count": -1, "sides": 6}),
    ],
)
def test_nobody_floods_the_table_with_dice(type, slots):
    assert scene().refuses(ANN, type, **slots) == "bad_number"


def test_nobody_says_how_the_coins_fell():
    assert scene().refuses(ANN, "coin_flip", count=1, results=["heads"]) == "bad_move"


# talk and the end


def test_somebody_says_what_they_do():
    table = scene(front=[ACE])
    table.act(ANN, "declare_action", kind="meld", what=[ACE])
    assert table.log(BO) == [f"Ann declares with {ACE}: meld."]
    table.act(ANN, "declare_action", kind="pass", what=[])
    assert table.log(BO) == ["Ann declares: pass."]


def test_a_claim_to_have_won_is_a_proposal():
    table = scene()
    table.act(ANN, "declare_victory", reason="points")
    assert table.match.question(BO) is not None
    table.act(BO, "refuse")
    assert not table.match.over
    assert table.waiting() == (ANN,)
    table.act(ANN, "declare_victory", reason="points")
    table.act(BO, "agree")
    assert (table.match.table.result.winners, table.match.table.result.reason) == ((ANN,), "points")


def test_what_the_table_can_see_needs_nobody_s_consent():
    table = scene(front=[ACE], theirs=[KING])
    table.act(ANN, "declare_victory", reason="no_cards")
    assert table.match.table.result.winners == (ANN,)


def test_whoever_still_holds_cards_has_to_ask():
    table = scene(hand=[ACE])
    table.act(ANN, "declare_victory", reason="no_cards")
    assert table.waiting() == (BO,)


def test_of_several_all_must_agree():
    table = Scene(GAME, {}, seats=4)
    table.act(ANN, "declare_victory", reason="points")
    for seat, answer in ((BO, "agree"), (CY, "refuse"), (DI, "agree")):
        table.act(seat, answer)
    assert not table.match.over
    table.act(ANN, "declare_victory", reason="points")
    for seat in (BO, CY, DI):
        table.act(seat, "agree")
    assert table.match.table.result.winners == (ANN,)


def test_a_claim_in_the_middle_of_a_decision_clears_it():
    table = scene(hand=[ACE])
    table.act(ANN, "reveal_hand", zone="0.hand", seat=BO, how="mine", message=[])
    table.act(BO, "declare_victory", reason="points")
    table.act(ANN, "agree")
    assert table.match.table.result.winners == (BO,)
    assert table.fact(DECISION) == {}
    assert table.sees(BO, "0.hand") == [""]


def test_of_two_the_one_who_stays_has_won():
    table = scene()
    table.match.resign(ANN)
    assert table.match.table.result.winners == (BO,)


def test_of_several_those_who_stay_play_on():
    table = Scene(GAME, {}, seats=4)
    table.match.resign(ANN)
    assert not table.match.over
    assert table.waiting() == (BO,)
    table.match.resign(CY)
    assert table.waiting() == (BO,)
    table.act(BO, "end_turn")
    assert table.waiting() == (DI,)
    table.match.resign(BO)
    assert table.match.table.result.winners == (DI,)


def test_whoever_goes_in_the_middle_of_a_question_is_not_asked_any_more():
    table = Scene(GAME, {"0.hand": [ACE]}, seats=3)
    table.act(ANN, "reveal_hand", zone="0.hand", seat=BO, how="mutual", message=[])
    table.match.resign(BO)
    assert table.waiting() == (ANN,)
    table.act(ANN, "create_decision", seat=CY, message=[])
    table.match.resign(CY)
    assert table.match.table.result.winners == (ANN,)


# forged moves


@pytest.mark.parametrize(
    "do",
    [
        {"type": "move_card", "what": [1], "to": ["0.hand"], "at": ["top"]},
        {"type": "move_card", "what": ["Ace of Spades"], "to": ["0.hand"], "at": ["top"]},
        {"type": "move_card", "player": 1, "what": [1], "to": ["0.hand"], "at": ["top"]},
        {"type": "move_card", "to": ["0.hand"], "at": ["top"]},
        {"type": "draw", "count": -3},
        {"type": "draw", "count": 10**9},
        {"type": "coin_flip", "count": 1_000_000},
        {"type": "flip_card", "what": [1], "seen_by": [9]},
        {"type": "create_decision", "seat": ["1"], "message": []},
        {"type": "concede"},
        {"type": "rewind", "n": 3},
        {"type": "set_counter", "what": [1], "counter": ["chip"], "value": -1},
        {"type": "shuffle", "zone": ["1.deck"]},
        {"type": "search_zone", "zone": ["1.hand"], "count": 1, "end": ["top"]},
        {},
    ],
)
def test_forged_moves_are_refused_and_the_table_stays_as_it_is(do):
    table = scene(hand=[ACE], theirs=[KING], deck=[TWO, THREE])
    before = state_hash(table.match.table)
    for sure in (False, True):
        with pytest.raises(Refused):
            table.match.act(ANN, do, sure=sure)
    assert state_hash(table.match.table) == before
    table.act(ANN, "end_turn")

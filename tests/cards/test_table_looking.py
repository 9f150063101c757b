"""Who sees what on the free table, and until when."""

from __future__ import annotations

import pytest

from cards.table.facts import LOOKS
from engine.lens import Lens
from engine.table import AUDIENCE
from tests.cards.tables import Scene
from tests.cards.test_table_moving import ACE, FOUR, GAME, KING, QUEEN, THREE, TWO, scene

ANN, BO, CY = 0, 1, 2


# peeking and searching


def test_a_peek_shows_the_next_draws_in_their_order():
    table = scene(deck=[ACE, TWO, THREE])
    table.act(ANN, "peek", zone="deck", count=2, end="top")
    assert table.log(ANN) == ["Ann looks at 2 cards at the top of deck.", f"Ann sees {THREE} and {TWO}."]
    table.act(ANN, "draw", count=2)
    assert table.faces("0.hand") == [THREE, TWO]


def test_a_peek_changes_nothing_for_anybody_else():
    table = scene(deck=[ACE, TWO, THREE])
    before = table.view(BO)["zones"], table.view(BO)["cards"]
    table.act(ANN, "peek", zone="deck", count=2, end="bottom")
    assert (table.view(BO)["zones"], table.view(BO)["cards"]) == before
    assert table.log(BO) == table.log(AUDIENCE) == ["Ann looks at 2 cards at the bottom of deck."]
    assert table.sees(ANN, "deck") == [ACE, TWO, ""]


def test_everybody_sees_that_somebody_is_looking_until_the_turn_is_over():
    table = scene(deck=[ACE, TWO, THREE])
    table.act(ANN, "peek", zone="deck", count=1, end="top")
    assert table.view(BO)["seats"]["0"]["looks"] == ["deck"]
    seen = table.id(THREE)
    table.act(ANN, "end_turn")
    assert table.fact(LOOKS, ANN) == []
    assert table.sees(ANN, "deck") == ["", "", ""]
    assert seen not in table.table.entities, "the card would be recognised later"


def test_a_search_shows_all_and_cards_can_be_taken_out_while_it_lasts():
    table = scene(deck=[ACE, TWO, THREE], hand=[KING])
    assert table.refuses(ANN, "move_card", what=TWO, to="0.hand", at="top") == "bad_target"
    table.act(ANN, "search_zone", zone="deck", count=3, end="top")
    table.move(ANN, TWO, "0.hand")
    assert table.faces("deck") == [ACE, THREE]
    assert table.log(BO) == ["Ann moves a card from deck to 0.hand."]


def test_nobody_peeks_into_other_people_s_hidden_places():
    table = scene(theirs=[KING], **{"1_aside": [QUEEN]})
    for zone in ("1.hand", "1.aside"):
        for type in ("peek", "search_zone"):
            assert table.refuses(ANN, type, zone=zone, count=1, end="top", sure=True) in ("bad_target", "illegal")


@pytest.mark.parametrize("count", [0, -1, 4, 10**6])
def test_a_peek_is_at_as_many_cards_as_there_are(count):
    assert scene(deck=[ACE, TWO, THREE]).refuses(ANN, "peek", zone="deck", count=count, end="top") == "bad_number"


# revealing


@pytest.mark.parametrize(("seat", "other"), [(ANN, BO), (BO, ANN)])
def test_a_card_revealed_to_another_is_seen_by_that_one_whoever_sits_where(seat, other):
    table = Scene(GAME, {f"{seat}.hand": [KING, QUEEN]}, first=seat)
    assert table.sees(other, f"{seat}.hand") == ["", ""]
    table.act(seat, "reveal", what=[KING], to=[other])
    assert table.sees(other, f"{seat}.hand") == [KING, ""]
    assert table.sees(AUDIENCE, f"{seat}.hand") == ["", ""]
    table.move(seat, KING, "deck")
    table.move(seat, QUEEN, "deck")
    table.act(seat, "shuffle", zone="deck")
    assert table.sees(other, "deck") == table.sees(seat, "deck") == ["", ""]


def test_a_card_revealed_to_all_is_seen_by_all_who_look_on():
    table = scene(hand=[KING, QUEEN])
    table.act(ANN, "reveal", what=[KING, QUEEN], to=["all"])
    assert table.sees(BO, "0.hand") == table.sees(AUDIENCE, "0.hand") == [KING, QUEEN]
    assert table.log(AUDIENCE) == [f"Ann shows {KING} and {QUEEN}."]


def test_of_several_people_some_are_shown_a_card():
    table = Scene(GAME, {"0.hand": [KING]}, seats=4)
    table.act(ANN, "reveal", what=[KING], to=[2])
    assert [table.sees(viewer, "0.hand") for viewer in (1, 2, 3)] == [[""], [KING], [""]]


def test_a_revealed_card_is_hidden_again_once_it_moves():
    table = scene(hand=[KING])
    table.act(ANN, "reveal", what=[KING], to=[BO])
    table.move(ANN, KING, "0.aside")
    assert table.sees(BO, "0.aside") == [""]


def test_nobody_reveals_other_people_s_cards():
    table = scene(theirs=[KING], hand=[ACE])
    assert table.refuses(ANN, "reveal", what=[KING], to=["all"], sure=True) == "bad_target"


# turning over


def test_a_card_on_the_table_is_turned_face_down_for_everybody_and_up_again():
    table = scene(front=[KING])
    table.act(ANN, "flip_card", what=KING, seen_by=[])
    assert table.sees(ANN, "0.front") == table.sees(BO, "0.front") == [""]
    assert table.view(BO)["zones"]["0.front"]["n"] == 1
    table.act(ANN, "flip_card", what=[table.table.zones["0.front"][0]], seen_by=["all"])
    assert table.sees(BO, "0.front") == table.sees(AUDIENCE, "0.front") == [KING]


def test_a_card_may_be_seen_by_some_only():
    table = scene(front=[KING])
    table.act(ANN, "flip_card", what=KING, seen_by=[ANN])
    assert [table.sees(viewer, "0.front") for viewer in (ANN, BO, AUDIENCE)] == [[KING], [""], [""]]


def test_a_face_down_card_lies_open_again_when_it_is_moved_on_the_table():
    table = scene(front=[KING])
    table.act(ANN, "flip_card", what=KING, seen_by=[])
    table.move(ANN, [table.table.zones["0.front"][0]], "middle")
    assert table.sees(BO, "middle") == [KING]


def test_nobody_turns_other_people_s_cards_over():
    table = scene(**{"1_front": [KING]}, front=[ACE])
    assert table.refuses(ANN, "flip_card", what=KING, seen_by=[], sure=True) == "bad_target"


# a hand is laid open


def laid_open(how: str = "mine") -> Scene:
    table = Scene(GAME, {"0.hand": [ACE, TWO], "1.hand": [KING], "deck": [THREE, FOUR]})
    table.act(ANN, "reveal_hand", zone="0.hand", seat=BO, how=how, message="Choose a card.")
    return table


def test_a_hand_is_laid_open_until_the_other_has_decided():
    table = laid_open()
    assert table.waiting() == (BO,)
    assert table.sees(BO, "0.hand") == table.sees(AUDIENCE, "0.hand") == [ACE, TWO]
    assert f"Ann lays a hand open: {ACE} and {TWO}." in table.log(AUDIENCE)
    seen = set(table.table.zones["0.hand"])
    table.act(BO, "resolve_decision")
    assert table.sees(BO, "0.hand") == ["", ""]
    assert seen.isdisjoint(table.table.entities), "the cards would be recognised later"
    assert table.waiting() == (ANN,)


def test_there_is_one_decision_at_a_time():
    table = laid_open()
    assert {"create_decision", "reveal_hand"}.isdisjoint(table.offered(BO))
    assert table.refuses(BO, "create_decision", seat=ANN, message=[]) == "illegal"


def test_only_whoever_has_to_decide_is_done_deciding():
    table = laid_open()
    assert table.refuses(ANN, "resolve_decision") == "not_your_turn"
    table.act(BO, "resolve_decision")
    assert table.refuses(ANN, "resolve_decision") == "illegal"


def test_both_hands_are_laid_open_only_if_the_other_agrees():
    table = laid_open("mutual")
    assert table.sees(ANN, "1.hand") == [""]
    assert table.match.question(BO) is not None
    table.act(BO, "agree")
    assert table.sees(ANN, "1.hand") == [KING]
    assert table.sees(BO, "0.hand") == [ACE, TWO]
    assert table.waiting() == (BO,)
    table.act(BO, "resolve_decision")
    assert table.sees(ANN, "1.hand") == [""]
    assert table.sees(BO, "0.hand") == ["", ""]
    assert table.waiting() == (ANN,)


def test_whoever_refuses_shows_nothing_and_sees_nothing():
    table = laid_open("mutual")
    table.act(BO, "refuse")
    assert table.sees(ANN, "1.hand") == [""]
    assert table.sees(BO, "0.hand") == ["", ""]
    assert table.waiting() == (ANN,)


def test_a_question_that_runs_out_of_time_is_refused():
    table = laid_open("mutual")
    table.match.expire()
    assert table.sees(ANN, "1.hand") == [""]
    assert table.waiting() == (ANN,)


def test_giving_up_in_between_ends_the_match_with_nothing_left_to_decide():
    table = laid_open()
    table.match.resign(BO)
    assert table.match.table.result.winners == (ANN,)
    assert "decision" not in table.view(ANN)["turn"]
    assert table.sees(BO, "0.hand") == ["", ""]


def test_seats_that_are_not_there_see_nothing():
    table = Scene(GAME, {"0.hand": [KING]}, seats=3)
    assert table.refuses(ANN, "reveal", what=[KING], to=[3]) == "bad_target"
    assert Lens(table.match.look, CY).whole()["you"] == CY

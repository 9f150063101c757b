"""Cards on the free table: drawing, moving, swapping, shuffling, and which end is the top."""

from __future__ import annotations

import pytest

from cards.table.facts import DONE
from tests.cards.tables import Scene
from tests.engine.games import find_game

GAME = find_game("table")
ANN, BO = 0, 1
ACE, TWO, THREE, FOUR, FIVE = (f"{rank} of Spades" for rank in ("Ace", "Two", "Three", "Four", "Five"))
KING, QUEEN = "King of Hearts", "Queen of Hearts"


def scene(**zones: list[str]) -> Scene:
    """`hand` is Ann's, `theirs` Bo's; the rest are places of the mat with a dot for an underscore."""
    names = {"hand": "0.hand", "front": "0.front", "stack": "0.stack", "aside": "0.aside", "theirs": "1.hand"}
    return Scene(GAME, {names.get(zone, zone.replace("_", ".")): faces for zone, faces in zones.items()})


# drawing


def test_cards_are_drawn_from_the_top_one_by_one():
    table = scene(deck=[ACE, TWO, THREE])
    table.act(ANN, "draw", count=2)
    assert table.faces("0.hand") == [THREE, TWO]
    assert table.faces("deck") == [ACE]


def test_a_draw_of_three_from_a_deck_of_two_gives_two_and_is_no_error():
    table = scene(deck=[ACE, TWO])
    table.act(ANN, "draw", count=3)
    assert table.faces("0.hand") == [TWO, ACE]
    table.act(ANN, "draw", count=1)
    assert len(table.faces("0.hand")) == 2


@pytest.mark.parametrize("count", [0, -1, 11, 10**6])
def test_nobody_draws_none_or_a_million(count):
    assert scene(deck=[ACE]).refuses(ANN, "draw", count=count) == "bad_number"


def test_whoever_draws_sees_the_card_and_the_others_only_count():
    table = scene(deck=[ACE, TWO])
    table.act(ANN, "draw", count=1)
    assert table.sees(ANN, "0.hand") == [TWO]
    assert table.sees(BO, "0.hand") == [""]
    assert table.log(BO) == ["Ann draws 1."]


# moving one card


def test_a_card_moves_from_the_hand_to_the_front_and_everybody_sees_it():
    table = scene(hand=[ACE, TWO])
    table.move(ANN, ACE, "0.front")
    assert table.sees(BO, "0.front") == [ACE]
    assert table.log(BO) == ["Ann moves Ace of Spades from 0.hand to 0.front."]
    assert table.waiting() == (ANN,)


def test_the_top_is_the_end_of_the_list():
    table = scene(deck=[ACE, TWO], hand=[THREE])
    table.move(ANN, THREE, "deck", "top")
    table.act(ANN, "draw", count=1)
    assert table.faces("0.hand") == [THREE]


def test_what_goes_under_the_deck_is_drawn_last():
    table = scene(deck=[ACE, TWO], hand=[THREE])
    table.move(ANN, THREE, "deck", "bottom")
    table.act(ANN, "draw", count=3)
    assert table.faces("0.hand") == [TWO, ACE, THREE]


@pytest.mark.parametrize(("at", "order"), [(0, [KING, ACE, TWO]), (1, [ACE, KING, TWO]), (2, [ACE, TWO, KING])])
def test_a_number_counts_from_the_bottom(at, order):
    table = scene(stack=[ACE, TWO], hand=[KING])
    table.move(ANN, KING, "0.stack", at)
    assert table.faces("0.stack") == order


def test_a_card_may_be_moved_within_its_place():
    table = scene(stack=[ACE, TWO, THREE])
    table.move(ANN, ACE, "0.stack", "top")
    assert table.faces("0.stack") == [TWO, THREE, ACE]


@pytest.mark.parametrize(
    "slots",
    [
        {"what": [99999], "to": "0.front", "at": "top"},
        {"what": ACE, "to": "2.front", "at": "top"},
        {"what": ACE, "to": "nowhere", "at": "top"},
        {"what": ACE, "to": "0.front", "at": "middle"},
    ],
)
def test_a_card_or_a_place_that_is_not_there_is_refused(slots):
    assert scene(hand=[ACE]).refuses(ANN, "move_card", **slots) == "bad_target"


# moving several


def test_a_stack_keeps_its_order_on_top():
    table = scene(front=[ACE, TWO, THREE], stack=[KING])
    table.act(ANN, "move_card_stack", what=[THREE, ACE], to="0.stack", at="top")
    assert table.faces("0.stack") == [KING, THREE, ACE]
    assert table.faces("0.front") == [TWO]


def test_a_stack_keeps_its_order_underneath():
    table = scene(front=[ACE, TWO], stack=[KING])
    table.act(ANN, "move_card_stack", what=[ACE, TWO], to="0.stack", at="bottom")
    assert table.faces("0.stack") == [ACE, TWO, KING]


def test_cards_are_gathered_from_wherever_they_are():
    table = scene(front=[ACE], hand=[TWO], middle=[THREE])
    table.act(ANN, "place_on_zone", what=[TWO, ACE, THREE], zone="deck", at="top")
    assert table.faces("deck") == [TWO, ACE, THREE]
    table.act(ANN, "draw", count=1)
    assert table.faces("0.hand") == [THREE]


def test_the_same_card_twice_is_refused():
    table = scene(front=[ACE, TWO])
    assert table.refuses(ANN, "move_card_stack", what=[ACE, ACE], to="0.stack", at="top") == "bad_count"


# whole places


def test_two_places_are_swapped_at_once():
    table = scene(front=[ACE, TWO], stack=[KING])
    table.act(ANN, "swap_card_stacks", zones=["0.front", "0.stack"])
    assert (table.faces("0.front"), table.faces("0.stack")) == ([KING], [ACE, TWO])


def test_a_place_is_swapped_with_an_empty_one():
    table = scene(front=[ACE, TWO])
    table.act(ANN, "swap_card_stacks", zones=["0.stack", "0.front"])
    assert (table.faces("0.front"), table.faces("0.stack")) == ([], [ACE, TWO])


def test_a_shuffle_keeps_the_cards_and_forgets_who_saw_them():
    cards = [ACE, TWO, THREE, FOUR, FIVE]
    table = scene(deck=cards)
    table.act(ANN, "peek", zone="deck", count=5, end="top")
    assert table.sees(ANN, "deck") == cards
    before = set(table.table.zones["deck"])
    table.act(ANN, "shuffle", zone="deck")
    assert sorted(table.faces("deck")) == sorted(cards)
    assert table.sees(ANN, "deck") == [""] * 5
    assert before.isdisjoint(table.table.zones["deck"])


def test_one_card_cannot_be_shuffled():
    assert "shuffle" not in scene(deck=[ACE]).offered(ANN)


def test_a_mulligan_puts_the_hand_away_and_draws_anew():
    table = scene(deck=[ACE, TWO, THREE], hand=[KING, QUEEN])
    table.act(ANN, "mulligan", count=4)
    assert len(table.faces("0.hand")) == 4
    assert sorted(table.faces("0.hand") + table.faces("deck")) == sorted([ACE, TWO, THREE, KING, QUEEN])
    assert table.log(BO) == ["Ann shuffles the hand away and draws 4."]


def test_a_mulligan_draws_what_there_is():
    table = scene(hand=[KING, QUEEN])
    table.act(ANN, "mulligan", count=7)
    assert sorted(table.faces("0.hand")) == sorted([KING, QUEEN])


# putting in order


def test_the_first_that_is_named_comes_to_lie_outermost():
    table = scene(deck=[ACE, TWO, THREE, FOUR])
    table.act(ANN, "peek", zone="deck", count=3, end="top")
    table.act(ANN, "rearrange_zone", zone="deck", what=[TWO, FOUR, THREE], end="top")
    table.act(ANN, "draw", count=3)
    assert table.faces("0.hand") == [TWO, FOUR, THREE]


def test_the_bottom_can_be_put_in_order_too():
    table = scene(deck=[ACE, TWO, THREE, FOUR])
    table.act(ANN, "peek", zone="deck", count=2, end="bottom")
    table.act(ANN, "rearrange_zone", zone="deck", what=[TWO, ACE], end="bottom")
    assert table.faces("deck") == [TWO, ACE, THREE, FOUR]


def test_only_the_cards_at_the_end_can_be_put_in_order():
    table = scene(deck=[ACE, TWO, THREE, FOUR])
    table.act(ANN, "peek", zone="deck", count=3, end="top")
    deep = table.id(ACE)
    assert table.refuses(ANN, "rearrange_zone", zone="deck", what=[deep, FOUR, THREE], end="top") == "bad_target"
    assert table.refuses(ANN, "rearrange_zone", zone="deck", what=[FOUR, THREE], end="top") == "bad_count"
    assert table.faces("deck") == [ACE, TWO, THREE, FOUR]


def test_nobody_puts_in_order_what_they_cannot_tell_apart():
    assert "rearrange_zone" not in scene(deck=[ACE, TWO]).offered(ANN)


def test_whoever_was_shown_a_card_does_not_know_where_it_went_when_its_place_was_put_in_order():
    table = scene(aside=[ACE, TWO], deck=[THREE, FOUR, FIVE])
    table.act(ANN, "peek", zone="deck", count=3, end="top")
    table.act(ANN, "reveal", what=[FIVE], to=[BO])
    assert table.sees(BO, "deck") == ["", "", FIVE]
    table.act(ANN, "rearrange_zone", zone="deck", what=[FOUR, FIVE, THREE], end="top")
    assert table.sees(BO, "deck") == ["", "", ""]
    assert table.sees(ANN, "deck") == [THREE, FIVE, FOUR]


# room


def test_a_full_place_takes_no_more_cards_from_anybody():
    table = scene(trump=[ACE], hand=[TWO])
    assert table.refuses(ANN, "move_card", what=TWO, to="trump", at="top") == "unusual"
    assert table.faces("trump") == [ACE]


def test_whoever_is_sure_finds_room():
    table = scene(trump=[ACE], hand=[TWO])
    table.move(ANN, TWO, "trump", sure=True)
    assert table.faces("trump") == [ACE, TWO]
    assert table.warned() == []


def test_several_cards_go_only_where_there_is_room_for_any_number():
    table = scene(hand=[ACE, TWO])
    assert table.refuses(ANN, "move_card_stack", what=[ACE, TWO], to="trump", at="top") == "bad_target"
    table.move(ANN, ACE, "trump")
    assert table.faces("trump") == [ACE]


# other people's places


def test_a_person_who_lays_a_card_before_somebody_else_is_warned():
    table = scene(hand=[ACE])
    table.move(ANN, ACE, "1.front")
    assert table.warned() == ["foreign_zone"]
    assert "1.front belongs to somebody else." in table.log(BO)
    assert table.zone_of(ACE) == "1.front"


def test_a_bot_is_stopped_there_and_passes_if_it_is_sure():
    table = scene(hand=[ACE, TWO])
    assert table.stops(ANN, "move_card", what=ACE, to="1.front", at="top") == ["foreign_zone"]
    stack = {"what": [ACE, TWO], "to": "1.front", "at": "top"}
    assert table.stops(ANN, "move_card_stack", **stack) == ["foreign_zone"]
    gather = {"what": [ACE], "zone": "1.stack", "at": "top"}
    assert table.stops(ANN, "place_on_zone", **gather) == ["foreign_zone"]
    table.act(ANN, "move_card_stack", **stack, heed="all", sure=True)
    assert table.faces("1.front") == [ACE, TWO]


def test_one_s_own_places_and_shared_ones_are_nobody_s_business():
    table = scene(hand=[ACE, TWO, THREE])
    table.move(ANN, ACE, "0.front", heed="all")
    table.move(ANN, TWO, "middle", heed="all")
    table.move(ANN, THREE, "discard", heed="all")


def test_taking_what_lies_before_somebody_else_is_unusual():
    table = scene(**{"1_front": [KING, QUEEN]})
    assert table.stops(ANN, "move_card", what=KING, to="0.hand", at="top") == ["foreign_card"]
    table.move(ANN, KING, "discard", heed="all")  # what is thrown away may be anybody's
    assert table.zone_of(KING) == "discard"


def test_counters_are_laid_on_anybody_s_cards():
    table = scene(**{"1_front": [KING]})
    table.act(ANN, "add_counter", what=KING, counter="chip", amount=2, heed="all")
    assert table.counters(KING) == {"chip": 2}


def test_a_table_may_put_other_people_s_places_out_of_bounds():
    table = Scene(GAME, {"0.hand": [ACE], "1.front": [KING]}, ownership="block")
    assert table.refuses(ANN, "move_card", what=ACE, to="1.front", at="top", sure=True) == "bad_target"
    assert table.refuses(ANN, "move_card", what=KING, to="discard", at="top") == "bad_target"


def test_nobody_takes_up_what_they_cannot_see_in_other_people_s_places():
    table = scene(hand=[ACE], theirs=[KING], **{"1_aside": [QUEEN]})
    for name in (KING, QUEEN):
        assert table.refuses(ANN, "move_card", what=name, to="0.hand", at="top", sure=True) == "bad_target"


def test_of_one_s_own_face_down_cards_one_takes_up_any():
    table = scene(aside=[ACE, TWO])
    table.move(ANN, ACE, "0.hand")
    assert table.sees(ANN, "0.hand") == [ACE]


# what is remembered


def test_the_turn_remembers_what_was_done_as_far_as_everybody_knows():
    table = scene(deck=[ACE], hand=[TWO, THREE])
    table.move(ANN, TWO, "0.front")
    table.move(ANN, THREE, "deck", "bottom", sure=True)
    assert list(table.fact(DONE).values()) == [
        {"do": "move_card", "seat": 0, "to": "0.front", "cards": [TWO], "from": "0.hand"},
        {"do": "move_card", "seat": 0, "to": "deck", "sure": True, "cards": [""], "from": "0.hand"},
    ]
    assert table.view(BO)["turn"]["done"] == table.fact(DONE)
    table.act(ANN, "end_turn")
    assert table.fact(DONE) == {}


def test_what_is_refused_is_not_remembered():
    table = scene(trump=[ACE], hand=[TWO])
    table.refuses(ANN, "move_card", what=TWO, to="trump", at="top")
    assert table.fact(DONE) == {}


def test_a_turn_without_end_is_remembered_in_part():
    table = scene()
    for _ in range(230):
        table.act(ANN, "coin_flip", count=1)
    assert len(table.fact(DONE)) == 200
    assert max(map(int, table.fact(DONE))) == 229

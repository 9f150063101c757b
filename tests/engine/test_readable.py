"""A table read out: names both ways, like cards as one, and a tool for whatever is offered."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given

from engine.lens import Lens
from engine.match import Match
from engine.naming import Names, Unclear
from engine.offers import at_random
from engine.readable import as_text, readable
from engine.tools import BadCall, mode, read_call, tools
from tests.engine.games import GAMES, MAGPIES, games, midway, seeds

VIEW: dict[str, Any] = {
    "game": "magpies",
    "you": 0,
    "turn": {"number": 3, "phase": "main", "seat": 0, "waiting": [0]},
    "seats": {"0": {"name": "Ann"}, "1": {"name": "Bo"}},
    "zones": {
        "0.hand": {"n": 5, "cards": [21, 22, 23, 24, 25]},
        "1.hand": {"n": 4},
        "0.front": {"n": 2, "cards": [31, 32]},
        "deck": {"n": 9, "cards": [0, 40]},
    },
    "cards": {
        **{str(id): {"face": "Coin", "owner": 0} for id in (21, 22, 23)},
        "24": {"face": "Coin", "owner": 0, "chip": 2},
        "25": {"face": "Ash\u2019s Cat", "owner": 0, "tapped": False, "note": ""},
        "31": {"owner": 0},
        "32": {"face": "Coin", "owner": 1, "controller": 0},
        "40": {"face": "Hiss", "owner": -1},
    },
}
HAND = [21, 22, 23, 24, 25]


def names(**titles: str) -> Names:
    return Names(MAGPIES, VIEW, titles)


# reading


def test_like_cards_are_one_and_a_counter_keeps_one_apart():
    cards = readable(MAGPIES, VIEW)["zones"]["your_hand"]["cards"]
    assert cards == [
        {"name": "Coin", "count": 3},
        {"name": "Coin", "chip": 2},
        {"name": "Ash\u2019s Cat"},
    ]


def test_hidden_cards_are_a_number_and_places_are_called_by_whose_they_are():
    zones = readable(MAGPIES, VIEW)["zones"]
    assert zones["opponent_hand"] == {"count": 4}
    assert zones["deck"] == {"count": 9, "cards": [{"name": "Hiss"}]}
    assert zones["your_front"]["cards"] == [{"name": "face-down card"}, {"name": "Coin", "owner": "opponent"}]


def test_somebody_who_watches_reads_of_seats():
    watching = {key: value for key, value in VIEW.items() if key != "you"}
    assert list(readable(MAGPIES, watching)["zones"]) == ["seat0_hand", "seat1_hand", "seat0_front", "deck"]
    assert mode(watching) == "waiting"


def test_what_was_done_this_turn_is_told_by_name():
    done = {"0": {"do": "move_card", "seat": 1, "cards": ["Coin", ""], "from": "1.hand", "to": "0.front", "sure": True}}
    view = {**VIEW, "turn": {**VIEW["turn"], "done": done, "decision": {"by": 1, "seat": 0, "zones": ["0.hand"]}}}
    told = readable(MAGPIES, view)
    assert told["this_turn"] == [
        {
            "do": "move_card",
            "seat": "opponent",
            "cards": ["Coin", "a hidden card"],
            "from": "opponent_hand",
            "to": "your_front",
            "sure": True,
        }
    ]
    assert told["decision"] == {"by": "opponent", "seat": "you", "zones": ["your_hand"]}
    assert mode(view) == "decision"


def test_the_page_says_who_one_is_and_what_the_cards_say():
    page = as_text(MAGPIES, VIEW)
    assert "You are Ann, in seat 0." in page
    assert "your_hand (5): Coin ×3, Coin [chip 2], Ash\u2019s Cat" in page


# names


def test_two_faces_of_one_name_are_told_apart_both_ways():
    called = names(Coin="Shiny", Hiss="Shiny")
    assert called.card(21) == "Shiny (Coin)"
    assert called.meant(["Shiny (Hiss)"], [21, 40]) == [40]
    assert names(Coin="Shiny").card(21) == "Shiny"


@pytest.mark.parametrize("word", ["Ash's Cat", "ash\u2019s cat", "Ash's Cat in your_hand", 25])
def test_apostrophes_and_capitals_do_not_matter(word):
    assert names().meant([word], HAND) == [25]


def test_the_uppermost_is_meant_and_the_same_word_twice_means_two():
    assert names().meant(["Coin"], [21, 22, 23]) == [23]
    assert names().meant(["Coin", "Coin"], [21, 22, 23]) == [23, 22]


def test_cards_of_one_name_that_look_different_have_numbers_from_the_top():
    assert names().meant(["Coin in your_hand #1"], HAND) == [24]
    assert names().meant(["Coin in your_hand #2"], HAND) == [23]


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("Coyn", "Did you mean 'Coin in your_hand'"),
        ("Spoon", "none of"),
        ("Coin in deck", "none of"),
        (99, "none of"),
    ],
)
def test_a_word_that_means_nothing_is_answered_with_what_there_is(word, why):
    with pytest.raises(Unclear, match=why):
        names().meant([word], [21, 25])


def test_a_word_that_means_too_much_is_asked_back():
    with pytest.raises(Unclear, match=r"may be Coin in .* or Coin in .*; say which"):
        names().meant(["Coin"], [21, 32])
    with pytest.raises(Unclear, match="no more of 'Coin'"):
        names().meant(["Coin", "Coin"], [21])


def test_players_places_and_words_are_meant_as_they_are_called():
    assert names().meant(["opponent"], [0, 1]) == [1]
    assert names().meant(["your_front"], ["0.front", "1.hand"]) == ["0.front"]
    assert names().meant(["top"], ["top", "bottom"]) == ["top"]


# tools

SOME = {"name": "what", "from": [21, 22, 24], "least": 1, "most": 2}
CAT = {"name": "what", "from": [25], "least": 1, "most": 1}
BO, ANYBODY = ({"name": "to", "from": seats, "least": 1, "most": 1} for seats in ([1], [0, 1]))
OFFERS = [
    {"type": "give", "label": "Give", "slots": [SOME, BO]},
    {"type": "give", "label": "Give", "free": True, "warns": ["odd"], "slots": [CAT, ANYBODY]},
    {"type": "bid", "label": "Bid", "slots": [{"name": "coins", "range": [1, 5]}]},
    {"type": "end_turn", "label": "End turn"},
]


def test_there_is_one_tool_for_each_kind_of_move_and_two_that_are_always_there():
    found = {tool["name"]: tool for tool in tools(MAGPIES, VIEW, OFFERS)}
    assert list(found) == ["give", "bid", "end_turn", "take_back", "resign"]
    give = found["give"]["input_schema"]
    assert set(give["properties"]["what"]["items"]["enum"]) >= {"Ash\u2019s Cat in your_hand", "Coin in your_hand"}
    assert give["properties"]["to"] == {"type": "string", "enum": ["opponent", "you"]}
    assert give["required"] == ["what", "to"]
    assert "sure" in give["properties"]
    assert found["bid"]["input_schema"]["properties"]["coins"] == {"type": "integer", "minimum": 1, "maximum": 5}
    assert found["end_turn"]["ends"]
    assert "There is a reason to do it now." in found["give"]["description"]


def test_nobody_who_is_not_waited_for_has_tools():
    assert tools(MAGPIES, {**VIEW, "turn": {**VIEW["turn"], "waiting": [1]}}, []) == []


@pytest.mark.parametrize(
    ("name", "arguments", "do"),
    [
        ("give", {"what": ["Coin"], "to": "opponent"}, {"type": "give", "what": [24], "to": [1]}),
        ("give", {"what": "Ash's Cat", "to": "you"}, {"type": "give", "what": [25], "to": [0]}),
        ("bid", {"coins": 3}, {"type": "bid", "coins": 3}),
        ("end_turn", {}, {"type": "end_turn"}),
        ("give", {"what": "Ash's Cat", "to": "opponent", "sure": True}, {"type": "give", "what": [25], "to": [1]}),
    ],
)
def test_a_call_is_a_move(name, arguments, do):
    assert read_call(MAGPIES, VIEW, OFFERS, name, arguments) == do


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("dance", {}, "You cannot call dance now. You can call give, bid, end_turn."),
        ("bid", {}, "coins is a whole number from 1 to 5."),
        ("bid", {"coins": 9}, "coins is a whole number from 1 to 5."),
        ("bid", {"coins": True}, "coins is a whole number from 1 to 5."),
        ("bid", {"coins": 1, "why": "fun"}, "bid has no argument 'why'; it takes coins."),
        ("give", {"what": ["Coin", "Coin", "Coin"]}, "what wants"),
        ("give", {}, "what is missing; it may be Coin in your_hand"),
    ],
)
def test_a_call_that_cannot_be_is_answered_with_what_could(name, arguments, why):
    with pytest.raises(BadCall) as no:
        read_call(MAGPIES, VIEW, OFFERS, name, arguments)
    assert why in str(no.value)


@given(game=games, seed=seeds)
def test_whatever_may_be_done_can_be_said(game, seed):
    """Any filling of any offer, told by the names of things, is a move that is accepted; and the table can be read."""
    luck = Random(seed)
    match = midway(game, seed, luck.randrange(40))
    for seat in match.waiting():
        lens = Lens(match.look, seat)
        view, offers = lens.whole(), lens.offers(match)
        assert as_text(game, view)
        callable_ = {tool["name"] for tool in tools(game, view, offers, lens.ask(match))}
        for _ in range(6):
            do = at_random(match.offers(seat), luck.randrange)
            assert do["type"] in callable_ or mode(view) == "decision"
            said = spoken(game, view, do)
            match.check(seat, read_call(game, view, offers, do["type"], said), sure=True)


def spoken(game, view, do) -> dict[str, Any]:
    """A move by the names of things; a number stays one."""
    called = Names(game, view)
    told: dict[str, Any] = {}
    for slot, value in do.items():
        if slot == "type":
            continue
        told[slot] = called.entry(value) if slot == "card" else value
        if isinstance(value, list):
            told[slot] = [called.entry(entry) for entry in value]
    return told


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_game_can_be_read_from_every_seat(game):
    match = Match.deal(game, seed=1)
    for viewer in (*range(match.table.seats), -1):
        view = Lens(match.look, viewer).whole()
        assert readable(game, view)["zones"]
        hidden = {card.face for card in match.table.entities.values() if card.face} - {
            card["face"] for card in view["cards"].values() if "face" in card
        }
        page = as_text(game, {**view, "seats": {seat: {} for seat in view["seats"]}}).split("What the cards say:")[0]
        assert not any(f"{face}," in page or f"{face} [" in page for face in hidden)

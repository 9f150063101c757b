"""Messages become sentences."""

from __future__ import annotations

import pytest

from engine.story import fill_in, tell

WORDS = {"played": "{seat} plays {card}.", "hit": "{card} hits {on} of {foe} for {by}.", "plain": "Well."}


@pytest.mark.parametrize(
    ("key", "args", "sentence"),
    [
        ("played", {"seat": 0, "card": {"card": 7, "face": "Ka"}}, "Ann plays Ka."),
        ("played", {"seat": 1, "card": {"card": 7}}, "Bo plays a card."),
        ("played", {"seat": 1}, "Bo plays a card."),
        ("played", {"seat": 2, "card": {"face": "Ka"}}, "Seat 2 plays Ka."),
        ("hit", {"card": {"face": "Ka"}, "on": [{"face": "Sun"}], "foe": 1, "by": 3}, "Ka hits Sun of Bo for 3."),
        (
            "hit",
            {"card": {"face": "Ka"}, "on": [{"face": "Sun"}, {}], "foe": 1, "by": 3},
            "Ka hits Sun and a card of Bo for 3.",
        ),
        (
            "hit",
            {"card": {}, "on": [{}, {}, {"face": "Sun"}], "foe": 0, "by": 0},
            "a card hits a card, a card and Sun of Ann for 0.",
        ),
        ("hit", {"on": [], "foe": 0, "by": 1}, "a card hits nothing of Ann for 1."),
        ("plain", {"seat": 0}, "Well."),
        ("blocked.no_such_thing", {}, "No such thing"),
        ("nobody_wrote_this", {}, "Nobody wrote this"),
    ],
)
def test_a_message_is_filled_in(key, args, sentence):
    assert fill_in(WORDS, key, args, ("Ann", "Bo")) == sentence


def test_a_name_with_braces_is_only_a_name():
    assert fill_in(WORDS, "played", {"seat": 0, "card": {"face": "Ka"}}, ("{card}", "Bo")) == "{card} plays Ka."


def test_nobody_is_not_given_the_name_of_the_last_player():
    assert "Bo" not in fill_in(WORDS, "played", {"seat": -1}, ("Ann", "Bo"))


def test_only_what_was_said_is_told():
    events = [
        {"e": "moved", "card": 7},
        {"e": "said", "key": "plain", "args": {}},
        {"e": "said", "key": "played", "args": {"seat": 0}},
    ]
    assert tell(WORDS, events, ("Ann",)) == ["Well.", "Ann plays a card."]

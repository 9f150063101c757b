"""What a room may choose before the deal."""

from __future__ import annotations

import pytest

from engine.errors import Refused
from engine.game import Option
from engine.match import Match
from tests.engine.games import GAMES, MAGPIES, SHARED

NUMBER = Option("turns", "number", 24, "How many.", least=-5, most=99)
SWITCH = Option("storms", "switch", True, "Whether.")
CHOICE = Option("set", "choice", "core", "Which.", ("core", "all"))


@pytest.mark.parametrize(
    ("option", "value", "read"),
    [
        (NUMBER, 7, 7),
        (NUMBER, "7", 7),
        (NUMBER, "-5", -5),
        (NUMBER, 99, 99),
        (SWITCH, True, True),
        (SWITCH, "yes", True),
        (SWITCH, "off", False),
        (CHOICE, "all", "all"),
    ],
)
def test_a_value_that_may_be_chosen_is_read(option, value, read):
    found = option.read(value)
    assert found == read
    assert type(found) is type(read)


BAD = [None, 1.0, float("nan"), "", "x", "--5", "-", "²", "1e3", " ", [], {}, [1], True, 100, -6, 10**30, b"7"]


@pytest.mark.parametrize("value", BAD, ids=repr)
@pytest.mark.parametrize("option", [NUMBER, SWITCH, CHOICE], ids=lambda option: option.kind)
def test_anything_else_is_refused_by_name(option, value):
    if option is SWITCH and value is True:
        value = 1
    with pytest.raises(Refused, match=option.name) as no:
        option.read(value)
    assert no.value.code == "bad_option"


def test_an_option_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(Refused, match="it has turns, storms") as no:
        MAGPIES.read_options({"turn": 7})
    assert no.value.code == "bad_option"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_default_may_be_chosen_and_stands_in_the_view(game):
    defaults = {option.name: option.default for option in game.options}
    assert game.read_options(defaults) == game.read_options({}) == defaults
    assert Match.deal(game, seed=1).table.options == defaults
    assert all(option.text for option in game.options)


def test_an_option_changes_the_deal():
    with_storms, without = (Match.deal(MAGPIES, seed=1, options={"storms": on}) for on in ("on", "off"))
    assert len(without.table.zones["pile"]) == len(with_storms.table.zones["pile"]) - 2


@pytest.mark.parametrize("seats", [0, 1, 2, 4, -3])
def test_a_table_for_the_wrong_number_is_refused(seats):
    with pytest.raises(Refused, match="for 3 players") as no:
        Match.deal(MAGPIES, seed=1, seats=seats)
    assert no.value.code == "bad_seats"


@pytest.mark.parametrize("first", [-1, 3])
def test_nobody_who_is_not_there_can_begin(first):
    with pytest.raises(Refused) as no:
        Match.deal(MAGPIES, seed=1, first=first)
    assert no.value.code == "bad_seat"


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("game", SHARED, ids=lambda game: game.id)
def test_whoever_was_chosen_begins(game, first):
    """The turn is theirs at once, or when all have answered what everybody is asked first."""
    match = Match.deal(game, seed=1, first=first)
    assert match.table.active == first
    assert first in match.waiting()
    while match.question(match.waiting()[0]):
        match.expire()
    assert match.waiting() == (first,)

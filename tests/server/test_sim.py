"""Many matches, counted."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from server.commands import headless, schedule
from server.commands.schedule import Plan
from server.commands.tally import difference
from tests.server.conftest import Upcard


def figures(upcard: Upcard, *words: str) -> dict[str, Any]:
    status, out, err = upcard("sim", "ggltcg", "--seed", "s", "--json", *words)
    assert (status, err) == (0, "")
    shown: dict[str, Any] = json.loads(out)
    return shown


def test_the_figures_do_not_depend_on_the_number_of_processes(upcard: Upcard) -> None:
    words = ("--games", "90", "--deck", "Classic", "--deck", "Tidy Up")
    one, two = figures(upcard, *words, "--jobs", "1"), figures(upcard, *words, "--jobs", "2")
    assert one.pop("speed")["jobs"] == 1
    assert two.pop("speed")["jobs"] == 2
    assert one == two


def test_another_seed_gives_other_matches(upcard: Upcard) -> None:
    one, two = figures(upcard, "--games", "40"), figures(upcard, "--games", "40", "--seed", "t")
    assert one["moves_per_game"] != two["moves_per_game"]


def test_greedy_is_ahead_of_random(upcard: Upcard) -> None:
    shown = figures(upcard, "--games", "120", "--bots", "random,greedy", "--jobs", "1")
    assert shown["bots"]["greedy"]["win_rate"] > 0.7
    assert shown["difference"]["of"] == ["random", "greedy"]
    assert shown["difference"]["low"] < shown["difference"]["mean"] < shown["difference"]["high"] < 0


def test_bots_that_search_take_part_and_few_matches_are_shared_out_too(upcard: Upcard) -> None:
    words = ("--games", "6", "--bots", "mcts:3,random")
    one, two = figures(upcard, *words, "--jobs", "1"), figures(upcard, *words, "--jobs", "2")
    assert two.pop("speed")["jobs"] == 2
    one.pop("speed")
    assert one == two
    assert set(one["bots"]) == {"mcts:3", "random"}


@pytest.mark.parametrize(
    ("bot", "word"), [("mcts:0", "budget"), ("mtcs", "Did you mean mcts?"), ("greedy:5", "budget")]
)
def test_a_bot_that_cannot_be_is_one_sentence(upcard: Upcard, bot: str, word: str) -> None:
    status, out, err = upcard("sim", "ggltcg", "--bots", bot)
    assert (status, out) == (2, "")
    assert word in err
    assert err.count("\n") == 1


def test_everybody_sits_everywhere_and_everything_adds_up(upcard: Upcard) -> None:
    shown = figures(upcard, "--games", "80", "--bots", "random,random", "--deck", "Classic", "--jobs", "1")
    assert list(shown["bots"]) == ["random", "random 2"]
    for table in ("bots", "by_seat", "by_order", "by_deck"):
        assert [line["games"] for line in shown[table].values()] == [80, 80]
    assert set(shown["by_deck"]) == {"Classic", "(drawn)"}
    wins = sum(line["wins"] for line in shown["bots"].values())
    assert wins + sum(shown["draws"].values()) == shown["games"] == sum(shown["reasons"].values()) == 80
    assert shown["by_card"]["Ka"]["games"] >= 80
    assert shown["faults"] == {}


def test_people_get_tables(upcard: Upcard) -> None:
    status, out, err = upcard("sim", "ggltcg", "--games", "20", "--seed", "s", "--jobs", "1")
    assert (status, err) == (0, "")
    for word in ("20 matches", "greedy", "seat 1", "goes first", "card in the deck", "95 %", "ended by"):
        assert word in out


def test_an_option_of_the_game_holds_for_all_matches(upcard: Upcard) -> None:
    assert figures(upcard, "--games", "2")["options"]["turn_limit"] == 0
    limited = figures(upcard, "--games", "20", "--option", "turn_limit=2", "--bots", "random")
    assert limited["draws"]["turn_limit"] > 0


def test_an_endless_match_is_a_draw(upcard: Upcard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headless, "MOVE_LIMIT", 3)
    shown = figures(upcard, "--games", "10", "--jobs", "1")
    assert shown["draws"] == {"move_limit": 10}
    assert shown["moves_per_game"] == 3


def test_a_match_that_breaks_down_is_told_with_its_seed(upcard: Upcard, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = headless.Outcome((), "fault", 4, 1, "a toy fell off the table")
    monkeypatch.setattr(schedule, "play_out", lambda *_: broken)
    status, out, _ = upcard("sim", "ggltcg", "--games", "3", "--seed", "s", "--jobs", "1")
    assert status == 1
    assert "s/2" in out
    assert "a toy fell off the table" in out


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (3, 3), (3, 2), (2, 4), (4, 3), (1, 5)])
def test_every_bot_sits_in_every_seat_equally_often(bots: int, seats: int) -> None:
    plan = Plan("ggltcg", seats, tuple(f"bot{n}" for n in range(bots)), "s", {}, (None,) * seats)
    sat = Counter((bot, seat) for lineup in plan.lineups() for seat, bot in enumerate(lineup))
    assert len(sat) == bots * seats
    assert len(set(sat.values())) == 1


def test_the_difference_of_two_equals_may_be_nothing() -> None:
    found = difference(Counter({1: 50, -1: 50}))
    assert found is not None
    mean, low, high = found
    assert mean == 0
    assert low == pytest.approx(-0.197, abs=0.001)
    assert high == -low
    assert difference(Counter({1: 1})) is None

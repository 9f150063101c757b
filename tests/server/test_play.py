"""A match in the terminal, typed line by line."""

from __future__ import annotations

import re

import pytest

from tests.server.conftest import Upcard

ONES = "1\n" * 400
SNUGGLES = ("--deck", "Snuggles,Umbruh,Knight,Demideca,Ka,Wake", "--deck", "Ka,Knight,Archer,Beary,Twist,Clean")


@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
def test_always_typing_one_plays_a_whole_match(upcard: Upcard, seed: str) -> None:
    status, out, err = upcard("play", "ggltcg", "--seed", seed, "--option", "turn_limit=60", typed=ONES)
    assert (status, err) == (0, "")
    assert "The match is over" in out
    assert f"Seed {seed}" in out


def test_the_same_seed_and_lines_play_the_same_match(upcard: Upcard) -> None:
    words = ("play", "ggltcg", "--seed", "twice", "--option", "turn_limit=60")
    assert upcard(*words, typed=ONES).out == upcard(*words, typed=ONES).out


def test_both_sides_are_laid_out_with_the_opponent_on_top(upcard: Upcard) -> None:
    out = upcard("play", "ggltcg", "--deck", "Classic", "--deck", "Classic", "--first", "0", typed="").out
    assert out.index("Greedy · CC 0/7") < out.index("Player (you) · CC 2/7")
    assert "6 cards" in out[: out.index("Player (you)")]  # the other hand is only a number
    assert "Your toys have +2 strength." in out


def test_a_bent_number_is_marked(upcard: Upcard) -> None:
    words = ("--deck", "Demideca,Ka,Knight,Raggy,Twist,Wake", "--first", "0")
    out = upcard("play", "ggltcg", *words, typed="1\n").out
    assert "Player plays Demideca for 1 CC." in out
    assert "4▲" in out.rpartition("Player plays Demideca")[2]


def test_a_question_cannot_be_overlooked(upcard: Upcard) -> None:
    out = upcard("play", "ggltcg", "--seed", "3", *SNUGGLES, typed=ONES).out
    assert "A QUESTION FOR YOU" in out
    assert "Let it be" in out


def test_looking_things_up_changes_nothing(upcard: Upcard) -> None:
    lines = "\n?\n? ka\n? zzz\n??\nl\nt\n99\n0\nnonsense\n-1\n²\n"
    words = ("play", "ggltcg", "--seed", "look", "--option", "turn_limit=60")
    looked, plain = upcard(*words, typed=lines + ONES), upcard(*words, typed=ONES)
    assert "Ka (type toy, cost 2, speed 5, strength 9, stamina 1)" in looked.out
    assert "There is no card 'zzz'" in looked.out
    assert looked.out.endswith(plain.out[plain.out.rindex("The match is over") :])


def test_giving_up_needs_a_yes(upcard: Upcard) -> None:
    status, out, _ = upcard("play", "ggltcg", "--seed", "q", typed="q\nn\nq\ny\n")
    assert status == 0
    assert out.count("Give up this match?") == 2
    assert "Greedy wins (resigned)." in out


def test_the_end_of_the_input_stops_politely(upcard: Upcard) -> None:
    status, out, err = upcard("play", "ggltcg", "--seed", "eof", typed="")
    assert (status, err) == (0, "")
    assert "No more input" in out


def test_the_person_may_sit_anywhere(upcard: Upcard) -> None:
    out = upcard("play", "ggltcg", "--seat", "1", "--first", "1", "--bot", "random", typed="").out
    assert out.index("Random · CC") < out.index("Player (you)")


def test_where_the_playmat_has_words_for_a_value_they_stand_for_it(upcard: Upcard) -> None:
    out = upcard("play", "kittens", "--seats", "3", "--bot", "random", "--seed", "f", typed="q\ny\n").out
    assert "out · Place 3" in out  # whoever gave up
    assert "In the game" not in out


@pytest.mark.parametrize("bot", ["greedy", "mcts:5"])
def test_one_person_and_three_bots_play_fizzlebox(upcard: Upcard, bot: str) -> None:
    status, out, err = upcard("play", "kittens", "--seats", "4", "--bot", bot, "--seed", "f", typed="q\ny\n")
    assert (status, err) == (0, "")
    assert "The match is over" in out
    name = bot.partition(":")[0].capitalize()
    assert all(f"{name} {number}" in out for number in (1, 2, 3))


MARS = ("play", "mars", "--seed", "a", "--first", "0")


def test_a_board_of_hexes_is_drawn_row_by_row_with_its_tiles(upcard: Upcard) -> None:
    out = upcard(*MARS, typed="1\n0\n5\n1\n2\n").out
    asked = out.split("A QUESTION FOR YOU")[2]
    assert "Ocean: 1 card (2, -4)" in asked
    board = [line for line in asked.splitlines() if line[:7].strip().partition(",")[2].lstrip("-").isdigit()]
    assert len(board) == 9
    assert "Ocean/-" in board[0]
    assert [line.count("O:") for line in board] == [0, 1, 1, 1, 2, 2, 1, 0, 1]


def test_counters_that_do_not_fit_beside_a_name_stand_below_it(upcard: Upcard) -> None:
    out = upcard(*MARS, typed="").out
    assert "Heat\N{NO-BREAK SPACE}0\N{NO-BREAK SPACE}+0" in out  # what there is, what comes each turn
    assert "Heat 0 +0 ──" in out  # beside the other name they fit


def test_who_has_what_and_what_it_is_are_told_in_the_words_of_the_game(upcard: Upcard) -> None:
    out = upcard(*MARS, typed="1\n0\n1\n4\n").out
    assert "Landholder (most tiles on Mars)" in out
    assert "Player funds the award Stoker (most heat)." in out
    assert "Stoker (most heat): Player" in out


def test_a_narrow_terminal_shows_the_texts_below_the_cards_and_nothing_for_programs_only(
    upcard: Upcard, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("play", "lore", "--seed", "7", "--first", "0", "--bot", "random")
    monkeypatch.setenv("COLUMNS", "80")
    out = upcard(*words, "--deck", "Undertow Ledger", "--deck", "Lantern Choir", typed="1\n" * 600).out
    assert "Player wins" in out
    assert "The Sunken Archive" in out
    assert re.search(r"Inkwell +\d+ cards, face down: \d exerted", out)
    assert "│  Mother Kell, Keeper of Debts: what goes to its player's hand?" in out  # her name stands there once
    assert "cards to put back, 0 to 7 of" in out
    assert "pending" not in out
    assert all(len(line.rstrip()) <= 80 for line in out.splitlines())
    start = out.index("Your characters here get +1 lore.")
    assert out[:start].rpartition("\n")[2].strip() == ""  # on a line of its own

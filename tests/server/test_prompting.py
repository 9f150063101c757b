"""Offers of any shape can be filled by typing numbers."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from cards import find_game
from server.commands.captions import Captions
from server.commands.prompting import EndOfInput, Lines, Prompt

VIEW: dict[str, Any] = {
    "you": 0,
    "seats": {"0": {}, "1": {}, "2": {}},
    "zones": {"0.hand": {"n": 2, "cards": [7, 8]}, "1.hand": {"n": 3}, "pile": {"n": 9}},
    "cards": {"7": {"face": "Ka", "owner": 0}, "8": {"face": "Wake", "owner": 0}},
}


VIEWS = {"ggltcg": VIEW, "mars": {**VIEW, "cards": {"7": {"face": "Raid Fleet", "owner": 0}}}}


def slot(name: str, *entries: int | str, least: int = 1, most: int = 1) -> dict[str, Any]:
    return {"name": name, "from": list(entries), "least": least, "most": most}


def choose(
    monkeypatch: pytest.MonkeyPatch, typed: str, *slots: dict[str, Any], game: str = "ggltcg"
) -> tuple[dict[str, Any], str]:
    """Offer one move with these slots beside a pass; type; see what comes of it."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    console = Console(file=io.StringIO(), width=100)
    captions = Captions(find_game(game), ["Ann", "Bob", "Cas"])
    prompt = Prompt(console, captions, Lines(console), lambda line: line == "?")
    offers = [{"type": "do", "card": 7, "label": "Do it", "slots": list(slots)}, {"type": "pass", "label": "Pass"}]
    move = prompt.choose(VIEWS[game], offers, None)
    return move, console.file.getvalue()  # type: ignore[attr-defined]


def test_several_cards_are_taken_in_the_order_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    move, _ = choose(monkeypatch, "1\n2 1\n", slot("target", 7, 8, least=1, most=2))
    assert move == {"type": "do", "card": 7, "target": [8, 7]}


def test_a_number_out_of_a_range(monkeypatch: pytest.MonkeyPatch) -> None:
    move, out = choose(monkeypatch, "1\n9\n3\n", {"name": "depth", "range": [0, 5]})
    assert move == {"type": "do", "card": 7, "depth": 3}
    assert "Type a number from 0 to 5." in out


def test_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    move, _ = choose(monkeypatch, "1\n0\n", slot("target", 7, 8, least=0, most=2))
    assert move["target"] == []


def test_players_zones_and_words_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    slots = (slot("player", 1, 2), slot("where", "pile", "top_of_deck"))
    move, out = choose(monkeypatch, "1\n2\n1\n", *slots)
    assert move == {"type": "do", "card": 7, "player": [2], "where": ["pile"]}
    assert "Bob" in out
    assert "top of deck" in out


def test_a_choice_is_told_in_the_words_of_its_card(monkeypatch: pytest.MonkeyPatch) -> None:
    move, out = choose(monkeypatch, "1\n2\n", slot("choice", "steel", "money"), game="mars")
    assert move == {"type": "do", "card": 7, "choice": ["money"]}
    assert "one of these: 2 steel, 3 M€" in out
    assert out.count("3 M€") == 2


def test_what_leaves_no_choice_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    move, _ = choose(monkeypatch, "1\n", slot("target", 8), {"name": "depth", "range": [2, 2]})
    assert move == {"type": "do", "card": 7, "target": [8], "depth": 2}


@pytest.mark.parametrize("wrong", ["3", "1 1", "1 2 3", "x", "0", "1.5"])
def test_a_wrong_filling_is_asked_again(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    move, out = choose(monkeypatch, f"1\n{wrong}\n?\n1\n", slot("target", 7, 8, most=2))
    assert move["target"] == [7]
    assert "all different" in out


def test_cards_that_are_worth_something_must_come_to_the_total(monkeypatch: pytest.MonkeyPatch) -> None:
    choir = {**slot("singers", 7, 8, most=2), "worth": [3, 4], "total": 7}
    move, out = choose(monkeypatch, "1\n2\n1 2\n", choir)
    assert move["singers"] == [7, 8]
    assert "worth 4" in out
    assert "They must come to 7, not 4." in out


def test_enter_goes_back_to_the_offers(monkeypatch: pytest.MonkeyPatch) -> None:
    move, _ = choose(monkeypatch, "1\n\n2\n", slot("target", 7, 8))
    assert move == {"type": "pass"}


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EndOfInput):
        choose(monkeypatch, "1\n", slot("target", 7, 8))

"""Cards and decks are files: what may stand in them, how mistakes are told, and that no card has code of its own."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cards.lore.decks import mistakes
from cards.lore.facts import HERE
from cards.lore.rules import Lore
from engine.errors import BadCards
from tests.cards.lore_scene import GAME

OWN = [card for card in GAME.cards.values() if card.set in ("quays", "undertow")]
ROWS: list[dict[str, Any]] = json.loads((HERE / "cards.json").read_text(encoding="utf-8"))
PLAIN = {
    "name": "Plum, Plain",
    "set": "own",
    "ink": "Ruby",
    "type": "character",
    "cost": 2,
    "strength": 2,
    "willpower": 2,
    "lore": 1,
    "text": "No ability.",
}


# no card has code of its own


def written(path: Path) -> Iterator[str]:
    """The texts in a module that the program could look at; what only explains is left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bodies = (node.body for node in ast.walk(tree) if hasattr(node, "body") and isinstance(node.body, list))
    told = {id(first.value) for body in bodies for first in body[:1] if isinstance(first, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


@pytest.mark.parametrize("path", sorted(HERE.glob("*.py")), ids=lambda path: path.stem)
def test_no_module_knows_a_card_by_its_name(path: Path):
    names = {part for card in OWN for part in (card.name, card.family, card.name.partition(", ")[2]) if part}
    texts = list(written(path))
    assert not [text for text in texts for name in names if name.casefold() in text.casefold()]


def test_no_module_knows_a_card_by_its_class_or_set():
    names = {kind for card in OWN for kind in card.classes} | {card.set for card in OWN}
    assert not [(path.stem, text) for path in HERE.glob("*.py") for text in written(path) if text in names]


def said(part: Any) -> Iterator[str]:
    """Every word in the abilities of a card."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, list):
        for one in part:
            yield from said(one)
    elif isinstance(part, dict):
        for key, value in part.items():
            yield key
            yield from said(value)


def paired(row: dict[str, Any]) -> set[tuple[str, str]]:
    words = {*said(row.get("abilities", [])), *row.get("keywords", {})}
    return {(one, two) for one in words for two in words}


def test_under_another_name_a_card_says_the_same(tmp_path: Path):
    path = tmp_path / "own.json"
    renamed = [{**row, "name": f"Nobody {n}, Version {n}", "set": "own"} for n, row in enumerate(ROWS)]
    path.write_text(json.dumps(renamed), encoding="utf-8")
    game = Lore([path])
    assert len(ROWS) == len(OWN) == 60
    for row, again in zip(ROWS, renamed, strict=True):
        card, other = game.cards[row["name"]], game.cards[again["name"]]
        assert [(one.word, one.fn) for one in card.abilities] == [(one.word, one.fn) for one in other.abilities]
        assert (card.numbers, card.keywords, card.zone) == (other.numbers, other.keywords, other.zone)


def test_the_sheet_s_keywords_all_stand_on_cards_that_are_played():
    keywords = {name for card in OWN for name in card.keywords}
    assert keywords == {
        *("alert", "bodyguard", "boost", "challenger", "evasive", "reckless", "resist"),
        *("rush", "shift", "sing_together", "singer", "support", "vanish", "ward"),
    }


def test_the_twenty_further_cards_combine_what_the_forty_do_not():
    """Each of them has at least one word or pair of words that no card of the first set has."""
    pairs = {set: {row["name"]: paired(row) for row in ROWS if row["set"] == set} for set in ("quays", "undertow")}
    known = {pair for found in pairs["quays"].values() for pair in found}
    assert not [name for name, found in pairs["undertow"].items() if found <= known]


# mistakes in a card file


def spoilt(tmp_path: Path, **change: Any) -> list[str]:
    """What is told of a plain card with a change."""
    path = tmp_path / "own.json"
    path.write_text(json.dumps([{**PLAIN, **change}]), encoding="utf-8")
    with pytest.raises(BadCards) as bad:
        Lore([path])
    return list(bad.value.mistakes)


def test_a_new_card_is_a_row(tmp_path: Path):
    path = tmp_path / "own.json"
    path.write_text(json.dumps([{**PLAIN, "keywords": {"rush": True, "challenger": 2}}]), encoding="utf-8")
    card = Lore([path]).cards["Plum, Plain"]
    assert (card.family, card.numbers["rush"], card.numbers["challenger"]) == ("Plum", 1, 2)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"colour": "Red"}, "it has no 'colour'"),
        ({"wilpower": 2}, "it has no 'wilpower' (did you mean 'willpower'?)"),
        ({"ink": "Rubi"}, "ink: there is no 'Rubi' (did you mean 'Ruby'?)"),
        ({"cost": -1}, "cost: expected `int` >= 0"),
        ({"strength": None}, "a character needs strength"),
        ({"move": 1}, "a character has no move"),
        ({"name": "Plum"}, "a character is called Name, Version"),
        ({"type": "location", "strength": None, "move": None}, "a location needs move"),
        ({"keywords": {"ressist": 1}}, "unknown effect 'ressist' (did you mean 'resist'?)"),
        ({"keywords": {"resist": "one"}}, "resist: amount: expected `int`, got `str`"),
        ({"keywords": {"draw": 1}}, "draw is no keyword; it belongs among the abilities"),
        ({"abilities": ["draw"]}, "draw: a character needs a moment for this, such as when_played"),
        (
            {"abilities": [{"when_plaid": {"do": ["draw"]}}]},
            "unknown effect 'when_plaid' (did you mean 'when_played'?)",
        ),
        ({"abilities": [{"when_played": {"do": [{"drow": 1}]}}]}, "unknown effect 'drow' (did you mean 'draw'?)"),
        ({"abilities": [{"when_played": {}}]}, "when_played: do is missing"),
        (
            {"abilities": [{"when_played": {"do": [{"choose": {"who": {"side": "their"}}}]}}]},
            "choose: who: side: there is no 'their' (did you mean 'theirs'?)",
        ),
        (
            {"abilities": [{"when_played": {"do": [{"choose": {"who": {"sides": "mine"}}}]}}]},
            "choose: who: it has no 'sides' (did you mean 'side'?)",
        ),
        (
            {"abilities": [{"has": {"keywords": {"wards": 1}}}]},
            "has: keywords: there is no 'wards' (did you mean 'ward'?)",
        ),
        (
            {"abilities": [{"has": {"lore": 1, "given": {"have": {"keyword": "ward"}}}}]},
            "has: what bends numbers must not ask for numbers that are bent (strength, keywords)",
        ),
        (
            {"type": "song", "strength": None, "willpower": None, "lore": None, "abilities": ["extra_ink"]},
            "extra_ink: a song only does things; it is gone before it could",
        ),
        ({"abilities": [{"draw": 1, "heal": 1}]}, "a word is its name, or an object with its name as the only key"),
    ],
    ids=lambda value: str(value)[:50],
)
def test_a_card_that_makes_no_sense_is_told_with_its_line_and_what_was_meant(tmp_path: Path, change: Any, says: str):
    (mistake,) = spoilt(tmp_path, **change)
    named = change.get("name", "Plum, Plain")
    assert mistake.startswith(f"own.json line 1, {named}: {says}")


def test_all_that_is_wrong_with_a_file_is_told_at_once(tmp_path: Path):
    assert len(spoilt(tmp_path, strength=None, move=1, keywords={"ressist": 1}, abilities=["draw", "drow"])) == 5


# decks


def test_a_deck_of_one_s_own_is_a_file_or_a_list():
    for name in ("Lantern Choir", "Ironquay Crew", "Undertow Ledger"):
        assert not list(mistakes(GAME.cards, GAME.decks[name]))
        path = HERE / "decks" / f"{name.lower().replace(' ', '-')}.txt"
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line[:1].isdigit()]
        assert sum(int(line.split()[0]) for line in lines) == 60

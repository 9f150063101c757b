"""The page about Lore is complete and true: each word with a card and a test that plays it, each rule with tests."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from cards.lore import choosing, plays, words
from cards.lore.abilities import EARS, HEARD, Cost
from cards.lore.facts import HERE, Keyword, Rule
from cards.lore.picking import Given, Tally, Who
from tests.cards.lore_scene import GAME

HOUSE = Path(__file__).parents[2]
PAGE = (HOUSE / "docs" / "lore.md").read_text(encoding="utf-8")
INSIDE = {  # words that only other words say
    *("ask_amount", "ask_entry", "ask_rest", "carry_over", "come", "delayed", "fade", "go_on"),
    *("lay_rest", "lend_strength", "retire", "take_option", "were_chosen"),
}
Row = dict[str, Any]


def rows_of(start: str, end: str, pattern: str) -> Iterator[tuple[str, ...]]:
    """The rows of the tables between two headings, with the section each stands in."""
    section = ""
    for line in PAGE[PAGE.index(start) : PAGE.index(end) if end else None].splitlines():
        if line.startswith("### "):
            section = line.removeprefix("### ")
        elif found := re.fullmatch(pattern, line):
            yield section, *found.groups()


ROWS = list(rows_of("## The vocabulary", "## The rules, one by one", r"\| `([^`]+)` \| (.+?) \| `(\w+)` \|"))
RULES = list(rows_of("## The rules, one by one", "", r"\| (\d+) \| (.+?) \| (.+) \|"))


@cache
def cards() -> dict[str, Row]:
    own, made_up = HERE / "cards.json", Path(__file__).with_name("lore_cards.json")
    return {row["name"]: row for path in (own, made_up) for row in json.loads(path.read_text(encoding="utf-8"))}


@cache
def played() -> dict[str, set[str]]:
    """Every test about Lore by name, with the texts that its module speaks of."""
    found = {}
    for path in sorted(Path(__file__).parent.glob("test_lore_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        texts = {value for value in constants if isinstance(value, str)}
        found |= {node.name: texts for node in tree.body if isinstance(node, ast.FunctionDef)}
    return found


def objects(part: Any) -> Iterator[Row]:
    """Every object in the abilities of a card."""
    for one in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from objects(one)
    if isinstance(part, dict):
        yield part


def said(row: Row) -> set[str]:
    """The words of a card: the keys of its objects, and what stands alone."""
    abilities = row.get("abilities", [])
    alone = {one for part in objects({"do": abilities}) for one in part.get("do", ()) if isinstance(one, str)}
    return {key for part in objects(abilities) for key in part} | alone


def within(row: Row, *names: str) -> set[str]:
    """The fields of the objects that stand under these names."""
    found = (part[name] for part in objects(row.get("abilities", [])) for name in names if name in part)
    return {key for part in found if isinstance(part, dict) for key in part}


def triggers(row: Row) -> dict[str, Row]:
    return {key: value for part in row.get("abilities", []) if isinstance(part, dict) for key, value in part.items()}


def heard(row: Row) -> set[str]:
    return {event for event in HEARD for ear in EARS if f"when_{ear}{event}" in triggers(row)}


def ears(row: Row) -> set[str]:
    return {f"when_{ear}" for event in HEARD for ear in EARS if f"when_{ear}{event}" in triggers(row)}


def parameters(row: Row) -> set[str]:
    return {key for name, value in triggers(row).items() if name.startswith("when_") for key in value}


def tallies(row: Row) -> set[str]:
    every = (value for part in objects(row.get("abilities", [])) for value in part.values() if isinstance(value, dict))
    return {key for value in every if isinstance(value.get("count"), dict) or "stat" in value for key in value}


def named(kind: type[msgspec.Struct]) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(kind)}


def spoken(*kinds: str, modules: tuple[Any, ...] = ()) -> set[str]:
    homes = {module.__name__ for module in modules}
    every = GAME.effects.words.items()
    return {name for name, word in every if word.kind in kinds and (not homes or word.fn.__module__ in homes)}


KEYWORDS = {*get_args(Keyword), "boost", "shift", "sing_together"}
# section: which of its words a card uses, and all the words that there are
USES: dict[str, tuple[Any, set[str]]] = {
    "What cards do": (said, spoken("does", modules=(words, choosing, plays)) - INSIDE | {"discount"}),
    "What cards hear": (heard, {*HEARD}),
    "Whose doing it is": (ears, {f"when_{ear}" for ear in EARS}),
    "What a trigger may say": (parameters, {*GAME.effects.words["when_played"].takes} - {"do"}),
    "What is always so, allowed, paid or taken over": (
        said,
        spoken("always", "costs", "allows", "instead", "uses") - KEYWORDS,
    ),
    "Keywords": (lambda row: row.get("keywords", {}), KEYWORDS),
    "Restrictions, given like keywords": (said, {*get_args(Rule)}),
    "Which cards (`who`)": (lambda row: within(row, "who", "have", "count", "sacrifice", "tap"), named(Who) - {"this"}),
    "On what condition (`given`)": (lambda row: within(row, "given"), named(Given)),
    "A number that is counted": (tallies, named(Tally) - {"bound"}),
    "What an ability costs (`cost`)": (lambda row: within(row, "cost"), named(Cost)),
}


@pytest.mark.parametrize("section", USES)
def test_every_word_has_a_row_and_only_one(section: str):
    assert sorted(word for title, word, _, _ in ROWS if title == section) == sorted(USES[section][1])


def test_there_is_no_table_but_these():
    assert {section for section, *_ in ROWS} == USES.keys()


@pytest.mark.parametrize(("section", "word", "card", "test"), ROWS, ids=lambda value: str(value)[:30])
def test_a_row_names_a_card_that_uses_the_word_and_a_test_that_plays_it(section: str, word: str, card: str, test: str):
    assert word in USES[section][0](cards()[card])
    assert any(len(text) > 2 and card.startswith(text) for text in played()[test]), f"{test} never plays {card}"


def test_every_rule_is_there_once_and_has_tests():
    assert [int(number) for _, number, *_ in RULES] == list(range(1, 79))
    assert not [name for *_, tests in RULES for name in re.findall(r"`(\w+)`", tests) if name not in played()]
    assert all(re.findall(r"`test_\w+`", tests) for *_, tests in RULES)


def test_no_number_is_a_word_of_the_game():
    """Clients say words of the game wherever one stands, so a number would be told as that word."""
    assert not [key for key in GAME.messages if re.fullmatch(r"word\.\d+", key)]


def test_every_move_every_reason_and_every_option_stands_on_the_page():
    keys = [key.partition(".") for key in GAME.messages]
    assert not [name for kind, _, name in keys if kind in ("offer", "blocked") and f"`{name}`" not in PAGE]
    for option in GAME.options:
        assert f"`{option.name}`" in PAGE
        assert str(option.default) in PAGE

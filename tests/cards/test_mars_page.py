"""The page about Mars is complete and true: each word of the vocabulary, a card that uses it, a test that plays it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from cards.mars import aliases, schema
from cards.mars.facts import HERE
from cards.mars.rules import FILES
from tests.cards.planet import GAME

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "mars.md").read_text(encoding="utf-8")
FIXTURE = "in the test"
Row = dict[str, Any]


def tables() -> Iterator[tuple[str, str, str, str]]:
    """The rows of the vocabulary: section, word, card, test."""
    section = ""
    for line in PAGE[PAGE.index("## The vocabulary") :].splitlines():
        if line.startswith("### "):
            section = line.removeprefix("### ")
        elif found := re.fullmatch(r"\| `([^`]+)` \| (.+?) \| `(\w+)` \|", line):
            yield section, *found.groups()  # type: ignore[misc]


ROWS = list(tables())


@cache
def cards() -> dict[str, Row]:
    rows = [row for name in FILES for row in msgspec.json.decode((HERE / name).read_bytes())]
    return {row["name"]: row for row in rows}


@cache
def played() -> dict[str, str]:
    """Every test about Mars by name, with the module it stands in."""
    found = {}
    for path in sorted(Path(__file__).parent.glob("test_mars_*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef):
                found[node.name] = text
    return found


def entries(row: Row, kind: str) -> Iterator[Row]:
    for behavior in row["behaviors"]:
        for part in (behavior, *behavior.get("choices", ())):
            yield from part.get(kind, ())


def conditions(row: Row) -> list[Row]:
    return [one["triggers"][0]["condition"] for one in row["behaviors"] if "condition" in one["triggers"][0]]


def counters(row: Row) -> list[Row]:
    return [one["per"] for one in (*entries(row, "outputs"), *row.get("vpConditions", ())) if "per" in one]


def selectors(row: Row) -> Iterator[str]:
    for one in (*entries(row, "outputs"), *conditions(row)):
        if one["type"] == "discount" and not one.get("selectors"):
            yield "everything"
        for selector in one.get("selectors", ()):
            yield from selector


def points(row: Row) -> Iterator[str]:
    for one in row.get("vpConditions", ()):
        if one["condition"] == "per":
            yield f"per {one['per']['type']}"
        else:
            yield "fixed, below nothing" if one["amount"] < 0 else "fixed"
        if "maxTrigger" in one:
            yield "maxTrigger"


def choices(row: Row) -> Iterator[str]:
    for behavior in row["behaviors"]:
        if found := behavior.get("choices"):
            yield str(len(found))
            if "outputs" in behavior:
                yield "beside plain outputs"
    if sum(behavior["triggers"][0]["type"] == "manual" for behavior in row["behaviors"]) > 1:
        yield "several manual behaviours"


def further(row: Row) -> Iterator[str]:
    for one in (*entries(row, "outputs"), *entries(row, "inputs")):
        yield from {"payableWith", "variable", "lasting", "maxTrigger"} & one.keys()
    if any("adjacent" in per for per in counters(row)):
        yield "adjacent"
    if any("includesSelf" in condition for condition in conditions(row)):
        yield "includesSelf"
    for behavior in row["behaviors"]:
        if "custom" in behavior:
            yield "custom"
        if any("requirements" in choice for choice in behavior.get("choices", ())):
            yield "requirements of a choice"


def triggers(row: Row) -> Iterator[str]:
    for behavior in row["behaviors"]:
        trigger = behavior["triggers"][0]
        yield trigger["type"] + (" with a condition" if "condition" in trigger else "")


# section: which of its words a card uses, and all the words that there are
USES: dict[str, tuple[Any, set[str]]] = {
    "Triggers": (triggers, {*get_args(schema.TriggerType), "auto with a condition"}),
    "Conditions": (
        lambda row: (one["type"] for one in conditions(row)),
        {*get_args(schema.Happening), *get_args(schema.AlwaysOn)},
    ),
    "Whose deed, and where": (
        lambda row: (
            word
            for one in conditions(row)
            for word in (one.get("target", "self-player"), one.get("location", "anywhere"))
        ),
        {"self-player", "any-player", "opponent", "mars", "anywhere"},
    ),
    "Outputs": (lambda row: (one["type"] for one in entries(row, "outputs")), {*get_args(schema.OutputType)}),
    "Inputs": (lambda row: (one["type"] for one in entries(row, "inputs")), {*get_args(schema.InputType)}),
    "Targets": (lambda row: (one["target"] for one in entries(row, "outputs")), {*get_args(schema.Target)}),
    "Requirements": (
        lambda row: (
            f"{one['type']}-{bound}"
            for one in row.get("requirements", {}).get("items", ())
            for bound in ("min", "max")
            if bound in one
        ),
        {
            *(f"{kind}-min" for kind in get_args(schema.NeedType)),
            *(f"{kind}-max" for kind in ("temperature", "oxygen", "ocean")),
        },
    ),
    "What happened this generation": (
        lambda row: (
            one["event"] for behavior in row["behaviors"] for one in behavior.get("generationalEventRequirements", ())
        ),
        {*get_args(schema.Deeds)},
    ),
    "Counters (`per`)": (lambda row: (per["type"] for per in counters(row)), {*get_args(schema.CountType)}),
    "Whose are counted": (
        lambda row: (per["target"] for per in counters(row) if "target" in per),
        {"self-player", "any-player", "opponent"},
    ),
    "Selectors": (
        selectors,
        {"everything", *(field.encode_name for field in msgspec.structs.fields(schema.Selector))},
    ),
    "Where a tile may lie (`tileRestrictions`)": (
        lambda row: (key for one in entries(row, "outputs") for key in one.get("tileRestrictions", ())),
        {field.encode_name for field in msgspec.structs.fields(schema.Restrictions)},
    ),
    "Storage": (
        lambda row: (
            word
            for key, value in row.get("resourceStorage", {}).items()
            for word in ((value,) if key == "type" else (key,))
        ),
        {*get_args(schema.Stored), "starting", "capacity"},
    ),
    "Points": (
        points,
        {
            "fixed",
            "fixed, below nothing",
            "maxTrigger",
            *(f"per {kind}" for kind in ("animal", "microbe", "science", "tag", "ocean-tile", "city-tile")),
        },
    ),
    "Choices": (choices, {"2", "3", "beside plain outputs", "several manual behaviours"}),
    "Tags": (lambda row: GAME.cards[row["name"]].tags, {*get_args(schema.AnyTag)}),
    "Further": (
        further,
        {
            "adjacent",
            "payableWith",
            "requirements of a choice",
            "variable",
            "lasting",
            "includesSelf",
            "maxTrigger",
            "custom",
        },
    ),
}


@pytest.mark.parametrize("section", USES)
def test_every_word_has_a_row_and_only_one(section):
    words = [word for title, word, _, _ in ROWS if title == section]
    assert sorted(words) == sorted(USES[section][1])


def test_there_is_no_table_but_these():
    assert {section for section, *_ in ROWS} == USES.keys()


@pytest.mark.parametrize(("section", "word", "card", "test"), ROWS, ids=lambda value: str(value)[:30])
def test_a_row_names_a_card_that_uses_the_word_and_a_test_that_plays_it(section, word, card, test):
    assert test in played()
    if card == FIXTURE:
        assert f'"{word}"' in played()[test] or re.search(r'f"\{\w+\}-production"', played()[test])
        return
    assert word in set(USES[section][0](cards()[card]))
    assert f'"{card}"' in played()[test], f"{test} stands in a module that never plays {card}"


def test_every_other_spelling_has_a_row_with_a_test():
    text = PAGE[PAGE.index("### Other spellings") : PAGE.index("## The vocabulary")]
    rows = re.findall(r"\| ([^|]+) \| ([^|]+) \| `(\w+)` \|", text)
    assert len(rows) >= 10
    assert all(test in played() for _, _, test in rows)
    for word in (*aliases.TYPES, *aliases.TARGETS, *aliases.NEEDS):
        assert re.search(rf"\b{word.removesuffix('-production')}", text), word


def test_every_move_and_every_reason_stands_on_the_page():
    for key in GAME.messages:
        kind, _, name = key.partition(".")
        if kind == "offer":
            assert f"`{name}`" in PAGE, name
        if kind == "blocked":
            assert f"`{name}`" in PAGE or (name.startswith("requirement_") and name.split("_")[1] in PAGE), name


def test_every_option_stands_on_the_page_with_its_default():
    for option in GAME.options:
        assert f"`{option.name}`" in PAGE
        assert str(option.default) in PAGE

"""The arrows of the house point one way: who may import whom, and what the pure core must not touch."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from engine import frames, table

ROOT = Path(__file__).parents[2]
FLOORS = ["engine", "cards", "rooms", "server"]  # each may import those before it
BELOW = {name: set(FLOORS[: n + 1]) for n, name in enumerate(FLOORS)}
# The core reads no clock, draws no luck of its own, waits for nothing and talks to nobody.
IMPURE = {
    "asyncio",
    "concurrent",
    "datetime",
    "http",
    "io",
    "logging",
    "multiprocessing",
    "os",
    "pathlib",
    "pickle",
    "random",
    "secrets",
    "select",
    "shutil",
    "signal",
    "socket",
    "sqlite3",
    "ssl",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "urllib",
    "uuid",
    "redis",
    "starlette",
    "structlog",
    "uvicorn",
    "websockets",
}
ALLOWED = {("bots.py", "random")}  # a bot's own luck is no part of the match; it is seeded


def modules(floor: str) -> list[Path]:
    return sorted((ROOT / floor).rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """The first name of everything a module imports, wherever the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports from where it stands; name the package"
            yield (node.module or "").partition(".")[0]


def test_there_is_something_on_every_floor():
    assert all(modules(floor) for floor in FLOORS)


@pytest.mark.parametrize("floor", FLOORS)
def test_imports_point_downwards(floor):
    for path in modules(floor):
        ours = set(imports(path)) & {*FLOORS, "tests", "deploy"}
        assert ours <= BELOW[floor], f"{path.relative_to(ROOT)} imports {ours - BELOW[floor]}"


BUILT_ON = {"creatures": "table", "solitaire": "table"}  # the free table is there to be built on


def test_a_game_knows_no_other_game():
    for path in modules("cards"):
        folder = path.relative_to(ROOT / "cards").parts[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("cards."):
                other = node.module.split(".")[1]
                known = other in (folder, BUILT_ON.get(folder))
                assert known or not (ROOT / "cards" / other).is_dir(), f"{path} imports {node.module}"


@pytest.mark.parametrize("path", modules("engine"), ids=lambda path: path.name)
def test_the_core_is_pure(path):
    found = {name for name in imports(path) if name in IMPURE and (path.name, name) not in ALLOWED}
    assert not found


@pytest.mark.parametrize("path", modules("engine"), ids=lambda path: path.name)
def test_the_core_neither_waits_nor_prints_nor_opens_anything(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef | ast.Await)]
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not called & {"open", "print", "input", "eval", "exec", "id", "hash", "globals"}


def test_bots_only_use_luck_that_has_a_seed():
    tree = ast.parse((ROOT / "engine" / "bots.py").read_text(encoding="utf-8"))
    names = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "random"]
    assert [alias.name for node in names for alias in node.names] == ["Random"]
    made = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Random"]
    assert made
    assert all(node.args for node in made)


@pytest.mark.parametrize("path", modules("cards"), ids=lambda path: str(path.relative_to(ROOT)))
def test_games_draw_no_luck_but_the_table_s(path):
    assert not set(imports(path)) & {"random", "secrets", "time", "asyncio", "socket"}


STORED = [
    frames.Entity,
    frames.Word,
    frames.Event,
    frames.Heard,
    frames.Slot,
    frames.Offer,
    frames.Move,
    frames.Question,
    frames.Run,
    frames.Ask,
    frames.Turn,
    table.Result,
]


@pytest.mark.parametrize("kind", STORED, ids=lambda kind: kind.__name__)
def test_whatever_lies_on_a_table_is_plain_frozen_data(kind):
    """No generator, closure or callback ever lives in a table: every field has a type that can be stored."""
    assert kind.__struct_config__.frozen
    msgspec.json.schema(kind)


def test_a_table_is_plain_data():
    names = {field.name for field in msgspec.structs.fields(table.Table)}
    assert {"entities", "zones", "stack", "bag", "luck", "seed", "version"} <= names
    for field in msgspec.structs.fields(table.Table):
        assert "Callable" not in str(field.type)

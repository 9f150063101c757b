"""The games. Each is a folder here with its words, rules, cards and playmat, and a `GAME` in its `__init__`."""

from __future__ import annotations

import difflib
import importlib
import inspect
import pkgutil
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from engine.errors import EngineError
from engine.game import Game


class NoSuchGame(EngineError):
    """Nobody here knows that game."""

    code = "unknown_game"


_guests: dict[str, Game] = {}


def game_ids() -> list[str]:
    """The games that can be played here."""
    ours = (module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
    return sorted({*ours, *_guests})


def find_game(id: str) -> Game:
    """A game by its id."""
    if id in _guests:
        return _guests[id]
    known = game_ids()
    if id not in known:
        near = difflib.get_close_matches(id, known, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise NoSuchGame(f"There is no game {id!r}; there is {', '.join(known)}.{hint}")
    return _load(f"{__name__}.{id}")


@cache
def guide(game: Game) -> str:
    """The rules of a game for people, as Markdown; empty if nobody has written them down."""
    path = Path(inspect.getfile(type(game))).with_name("rules.md")
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def add_games(modules: Iterable[str]) -> None:
    """Let games of somebody else's house be played here: modules that each have a `GAME`."""
    for module in modules:
        try:
            game = _load(module)
        except (ImportError, AttributeError) as error:
            raise NoSuchGame(f"The module {module!r} brings no game: {error}.") from None
        _guests[game.id] = game


@cache
def _load(module: str) -> Game:
    game: Game = importlib.import_module(module).GAME
    return game

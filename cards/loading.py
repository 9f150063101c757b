"""Reading card files.

Every mistake of a file is told at once, with its line, its card and a suggestion: people who write cards fix a
file in one go.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from cards.decklists import BadList, read_list
from engine.effects import Ability, BadWord, Effects, Face
from engine.errors import BadCards
from engine.misread import worded

Row = TypeVar("Row", bound=msgspec.Struct)
F = TypeVar("F", bound=Face)


def read_csv(path: Path, row: type[Row], make: Callable[[Row], F]) -> dict[str, F]:
    """The faces of a CSV file, by name. Raises `BadCards` with all that is wrong in it."""
    mistakes: list[str] = []
    lines = ((f"{path.name} line {line}", cells) for line, cells in _rows(path, row, mistakes))
    return _faces(lines, lambda cells: make(_convert(cells, row, strict=False)), mistakes)


def read_rows(path: Path, row: type[Row], make: Callable[[Row], F]) -> dict[str, F]:
    """The faces of a JSON file with a list of rows, by name. Raises `BadCards` with all that is wrong in it."""
    try:
        text = path.read_text(encoding="utf-8")
        rows: list[dict[str, Any]] = msgspec.json.decode(text, type=list[dict[str, Any]])
    except (OSError, UnicodeDecodeError, msgspec.DecodeError) as error:
        raise BadCards([f"{path.name}: cannot be read: {error}"]) from None
    lines = ((f"{path.name} {_line_of(text, cells.get('name'), place)}", cells) for place, cells in enumerate(rows, 1))
    return _faces(lines, lambda cells: make(_convert(cells, row, strict=True)), [])


def _convert(cells: dict[str, Any], row: type[Row], strict: bool) -> Row:
    try:
        return msgspec.convert(cells, row, strict=strict)
    except msgspec.ValidationError as error:
        raise BadCards([worded(error, row)]) from None


def _faces(
    rows: Iterable[tuple[str, dict[str, Any]]], make: Callable[[dict[str, Any]], F], mistakes: list[str]
) -> dict[str, F]:
    """The faces of these rows by name, or everything that is wrong with them."""
    faces: dict[str, F] = {}
    for line, cells in rows:
        where = f"{line}, {cells.get('name') or 'no name'}"
        try:
            face = make(cells)
        except (BadCards, BadWord) as error:
            mistakes.extend(f"{where}: {part}" for part in str(error).splitlines())
            continue
        if face.name in faces:
            mistakes.append(f"{where}: this name is taken by an earlier line")
        faces[face.name] = face
    if mistakes:
        raise BadCards(mistakes)
    return faces


def _line_of(text: str, name: Any, place: int) -> str:
    """Where a row stands in its file: the line with its name, or else which row it is."""
    sought = f'"name": {msgspec.json.encode(name).decode()}'
    at = text.find(sought)
    return f"line {text.count(chr(10), 0, at) + 1}" if at >= 0 else f"row {place}"


def read_deck(path: Path, faces: Iterable[str], title: str) -> tuple[str, tuple[str, ...]]:
    """A deck file of a game: the deck's name, from the file's, and its cards."""
    try:
        return path.stem.replace("-", " ").title(), read_list(path.read_text(encoding="utf-8"), faces, title)
    except (OSError, UnicodeDecodeError, BadList) as error:
        raise BadCards([f"{path.parent.name}/{path.name}: {error}"]) from None


def read_json(path: Path) -> dict[str, Any]:
    """A JSON file that holds an object."""
    try:
        found: dict[str, Any] = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.DecodeError) as error:
        raise BadCards([f"{path.name}: cannot be read: {error}"]) from None
    return found


def read_effects(effects: Effects, text: str) -> tuple[Ability, ...]:
    """The words of an effect cell: `word:value;word:value`. Raises with every word that is wrong."""
    abilities, mistakes = [], []
    for part in filter(None, (part.strip() for part in text.split(";"))):
        try:
            abilities.append(effects.ability(effects.parse(part)))
        except BadWord as error:
            mistakes.append(str(error))
    if mistakes:
        raise BadCards(mistakes)
    return tuple(abilities)


def _rows(path: Path, row: type[msgspec.Struct], mistakes: list[str]) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadCards([f"{path.name}: cannot be read: {error}"]) from None
    reader = csv.DictReader(text.splitlines(), strict=True)
    wanted = list(row.__struct_fields__)
    if reader.fieldnames != wanted:
        raise BadCards([f"{path.name} line 1: the columns are {', '.join(wanted)}"])
    try:
        for cells in reader:
            if None in cells or None in cells.values():
                mistakes.append(f"{path.name} line {reader.line_num}: a row has {len(wanted)} cells; quote a comma")
                continue
            yield reader.line_num, {key: value.strip() for key, value in cells.items() if value.strip()}
    except csv.Error as error:
        mistakes.append(f"{path.name} line {reader.line_num}: {error}")

"""Reading card files.

Every mistake of a file is told at once, with its line, its card and a suggestion: people who write cards fix a
file in one go.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from engine.effects import Ability, BadWord, Effects, Face
from engine.errors import BadCards

Row = TypeVar("Row", bound=msgspec.Struct)
F = TypeVar("F", bound=Face)


def read_csv(path: Path, row: type[Row], make: Callable[[Row], F]) -> dict[str, F]:
    """The faces of a CSV file, by name. Raises `BadCards` with all that is wrong in it."""
    faces: dict[str, F] = {}
    mistakes: list[str] = []
    for line, cells in _rows(path, row, mistakes):
        where = f"{path.name} line {line}, {cells.get('name') or 'no name'}"
        try:
            face = make(msgspec.convert(cells, row, strict=False))
        except (msgspec.ValidationError, BadCards, BadWord) as error:
            mistakes.extend(f"{where}: {part}" for part in str(error).splitlines())
            continue
        if face.name in faces:
            mistakes.append(f"{where}: this name is taken by an earlier line")
        faces[face.name] = face
    if mistakes:
        raise BadCards(mistakes)
    return faces


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

"""Reading the game's files: cards, projects, milestones and awards.

A card that makes no sense is left out and told with its path and a suggestion; the rest of the file is read all the
same, so that one bad card costs one card.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from cards.mars.aliases import plain
from cards.mars.facts import Card, Deed, ProjectRow
from cards.mars.lowering import Lowering
from cards.mars.schema import Behavior, Per, Row
from engine.errors import BadCards
from engine.misread import worded


class Cards:
    """The cards of several files, by name, and what is wrong with those that were left out."""

    def __init__(self, places: frozenset[str]) -> None:
        self.places = places
        self.faces: dict[str, Card] = {}
        self.tiles: dict[str, str] = {}  # special tiles -> the card that lays them
        self.mistakes: list[str] = []
        self.rows: list[Row] = []

    def read(self, path: Path) -> None:
        """Read one file."""
        try:
            rows = msgspec.json.decode(path.read_bytes())
        except (OSError, msgspec.DecodeError) as error:
            raise BadCards([f"{path.name}: cannot be read: {error}"]) from None
        if not isinstance(rows, list):
            raise BadCards([f"{path.name}: a card file is a list of cards"])
        self.add(rows, path.name)

    def add(self, rows: Iterable[Any], where: str) -> None:
        """Take in the cards of a list, each for itself."""
        for number, raw in enumerate(rows):
            name = f"{where} {_called(raw, number)}"
            try:
                self._take(raw)
            except BadCards as bad:
                self.mistakes += [f"{name}: {mistake}" for mistake in bad.mistakes]

    def _take(self, raw: Any) -> None:
        row = read_row(raw)
        lowering = Lowering(row, self.places)
        card = lowering.card()
        ids = {known.id: known.name for known in self.faces.values()}
        if row.id in ids:
            raise BadCards([f"id: {row.id!r} is taken by {ids[row.id]}"])
        if row.name in self.faces or row.name in self.tiles:
            raise BadCards([f"name: there is another {row.name!r}"])
        for tile in lowering.tiles:
            if self.tiles.get(tile, row.name) != row.name or tile in self.faces or tile == row.name:
                raise BadCards([f"tile: the name {tile!r} is taken"])
        self.faces[row.name] = card
        self.tiles |= dict.fromkeys(lowering.tiles, row.name)
        self.rows.append(row)


def read_row(raw: Any) -> Row:
    """A card in whatever spelling. Raises with the path of what is wrong in it."""
    card = plain(raw)
    if isinstance(card, dict) and card.get("custom") is True:
        raise BadCards(['custom: no behavior names its procedure; write {"custom": {"do": …}} in one'])
    try:
        return msgspec.convert(card, Row)
    except msgspec.ValidationError as error:
        raise BadCards([worded(error, Row, "the card")]) from None


def _called(raw: Any, number: int) -> str:
    if isinstance(raw, dict):
        named = [str(raw[key]) for key in ("id", "name") if raw.get(key)]
        if named:
            return " ".join(named)
    return f"card {number + 1}"


# projects, milestones, awards


class _Project(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    cost: int
    pays: str
    behaviors: tuple[Behavior, ...] = ()


class Goal(Struct, frozen=True, forbid_unknown_fields=True):
    """A milestone or an award: what is counted and, for a milestone, how many are enough."""

    id: str
    name: str
    text: str
    counts: tuple[Per, ...]
    least: int = 0


class Goals(Struct, frozen=True, forbid_unknown_fields=True):
    """What can be claimed and funded, and what that costs and is worth."""

    milestones: tuple[Goal, ...]
    awards: tuple[Goal, ...]
    claim: int
    fund: tuple[int, ...]
    most: int
    points: int
    second: int


def read_projects(data: bytes, places: frozenset[str]) -> dict[str, ProjectRow]:
    """The standard projects and conversions, by the name of their move."""
    rows = _decoded(data, "projects.json", tuple[_Project, ...])
    return {row.name: ProjectRow(row.name, row.id, row.cost, row.pays, _project_deed(row, places)) for row in rows}


def _project_deed(row: _Project, places: frozenset[str]) -> Deed:
    card = Row(id=row.id, name=row.name, type="automated", behaviors=row.behaviors)
    deeds = Lowering(card, places).card().deeds
    return deeds[0] if deeds else Deed()


def read_goals(data: bytes) -> Goals:
    """The milestones and awards."""
    goals: Goals = _decoded(data, "goals.json", Goals)
    return goals


def _decoded(data: bytes, name: str, type: Any) -> Any:
    try:
        return msgspec.json.decode(data, type=type)
    except msgspec.DecodeError as error:
        raise BadCards([f"{name}: {worded(error, type, 'the file')}"]) from None

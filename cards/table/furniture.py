"""The furniture of a free table, as its playmat has it: zones, what they hold, and the words that may be said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.errors import BadCards
from engine.playmat import ZoneRow, parse_playmat
from engine.table import Place, Seat, Zone

DECK, HAND, DISCARD = "deck", "hand", "discard"  # zones with these names mean what they say


class Furniture:
    """What stands on a table before any card lies there."""

    def __init__(self, mat: Mapping[str, Any]) -> None:
        read = parse_playmat(mat)
        if not read.zones:
            raise BadCards(["playmat.json: zones: a free table takes its zones from here, and there is none"])
        self.rows: dict[str, ZoneRow] = {row.id: row for row in read.zones}
        self.words: Mapping[str, tuple[str, ...]] = read.words

    def zones(self) -> tuple[Zone, ...]:
        """The zones as the engine wants them."""
        return tuple(
            Zone(row.id, faces=row.faces, things=row.things, shared=row.shared, counted=row.counted)
            for row in self.rows.values()
        )

    def row(self, place: Place) -> ZoneRow:
        """What is printed on the mat about a place."""
        return self.rows[place.kind]

    def key(self, kind: str, seat: Seat) -> str | None:
        """Where a seat finds a kind of zone: its own, or the one that all share. None if there is no such zone."""
        row = self.rows.get(kind)
        if row is None:
            return None
        return kind if row.shared else f"{seat}.{kind}"

    def of(self, about: str) -> tuple[str, ...]:
        """The words that may be said about something."""
        return self.words.get(about, ())

"""A board of hexes in a terminal: a line for each row, shifted as it lies, drawn from the mat and the view alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rich.text import Text

from engine.game import View

HEX = re.compile(r"hex\.(-?\d+)\.(-?\d+)")
CELL = 8  # columns of a hex; nine of them fit into eighty beside the label
OWNERS = ("cyan", "red", "green", "yellow", "magenta")
Slot = Mapping[str, Any]


def place_of(key: str) -> tuple[int, int] | None:
    """Where a zone lies on the board; nothing if it is no hex."""
    found = HEX.fullmatch(key)
    return (int(found[1]), int(found[2])) if found else None


class HexMap:
    """The hexes of a mat."""

    def __init__(self, playmat: Mapping[str, Any]) -> None:
        shared = playmat.get("areas", {}).get("shared", {})
        slots = shared.get("slots", ()) if shared.get("hex") else ()
        self.slots: dict[tuple[int, int], Slot] = {
            place: slot for slot in slots if (place := place_of(slot["zone"])) is not None
        }
        self.left = min((q + r / 2 for q, r in self.slots), default=0.0)

    def lines(self, view: View) -> list[Text]:
        """The board, row by row; in front of each stands where its first hex lies."""
        return [self._line(view, row) for row in sorted({r for _, r in self.slots})]

    def _line(self, view: View, row: int) -> Text:
        places = sorted(place for place in self.slots if place[1] == row)
        line = Text(f"{places[0][0]},{row}".rjust(6) + " ", "dim", no_wrap=True, overflow="crop")
        line.append(" " * round((places[0][0] + row / 2 - self.left) * CELL))
        for place in places:
            text, style = self._hex(view, self.slots[place])
            line.append(text[: CELL - 1].ljust(CELL), style)
        return line

    def _hex(self, view: View, slot: Slot) -> tuple[str, str]:
        """The tile that lies on top and whose it is; or else, in short, what the mat says of the ground."""
        lying = view["zones"].get(slot["zone"], {}).get("cards", ())
        if lying:
            tile = view["cards"][str(lying[-1])]
            owner = tile["owner"]
            colour = OWNERS[owner % len(OWNERS)] if owner >= 0 else "default"
            return f"{tile['face'][:5]}/{owner if owner >= 0 else '-'}", f"not dim bold {colour}"
        kind, _, bonus = slot.get("label", "·").rpartition(": ")
        return f"{kind[:1]}:{bonus}" if kind else bonus, "dim"

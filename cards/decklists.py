"""Deck lists as people write them: a card a line, perhaps with how many of it, or a JSON list of names.

4 Wick, Apprentice Lamplighter
3x Verrin Ash, Hedge Conjurer      # what stands behind a hash is for people
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Sequence

from engine.errors import EngineError

_COUNTED = re.compile(r"(\d{1,3})\s*[xX×]?\s+(.+)")


class BadList(EngineError):
    """A list that cannot be read at all."""


class NoSuchCard(BadList):
    """A list that can be read and names a card that is not there."""


def read_list(text: str, known: Iterable[str], title: str) -> tuple[str, ...]:
    """The cards of a list, repeats included. `title` is the game, for whoever has to read the error."""
    lines = _json_lines(text) if text.lstrip().startswith("[") else _text_lines(text)
    return named([line for _, line in lines], known, title, [number for number, _ in lines])


def named(entries: Sequence[str], known: Iterable[str], title: str, lines: Sequence[int] = ()) -> tuple[str, ...]:
    """The cards that these entries name, repeats included. Capitals do not matter."""
    names = {name.casefold(): name for name in known}
    found: list[str] = []
    for place, entry in enumerate(entries):
        count, name = counted(entry, names.values())
        face = names.get(name.strip().casefold())
        if face is None:
            where = f"line {lines[place]}: " if lines and lines[place] else ""
            raise NoSuchCard(f"{where}{title} has no card {name.strip()!r}.{near(name, names.values())}")
        found += [face] * count
    return tuple(found)


def counted(entry: str, known: Iterable[str]) -> tuple[int, str]:
    """`3 Name` and `3x Name` are three of them, unless a card is called just that."""
    amount = _COUNTED.fullmatch(entry.strip())
    if amount is None or entry.strip().casefold() in {name.casefold() for name in known}:
        return 1, entry
    return int(amount[1]), amount[2]


def near(name: str, known: Iterable[str]) -> str:
    """A suggestion for a name that is not there."""
    names = {one.casefold(): one for one in known}
    close = difflib.get_close_matches(name.strip().casefold(), names, n=1, cutoff=0.6)
    return f" Did you mean {names[close[0]]}?" if close else ""


def _json_lines(text: str) -> list[tuple[int, str]]:
    try:
        faces = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadList(f"is not a JSON list: {error}.") from None
    if not all(isinstance(face, str) for face in faces):
        raise BadList("is not a JSON list of card names.")
    return [(0, face) for face in faces]


def _text_lines(text: str) -> list[tuple[int, str]]:
    lines = ((number, line.partition("#")[0].strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line) for number, line in lines if line]

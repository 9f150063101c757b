"""What people type behind a command: games, decks, options, seats.

Whatever cannot be read becomes one sentence that says what would be right.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cards import NoSuchGame, find_game
from engine.errors import BadCards, Refused
from engine.game import Game

_COUNTED = re.compile(r"(\d{1,3})\s*[xX×]?\s+(.+)")
Deck = tuple[str, ...]


class BadArgument(Exception):
    """Something on the command line that cannot be. The text is one sentence for whoever typed it."""


class BadDeck(BadArgument):
    """A deck that can be read and names a card that is not there."""


def read_game(id: str) -> Game:
    """A game by its id."""
    try:
        return find_game(id)
    except NoSuchGame as error:
        raise BadArgument(str(error)) from None
    except BadCards as error:
        many = f"{len(error.mistakes)} mistakes" if len(error.mistakes) != 1 else "a mistake"
        raise BadArgument(f"The card files of {id} have {many}; `upcard cards check {id}` lists them.") from None


def read_options(pairs: Iterable[str]) -> dict[str, str]:
    """Options as they are typed, `name=value` each. The game knows which values are good."""
    options = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise BadArgument(f"An option is written name=value, for example turn_limit=50, not {pair!r}.")
        options[name.strip()] = value.strip()
    return options


def match_options(game: Game, pairs: Iterable[str]) -> dict[str, Any]:
    """All options of a match of this game: what was typed, and the defaults of the rest."""
    try:
        return game.read_options(read_options(pairs))
    except Refused as no:
        raise BadArgument(str(no)) from None


def read_seats(game: Game, count: int | None) -> int:
    """How many play: as typed, or the least that the game is for."""
    least, most = game.seats
    if count is None:
        return least
    if not least <= count <= most:
        wants = f"{least}" if least == most else f"{least} to {most}"
        raise BadArgument(f"{game.title} is for {wants} players, not {count}.")
    return count


def read_seat(seats: int, seat: int, what: str) -> int:
    """A seat of a table for so many."""
    if not 0 <= seat < seats:
        raise BadArgument(f"{what} is a seat from 0 to {seats - 1}, not {seat}.")
    return seat


def read_decks(game: Game, texts: Sequence[str], seats: int) -> list[Deck | None]:
    """The deck of each seat in turn; a seat without one leaves it to luck."""
    if len(texts) > seats:
        raise BadArgument(f"There are {seats} seats and {len(texts)} decks; give each seat one at most.")
    decks = [read_deck(game, text) for text in texts]
    return decks + [None] * (seats - len(decks))


def read_deck(game: Game, text: str) -> Deck | None:
    """A deck by its name, as faces with commas between, or from a file. None leaves it to luck."""
    name = _known(game.decks, text)
    if name is not None or not text.strip():
        return game.decks[name] or None if name else None
    if _is_file(text):
        return _from_file(game, Path(text))
    if "/" in text or text.endswith((".txt", ".json", ".deck")):
        raise BadArgument(f"There is no deck file {text}.")
    listed = _split(game, text)
    if len(listed) == 1 and _known(game.faces, _counted(game, listed[0])[1]) is None:
        raise BadArgument(_no_such_deck(game, text))
    return tuple(_faces(game, listed)) or None


def check_deck(game: Game, deck: Deck | None, options: Mapping[str, Any]) -> None:
    """Tell whoever chose a deck that it may not be played, and why."""
    if deck is None:
        return
    try:
        game.check_deck(deck, options)
    except Refused as no:
        raise BadArgument(str(no)) from None


def near(name: str, known: Iterable[str]) -> str:
    """A suggestion for a name that is not there."""
    names = {one.casefold(): one for one in known}
    close = difflib.get_close_matches(name.strip().casefold(), names, n=1, cutoff=0.6)
    return f" Did you mean {names[close[0]]}?" if close else ""


def _no_such_deck(game: Game, text: str) -> str:
    decks = f"its decks are {', '.join(game.decks)}" if game.decks else "it has no named decks"
    both = [*game.decks, *game.faces]
    return f"{game.title} has no deck or card {text.strip()!r}, and there is no such file; {decks}.{near(text, both)}"


def _from_file(game: Game, path: Path) -> Deck:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise BadArgument(f"The deck file {path} cannot be read: {reason}.") from None
    lines = _json_lines(path, text) if text.lstrip().startswith("[") else _text_lines(text)
    try:
        deck = tuple(_faces(game, [line for _, line in lines], [number for number, _ in lines]))
    except BadDeck as error:
        raise BadDeck(f"In {path}, {error}") from None
    if not deck:
        raise BadArgument(f"The deck file {path} holds no cards.")
    return deck


def _json_lines(path: Path, text: str) -> list[tuple[int, str]]:
    try:
        faces = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadArgument(f"The deck file {path} is not a JSON list: {error}.") from None
    if not all(isinstance(face, str) for face in faces):
        raise BadArgument(f"The deck file {path} is not a JSON list of card names.")
    return [(0, face) for face in faces]


def _text_lines(text: str) -> list[tuple[int, str]]:
    lines = ((number, line.partition("#")[0].strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line) for number, line in lines if line]


def _faces(game: Game, entries: Sequence[str], lines: Sequence[int] = ()) -> Iterator[str]:
    """The faces that these entries name, repeats included."""
    for place, entry in enumerate(entries):
        count, name = _counted(game, entry)
        face = _known(game.faces, name)
        if face is None:
            where = f"line {lines[place]}: " if lines and lines[place] else ""
            raise BadDeck(f"{where}{game.title} has no card {name.strip()!r}.{near(name, game.faces)}")
        yield from [face] * count


def _counted(game: Game, entry: str) -> tuple[int, str]:
    """`3 Name` and `3x Name` are three of them, unless a card is called just that."""
    counted = _COUNTED.fullmatch(entry.strip())
    if counted is None or _known(game.faces, entry) is not None:
        return 1, entry
    return int(counted[1]), counted[2]


def _split(game: Game, text: str) -> list[str]:
    """Entries between commas; a comma may also be part of a card's name."""
    parts, found = text.split(","), []
    while parts:
        size = next((n for n in range(len(parts), 1, -1) if _is_card(game, ",".join(parts[:n]))), 1)
        found.append(",".join(parts[:size]))
        del parts[:size]
    return [entry for entry in found if entry.strip()]


def _is_card(game: Game, entry: str) -> bool:
    return _known(game.faces, _counted(game, entry)[1]) is not None


def _known(names: Iterable[str], text: str) -> str | None:
    """The name that is meant; capitals do not matter."""
    wanted = text.strip().casefold()
    return next((name for name in names if name.casefold() == wanted), None)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False

"""What people type behind a command: games, decks, options, seats.

Whatever cannot be read becomes one sentence that says what would be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cards import NoSuchGame, find_game
from cards.decklists import BadList, NoSuchCard, counted, named, near, read_list
from engine.errors import BadCards, Refused
from engine.game import Game
from server.cli import complain

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
    if len(listed) == 1 and not _is_card(game, listed[0]):
        raise BadArgument(_no_such_deck(game, text))
    try:
        return named(listed, game.faces, game.title) or None
    except NoSuchCard as error:
        raise BadDeck(str(error)) from None


def check_deck(game: Game, deck: Deck | None, options: Mapping[str, Any]) -> None:
    """Tell whoever chose a deck that it may not be played, and why."""
    if deck is None:
        return
    try:
        game.check_deck(deck, options)
    except Refused as no:
        raise BadArgument(str(no)) from None


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
    try:
        deck = _in_its_own_format(game, path, text) or read_list(text, game.faces, game.title)
    except NoSuchCard as error:
        raise BadDeck(f"In {path}, {error}") from None
    except BadList as error:
        raise BadArgument(f"The deck file {path} {error}") from None
    if not deck:
        raise BadArgument(f"The deck file {path} holds no cards.")
    return deck


def _in_its_own_format(game: Game, path: Path, text: str) -> Deck | None:
    """A list as players of this game write it. Lines that cannot be read are told, and left out."""
    found = game.read_deck_text(text)
    if found is None:
        return None
    deck, warnings = found
    for warning in warnings:
        complain(f"{path}, {warning}", "warning")
    if not deck:
        raise BadArgument(f"The deck file {path} holds no cards that could be read.")
    return deck


def _split(game: Game, text: str) -> list[str]:
    """Entries between commas; a comma may also be part of a card's name."""
    parts, found = text.split(","), []
    while parts:
        size = next((n for n in range(len(parts), 1, -1) if _is_card(game, ",".join(parts[:n]))), 1)
        found.append(",".join(parts[:size]))
        del parts[:size]
    return [entry for entry in found if entry.strip()]


def _is_card(game: Game, entry: str) -> bool:
    return _known(game.faces, counted(entry, game.faces)[1]) is not None


def _known(names: Iterable[str], text: str) -> str | None:
    """The name that is meant; capitals do not matter."""
    wanted = text.strip().casefold()
    return next((name for name in names if name.casefold() == wanted), None)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False

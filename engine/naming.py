"""What things are called when they are spoken of in words, and which thing a word means.

Programs point at cards by numbers; people and language models use names. Both ways go through here, from what one
viewer sees and from nothing else.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import Game, View
from engine.table import SEAT_NUMBERS

FACE_DOWN = "face-down card"
APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u00b4": "'"})


class Unclear(Exception):
    """A word that means nothing here, or too much. The text says what could be meant."""


class Names:
    """The names of everything that one viewer sees."""

    def __init__(self, game: Game, view: View, titles: Mapping[str, str] | None = None) -> None:
        self.game, self.view = game, view
        self.you: int | None = view.get("you")
        titles = titles or {}
        faces = {card["face"] for card in view["cards"].values() if "face" in card}
        alike = Counter(titles.get(face, face) for face in faces)
        self._faces = {
            face: title if alike[title := titles.get(face, face)] == 1 else f"{title} ({face})" for face in faces
        }
        self._titles = titles
        self._where = {id: key for key, zone in view["zones"].items() for id in zone.get("cards", ()) if id}

    # from things to names

    def face(self, face: str) -> str:
        """A card by its face; two faces of one name are told apart."""
        return self._faces.get(face) or self._titles.get(face, face)

    def card(self, id: int) -> str:
        """A card by its number."""
        shown = self.view["cards"].get(str(id), {})
        return self.face(shown["face"]) if "face" in shown else FACE_DOWN

    def seat(self, seat: int) -> str:
        """A player: `you`, `opponent`, or `seat2` where there are more."""
        if seat == self.you:
            return "you"
        return "opponent" if self.you is not None and len(self.view["seats"]) == 2 else f"seat{seat}"

    def people(self) -> list[str]:
        """What players are called in sentences: by their names, if they have any."""
        seats = range(len(self.view["seats"]))
        return [self.view["seats"][str(seat)].get("name") or f"Seat {seat}" for seat in seats]

    def zone(self, key: str) -> str:
        """A place: `your_hand`, `opponent_active`, `seat2_hand`, or `deck` where all share it."""
        seat, dot, kind = key.partition(".")
        if not dot or not seat.isdigit():
            return key
        who = self.seat(int(seat))
        return f"{'your' if who == 'you' else who}_{kind}"

    def entry(self, entry: int | str) -> str:
        """Something that may be chosen: a card and where it lies, a player, a place, a word."""
        if isinstance(entry, str):
            return self.zone(entry) if entry in self.view["zones"] else entry
        if entry < SEAT_NUMBERS:
            return self.seat(entry)
        where = self._where.get(entry)
        return f"{self.card(entry)} in {self.zone(where)}" if where else self.card(entry)

    def entries(self, entries: Sequence[int | str]) -> dict[str, list[int | str]]:
        """The names of what may be chosen, and what each may mean: of a place the uppermost card first.

        Cards of one name that look different are told apart by a number, counted from the top.
        """
        found: dict[str, list[int | str]] = {}
        for entry in sorted(entries, key=self._depth):
            found.setdefault(self.entry(entry), []).append(entry)
        told: dict[str, list[int | str]] = {}
        for name, meant in found.items():
            told[name] = meant
            if len({self._looks(entry) for entry in meant}) > 1:
                told |= {f"{name} #{n}": [entry] for n, entry in enumerate(meant, 1)}
        return told

    def _depth(self, entry: int | str) -> int:
        where = self._where.get(entry) if isinstance(entry, int) else None
        if where is None:
            return 0
        cards: list[int] = self.view["zones"][where]["cards"]
        return -cards.index(entry)  # type: ignore[arg-type]

    def _looks(self, entry: int | str) -> str:
        return str(sorted(self.view["cards"].get(str(entry), {}).items()))

    # from names to things

    def meant(self, words: Sequence[Any], entries: Sequence[int | str]) -> list[int | str]:
        """What these words mean among what may be chosen; the same word twice means two of them."""
        told = self.entries(entries)
        taken: list[int | str] = []
        for word in words:
            left = [entry for entry in self._candidates(word, told, entries) if entry not in taken]
            if not left:
                raise Unclear(f"There are no more of {word!r}.")
            taken.append(left[0])
        return taken

    def _candidates(
        self, word: Any, told: Mapping[str, list[int | str]], entries: Sequence[int | str]
    ) -> list[int | str]:
        if type(word) in (int, str) and word in entries:
            return [word]
        wanted = plain(str(word))
        names = {plain(name): meant for name, meant in told.items()}
        if wanted in names:
            return names[wanted]
        short = [name for name in told if " #" not in name and plain(name).partition(" in ")[0] == wanted]
        if len(short) == 1:
            return told[short[0]]
        if short:
            raise Unclear(f"{word!r} may be {' or '.join(short)}; say which.")
        heads = {plain(name).partition(" in ")[0]: name for name in told} | {plain(name): name for name in told}
        near = difflib.get_close_matches(wanted, heads, n=1, cutoff=0.5)
        hint = f" Did you mean {heads[near[0]]!r}?" if near else ""
        raise Unclear(f"{word!r} is none of {_list(list(told))}.{hint}")


def plain(text: str) -> str:
    """A name as it is compared: capitals and typographic apostrophes do not matter."""
    return " ".join(text.translate(APOSTROPHES).casefold().split())


def _list(names: Sequence[str], most: int = 30) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more if names else "nothing"

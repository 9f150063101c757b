"""Deck lists as creature players write them: a card a line, with its set and its number there.

    * COUNT NAME SET NUMBER

Lines without a star are for people. A line that cannot be read, or names a card that is not there, becomes a warning:
the rest of the list is a deck all the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from cards.creatures.faces import Card
from cards.decklists import near

_LINE = re.compile(r"\*\s*(\d{1,3})\s+(.+?)\s+(\S+)\s*")


class DeckList(Struct, frozen=True):
    """What a list says, and what of it could not be made out."""

    cards: tuple[str, ...]
    warnings: tuple[str, ...] = ()


class Sets:
    """The cards by set and number, and the names by which sets are called."""

    def __init__(self, cards: Iterable[Card], codes: Mapping[str, str]) -> None:
        self.cards = {(card.row.set.casefold(), str(card.row.number)): card for card in cards}
        self.names = {set.casefold(): set for set, _ in self.cards} | {
            code.casefold(): name.casefold() for code, name in codes.items()
        }

    def read(self, text: str) -> DeckList:
        """The deck of a list. The same card on two lines is added up."""
        found: Counter[str] = Counter()
        warnings = []
        for number, line in enumerate(text.splitlines(), 1):
            if line.lstrip().startswith("*"):
                try:
                    quantity, name = self._line(line.strip())
                except ValueError as wrong:
                    warnings.append(f"line {number}: {wrong}")
                else:
                    found[name] += quantity
        return DeckList(tuple(found.elements()), tuple(warnings))

    def _line(self, line: str) -> tuple[int, str]:
        read = _LINE.fullmatch(line)
        if read is None:
            raise ValueError(f"{line!r} is no card; a line reads `* COUNT NAME SET NUMBER`")
        quantity, words, number = int(read[1]), read[2].split(), read[3]
        for size in range(1, len(words)):  # ever longer names of a set, from the right
            set = self.names.get(" ".join(words[-size:]).casefold())
            if set is None:
                continue
            name, card = " ".join(words[:-size]), self.cards.get((set, number))
            if card is None or card.name.casefold() != name.casefold():
                raise ValueError(self._unknown(name, set, number, card))
            return quantity, card.name
        raise ValueError(f"{line!r} names no set that is known; there is {', '.join(sorted(self.names))}")

    def _unknown(self, name: str, set: str, number: str, card: Card | None) -> str:
        if card is not None:
            return f"number {number} of {set} is {card.name}, not {name}"
        return f"there is no {name!r} number {number} in {set}.{near(name, [one.name for one in self.cards.values()])}"

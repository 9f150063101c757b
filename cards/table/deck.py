"""A pack of fifty-two."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from msgspec import Struct

from cards.loading import read_csv
from engine.effects import Face

Suit = Literal["clubs", "diamonds", "hearts", "spades"]


class Row(Struct):
    """A line of the card file."""

    name: str
    suit: Suit
    rank: int
    text: str


class PlayingCard(Face, frozen=True, kw_only=True):
    """A playing card; the ace counts 1, the king 13."""

    suit: Suit
    rank: int


def pack_of_cards() -> dict[str, PlayingCard]:
    """All of them, in order."""
    return read_csv(Path(__file__).parent / "cards.csv", Row, _make)


def _make(row: Row) -> PlayingCard:
    return PlayingCard(name=row.name, text=row.text, suit=row.suit, rank=row.rank)

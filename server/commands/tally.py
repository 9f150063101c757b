"""Counting matches. Tallies are sums of whole numbers, so it does not matter who counted which match, or when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt

from msgspec import Struct, field

from engine.frames import Seat
from server.commands.headless import Outcome

SURE = 1.96  # standard errors to either side that hold the truth 95 times in 100


class Line(Struct):
    """How often something was there, and how that went."""

    games: int = 0
    wins: int = 0
    draws: int = 0

    @property
    def rate(self) -> float:
        """Wins per game."""
        return self.wins / self.games if self.games else 0.0

    def count(self, won: bool, drawn: bool) -> None:
        """One more."""
        self.games += 1
        self.wins += won
        self.draws += drawn

    def __iadd__(self, other: Line) -> Line:
        self.games += other.games
        self.wins += other.wins
        self.draws += other.draws
        return self


class Seated(Struct, frozen=True):
    """Who sat where in a match: bots by their place in the list, decks by name and by card."""

    bots: tuple[int, ...]
    decks: tuple[str, ...]
    cards: tuple[frozenset[str], ...]
    first: Seat


class Tally(Struct):
    """What many matches come to."""

    games: int = 0
    moves: int = 0
    turns: int = 0
    bots: dict[str, Line] = field(default_factory=dict)
    seats: dict[str, Line] = field(default_factory=dict)
    order: dict[str, Line] = field(default_factory=dict)  # whether a seat began
    decks: dict[str, Line] = field(default_factory=dict)
    cards: dict[str, Line] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)
    draws: Counter[str] = field(default_factory=Counter)
    faults: dict[str, str] = field(default_factory=dict)  # seed -> what went wrong
    gaps: Counter[int] = field(default_factory=Counter)  # wins of the first bot minus wins of the second, per match

    def count(self, seated: Seated, outcome: Outcome, seed: str) -> None:
        """One more match."""
        self.games += 1
        self.moves += outcome.moves
        self.turns += outcome.turns
        self.reasons[outcome.reason] += 1
        if not outcome.winners:
            self.draws[outcome.reason] += 1
        if outcome.fault:
            self.faults[seed] = outcome.fault
        for seat in range(len(seated.bots)):
            self._count_seat(seated, seat, seat in outcome.winners, not outcome.winners)
        won = Counter(seated.bots[seat] for seat in outcome.winners)
        if {0, 1} <= set(seated.bots):
            self.gaps[won[0] - won[1]] += 1

    def _count_seat(self, seated: Seated, seat: Seat, won: bool, drawn: bool) -> None:
        _line(self.bots, str(seated.bots[seat])).count(won, drawn)
        _line(self.seats, str(seat)).count(won, drawn)
        _line(self.order, "first" if seat == seated.first else "later").count(won, drawn)
        if seated.decks:
            _line(self.decks, seated.decks[seat]).count(won, drawn)
        for card in seated.cards[seat]:
            _line(self.cards, card).count(won, drawn)

    def __iadd__(self, other: Tally) -> Tally:
        self.games += other.games
        self.moves += other.moves
        self.turns += other.turns
        for name in ("bots", "seats", "order", "decks", "cards"):
            for key, line in getattr(other, name).items():
                mine = _line(getattr(self, name), key)
                mine += line
        self.reasons += other.reasons
        self.draws += other.draws
        self.faults |= other.faults
        self.gaps.update(other.gaps)
        return self


def difference(gaps: Counter[int]) -> tuple[float, float, float] | None:
    """By how much the first bot wins more often than the second, and the bounds that hold the truth 95 times in 100."""
    games = sum(gaps.values())
    if games < 2:
        return None
    mean = sum(gap * count for gap, count in gaps.items()) / games
    spread = sum(count * (gap - mean) ** 2 for gap, count in sorted(gaps.items())) / (games - 1)
    margin = SURE * sqrt(spread / games)
    return mean, max(-1.0, mean - margin), min(1.0, mean + margin)


def _line(lines: dict[str, Line], key: str) -> Line:
    return lines.setdefault(key, Line())


def ordered(lines: dict[str, Line], by: Sequence[str] | None = None) -> list[tuple[str, Line]]:
    """Lines in a given order, or the best first."""
    if by is not None:
        return [(key, lines[key]) for key in by if key in lines]
    return sorted(lines.items(), key=lambda item: (-item[1].rate, item[0]))

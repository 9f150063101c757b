"""Who plays whom: bots, decks and the first turn go round the table so that nobody is favoured."""

from __future__ import annotations

from hashlib import sha256
from itertools import permutations
from typing import Any

from msgspec import Struct

from cards import find_game
from engine.match import choose_decks
from server.commands.arguments import Deck
from server.commands.headless import play_out
from server.commands.tally import Seated, Tally


class Plan(Struct, frozen=True):
    """Everything that decides how a row of matches goes. It travels to other processes."""

    game: str
    seats: int
    bots: tuple[str, ...]
    seed: str
    options: dict[str, Any]
    decks: tuple[Deck | None, ...]
    deck_names: tuple[str, ...] = ()

    def lineups(self) -> list[tuple[int, ...]]:
        """Which bots sit in which seats: every bot in every seat equally often."""
        count = len(self.bots)
        if count > self.seats:
            return list(permutations(range(count), self.seats))
        row = [place % count for place in range(max(self.seats, count))]
        turns = [tuple(row[turn:] + row[:turn]) for turn in range(self.seats)]
        return list(dict.fromkeys(turns)) if count > 1 else turns[:1]

    def seed_of(self, number: int) -> str:
        """The seed of one match, as `upcard drive` takes it."""
        return f"{self.seed}/{number}"


def play_some(plan: Plan, numbers: range) -> Tally:
    """Play these matches of a plan and count them."""
    tally, lineups = Tally(), plan.lineups()
    for number in numbers:
        _play(plan, number, lineups, tally)
    return tally


def _play(plan: Plan, number: int, lineups: list[tuple[int, ...]], tally: Tally) -> None:
    game, seats = find_game(plan.game), plan.seats
    seed = sha256(plan.seed_of(number).encode()).digest()
    round_, place = divmod(number, len(lineups))
    first, shift = round_ % seats, round_ // seats % seats
    turned = [(seat + shift) % seats for seat in range(seats)]
    decks = choose_decks(game, seed, plan.options, [plan.decks[n] for n in turned], len(turned))
    lineup = lineups[place]
    outcome = play_out(game, [plan.bots[n] for n in lineup], decks, plan.options, first, seed)
    names = tuple(plan.deck_names[n] for n in turned) if plan.deck_names else ()
    seated = Seated(lineup, names, tuple(map(frozenset, decks)), first)
    tally.count(seated, outcome, plan.seed_of(number))

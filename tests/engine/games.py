"""Every game that properties are tried on, and ways to play them by chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st

from cards import find_game, game_ids
from engine.game import Game
from engine.journal import Journal
from engine.lens import Lens, viewers
from engine.match import Match
from engine.merge import canonical
from engine.news import Step
from engine.offers import at_random
from engine.store import state_hash
from tests.engine.magpies import Magpies

MAGPIES = Magpies()
GAMES: list[Game] = [*map(find_game, game_ids()), MAGPIES]

SHARED = [game for game in GAMES if game.seats[1] > 1]  # that nobody plays alone

# Options under which a match is over soon, for games that else take their time.
SHORT: dict[str, dict[str, Any]] = {
    "creatures": {"turn_limit": 12},
    "ggltcg": {"turn_limit": 60},
    "solitaire": {"move_limit": 60},
    "mars": {"temperature": 0, "oxygen": 10, "oceans": 6, "generations": 8},
}

games = st.sampled_from(GAMES)
seeds = st.integers(0, 2**32 - 1)


class Turned(NamedTuple):
    """One input of a random match and what came of it."""

    seat: int  # -1 when time ran out
    do: Mapping[str, Any] | None
    step: Step


def some_move(match: Match, luck: Random) -> tuple[int, dict[str, Any]]:
    """Any seat that is waited for, and any move it may make."""
    seat = luck.choice(match.waiting())
    return seat, at_random(match.offers(seat), luck.randrange)


def go_on(match: Match, luck: Random) -> Turned:
    """One more input: mostly a move, now and then a question that runs out of time."""
    seat, do = some_move(match, luck)
    if match.question(seat) and luck.random() < 0.15:
        return Turned(-1, None, match.expire())
    return Turned(seat, do, match.act(seat, do))


def play(match: Match, luck: Random, most: int = 80) -> Iterator[Turned]:
    """A match by chance, input by input."""
    for _ in range(most):
        if match.over:
            return
        yield go_on(match, luck)


def short(game: Game, seed: int, seats: int | None = None) -> Match:
    """A match that will be over soon."""
    return Match.deal(game, seed=seed, seats=seats, options=SHORT.get(game.id))


def midway(game: Game, seed: int, steps: int) -> Match:
    """A match after some random moves; one that ends sooner is left just before its end."""
    luck = Random(seed)
    match = Match.deal(game, seed=seed)
    for _ in range(steps):
        go_on(match, luck)
        if match.over:
            match.undo()
            break
    return match


@contextmanager
def pen(match: Match) -> Iterator[Journal]:
    """Write on a table by hand, as one step."""
    journal = Journal(match.look)
    yield journal
    journal.close()


def everything(match: Match, viewer: int, step: Step | None = None) -> bytes:
    """All that a viewer is ever told at this moment, as bytes."""
    lens = Lens(match.look, viewer)
    told = [lens.whole(), lens.offers(match), lens.blocked(match), lens.ask(match)]
    if step is not None:
        told.append(lens.news(step))
    return canonical(told)


def everyone(match: Match) -> list[bytes]:
    """What all viewers are told at this moment."""
    return [everything(match, viewer) for viewer in viewers(match.table.seats)]


def same(one: Match, other: Match) -> bool:
    """Whether two matches stand exactly alike, and look alike to everybody."""
    return state_hash(one.table) == state_hash(other.table) and everyone(one) == everyone(other)

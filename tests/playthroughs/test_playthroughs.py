"""Whole matches as text, so that a change of the rules can be read in a diff.

Each file is a match of bots, seeded, told as Ann and Bo would read it. When a change is meant, write the files anew
and read what has changed before you keep it:

    UPCARD_GOLDEN=write python -m pytest tests/playthroughs
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cards import find_game, game_ids
from engine.bots import BOTS
from engine.game import Game
from engine.lens import Lens
from engine.match import Match
from engine.news import Step
from engine.story import fill_in
from engine.table import AUDIENCE

HERE = Path(__file__).parent
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed")
MOST_MOVES = 400
TOLD = ("random", "greedy")  # what mcts plays changes with every figure that it is tuned by
MATCHES = [(game, bot) for game in game_ids() for bot in TOLD]


def playthrough(game: Game, bot: str, seed: str) -> str:
    """A match of bots as a text."""
    count = game.seats[0]
    match = Match.deal(game, seed=seed, names=NAMES[:count])
    bots = [BOTS[bot](game, seat, 1) for seat in range(count)]
    lenses = [Lens(match.look, seat) for seat in range(count)]
    records: list[list[Any]] = [[] for _ in bots]
    lines = [f"{game.title} {game.rules}, {bot} bots, seed {seed!r}", "", *table(match)]
    lines += told(match, match.dealt)
    for _ in range(MOST_MOVES):
        if match.over:
            break
        seat = match.waiting()[0]
        step = match.act(seat, bots[seat].pick(lenses[seat].whole(), match.offers(seat), records[seat]))
        for lens, record in zip(lenses, records, strict=True):
            record.extend(lens.news(step))
        lines += told(match, step)
    result = match.table.result
    end = (
        f"Over: {result.reason}, won by {winners(result.winners)}" if result else f"Broken off after {MOST_MOVES} moves"
    )
    return "\n".join([*lines, "", end, "", *table(match), ""])


def told(match: Match, step: Step) -> Iterator[str]:
    """What somebody who watches reads of a step; a turn begins with a heading."""
    for event in Lens(match.look, AUDIENCE).news(step):
        if event["e"] == "said":
            line = fill_in(match.game.messages, event["key"], event["args"], NAMES)
            yield f"\n## {line}" if event["key"] == "turn" else f"  {line}"
        elif event["e"] == "asked":
            yield f"  {winners(event['seats'])} must decide."


def table(match: Match) -> Iterator[str]:
    """Everything on the table, by name."""
    for seat in range(match.table.seats):
        facts = Lens(match.look, seat).whole()["seats"][str(seat)]
        yield ", ".join(f"{key} {value}" for key, value in facts.items() if not isinstance(value, list | dict))
    for zone in match.table.zones:
        names = ", ".join(card.face for card in match.table.lying(zone))
        yield f"  {zone}: {names}".rstrip()


def winners(seats: Any) -> str:
    return " and ".join(NAMES[seat] for seat in seats) or "nobody"


@pytest.mark.parametrize(("game", "bot"), MATCHES)
def test_a_match_is_played_as_it_was_written_down(game, bot):
    path = HERE / f"{game}-{bot}.txt"
    text = playthrough(find_game(game), bot, f"{game} {bot}")
    if os.environ.get("UPCARD_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"no {path.name} yet; UPCARD_GOLDEN=write writes it"
    assert text == path.read_text(encoding="utf-8")


def test_every_file_here_belongs_to_a_match():
    assert {path.name for path in HERE.glob("*.txt")} == {f"{game}-{bot}.txt" for game, bot in MATCHES}

"""One match between bots, without anybody watching.

A bot is shown what its seat sees only when it is about to move, and its record is written only if it reads it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, overload

from msgspec import Struct

from engine.bots import Agent, RandomBot, make_bot
from engine.errors import EngineError
from engine.frames import Seat
from engine.game import Game, View
from engine.lens import Lens
from engine.match import Match
from engine.news import Step
from server.commands.arguments import Deck

MOVE_LIMIT = 2000  # a match that is still not over is called a draw
Event = Mapping[str, Any]


class Outcome(Struct):
    """How a match ended."""

    winners: tuple[Seat, ...]
    reason: str
    moves: int
    turns: int
    fault: str = ""


class Notes(Sequence[Event]):
    """A seat's record. Steps are kept as they are and told when somebody reads them."""

    def __init__(self, lens: Lens, steps: list[Step]) -> None:
        self._lens = lens
        self._steps = steps  # shared by all seats of a match
        self._told: list[Event] = []
        self._read = 0

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, place: int) -> Event: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Event]: ...
    def __getitem__(self, place: int | slice) -> Event | Sequence[Event]:
        return self._all()[place]

    def _all(self) -> list[Event]:
        for step in self._steps[self._read :]:
            self._told += self._lens.news(step)
        self._read = len(self._steps)
        return self._told


class Player:
    """A bot in its seat."""

    def __init__(self, match: Match, seat: Seat, agent: Agent, steps: list[Step]) -> None:
        self.match = match
        self.seat = seat
        self.agent = agent
        self.lens = Lens(match.look, seat)
        self.record = Notes(self.lens, steps)
        self.blind = isinstance(agent, RandomBot)  # looks at nothing, so nothing needs to be shown

    def move(self) -> Step:
        """Look, pick and play."""
        view: View = {} if self.blind else self.lens.whole()
        return self.match.act(self.seat, self.agent.pick(view, self.match.offers(self.seat), self.record))


def play_out(
    game: Game, bots: Sequence[str], decks: Sequence[Deck], options: Mapping[str, Any], first: Seat, seed: bytes
) -> Outcome:
    """Play one match to its end, or to the limit."""
    match = Match.deal(game, seats=len(bots), seed=seed, decks=decks, options=options, first=first)
    luck = int.from_bytes(seed[:8], "big")
    steps = [match.dealt]
    players = [
        Player(match, seat, make_bot(bot, game, seat, luck, perf_counter), steps) for seat, bot in enumerate(bots)
    ]
    try:
        while not match.over and len(steps) <= MOVE_LIMIT:
            steps.append(players[match.waiting()[0]].move())
    except EngineError as error:
        return Outcome((), "fault", len(steps) - 1, _turns(match), str(error))
    result = match.table.result
    winners, reason = (result.winners, result.reason) if result else ((), "move_limit")
    return Outcome(winners, reason, len(steps) - 1, _turns(match))


def _turns(match: Match) -> int:
    number = match.game.show_turn(match.look).get("number", 0)
    return number if isinstance(number, int) else 0

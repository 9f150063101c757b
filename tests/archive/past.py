"""Matches that are over, as the archive is given them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cards import find_game
from engine.bots import BOTS
from engine.match import Match
from engine.replay import Input, Recorder, Replay
from engine.table import Result
from rooms.archive.filing import Player, Record
from rooms.state import RoomState, Setup, Watch

DAY = 86_400_000


def played(game: str = "ggltcg", seed: str = "1", names: Sequence[str] = ("Ana", "Bo")) -> Replay:
    """A whole match between bots that play at random."""
    rules, luck = find_game(game), seed.encode().ljust(32, b".")
    match = Match.deal(rules, seats=len(names), seed=luck, names=names)
    recorder = Recorder(match)
    bots = [BOTS["random"](rules, seat, 1) for seat in range(len(names))]
    while not match.over:
        seat = match.waiting()[0]
        do = bots[seat].pick({}, match.offers(seat), [])
        recorder.keep(Input(match.table.version + 1, seat, do=dict(do)))
    return recorder.replay


def record(room: str, *users: str, game: str = "ggltcg", mode: str = "ranked", **more: Any) -> Record:
    """A match between these, who came in in this order unless something else is said."""
    result = more.pop("result", None) or Result((0,), "no_cards", tuple((seat,) for seat in range(len(users))))
    people = [Player(user, user.title(), "") if user else Player("", "", "greedy") for user in users]
    facts = {"moves": 20, "started": 1000, "ended": 61_000} | more
    return Record(room, game, mode, people, result, **facts)


def state_of(record: Record, watch: str = "all") -> RoomState:
    """What a room of such a match would remember."""
    setup = Setup(game=record.game, seats=len(record.players), watch=Watch(watch))  # type: ignore[arg-type]
    return RoomState(setup=setup, started=record.started)


DRAW = Result((), "agreed", ())

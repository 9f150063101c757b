"""A finished match as a file that proves itself.

Seed, decks, options and inputs give the match again, on any machine, without waiting for any clock. Every twentieth
state is hashed, so a replay that strays is caught where it strays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct, field

from engine.chance import commitment
from engine.errors import BadReplay, EngineError
from engine.findings import Heed
from engine.frames import Seat
from engine.game import Game
from engine.lens import Lens
from engine.match import Match
from engine.news import Step
from engine.store import state_hash
from engine.table import Result, Viewer

HASH_EVERY = 20


class Input(Struct, frozen=True, omit_defaults=True):
    """One thing that made a version: a move, time running out, a seat giving up, a move taken back, a pause, an end."""

    v: int
    seat: Seat = -1
    n: int = 0
    do: dict[str, Any] | None = None
    sure: bool = False
    expire: bool = False
    resign: str = ""
    stop: str = ""
    takeback: bool = False
    remark: str = ""
    at: int = 0

    def apply(self, match: Match, heed: Heed = "none") -> Step:
        """Make the match go on by this input. Whoever heeds warnings is stopped by them before anything happens."""
        if self.expire:
            return match.expire(None if self.seat < 0 else self.seat)
        if self.stop:
            return match.stop(self.stop)
        if self.resign:
            return match.resign(self.seat, self.resign)
        if self.takeback:
            return match.take_back(self.seat)
        if self.remark:
            return match.remark(self.remark, self.seat)
        return match.act(self.seat, self.do or {}, sure=self.sure, heed=heed)


class Replay(Struct, kw_only=True):
    """Everything that is needed to play a match again."""

    game: str
    rules: str
    set: str
    seats: list[str]
    decks: list[list[str]]
    seed: str  # hex
    commitment: str
    options: dict[str, Any] = field(default_factory=dict)
    first: Seat | None = None
    start: int = 0  # the version of the deal
    inputs: list[Input] = field(default_factory=list)
    hashes: dict[str, str] = field(default_factory=dict)  # version -> hash of the whole table
    result: Result | None = None


class Recorder:
    """Writes a match down while it is played."""

    def __init__(self, match: Match) -> None:
        table = match.table
        self.match = match
        match.remember()
        self.replay = Replay(
            game=table.game,
            rules=table.rules,
            set=table.cards,
            seats=table.names,
            decks=[list(deck) for deck in match.decks],
            seed=table.seed.hex(),
            commitment=commitment(table.seed),
            options=dict(table.options),
            first=match.first,
            start=table.version,
            hashes={str(table.version): state_hash(table)},
        )

    def keep(self, entry: Input, heed: Heed = "none") -> Step:
        """Play an input and write it down."""
        step = entry.apply(self.match, heed)
        self.replay.inputs.append(entry)
        if step.version % HASH_EVERY == 0 or self.match.over:
            self.replay.hashes[str(step.version)] = state_hash(self.match.table)
        self.replay.result = self.match.table.result
        return step

    def act(self, seat: Seat, do: Mapping[str, Any]) -> Step:
        """Play a move and write it down."""
        return self.keep(Input(self.match.table.version + 1, seat, do=dict(do)))


def read_replay(data: bytes) -> Replay:
    """A replay from a file."""
    try:
        return msgspec.json.decode(data, type=Replay)
    except msgspec.DecodeError as error:
        raise BadReplay(f"this is no replay: {error}") from None


def deal_again(game: Game, replay: Replay) -> Match:
    """The table as it was dealt."""
    if replay.rules != game.rules or replay.set != game.cards_hash:
        raise BadReplay(
            f"this match was played by rules {replay.rules} with cards {replay.set}; "
            f"here are rules {game.rules} with cards {game.cards_hash}"
        )
    try:
        seed = bytes.fromhex(replay.seed)
    except ValueError:
        raise BadReplay("the seed is not written in hexadecimal") from None
    if commitment(seed) != replay.commitment:
        raise BadReplay("the seed does not fit the commitment that was published at the start")
    try:
        match = Match.deal(
            game,
            seats=len(replay.seats),
            seed=seed,
            decks=replay.decks,
            options=replay.options,
            first=replay.first,
            names=replay.seats,
            version=replay.start,
        )
    except EngineError as error:
        raise BadReplay(f"this match cannot be dealt: {error}") from None
    match.remember()
    return match


def play_again(game: Game, replay: Replay) -> Iterator[tuple[Match, Step]]:
    """Play a match again, step by step, checking every hash on the way."""
    match = deal_again(game, replay)
    _check(match, replay)
    yield match, match.dealt
    for entry in replay.inputs:
        if entry.v != match.table.version + 1:
            raise BadReplay(f"input {entry.v} follows version {match.table.version}: one is missing or twice there")
        try:
            step = entry.apply(match)
        except EngineError as error:
            raise BadReplay(f"input {entry.v} cannot be played: {error}") from None
        _check(match, replay)
        yield match, step
    if match.table.result != replay.result:
        raise BadReplay(f"the match ends with {match.table.result}, the replay says {replay.result}")


def recount(game: Game, replay: Replay, viewer: Viewer) -> list[dict[str, Any]]:
    """Everything that a viewer was told, from the deal on."""
    told: list[dict[str, Any]] = []
    lens: Lens | None = None
    for match, step in play_again(game, replay):
        lens = lens or Lens(match.look, viewer)
        told += lens.news(step)
    return told


def verify(game: Game, replay: Replay) -> Match:
    """Play a match again to its end; raises where it strays."""
    *_, (match, _) = play_again(game, replay)
    return match


def _check(match: Match, replay: Replay) -> None:
    version = str(match.table.version)
    if version in replay.hashes and replay.hashes[version] != state_hash(match.table):
        raise BadReplay(f"the table at version {version} is not the one that was played on")

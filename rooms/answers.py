"""What a room says to one person, and how it knows a move that it has heard before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2s
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from engine.findings import Heed, Unusual, remarks
from engine.game import Game
from engine.match import Match
from rooms import wire
from rooms.happenings import Acted, Address, Answer, Came, Event, Wished
from rooms.state import RoomState, Sitter

_sorted = msgspec.json.Encoder(order="sorted")


class LastMove(Struct):
    """The last move of a seat that was applied, to tell a repeated one from a new one."""

    n: int = 0
    digest: str = ""
    v: int = 0
    warnings: list[dict[str, Any]] = []

    @classmethod
    def read(cls, n: bytes, digest: bytes, result: bytes) -> LastMove:
        """As it lies in the store."""
        v, _, warnings = result.partition(b" ")
        found = msgspec.json.decode(warnings, type=list[dict[str, Any]]) if warnings else []
        return cls(int(n or b"0"), digest.decode(), int(v or b"0"), found)

    @property
    def result(self) -> str:
        """What is stored of its answer, so that whoever asks again gets the same."""
        told = msgspec.json.encode(self.warnings).decode() if self.warnings else ""
        return f"{self.v} {told}".rstrip()

    def answer(self, i: str) -> wire.Ok:
        """The answer, for the first time or again."""
        return wire.Ok(i=i, v=self.v, warnings=self.warnings or UNSET)


def move_digest(ask: int | None, do: dict[str, Any]) -> str:
    """Two moves with one number are the same move only if this is the same."""
    return blake2s(_sorted.encode((ask, do)), digest_size=8).hexdigest()


def epoch_number(epoch: str) -> int:
    """An epoch as a client says it; 0 if it is none of ours."""
    return int(epoch) if epoch.isdecimal() and len(epoch) <= 20 else 0


def no(
    to: Address,
    i: str,
    code: str,
    text: str,
    retry: bool = False,
    say: tuple[str, dict[str, Any]] | None = None,
    **args: Any,
) -> Answer:
    """A refusal: nothing has changed."""
    return Answer(to, wire.Err(i=i or UNSET, code=code, text=text, retry=retry, say=say or (code, args)))


def heeds(act: wire.Act, options: dict[str, Any]) -> Heed:
    """What stops a person: what they wish to be stopped by, and whatever is unusual at a table that asks first."""
    return "ask" if options.get("ask_first") and act.heed != "all" else act.heed


def unusual(to: Address, i: str, doubt: Unusual, game: Game) -> Answer:
    """Nothing has changed; whoever is sure says so."""
    err = wire.Err(i=i or UNSET, code=doubt.code, text=str(doubt), say=doubt.say)
    err.warn, err.warnings = doubt.passes or UNSET, remarks(doubt.findings, game.messages)
    return Answer(to, err)


def seen_before(act: wire.Act, last: LastMove, digest: str, to: Address) -> Answer:
    """The answer to a move whose number was used already."""
    if act.n < last.n:
        return no(to, act.i, "stale", f"Your move {act.n} was answered long ago; the last one was {last.n}.")
    if digest != last.digest:
        return no(to, act.i, "conflict", f"Your move {act.n} was another one.")
    return Answer(to, last.answer(act.i))


def moved_on(to: Address, i: str) -> Answer:
    """The room is not ours any more, or the attempt did not last: the same again, please."""
    return no(to, i, "moved_on", "The table was handed over; send again.", retry=True)


def turned_away(waiting: Iterable[Event]) -> list[Answer]:
    """Whoever still waits for an answer of a room that is lost is asked to send again."""
    answers = []
    for event in waiting:
        match event:
            case Acted(act=act, to=to):
                answers.append(moved_on(to, act.i))
            case Came(join=join, to=to, quiet=False):
                answers.append(moved_on(to, join.i))
            case Wished(wish=wish, to=to):
                answers.append(moved_on(to, wish.i))
    return answers


def record_of(room: str, match: Match, state: RoomState, sitters: Sequence[Sitter], now: int) -> bytes:
    """What the stream of results is told of a match that ended."""
    players = [{"user": s.user, "name": s.name, "bot": s.played_by} for s in sitters]
    return msgspec.json.encode(
        {
            "room": room,
            "game": state.setup.game,
            "mode": state.setup.mode,
            "players": players,
            "result": match.table.result,
            "moves": match.table.version,
            "started": state.started,
            "ended": now,
        }
    )

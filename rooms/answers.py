"""What a room says to one person, and how it knows a move that it has heard before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2s
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from engine.match import Match
from rooms import wire
from rooms.happenings import Acted, Address, Answer, Came, Event, GaveUp, Talked
from rooms.state import RoomState, Sitter

_sorted = msgspec.json.Encoder(order="sorted")


class LastMove(Struct):
    """The last move of a seat that was applied, to tell a repeated one from a new one."""

    n: int = 0
    digest: str = ""
    v: int = 0


def move_digest(ask: int | None, do: dict[str, Any]) -> str:
    """Two moves with one number are the same move only if this is the same."""
    return blake2s(_sorted.encode((ask, do)), digest_size=8).hexdigest()


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
            case Talked(say=say, to=to):
                answers.append(moved_on(to, say.i))
            case GaveUp(i=i, to=to):
                answers.append(moved_on(to, i))
    return answers


def record_of(room: str, match: Match, state: RoomState, sitters: Sequence[Sitter], now: int) -> bytes:
    """What the stream of results is told of a match that ended."""
    players = [{"user": s.user, "name": s.name, "bot": s.bot} for s in sitters]
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

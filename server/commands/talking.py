"""A seat at a running server that is played by talking: tools and texts on stdin and stdout, a JSON object a line.

Everything is made from the seat's own view, as anybody's client has it; the server knows nothing of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, BinaryIO

import msgspec

from engine.game import Game
from engine.naming import Names
from engine.readable import as_text, readable, story
from engine.tools import BadCall, mode, read_call, tools
from server.client import Rejected, Seat

KNOWN = 'A line is a call: {"name": "end_turn", "arguments": {}}.'


class Call(msgspec.Struct):
    """A tool that is called, with its arguments by name."""

    name: str
    arguments: dict[str, Any] = {}


async def talk(seat: Seat, game: Game, lines: BinaryIO, out: BinaryIO) -> None:
    """Read the table out whenever it is this seat's turn and answer its calls, until it is over or nobody calls."""
    while await seat.my_turn():
        _write(out, moment(seat, game))
        line = await asyncio.to_thread(lines.readline)
        if not line:
            return
        if line.strip():
            _write(out, {"answer": await _answer(seat, game, line)})
    _write(out, moment(seat, game))


def moment(seat: Seat, game: Game) -> dict[str, Any]:
    """How things stand for this seat, and what it can call."""
    question = f"\n\nA question for you: {seat.ask['text']}" if seat.ask else ""
    return {
        "v": seat.v,
        "mode": mode(seat.view, seat.ask),
        "text": as_text(game, seat.view, seat.record) + question,
        "state": readable(game, seat.view),
        "tools": tools(game, seat.view, seat.offers, seat.ask),
    }


async def _answer(seat: Seat, game: Game, line: bytes) -> dict[str, Any]:
    """What becomes of a call."""
    heard = len(seat.record)
    try:
        call = msgspec.json.decode(line, type=Call)
        answer = await _carry_out(seat, game, call)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return {"done": False, "text": f"Nothing was done. This line cannot be read: {error}. {KNOWN}"}
    except BadCall as no:
        return {"done": False, "text": f"Nothing was done. {no}"}
    except Rejected as no:
        how = " Call it again with sure=true to do it all the same." if no.warn else ""
        return {"done": False, "text": f"Nothing was done. {no}{how}"}
    told = story(game, Names(game, seat.view), seat.record[heard:])
    told += [f"Warning: {warning['text']}" for warning in answer.get("warnings", ())]
    return {"done": True, "text": "\n".join(told) or "Done."}


async def _carry_out(seat: Seat, game: Game, call: Call) -> Mapping[str, Any]:
    if call.name == "resign":
        answer = await seat.client.ask({"t": "resign", "room": seat.room})
        await seat.until(lambda: seat.over)
        return answer
    if call.name == "take_back":
        return await seat.client.ask({"t": "propose", "room": seat.room, "what": "takeback"})
    do = read_call(game, seat.view, seat.offers, call.name, call.arguments)
    return await seat.act(do, **({"sure": True} if call.arguments.get("sure") is True else {}))


def _write(out: BinaryIO, told: dict[str, Any]) -> None:
    out.write(msgspec.json.encode(told) + b"\n")
    out.flush()

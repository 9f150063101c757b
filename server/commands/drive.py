"""`upcard drive GAME`: the engine on stdin and stdout.

One JSON object a line in, one a line out; the first line comes unasked. No network, no clock, no store: this is how
engines are compared, how bots in any language play, and how a game is tried by hand.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Iterable
from typing import Any, BinaryIO

import msgspec

from cards import find_game
from engine.chance import commitment
from engine.conversation import Conversation
from engine.errors import Fault, Refused
from engine.findings import Heed, Unusual, remarks
from engine.gallery import Gallery
from engine.match import Match
from engine.news import Step
from engine.sight import Sight
from server.commands.arguments import read_deck, read_options

READ_OUT = "A line is {seat, call: {name, arguments}}, {seat, calls: [...]}, or what drive takes without --readable."
KNOWN = "A line is {seat, do}, {seat, resign: true}, {seat, takeback: true}, {expire: true} or {show: views | state}."


class Call(msgspec.Struct):
    """A tool that is called, with its arguments by name."""

    name: str
    arguments: dict[str, Any] = {}


class Command(msgspec.Struct):
    """One line from the driver. Fields that we do not know are passed over."""

    seat: int | None = None
    do: dict[str, Any] | None = None
    ask: int | None = None
    sure: bool = False
    heed: Heed = "none"
    resign: bool = False
    takeback: bool = False
    expire: bool = False
    show: str | None = None
    call: Call | None = None
    calls: list[Call] = []


class Drive:
    """A match, and somebody who holds all its seats."""

    def __init__(self, match: Match) -> None:
        self.match = match
        match.remember()
        self.gallery = Gallery(match)
        self.epoch = commitment(match.table.seed)[:8]

    def opening(self) -> dict[str, Any]:
        """The whole position with everybody's view."""
        return {
            "v": self.match.table.version,
            "epoch": self.epoch,
            **self._due(),
            "views": self.gallery.views(),
            **self._end(),
        }

    def answer(self, line: bytes) -> dict[str, Any]:
        """What comes back for one line. A refused one changes nothing."""
        try:
            command = _read(line)
            if command.show is not None:
                return self._show(command.show)
            return self._told(self._apply(command))
        except Unusual as doubt:
            found = remarks(doubt.findings, self.match.game.messages)
            return {"err": {**_refusal(doubt), "warnings": found, **({"warn": True} if doubt.passes else {})}}
        except Refused as no:
            return {"err": _refusal(no)}
        except Fault as fault:
            return {"err": {"code": fault.code, "text": f"Our own fault, and nothing was changed: {fault}"}}

    def _apply(self, command: Command) -> Step:
        if command.expire:
            return self.match.expire()
        if command.seat is None:
            raise Refused("bad_command", KNOWN)
        if not 0 <= command.seat < self.match.table.seats:
            raise Refused("bad_seat", f"There is no seat {command.seat} at this table.", seat=command.seat)
        if command.resign:
            return self.match.resign(command.seat)
        if command.takeback:
            return self.match.take_back(command.seat)
        if command.do is None:
            raise Refused("bad_command", KNOWN)
        self._check_ask(command.seat, command.ask)
        asks = self.match.table.options.get("ask_first") and command.heed != "all"
        return self.match.act(command.seat, command.do, sure=command.sure, heed="ask" if asks else command.heed)

    def _check_ask(self, seat: int, ask: int | None) -> None:
        asked = self.match.question(seat)
        if ask is not None and (asked is None or asked[0].id != ask):
            raise Refused("stale_ask", "That question is not open any more.", ask=ask)

    def _told(self, step: Step) -> dict[str, Any]:
        patches, events = self.gallery.patches(step), self.gallery.news(step)
        told = {"v": step.version, **self._due(), "patches": patches, "events": events, **self._end()}
        if step.warnings:
            told["warnings"] = remarks(step.warnings, self.match.game.messages)
        return told

    def _due(self) -> dict[str, Any]:
        gallery = self.gallery
        return {
            "to_act": list(self.match.waiting()),
            "offers": gallery.offers(),
            "blocked": gallery.blocked(),
            "asks": gallery.asks(),
        }

    def _end(self) -> dict[str, Any]:
        return {"result": Sight(self.match.look).live().get("result")}

    def _show(self, what: str) -> dict[str, Any]:
        if what == "views":
            return self.opening()
        if what == "state":
            state = msgspec.to_builtins(self.match.table, str_keys=True)
            return {"v": self.match.table.version, "state": {**state, "seed": self.match.table.seed.hex()}}
        raise Refused("bad_command", KNOWN)


class ReadOut(Drive):
    """The same in words, for agents: whoever is waited for is read the table and the tools that they can call."""

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.talks = [Conversation(match, seat) for seat in range(match.table.seats)]

    def opening(self) -> dict[str, Any]:
        """The position, read out to whoever is waited for."""
        return {"v": self.match.table.version, **self._read_out()}

    def answer(self, line: bytes) -> dict[str, Any]:
        """What comes back for one line; a call is answered with a text, whatever became of it."""
        try:
            command = _read(line)
            calls = [*([command.call] if command.call else []), *command.calls]
            if not calls:
                return super().answer(line)
            if command.seat is None or not 0 <= command.seat < len(self.talks):
                raise Refused("bad_command", READ_OUT)
        except Refused as no:
            return {"err": _refusal(no)}
        answers = [self._call(command.seat, call) for call in calls[:1]]
        for call in calls[1:]:
            tried = answers[-1]["done"]
            untried = {"done": False, "text": f"{call.name} was not tried: the call before it was not done."}
            answers.append(self._call(command.seat, call) if tried else untried)
        told = {"answer": answers[0]} if command.call and len(calls) == 1 else {"answers": answers}
        return {"v": self.match.table.version, **told, **self._read_out()}

    def _call(self, seat: int, call: Call) -> dict[str, Any]:
        try:
            answer = self.talks[seat].call(call.name, call.arguments)
        except Fault as fault:
            return {"done": False, "text": f"Our own fault, and nothing was changed: {fault}"}
        if answer.step is not None:
            self._hear(answer.step)
        return {"done": answer.done, "text": answer.text}

    def _told(self, step: Step) -> dict[str, Any]:
        self._hear(step)
        return {"v": step.version, **self._read_out()}

    def _hear(self, step: Step) -> None:
        self.gallery.patches(step)
        for talk in self.talks:
            talk.hear(step)

    def _read_out(self) -> dict[str, Any]:
        waiting = self.match.waiting()
        seats = {
            str(seat): {
                "mode": self.talks[seat].mode(),
                "text": self.talks[seat].text(),
                "state": self.talks[seat].state(),
                "tools": self.talks[seat].tools(),
            }
            for seat in waiting
        }
        return {"to_act": list(waiting), "seats": seats, **self._end()}


def drive(match: Match, lines: Iterable[bytes], out: BinaryIO, readable: bool = False) -> None:
    """Answer line by line until there are no more."""
    driver = ReadOut(match) if readable else Drive(match)
    _write(out, driver.opening())
    for line in lines:
        if line.strip():
            _write(out, driver.answer(line))


def add(commands: Any) -> None:
    """Tell the command line about this command."""
    parser = commands.add_parser("drive", help="the engine on stdin and stdout, a JSON object a line")
    parser.add_argument("game", help="which game, for example ggltcg")
    parser.add_argument("--seats", type=int, help="how many seats (default: the fewest the game takes)")
    parser.add_argument("--seed", help="any words; the same seed and moves give the same match (default: random)")
    parser.add_argument("--deck", action="append", default=[], help="a deck for the next seat: name, list or file")
    parser.add_argument("--first", type=int, help="the seat that begins (default: chance decides)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    parser.add_argument("--readable", action="store_true", help="in words and tools, for language models")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Deal and drive."""
    game = find_game(args.game)
    match = Match.deal(
        game,
        seats=args.seats,
        seed=secrets.token_bytes(32) if args.seed is None else args.seed,
        decks=[read_deck(game, text) for text in args.deck],
        options=read_options(args.option),
        first=args.first,
    )
    drive(match, sys.stdin.buffer, sys.stdout.buffer, args.readable)
    return 0


def _read(line: bytes) -> Command:
    try:
        return msgspec.json.decode(line, type=Command)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused("bad_frame", f"This line cannot be read: {error}. {KNOWN}") from None


def _refusal(no: Refused) -> dict[str, Any]:
    return {"code": no.code, "text": str(no), "say": list(no.say)}


def _write(out: BinaryIO, answer: dict[str, Any]) -> None:
    out.write(msgspec.json.encode(answer) + b"\n")
    out.flush()

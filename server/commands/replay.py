"""`upcard replay FILE`: plays a match again from its file, checks it on the way and prints what happened."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from engine.errors import BadReplay, EngineError
from engine.game import Game
from engine.lens import Lens
from engine.match import Match
from engine.replay import Replay, play_again, read_replay
from engine.story import fill_in
from engine.table import AUDIENCE
from server.cli import WRONG, complain
from server.commands.arguments import BadArgument, read_game
from server.commands.captions import Captions
from server.commands.screen import Screen


def add(commands: Any) -> None:
    """Tell the command line about this command."""
    parser = commands.add_parser("replay", help="verify a replay and print its match", description=__doc__)
    parser.add_argument("file", metavar="FILE", help="a replay, as `upcard play --save` writes it")
    parser.add_argument("--quiet", action="store_true", help="verify only; print one line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Verify and print; a replay that strays makes the status 1."""
    replay = _read(args.file)
    game = read_game(replay.game)
    console = Screen()
    try:
        match = _play(console, game, replay, args.quiet)
    except (BadReplay, EngineError) as error:
        complain(f"{args.file}: {str(error).rstrip('.')}.", "upcard replay")
        return WRONG
    console.print(Text(_verdict(match, replay), "green"), soft_wrap=True)
    return 0


def _read(name: str) -> Replay:
    try:
        return read_replay(Path(name).read_bytes())
    except OSError as error:
        raise BadArgument(f"The file {name} cannot be read: {error.strerror}.") from None
    except BadReplay as error:
        raise BadArgument(f"The file {name} cannot be used: {error}.") from None


def _play(console: Console, game: Game, replay: Replay, quiet: bool) -> Match:
    """Everything again, told as it goes."""
    names = [_printable(name) or f"Seat {seat}" for seat, name in enumerate(replay.seats)]
    teller = Teller(game, names)
    match: Match | None = None
    entries = iter([None, *replay.inputs])
    for match, step in play_again(game, replay):
        entry = next(entries)
        if quiet:
            continue
        if entry is None:
            _show_sides(console, names, replay)
        do = entry.do if entry else None
        for line in teller.told(Lens(match.look, AUDIENCE).news(step), entry.seat if entry else -1, do):
            console.print(line)
    assert match is not None, "a replay begins with its deal"
    if not quiet:
        _show_result(console, teller, match)
    return match


class Teller:
    """Tells a match turn by turn."""

    def __init__(self, game: Game, names: list[str]) -> None:
        self.game = game
        self.captions = Captions(game, names)
        self._turn: tuple[Any, Any] = (None, None)

    def told(self, events: list[dict[str, Any]], seat: int, do: Mapping[str, Any] | None) -> Iterator[Text | Rule]:
        """A heading where a turn begins, and a line for everything that was said."""
        spoke = False
        for event in events:
            if event["e"] == "phase":
                yield from self._heading(event)
            elif event["e"] == "said":
                spoke = True
                yield Text(f"  {fill_in(self.game.messages, event['key'], event['args'], self.captions.names)}")
        if not spoke and do is not None:
            yield Text(f"  {self.captions.seat(seat)}: {str(do.get('type', '')).replace('_', ' ')}")

    def _heading(self, event: Mapping[str, Any]) -> Iterator[Rule]:
        turn = event.get("number"), event.get("seat")
        if turn == self._turn or turn[0] is None:
            return
        self._turn = turn
        whose = f" · {self.captions.seat(turn[1])}" if isinstance(turn[1], int) else ""
        yield Rule(Text(f"Turn {turn[0]}{whose}", "bold"), style="dim", align="left")


def _show_sides(console: Console, names: list[str], replay: Replay) -> None:
    for name, deck in zip(names, replay.decks, strict=False):
        console.print(Text(name, "bold").append(f" plays {', '.join(deck)}" if deck else "", "not bold dim"))


def _show_result(console: Console, teller: Teller, match: Match) -> None:
    result = match.table.result
    if result is None:
        console.print(Text("The match was not played to its end.", "bold"))
        return
    told = {"winners": list(result.winners), "reason": result.reason}
    console.print(Rule(style="dim"))
    console.print(Text(teller.captions.result(told), "bold"))


def _verdict(match: Match, replay: Replay) -> str:
    hashes = len(replay.hashes)
    return (
        f"verified: {len(replay.inputs)} inputs, {hashes} {'hash' if hashes == 1 else 'hashes'}, "
        f"version {match.table.version}, seed {replay.seed} fits its commitment"
    )


def _printable(name: str) -> str:
    """A name from a file may hold anything, even words to the terminal."""
    return "".join(sign for sign in name if sign.isprintable())[:40]

"""`upcard play GAME`: a match in the terminal against bots.

The person gets what any client gets: a view, offers, questions and news. So every game can be played here.
"""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
from msgspec.structs import replace
from rich.console import Console
from rich.markdown import Markdown
from rich.panel import Panel
from rich.text import Text

import cards
from cards.decklists import near
from engine import chance
from engine.bots import Agent, make_bot, name_bots
from engine.findings import Finding, Heed, Unusual, remarks
from engine.frames import Seat
from engine.game import Game
from engine.lens import Lens
from engine.match import Match
from engine.replay import Input, Recorder
from engine.story import tell
from server.commands.arguments import (
    BadArgument,
    check_deck,
    match_options,
    read_decks,
    read_game,
    read_seat,
    read_seats,
)
from server.commands.dealing import add_arguments, read_bot
from server.commands.headless import Notes
from server.commands.prompting import EndOfInput, Lines, Prompt
from server.commands.screen import Screen
from server.commands.terminal import Picture

PERSON = "Player"


def add(commands: Any) -> None:
    """Tell the command line about this command."""
    parser = commands.add_parser("play", help="play in the terminal against bots", description=__doc__)
    add_arguments(parser)
    parser.add_argument("--bot", metavar="NAME", default="greedy", help="who plays against you (default: greedy)")
    parser.add_argument("--seat", metavar="N", type=int, default=0, help="your seat (default: 0)")
    parser.add_argument("--first", metavar="SEAT", type=int, help="the seat that begins (default: chance decides)")
    parser.add_argument("--save", metavar="FILE", help="write the replay to a file")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Deal, play, and say how it ended."""
    console = Screen()
    seed = secrets.token_hex(4) if args.seed is None else args.seed
    save = _save_to(args.save)
    session = _session(args, console, seed)
    try:
        session.play()
    finally:
        if save and session.recorder:
            _save(save, session.recorder)
    session.conclude()
    console.print(Text(f"Seed {seed}" + (f", replay in {save}" if save else ""), "dim"))
    return 0


class Session:
    """A person, some bots and a match."""

    def __init__(
        self, console: Console, match: Match, seat: Seat, agents: Mapping[Seat, Agent], recorder: Recorder | None
    ) -> None:
        self.console = console
        self.match = match
        self.seat = seat
        self.agents = agents
        self.recorder = recorder  # only where the match is to be saved
        self.names = match.table.names
        self.steps = [match.dealt]
        self.lenses = [Lens(match.look, one) for one in range(match.table.seats)]
        self.records = [Notes(lens, self.steps) for lens in self.lenses]
        self.picture = Picture(console, match.game, self.names)
        self.prompt = Prompt(console, self.picture.captions, Lines(console), self.look_up)
        self.heard = 0

    def play(self) -> None:
        """Everybody moves when it is their turn, until it is over or nobody types any more."""
        try:
            while not self.match.over:
                waiting = self.match.waiting()
                self._person() if self.seat in waiting else self._bot(waiting[0])
        except EndOfInput:
            self.console.print(Text("\nNo more input: the match stops here, unfinished.", "yellow"))

    def conclude(self) -> None:
        """The last things that happened, the table as it stands, and the result."""
        if not self.match.over:
            return
        self.show_table()
        result = self.lenses[self.seat].whole()["result"]
        won = "bold green" if self.seat in result["winners"] else "bold red" if result["winners"] else "bold"
        self.console.print(Panel(Text(self.picture.captions.result(result), won), title="The match is over"))

    def show_table(self) -> None:
        """What happened since somebody last looked, and how things stand."""
        view, lens = self.lenses[self.seat].whole(), self.lenses[self.seat]
        story = self._story()
        if story[self.heard :]:
            self.console.print()
        for line in story[self.heard :]:
            self.console.print(Text(f" · {line}"))
        self.heard = len(story)
        self.console.print()
        blocked = frozenset(one["card"] for one in lens.blocked(self.match))
        self.picture.draw(view, lens.offers(self.match), blocked)
        self.picture.turn(view)

    def look_up(self, line: str) -> bool:
        """Do what a word asks for that changes nothing; False if it is no such word."""
        word = line.strip()
        if word == "??":
            self._show_rules()
        elif word.startswith("?"):
            self._show_cards(word[1:].strip())
        elif word.lower() == "l":
            self._show_log()
        elif word.lower() == "t":
            self.show_table()
        elif word.lower() == "q":
            self._give_up()
        else:
            return False
        return True

    def _person(self) -> None:
        self.show_table()
        lens, view = self.lenses[self.seat], self.lenses[self.seat].whole()
        try:
            self._move(self.prompt.choose(view, lens.offers(self.match), lens.ask(self.match)))
        except _GaveUp:
            self._keep(Input(self.match.table.version + 1, self.seat, resign="resigned"))

    def _bot(self, seat: Seat) -> None:
        view = self.lenses[seat].whole()
        self._act(seat, self.agents[seat].pick(view, self.match.offers(seat), self.records[seat]))

    def _move(self, do: Mapping[str, Any]) -> None:
        """The person's move. What is unusual about it is told; a table that asks first waits for a yes."""
        entry = Input(self.match.table.version + 1, self.seat, do=dict(do))
        try:
            self._keep(entry, "ask" if self.match.table.options.get("ask_first") else "none")
        except Unusual as doubt:
            self._tell(doubt.findings)
            if self.prompt.confirm("Do it all the same?"):
                self._keep(replace(entry, sure=True))
        else:
            self._tell(self.steps[-1].warnings)

    def _tell(self, findings: Iterable[Finding]) -> None:
        for remark in remarks(findings, self.match.game.messages):
            self.console.print(Text(f" ! {remark['text']}", "yellow"))

    def _act(self, seat: Seat, do: Mapping[str, Any]) -> None:
        self._keep(Input(self.match.table.version + 1, seat, do=dict(do)))

    def _keep(self, entry: Input, heed: Heed = "none") -> None:
        self.steps.append(self.recorder.keep(entry, heed) if self.recorder else entry.apply(self.match, heed))

    def _story(self) -> list[str]:
        return tell(self.match.game.messages, self.records[self.seat], self.names)

    def _give_up(self) -> None:
        if self.prompt.confirm("Give up this match?"):
            raise _GaveUp

    def _show_log(self) -> None:
        for line in self._story():
            self.console.print(Text(f" · {line}"))

    def _show_cards(self, name: str) -> None:
        known = self.picture.captions.catalogue
        if name:
            faces = [face for face in known if name.casefold() in face.casefold()]
        else:
            seen = self.lenses[self.seat].whole()["cards"].values()
            faces = sorted({card["face"] for card in seen if "face" in card})
        for face in faces:
            self._show_card(face, known[face])
        if not faces:
            self.console.print(Text(f" There is no card {name!r}.{near(name, known)}", "yellow"))

    def _show_card(self, face: str, printed: Mapping[str, Any]) -> None:
        facts = self.picture.captions.print(printed)
        line = Text(f" {face}", "bold")
        line.append(f" ({', '.join(facts)})" if facts else "", "not bold cyan")
        self.console.print(line.append(f"  {printed.get('text', '')}", "not bold default"))

    def _show_rules(self) -> None:
        if text := cards.guide(self.match.game):
            self.console.print(Markdown(text))
        else:
            self.console.print(Text(" The rules of this game are not written down here; ? shows the cards.", "yellow"))


class _GaveUp(Exception):
    """The person does not want to go on."""


def _session(args: argparse.Namespace, console: Console, words: str) -> Session:
    game = read_game(args.game)
    seats = read_seats(game, args.seats)
    seat = read_seat(seats, args.seat, "--seat")
    first = None if args.first is None else read_seat(seats, args.first, "--first")
    options = match_options(game, args.option)
    bot = read_bot(game, args.bot)
    seed = chance.make_seed(words)
    chosen = read_decks(game, args.deck, seats)
    for deck in chosen:
        check_deck(game, deck, options)
    names = _names(bot, seats, seat)
    match = Match.deal(game, seats=seats, seed=seed, decks=chosen, options=options, first=first, names=names)
    agents = _agents(game, bot, [other for other in range(seats) if other != seat], seed)
    return Session(console, match, seat, agents, Recorder(match) if args.save else None)


def _agents(game: Game, bot: str, seats: Sequence[Seat], seed: bytes) -> dict[Seat, Agent]:
    luck = int.from_bytes(seed[:8], "big")
    return {seat: make_bot(bot, game, seat, luck, perf_counter) for seat in seats}


def _names(bot: str, seats: int, seat: Seat) -> list[str]:
    names = name_bots({other: bot for other in range(seats) if other != seat})
    return [names.get(one, PERSON) for one in range(seats)]


def _save_to(text: str | None) -> Path | None:
    """Where the replay goes; told before the match, not after it, if that cannot be."""
    if text is None:
        return None
    path = Path(text)
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise BadArgument(f"The replay cannot be saved as {text}: that is no file in a folder that exists.")
    return path


def _save(path: Path, recorder: Recorder) -> None:
    try:
        path.write_bytes(msgspec.json.format(msgspec.json.encode(recorder.replay), indent=1))
    except OSError as error:
        raise BadArgument(f"The replay cannot be saved as {path}: {error.strerror}.") from None

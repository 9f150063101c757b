"""`upcard cards check`: reads the card files of a game and reports every mistake at once."""

from __future__ import annotations

import argparse
from typing import Any

from rich.console import Console
from rich.text import Text

from cards import game_ids
from cards.decklists import near
from server.cli import WRONG
from server.commands.arguments import BadArgument, BadDeck, match_options, read_deck, read_game
from server.commands.inspecting import Findings, inspect
from server.commands.screen import Screen


def add(commands: Any) -> None:
    """Tell the command line about this command."""
    cards = commands.add_parser("cards", help="check card files and decks")
    actions = cards.add_subparsers(title="commands", metavar="COMMAND")
    cards.set_defaults(parser=cards)
    check = actions.add_parser("check", help="read all card files and report every mistake", description=__doc__)
    check.add_argument("game", metavar="GAME", nargs="?", help="one game (default: all of them)")
    check.add_argument("--deck", metavar="D", help="check one deck instead: a name, CARD,CARD,… or a file")
    check.add_argument("--option", metavar="NAME=VALUE", action="append", default=[], help="an option of the game")
    check.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check and report; mistakes make the status 1."""
    console = Screen()
    if args.deck is not None:
        return _check_deck(console, _only_game(args.game), args.deck, args.option)
    if args.option:
        raise BadArgument("--option goes with --deck: card files are checked under every option.")
    games = [args.game] if args.game else game_ids()
    if args.game and args.game not in game_ids():
        raise BadArgument(
            f"There is no game {args.game!r}; there is {', '.join(game_ids())}.{near(args.game, game_ids())}"
        )
    found = [inspect(game) for game in games]
    for findings in found:
        _report(console, findings)
    mistakes = sum(len(findings.mistakes) for findings in found)
    if mistakes:
        console.print(
            Text(f"{mistakes} {'mistake' if mistakes == 1 else 'mistakes'} found.", "bold red"), soft_wrap=True
        )
    return WRONG if mistakes else 0


def _report(console: Console, findings: Findings) -> None:
    verdict, style = ("fine", "green") if not findings.mistakes else ("mistakes", "red")
    console.print(Text(f"{findings.game}: ", "bold").append(verdict, style), soft_wrap=True)
    for line in findings.read:
        console.print(Text(f"  {line}", "dim"), soft_wrap=True)
    for mistake in findings.mistakes:
        console.print(Text("  ✗ ", "red").append(f"{findings.game}/{mistake}", "default"), soft_wrap=True)


def _check_deck(console: Console, id: str, text: str, pairs: list[str]) -> int:
    game = read_game(id)
    options = match_options(game, pairs)
    chosen = ", ".join(f"{name}={value}" for name, value in options.items()) or "no options"
    try:
        deck = read_deck(game, text)
        mistakes = [str(no) for no in game.deck_mistakes(deck, options)] if deck is not None else []
    except BadDeck as no:
        deck, mistakes = None, [str(no)]
    for mistake in mistakes:
        console.print(Text("✗ ", "red").append(f"{text}: {mistake}", "default"), soft_wrap=True)
    if mistakes:
        return WRONG
    size = f"{len(deck)} cards" if deck is not None else "drawn by luck"
    console.print(Text(f"{text}: {size}, fine for {game.title} with {chosen}."), soft_wrap=True)
    return 0


def _only_game(game: str | None) -> str:
    """The game that a deck is for; with one game there is no need to say."""
    known = game_ids()
    if game is None and len(known) > 1:
        raise BadArgument(f"Which game is the deck for? Say `upcard cards check GAME --deck …`: {', '.join(known)}.")
    return known[0] if game is None else game

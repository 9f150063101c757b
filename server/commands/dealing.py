"""Setting a match up from the command line: the arguments that `play` and `sim` share."""

from __future__ import annotations

import argparse

from cards.decklists import near
from engine.bots import BOTS, can_play, read_name
from engine.errors import Refused
from engine.game import Game
from server.commands.arguments import BadArgument


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What every command that deals takes."""
    parser.add_argument("game", metavar="GAME", help="which game, for example ggltcg")
    parser.add_argument("--seats", metavar="N", type=whole(2), help="how many play (default: the fewest it is for)")
    parser.add_argument("--seed", help="any words; the same seed gives the same match again (default: random)")
    parser.add_argument(
        "--deck",
        metavar="D",
        action="append",
        default=[],
        help="a deck by name, as CARD,CARD,… or as a file; once for each seat (default: left to luck)",
    )
    parser.add_argument("--option", metavar="NAME=VALUE", action="append", default=[], help="an option of the game")


class whole:  # noqa: N801 - reads like the type it checks
    """A whole number that is not too small."""

    def __init__(self, least: int) -> None:
        self.least = least

    def __call__(self, text: str) -> int:
        """The number that was typed."""
        try:
            number = int(text)
        except ValueError:
            number = self.least - 1
        if number < self.least:
            raise argparse.ArgumentTypeError(f"is a whole number from {self.least} up, not {text!r}")
        return number


def read_bot(game: Game, name: str) -> str:
    """A bot that can play this game."""
    name = name.strip()
    try:
        read_name(name)
    except Refused as no:
        raise BadArgument(f"{no}{near(name, BOTS) if no.code == 'unknown_bot' else ''}") from None
    if not can_play(name, game):
        raise BadArgument(f"The bot {name} cannot play {game.title} yet; the bot random can.")
    return name

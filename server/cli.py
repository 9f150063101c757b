"""`upcard`: the command line.

Each command lives in a module of its own under `server.commands` and is read in only when it is called for, so that
asking for help is quick. Whatever somebody mistyped is told in one sentence; programs see the status.

    0  done     1  looked and found something wrong     2  the command or a file makes no sense
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

WRONG, MISUSED, INTERRUPTED, UNHEARD = 1, 2, 130, 141

COMMANDS = {
    "bot": ("server.commands.bot", "seat a bot at a table of a running server"),
    "serve": ("server.commands.serve", "run the service: rooms, sockets and web page"),
    "gateway": ("server.commands.gateway", "hold the sockets, for rooms on other machines or cores"),
    "host": ("server.commands.host", "run rooms, for gateways on other machines or cores"),
    "rooms": ("server.commands.rooms", "show what runs where"),
    "drain": ("server.commands.drain", "have hosts and gateways hand everything over and stop"),
    "admin": ("server.commands.admin", "ban, rename, close tables, and read what people report"),
    "play": ("server.commands.play", "play in the terminal against bots"),
    "sim": ("server.commands.sim", "play many matches between bots and count"),
    "cards": ("server.commands.check", "check card files and decks"),
    "replay": ("server.commands.replay", "verify a replay and print its match"),
    "drive": ("server.commands.drive", "the engine on stdin and stdout, a JSON object a line"),
    "bench": ("server.commands.bench", "load a server with many rooms and measure it"),
    "spec": ("server.commands.spec", "write the protocol's documents and types"),
}

_REWORDED = (
    (re.compile(r"argument (\S+): expected (?:one|at least one) argument"), r"\1 needs a value"),
    (re.compile(r"argument (\S+): invalid int value: (.+)"), r"\1 is a whole number, not \2"),
    (re.compile(r"argument (\S+): (.+)"), r"\1 \2"),
    (re.compile(r"the following arguments are required: (.+)"), r"\1 is missing"),
    (re.compile(r"unrecognized arguments: (.+)"), r"there is no argument \1"),
)


class Parser(argparse.ArgumentParser):
    """Reads arguments; a bad one gets a sentence instead of a page."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and where to read more."""
        for pattern, better in _REWORDED:
            if pattern.fullmatch(message):
                message = pattern.sub(better, message)
                break
        complain(f"{message.rstrip('.')}; `{self.prog} --help` shows what it takes.", self.prog)
        raise SystemExit(MISUSED)


def main(argv: Sequence[str] | None = None) -> int:
    """Carry out one command and return its status."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return _run(words)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else WRONG
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _stop_writing()
        return UNHEARD


def complain(sentence: str, who: str = "upcard") -> None:
    """One line on stderr, whatever the text is made of."""
    plain = "".join(sign if sign.isprintable() else " " for sign in sentence)
    print(f"{who}: {' '.join(plain.split())}", file=sys.stderr)


def _run(words: list[str]) -> int:
    parser = _parser(next((word for word in words if not word.startswith("-")), ""))
    args = parser.parse_args(words)
    if "run" not in args:
        (args.parser if "parser" in args else parser).print_help()
        return 0
    status = _carry_out(args)
    sys.stdout.flush()  # a closed pipe shows here, while we can still leave quietly
    return status


def _carry_out(args: argparse.Namespace) -> int:
    from engine.errors import EngineError, Fault
    from server.commands.arguments import BadArgument

    try:
        return int(args.run(args))
    except Fault as fault:
        complain(f"this is our own fault, not yours: {fault}")
        return WRONG
    except (BadArgument, EngineError) as error:
        complain(str(error))
        return MISUSED


def _parser(chosen: str) -> Parser:
    """The parser of the chosen command; the others are only named."""
    parser = Parser(prog="upcard", description="A real-time room service for card games.")
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and stop")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    for name, (module, text) in COMMANDS.items():
        if name == chosen:
            importlib.import_module(module).add(commands)
        else:
            commands.add_parser(name, help=text)
    if chosen and chosen not in COMMANDS:
        parser.error(f"there is no command {chosen!r}{_near(chosen)}")
    return parser


class _Version(argparse.Action):
    """Looks the version up only when somebody asks."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import version

        print(f"upcard {version('upcard')}")
        parser.exit()


def _near(name: str) -> str:
    import difflib

    close = difflib.get_close_matches(name, COMMANDS, n=1, cutoff=0.5)
    return f" (did you mean {close[0]}?)" if close else f"; there is {', '.join(COMMANDS)}"


def _stop_writing() -> None:
    """Nobody reads any more: whatever is still buffered goes nowhere, without a complaint at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())

"""`upcard sim GAME`: many matches between bots, over all cores.

Matches are dealt from the seed and their number, so the figures are the same however many processes share the work.
"""

from __future__ import annotations

import argparse
import json
import secrets
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engine.errors import Fault
from server.commands.arguments import check_deck, match_options, read_decks, read_game, read_seats
from server.commands.dealing import add_arguments, read_bot, whole
from server.commands.figures import as_object, show
from server.commands.schedule import Plan, play_some
from server.commands.screen import Screen
from server.commands.tally import Tally
from server.cores import cores

CHUNK = 20  # matches that a process takes at a time, at most
SHARES = 4  # times that each process comes for more, at least, so that all are done at about the same moment


def add(commands: Any) -> None:
    """Tell the command line about this command."""
    parser = commands.add_parser("sim", help="play many matches between bots and count", description=__doc__)
    add_arguments(parser)
    parser.add_argument("--games", metavar="N", type=whole(1), default=1000, help="how many matches (default: 1000)")
    parser.add_argument("--bots", metavar="A,B", default="greedy,random", help="who plays (default: greedy,random)")
    parser.add_argument("--jobs", metavar="J", type=whole(1), help="how many processes (default: one per core)")
    parser.add_argument("--json", action="store_true", help="print one machine-readable object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play, count and show. Matches that broke down make the status 1."""
    plan = read_plan(args)
    jobs = min(args.jobs or cores(), args.games)
    began = time.perf_counter()
    tally = simulate(plan, args.games, jobs)
    seconds = time.perf_counter() - began
    if args.json:
        print(json.dumps(as_object(plan, tally, seconds, jobs), ensure_ascii=False, indent=2))
    else:
        show(Screen(), plan, tally, seconds, jobs)
    return 1 if tally.faults else 0


def read_plan(args: argparse.Namespace) -> Plan:
    """What is to be played, from the command line."""
    game = read_game(args.game)
    seats = read_seats(game, args.seats)
    options = match_options(game, args.option)
    decks = read_decks(game, args.deck, seats)
    for deck in decks:
        check_deck(game, deck, options)
    names = (*args.deck, *["(drawn)"] * (seats - len(args.deck))) if args.deck else ()
    bots = tuple(read_bot(game, name) for name in args.bots.split(","))
    seed = secrets.token_hex(4) if args.seed is None else args.seed
    return Plan(game.id, seats, bots, seed, options, tuple(decks), names)


def simulate(plan: Plan, games: int, jobs: int) -> Tally:
    """Play so many matches of a plan on so many processes."""
    size = max(1, min(CHUNK, games // (jobs * SHARES)))
    chunks = [range(start, min(start + size, games)) for start in range(0, games, size)]
    tally = Tally()
    with _progress() as progress:
        task = progress.add_task("", total=games)
        for part in _played(plan, chunks, jobs):
            tally += part
            progress.update(task, completed=tally.games)
    return tally


def _played(plan: Plan, chunks: list[range], jobs: int) -> Iterator[Tally]:
    if jobs == 1:
        yield from (play_some(plan, chunk) for chunk in chunks)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        others = active_children()
        with _deaf_to_interrupts():
            waiting: list[Future[Tally]] = [pool.submit(play_some, plan, chunk) for chunk in chunks]
        workers = [child for child in active_children() if child not in others]
        try:
            for future in as_completed(waiting):
                yield future.result()
        except BrokenProcessPool:
            raise Fault("a process that was playing matches has died") from None
        except BaseException:  # somebody is in a hurry: what is half played is not wanted any more
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.terminate()
            raise


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started in here leave Ctrl-C to us, so that it ends quietly."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _progress() -> Progress:
    bar = (TextColumn("playing"), BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn())
    console = Screen(stderr=True)
    return Progress(*bar, console=console, transient=True, disable=not console.is_terminal)

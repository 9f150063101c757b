"""A process that thinks for bots, so that the one with the sockets need not; and plays finished matches again.

It is told everything it may know with every question: a view, the offers, the record of the seat. It keeps nothing,
and whatever becomes of it costs one thought. `python -m rooms.thinker MODULE…` reads questions and writes answers, each
with its length before it, until whoever asks is gone.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from cards import add_games, find_game
from engine.bots import make_bot
from engine.frames import Offer
from rooms.archive.recounting import recount

LENGTH = 4  # bytes before every message that say how long it is
NICE = 10  # whoever plays over a socket comes first
READY = b"\x00"


class Job(Struct, array_like=True, tag="job"):
    """A question to a bot, with all that the seat may know."""

    game: str
    bot: str
    seat: int
    seed: int
    seconds: float  # for those who think as long as they are let; 0: no limit
    view: dict[str, Any]
    offers: tuple[Offer, ...]
    record: list[dict[str, Any]]


class Again(Struct, array_like=True, tag="again"):
    """A finished match that is to be played again, as it lies in the archive."""

    replay: bytes


class Thought(Struct, array_like=True):
    """What came of it: a move or what a match has shown, or the kind of mistake that kept it from coming."""

    do: dict[str, Any] | None = None
    error: str = ""


_encode = msgspec.msgpack.Encoder().encode
_job = msgspec.msgpack.Decoder(Job | Again)


def think(job: Job | Again) -> Thought:
    """Let a bot pick, or play a match again. A mistake is told by its kind only: its text might name a card."""
    try:
        if isinstance(job, Again):
            return Thought(msgspec.to_builtins(recount(job.replay)))
        bot = make_bot(job.bot, find_game(job.game), job.seat, job.seed, perf_counter, job.seconds)
        return Thought(dict(bot.pick(job.view, job.offers, job.record)))
    except Exception as error:
        return Thought(error=type(error).__name__)


def framed(data: bytes) -> bytes:
    """A message with its length before it."""
    return len(data).to_bytes(LENGTH, "big") + data


def _listen(questions: BinaryIO, ask: Callable[[bytes], None]) -> None:
    """Take questions until there is nobody left who could ask; then nobody wants the answer either."""
    while len(head := questions.read(LENGTH)) == LENGTH:
        ask(questions.read(int.from_bytes(head, "big")))
    os._exit(0)


def main() -> None:
    """Answer questions until whoever asks them is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is typed at the terminal is for the parent
    if hasattr(os, "nice"):  # not on every system
        os.nice(NICE)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a game prints is no answer
    add_games(sys.argv[1:])
    waiting: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(sys.stdin.buffer, waiting.put), daemon=True).start()
    data = READY
    while True:
        answers.write(framed(data))
        answers.flush()
        data = _encode(think(_job.decode(waiting.get())))


if __name__ == "__main__":
    main()

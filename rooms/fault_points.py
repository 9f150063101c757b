"""Moments at which this process can be told to die, so that a test can kill it at the worst one.

`UPCARD_FAULTS=commit.after_send@40` ends the process without warning the fortieth time that it gets there. Without the
variable nothing is counted and nothing can happen.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

VARIABLE = "UPCARD_FAULTS"
POINTS = (
    "commit.before_send",  # worked out, and the store knows nothing of it
    "commit.after_send",  # the store has it, and nobody here knows
    "commit.after_reply",  # known to be written, and nothing made of it yet
    "commit.after_install",  # made part of the table and told
    "match.after_pair",  # people were taken out of a queue, and their room is not made
    "match.after_make",  # the room is made, and nobody knows
    "match.after_tell",  # everybody was told, and it is not struck off the list of what is to do
    "match.after_settle",  # a match is off and whoever came waits again, and its room still stands
    "archive.after_write",  # a match is in the archive, and its room does not know
)


class BadFault(Exception):
    """The variable does not name a moment and a number."""


def die() -> None:
    """End this process as a power failure would."""
    os.kill(os.getpid(), signal.SIGKILL)


def reaching(text: str, end: Callable[[], None] = die) -> Callable[[str], None]:
    """What to call at each moment: it ends the process when the named one comes for the so-many-th time."""
    if not text:
        return _pass
    point, _, times = text.partition("@")
    if point not in POINTS or not times.isdecimal() or not int(times):
        raise BadFault(f"{VARIABLE}={text!r} names no moment; write for example {POINTS[1]}@40.")
    left = int(times)

    def reach(name: str) -> None:
        nonlocal left
        if name == point:
            left -= 1
            if left == 0:
                end()

    return reach


def _pass(name: str) -> None:
    """Nothing was asked for."""


reach = reaching(os.environ.get(VARIABLE, ""))

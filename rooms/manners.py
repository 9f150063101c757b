"""How long people are waited for, and what is held against nobody: the house rules of a server."""

from __future__ import annotations

from msgspec import Struct

from rooms.state import Clock

FAST, MIDDLE = 180_000, 900_000  # ms a side; longer is slow
FAST_DECISION, MIDDLE_DECISION = 15_000, 60_000


class Manners(Struct, frozen=True):
    """Times in ms."""

    grace: tuple[int, int, int] = (30_000, 60_000, 120_000)  # for whoever was cut off, by the speed of the match
    closed: int = 10_000  # for whoever left on purpose
    pause: int = 600_000  # the longest a pause may be
    rematch_guard: int = 1_000  # right after the end a click was meant for the last move
    ask_again: int = 20_000  # until one who was refused may propose the same
    idle_table: int = 900_000  # until a table with nobody at it is closed
    abandoned: int = 86_400_000  # until a match without a clock that nobody touches is over
    lag_move: int = 300  # credit for the way that a move takes, each time
    lag_match: int = 3_000  # and in all

    def patience(self, clock: Clock | None, closed: bool, again: bool) -> int:
        """How long an absent player is waited for; 0: for ever, since days are meant for being away."""
        if clock is not None and clock.days:
            return 0
        time = self.closed if closed else self.grace[speed(clock)]
        return time // 2 if again else time


def speed(clock: Clock | None) -> int:
    """0 for a fast match, 1 for one in between, 2 for a slow one."""
    if clock is None or clock.days:
        return 2
    most = (FAST_DECISION, MIDDLE_DECISION) if clock.decision else (FAST, MIDDLE)
    time = clock.decision or clock.base
    return 0 if time <= most[0] else 1 if time <= most[1] else 2

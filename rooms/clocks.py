"""Clocks: who has how much time, worked out from server time alone.

All of it is plain arithmetic on what is stored, so that it goes on in another process as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.frames import Ask
from engine.match import Match
from rooms.state import Clock, RoomState, Times

GRACE = 400  # ms that a move may be on the way when time runs out; reaction windows have none


def start(clock: Clock | None, seats: int, waiting: Sequence[int], now: int, seconds: float = 0) -> Times | None:
    """The clock as it stands when the first cards are dealt."""
    if clock is None and not seconds:
        return None
    each = (clock.each or clock.base) if clock else 0
    times = Times([each] * seats)
    return run(clock, times, waiting, now, seconds)


def run(clock: Clock | None, times: Times, waiting: Sequence[int], now: int, seconds: float = 0) -> Times:
    """Let the time of these seats run from now. `seconds` is what the rules allow for an open question."""
    left = list(times.left)
    if clock and clock.each:
        for seat in waiting:
            left[seat] = clock.each
    return Times(left, list(waiting) if clock else [], now, now + round(seconds * 1000) if seconds else 0)


def moved_on(
    clock: Clock | None, times: Times | None, seats: int, waiting: Sequence[int], now: int, seconds: float, opened: bool
) -> Times | None:
    """The clock after a commit: what was used is gone, who has moved gets the increment, who is waited for runs.

    `opened` says that the question on the table is a new one; an old one goes on as it was.
    """
    if times is None:
        return start(clock, seats, waiting, now, seconds)
    spent = max(0, now - times.since)
    left = list(times.left)
    for seat in times.runs:
        left[seat] = max(0, left[seat] - spent)
        if clock and clock.base and seat not in waiting:
            left[seat] += clock.inc
    after = Times(left, list(waiting) if clock else [], now, times.window)
    if opened:
        after = run(clock, after, waiting, now, seconds)
    return after


def deadline(times: Times | None) -> int:
    """The moment at which time runs out for somebody; 0 if nobody's time runs."""
    if times is None:
        return 0
    ends = [times.since + times.left[seat] for seat in times.runs]
    if times.window:
        ends.append(times.window)
    return min(ends, default=0)


def grace(times: Times | None) -> int:
    """How long after the deadline a move still counts."""
    return 0 if times is None or (times.window and times.window == deadline(times)) else GRACE


def credit(times: Times | None, lost: int) -> Times | None:
    """Time that nobody served is nobody's time."""
    if times is None or lost <= 0:
        return times
    return Times(times.left, times.runs, times.since + lost, times.window + lost if times.window else 0, times.asked)


def shown(times: Times | None) -> dict[str, object] | None:
    """The clock as everybody sees it."""
    if times is None:
        return None
    left = {str(seat): ms for seat, ms in enumerate(times.left)}
    shown: dict[str, object] = {"left": left, "runs": times.runs, "at": times.since}
    if times.window:
        shown["until"] = times.window
    return shown


def after(match: Match, state: RoomState, now: int) -> Times | None:
    """The clock after a step of a match."""
    if match.over:
        return None
    top, times = match.table.stack[-1], state.times
    seconds, asked = (top.seconds, top.id) if isinstance(top, Ask) else (0.0, 0)
    opened = times is None or not asked or asked != times.asked
    new = moved_on(state.setup.clock, times, match.table.seats, match.waiting(), now, seconds, opened)
    if new is not None:
        new.asked = asked
    return new

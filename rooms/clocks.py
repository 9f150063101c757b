"""Clocks: who has how much time, worked out from server time alone.

All of it is plain arithmetic on what is stored, so that it goes on in another process as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.frames import Ask
from engine.match import Match
from engine.replay import Input
from rooms.manners import Manners
from rooms.state import Clock, RoomState, Times

GRACE = 400  # ms that a move may be on the way when time runs out; reaction windows have none
PAUSED, RESUMED = "paused", "resumed"  # remarks that stop the clock and let it go on


def start(clock: Clock | None, seats: int, waiting: Sequence[int], now: int, seconds: float = 0) -> Times | None:
    """The clock as it stands when the first cards are dealt."""
    if clock is None and not seconds:
        return None
    each = (clock.each or clock.base) if clock else 0
    return run(clock, Times([each] * seats if clock else []), waiting, now, seconds)


def run(clock: Clock | None, times: Times, waiting: Sequence[int], now: int, seconds: float = 0) -> Times:
    """Let the time of these seats run from now. `seconds` is what the rules allow for an open question."""
    left = list(times.left)
    if clock and clock.each:
        for seat in waiting:
            left[seat] = clock.each
    window = now + round(seconds * 1000) if seconds else 0
    return Times(left, list(waiting) if clock else [], now, window, lag=times.lag)


def moved_on(
    clock: Clock | None,
    times: Times | None,
    seats: int,
    waiting: Sequence[int],
    now: int,
    seconds: float,
    opened: bool,
    moved: int = -1,
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
        if clock and clock.base and seat == moved and seat not in waiting:
            left[seat] += clock.inc
    after = Times(left, list(waiting) if clock else [], now, times.window, lag=times.lag)
    if opened:
        after = run(clock, after, waiting, now, seconds)
    return after if clock or after.window else None


def deadline(times: Times | None) -> int:
    """The moment at which time runs out for somebody, or for a pause; 0 if nobody's time runs."""
    if times is None:
        return 0
    if times.paused:
        return times.paused
    ends = [times.since + times.left[seat] for seat in times.runs]
    if times.window:
        ends.append(times.window)
    return min(ends, default=0)


def run_out(times: Times, due: int) -> int:
    """The seat whose time is up by then; -1 if that is everybody who is asked."""
    if times.window and times.window <= due:
        return -1
    return next((seat for seat in times.runs if times.since + times.left[seat] <= due), -1)


def grace(times: Times | None) -> int:
    """How long after the deadline a move still counts."""
    exact = times is None or times.paused or (times.window and times.window == deadline(times))
    return 0 if exact else GRACE


def credit(times: Times | None, lost: int) -> Times | None:
    """Time that nobody served is nobody's time."""
    if times is None or lost <= 0:
        return times
    window = times.window + lost if times.window else 0
    return Times(times.left, times.runs, times.since + lost, window, times.asked, times.paused, times.lag)


def shown(times: Times | None) -> dict[str, object] | None:
    """The clock as everybody sees it."""
    if times is None:
        return None
    left = {str(seat): ms for seat, ms in enumerate(times.left)}
    shown: dict[str, object] = {"left": left, "runs": [] if times.paused else times.runs, "at": times.since}
    if times.window and not times.paused:
        shown["until"] = times.window
    if times.paused:
        shown["paused"] = times.paused
    return shown


def after(match: Match, state: RoomState, now: int, entry: Input, manners: Manners, lag: int = 0) -> Times | None:
    """The clock after an input. `lag` is how long the move was on its way, which is not the player's time."""
    if match.over:
        return None
    clock, times = state.setup.clock, state.times
    if times is not None and times.paused:
        times = _resumed(times, now)
    if lag and times is not None and entry.seat in times.runs:
        times = _made_up(times, entry.seat, min(lag, now - times.since), manners)
    top = match.table.stack[-1]
    seconds, asked = (top.seconds, top.id) if isinstance(top, Ask) else (0.0, 0)
    opened = times is None or (not asked and not entry.remark) or asked != times.asked
    moved = entry.seat if entry.do is not None else -1
    new = moved_on(clock, times, match.table.seats, match.waiting(), now, seconds, opened, moved)
    if entry.remark == PAUSED:
        new = new or Times([], since=now)
        new.paused = now + manners.pause
    if new is not None:
        new.asked = asked
    return new


def _resumed(times: Times, now: int) -> Times:
    """A pause ends with whatever happens next, and was nobody's time."""
    window = times.window + now - times.since if times.window else 0
    return Times(times.left, times.runs, now, window, times.asked, 0, times.lag)


def _made_up(times: Times, seat: int, lag: int, manners: Manners) -> Times:
    """What a move lost on its way is given back, up to so much each time and in all, and never more than it took."""
    used = list(times.lag) or [0] * len(times.left)
    given = max(0, min(lag, manners.lag_move, manners.lag_match - used[seat]))
    used[seat] += given
    left = list(times.left)
    left[seat] += given
    return Times(left, times.runs, times.since, times.window, times.asked, 0, used)

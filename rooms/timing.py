"""What happens at a table because time has passed or somebody above it says so, and when to look next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.replay import Input
from rooms import clocks, gathering, leaving, wire
from rooms.happenings import Effect, Present, Wake
from rooms.state import PLAYING, WAITING

if TYPE_CHECKING:
    from rooms.core import RoomCore

AGAIN = 1000  # ms until something that failed by our own fault is tried once more


def time_up(core: RoomCore, now: int) -> list[Effect]:
    """A deadline may have passed: of a clock, of a pause, of somebody's absence, of a table that nobody came to."""
    if core.unwritten:
        return _try_again(core, now)
    if core.match is None:
        return gathering.time_up(core, now)
    if core.match.over:
        return []
    times, due = core.state.times, clocks.deadline(core.state.times)
    due += clocks.grace(times)
    if times is None or not due or due > now:
        return leaving.time_up(core, now)
    if times.paused:
        entry = Input(core.ver + 1, remark=clocks.RESUMED, at=now)
    else:
        entry = Input(core.ver + 1, clocks.run_out(times, due - clocks.grace(times)), expire=True, at=now)
    effects = core.try_input(entry, now, None, "", None, not_before=due)
    if core.busy:
        return effects
    core.faults += 1  # it should have worked: once more, and then the match ends undecided
    if core.faults < 2:
        return [Wake(now + AGAIN)]
    return core.try_input(Input(core.ver + 1, stop="fault", at=now), now, None, "", None)


def close(core: RoomCore, now: int) -> list[Effect]:
    """Whoever runs this place ends it: a match stays undecided, a table that waits is cleared."""
    text = "This table was closed by whoever runs this place."
    if core.match is None:
        return gathering.call_off(core, "closed", text)
    if core.match.over:
        return []
    told = Present(wire.Notice(code="closed", text=text, say=("closed", {})))
    return [told, *core.try_input(Input(core.ver + 1, stop="abandoned", at=now), now, None, "", None)]


def _try_again(core: RoomCore, now: int) -> list[Effect]:
    """The store would not write a moment ago: what nobody will ask for again we do again ourselves."""
    core.unwritten = False
    if core.match is None:
        return [Wake(wake_at(core)), *core.deal_if_ready(now)]
    return core.go_on()


def wake_at(core: RoomCore) -> int:
    """When somebody must look again, because time will have run out; 0 if nothing can."""
    if core.status != PLAYING:
        return gathering.due(core) if core.status == WAITING else 0
    times = core.state.times
    due, other = clocks.deadline(times), leaving.due(core)
    due += clocks.grace(times) if due else 0
    return min(due, other) if due and other else due or other


def look_again_at(core: RoomCore) -> int:
    """When a room that was put to sleep must be woken, whatever for; 0 if it need not be."""
    return min(filter(None, (wake_at(core), *(wake.at for wake in core.stand_ins.wake()))), default=0)

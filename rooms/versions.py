"""A version on its way to the store: what is written of it, and what everybody will be told once it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from engine.findings import remarks
from engine.news import Step
from engine.replay import HASH_EVERY, Input
from engine.store import pack, state_hash
from engine.table import Table
from rooms import clocks
from rooms.answers import LastMove, record_of
from rooms.happenings import Address, Commit
from rooms.state import RoomState, pack_room
from rooms.telling import Told

if TYPE_CHECKING:
    from rooms.core import RoomCore

_json = msgspec.json.Encoder()


class Pending(Struct, gc=False):
    """A version that is on its way to the store."""

    step: Step
    told: dict[str, Told]
    commit: Commit
    to: Address | None
    i: str
    seat: int
    last: LastMove | None
    at: int
    entry: Input
    lag: int


def prepare(
    core: RoomCore,
    step: Step,
    entry: Input,
    now: int,
    to: Address | None = None,
    i: str = "",
    last: LastMove | None = None,
    not_before: int = 0,
    lag: int = 0,
) -> tuple[Pending, RoomState]:
    """The version that a step makes, and the state that the room is in once it is written."""
    assert core.match is not None
    assert core.teller is not None
    match, v = core.match, core.ver + 1
    if last is not None:
        last.warnings = remarks(step.warnings, core.game.messages)
    times = clocks.after(match, core.state, now, entry, core.manners, lag)
    watched = bool(core.seating.watchers) or core.late is not None or match.over
    kept, told = core.teller.tell(step, v, core.ep, core.state.epoch, clocks.shown(times), watched)
    state = msgspec.structs.replace(core.state, epoch=core.ep, table=pack(match.table), times=times)
    if entry.resign:
        state.resigned = {**state.resigned, entry.seat: v}
    commit = Commit(
        base=core.ver,
        status=core.status,
        deadline=clocks.deadline(times) if not match.over else 0,
        not_before=not_before,
        seat=str(entry.seat) if last is not None else "",
        n=last.n if last else 0,
        digest=last.digest if last else "",
        result=last.result if last else str(v),
        snapshot=pack_room(state),
        input=_logged(entry, match.table, v % HASH_EVERY == 0 or match.over),
        kept=kept,
        told=told if core.late is None else {view: told[view] for view in told if view != "watch"},
        record=record_of(core.room, match, core.state, core.seating.sitters, now) if match.over else b"",
        excused=core.excused,
    )
    return Pending(step, told, commit, to, i, entry.seat, last, now, entry, lag), state


def _logged(entry: Input, table: Table, hashed: bool) -> bytes:
    """An input as the log keeps it; now and then with what the table must hash to."""
    return _json.encode({**msgspec.to_builtins(entry), "hash": state_hash(table)} if hashed else entry)

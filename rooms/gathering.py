"""Before the cards are dealt: who is ready, who is shown out, and tables that nobody comes to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from rooms import wire
from rooms.answers import no
from rooms.happenings import Address, Answer, Effect, Off, Save, Shut, Unfollow, Wake, Wished
from rooms.state import WAITING, Sitter

if TYPE_CHECKING:
    from rooms.core import RoomCore

FRESH = 60_000  # ms that a table is kept after it changed hands, however long it had been empty

_json = msgspec.json.Encoder()


def ready(core: RoomCore, event: Wished, wish: wire.Ready, now: int) -> list[Effect]:
    """A player says that they are ready, or not yet."""
    seat = core.seating.seat_of(event.who.user)
    if seat is None:
        return [no(event.to, wish.i, "not_seated", "You have no seat at this table.")]
    if core.status != WAITING:
        return [no(event.to, wish.i, "started", "The match has begun.")]
    if wish.yes:
        core.seating.ready.add(seat)
    else:
        core.seating.ready.discard(seat)
    return [Answer(event.to, wire.Ok(i=wish.i)), core.seating.present(now), *core.deal_if_ready(now)]


def kick(core: RoomCore, event: Wished, wish: wire.Kick) -> list[Effect]:
    """Whoever opened the room shows somebody out; they do not come back."""
    to, seat, setup = event.to, wish.seat, core.state.setup
    if not setup.host or setup.host != event.who.user:
        return [no(to, wish.i, "not_host", "Only whoever opened the room may show others out.")]
    if core.status != WAITING:
        return [no(to, wish.i, "started", "The match has begun; nobody is shown out any more.")]
    user = core.seating.sitters[seat].user if seat < setup.seats else ""
    if not user or user == setup.host:
        return [no(to, wish.i, "bad_seat", "Nobody whom you could show out sits there.")]
    kicked = [*core.seating.kicked, user]
    return _free(core, seat, "kicked", "You were shown out of this table.", to, wish.i, kicked)


def stand_up(core: RoomCore, event: Wished, seat: int, i: str) -> list[Effect]:
    """A player would rather not play here: their seat is free again. A match that was arranged is off."""
    if core.state.setup.ready_by:
        text = "Somebody does not want to play; the match is off."
        return [Answer(event.to, wire.Ok(i=i)), *call_off(core, "not_ready", text, without=event.who.user)]
    return _free(core, seat, "stood_up", "You gave your seat up.", event.to, i, core.seating.kicked)


def _free(core: RoomCore, seat: int, why: str, text: str, to: Address, i: str, kicked: Sequence[str]) -> list[Effect]:
    """Have it written that nobody sits on a seat any more, and close the room to whoever did."""
    closed = wire.Closed(room=core.room, code=why, text=text, say=(why, {}))

    def freed(_: Any, now: int) -> list[Effect]:
        core.seating.kicked = list(kicked)
        core.seating.sitters[seat] = Sitter(bot=core.state.setup.bots.get(seat, ""))
        core.seating.ready.discard(seat)
        out: list[Effect] = [Answer(to, wire.Ok(i=i))]
        for connection in core.seating.here.pop(seat, []):
            core.seating.users.pop(connection, None)
            out += [Unfollow(connection), Answer(connection, closed)]
        return [*out, core.seating.present(now)]

    return core.send_out(Save({f"seat{seat}": b"", "kicked": _json.encode(kicked)}), to, i, freed)


def due(core: RoomCore) -> int:
    """When to look again."""
    idle = core.seating.empty_at + core.manners.idle_table if core.seating.empty_at else 0
    by = core.state.setup.ready_by
    return min(by, idle) if by and idle else by or idle


def look_round(core: RoomCore, now: int) -> list[Effect]:
    """A table changed hands: those who sit at it will say so soon."""
    idle = core.manners.idle_table
    core.seating.empty_at = max(core.touched, now - max(0, idle - FRESH)) if idle else 0
    return [Wake(core.wake_at())]


def time_up(core: RoomCore, now: int) -> list[Effect]:
    """A match is off when not everybody has come in time; a table that nobody sits at is closed."""
    seating, by = core.seating, core.state.setup.ready_by
    if by and by <= now:
        return call_off(core, "not_ready", "Not everybody came; the match is off.")
    if seating.empty_at and seating.empty_at + core.manners.idle_table <= now:
        return [_shut(core, "idle", "Nobody was here for a while.")]
    return [Wake(core.wake_at())]


def call_off(core: RoomCore, why: str, text: str, without: str = "") -> list[Effect]:
    """Close a table. Whoever came to a match that was arranged is let down, and goes back to the queue."""
    if not core.state.setup.ready_by:
        return [_shut(core, why, text)]
    seating = core.seating
    came = [s.user for seat, s in enumerate(seating.sitters) if s.user not in ("", without) and seat in seating.here]
    return core.send_out(Off(came), None, "", lambda _, now: [_shut(core, why, text)])


def _shut(core: RoomCore, why: str, text: str) -> Shut:
    return Shut(wire.Closed(room=core.room, code=why, text=text, say=(why, {})))

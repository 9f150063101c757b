"""Coming to a table and leaving it: who takes which seat, and what they find."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from engine.errors import Refused
from rooms import leaving, talk
from rooms.answers import no
from rooms.happenings import Came, Effect, Missed, Save, Wake, Went
from rooms.state import OVER, PLAYING, WAITING, Sitter

if TYPE_CHECKING:
    from rooms.core import RoomCore

_json = msgspec.json.Encoder()


def come(core: RoomCore, event: Came, now: int) -> list[Effect]:
    """Somebody wants to sit, to return to their seat, or to watch."""
    if lost := core.witnessed(event, now):
        return lost
    if event.join.as_ == "watch":
        effects = core.seating.watch(core, event, now)
        return effects + _greet(core, event) + core.deal_if_ready(now)
    seat = core.seating.seat_of(event.who.user)
    if seat is None:
        return _take_seat(core, event)
    sitter = core.seating.sitters[seat]
    if core.status != OVER and (sitter.stand_in or sitter.name != event.who.name):
        # Whoever comes back plays again, under the name that they have now.
        return save_sitter(core, event, seat, replace(sitter, stand_in="", name=event.who.name))
    return _sit(core, event, seat, now)


def go(core: RoomCore, event: Went, now: int) -> list[Effect]:
    """A connection follows the room no longer; its player stays seated."""
    seat = core.seating.seat_at(event.to)
    effects = core.seating.leave(event.to, now)
    if seat is None or seat in core.seating.here:
        return [*effects, Wake(core.wake_at())] if core.status == WAITING else effects
    core.seating.ready.discard(seat)
    gone = leaving.went(core, seat, event.closed, event.ours, now)
    return [core.seating.present(now), Wake(core.wake_at()), *gone]


def save_sitter(core: RoomCore, event: Came | Missed, seat: int, sitter: Sitter, guard: str = "") -> list[Effect]:
    """Have it written who plays a seat; until that is certain nothing else is looked at."""

    def seated(_: Any, now: int) -> list[Effect]:
        core.seating.sitters[seat] = sitter
        if isinstance(event, Missed):
            core.seating.away.pop(seat, None)
            return [core.seating.present(now), *core.go_on()]
        bots = core.stand_ins.think() if core.status == PLAYING else []
        return [*_sit(core, event, seat, now), *bots]

    to, i = (event.to, event.join.i) if isinstance(event, Came) and not event.quiet else (None, "")
    return core.send_out(Save({f"seat{seat}": _json.encode(sitter)}, guard), to, i, seated)


def _sit(core: RoomCore, event: Came, seat: int, now: int) -> list[Effect]:
    back = leaving.came(core, seat, event.to) if seat not in core.seating.here else []
    effects = core.seating.sit(core, event, seat, now)
    return [*effects, *back, *_greet(core, event), *core.deal_if_ready(now)]


def _greet(core: RoomCore, event: Came) -> list[Effect]:
    here = not event.quiet and core.seating.is_here(event.to)
    return talk.greet(core, event.to, event.who.user) if here else []


def _take_seat(core: RoomCore, event: Came) -> list[Effect]:
    free = core.seating.free()
    if event.who.user in core.seating.kicked:
        return [no(event.to, event.join.i, "kicked", "You were shown out of this table.")]
    if core.status != WAITING or free is None:
        return [no(event.to, event.join.i, "full", "There is no free seat at this table; you may watch.")]
    try:
        deck = core.game.find_deck(event.join.deck, core.state.setup.options)
    except Refused as refused:
        return [no(event.to, event.join.i, refused.code, str(refused), say=refused.say)]
    sitter = Sitter(event.who.user, event.who.name, deck=deck)
    return save_sitter(core, event, free, sitter, guard=f"seat{free}")

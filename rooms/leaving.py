"""Players who are away, and matches that nobody touches.

Who was cut off is waited for longer than who left on purpose, and both sides see until when. After that the match may
be claimed. Nobody is held to account for what was our own fault: a room that changes hands begins to wait anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from engine.replay import Input
from rooms import wire
from rooms.answers import no
from rooms.happenings import Address, Answer, Effect, LookUp, Mark, Wake, Wished
from rooms.state import PLAYING, WAIT

if TYPE_CHECKING:
    from rooms.core import RoomCore

WARNED = "warned"  # the mark of somebody who left a match today and knows what comes of doing it again


class Away(Struct):
    """A player who is not there while a match is played."""

    since: int
    closed: bool  # left on purpose
    ours: bool  # by a fault of ours
    until: int  # from then on the match may be claimed; 0: never
    again: bool = False  # not for the first time today
    marked: bool = False  # it was long enough to be remembered


def went(core: RoomCore, seat: int, closed: bool, ours: bool, now: int) -> list[Effect]:
    """A player's last connection is gone."""
    user = core.seating.sitters[seat].user
    if core.status != PLAYING or not user or seat in core.state.resigned:
        return []
    core.seating.away[seat] = away = Away(now, closed, ours, 0)
    _set_until(core, away)
    return [LookUp(user)] if away.until and not ours and _claimable(core) else []


def came(core: RoomCore, seat: int, to: Address) -> list[Effect]:
    """A player is back. Whoever stayed away for long is told what it means."""
    away = core.seating.away.pop(seat, None)
    if core.status != PLAYING:
        return []
    if away is not None and away.marked and not away.again:
        return [*warn(core, seat, to), Wake(core.wake_at())]
    return [LookUp(core.seating.sitters[seat].user)] if _claimable(core) else []


def warn(core: RoomCore, seat: int, to: Address) -> list[Effect]:
    """Tell somebody before anything is ever held against them."""
    text = "You left a match for long. Do so again today, and your opponent may claim the win after half the time."
    notice = wire.Notice(code="left_once", text=text, say=("left_once", {}))
    return [Answer(to, notice), Mark(_user(core, seat), WARNED)]


def known(core: RoomCore, user: str, mark: str, now: int) -> list[Effect]:
    """It was looked up whether somebody has left a match today."""
    seat = core.seating.seat_of(user)
    if seat is None or not mark:
        return []
    away = core.seating.away.get(seat)
    if away is None:
        here = core.seating.here.get(seat)
        return warn(core, seat, here[-1]) if here and mark != WARNED else []
    if mark != WARNED or away.again:
        return []
    away.again = True
    _set_until(core, away)
    return [core.seating.present(now), Wake(core.wake_at())]


def look_round(core: RoomCore, now: int) -> list[Effect]:
    """A room changed hands: whoever is not there is waited for from now on, whoever's fault it is."""
    for seat, sitter in enumerate(core.seating.sitters):
        if sitter.user and seat not in core.seating.here and not sitter.stand_in:
            core.seating.away[seat] = away = Away(now, False, True, 0)
            _set_until(core, away)
    return [Wake(core.wake_at())] if core.seating.away else []


def resumed(core: RoomCore, now: int) -> list[Effect]:
    """After a pause, whoever is away is waited for anew."""
    for away in core.seating.away.values():
        away.since = now
        _set_until(core, away)
    return [core.seating.present(now)] if core.seating.away else []


def excuse(core: RoomCore, ms: int) -> None:
    """For so long nobody could come back, by a fault of ours."""
    for away in core.seating.away.values():
        away.since += ms
        away.until += ms if away.until else 0


def due(core: RoomCore) -> int:
    """When to look again; 0 if nobody's absence matters."""
    aways = core.seating.away.values() if _claimable(core) else ()
    times = [away.until for away in aways if away.until and not away.marked]
    if core.state.times is None and core.manners.abandoned:
        times.append(core.touched + core.manners.abandoned)
    return min(times, default=0)


def time_up(core: RoomCore, now: int) -> list[Effect]:
    """Remember who stayed away too long, and end what nobody touches."""
    if core.state.times is None and core.manners.abandoned and core.touched + core.manners.abandoned <= now:
        return core.try_input(Input(core.ver + 1, stop="abandoned", at=now), now, None, "", None)
    effects: list[Effect] = []
    for seat, away in core.seating.away.items() if _claimable(core) else ():
        if away.until and away.until <= now and not away.marked:
            away.marked = True
            if not away.ours and not away.again:
                effects.append(Mark(_user(core, seat), "1"))
    return [*effects, Wake(core.wake_at())]


def claim(core: RoomCore, event: Wished, wish: wire.Claim, now: int) -> list[Effect]:
    """Somebody ends a match whose other player stays away."""
    seat = core.seating.seat_of(event.who.user)
    if seat is None or core.match is None:
        return [no(event.to, wish.i, "not_seated", "You have no match to claim here.")]
    result = core.match.table.result
    if result is not None and result.reason == "left" and (seat in result.winners) == (wish.what == "win"):
        return [Answer(event.to, wire.Ok(i=wish.i, v=core.ver))]  # said before
    if result is not None:
        return [no(event.to, wish.i, "over", "The match is over.")]
    if core.state.times is not None and core.state.times.paused:
        return [no(event.to, wish.i, "paused", "The match is paused.")]
    overdue = [one for one, away in core.seating.away.items() if away.until and away.until <= now and one != seat]
    if not overdue or not _claimable(core):
        return [no(event.to, wish.i, "not_away", "Nobody has been away for long enough.")]
    if wish.what == "draw" and core.state.setup.seats > 2:
        return [no(event.to, wish.i, "bad_claim", "Where more than two play, whoever stays away is out.")]
    v = core.ver + 1
    draw = wish.what == "draw"
    entry = Input(v, stop="left", at=now) if draw else Input(v, overdue[0], resign="left", at=now)
    return core.try_input(entry, now, event.to, wish.i, None)


def _set_until(core: RoomCore, away: Away) -> None:
    manners, setup = core.manners, core.state.setup
    if setup.leavers != WAIT:
        patience = setup.grace
    elif away.ours:
        patience = 0 if manners.patience(core.state.setup.clock, False, False) == 0 else max(manners.grace)
    else:
        patience = manners.patience(core.state.setup.clock, away.closed, away.again)
    away.until = away.since + patience if patience else 0


def _claimable(core: RoomCore) -> bool:
    """Whether whoever waits decides; elsewhere it was agreed what happens to a seat whose player has left."""
    return core.state.setup.leavers == WAIT


def _user(core: RoomCore, seat: int) -> str:
    return core.seating.sitters[seat].user

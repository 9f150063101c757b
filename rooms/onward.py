"""Where a table goes on: a rematch with the seats swapped, or the next match of a series.

Each match is a room of its own, with a deal, a replay and a result of its own. The name of the next room follows from
this one's, so that making it twice makes one; whoever follows this room is told where to go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from rooms import wire
from rooms.answers import no
from rooms.happenings import Address, Answer, Effect, Make, Present, Save
from rooms.keys import room_named
from rooms.state import Series, Setup

if TYPE_CHECKING:
    from rooms.core import RoomCore

_json = msgspec.json.Encoder()


class Onward:
    """The room after this one, if there is one."""

    def __init__(self, side: dict[str, bytes]) -> None:
        self.next = side.get("next", b"").decode()

    def frame(self, core: RoomCore) -> wire.Next:
        """Where to go, for those who are here."""
        series = next_series(core)
        return wire.Next(
            room=core.room, next=self.next, series=UNSET if series is None else msgspec.to_builtins(series)
        )

    def go(
        self, core: RoomCore, to: Address | None = None, i: str = "", then: Callable[[], list[Effect]] = list
    ) -> list[Effect]:
        """Have the next room made, write down where it is, and tell everybody."""
        room, setup, sitters = name_of_next(core.room), next_setup(core), _turned(core.seating.sitters)
        side = {f"seat{seat}": _json.encode(sitter) for seat, sitter in enumerate(sitters) if sitter.user}

        def made(good: Any, now: int) -> list[Effect]:
            if not good:
                busy = "The next table cannot be set at the moment; try again."
                return [no(to, i, "busy", busy, retry=True)] if to is not None else []
            return core.send_out(Save({"next": room.encode()}), to, i, known)

        def known(_: Any, now: int) -> list[Effect]:
            self.next = room
            answer: list[Effect] = [Answer(to, wire.Ok(i=i))] if to is not None else []
            return [*answer, *then(), Present(self.frame(core))]

        return core.send_out(Make(room, setup, side), to, i, made)

    def wanted(self, core: RoomCore) -> bool:
        """Whether a series goes on by itself."""
        series = next_series(core)
        result = core.match.table.result if core.match is not None else None
        if series is None or result is None or self.next or result.reason in ("abandoned", "fault"):
            return False
        return max(series.wins) <= series.of // 2


def name_of_next(room: str) -> str:
    """The room after a room."""
    return room_named(f"{room}/next")


def next_setup(core: RoomCore) -> Setup:
    """The same again, everybody one seat further."""
    setup = core.state.setup
    count = setup.seats
    bots = {(seat - 1) % count: bot for seat, bot in setup.bots.items()}
    series = next_series(core)
    if series is not None and max(series.wins) > series.of // 2:
        series = Series(series.of, 1, [0] * count)  # a rematch of a series that is decided is another series
    made = max(core.ended, setup.made + 1)
    fresh: dict[str, Any] = {"code": "", "first": None, "ready": False, "ready_by": 0, "arranged": None}
    return replace(setup, bots=bots, made=made, series=series, **fresh)


def next_series(core: RoomCore) -> Series | None:
    """How the series stands, by the seats of the next match."""
    series = core.state.setup.series
    result = core.match.table.result if core.match is not None else None
    if series is None or result is None:
        return series
    wins = list(series.wins) or [0] * core.state.setup.seats
    if len(result.winners) == 1:
        wins[result.winners[0]] += 1
    return Series(series.of, series.game + 1, _turned(wins))


def _turned(seats: list[Any]) -> list[Any]:
    """Everybody one seat further; with two seats they swap."""
    return [*seats[1:], *seats[:1]]

"""What a ranked match did to ratings, told at the table when the archive has worked it out.

Watchers who are kept behind do not hear of it here: it would tell them how the match ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from rooms import wire
from rooms.happenings import Address, Answer, Effect, Present

if TYPE_CHECKING:
    from rooms.core import RoomCore

_rated = msgspec.json.Decoder(wire.Rated)


class Worth:
    """The news, once it is there; it lies beside the match for those who come later."""

    def __init__(self, side: dict[str, bytes]) -> None:
        self.frame = _rated.decode(side["rated"]) if "rated" in side else None

    def hear(self, core: RoomCore, frame: wire.Rated) -> list[Effect]:
        """It is known now."""
        self.frame = frame
        late = core.seating.watchers if core.late is not None else ()
        return [Present(frame, frozenset(late))]

    def greet(self, core: RoomCore, to: Address) -> list[Effect]:
        """For a newcomer."""
        hidden = core.late is not None and core.seating.seat_at(to) is None
        return [] if self.frame is None or hidden else [Answer(to, self.frame)]

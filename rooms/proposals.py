"""Proposals: what no player may do alone, and what becomes of it when the others agree.

A draw, a pause, a move taken back; after the end, another match. An open proposal is kept beside the match, so it can
be answered though its room has moved to another process. It lapses when the table has gone on without an answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, Struct

from engine.errors import EngineError, Refused
from engine.replay import Input
from rooms import clocks, wire
from rooms.answers import no
from rooms.happenings import Address, Answer, Effect, Note, Present, Recall, Save, Wished
from rooms.replaying import remembered
from rooms.state import OVER

if TYPE_CHECKING:
    from rooms.core import RoomCore

WHAT: tuple[wire.Proposed, ...] = ("draw", "rematch", "takeback", "pause")
BOTS_AGREE = ("rematch", "takeback", "pause")  # a bot plays on rather than share a point

_json = msgspec.json.Encoder()


class Open(Struct, omit_defaults=True):
    """Something that one seat has proposed and not everybody has answered."""

    what: wire.Proposed
    seat: int
    v: int  # the version that it was about
    moves: list[int]  # how many moves each seat had made
    agreed: list[int]


_open = msgspec.json.Decoder(Open)


class Proposals:
    """What is proposed at one table."""

    def __init__(self, side: dict[str, bytes]) -> None:
        found = [_open.decode(data) for name, data in side.items() if name.startswith("p:")]
        self.open: dict[str, Open] = {one.what: one for one in found}
        self.carried: Open | None = None  # agreed on, and on its way to the store
        self._refused: dict[tuple[str, int], int] = {}

    def shown(self, core: RoomCore) -> list[wire.Proposal]:
        """What is open now."""
        return [_frame(core, one) for one in self.open.values() if _stands(core, one)]

    # what players say

    def propose(self, core: RoomCore, event: Wished, wish: wire.Propose, now: int) -> list[Effect]:
        """A player proposes something; if somebody else has already, that is agreed to."""
        seat = _player(core, event)
        if not isinstance(seat, int):
            return [seat]
        what, one = wish.what, self.open.get(wish.what)
        if refusal := self._untimely(core, what, seat, now):
            return [no(event.to, wish.i, *refusal)]
        if what == "rematch" and core.onward.next:
            return [Answer(event.to, wire.Ok(i=wish.i)), Answer(event.to, core.onward.frame(core))]
        if what == "pause" and core.state.times is not None and core.state.times.paused:
            entry = Input(core.ver + 1, seat, remark=clocks.RESUMED, at=now)
            return core.try_input(entry, now, event.to, wish.i, None)
        if one is not None and _stands(core, one):
            if one.seat == seat:
                return [Answer(event.to, wire.Ok(i=wish.i))]
            return self._agree(core, one, seat, event.to, wish.i, now)
        if what == "takeback":
            return self._recall(core, event.to, wish.i, lambda now: self._take_back(core, seat, event.to, wish.i, now))
        return self._put(core, _new(core, what, seat), event.to, wish.i, now)

    def reply(self, core: RoomCore, event: Wished, wish: wire.Reply, now: int) -> list[Effect]:
        """A player answers a proposal."""
        seat = _player(core, event)
        if not isinstance(seat, int):
            return [seat]
        one = self.open.get(wish.what)
        if one is None or not _stands(core, one):
            if wish.yes and _done_already(core, wish.what):
                return [Answer(event.to, wire.Ok(i=wish.i, v=core.ver))]
            return [no(event.to, wish.i, "no_proposal", "Nothing like that is proposed, or not any more.")]
        if not wish.yes:
            return self._end(core, one, "withdrawn" if seat == one.seat else "refused", event.to, wish.i, now)
        if seat == one.seat:
            return [Answer(event.to, wire.Ok(i=wish.i))]
        if refusal := self._untimely(core, one.what, seat, now):
            return [no(event.to, wish.i, *refusal)]
        return self._agree(core, one, seat, event.to, wish.i, now)

    # what the room does about it

    def settled(self, core: RoomCore, now: int) -> list[Effect]:
        """A version was made: what it carried out is told, and what it left behind has lapsed."""
        effects: list[Effect] = []
        carried, self.carried = self.carried, None
        if core.match is not None:
            core.match.memory = None  # whoever wants to go back again has it read anew
        if carried is not None:
            effects += self._forget(core, carried, "agreed")
        for one in [one for one in self.open.values() if not _stands(core, one)]:
            effects += self._forget(core, one, "lapsed")
        return effects

    def failed(self, core: RoomCore) -> None:
        """What was agreed on could not be written; it is still open."""
        self.carried = None
        if core.match is not None:
            core.match.memory = None

    def _agree(self, core: RoomCore, one: Open, seat: int, to: Address, i: str, now: int) -> list[Effect]:
        agreed = sorted({*one.agreed, seat})
        return self._put(core, msgspec.structs.replace(one, agreed=agreed), to, i, now)

    def _put(self, core: RoomCore, one: Open, to: Address, i: str, now: int) -> list[Effect]:
        """Carry out what everybody wants; keep and tell what somebody has still to answer."""
        missing = _missing(core, one)
        if not missing:
            return self._carry_out(core, one, to, i, now)
        if one.what not in BOTS_AGREE and all(core.seating.sitters[seat].bot for seat in missing):
            return [no(to, i, "refused", "The bot does not agree.")]

        def kept(_: Any, now: int) -> list[Effect]:
            self.open[one.what] = one
            return [Answer(to, wire.Ok(i=i)), Present(_frame(core, one))]

        return core.send_out(Save({f"p:{one.what}": _json.encode(one)}), to, i, kept)

    def _carry_out(self, core: RoomCore, one: Open, to: Address, i: str, now: int) -> list[Effect]:
        if one.what == "rematch":
            return core.onward.go(core, to, i, lambda: self._forget(core, one, "agreed"))
        if one.what == "takeback":
            return self._recall(core, to, i, lambda now: self._try(core, one, to, i, now))
        return self._try(core, one, to, i, now)

    def _try(self, core: RoomCore, one: Open, to: Address | None, i: str, now: int) -> list[Effect]:
        v = core.ver + 1
        entry = {
            "draw": Input(v, stop="agreed", at=now),
            "pause": Input(v, one.seat, remark=clocks.PAUSED, at=now),
            "takeback": Input(v, one.seat, takeback=True, at=now),
        }[one.what]
        self.carried = one
        effects = core.try_input(entry, now, to, i, None)
        if not core.busy:  # the rules refused
            self.failed(core)
            return [*effects, *self._forget(core, one, "refused")]
        return effects

    def _take_back(self, core: RoomCore, seat: int, to: Address, i: str, now: int) -> list[Effect]:
        """At once while nobody has learned anything; else the others are asked."""
        assert core.match is not None
        try:
            alone = core.match.may_take_back(seat)
        except Refused as refused:
            self.failed(core)
            return [no(to, i, refused.code, str(refused), say=refused.say)]
        one = _new(core, "takeback", seat)
        if alone:
            return self._try(core, one, to, i, now)
        self.failed(core)
        return self._put(core, one, to, i, now)

    def _recall(self, core: RoomCore, to: Address, i: str, then: Any) -> list[Effect]:
        """Have the match's past read before going on."""

        def brought(entries: list[bytes] | None, now: int) -> list[Effect]:
            assert core.match is not None
            try:
                known = entries is not None and remembered(core.match, core.state, entries)
            except EngineError:
                known = False
            if not known:
                return [no(to, i, "busy", "That cannot be looked up at the moment; try again.", retry=True)]
            effects: list[Effect] = then(now)
            return effects

        return core.send_out(Recall(), to, i, brought)

    def _end(self, core: RoomCore, one: Open, state: Any, to: Address, i: str, now: int) -> list[Effect]:
        if state == "refused":
            self._refused[one.what, one.seat] = now
        return [Answer(to, wire.Ok(i=i)), *self._forget(core, one, state)]

    def _forget(self, core: RoomCore, one: Open, state: Any) -> list[Effect]:
        self.open.pop(one.what, None)
        return [Present(_frame(core, one, state)), Note({f"p:{one.what}": b""})]

    def _untimely(self, core: RoomCore, what: str, seat: int, now: int) -> tuple[str, str] | tuple[()]:
        """Why this cannot be proposed or agreed to now; nothing if it can."""
        if what == "rematch":
            if core.status != OVER:
                return "not_over", "The match is not over yet."
            if now - core.ended < core.manners.rematch_guard:
                return "too_soon", "The match has only just ended; once more, if you mean it."
        elif core.match is None:
            return "not_started", "The match has not begun."
        elif core.match.over:
            return "over", "The match is over."
        if now - self._refused.get((what, seat), -core.manners.ask_again) < core.manners.ask_again:
            return "too_soon", "You were refused a moment ago; wait a little."
        return ()


def _player(core: RoomCore, event: Wished) -> int | Answer:
    """The seat of whoever speaks, or why they have no say."""
    seat = core.seating.seat_of(event.who.user)
    if seat is None:
        return no(event.to, event.wish.i, "not_seated", "You have no seat at this table.")
    if not core.seating.plays(seat, event.to):
        return no(event.to, event.wish.i, "elsewhere", "You play this match in another window.")
    return seat


def _new(core: RoomCore, what: wire.Proposed, seat: int) -> Open:
    bots = [k for k, sitter in enumerate(core.seating.sitters) if sitter.bot and what in BOTS_AGREE]
    return Open(what, seat, core.ver, [last.n for last in core.last], sorted({seat, *bots}))


def _missing(core: RoomCore, one: Open) -> list[int]:
    """The seats that have still to agree; whoever has given up has no say until the match is over."""
    gone = () if one.what == "rematch" else core.state.resigned
    return [seat for seat in range(len(core.seating.sitters)) if seat not in one.agreed and seat not in gone]


def _stands(core: RoomCore, one: Open) -> bool:
    """Whether a proposal is still to be answered, or the table has gone on without."""
    if one.what == "rematch":
        return core.status == OVER and not core.onward.next
    if core.match is None or core.match.over:
        return False
    if one.what == "takeback":
        return core.ver == one.v
    return all(last.n == one.moves[seat] for seat, last in enumerate(core.last) if seat != one.seat)


def _done_already(core: RoomCore, what: str) -> bool:
    result = core.match.table.result if core.match is not None else None
    return what == "draw" and result is not None and result.reason == "agreed"


def _frame(core: RoomCore, one: Open, state: Any = "open") -> wire.Proposal:
    agreed = one.agreed if len(core.seating.sitters) > 2 else UNSET
    return wire.Proposal(room=core.room, what=one.what, seat=one.seat, state=state, agreed=agreed)

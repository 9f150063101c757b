"""Who plays when nobody does: bots on their own seats, and what was agreed for a seat whose player has left.

A room may wait for whoever has left, let them be out, or let a bot play for them until they come back. That a bot plays
is told to everybody, with who is here.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from engine.findings import Heed
from engine.match import Match
from engine.offers import at_random, fillings, usual
from engine.replay import Input
from rooms import coming
from rooms.answers import LastMove, move_digest
from rooms.happenings import BotMoved, Effect, Missed, Think, WakeMissed
from rooms.state import OUT, PLAYING, WAIT

if TYPE_CHECKING:
    from rooms.core import RoomCore


class StandIns:
    """The bots of one room, and the seats that may become theirs."""

    def __init__(self, core: RoomCore) -> None:
        self.core = core
        self._let_go: set[int] = set()  # whoever left and is out

    # bots

    def think(self) -> list[Effect]:
        """The bots that are to move; none while the match is paused, since a move ends a pause."""
        core = self.core
        assert core.match is not None
        if self._paused():
            return []
        bots = {seat: core.seating.sitters[seat].played_by for seat in core.match.waiting()}
        return [Think(seat, bot, self._errand(core.match, seat)) for seat, bot in bots.items() if bot]

    def waits_for(self, bot: BotMoved | Think) -> bool:
        """Whether what a bot was asked is still open, and still for it to answer."""
        match, seat = self.core.match, bot.seat
        if match is None or seat not in match.waiting() or not self.core.seating.sitters[seat].played_by:
            return False
        if self._paused():
            return False  # it is asked anew afterwards
        return bot.errand == self._errand(match, seat)

    def moved(self, event: BotMoved, now: int) -> list[Effect]:
        """A bot has made up its mind; if that cannot be, or it has not, it does the least, and else whatever works."""
        core, seat = self.core, event.seat
        if not self.waits_for(event):
            return []
        assert core.match is not None
        for do, heed in attempts(core.match, event):
            n = core.last[seat].n + 1
            last = LastMove(n, move_digest(None, do), core.ver + 1)
            effects = core.try_input(Input(core.ver + 1, seat, n, do, at=now), now, None, "", last, heed=heed)
            if core.busy:
                return effects
        return core.try_input(Input(core.ver + 1, stop="fault", at=now), now, None, "", None)

    def _errand(self, match: Match, seat: int) -> int:
        """What a seat is waited for: a question, whatever others answer meanwhile, or its move at this version."""
        asked = match.question(seat)
        return asked[0].id if asked else -self.core.ver

    def _paused(self) -> bool:
        times = self.core.state.times
        return times is not None and bool(times.paused)

    # whoever has left

    def wake(self) -> list[WakeMissed]:
        """When to look whether somebody has been away for too long."""
        core = self.core
        if core.state.setup.leavers == WAIT:
            return []
        since = list(self._away().values())
        return [WakeMissed(min(since) + core.state.setup.grace if since else 0)]

    def missed(self, event: Missed, now: int) -> list[Effect]:
        """Let go of a seat whose player has been away for too long."""
        core, setup = self.core, self.core.state.setup
        due = [seat for seat, since in self._away().items() if since + setup.grace <= now]
        if setup.leavers == WAIT or not due:
            return [*self.wake()]
        seat = due[0]
        if setup.leavers == OUT:
            self._let_go.add(seat)
            return core.try_input(Input(core.ver + 1, seat, resign="left", at=now), now, None, "", None)
        bot = setup.leavers.partition(":")[2]
        return coming.save_sitter(core, event, seat, replace(core.seating.sitters[seat], stand_in=bot))

    def _away(self) -> dict[int, int]:
        """Seats whose player is missed and for whom nobody plays, each with since when. A pause is nobody's absence."""
        core = self.core
        if core.status != PLAYING or self._paused():
            return {}
        away = {seat: away.since for seat, away in core.seating.away.items() if seat not in self._let_go}
        return {seat: since for seat, since in away.items() if not core.seating.sitters[seat].played_by}


def attempts(match: Match, event: BotMoved) -> Iterator[tuple[dict[str, Any], Heed]]:
    """What a bot tries one after the other: what it wants, the least, anything usual, and at last the least anyway."""
    least = least_move(match, event.seat, event.luck)
    if event.do is not None:
        yield event.do, "all"
    yield least, "all"
    for offer in usual(match.offers(event.seat)):
        yield next(fillings(offer)), "all"
    yield least, "none"


def least_move(match: Match, seat: int, luck: int) -> dict[str, Any]:
    """The default of a question, or what luck picks where it has none; on a turn the last thing that is offered."""
    offers, asked = match.offers(seat), match.question(seat)
    if asked is None:
        return next(fillings(usual(offers)[-1]))
    default = asked[1].default
    if default is None:
        return at_random(offers, Random(luck).randrange)
    return {"type": default.type, **({"card": default.card} if default.card else {}), **default.picks}

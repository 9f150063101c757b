"""Bots in their seats: they are asked like people, think in another process, and take their time like people.

A move comes when its moment has come and not when the thought is ready, so how long a bot takes tells nothing of what
it holds. A bot that fails or takes too long plays the default of its question, and that is logged.
"""

from __future__ import annotations

import asyncio
import secrets
from random import SystemRandom
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
import structlog
from msgspec import Struct

from engine.bots import make_bot
from engine.errors import EngineError
from engine.replay import recount
from rooms.happenings import BotMoved, Think
from rooms.nodes import StoreTrouble
from rooms.thinker import Job
from rooms.thinkers import NoThought, Thinkers

if TYPE_CHECKING:
    from rooms.actor import Actor
    from rooms.core import RoomCore
    from rooms.host import Host

log = structlog.get_logger()
Do: TypeAlias = dict[str, Any]
READY = 0.75  # of its pause a bot may think; if it were late whenever it has a choice, being late would tell
_encode = msgspec.msgpack.Encoder().encode


class Habits(Struct, frozen=True):
    """How bots behave in rooms, in seconds."""

    least: float = 0.0  # before a move, at least
    most: float = 0.0  # and at most
    think: float = 2.0  # for those who think as long as they are let
    overrun: float = 10.0  # after which nobody waits for them any more
    processes: int = 1


class Bots:
    """The bots of one host."""

    def __init__(self, host: Host, habits: Habits, modules: tuple[str, ...] = ()) -> None:
        self.host = host
        self.habits = habits
        self.thinkers = Thinkers(habits.processes, modules)
        self._minds: dict[tuple[str, int], tuple[int, asyncio.Task[None]]] = {}
        self._luck = SystemRandom()

    def think(self, actor: Actor, ask: Think) -> None:
        """Let a bot think about what it is asked, unless it already does or the table is about to change."""
        if actor.core.busy:
            return  # it is asked anew when that is written
        key = (actor.room, ask.seat)
        errand, task = self._minds.get(key, (0, None))
        if task is not None and not task.done():
            if errand == ask.errand:
                return
            task.cancel()
        pause = self._luck.uniform(self.habits.least, self.habits.most)
        seconds = min(pause * READY, self.habits.think) or self.habits.think
        question = self._question(actor.core, ask, seconds)
        self._minds[key] = ask.errand, self.host.loop.create_task(self._decide(actor, ask, question, pause))

    def forget(self, room: str, seats: int) -> None:
        """A room is not ours any more."""
        for seat in range(seats):
            _, task = self._minds.pop((room, seat), (0, None))
            if task is not None:
                task.cancel()

    async def stop(self) -> None:
        """No bot needs to think any more."""
        for _, task in self._minds.values():
            task.cancel()
        await self.thinkers.stop()

    def _question(self, core: RoomCore, ask: Think, seconds: float) -> bytes | Do | None:
        """All that the seat may know, ready to be sent; or the move itself, if there is nothing to think about."""
        assert core.match is not None
        assert core.teller is not None
        seat, seed = ask.seat, secrets.randbits(32)
        offers = core.match.offers(seat)
        if ask.bot == "random":  # looks at nothing
            return dict(make_bot(ask.bot, core.game, seat, seed).pick({}, offers, []))
        if seat not in core.records:
            return None
        view = core.teller.gallery.lenses[str(seat)].whole()
        return _encode(Job(core.game.id, ask.bot, seat, seed, seconds, view, offers, core.records[seat]))

    async def _decide(self, actor: Actor, ask: Think, question: bytes | Do | None, pause: float) -> None:
        loop = self.host.loop
        due = loop.time() + pause
        if question is None:
            await self._recall(actor, ask.seat)
            if not actor.dropped and actor.core.stand_ins.waits_for(ask):
                del self._minds[actor.room, ask.seat]
                self.think(actor, ask)
            return
        do = await self._thought(actor, ask, question) if isinstance(question, bytes) else question
        await asyncio.sleep(max(0.0, due - loop.time()))
        if not actor.dropped:
            actor.hear(BotMoved(ask.seat, ask.errand, do, secrets.randbits(32)))

    async def _thought(self, actor: Actor, ask: Think, question: bytes) -> Do | None:
        try:
            do = await self.thinkers.think(question, self.habits.overrun)
        except NoThought as why:
            self.host.counts[f"thought.{why.word}"] += 1
            log.warning("bot_failed", room=actor.room, seat=ask.seat, bot=ask.bot, why=str(why))
            return None
        self.host.counts["thought.ok"] += 1
        return do

    async def _recall(self, actor: Actor, seat: int) -> None:
        """What the seat was told since the deal, from the room's own log: the last owner's memory is gone."""
        core = actor.core
        while seat not in core.records and not actor.dropped:
            record: list[dict[str, Any]] = []
            try:
                replay = await self.host.library.so_far(actor.room, core.state)
                record = await asyncio.to_thread(recount, core.game, replay, seat)
                v = replay.inputs[-1].v if replay.inputs else replay.start
            except (StoreTrouble, EngineError) as why:  # it plays on with what it sees
                log.warning("bot_forgot", room=actor.room, seat=seat, why=type(why).__name__)
                v = core.ver
            while core.busy and not actor.dropped:
                await asyncio.sleep(0.01)
            if v == core.ver:
                core.records[seat] = record

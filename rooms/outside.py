"""What a room has done outside of itself, away from its moves: notes, other rooms, reports, what is known of people."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

import structlog

from rooms import scripts, wire
from rooms.happenings import Brought, Effect, File, Known, LookUp, Make, Mark, Note, Off, Recall, Shut
from rooms.nodes import StoreTrouble
from rooms.scripts import Code

if TYPE_CHECKING:
    from rooms.actor import Actor

log = structlog.get_logger()


class Outside:
    """Carries out such wishes of one room."""

    def __init__(self, actor: Actor) -> None:
        self.actor = actor

    def do(self, effect: Effect) -> None:
        """Do it, and bring back what there is to bring."""
        match effect:
            case Note(pairs=pairs):
                self._note(pairs)
            case Recall():
                self._bring(self._inputs())
            case Make(room=room, setup=setup, side=side):
                self._bring(self.actor.host.set_next(room, setup, side))
            case Off(came=came):
                self._bring(self.actor.host.let_down(self.actor, came))
            case Shut(told=told):
                self.actor.host.spawn(self._shut(told))
            case File(report=report):
                self._quietly(self.actor.host.library.file(report))
            case LookUp(user=user):
                self.actor.host.spawn(self._look_up(user))
            case Mark(user=user, word=word):
                self._quietly(self.actor.host.people.mark(user, word))
            case _:
                raise AssertionError(f"nobody does {effect}")

    def _note(self, pairs: dict[str, bytes]) -> None:
        """Write beside the match. If that is lost with us, nobody was promised it."""
        actor, host = self.actor, self.actor.host
        words = scripts.side_args(actor.keys, own=host.own, ep=actor.core.ep, ttl=host.lease_ms, pairs=pairs)

        def done(reply: Any) -> None:
            if isinstance(reply, StoreTrouble):
                log.warning("note_lost", room=actor.room, why=str(reply))

        host.nodes.call("side", words, done)

    def _bring(self, work: Awaitable[Any]) -> None:
        self.actor.host.spawn(self._fetch(work))

    async def _fetch(self, work: Awaitable[Any]) -> None:
        try:
            value = await work
        except StoreTrouble as error:
            log.warning("errand_failed", room=self.actor.room, why=str(error))
            value = None
        if not self.actor.dropped:
            self.actor.hear(Brought(value))

    async def _inputs(self) -> list[bytes]:
        return await self.actor.host.library.inputs(self.actor.room)

    async def _look_up(self, user: str) -> None:
        try:
            mark = await self.actor.host.people.marked(user)
        except StoreTrouble:
            return  # then nothing is held against them
        if mark and not self.actor.dropped:
            self.actor.hear(Known(user, mark))

    def _quietly(self, work: Awaitable[None]) -> None:
        async def go() -> None:
            try:
                await work
            except StoreTrouble as error:
                log.warning("note_lost", room=self.actor.room, why=str(error))

        self.actor.host.spawn(go())

    async def _shut(self, told: wire.Closed) -> None:
        """Close a room for good; if that cannot be done now, the next owner will."""
        actor, host = self.actor, self.actor.host
        words = scripts.close_args(actor.keys, room=actor.room, own=host.own, ep=actor.core.ep)
        try:
            reply = await host.call("close", words)
        except StoreTrouble as error:
            log.warning("room_not_closed", room=actor.room, why=str(error))
            return
        if actor.dropped:
            return
        code = Code(reply[0])
        if code not in (Code.OK, Code.GONE):
            actor.drop(code.name.lower())
            return
        for guest in actor.guests():
            guest.tell(told)
        host.closed(actor)
        actor.drop("closed")

"""What a gateway may ask of a host: to do or to read what a process without secrets must not."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import msgspec

from rooms.nodes import StoreTrouble
from rooms.queues import Queue, Ticket
from rooms.state import Setup

if TYPE_CHECKING:
    from rooms.host import Host

READS = ("facts", "seat_of", "replay")  # of the library


class NoSuchAsk(Exception):
    """A newer gateway asks for something that we do not know."""


class Desk:
    """Answers the questions of gateways, in this process or in another. Refused is an answer too."""

    def __init__(self, host: Host) -> None:
        self.host = host

    async def answer(self, what: str, words: list[Any]) -> Any:
        """Something that JSON can say. The first word decides which host is asked."""
        host = self.host
        match what, words:
            case "make", [room, setup, key, side]:
                return await host.make(room, msgspec.json.decode(setup, type=Setup), key, side)
            case "seek", [_, queue, ticket]:
                return await host.matchmaker.seek(msgspec.convert(queue, Queue), msgspec.convert(ticket, Ticket))
            case "unseek", [name, user]:
                return await host.matchmaker.unseek(user, name)
            case "beat", [_, queue, users]:
                return await host.matchmaker.beat(msgspec.convert(queue, Queue), users)
            case "queues", [_]:
                return await host.matchmaker.sizes()
            case "about", [user]:
                return await host.guestbook.about(user)
            case "rename", [user, name]:
                await host.guestbook.rename(user, name)
                if host.archive is not None:
                    with contextlib.suppress(StoreTrouble):  # then the lists follow with their next match
                        await host.archive.filing.rename(user, name)
                return host.about(user)
            case "forget", [user]:
                return await self._forget(user)
            case "new_pass", [user, name]:
                return await host.guestbook.new_pass(user, name, host.now())
            case "use_pass", [code, by]:
                return await host.guestbook.use_pass(code, by)
            case "block", [user, other, on]:
                done = await host.people.block(user, other, on)
                host.about(user)
                return done
            case what, words if what in READS:
                return await getattr(host.library, what)(*words)
        return await self._look_back(what, words)

    async def _look_back(self, what: str, words: list[Any]) -> Any:
        """What the archive knows."""
        if self.host.archive is None:
            raise NoSuchAsk(what)
        standings = self.host.archive.standings
        match what, words:
            case "leaderboard", [game, most, after]:
                return await standings.leaderboard(game, most, after)
            case "player", [player, game, before]:
                return await standings.profile(player, game, before)
            case "against", [player, other, game]:
                return await standings.against(player, other, game)
            case "played", [room]:
                return await self.host.archive.filing.knows(room)
            case "stats", [game, mode]:
                return await self.host.archive.statistics.told(game, mode)
        raise NoSuchAsk(what)

    async def _forget(self, user: str) -> None:
        """Somebody does not want to be known here any more."""
        host = self.host
        queue = await host.people.sought(user)
        if queue:
            await host.matchmaker.unseek(user, queue)
        if host.archive is not None:  # first of all: afterwards they could not ask again
            await host.archive.filing.forget(user, host.now())
        await host.guestbook.forget(user, host.now())
        host.about(user)

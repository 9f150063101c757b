"""What a gateway does for people away from any table: the queue, the lobby, whom they block, and manners in talk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rooms import wire
from rooms.guestbook import Known
from rooms.happenings import Who
from rooms.nodes import StoreTrouble
from server.doorkeeper import Banned, say_of
from server.identity import BadToken
from server.lobby import LobbyFeed
from server.phrases import EMOTE, PHRASES, Words
from server.seeking import Seekers

if TYPE_CHECKING:
    from server.connection import Connection
    from server.gateway import Gateway

LOOK_AGAIN = 1.0  # seconds until somebody is looked up once more who could not be


class Reception:
    """Everybody who has said hello to this gateway, by who they are."""

    def __init__(self, gateway: Gateway, words: Words | None = None, online: Callable[[], int] | None = None) -> None:
        self.gateway = gateway
        self.by_user: dict[str, set[Connection]] = {}
        self.mentioned = 0  # how often it was said that something about somebody has changed
        self._looking: dict[str, bool] = {}  # users who are being looked up, and whether to do so once more
        self.words = words or Words()
        self.seekers = Seekers(gateway)
        gateway.host.listen(self.seekers.hear, self.about)
        self.lobby = LobbyFeed(gateway, online or (lambda: len(self.by_user)))

    def hear(self, connection: Connection, command: wire.Seek | wire.Unseek | wire.Lobby | wire.Block) -> None:
        """See to a wish that concerns no table."""
        match command:
            case wire.Seek():
                self.gateway.spawn(self.seekers.seek(connection, command))
            case wire.Unseek():
                self.gateway.spawn(self.seekers.unseek(connection, command))
            case wire.Lobby():
                self.gateway.spawn(self.lobby.follow(connection, command))
            case wire.Block():
                self.gateway.spawn(self._block(connection, command))

    async def came(self, connection: Connection, sure: bool = True) -> list[dict[str, Any]]:
        """Somebody has said hello; perhaps they are still to be looked up. Returns the matches that wait for them."""
        user = connection.who.user
        here = self.by_user.setdefault(user, set())
        for other in here:
            connection.chat = other.chat  # more windows are no more talk
        here.add(connection)
        if not sure:
            self.about(user)
        try:
            return await self.gateway.host.matches_of(user)
        except StoreTrouble:
            return []  # they are welcome all the same; what they try next will tell them

    async def welcomed(self, connection: Connection, seats: list[dict[str, Any]]) -> None:
        """They have been told so, and now what happened while they were away."""
        await self.seekers.matched_again(connection, seats)

    def gone(self, connection: Connection, closed: bool) -> None:
        """A connection is closed."""
        self.lobby.gone(connection)
        user = connection.who.user
        here = self.by_user.get(user, set())
        here.discard(connection)
        if user and not here:
            self.by_user.pop(user, None)
            self.seekers.gone(user, closed)

    def about(self, user: str) -> None:
        """What is known of somebody, or of anybody, has changed. If they are here, look again."""
        self.mentioned += 1
        if not user:
            for one in list(self.by_user):
                self.about(one)
        elif user in self._looking:
            self._looking[user] = True  # what is being read may be older than that
        elif user in self.by_user:
            self._looking[user] = True
            self.gateway.spawn(self._look_again(user))

    async def _look_again(self, user: str) -> None:
        try:
            while user in self.by_user and self._looking[user]:
                self._looking[user] = False
                try:
                    if self._mind(user, await self.gateway.door.look_up(user)):
                        await self.seekers.renew(user)
                except StoreTrouble:
                    self._looking[user] = True
                    await asyncio.sleep(LOOK_AGAIN)
        finally:
            del self._looking[user]

    def _mind(self, user: str, known: Known) -> bool:
        """Show out whoever may not be here any more, and call the others what they are called now. Are there any?"""
        stays = False
        for connection in list(self.by_user.get(user, ())):
            try:
                self.gateway.door.check(known, connection.issued)
            except BadToken as no:
                connection.put(wire.Notice(code=no.code, text=str(no), say=say_of(no)))
                connection.close(4403 if isinstance(no, Banned) else 4401)
                continue
            stays = True
            connection.blocked = frozenset(known.blocked)
            if known.name and known.name != connection.who.name:
                connection.renamed(Who(user, known.name))
        return stays

    def tell_user(self, user: str, frame: wire.Frame) -> None:
        """Say something to somebody in all their windows."""
        for connection in self.by_user.get(user, ()):
            connection.put(frame)

    def may_say(self, connection: Connection, say: wire.Say) -> bool:
        """Whether this may be said; how it is said is seen to here."""
        if (say.text is None) == (say.emote is None):
            connection.refuse(say.i, "bad_command", "Say a text or an emote.")
            return False
        if say.emote is not None and (not EMOTE.fullmatch(say.emote) or self.words.bad(say.emote)):
            connection.refuse(say.i, "bad_emote", f"An emote is a word such as {', '.join(PHRASES)}.")
            return False
        if not self.may_talk(connection, say.i):
            return False
        if say.text is not None:
            say.text = self.words.clean(say.text)
        return True

    def may_talk(self, connection: Connection, i: str) -> bool:
        """Whether it is not too much."""
        if not connection.chat.take():
            connection.refuse(i, "too_much_talk", "That is a lot of talk; wait a little.", retry=True)
            return False
        return True

    async def _block(self, connection: Connection, wish: wire.Block) -> None:
        user = connection.who.user
        if wish.user == user:
            connection.refuse(wish.i, "bad_user", "You meet yourself whether you like it or not.")
            return
        try:
            done = await self.gateway.host.ask("block", user, wish.user, wish.on)
            await self.seekers.renew(user)
        except StoreTrouble:
            connection.refuse(wish.i, "busy", "That cannot be done at the moment; try again.", retry=True)
            return
        if not done:
            connection.refuse(wish.i, "too_many", "You have blocked as many as one can.")
            return
        for window in self.by_user.get(user, ()):
            blocked = window.blocked | {wish.user} if wish.on else window.blocked - {wish.user}
            window.blocked = frozenset(blocked)
        connection.put(wire.Ok(i=wish.i))

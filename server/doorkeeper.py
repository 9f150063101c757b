"""Who may come in: a token is believed, then looked up, since a user may be banned, renamed or gone by now.

Two kinds of token open the door: our own session, and one that the embedding site signed. A session that is getting
old, or that a former secret signed, is exchanged for a new one whenever its user comes in.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request

from rooms.guestbook import Ban, Known
from rooms.nodes import StoreTrouble
from rooms.places import Rooms
from server.identity import BadToken, Identity, Session, User, clean_name, stable_name
from server.phrases import Words
from server.replies import No
from server.site import NotTheSite, Site, SiteAway


class Visitor(Struct, frozen=True):
    """Somebody who may come in."""

    user: User
    issued: int  # when their token was signed, in ms
    token: str = ""  # a new one for the one that they have
    blocked: frozenset[str] = frozenset()
    site: bool = False  # the site vouches for them
    sure: bool = True  # they were looked up


class Banned(BadToken):
    """Whoever runs this place does not want them here."""

    def __init__(self, ban: Ban, now: int) -> None:
        hours = max(1, round((ban.until - now) / 3_600_000))
        lasts = f" for {hours} more hour{'s' if hours > 1 else ''}" if ban.until else ""
        super().__init__("banned", f"You may not come in{lasts}{f': {ban.why}' if ban.why else ''}.")
        self.say = ("banned", {"why": ban.why, "until": ban.until})


class Doorkeeper:
    """Lets people in, by socket and by HTTP."""

    def __init__(self, rooms: Rooms, identity: Identity, site: Site | None = None, words: Words | None = None) -> None:
        self.rooms, self.identity, self.site = rooms, identity, site
        self.words = words or Words()

    async def admit(self, token: str) -> Visitor:
        """Whoever holds this token. BadToken if it opens nothing, SiteAway if nobody can tell."""
        session = await self._believe(token)
        try:
            known = await self.look_up(session.user.id)
        except StoreTrouble:  # whoever comes in now is looked up later
            return Visitor(session.user, session.issued, site=session.site, sure=False)
        self.check(known, session.issued)
        user = User(session.user.id, known.name or session.user.name)
        fresh = "" if session.site or not self.identity.grows_old(session) else self.identity.open_session(user)
        return Visitor(user, session.issued, fresh, frozenset(known.blocked), session.site)

    async def look_up(self, user: str) -> Known:
        """What is known of somebody now."""
        return msgspec.convert(await self.rooms.ask("about", user), Known)

    def check(self, known: Known, issued: int) -> None:
        """BadToken if that does not let them in."""
        now = self.rooms.now()
        if known.ban is not None and (not known.ban.until or known.ban.until > now):
            raise Banned(known.ban, now)
        if issued < known.since:
            raise BadToken("signed_out", "This identity was given up; come in as somebody new.")

    # by HTTP

    async def visitor(self, request: Request) -> Visitor:
        """Who asks, by the token that they send along."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise No(401, "no_token", "Send your session's token: Authorization: Bearer …")
        try:
            visitor = await self.admit(token)
        except BadToken as no:
            raise refusal(no) from None
        except SiteAway:
            raise No(503, "busy", "Nobody can say who you are at the moment; try again.") from None
        if not visitor.sure:
            raise No(503, "busy", "That cannot be done at the moment; try again.")
        return visitor

    async def user(self, request: Request) -> User:
        """The same, if nothing else matters."""
        return (await self.visitor(request)).user

    async def perhaps(self, request: Request) -> User | None:
        """The same where one need not be anybody."""
        return await self.user(request) if request.headers.get("authorization") else None

    # parts

    async def _believe(self, token: str) -> Session:
        if self.site is None or self.identity.knows(token):
            return self.identity.read(token)
        try:
            found = await self.site.read(token)
        except NotTheSite as no:
            raise BadToken(no.code, str(no)) from None
        name = found.name if found.name and not self.words.bad(found.name) else stable_name(found.id)
        return Session(User(found.id, clean_name(name)), self.rooms.now(), site=True)


def refusal(no: BadToken) -> No:
    """The same over HTTP."""
    return No(403 if isinstance(no, Banned) else 401, no.code, str(no))


def say_of(no: BadToken) -> tuple[str, dict[str, Any]]:
    """The same for clients in other languages."""
    return no.say if isinstance(no, Banned) else (no.code, {})

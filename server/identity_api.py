"""The HTTP side of who one is: coming in, taking another name, going on on another device, leaving for good."""

from __future__ import annotations

import secrets

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rooms.guestbook import PASS_MS, Pass
from rooms.places import Rooms
from server.doorkeeper import Doorkeeper, Visitor, refusal
from server.identity import BadToken, User, clean_name, new_guest
from server.limits import Misses, address_key, guess_key
from server.protocol import PassMade, SessionRequest
from server.replies import No, answer, guarded, read_body


class IdentityApi:
    """Answers requests about the one who asks."""

    def __init__(self, rooms: Rooms, door: Doorkeeper, misses: Misses) -> None:
        self.rooms, self.door, self.misses = rooms, door, misses

    def routes(self) -> list[Route]:
        """Where things are."""
        return [
            Route("/api/session", guarded(self.come), methods=["POST"]),
            Route("/api/session", guarded(self.forget), methods=["DELETE"]),
            Route("/api/session/code", guarded(self.new_code), methods=["POST"]),
        ]

    async def come(self, request: Request) -> Response:
        """A session: for a guest, for whoever has one already or is sent by their site, or for the holder of a code."""
        asked = await read_body(request, SessionRequest, SessionRequest())
        name = self._name(asked.name)
        if asked.code is not None:
            user = await self._by_code(request, asked.code)
        elif request.headers.get("authorization"):
            return await self._again(request, await self.door.visitor(request), name)
        else:
            user = new_guest(name)
            return _session(self.door.identity.open_session(user), user)
        if name:
            user = await self._rename(user, name)
        return _session(self.door.identity.open_session(user), user)

    async def new_code(self, request: Request) -> Response:
        """A code with which another device becomes the same guest, once."""
        visitor = await self.door.visitor(request)
        if visitor.site:
            raise No(409, "site_user", "Your own site signs you in, on any device.")
        code = await self.rooms.ask("new_pass", visitor.user.id, visitor.user.name)
        return answer(PassMade(code, self.rooms.now() + PASS_MS), 201)

    async def forget(self, request: Request) -> Response:
        """Nothing more is known of the caller, and none of their tokens is any good."""
        user = await self.door.user(request)
        await self.rooms.ask("forget", user.id)
        return Response(status_code=204, headers={"cache-control": "no-store"})

    # parts

    async def _again(self, request: Request, visitor: Visitor, name: str) -> Response:
        user = visitor.user
        if visitor.site:
            if name and name != user.name:
                raise No(409, "site_user", "Your name comes from your own site.")
            token = request.headers["authorization"].partition(" ")[2]
            if not self.door.identity.knows(token):  # a session of ours lasts no longer because it is shown again
                token = self.door.identity.open_session(user, site=True)
            return _session(token, user)
        if name and name != user.name:
            user = await self._rename(user, name)
        return _session(self.door.identity.open_session(user), user)

    async def _by_code(self, request: Request, code: str) -> User:
        guesser = guess_key(address_key(request.client.host if request.client else None))
        if not self.misses.may_guess(guesser):
            raise No(429, "too_many_codes", "Too many wrong codes; wait a minute.")
        found = await self.rooms.ask("use_pass", code, secrets.token_hex(8))
        if found is None:
            self.misses.add(guesser)
            raise No(404, "bad_code", "This code makes nobody anybody, or not any more.")
        whose = msgspec.convert(found, Pass)
        known = await self.door.look_up(whose.user)
        try:
            self.door.check(known, whose.at)
        except BadToken as no:
            raise refusal(no) from None
        return User(whose.user, known.name or whose.name)

    async def _rename(self, user: User, name: str) -> User:
        await self.rooms.ask("rename", user.id, name)
        return User(user.id, name)

    def _name(self, wanted: str | None) -> str:
        """The name that somebody wants, as others may see it; nothing if they want none."""
        if wanted is None or not wanted.strip():
            return ""
        if self.door.words.bad(wanted) or self.door.words.bad(clean_name(wanted)):
            raise No(400, "bad_name", "Nobody is called that here; choose another name.")
        return clean_name(wanted)


def _session(token: str, user: User) -> Response:
    return answer({"token": token, "user": {"id": user.id, "name": user.name}}, 201)

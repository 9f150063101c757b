"""The HTTP side: sessions, games, rooms and replays. JSON in and out; errors are a code and a sentence."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import blake2b
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cards import NoSuchGame, find_game, game_ids
from engine.bots import BOTS
from engine.errors import Refused
from engine.game import Game, Option
from rooms.library import NotOver
from rooms.nodes import StoreTrouble
from rooms.places import Rooms
from rooms.state import Setup, Sitter, Watch
from server.gateway import Gateway
from server.identity import BadToken, Identity, User
from server.protocol import Problem, RoomMade, RoomRequest, SessionRequest

T = TypeVar("T")
MOST_BODY = 64 * 1024
_json = msgspec.json.Encoder()


class No(Exception):
    """A request that is refused."""

    def __init__(self, status: int, code: str, text: str) -> None:
        super().__init__(text)
        self.status, self.code = status, code


class Api:
    """Answers requests."""

    def __init__(self, host: Rooms, identity: Identity, gateway: Gateway) -> None:
        self.host = host
        self.identity = identity
        self.gateway = gateway
        self.library = host.library

    def routes(self) -> list[Route]:
        """Where things are."""
        return [
            Route("/api/session", self._guard(self.session), methods=["POST"]),
            Route("/api/games", self._guard(self.games)),
            Route("/api/games/{game}", self._guard(self.game)),
            Route("/api/rooms", self._guard(self.make_room), methods=["POST"]),
            Route("/api/rooms", self._guard(self.rooms)),
            Route("/api/rooms/{room}", self._guard(self.room)),
            Route("/api/rooms/{room}/replay", self._guard(self.replay)),
        ]

    # calls

    async def session(self, request: Request) -> Response:
        """A guest with a name and a stable id."""
        asked = await _body(request, SessionRequest, SessionRequest())
        token, user = self.identity.open_session(asked.name or "")
        return _answer({"token": token, "user": {"id": user.id, "name": user.name}}, 201)

    async def games(self, request: Request) -> Response:
        """What can be played here."""
        return _answer([_brief(find_game(id)) for id in game_ids()])

    async def game(self, request: Request) -> Response:
        """One game whole: options, decks, catalogue, playmat, messages."""
        game = _game(request.path_params["game"])
        more = {
            "catalogue": game.catalogue(),
            "playmat": game.playmat,
            "messages": game.messages,
            "set": game.cards_hash,
        }
        return _answer({**_brief(game), **more})

    async def make_room(self, request: Request) -> Response:
        """Open a table; the caller sits where they said `me`."""
        user = self._user(request)
        asked = await _body(request, RoomRequest, None)
        game = _game(asked.game)
        setup, seat = self._setup(game, asked, user)
        room = _room_name(user, asked.key) if asked.key else secrets.token_urlsafe(16)
        deck = _allowed(lambda: game.find_deck(asked.deck, setup.options))
        side = {f"seat{seat}": _json.encode(Sitter(user.id, user.name, deck=deck))} if seat is not None else {}
        key = asked.key or room
        if await self.host.make(room, setup, key, side) != key:
            raise No(409, "conflict", "Another room has this name.")
        seat = await self.library.seat_of(room, user.id)  # as it was made, if this is a second try
        code = await self.library.new_code(room)
        facts = await self.library.facts(room)
        if facts is not None and not setup.private:
            await self.library.list_room(room, facts)
        if seat is not None:
            await self.library.sits(user.id, room, game.id, setup.made)
        return _answer(RoomMade(room, code, UNSET if seat is None else seat), 201)

    async def rooms(self, request: Request) -> Response:
        """Tables that are open or live, as far as they are public."""
        status, game = request.query_params.get("status"), request.query_params.get("game")
        if status not in (None, "open", "live"):
            raise No(400, "bad_request", "status is open or live.")
        found = await self.library.listed()
        return _answer([r for r in found if status in (None, r["status"]) and game in (None, r["game"])])

    async def room(self, request: Request) -> Response:
        """Public facts of one table."""
        facts = await self.library.facts(_room_id(request))
        if facts is None:
            raise No(404, "no_room", "There is no such room, or it is gone.")
        return _answer(facts)

    async def replay(self, request: Request) -> Response:
        """The whole match, after its end."""
        user = self._user(request).id if request.headers.get("authorization") else ""
        try:
            replay = await self.library.replay(_room_id(request), user)
        except NotOver:
            raise No(403, "not_over", "A replay can be seen after the end, by whoever could have watched.") from None
        if replay is None:
            raise No(404, "no_room", "There is no such room, or it is gone.")
        return _answer(replay)

    # parts

    def _setup(self, game: Game, asked: RoomRequest, user: User) -> tuple[Setup, int | None]:
        plan = asked.seats if asked.seats is not None else ["me"] + ["open"] * (game.seats[0] - 1)
        least, most = game.seats
        if not least <= len(plan) <= most:
            raise No(400, "bad_seats", f"{game.title} is for {least} to {most} players, not {len(plan)}.")
        if plan.count("me") > 1:
            raise No(400, "bad_seats", "You can only sit on one seat.")
        bots = {}
        for seat, word in enumerate(plan):
            kind, _, bot = word.partition(":")
            if kind == "bot":
                if bot not in BOTS:
                    raise No(400, "unknown_bot", f"There is no bot {bot!r}; there is {', '.join(BOTS)}.")
                bots[seat] = bot
            elif word not in ("me", "open"):
                raise No(400, "bad_seats", f"A seat is me, open or bot:NAME, not {word!r}.")
        options = _allowed(lambda: game.read_options(asked.options))
        watch = asked.watch.agreed() if asked.watch else Watch("code" if asked.private else "all")
        setup = Setup(
            game=game.id,
            seats=len(plan),
            options=options,
            clock=asked.clock.agreed() if asked.clock else None,
            watch=watch,
            private=asked.private,
            host=user.id,
            made=self.host.now(),
            bots=bots,
        )
        return setup, plan.index("me") if "me" in plan else None

    def _user(self, request: Request) -> User:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise No(401, "no_token", "Send your session's token: Authorization: Bearer …")
        try:
            return self.identity.verify(token)
        except BadToken as no:
            raise No(401, no.code, str(no)) from None

    def _guard(self, call: Any) -> Any:
        async def answer(request: Request) -> Response:
            try:
                response: Response = await call(request)
            except No as no:
                return _answer(Problem(no.code, str(no), (no.code, {})), no.status)
            except StoreTrouble:
                return _answer(Problem("busy", "That cannot be done at the moment; try again.", ("busy", {})), 503)
            return response

        return answer


def _brief(game: Game) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "rules": game.rules,
        "seats": list(game.seats),
        "options": [_option(option) for option in game.options],
        "decks": {name: list(deck) for name, deck in game.decks.items()},
    }


def _option(option: Option) -> dict[str, Any]:
    """An option with everything that a form needs to be drawn from it."""
    shown = {"name": option.name, "kind": option.kind, "default": option.default, "text": option.text}
    if option.kind == "choice":
        shown["choices"] = list(option.choices)
    elif option.kind == "number":
        shown |= {"least": option.least, "most": option.most}
    return shown


def _game(id: str) -> Game:
    try:
        return find_game(id)
    except NoSuchGame as no:
        raise No(404, no.code, str(no)) from None


def _allowed(call: Callable[[], T]) -> T:
    """What the game says, or its refusal as ours."""
    try:
        return call()
    except Refused as no:
        raise No(400, no.code, str(no)) from None


def _room_name(user: User, key: str) -> str:
    """The same words from the same person are the same room, however often they are sent."""
    digest = blake2b(f"{user.id}/{key}".encode(), digest_size=16).digest()
    return urlsafe_b64encode(digest).rstrip(b"=").decode()


def _room_id(request: Request) -> str:
    room = str(request.path_params["room"])
    if not 1 <= len(room) <= 64:
        raise No(404, "no_room", "There is no such room, or it is gone.")
    return room


async def _body(request: Request, kind: Any, missing: Any) -> Any:
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > MOST_BODY:
            raise No(413, "too_big", "That is more than anybody needs to say.")
    if not data.strip() and missing is not None:
        return missing
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise No(400, "bad_request", f"This request cannot be read: {error}.") from None


def _answer(content: Any, status: int = 200) -> Response:
    headers = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
    return Response(_json.encode(content), status, headers, "application/json")

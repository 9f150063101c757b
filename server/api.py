"""The HTTP side of tables: rooms that are made and found."""

from __future__ import annotations

import msgspec
from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from engine.bots import can_play, read_name
from engine.game import Game
from rooms.keys import new_room, room_named
from rooms.places import Rooms
from rooms.state import Series, Setup, Sitter, Watch
from server.doorkeeper import Doorkeeper
from server.gateway import Gateway
from server.identity import User
from server.limits import address_key, guess_key
from server.protocol import RoomMade, RoomRequest
from server.replies import No, allowed, answer, guarded, read_body, the_game, the_room

_json = msgspec.json.Encoder()


class Api:
    """Answers requests."""

    def __init__(self, host: Rooms, door: Doorkeeper, gateway: Gateway) -> None:
        self.host = host
        self.door = door
        self.gateway = gateway
        self.library = host.library

    def routes(self) -> list[Route]:
        """Where things are."""
        return [
            Route("/api/rooms", guarded(self.make_room), methods=["POST"]),
            Route("/api/rooms", guarded(self.rooms)),
            Route("/api/rooms/{room}", guarded(self.room)),
            Route("/api/codes/{code}", guarded(self.room_of_code)),
        ]

    # calls

    async def make_room(self, request: Request) -> Response:
        """Open a table; the caller sits where they said `me`."""
        user = await self.door.user(request)
        asked = await read_body(request, RoomRequest)
        game = the_game(asked.game)
        setup, seat = self._setup(game, asked, user)
        room = room_named(f"{user.id}/{asked.key}") if asked.key else new_room()
        if asked.key and await self.library.status(room) is None and await self.host.ask("played", room):
            raise No(409, "conflict", "A match was played at the table with this key; use another key.")
        deck = allowed(lambda: game.find_deck(asked.deck, setup.options))
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
        return answer(RoomMade(room, code, UNSET if seat is None else seat), 201)

    async def rooms(self, request: Request) -> Response:
        """Tables that are open or live, as far as they are public."""
        status, game = request.query_params.get("status"), request.query_params.get("game")
        if status not in (None, "open", "live"):
            raise No(400, "bad_request", "status is open or live.")
        found = await self.library.listed()
        return answer([r for r in found if status in (None, r["status"]) and game in (None, r["game"])])

    async def room(self, request: Request) -> Response:
        """Public facts of one table."""
        facts = await self.library.facts(the_room(request))
        if facts is None:
            raise No(404, "no_room", "There is no such room, or it is gone.")
        return answer(facts)

    async def room_of_code(self, request: Request) -> Response:
        """The table that an invite code leads to. Whoever guesses too often has to wait."""
        guesser = guess_key(address_key(request.client.host if request.client else None))
        if not self.gateway.misses.may_guess(guesser):
            raise No(429, "too_many_codes", "Too many wrong codes; wait a minute.")
        room = await self.library.find(str(request.path_params["code"])[:16])
        facts = await self.library.facts(room) if room is not None else None
        if facts is None:
            self.gateway.misses.add(guesser)
            raise No(404, "bad_code", "No table has this code, or it has run out.")
        return answer(facts)

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
                bots[seat] = _bot(game, bot)
            elif word not in ("me", "open"):
                raise No(400, "bad_seats", f"A seat is me, open or bot:NAME, not {word!r}.")
        if asked.leavers.startswith("bot:"):
            _bot(game, asked.leavers.removeprefix("bot:"))
        options = allowed(lambda: game.read_options(asked.options))
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
            leavers=asked.leavers,
            grace=asked.grace,
            first=_first(asked.first, len(plan)),
            ready=asked.ready,
            series=Series(asked.best_of, 1, [0] * len(plan)) if asked.best_of > 1 else None,
        )
        return setup, plan.index("me") if "me" in plan else None


def _first(seat: int | None, seats: int) -> int | None:
    """The seat that begins."""
    if seat is not None and seat >= seats:
        raise No(400, "bad_seat", f"There is no seat {seat} at a table for {seats}.")
    return seat


def _bot(game: Game, name: str) -> str:
    """A bot that can play this game."""
    allowed(lambda: read_name(name))
    if not can_play(name, game):
        raise No(400, "unknown_bot", f"The bot {name} cannot play {game.title}; the bot random can.")
    return name

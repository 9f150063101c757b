"""What remains of matches: who is how strong, what somebody played, and what cards are worth."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rooms.places import Rooms
from server.replies import No, answer, guarded, the_game

MOST, USUAL = 100, 50  # players that are told at once
MODES = ("casual", "ranked")
LONGEST_ID = 64


class HistoryApi:
    """Answers questions about what is over. The archive is the hosts'; one of them is asked."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms

    def routes(self) -> list[Route]:
        """Where things are."""
        return [
            Route("/api/leaderboard", guarded(self.leaderboard)),
            Route("/api/players/{player}", guarded(self.player)),
            Route("/api/players/{player}/against/{other}", guarded(self.against)),
            Route("/api/stats/{game}", guarded(self.stats)),
        ]

    async def leaderboard(self, request: Request) -> Response:
        """The best of a game."""
        game = _game(request)
        if not game:
            raise No(400, "bad_request", "Say which game: /api/leaderboard?game=ID.")
        most, after = _number(request, "limit", USUAL, 1, MOST), _number(request, "offset", 0, 0, 10**6)
        return answer(await self.rooms.ask("leaderboard", game, most, after))

    async def player(self, request: Request) -> Response:
        """Somebody's ratings and last matches; those before a time, for whoever wants older ones."""
        before = _number(request, "before", 0, 0, 10**15)
        found = await self.rooms.ask("player", _person(request, "player"), _game(request), before)
        return answer(_known(found))

    async def against(self, request: Request) -> Response:
        """How two stand against each other."""
        player, other = _person(request, "player"), _person(request, "other")
        return answer(_known(await self.rooms.ask("against", player, other, _game(request))))

    async def stats(self, request: Request) -> Response:
        """What was counted of cards and decks."""
        game, mode = the_game(request.path_params["game"]), request.query_params.get("mode", "")
        if mode not in ("", *MODES):
            raise No(400, "bad_request", f"mode is {' or '.join(MODES)}.")
        found = await self.rooms.ask("stats", game.id, mode)
        names = {tuple(sorted(deck)): name for name, deck in game.decks.items()}
        for deck in found["decks"]:
            deck["name"] = names.get(tuple(deck["faces"]), "")
        return answer(found)


def _known(found: Any) -> Any:
    if found is None:
        raise No(404, "no_player", "Nobody of this name has ended a match here.")
    return found


def _person(request: Request, name: str) -> str:
    return _known(str(request.path_params[name]) if len(request.path_params[name]) <= LONGEST_ID else None)  # type: ignore[no-any-return]


def _game(request: Request) -> str:
    """The game that is asked for, if one is."""
    asked = request.query_params.get("game", "")
    return the_game(asked).id if asked else ""


def _number(request: Request, name: str, usual: int, least: int, most: int) -> int:
    text = request.query_params.get(name, "")
    if not text:
        return usual
    if not text.isascii() or not text.isdecimal() or len(text) > 15 or not least <= int(text) <= most:
        raise No(400, "bad_request", f"{name} is a number from {least} to {most}.")
    return int(text)

"""What can be played here: the games with everything that a client draws them from, their rules, and a deck check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cards import find_game, game_ids, guide
from engine.bots import BOTS, can_play
from engine.game import Game, Option
from engine.story import COMMON
from server.phrases import PHRASES
from server.protocol import CLOCKS, DeckCheck, DeckRequest, Problem
from server.replies import No, allowed, answer, guarded, read_body, the_game
from server.stored import Stored

MOST_MISTAKES = 20  # told at once
_json = msgspec.json.Encoder()


class GamesApi:
    """Answers questions about games. They change only with the process, so their answers are made once."""

    def __init__(self) -> None:
        self._list: Stored | None = None
        self._pages: dict[str, Stored] = {}
        self._guides: dict[str, Stored] = {}

    def routes(self) -> list[Route]:
        """Where things are."""
        return [
            Route("/api/games", guarded(self.games)),
            Route("/api/games/{game}", guarded(self.game)),
            Route("/api/games/{game}/guide", guarded(self.guide)),
            Route("/api/games/{game}/deck", guarded(self.deck), methods=["POST"]),
        ]

    async def games(self, request: Request) -> Response:
        """Everything that can be played, in brief."""
        if self._list is None:
            self._list = _stored([brief(find_game(id)) for id in game_ids()])
        return self._list.reply(request)

    async def game(self, request: Request) -> Response:
        """One game whole: options, decks, catalogue, playmat, messages."""
        game = the_game(request.path_params["game"])
        if game.id not in self._pages:
            more = {
                "playmat": game.playmat,
                "catalogue": game.catalogue(),
                "messages": {**COMMON, **game.messages},
                "phrases": PHRASES,
                "clocks": CLOCKS,
                "set": game.cards_hash,
            }
            self._pages[game.id] = _stored({**brief(game), **more})
        return self._pages[game.id].reply(request)

    async def guide(self, request: Request) -> Response:
        """The rules for people, as Markdown."""
        game = the_game(request.path_params["game"])
        text = guide(game)
        if not text:
            raise No(404, "no_guide", f"The rules of {game.title} are not written down here.")
        if game.id not in self._guides:
            self._guides[game.id] = Stored(text.encode(), "text/markdown")
        return self._guides[game.id].reply(request)

    async def deck(self, request: Request) -> Response:
        """Everything that is wrong with a deck; nothing if it may be played."""
        game = the_game(request.path_params["game"])
        asked = await read_body(request, DeckRequest)
        options = allowed(lambda: game.read_options(asked.options))
        if isinstance(asked.deck, str):
            return answer(DeckCheck(len(allowed(lambda: game.find_deck(asked.deck, options)) or ()), []))
        mistakes = [Problem(no.code, str(no), no.say) for no in game.deck_mistakes(asked.deck, options)]
        return answer(DeckCheck(len(asked.deck), mistakes[:MOST_MISTAKES]))


def brief(game: Game) -> dict[str, Any]:
    """A game as a list shows it."""
    return {
        "id": game.id,
        "title": game.title,
        "rules": game.rules,
        "seats": list(game.seats),
        "company": game.company or game.seats[0],
        "options": [_option(option) for option in game.options],
        "decks": {name: list(deck) for name, deck in game.decks.items()},
        "bots": [name for name in BOTS if can_play(name, game)],
        "sketch": sketch(game.playmat),
        "about": about(guide(game)),
    }


def sketch(playmat: Mapping[str, Any]) -> dict[str, Any]:
    """A playmat as a small picture needs it: per area rows, columns and places, or the hexes of a board."""
    return {name: _outline(area) for name, area in playmat.get("areas", {}).items()}


def _outline(area: Mapping[str, Any]) -> dict[str, Any]:
    places = [slot["position"] for slot in area["slots"]]
    if area.get("hex"):
        return {"hexes": [[at["q"], at["r"]] for at in places]}
    spans = [[at["row"], at["col"], at.get("rowSpan", 1), at.get("colSpan", 1)] for at in places]
    ways = [slot.get("stackDirection", "none") for slot in area["slots"]]
    return {"rows": area["rows"], "cols": area["cols"], "places": spans, "ways": ways}


def about(text: str) -> str:
    """The first paragraph of the rules that is no heading: what a game is, in a sentence or two."""
    parts = (" ".join(part.split()) for part in text.split("\n\n"))
    return next((part for part in parts if part and not part.startswith("#")), "")


def _option(option: Option) -> dict[str, Any]:
    """An option with everything that a form needs to be drawn from it."""
    shown = {"name": option.name, "kind": option.kind, "default": option.default, "text": option.text}
    if option.kind == "choice":
        shown["choices"] = list(option.choices)
    elif option.kind == "number":
        shown |= {"least": option.least, "most": option.most}
    return shown


def _stored(content: Any) -> Stored:
    return Stored(_json.encode(content), "application/json")

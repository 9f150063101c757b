"""How HTTP calls are answered: JSON for what was asked, a code and a sentence for what is refused."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from cards import NoSuchGame, find_game
from engine.errors import Refused
from engine.game import Game
from rooms.nodes import StoreTrouble
from server.protocol import Problem

T = TypeVar("T")
Call: TypeAlias = Callable[[Request], Awaitable[Response]]
MOST_BODY = 64 * 1024
_json = msgspec.json.Encoder()


class No(Exception):
    """A request that is refused."""

    def __init__(self, status: int, code: str, text: str) -> None:
        super().__init__(text)
        self.status, self.code = status, code


def guarded(call: Call) -> Call:
    """The call, with its refusals as answers."""

    async def answered(request: Request) -> Response:
        try:
            return await call(request)
        except No as no:
            return answer(Problem(no.code, str(no), (no.code, {})), no.status)
        except StoreTrouble:
            return answer(Problem("busy", "That cannot be done at the moment; try again.", ("busy", {})), 503)

    return answered


def answer(content: Any, status: int = 200) -> Response:
    """An answer that is nobody else's business and not to be kept."""
    headers = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
    return Response(_json.encode(content), status, headers, "application/json")


async def read_body(request: Request, kind: Any, missing: Any = None) -> Any:
    """What was sent along, decoded and checked; `missing` stands for nothing at all."""
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


def the_game(id: str) -> Game:
    """A game by its id, or the refusal."""
    try:
        return find_game(id)
    except NoSuchGame as no:
        raise No(404, no.code, str(no)) from None


def the_room(request: Request) -> str:
    """The room that is asked for, if its id could be one."""
    room = str(request.path_params["room"])
    if not 1 <= len(room) <= 64:
        raise No(404, "no_room", "There is no such room, or it is gone.")
    return room


def allowed(call: Callable[[], T]) -> T:
    """What the game says, or its refusal as ours."""
    try:
        return call()
    except Refused as no:
        raise No(400, no.code, str(no)) from None

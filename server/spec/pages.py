"""What the calls over HTTP give back, written down for the spec."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from engine.game import Option
from server.protocol import ClockRequest
from server.spec.shapes import Facts


class GameFacts(Struct):
    """A game that can be played here."""

    id: str
    title: str
    rules: str
    seats: tuple[int, int]
    options: list[Option]
    decks: dict[str, list[str]]


class GamePage(GameFacts):
    """A game with everything that a client draws it from."""

    catalogue: dict[str, Facts]
    playmat: Facts
    messages: dict[str, str]
    set: str


class Chair(Struct):
    """A seat of a room; an empty one has nothing."""

    name: str | UnsetType = UNSET
    bot: bool | UnsetType = UNSET


class RoomFacts(Struct):
    """What anybody may know of a room."""

    room: str
    game: str
    status: Literal["open", "live", "over"]
    mode: Literal["casual", "ranked"]
    options: dict[str, Any]
    clock: ClockRequest | None
    private: bool
    watch: Literal["all", "code", "nobody"]
    made: int
    seats: list[Chair]

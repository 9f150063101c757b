"""What the calls over HTTP give back, written down for the spec."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from engine.game import Option
from server.protocol import ClockRequest, DelayRequest
from server.spec.shapes import Facts, Series


class GameFacts(Struct):
    """A game that can be played here."""

    id: str
    title: str
    rules: str
    seats: tuple[int, int]
    company: int
    options: list[Option]
    decks: dict[str, list[str]]
    bots: list[str]
    sketch: dict[str, Facts]
    about: str


class GamePage(GameFacts):
    """A game with everything that a client draws it from."""

    playmat: Facts
    catalogue: dict[str, Facts]
    messages: dict[str, str]
    phrases: dict[str, str]
    clocks: list[ClockRequest]
    set: str


class Chair(Struct):
    """A seat of a room; an empty one has nothing."""

    name: str | UnsetType = UNSET
    bot: bool | UnsetType = UNSET
    id: str | UnsetType = UNSET


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
    delay: DelayRequest
    leavers: str
    made: int
    seats: list[Chair]
    ready: bool
    series: Series | UnsetType = UNSET

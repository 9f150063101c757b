"""What a load test reads of the frames that it gets, and what it counts."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from server.commands.raw_socket import BINARY, TEXT


class Ended(Struct):
    """The part of a view that says that a match is over."""

    result: Raw | UnsetType = UNSET


class AskHeard(Struct):
    """The question that is open."""

    id: int


class Heard(Struct):
    """Any frame."""

    t: str
    i: str = ""
    v: int = -1
    n: int = 0
    room: str = ""
    code: str = ""
    text: str = ""
    offers: Raw | UnsetType = UNSET
    ask: AskHeard | UnsetType | None = UNSET
    patch: Ended | UnsetType = UNSET
    view: Ended | UnsetType = UNSET


class SlotHeard(Struct, rename={"from_": "from"}):
    """A gap to fill."""

    name: str
    from_: list[int | str] = []
    range: tuple[int, int] | None = None
    least: int = 1


class OfferHeard(Struct):
    """A move to choose."""

    type: str
    card: int = 0
    slots: list[SlotHeard] = []


class Speech:
    """One of the two encodings, both ways."""

    def __init__(self, msgpack: bool) -> None:
        codec: Any = msgspec.msgpack if msgpack else msgspec.json
        self.name = "upcard.v1.msgpack" if msgpack else "upcard.v1.json"
        self.kind = BINARY if msgpack else TEXT
        self.key = len('"offers":') + 1 if not msgpack else len("offers") + 1  # what the field itself takes
        self.encode: Callable[[Any], bytes] = codec.Encoder().encode
        self.frame: Callable[[bytes], Heard] = codec.Decoder(Heard).decode
        self.offers: Callable[[Raw], list[OfferHeard]] = codec.Decoder(list[OfferHeard]).decode


class Figures:
    """What was counted while it counted."""

    def __init__(self) -> None:
        self.on = False
        self.moves = 0
        self.own = array("q")  # nanoseconds from the move to its acknowledgement
        self.opponent = array("q")  # and to the other player's update
        self.to_mover = 0  # bytes, without the offers
        self.to_opponent = 0
        self.offers = 0
        self.watched = 0  # frames that watchers got
        self.restarts = 0
        self.refused: dict[str, int] = {}
        self.closed: dict[int, int] = {}

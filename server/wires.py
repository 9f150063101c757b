"""What the service knows of a connection: two small interfaces, and how a message is wrapped.

    Wire       what the service holds: write, pause, close, abort
    Listener   what the service hands over: it hears frames, the end, and when there is room again

`server.sockets` ties both ends to a real connection.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

GONE, BAD_DATA, TOO_BIG = 1006, 1007, 1009  # the transport's own codes
TOO_FAST, OUR_FAULT, DRAINING, TOO_SLOW = 4429, 4500, 4503, 4508  # ours, as the protocol lists them
TEXT, BINARY, PONG = 0x81, 0x82, 0x8A  # how a message that is whole begins


class Listener(Protocol):
    """Whoever takes what arrives. None of these may wait; each returns at once."""

    def on_frame(self, data: bytes, text: bool) -> None:
        """A whole message came in. Text is valid UTF-8."""

    def on_drained(self) -> None:
        """There is room again after the wire was full."""

    def on_close(self, code: int) -> None:
        """It is over. Told once, whoever ended it and however; no frame comes after it."""


class Wire(Protocol):
    """A connection, as the service sees it."""

    @property
    def closed(self) -> bool:
        """Nothing can be said or heard any more."""

    @property
    def full(self) -> bool:
        """The peer does not keep up: writes are turned away until `on_drained`."""

    @property
    def buffered(self) -> int:
        """Bytes written and not yet taken by the system."""

    @property
    def waiting(self) -> int:
        """Bytes that came in and were not handed over, because of a pause."""

    @property
    def lag(self) -> int:
        """Milliseconds to the peer and back, by our own pings; 0 until one came back."""

    def listen(self, listener: Listener) -> None:
        """Hand everything that comes to this listener from now on. Only after the app has accepted."""

    def send_text(self, data: bytes) -> bool:
        """Write a text message now; False if it was turned away."""

    def send_binary(self, data: bytes) -> bool:
        """Write a binary message now; False if it was turned away."""

    def write(self, frame: bytes) -> bool:
        """Write a message that `text_frame` or `binary_frame` wrapped, perhaps once for many peers."""

    def pause(self) -> None:
        """Stop listening: what the peer sends then piles up on its own side."""

    def resume(self) -> None:
        """Listen again."""

    def heartbeat(self, ping: float, silent: float) -> None:
        """Ping so often, and cut a peer off that has been silent for so long (seconds)."""

    def close(self, code: int, reason: str = "") -> None:
        """Say goodbye, and cut the peer off if it does not answer soon."""

    def abort(self, code: int = GONE) -> None:
        """Cut the peer off at once; the code is for our own listener."""


def wire_of(scope: Mapping[str, Any]) -> Wire:
    """The wire of the request that an ASGI app is looking at. Accept first, then `listen`, then return."""
    wire: Wire = scope["extensions"]["upcard.wire"]
    return wire


def text_frame(data: bytes) -> bytes:
    """A text message as it goes over the wire."""
    return header(TEXT, len(data)) + data


def binary_frame(data: bytes) -> bytes:
    """A binary message as it goes over the wire."""
    return header(BINARY, len(data)) + data


def header(kind: int, size: int) -> bytes:
    """What stands before a message of this kind and size."""
    if size < 126:
        return bytes((kind, size))
    if size < 65536:
        return bytes((kind, 126)) + size.to_bytes(2, "big")
    return bytes((kind, 127)) + size.to_bytes(8, "big")

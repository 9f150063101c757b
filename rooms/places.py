"""What a gateway needs to know of rooms, wherever they are: in this process, or in another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from rooms import wire
from rooms.guest import Guest
from rooms.happenings import Event
from rooms.library import Library
from rooms.state import Setup


class Room(Protocol):
    """A room that can be spoken to."""

    @property
    def room(self) -> str:
        """Its name."""

    @property
    def dropped(self) -> bool:
        """It is not to be found here any more."""

    def hear(self, event: Event) -> None:
        """Something happened."""

    def leave(self, guest: Guest) -> None:
        """A guest follows the room no longer."""


class Rooms(Protocol):
    """All rooms that there are."""

    lost: list[Callable[[Room], None]]  # who wants to know that a room is not where it was

    @property
    def library(self) -> Library:
        """What can be read about rooms."""

    @property
    def draining(self) -> bool:
        """Whether this process is about to stop."""

    def now(self) -> int:
        """Server time in milliseconds since 1970."""

    async def room(self, room: str) -> Room:
        """The room, taken over if nobody has it. RoomGone, RoomElsewhere or StoreTrouble if that cannot be."""

    async def make(self, room: str, setup: Setup, key: str, side: dict[str, bytes]) -> str:
        """Open a room; making it twice with one key makes one. Returns the key that it was made with."""

    async def matches_of(self, user: str) -> list[dict[str, Any]]:
        """The running matches of a user."""

    async def ask(self, what: str, key: str, *words: Any) -> Any:
        """Have a host do or read something; see `rooms.desk`. Refused if it says no."""

    @property
    def name(self) -> str:
        """What this process is called as a gateway: where letters to its users go."""

    def listen(self, tell: Callable[[str, wire.Frame], None], about: Callable[[str], None]) -> None:
        """From now on tell the first what is meant for a user, and the second of whom something has changed.

        An empty name is everybody: we were out of reach for a while.
        """

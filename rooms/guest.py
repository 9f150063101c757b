"""Whoever follows a room: a connection of this process, or one that another gateway holds."""

from __future__ import annotations

from typing import Protocol

from rooms import wire
from rooms.telling import Told


class Guest(Protocol):
    """Somebody to whom a room can speak. Speaking never waits."""

    def follows(self, view: str, late: bool) -> bool:
        """From now on they are told what this view is told. False: they hear the view's channel by themselves."""
        ...

    def tell(self, frame: wire.Frame | Told) -> None:
        """Say this to them, after whatever was said before."""
        ...

    def mirror(self) -> None:
        """Their player plays in another window now."""
        ...

    def close(self, code: int) -> None:
        """Hang up on them."""
        ...

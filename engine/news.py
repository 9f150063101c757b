"""What people are told of what happened, before anybody's lens has looked at it.

Cards listen to events; people read news. A piece of news names cards by reference, and each reference knows who
may point at that card and who may see its face, as it was at that moment.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Struct

from engine.findings import Finding
from engine.frames import Entity, EntityId, Frame, Heard, Ref
from engine.table import EVERYONE


class News(Struct, frozen=True, gc=False):
    """One thing that happened. `to` is who hears of it at all."""

    e: str
    facts: dict[str, Any]
    to: int = EVERYONE

    @property
    def public(self) -> bool:
        """Whether everybody may know all of it."""
        return self.to == EVERYONE and "count" not in self.facts and all(map(_public, self.facts.values()))


def _public(value: Any) -> bool:
    if isinstance(value, Ref):
        return value.ids == value.faces == EVERYONE
    if isinstance(value, dict):
        return all(map(_public, value.values()))
    return not isinstance(value, list | tuple) or all(map(_public, value))


class Step(Struct, frozen=True, gc=False):
    """What one move did: the new version, what may look different now, and the news."""

    version: int
    entities: frozenset[EntityId]
    zones: frozenset[str]
    news: tuple[News, ...]
    warnings: tuple[Finding, ...] = ()  # what was unusual about it, for whoever made it


class Before(NamedTuple):
    """What a step found: the first image of whatever it touched, None where there was nothing."""

    entities: dict[EntityId, Entity | None]
    zones: dict[str, tuple[EntityId, ...]]
    stack: tuple[Frame, ...]
    bag: tuple[Heard, ...]

"""Laying cards out on the quays: what a player has, by card names, before anybody moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cards.lore.facts import LORE
from cards.lore.rules import Lore
from engine.journal import Journal
from engine.table import EVERYONE, seat_id

GAME = Lore([Path(__file__).with_name("lore_cards.json")])
FILLER = ("Crew, 1/1/1",) * 10
PLACES = {"character": "characters", "item": "items", "location": "locations"}


def full(name: str) -> str:
    """The card that is meant by the beginning of its name."""
    if name in GAME.cards:
        return name
    found = [face for face in GAME.cards if face.startswith(name)]
    assert len(found) == 1, f"{name!r} could be {found}"
    return found[0]


@dataclass(frozen=True)
class Laid:
    """A card in play with a past."""

    face: str
    facts: dict[str, Any] = field(default_factory=dict)
    at: str = ""
    on: str = ""  # a card lies under it, face up
    boosted: int = 0  # so many lie under it, face down


def exerted(card: str | Laid) -> Laid:
    return _with(card, exerted=True)


def drying(card: str | Laid) -> Laid:
    return _with(card, drying=True)


def hurt(card: str | Laid, damage: int) -> Laid:
    return _with(card, damage=damage)


def at(card: str | Laid, location: str) -> Laid:
    """A character at a location of the same side."""
    return replace(_laid(card), at=location)


def over(card: str | Laid, below: str) -> Laid:
    """A character that was shifted onto another."""
    return replace(_laid(card), on=below)


def boosted(card: str | Laid, count: int = 1) -> Laid:
    return replace(_laid(card), boosted=count)


def _laid(card: str | Laid) -> Laid:
    return card if isinstance(card, Laid) else Laid(card)


def _with(card: str | Laid, **facts: Any) -> Laid:
    laid = _laid(card)
    return replace(laid, facts={**laid.facts, **facts})


@dataclass(frozen=True)
class Side:
    """What one player has on the table. The last card of the deck is the next to be drawn."""

    play: Sequence[str | Laid] = ()
    hand: Sequence[str] = ()
    ink: int = 0
    spent: int = 0  # ink that is exerted, besides
    lore: int = 0
    discard: Sequence[str] = ()
    deck: Sequence[str] = FILLER


side = Side


def lay(journal: Journal, seat: int, half: Side) -> None:
    """Lay out what a player has."""
    for kind in ("hand", "discard", "deck"):
        for name in getattr(half, kind):
            journal.create(full(name), seat, f"{seat}.{kind}")
    for spent in [False] * half.ink + [True] * half.spent:
        journal.create(FILLER[0], seat, f"{seat}.inkwell", **({"exerted": True} if spent else {}))
    locations: dict[str, int] = {}
    for laid in sorted(map(_laid, half.play), key=lambda one: GAME.cards[full(one.face)].type != "location"):
        face = full(laid.face)
        facts = dict(laid.facts)
        if laid.at:
            facts["at"] = locations[full(laid.at)]
        id = journal.create(face, seat, f"{seat}.{PLACES[GAME.cards[face].type]}", **facts)
        if GAME.cards[face].type == "location":
            locations[face] = id
        if laid.on:
            journal.create(full(laid.on), seat, f"{seat}.under", on=id)
        for _ in range(laid.boosted):
            below = journal.create(FILLER[0], seat, f"{seat}.deck")
            journal.move(below, f"{seat}.under", facts={"on": id}, dark=EVERYONE)
    if half.lore:
        journal.set(seat_id(seat), LORE, half.lore)

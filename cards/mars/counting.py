"""Counting: tags, tiles, whatever an amount is multiplied by, and what a card is worth at the end."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, cast

from cards.mars.board import TILES
from cards.mars.facts import HAS, HOLDS, MAKES, RATING, RESOURCES, STORED, TILE, TRACKS, Card, face, here, tableau
from cards.mars.schema import Per, VictoryPoints
from engine.frames import Entity, Seat
from engine.look import Look

if TYPE_CHECKING:
    from cards.mars.board import Board
    from cards.mars.rules import Mars


BEING_PLAYED = ("hand", "events")  # where a card lies that counts for itself and no longer than it is played


def rules(look: Look) -> Mars:
    """The game itself: its map, its projects, its goals."""
    return cast("Mars", look.game)


def board(look: Look) -> Board:
    """The map that is played on."""
    return rules(look).board


def at_goal(look: Look, track: str) -> bool:
    """Whether a parameter cannot rise any more."""
    return TRACKS[track].of(here(look.table)) >= board(look).tracks[track].most


def tags(look: Look, seat: Seat, playing: Entity | None = None) -> Counter[str]:
    """The tags that a seat has in play. An event counts only while it is played, a card of the hand as if it were."""
    found: Counter[str] = Counter()
    for card in tableau(look.table, seat):
        found.update(face(look, card).tags)
    if playing is not None and look.places[playing.zone].kind in BEING_PLAYED and look.controller(playing) == seat:
        found.update(face(look, playing).tags)
    return found


def times(look: Look, seat: Seat, per: Per | None, source: Entity | None, most: int = -1) -> int:
    """How often an amount is given."""
    if per is None:
        return 1
    found = count(look, seat, per, source) // per.amount
    return found if most < 0 else min(found, most)


def count(look: Look, seat: Seat, per: Per, source: Entity | None = None) -> int:
    """How many there are of what an amount is multiplied by."""
    if per.type in STORED:
        card = look.table.entities.get(source.id) if source else None
        return HOLDS[per.type].of(card) if card else 0
    if per.type.endswith("tile"):
        return _tiles(look, seat, per, source)
    return sum(_of_seat(look, other, per, source) for other in _whose(look, seat, per.target or "self-player"))


def _whose(look: Look, seat: Seat, target: str) -> list[Seat]:
    seats = range(look.table.seats)
    if target == "self-player":
        return [seat]
    return [other for other in seats if target == "any-player" or other != seat]


def _of_seat(look: Look, seat: Seat, per: Per, source: Entity | None) -> int:
    table = look.table
    if per.type == "tag":
        return tags(look, seat, source)[per.tag or ""]
    if per.type == "card-hand":
        return len(table.zones[f"{seat}.hand"])
    if per.type == "tr":
        return RATING.of(table.seat(seat))
    number = (HAS if per.type in RESOURCES else MAKES)[per.type.removesuffix("-production")]
    return number.of(table.seat(seat))


def _tiles(look: Look, seat: Seat, per: Per, source: Entity | None) -> int:
    """Tiles of a kind: on the map, in play at all, or next to the tile of the card that asks."""
    map, table = board(look), look.table
    laid = map.laid(table)
    if per.adjacent:
        card = table.entities.get(source.id) if source else None
        tiles = map.beside(laid, TILE.of(card)) if card else []
    else:
        tiles = [*laid.values(), *(table.lying("orbit") if per.location == "anywhere" else ())]
    kind = "" if per.type == "tile" else TILES[per.type.removesuffix("-tile")]
    owners = None if per.target in (None, "any-player") else _whose(look, seat, per.target)
    return sum((not kind or tile.face == kind) and (owners is None or tile.owner in owners) for tile in tiles)


def points(look: Look, seat: Seat, card: Entity) -> int:
    """What one card is worth at the end."""
    return sum(_worth(look, seat, card, part) for part in face(look, card).points)


def _worth(look: Look, seat: Seat, card: Entity, part: VictoryPoints) -> int:
    if part.condition == "fixed":
        return part.amount
    return part.amount * times(look, seat, part.per, card, part.max_trigger)


def holders(look: Look, seat: Seat, kind: str) -> list[Entity]:
    """The cards of a seat that can hold this kind of thing."""
    return [card for card in tableau(look.table, seat) if holds(face(look, card), kind)]


def holds(printed: Card, kind: str) -> bool:
    """Whether a card can hold this kind of thing."""
    return printed.storage is not None and printed.storage.type == kind


def room(printed: Card, card: Entity) -> int:
    """How many more a card can hold."""
    store = printed.storage
    if store is None:
        return 0
    return 99 if store.capacity is None else max(0, store.capacity - HOLDS[store.type].of(card))

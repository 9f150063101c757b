"""The map: hexes, what is printed on them, and where a tile may lie.

A hex is a zone, `hex.Q.R` by its two axes, and a tile is a card that lies in it. What lies beyond the map has no
neighbours and lies in `orbit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from cards.mars.schema import Output, Resource, Restrictions
from engine.errors import BadCards
from engine.frames import Entity, Seat
from engine.table import Table, Zone

ORBIT = "orbit"
TILES = {"ocean": "Ocean", "greenery": "Greenery", "city": "City", "claim": "Claim"}
AROUND = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
NOWHERE = Restrictions()
MONEY_BY_THE_SEA = 2  # for each ocean next to a new tile

Axis = Annotated[int, Meta(ge=-20, le=20)]
Bonus = Literal[Resource, "card"]
Tiles: TypeAlias = list[Entity]


class Hex(Struct, frozen=True, forbid_unknown_fields=True):
    """One hex as it is printed."""

    q: Axis
    r: Axis
    kind: Literal["land", "volcano", "ocean", "reserved"]
    bonus: tuple[Bonus, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The zone that this hex is."""
        return f"hex.{self.q}.{self.r}"


class Track(Struct, frozen=True, forbid_unknown_fields=True):
    """A parameter of the planet: where it ends, how far a step goes, and what some steps give."""

    least: int
    most: int
    step: int
    bonus: dict[str, tuple[Output, ...]] = {}


class MapRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A map as its file has it."""

    name: str
    tracks: dict[Literal["temperature", "oxygen", "oceans"], Track]
    beyond: tuple[str, ...]  # names of places that are not on the map
    hexes: tuple[Hex, ...]


class Board:
    """A map made ready: every hex by its key, with its neighbours."""

    def __init__(self, data: bytes) -> None:
        try:
            row = msgspec.json.decode(data, type=MapRow)
        except msgspec.DecodeError as error:
            raise BadCards([f"board.json: {error}"]) from None
        self.tracks = {str(name): track for name, track in row.tracks.items()}
        self.beyond = frozenset(row.beyond)
        self.hexes = {hex.key: hex for hex in row.hexes}
        self._kinds = {
            "ocean": tuple(key for key, hex in self.hexes.items() if hex.kind == "ocean"),
            "land": tuple(key for key, hex in self.hexes.items() if hex.kind in ("land", "volcano")),
        }
        self.next_to = {key: tuple(self._neighbours(hex)) for key, hex in self.hexes.items()}
        self._check(row)

    def _neighbours(self, hex: Hex) -> Iterator[str]:
        for q, r in AROUND:
            key = f"hex.{hex.q + q}.{hex.r + r}"
            if key in self.hexes:
                yield key

    def _check(self, row: MapRow) -> None:
        mistakes = []
        if len(self.hexes) != len(row.hexes):
            mistakes.append("board.json: a hex is there twice")
        seas = sum(hex.kind == "ocean" for hex in row.hexes)
        if seas < self.tracks["oceans"].most:
            mistakes.append(f"board.json: {seas} hexes for {self.tracks['oceans'].most} oceans")
        if mistakes:
            raise BadCards(mistakes)

    def zones(self) -> tuple[Zone, ...]:
        """Every hex as a zone, and the one beyond the map."""
        keys = (ORBIT, *self.hexes)
        return tuple(Zone(key, faces="all", shared=True) for key in keys)

    def names(self) -> frozenset[str]:
        """What a card may call a place."""
        return self.beyond.union(*(hex.tags for hex in self.hexes.values()))

    def laid(self, table: Table) -> dict[str, Entity]:
        """The tiles on the map, by hex."""
        zones, entities = table.zones, table.entities
        found = {}
        for key in self.hexes:
            for id in zones[key]:
                tile = entities[id]
                if tile.face != TILES["claim"]:
                    found[key] = tile
        return found

    def beside(self, laid: dict[str, Entity], key: str) -> list[Entity]:
        """The tiles next to a hex."""
        return [laid[other] for other in self.next_to.get(key, ()) if other in laid]

    def spots(self, table: Table, seat: Seat, kind: str, where: Restrictions = NOWHERE) -> tuple[str, ...]:
        """Every place where a seat may lay a tile of this kind."""
        if self.beyond.intersection(where.board_tags):
            return (ORBIT,)
        laid, free = self.laid(table), []
        for key in self._ground(kind, where):
            if key not in laid and self._free(table, seat, key, kind):
                free.append(key)
        rules = _rules(seat, kind, where)
        found = tuple(key for key in free if all(rule(self.beside(laid, key)) for rule in rules))
        if not found and kind == "greenery" and where == NOWHERE:
            return tuple(free)  # nothing free beside what one owns: anywhere will do
        return found

    def has_spot(self, table: Table, seat: Seat, kind: str) -> bool:
        """Whether there is any such place; sooner found than all of them."""
        laid, rules = self.laid(table), () if kind == "greenery" else _rules(seat, kind, NOWHERE)
        return any(
            key not in laid
            and self._free(table, seat, key, kind)
            and all(rule(self.beside(laid, key)) for rule in rules)
            for key in self._ground(kind, NOWHERE)
        )

    def _ground(self, kind: str, where: Restrictions) -> Iterable[str]:
        """The hexes of the right sort, whatever lies on or beside them."""
        wanted = where.on_tile_type or ("ocean" if kind == "ocean" else "land")
        if not (where.board_tags or where.on_bonus):
            return self._kinds[wanted]
        tags, bonus = set(where.board_tags), set(where.on_bonus)
        named = [key for key, hex in self.hexes.items() if tags & set(hex.tags)] if tags else self._kinds[wanted]
        return [key for key in named if not bonus or bonus & set(self.hexes[key].bonus)]

    def _free(self, table: Table, seat: Seat, key: str, kind: str) -> bool:
        """Whether nobody else has staked a claim here; who stakes one needs a hex without any."""
        ids = table.zones[key]
        return not ids or (kind != "claim" and all(table.entities[id].owner == seat for id in ids))


def _rules(seat: Seat, kind: str, where: Restrictions) -> list[Callable[[Tiles], bool]]:
    """What the neighbours must be like. What a card says stands in place of what its kind of tile says."""
    city, found = TILES["city"], list[Callable[[Tiles], bool]]()
    if where.adjacency == "none":
        found.append(lambda beside: not beside)
    if where.adjacent_to == "own" or (kind == "greenery" and where == NOWHERE):
        found.append(lambda beside: any(tile.owner == seat for tile in beside))
    elif where.adjacent_to:
        wanted = TILES[where.adjacent_to]
        found.append(lambda beside: any(tile.face == wanted for tile in beside))
    if where.min_adjacent_cities:
        found.append(lambda beside: sum(tile.face == city for tile in beside) >= where.min_adjacent_cities)
    elif kind == "city" and not where.board_tags:
        found.append(lambda beside: all(tile.face != city for tile in beside))
    return found

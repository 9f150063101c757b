"""A table laid out from a view: what a bot thinks on.

The visible part is laid out as it is seen. What is hidden the game fills in by chance, with cards that could be
there for all that this viewer knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.chance import BLOCK, IDS
from engine.frames import Entity, EntityId, Seat
from engine.game import Game, Luck, View
from engine.table import TABLE, Table, seat_id

Facts = Mapping[str, Any]


class Imagined:
    """A table in the making."""

    def __init__(self, game: Game, view: View, luck: Luck, facts: Callable[[View], Facts]) -> None:
        """Lay out what the view shows; `facts` reads a card's own facts from the way it looks."""
        seats = len(view["seats"])
        seed = bytes(luck(256) for _ in range(32))
        self.luck = luck
        self.table = table = Table(game.id, game.rules, game.cards_hash, seats, seed, view["options"])
        blocks = max(map(int, view["cards"]), default=0) // BLOCK + 1
        self._next = blocks * BLOCK  # beyond every id that this viewer may have met
        table.entities = {id: Entity(id) for id in (TABLE, *map(seat_id, range(seats)))}
        table.zones = dict.fromkeys(game.places(seats), ())
        self.unseen: dict[str, list[int]] = {}  # zone -> the places in it that are hidden
        for key, zone in view["zones"].items():
            ids = zone["cards"] if "cards" in zone else [0] * zone["n"]
            table.zones[key] = tuple(ids)
            self.unseen[key] = [place for place, id in enumerate(ids) if not id]
            for id in ids:
                shown = view["cards"].get(str(id))
                if shown and "face" in shown:
                    table.entities[id] = Entity(id, shown["face"], shown["owner"], key, 0, dict(facts(shown)))

    def hide(self, zone: str, faces: Iterable[str], owner: Seat) -> None:
        """Fill the hidden places of a zone with these faces, in any order."""
        left, ids = list(faces), list(self.table.zones[zone])
        for place in self.unseen[zone]:
            face = left.pop(self.luck(len(left)))
            ids[place] = self.lay(face, owner, zone)
        self.table.zones[zone] = tuple(ids)

    def note(self, id: EntityId, **facts: Any) -> None:
        """Write facts of a seat or of the table down; what is empty needs no writing."""
        self.table.entities[id] = Entity(id, facts={key: value for key, value in facts.items() if value})

    def done(self) -> Table:
        """The table, ready to be played on."""
        self.table.luck = {IDS: (self._next // BLOCK + 1) * BLOCK}
        return self.table

    def lay(self, face: str, owner: Seat, zone: str) -> EntityId:
        """Make up a card for a zone. Its id is one that this viewer cannot have met."""
        self._next += 1
        self.table.entities[self._next] = Entity(self._next, face, owner, zone)
        return self._next

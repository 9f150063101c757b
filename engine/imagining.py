"""A table laid out from a view: what a bot thinks on.

The visible part is laid out as it is seen. What is hidden the game fills in by chance, with cards that could be
there for all that this viewer knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from engine.chance import BLOCK, IDS
from engine.frames import Entity, EntityId, Seat
from engine.game import Game, Luck, View
from engine.table import AUDIENCE, TABLE, Place, Table, bit, seat_id

Facts = Mapping[str, Any]
FAR = 1 << 32  # no match mints so many ids: one that was made up is never a real one


class Imagined:
    """A table in the making."""

    def __init__(self, game: Game, view: View, luck: Luck, facts: Callable[[View], Facts]) -> None:
        """Lay out what the view shows; `facts` reads a card's own facts from the way it looks."""
        seats = len(view["seats"])
        seed = bytes(luck(256) for _ in range(32))
        self.luck = luck
        self.table = table = Table(game.id, game.rules, game.cards_hash, seats, seed, view["options"])
        self._next = FAR
        table.entities = {id: Entity(id) for id in (TABLE, *map(seat_id, range(seats)))}
        table.zones = dict.fromkeys(game.places(seats), ())
        self.unseen: dict[str, list[int]] = {}  # zone -> the places in it whose faces are hidden
        self._viewer = bit(view["you"]) if "you" in view else bit(AUDIENCE)
        for place in game.places(seats).values():
            self._lay_out(place, view, facts)

    def _lay_out(self, place: Place, view: View, facts: Callable[[View], Facts]) -> None:
        zone, cards = view["zones"].get(place.key, {"n": 0}), view["cards"]
        ids = zone["cards"] if "cards" in zone else [0] * zone["n"]
        self.table.zones[place.key] = tuple(ids)
        self.unseen[place.key] = [n for n, id in enumerate(ids) if "face" not in cards.get(str(id), ())]
        for id in filter(None, ids):
            back = cards[str(id)]
            face, shown, dark = back.get("face", ""), 0, 0
            if face:  # seen although the zone hides it, or hidden although the zone shows it
                shown = self._viewer & ~place.faces
            elif place.faces & self._viewer:
                dark = place.faces
            self.table.entities[id] = Entity(id, face, back["owner"], place.key, shown, dict(facts(back)), dark)

    def hide(self, zone: str, faces: Iterable[str], owner: Seat) -> None:
        """Fill the hidden places of a zone with these faces, in any order."""
        left, ids = list(faces), list(self.table.zones[zone])
        for place in self.unseen[zone]:
            face = left.pop(self.luck(len(left)))
            if ids[place]:  # it lies face down as a thing of its own
                self.table.entities[ids[place]] = replace(self.table.entities[ids[place]], face=face)
            else:
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

"""The eyes of the rules: questions to a table that change nothing.

What a card in play bends, allows or hears is worked out once and kept until the pen writes again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from engine.frames import Entity, EntityId, Seat
from engine.table import Place, Table

if TYPE_CHECKING:
    from engine.effects import Ability, Face
    from engine.game import Game


class Bend:
    """What one card does to the numbers of others while it is in play."""

    __slots__ = ("look", "numbers", "source")

    def __init__(self, look: Look) -> None:
        self.look = look
        self.numbers: dict[EntityId, dict[str, int]] = {}
        self.source: Entity

    def add(self, id: EntityId, number: str, amount: int) -> None:
        """A number of a card is so much higher."""
        mine = self.numbers.setdefault(id, {})
        mine[number] = mine.get(number, 0) + amount

    def mine(self) -> Iterator[Entity]:
        """The cards in play on the side of the card that bends."""
        look = self.look
        seat = look.controller(self.source)
        for key in look.game.live_places(look.table.seats):
            if look.places[key].seat == seat:
                yield from look.table.lying(key)


class Look:
    """A game's rules looking at one table."""

    __slots__ = ("_bearing", "_bends", "_live", "face", "game", "places", "table")

    def __init__(self, game: Game, table: Table) -> None:
        self.game = game
        self.table = table
        self.places: dict[str, Place] = game.places(table.seats)
        self.face: Callable[[Entity], Face] = game.face_of  # what a card says: as printed, or what it has become
        self._live = game.live_places(table.seats)
        self._bearing: dict[str, list[tuple[Entity, Ability]]] | None = None
        self._bends: dict[EntityId, dict[str, int]] | None = None

    def stale(self, cards: bool = True) -> None:
        """Forget what was worked out: the pen has written, perhaps on cards."""
        self._bends = None
        if cards:
            self._bearing = None

    def place(self, card: Entity) -> Place:
        """Where a card lies."""
        return self.places[card.zone]

    def controller(self, card: Entity) -> Seat:
        """Who has the say over a card: whoever's side of the table it lies on."""
        seat = self.places[card.zone].seat
        return seat if seat >= 0 else card.owner

    def in_play(self) -> list[Entity]:
        """Every card in play, seat by seat."""
        zones, entities = self.table.zones, self.table.entities
        return [entities[id] for key in self._live for id in zones[key]]

    def bearing(self, key: str) -> list[tuple[Entity, Ability]]:
        """The cards in play that have something to say on a topic, with what they say."""
        if key not in self.game.topics:
            return []
        if self._bearing is None:
            self._bearing = {}
            for card in self.in_play():
                for topic, abilities in self.face(card).by.items():
                    said = self._bearing.setdefault(topic, [])
                    said.extend((card, ability) for ability in abilities)
        return self._bearing.get(key, [])

    def bent(self, id: EntityId) -> dict[str, int]:
        """How cards in play change the numbers of this one."""
        if self._bends is None:
            bend = Bend(self)
            for source, ability in self.bearing("always:"):
                bend.source = source
                ability.fn(bend, **ability.word.args)
            self._bends = bend.numbers
        return self._bends.get(id, {})

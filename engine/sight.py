"""How each thing on the table looks at one moment, worked out once however many are watching."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine.chance import commitment
from engine.frames import Ask, EntityId, Seat
from engine.look import Look
from engine.table import Place

Shown = dict[str, Any]


def seen_zone(place: Place, bit: int, ids: Sequence[EntityId], shown: Iterable[tuple[EntityId, int]]) -> Shown | None:
    """A zone as these viewers see it; `shown` is who was shown which of its cards, if anybody was shown any."""
    if place.things & bit:
        return {"n": len(ids), "cards": list(ids)}
    known = [id if viewers & bit else 0 for id, viewers in shown]
    if not any(known):
        return {"n": len(ids)} if place.counts & bit else None
    return {"n": len(ids), "cards": known} if place.counts & bit else {"cards": list(filter(None, known))}


class Sight:
    """One moment of a table. Lenses pick from it what their viewer may know."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.table = look.table
        self.game = look.game
        self._faces: dict[EntityId, Shown] = {}
        self._backs: dict[EntityId, Shown] = {}
        self._head: Shown | None = None
        self._live: Shown | None = None
        self._seats: dict[str, Shown] | None = None
        self._restless: frozenset[EntityId] | None = None

    def face(self, id: EntityId) -> Shown:
        """A card as it looks face up."""
        found = self._faces.get(id)
        if found is None:
            card = self.table.entities[id]
            found = {"face": card.face, "owner": card.owner}
            controller = self.look.controller(card)
            if controller != card.owner:
                found["controller"] = controller
            found.update(self.game.show_card(self.look, card))
            self._faces[id] = found
        return found

    def back(self, id: EntityId) -> Shown:
        """A card as it looks face down, where it lies as a thing of its own."""
        found = self._backs.get(id)
        if found is None:
            card = self.table.entities[id]
            found = self._backs[id] = {"owner": card.owner, **self.game.show_back(self.look, card)}
        return found

    def head(self) -> Shown:
        """What everybody sees of the match as a whole."""
        if self._head is None:
            table = self.table
            printed = {"game": table.game, "rules": table.rules, "options": table.options}
            self._head = {**printed, "commitment": commitment(table.seed), **self.live()}
        return self._head

    def live(self) -> Shown:
        """The part of that which changes: the turn, the result, whatever the game adds."""
        if self._live is None:
            table = self.table
            turn = self.game.show_turn(self.look)
            if table.active >= 0:
                turn["seat"] = table.active
            turn["waiting"] = list(table.waiting())
            if table.stack and isinstance(table.stack[-1], Ask):
                turn["asked"] = True
            self._live = {"turn": turn, **self.game.show_table(self.look)}
            if table.result is not None:
                result = table.result
                ranking = [list(rank) for rank in result.ranking]
                self._live["result"] = {"winners": list(result.winners), "ranking": ranking, "reason": result.reason}
        return self._live

    def seats(self) -> dict[str, Shown]:
        """The seats as everybody sees them."""
        if self._seats is None:
            self._seats = {str(seat): self._seat(seat) for seat in range(self.table.seats)}
        return self._seats

    def _seat(self, seat: Seat) -> Shown:
        shown = self.game.show_seat(self.look, seat)
        name = self.table.seat(seat).facts.get("name")
        return {"name": name, **shown} if name else shown

    def restless(self) -> frozenset[EntityId]:
        """Cards that may look different though the pen did not touch them."""
        if self._restless is None:
            zones, kinds = self.table.zones, self.game.restless
            self._restless = frozenset(
                id for key, place in self.look.places.items() if place.kind in kinds for id in zones[key]
            )
        return self._restless

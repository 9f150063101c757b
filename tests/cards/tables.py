"""A free table, set by name and played by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from cards.table.facts import COUNTERS, NUMBER, PHASE, PLAYING, TURNED
from cards.table.rules import FreeTable
from engine.errors import Refused
from engine.findings import Unusual
from engine.frames import EntityId, Turn
from engine.journal import Journal
from engine.lens import Lens
from engine.match import Match
from engine.news import Step
from engine.story import tell
from engine.table import AUDIENCE, TABLE, Attr, seat_id


class Scene:
    """A match on a free table whose cards lie where the test wants them; the last of a list is the top."""

    def __init__(
        self,
        game: FreeTable,
        zones: Mapping[str, Sequence[str]] | None = None,
        *,
        seats: int | None = None,
        first: int = 0,
        turn: int = 1,
        seed: Any = 1,
        **options: Any,
    ) -> None:
        self.game = game
        self.match = Match.deal(game, seed=seed, seats=seats, first=first, options=options)
        self.table = self.match.table
        self.step: Step | None = None
        self._lay(zones or {}, first, turn)

    def _lay(self, zones: Mapping[str, Sequence[str]], first: int, turn: int) -> None:
        table = self.table
        for id in [id for id in table.entities if id > 0]:
            del table.entities[id]
        table.zones.update(dict.fromkeys(table.zones, ()))
        journal = Journal(self.match.look)
        journal.note(PHASE, PLAYING)
        journal.note(NUMBER, turn)
        table.stack = (Turn(first),)
        for zone, faces in zones.items():
            for face in faces:
                journal.create(face, max(self.match.look.places[zone].seat, AUDIENCE), zone)
        journal.close()

    # who is where

    def id(self, name: str, zone: str = "") -> EntityId:
        """A card by its name: `Sootling`, or `Sootling@0.hand` where there are several. The uppermost counts."""
        face, _, where = name.partition("@")
        found = [id for key, ids in self.table.zones.items() for id in ids if (where or zone or key) == key]
        found = [id for id in found if self.table[id].face == face]
        assert found, f"there is no {name} here"
        return found[-1]

    def faces(self, zone: str) -> list[str]:
        """What lies in a place, from the bottom to the top."""
        return [card.face for card in self.table.lying(zone)]

    def zone_of(self, name: str) -> str:
        return self.table[self.id(name)].zone

    def counters(self, name: str) -> dict[str, int]:
        return COUNTERS.of(self.table[self.id(name)])

    def orientation(self, name: str) -> str:
        return TURNED.of(self.table[self.id(name)])

    def fact(self, attr: Attr[Any], seat: int | None = None) -> Any:
        return attr.of(self.table[TABLE] if seat is None else self.table[seat_id(seat)])

    @property
    def number(self) -> int:
        return NUMBER.of(self.table[TABLE])

    def waiting(self) -> tuple[int, ...]:
        return self.match.waiting()

    # doing things

    def act(self, by: int, type: str, /, *, sure: bool = False, heed: Any = "none", **slots: Any) -> Step:
        """Make a move: cards by name, one thing or a list of them in each slot."""
        self.step = self.match.act(by, self.do(type, **slots), sure=sure, heed=heed)
        return self.step

    def move(self, seat: int, what: Any, to: str, at: Any = "top", **more: Any) -> Step:
        return self.act(seat, "move_card", what=what, to=to, at=at, **more)

    def do(self, type: str, /, **slots: Any) -> dict[str, Any]:
        return {"type": type, **{slot: self._value(slot, value) for slot, value in slots.items()}}

    def _value(self, slot: str, value: Any) -> Any:
        if slot in ("count", "amount", "value", "sides") or (slot == "at" and isinstance(value, int)):
            return value
        if slot == "card":
            return self.id(value)
        entries = value if isinstance(value, list) else [value]
        return [self.id(entry) if slot == "what" and isinstance(entry, str) else entry for entry in entries]

    def refuses(self, by: int, type: str, /, **more: Any) -> str:
        """The code with which a move is refused; nothing changes."""
        before = self.match.table.version
        with pytest.raises(Refused) as no:
            self.act(by, type, **more)
        assert self.match.table.version == before
        return no.value.code

    def stops(self, by: int, type: str, /, **more: Any) -> list[str]:
        """The rules that stop a bot; nothing changes."""
        with pytest.raises(Unusual) as no:
            self.act(by, type, heed="all", **more)
        return [finding.rule for finding in no.value.findings]

    def warned(self) -> list[str]:
        """The rules that the last move was unusual by."""
        assert self.step is not None
        return [finding.rule for finding in self.step.warnings]

    # what people see

    def view(self, viewer: int) -> dict[str, Any]:
        return Lens(self.match.look, viewer).whole()

    def sees(self, viewer: int, zone: str) -> list[str]:
        """The faces that somebody sees in a place; unseen ones are empty."""
        view = self.view(viewer)
        shown = view["zones"].get(zone, {})
        ids = shown.get("cards", [0] * shown.get("n", 0))
        return [view["cards"].get(str(id), {}).get("face", "") for id in ids]

    def log(self, viewer: int) -> list[str]:
        """What somebody reads of the last move."""
        assert self.step is not None
        return tell(self.game.messages, Lens(self.match.look, viewer).news(self.step), ("Ann", "Bo", "Cy", "Di"))

    def offered(self, seat: int) -> set[str]:
        return {offer.type for offer in self.match.offers(seat)}

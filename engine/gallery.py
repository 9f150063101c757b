"""Everybody who looks at one match: a lens for each seat and one for the audience."""

from __future__ import annotations

from collections.abc import Collection

from engine.frames import EntityId
from engine.lens import Lens, Since, view_name, viewers
from engine.match import Match
from engine.merge import diff
from engine.news import Step
from engine.sight import Shown, Sight


class Gallery:
    """The lenses of a match, kept up to date together so that each thing is worked out once."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.lenses = {view_name(viewer): Lens(match.look, viewer) for viewer in viewers(match.table.seats)}
        self.views()

    def views(self) -> dict[str, Shown]:
        """What each of them sees now, from scratch."""
        sight = self._sight = Sight(self.match.look)
        self._faces = {id: sight.face(id) for id in sight.restless()}
        return {name: lens.whole(sight) for name, lens in self.lenses.items()}

    def patches(self, step: Step, views: Collection[str] | None = None) -> dict[str, Shown]:
        """What a step changed for each of them, or for some; nothing is an empty patch.

        A view that was left out must be looked at as a whole before it is patched again.
        """
        before, sight = self._sight, Sight(self.match.look)
        self._sight = sight
        since = Since(
            diff(before.live(), sight.live()),
            {} if before.seats() == sight.seats() else diff(before.seats(), sight.seats()),
            self._changed(step, sight),
            sorted(step.zones),
            {},
        )
        wanted = self.lenses if views is None else views
        return {name: self.lenses[name].catch_up(step, sight, since) for name in wanted}

    def news(self, step: Step) -> dict[str, list[Shown]]:
        """What each of them is told of a step. What all may know is put into words once."""
        if all(news.public for news in step.news):
            told = self.lenses["watch"].news(step)
            return dict.fromkeys(self.lenses, told)
        return {name: lens.news(step) for name, lens in self.lenses.items()}

    def _changed(self, step: Step, sight: Sight) -> list[EntityId]:
        """The cards that were touched, and those that look different though they were not."""
        faces = {id: sight.face(id) for id in sight.restless()}
        old, self._faces = self._faces, faces
        untouched = (id for id, face in faces.items() if face != old.get(id))
        return sorted(id for id in step.entities.union(untouched) if id > 0)

    def offers(self) -> dict[str, list[Shown]]:
        """What those who are waited for may do."""
        return {str(seat): self.lenses[str(seat)].offers(self.match) for seat in self.match.waiting()}

    def blocked(self) -> dict[str, list[Shown]]:
        """What those who are waited for cannot use now, and why; only where there is something."""
        found = {str(seat): self.lenses[str(seat)].blocked(self.match) for seat in self.match.waiting()}
        return {seat: cards for seat, cards in found.items() if cards}

    def asks(self) -> dict[str, Shown]:
        """The open questions, each for the seat that it is put to."""
        found = {str(seat): self.lenses[str(seat)].ask(self.match) for seat in self.match.waiting()}
        return {seat: ask for seat, ask in found.items() if ask is not None}

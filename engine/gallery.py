"""Everybody who looks at one match, and what each of them was shown last.

Nobody's view is kept. What is kept is how each card and zone looked at the last version, from the front and from the
back, and who could see which side; every viewer's patch follows from that and from how things look now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from engine.frames import EntityId
from engine.lens import Lens, view_name, viewers
from engine.match import Match
from engine.merge import diff
from engine.news import Step
from engine.sight import Shown, Sight, seen_zone
from engine.table import AUDIENCE, Viewer

Patches = dict[str, Shown]


class Card:
    """A card as it looked: who sees its face, who can point at it, and both its sides."""

    __slots__ = ("back", "face", "faces", "things")

    def __init__(self, faces: int, things: int, face: Shown | None, back: Shown | None) -> None:
        self.faces, self.things = faces, things
        self.face, self.back = face, back

    def to(self, bit: int) -> Shown | None:
        """The side that these viewers see."""
        return self.face if self.faces & bit else self.back if self.things & bit else None


NOWHERE = Card(0, 0, None, None)


class Gallery:
    """The lenses of a match, and the memory that they share."""

    def __init__(self, match: Match, only: Iterable[Viewer] | None = None) -> None:
        self.match = match
        self.look = match.look
        wanted = viewers(match.table.seats) if only is None else only
        self.lenses = {view_name(viewer): Lens(match.look, viewer) for viewer in wanted}
        self.look_anew()

    def look_anew(self) -> None:
        """Forget what was shown: from now on everybody has seen the table as it is."""
        sight, table = Sight(self.look), self.look.table
        self._live, self._seats = sight.live(), sight.seats()
        self._own = {view: own for view, lens in self.lenses.items() if (own := self._own_of(lens))}
        self._zones = dict(table.zones)
        self._peeked = {id for id, card in table.entities.items() if card.shown}
        self._shown = {key: shown for key, ids in table.zones.items() if (shown := self._shown_in(ids))}
        self._restless = {id: sight.face(id) for id in sight.restless()}
        self._cards: dict[EntityId, Card] = {}
        for id in table.entities:
            if id > 0 and (card := self._card(id, sight)) is not NOWHERE:
                self._cards[id] = card

    def views(self) -> dict[str, Shown]:
        """What each of them sees now."""
        sight = Sight(self.look)
        return {view: lens.whole(sight) for view, lens in self.lenses.items()}

    def patches(self, step: Step, views: Collection[str] | None = None) -> Patches:
        """What a step changed for each of them, or for some of them, as merge patches; nothing is an empty patch."""
        sight = Sight(self.look)
        wanted = [(view, self.lenses[view].bit) for view in (self.lenses if views is None else views)]
        live = self._changed_live(sight)
        patches: Patches = {view: dict(live) for view, _ in wanted}
        self._patch_seats(patches, sight)
        self._note_peeks(step)
        self._patch_zones(patches, wanted, step)
        self._patch_cards(patches, wanted, step, sight)
        return patches

    def news(self, step: Step, views: Collection[str] | None = None) -> dict[str, list[Shown]]:
        """What each of them, or some of them, are told of a step."""
        return {view: self.lenses[view].news(step) for view in (self.lenses if views is None else views)}

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

    # the head and the seats

    def _changed_live(self, sight: Sight) -> Shown:
        before, self._live = self._live, sight.live()
        return diff(before, self._live)

    def _patch_seats(self, patches: Patches, sight: Sight) -> None:
        before, seats = self._seats, sight.seats()
        self._seats = seats
        change = diff(before, seats)
        for view, lens in self.lenses.items():
            own, old = self._own_of(lens), self._own.get(view)
            if own:
                self._own[view] = own
            elif old:
                del self._own[view]
            if view not in patches:
                continue
            mine = diff(_with(before, view, old), _with(seats, view, own)) if own or old else change
            if mine:
                patches[view]["seats"] = mine

    def _own_of(self, lens: Lens) -> Shown | None:
        return self.look.game.show_own(self.look, lens.viewer) if lens.viewer != AUDIENCE else None

    # the zones

    def _patch_zones(self, patches: Patches, wanted: list[tuple[str, int]], step: Step) -> None:
        zones, places = self.look.table.zones, self.look.places
        changed: dict[str, Shown] = {view: {} for view, _ in wanted}
        for key in sorted(step.zones):
            before, now, place = self._zones[key], zones[key], places[key]
            self._zones[key] = now
            known, shown = self._shown.pop(key, []), self._shown_in(now)
            if shown:
                self._shown[key] = shown
            counted: Shown = {} if len(before) == len(now) else {"n": len(now)}
            listed: Shown = counted if before == now else {**counted, "cards": list(now)}
            for view, bit in wanted:
                if place.things & bit:
                    change: Shown | None = listed
                elif known or shown:
                    change = _peeked_zone(seen_zone(place, bit, before, known), seen_zone(place, bit, now, shown))
                else:
                    change = counted if place.counts & bit else {}
                if change or change is None:
                    changed[view][key] = change
        for view, change in changed.items():
            if change:
                patches[view]["zones"] = change

    def _note_peeks(self, step: Step) -> None:
        """Which single cards somebody was shown although their zone hides them."""
        entities, peeked = self.look.table.entities, self._peeked
        for id in step.entities:
            card = entities.get(id)
            if card is not None and card.shown:
                peeked.add(id)
            elif peeked:
                peeked.discard(id)

    def _shown_in(self, ids: tuple[EntityId, ...]) -> list[tuple[EntityId, int]]:
        if not self._peeked or self._peeked.isdisjoint(ids):
            return []
        entities = self.look.table.entities
        return [(id, entities[id].shown) for id in ids]

    # the cards

    def _patch_cards(self, patches: Patches, wanted: list[tuple[str, int]], step: Step, sight: Sight) -> None:
        cards = self._cards
        changed: dict[str, Shown] = {view: {} for view, _ in wanted}
        for id in self._touched(step, sight):
            old, new = cards.get(id, NOWHERE), self._card(id, sight)
            if new is not NOWHERE:
                cards[id] = new
            elif old is NOWHERE:
                continue
            else:
                del cards[id]
            made: list[tuple[Shown, Shown, Shown]] = []  # a change that two see alike is worked out once
            for view, bit in wanted:
                was, now = old.to(bit), new.to(bit)
                if was is now:
                    continue
                change = _change(was, now, made)
                if change or change is None:
                    changed[view][str(id)] = change
        for view, change in changed.items():
            if change:
                patches[view]["cards"] = change

    def _touched(self, step: Step, sight: Sight) -> list[EntityId]:
        """The cards that were written on, and those that look different though they were not; in order, since the
        order of a set is an accident."""
        found = {id for id in step.entities if id > 0}
        if self._restless or self.look.game.restless:
            faces = {id: sight.face(id) for id in sight.restless()}
            old, self._restless = self._restless, faces
            found.update(id for id, face in faces.items() if face != old.get(id))
        return sorted(found)

    def _card(self, id: EntityId, sight: Sight) -> Card:
        card = self.look.table.entities.get(id)
        if card is None:
            return NOWHERE
        place = self.look.places[card.zone]
        faces, things = place.seen_by(card), place.known_to(card)
        if not things:
            return NOWHERE
        return Card(faces, things, sight.face(id) if faces else None, sight.back(id) if things & ~faces else None)


def _with(seats: Shown, view: str, own: Shown | None) -> Shown:
    return {**seats, view: {**seats[view], **own}} if own else seats


def _peeked_zone(was: Shown | None, now: Shown | None) -> Shown | None:
    if was is None:
        return {} if now is None else now
    return None if now is None else diff(was, now)


def _change(was: Shown | None, now: Shown | None, made: list[tuple[Shown, Shown, Shown]]) -> Shown | None:
    if was is None or now is None:
        return now
    for before, after, change in made:
        if before is was and after is now:
            return change
    change = diff(was, now)
    made.append((was, now, change))
    return change

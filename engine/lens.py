"""Lenses: who sees what.

The journal nominates what may have changed, the place where a card lies decides who may know of it, and the
viewer's memory filters out what is no news to them. What is not allowed is not seen. The news, the offers and the
questions pass through here too, and nothing reaches a viewer by another way.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from engine.frames import EntityId, Offer, Ref, Slot
from engine.look import Look
from engine.match import Match
from engine.merge import diff
from engine.news import News, Step
from engine.sight import Shown, Sight
from engine.story import fill_in
from engine.table import AUDIENCE, Place, Viewer, bit


def view_name(viewer: Viewer) -> str:
    """What a view is called on the wire."""
    return "watch" if viewer == AUDIENCE else str(viewer)


def viewers(seats: int) -> tuple[Viewer, ...]:
    """Everybody who may look at a table for so many."""
    return (*range(seats), AUDIENCE)


Memo = dict[str, list[tuple[Any, Any, Any]]]
FIXED = frozenset({"game", "rules", "options", "commitment", "you", "seats", "zones", "cards"})


class Since(NamedTuple):
    """What changed for everybody since the last look, and what may have changed for somebody."""

    live: Shown | None
    seats: Shown
    cards: list[EntityId]
    zones: list[str]
    memo: Memo  # a change that two viewers see alike is worked out once


class Lens:
    """One viewer's eyes on one table, and their memory of what they were shown."""

    def __init__(self, look: Look, viewer: Viewer) -> None:
        self.look = look
        self.viewer = viewer
        self.bit = bit(viewer)
        self.memory: Shown = {}
        self._own = True  # whether this viewer's seats differ from what all are shown, now or at the last look

    def whole(self, sight: Sight | None = None) -> Shown:
        """Everything this viewer may see now: what a newcomer is given."""
        sight = sight or Sight(self.look)
        zones: Shown = {}
        cards: Shown = {}
        for key, place in self.look.places.items():
            shown = self._zone(place, sight)
            if shown is not None:
                zones[key] = shown
                for id in shown.get("cards", ()):
                    if id:
                        cards[str(id)] = self._card(id, sight)
        self.memory = {**self._head(sight), "seats": self._seats(sight), "zones": zones, "cards": cards}
        return self.view()

    def view(self) -> Shown:
        """What the viewer was shown last, for somebody to keep."""
        return {**self.memory, "zones": dict(self.memory["zones"]), "cards": dict(self.memory["cards"])}

    def catch_up(self, step: Step, sight: Sight | None = None, since: Since | None = None) -> Shown:
        """What the step changed for this viewer, as a merge patch. Looking too often is only slow.

        `since` is what changed for everybody, worked out once by whoever keeps several lenses.
        """
        sight = sight or Sight(self.look)
        memory, seats = self.memory, self._seats(sight)
        if since is None:
            since = Since(None, {}, _cards(step.entities | sight.restless()), sorted(step.zones), {})
            live = {key: memory[key] for key in memory if key not in FIXED}
            patch, seats_patch = diff(live, sight.live()), diff(memory["seats"], seats)
        else:
            patch = dict(since.live or {})
            own, self._own = self._own, seats is not sight.seats()
            seats_patch = diff(memory["seats"], seats) if own or self._own else since.seats
        if seats_patch:
            patch["seats"] = seats_patch
        if zones := self._changed_zones(memory["zones"], sight, since):
            patch["zones"] = zones
        if cards := self._changed_cards(memory["cards"], sight, since):
            patch["cards"] = cards
        for key in patch:
            if key not in FIXED and key not in sight.live():
                del memory[key]
        memory.update(sight.live())
        memory["seats"] = seats
        return patch

    def news(self, step: Step) -> list[Shown]:
        """What happened, as far as this viewer may know."""
        told: list[Shown] = []
        for news in step.news:
            event = self._tell(news) if news.to & self.bit else None
            if event is None:
                continue
            if told and _alike(told[-1], event):
                told[-1]["count"] = told[-1].get("count", 1) + 1
            else:
                told.append(event)
        return told

    def offers(self, match: Match) -> list[Shown]:
        """What this viewer may do now."""
        if self.viewer not in match.waiting():
            return []
        return [self._offer(match, offer) for offer in match.offers(self.viewer)]

    def blocked(self, match: Match) -> list[Shown]:
        """Cards that this viewer cannot use now, and why."""
        if self.viewer not in match.waiting() or match.question(self.viewer):
            return []
        return [{"card": card, "code": code} for card, code in match.game.blocked(match.look, self.viewer)]

    def ask(self, match: Match) -> Shown | None:
        """The question that is put to this viewer, if there is one."""
        asked = match.question(self.viewer)
        if asked is None:
            return None
        ask, question = asked
        args = self._args(question.args)
        text = fill_in(match.game.messages, question.key, args)
        shown = {"id": ask.id, "text": text, "say": [question.key, args]}
        if ask.by and self._sees(ask.by):
            shown["by"] = ask.by
        return shown

    # the parts of a view

    def _head(self, sight: Sight) -> Shown:
        return sight.head() if self.viewer == AUDIENCE else {**sight.head(), "you": self.viewer}

    def _seats(self, sight: Sight) -> Shown:
        seats = sight.seats()
        own = self.look.game.show_own(self.look, self.viewer) if self.viewer != AUDIENCE else {}
        if own:
            me = str(self.viewer)
            seats = {**seats, me: {**seats[me], **own}}
        return seats

    def _zone(self, place: Place, sight: Sight) -> Shown | None:
        if place.things & self.bit:
            return sight.listed(place.key)
        known = sight.shown_in(place.key, self.bit)
        if not place.counts & self.bit:
            return {"cards": list(filter(None, known))} if known else None
        return {"n": len(known), "cards": known} if known else sight.counted(place.key)

    def _card(self, id: EntityId, sight: Sight) -> Shown | None:
        card = self.look.table.entities.get(id)
        if card is None:
            return None
        place = self.look.places[card.zone]
        if (place.faces | card.shown) & self.bit:
            return sight.face(id)
        return sight.back(id) if place.things & self.bit else None

    def _changed_zones(self, old: Shown, sight: Sight, since: Since) -> Shown:
        changes: Shown = {}
        places = self.look.places
        for key in since.zones:
            _change(changes, old, key, self._zone(places[key], sight), since.memo)
        return changes

    def _changed_cards(self, old: Shown, sight: Sight, since: Since) -> Shown:
        changes: Shown = {}
        for id in since.cards:
            _change(changes, old, str(id), self._card(id, sight), since.memo)
        return changes

    # sentences with cards in them

    def _tell(self, news: News) -> Shown | None:
        if news.e == "moved":
            return self._moved(news)
        if news.e == "said":
            return {"e": "said", "key": news.facts["key"], "args": self._args(news.facts["args"])}
        told: Shown = {"e": news.e}
        for key, value in news.facts.items():
            if isinstance(value, list | tuple):
                told[key] = [self._arg(part) for part in value if not self._unknown(part)]
            elif not isinstance(value, Ref):
                told[key] = value
            elif value.ids & self.bit:
                told[key] = value.id
                if news.e == "turned" and value.faces & self.bit:
                    told["face"] = value.face
        return told

    def _moved(self, news: News) -> Shown | None:
        places, told = self.look.places, {"e": "moved"}
        if "count" in news.facts:
            return {**told, **{key: value for key, value in news.facts.items() if self._countable(value)}}
        was, now = news.facts["was"], news.facts["card"]
        if now.ids & self.bit:
            told["card"] = now.id
        if was.ids & self.bit and was.id != now.id:
            told["was"] = was.id
        if was.faces & ~now.faces & self.bit:  # whoever still sees it finds the face among the cards
            told["face"] = now.face
        known = len(told) > 1
        for key in ("from", "to"):
            place = places[news.facts[key]]
            if known or place.counts & self.bit:
                told[key] = place.key
        return told if len(told) > 1 else None

    def _countable(self, value: Any) -> bool:
        return not isinstance(value, str) or bool(self.look.places[value].counts & self.bit)

    def _args(self, args: Shown) -> Shown:
        return {key: self._arg(value) for key, value in args.items() if not self._unknown(value)}

    def _arg(self, value: Any) -> Any:
        if isinstance(value, Ref):
            told = {"face": value.face} if value.faces & self.bit else {}
            return {"card": value.id, **told} if value.ids & self.bit else told
        if isinstance(value, list | tuple):
            return [self._arg(part) for part in value]
        return value

    def _unknown(self, value: Any) -> bool:
        return isinstance(value, Ref) and not (value.ids | value.faces) & self.bit

    def _sees(self, id: EntityId) -> bool:
        card = self.look.table.entities.get(id)
        return card is not None and bool((self.look.places[card.zone].things | card.shown) & self.bit)

    def _offer(self, match: Match, offer: Offer) -> Shown:
        card = self.look.table.entities.get(offer.card) if offer.card else None
        face = card.face if card and self._sees(offer.card) else ""
        shown: Shown = {"type": offer.type}
        if offer.card:
            shown["card"] = offer.card
        shown["label"], shown["say"] = match.game.label(offer.type, face)
        if offer.cost:
            shown["cost"] = offer.cost
        if offer.slots:
            shown["slots"] = [_slot(slot) for slot in offer.slots]
        if offer.warns:
            shown["warns"] = list(offer.warns)
        return shown


def _slot(slot: Slot) -> Shown:
    if slot.range is not None:
        return {"name": slot.name, "range": list(slot.range)}
    return {"name": slot.name, "from": list(slot.from_), "least": slot.least, "most": slot.most}


def _change(changes: Shown, old: Shown, key: str, new: Shown | None, memo: Memo) -> None:
    """Bring one thing in a viewer's memory up to date, and note what that changed."""
    before = old.get(key)
    if before is new:
        return
    seen = memo.setdefault(key, [])
    change = _NEW
    for was, now, made in seen:
        if was is before and now is new:
            change = made
    if change is _NEW:
        change = new if before is None or new is None else diff(before, new) or _SAME
        seen.append((before, new, change))
    if change is not _SAME:
        changes[key] = change
    if new is None:
        del old[key]
    else:
        old[key] = new


_SAME: Any = object()
_NEW: Any = object()


def _cards(ids: Iterable[EntityId]) -> list[EntityId]:
    """Of the things that may have changed, the cards; in order, since the order of a set is an accident."""
    return sorted(id for id in ids if id > 0)


def _alike(last: Shown, event: Shown) -> bool:
    """Whether two cards that nobody can tell apart went the same way one after the other."""
    return event.keys() == {"e", "from", "to"} and last == {
        **event,
        **({"count": last["count"]} if "count" in last else {}),
    }

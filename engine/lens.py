"""Lenses: who sees what.

The place where a card lies decides who may know of it. What is not allowed is not seen. The news, the offers and the
questions pass through here too; what changed between two looks is the gallery's business, and nothing reaches a viewer
by another way.
"""

from __future__ import annotations

from typing import Any

from engine.frames import EntityId, Offer, Ref, Slot
from engine.look import Look
from engine.match import Match
from engine.news import News, Step
from engine.sight import Shown, Sight, seen_zone
from engine.story import fill_in
from engine.table import AUDIENCE, Place, Viewer, bit


def view_name(viewer: Viewer) -> str:
    """What a view is called on the wire."""
    return "watch" if viewer == AUDIENCE else str(viewer)


def viewers(seats: int) -> tuple[Viewer, ...]:
    """Everybody who may look at a table for so many."""
    return (*range(seats), AUDIENCE)


class Lens:
    """One viewer's eyes on one table."""

    def __init__(self, look: Look, viewer: Viewer) -> None:
        self.look = look
        self.viewer = viewer
        self.bit = bit(viewer)

    def whole(self, sight: Sight | None = None) -> Shown:
        """Everything this viewer may see now: what a newcomer is given."""
        sight = sight or Sight(self.look)
        zones: Shown = {}
        cards: Shown = {}
        for key, place in self.look.places.items():
            shown = self._zone(place)
            if shown is not None:
                zones[key] = shown
                for id in shown.get("cards", ()):
                    if id:
                        cards[str(id)] = self._card(id, sight)
        return {**self._head(sight), "seats": self._seats(sight), "zones": zones, "cards": cards}

    def news(self, step: Step) -> list[Shown]:
        """What happened, as far as this viewer may know."""
        told: list[Shown] = []
        for news in step.news:
            event = self._tell(news) if news.to & self.bit else None
            if event is None:
                continue
            if len(event) == 3 and told and _alike(told[-1], event):
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
        text = fill_in(match.game.messages, question.key, args, match.table.names)
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

    def _zone(self, place: Place) -> Shown | None:
        table = self.look.table
        ids, entities = table.zones[place.key], table.entities
        listed = place.things & self.bit
        return seen_zone(place, self.bit, ids, () if listed else [(id, entities[id].shown) for id in ids])

    def _card(self, id: EntityId, sight: Sight) -> Shown:
        card = self.look.table.entities[id]
        seen = self.look.places[card.zone].seen_by(card) & self.bit
        return sight.face(id) if seen else sight.back(id)

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
        facts, places, bit = news.facts, self.look.places, self.bit
        told: Shown = {"e": "moved"}
        if "count" in facts:
            return {**told, **{key: value for key, value in facts.items() if self._countable(value)}}
        was, now = facts["was"], facts["card"]
        if now.ids & bit:
            told["card"] = now.id
        if was.ids & bit and was.id != now.id:
            told["was"] = was.id
        if was.faces & ~now.faces & bit:  # whoever still sees it finds the face among the cards
            told["face"] = now.face
        known = len(told) > 1
        if known or places[facts["from"]].counts & bit:
            told["from"] = facts["from"]
        if known or places[facts["to"]].counts & bit:
            told["to"] = facts["to"]
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
        return card is not None and bool(self.look.places[card.zone].known_to(card) & self.bit)

    def _offer(self, match: Match, offer: Offer) -> Shown:
        card = self.look.table.entities.get(offer.card) if offer.card else None
        face = card.face if card and self.look.places[card.zone].seen_by(card) & self.bit else ""
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
        if offer.free:
            shown["free"] = True
        return shown


def _slot(slot: Slot) -> Shown:
    if slot.range is not None:
        return {"name": slot.name, "range": list(slot.range)}
    shown: Shown = {"name": slot.name, "from": list(slot.from_), "least": slot.least, "most": slot.most}
    return {**shown, "worth": list(slot.worth), "total": slot.total} if slot.worth else shown


def _alike(last: Shown, event: Shown) -> bool:
    """Whether two cards that nobody can tell apart went the same way one after the other."""
    ways = event.get("from"), event.get("to")
    return None not in ways and len(last) == 3 + ("count" in last) and ways == (last.get("from"), last.get("to"))

"""What a seat may do in its main phase, and why not. The card of an offer is the one that does something.

play_ink               a card from the hand goes into the inkwell
play_character         perhaps on top of another (`shift_onto`), perhaps exerted (`enter_exerted`)
play_action · play_item · play_location
sing_song              a character sings it (`singer`)       sing_together   several do (`singers`)
quest_character
challenge_character    `defender`                            challenge_location   `location`
move_character         to a `location`
activate_ability       which `ability` of the card, and what it costs besides ink
boost · pass_turn
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cards.lore.abilities import Cost
from cards.lore.facts import DRYING, EXERTED, USED, Card, dry, face, hand, nth, number, ready_ink, side, voice
from cards.lore.fights import Foes, may_challenge
from cards.lore.picking import find
from cards.lore.plays import shiftable
from cards.lore.prices import inks_left, price
from engine.effects import Ability
from engine.frames import Entity, EntityId, Offer, Seat, Slot
from engine.look import Look

PASS_TURN = Offer("pass_turn")
EXERTED_ENTRY = Slot("enter_exerted", ("exerted",))
PLAYS = {"action": "play_action", "song": "play_action", "item": "play_item", "location": "play_location"}


class Desk:
    """Everything that one seat's offers depend on, looked at once."""

    def __init__(self, look: Look, seat: Seat) -> None:
        table = look.table
        self.look = look
        self.seat = seat
        self.ink = len(ready_ink(table, seat))
        self.inks = inks_left(look, seat)
        self.mine = side(table, seat)
        self.locations = table.lying(f"{seat}.locations")
        self.foes = Foes(look, seat)
        self.bound = False  # by a reckless character that could challenge

    def offers(self) -> Iterator[Offer]:
        """Every legal move."""
        table = self.look.table
        for id in hand(table, self.seat):
            yield from self.of_hand(table.entities[id])
        for card in self.mine:
            yield from self.of_character(card)
        for id in (*table.zones[f"{self.seat}.items"], *table.zones[f"{self.seat}.locations"]):
            yield from self._uses(table.entities[id])
        if not self.bound:
            yield PASS_TURN

    # cards in hand

    def of_hand(self, card: Entity) -> Iterator[Offer]:
        """What may be done with a card in hand."""
        printed = face(self.look, card)
        if printed.inkable and self.inks > 0:
            yield Offer("play_ink", card.id)
        cost = price(self.look, self.seat, card)
        if printed.type == "character":
            yield from self._characters(card, printed, cost)
            return
        if cost <= self.ink:
            yield Offer(PLAYS[printed.type], card.id, (), {"ink": cost})
        if printed.type == "song":
            yield from self._songs(card, printed)

    def _characters(self, card: Entity, printed: Card, cost: int) -> Iterator[Offer]:
        if cost <= self.ink:
            yield Offer("play_character", card.id, (), {"ink": cost})
            if "bodyguard" in printed.numbers:
                yield Offer("play_character", card.id, (EXERTED_ENTRY,), {"ink": cost})
        if printed.shift is not None:
            cost = price(self.look, self.seat, card, printed.shift.cost)
            if cost <= self.ink:
                onto = tuple([other.id for other in self.mine if shiftable(printed, face(self.look, other))])
                if onto:
                    slot = Slot("shift_onto", onto)
                    yield Offer("play_character", card.id, (slot,), {"ink": cost})
                    if "bodyguard" in printed.numbers:
                        yield Offer("play_character", card.id, (slot, EXERTED_ENTRY), {"ink": cost})

    def _songs(self, card: Entity, printed: Card) -> Iterator[Offer]:
        choir = [(one.id, voice(self.look, one)) for one in self.mine if self._sings(one)]
        alone = tuple([id for id, worth in choir if worth >= printed.cost])
        if alone:
            yield Offer("sing_song", card.id, (Slot("singer", alone),))
        if printed.together and sum(worth for _, worth in choir) >= printed.together:
            ids, worths = zip(*choir, strict=True)
            slot = Slot("singers", ids, None, 1, len(ids), worths, printed.together)
            yield Offer("sing_together", card.id, (slot,))

    def _sings(self, card: Entity) -> bool:
        return dry(card) and number(self.look, card, "cannot_sing") <= 0

    # characters

    def of_character(self, card: Entity) -> Iterator[Offer]:
        """What may be done with a character in play."""
        look = self.look
        if dry(card) and self.why_no_quest(card) is None:
            yield Offer("quest_character", card.id)
        if may_challenge(look, card):
            yield from self._challenges(card)
        yield from self._moves(card)
        printed = face(look, card)
        if printed.uses:
            yield from self._uses(card)
        if printed.boost and self.why_no_boost(card, printed) is None:
            yield Offer("boost", card.id, (), {"ink": printed.boost})

    def _challenges(self, card: Entity) -> Iterator[Offer]:
        foes, places = self.foes.of(card), self.foes.places_of(card)
        if foes:
            yield Offer("challenge_character", card.id, (Slot("defender", foes),))
        if places:
            yield Offer("challenge_location", card.id, (Slot("location", places),))
        if (foes or places) and number(self.look, card, "reckless") > 0:
            self.bound = True

    def _moves(self, card: Entity) -> Iterator[Offer]:
        by_price: dict[int, list[EntityId]] = {}
        for place in self.locations:
            cost = face(self.look, place).move
            if cost <= self.ink and card.facts.get("at") != place.id:
                by_price.setdefault(cost, []).append(place.id)
        for cost, places in by_price.items():
            yield Offer("move_character", card.id, (Slot("location", tuple(places)),), {"ink": cost})

    # abilities

    def _uses(self, card: Entity) -> Iterator[Offer]:
        for place, ability in enumerate(face(self.look, card).uses):
            if self.why_not_used(card, place, ability) is None:
                cost: Cost = ability.word.args["cost"]
                slots = (Slot("ability", (nth(place),)), *self._more(card, cost))
                yield Offer("activate_ability", card.id, slots, {"ink": cost.ink} if cost.ink else {})

    def _more(self, card: Entity, cost: Cost) -> Iterator[Slot]:
        if cost.discard:
            yield Slot("discard", hand(self.look.table, self.seat), None, cost.discard, cost.discard)
        if cost.sacrifice:
            yield Slot("sacrifice", self._found(card, cost, "sacrifice"))
        if cost.tap:
            yield Slot("tap", self._found(card, cost, "tap"))

    def _found(self, card: Entity, cost: Cost, what: str) -> tuple[EntityId, ...]:
        cards = find(self.look, getattr(cost, what), card, self.seat)
        return tuple([one.id for one in cards if one.id != card.id and (what == "sacrifice" or dry(one))])

    # why not

    def why_not_used(self, card: Entity, place: int, ability: Ability) -> str | None:
        """Why an ability cannot be used now."""
        cost: Cost = ability.word.args["cost"]
        if cost.exert and (code := _tired(card)):
            return code
        if ability.word.args.get("once") and f"use.{place}" in USED.of(card):
            return "used_up"
        if cost.ink > self.ink:
            return "cannot_afford"
        if len(hand(self.look.table, self.seat)) < cost.discard:
            return "nothing_to_pay_with"
        wanted = [what for what in ("sacrifice", "tap") if getattr(cost, what) is not None]
        return None if all(self._found(card, cost, what) for what in wanted) else "nothing_to_pay_with"

    def why_no_quest(self, card: Entity) -> str | None:
        """Why a character cannot quest now."""
        if code := _tired(card):
            return code
        if number(self.look, card, "reckless") > 0:
            return "reckless"
        return "cannot_quest" if number(self.look, card, "cannot_quest") > 0 else None

    def why_no_challenge(self, card: Entity) -> str | None:
        """Why a character cannot challenge now."""
        if not may_challenge(self.look, card):
            return _tired(card) or "cannot_challenge"
        return None if any(self._challenges(card)) else "nothing_to_challenge"

    def why_no_boost(self, card: Entity, printed: Card) -> str | None:
        """Why a character cannot be boosted now."""
        if "boost" in USED.of(card):
            return "used_up"
        if not self.look.table.zones[f"{self.seat}.deck"]:
            return "deck_empty"
        return "cannot_afford" if printed.boost > self.ink else None

    def why_not_inked(self, card: Entity) -> str:
        """Why a card cannot be inked now."""
        return "inked_already" if self.inks <= 0 else "not_inkable"


def _tired(card: Entity) -> str | None:
    if EXERTED.of(card):
        return "exerted"
    return "drying" if DRYING.of(card) else None


def offers(look: Look, seat: Seat) -> list[Offer]:
    """Every legal move of a main phase."""
    return list(Desk(look, seat).offers())


def blocked(look: Look, seat: Seat) -> Iterator[tuple[EntityId, str]]:
    """The cards that can do nothing now, and why."""
    desk, table = Desk(look, seat), look.table
    for id in hand(table, seat):
        if not any(desk.of_hand(table[id])):
            yield id, "cannot_afford"
    for card in desk.mine:
        if not any(desk.of_character(card)):
            yield card.id, _tired(card) or "nothing_to_do"
    for id in table.zones[f"{seat}.items"]:
        for place, ability in enumerate(face(look, table[id]).uses[:1]):
            if code := desk.why_not_used(table[id], place, ability):
                yield id, code


def why_not(look: Look, seat: Seat, do: Mapping[str, Any]) -> str | None:
    """Why a move with one of the seat's own cards is not offered."""
    desk, table = Desk(look, seat), look.table
    kind, id = do["type"], do.get("card", 0)
    if kind == "pass_turn" and "card" not in do:
        return "must_challenge"
    card = table.entities.get(id)
    if card is None or id <= 0 or look.controller(card) != seat:
        return None
    if id in hand(table, seat):
        return _why_not_played(desk, card, kind)
    if card not in desk.mine and id not in table.zones[f"{seat}.items"]:
        return None
    printed = face(look, card)
    match kind:
        case "quest_character":
            return desk.why_no_quest(card)
        case "challenge_character" | "challenge_location":
            return desk.why_no_challenge(card) or "nothing_to_challenge"
        case "move_character":
            return "nowhere_to_go"
        case "boost" if printed.boost:
            return desk.why_no_boost(card, printed)
        case "activate_ability" if printed.uses:
            codes = [desk.why_not_used(card, place, ability) for place, ability in enumerate(printed.uses)]
            return next((code for code in codes if code), None)
    return None


def _why_not_played(desk: Desk, card: Entity, kind: str) -> str | None:
    printed = face(desk.look, card)
    if kind == "play_ink":
        return desk.why_not_inked(card)
    if kind in ("sing_song", "sing_together"):
        return "nobody_sings" if printed.type == "song" else None
    fitting = "play_character" if printed.type == "character" else PLAYS[printed.type]
    return "cannot_afford" if kind == fitting else None

"""What can happen to a toy: each change and its announcement in one place, so that neither can be forgotten."""

from __future__ import annotations

from collections.abc import Iterable

from cards.ggltcg.facts import CC, DAMAGE, MOST_CC, SHAPE, STILL, STRIKES, hand, stat
from engine.frames import Entity, EntityId, Event, Seat
from engine.journal import Journal
from engine.table import seat_id


def gain(journal: Journal, seat: Seat, amount: int) -> None:
    """Give a seat CC. Whatever is over seven is lost."""
    have = CC.of(journal.table.seat(seat))
    got = min(amount, MOST_CC - have)
    if got > 0:
        journal.set(seat_id(seat), CC, have + got)
        journal.tell("changed", seat=seat, what="cc", by=got)


def pay(journal: Journal, seat: Seat, amount: int) -> None:
    """Take CC from a seat that has it."""
    if amount:
        have = CC.of(journal.table.seat(seat))
        assert have >= amount, "an offer that cannot be paid was offered"
        journal.set(seat_id(seat), CC, have - amount)
        journal.tell("changed", seat=seat, what="cc", by=-amount)


def sleep(journal: Journal, id: EntityId) -> None:
    """Put a card to sleep in its owner's Sleep Zone. Only a card that was in play is heard."""
    card = journal.table[id]
    journal.move(id, f"{card.owner}.sleep")
    journal.say("slept", card=journal.ref(id))
    if journal.look.place(card).live:
        journal.note(STILL, 0)
        journal.emit(Event("slept", card.owner, card))


def sleep_all(journal: Journal, cards: Iterable[Entity]) -> None:
    """Put several cards to sleep at once."""
    for card in list(cards):
        sleep(journal, card.id)


def to_hand(journal: Journal, id: EntityId) -> None:
    """Return a card to its owner's hand, as good as new."""
    card = journal.table[id]
    journal.say("returned", card=journal.ref(id), owner=card.owner)
    journal.move(id, f"{card.owner}.hand")


def take(journal: Journal, id: EntityId, seat: Seat) -> None:
    """Take control of a card in play. It keeps its damage and its owner."""
    journal.say("taken", seat=seat, card=journal.ref(id))
    journal.move(id, f"{seat}.in_play")


def wear(journal: Journal, id: EntityId, amount: int) -> None:
    """Take stamina from a toy. Whether that puts it to sleep is for the rules to see."""
    journal.add(id, DAMAGE, amount)
    journal.tell("changed", card=id, what="stamina", by=-amount)


def become(journal: Journal, id: EntityId, face: str, seat: Seat) -> None:
    """Let a card enter play in another card's shape."""
    journal.say("became", card=journal.ref(id), face=face)
    journal.move(id, f"{seat}.in_play", facts={SHAPE.name: face})


def tussle(journal: Journal, attacker: EntityId, foe: EntityId) -> None:
    """Let two toys fight. The faster one strikes first; who is put to sleep does not strike back."""
    look, table = journal.look, journal.table
    journal.say("tussled", card=journal.ref(attacker), on=journal.ref(foe))
    if journal.instead(Event("tussle", look.controller(table[attacker]), table[attacker], {"foe": foe})):
        return
    lead = stat(look, table[attacker], "speed") + 1 - stat(look, table[foe], "speed")
    if lead == 0:
        _strike(journal, (attacker, foe), (foe, attacker))
        return
    quick, slow = (attacker, foe) if lead > 0 else (foe, attacker)
    _strike(journal, (quick, slow))
    if look.place(table[slow]).live:
        _strike(journal, (slow, quick))


def _strike(journal: Journal, *blows: tuple[EntityId, EntityId]) -> None:
    """Let blows fall at the same moment, then put to sleep whoever they felled."""
    look, table = journal.look, journal.table
    hits = [(by, on, max(0, stat(look, table[by], "strength"))) for by, on in blows]
    for by, on, strength in hits:
        journal.tell("struck", card=by, on=on, by=strength)
        journal.add(on, DAMAGE, strength)
    sleep_all(journal, [table[on] for _, on, _ in hits if stat(look, table[on], "stamina") <= 0])


def strike_hand(journal: Journal, attacker: EntityId, foe: Seat) -> None:
    """Attack a hand: one of its cards, any of them, goes to sleep."""
    seat = journal.look.controller(journal.table[attacker])
    journal.add(seat_id(seat), STRIKES, 1)
    journal.say("struck_hand", card=journal.ref(attacker), foe=foe)
    journal.note(STILL, 0)
    sleep(journal, journal.pick(hand(journal.table, foe)))

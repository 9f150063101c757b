"""What can happen on the quays: each change and its announcement in one place, so that neither can be forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cards.lore.facts import (
    AT,
    DAMAGE,
    DRYING,
    EXERTED,
    FIGHT,
    INKED,
    LATER,
    LORE,
    MODS,
    ON,
    USED,
    beneath,
    face,
    in_play,
    number,
    ready_ink,
    side,
)
from engine.frames import Entity, EntityId, Event, Heard, Seat, word
from engine.journal import Journal
from engine.table import EVERYONE, TABLE, seat_id

# ink and lore


def pay(journal: Journal, seat: Seat, amount: int) -> None:
    """Exert so much ink of a seat that has it."""
    ready = ready_ink(journal.table, seat)
    assert len(ready) >= amount, "an offer that cannot be paid was offered"
    for id in ready[:amount]:
        journal.set(id, EXERTED, True)


def ink(journal: Journal, seat: Seat, id: EntityId) -> None:
    """Show a card, then lay it face down into the inkwell, ready to be spent."""
    journal.say("inked", seat=seat, face=journal.table[id].face)
    journal.add(seat_id(seat), INKED, 1)
    now = journal.move(id, f"{seat}.inkwell")
    journal.emit(Event("inked", seat, journal.table[now]))


def ramp(journal: Journal, seat: Seat, exerted: bool = True) -> None:
    """Lay the top card of a deck into the inkwell. Nobody sees it."""
    if deck := journal.table.zones[f"{seat}.deck"]:
        journal.say("ramped", seat=seat)
        journal.move(deck[-1], f"{seat}.inkwell", facts={"exerted": True} if exerted else {})


def gain_lore(journal: Journal, seat: Seat, amount: int) -> None:
    """Give a seat lore."""
    if amount > 0:
        journal.add(seat_id(seat), LORE, amount)
        journal.say("gained", seat=seat, lore=amount)


def lose_lore(journal: Journal, seat: Seat, amount: int) -> None:
    """Take lore from a seat, as far as it has any."""
    lost = min(amount, LORE.of(journal.table.seat(seat)))
    if lost > 0:
        journal.add(seat_id(seat), LORE, -lost)
        journal.say("lost", seat=seat, lore=lost)


# cards outside play


def draw(journal: Journal, seat: Seat, amount: int = 1) -> None:
    """Draw from the top. From an empty deck nothing is drawn, or the match is lost: that is an option."""
    for _ in range(amount):
        deck = journal.table.zones[f"{seat}.deck"]
        if deck:
            journal.move(deck[-1], f"{seat}.hand")
        elif journal.table.options["deck_out"] == "on_draw":
            journal.say("deck_out", seat=seat)
            journal.end((1 - seat,), "deck_out")
            return
    if amount > 0:
        journal.say("drew", seat=seat, count=amount)


def discard(journal: Journal, id: EntityId) -> None:
    """Put a card from a hand into its discard."""
    seat = journal.table[id].owner
    journal.say("discarded", seat=seat, card=journal.ref(id, EVERYONE))
    now = journal.move(id, f"{seat}.discard")
    journal.emit(Event("discarded", seat, journal.table[now]))


def look_at(journal: Journal, seat: Seat, amount: int) -> None:
    """Lay the top cards of one's deck aside, where only their player sees them. The first is the topmost."""
    deck = journal.table.zones[f"{seat}.deck"][-amount:][::-1]
    if deck:
        journal.tell("looked", seat=seat, zone=f"{seat}.deck", count=len(deck))
        for id in deck:
            journal.move(id, f"{seat}.aside")


# cards in play


def exert(journal: Journal, id: EntityId) -> None:
    """Turn a card sideways."""
    journal.set(id, EXERTED, True)


def ready(journal: Journal, id: EntityId) -> None:
    """Turn a card upright."""
    journal.set(id, EXERTED, False)


def change(journal: Journal, id: EntityId, what: str, amount: int, until: str) -> None:
    """Change a number of a card, or of a seat, for a while."""
    mods = MODS.of(journal.table[id])
    journal.set(id, MODS, [*mods, [what, amount, until]])


def expire(journal: Journal, until: str) -> None:
    """What lasted until now is over."""
    table = journal.table
    here = [card.id for card in journal.look.in_play() if "mods" in card.facts]
    for id in (*here, *(seat_id(seat) for seat in range(2))):
        mods = MODS.of(table[id])
        left = [mod for mod in mods if mod[2] != until]
        if len(left) != len(mods):
            journal.set(id, MODS, left)


def use(journal: Journal, id: EntityId, what: str) -> None:
    """Remember that a card has done something that it may do once a turn."""
    journal.set(id, USED, [*USED.of(journal.table[id]), what])


def enter(journal: Journal, seat: Seat, id: EntityId, exerted: bool = False, **facts: Any) -> None:
    """A character, item or location comes into play, and everybody hears of it."""
    printed = face(journal.look, journal.table[id])
    state: dict[str, Any] = {}
    if printed.type == "character":
        state = {"drying": True, **({"exerted": True} if exerted else {})}
    journal.move(id, f"{seat}.{printed.zone}", facts=state)
    journal.emit(Event("played", seat, journal.table[id], facts))


def enter_on(journal: Journal, seat: Seat, id: EntityId, below: EntityId, exerted: bool = False) -> None:
    """A character comes into play on top of another and takes over how that one stood."""
    old = journal.table[below]
    kept: dict[str, Any] = {key: old.facts[key] for key in ("exerted", "drying", "damage", "at") if key in old.facts}
    if exerted:
        kept["exerted"] = True
    stack = beneath(journal.table, old)
    journal.move(id, f"{seat}.characters", facts=kept)
    journal.move(below, f"{seat}.under", facts={"on": id})
    for card in stack:
        journal.set(card, ON, id)
    _forget(journal, below)
    journal.emit(Event("played", seat, journal.table[id], {"shifted": True}))


def boost(journal: Journal, seat: Seat, id: EntityId) -> None:
    """Lay the top card of one's deck face down under a character."""
    use(journal, id, "boost")
    journal.say("boosted", seat=seat, card=journal.ref(id))
    journal.move(journal.table.zones[f"{seat}.deck"][-1], f"{seat}.under", facts={"on": id}, dark=EVERYONE)


def move_to(journal: Journal, seat: Seat, id: EntityId, location: EntityId) -> None:
    """A character goes to a location."""
    journal.say("went", seat=seat, card=journal.ref(id), on=journal.ref(location))
    journal.set(id, AT, location)
    journal.emit(Event("moved", seat, journal.table[id], {"foe": location}))


def leave(
    journal: Journal, id: EntityId, kind: str, at: int | None = None, facts: dict[str, Any] | None = None
) -> None:
    """A card leaves play for a zone of its owner, and whatever lies under it goes the same way."""
    table = journal.table
    card = table[id]
    below = beneath(table, card)
    for one in (id, *below):
        journal.move(one, f"{card.owner}.{kind}", at, facts)
    if face(journal.look, card).type == "location":
        for other in side(table, card.owner):
            if AT.of(other) == id:
                journal.set(other.id, AT, 0)
    _forget(journal, id)


def _forget(journal: Journal, id: EntityId) -> None:
    """Nothing waits any longer for a card that has left play: should it come back, it is another."""
    waits = LATER.of(journal.table[TABLE])
    if any(id in one["target"] for one in waits):
        kept = [{**one, "target": [other for other in one["target"] if other != id]} for one in waits]
        journal.note(LATER, [one for one in kept if one["target"]])


def banish(journal: Journal, ids: Iterable[EntityId], fight: dict[str, Any] | None = None) -> None:
    """Put cards from play into the discard, all at the same moment. In a challenge, who did it hears of it too."""
    look, table = journal.look, journal.table
    dead = [table[id] for id in ids]
    dead = [card for card in dead if not journal.instead(_death(journal, "banish", card, fight))]
    for card in dead:
        journal.say("banished", card=journal.ref(card.id))
        journal.emit(_death(journal, "banished", card, fight))
        killer = _killer(journal, card, fight)
        if killer is not None:
            journal.emit(Event("banishes", look.controller(killer), killer, {"foe": card.id}))
    for card in dead:
        leave(journal, card.id, "discard")


def _death(journal: Journal, kind: str, card: Entity, fight: dict[str, Any] | None) -> Event:
    facts: dict[str, Any] = {}
    if fight and card.id in (fight["by"], fight["on"]):
        role = "attacker" if card.id == fight["by"] else "defender"
        facts = {"role": role, "foe": fight["on" if role == "attacker" else "by"]}
    return Event(kind, journal.look.controller(card), card, facts)


def _killer(journal: Journal, card: Entity, fight: dict[str, Any] | None) -> Entity | None:
    if not fight or card.id not in (fight["by"], fight["on"]) or face(journal.look, card).type != "character":
        return None
    killer = in_play(journal.look, fight["on"] if card.id == fight["by"] else fight["by"])
    return killer if killer is not None and face(journal.look, killer).type == "character" else None


# damage


def deal(journal: Journal, hits: Sequence[tuple[EntityId, int]]) -> None:
    """Deal damage at one moment. Something else may take it; what is left is reduced by Resist."""
    look = journal.look
    taken = []
    for id, amount in hits:
        card = in_play(look, id)
        if card is None or amount <= 0:
            continue
        if not journal.instead(Event("damage", look.controller(card), card, {"amount": amount})):
            taken.append((id, amount - number(look, card, "resist")))
    for id, amount in taken:
        _hurt(journal, id, amount)


def redirect(journal: Journal, id: EntityId, amount: int) -> None:
    """Damage that was meant for another is dealt to this card, once, by its own Resist."""
    _hurt(journal, id, amount - number(journal.look, journal.table[id], "resist"))


def _hurt(journal: Journal, id: EntityId, amount: int) -> None:
    if amount <= 0:
        journal.say("resisted", card=journal.ref(id))
        return
    put_damage(journal, id, amount)
    card = journal.table[id]
    journal.emit(Event("damaged", journal.look.controller(card), card, {"amount": amount}))


def put_damage(journal: Journal, id: EntityId, amount: int) -> None:
    """Put damage on a card. Resist does not help."""
    journal.add(id, DAMAGE, amount)
    journal.say("damaged", card=journal.ref(id), damage=amount)


def heal(journal: Journal, id: EntityId, amount: int) -> int:
    """Take damage off a card, as far as there is any. Returns how much that was."""
    healed = min(amount, DAMAGE.of(journal.table[id]))
    if healed > 0:
        journal.add(id, DAMAGE, -healed)
        journal.say("healed", card=journal.ref(id), damage=healed)
    return healed


# quests and challenges


def quest(journal: Journal, seat: Seat, id: EntityId) -> None:
    """A character goes on a quest: it exerts, its player gains its lore, and then cards speak."""
    look = journal.look
    exert(journal, id)
    card = journal.table[id]
    journal.say("quested", seat=seat, card=journal.ref(id))
    gain_lore(journal, seat, number(look, card, "lore"))
    event = Event("quested", seat, card)
    if number(look, card, "support") > 0:
        journal.hear(Heard(word("lend_strength"), card, seat, event))
    journal.emit(event)


def challenge(journal: Journal, seat: Seat, by: EntityId, on: EntityId) -> None:
    """A character challenges; what that sets off is dealt with before anybody is hurt."""
    table = journal.table
    exert(journal, by)
    journal.note(FIGHT, {"by": by, "on": on})
    journal.say("challenged", seat=seat, card=journal.ref(by), on=journal.ref(on))
    journal.emit(Event("challenges", seat, table[by], {"foe": on}))
    journal.emit(Event("challenged", 1 - seat, table[on], {"foe": by}))


def dry_out(journal: Journal, seat: Seat) -> None:
    """The characters of a seat may act."""
    for card in side(journal.table, seat):
        journal.set(card.id, DRYING, False)

"""What can be done at a free table: one function for each kind of move.

Every move was offered, so it names cards that are there and places that exist. Each function does it, says so in the
log to whoever may know, and returns the viewers who may know every card that it touched.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from cards.table import decisions, looking, turns
from cards.table.facts import COUNTERS, TOP, TURNED, bearer, bears_counters, end, one, stacked, target, what
from cards.table.furniture import DECK, HAND
from cards.table.noting import note, own, refs
from cards.table.placing import Moved, pile_counters, shift, write_counters
from engine.errors import Refused
from engine.frames import EntityId, Seat
from engine.hooks import Deed
from engine.journal import Journal

Executor: TypeAlias = Callable[[Journal, Deed], int]


# moving


def draw(journal: Journal, deed: Deed) -> int:
    """From the deck into the hand, one by one, for as long as there is one."""
    moved = take_from_deck(journal, deed.seat, deed.move.picks["count"])
    journal.say("drew", seat=deed.seat, count=len(moved))
    return note(journal, deed, n=len(moved))


def take_from_deck(journal: Journal, seat: Seat, count: int) -> list[Moved]:
    """The top cards of a deck, as many as there are, in the order drawn."""
    deck, hand = own(journal, DECK, seat), own(journal, HAND, seat)
    moved: list[Moved] = []
    for _ in range(count):
        if ids := journal.table.zones[deck]:
            moved += shift(journal, ids[-1:], hand, sure=True)
    return moved


def move_card(journal: Journal, deed: Deed) -> int:
    """One card or several to a place: onto it, under it, or so many cards above the bottom."""
    move = deed.move
    moved = shift(journal, what(move), target(move), end(move), sure=move.sure)
    journal.say("moved_cards", seat=deed.seat, cards=refs(moved), origin=moved[0].zone, zone=target(move))
    return note(journal, deed, moved, to=target(move))


def swap_card_stacks(journal: Journal, deed: Deed) -> int:
    """All that lies in two places changes places at once, even if one of them is empty."""
    first, second = deed.move.chosen("zones")
    zones = journal.table.zones
    there, here = zones[first], zones[second]
    moved = shift(journal, there, second, sure=True) + shift(journal, here, first, sure=True)
    journal.say("swapped", seat=deed.seat, zones=[first, second])
    return note(journal, deed, moved, zones=[first, second])


def shuffle(journal: Journal, deed: Deed) -> int:
    """Any order; nobody recognises a card afterwards, and a stack's counters lie on its top card again."""
    zone = target(deed.move)
    shuffle_zone(journal, zone)
    journal.say("shuffled", seat=deed.seat, zone=zone)
    return note(journal, deed, zone=zone)


def shuffle_zone(journal: Journal, zone: str) -> None:
    """Shuffle, and gather the counters of a stack."""
    journal.shuffle(zone)
    if stacked(journal.look, zone) and bears_counters(journal.look, zone):
        pile_counters(journal, zone)


def mulligan(journal: Journal, deed: Deed) -> int:
    """The hand into the deck, shuffle, draw anew."""
    deck, hand = own(journal, DECK, deed.seat), own(journal, HAND, deed.seat)
    shift(journal, journal.table.zones[hand], deck, sure=True)
    shuffle_zone(journal, deck)
    moved = take_from_deck(journal, deed.seat, deed.move.picks["count"])
    journal.say("mulligan", seat=deed.seat, count=len(moved))
    return note(journal, deed, n=len(moved))


def rearrange_zone(journal: Journal, deed: Deed) -> int:
    """The outermost cards of a place in another order; the first that is named is the outermost."""
    zone, ids, side = target(deed.move), what(deed.move), one(deed.move, "end")
    lying = journal.table.zones[zone]
    outer = lying[-len(ids) :] if side == TOP else lying[: len(ids)]
    if set(outer) != set(ids):
        raise Refused("bad_target", f"These are not the {len(ids)} cards at the {side} of {zone}.", zone=zone)
    order = (*lying[: -len(ids)], *ids[::-1]) if side == TOP else (*ids, *lying[len(ids) :])
    looking.lay_in_order(journal, deed.seat, zone, order)
    if stacked(journal.look, zone) and bears_counters(journal.look, zone):
        pile_counters(journal, zone)
    journal.say("rearranged", seat=deed.seat, zone=zone, count=len(ids))
    return note(journal, deed, zone=zone, n=len(ids))


# what lies on cards


def set_orientation(journal: Journal, deed: Deed) -> int:
    """Turn a card by so much."""
    (id,), way = what(deed.move), one(deed.move, "orientation")
    journal.set(id, TURNED, way)
    return _marked(journal, deed, id, "oriented", orientation=way)


def add_counter(journal: Journal, deed: Deed) -> int:
    """Lay counters on a card, or on the top card of its stack. Where cards bear none, nothing happens."""
    return _count(journal, deed, lambda had: had + int(deed.move.picks["amount"]))


def remove_counter(journal: Journal, deed: Deed) -> int:
    """Take counters off a card, as many as there are."""
    return _count(journal, deed, lambda had: had - int(deed.move.picks["amount"]))


def set_counter(journal: Journal, deed: Deed) -> int:
    """Let a card bear exactly so many counters of a kind."""
    return _count(journal, deed, lambda had: int(deed.move.picks["value"]))


def _count(journal: Journal, deed: Deed, change: Callable[[int], int]) -> int:
    (id,), kind = what(deed.move), one(deed.move, "counter")
    count = 0
    if bears_counters(journal.look, journal.table[id].zone):
        id = bearer(journal.look, id)
        had = COUNTERS.of(journal.table[id])
        count = max(0, change(had.get(kind, 0)))
        write_counters(journal, id, {**had, kind: count})
    return _marked(journal, deed, id, "counted", counter=kind, count=count)


def _marked(journal: Journal, deed: Deed, id: EntityId, key: str, **args: Any) -> int:
    card = journal.ref(id)
    journal.say(key, seat=deed.seat, card=card, **args)
    return note(journal, deed, (Moved(id, card, journal.table[id].zone),), **args)


# chance


def coin_flip(journal: Journal, deed: Deed) -> int:
    """Flip coins for everybody to see."""
    results = ["heads" if journal.below(2) else "tails" for _ in range(deed.move.picks["count"])]
    return _rolled(journal, deed, "flipped_coins", results)


def dice_roll(journal: Journal, deed: Deed) -> int:
    """Roll dice for everybody to see."""
    sides = deed.move.picks["sides"]
    return _rolled(journal, deed, "rolled", [1 + journal.below(sides) for _ in range(deed.move.picks["count"])])


def _rolled(journal: Journal, deed: Deed, key: str, results: list[Any]) -> int:
    journal.tell("rolled", seat=deed.seat, results=results)
    journal.say(key, seat=deed.seat, results=results)
    return note(journal, deed, results=results)


# saying


def declare_action(journal: Journal, deed: Deed) -> int:
    """Say what one does; plugins may hear it."""
    kind, name = one(deed.move, "kind"), one(deed.move, "name")
    shown = [journal.ref(id) for id in what(deed.move)]
    said = {"kind": kind, **({"name": name} if name else {})}
    if shown:
        journal.say("declared_with", seat=deed.seat, card=shown[0], **said)
    else:
        journal.say("declared", seat=deed.seat, **said)
    return note(journal, deed, [Moved(ref.id, ref, "") for ref in shown], **said)


EXECUTORS: dict[str, Executor] = {
    "draw": draw,
    "move_card": move_card,
    "move_card_stack": move_card,
    "place_on_zone": move_card,
    "swap_card_stacks": swap_card_stacks,
    "shuffle": shuffle,
    "search_zone": looking.search_zone,
    "peek": looking.peek,
    "rearrange_zone": rearrange_zone,
    "reveal": looking.reveal,
    "reveal_hand": decisions.reveal_hand,
    "flip_card": looking.flip_card,
    "set_orientation": set_orientation,
    "add_counter": add_counter,
    "remove_counter": remove_counter,
    "set_counter": set_counter,
    "coin_flip": coin_flip,
    "dice_roll": dice_roll,
    "mulligan": mulligan,
    "declare_action": declare_action,
    "create_decision": decisions.create_decision,
    "resolve_decision": decisions.resolve_decision,
    "end_turn": turns.end_turn,
    "declare_victory": turns.declare_victory,
}

"""Everything that may be done at a free table, as offers.

A table that knows no game offers nearly everything: any card that one can take up, to any place with room. What lies
in one's own places and what all share comes first; the same with other people's places comes as a second offer that
carries a warning, or not at all where the table does not allow it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cards.table.facts import (
    ALL,
    BOTTOM,
    COUNTERS,
    TOP,
    bears_counters,
    deciding,
    decision,
    furniture,
    game_of,
    mine,
    movable,
    others,
    phase,
    points,
    room,
    sees,
    stacked,
)
from cards.table.furniture import DECK, DISCARD, HAND
from engine.frames import EntityId, Offer, Seat, Slot
from engine.look import Look
from engine.table import EVERYONE, bit

FOREIGN_ZONE, FOREIGN_CARD = "foreign_zone", "foreign_card"
NO_COUNTERS, FULL = "no_counters", "full"
OWN = frozenset({FOREIGN_ZONE, FOREIGN_CARD, NO_COUNTERS})  # the table's own rules, which its offers name exactly
ENDS = (TOP, BOTTOM)
NO_CARDS = "no_cards"
HELD = 7  # cards after which one who has no reason to draws no more
DRAWN, FLIPS, DICE, SIDES, COUNT, VALUE = (1, 10), (1, 20), (1, 20), (2, 100), (1, 50), (0, 99)


class Reach:
    """What a seat can lay its hands on, worked out once for all offers."""

    def __init__(self, look: Look, seat: Seat) -> None:
        self.look, self.seat, self.table = look, seat, look.table
        self.mine: list[EntityId] = []  # cards that one can take up, in one's own places and shared ones
        self.theirs: list[EntityId] = []  # in other people's places
        self.upon: list[EntityId] = []  # cards on the table that bear counters, anybody's
        self.bare: list[EntityId] = []  # own cards in sight that bear none
        self.places: list[str] = []
        self.foreign: list[str] = []
        for key, place in look.places.items():
            own = mine(place, seat)
            (self.places if own else self.foreign).append(key)
            self._reach(key, own)

    def _reach(self, key: str, own: bool) -> None:
        look, seat, cards = self.look, self.seat, self.table.lying(key)
        (self.mine if own else self.theirs).extend(card.id for card in cards if movable(look, seat, card))
        if bears_counters(look, key):
            tops = cards[-1:] if stacked(look, key) else cards
            self.upon.extend(card.id for card in tops if points(look, seat, card))
        elif own:
            self.bare.extend(card.id for card in cards if sees(look, seat, card))

    def roomy(self, zones: Iterable[str], full: bool = False) -> tuple[str, ...]:
        """Of these places those that have room, or those that have none."""
        return tuple(key for key in zones if (room(self.look, key) < 1) == full)

    def wide(self, zones: Iterable[str]) -> tuple[str, ...]:
        """Of these places those that take any number of cards."""
        rows = furniture(self.look)
        return tuple(key for key in zones if rows.row(self.look.places[key]).most is None)


def offers(look: Look, seat: Seat) -> Iterator[Offer]:
    """All that a seat may do, whatever a plugin has to say to it."""
    reach = Reach(look, seat)
    yield from _moving(reach)
    yield from _looking(reach)
    yield from _marking(reach)
    yield from _chance()
    yield from _talking(reach)
    yield from _ending(reach)


def overrides(look: Look, seat: Seat) -> Iterator[Offer]:
    """What may be done only by somebody who is sure: a place that is full takes one more."""
    reach = Reach(look, seat)
    foreign, theirs = ([], []) if _strict(look) else (reach.foreign, reach.theirs)
    full, cards = reach.roomy([*reach.places, *foreign], full=True), (*reach.mine, *theirs)
    if cards and full:
        yield Offer("move_card", slots=(Slot("what", cards), Slot("to", full), Slot("at", ENDS)), warns=(FULL,))


# moving


def _moving(reach: Reach) -> Iterator[Offer]:
    look, cards = reach.look, tuple(reach.mine)
    piles = [key for key in reach.foreign if look.places[key].kind == DISCARD]
    near = [*reach.places, *piles]
    if furniture(look).key(DECK, reach.seat) and furniture(look).key(HAND, reach.seat):
        yield Offer("draw", slots=(Slot("count", range=DRAWN),))
        yield Offer("mulligan", slots=(Slot("count", range=DRAWN),))
    yield from _carry(cards, reach.roomy(near), reach.wide(near), ())
    deep = tuple(key for key in reach.wide(reach.places) if stacked(look, key) and look.table.zones[key])
    if cards and deep:
        depth = Slot("at", range=(0, max(len(look.table.zones[key]) for key in deep)))
        yield Offer("move_card", slots=(Slot("what", cards), Slot("to", deep), depth))
    if not _strict(look):
        every, zones = (*cards, *reach.theirs), [*reach.places, *reach.foreign]
        yield from _carry(every, reach.roomy(zones), reach.wide(zones), (FOREIGN_ZONE, FOREIGN_CARD))
    yield from _stirring(reach)


def _carry(
    cards: tuple[EntityId, ...], zones: tuple[str, ...], wide: tuple[str, ...], warns: tuple[str, ...]
) -> Iterator[Offer]:
    if cards and zones:
        yield Offer("move_card", slots=(Slot("what", cards), Slot("to", zones), Slot("at", ENDS)), warns=warns)
    if cards and wide:
        if len(cards) > 1:
            several = Slot("what", cards, least=2, most=len(cards))
            yield Offer("move_card_stack", slots=(several, Slot("to", wide), Slot("at", ENDS)), warns=warns)
        some = Slot("what", cards, most=len(cards))
        yield Offer("place_on_zone", slots=(some, Slot("zone", wide), Slot("at", ENDS)), warns=warns)


def _stirring(reach: Reach) -> Iterator[Offer]:
    """Swapping and shuffling whole places, and laying cards in order."""
    look = reach.look
    sides = [(reach.places, ())] if _strict(look) else [(reach.places, ()), (reach.foreign, (FOREIGN_ZONE,))]
    for zones, warns in sides:
        swaps = tuple(key for key in (*reach.places, *(reach.foreign if warns else ())) if _swappable(reach, key))
        if len(swaps) > 1:
            yield Offer("swap_card_stacks", slots=(Slot("zones", swaps, least=2, most=2),), warns=warns)
        piles = tuple(key for key in zones if len(look.table.zones[key]) > 1)
        if piles:
            yield Offer("shuffle", slots=(Slot("zone", piles),), warns=warns)
    for key in reach.places:
        if stacked(look, key):
            yield from _arranging(reach, key)


def _swappable(reach: Reach, key: str) -> bool:
    """A place on the table of which one may take everything."""
    look, seat = reach.look, reach.seat
    return bears_counters(look, key) and all(movable(look, seat, card) for card in look.table.lying(key))


def _arranging(reach: Reach, key: str) -> Iterator[Offer]:
    """The cards at one end of a stack that one can tell apart."""
    lying = reach.table.lying(key)
    for end, cards in ((TOP, lying[::-1]), (BOTTOM, lying)):
        known = 0
        while known < len(cards) and points(reach.look, reach.seat, cards[known]):
            known += 1
        if known > 1:
            ids = Slot("what", tuple(card.id for card in cards[:known]), least=known, most=known)
            yield Offer("rearrange_zone", slots=(Slot("zone", (key,)), ids, Slot("end", (end,))))
        if known == len(cards):
            return


# looking


def _looking(reach: Reach) -> Iterator[Offer]:
    look, seat, table = reach.look, reach.seat, reach.table
    by_size: dict[int, list[str]] = {}
    for key in reach.places:
        if not look.places[key].faces & bit(seat) and table.zones[key]:
            by_size.setdefault(len(table.zones[key]), []).append(key)
    filters = tuple(game_of(look).filters)
    for size, keys in by_size.items():
        looked = (Slot("zone", tuple(keys)), Slot("count", range=(1, size)), Slot("end", ENDS))
        yield Offer("peek", slots=looked)
        yield Offer("search_zone", slots=(*looked, Slot("filter", filters, least=0)) if filters else looked)
    people = others(table, seat)
    secret = [id for id in reach.mine if look.place(table[id]).faces != EVERYONE]
    if secret:
        to = Slot("to", (*people, ALL), most=len(people) + 1)
        yield Offer("reveal", slots=(Slot("what", tuple(secret), most=len(secret)), to))
    flat = tuple(id for id in reach.mine if bears_counters(look, table[id].zone))
    if flat:
        seen_by = Slot("seen_by", (*range(table.seats), ALL), least=0, most=table.seats + 1)
        yield Offer("flip_card", slots=(Slot("what", flat), seen_by))


# what lies on cards


def _marking(reach: Reach) -> Iterator[Offer]:
    rows, upon = furniture(reach.look), Slot("what", tuple(reach.upon))
    ways, kinds = rows.of("orientations"), rows.of("counters")
    if reach.upon and ways:
        yield Offer("set_orientation", slots=(upon, Slot("orientation", ways)))
    if not kinds:
        return
    kind, amount, value = Slot("counter", kinds), Slot("amount", range=COUNT), Slot("value", range=VALUE)
    if reach.upon:
        yield Offer("add_counter", slots=(upon, kind, amount))
        yield Offer("set_counter", slots=(upon, kind, value))
    if reach.bare:
        bare = Slot("what", tuple(reach.bare))
        yield Offer("add_counter", slots=(bare, kind, amount), warns=(NO_COUNTERS,))
    for one in kinds:
        bearing = tuple(id for id in reach.upon if COUNTERS.of(reach.table[id]).get(one))
        if bearing:
            yield Offer("remove_counter", slots=(Slot("what", bearing), Slot("counter", (one,)), amount))


# chance, talk and the end


def _chance() -> Iterator[Offer]:
    yield Offer("coin_flip", slots=(Slot("count", range=FLIPS),))
    yield Offer("dice_roll", slots=(Slot("count", range=DICE), Slot("sides", range=SIDES)))


def _talking(reach: Reach) -> Iterator[Offer]:
    look, seat, table, rows = reach.look, reach.seat, reach.table, furniture(reach.look)
    shown = tuple(id for id in reach.upon if mine(look.place(table[id]), seat))
    yield from game_of(look).declarations(look, seat, shown)
    people = others(table, seat)
    if not people or decision(table):
        return
    message = Slot("message", rows.of("messages"), least=0)
    yield Offer("create_decision", slots=(Slot("seat", people), message))
    hands = tuple(key for key in reach.places if _is_hand(reach, key))
    if hands:
        how = Slot("how", ("mine", "mutual"))
        yield Offer("reveal_hand", slots=(Slot("zone", hands), Slot("seat", people), how, message))


def _is_hand(reach: Reach, key: str) -> bool:
    """A place that its owner looks into and others do not."""
    place = reach.look.places[key]
    return place.faces == bit(reach.seat) and bool(reach.table.zones[key])


def _ending(reach: Reach) -> Iterator[Offer]:
    table, seat = reach.table, reach.seat
    reasons = furniture(reach.look).of("reasons") or ("victory",)
    if not others(table, seat):  # nobody is there to agree
        reasons = tuple(reason for reason in reasons if game_of(reach.look).won(reach.look, seat, reason))
    if reasons:
        yield Offer("declare_victory", slots=(Slot("reason", reasons),))
    if deciding(table, seat):
        yield Offer("resolve_decision")
        yield Offer("end_turn", free=True)
    elif game_of(reach.look).takes_turns or phase(table) == "setup":
        yield Offer("end_turn")


def plain(look: Look, seat: Seat) -> Iterator[Offer]:
    """What anybody does at a table without a game: draw, lay cards down, pass on, and stop when all are gone."""
    table, deck, hand = look.table, furniture(look).key(DECK, seat), furniture(look).key(HAND, seat)
    held, left = table.zones[hand] if hand else (), table.zones[deck] if deck else ()
    if held:
        yield Offer(
            "move_card", slots=(Slot("what", held), Slot("to", (f"{seat}.front", "discard")), Slot("at", (TOP,)))
        )
    if left and len(held) < HELD:
        yield Offer("draw", slots=(Slot("count", range=(1, 1)),))
    if not held and not left:
        yield Offer("declare_victory", slots=(Slot("reason", (NO_CARDS,)),))
    yield Offer("resolve_decision" if deciding(table, seat) else "end_turn")


def _strict(look: Look) -> bool:
    """Whether other people's places are out of bounds."""
    return bool(look.table.options["ownership"] == "block")

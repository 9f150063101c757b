"""Cards change places, and what lies on them goes along or stays.

The end of a list is the top, everywhere. In a stack the top card bears the counters of all: a card that is taken out
leaves its counters behind, and only a stack that moves whole takes them along. A card that moves stands upright.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from cards.table.facts import BOTTOM, COUNTERS, FLAGS, TOP, bears_counters, game_of, room, stacked
from engine.errors import Refused
from engine.frames import EntityId, Ref
from engine.journal import Journal
from engine.table import EVERYONE

Counts = dict[str, int]


class Moved(Struct, frozen=True):
    """A card that has moved: as it may be spoken of, and where it came from."""

    id: EntityId
    ref: Ref
    zone: str


def shift(journal: Journal, ids: Sequence[EntityId], to: str, at: str | int = TOP, sure: bool = False) -> list[Moved]:
    """Move cards, in their order, onto a place or under what lies there. A number counts from the bottom."""
    look, table = journal.look, journal.table
    fresh = sum(table[id].zone != to for id in ids)
    if fresh > room(look, to) and not sure:
        raise Refused("full", f"There is no room for {fresh} more in {to}.", zone=to)
    carried = _lift_counters(journal, ids)
    moved = {}
    for n, id in enumerate(ids[::-1] if at == BOTTOM else ids):  # one after the other under a stack: the last first
        moved[id] = _move(journal, id, to, at if isinstance(at, str) else at + n)
    if bears_counters(look, to):
        for id, counts in carried.items():
            write_counters(journal, moved[id].id, counts)
        if stacked(look, to):
            pile_counters(journal, to)
    return [moved[id] for id in ids]


def _move(journal: Journal, id: EntityId, to: str, at: str | int) -> Moved:
    look, card = journal.look, journal.table[id]
    before, origin = look.places[card.zone].seen_by(card), card.zone
    stays_on_table = bears_counters(look, origin) and bears_counters(look, to)
    facts = {FLAGS.name: FLAGS.of(card)} if stays_on_table and FLAGS.of(card) else {}
    depth = {TOP: None, BOTTOM: 0}[at] if isinstance(at, str) else at
    now = journal.move(id, to, at=depth, facts=facts, dark=game_of(look).dark(look, to))
    there, card = look.places[to], journal.table[now]
    return Moved(now, Ref(now, card.face, there.known_to(card), before | there.seen_by(card)), origin)


def _lift_counters(journal: Journal, ids: Iterable[EntityId]) -> dict[EntityId, Counts]:
    """What cards that leave take along. A stack of which something stays keeps all its counters, on its new top."""
    table, leaving = journal.table, set(ids)
    carried = {id: COUNTERS.of(table[id]) for id in leaving if COUNTERS.of(table[id])}
    for zone in dict.fromkeys(table[id].zone for id in carried):
        staying = [id for id in table.zones[zone] if id not in leaving]
        if staying and stacked(journal.look, zone):
            left = [carried.pop(id) for id in table.zones[zone] if id in carried]
            write_counters(journal, staying[-1], add_up(COUNTERS.of(table[staying[-1]]), *left))
    return carried


def pile_counters(journal: Journal, zone: str) -> None:
    """Let the top card of a stack bear the counters of all of it."""
    table = journal.table
    ids = table.zones[zone]
    if ids:
        counts = add_up(*(COUNTERS.of(table[id]) for id in ids))
        for id in ids[:-1]:
            write_counters(journal, id, {})
        write_counters(journal, ids[-1], counts)


def write_counters(journal: Journal, id: EntityId, counts: Counts) -> None:
    """Lay exactly these counters on a card; none of a kind is no counter."""
    journal.set(id, COUNTERS, {kind: count for kind, count in sorted(counts.items()) if count > 0})


def add_up(*counts: Counts) -> Counts:
    """Counters of several cards together."""
    found: Counts = {}
    for one in counts:
        for kind, count in one.items():
            found[kind] = found.get(kind, 0) + count
    return found


def seen_by_all(moved: Iterable[Moved]) -> int:
    """The viewers who may know every one of these cards."""
    known = EVERYONE
    for one in moved:
        known &= one.ref.faces
    return known

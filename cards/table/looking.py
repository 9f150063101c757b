"""Who sees what at a free table: peeking, searching, revealing, turning cards over.

A look into a place that is hidden shows the cards to whoever looks, and to nobody else, until their turn is over;
that somebody looks, and at how many cards, everybody is told. Only the owner of a place can let others look into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cards.table.facts import ALL, LOOKS, TOP, game_of, one, target, what
from cards.table.noting import note, refs
from cards.table.placing import Moved
from engine.frames import EntityId, Seat
from engine.hooks import Deed
from engine.journal import Journal
from engine.table import EVERYONE, bit, seat_id


def peek(journal: Journal, deed: Deed) -> int:
    """Look at the outermost cards of a place, the outermost first."""
    zone, end = target(deed.move), one(deed.move, "end")
    ids = _from_end(journal, zone, end)[: deed.move.picks["count"]]
    journal.say("peeked", seat=deed.seat, zone=zone, count=len(ids), end=end)
    _look_at(journal, deed.seat, zone, ids, len(ids))
    return note(journal, deed, zone=zone, n=len(ids))


def search_zone(journal: Journal, deed: Deed) -> int:
    """Look through a place for cards of a kind; without a kind, at all of them."""
    zone, kind, look = target(deed.move), one(deed.move, "filter"), journal.look
    fits = game_of(look).filters.get(kind, lambda face: True)
    found = [id for id in _from_end(journal, zone, one(deed.move, "end")) if fits(look.face(look.table[id]))]
    ids = found[: deed.move.picks["count"]]
    said = {"filter": kind} if kind else {}
    journal.say("searched_for" if kind else "searched", seat=deed.seat, zone=zone, **said)
    gone_over = len(journal.table.zones[zone]) if kind else len(ids)  # how many fit is nobody else's business
    _look_at(journal, deed.seat, zone, ids, gone_over)
    return note(journal, deed, zone=zone, **said)


def _from_end(journal: Journal, zone: str, end: str) -> Sequence[EntityId]:
    ids = journal.table.zones[zone]
    return ids[::-1] if end == TOP else ids


def _look_at(journal: Journal, seat: Seat, zone: str, ids: Sequence[EntityId], gone_over: int) -> None:
    looks = LOOKS.of(journal.table.seat(seat))
    if zone not in looks:
        journal.set(seat_id(seat), LOOKS, [*looks, zone])
    for id in ids:
        show(journal, id, bit(seat))
    journal.tell("looked", seat=seat, zone=zone, count=gone_over)
    journal.say("saw", to=bit(seat), seat=seat, faces=[journal.table[id].face for id in ids])


def show(journal: Journal, id: EntityId, viewers: int) -> None:
    """Let some more viewers see a card."""
    card = journal.table[id]
    seen = journal.look.places[card.zone].seen_by(card)
    if viewers & ~seen:
        journal.turn(id, seen | viewers)


def end_looks(journal: Journal, seat: Seat) -> None:
    """Whoever was looking puts the cards back as they were; nobody recognises them later."""
    table, places = journal.table, journal.look.places
    for zone in LOOKS.of(table.seat(seat)):
        for id in table.zones[zone]:
            if table[id].shown == bit(seat):
                journal.turn(id, places[zone].seen_by(table[id]) & ~bit(seat))
    journal.set(seat_id(seat), LOOKS, [])


def lay_in_order(journal: Journal, seat: Seat, zone: str, ids: Sequence[EntityId]) -> None:
    """Lay a place in another order. Whoever knew single cards of it, other than this seat, does not know where."""
    journal.arrange(zone, ids)
    place = journal.look.places[zone]
    for id in ids:
        card = journal.table[id]
        if lost := card.shown & ~bit(seat) & ~place.things:
            journal.turn(id, place.seen_by(card) & ~lost)


def reveal(journal: Journal, deed: Deed) -> int:
    """Show cards to some of the others, or to all who look on."""
    viewers = _viewers(deed.move.chosen("to"))
    for id in what(deed.move):
        show(journal, id, viewers)
    shown = _shown(journal, what(deed.move))
    journal.say("revealed", seat=deed.seat, cards=refs(shown), whom=list(deed.move.chosen("to")))
    return note(journal, deed, shown)


def flip_card(journal: Journal, deed: Deed) -> int:
    """Let exactly these see a card: nobody, some, everybody."""
    (id,) = what(deed.move)
    zone = journal.table[id].zone
    now = journal.turn(id, _viewers(deed.move.chosen("seen_by")))
    card = journal.ref(now)
    journal.say("flipped", seat=deed.seat, card=card)
    return note(journal, deed, (Moved(now, card, zone),))


def _viewers(chosen: Iterable[Seat | str]) -> int:
    viewers = 0
    for entry in chosen:
        viewers |= EVERYONE if entry == ALL else bit(int(entry))
    return viewers


def _shown(journal: Journal, ids: Iterable[EntityId]) -> list[Moved]:
    return [Moved(id, journal.ref(id), journal.table[id].zone) for id in ids]

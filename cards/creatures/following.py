"""What follows moves in the creature battle: what the rules do by themselves, and nothing that a card could change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cards.creatures import field
from cards.creatures.field import ACTIVE, EXTRA, MARKERS, STAGING, in_field, kind, printed_on
from cards.creatures.reasons import Mind
from cards.creatures.remarks import MARKER, declared
from cards.table.actions import swap_card_stacks, take_from_deck
from cards.table.core import CARRYING
from cards.table.facts import COUNTERS, DONE, PLAYING, SETUP, TURNED, UPRIGHT, one, others, phase, target
from cards.table.furniture import DECK, DISCARD, HAND
from cards.table.noting import note
from cards.table.placing import pile_counters, shift, write_counters
from cards.table.turns import FRESH, mark, marked
from engine.frames import Move, Offer, Seat
from engine.hooks import Deed, Plugin
from engine.journal import Journal
from engine.look import Look
from engine.table import EVERYONE, TABLE, seat_id

POISON, BURN = 10, 20


def follow(plugin: Plugin) -> None:
    """Let a plugin do what follows."""
    _after_carrying(plugin)
    _after_declaring(plugin)
    _after_turns(plugin)
    _moves_of_its_own(plugin)


# after cards were carried


def _after_carrying(plugin: Plugin) -> None:
    @plugin.after(*CARRYING, priority=60)
    def stamp(journal: Journal, deed: Deed) -> None:
        """A creature that comes out of a hand was played this turn."""
        look, to = journal.look, target(deed.move)
        last = field.deeds(journal.table)[-1:]
        if not in_field(to) or phase(journal.table) != PLAYING or not last:
            return
        came = [face for face, origin in _came(last[0]) if kind(origin) == HAND]
        for card, face in field.stack(look, deed.seat, to):
            if face.name in came and face.is_creature and not marked(card, FRESH):
                came.remove(face.name)
                mark(journal, card.id, FRESH)

    @plugin.after(*CARRYING, priority=100)
    def read_out(journal: Journal, deed: Deed) -> None:
        """What a trainer says is read out when it is played."""
        if target(deed.move) != STAGING:
            return
        for face, origin in _came(field.deeds(journal.table)[-1]):
            if face and origin != STAGING:
                journal.say("says", face=face, text=journal.look.game.faces[face].text)

    @plugin.after(*CARRYING, "swap_card_stacks", priority=200)
    def sort(journal: Journal, deed: Deed) -> None:
        """Tools and energies come to lie underneath, the creature as it is now on top."""
        for zone in deed.move.chosen("zones") or (target(deed.move),):
            if in_field(zone):
                sort_stack(journal, zone)

    @plugin.after(*CARRYING, "swap_card_stacks", priority=250)
    def gather_counters(journal: Journal, deed: Deed) -> None:
        """Whatever lies on a creature lies on its top card."""
        for zone in deed.move.chosen("zones") or (target(deed.move),):
            if in_field(zone):
                pile_counters(journal, zone)


def _came(done: dict[str, Any]) -> list[tuple[str, str]]:
    """The cards of a move, and where each came from."""
    cards = done.get("cards", [])
    origins = done["from"] if isinstance(done.get("from"), list) else [done.get("from", "")] * len(cards)
    return list(zip(cards, origins, strict=True))


def sort_stack(journal: Journal, zone: str) -> None:
    """Lay a stack in order. One that somebody cannot see through stays as it is: the order would tell."""
    look, cards = journal.look, journal.table.lying(zone)
    if field.known_to(look, zone) != EVERYONE:
        return
    order = tuple(card.id for card in sorted(cards, key=lambda card: printed_on(look, card).layer))
    if order != journal.table.zones[zone]:
        way = TURNED.of(cards[-1])
        journal.arrange(zone, order)
        if order[-1] != cards[-1].id and cards[-1].id in order and way != UPRIGHT:
            journal.set(cards[-1].id, TURNED, UPRIGHT)
            journal.set(order[-1], TURNED, way)


# after something was declared


def _after_declaring(plugin: Plugin) -> None:
    @plugin.after("declare_action", priority=50)
    def turn_marker(journal: Journal, deed: Deed) -> None:
        """What one does once a game turns a marker over."""
        named = declared(journal.look, deed.seat, deed)
        if named is None or not named.once_a_game:
            return
        used = MARKERS.of(journal.table.seat(deed.seat))
        marker = MARKER[one(deed.move, "kind")]
        if marker not in used:
            journal.set(seat_id(deed.seat), MARKERS, [*used, marker])

    @plugin.after("declare_action", priority=100)
    def read_effect(journal: Journal, deed: Deed) -> None:
        """What is declared is read out."""
        named = declared(journal.look, deed.seat, deed)
        if named is not None and named.text:
            (id,) = deed.move.chosen("what")
            card = journal.table[id]
            journal.say("says", to=journal.look.place(card).seen_by(card), face=named.name, text=named.text)


# after a turn


def _after_turns(plugin: Plugin) -> None:
    @plugin.after("mulligan")
    def remind(journal: Journal, deed: Deed) -> None:
        """Whoever begins again lets the others have one card more."""
        if phase(journal.table) != SETUP:
            return
        for seat in others(journal.table, deed.seat):
            journal.add(seat_id(seat), EXTRA, 1)
            journal.say("may_draw_extra", seat=seat, count=EXTRA.of(journal.table.seat(seat)))

    @plugin.after("end_turn", priority=50)
    def open_turn(journal: Journal, deed: Deed) -> Iterable[Deed]:
        """Between two turns conditions are looked after; then one card is drawn, and who cannot has lost."""
        table = journal.table
        if phase(table) != PLAYING or DONE.of(table[TABLE]):
            return ()  # still setting up, or a decision was handed back
        check_up(journal, deed.seat)
        seat = table.active
        if not table.zones[f"{seat}.{DECK}"]:
            journal.say("deck_out", seat=seat)
            journal.end(others(table, seat), "deck_out")
            return ()
        return (Deed(seat, Move("draw", 0, {"count": 1})),)


def check_up(journal: Journal, ended: Seat) -> None:
    """Poison and fire do their work, sleepers may wake, and who was paralyzed in their own turn moves again."""
    for seat in range(journal.table.seats):
        zone = f"{seat}.{ACTIVE}"
        if not journal.table.zones[zone]:
            continue
        counts = field.counters(journal.table, zone)
        if counts.get("poison"):
            _hurt(journal, zone, POISON, "poison")
        if counts.get("burn"):
            _hurt(journal, zone, BURN, "burn")
            if _heads(journal, seat, "burn"):
                top = journal.table.zones[zone][-1]
                write_counters(journal, top, {**COUNTERS.of(journal.table[top]), "burn": 0})
        condition = field.status(journal.table, zone)
        if (condition == "asleep" and _heads(journal, seat, "asleep")) or (condition == "paralyzed" and seat == ended):
            top = journal.table.zones[zone][-1]
            journal.set(top, TURNED, UPRIGHT)
            journal.say("recovers", card=journal.ref(top), status=condition)


def _hurt(journal: Journal, zone: str, amount: int, by: str) -> None:
    top = journal.table.zones[zone][-1]
    had = COUNTERS.of(journal.table[top])
    write_counters(journal, top, {**had, "10": had.get("10", 0) + amount // 10})
    journal.say("hurt", card=journal.ref(top), amount=amount, status=by)


def _heads(journal: Journal, seat: Seat, about: str) -> bool:
    result = "heads" if journal.below(2) else "tails"
    journal.tell("rolled", seat=seat, results=[result])
    journal.say("flips_for", seat=seat, status=about, results=[result])
    return result == "heads"


# moves of its own


def _moves_of_its_own(plugin: Plugin) -> None:
    def who_may_draw(look: Look, seat: Seat) -> Iterable[Offer]:
        most = EXTRA.of(look.table.seat(seat))
        return (Offer("draw_extra", slots=(field.number("count", 1, most),)),) if most else ()

    @plugin.custom("draw_extra", who_may_draw)
    def draw_extra(journal: Journal, deed: Deed) -> None:
        """A card for each time that the other began again."""
        count = deed.move.picks["count"]
        journal.add(seat_id(deed.seat), EXTRA, -count)
        drawn = take_from_deck(journal, deed.seat, count)
        journal.say("drew", seat=deed.seat, count=len(drawn))
        note(journal, deed, n=len(drawn))

    def who_may_go_out(look: Look, seat: Seat) -> Iterable[Offer]:
        for zone in Mind(look, seat).going_out():
            yield Offer("send_out", look.table.zones[zone][-1])

    @plugin.custom("send_out", who_may_go_out)
    def send_out(journal: Journal, deed: Deed) -> None:
        """A creature of the bench changes places with the active one, or with nobody."""
        places = [f"{deed.seat}.{ACTIVE}", journal.table[deed.move.card].zone]
        swap_card_stacks(journal, Deed(deed.seat, Move("swap_card_stacks", 0, {"zones": places})))

    def who_is_beaten(look: Look, seat: Seat) -> Iterable[Offer]:
        for other in range(look.table.seats):
            for zone in field.places(other):
                if field.beaten(look, seat, zone):
                    yield Offer("knock_out", look.table.zones[zone][-1])

    @plugin.custom("knock_out", who_is_beaten)
    def knock_out(journal: Journal, deed: Deed) -> None:
        """A creature that is beaten is thrown away with all that lies under it."""
        zone = journal.table[deed.move.card].zone
        seat = journal.look.places[zone].seat
        journal.say("knocked_out", card=journal.ref(deed.move.card))
        cards = journal.table.lying(zone)
        for owner in sorted({card.owner for card in cards}):
            shift(journal, [card.id for card in cards if card.owner == owner], f"{owner}.{DISCARD}", sure=True)
        note(journal, deed, of=seat)

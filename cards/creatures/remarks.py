"""What the creature battle finds unusual: no card can forbid it, and hardly any asks for it.

A remark rests on what whoever moves can see, and on nothing else. Being sure passes by all of them but the last.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from cards.creatures import field
from cards.creatures.faces import STADIUM, SUPPORTER, TOOL, Ability, Attack, Card
from cards.creatures.field import MARKERS, STAGING, in_field, kind, printed_on
from cards.table.core import CARRYING
from cards.table.facts import BOTTOM, NUMBER, SETUP, bearer, end, one, phase, sees, target, what
from cards.table.furniture import HAND
from cards.table.turns import FRESH, marked
from engine.frames import Entity, Seat
from engine.hooks import Deed, Outcome, Plugin, Warn
from engine.look import Look
from engine.table import TABLE

ATTACK, ABILITY, RETREAT = "attack", "ability", "retreat"
MARKER = {ATTACK: "attack", ABILITY: "power"}  # each of which may be used once a game
FIRST_EVOLUTION = 3  # the first turn on which creatures evolve


class Carried(Struct):
    """A card that is about to be carried somewhere, and what it says."""

    card: Entity
    face: Card
    origin: str
    to: str

    @property
    def from_hand(self) -> bool:
        """Whether it is played from a hand."""
        return kind(self.origin) == HAND


def remark(plugin: Plugin) -> None:
    """Let a plugin make these remarks."""
    _on_trainers(plugin)
    _on_energies(plugin)
    _on_evolving(plugin)
    _on_places(plugin)
    _on_declarations(plugin)
    _on_the_end_of_a_turn(plugin)


def _carried(look: Look, deed: Deed) -> Iterator[Carried]:
    """The cards of a move, as far as whoever moves sees them."""
    to = target(deed.move)
    for id in what(deed.move):
        card = look.table[id]
        if sees(look, deed.seat, card):
            yield Carried(card, printed_on(look, card), card.zone, to)


def _plays(look: Look, deed: Deed) -> Iterator[Carried]:
    """Supporters that are played: from the hand to where they are carried out."""
    for it in _carried(look, deed):
        if it.face.has(SUPPORTER) and it.from_hand and it.to == STAGING:
            yield it


def _evolutions(look: Look, deed: Deed) -> Iterator[tuple[Carried, tuple[Entity, Card] | None]]:
    """Evolutions that are laid on a creature from the hand, and the creature, if one can be seen."""
    for it in _carried(look, deed):
        if it.face.is_evolution and it.from_hand and in_field(it.to) and look.table.zones[it.to]:
            yield it, field.creature(look, deed.seat, it.to)


def _arriving(look: Look, deed: Deed) -> Iterator[Carried]:
    """Cards that come to a place of creatures from anywhere else; a creature that changes places brings its own."""
    cards = [it for it in _carried(look, deed) if it.origin != it.to and in_field(it.to)]
    if not any(it.face.is_creature and in_field(it.origin) for it in cards):
        yield from cards


def _on_trainers(plugin: Plugin) -> None:
    @plugin.before(*CARRYING, rule="second_supporter", level="hard")
    def second_supporter(look: Look, deed: Deed) -> Outcome:
        """One supporter a turn."""
        for it in _plays(look, deed):
            for face, origin, to, _ in field.carried(look.table):
                if to == STAGING and kind(origin) == HAND and _is(look, face, SUPPORTER):
                    return Warn({"name": it.face.name, "other": face})
        return None

    @plugin.before(*CARRYING, rule="supporter_first_turn", level="hard")
    def supporter_first_turn(look: Look, deed: Deed) -> Outcome:
        """No supporter on the very first turn."""
        if NUMBER.of(look.table[TABLE]) > 1:
            return None
        return next((Warn({"name": it.face.name}) for it in _plays(look, deed)), None)

    @plugin.before(*CARRYING, rule="trainer_in_field", priority=85)
    def trainer_in_field(look: Look, deed: Deed) -> Outcome:
        """Of the trainers only tools are laid on creatures."""
        for it in _arriving(look, deed):
            if it.face.is_trainer and not it.face.has(TOOL):
                return Warn({"name": it.face.name})
        return None

    @plugin.before(*CARRYING, rule="second_tool", priority=90)
    def second_tool(look: Look, deed: Deed) -> Outcome:
        """A creature holds one tool."""
        tools = [it for it in _arriving(look, deed) if it.face.has(TOOL)]
        if not tools:
            return None
        held = [face for _, face in field.stack(look, deed.seat, tools[0].to) if face.has(TOOL)]
        if len(held) + len(tools) > 1:
            other = held[0] if held else tools[1].face
            return Warn({"name": tools[0].face.name, "other": other.name}, field.known_to(look, tools[0].to))
        return None


def _is(look: Look, face: str, subtype: str) -> bool:
    """Whether a card that is known by its name is of a kind."""
    card = look.game.faces.get(face)
    return isinstance(card, Card) and card.has(subtype)


def _on_energies(plugin: Plugin) -> None:
    @plugin.before(*CARRYING, rule="second_energy", level="hard")
    def second_energy(look: Look, deed: Deed) -> Outcome:
        """One energy a turn; what a card allows one lays down being sure, and that does not count."""
        more = [it for it in _carried(look, deed) if it.face.is_energy and it.from_hand and in_field(it.to)]
        count = len(more)
        for face, origin, to, sure in field.carried(look.table):
            card = look.game.faces.get(face)
            if isinstance(card, Card) and card.is_energy and kind(origin) == HAND and in_field(to) and not sure:
                count += 1
        return Warn({"name": more[0].face.name}) if more and count > 1 else None

    @plugin.before(*CARRYING, rule="energy_on_top", priority=90)
    def energy_on_top(look: Look, deed: Deed) -> Outcome:
        """Energies go underneath."""
        if end(deed.move) in (0, BOTTOM):
            return None
        for it in _arriving(look, deed):
            if it.face.is_energy and look.table.zones[it.to]:
                return Warn({"name": it.face.name})
        return None


def _on_evolving(plugin: Plugin) -> None:
    @plugin.before(*CARRYING, rule="wrong_evolution")
    def wrong_evolution(look: Look, deed: Deed) -> Outcome:
        """An evolution is laid on the creature it evolves from."""
        for it, below in _evolutions(look, deed):
            if below is not None and below[1].name != it.face.row.evolves_from:
                return Warn({"name": it.face.name, "missing": it.face.row.evolves_from}, field.known_to(look, it.to))
        return None

    @plugin.before(*CARRYING, rule="evolution_too_early", level="hard", priority=95)
    def evolution_too_early(look: Look, deed: Deed) -> Outcome:
        """Nothing evolves in anybody's first turn."""
        if NUMBER.of(look.table[TABLE]) >= FIRST_EVOLUTION:
            return None
        return next((Warn({"name": it.face.name}) for it, _ in _evolutions(look, deed)), None)

    @plugin.before(*CARRYING, rule="evolution_of_fresh", priority=95)
    def evolution_of_fresh(look: Look, deed: Deed) -> Outcome:
        """What was played or evolved this turn does not evolve yet."""
        for it, below in _evolutions(look, deed):
            if below is not None and marked(below[0], FRESH):
                return Warn({"name": it.face.name, "other": below[1].name}, field.known_to(look, it.to))
        return None


def _on_places(plugin: Plugin) -> None:
    @plugin.before(*CARRYING, rule="basic_first", priority=90)
    def basic_first(look: Look, deed: Deed) -> Outcome:
        """An empty place wants a Basic, and a Basic wants an empty place. What is carried out is free."""
        arriving = [it for it in _arriving(look, deed) if it.origin != STAGING]
        if not arriving:
            return None
        basics = [it for it in arriving if it.face.is_basic]
        if look.table.zones[arriving[0].to]:
            return Warn({"name": basics[0].face.name}) if basics else None
        if len(basics) > 1:
            return Warn({"name": basics[1].face.name})
        return None if basics else Warn({"name": arriving[0].face.name})

    @plugin.before(*CARRYING, rule="not_a_stadium", priority=90)
    def not_a_stadium(look: Look, deed: Deed) -> Outcome:
        """Only a stadium lies where stadiums lie."""
        for it in _carried(look, deed):
            if it.to == field.STADIUM and it.origin != it.to and not it.face.has(STADIUM):
                return Warn({"name": it.face.name})
        return None

    @plugin.before("add_counter", "set_counter", rule="counter_on_trainer")
    def counter_on_trainer(look: Look, deed: Deed) -> Outcome:
        """Damage and conditions are for creatures."""
        for id in what(deed.move):
            card = look.table[bearer(look, id)]
            if sees(look, deed.seat, card) and printed_on(look, card).is_trainer:
                return Warn({"name": card.face}, look.place(card).seen_by(card))
        return None


def _on_declarations(plugin: Plugin) -> None:
    @plugin.before("declare_action", rule="attack_first_turn", level="hard", priority=90)
    def attack_first_turn(look: Look, deed: Deed) -> Outcome:
        """Whoever begins does not attack on the first turn."""
        if one(deed.move, "kind") != ATTACK or NUMBER.of(look.table[TABLE]) > 1:
            return None
        return Warn({"name": one(deed.move, "name")})

    @plugin.before("declare_action", rule="energy_missing")
    def energy_missing(look: Look, deed: Deed) -> Outcome:
        """An attack wants as many energies as it costs; a card may count as two, so this is never certain."""
        named = declared(look, deed.seat, deed)
        if not isinstance(named, Attack):
            return None
        zone = look.table[what(deed.move)[0]].zone
        has = len(field.energies(look, deed.seat, zone))
        if has >= len(named.cost):
            return None
        return Warn({"name": named.name, "cost": len(named.cost), "has": has}, field.known_to(look, zone))

    @plugin.before("declare_action", rule="marker_used", level="hard", priority=80)
    def marker_used(look: Look, deed: Deed) -> Outcome:
        """Some things one does once in a game."""
        named = declared(look, deed.seat, deed)
        if named is None or not named.once_a_game:
            return None
        used = MARKER[one(deed.move, "kind")] in MARKERS.of(look.table.seat(deed.seat))
        return Warn({"name": named.name}) if used else None


def declared(look: Look, seat: Seat, deed: Deed) -> Attack | Ability | None:
    """The attack or the ability that a declaration names, if its creature can be seen."""
    kind, name = one(deed.move, "kind"), one(deed.move, "name")
    for id in what(deed.move):
        card = look.table.entities.get(id)
        if card is not None and sees(look, seat, card):
            face = printed_on(look, card)
            return face.attack(name) if kind == ATTACK else face.ability(name) if kind == ABILITY else None
    return None


def _on_the_end_of_a_turn(plugin: Plugin) -> None:
    @plugin.before("end_turn", rule="staging_not_empty", level="hard", priority=90, firm=True)
    def staging_not_empty(look: Look, deed: Deed) -> Outcome:
        """What was played is thrown away before the turn ends."""
        return Warn({"seat": deed.seat}) if look.table.zones[STAGING] else None

    @plugin.before("end_turn", rule="no_active", priority=95)
    def no_active(look: Look, deed: Deed) -> Outcome:
        """Whoever sets up sends a creature out."""
        empty = not look.table.zones[f"{deed.seat}.{field.ACTIVE}"]
        return Warn({"seat": deed.seat}) if empty and phase(look.table) == SETUP else None

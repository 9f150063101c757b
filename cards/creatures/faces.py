"""The cards of the creature battle, as their file has them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from cards.loading import read_rows
from engine.effects import Face
from engine.errors import BadCards

Supertype = Literal["creature", "trainer", "energy"]
Status = Literal["burn", "poison", "asleep", "paralyzed", "confused"]
BASIC, SUPPORTER, STADIUM, TOOL = "Basic", "Supporter", "Stadium", "Tool"
TYPES = ("Ember", "Tide", "Neutral")
ATTACKS, ABILITIES = "attacks", "abilities"  # what a creature has of either is called


class Further(Struct, frozen=True, forbid_unknown_fields=True):
    """Damage for every energy of a type beyond the cost."""

    of: str
    amount: int


class Attack(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An attack: what it costs and does. What its text says is also here as far as hands can follow it."""

    name: str
    cost: tuple[str, ...]
    damage: int = 0
    text: str = ""
    heads: Status | None = None  # of the defender, if a coin says so
    tails: Status | None = None  # of the attacker
    further: Further | None = None
    discards: int = 0  # energies of the attacker
    decides: bool = False  # the opponent chooses a new active creature
    once_a_game: bool = False


class Ability(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something that a creature can do beside attacking."""

    name: str
    text: str
    once_a_game: bool = False


class Row(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A row of the card file."""

    name: str
    number: int
    set: str
    supertype: Supertype
    subtypes: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    hp: int = 0
    evolves_from: str = ""
    attacks: tuple[Attack, ...] = ()
    abilities: tuple[Ability, ...] = ()
    weaknesses: tuple[str, ...] = ()
    resistances: tuple[str, ...] = ()
    retreat: tuple[str, ...] = ()
    boosts: dict[str, int] = {}  # what attacks of creatures of a type do more while this is the stadium
    text: str = ""
    by_hand: tuple[dict[str, Any], ...] = ()  # the moves by which a trainer is carried out, where they are always these


class Card(Face, frozen=True, kw_only=True):
    """A card of the battle."""

    row: Row

    @property
    def is_creature(self) -> bool:
        """Whether this can fight."""
        return self.row.supertype == "creature"

    @property
    def is_basic(self) -> bool:
        """A creature that needs no other under it."""
        return self.is_creature and BASIC in self.row.subtypes

    @property
    def is_evolution(self) -> bool:
        """A creature that grows out of another."""
        return self.is_creature and bool(self.row.evolves_from)

    @property
    def is_trainer(self) -> bool:
        """A card that is played for what it says."""
        return self.row.supertype == "trainer"

    @property
    def is_energy(self) -> bool:
        """What attacks are paid with."""
        return self.row.supertype == "energy"

    def has(self, subtype: str) -> bool:
        """Whether this is a supporter, a stadium, a tool."""
        return subtype in self.row.subtypes

    def attack(self, name: str) -> Attack | None:
        """An attack by its name."""
        return next((one for one in self.row.attacks if one.name == name), None)

    def ability(self, name: str) -> Ability | None:
        """An ability by its name."""
        return next((one for one in self.row.abilities if one.name == name), None)

    @property
    def layer(self) -> int:
        """How far up in a stack this belongs: tool, energy, then the creatures as they grew."""
        if not self.is_creature:
            return 0 if self.is_trainer else 1
        stages = (BASIC, "Stage 1", "Stage 2", "Break")
        return 2 + max((n for n, stage in enumerate(stages) if stage in self.row.subtypes), default=0)


def read_cards(path: Path) -> Mapping[str, Card]:
    """All cards of a file. Raises `BadCards` with everything that is wrong in it."""
    cards = read_rows(path, Row, _make)
    missing = [
        f"{path.name}, {card.name}: it evolves from {card.row.evolves_from!r}, which is no card here"
        for card in cards.values()
        if card.row.evolves_from and card.row.evolves_from not in cards
    ]
    if missing:
        raise BadCards(missing)
    return cards


def _make(row: Row) -> Card:
    mistakes = []
    if (row.supertype == "creature") != (row.hp > 0):
        mistakes.append("a creature has hp, and nothing else has")
    costs = [type for attack in row.attacks for type in attack.cost]
    for type in (*row.types, *row.weaknesses, *row.resistances, *row.retreat, *row.boosts, *costs):
        if type not in TYPES:
            mistakes.append(f"there is no type {type!r}; there is {', '.join(TYPES)}")
    if mistakes:
        raise BadCards(mistakes)
    return Card(name=row.name, text=_text(row), row=row)


def _text(row: Row) -> str:
    """All that is printed on a card, in one line."""
    parts = [row.text] if row.text else []
    parts += [f"{one.name}: {one.text}" for one in row.abilities]
    for attack in row.attacks:
        cost = " ".join(type[0] for type in attack.cost)
        parts.append(f"{attack.name} [{cost}] {attack.damage}" + (f". {attack.text}" if attack.text else "."))
    return " ".join(parts)


def printed(card: Card) -> dict[str, Any]:
    """A card as a client draws it."""
    row = card.row
    found: dict[str, Any] = {"text": card.text, "kind": " ".join((*row.subtypes, row.supertype))}
    if row.hp:
        found |= {"hp": row.hp, "retreat": len(row.retreat)}
    found["type"] = (row.types or ("Neutral",))[0] if row.supertype != "trainer" else "Trainer"
    if row.evolves_from:
        found["evolves_from"] = row.evolves_from
    for name, types in (("weakness", row.weaknesses), ("resistance", row.resistances)):
        if types:
            found[name] = ", ".join(types)
    found |= {key: msgspec.to_builtins(value) for key in ("attacks", "abilities") if (value := getattr(row, key))}
    return {**found, "set": row.set, "number": str(row.number)}

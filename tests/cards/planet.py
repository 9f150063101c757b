"""A scene on Mars: the table is set by card names and hexes, and played by them.

    scene = Planet(side(hand=["Vent Field"], credit=11, energy_production=1), side())
    ann, bob = scene
    ann.plays("Vent Field")
    assert ann.makes("heat") == 4
    assert scene.waiting_for() == [ann]

Unless it is said otherwise it is generation 3, Ann moves and has two actions, nobody has anything, and the planet is as
it was at the beginning. Further cards can be given as their JSON has it: `rows=[...]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec
import pytest

from cards import find_game
from cards.mars.board import TILES
from cards.mars.facts import (
    ACTIONS,
    AWARDS,
    DID,
    FIRST,
    FORCED,
    GENERATION,
    HAS,
    HOLDS,
    MAKES,
    MILESTONES,
    PASSED,
    PHASE,
    RATING,
    RESOURCES,
    SCORE,
    STORED,
    TRACKS,
    here,
)
from cards.mars.rules import Mars
from engine.chance import make_seed
from engine.errors import Refused
from engine.frames import Entity, Offer, Turn
from engine.game import Game
from engine.journal import Journal
from engine.lens import Lens
from engine.match import Match
from engine.store import pack, state_hash, unpack
from engine.table import TABLE, Table, seat_id

GAME = find_game("mars")
SPARE = ("Ledger House",) * 12  # a deck of something, so that nobody runs out of it
LAND = "hex.-4.0"  # a hex of plain land without a bonus


@dataclass(frozen=True)
class Laid:
    """A card in play with a past."""

    face: str
    facts: Mapping[str, Any] = field(default_factory=dict)


def with_(card: str, **facts: Any) -> Laid:
    """A card in play on which something lies."""
    return Laid(card, facts)


class Side:
    """What one player has: cards, and any resource, production or fact by its name."""

    def __init__(
        self,
        hand: Sequence[str] = (),
        play: Sequence[str | Laid] = (),
        events: Sequence[str] = (),
        **numbers: int | bool | dict[str, int],
    ) -> None:
        self.hand, self.play, self.events = hand, play, events
        self.numbers = {name.replace("_", "-"): value for name, value in numbers.items()}


side = Side


@cache
def _game(rows: bytes) -> Mars:
    return Mars(msgspec.json.decode(rows))


class Planet:
    """A match in the middle, between Ann, Bob and perhaps others."""

    def __init__(
        self,
        *sides: Side,
        deck: Sequence[str] = SPARE,
        discard: Sequence[str] = (),
        tiles: Mapping[str, tuple[str, int] | str] | None = None,
        rows: Sequence[Mapping[str, Any]] = (),
        generation: int = 3,
        first: int = 0,
        options: Mapping[str, Any] | None = None,
        seed: int = 0,
        **planet: Any,
    ) -> None:
        game = _game(msgspec.json.encode(rows)) if rows else GAME
        assert isinstance(game, Mars)
        assert not game.mistakes, game.mistakes
        table = Table(
            game.id, game.rules, game.cards_hash, len(sides), make_seed(seed), game.read_options(options or {})
        )
        table.zones = dict.fromkeys(game.places(len(sides)), ())
        table.entities = {id: Entity(id) for id in (TABLE, *map(seat_id, range(len(sides))))}
        journal = Journal(Match(game, table).look)
        for zone, faces in (("deck", deck), ("discard", discard)):
            for name in reversed(faces):  # the first one named is on top
                journal.create(name, -1, zone)
        for seat, one in enumerate(sides):
            _seat(journal, seat, one)
        for key, tile in (tiles or {}).items():
            kind, owner = tile if isinstance(tile, tuple) else (tile, -1)
            journal.create(TILES.get(kind, kind), owner, key)
        seas = sum(tile == "ocean" for tile in (tiles or {}).values())
        facts = {"generation": generation, "first": first, "phase": "action", "actions": 2, "oceans": seas, **planet}
        attrs = {attr.name: attr for attr in (GENERATION, FIRST, PHASE, ACTIONS, MILESTONES, AWARDS, *TRACKS.values())}
        for name, value in facts.items():
            journal.note(attrs[name], value)
        journal.push(Turn(first))
        journal.close()
        self._sit(Match(game, table))

    @classmethod
    def dealt(cls, game: Game = GAME, **how: Any) -> Planet:
        """A match from its first moment."""
        scene = cls.__new__(cls)
        scene._sit(Match.deal(game, **{"seed": 0, "first": 0, **how}))
        return scene

    def _sit(self, match: Match) -> None:
        self.match = match
        names = ("ann", "bob", "cy", "di", "ed")
        self.players = tuple(Player(self, seat, names[seat]) for seat in range(match.table.seats))

    def __iter__(self) -> Iterator[Player]:
        return iter(self.players)

    @property
    def table(self) -> Table:
        return self.match.table

    @property
    def hash(self) -> str:
        return state_hash(self.table)

    def level(self, track: str) -> int:
        """Where a parameter stands."""
        return TRACKS[track].of(here(self.table))

    @property
    def generation(self) -> int:
        return GENERATION.of(here(self.table))

    @property
    def phase(self) -> str:
        return PHASE.of(here(self.table))

    @property
    def actions(self) -> int:
        """Left to whoever moves."""
        return ACTIONS.of(here(self.table))

    def waiting_for(self) -> list[Player]:
        return [self.players[seat] for seat in self.match.waiting()]

    def tile(self, key: str) -> tuple[str, int] | None:
        """What lies on a hex, and whose it is."""
        lying = [card for card in self.table.lying(key) if card.face != TILES["claim"]]
        return (lying[0].face, lying[0].owner) if lying else None

    def faces(self, zone: str) -> list[str]:
        """The cards of a zone from the top."""
        return [card.face for card in reversed(self.table.lying(zone))]

    @contextmanager
    def refused(self, code: str | None = None) -> Iterator[None]:
        """What is done in here is refused, with this code, and leaves no trace."""
        before = self.hash
        with pytest.raises(Refused) as no:
            yield
        assert self.hash == before
        assert code in (None, no.value.code), f"refused as {no.value.code}, not {code}"

    def restored(self) -> Planet:
        """The same scene after it was stored and read back."""
        scene = Planet.__new__(Planet)
        scene._sit(Match(self.match.game, unpack(self.match.game, pack(self.table))))
        return scene

    def expire(self) -> None:
        self.match.expire()
        self.tally()

    def tally(self) -> None:
        """Every card is in exactly one zone and nobody has less than nothing. Looked at after every move."""
        laid = sorted(id for ids in self.table.zones.values() for id in ids)
        assert laid == sorted(id for id in self.table.entities if id > 0)
        for player in self.players:
            assert all(player.has(name) >= 0 for name in RESOURCES)
            assert all(player.makes(name) >= (-5 if name == "credit" else 0) for name in RESOURCES)


class Player:
    """One of the players: what they do, have, and may do. Cards are named."""

    def __init__(self, scene: Planet, seat: int, name: str) -> None:
        self.scene, self.seat, self.name = scene, seat, name

    def __repr__(self) -> str:
        return self.name

    # what a player does

    def plays(self, card: str, **slots: Any) -> None:
        """Play a card from the hand; what is not said of the payment is as little as possible."""
        self._fills("play", self.card(card, "hand"), slots)

    def uses(self, card: str, **slots: Any) -> None:
        """Use the action of a card in play."""
        self._fills("use", self.card(card, "tableau"), slots)

    def does(self, kind: str, **slots: Any) -> None:
        """A standard project, a conversion, a milestone, an award, or an answer."""
        self._fills(kind, 0, slots)

    def places(self, key: str) -> None:
        self._fills("place", 0, {"hex": key})

    def aims(self, at: Player) -> None:
        self._fills("player", 0, {"seat": at.seat})

    def picks(self, *cards: str | int, kind: str = "pick") -> None:
        """Answer by cards, wherever they lie."""
        self._fills(kind, 0, {"cards": [self._among(kind, card) for card in cards]})

    def passes(self) -> None:
        """Pass, or end the turn, or decline: whatever is offered."""
        kind = next(offer.type for offer in self.offers() if offer.type in ("pass", "end_turn"))
        self.sends({"type": kind})

    def sends(self, move: Mapping[str, Any]) -> None:
        """Make a move in the words of the wire."""
        self.scene.match.act(self.seat, move)
        self.scene.tally()

    def _fills(self, kind: str, card: int, slots: Mapping[str, Any]) -> None:
        """Fill the offer of this kind that takes these slots; if none does, send it as it is, to be refused."""
        given = {
            name: value if isinstance(value, list | int) and name != "seat" else [value]
            for name, value in slots.items()
        }
        move = {"type": kind, **({"card": card} if card else {}), **given}
        for offer in self.offers(kind, card):
            ranges = {slot.name: slot.range[0] for slot in offer.slots if slot.range and slot.name not in given}
            if {slot.name for slot in offer.slots} == {*given, *ranges} and self._inside(offer, given):
                move = {**move, **ranges}
                break
        self.sends(move)

    def _inside(self, offer: Offer, given: Mapping[str, Any]) -> bool:
        return all(
            slot.range[0] <= given[slot.name] <= slot.range[1]
            for slot in offer.slots
            if slot.range and slot.name in given
        )

    def _among(self, kind: str, card: str | int) -> int:
        if isinstance(card, int):
            return card
        options = [id for offer in self.offers(kind) for slot in offer.slots for id in slot.from_]
        found = [id for id in options if isinstance(id, int) and self.scene.table[id].face == card]
        return found[0] if found else next(id for id, one in self.scene.table.entities.items() if one.face == card)

    # what a player has

    def has(self, resource: str) -> int:
        return HAS[resource].of(self._facts)

    def makes(self, resource: str) -> int:
        return MAKES[resource].of(self._facts)

    @property
    def money(self) -> int:
        return self.has("credit")

    @property
    def tr(self) -> int:
        return RATING.of(self._facts)

    @property
    def hand(self) -> list[str]:
        return [card.face for card in self.scene.table.lying(f"{self.seat}.hand")]

    @property
    def play(self) -> list[str]:
        return [card.face for card in self.scene.table.lying(f"{self.seat}.tableau")]

    @property
    def sheet(self) -> dict[str, int]:
        """The points at the end, line by line."""
        return SCORE.of(self._facts)

    def holds(self, card: str) -> int:
        """How many of anything lie on a card."""
        laid = self.scene.table[self.card(card, "tableau")]
        return sum(HOLDS[kind].of(laid) for kind in STORED)

    def card(self, name: str, zone: str) -> int:
        cards = self.scene.table.lying(f"{self.seat}.{zone}")
        return next((card.id for card in cards if card.face == name), 10**9)

    @property
    def view(self) -> dict[str, Any]:
        return Lens(self.scene.match.look, self.seat).whole()

    @property
    def _facts(self) -> Entity:
        return self.scene.table.seat(self.seat)

    # what a player may do

    def offers(self, kind: str = "", card: int = 0) -> list[Offer]:
        found = self.scene.match.offers(self.seat)
        return [offer for offer in found if kind in ("", offer.type) and card in (0, offer.card)]

    def may(self, kind: str, card: str = "") -> bool:
        zone = "hand" if kind == "play" else "tableau"
        return bool(self.offers(kind, self.card(card, zone) if card else 0))

    def why(self, card: str) -> str:
        """Why a card cannot be played or used now."""
        blocked = dict(self.scene.match.game.blocked(self.scene.match.look, self.seat))
        return blocked.get(self.card(card, "hand"), blocked.get(self.card(card, "tableau"), ""))

    def options(self, kind: str, slot: str) -> list[Any]:
        """What may be put into a slot of a move of this kind."""
        return [one for offer in self.offers(kind) for part in offer.slots if part.name == slot for one in part.from_]

    def price(self, kind: str, card: str = "") -> int:
        """What a move costs."""
        zone = "hand" if kind == "play" else "tableau"
        offers = self.offers(kind, self.card(card, zone) if card else 0)
        (cost,) = {amount for offer in offers for amount in offer.cost.values()}
        return cost


def _seat(journal: Journal, seat: int, one: Side) -> None:
    for zone, cards in (("hand", one.hand), ("tableau", one.play), ("events", one.events)):
        for card in cards:
            laid = card if isinstance(card, Laid) else Laid(card)
            journal.create(laid.face, -1, f"{seat}.{zone}", **dict(laid.facts))
    attrs = {attr.name: attr for attr in (*HAS.values(), *MAKES.values(), RATING, PASSED, FORCED, DID)}
    for name, value in one.numbers.items():
        journal.set(seat_id(seat), attrs[name], value)

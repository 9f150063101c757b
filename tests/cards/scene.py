"""A scene of the toy battle: the table is set by card names and played by card names.

    scene = Scene(side(play=["Ka"], cc=4), side(play=["Snuggles", "Car"]))
    ann, bob = scene
    ann.tussles("Ka", "Snuggles")
    bob.chooses("Ka")
    assert ann.asleep == ["Ka"]
    assert scene.waiting_for() == [ann]

Unless it is said otherwise it is turn 3, Ann began and moves, both have 7 CC, and both hold a spare card so that
nobody loses by accident. A name that could mean two cards is made clear by `ann.s("Ka")`: the one on Ann's side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from cards import find_game
from cards.ggltcg.facts import CC, DAMAGE, DECK, FIRST, NUMBER, SHAPE, STATS, STRIKES, stat
from engine.chance import make_seed
from engine.errors import Refused
from engine.frames import Entity, Offer, Turn
from engine.journal import Journal
from engine.lens import Lens
from engine.match import Match
from engine.store import state_hash
from engine.table import AUDIENCE, TABLE, Table, seat_id

GAME = find_game("ggltcg")
SPARE = ("Block",)
MOST_CC = 7


@dataclass(frozen=True)
class Laid:
    """A card in play with a past."""

    face: str
    damage: int = 0
    shape: str = ""
    stolen: bool = False


def hurt(card: str | Laid, damage: int) -> Laid:
    """A toy that has taken damage."""
    return replace(_laid(card), damage=damage)


def copy_of(shape: str, face: str = "Copy") -> Laid:
    """A Copy that has become this toy."""
    return Laid(face, shape=shape)


def clone_of(shape: str) -> Laid:
    """A Clone that has become this toy."""
    return copy_of(shape, "Clone")


def stolen(card: str | Laid) -> Laid:
    """A card that lies on this side and belongs to the other player."""
    return replace(_laid(card), stolen=True)


def _laid(card: str | Laid) -> Laid:
    return Laid(card) if isinstance(card, str) else card


@dataclass(frozen=True)
class Side:
    """What one player has on the table."""

    play: Sequence[str | Laid] = ()
    hand: Sequence[str] = SPARE
    asleep: Sequence[str] = ()
    cc: int = MOST_CC
    attacks: int = 0


side = Side


class Scene:
    """A match in the middle, between Ann and Bob."""

    def __init__(
        self,
        ann: Side,
        bob: Side,
        *,
        turn: int = 3,
        first: int = 0,
        seed: int | str = 0,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        chosen = GAME.read_options(options or {})
        table = Table(GAME.id, GAME.rules, GAME.cards_hash, 2, make_seed(seed), chosen)
        table.zones = dict.fromkeys(GAME.places(2), ())
        table.entities = {id: Entity(id) for id in (TABLE, seat_id(0), seat_id(1))}
        match = Match(GAME, table)
        journal = Journal(match.look)
        for seat, half in enumerate((ann, bob)):
            _lay(journal, seat, half)
        journal.note(NUMBER, turn)
        journal.note(FIRST, first)
        for seat in (0, 1):
            owned = [card.face for card in table.entities.values() if card.owner == seat]
            journal.set(seat_id(seat), DECK, owned)
        journal.push(Turn((first + turn - 1) % 2))
        journal.close()
        self._sit(match)

    @classmethod
    def dealt(cls, *decks: Sequence[str], **how: Any) -> Scene:
        """A match from its first moment."""
        scene = cls.__new__(cls)
        scene._sit(Match.deal(GAME, **{"decks": decks, "seed": 0, "first": 0, **how}))
        return scene

    @classmethod
    def at(cls, table: Table) -> Scene:
        """A scene that goes on at this table."""
        scene = cls.__new__(cls)
        scene._sit(Match(GAME, table))
        return scene

    def _sit(self, match: Match) -> None:
        self.match = match
        self.players = (Player(self, 0, "ann"), Player(self, 1, "bob"))

    def __iter__(self) -> Iterator[Player]:
        return iter(self.players)

    @property
    def table(self) -> Table:
        return self.match.table

    @property
    def turn(self) -> int:
        """The number of the turn."""
        return NUMBER.of(self.table[TABLE])

    @property
    def hash(self) -> str:
        return state_hash(self.table)

    def waiting_for(self) -> list[Player]:
        """The players who owe a move or an answer."""
        return [self.players[seat] for seat in self.match.waiting()]

    @property
    def over(self) -> bool:
        return self.match.over

    @property
    def winner(self) -> Player | None:
        """Who has won; nobody while it goes on and when it is a draw."""
        result = self.table.result
        return self.players[result.winners[0]] if result and result.winners else None

    @property
    def drawn(self) -> str:
        """The reason of a draw; empty when there is none."""
        result = self.table.result
        return result.reason if result and not result.winners else ""

    def expire(self) -> None:
        """Time runs out for whoever is waited for."""
        self.match.expire()
        self.tally()

    @contextmanager
    def refused(self, code: str | None = None) -> Iterator[None]:
        """What is done in here is refused, with this code, and leaves no trace."""
        before = self.hash
        with pytest.raises(Refused) as no:
            yield
        assert self.hash == before
        assert code in (None, no.value.code), f"refused as {no.value.code}, not {code}"

    def tally(self) -> None:
        """Every card is in exactly one zone, and CC stay within their bounds. Looked at after every move."""
        laid = sorted(id for ids in self.table.zones.values() for id in ids)
        assert laid == sorted(id for id in self.table.entities if id > 0)
        for key, ids in self.table.zones.items():
            assert all(self.table[id].zone == key for id in ids)
        for player in self.players:
            assert 0 <= player.cc <= MOST_CC


class Player:
    """One of the two: what they do, have, and may do. Cards are named; a number is a card's id."""

    def __init__(self, scene: Scene, seat: int, name: str) -> None:
        self.scene = scene
        self.seat = seat
        self.name = name

    def __repr__(self) -> str:
        return self.name

    # what a player does

    def plays(self, card: str | int, on: Any = None, pay: str | int | None = None) -> None:
        """Play a card from the hand, perhaps on one card or several, perhaps paid for by sleeping one."""
        move: dict[str, Any] = {"type": "play", "card": self._from_hand(card)}
        if on is not None:
            names = [on] if isinstance(on, str | int) else on
            move["target"] = [self._target(move, "target", name) for name in names]
        if pay is not None:
            move["pay"] = [self._target(move, "pay", pay)]
        self.sends(move)

    def tussles(self, card: str | int, foe: str | int) -> None:
        """Attack a card of the other side."""
        foes = (f"{1 - self.seat}.in_play",)
        self.sends({"type": "tussle", "card": self._in_play(card), "foe": [self._find(foe, foes)]})

    def strikes(self, card: str | int) -> None:
        """Attack the other hand."""
        self.sends({"type": "strike", "card": self._in_play(card)})

    def uses(self, card: str | int, on: str | int, times: int = 1) -> None:
        """Use an ability, once or so many times."""
        for _ in range(times):
            move: dict[str, Any] = {"type": "use", "card": self._in_play(card)}
            move["target"] = [self._target(move, "target", on)]
            self.sends(move)

    def ends_turn(self) -> None:
        self.sends({"type": "end_turn"})

    def chooses(self, card: str | int) -> None:
        """Answer a question by a card."""
        move: dict[str, Any] = {"type": "choose"}
        self.sends({**move, "target": [self._target(move, "target", card)]})

    def passes(self) -> None:
        """Answer a question by no."""
        self.sends({"type": "pass"})

    def resigns(self) -> None:
        self.scene.match.resign(self.seat)

    def sends(self, move: Mapping[str, Any]) -> None:
        """Make a move in the words of the wire."""
        self.scene.match.act(self.seat, move)
        self.scene.tally()

    # what a player has

    @property
    def play(self) -> list[str]:
        return self._names("in_play")

    @property
    def hand(self) -> list[str]:
        return self._names("hand")

    @property
    def asleep(self) -> list[str]:
        return self._names("sleep")

    @property
    def cc(self) -> int:
        return CC.of(self.scene.table.seat(self.seat))

    @property
    def attacks(self) -> int:
        """The direct attacks made this turn."""
        return STRIKES.of(self.scene.table.seat(self.seat))

    def s(self, name: str, where: str = "") -> int:
        """The card of this name on this player's side: in play, or else in hand, or else asleep."""
        zones = (where,) if where else ("in_play", "hand", "sleep")
        return self._find(name, tuple(f"{self.seat}.{zone}" for zone in zones))

    def stats(self, name: str | int) -> tuple[int, int, int]:
        """Speed, strength and stamina as they count now."""
        card = self.scene.table[name if isinstance(name, int) else self.s(name)]
        speed, strength, stamina = (stat(self.scene.match.look, card, name) for name in STATS)
        return speed, strength, stamina

    def speed(self, name: str | int) -> int:
        return self.stats(name)[0]

    def strength(self, name: str | int) -> int:
        return self.stats(name)[1]

    def stamina(self, name: str | int) -> int:
        return self.stats(name)[2]

    @property
    def view(self) -> dict[str, Any]:
        """What this player sees."""
        return Lens(self.scene.match.look, self.seat).whole()

    # what a player may do

    def may(self, kind: str, card: str | int | None = None) -> bool:
        """Whether a move of this kind is offered, with this card if one is named."""
        return bool(self._offers(kind, card))

    def price(self, kind: str, card: str | int, on: str | int | None = None, pay: str | int | None = None) -> int:
        """The CC that this move would cost."""
        found = set()
        for offer in self._offers(kind, card):
            slots = {slot.name: slot.from_ for slot in offer.slots}
            if ("pay" in slots) != (pay is not None):
                continue
            if on is None or self._names_one(on, slots.get("target", ())):
                found.add(offer.cost["cc"])
        assert len(found) == 1, f"{kind} {card}: the prices are {sorted(found)}"
        return found.pop()

    def targets(self, kind: str = "choose", card: str | int | None = None, slot: str = "target") -> list[str]:
        """The names of what this move may be aimed at, in alphabetical order."""
        return sorted(self._name(id) for id in self._slot({"type": kind, "card": card}, slot))

    def foes(self, card: str | int) -> list[str]:
        """What a toy may attack."""
        return self.targets("tussle", card, "foe")

    # names and ids

    def _offers(self, kind: str, card: str | int | None = None) -> list[Offer]:
        if isinstance(card, str):
            card = self._from_hand(card) if kind == "play" else self._in_play(card)
        mine = self.scene.match.offers(self.seat)
        return [offer for offer in mine if offer.type == kind and card in (None, offer.card)]

    def _slot(self, move: Mapping[str, Any], name: str) -> list[int]:
        offers = self._offers(move["type"], move.get("card"))
        return [int(id) for offer in offers for slot in offer.slots if slot.name == name for id in slot.from_]

    def _target(self, move: Mapping[str, Any], slot: str, card: str | int) -> int:
        """The card meant: one that may be chosen if there is one, else whichever bears the name."""
        if isinstance(card, int):
            return card
        legal = [id for id in self._slot(move, slot) if self._name(id) == card]
        if legal:
            return self._only(card, legal)
        return self._find(card, tuple(self.scene.table.zones))

    def _from_hand(self, card: str | int) -> int:
        return self._find(card, (f"{self.seat}.hand",))

    def _in_play(self, card: str | int) -> int:
        return self._find(card, (f"{self.seat}.in_play",))

    def _find(self, card: str | int, zones: Sequence[str]) -> int:
        if isinstance(card, int):
            return card
        for zone in zones:
            found = [id for id in self.scene.table.zones[zone] if self._name(id) == card]
            if found:
                return self._only(card, found)
        raise AssertionError(f"there is no {card} in {', '.join(zones)}")

    def _only(self, name: str, ids: Sequence[int]) -> int:
        """One of these cards, which must not differ in anything that a name could tell."""
        table = self.scene.table
        kinds = {(table[id].zone, table[id].owner) for id in ids}
        assert len(kinds) == 1, f"which {name}?"
        return ids[0]

    def _names_one(self, card: str | int, ids: Sequence[int | str]) -> bool:
        return card in ids if isinstance(card, int) else any(self._name(int(id)) == card for id in ids)

    def _names(self, zone: str) -> list[str]:
        return [self._name(id) for id in self.scene.table.zones[f"{self.seat}.{zone}"]]

    def _name(self, id: int) -> str:
        card = self.scene.table[id]
        shape = SHAPE.of(card)
        return f"{card.face} of {shape}" if shape else card.face


def watched(scene: Scene) -> dict[str, Any]:
    """What somebody sees who only watches."""
    return Lens(scene.match.look, AUDIENCE).whole()


def _lay(journal: Journal, seat: int, half: Side) -> None:
    for name in half.hand:
        journal.create(name, seat, f"{seat}.hand")
    for name in half.asleep:
        journal.create(name, seat, f"{seat}.sleep")
    for card in map(_laid, half.play):
        owner = 1 - seat if card.stolen else seat
        facts = {DAMAGE.name: card.damage, SHAPE.name: card.shape}
        journal.create(card.face, owner, f"{seat}.in_play", **{key: value for key, value in facts.items() if value})
    journal.set(seat_id(seat), CC, half.cc)
    journal.set(seat_id(seat), STRIKES, half.attacks)

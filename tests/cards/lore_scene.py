"""A scene on the quays: the table is set by card names and played by card names.

    scene = Scene(side(["Wick, Apprentice"], hand=["Numbing"], ink=2), side([exerted("Rivet")]))
    ann, bob = scene
    ann.quests("Wick, Apprentice")
    ann.plays("Numbing")
    assert bob.is_exerted("Rivet")

A name may be cut short as long as it means one card of the catalogue. Unless it is said otherwise it is turn 3, Ann
began and is in her main phase, nobody has ink or lore, characters are ready and dry, and both have ten cards left to
draw. Cards made up for tests are in `lore_cards.json`; `Crew, 3/4/1` has strength 3, willpower 4, lore 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from cards.lore.facts import DAMAGE, DECK, FIRST, LORE, NUMBER, PHASE, nth, number, strength
from engine.chance import make_seed
from engine.errors import Refused
from engine.frames import Entity, Offer, Turn
from engine.journal import Journal
from engine.lens import Lens
from engine.match import Match
from engine.store import state_hash
from engine.table import AUDIENCE, TABLE, Table, seat_id
from tests.cards.lore_laying import (
    GAME,
    PLACES,
    Side,
    at,
    boosted,
    drying,
    exerted,
    full,
    hurt,
    lay,
    over,
    side,
)

__all__ = ["GAME", "Player", "Scene", "at", "boosted", "drying", "exerted", "hurt", "over", "side", "watched"]

NOTHING = Side()
ZONES = ("characters", "items", "locations", "hand", "discard", "aside", "under", "inkwell", "deck")


class Scene:
    """A match in the middle, between Ann and Bob."""

    def __init__(self, ann: Side, bob: Side = NOTHING, *, turn: int = 3, seed: int = 0, **options: Any) -> None:
        chosen = GAME.read_options(options)
        table = Table(GAME.id, GAME.rules, GAME.cards_hash, 2, make_seed(seed), chosen)
        table.zones = dict.fromkeys(GAME.places(2), ())
        table.entities = {id: Entity(id) for id in (TABLE, seat_id(0), seat_id(1))}
        match = Match(GAME, table)
        journal = Journal(match.look)
        for seat, half in enumerate((ann, bob)):
            lay(journal, seat, half)
            owned = Counter(card.face for card in table.entities.values() if card.owner == seat)
            journal.set(seat_id(seat), DECK, dict(sorted(owned.items())))
        journal.note(NUMBER, turn)
        journal.note(FIRST, 0)
        journal.note(PHASE, "main")
        journal.push(Turn((turn - 1) % 2))
        journal.close()
        self._sit(match)

    @classmethod
    def dealt(cls, *decks: str, **how: Any) -> Scene:
        """A match from its first moment, with ready-made decks."""
        scene = cls.__new__(cls)
        lists = [GAME.decks[deck] for deck in decks or ("Lantern Choir", "Ironquay Crew")]
        scene._sit(Match.deal(GAME, **{"decks": lists, "seed": 0, "first": 0, **how}))
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
        return NUMBER.of(self.table[TABLE])

    @property
    def phase(self) -> str:
        return PHASE.of(self.table[TABLE])

    @property
    def hash(self) -> str:
        return state_hash(self.table)

    @property
    def winner(self) -> Player | None:
        result = self.table.result
        return self.players[result.winners[0]] if result and result.winners else None

    @property
    def reason(self) -> str:
        return self.table.result.reason if self.table.result else ""

    def waiting_for(self) -> list[Player]:
        return [self.players[seat] for seat in self.match.waiting()]

    def asked(self) -> list[Player]:
        """Who owes an answer; nobody while a turn goes on."""
        return [player for player in self.waiting_for() if self.match.question(player.seat)]

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
        assert code in (None, no.value.code), f"refused as {no.value.code}, not {code}: {no.value}"

    def tally(self) -> None:
        """Every card is in exactly one zone, and whatever lies under a card or at a location points at one."""
        table = self.table
        laid = sorted(id for ids in table.zones.values() for id in ids)
        assert laid == sorted(id for id in table.entities if id > 0)
        for key, ids in table.zones.items():
            assert all(table[id].zone == key for id in ids)
        for seat in range(2):
            tops = table.zones[f"{seat}.characters"]
            assert all(card.facts["on"] in tops for card in table.lying(f"{seat}.under"))
            for card in table.lying(f"{seat}.characters"):
                assert card.facts.get("at", 0) in (0, *table.zones[f"{seat}.locations"])
            assert LORE.of(table.seat(seat)) >= 0
        assert table.stack[0].seat in (0, 1)


class Player:
    """One of the two: what they do, have, and may do. Cards are named; a number is a card's id."""

    def __init__(self, scene: Scene, seat: int, name: str) -> None:
        self.scene = scene
        self.seat = seat
        self.name = name

    def __repr__(self) -> str:
        return self.name

    # what a player does on a turn

    def inks(self, card: str) -> None:
        self.sends({"type": "play_ink", "card": self._held(card)})

    def plays(self, card: str, onto: str | int | None = None, exerted: bool = False) -> None:
        """Play a card from the hand, perhaps on top of a character, perhaps exerted."""
        id = self._held(card)
        kind = GAME.cards[self._face(id)].type
        move: dict[str, Any] = {"type": "play_action" if kind == "song" else f"play_{kind}", "card": id}
        if onto is not None:
            move["shift_onto"] = [self.id(onto, "characters")]
        if exerted:
            move["enter_exerted"] = ["exerted"]
        self.sends(move)

    def sings(self, song: str, *singers: str) -> None:
        """One character sings, or several do together."""
        ids = [self.id(name, "characters") for name in _each(singers)]
        slot = {"singer": ids} if len(ids) == 1 else {"singers": ids}
        kind = "sing_song" if len(ids) == 1 else "sing_together"
        self.sends({"type": kind, "card": self._held(song), **slot})

    def quests(self, card: str | int) -> None:
        self.sends({"type": "quest_character", "card": self.id(card, "characters")})

    def challenges(self, card: str | int, foe: str | int) -> None:
        """Challenge a character or a location of the other side."""
        other = self.scene.players[1 - self.seat]
        target = other.id(foe)
        place = "location" if self.scene.table[target].zone.endswith("locations") else "character"
        slot = "location" if place == "location" else "defender"
        move = {"type": f"challenge_{place}", "card": self.id(card, "characters"), slot: [target]}
        self.sends(move)

    def moves(self, card: str, to: str | int) -> None:
        self.sends({"type": "move_character", "card": self.id(card, "characters"), "location": [self.id(to)]})

    def uses(self, card: str | int, ability: int = 0, **pay: Any) -> None:
        """Use an ability by its number; `pay` names what is paid besides ink."""
        more = {slot: [self.id(name) for name in _each(names)] for slot, names in pay.items()}
        self.sends({"type": "activate_ability", "card": self.id(card), "ability": [nth(ability)], **more})

    def boosts(self, card: str) -> None:
        self.sends({"type": "boost", "card": self.id(card, "characters")})

    def ends_turn(self) -> None:
        self.sends({"type": "pass_turn"})

    # what a player answers

    def alters(self, *cards: int) -> None:
        self.sends({"type": "alter_hand", "card_ids": list(cards)})

    def chooses(self, *cards: str | int) -> None:
        """Choose cards out of those that may be; none declines."""
        slot = self.slot()
        legal = [int(id) for id in slot.from_]
        ids: list[int] = []
        for card in cards:
            named = [id for id in legal if id not in ids and (card == id or self._is(id, card))]
            ids.append(named[0] if named else self._anywhere(card))
        self.sends({"type": "choose", slot.name: ids})

    def says(self, answer: str) -> None:
        """Yes or no, or one of several options."""
        self.sends({"type": "choose", self.slot().name: [answer]})

    def names(self, amount: int) -> None:
        """A number."""
        self.sends({"type": "choose", "amount": amount})

    def resolves(self, card: str) -> None:
        """Say which of one's own triggers comes next, by the card that it is on."""
        heard = next(n for n, one in enumerate(self.scene.table.bag, 1) if one.source.face == full(card))
        offers = [offer for offer in self.offers("order_triggers") if offer.slots[0].from_ == (f"#{heard}",)]
        move = {"type": "order_triggers", "item": [f"#{heard}"]}
        self.sends({**move, "card": offers[0].card} if offers[0].card else move)

    def sends(self, move: Mapping[str, Any]) -> None:
        """Make a move in the words of the wire."""
        self.scene.match.act(self.seat, move)
        self.scene.tally()

    # what a player has

    def zone(self, kind: str) -> list[str]:
        return [card.face for card in self.scene.table.lying(f"{self.seat}.{kind}")]

    @property
    def play(self) -> list[str]:
        return [name for kind in PLACES.values() for name in self.zone(kind)]

    @property
    def hand(self) -> list[str]:
        return self.zone("hand")

    @property
    def discard(self) -> list[str]:
        return self.zone("discard")

    @property
    def deck(self) -> list[str]:
        return self.zone("deck")

    @property
    def lore(self) -> int:
        return LORE.of(self.scene.table.seat(self.seat))

    @property
    def ink(self) -> int:
        """Ink that is ready."""
        return sum("exerted" not in card.facts for card in self.scene.table.lying(f"{self.seat}.inkwell"))

    @property
    def inkwell(self) -> int:
        return len(self.zone("inkwell"))

    @property
    def view(self) -> dict[str, Any]:
        return Lens(self.scene.match.look, self.seat).whole()

    def card(self, name: str | int) -> Entity:
        return self.scene.table[self.id(name)]

    def is_exerted(self, name: str | int) -> bool:
        return "exerted" in self.card(name).facts

    def is_drying(self, name: str | int) -> bool:
        return "drying" in self.card(name).facts

    def damage(self, name: str | int) -> int:
        return DAMAGE.of(self.card(name))

    def strength(self, name: str | int) -> int:
        return strength(self.scene.match.look, self.card(name))

    def number(self, name: str | int, what: str) -> int:
        """Any number of a card as it counts now: lore, willpower, a keyword."""
        return number(self.scene.match.look, self.card(name), what)

    # what a player may do

    def offers(self, kind: str, card: str | int | None = None) -> list[Offer]:
        id = None if card is None else self.id(card)
        mine = self.scene.match.offers(self.seat)
        return [offer for offer in mine if offer.type == kind and id in (None, offer.card)]

    def may(self, kind: str, card: str | int | None = None) -> bool:
        """Whether a move of this kind is offered, with this card if one is named."""
        return bool(self.offers(kind, card))

    def foes(self, card: str | int) -> list[str]:
        """The characters that one may challenge."""
        return sorted(self._face(int(id)) for offer in self.offers("challenge_character", card) for id in _from(offer))

    def price(self, card: str) -> list[int]:
        """What a card in hand costs, by each way of playing it."""
        id = self._held(card)
        mine = self.scene.match.offers(self.seat)
        return sorted({o.cost["ink"] for o in mine if o.card == id and o.type.startswith("play_") and o.cost})

    def slot(self) -> Any:
        """The gap that the open question leaves."""
        return self.scene.match.offers(self.seat)[0].slots[0]

    def choices(self) -> list[str]:
        """The names of what may be chosen, or the words."""
        return sorted(self._face(entry) if isinstance(entry, int) else entry for entry in self.slot().from_)

    # names and ids

    def id(self, name: str | int, kind: str = "") -> int:
        """The card of this name on this player's side, in play first."""
        if isinstance(name, int):
            return name
        for zone in (kind,) if kind else ZONES:
            found = [id for id in self.scene.table.zones[f"{self.seat}.{zone}"] if self._is(id, name)]
            if found:
                return found[0]
        raise AssertionError(f"{self} has no {name}" + (f" in {kind}" if kind else ""))

    def _held(self, card: str | int) -> int:
        return self.id(card, "hand")

    def _anywhere(self, card: str | int) -> int:
        if isinstance(card, int):
            return card
        return next(id for id in self.scene.table.entities if id > 0 and self._is(id, card))

    def _is(self, id: int, name: str | int) -> bool:
        return isinstance(name, str) and self._face(id).startswith(name)

    def _face(self, id: int) -> str:
        return self.scene.table[id].face


def watched(scene: Scene) -> dict[str, Any]:
    """What somebody sees who only watches."""
    return Lens(scene.match.look, AUDIENCE).whole()


def _from(offer: Offer) -> Sequence[int | str]:
    return offer.slots[0].from_


def _each(names: Any) -> Sequence[Any]:
    return [names] if isinstance(names, str | int) else list(names)

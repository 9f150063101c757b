"""A scene of the fizzlebox: hands and pile are laid by card names, and people play by name.

    box = Box(hands=[["Stir", "Veto"], ["Veto"], []], pile=["Spark", "Button"])
    ann, bob, cy = box
    ann.plays("Stir")
    bob.vetoes()
    box.all_pass()
    assert box.waiting_for() == [ann]

Ann begins. A pile is told from its top; what is not said is dealt. After every move all cards are still there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from cards import find_game
from cards.kittens.facts import TURNS, living
from engine.errors import Refused
from engine.journal import Journal
from engine.lens import Lens
from engine.match import Match
from engine.news import Step
from engine.store import state_hash
from engine.table import AUDIENCE, TABLE, Table
from tests.engine.games import pen

GAME = find_game("kittens")
NAMES = ("ann", "bob", "cy", "di", "ed")


class Box:
    """A match between two and five."""

    def __init__(
        self,
        seats: int = 3,
        hands: Sequence[Sequence[str]] | None = None,
        pile: Sequence[str] | None = None,
        discard: Sequence[str] = (),
        **how: Any,
    ) -> None:
        self.match = Match.deal(GAME, **{"seats": seats, "seed": 1, "first": 0, **how})
        self._lay(hands, pile, discard)
        self.players = tuple(Player(self, seat) for seat in range(seats))
        self.cards = self._count()
        self.lenses = [Lens(self.match.look, viewer) for viewer in (*range(seats), AUDIENCE)]
        self.told: list[list[dict[str, Any]]] = [[] for _ in self.lenses]  # what each seat and the audience heard

    def _lay(self, hands: Any, pile: Any, discard: Sequence[str]) -> None:
        laid = {f"{seat}.hand": hand for seat, hand in enumerate(hands or ())}
        laid |= {} if pile is None else {"pile": list(reversed(pile))}
        with pen(self.match) as journal:
            for zone in laid:
                for id in self.table.zones[zone]:
                    journal.move(id, "out")
            for zone, names in {**laid, "discard": discard}.items():
                for name in names:
                    self._fetch(journal, name, zone)
        self.match._offers.clear()

    def _fetch(self, journal: Journal, name: str, zone: str) -> None:
        """A card of the box that is not used elsewhere; one more if there is none."""
        spare = next((card.id for card in self.table.lying("out") if card.face == name), None)
        if spare is None:
            journal.create(name, -1, zone)
        else:
            journal.move(spare, zone)

    def __iter__(self) -> Iterator[Player]:
        return iter(self.players)

    @property
    def table(self) -> Table:
        return self.match.table

    @property
    def pile(self) -> list[str]:
        """The pile from its top."""
        return self.faces("pile")[::-1]

    @property
    def discard(self) -> list[str]:
        return self.faces("discard")

    @property
    def turns(self) -> int:
        """The turns that the player still has, this one included."""
        return TURNS.of(self.table[TABLE])

    @property
    def alive(self) -> list[Player]:
        return [self.players[seat] for seat in living(self.table)]

    @property
    def window(self) -> int:
        """The number of the question that is open; 0 if none is."""
        asked = next((self.match.question(seat) for seat in self.match.waiting() if self.match.question(seat)), None)
        return asked[0].id if asked else 0

    def faces(self, zone: str) -> list[str]:
        return [card.face for card in self.table.lying(zone)]

    def sparks(self) -> int:
        """Sparks that somebody may still draw, the one that is to be hidden included."""
        return [*self.pile, *self.faces("fuse")].count("Spark")

    def waiting_for(self) -> list[Player]:
        return [self.players[seat] for seat in self.match.waiting()]

    def did(self, step: Step) -> Step:
        """Something happened: everybody hears of it, and no card was lost."""
        for lens, heard in zip(self.lenses, self.told, strict=True):
            heard += lens.news(step)
        assert self._count() == self.cards
        return step

    def all_pass(self) -> None:
        """Nobody cancels anything."""
        while self.window:
            self.waiting_for()[0].passes()

    def expires(self) -> Step:
        """Time runs out for whoever is waited for."""
        return self.did(self.match.expire())

    @contextmanager
    def refused(self, code: str | None = None) -> Iterator[None]:
        """What is done in here is refused, with this code, and leaves no trace."""
        before = state_hash(self.table)
        with pytest.raises(Refused) as no:
            yield
        assert state_hash(self.table) == before
        assert code in (None, no.value.code), f"refused as {no.value.code}, not {code}"

    def _count(self) -> int:
        laid = sorted(id for ids in self.table.zones.values() for id in ids)
        assert laid == sorted(id for id in self.table.entities if id > 0)
        return len(laid)


class Player:
    """Somebody at the box. Cards are named."""

    def __init__(self, box: Box, seat: int) -> None:
        self.box, self.seat, self.name = box, seat, NAMES[seat]

    def __repr__(self) -> str:
        return self.name

    # what a player does

    def plays(self, card: str, at: Player | None = None) -> Step:
        return self.sends({"type": "play", "card": self.card(card), **({"foe": [at.seat]} if at else {})})

    def pairs(self, card: str, at: Player) -> Step:
        return self.sends({"type": "pair", "cards": self.cards(card, 2), "foe": [at.seat]})

    def triples(self, card: str, at: Player, name: str) -> Step:
        return self.sends({"type": "triple", "cards": self.cards(card, 3), "foe": [at.seat], "name": [name]})

    def fives(self, cards: Sequence[str], take: str) -> Step:
        taken = next(card.id for card in self.box.table.lying("discard") if card.face == take)
        return self.sends({"type": "five", "cards": [self.card(card) for card in cards], "take": [taken]})

    def draws(self) -> Step:
        return self.sends({"type": "draw"})

    def places(self, at: Any) -> Step:
        return self.sends({"type": "place", "at": at})

    def vetoes(self) -> Step:
        return self.sends({"type": "veto", "veto": [self.card("Veto")]})

    def passes(self) -> Step:
        return self.sends({"type": "pass"})

    def gives(self, card: str) -> Step:
        return self.sends({"type": "give", "gift": [self.card(card)]})

    def leaves(self) -> Step:
        return self.box.did(self.box.match.resign(self.seat, "left"))

    def sends(self, move: dict[str, Any]) -> Step:
        return self.box.did(self.box.match.act(self.seat, move))

    # what a player has and sees

    @property
    def hand(self) -> list[str]:
        return self.box.faces(f"{self.seat}.hand")

    @property
    def view(self) -> dict[str, Any]:
        return Lens(self.box.match.look, self.seat).whole()

    @property
    def heard(self) -> list[dict[str, Any]]:
        return self.box.told[self.seat]

    def was_told(self, key: str) -> list[dict[str, Any]]:
        """What a kind of line said to them, each time that it was said."""
        return [event["args"] for event in self.heard if event.get("key") == key]

    @property
    def asked(self) -> str:
        """The question that is put to them, as they read it; empty if none is."""
        ask = Lens(self.box.match.look, self.seat).ask(self.box.match)
        return "" if ask is None else str(ask["text"])

    def may(self, kind: str) -> bool:
        return any(offer.type == kind for offer in self.box.match.offers(self.seat))

    def card(self, name: str) -> int:
        return self.cards(name, 1)[0]

    def cards(self, name: str, count: int) -> list[int]:
        found = [card.id for card in self.box.table.lying(f"{self.seat}.hand") if card.face == name]
        assert len(found) >= count, f"{self} has no {name}"
        return found[:count]

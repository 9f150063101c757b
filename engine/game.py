"""What the engine must know of a game.

A game is stateless: one instance serves every match. It supplies words, faces and zones, deals, says what may be
done, does it, and says how things look. Everything else, such as questions, undoing, secrecy and replays, is the
engine's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal

import msgspec
from msgspec import Struct

from engine.effects import Effects, Face
from engine.errors import Refused
from engine.frames import Entity, Move, Offer, Run, Seat
from engine.journal import Journal
from engine.look import Look
from engine.story import fill_in
from engine.table import Place, Table, Zone

View = dict[str, Any]
Record = Sequence[Mapping[str, Any]]
Luck = Callable[[int], int]  # a number below this one


class Option(Struct, frozen=True, omit_defaults=True):
    """Something a room may choose before the deal. A form can be drawn from it."""

    name: str
    kind: Literal["choice", "number", "switch"]
    default: Any
    text: str
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0

    def read(self, value: Any) -> Any:
        """The value if it is one that may be chosen; words from a command line count as numbers and switches."""
        if isinstance(value, str):
            value = self._typed(value)
        if self.kind == "switch":
            good = isinstance(value, bool)
        elif self.kind == "number":
            good = type(value) is int and self.least <= value <= self.most
        else:
            good = value in self.choices
        if not good:
            raise Refused("bad_option", f"{self.name} is {self._wants()}, not {value!r}.", option=self.name)
        return value

    def _typed(self, text: str) -> Any:
        if self.kind == "switch":
            return {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}.get(text, text)
        if self.kind == "number" and re.fullmatch(r"-?[0-9]{1,15}", text):
            return int(text)
        return text

    def _wants(self) -> str:
        if self.kind == "choice":
            return "one of " + ", ".join(self.choices)
        return "yes or no" if self.kind == "switch" else f"a number from {self.least} to {self.most}"


class Game:
    """The base of every game: the parts that most games share, to be replaced where one differs."""

    id: str
    title: str
    rules: str  # the version of its rules, told in every view
    seats: tuple[int, int]  # least and most
    effects: Effects
    faces: Mapping[str, Face]
    zones: tuple[Zone, ...]
    options: tuple[Option, ...] = ()
    decks: Mapping[str, tuple[str, ...]] = {}
    messages: Mapping[str, str] = {}
    playmat: Mapping[str, Any] = {}
    restless: frozenset[str] = frozenset()  # kinds of zone where a card may look different though nobody touched it
    budget = 1000  # words that one move may set off

    def __init__(self) -> None:
        self.topics = frozenset(topic for face in self.faces.values() for topic in face.by)
        self.cards_hash = _cards_hash(self.faces, self.catalogue())
        self._places: dict[int, dict[str, Place]] = {}
        self._live: dict[int, tuple[str, ...]] = {}
        self._labels: dict[tuple[str, str], tuple[str, list[Any]]] = {}

    # the furniture

    def places(self, seats: int) -> dict[str, Place]:
        """Every zone of a table for so many, by its key."""
        if seats not in self._places:
            self._places[seats] = {place.key: place for zone in self.zones for place in zone.places(seats)}
        return self._places[seats]

    def live_places(self, seats: int) -> tuple[str, ...]:
        """The zones in which cards are in play."""
        if seats not in self._live:
            self._live[seats] = tuple(place.key for place in self.places(seats).values() if place.live)
        return self._live[seats]

    def face_of(self, card: Entity) -> Face:
        """What a card says now."""
        return self.faces[card.face]

    def label(self, kind: str, face: str) -> tuple[str, list[Any]]:
        """What an offer of this kind is called, as a sentence and as a message key; worked out once for each face."""
        found = self._labels.get((kind, face))
        if found is None:
            key, args = f"offer.{kind}", {"face": face} if face else {}
            found = self._labels[kind, face] = (fill_in(self.messages, key, args), [key, args])
        return found

    # before the first card

    def read_options(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """All options of a match: what was chosen, and the defaults of the rest."""
        known = {option.name: option for option in self.options}
        for name in chosen:
            if name not in known:
                text = f"{self.title} has no option {name!r}; it has {', '.join(known) or 'none'}."
                raise Refused("bad_option", text, option=name)
        return {name: option.read(chosen.get(name, option.default)) for name, option in known.items()}

    def draw_deck(self, options: Mapping[str, Any], luck: Luck) -> tuple[str, ...]:
        """The deck of a seat that chose none."""
        return next(iter(self.decks.values()), ())

    def find_deck(self, deck: str | Sequence[str] | None, options: Mapping[str, Any]) -> list[str] | None:
        """A deck by its name or as a list, checked; None leaves it to luck."""
        if isinstance(deck, str):
            if deck not in self.decks:
                text = f"There is no deck {deck!r}; there is {', '.join(self.decks) or 'none with a name'}."
                raise Refused("unknown_deck", text, deck=deck)
            deck = self.decks[deck] or None
        if deck is None:
            return None
        self.check_deck(deck, options)
        return list(deck)

    def check_deck(self, deck: Sequence[str], options: Mapping[str, Any]) -> None:
        """Refuse a deck that may not be played."""

    def deal(self, journal: Journal, decks: Sequence[Sequence[str]], first: Seat | None) -> None:
        """Set the table and open the first turn."""
        raise NotImplementedError

    # while it is played

    def offers(self, look: Look, seat: Seat) -> Iterable[Offer]:
        """Every legal move of the seat whose turn it is."""
        raise NotImplementedError

    def blocked(self, look: Look, seat: Seat) -> Iterator[tuple[int, str]]:
        """Cards that this seat might try to use and cannot, each with the code that says why."""
        return iter(())

    def why_not(self, look: Look, seat: Seat, do: Mapping[str, Any]) -> str | None:
        """The code that says why a move is not offered, where the game knows."""
        return next((code for card, code in self.blocked(look, seat) if card == do.get("card")), None)

    def perform(self, journal: Journal, seat: Seat, move: Move) -> None:
        """Do a move that was offered."""
        raise NotImplementedError

    def settle(self, journal: Journal) -> bool:
        """What the rules do by themselves between two things. True if anything was done: it is asked again."""
        return False

    def open_bag(self, journal: Journal) -> bool:
        """Let cards that heard something speak: those of the active player first, each side in the order heard."""
        heard = journal.empty_bag()
        active = journal.table.active
        mine = [one for one in heard if one.seat == active]
        for one in reversed([*mine, *(one for one in heard if one.seat != active)]):  # the last pushed speaks first
            journal.push(Run((one.word,), one.seat, one.source, one.event))
        return bool(heard)

    def expired(self, journal: Journal, seat: Seat) -> None:
        """A turn ran out of time. Where the rules name no default, that loses the match."""
        self.leave(journal, seat, "time")

    def leave(self, journal: Journal, seat: Seat, reason: str) -> None:
        """A seat gives up, runs out of time or does not come back."""
        journal.say("left", seat=seat, reason=reason)
        journal.end((other for other in range(journal.table.seats) if other != seat), reason)

    # how it looks

    def show_turn(self, look: Look) -> dict[str, Any]:
        """The turn as everybody sees it, beside whose it is and who is waited for."""
        return {}

    def show_seat(self, look: Look, seat: Seat) -> dict[str, Any]:
        """A seat as everybody sees it, beside its name."""
        return {}

    def show_own(self, look: Look, seat: Seat) -> dict[str, Any]:
        """What only the player of a seat sees of it."""
        return {}

    def show_card(self, look: Look, card: Entity) -> dict[str, Any]:
        """A card as whoever sees its face sees it, beside its face and owner."""
        return {}

    def show_back(self, look: Look, card: Entity) -> dict[str, Any]:
        """A card that lies face down as a thing of its own."""
        return {}

    def show_table(self, look: Look) -> dict[str, Any]:
        """Anything else that everybody sees."""
        return {}

    def catalogue(self) -> dict[str, Any]:
        """The faces as a client draws them."""
        return {name: {"text": face.text} for name, face in self.faces.items()}

    # for bots

    def score(self, view: View, seat: Seat) -> float:
        """How well a seat stands, from what it sees: 1 is won, 0 is lost."""
        result = view.get("result")
        if result is None:
            return 0.5
        return 1 / len(result["winners"]) if seat in result["winners"] else 0.5 * (not result["winners"])

    def imagine(self, view: View, record: Record, luck: Luck) -> Table:
        """A table that could be the real one for all that this viewer knows."""
        raise NotImplementedError


def _cards_hash(faces: Mapping[str, Face], catalogue: Mapping[str, Any]) -> str:
    rows = [
        [name, [[a.word.name, a.word.args] for a in face.abilities], catalogue[name]] for name, face in faces.items()
    ]
    return sha256(msgspec.json.encode(rows, order="deterministic")).hexdigest()[:16]

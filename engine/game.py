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
from engine.findings import Finding
from engine.frames import Entity, Move, Offer, Run, Seat
from engine.journal import Journal
from engine.look import Look
from engine.offers import at_random
from engine.playmat import read_playmat
from engine.story import fill_in
from engine.table import Place, Result, Table, Zone

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
    company = 0  # how many sit at a table that somebody opens for themselves and bots; 0: as few as can be
    effects: Effects
    faces: Mapping[str, Face]
    zones: tuple[Zone, ...]
    options: tuple[Option, ...] = ()
    decks: Mapping[str, tuple[str, ...]] = {}
    messages: Mapping[str, str] = {}
    playmat: Mapping[str, Any] = {}
    mistakes: tuple[str, ...] = ()  # what is wrong with its card files; the cards concerned were left out
    plays: frozenset[str] = frozenset({"play"})  # kinds of move that play a card from the hand, for statistics
    restless: frozenset[str] = frozenset()  # kinds of zone where a card may look different though nobody touched it
    budget = 1000  # words that one move may set off
    foresight = 40  # moves that a bot plays on in its head before it judges how things stand

    def __init__(self) -> None:
        self.topics = frozenset(topic for face in self.faces.values() for topic in face.by)
        self.cards_hash = _cards_hash(self.faces, self.catalogue())
        if self.playmat:
            read_playmat(self.playmat, self.id, self.zones, self.seats[1])
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

    def read_deck_text(self, text: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """A deck list in the game's own format and what of it could not be read; None where it has no such format."""
        return None

    def check_deck(self, deck: Sequence[str], options: Mapping[str, Any]) -> None:
        """Refuse a deck that may not be played, for the first reason there is."""
        for no in self.deck_mistakes(deck, options):
            raise no

    def deck_mistakes(self, deck: Sequence[str], options: Mapping[str, Any]) -> Iterator[Refused]:
        """Every reason why a deck may not be played."""
        return iter(())

    def deal(self, journal: Journal, decks: Sequence[Sequence[str]], first: Seat | None) -> None:
        """Set the table and open the first turn."""
        raise NotImplementedError

    # while it is played

    def offers(self, look: Look, seat: Seat) -> Iterable[Offer]:
        """Every legal move of the seat whose turn it is."""
        raise NotImplementedError

    def overrides(self, look: Look, seat: Seat) -> Iterable[Offer]:
        """Moves that are refused unless their player is sure, each with the rules that refuse it."""
        return ()

    def blocked(self, look: Look, seat: Seat) -> Iterator[tuple[int, str]]:
        """Cards that this seat might try to use and cannot, each with the code that says why."""
        return iter(())

    def why_not(self, look: Look, seat: Seat, do: Mapping[str, Any]) -> str | None:
        """The code that says why a move is not offered, where the game knows."""
        return next((code for card, code in self.blocked(look, seat) if card == do.get("card")), None)

    def judge(self, look: Look, seat: Seat, move: Move) -> Iterable[Finding]:
        """What is unusual about a move that was offered; refused where it cannot be."""
        return ()

    def perform(self, journal: Journal, seat: Seat, move: Move) -> None:
        """Do a move that was offered."""
        raise NotImplementedError

    def settle(self, journal: Journal) -> bool:
        """What the rules do by themselves between two things. True if anything was done: it is asked again."""
        return False

    def open_bag(self, journal: Journal) -> bool:
        """Let cards that heard something speak: from the active player around the table, each side as it heard."""
        heard = journal.empty_bag()
        active, seats = max(journal.table.active, 0), journal.table.seats
        order = sorted(heard, key=lambda one: (one.seat - active) % seats)
        for one in reversed(order):  # the last pushed speaks first
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

    def read_out(self, card: dict[str, Any]) -> dict[str, Any]:
        """What a card shows, for somebody to whom it is read out."""
        return card

    # for bots

    def score(self, view: View, seat: Seat) -> float:
        """How well a seat stands, from what it sees: 1 is won, 0 is lost."""
        result = view.get("result")
        return 0.5 if result is None else _share(result["winners"], seat)

    def prize(self, result: Result, seat: Seat) -> float:
        """What a result is worth to a seat: 1 is won, 0 is lost."""
        return _share(result.winners, seat)

    def hunch(self, look: Look, seat: Seat, offers: Sequence[Offer], luck: Luck) -> Mapping[str, Any]:
        """What somebody might play here, found without thinking: this is how bots play on in their heads."""
        return at_random(offers, luck)

    def imagine(self, view: View, record: Record, luck: Luck) -> Table:
        """A table that could be the real one for all that this viewer knows."""
        raise NotImplementedError


def _share(winners: Sequence[Seat], seat: Seat) -> float:
    return 1 / len(winners) if seat in winners else 0.5 * (not winners)


def _cards_hash(faces: Mapping[str, Face], catalogue: Mapping[str, Any]) -> str:
    rows = [
        [name, [[a.word.name, a.word.args] for a in face.abilities], catalogue[name]] for name, face in faces.items()
    ]
    return sha256(msgspec.json.encode(rows, order="deterministic")).hexdigest()[:16]

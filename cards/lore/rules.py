"""Lore: two players, sixty cards each, and whoever has gathered twenty lore first has won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from cards.loading import read_deck, read_json, read_rows
from cards.lore import abilities, choosing, decks, imagining, moves, plays, steps, weighing, words
from cards.lore.facts import (
    ALTERED,
    DECK,
    FIGHT,
    FIRST,
    HAND,
    HERE,
    INKED,
    LATER,
    LORE,
    MODS,
    NUMBER,
    PHASE,
    Card,
    Row,
    face,
    number,
    ready_ink,
    strength,
)
from cards.lore.lowering import make_card
from cards.lore.prices import price
from cards.lore.speech import effects
from engine.errors import Refused
from engine.frames import Ask, Entity, Move, Offer, Seat
from engine.game import Game, Luck, Option, Record, View
from engine.journal import Journal
from engine.look import Look
from engine.table import TABLE, Table, Zone, seat_id

VOCABULARY = (abilities, choosing, plays, steps, words)  # modules that have taught the game its words
KEYWORDS = (
    "alert",
    "bodyguard",
    "challenger",
    "evasive",
    "reckless",
    "resist",
    "rush",
    "singer",
    "support",
    "vanish",
    "ward",
    "cannot_be_challenged",
    "cannot_challenge",
    "cannot_quest",
    "cannot_ready",
    "cannot_sing",
    "challenges_ready",
    "stays_exerted",
)


class Lore(Game):
    """The whole game: ink, quests, challenges, songs, locations, and triggers in a bag."""

    id = "lore"
    title = "Lore"
    rules = "1.0"
    seats = (2, 2)
    foresight = 12
    effects = effects
    zones = (
        Zone("deck"),
        Zone("hand", faces="owner"),
        Zone("inkwell", things="all"),
        Zone("characters", faces="all", live=True),
        Zone("items", faces="all", live=True),
        Zone("locations", faces="all", live=True),
        Zone("discard", faces="all"),
        Zone("under", faces="all"),  # beneath a character: face up after a shift, face down after a boost
        Zone("aside", faces="owner"),  # cards of a deck while their player looks at them
        Zone("stage", faces="all", shared=True),  # an action while it does what it says
    )
    plays = frozenset({"play_character", "play_action", "play_item", "play_location", "sing_song", "sing_together"})
    restless = frozenset({"hand", "characters", "locations"})
    options = (
        Option(
            "deck_out",
            "choice",
            "end_of_turn",
            "When an empty deck loses: at the end of one's turn, or on trying to draw from it.",
            ("end_of_turn", "on_draw"),
        ),
    )

    def __init__(self, more: Iterable[Path] = ()) -> None:
        """The cards of this folder, and of further files if there are any."""
        self.cards: dict[str, Card] = {}
        for path in (HERE / "cards.json", *more):
            self.cards |= read_rows(path, Row, partial(make_card, effects))
        self.faces = self.cards
        self.decks = dict(read_deck(path, self.cards, self.title) for path in sorted((HERE / "decks").glob("*.txt")))
        self.messages = read_json(HERE / "messages.json")
        self.playmat = read_json(HERE / "playmat.json")
        super().__init__()

    # decks and the deal

    def draw_deck(self, options: Mapping[str, Any], luck: Luck) -> tuple[str, ...]:
        """One of the ready-made decks."""
        ready = list(self.decks.values())
        return ready[luck(len(ready))]

    def deck_mistakes(self, deck: Sequence[str], options: Mapping[str, Any]) -> Iterator[Refused]:
        """At least sixty cards, four of a kind, two inks."""
        return decks.mistakes(self.cards, deck)

    def deal(self, journal: Journal, decks: Sequence[Sequence[str]], first: Seat | None) -> None:
        """Shuffle, seven cards each; who begins is left to chance."""
        for seat, deck in enumerate(decks):
            journal.set(seat_id(seat), DECK, dict(sorted(Counter(deck).items())))
            for name in deck:
                journal.create(name, seat, f"{seat}.deck")
            journal.shuffle(f"{seat}.deck")
            for _ in range(HAND):
                journal.move(journal.table.zones[f"{seat}.deck"][-1], f"{seat}.hand")
        steps.open_match(journal, journal.below(2) if first is None else first)

    # the turn

    def offers(self, look: Look, seat: Seat) -> Iterable[Offer]:
        """Every legal move of the main phase."""
        return moves.offers(look, seat)

    def blocked(self, look: Look, seat: Seat) -> Iterator[tuple[int, str]]:
        """Cards that can do nothing now, and why."""
        return moves.blocked(look, seat)

    def why_not(self, look: Look, seat: Seat, do: Mapping[str, Any]) -> str | None:
        """Why a move is not offered."""
        return moves.why_not(look, seat, do)

    def perform(self, journal: Journal, seat: Seat, move: Move) -> None:
        """Do what was chosen."""
        plays.perform(journal, seat, move)

    def settle(self, journal: Journal) -> bool:
        """The checks between any two things."""
        return steps.settle(journal)

    def open_bag(self, journal: Journal) -> bool:
        """The next trigger; its player chooses it where there are several."""
        return steps.open_bag(journal)

    # how it looks

    def show_turn(self, look: Look) -> dict[str, Any]:
        """Turn, round and phase; the bag, the challenge and what waits for the end of the turn, where there are any."""
        here = look.table[TABLE]
        number = NUMBER.of(here)
        shown: dict[str, Any] = {"number": number, "round": (number + 1) // 2, "phase": PHASE.of(here)}
        if look.table.bag:
            shown["bag"] = steps.shown_bag(look.table.bag)
        if fight := FIGHT.of(here):
            shown["fight"] = fight
        if later := LATER.of(here):
            shown["later"] = later
        return shown

    def show_seat(self, look: Look, seat: Seat) -> dict[str, Any]:
        """Lore, ink that is ready, and what was inked this turn."""
        entity = look.table.seat(seat)
        shown: dict[str, Any] = {"lore": LORE.of(entity), "ink": len(ready_ink(look.table, seat))}
        for attr in (INKED, ALTERED):
            if found := attr.of(entity):
                shown[attr.name] = found
        if mods := MODS.of(entity):
            shown["mods"] = mods
        if seat == FIRST.of(look.table[TABLE]):
            shown["first"] = True
        return shown

    def show_own(self, look: Look, seat: Seat) -> dict[str, Any]:
        """One's own deck list; and while one is asked, what the answer is for."""
        table = look.table
        shown: dict[str, Any] = {"deck": DECK.of(table.seat(seat))}
        top = table.stack[-1] if table.stack else None
        if isinstance(top, Ask) and seat in top.questions:
            shown["pending"] = imagining.pending(look, seat)
        return shown

    def show_card(self, look: Look, card: Entity) -> dict[str, Any]:
        """In play a card shows its numbers and how it lies; in hand, its price."""
        place = look.places[card.zone]
        if place.live:
            printed = face(look, card)
            shown: dict[str, Any] = dict(card.facts)
            if printed.type == "character":
                shown["strength"] = strength(look, card)
            if printed.type != "item":
                shown["willpower"] = number(look, card, "willpower")
                shown["lore"] = max(0, number(look, card, "lore"))
            if "mods" in card.facts or look.bent(card.id):
                shown |= {word: now for word in KEYWORDS if (now := _gained(look, card, printed, word))}
            return shown
        if place.kind == "hand":
            return {"cost": price(look, place.seat, card)}
        return dict(card.facts)

    def show_back(self, look: Look, card: Entity) -> dict[str, Any]:
        """Face down it shows whether it is exerted, or what it lies under."""
        return dict(card.facts)

    def catalogue(self) -> dict[str, Any]:
        """What is printed on the cards."""
        return {name: _printed(card) for name, card in self.cards.items()}

    # for bots

    def score(self, view: View, seat: Seat) -> float:
        """Lore counts most, then what lies in play, then cards and ink."""
        return weighing.score(self, view, seat)

    def hunch(self, look: Look, seat: Seat, offers: Sequence[Offer], luck: Luck) -> Mapping[str, Any]:
        """Mostly something that builds, seldom the end of the turn."""
        return weighing.hunch(offers, luck)

    def imagine(self, view: View, record: Record, luck: Luck) -> Table:
        """Hidden cards are what is left of one's own list, and what the other's two inks could hold."""
        return imagining.imagine(self, view, record, luck)


def _gained(look: Look, card: Entity, printed: Card, word: str) -> int | bool:
    """A keyword or restriction that differs from what is printed: a number, or a plain yes."""
    now = number(look, card, word)
    if now == printed.numbers.get(word, 0):
        return False
    return now if word in ("challenger", "resist", "singer") else now > 0


def _printed(card: Card) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "set": card.set,
        "type": card.type,
        "ink": card.ink,
        "cost": card.cost,
        "inkable": card.inkable,
        "text": card.text,
    }
    if card.type == "location":
        shown["move"] = card.move
    if card.type == "character":
        shown["strength"] = card.numbers.get("strength", 0)
    if card.type in ("character", "location"):
        shown |= {name: card.numbers.get(name, 0) for name in ("willpower", "lore")}
    if card.classes:
        shown["classes"] = list(card.classes)
    if card.keywords:
        shown["keywords"] = dict(card.keywords)
    return shown

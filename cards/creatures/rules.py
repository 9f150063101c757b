"""The creature battle: two decks of sixty, six prizes, and a table that leaves the cards to their players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from cards.creatures import field, imagining
from cards.creatures.decklist import DeckList, Sets
from cards.creatures.faces import ABILITIES, ATTACKS, Card, printed, read_cards
from cards.creatures.field import EXTRA, MARKERS, PRIZES, choice, in_field, places, prizes
from cards.creatures.following import follow, sort_stack
from cards.creatures.reasons import OPENING, declaration, reasons, won
from cards.creatures.remarks import ABILITY, ATTACK, RETREAT, remark
from cards.loading import read_json
from cards.table.facts import SETUP, phase, sees
from cards.table.furniture import DECK, HAND
from cards.table.rules import FreeTable
from cards.table.turns import start_setup, start_turn
from engine.errors import BadCards, Refused
from engine.frames import Entity, EntityId, Offer, Seat
from engine.game import Game, Luck, Record, View
from engine.hooks import Plugin
from engine.journal import Journal
from engine.look import Look
from engine.table import EVERYONE, TABLE, Attr, Table, seat_id

HERE = Path(__file__).parent
LEAST, MOST = OPENING + len(PRIZES) + 1, 60
LIST = Attr[dict[str, int]]("deck", {})  # of a seat: its own list
BEGINS = Attr("begins", -1)  # who was chosen to begin, if it is not left to a coin


def battle() -> Plugin:
    """The plugin: what is unusual, and what follows from moves."""
    plugin = Plugin("creatures", "The creature battle", needs=("table",))
    remark(plugin)
    follow(plugin)

    @plugin.readable
    def read(card: dict[str, Any]) -> dict[str, Any]:
        """Counters as damage, a turned card as the condition it is in."""
        told = {key: value for key, value in card.items() if key not in (*field.DAMAGE, "orientation", "turned")}
        if hurt := field.damage({name: card.get(name, 0) for name in field.DAMAGE}):
            told["damage"] = hurt
        if condition := field.STATUSES.get(card.get("orientation", "")):
            told["status"] = condition
        return told

    return plugin


class Creatures(FreeTable):
    """Creatures fight until one side has taken six prizes, has nobody left to fight, or cannot draw."""

    id = "creatures"
    title = "Creature battle"
    rules = "1.0"
    seats = (2, 2)
    folder = HERE
    foresight = 12
    faces: Mapping[str, Card]
    filters = {
        "basic": lambda face: face.is_basic,
        "creature": lambda face: face.is_creature,
        "trainer": lambda face: face.is_trainer,
        "energy": lambda face: face.is_energy,
    }

    def __init__(self) -> None:
        super().__init__()
        self.sets = Sets(self.faces.values(), read_json(HERE / "sets.json"))
        self.decks = dict(self._ready_made(path) for path in sorted((HERE / "decks").glob("*.txt")))

    def read_cards(self) -> Mapping[str, Card]:
        """Creatures, trainers and energies."""
        return read_cards(self.folder / "cards.json")

    def laid_over(self) -> Iterable[Plugin]:
        """The battle itself."""
        return (battle(),)

    # decks and the deal

    def read_deck_list(self, text: str) -> DeckList:
        """A deck as its players write it down, and what of it could not be read."""
        return self.sets.read(text)

    def read_deck_text(self, text: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """The same for a file that somebody plays with; a list without stars is one that any game reads."""
        found = self.read_deck_list(text)
        return (found.cards, found.warnings) if found.cards or found.warnings else None

    def _ready_made(self, path: Path) -> tuple[str, tuple[str, ...]]:
        found = self.read_deck_list(path.read_text(encoding="utf-8"))
        if found.warnings:
            raise BadCards([f"decks/{path.name} {warning}" for warning in found.warnings])
        return path.stem.replace("-", " ").title(), found.cards

    def draw_deck(self, options: Mapping[str, Any], luck: Luck) -> tuple[str, ...]:
        """One of the ready-made decks."""
        ready = list(self.decks.values())
        return ready[luck(len(ready))]

    def deck_mistakes(self, deck: Sequence[str], options: Mapping[str, Any]) -> Iterator[Refused]:
        """Enough cards to begin with, no more than there is room for, and a Basic among them."""
        for name in dict.fromkeys(deck):
            if name not in self.faces:
                near = get_close_matches(name, self.faces, n=1)
                hint = f" Did you mean {near[0]}?" if near else ""
                yield Refused("unknown_card", f"There is no card {name!r}.{hint}", card=name)
        if not LEAST <= len(deck) <= MOST:
            text = f"A deck has {LEAST} to {MOST} cards; this one has {len(deck)}."
            yield Refused("deck_size", text, size=len(deck))
        if not any(name in self.faces and self.faces[name].is_basic for name in deck):
            yield Refused("no_basic", "A deck needs a Basic creature, or nobody could be sent out.")

    def deal(self, journal: Journal, decks: Sequence[Sequence[str]], first: Seat | None) -> None:
        """Shuffle, seven cards each, six prizes; then both set up their side."""
        for seat, deck in enumerate(decks):
            journal.set(seat_id(seat), LIST, dict(sorted(Counter(deck).items())))
            pile = f"{seat}.{DECK}"
            for name in deck:
                journal.create(name, seat, pile)
            journal.shuffle(pile)
            for to in (*[HAND] * OPENING, *PRIZES):
                journal.move(journal.table.zones[pile][-1], f"{seat}.{to}")
        if first is not None:
            journal.note(BEGINS, first)
        start_setup(journal, 0 if first is None else first)

    def dark(self, look: Look, zone: str) -> int:
        """While the table is set up, creatures lie face down for everybody."""
        return EVERYONE if in_field(zone) and phase(look.table) == SETUP else 0

    def begin(self, journal: Journal, seat: Seat) -> None:
        """Everything is turned up, and a coin decides who begins."""
        for zone in (zone for other in range(journal.table.seats) for zone in places(other)):
            for id in journal.table.zones[zone]:
                journal.turn(id, EVERYONE)
            sort_stack(journal, zone)
        first = BEGINS.of(journal.table[TABLE])
        if first < 0:
            first = journal.below(journal.table.seats)
            journal.tell("rolled", seat=first, results=["heads"])
        journal.say("begins", seat=first)
        start_turn(journal, first)

    # while it is played

    def usual(self, look: Look, seat: Seat) -> Iterable[Offer]:
        """What there is a reason to do."""
        return reasons(look, seat)

    def declarations(self, look: Look, seat: Seat, upon: tuple[EntityId, ...]) -> Iterator[Offer]:
        """Attacks and abilities by their names, a retreat, and whatever else one may say."""
        fighting = [id for id in upon if in_field(look.table[id].zone) and sees(look, seat, look.table[id])]
        for id in fighting:
            card = look.table[id]
            for kind, named in ((ATTACK, ATTACKS), (ABILITY, ABILITIES)):
                names = [one.name for one in getattr(self.faces[card.face].row, named)]
                if names:
                    yield declaration(kind, id, *names)
        if fighting:
            yield Offer("declare_action", slots=(choice("kind", RETREAT), choice("what", *fighting)))
        yield from super().declarations(look, seat, ())

    def won(self, look: Look, seat: Seat, reason: str) -> bool:
        """Whether the table can see that a seat has won."""
        return bool(reason) and reason == won(look, seat)

    def doubts(self, look: Look, seat: Seat, reason: str) -> tuple[str, ...]:
        """What the table can see, nobody is asked about; so whoever is asked has reason to say no."""
        return ("not_won",)

    # how it looks

    def show_seat(self, look: Look, seat: Seat) -> dict[str, Any]:
        """The prizes that are left, markers that are used, cards that may be drawn."""
        here = look.table.seat(seat)
        shown = {**super().show_seat(look, seat), "prizes": len(prizes(look.table, seat))}
        for attr in (MARKERS, EXTRA):
            if found := attr.of(here):
                shown[attr.name] = found
        return shown

    def show_own(self, look: Look, seat: Seat) -> dict[str, Any]:
        """One's own deck list."""
        return {"deck": LIST.of(look.table.seat(seat))}

    def show_turn(self, look: Look) -> dict[str, Any]:
        """The turn, and who was chosen to begin, as long as that matters."""
        shown = super().show_turn(look)
        if phase(look.table) == SETUP and BEGINS.of(look.table[TABLE]) >= 0:
            shown["begins"] = BEGINS.of(look.table[TABLE])
        return shown

    def read_table(self, view: View) -> dict[str, Any]:
        """Who was chosen to begin."""
        return {BEGINS.name: view["turn"].get("begins", -1)}

    def read_seat(self, shown: View) -> dict[str, Any]:
        """A seat's markers, what it may draw, and one's own list."""
        return {name: shown.get(name) for name in (MARKERS.name, EXTRA.name, LIST.name)}

    def print_card(self, face: Card) -> dict[str, Any]:
        """A card as a client draws it."""
        return printed(face)

    def show_card(self, look: Look, card: Entity) -> dict[str, Any]:
        """Its counters and condition, and how much it can still take."""
        shown = super().show_card(look, card)
        if hurt := field.damage(shown):
            shown["damage"] = hurt
        if condition := field.STATUSES.get(shown.get("orientation", "")):
            shown["status"] = condition
        return shown

    def show_back(self, look: Look, card: Entity) -> dict[str, Any]:
        """A card that lies face down bears its counters all the same."""
        return {key: value for key, value in self.show_card(look, card).items() if key not in self.flags}

    # for bots

    def score(self, view: View, seat: Seat) -> float:
        """Prizes count most, then what fights and how much it can still take."""
        if "result" in view:
            return Game.score(self, view, seat)
        return imagining.score(self, view, seat)

    def imagine(self, view: View, record: Record, luck: Luck) -> Table:
        """Hidden cards are what is left of one's own list, and what the other's may hold."""
        return imagining.imagine(self, view, luck)

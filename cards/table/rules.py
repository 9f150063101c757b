"""The free table: zones, cards, counters and turns, and no game at all.

Its players move things by hand, as at a table of wood. What no card can ever change is added by plugins, mostly as
remarks. `FreeTable` is also what such games are built on: they bring a playmat, cards and a plugin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cards.loading import read_json
from cards.table import imagining, offering, turns
from cards.table.actions import EXECUTORS
from cards.table.core import core_plugin
from cards.table.decisions import resolve_decision
from cards.table.deck import pack_of_cards
from cards.table.facts import (
    CLAIM,
    COUNTERS,
    DECISION,
    DONE,
    FLAGS,
    GONE,
    LOOKS,
    MOVES,
    NUMBER,
    PLAYING,
    READY,
    TURNED,
    UPRIGHT,
    decision,
    phase,
)
from cards.table.furniture import DECK, HAND, Furniture
from cards.table.words import effects
from engine.effects import Face
from engine.findings import Finding
from engine.frames import Entity, EntityId, Move, Offer, Seat, Slot
from engine.game import Game, Luck, Option, Record, View
from engine.hooks import Deed, Plugin, Plugins
from engine.journal import Journal
from engine.look import Look
from engine.table import TABLE, Table

HERE = Path(__file__).parent

OPTIONS = (
    Option("ask_first", "switch", False, "Ask before something unusual is done."),
    Option("ownership", "choice", "warn", "Touching what is somebody else's.", ("warn", "block")),
    Option("turn_limit", "number", 0, "A draw after so many turns; 0 plays on.", least=0, most=1000),
    Option("move_limit", "number", 0, "A draw after so many moves; 0 plays on.", least=0, most=100_000),
)


class FreeTable(Game):
    """A table on which anything may be done that hands can do."""

    id = "table"
    title = "Free table"
    rules = "1.0"
    seats = (2, 5)
    effects = effects
    options: tuple[Option, ...] = OPTIONS
    folder = HERE
    takes_turns = True  # whether there is such a thing as a turn
    filters: Mapping[str, Callable[[Any], bool]] = {}  # what one may search for
    flags = (turns.FRESH,)  # marks that a card may bear

    def __init__(self) -> None:
        self.playmat = read_json(self.folder / "playmat.json")
        self.furniture = Furniture(self.playmat)
        self.zones = self.furniture.zones()
        self.messages = {**read_json(HERE / "messages.json"), **read_json(self.folder / "messages.json")}
        self.faces = self.read_cards()
        self.plugins = Plugins(core_plugin(), *self.laid_over())
        super().__init__()

    # what a game that is built on this brings

    def read_cards(self) -> Mapping[str, Face]:
        """The cards that may lie here: a pack of fifty-two."""
        return pack_of_cards()

    def laid_over(self) -> Iterable[Plugin]:
        """The plugins of this table."""
        return ()

    def usual(self, look: Look, seat: Seat) -> Iterable[Offer]:
        """What there is a reason to do. Where a game knows of any such thing, all else is left to people."""
        return offering.plain(look, seat)

    def declarations(self, look: Look, seat: Seat, upon: tuple[EntityId, ...]) -> Iterable[Offer]:
        """What may be declared, perhaps with one of these cards of one's own: the words of the mat."""
        kinds = self.furniture.of("declarations")
        about = (Slot("what", upon, least=0),) if upon else ()
        return (Offer("declare_action", slots=(Slot("kind", kinds), *about)),) if kinds else ()

    def dark(self, look: Look, zone: str) -> int:
        """The viewers for whom a card that comes to a place lies face down."""
        return 0

    def won(self, look: Look, seat: Seat, reason: str) -> bool:
        """Whether the table itself can see that a seat has won: nothing in hand, and nothing left to draw."""
        places = (self.furniture.key(HAND, seat), self.furniture.key(DECK, seat))
        return reason == offering.NO_CARDS and not any(look.table.zones[place] for place in places if place)

    def doubts(self, look: Look, seat: Seat, reason: str) -> tuple[str, ...]:
        """The rules by which nobody should agree that a seat has won."""
        return ()

    def begin(self, journal: Journal, seat: Seat) -> None:
        """Everybody is done with setting up."""
        turns.start_turn(journal, seat)

    def deal(self, journal: Journal, decks: Sequence[Sequence[str]], first: Seat | None) -> None:
        """All cards lie shuffled in the middle."""
        for name in self.faces:
            journal.create(name, -1, DECK)
        journal.shuffle(DECK)
        turns.start_turn(journal, journal.below(journal.table.seats) if first is None else first)

    # while it is played

    def offers(self, look: Look, seat: Seat) -> Iterator[Offer]:
        """What is in order, then everything else that hands can do."""
        usual = [*self.usual(look, seat)]
        for custom in self.plugins.customs.values():
            usual += custom.offers(look, seat)
        yield from usual
        for offer in offering.offers(look, seat):
            warns = (*offer.warns, *self.plugins.rules(offer.type, offering.OWN))
            yield Offer(offer.type, offer.card, offer.slots, offer.cost, warns, offer.free or bool(usual))

    def overrides(self, look: Look, seat: Seat) -> Iterable[Offer]:
        """What takes somebody who is sure."""
        return offering.overrides(look, seat)

    def judge(self, look: Look, seat: Seat, move: Move) -> tuple[Finding, ...]:
        """What the plugins remark on a move."""
        return self.plugins.judge(look, Deed(seat, move)).findings

    def perform(self, journal: Journal, seat: Seat, move: Move) -> None:
        """Do it, and what follows from it."""
        count = MOVES.of(journal.table[TABLE]) + 1
        journal.note(MOVES, count)
        self.plugins.carry_out(journal, Deed(seat, move), self._execute)
        limit = journal.table.options["move_limit"]
        if limit and count >= limit and journal.table.result is None:
            journal.say("too_long", number=limit)
            journal.end((), "move_limit")

    def _execute(self, journal: Journal, deed: Deed) -> int:
        return EXECUTORS[deed.move.type](journal, deed)

    def expired(self, journal: Journal, seat: Seat) -> None:
        """A decision that is not made in time is handed back; a turn that is not is lost, and the match with it."""
        if decision(journal.table).get("seat") == seat:
            resolve_decision(journal, Deed(seat, Move("resolve_decision")))
        else:
            self.leave(journal, seat, "time")

    def leave(self, journal: Journal, seat: Seat, reason: str) -> None:
        """Whoever goes has lost; if more than one are left, they play on."""
        turns.leave(journal, seat, reason)

    # how it looks

    def show_turn(self, look: Look) -> dict[str, Any]:
        """The number of the turn, what was done in it, and what somebody has to decide."""
        here = look.table[TABLE]
        shown: dict[str, Any] = {"number": NUMBER.of(here), "phase": phase(look.table)}
        if DONE.of(here):
            shown["done"] = DONE.of(here)
        if DECISION.of(here):
            shown["decision"] = DECISION.of(here)
        if CLAIM.of(here):
            shown["claim"] = CLAIM.of(here)
        if look.table.options["move_limit"]:
            shown["moves"] = MOVES.of(here)
        return shown

    def show_seat(self, look: Look, seat: Seat) -> dict[str, Any]:
        """Whether somebody is ready, gone, or looking into something hidden."""
        here = look.table.seat(seat)
        facts = {"ready": READY.of(here), "gone": GONE.of(here), "looks": LOOKS.of(here)}
        if phase(look.table) == PLAYING:
            del facts["ready"]
        return {name: value for name, value in facts.items() if value}

    def show_card(self, look: Look, card: Entity) -> dict[str, Any]:
        """Its counters, how it is turned, and whatever it is marked with."""
        shown: dict[str, Any] = dict(COUNTERS.of(card))
        if TURNED.of(card) != UPRIGHT:
            shown |= {"orientation": TURNED.of(card), "turned": TURNED.of(card) not in ("180", "-180")}
        for flag in FLAGS.of(card):
            shown[flag] = True
        return shown

    def show_back(self, look: Look, card: Entity) -> dict[str, Any]:
        """A card that lies face down bears its counters all the same, and is turned the same way."""
        return {name: value for name, value in self.show_card(look, card).items() if name not in self.flags}

    def read_table(self, view: View) -> dict[str, Any]:
        """The facts of the table that a game adds, from the way it looks."""
        return {}

    def read_seat(self, shown: View) -> dict[str, Any]:
        """The facts of a seat that a game adds, from the way it looks."""
        return {}

    def read_card(self, shown: Mapping[str, Any]) -> dict[str, Any]:
        """The facts of a card, from the way it looks."""
        counters = {kind: shown[kind] for kind in self.furniture.of("counters") if kind in shown}
        flags = [flag for flag in self.flags if flag in shown]
        facts = {COUNTERS.name: counters, FLAGS.name: flags, TURNED.name: shown.get("orientation")}
        return {name: value for name, value in facts.items() if value}

    def catalogue(self) -> dict[str, Any]:
        """What is printed on the cards."""
        return {name: self.print_card(face) for name, face in self.faces.items()}

    def print_card(self, face: Any) -> dict[str, Any]:
        """One card as a client draws it."""
        return {"suit": face.suit, "rank": face.rank, "text": face.text}

    def read_out(self, card: dict[str, Any]) -> dict[str, Any]:
        """As the plugin has it that came last, or plainly how the card is turned."""
        if self.plugins.reads is not None:
            return self.plugins.reads(card)
        return {key: value for key, value in card.items() if key != "turned"}

    # for bots

    def score(self, view: View, seat: Seat) -> float:
        """Who knows no game can still lay cards down: the more of them lie in front of a seat, the better."""
        if "result" in view:
            return super().score(view, seat)
        laid = [int(view["zones"][f"{other}.front"]["n"]) for other in view["seats"]]
        return 0.5 + (0.4 * (laid[seat] - max(laid)) + 0.05 * laid[seat]) / len(self.faces)

    def imagine(self, view: View, record: Record, luck: Luck) -> Table:
        """What nobody has shown may lie anywhere."""
        return imagining.imagine(self, view, luck, imagining.one_pack)

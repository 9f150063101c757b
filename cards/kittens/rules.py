"""The fizzlebox: two to five players, one pile, and the last one whom no spark has caught has won."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from cards.kittens import imagining, moves, verbs
from cards.kittens.facts import (
    DEALT,
    HERE,
    NUMBER,
    PLACE,
    SHOVED,
    TURNS,
    WINDOW,
    Card,
    Row,
    copies,
    make_card,
    next_seat,
    window,
)
from cards.kittens.words import effects
from cards.loading import read_csv, read_json
from engine.frames import PASS, Ask, Move, Offer, Seat, word
from engine.game import Game, Luck, Option, Record, View
from engine.journal import Journal
from engine.look import Look
from engine.offers import at_random
from engine.table import EVERYONE, TABLE, Table, Zone

RASH = 6  # one in so many plays something by hunch


class Fizzlebox(Game):
    """The plain box with three kinds of card, or the full one in which anybody may cancel anything."""

    id = "kittens"
    title = "Fizzlebox"
    rules = "1.0"
    seats = (2, 5)
    company = 4
    plays = frozenset({"play", "pair", "triple", "five", "veto"})
    foresight = 4  # who holds what says more than how a match by hunch ends
    effects = effects
    zones = (
        Zone("pile", shared=True),
        Zone("discard", faces="all", shared=True),
        Zone("fuse", faces="all", shared=True),  # the spark that was just drawn
        Zone("out", faces="all", shared=True),  # out of the game
        Zone("hand", faces="owner"),
    )
    options = (
        Option("actions", "switch", True, "Play with the action cards."),
        Option("play_ends_turn", "switch", False, "Without action cards: playing a trinket ends the turn."),
        Option("shoves", "choice", "add_up", "A Shove by somebody who was shoved.", ("add_up", "always_two")),
        Option("veto_seconds", "number", 5, "Time to cancel something; 0 leaves it to the clock.", least=0, most=60),
        Option("give_seconds", "number", 15, "Time to choose a gift; 0 leaves it to the clock.", least=0, most=300),
        Option("place_seconds", "number", 20, "Time to hide a Spark; 0 leaves it to the clock.", least=0, most=300),
    )

    def __init__(self) -> None:
        self.cards: dict[str, Card] = read_csv(HERE / "cards.csv", Row, partial(make_card, effects))
        self.faces = self.cards
        self.messages = read_json(HERE / "messages.json")
        self.playmat = read_json(HERE / "playmat.json")
        self.names = tuple(name for name, card in self.cards.items() if card.full and card.kind != "spark")
        by_kind = {card.kind: name for name, card in self.cards.items()}
        self.fire = by_kind["spark"], by_kind["douse"]
        held = [card for card in self.cards.values() if card.kind != "spark"]
        self.unseen = sum(card.worth * card.full for card in held) / sum(card.full for card in held)
        super().__init__()

    def box(self, seats: int, actions: bool) -> list[str]:
        """Every card of a match for so many."""
        return [name for name, card in self.cards.items() for _ in range(copies(card, seats, actions))]

    def deal(self, journal: Journal, decks: Sequence[Sequence[str]], first: Seat | None) -> None:
        """Seven cards and one Douse for everybody; then the sparks go into the pile."""
        seats = journal.table.seats
        late = []
        for name in self.box(seats, journal.table.options["actions"]):
            if self.cards[name].kind in ("spark", "douse"):
                late.append(name)
            else:
                journal.create(name, -1, "pile")
        journal.shuffle("pile")
        for seat in [*range(seats)] * DEALT:
            journal.move(journal.table.zones["pile"][-1], f"{seat}.hand")
        douses = [name for name in late if self.cards[name].kind == "douse"]
        for seat in range(seats):
            late.remove(douses[seat])
            journal.create(douses[seat], -1, f"{seat}.hand")
        for name in late:
            journal.create(name, -1, "pile")
        journal.shuffle("pile")
        verbs.start_turn(journal, journal.below(seats) if first is None else first)

    # the turn

    def offers(self, look: Look, seat: Seat) -> Iterable[Offer]:
        """Every legal move."""
        return moves.offers(look, seat, self.names)

    def blocked(self, look: Look, seat: Seat) -> Iterator[tuple[int, str]]:
        """The cards that wait for their moment."""
        return moves.blocked(look, seat)

    def perform(self, journal: Journal, seat: Seat, move: Move) -> None:
        """Draw, or lay cards down and wait whether anybody cancels them."""
        match move.type:
            case "draw":
                journal.run((word("draw"),), seat)
            case "play":
                self._play(journal, seat, move)
            case _:
                self._lay_set(journal, seat, move)

    def _play(self, journal: Journal, seat: Seat, move: Move) -> None:
        card = journal.table[move.card]
        seen = journal.ref(card.id, EVERYONE)
        foe = _first(move, "foe")
        journal.say("played_at" if foe else "played", seat=seat, card=seen, **foe)
        journal.move(card.id, "discard")
        if self.cards[card.face].kind == "action":
            verbs.open_window(journal, seat, do=card.face, **foe)
        elif journal.table.options["play_ends_turn"]:
            verbs.end_turn(journal, seat)

    def _lay_set(self, journal: Journal, seat: Seat, move: Move) -> None:
        cards = move.chosen("cards")
        what = _first(move, "foe", "name")
        said = {"face" if key == "name" else key: value for key, value in what.items()}
        if take := move.chosen("take"):
            what["take"] = list(take)
            said["card"] = journal.ref(take[0])
        journal.say(move.type, seat=seat, on=[journal.ref(id, EVERYONE) for id in cards], **said)
        verbs.discard(journal, cards)
        verbs.open_window(journal, seat, do=move.type, **what)

    # who does not come back

    def expired(self, journal: Journal, seat: Seat) -> None:
        """Whoever does not move in time draws."""
        journal.run((word("draw"),), seat)

    def leave(self, journal: Journal, seat: Seat, reason: str) -> None:
        """Whoever leaves is out, and a spark goes with them; the others play on."""
        table = journal.table
        if PLACE.of(table.seat(seat)):
            return
        active, waiting = table.active, seat in table.waiting()
        pending = bool(table.zones["fuse"])
        verbs.go_out(journal, seat, "left", reason=reason)
        if table.result is not None:
            return
        if active != seat or not pending:
            verbs.take_out_a_spark(journal)
        if active == seat:
            while len(table.stack) > 1:
                journal.pop()
            journal.note(WINDOW, {})
            verbs.start_turn(journal, next_seat(table, seat))
        elif waiting:
            self._answer_for(journal, seat)

    def _answer_for(self, journal: Journal, seat: Seat) -> None:
        """Somebody who has left cancels nothing and gives nothing."""
        ask = journal.table.stack[-1]
        assert isinstance(ask, Ask)
        if ask.first:
            journal.swap(replace(ask, answers={**ask.answers, seat: Move(PASS)}))
        else:
            journal.pop()

    # how it looks

    def show_turn(self, look: Look) -> dict[str, Any]:
        """The number of the turn, how many are left, and what waits to take effect."""
        here = look.table[TABLE]
        shown: dict[str, Any] = {"number": NUMBER.of(here), "turns": TURNS.of(here), "phase": self._phase(look.table)}
        if SHOVED.of(here):
            shown["shoved"] = True
        if waits := window(look.table):
            shown["window"] = waits
        return shown

    def _phase(self, table: Table) -> str:
        if window(table):
            return "window"
        if table.zones["fuse"]:
            return "placing"
        return "giving" if table.stack and isinstance(table.stack[-1], Ask) else "main"

    def show_seat(self, look: Look, seat: Seat) -> dict[str, Any]:
        """Whether a seat is in, and which place it made."""
        place = PLACE.of(look.table.seat(seat))
        return {"alive": False, "place": place} if place else {"alive": True}

    def catalogue(self) -> dict[str, Any]:
        """What is printed on the cards."""
        return {name: {"kind": card.kind, "text": card.text} for name, card in self.cards.items()}

    # for bots

    def score(self, view: View, seat: Seat) -> float:
        """A seat that is in stands the better the fewer are left and the more it holds against sparks."""
        return imagining.score(self, view, seat)

    def hunch(self, look: Look, seat: Seat, offers: Sequence[Offer], luck: Luck) -> Mapping[str, Any]:
        """Mostly draw, or let it be: that comes last among the offers."""
        return at_random(offers if luck(RASH) == 0 else offers[-1:], luck)

    def imagine(self, view: View, record: Record, luck: Luck) -> Table:
        """What nobody has shown lies in hands and pile by chance, but where this seat knows better."""
        return imagining.imagine(self, view, record, luck)


def _first(move: Move, *slots: str) -> dict[str, Any]:
    """What was put into these slots, each of which holds one thing or is not there."""
    return {slot: move.chosen(slot)[0] for slot in slots if move.chosen(slot)}

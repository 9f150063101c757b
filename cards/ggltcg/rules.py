"""The toy battle: two players, six cards each, and whoever has none left awake has lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from typing import Any

from cards.ggltcg import imagining, moves, verbs
from cards.ggltcg.facts import (
    BUSY,
    CC,
    DECK,
    DECK_SIZE,
    FIRST,
    HERE,
    IDLE,
    MOST_CC,
    NUMBER,
    PLUS,
    SLOW_GOING,
    STANDSTILL,
    STATS,
    STILL,
    STRIKES,
    Card,
    Row,
    face,
    hand,
    make_card,
    side,
    stat,
    turn_number,
)
from cards.ggltcg.prices import ABILITY, price, tussle_price
from cards.ggltcg.words import effects
from cards.loading import read_csv, read_json
from engine.effects import Face
from engine.errors import Refused
from engine.frames import Entity, Event, Move, Offer, Seat, word
from engine.game import Game, Luck, Option, Record, View
from engine.journal import Journal
from engine.look import Look
from engine.table import EVERYONE, TABLE, Table, Zone, seat_id

INCOME, FIRST_INCOME = 4, 2


class ToyBattle(Game):
    """GGLTCG by its rules, draws included."""

    id = "ggltcg"
    title = "GGLTCG"
    rules = "1.0"
    seats = (2, 2)
    effects = effects
    zones = (
        Zone("hand", faces="owner"),
        Zone("in_play", faces="all", live=True),
        Zone("sleep", faces="all"),
    )
    restless = frozenset({"hand", "in_play"})
    options = (
        Option("set", "choice", "core", "Which cards decks are made of.", ("core", "extra", "all")),
        Option("turn_limit", "number", 0, "A draw after so many turns; 0 plays on.", least=0, most=1000),
    )

    def __init__(self) -> None:
        self.cards: dict[str, Card] = read_csv(HERE / "cards.csv", Row, partial(make_card, effects))
        self.faces = self.cards
        self.decks = {name: tuple(deck) for name, deck in read_json(HERE / "decks.json").items()}
        self.messages = read_json(HERE / "messages.json")
        self.playmat = read_json(HERE / "playmat.json")
        super().__init__()

    def face_of(self, card: Entity) -> Face:
        """A card in play may have taken on another's face."""
        shape = card.facts.get("as")
        return self.cards[shape if shape else card.face]

    # decks and the deal

    def pool(self, options: Mapping[str, Any]) -> list[str]:
        """The cards that decks may be made of."""
        return [name for name, card in self.cards.items() if options["set"] in ("all", card.set)]

    def draw_deck(self, options: Mapping[str, Any], luck: Luck) -> tuple[str, ...]:
        """Six different cards of the set."""
        pool = self.pool(options)
        return tuple(pool.pop(luck(len(pool))) for _ in range(DECK_SIZE))

    def deck_mistakes(self, deck: Sequence[str], options: Mapping[str, Any]) -> Iterator[Refused]:
        """Six cards of the set, all different."""
        pool = self.pool(options)
        for name in dict.fromkeys(deck):
            if name not in self.cards:
                near = get_close_matches(name, pool, n=1)
                hint = f" Did you mean {near[0]}?" if near else ""
                yield Refused("unknown_card", f"There is no card {name!r}.{hint}", card=name)
        if len(deck) != DECK_SIZE:
            yield Refused("deck_size", f"A deck has {DECK_SIZE} cards, not {len(deck)}.", size=len(deck))
        for name in dict.fromkeys(deck):
            if deck.count(name) > 1:
                yield Refused("deck_repeats", f"{name} is in the deck twice; all cards are different.", card=name)
            if name in self.cards and name not in pool:
                yield Refused(
                    "not_in_set", f"{name} is not in the set {options['set']}; play with set=all to use it.", card=name
                )

    def deal(self, journal: Journal, decks: Sequence[Sequence[str]], first: Seat | None) -> None:
        """Everybody holds their six cards; the lists are public, who holds what from then on is not."""
        for seat, deck in enumerate(decks):
            journal.set(seat_id(seat), DECK, list(deck))
            for name in deck:
                journal.create(name, seat, f"{seat}.hand")
        begins = journal.below(2) if first is None else first
        journal.note(FIRST, begins)
        self._start_turn(journal, begins)

    # the turn

    def offers(self, look: Look, seat: Seat) -> Iterable[Offer]:
        """Every legal move of the turn."""
        return moves.offers(look, seat)

    def blocked(self, look: Look, seat: Seat) -> Iterator[tuple[int, str]]:
        """Cards that can do nothing now, and why."""
        return moves.blocked(look, seat)

    def why_not(self, look: Look, seat: Seat, do: Mapping[str, Any]) -> str | None:
        """Why a move is not offered."""
        return moves.why_not(look, seat, do)

    def perform(self, journal: Journal, seat: Seat, move: Move) -> None:
        """Do what was chosen."""
        match move.type:
            case "end_turn":
                self._end_turn(journal, seat)
                return
            case "play":
                self._play(journal, seat, move)
            case "tussle":
                verbs.pay(journal, seat, tussle_price(journal.look, journal.table[move.card]))
                verbs.tussle(journal, move.card, move.picks["foe"][0])
            case "strike":
                verbs.pay(journal, seat, tussle_price(journal.look, journal.table[move.card]))
                verbs.strike_hand(journal, move.card, 1 - seat)
            case "use":
                self._use(journal, seat, move)
        journal.note(BUSY, True)

    def _play(self, journal: Journal, seat: Seat, move: Move) -> None:
        card = journal.table[move.card]
        printed = self.cards[card.face]
        self._pay_for(journal, seat, card, move)
        if printed.type == "toy":
            journal.move(card.id, f"{seat}.in_play")
        else:
            journal.show(card.id, EVERYONE)
        journal.run((word("announce"),), seat, card)
        program = tuple(ability.word for ability in printed.by.get("does:", ()))
        if printed.type == "action":
            program += (word("retire"),)
        if program:
            journal.run(program, seat, card, **move.picks)

    def _pay_for(self, journal: Journal, seat: Seat, card: Entity, move: Move) -> None:
        targets = move.chosen("target")
        seen = journal.ref(card.id, EVERYONE)
        if paid := move.chosen("pay"):
            journal.say("played", seat=seat, card=seen, cc=0)
            journal.say("paid", seat=seat, card=journal.ref(paid[0], EVERYONE))
            verbs.sleep(journal, paid[0])
            return
        cost = price(journal.look, seat, card, journal.table[targets[0]] if targets else None)
        if targets:
            journal.say("played_on", seat=seat, card=seen, cc=cost, on=[journal.ref(id) for id in targets])
        else:
            journal.say("played", seat=seat, card=seen, cc=cost)
        verbs.pay(journal, seat, cost)

    def _use(self, journal: Journal, seat: Seat, move: Move) -> None:
        card = journal.table[move.card]
        verbs.pay(journal, seat, ABILITY)
        journal.say("used", seat=seat, card=journal.ref(card.id), on=[journal.ref(id) for id in move.chosen("target")])
        program = tuple(ability.word for ability in self.face_of(card).by.get("uses:", ()))
        journal.run(program, seat, card, **move.picks)

    def _start_turn(self, journal: Journal, seat: Seat) -> None:
        number = turn_number(journal.table) + 1
        journal.note(NUMBER, number)
        journal.take_turn(seat)
        journal.set(seat_id(seat), STRIKES, 0)
        journal.tell("phase", phase="main", number=number, seat=seat)
        before = CC.of(journal.table.seat(seat))
        verbs.gain(journal, seat, FIRST_INCOME if number == 1 else INCOME)
        journal.note(BUSY, before < MOST_CC)
        journal.say("turn", number=number, seat=seat, cc=CC.of(journal.table.seat(seat)))
        journal.emit(Event("turn_started", seat))

    def _end_turn(self, journal: Journal, seat: Seat) -> None:
        table = journal.table
        journal.say("ended", seat=seat)
        idle = 0 if BUSY.of(table[TABLE]) or self._could_act(journal.look, seat) else IDLE.of(table[TABLE]) + 1
        still = STILL.of(table[TABLE]) + 1
        limit = table.options["turn_limit"]
        if idle == 2:
            self._draw(journal, "deadlock")
        elif still == STANDSTILL:
            self._draw(journal, "standstill")
        elif limit and turn_number(table) >= limit:
            self._draw(journal, "turn_limit")
        else:
            journal.note(IDLE, idle)
            journal.note(STILL, still)
            for key in self.live_places(table.seats):
                for id in table.zones[key]:
                    journal.set(id, PLUS, {})
            self._start_turn(journal, 1 - seat)

    def _could_act(self, look: Look, seat: Seat) -> bool:
        return any(offer.type != "end_turn" for offer in moves.offers(look, seat))

    # what the rules see to by themselves

    def settle(self, journal: Journal) -> bool:
        """Worn-out toys go to sleep; whoever has no card awake has lost."""
        look = journal.look
        worn = [
            card for card in look.in_play() if (card.facts or look.bent(card.id)) and stat(look, card, "stamina") <= 0
        ]
        verbs.sleep_all(journal, worn)
        return bool(worn) or self._wiped(journal)

    def _wiped(self, journal: Journal) -> bool:
        table = journal.table
        lost = [seat for seat in range(2) if not hand(table, seat) and not side(table, seat)]
        if len(lost) == 2:
            self._draw(journal, "simultaneous_sleep")
        elif lost:
            journal.say("won", seat=1 - lost[0], foe=lost[0])
            journal.end((1 - lost[0],), "no_cards")
        return bool(lost)

    def _draw(self, journal: Journal, reason: str) -> None:
        journal.say("drawn", reason=reason)
        journal.end((), reason)

    # how it looks

    def show_turn(self, look: Look) -> dict[str, Any]:
        """The number of the turn; there is one phase in which people act."""
        shown: dict[str, Any] = {"number": turn_number(look.table), "phase": "main"}
        if idle := IDLE.of(look.table[TABLE]):
            shown["idle"] = idle
        if (still := STILL.of(look.table[TABLE])) >= SLOW_GOING:
            shown["still"] = still
        return shown

    def show_seat(self, look: Look, seat: Seat) -> dict[str, Any]:
        """CC, direct attacks made, and the six cards that everybody was shown."""
        entity = look.table.seat(seat)
        return {"cc": CC.of(entity), "strikes": STRIKES.of(entity), "deck": DECK.of(entity)}

    def show_card(self, look: Look, card: Entity) -> dict[str, Any]:
        """In play a toy shows its stats, in hand a card shows its price."""
        place = look.place(card)
        if place.kind == "in_play":
            shown: dict[str, Any] = {name: stat(look, card, name) for name in STATS}
            return {**shown, **card.facts}
        if place.kind == "hand" and face(look, card).cost >= 0:
            return {"cost": price(look, place.seat, card)}
        return {}

    def catalogue(self) -> dict[str, Any]:
        """What is printed on the cards."""
        return {name: _printed(card) for name, card in self.cards.items()}

    # for bots

    def score(self, view: View, seat: Seat) -> float:
        """Cards awake count most, then what the toys in play can do, then CC."""
        return imagining.score(self, view, seat)

    def imagine(self, view: View, record: Record, luck: Luck) -> Table:
        """The lists are public, so what is not seen of the other's six is in their hand, in some order."""
        return imagining.imagine(self, view, record, luck)


def _printed(card: Card) -> dict[str, Any]:
    shown: dict[str, Any] = {"set": card.set, "type": card.type, "cost": card.cost, "text": card.text}
    if card.type == "toy":
        shown |= {name: getattr(card, name) for name in STATS}
    return shown

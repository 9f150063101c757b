"""Mars: corporations make a planet habitable, generation by generation, and the one that did most has won."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from cards.loading import read_json
from cards.mars import asking, custom, flow, imagining, moves, passives, verbs, weighing, words
from cards.mars.board import TILES, Board
from cards.mars.facts import (
    ACTIONS,
    ACTIONS_A_TURN,
    AWARDS,
    CORPORATIONS,
    DEALT,
    FIRST,
    FORCED,
    GONE,
    HERE,
    MILESTONES,
    NEXT,
    PASSED,
    PHASE,
    TRACKS,
    USED,
    Card,
    Deed,
    face,
    here,
    living,
)
from cards.mars.lowering import bonus_program
from cards.mars.prices import Means, bill
from cards.mars.reading import Cards, read_goals, read_projects
from cards.mars.showing import show_seat, show_table, show_turn
from cards.mars.vocabulary import effects
from cards.mars.weighing import brought
from engine.errors import Refused
from engine.frames import PASS, Ask, Entity, Event, Move, Offer, Program, Seat, Turn, word
from engine.game import Game, Luck, Option, Record, View
from engine.journal import Journal
from engine.look import Look
from engine.table import EVERYONE, Table, Zone, seat_id

FILES = ("cards.json", "extra.json")
WORDS = (asking, custom, passives, words)  # the modules that fill the vocabulary


class Mars(Game):
    """The whole game: a map of hexes, three tracks, cards that are data, and choices that all make at once."""

    id = "mars"
    title = "Mars"
    rules = "1.0"
    seats = (2, 5)
    effects = effects
    foresight = 8
    options = (
        Option("generations", "number", 60, "The match ends after so many generations.", least=1, most=200),
        Option("temperature", "number", -30, "Where the temperature begins, in steps of 2 °C.", least=-30, most=8),
        Option("oxygen", "number", 0, "Where the oxygen begins.", least=0, most=14),
        Option("oceans", "number", 0, "How many oceans there are at the beginning.", least=0, most=9),
        Option("packs", "choice", "core", "Which cards are played with.", ("core", "all")),
    )

    def __init__(self, more: Sequence[Any] = ()) -> None:
        """The game with its own cards, and perhaps with more, each as its JSON has it."""
        self.board = Board((HERE / "board.json").read_bytes())
        read = Cards(self.board.names())
        for name in FILES:
            read.read(HERE / name)
        read.add(more, "own")
        self.mistakes = tuple(read.mistakes)
        self.cards = read.faces
        self.tiles = {**{name: kind for kind, name in TILES.items()}, **dict.fromkeys(read.tiles, "special")}
        self.printed = {**self.cards, **{name: _tile(name, kind) for name, kind in self.tiles.items()}}
        self.faces = self.printed
        self.projects = read_projects((HERE / "projects.json").read_bytes(), self.board.names())
        self.goals = read_goals((HERE / "goals.json").read_bytes())
        self.bonuses: dict[tuple[str, int], Program] = {
            (track, int(level)): bonus_program(outputs)
            for track, printed in self.board.tracks.items()
            for level, outputs in printed.bonus.items()
        }
        self.zones = (
            Zone("deck", shared=True),
            Zone("discard", shared=True),
            Zone("corporations", shared=True),
            Zone("hand", faces="owner"),
            Zone("draft", faces="owner"),  # cards that are looked at and not yet bought, taken or discarded
            Zone("offer", faces="owner"),  # corporations to choose from
            Zone("tableau", faces="all", live=True),
            Zone("events", faces="all"),
            *self.board.zones(),
        )
        self._brings = {name: brought(card) for name, card in self.cards.items()}
        self.messages = read_json(HERE / "messages.json")
        self.playmat = read_json(HERE / "playmat.json")
        super().__init__()
        self.cards_hash = self._hash(read)

    def _hash(self, read: Cards) -> str:
        """Different for any change of a card, the map, a project or a goal."""
        files = [(HERE / name).read_bytes() for name in ("board.json", "projects.json", "goals.json")]
        return sha256(msgspec.json.encode(read.rows) + b"".join(files)).hexdigest()[:16]

    # the deal

    def read_options(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """A temperature is one of the steps of its track."""
        options = super().read_options(chosen)
        track = self.board.tracks["temperature"]
        if (options["temperature"] - track.least) % track.step:
            text = f"temperature goes from {track.least} to {track.most} in steps of {track.step}."
            raise Refused("bad_option", text, option="temperature")
        return options

    def box(self, options: Mapping[str, Any], corporations: bool) -> list[str]:
        """The cards that a match is played with: the projects, or the corporations."""
        return [
            name
            for name, card in self.cards.items()
            if (card.type == "corporation") == corporations and options["packs"] in ("all", card.pack)
            for _ in range(card.copies)
        ]

    def deal(self, journal: Journal, decks: Sequence[Sequence[str]], first: Seat | None) -> None:
        """Two corporations and ten cards for everybody; what they keep of them they choose in secret."""
        table = journal.table
        for zone, faces in (("deck", self.box(table.options, False)), ("corporations", self.box(table.options, True))):
            for name in faces:
                journal.create(name, -1, zone)
            journal.shuffle(zone)
        begins = journal.below(table.seats) if first is None else first
        journal.note(FIRST, begins)
        self._set_planet(journal)
        choice = min(CORPORATIONS, len(table.zones["corporations"]) // table.seats)
        for seat in range(table.seats):
            for _ in range(choice):
                journal.move(table.zones["corporations"][-1], f"{seat}.offer")
            verbs.draw(journal, seat, DEALT, "draft")
        journal.take_turn(begins)
        journal.run((word("ask_start"), *flow.SECRET["start"]), flow.NOBODY)

    def _set_planet(self, journal: Journal) -> None:
        options = journal.table.options
        for track in TRACKS:
            journal.note(TRACKS[track], options[track])
        seas = [key for key, hex in self.board.hexes.items() if hex.kind == "ocean"]
        for _ in range(options["oceans"]):
            journal.create(TILES["ocean"], -1, seas.pop(journal.below(len(seas))))

    # the turn

    def offers(self, look: Look, seat: Seat) -> Iterable[Offer]:
        """Every legal move."""
        return moves.offers(look, seat)

    def blocked(self, look: Look, seat: Seat) -> Iterator[tuple[int, str]]:
        """The cards that cannot be used now."""
        return moves.blocked(look, seat)

    def why_not(self, look: Look, seat: Seat, do: Mapping[str, Any]) -> str | None:
        """Why a move is not offered."""
        return moves.why_not(look, seat, do)

    def perform(self, journal: Journal, seat: Seat, move: Move) -> None:
        """Do what was chosen; all of it was checked before."""
        actions = ACTIONS.of(here(journal.table))
        if move.type in (PASS, "end_turn"):
            self._pass(journal, seat)
            return
        journal.note(ACTIONS, max(0, actions - 1))
        match move.type:
            case "play":
                self._play(journal, seat, move)
            case "use":
                self._use(journal, seat, move)
            case "first":
                self._first(journal, seat, move)
            case "claim":
                self._goal(journal, seat, move, "milestone")
            case "fund":
                self._goal(journal, seat, move, "award")
            case "sell_patents":
                self._sell(journal, seat, move)
            case _:
                self._project(journal, seat, move)

    def _pass(self, journal: Journal, seat: Seat) -> None:
        """With two actions left that is for the whole generation, with one it only ends the turn."""
        table = journal.table
        final = PHASE.of(here(table)) == "final"
        if final or ACTIONS.of(here(table)) == ACTIONS_A_TURN:
            journal.set(seat_id(seat), PASSED, True)
            journal.say("passed", seat=seat)
        if final:
            flow.last_greeneries(journal)
        else:
            flow.next_turn(journal, seat)

    def _play(self, journal: Journal, seat: Seat, move: Move) -> None:
        look, card = journal.look, journal.table[move.card]
        printed, means = face(look, card), Means(look, seat)
        deeds = [printed.deeds[n] for n in printed.plays]
        due, plain = moves.dues(_chosen(deeds, move), means.price(printed))
        laid = bill(means, due, plain, move.picks)
        journal.say("played", seat=seat, card=journal.ref(card.id, EVERYONE), **laid)
        verbs.pay(journal, seat, laid)
        journal.set(seat_id(seat), NEXT, [])
        id = journal.move(card.id, f"{seat}.{'events' if printed.type == 'event' else 'tableau'}")
        if printed.storage is not None:
            verbs.store(journal, id, printed.storage.type, printed.storage.starting)
        now = journal.table[id]
        journal.emit(Event("card-played", seat, now))
        for tag in printed.tags:
            journal.emit(Event("tag-played", seat, now, {"tag": tag}))
        program = tuple(one for deed in deeds for one in deed.program)
        if program:
            journal.run(program, seat, now, **_kept(move))

    def _use(self, journal: Journal, seat: Seat, move: Move) -> None:
        card = journal.table[move.card]
        printed = face(journal.look, card)
        deed = printed.deeds[printed.action]
        due, plain = moves.dues(_chosen([deed], move))
        laid = bill(Means(journal.look, seat), due, plain, move.picks)
        journal.say("used", seat=seat, card=journal.ref(card.id), **laid)
        verbs.pay(journal, seat, laid)
        journal.set(card.id, USED, True)
        journal.run(deed.program, seat, journal.table[card.id], **_kept(move))

    def _first(self, journal: Journal, seat: Seat, move: Move) -> None:
        card = journal.table[move.card]
        printed = face(journal.look, card)
        journal.set(seat_id(seat), FORCED, False)
        journal.say("used", seat=seat, card=journal.ref(card.id))
        journal.run(tuple(one for n in printed.firsts for one in printed.deeds[n].program), seat, card)

    def _goal(self, journal: Journal, seat: Seat, move: Move, kind: str) -> None:
        goal, taken = move.chosen(kind)[0], MILESTONES if kind == "milestone" else AWARDS
        had = taken.of(here(journal.table))
        price = self.goals.claim if kind == "milestone" else self.goals.fund[len(had)]
        verbs.pay(journal, seat, bill(Means(journal.look, seat), 0, price, move.picks))
        journal.note(taken, {**had, goal: seat})
        journal.say("claimed" if kind == "milestone" else "funded", seat=seat, goal=goal)

    def _sell(self, journal: Journal, seat: Seat, move: Move) -> None:
        cards = move.chosen("cards")
        verbs.discard(journal, cards)
        verbs.gain(journal, seat, "credit", len(cards))
        journal.say("sold", seat=seat, count=len(cards))
        journal.emit(Event("standard-project-played", seat, facts={"project": "sell-patents", "cost": 0}))

    def _project(self, journal: Journal, seat: Seat, move: Move) -> None:
        row, means = self.projects[move.type], Means(journal.look, seat)
        price = means.project_price(row.id, row.cost)
        laid = bill(means, 0, price, move.picks) if row.pays == "credit" else {row.pays: price}
        journal.say(move.type, seat=seat, **laid)
        verbs.pay(journal, seat, laid)
        if row.pays == "credit":
            journal.emit(Event("standard-project-played", seat, facts={"project": row.id, "cost": row.cost}))
        journal.run(row.deed.program, seat)

    # what the rules see to by themselves

    def settle(self, journal: Journal) -> bool:
        """A turn is over when its actions are done and nothing is left to decide."""
        table = journal.table
        top = table.stack[-1]
        if table.bag or type(top) is not Turn or ACTIONS.of(here(table)):
            return False
        if PHASE.of(here(table)) == "final":
            if not GONE.of(table.seat(top.seat)) and flow.can_convert(journal.look, top.seat):
                return False
            flow.last_greeneries(journal)
            return True
        flow.next_turn(journal, top.seat)
        return True

    def expired(self, journal: Journal, seat: Seat) -> None:
        """Whoever does not move in time passes."""
        if FORCED.of(journal.table.seat(seat)):
            offer = next(iter(moves.offers(journal.look, seat)))
            self.perform(journal, seat, Move(offer.type, offer.card))
        else:
            self._pass(journal, seat)

    def leave(self, journal: Journal, seat: Seat, reason: str) -> None:
        """Whoever leaves has lost; as long as there are two, the others play on around what was built."""
        table = journal.table
        if GONE.of(table.seat(seat)):
            return
        journal.say("left", seat=seat, reason=reason)
        others = [other for other in living(table) if other != seat]
        if len(others) < 2:
            gone = [other for other in range(table.seats) if other not in others]
            journal.end(others, reason, [others, gone])
            return
        journal.set(seat_id(seat), GONE, True)
        top = table.stack[-1]
        if isinstance(top, Ask) and len(top.questions) > 1:
            self._answer_for(journal, top, seat)
        else:
            flow.withdraw(journal, seat)

    def _answer_for(self, journal: Journal, ask: Ask, seat: Seat) -> None:
        """Somebody who has left buys nothing."""
        default = ask.questions[seat].default
        assert default is not None
        journal.swap(replace(ask, answers={**ask.answers, seat: ask.answers.get(seat, default)}))

    # how it looks

    def show_turn(self, look: Look) -> dict[str, Any]:
        """The generation, the phase, the actions left, and what is still to be done."""
        return show_turn(look)

    def show_seat(self, look: Look, seat: Seat) -> dict[str, Any]:
        """Everything that a player has but cards."""
        return show_seat(look, seat)

    def show_table(self, look: Look) -> dict[str, Any]:
        """The planet, the milestones and the awards."""
        return show_table(look)

    def show_card(self, look: Look, card: Entity) -> dict[str, Any]:
        """What lies on a card, whether it was used, and where its tile is."""
        return dict(card.facts)

    def catalogue(self) -> dict[str, Any]:
        """What is printed on the cards."""
        return {name: _printed(card) for name, card in self.printed.items()}

    # for bots

    def brings(self, card: Card) -> tuple[float, float]:
        """What a card brings at once and in every generation, as a bot sees it."""
        return self._brings[card.name]

    def score(self, view: View, seat: Seat) -> float:
        """How far ahead a seat is, in points that it has or may expect."""
        return weighing.score(self, view, seat)

    def hunch(self, look: Look, seat: Seat, offers: Sequence[Offer], luck: Luck) -> Mapping[str, Any]:
        """Mostly something that builds; passing and selling only now and then."""
        return weighing.hunch(offers, luck)

    def imagine(self, view: View, record: Record, luck: Luck) -> Table:
        """What nobody sees lies in hands, piles and drafts by chance."""
        return imagining.imagine(self, view, record, luck)


def _tile(name: str, kind: str) -> Card:
    text = {"claim": "Only its owner may build here.", "special": "A tile of its own kind."}.get(
        kind, f"A tile: {kind}."
    )
    return Card(name=name, text=text, type=kind, token=True)


def _printed(card: Card) -> dict[str, Any]:
    shown: dict[str, Any] = {"type": card.type, "text": card.text, "set": card.pack or "tiles"}
    if card.id:
        shown |= {"cost": card.cost, "tags": list(card.tags)}
    choices = {branch.name: branch.text for deed in card.deeds for branch in deed.branches if branch.text}
    return {**shown, "choices": choices} if choices else shown


def _chosen(deeds: Sequence[Deed], move: Move) -> list[Deed]:
    """These and the branch that the move takes."""
    name = (move.chosen("choice") or ("",))[0]
    return [*deeds, *(branch for deed in deeds for branch in deed.branches if branch.name == name)]


def _kept(move: Move) -> dict[str, Any]:
    """What the words that follow must know of the move."""
    return {name: move.picks[name] for name in ("choice", "amount") if name in move.picks}

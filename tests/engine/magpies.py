"""Magpies: a small game for three, and the example of how a game is written.

Three birds draw trinkets from a hidden pile. A trinket may be stashed face down in the nest, where everybody sees
that it lies there and nobody what it is; slipped into a pocket, where nobody else even sees how many there are; or
played. How much shiny a bird has is its own secret. The fullest bird wins when the turns are over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta

from engine.effects import Ctx, Effects, Face, by_topic
from engine.frames import PASS, Entity, EntityId, Event, Move, Offer, Program, Question, Seat, Slot, word
from engine.game import Game, Option
from engine.journal import Journal
from engine.look import Look
from engine.table import TABLE, Attr, Table, Zone, bit, seat_id

Count = Annotated[int, Meta(ge=1)]
SHINY = Attr("shiny", 2)
NUMBER = Attr("number", 0)

effects = Effects(events=("robbed",))


# words that act


@effects.does("gain")
def gain(ctx: Ctx, /, amount: Count) -> None:
    """Find something shiny. Nobody is told how much."""
    ctx.journal.add(seat_id(ctx.seat), SHINY, amount)


@effects.does("draw")
def draw(ctx: Ctx, /, count: Count = 1) -> None:
    """Draw from the pile."""
    for _ in range(count):
        draw_one(ctx.journal, ctx.seat)


@effects.does("storm")
def storm(ctx: Ctx, /) -> None:
    """Everything that was thrown away is shuffled back into the pile."""
    for id in ctx.table.zones["heap"]:
        ctx.journal.move(id, "pile")
    ctx.journal.shuffle("pile")


@effects.does("empty_pocket")
def empty_pocket(ctx: Ctx, /) -> None:
    """Take back what you have slipped into your pocket."""
    for id in ctx.table.zones[f"{ctx.seat}.pocket"]:
        ctx.journal.move(id, f"{ctx.seat}.hand")


@effects.does("show_it")
def show_it(ctx: Ctx, /) -> None:
    """What was chosen is shown to whoever chose it, and to nobody else."""
    for id in ctx.chosen("thing"):
        ctx.journal.show(id, bit(ctx.seat))
        ctx.journal.tell("looked", seat=ctx.seat, zone=ctx.table[id].zone, count=1)


@effects.does("take_it")
def take_it(ctx: Ctx, /) -> None:
    """Steal what was chosen, unless something else happens instead."""
    for id in ctx.chosen("thing"):
        event = Event("robbed", ctx.look.controller(ctx.table[id]), ctx.table[id])
        if not ctx.journal.instead(event):
            ctx.journal.say("robbed", seat=ctx.seat, foe=event.seat, card=ctx.journal.ref(id))
            ctx.journal.move(id, f"{ctx.seat}.hand")
            ctx.journal.emit(event)


@effects.does("spend_it")
def spend_it(ctx: Ctx, /) -> None:
    """The feather that was shown is thrown away."""
    for id in ctx.chosen("feather"):
        ctx.journal.move(id, "heap")
        ctx.journal.say("hissed", seat=ctx.seat)


@effects.does("pay_bids")
def pay_bids(ctx: Ctx, /) -> None:
    """All bids are told at once; the highest pays and draws two. A tie pays nothing."""
    bids = {int(seat): move["picks"]["shiny"] for seat, move in ctx.bound["bids"].items()}
    ctx.journal.say("bids", bids=[bids[seat] for seat in sorted(bids)])
    best = [seat for seat, bid in bids.items() if bid == max(bids.values())]
    if len(best) == 1:
        ctx.journal.add(seat_id(best[0]), SHINY, -bids[best[0]])
        draw_one(ctx.journal, best[0])
        draw_one(ctx.journal, best[0])


@effects.does("pass_on")
def pass_on(ctx: Ctx, /) -> None:
    """The turn is over."""
    start_turn(ctx.journal, (ctx.table.active + 1) % ctx.table.seats)


# words that ask


@effects.does("peek")
def peek(ctx: Ctx, /) -> None:
    """Choose something that lies in a nest and look at it."""
    if things := nests(ctx.table):
        look_at = Offer("look", slots=(Slot("thing", things),))
        ctx.ask({ctx.seat: Question((look_at,), "ask.look", then={"look": (word("show_it"),)})})


@effects.does("rob")
def rob(ctx: Ctx, /, by: int) -> None:
    """Choose something from somebody else's nest. Whoever does not choose in time leaves it to luck."""
    if things := nests(ctx.table, but=by):
        take = Offer("take", slots=(Slot("thing", things),))
        ctx.ask({by: Question((take, Offer(PASS)), "ask.take", then={"take": (word("take_it"),)})}, seconds=20)


@effects.does("pounce")
def pounce(ctx: Ctx, /) -> None:
    """Rob a nest, if nobody hisses."""
    ctx.then(word("hiss_window", then=(word("rob", by=ctx.seat),)))


@effects.does("hiss_window")
def hiss_window(ctx: Ctx, /, then: Program, hushed: bool = False) -> None:
    """Anyone may hiss, and hiss at the hissing. Everyone is asked: the asking must not tell."""
    again = (word("spend_it"), word("hiss_window", then=then, hushed=not hushed))
    after = {PASS: () if hushed else then, "hiss": again}
    ask = {
        seat: Question(
            (Offer(PASS), *hisses(ctx.table, seat)), "ask.hiss", {"seat": ctx.table.active}, Move(PASS), after
        )
        for seat in range(ctx.table.seats)
    }
    ctx.ask(ask, first=True, seconds=5)


@effects.does("feast")
def feast(ctx: Ctx, /) -> None:
    """Everybody bids in secret, all at once."""
    ask = {}
    for seat in range(ctx.table.seats):
        bid = Offer("bid", slots=(Slot("shiny", range=(0, SHINY.of(ctx.table.seat(seat)))),))
        ask[seat] = Question((bid,), "ask.bid")
    ctx.ask(ask, into="bids", seconds=20)


# words that hear


@effects.instead("scare", "robbed", of="mine")
def scare(journal: Journal, source: Entity, event: Event, /) -> bool:
    """The thief gets the scarecrow's straw and nothing else; the scarecrow is worn out."""
    journal.say("scared", card=journal.ref(source.id))
    journal.move(source.id, "heap")
    return True


@effects.when("gossip", "robbed", of="any")
def gossip(ctx: Ctx, event: Event, /) -> None:
    """Whoever keeps a parrot hears of every robbery, and laughs about it."""
    ctx.journal.say("gossip", seat=ctx.seat)
    ctx.journal.add(seat_id(ctx.seat), SHINY, 1)


# the trinkets: how many there are of each, and what is printed on them

TRINKETS: dict[str, tuple[int, tuple[str, ...]]] = {
    "Coin": (4, ("gain:2",)),
    "Spoon": (4, ("draw:2",)),
    "Mirror": (4, ("peek",)),
    "Cat": (8, ("pounce",)),
    "Hiss": (5, ()),
    "Feast": (3, ("feast", "pay_bids")),
    "Storm": (2, ("storm",)),
    "Purse": (2, ("empty_pocket", "gain:1")),
    "Scarecrow": (5, ("scare",)),
    "Parrot": (4, ("gossip",)),
}
STAYS = ("Scarecrow", "Parrot")


def make_face(words: Effects, name: str, *printed: str) -> Face:
    """A trinket from what is printed on it."""
    abilities = tuple(words.ability(words.parse(text)) for text in printed)
    return Face(name=name, abilities=abilities, by=by_topic(abilities))


class Magpies(Game):
    """Three birds, one pile."""

    id = "magpies"
    title = "Magpies"
    rules = "1"
    seats = (3, 3)
    effects = effects
    faces: Mapping[str, Face] = {name: make_face(effects, name, *words) for name, (_, words) in TRINKETS.items()}
    zones = (
        Zone("pile", shared=True),
        Zone("heap", faces="all", shared=True),
        Zone("hand", faces="owner"),
        Zone("nest", things="all"),
        Zone("pocket", faces="owner", counted=False),
        Zone("yard", faces="all", live=True),
    )
    options = (
        Option("turns", "number", 24, "How many turns are played.", least=1, most=99),
        Option("storms", "switch", True, "Whether there are storms."),
    )
    messages = {
        "ask.look": "What do you look at?",
        "ask.take": "What do you take?",
        "ask.hiss": "{seat} sends the cat. Do you hiss?",
        "ask.bid": "How much do you bid?",
        "offer.play": "Play {face}",
        "drew": "{seat} draws.",
        "played": "{seat} plays {card}.",
        "stashed": "{seat} stashes {card}.",
        "robbed": "{seat} takes {card} from {foe}.",
        "hissed": "{seat} hisses.",
        "scared": "{card} scares the thief away.",
        "gossip": "The parrot of {seat} laughs.",
        "bids": "The bids are {bids}.",
        "turn": "Turn {number}: {seat}.",
    }

    def deal(self, journal: Journal, decks: Sequence[Sequence[str]], first: Seat | None) -> None:
        """Shuffle all trinkets, three for everybody."""
        for name, (count, _) in TRINKETS.items():
            if name != "Storm" or journal.table.options["storms"]:
                for _ in range(count):
                    journal.create(name, -1, "pile")
        journal.shuffle("pile")
        for seat in (0, 1, 2) * 3:
            draw_one(journal, seat)
        start_turn(journal, journal.below(3) if first is None else first)

    def offers(self, look: Look, seat: Seat) -> Iterator[Offer]:
        """Play a trinket, stash one or two, slip one into the pocket, or draw one."""
        held = look.table.zones[f"{seat}.hand"]
        yield from (Offer("play", id) for id in held if look.table[id].face != "Hiss")
        if held:
            yield Offer("stash", slots=(Slot("thing", held, most=min(2, len(held))),))
            yield Offer("pocket", slots=(Slot("thing", held),))
        yield Offer("draw")

    def blocked(self, look: Look, seat: Seat) -> Iterator[tuple[int, str]]:
        """A hiss waits for its moment."""
        for card in look.table.lying(f"{seat}.hand"):
            if card.face == "Hiss":
                yield card.id, "not_now"

    def perform(self, journal: Journal, seat: Seat, move: Move) -> None:
        """Do what was chosen; when everything that it set off is done the turn is passed on."""
        journal.run((word("pass_on"),), seat)
        match move.type:
            case "draw":
                draw_one(journal, seat)
            case "stash" | "pocket":
                stow(journal, seat, move)
            case "play":
                card = journal.table[move.card]
                journal.move(card.id, f"{seat}.yard" if card.face in STAYS else "heap")
                journal.say("played", seat=seat, card=journal.ref(card.id))
                journal.run(tuple(ability.word for ability in self.faces[card.face].by.get("does:", ())), seat, card)

    def show_turn(self, look: Look) -> dict[str, Any]:
        """The number of the turn."""
        return {"number": NUMBER.of(look.table[TABLE])}

    def show_own(self, look: Look, seat: Seat) -> dict[str, Any]:
        """Only you know how much shiny you have, if any."""
        shiny = SHINY.of(look.table.seat(seat))
        return {"shiny": shiny} if shiny else {}

    def show_back(self, look: Look, card: Entity) -> dict[str, Any]:
        """In a nest a trinket is a lump."""
        return {"lump": True}


# verbs


def draw_one(journal: Journal, seat: Seat) -> None:
    """Draw from the top of the pile, if there is one left."""
    if pile := journal.table.zones["pile"]:
        journal.move(pile[-1], f"{seat}.hand")
        journal.say("drew", seat=seat)


def stow(journal: Journal, seat: Seat, move: Move) -> None:
    """Stash trinkets in the nest for all to see, or slip one into the pocket without a word."""
    for id in move.chosen("thing"):
        if move.type == "stash":
            journal.say("stashed", seat=seat, card=journal.ref(id))
        journal.move(id, f"{seat}.{'nest' if move.type == 'stash' else 'pocket'}")


def start_turn(journal: Journal, seat: Seat) -> None:
    """Count the turn, or count the trinkets when it was the last."""
    number = NUMBER.of(journal.table[TABLE]) + 1
    if number > journal.table.options["turns"]:
        full = [len(journal.table.zones[f"{seat}.nest"]) for seat in range(journal.table.seats)]
        journal.end([seat for seat, count in enumerate(full) if count == max(full)], "counted")
        return
    journal.note(NUMBER, number)
    journal.take_turn(seat)
    journal.say("turn", number=number, seat=seat)


def nests(table: Table, but: Seat = -1) -> tuple[EntityId, ...]:
    """Everything that lies in nests, one bird's perhaps left out."""
    return tuple(id for seat in range(table.seats) if seat != but for id in table.zones[f"{seat}.nest"])


def hisses(table: Table, seat: Seat) -> Iterator[Offer]:
    """What a seat can hiss with."""
    held = tuple(card.id for card in table.lying(f"{seat}.hand") if card.face == "Hiss")
    if held:
        yield Offer("hiss", slots=(Slot("feather", held),))

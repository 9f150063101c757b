"""Thinking ahead without peeking: what the search learns, and what it must not know."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

import pytest

from cards import find_game
from engine.bots import MctsBot, RandomBot, make_bot, read_name
from engine.effects import Effects, Face
from engine.errors import Fault, Refused
from engine.frames import Entity, Move, Offer, Slot, Turn
from engine.game import Game
from engine.lens import Lens
from engine.match import Match
from engine.search import WIDTH, Node, Search, World, look_alikes
from engine.table import TABLE, Table, Zone, seat_id
from tests.cards.scene import Scene, side
from tests.engine.games import midway, pen


class Cups(Game):
    """A pea lies under a hidden cup: three times in four the left one. Seat 0 guesses, seat 1 may only say «well»."""

    id = "cups"
    title = "Cups"
    rules = "1"
    seats = (2, 2)
    effects = Effects()
    faces = {name: Face(name=name) for name in ("left", "right")}
    zones = (Zone("cup", shared=True),)
    breaks = 0  # every so manieth world falls apart

    def __init__(self):
        self.imagined = 0
        super().__init__()

    def deal(self, journal, decks, first):
        journal.create(("left", "left", "left", "right")[journal.below(4)], -1, "cup")
        journal.take_turn(0)

    def offers(self, look, seat):
        if seat == 0:
            yield Offer("guess", slots=(Slot("side", ("left", "right")),))
        else:
            yield Offer("well")

    def perform(self, journal, seat, move: Move):
        if seat == 0:
            under = journal.table.lying("cup")[0].face
            journal.end((0 if move.picks["side"][0] == under else 1,), "seen")

    def imagine(self, view, record, luck):
        self.imagined += 1
        if self.breaks and self.imagined % self.breaks == 0:
            raise Fault("this world falls apart")
        table = Table(self.id, self.rules, self.cards_hash, 2, bytes(luck(256) for _ in range(32)), {})
        face = ("left", "left", "left", "right")[luck(4)]
        table.entities = {id: Entity(id) for id in (TABLE, seat_id(0), seat_id(1))} | {9: Entity(9, face, -1, "cup")}
        table.zones = {"cup": (9,)}
        table.stack = (Turn(0),)
        return table


class Dial(Cups):
    """Seat 0 sets a dial from 0 to a million; the higher the better."""

    id = "dial"
    top = 1_000_000

    def offers(self, look, seat):
        yield Offer("set", slots=(Slot("at", range=(0, self.top)),))

    def perform(self, journal, seat, move):
        journal.end((0,) if journal.below(self.top) < move.picks["at"] else (1,), "set")


def think(game: Game, match: Match, iterations: int, seed: int = 0) -> Search:
    seat = match.waiting()[0]
    search = Search(game, seat, Random(seed).randrange, Lens(match.look, seat).whole(), [])
    search.think(match.offers(seat), lambda done: done >= iterations)
    return search


@pytest.mark.parametrize("seed", range(12))
def test_it_bets_on_what_is_likely_and_not_on_what_is_there(seed):
    game = Cups()
    match = Match.deal(game, seed=seed)
    assert think(game, match, 200).best() == {"type": "guess", "side": ["left"]}


def test_the_cups_really_hide_both():
    assert {Match.deal(Cups(), seed=seed).table.lying("cup")[0].face for seed in range(12)} == {"left", "right"}


def test_an_iteration_imagines_a_world_of_its_own():
    game = Cups()
    search = think(game, Match.deal(game, seed=1), 50)
    assert game.imagined == search.iterations == 50


def test_worlds_that_fall_apart_are_left_out():
    game = Cups()
    game.breaks = 3
    search = think(game, Match.deal(game, seed=1), 90)
    assert search.failed == 30
    assert search.best() == {"type": "guess", "side": ["left"]}


def test_a_bot_whose_worlds_all_fall_apart_still_makes_a_legal_move():
    game = Cups()
    game.breaks = 1
    match = Match.deal(game, seed=1)
    do = MctsBot(game, 0, 1).pick(Lens(match.look, 0).whole(), match.offers(0), [])
    match.act(0, do)
    assert match.over


def test_of_a_wide_slot_more_and_more_fillings_are_tried_and_the_good_ones_most():
    game = Dial()
    match = Match.deal(game, seed=1)
    few, many = (think(game, match, iterations) for iterations in (16, 400))
    assert len(few.first) <= WIDTH * 4 + 1
    assert len(few.first) < len(many.first) <= WIDTH * 20 + 1
    assert many.best()["at"] > 600_000


@pytest.mark.parametrize("seconds", [0.5, 2.0])
def test_with_a_clock_it_stops_when_its_time_is_over(seconds):
    game, ticks = Cups(), count()
    bot = make_bot("mcts:100000", game, 0, 1, clock=lambda: next(ticks) * 0.01, most=seconds)
    match = Match.deal(game, seed=1)
    bot.pick(Lens(match.look, 0).whole(), match.offers(0), [])
    assert game.imagined == round(seconds * 100) - 1


def test_a_budget_in_milliseconds_needs_a_clock_and_iterations_do_not():
    game, ticks = Cups(), count()
    match = Match.deal(game, seed=1)
    timed = make_bot("mcts:300ms", game, 0, 1, clock=lambda: next(ticks) * 0.01)
    timed.pick(Lens(match.look, 0).whole(), match.offers(0), [])
    assert game.imagined == 29
    make_bot("mcts:70", game, 0, 1).pick(Lens(match.look, 0).whole(), match.offers(0), [])
    assert game.imagined == 29 + 70


@pytest.mark.parametrize("name", ["mcts:0", "mcts:", "mcts:ms", "mcts:100001", "mcts:60001ms", "mcts:-3", "greedy:5"])
def test_a_budget_that_makes_no_sense_is_refused(name):
    with pytest.raises(Refused) as no:
        read_name(name)
    assert no.value.code == "bad_budget"


def test_an_unknown_bot_is_refused_with_those_there_are():
    with pytest.raises(Refused, match="random, greedy, mcts"):
        read_name("hal")


def test_with_one_move_there_is_nothing_to_think_about():
    game = Cups()
    match = Match.deal(game, seed=1)
    assert MctsBot(game, 1, 1).pick(Lens(match.look, 1).whole(), (Offer("well"),), []) == {"type": "well"}
    assert game.imagined == 0


# on real games


def test_a_seed_decides_everything_when_the_budget_is_in_iterations():
    game = find_game("ggltcg")
    match = midway(game, 3, 8)
    seat = match.waiting()[0]
    view, offers = Lens(match.look, seat).whole(), match.offers(seat)
    searches = []
    for _ in range(2):
        search = Search(game, seat, Random(4).randrange, view, [])
        search.think(offers, lambda done: done >= 60)
        searches.append({key: (node.visits, node.worth) for key, node in search.roots[seat].next.items()})
    assert searches[0] == searches[1]


def test_it_sees_the_win_in_two_that_is_worth_nothing_after_one():
    """The hand must be struck twice. After the first blow the toy stands alone against a full board."""
    scene = Scene(side(play=["Paper Plane"], hand=[], cc=4), side(play=[], hand=["Block", "Dino"], cc=7), turn=3)
    ann, _ = scene
    for _ in range(2):
        do = make_bot("mcts:60", scene.match.game, 0, 1).pick(ann.view, scene.match.offers(0), [])
        assert do["type"] == "strike"
        ann.sends(do)
    assert scene.winner is ann


def test_cards_that_look_alike_are_one_move():
    match = Match.deal(find_game("kittens"), seed=1, seats=3, first=0, options={"actions": False})
    view = Lens(match.look, 0).whole()
    faces = {card.face for card in match.table.lying("0.hand")}
    assert len(faces) < 8
    alike = look_alikes(view)
    assert len({alike[id] for id in match.table.zones["0.hand"]}) == len(faces)
    search = Search(match.game, 0, Random(1).randrange, view, [])
    search.think(match.offers(0), lambda done: done >= 120)
    assert len(search.first) == len(faces)  # one for each trinket, none for the Douse, and drawing


def placing() -> Match:
    """Seat 1 is to hide a spark that it has put out."""
    match = Match.deal(find_game("kittens"), seed=1, seats=3, first=1, options={"actions": False})
    with pen(match) as journal:
        journal.create("Spark", -1, "pile")
    match.act(1, {"type": "draw"})
    return match


def test_what_a_seat_cannot_see_does_not_part_its_tree():
    nodes = [Node(), Node(), Node()]
    went = []
    for at in (0, 5):
        world = World(placing(), {})
        do = {"type": "place", "at": at}
        went.append(world.go(1, world.key(1, do), do, nodes))
    assert went[0][0] is went[1][0]
    assert went[0][2] is went[1][2]
    assert went[0][1] is not went[1][1]


def test_a_card_that_is_laid_open_parts_every_tree_and_one_that_stays_hidden_only_its_player_s():
    scene = Scene(side(hand=["Ka", "Beary"]), side())
    nodes, went = [Node(), Node()], []
    for face in ("Ka", "Beary"):
        again = Scene(side(hand=["Ka", "Beary"]), side())
        world = World(again.match, {})
        do = {"type": "play", "card": next(card.id for card in again.table.lying("0.hand") if card.face == face)}
        went.append(world.go(0, world.key(0, do), do, nodes))
    assert scene.match.waiting() == (0,)
    assert went[0][1] is not went[1][1]
    assert went[0][0] is not went[1][0]


def test_a_move_is_known_again_in_a_world_where_its_card_has_another_number():
    game = find_game("ggltcg")
    keys = []
    for seed in range(2):
        match = Match.deal(game, seed=seed, first=0, decks=[["Ka", "Beary", "Knight", "Raggy", "Twist", "Wake"]] * 2)
        world = World(match, {})
        offers = match.offers(0)
        keys.append({world.key(0, {"type": offer.type, "card": offer.card}) for offer in offers if offer.card})
        assert all(world.fitted(key, offers) for key in keys[0])
    assert keys[0] == keys[1]
    assert world.fitted((0, "play", "Twist"), offers) is None


@pytest.mark.parametrize(
    ("slot", "value", "fits"),
    [
        (Slot("what", ("a", "b")), ("a",), True),
        (Slot("what", ("a", "b")), ("c",), False),
        (Slot("what", ("a", "b")), 3, False),  # a number in one world and a choice in another
        (Slot("what", range=(0, 4)), ("a",), False),
        (Slot("what", range=(0, 4)), 4, True),
        (Slot("what", range=(0, 4)), 5, False),
        (Slot("what", ("a", "b"), least=2, most=2), ("a",), False),
        (Slot("what", ("a", "b"), most=2, worth=(1, 2), total=3), ("a",), False),  # not enough here
        (Slot("what", ("a", "b"), most=2, worth=(1, 2), total=3), ("b", "a"), True),
        (Slot("other", ("a", "b")), ("a",), False),
    ],
)
def test_a_move_fits_a_world_only_if_it_would_be_accepted_there(slot: Slot, value: Any, fits: bool):
    world = World(Match.deal(Cups(), seed=1), {})
    assert (world.fitted((0, "do", 0, ("what", value)), (Offer("do", slots=(slot,)),)) is not None) is fits


def test_a_little_thought_beats_chance_in_the_toy_battle():
    """A smoke test with few games: how it does against greed is in the documents, with the commands."""
    game, points = find_game("ggltcg"), 0.0
    for number in range(12):
        thinker = number % 2
        match = Match.deal(game, seed=number // 2)
        lenses = [(Lens(match.look, seat), []) for seat in range(2)]
        bots = [make_bot("mcts:40", game, s, number) if s == thinker else RandomBot(game, s, number) for s in range(2)]
        while not match.over:
            seat = match.waiting()[0]
            lens, record = lenses[seat]
            step = match.act(seat, bots[seat].pick(lens.whole(), match.offers(seat), record))
            for lens, record in lenses:
                record.extend(lens.news(step))
        winners = match.table.result.winners
        points += 0.5 if not winners else thinker in winners
    assert points > 9

"""Bots get what a person in their seat gets, and nothing else."""

from __future__ import annotations

import inspect
from random import Random

import msgspec
import pytest

from cards import find_game, game_ids
from engine.bots import BOTS, Agent, GreedyBot, MctsBot, RandomBot
from engine.frames import Offer
from engine.lens import Lens
from engine.match import Match
from engine.merge import canonical
from engine.table import Table
from tests.engine.games import GAMES, SHARED, short, some_move
from tests.engine.secrecy import printed, twin

REGISTERED = [find_game(id) for id in game_ids()]
UNLIKE = ("commitment",)  # a hash of the real seed, which nobody can imagine


def seated(name: str, game, seat: int, seed: int) -> Agent:
    """A bot that does not think for long: what it does must be right, not good."""
    bot = BOTS[name](game, seat, seed)
    if isinstance(bot, MctsBot):
        bot.iterations = 4
    return bot


def seats_of(match: Match) -> dict[int, tuple[Lens, list]]:
    return {seat: (Lens(match.look, seat), []) for seat in range(match.table.seats)}


def duel(game, bots, seed: int, most: int = 300) -> Match:
    """A match between bots, each with its own view, offers and record; a short one, since cautious bots wait long."""
    match = short(game, seed)
    lenses = seats_of(match)
    for _ in range(most):
        if match.over:
            break
        seat = match.waiting()[0]
        lens, record = lenses[seat]
        step = match.act(seat, bots[seat].pick(lens.whole(), match.offers(seat), record))
        for lens, record in lenses.values():
            record.extend(lens.news(step))
    return match


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("game", REGISTERED, ids=lambda game: game.id)
def test_a_bot_finishes_matches_by_legal_moves(game, name):
    seeds, most = (2, 25) if name == "mcts" else (10, 300)  # whoever thinks long need not see the end
    for seed in range(seeds):
        match = duel(game, [seated(name, game, seat, seed) for seat in range(game.seats[0])], seed, most)
        assert match.over or match.table.version >= most


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("game", REGISTERED, ids=lambda game: game.id)
def test_the_same_bot_plays_the_same_match_again(game, name):
    most = 20 if name == "mcts" else 300
    ends = [duel(game, [seated(name, game, seat, 1) for seat in range(game.seats[0])], 5, most) for _ in range(2)]
    assert canonical(Lens(ends[0].look, 0).whole()) == canonical(Lens(ends[1].look, 0).whole())


def test_bots_with_different_seeds_play_differently():
    game = GAMES[0]
    ends = {duel(game, [RandomBot(game, seat, seed) for seat in range(2)], 5).table.version for seed in range(12)}
    assert len(ends) > 3


@pytest.mark.parametrize("bot", BOTS.values())
def test_a_bot_is_handed_a_view_and_never_a_table(bot):
    assert list(inspect.signature(bot.pick).parameters) == ["self", "view", "offers", "record"]
    assert list(inspect.signature(bot).parameters) == ["game", "seat", "seed"]


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("game", REGISTERED, ids=lambda game: game.id)
def test_a_bot_picks_the_same_in_every_world_that_looks_the_same_to_it(game, name):
    picked = 0
    for seed in range(2 if name == "mcts" else 8):
        luck, match = Random(seed), Match.deal(game, seed=seed)
        lenses = seats_of(match)
        for number in range(15 if name == "mcts" else 25):
            if match.over:
                break
            seat = match.waiting()[0]
            other = twin(match, seat, luck)
            record = lenses[seat][1]
            picks = [
                seated(name, game, seat, number).pick(Lens(world.look, seat).whole(), world.offers(seat), record)
                for world in (match, other)
            ]
            assert picks[0] == picks[1]
            picked += 1
            step = match.act(*some_move(match, luck))
            for lens, kept in lenses.values():
                kept.extend(lens.news(step))
    assert picked > (15 if name == "mcts" else 50)


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("game", REGISTERED, ids=lambda game: game.id)
def test_a_bot_plays_the_same_when_there_is_no_table_behind_what_it_is_shown(game, name):
    """What it is shown has been through a wire; then every secret is gone, and so is everything else."""
    for seed in range(3):
        luck, match = Random(seed), Match.deal(game, seed=seed)
        lenses = seats_of(match)
        for _ in range(4 + 3 * seed):
            step = match.act(*some_move(match, luck))
            for lens, record in lenses.values():
                record.extend(lens.news(step))
        assert not match.over
        seat = match.waiting()[0]
        lens, record = lenses[seat]
        view, offers = lens.whole(), match.offers(seat)
        before = seated(name, game, seat, seed).pick(view, offers, record)
        view, record = msgspec.json.decode(msgspec.json.encode((view, record)))
        offers = msgspec.json.decode(msgspec.json.encode(offers), type=tuple[Offer, ...])
        for gone in (match.table.entities, match.table.zones, match.table.luck):
            gone.clear()
        match.table.stack, match.table.seed = (), b""
        assert seated(name, game, seat, seed).pick(view, offers, record) == before


def test_greedy_beats_random_clearly():
    game, points = find_game("ggltcg"), 0.0
    for seed in range(60):
        greedy = seed % 2
        bots = [GreedyBot(game, seat, seed) if seat == greedy else RandomBot(game, seat, seed) for seat in range(2)]
        winners = duel(game, bots, seed).table.result.winners
        points += 0.5 if not winners else greedy in winners
    assert points > 0.6 * 60


@pytest.mark.parametrize("game", REGISTERED, ids=lambda game: game.id)
def test_an_imagined_table_looks_like_the_real_one(game):
    """Rendered again for the same viewer, cards that nobody sees apart, it gives the same view and the same offers."""
    compared = asked = 0
    for seed in range(40):
        luck, match = Random(seed), Match.deal(game, seed=seed, names=("Ann", "Bo"))
        lenses = seats_of(match)
        while not match.over and match.table.version < 40:
            seat = match.waiting()[0]
            view, record = Lens(match.look, seat).whole(), lenses[seat][1]
            imagined = Match(game, game.imagine(view, record, luck.randrange))
            shown = Lens(imagined.look, seat).whole()
            assert strip(shown) == strip(view)
            assert imagined.offers(seat) == match.offers(seat)
            assert imagined.waiting() == match.waiting()
            compared += 1
            asked += match.question(seat) is not None
            step = match.act(*some_move(match, luck))
            for lens, kept in lenses.values():
                kept.extend(lens.news(step))
    assert compared > 300
    assert asked > 3 or game not in SHARED, "nobody is there to ask"


def box(table: Table, owners: set[int]) -> tuple[str, ...]:
    """The cards of these owners, wherever they are."""
    return tuple(sorted(card.face for id, card in table.entities.items() if id > 0 and card.owner in owners))


def unseen(table: Table, view: dict) -> list[int]:
    """The cards whose faces a viewer does not see."""
    return [id for ids in table.zones.values() for id in ids if "face" not in view["cards"].get(str(id), ())]


def strip(view: dict) -> bytes:
    return canonical({key: value for key, value in view.items() if key not in UNLIKE})


@pytest.mark.parametrize("game", REGISTERED, ids=lambda game: game.id)
def test_imagined_tables_differ_in_what_is_hidden_and_share_no_hidden_id_with_the_real_one(game):
    match = Match.deal(game, seed=1)
    seat = match.waiting()[0]
    view = Lens(match.look, seat).whole()
    luck = Random(1)
    tables = [game.imagine(view, [], luck.randrange) for _ in range(12)]
    hidden = [[table[id].face for id in unseen(table, view)] for table in tables]
    assert len({tuple(faces) for faces in hidden}) > 6
    if all("deck" in shown for shown in view["seats"].values()):  # the lists are public, so only the order is open
        assert len({tuple(sorted(faces)) for faces in hidden}) == 1
    own = {seat} if "deck" in printed(game).own_facts else {-1, 0, 1}  # of a list that is secret only its size is known
    boxes = {box(table, own) for table in tables}
    assert boxes == {box(match.table, own)}
    assert {len(table.entities) for table in tables} == {len(match.table.entities)}
    real = {id for id in match.table.entities if id > 0} - set(map(int, view["cards"]))
    assert all(real.isdisjoint(table.entities) for table in tables)
    highest = max(map(int, view["cards"]), default=0)
    made_up = [id for table in tables for id in unseen(table, view) if str(id) not in view["cards"]]
    assert all(id > highest for id in made_up)
    assert all(table.seed != match.table.seed for table in tables)


@pytest.mark.parametrize("game", [game for game in REGISTERED if game in SHARED], ids=lambda game: game.id)
def test_a_won_match_scores_one_and_a_lost_one_nothing(game):
    match = Match.deal(game, seed=1)
    assert 0 < game.score(Lens(match.look, 0).whole(), 0) < 1
    match.resign(0)
    assert game.score(Lens(match.look, 1).whole(), 1) == 1
    assert game.score(Lens(match.look, 0).whole(), 0) == 0

"""Bots at the fizzlebox: what they are offered, what they remember, and that they cannot peek."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from cards.kittens.memory import Memory
from engine.bots import BOTS, make_bot
from engine.errors import Refused
from engine.lens import Lens
from engine.match import Match
from engine.offers import at_random, fillings
from engine.store import state_hash
from engine.table import Table
from tests.cards.fizzle import GAME, Box, Player

WORLDS = 30


def worlds(player: Player, count: int = WORLDS) -> list[Table]:
    """Tables that could be the real one for all that somebody knows."""
    luck = Random(1)
    return [GAME.imagine(player.view, player.heard, luck.randrange) for _ in range(count)]


def hands(tables: list[Table], seat: int) -> list[Counter[str]]:
    return [Counter(table[id].face for id in table.zones[f"{seat}.hand"]) for table in tables]


def piles(tables: list[Table]) -> list[list[str]]:
    """The piles from their tops."""
    return [[table[id].face for id in reversed(table.zones["pile"])] for table in tables]


# what is offered


@pytest.mark.parametrize("actions", [True, False])
def test_whoever_is_to_act_has_a_move_and_nobody_else_has_one(actions: bool):
    looked = 0
    for seed in range(20):
        luck, match = Random(seed), Match.deal(GAME, seats=2 + seed % 4, seed=seed, options={"actions": actions})
        while not match.over:
            waiting = match.waiting()
            assert waiting
            assert all(bool(match.offers(seat)) == (seat in waiting) for seat in range(match.table.seats))
            seat = luck.choice(waiting)
            match.act(seat, at_random(match.offers(seat), luck.randrange))
            looked += 1
    assert looked > 500


def test_every_move_that_is_offered_is_accepted():
    tried = 0
    for seed in range(4):
        luck, match = Random(seed), Match.deal(GAME, seats=3, seed=seed)
        for _ in range(40):
            if match.over:
                break
            for seat in match.waiting():
                for do in [do for offer in match.offers(seat) for do in fillings(offer, 12)]:
                    before = state_hash(match.table)
                    match.act(seat, do)
                    match.undo()
                    assert state_hash(match.table) == before
                    tried += 1
            seat = luck.choice(match.waiting())
            match.act(seat, at_random(match.offers(seat), luck.randrange))
    assert tried > 500


def test_every_move_that_is_not_offered_is_refused():
    tried = 0
    for seed in range(6):
        luck, match = Random(seed), Match.deal(GAME, seats=3, seed=seed)
        for _ in range(40):
            if match.over:
                break
            for seat in range(3):
                offered = {str(do) for offer in match.offers(seat) for do in fillings(offer, 10_000)}
                for do in some_moves(match, luck):
                    if str(do) not in offered:
                        with pytest.raises(Refused):
                            match.check(seat, do)
                        tried += 1
            seat = luck.choice(match.waiting())
            match.act(seat, at_random(match.offers(seat), luck.randrange))
    assert tried > 3000


def some_moves(match: Match, luck: Random) -> list[dict[str, Any]]:
    """Moves of every kind with any cards of the table, most of which are not theirs to make."""
    ids = sorted(id for id in match.table.entities if id > 0)
    card, other, third = (luck.choice(ids) for _ in range(3))
    seat = luck.randrange(4)
    return [
        {"type": "draw"},
        {"type": "pass"},
        {"type": "play", "card": card},
        {"type": "play", "card": card, "foe": [seat]},
        {"type": "pair", "cards": [card, other], "foe": [seat]},
        {"type": "triple", "cards": [card, other, third], "foe": [seat], "name": ["Douse"]},
        {"type": "five", "cards": luck.sample(ids, 5), "take": [card]},
        {"type": "veto", "veto": [card]},
        {"type": "give", "gift": [card]},
        {"type": "place", "at": luck.randrange(-2, 60)},
    ]


# no peeking


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_needs_no_table(name: str):
    """What it is given has been through a wire; the pile, the other hands and the table itself are gone."""
    luck, match = Random(5), Match.deal(GAME, seats=4, seed=5, first=0)
    lens, record = Lens(match.look, 0), []
    record += lens.news(match.dealt)
    for _ in range(9):
        step = match.act(match.waiting()[0], at_random(match.offers(match.waiting()[0]), luck.randrange))
        record += lens.news(step)
    while match.waiting()[0] != 0:
        record += lens.news(match.act(match.waiting()[0], {"type": "pass"} if match.table.asked else {"type": "draw"}))
    offers, view = match.offers(0), Lens(match.look, 0).whole()
    before = make_bot("mcts:20" if name == "mcts" else name, GAME, 0, 1).pick(view, offers, record)
    told = msgspec.json.decode(msgspec.json.encode([view, record]))
    assert set(told[0]["zones"]["pile"]) == {"n"}
    assert all(set(told[0]["zones"][f"{other}.hand"]) == {"n"} for other in (1, 2, 3))
    match.table.entities.clear()
    match.table.zones.clear()
    bot = make_bot("mcts:20" if name == "mcts" else name, GAME, 0, 1)
    do = bot.pick(told[0], offers, told[1])
    assert do == before
    assert any(do in list(fillings(offer, 10_000)) for offer in offers)


# what is remembered


def test_imagined_hands_are_as_large_as_the_real_ones_and_no_card_is_there_twice():
    box = Box(seats=4)
    ann, *_ = box
    everything = Counter(card.face for card in box.table.entities.values() if card.id > 0)
    for table in worlds(ann):
        assert {zone: len(ids) for zone, ids in table.zones.items()} == {
            zone: len(ids) for zone, ids in box.table.zones.items()
        }
        assert Counter(card.face for card in table.entities.values() if card.id > 0) == everything
        assert hands([table], 0) == [Counter(ann.hand)]


def test_everybody_is_known_to_have_begun_with_one_douse_and_no_spark():
    for seat in (1, 2):
        for hand in hands(worlds(Box().players[0]), seat):
            assert hand["Douse"] >= 1
            assert hand["Spark"] == 0


PILE = ["Button", "Shove", "Spark", "Stir", "Veto", "Marble", "Spark", "Douse", "Spool"]
HANDS = [["Douse", "Foresight", "Tithe"], ["Douse", "Stir", "Sidestep"], ["Douse", "Feather", "Shove"]]


def scene(hands_: list[list[str]] = HANDS, pile: list[str] = PILE, **more: Any) -> Box:
    """A table of which everything else lies open, so that one can count what is left."""
    return Box(seats=len(hands_), hands=hands_, pile=pile, **more)


def test_a_douse_that_was_used_is_not_there_any_more():
    box = scene(pile=["Spark", "Button", "Stir", "Veto", "Marble", "Spark", "Douse"])
    ann, bob, cy = box
    assert all(hand["Douse"] >= 1 for hand in hands(worlds(bob), 0))
    ann.draws()
    ann.places(3)
    seen = [hand["Douse"] for hand in hands(worlds(bob), 0)]
    assert 0 in seen  # she may have another one by luck, but need not
    assert all(hand["Douse"] >= 1 for hand in hands(worlds(bob), cy.seat))


def test_where_one_has_hidden_a_spark_one_knows():
    box = scene(pile=["Spark", "Button", "Stir", "Veto", "Marble", "Spark", "Shove"])
    ann, bob, _ = box
    ann.draws()
    ann.places(4)
    assert all(pile[4] == "Spark" for pile in piles(worlds(ann)))
    assert len({pile.index("Spark") for pile in piles(worlds(bob))}) > 3
    bob.draws()
    assert all(pile[3] == "Spark" for pile in piles(worlds(ann)))


def test_a_spark_that_somebody_else_hid_lies_anywhere_but_where_it_was_not_drawn():
    box = scene(pile=["Spark", "Button", "Stir", "Veto", "Marble", "Spark", "Shove"])
    ann, bob, cy = box
    ann.draws()
    ann.places(5)
    bob.draws()
    found = Counter(place for pile in piles(worlds(cy, 200)) for place, name in enumerate(pile) if name == "Spark")
    assert set(found) == set(range(6))
    assert max(found.values()) < 4 * min(found.values())


def test_what_one_has_foreseen_one_knows_until_the_pile_is_stirred():
    box = scene(pile=["Button", "Spark", "Veto", "Stir", "Marble", "Spark", "Shove"])
    ann, bob, _ = box
    ann.plays("Foresight")
    box.all_pass()
    assert all(pile[:3] == ["Button", "Spark", "Veto"] for pile in piles(worlds(ann)))
    ann.draws()
    assert all(pile[:2] == ["Spark", "Veto"] for pile in piles(worlds(ann)))
    assert any(pile[:2] != ["Spark", "Veto"] for pile in piles(worlds(bob)))
    bob.plays("Stir")
    box.all_pass()
    assert any(pile[:2] != ["Spark", "Veto"] for pile in piles(worlds(ann)))


def test_who_draws_what_was_foreseen_is_known_to_hold_it():
    pile = ["Shove", "Veto", "Spark", "Spark", "Button", "Spool"]
    box = scene([["Douse", "Foresight", "Sidestep"], ["Douse"], ["Douse"]], pile)
    ann, bob, cy = box
    ann.plays("Foresight")
    box.all_pass()
    ann.plays("Sidestep")
    box.all_pass()
    bob.draws()
    assert all(hand["Shove"] == 1 for hand in hands(worlds(ann), bob.seat))
    assert any(hand["Shove"] == 0 for hand in hands(worlds(cy), bob.seat))


def test_a_card_that_changed_hands_before_ones_eyes_is_remembered():
    box = scene()
    ann, bob, cy = box
    ann.plays("Tithe", at=bob)
    bob.passes()
    cy.passes()
    bob.gives("Stir")
    assert all(hand["Stir"] >= 1 for hand in hands(worlds(bob), ann.seat))
    assert any(hand["Stir"] == 0 for hand in hands(worlds(cy), ann.seat))  # Cy has not seen which card it was


def test_a_known_card_may_be_gone_when_somebody_stole_unseen():
    box = scene([["Douse", *["Button"] * 3], ["Douse", "Stir"], ["Douse", "Marble", "Marble"]])
    ann, bob, cy = box
    ann.triples("Button", bob, "Stir")
    box.all_pass()
    assert all(hand["Stir"] == 1 for hand in hands(worlds(bob), ann.seat))
    ann.draws()
    bob.draws()
    cy.pairs("Marble", ann)
    box.all_pass()
    held = {(a["Stir"], c["Stir"]) for a, c in zip(*(hands(worlds(bob, 80), seat) for seat in (0, 2)), strict=True)}
    assert held >= {(1, 0), (0, 1)}


def test_a_card_that_was_demanded_is_known_to_all_and_a_miss_too():
    box = scene([["Douse", *["Button"] * 3], ["Douse", "Stir", "Spool"], ["Douse", "Marble"]])
    ann, bob, cy = box
    ann.triples("Button", bob, "Stir")
    box.all_pass()
    assert all(hand["Stir"] == 1 for hand in hands(worlds(cy), ann.seat))
    box = scene([["Douse", *["Button"] * 3], ["Douse", "Spool", "Feather"], ["Douse", "Marble"]])
    ann, bob, cy = box
    ann.triples("Button", bob, "Stir")
    box.all_pass()
    assert all(hand["Stir"] == 0 for hand in hands(worlds(cy), bob.seat))
    ann.draws()
    bob.draws()
    assert any(hand["Stir"] == 1 for hand in hands(worlds(cy, 80), bob.seat))  # it may have been that one


def test_a_card_that_was_taken_from_the_discard_pile_is_known_to_all():
    five = ["Button", "Marble", "Stir", "Shove", "Tithe"]
    box = scene([["Douse", *five], ["Douse", "Spool"], ["Douse", "Marble"]], discard=["Foresight"])
    ann, _, cy = box
    ann.fives(five, take="Foresight")
    box.all_pass()
    assert all(hand["Foresight"] == 1 for hand in hands(worlds(cy), ann.seat))


def test_what_was_played_is_not_in_the_hand_any_more():
    box = scene([["Douse", *["Button"] * 3], ["Douse", "Veto"], ["Douse", "Stir"]])
    ann, bob, cy = box
    ann.triples("Button", bob, "Veto")
    box.all_pass()
    ann.draws()
    bob.draws()
    assert all(hand["Veto"] >= 1 for hand in hands(worlds(cy), ann.seat))
    cy.plays("Stir")
    ann.vetoes()
    box.all_pass()
    assert any(hand["Veto"] == 0 for hand in hands(worlds(cy), ann.seat))


def test_a_record_with_gaps_is_no_reason_to_fail():
    """A bot that forgot, or was told a part only, still imagines a table that could be."""
    for seed in range(8):
        luck, match = Random(seed), Match.deal(GAME, seats=4, seed=seed)
        lens, record = Lens(match.look, 0), []
        while not match.over:
            seat = luck.choice(match.waiting())
            record += lens.news(match.act(seat, at_random(match.offers(seat), luck.randrange)))
            some = [event for event in record if luck.random() < 0.5]
            table = GAME.imagine(Lens(match.look, 0).whole(), some, luck.randrange)
            assert {zone: len(ids) for zone, ids in table.zones.items()} == {
                zone: len(ids) for zone, ids in match.table.zones.items()
            }


def test_in_random_matches_memory_is_exact_about_sizes_and_never_wrong_about_what_is_missing():
    compared = 0
    for seed in range(25):
        luck, seats = Random(seed), 2 + seed % 4
        match = Match.deal(GAME, seats=seats, seed=seed)
        lenses = [Lens(match.look, seat) for seat in range(seats)]
        records = [lens.news(match.dealt) for lens in lenses]
        pile = len(match.table.zones["pile"])
        while not match.over:
            seat = luck.choice(match.waiting())
            step = match.act(seat, at_random(match.offers(seat), luck.randrange))
            for lens, record in zip(lenses, records, strict=True):
                record += lens.news(step)
            if match.over:
                break
            me = luck.randrange(seats)
            memory = Memory(me, seats, pile, *GAME.fire, luck.randrange).recall(records[me])
            assert memory.left == len(match.table.zones["pile"])
            for other in range(seats):
                hand = [card.face for card in match.table.lying(f"{other}.hand")]
                assert memory.sizes[other] == len(hand)
                assert not memory.lacks[other] & set(hand)
            compared += 1
    assert compared > 500


def surely_held(record: list[dict[str, Any]], seats: int) -> list[Counter[str]]:
    """What must be in each hand for all that one was told: by the rules, and without a guess."""
    hands = [Counter({"Douse": 1}) for _ in range(seats)]
    for event in record:
        if event["e"] != "said":
            continue
        args = event["args"]
        match event["key"]:
            case "played" | "played_at" | "vetoed" | "doused":
                hands[args["seat"]] -= Counter([args["card"]["face"]])
            case "pair" | "triple" | "five":
                hands[args["seat"]] -= Counter(card["face"] for card in args["on"])
            case "given" | "stolen" if "face" not in args:
                hands[args["foe"]].clear()  # it may have been any of them
            case "given" | "stolen" | "demanded":
                hands[args["foe"]] -= Counter([args["face"]])
                hands[args["seat"]] += Counter([args["face"]])
            case "salvaged":
                hands[args["seat"]] += Counter([args["card"]["face"]])
            case "exploded" | "left":
                hands[args["seat"]].clear()
    return hands


def test_what_must_be_in_a_hand_is_there_in_every_world_that_is_imagined():
    compared = 0
    for seed in range(30):
        luck, seats = Random(seed), 3 + seed % 3
        match = Match.deal(GAME, seats=seats, seed=seed)
        lenses = [Lens(match.look, seat) for seat in range(seats)]
        records = [lens.news(match.dealt) for lens in lenses]
        while not match.over:
            seat = luck.choice(match.waiting())
            offers = match.offers(seat)
            taking = [offer for offer in offers if offer.type in ("pair", "triple", "five", "give")]
            step = match.act(seat, at_random(taking or offers, luck.randrange))
            for lens, record in zip(lenses, records, strict=True):
                record += lens.news(step)
            me = luck.randrange(seats)
            if match.over or luck.random() < 0.6:
                continue
            known = surely_held(records[me], seats)
            table = GAME.imagine(lenses[me].whole(), records[me], luck.randrange)
            for other in range(seats):
                hand = hands([table], other)[0]
                assert known[other] <= hand, (seed, match.table.version, me, other)
                compared += known[other].total()
    assert compared > 3000


# how they stand, and what they do by hunch


def test_by_hunch_they_mostly_draw():
    box = Box(hands=[["Stir"] * 4, [], []])
    luck = Random(1)
    offers = box.match.offers(0)
    drawn = [GAME.hunch(box.match.look, 0, offers, luck.randrange)["type"] == "draw" for _ in range(200)]
    assert 140 < sum(drawn) < 200


def test_more_to_hold_against_sparks_is_better_and_so_are_fewer_players():
    def stands(hand: list[str], seats: int = 3) -> float:
        box = Box(seats=seats, hands=[hand, *[["Button"]] * (seats - 1)])
        return GAME.score(box.players[0].view, 0)

    assert stands(["Douse"]) > stands(["Shove"]) > stands(["Button"]) > stands([])
    assert stands(["Button"], 2) > stands(["Button"], 3)
    assert 0 < stands([]) < stands(["Douse"] * 3) < 1


def test_a_bot_that_foresaw_a_spark_does_not_draw_it():
    pile = ["Spark", "Marble", "Spool", "Feather", "Button", "Thimble", "Stir"]
    box = scene([["Foresight", "Sidestep", "Button"], ["Douse", "Marble"]], pile)
    ann, _ = box
    ann.plays("Foresight")
    box.all_pass()
    for seed in range(5):
        do = make_bot("mcts:60", GAME, 0, seed).pick(ann.view, box.match.offers(0), ann.heard)
        assert do == {"type": "play", "card": ann.card("Sidestep")}


def test_there_is_something_to_choose_while_a_spark_is_hidden():
    box = scene([["Douse"], ["Button"]], ["Spark", "Marble", "Spool"])
    ann, _ = box
    ann.draws()
    do = make_bot("mcts:80", GAME, 0, 1).pick(ann.view, box.match.offers(0), ann.heard)
    assert do == {"type": "place", "at": 0}  # the other has nothing against it and draws next

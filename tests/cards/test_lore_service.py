"""What the service relies on: secrets are kept, bad moves leave no trace, cards are conserved, seeds repeat matches."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from cards import find_game
from engine.match import Match
from engine.offers import at_random
from engine.store import pack, state_hash, unpack
from tests.cards.lore_scene import GAME, Scene, boosted, exerted, hurt, side, watched
from tests.engine.games import go_on, play, same
from tests.engine.secrecy import spy_on

LORE = find_game("lore")


def custom(luck: Random) -> list[str]:
    """Any legal deck: two inks, up to four of a kind."""
    inks = luck.sample(sorted({card.ink for card in LORE.cards.values()}), 2)
    pool = [name for name, card in LORE.cards.items() if card.ink in inks for _ in range(4)]
    return luck.sample(pool, 60)


def dealt(seed: int) -> Match:
    luck = Random(seed)
    return Match.deal(LORE, seed=seed, decks=[custom(luck), custom(luck)])


# secrets


def test_hands_decks_ink_and_looks_are_nobody_else_s():
    scene = Scene(
        side(["Aunt Sable", boosted("Scribe")], hand=["Aunt Sable", "Poke"], ink=4),
        side(hand=["Kick", "Tome"], ink=2),
    )
    ann, bob = scene
    ann.plays("Aunt Sable")
    hidden = {id for zone in ("0.hand", "0.deck", "0.aside") for id in scene.table.zones[zone]}
    for view in (bob.view, watched(scene)):
        assert not hidden & {int(id) for id in view["cards"]}
        assert view["zones"]["0.aside"] == {"n": 3}
        faces = Counter(card.get("face") for card in view["cards"].values())
        assert faces["Poke"] == 0
        assert "pending" not in str(view["seats"])
    mine = ann.view
    assert {mine["cards"][str(id)]["face"] for id in scene.table.zones["0.aside"]} == {"Crew, 1/1/1"}
    assert not {int(id) for id in mine["cards"]} & {*scene.table.zones["1.hand"], *scene.table.zones["0.deck"]}


def test_a_card_that_is_looked_at_and_put_back_is_not_recognised():
    scene = Scene(side(hand=["Aunt Sable"], ink=4))
    ann, _ = scene
    ann.plays("Aunt Sable")
    looked = set(scene.table.zones["0.aside"])
    ann.chooses()
    ann.chooses(*scene.table.zones["0.aside"])
    assert looked.isdisjoint(scene.table.entities)
    assert len(ann.deck) == 10


def test_deck_lists_are_their_players_own():
    match = Match.deal(LORE, seed=1, decks=[LORE.decks["Lantern Choir"], LORE.decks["Ironquay Crew"]])
    scene = Scene.__new__(Scene)
    scene._sit(match)
    ann, bob = scene
    assert sum(ann.view["seats"]["0"]["deck"].values()) == 60
    assert "deck" not in ann.view["seats"]["1"]
    assert "deck" not in str(watched(scene)["seats"])
    assert bob.view["seats"]["1"]["deck"] == dict(sorted(Counter(LORE.decks["Ironquay Crew"]).items()))


@pytest.mark.parametrize("seed", range(4))
def test_spies_learn_nothing_in_whole_matches_with_any_deck(seed: int, monkeypatch: pytest.MonkeyPatch):
    luck = Random(seed)
    decks = [custom(luck), custom(luck)]
    monkeypatch.setattr(type(LORE), "draw_deck", lambda self, options, luck: decks[luck(2)])
    assert spy_on(LORE, seed, most=150) > 50


# bad moves


def test_missing_extra_and_foreign_parameters_are_refused_without_a_trace():
    scene = Scene(side(["Crew, 3/4/1", "Pier"], hand=["Poke"], ink=2), side([exerted("Crew, 2/3/1")], hand=["Kick"]))
    ann, bob = scene
    crew, foe = ann.id("Crew"), bob.id("Crew")
    challenge: dict[str, Any] = {"type": "challenge_character", "card": crew, "defender": [foe]}
    bad = [
        {},
        {"type": "challenge_character"},
        {"type": "challenge_character", "card": crew},
        {**challenge, "defender": []},
        {**challenge, "defender": [foe, foe]},
        {**challenge, "defender": [crew]},
        {**challenge, "defender": [ann.id("Poke")]},
        {**challenge, "defender": [999_999]},
        {**challenge, "more": 1},
        {**challenge, "card": foe},
        {"type": "play_action", "card": bob.id("Kick")},
        {"type": "play_ink", "card": crew},
        {"type": "quest_character", "card": ann.id("Pier")},
        {"type": "play_character", "card": ann.id("Poke")},
        {"type": "boost", "card": crew},
        {"type": "activate_ability", "card": crew, "ability": ["first"]},
        {"type": "concede"},
        {"type": "choose", "target": [foe]},
        {"type": "order_triggers", "item": ["#1"]},
        {"type": "alter_hand", "card_ids": []},
    ]
    for move in bad:
        with scene.refused():
            ann.sends(move)
    ann.sends(challenge)


# conservation, determinism, something to do


@pytest.mark.parametrize("seed", range(6))
def test_120_cards_stay_120_cards_each_in_one_place(seed: int):
    match = dealt(seed)
    cards = Counter((card.face, card.owner) for id, card in match.table.entities.items() if id > 0)
    for _ in play(match, Random(seed), 400):
        lying = [id for ids in match.table.zones.values() for id in ids]
        assert len(lying) == len(set(lying)) == 120
        assert all(match.table[id].zone == zone for zone, ids in match.table.zones.items() for id in ids)
    assert Counter((card.face, card.owner) for id, card in match.table.entities.items() if id > 0) == cards


@pytest.mark.parametrize("seed", range(3))
def test_the_same_seed_and_moves_give_the_same_table_also_through_storage(seed: int):
    stays, travels = dealt(seed), dealt(seed)
    luck, again = Random(seed), Random(seed)
    while not stays.over and stays.table.version < 300:
        go_on(stays, luck)
        go_on(travels, again)
        travels = Match(LORE, unpack(LORE, pack(travels.table)))
        assert state_hash(stays.table) == state_hash(travels.table)
    assert same(stays, travels)


@pytest.mark.parametrize("seed", range(8))
def test_there_is_always_something_to_do_and_every_match_ends(seed: int):
    match, luck, moves = dealt(seed), Random(seed), 0
    while not match.over:
        (seat,) = match.waiting()
        offers = match.offers(seat)
        assert offers
        if match.question(seat) is None:
            ends = [offer for offer in offers if offer.type == "pass_turn"]
            forced = [offer for offer in offers if offer.type.startswith("challenge_")]
            assert ends or forced
        match.act(seat, at_random(offers, luck.randrange))
        moves += 1
        assert moves < 3000
    assert match.table.result.reason in ("lore", "deck_out")


def test_a_match_that_nobody_wins_by_lore_ends_with_a_deck():
    match = Match.deal(LORE, seed=1)
    while not match.over:
        (seat,) = match.waiting()
        match.act(seat, {"type": "alter_hand", "card_ids": []} if match.question(seat) else {"type": "pass_turn"})
    assert match.table.result.reason == "deck_out"
    assert match.table.version > 100


# imagining


def test_what_was_seen_is_imagined_where_it_went():
    scene = Scene(side(["Crew, 5/5/2"], hand=["Hook", "Lullaby"], ink=5), side(["Gull", "Lookout"], hand=["Poke"]))
    ann, bob = scene
    record: list[Any] = []
    for move in (lambda: ann.plays("Hook"), lambda: ann.chooses("Gull"), lambda: ann.plays("Lullaby")):
        move()
        record += [
            {"e": "said", "key": news.facts["key"], "args": _told(news.facts["args"])}
            for news in scene.match.dealt.news
            if news.e == "said"
        ]
    assert (bob.hand, bob.deck[0]) == (["Poke", "Gull, Plain Evasive"], "Lookout, Plain Alert")
    luck = Random(1)
    for _ in range(10):
        table = GAME.imagine(ann.view, record, luck.randrange)
        assert "Gull, Plain Evasive" in [card.face for card in table.lying("1.hand")]
        assert table.lying("1.deck")[0].face == "Lookout, Plain Alert"


def _told(args: dict[str, Any]) -> dict[str, Any]:
    return {key: {"face": value.face} if hasattr(value, "face") else value for key, value in args.items()}


@pytest.mark.parametrize("seed", range(4))
def test_an_imagined_deck_of_the_other_could_be_a_legal_one(seed: int):
    match = dealt(seed)
    luck = Random(seed)
    for _ in play(match, luck, 60):
        pass
    scene = Scene.__new__(Scene)
    scene._sit(match)
    for player in scene:
        table = LORE.imagine(player.view, [], luck.randrange)
        theirs = [card.face for id, card in table.entities.items() if id > 0 and card.owner != player.seat]
        LORE.check_deck(theirs, {})
        mine = sorted(card.face for id, card in table.entities.items() if id > 0 and card.owner == player.seat)
        real = sorted(card.face for id, card in match.table.entities.items() if id > 0 and card.owner == player.seat)
        assert mine == real


# how it looks


def test_a_card_in_play_shows_its_numbers_and_how_it_lies():
    scene = Scene(side([hurt(exerted("Old Harrow"), 2), "Hollin Reed", "Aunt Sable"]))
    ann, bob = scene
    shown = bob.view["cards"][str(ann.id("Old Harrow"))]
    assert shown == {
        "face": "Old Harrow, Scarred Quartermaster",
        "owner": 0,
        "exerted": True,
        "damage": 2,
        "strength": 6,
        "willpower": 6,
        "lore": 2,
    }
    assert bob.view["cards"][str(ann.id("Hollin"))]["lore"] == 2


def test_a_gained_keyword_shows_and_a_printed_one_is_in_the_catalogue():
    scene = Scene(side(["Crew, 2/3/1", "Gull"], hand=["Hurry"], ink=1))
    ann, bob = scene
    ann.plays("Hurry")
    ann.chooses("Crew")
    assert bob.view["cards"][str(ann.id("Crew"))]["rush"] is True
    assert "evasive" not in bob.view["cards"][str(ann.id("Gull"))]
    assert GAME.catalogue()["Gull, Plain Evasive"]["keywords"] == {"evasive": True}


def test_a_card_in_hand_shows_what_it_costs_now():
    scene = Scene(side(["Wick, Apprentice"], hand=["Oswin"]))
    ann, _ = scene
    assert ann.view["cards"][str(ann.id("Oswin"))]["cost"] == 3


def test_watchers_see_what_both_see_and_are_nobody():
    scene = Scene(side(["Crew, 2/3/1"], hand=["Poke"]), side(["Gull"]))
    view = watched(scene)
    assert "you" not in view
    assert view["zones"]["0.hand"] == {"n": 1}
    assert sorted(card["face"] for card in view["cards"].values()) == ["Crew, 2/3/1", "Gull, Plain Evasive"]

"""Bots on the quays: what they make of how it stands, and what they do where it is plain what is best."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from engine.bots import make_bot
from tests.cards.lore_scene import GAME, Player, Scene, drying, exerted, hurt, side


def picks(player: Player, bot: str) -> dict[str, Any]:
    """What a bot would do in this seat."""
    offers = player.scene.match.offers(player.seat)
    return dict(make_bot(bot, GAME, player.seat, 1).pick(player.view, offers, []))


def stands(player: Player) -> float:
    return GAME.score(player.view, player.seat)


BOTS = ("greedy", "mcts:40")


@pytest.mark.parametrize("bot", BOTS)
def test_they_take_the_twentieth_lore_before_the_other_does(bot: str):
    scene = Scene(side(["Crew, 2/3/1"], hand=["Crew, 3/4/1", "Poke"], ink=3, lore=19), side(["Crew, 5/5/2"], lore=19))
    ann, _ = scene
    while scene.waiting_for() == [ann]:
        ann.sends(picks(ann, bot))
    assert scene.winner is ann


@pytest.mark.parametrize("bot", BOTS)
def test_they_ink_and_play_before_they_end_a_turn(bot: str):
    ann, _ = Scene(side(hand=["Crew, 2/3/1", "Crew, 3/4/1"], ink=2))
    assert picks(ann, bot)["type"] in ("play_ink", "play_character")


def test_the_greedy_one_strikes_down_what_is_worth_more_than_a_quest():
    ann, _ = Scene(side(["Crew, 3/4/1"]), side([exerted("Crew, 2/3/1")]))
    assert picks(ann, "greedy")["type"] == "challenge_character"
    ann, _ = Scene(side(["Crew, 3/4/1"]), side([exerted("Crew, 4/5/1")]))
    assert picks(ann, "greedy")["type"] == "quest_character"


def test_the_greedy_one_sings_rather_than_paying():
    ann, _ = Scene(side(["Voice, cost 3", "Voice, cost 4"], hand=["Chorus"], ink=7))
    assert picks(ann, "greedy")["type"] in ("sing_together", "play_action")


def test_whoever_has_more_stands_better():
    level, _ = Scene(side(["Crew, 2/3/1"]), side(["Crew, 2/3/1"]))
    assert stands(level) == pytest.approx(0.5)
    better = (
        side(["Crew, 2/3/1"], lore=1),
        side(["Crew, 2/3/1", "Crew, 1/1/1"]),
        side(["Crew, 2/3/1"], hand=["Poke"]),
        side(["Crew, 2/3/1"], ink=1),
        side(["Crew, 2/3/1", "Pier"]),
        side(["Crew, 2/3/1", "Bell"]),
        side(["Crew, 2/3/2"]),
    )
    worse = (side([hurt("Crew, 2/3/1", 1)]), side([exerted("Crew, 2/3/1")]), side(["Crew, 2/3/1"], deck=()), side())
    for half in better:
        ann, bob = Scene(half, side(["Crew, 2/3/1"]))
        assert stands(ann) > 0.5 > stands(bob)
    for half in worse:
        ann, bob = Scene(half, side(["Crew, 2/3/1"]))
        assert stands(ann) < 0.5 < stands(bob)


def test_lore_counts_more_the_nearer_the_end():
    steps = [stands(Scene(side(lore=lore), side()).players[0]) for lore in (5, 6, 14, 15)]
    assert 0 < steps[1] - steps[0] < steps[3] - steps[2]


def test_a_match_that_is_over_is_worth_all_or_nothing():
    scene = Scene(side(["Crew, 2/3/1"], lore=19), side())
    ann, bob = scene
    ann.quests("Crew")
    assert (stands(ann), stands(bob)) == (1, 0)


def test_by_hunch_they_seldom_end_the_turn():
    scene = Scene(side(["Crew, 2/3/1", drying("Crew, 3/4/1")], hand=["Crew, 1/1/1"], ink=2))
    luck = Random(1)
    offers = scene.match.offers(0)
    found = Counter(GAME.hunch(scene.match.look, 0, offers, luck.randrange)["type"] for _ in range(400))
    assert {"play_ink", "play_character", "quest_character", "pass_turn"} == set(found)
    assert found["pass_turn"] < 40

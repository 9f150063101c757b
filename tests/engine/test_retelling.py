"""A match told again is what that viewer saw, and the open view is what all of them saw together."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from engine.errors import BadReplay
from engine.lens import Lens, viewers
from engine.merge import merge
from engine.replay import play_again
from engine.retelling import retell
from tests.engine.games import GAMES, MAGPIES, games, seeds
from tests.engine.test_replays import recorded


@given(game=games, seed=seeds)
@settings(max_examples=20, deadline=None)
def test_a_viewer_is_told_again_exactly_what_they_were_told(game, seed):
    replay = recorded(game, seed, 60).replay
    viewer = Random(seed).choice(viewers(len(replay.seats)))
    seen, lens = {}, None
    for moment, (match, step) in zip(retell(game, replay, viewer), play_again(game, replay), strict=True):
        lens = lens or Lens(match.look, viewer)
        seen = merge(seen, moment.patch)
        assert seen == Lens(match.look, viewer).whole()
        assert moment.v == match.table.version
        assert moment.events == lens.news(step)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_open_view_holds_everything_that_any_player_saw(game):
    replay = recorded(game, 5, 60).replay
    whole = {}
    for moment, (match, _) in zip(retell(game, replay, None), play_again(game, replay), strict=True):
        whole = merge(whole, moment.patch)
        for viewer in viewers(match.table.seats):
            mine = Lens(match.look, viewer).whole()
            for id, card in mine["cards"].items():
                assert id in whole["cards"]
                assert "face" not in card or whole["cards"][id].items() >= card.items()
            for seat, facts in mine["seats"].items():
                assert whole["seats"][seat].items() >= facts.items()
    assert "you" not in whole


def test_what_nobody_saw_stays_hidden_in_the_open_view_too():
    replay = recorded(MAGPIES, 1, 10).replay
    first = next(retell(MAGPIES, replay, None))
    assert "cards" not in first.patch["zones"]["pile"]
    assert first.patch["zones"]["pile"]["n"] > 0


def test_a_match_that_strays_is_not_told():
    replay = recorded(MAGPIES, 2, 40).replay
    replay.hashes[str(replay.start)] = "0" * 16
    with pytest.raises(BadReplay):
        list(retell(MAGPIES, replay, None))

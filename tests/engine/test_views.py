"""What people see adds up: a client that only hears patches ends with what a newcomer is shown."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cards import find_game
from engine.gallery import Gallery
from engine.lens import Lens, view_name, viewers
from engine.match import Match
from engine.merge import canonical, merge
from engine.sight import Sight
from tests.engine.games import games, play, seeds


def parts(value: Any) -> list[Any]:
    """A JSON value and everything inside it."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [value, *(part for one in inside for part in parts(one))]


@given(game=games, seed=seeds)
def test_patches_add_up_to_what_a_newcomer_is_shown(game, seed):
    match = Match.deal(game, seed=seed, names=("Ann", "Bo", "Cy"))
    galleries = {viewer: Gallery(match, [viewer]) for viewer in viewers(match.table.seats)}
    clients = {viewer: Lens(match.look, viewer).whole() for viewer in galleries}
    for turned in play(match, Random(seed)):
        for viewer, gallery in galleries.items():
            clients[viewer] = merge(clients[viewer], gallery.patches(turned.step)[view_name(viewer)])
            assert canonical(clients[viewer]) == canonical(Lens(match.look, viewer).whole())


@given(game=games, seed=seeds)
def test_a_gallery_tells_each_viewer_what_their_own_lens_would(game, seed):
    """What is worked out once for everybody is still everybody's own."""
    match = Match.deal(game, seed=seed)
    gallery = Gallery(match)
    clients = gallery.views()
    for turned in play(match, Random(seed)):
        patches, news = gallery.patches(turned.step), gallery.news(turned.step)
        for viewer in viewers(match.table.seats):
            name, lens = view_name(viewer), Lens(match.look, viewer)
            clients[name] = merge(clients[name], patches[name])
            assert canonical(clients[name]) == canonical(lens.whole())
            assert canonical(news[name]) == canonical(lens.news(turned.step))
            assert gallery.offers().get(name, []) == lens.offers(match)
            assert gallery.blocked().get(name, []) == lens.blocked(match)
            assert gallery.asks().get(name) == lens.ask(match)
        assert canonical(gallery.views()) == canonical(clients)


def test_patches_add_up_while_the_owner_of_a_snuggles_thinks():
    toys, decks = find_game("ggltcg"), (("Snuggles", "Clean", "Knight", "Toynado", "Umbruh", "Wake"),) * 2
    asked = 0
    for seed in range(150):
        match = Match.deal(toys, seed=seed, decks=decks)
        gallery = Gallery(match)
        clients = gallery.views()
        for turned in play(match, Random(seed)):
            patches = gallery.patches(turned.step)
            clients = {view: merge(clients[view], patch) for view, patch in patches.items()}
            if match.waiting() and match.question(match.waiting()[0]):
                asked += 1
            assert canonical(clients) == canonical(gallery.views())
    assert asked > 30


@given(game=games, seed=seeds)
def test_no_view_ever_holds_a_null(game, seed):
    match = Match.deal(game, seed=seed)
    for _ in play(match, Random(seed)):
        for viewer in viewers(match.table.seats):
            assert None not in parts(Lens(match.look, viewer).whole())


@given(game=games, seed=seeds, start=st.integers(0, 3))
def test_versions_are_dense(game, seed, start):
    match = Match.deal(game, seed=seed, version=start)
    assert match.dealt.version == match.table.version == start
    versions = [turned.step.version for turned in play(match, Random(seed))]
    assert versions == list(range(start + 1, start + 1 + len(versions)))


@given(game=games, seed=seeds)
def test_every_card_in_a_view_lies_in_a_zone_of_it_and_the_other_way_round(game, seed):
    match = Match.deal(game, seed=seed)
    for _ in play(match, Random(seed)):
        for viewer in viewers(match.table.seats):
            view = Lens(match.look, viewer).whole()
            lying = [id for zone in view["zones"].values() for id in zone.get("cards", ()) if id]
            assert sorted(map(str, lying)) == sorted(view["cards"])
            assert all(len(zone["cards"]) == zone["n"] for zone in view["zones"].values() if "cards" in zone)


@given(game=games, seed=seeds)
def test_looking_changes_nothing(game, seed):
    """Lenses share what was worked out once; none may write into it, or into the table."""
    match = Match.deal(game, seed=seed)
    for turned in play(match, Random(seed), 30):
        sight = Sight(match.look)
        shared = [canonical(Lens(match.look, viewer).whole(sight)) for viewer in viewers(match.table.seats)]
        for viewer in viewers(match.table.seats):
            Lens(match.look, viewer).news(turned.step)
        assert shared == [canonical(Lens(match.look, viewer).whole()) for viewer in viewers(match.table.seats)]


@given(game=games, seed=seeds)
def test_you_is_told_to_seats_and_to_nobody_who_watches(game, seed):
    match = Match.deal(game, seed=seed)
    for viewer in viewers(match.table.seats):
        assert Lens(match.look, viewer).whole().get("you", -1) == viewer


@given(game=games, seed=seeds)
def test_only_the_seats_that_are_waited_for_are_made_offers(game, seed):
    match = Match.deal(game, seed=seed)
    for _ in play(match, Random(seed), 40):
        for viewer in viewers(match.table.seats):
            lens = Lens(match.look, viewer)
            waited_for = viewer in match.waiting()
            assert bool(lens.offers(match)) == waited_for
            assert (lens.ask(match) is not None) == (waited_for and match.question(viewer) is not None)
            if not waited_for:
                assert lens.blocked(match) == []

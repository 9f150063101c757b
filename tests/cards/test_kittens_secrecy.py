"""What nobody may learn: the order of the pile, other hands, and where a spark was hidden."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine.gallery import Gallery
from engine.lens import Lens
from engine.match import Match
from engine.merge import canonical
from engine.table import AUDIENCE
from tests.cards.fizzle import GAME, Box
from tests.engine.games import go_on
from tests.engine.secrecy import long_ids


def numbers(value: Any) -> Iterator[int]:
    """Every number in a message, keys that look like one included."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from numbers(int(key) if key.isdigit() else None)
            yield from numbers(part)
    elif isinstance(value, list):
        for part in value:
            yield from numbers(part)
    elif type(value) is int:
        yield value


def hidden(match: Match, seat: int) -> set[int]:
    """The numbers of all cards that a seat, or whoever watches, must not see: the pile, and others' hands."""
    zones = ["pile", *(f"{other}.hand" for other in range(match.table.seats) if other != seat)]
    return {id for zone in zones for id in match.table.zones[zone]}


@pytest.mark.parametrize("actions", [True, False])
def test_in_a_whole_match_nobody_is_sent_a_card_that_they_may_not_see(actions: bool):
    messages = 0
    for seed in range(6):
        with long_ids():
            luck, match = Random(seed), Match.deal(GAME, seats=4, seed=seed, options={"actions": actions})
            gallery = Gallery(match)
            while not match.over:
                before = {viewer: hidden(match, viewer) for viewer in (0, 1, 2, 3, AUDIENCE)}
                turned = go_on(match, luck)
                patches, news, offers = gallery.patches(turned.step), gallery.news(turned.step), gallery.offers()
                for viewer, unseen in before.items():
                    name = "watch" if viewer == AUDIENCE else str(viewer)
                    message = [patches[name], news[name], offers.get(name, [])]
                    still = unseen & hidden(match, viewer)
                    assert not still & set(numbers(message)), f"to {name}: {message}"
                    told = [event["args"]["seat"] for event in news[name] if event.get("key") == "placed"]
                    assert set(told) <= {viewer}  # where a spark lies, only to whoever hid it
                    messages += 1
    assert messages > 500


def test_what_others_are_sent_is_the_same_to_the_byte_wherever_the_spark_lies():
    sent = set()
    for at in range(6):
        box = Box(hands=[["Douse"], [], []], pile=["Spark", *["Acorn"] * 4, "Spark"])
        ann, *_ = box
        ann.draws()
        gallery = Gallery(box.match)
        step = box.match.act(0, {"type": "place", "at": at})
        patches, news = gallery.patches(step), gallery.news(step)
        sent.add(tuple(canonical([patches[name], news[name]]) for name in ("1", "2", "watch")))
    assert len(sent) == 1


def test_the_placer_is_told_once_and_their_view_does_not_keep_it():
    views = set()
    for at in range(4):
        box = Box(hands=[["Douse"], [], []], pile=["Spark", "Acorn", "Acorn", "Spark"])
        ann, *_ = box
        ann.draws()
        ann.places(at)
        assert ann.was_told("placed") == [{"seat": 0, "at": at}]
        views.add(canonical(ann.view))
    assert len(views) == 1


def test_whoever_watches_sees_counts_and_what_lies_open():
    box = Box(hands=[["Button"], ["Stir", "Veto"], []], pile=["Acorn", "Spark", "Spark"], discard=["Marble"])
    view = Lens(box.match.look, AUDIENCE).whole()
    assert view["zones"]["pile"] == {"n": 3}
    assert [view["zones"][f"{seat}.hand"] for seat in range(3)] == [{"n": 1}, {"n": 2}, {"n": 0}]
    lying = {id for zone in ("discard", "out", "fuse") for id in box.table.zones[zone]}
    assert {int(id) for id in view["cards"]} == lying
    assert "you" not in view


def test_whoever_is_out_learns_nothing_by_that():
    box = Box(hands=[["Button"], ["Stir", "Veto"], ["Shove"]], pile=["Spark", "Acorn", "Spark"])
    ann, *_ = box
    before = ann.view
    ann.draws()
    after = ann.view
    for zone in ("pile", "1.hand", "2.hand"):
        assert set(after["zones"][zone]) == {"n"}
    gained = set(after["cards"]) - set(before["cards"])
    lying = {str(id) for zone in ("discard", "out") for id in box.table.zones[zone]}
    assert gained <= lying  # her own hand and the spark, which everybody sees
    watcher = Lens(box.match.look, AUDIENCE).whole()
    assert after["cards"] == watcher["cards"]


def test_others_are_shown_by_name_with_their_hands_counted_and_whether_they_are_in():
    box = Box(hands=[["Spool"], ["Stir", "Veto"], []], pile=["Spark", "Acorn", "Spark"], names=("Ann", "Bob", "Cy"))
    ann, bob, cy = box
    ann.draws()
    view = cy.view
    assert view["seats"] == {
        "0": {"name": "Ann", "alive": False, "place": 3},
        "1": {"name": "Bob", "alive": True},
        "2": {"name": "Cy", "alive": True},
    }
    assert view["zones"]["1.hand"] == {"n": 2}
    assert box.alive == [bob, cy]


def test_a_spark_that_was_hidden_has_another_number_when_it_is_drawn_again():
    box = Box(seats=2, hands=[["Douse"], ["Douse"]], pile=["Spark", "Acorn"])
    ann, bob = box
    ann.draws()
    (first,) = box.table.zones["fuse"]
    ann.places(0)
    bob.draws()
    (second,) = box.table.zones["fuse"]
    assert first != second

"""Every filling of an offer is accepted, and everything else is refused without a trace."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Refused
from engine.match import Match
from engine.offers import fillings
from engine.store import state_hash
from tests.engine.games import GAMES, everyone, games, go_on, midway, play, seeds, short, some_move

CODES = {
    "bad_move",
    "bad_count",
    "bad_number",
    "bad_target",
    "bad_total",
    "illegal",
    "over",
    "not_your_turn",
    "not_asked",
    "pending_decision",
}
steps = st.integers(0, 60)

odd = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([2**31, 2**63, -(2**63), 10**40]),
    st.sampled_from([float("nan"), float("inf"), 0.0, 1.0, -0.5]),
    st.text(max_size=5),
    st.lists(st.one_of(st.integers(-1, 9), st.text(max_size=3), st.none(), st.booleans()), max_size=3),
    st.just([[1]]),
    st.just([{}]),
    st.just({"card": 1}),
    st.just([float("nan")]),
)


def codes(game) -> set[str]:
    """The codes that a refusal may have: the engine's, and the game's own reasons."""
    return CODES | {key.removeprefix("blocked.") for key in game.messages if key.startswith("blocked.")} | {"not_now"}


def refused(match: Match, seat: int, do: Any) -> Refused:
    """Try what must not work, and see that nothing happened."""
    before, offers = state_hash(match.table), {s: match.offers(s) for s in match.waiting()}
    with pytest.raises(Refused) as no:
        match.act(seat, do)
    assert state_hash(match.table) == before
    assert {s: match.offers(s) for s in match.waiting()} == offers
    assert no.value.code in codes(match.game)
    assert str(no.value)
    return no.value


@given(game=games, seed=seeds, steps=steps)
def test_every_filling_of_every_offer_is_accepted_and_can_be_struck_out(game, seed, steps):
    match = midway(game, seed, steps)
    before = state_hash(match.table)
    for seat in match.waiting():
        for offer in match.offers(seat):
            for do in list(fillings(offer))[:6]:
                match.act(seat, do)
                assert state_hash(match.table) != before
                match.undo()
                assert state_hash(match.table) == before


@given(game=games, seed=seeds, steps=steps, data=st.data())
def test_garbage_is_refused_without_a_trace(game, seed, steps, data):
    match = midway(game, seed, steps)
    for seat in match.waiting():
        for _ in range(5):
            do = data.draw(
                st.dictionaries(st.sampled_from(["type", "card", "target", "thing", "x", ""]), odd, max_size=4)
            )
            refused(match, seat, do)


def in_range(offers, kind: str, name: str, number: int) -> bool:
    """Whether some offer of a kind takes a number: it need not be the one that was looked at."""
    ranges = [slot.range for offer in offers if offer.type == kind for slot in offer.slots if slot.name == name]
    return any(low <= number <= high for low, high in filter(None, ranges))


@given(game=games, seed=seeds, steps=steps, data=st.data())
def test_a_move_with_one_thing_wrong_is_refused_without_a_trace(game, seed, steps, data):
    match = midway(game, seed, steps)
    for seat in match.waiting():
        offer = data.draw(st.sampled_from(match.offers(seat)))
        do = data.draw(st.sampled_from(list(fillings(offer))[:20]))
        key = data.draw(st.sampled_from(sorted(do)))
        refused(match, seat, {name: value for name, value in do.items() if name != key})
        refused(match, seat, {**do, "more": 1})
        refused(match, seat, {**do, "more": None})
        refused(match, seat, {**do, "type": do["type"] + "!"})
        wrong = data.draw(odd)
        if wrong not in (fitting[key] for o in match.offers(seat) for fitting in fillings(o) if key in fitting):
            refused(match, seat, {**do, key: wrong})
        for slot in offer.slots:
            if slot.range is None:
                picked = do[slot.name]
                refused(match, seat, {**do, slot.name: [*picked, *picked] or [0]})
                refused(match, seat, {**do, slot.name: [*slot.from_, 0]})
                refused(match, seat, {**do, slot.name: [True, *picked[1:]]})
                refused(match, seat, {**do, slot.name: [picked]})
                refused(match, seat, {**do, slot.name: {"0": 1}})
            else:
                low, high = slot.range
                beyond = [n for n in (low - 1, high + 1) if not in_range(match.offers(seat), offer.type, slot.name, n)]
                for number in (*beyond, float(low), str(low), True, [low], None, 10**30):
                    refused(match, seat, {**do, slot.name: number})


@given(game=games, seed=seeds, steps=steps)
def test_the_wrong_card_is_refused_whatever_it_is(game, seed, steps):
    """A card that was never offered for this, hidden or not, and a number that is no card at all."""
    match = midway(game, seed, steps)
    for seat in match.waiting():
        offered = {(offer.type, offer.card) for offer in match.offers(seat)}
        for kind in sorted({offer.type for offer in match.offers(seat)}):
            for id in [*match.table.entities, 10**9]:
                if (kind, id) not in offered and id:
                    refused(match, seat, {"type": kind, "card": id})


@given(game=games, seed=seeds, steps=steps)
def test_whoever_is_not_waited_for_can_do_nothing(game, seed, steps):
    match = midway(game, seed, steps)
    seat = match.waiting()[0]
    do = next(fillings(match.offers(seat)[0]))
    for other in {*range(-2, match.table.seats + 2)} - {*match.waiting()}:
        no = refused(match, other, do)
        assert no.code == ("not_asked" if match.question(seat) else "not_your_turn")
        assert match.offers(other) == ()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_nothing_is_accepted_after_the_end(game):
    match = short(game, 2)
    *_, last = play(match, Random(2), 400)
    assert match.over
    assert match.waiting() == ()
    before = state_hash(match.table)
    for attempt in (
        lambda: match.act(last.seat, last.do),
        lambda: match.act(0, {}),
        match.expire,
        lambda: match.resign(0),
    ):
        with pytest.raises(Refused) as no:
            attempt()
        assert no.value.code == "over"
    assert state_hash(match.table) == before


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_card_that_is_not_needed_is_one_field_too_many(game):
    match, luck, bare = Match.deal(game, seed=2), Random(2), None
    while bare is None:
        seat = match.waiting()[0]
        bare = next((offer for offer in match.offers(seat) if not offer.card and not offer.slots), None)
        if bare is None:
            go_on(match, luck)
    assert refused(match, seat, {"type": bare.type, "card": 0}).code == "bad_move"


@pytest.mark.parametrize("seat", [-1, 9])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_seat_that_does_not_exist_cannot_resign(game, seat):
    match = Match.deal(game, seed=2)
    before = state_hash(match.table)
    with pytest.raises(Refused) as no:
        match.resign(seat)
    assert no.value.code == "bad_seat"
    assert state_hash(match.table) == before


@given(game=games, seed=seeds, steps=steps)
def test_whoever_resigns_has_lost(game, seed, steps):
    for seat in range(game.seats[0]):
        match = midway(game, seed, steps)
        match.resign(seat)
        assert match.over
        assert seat not in match.table.result.winners
        assert match.table.result.reason == "resigned"


@settings(max_examples=25)
@given(game=games, seed=seeds)
def test_nobody_waits_for_whoever_has_left_a_full_table(game, seed):
    match, luck, left = short(game, seed, seats=game.seats[1]), Random(seed), set()
    for _ in range(80):
        if match.over:
            break
        if luck.random() < 0.05:
            seat = luck.choice([seat for seat in range(match.table.seats) if seat not in left])
            left.add(seat)
            match.resign(seat)
        else:
            go_on(match, luck)
        assert match.over or match.waiting()
        assert not left.intersection(match.waiting())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_codes_are_for_programs(game):
    assert all(re.fullmatch(r"[a-z_]+", code) for code in codes(game))


@given(game=games, seed=seeds)
def test_every_match_can_be_undone_step_by_step(game, seed):
    """Undo strikes out exactly the last step: table, offers, questions and what everybody sees."""
    luck = Random(seed)
    match = Match.deal(game, seed=seed)
    while not match.over and match.table.version < 60:
        before = state_hash(match.table), everyone(match)
        for trial in range(2):
            seat, do = some_move(match, luck)
            if trial and match.question(seat):
                match.expire()
            else:
                match.act(seat, do)
            assert everyone(match) != before[1]
            match.undo()
            assert (state_hash(match.table), everyone(match)) == before
        match.act(seat, do)

"""Taking back: at once while nobody has learned anything, by consent otherwise, never past chance that was seen."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import find_game
from engine.errors import Refused
from engine.frames import Ask, Entity, Offer, Question, Run, Slot
from engine.gallery import Gallery
from engine.lens import Lens, viewers
from engine.match import Match
from engine.merge import canonical, merge
from engine.replay import Input, Recorder, verify
from engine.store import state_hash
from engine.table import Table
from engine.takeback import UNDONE, Anew
from tests.cards.scene import Scene, Side, side
from tests.engine.games import MAGPIES, everyone, games, go_on, same, seeds, some_move

TOYS = find_game("ggltcg")
KITTENS = find_game("kittens")


def remembering(game, seed, steps=0) -> tuple[Match, Random]:
    luck = Random(seed)
    match = Match.deal(game, seed=seed, version=1)
    match.remember()
    for _ in range(steps):
        go_on(match, luck)
        if match.over:
            match.undo()
            break
    return match, luck


def line(match: Match) -> tuple[int, ...]:
    """The steps that count, in order."""
    return tuple(id(moment.journal) for moment in match.memory if moment.seat != UNDONE)


def laid_out(table: Table) -> dict[str, Any]:
    """Where which card lies and what is written on it, whatever it is called."""
    cards = {key: [(c.face, c.owner, c.shown, c.facts) for c in table.lying(key)] for key in table.zones}
    others = {id: entity.facts for id, entity in table.entities.items() if id <= 0}
    return {"cards": cards, "others": others, "turn": table.active, "waiting": table.waiting(), "bag": table.bag}


def offered(match: Match) -> list[Any]:
    """What everybody may do, with cards called by where they lie."""
    places = {id: (key, n) for key, ids in match.table.zones.items() for n, id in enumerate(ids)}
    return [
        (
            offer.type,
            places.get(offer.card),
            offer.cost,
            [(s.name, [places.get(x, x) for x in s.from_]) for s in offer.slots],
        )
        for seat in match.waiting()
        for offer in match.offers(seat)
    ]


@given(game=games, seed=seeds, steps=st.integers(0, 60), tries=st.integers(1, 3))
def test_what_is_taken_back_has_not_been(game, seed, steps, tries):
    match, luck = remembering(game, seed, steps)
    pasts = {}
    for _ in range(6):
        if match.over:
            return
        pasts[line(match)] = (laid_out(match.table), offered(match))
        go_on(match, luck)
    for _ in range(tries):
        seat = luck.randrange(match.table.seats)
        version, chance, asked = match.table.version, dict(match.table.luck), match.table.asked
        before, refused = everyone(match), ""
        try:
            step = match.take_back(seat)
        except Refused as no:
            refused = no.code
        if refused:
            assert refused in ("nothing_to_take_back", "chance_seen", "entangled", "over")
            assert everyone(match) == before
            continue
        assert step.version == version + 1
        assert all(match.table.luck[lane] >= count for lane, count in chance.items())
        assert match.table.luck.get("luck") == chance.get("luck")
        assert match.table.asked >= asked
        if line(match) in pasts:
            assert (laid_out(match.table), offered(match)) == pasts[line(match)]


@given(game=games, seed=seeds, steps=st.integers(0, 40))
def test_a_takeback_that_is_struck_out_has_not_been_either(game, seed, steps):
    match, luck = remembering(game, seed, steps)
    before, memory, told = state_hash(match.table), match.memory, everyone(match)
    try:
        match.take_back(luck.randrange(match.table.seats))
    except Refused:
        return
    match.undo()
    assert (state_hash(match.table), match.memory, everyone(match)) == (before, memory, told)


@given(game=games, seed=seeds)
def test_nobody_recognises_a_card_that_went_back_out_of_their_sight(game, seed):
    match, luck = remembering(game, seed)
    known: dict[int, dict[str, str]] = {viewer: {} for viewer in viewers(match.table.seats)}
    gallery = Gallery(match)
    views = gallery.views()
    for _ in range(40):
        if match.over:
            return
        for viewer, name in zip(known, views, strict=True):
            whole = Lens(match.look, viewer).whole()
            assert canonical(views[name]) == canonical(whole), "the patches do not lead to what a newcomer is shown"
            hidden = {str(id) for id in match.table.entities if id > 0} - {
                id for id, card in whole["cards"].items() if "face" in card
            }
            assert not hidden & known[viewer].keys(), "a card is hidden under an id that showed its face"
            known[viewer] |= {id: card["face"] for id, card in whole["cards"].items() if "face" in card}
        try:
            back = luck.random() < 0.3
            step = match.take_back(luck.randrange(match.table.seats)) if back else go_on(match, luck).step
        except Refused:
            step = go_on(match, luck).step
        views = {name: merge(views[name], patch) for name, patch in gallery.patches(step).items()}


@given(game=games, seed=seeds)
def test_a_replay_takes_the_same_moves_back(game, seed):
    luck = Random(seed)
    recorder = Recorder(Match.deal(game, seed=seed, version=1))
    match, back = recorder.match, 0
    for _ in range(60):
        if match.over:
            break
        version = match.table.version + 1
        if luck.random() < 0.3:
            try:
                recorder.keep(Input(version, luck.randrange(match.table.seats), takeback=True))
                back += 1
                continue
            except Refused:
                pass
        if luck.random() < 0.1:
            recorder.keep(Input(version, 0, remark="paused"))
        else:
            recorder.act(*some_move(match, luck))
    assert same(verify(game, recorder.replay), match)


# who need be asked


def scene(ann: Side, bob: Side, **how: Any) -> Scene:
    set_up = Scene(ann, bob, **how)
    set_up.match.remember()
    return set_up


def test_a_tussle_that_all_could_see_is_taken_back_at_once():
    table = scene(side(play=["Ka"]), side(play=["Knight", "Beary"]))
    ann, bob = table
    before = laid_out(table.table)
    ann.tussles("Ka", "Beary")
    assert table.match.may_take_back(0)
    table.match.take_back(0)
    assert laid_out(table.table) == before
    assert bob.play == ["Knight", "Beary"]
    assert table.waiting_for() == [ann]


def test_a_card_that_was_shown_by_playing_it_is_taken_back_by_consent_and_lies_in_the_hand_under_another_id():
    table = scene(side(hand=["Ka", "Block"]), side(play=["Knight"]))
    ann, bob = table
    id = ann.s("Ka")
    ann.plays("Ka")
    assert not table.match.may_take_back(0)
    table.match.take_back(0)
    assert ann.hand == ["Ka", "Block"]
    assert id not in table.table.entities
    assert str(ann.s("Ka")) in ann.view["cards"]
    assert bob.view["zones"]["0.hand"] == {"n": 2}
    assert ann.cc == 7


def test_once_somebody_else_has_acted_it_needs_their_consent():
    table = scene(side(play=["Ka"]), side(play=["Knight", "Beary"]))
    ann, bob = table
    ann.tussles("Ka", "Beary")
    ann.ends_turn()
    bob.ends_turn()
    assert not table.match.may_take_back(0)
    assert table.match.may_take_back(1)
    table.match.take_back(0)
    assert (table.turn, table.waiting_for()) == (3, [ann])
    table.match.take_back(0)
    assert bob.play == ["Knight", "Beary"]


def test_chance_that_was_seen_is_not_taken_back():
    table = scene(side(play=["Ka"]), side(hand=["Beary", "Block"]))
    ann, _ = table
    ann.strikes("Ka")  # hits a card of the other hand at random
    with table.refused("chance_seen"):
        table.match.take_back(0)


def test_a_card_drawn_from_a_pile_is_not_put_back():
    match = Match.deal(MAGPIES, seed=1, first=0)
    match.remember()
    match.act(0, {"type": "draw"})
    with pytest.raises(Refused) as no:
        match.may_take_back(0)
    assert no.value.code == "chance_seen"


def test_what_lay_face_down_for_all_to_see_gets_another_id_in_the_hand():
    match = Match.deal(MAGPIES, seed=1, first=0)
    match.remember()
    before = laid_out(match.table)
    held = match.table.zones["0.hand"]
    match.act(0, {"type": "stash", "thing": [held[0]]})
    assert match.may_take_back(0)
    match.take_back(0)
    assert laid_out(match.table) == before
    assert match.table.zones["0.hand"][1:] == held[1:]
    assert match.table.zones["0.hand"][0] not in held


def feast() -> Match:
    """Everybody is asked for a bid."""
    for seed in range(100):
        match = Match.deal(MAGPIES, seed=seed, first=0)
        card = next((card for card in match.table.lying("0.hand") if card.face == "Feast"), None)
        if card is not None:
            match.remember()
            match.act(0, {"type": "play", "card": card.id})
            return match
    raise AssertionError("nobody has a feast")


def test_a_secret_answer_is_taken_back_at_once_until_all_have_answered():
    match = feast()
    question = match.question(1)[0].id
    match.act(1, {"type": "bid", "shiny": 1})
    assert match.may_take_back(1)
    match.take_back(1)
    assert match.question(1)[0].id == question  # it is still the same question to everybody
    for seat in (1, 2, 0):
        match.act(seat, {"type": "bid", "shiny": 1})
    assert not match.may_take_back(0)  # the others' bids are known now
    match.take_back(0)
    assert match.waiting() == (0,)
    assert match.question(0)[0].id > question  # asked anew: an answer that was underway does not fit


def test_nobody_takes_back_what_they_have_not_done():
    table = scene(side(play=["Ka"]), side(play=["Knight"]))
    ann, _ = table
    ann.ends_turn()
    with table.refused("nothing_to_take_back"):
        table.match.take_back(1)


def test_nothing_is_taken_back_after_the_end():
    table = scene(side(play=["Ka"]), side(play=["Knight"]))
    ann, bob = table
    ann.ends_turn()
    bob.resigns()
    with table.refused("over"):
        table.match.take_back(0)


def test_nobody_comes_back_to_a_seat_that_was_given_up():
    match = Match.deal(KITTENS, seats=3, seed=1)
    match.remember()
    seat, do = some_move(match, Random(1))
    match.act(seat, do)
    match.resign((seat + 1) % 3)
    with pytest.raises(Refused) as no:
        match.take_back(seat)
    assert no.value.code == "nothing_to_take_back"


def test_a_number_that_may_be_a_card_or_not_keeps_the_table_as_it_is():
    anew = Anew({40: 99})
    assert anew.entity(Entity(40, "Ka", facts={"damage": 7})).id == 99
    with pytest.raises(Refused) as no:
        anew.entity(Entity(1, "Ka", facts={"under": 40}))
    assert no.value.code == "entangled"
    asked = anew.frame(Ask(1, {0: Question((Offer("pick", 40, (Slot("what", (40, 41)),)),))}, by=40))
    assert asked.by == 99
    assert asked.questions[0].offers[0].slots[0].from_ == (99, 41)
    run = anew.frame(
        Run((), 0, bound={"target": [40], "amount": 5, "answer": {"0": {"card": 40, "picks": {"x": [40]}}}})
    )
    assert run.bound == {"target": [99], "amount": 5, "answer": {"0": {"card": 99, "picks": {"x": [99]}}}}


def test_a_pause_changes_nothing_but_the_version():
    match = Match.deal(TOYS, seed=1, version=1)
    before, version = laid_out(match.table), match.table.version
    step = match.remark("paused", 1)
    assert step.version == version + 1
    assert laid_out(match.table) == before
    assert Lens(match.look, 0).news(step) == [{"e": "said", "key": "paused", "args": {"seat": 1}}]

"""A table can be put away between any two messages and taken up by somebody else."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import find_game
from engine.errors import EngineError
from engine.frames import Ask, Event, Heard, Question, Run, word
from engine.lens import Lens
from engine.match import Match
from engine.merge import canonical
from engine.store import pack, state_hash, unpack
from tests.engine.games import GAMES, MAGPIES, games, go_on, pen, play, same, seeds


def restored(match: Match) -> Match:
    return Match(match.game, unpack(match.game, pack(match.table)))


@given(game=games, seed=seeds)
def test_a_match_goes_on_the_same_whether_it_was_stored_or_not(game, seed):
    """One match stays in memory, one is stored and read back after every input; nobody can tell them apart."""
    stays, travels = (Match.deal(game, seed=seed) for _ in range(2))
    one, other = Random(seed), Random(seed)
    while not stays.over and stays.table.version < 80:
        travels = restored(travels)
        assert same(stays, travels)
        go_on(stays, one)
        go_on(travels, other)
    assert same(stays, restored(travels))


@given(game=games, seed=seeds, when=st.integers(0, 60))
def test_a_match_stored_once_in_its_middle_ends_the_same(game, seed, when):
    stays, travels = (Match.deal(game, seed=seed) for _ in range(2))
    one, other = Random(seed), Random(seed)
    for turned, again in zip(play(stays, one), play(travels, other), strict=True):
        assert turned[:2] == again[:2]
        if stays.table.version == when:
            break
    travels = restored(travels)
    list(play(stays, one))
    list(play(travels, other))
    assert same(stays, travels)


def half_answered(seed: int) -> Match | None:
    """A match of magpies in which some have bid or passed and others have not."""
    match = Match.deal(MAGPIES, seed=seed)
    for _ in play(match, Random(seed)):
        top = match.table.stack[-1] if match.table.stack else None
        if isinstance(top, Ask) and 0 < len(top.answers) < len(top.questions):
            return match
    return None


def test_a_half_answered_question_keeps_its_answers_through_storage():
    found = [match for match in map(half_answered, range(60)) if match]
    assert len(found) > 20
    for match in found:
        again = restored(match)
        assert same(again, match)
        assert again.waiting() == match.waiting()
        match.expire()
        again.expire()
        assert same(match, again)


def test_programs_inside_words_inside_questions_are_words_again():
    for seed in range(200):
        match = half_answered(seed)
        if match is None or not match.table.stack[-1].first:
            continue
        asked = restored(match).table.stack[-1].questions[0]
        window = asked.then["hiss"][1]
        assert window.name == "hiss_window"
        assert window.args["then"][0].name == "rob"
        return
    raise AssertionError("no hiss window was ever half answered")


def test_the_words_still_to_be_spoken_are_words_again():
    match = Match.deal(MAGPIES, seed=1)
    rob = (word("rob", by=1),)
    with pen(match) as journal:
        journal.run((word("hiss_window", then=(word("hiss_window", then=rob, hushed=True),)),), 0)
    top = restored(match).table.stack[-1]
    assert isinstance(top, Run)
    assert top.todo[0].args["then"][0].args["then"] == rob


def test_what_waits_in_the_bag_is_made_of_words_again():
    match = Match.deal(MAGPIES, seed=1)
    card = match.table.lying("0.hand")[0]
    with pen(match) as journal:
        journal.hear(Heard(word("hiss_window", then=(word("rob", by=1),)), card, 0, Event("robbed", 0, card)))
    (heard,) = restored(match).table.bag
    assert heard.word.args["then"] == (word("rob", by=1),)
    assert heard == match.table.bag[0]


def test_a_question_that_speaks_of_a_card_is_the_same_after_storage():
    """Whoever may not know the card must not learn of it from a stored question either."""
    match = Match.deal(MAGPIES, seed=1)
    hidden = match.table.zones["0.hand"][0]
    with pen(match) as journal:
        offers = match.game.offers(match.look, 1)
        journal.ask({1: Question(tuple(offers), "ask.look", {"card": journal.ref(hidden)})})
    before = Lens(match.look, 1).ask(match)
    again = restored(match)
    assert canonical(before) == canonical(Lens(again.look, 1).ask(again))
    assert match.table[hidden].face not in str(before["say"])


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x92\x01\x80", b"\x00" * 40, b"\x92\x01"])
def test_bytes_that_are_no_table_are_refused(data):
    with pytest.raises(EngineError, match="no stored table"):
        unpack(MAGPIES, data)


def test_a_table_of_another_game_is_refused():
    with pytest.raises(EngineError, match="magpies"):
        unpack(find_game("ggltcg"), pack(Match.deal(MAGPIES, seed=1).table))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_tables_hash_alike_only_if_they_are_alike(game):
    one, same_again, other = (Match.deal(game, seed=seed) for seed in (1, 1, 2))
    assert state_hash(one.table) == state_hash(same_again.table)
    assert state_hash(one.table) != state_hash(other.table)
    seen = {state_hash(one.table)}
    for _ in play(one, Random(4)):
        assert state_hash(one.table) not in seen
        seen.add(state_hash(one.table))

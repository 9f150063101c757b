"""Questions: to one seat, to all at once in secret, to the first who wants; and what cards say in which order."""

from __future__ import annotations

from itertools import permutations

import pytest

from engine.effects import Ctx, Effects
from engine.errors import Refused
from engine.frames import PASS, Ask, Event, Move, Offer, Question, Slot, word
from engine.lens import Lens, viewers
from engine.match import Match
from engine.store import pack, state_hash, unpack
from engine.table import AUDIENCE, seat_id
from tests.engine.games import MAGPIES, pen, same
from tests.engine.magpies import SHINY, Magpies, effects, make_face

ANN, BO, CY = 0, 1, 2


@pytest.fixture
def match() -> Match:
    return Match.deal(MAGPIES, seed="asks", first=ANN)


def give(match: Match, face: str, zone: str) -> int:
    with pen(match) as journal:
        return journal.create(face, -1, zone)


def plays(match: Match, face: str):
    seat = match.waiting()[0]
    return match.act(seat, {"type": "play", "card": give(match, face, f"{seat}.hand")})


def shiny(match: Match) -> list[int]:
    return [SHINY.of(match.table.seat(seat)) for seat in range(3)]


def said(step) -> list[tuple[str, dict]]:
    return [(news.facts["key"], news.facts["args"]) for news in step.news if news.e == "said"]


def strip(match: Match, face: str = "Hiss") -> None:
    """Nobody holds this face unless the test gives it to them."""
    with pen(match) as journal:
        for seat in range(3):
            for card in match.table.lying(f"{seat}.hand"):
                if card.face == face:
                    journal.move(card.id, "heap")


# one seat


def test_a_question_to_one_seat_is_seen_by_that_seat_and_heard_of_by_all(match):
    thing = give(match, "Coin", "1.nest")
    step = plays(match, "Mirror")
    assert match.waiting() == (ANN,)
    asked = Lens(match.look, ANN).ask(match)
    assert asked == {"id": 1, "text": "What do you look at?", "say": ["ask.look", {}], "by": asked["by"]}
    assert match.table[asked["by"]].face == "Mirror"
    for viewer in (BO, CY, AUDIENCE):
        lens = Lens(match.look, viewer)
        assert lens.ask(match) is None
        assert lens.offers(match) == []
        assert lens.whole()["turn"]["asked"] is True
        assert {"e": "asked", "seats": [ANN], "by": asked["by"]} in lens.news(step)
    match.act(ANN, {"type": "look", "thing": [thing]})
    assert Lens(match.look, ANN).whole()["cards"][str(thing)]["face"] == "Coin"
    assert match.waiting() == (BO,)
    assert "asked" not in Lens(match.look, BO).whole()["turn"]


def test_an_answer_sets_off_its_program_and_a_pass_does_not(match):
    strip(match)
    for answer, owner in (({"type": PASS}, "1.nest"), ({"type": "take"}, "0.hand")):
        there = Match(MAGPIES, unpack(MAGPIES, pack(match.table)))
        thing = give(there, "Spoon", "1.nest")
        plays(there, "Cat")
        for seat in range(3):
            there.act(seat, {"type": PASS})
        assert there.waiting() == (ANN,)
        there.act(ANN, answer if answer["type"] == PASS else {**answer, "thing": [thing]})
        assert there.table.lying(owner)[-1].face == "Spoon"
        assert there.waiting() == (BO,)


def test_a_question_without_a_card_behind_it_can_be_asked(match):
    with pen(match) as journal:
        journal.ask({BO: Question((Offer(PASS),), "ask.look")})
    assert "by" not in Lens(match.look, BO).ask(match)
    match.act(BO, {"type": PASS})
    assert match.waiting() == (ANN,)


def test_a_card_that_went_out_of_sight_is_not_named_as_the_one_that_asks(match):
    hidden = match.table.zones["0.hand"][0]
    with pen(match) as journal:
        journal.ask({BO: Question((Offer(PASS),), "ask.look")}, by=hidden)
    assert "by" not in Lens(match.look, BO).ask(match)


# all at once


def test_bids_are_secret_until_the_last_is_in(match):
    plays(match, "Feast")
    assert match.waiting() == (ANN, BO, CY)
    before = {viewer: str(Lens(match.look, viewer).whole()["seats"]) for viewer in viewers(3)}
    step = match.act(BO, {"type": "bid", "shiny": 2})
    assert match.waiting() == (ANN, CY)
    for viewer in viewers(3):
        lens = Lens(match.look, viewer)
        assert lens.news(step) == []
        assert lens.whole()["turn"]["waiting"] == [ANN, CY]
        assert str(lens.whole()["seats"]) == before[viewer]
    match.act(CY, {"type": "bid", "shiny": 0})
    step = match.act(ANN, {"type": "bid", "shiny": 1})
    assert ("bids", {"bids": [1, 2, 0]}) in said(step)
    assert shiny(match) == [2, 0, 2]
    assert match.waiting() == (BO,)


def test_it_does_not_matter_who_answers_first(match):
    plays(match, "Feast")
    ends = set()
    for order in permutations(range(3)):
        there = Match(MAGPIES, unpack(MAGPIES, pack(match.table)))
        for seat in order:
            there.act(seat, {"type": "bid", "shiny": seat % 3})
        there.table.version = 0
        ends.add(state_hash(there.table))
    assert len(ends) == 1


def test_nobody_answers_twice(match):
    plays(match, "Feast")
    match.act(BO, {"type": "bid", "shiny": 2})
    with pytest.raises(Refused) as no:
        match.act(BO, {"type": "bid", "shiny": 1})
    assert no.value.code == "not_asked"


def test_whoever_does_not_answer_in_time_leaves_it_to_luck(match):
    plays(match, "Feast")
    match.act(BO, {"type": "bid", "shiny": 2})
    step = match.expire()
    (bids,) = [args["bids"] for key, args in said(step) if key == "bids"]
    assert bids[BO] == 2
    assert all(0 <= bid <= 2 for bid in bids)
    assert match.waiting() == (BO,)


def test_luck_answers_differently_at_different_tables():
    found = set()
    for seed in range(20):
        match = Match.deal(MAGPIES, seed=seed, first=ANN)
        plays(match, "Feast")
        found |= {tuple(args["bids"]) for key, args in said(match.expire()) if key == "bids"}
    assert len(found) > 5


talk = Effects(core=effects)


@talk.does("round")
def round_(ctx: Ctx, /) -> None:
    """Everybody at once: take one, or take two, or do nothing."""
    some = {"one": (word("gain", amount=1), word("cheer")), "two": (word("gain", amount=2), word("cheer"))}
    ctx.ask({seat: Question((Offer("one"), Offer("two"), Offer(PASS)), "ask.look", then=some) for seat in range(3)})


@talk.does("cheer")
def cheer(ctx: Ctx, /) -> None:
    """Say who it was."""
    ctx.journal.say("gossip", seat=ctx.seat)


@talk.does("count")
def count(ctx: Ctx, /) -> None:
    """Tell what everybody answered, once."""
    answer = ctx.bound["answer"]
    ctx.journal.say("bids", bids=[answer[seat]["type"] for seat in sorted(answer)])


class Talkative(Magpies):
    """Magpies with a card that lets everybody do something of their own."""

    effects = talk
    faces = {**Magpies.faces, "Round": make_face(talk, "Round", "round", "count")}


@pytest.mark.parametrize("first", [ANN, BO, CY])
@pytest.mark.parametrize(
    "answers",
    [("one", "two", "one"), ("two", PASS, "one"), (PASS, PASS, PASS), (PASS, "two", "two"), ("one", PASS, PASS)],
)
def test_each_answer_sets_off_its_own_program_once_the_active_seat_first(first, answers):
    match = Match.deal(Talkative(), seed="round", first=first)
    plays(match, "Round")
    steps = [match.act(seat, {"type": answers[seat]}) for seat in (CY, ANN, BO)]
    gained = {"one": 1, "two": 2, PASS: 0}
    assert shiny(match) == [2 + gained[answer] for answer in answers]
    order = [(first + n) % 3 for n in range(3)]
    heard = said(steps[-1])
    assert [args["seat"] for key, args in heard if key == "gossip"] == [s for s in order if answers[s] != PASS]
    assert [args["bids"] for key, args in heard if key == "bids"] == [list(answers)]
    assert match.waiting() == ((first + 1) % 3,)


# the first who wants


def test_everyone_is_asked_whether_they_could_hiss_or_not(match):
    strip(match)
    give(match, "Coin", "1.nest")
    hiss = give(match, "Hiss", "2.hand")
    plays(match, "Cat")
    assert match.waiting() == (ANN, BO, CY)
    offered = {seat: [offer.type for offer in match.offers(seat)] for seat in range(3)}
    assert offered == {ANN: [PASS], BO: [PASS], CY: [PASS, "hiss"]}
    for viewer in (ANN, BO, AUDIENCE):
        assert str(hiss) not in str([Lens(match.look, viewer).offers(match), Lens(match.look, viewer).whole()])


def test_a_window_closes_at_the_first_who_does_not_pass(match):
    strip(match)
    thing = give(match, "Coin", "1.nest")
    hiss = give(match, "Hiss", "2.hand")
    plays(match, "Cat")
    match.act(ANN, {"type": PASS})
    match.act(CY, {"type": "hiss", "feather": [hiss]})
    top = match.table.stack[-1]
    assert isinstance(top, Ask)
    assert not top.answers, "a new window, about the hissing"
    assert match.waiting() == (ANN, BO, CY)
    for seat in range(3):
        match.act(seat, {"type": PASS})
    assert match.table[hiss].zone == "heap"
    assert match.table[thing].zone == "1.nest", "the cat was hissed away"
    assert match.waiting() == (BO,)


def test_a_hiss_at_a_hiss_lets_the_cat_go_on(match):
    strip(match)
    give(match, "Coin", "1.nest")
    first, second = give(match, "Hiss", "2.hand"), give(match, "Hiss", "0.hand")
    plays(match, "Cat")
    match.act(CY, {"type": "hiss", "feather": [first]})
    match = Match(MAGPIES, unpack(MAGPIES, pack(match.table)))
    match.act(ANN, {"type": "hiss", "feather": [second]})
    for seat in range(3):
        match.act(seat, {"type": PASS})
    assert match.waiting() == (ANN,)
    assert [offer.type for offer in match.offers(ANN)] == ["take", PASS]


def test_the_default_of_a_window_is_to_pass(match):
    strip(match)
    give(match, "Coin", "1.nest")
    give(match, "Hiss", "2.hand")
    plays(match, "Cat")
    match.act(BO, {"type": PASS})
    match.expire()
    assert match.waiting() == (ANN,)
    assert Lens(match.look, ANN).ask(match)["say"] == ["ask.take", {}]


def test_time_allowed_by_the_rules_is_kept_with_the_question(match):
    plays(match, "Feast")
    assert match.table.stack[-1].seconds == 20
    again = Match(MAGPIES, unpack(MAGPIES, pack(match.table)))
    assert same(match, again)


# instead, and the bag


def test_a_scarecrow_is_taken_apart_instead(match):
    strip(match)
    thing = give(match, "Coin", "1.nest")
    crow = give(match, "Scarecrow", "1.yard")
    give(match, "Scarecrow", "2.yard")
    plays(match, "Cat")
    for seat in range(3):
        match.act(seat, {"type": PASS})
    step = match.act(ANN, {"type": "take", "thing": [thing]})
    assert [key for key, _ in said(step)] == ["scared", "turn"]
    assert match.table[thing].zone == "1.nest"
    assert match.table[crow].zone == "heap"
    assert len(match.table.zones["2.yard"]) == 1


@pytest.mark.parametrize("first", [ANN, BO, CY])
def test_cards_speak_from_the_active_player_around_the_table_and_each_side_in_the_order_heard(first):
    match = Match.deal(MAGPIES, seed="bag", first=first)
    strip(match)
    for seat in (ANN, BO, CY, ANN):
        give(match, "Parrot", f"{seat}.yard")
    victim = (first + 1) % 3
    thing = give(match, "Coin", f"{victim}.nest")
    plays(match, "Cat")
    for seat in range(3):
        match.act(seat, {"type": PASS})
    step = match.act(first, {"type": "take", "thing": [thing]})
    heard = [ANN, ANN, BO, CY]
    order = [s for n in range(3) for s in heard if s == (first + n) % 3]
    assert [args["seat"] for key, args in said(step) if key == "gossip"] == order
    assert shiny(match) == [4, 3, 3]


def test_a_card_hears_of_its_own_side_of_others_and_of_itself_as_its_word_says():
    ears = Effects(core=effects)
    for of in ("self", "mine", "others", "theirs", "any"):

        @ears.when(f"hear_{of}", "robbed", of=of)
        def hear(ctx: Ctx, event: Event, /) -> None:
            ctx.journal.say("heard", word=ctx.card.face, seat=ctx.seat)

    about = []

    @ears.does("ring")
    def ring(ctx: Ctx, /) -> None:
        seat, card = about[-1]
        ctx.journal.emit(Event("robbed", seat, ctx.table[card]))

    class Eared(Magpies):
        effects = ears
        faces = {
            **Magpies.faces,
            "Bell": make_face(ears, "Bell", "ring"),
            **{
                f"Ear {of}": make_face(ears, f"Ear {of}", f"hear_{of}")
                for of in ("self", "mine", "others", "theirs", "any")
            },
        }

    match = Match.deal(Eared(), seed="ears", first=ANN)
    ids = {
        (of, seat): give(match, f"Ear {of}", f"{seat}.yard")
        for of in ("self", "mine", "others", "theirs", "any")
        for seat in (ANN, BO)
    }

    def heard_by(of: str, seat: int) -> set[tuple[str, int]]:
        about.append((seat, ids[of, seat]))
        step = plays(match, "Bell")
        return {(args["word"].removeprefix("Ear "), args["seat"]) for key, args in said(step) if key == "heard"}

    everybody = {("any", ANN), ("any", BO)}
    assert heard_by("self", ANN) == {("self", ANN), ("mine", ANN), ("others", ANN), ("theirs", BO), *everybody}
    assert heard_by("others", ANN) == {("mine", ANN), ("theirs", BO), *everybody}
    assert heard_by("any", BO) == {("mine", BO), ("others", BO), ("theirs", ANN), *everybody}


def test_a_move_with_a_range_and_one_with_a_list_are_bound_for_the_words_that_follow():
    found = {}
    binds = Effects(core=effects)

    @binds.does("choose")
    def choose(ctx: Ctx, /) -> None:
        offer = Offer("choose", slots=(Slot("n", range=(1, 9)), Slot("zone", ("heap", "pile"), None, 1, 2)))
        ctx.ask({ctx.seat: Question((offer,), "ask.look")}, into="how")

    @binds.does("remember")
    def remember(ctx: Ctx, /) -> None:
        found.update(ctx.bound)

    class Binding(Magpies):
        effects = binds
        faces = {**Magpies.faces, "Knot": make_face(binds, "Knot", "choose", "remember")}

    match = Match.deal(Binding(), seed=1, first=ANN)
    plays(match, "Knot")
    match.act(ANN, {"type": "choose", "n": 7, "zone": ["pile", "heap"]})
    assert {**found, "zone": list(found["zone"])} == {"n": 7, "zone": ["pile", "heap"], "how": "choose"}


def test_what_a_word_binds_is_there_for_the_next_word_and_gone_with_the_card():
    notes = []
    binds = Effects(core=effects)

    @binds.does("tie")
    def tie(ctx: Ctx, /) -> None:
        notes.append(dict(ctx.bound))
        ctx.bind(knot=len(notes))
        ctx.then(word("gain", amount=1))

    class Binding(Magpies):
        effects = binds
        faces = {**Magpies.faces, "Knot": make_face(binds, "Knot", "tie", "tie")}

    match = Match.deal(Binding(), seed=1, first=ANN)
    plays(match, "Knot")
    plays(match, "Knot")
    assert notes == [{}, {"knot": 1}, {}, {"knot": 3}]
    assert shiny(match) == [4, 4, 2]


def test_the_default_of_a_question_is_played_when_time_runs_out(match):
    with pen(match) as journal:
        offers = (Offer("one"), Offer("two"))
        then = {"two": (word("gain", amount=5),)}
        journal.ask(
            {BO: Question(offers, "ask.look", default=Move("two"), then=then)}, by=match.table.zones["0.hand"][0]
        )
    match.expire()
    assert shiny(match) == [2, 7, 2]


def test_a_turn_that_runs_out_of_time_is_lost(match):
    match.expire()
    assert match.table.result.reason == "time"
    assert match.table.result.winners == (BO, CY)
    assert SHINY.of(match.table[seat_id(ANN)]) == 2


def test_whoever_is_asked_something_must_answer_before_anything_else(match):
    give(match, "Coin", "1.nest")
    plays(match, "Mirror")
    coin = give(match, "Coin", "0.hand")
    before = state_hash(match.table)
    for do in ({"type": "play", "card": coin}, {"type": "draw"}, {"type": "dance"}):
        with pytest.raises(Refused) as no:
            match.act(ANN, do)
        assert no.value.code == "pending_decision"
    assert state_hash(match.table) == before

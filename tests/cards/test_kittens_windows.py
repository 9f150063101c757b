"""Windows in which anybody may cancel what was played, and windows over windows."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from engine.frames import Ask
from engine.lens import Lens
from engine.match import Match
from engine.merge import canonical
from engine.offers import at_random
from engine.replay import Input, Recorder, read_replay, verify
from engine.store import state_hash
from engine.table import AUDIENCE
from tests.cards.fizzle import GAME, Box


def open_ask(box: Box) -> Ask:
    ask = box.table.stack[-1]
    assert isinstance(ask, Ask)
    return ask


@pytest.mark.parametrize(("vetoes", "works"), [("", True), ("b", False), ("ba", True), ("bac", False), ("cab", False)])
def test_a_veto_cancels_a_veto_on_it_restores_and_a_third_cancels_again(vetoes: str, works: bool):
    box = Box(hands=[["Sidestep", "Veto"], ["Veto"], ["Veto"]])
    ann, bob, cy = box
    by_name = {"a": ann, "b": bob, "c": cy}
    ann.plays("Sidestep")
    for name in vetoes:
        by_name[name].vetoes()
    box.all_pass()
    assert box.waiting_for() == ([bob] if works else [ann])
    assert box.discard == ["Sidestep", *["Veto"] * len(vetoes)]  # spent in either case


def test_a_window_asks_everybody_but_whoever_played_last():
    box = Box(seats=4, hands=[["Stir", "Veto"], ["Veto"], [], []])
    ann, bob, cy, di = box
    ann.plays("Stir")
    assert box.waiting_for() == [bob, cy, di]
    bob.vetoes()
    assert box.waiting_for() == [ann, cy, di]  # the first player is asked now, and the one who cancelled is not
    ann.vetoes()
    assert box.waiting_for() == [bob, cy, di]


def test_a_window_says_what_may_be_cancelled():
    hand = ["Stir", "Tithe", "Button", "Button", "Button", "Veto", "Shove", "Sidestep", "Foresight"]
    box = Box(hands=[hand, ["Veto", "Spool"], []], discard=["Acorn"], names=("Ann", "Bob", "Cy"))
    ann, bob, cy = box
    for play, says in (
        (lambda: ann.plays("Stir"), "Ann plays Stir."),
        (lambda: ann.plays("Tithe", at=bob), "Ann plays Tithe at Bob."),
        (lambda: ann.pairs("Button", bob), "Ann wants to steal from Bob."),
        (lambda: ann.triples("Button", bob, "Douse"), "Ann wants Douse from Bob."),
        (
            lambda: ann.fives(["Button", "Veto", "Shove", "Sidestep", "Foresight"], take="Acorn"),
            "Ann wants to take Acorn from the discard pile.",
        ),
    ):
        play()
        assert cy.asked == f"{says} Do you cancel it?"
        box.match.undo()
    ann.plays("Stir")
    bob.vetoes()
    assert cy.asked == "Bob cancels what Ann played. Do you cancel that?"
    ann.vetoes()
    assert cy.asked == "Ann cancels the Veto. Do you cancel that?"


def test_whoever_is_out_is_not_asked():
    box = Box(seats=4, hands=[[], ["Stir"], [], []], pile=["Spark", "Acorn", "Spark", "Spark"])
    ann, bob, cy, di = box
    ann.draws()
    bob.plays("Stir")
    assert box.waiting_for() == [cy, di]


def test_each_veto_opens_a_new_window_with_its_full_time():
    box = Box(hands=[["Stir", "Veto"], ["Veto"], []], options={"veto_seconds": 4})
    ann, bob, cy = box
    ann.plays("Stir")
    first = open_ask(box)
    cy.passes()
    bob.vetoes()
    second = open_ask(box)
    assert second.id > first.id
    assert first.seconds == second.seconds == 4.0
    assert second.answers == {}  # whoever let the first be is asked anew


def test_when_all_let_it_be_the_window_closes_early():
    box = Box(hands=[["Sidestep"], ["Veto"], []])
    ann, bob, cy = box
    ann.plays("Sidestep")
    cy.passes()
    assert box.window
    bob.passes()
    assert box.window == 0
    assert box.waiting_for() == [bob]  # it is bob's turn


def test_at_the_deadline_whoever_has_said_nothing_has_let_it_be():
    box = Box(hands=[["Sidestep"], ["Veto"], []])
    ann, bob, cy = box
    ann.plays("Sidestep")
    cy.passes()
    box.expires()
    assert box.waiting_for() == [bob]
    assert bob.hand == ["Veto"]


@pytest.mark.parametrize("hands", [[[], []], [["Veto"], []], [["Veto"], ["Veto", "Veto"]]])
def test_the_window_is_the_same_whoever_holds_a_veto(hands: list[list[str]]):
    """Its length, who is asked, and everything that is told to those who are not asked about it."""
    shown = []
    for these in ([["Acorn"] * len(hand) for hand in hands], hands):
        box = Box(hands=[["Stir"], *these], options={"veto_seconds": 5})
        ann, *_ = box
        step = ann.plays("Stir")
        ask = open_ask(box)
        told = [(Lens(box.match.look, v).whole(), Lens(box.match.look, v).news(step)) for v in (0, AUDIENCE)]
        shown.append((sorted(ask.questions), ask.seconds, canonical(told)))
    assert shown[0] == shown[1]


def test_a_window_does_not_close_before_its_time_because_nobody_could_answer():
    box = Box(hands=[["Stir"], [], []])
    ann, bob, cy = box
    ann.plays("Stir")
    assert box.waiting_for() == [bob, cy]


def test_who_could_have_cancelled_is_not_told():
    """Bob lets it be, with a Veto in his hand or without: nobody hears any difference."""
    told = set()
    for hand in (["Veto"], ["Acorn"]):
        box = Box(hands=[["Stir"], hand, []])
        ann, bob, cy = box
        ann.plays("Stir")
        bob.passes()
        cy.passes()
        told.add(str([[box.told[viewer], Lens(box.match.look, viewer).whole()] for viewer in (0, 2)]))
    assert len(told) == 1


def test_sparks_and_douses_open_no_window():
    box = Box(hands=[["Douse"], ["Veto"], ["Veto"]], pile=["Spark", "Spark", "Acorn"])
    ann, bob, cy = box
    ann.draws()
    assert box.waiting_for() == [ann]  # she hides it; nobody is asked
    assert not bob.may("veto")
    with box.refused("not_asked"):
        bob.vetoes()
    ann.places(1)
    assert box.waiting_for() == [bob]
    bob.draws()
    assert bob not in box.alive
    assert box.waiting_for() == [cy]


def test_drawing_opens_no_window():
    box = Box(hands=[[], ["Veto"], []], pile=["Acorn", "Spark", "Spark"])
    ann, bob, _ = box
    ann.draws()
    with box.refused("not_now"):
        bob.plays("Veto")
    assert box.window == 0


@pytest.mark.parametrize("what", ["pair", "triple", "five"])
def test_sets_can_be_cancelled_and_their_cards_are_spent(what: str):
    hand = ["Button", "Button", "Button", "Marble", "Stir", "Shove", "Tithe"]
    box = Box(hands=[hand, ["Veto", "Spool"], []], discard=["Acorn"])
    ann, bob, _ = box
    if what == "pair":
        ann.pairs("Button", bob)
    elif what == "triple":
        ann.triples("Button", bob, "Spool")
    else:
        ann.fives(["Button", "Marble", "Stir", "Shove", "Tithe"], take="Acorn")
    count = {"pair": 2, "triple": 3, "five": 5}[what]
    bob.vetoes()
    box.all_pass()
    assert len(ann.hand) == len(hand) - count
    assert bob.hand == ["Spool"]
    assert len(box.discard) == 1 + count + 1
    assert box.waiting_for() == [ann]


def test_while_a_question_is_open_only_its_answers_are_moves():
    box = Box(hands=[["Stir", "Sidestep"], ["Sidestep", "Veto"], []])
    ann, bob, cy = box
    ann.plays("Stir")
    with box.refused("not_asked"):
        ann.draws()
    with box.refused("not_asked"):
        ann.plays("Sidestep")
    for move in ({"type": "draw"}, {"type": "play", "card": bob.card("Sidestep")}, {"type": "give", "gift": [1]}):
        with box.refused("pending_decision"):
            bob.sends(move)
    with box.refused("pending_decision"):
        cy.sends({"type": "veto", "veto": [bob.card("Veto")]})  # somebody else's
    with box.refused("bad_target"):
        bob.sends({"type": "veto", "veto": [bob.card("Sidestep")]})
    cy.leaves()  # giving up is always possible
    assert box.waiting_for() == [bob]


def test_nobody_answers_a_window_twice():
    box = Box(hands=[["Stir"], ["Veto"], []])
    ann, bob, _ = box
    ann.plays("Stir")
    bob.passes()
    with box.refused("not_asked"):
        bob.vetoes()
    assert bob.hand == ["Veto"]


def test_a_tithe_that_was_cancelled_and_restored_and_whose_giver_never_answers():
    """Cancelled, the cancelling cancelled, then the giver does not come back: luck picks, and the turn goes on."""
    given = set()
    for seed in range(12):
        box = Box(hands=[["Tithe", "Veto"], ["Veto", "Button", "Marble"], []], seed=seed)
        ann, bob, cy = box
        ann.plays("Tithe", at=bob)
        bob.vetoes()
        ann.vetoes()
        bob.passes()
        cy.passes()
        assert box.waiting_for() == [bob]
        assert open_ask(box).seconds == 15.0
        box.expires()
        (gift,) = ann.hand
        given.add(gift)
        assert sorted([gift, *bob.hand]) == ["Button", "Marble"]
        assert box.waiting_for() == [ann]
        ann.draws()
        assert box.waiting_for() == [bob]
    assert given == {"Button", "Marble"}


def test_times_can_be_left_to_the_clock_of_the_room():
    box = Box(hands=[["Stir"], [], []], options={"veto_seconds": 0})
    box.players[0].plays("Stir")
    assert open_ask(box).seconds == 0.0


def test_a_log_with_windows_that_ran_out_gives_the_same_table_without_waiting():
    closings = 0
    for seed in range(12):
        luck = Random(seed)
        match = Match.deal(GAME, seats=4, seed=seed)
        recorder = Recorder(match)
        while not match.over:
            seat = luck.choice(match.waiting())
            if match.question(seat) and luck.random() < 0.3:
                recorder.keep(Input(match.table.version + 1, expire=True))
                closings += 1
                continue
            recorder.act(seat, at_random(match.offers(seat), luck.randrange))
        replay = read_replay(msgspec.json.encode(recorder.replay))
        assert state_hash(verify(GAME, replay).table) == state_hash(match.table)
    assert closings > 50

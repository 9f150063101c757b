"""Plugins laid over a table: what their hooks find, whom that stops, and what follows a move."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import Fault, Refused
from engine.findings import Finding, Unusual, remarks
from engine.frames import Move, Offer
from engine.hooks import Block, Deed, Plugin, Plugins, Replace, Warn
from engine.journal import Journal
from engine.look import Look
from engine.replay import Input, Recorder, verify
from tests.engine.perch import DONE, REST, SING, done, hop, perch, plugin, says, warning

# people are warned, bots are stopped


def test_a_person_is_warned_and_goes_on():
    match = perch(warning())
    step = match.act(0, SING)
    assert done(match) == ["sing"]
    assert step.warnings == (Finding("loud"),)


def test_what_is_usual_is_no_matter():
    match = perch(warning())
    assert match.act(0, hop()).warnings == ()


def test_a_warning_is_told_to_its_player_and_written_in_the_log():
    house = plugin()
    house.before("hop", rule="far")(lambda look, deed: Warn({"far": deed.move.picks["far"]}))
    match = perch(house)
    step = match.act(0, hop(8))
    assert remarks(step.warnings, match.game.messages) == [
        {"rule": "far", "level": "soft", "text": "A hop of 8 is a flight.", "say": ["rule.far", {"far": 8}]}
    ]
    assert [(news.e, news.facts["key"]) for news in step.news] == [("said", "rule.far")]


@pytest.mark.parametrize(
    ("level", "heed", "stopped"),
    [
        ("hard", "none", False),
        ("soft", "none", False),
        ("hard", "ask", True),
        ("soft", "ask", True),
        ("hard", "hard", True),
        ("soft", "hard", False),
        ("hard", "all", True),
        ("soft", "all", True),
    ],
)
def test_whom_a_finding_stops(level, heed, stopped):
    match = perch(warning(level=level))
    if not stopped:
        match.act(0, SING, heed=heed)
        assert done(match) == ["sing"]
        return
    with pytest.raises(Unusual, match="not sing at night") as no:
        match.act(0, SING, heed=heed)
    assert done(match) == []
    assert (no.value.code, no.value.passes) == ("unusual", True)
    match.act(0, SING, heed=heed, sure=True)
    assert done(match) == ["sing!"]


def test_whoever_is_sure_is_not_warned():
    match = perch(warning())
    step = match.act(0, SING, sure=True)
    assert step.warnings == step.news == ()


def test_a_firm_rule_warns_people_who_are_sure_and_stops_bots_who_are():
    match = perch(warning(firm=True, level="hard"))
    assert match.act(0, SING, sure=True).warnings
    match.act(0, SING, sure=True, heed="ask")
    with pytest.raises(Unusual) as no:
        match.act(0, SING, sure=True, heed="all")
    assert not no.value.passes


def test_being_sure_is_written_down_and_played_again():
    recorder = Recorder(perch(warning()))
    recorder.keep(Input(1, 0, do=SING, sure=True))
    recorder.keep(Input(2, 0, do=SING))
    recorder.keep(Input(3, 0, resign="resigned"))
    assert done(verify(recorder.match.game, recorder.replay)) == ["sing!", "sing"]


# the order of hooks


def found(*plugins: Plugin, do: dict[str, Any] = SING) -> list[str]:
    return [finding.rule for finding in perch(*plugins).act(0, do).warnings]


def test_the_lower_priority_speaks_first_whoever_was_registered_first():
    assert found(warning("late", priority=90), warning("early", priority=85)) == ["early"]


def test_of_equals_the_one_that_was_registered_first_speaks():
    assert found(warning("one"), warning("two")) == ["one"]


def test_hooks_on_any_move_stand_in_the_same_line():
    assert found(warning("loud", priority=90), warning("any", "*", priority=85)) == ["any"]
    assert found(warning("loud", priority=80), warning("any", "*", priority=85)) == ["loud"]
    assert found(warning("any", "*"), do=REST) == ["any"]


def test_a_block_behind_a_warning_still_blocks():
    house = plugin()
    house.before("sing", rule="no", priority=200)(says(Block("no_singing", "Nobody sings here.")))
    match = perch(warning(), house)
    with pytest.raises(Refused) as no:
        match.act(0, SING, sure=True)
    assert (no.value.code, str(no.value), done(match)) == ("no_singing", "Nobody sings here.", [])


def test_a_blocker_comes_before_every_hook():
    house = plugin()
    house.blocker(lambda look, deed: Block("asleep", "Everybody sleeps.") if deed.move.type == "sing" else None)
    house.before("sing", rule="x", priority=0)(says(Replace(Move("rest"))))
    match = perch(house)
    with pytest.raises(Refused, match="Everybody sleeps"):
        match.act(0, SING)
    match.act(0, hop())


# putting one move in another's place


def replacing(type: str, move: Move, **more: Any) -> Plugin:
    house = plugin(f"no_{type}")
    house.before(type, rule="x", **more)(says(Replace(move)))
    return house


def test_another_move_happens_instead_and_both_are_told():
    match = perch(replacing("sing", Move("hop", 0, {"far": 2})))
    step = match.act(0, SING)
    assert done(match) == ["hop 2"]
    assert [(news.e, news.facts) for news in step.news] == [("replaced", {"seat": 0, "type": "sing", "by": "hop"})]


def test_what_is_put_in_its_place_is_looked_at_again():
    match = perch(replacing("sing", Move("rest")), warning("lazy", "rest"))
    with pytest.raises(Unusual):
        match.act(0, SING, heed="all")
    assert [finding.rule for finding in match.act(0, SING).warnings] == ["lazy"]
    assert done(match) == ["rest"]


def test_two_that_replace_each_other_are_our_fault_and_change_nothing():
    match = perch(replacing("sing", Move("rest")), replacing("rest", Move("sing")))
    with pytest.raises(Fault, match="replaced 5 times"):
        match.act(0, SING)
    assert done(match) == []
    match.act(0, hop())


def test_being_sure_goes_over_to_what_is_put_in_its_place():
    match = perch(replacing("sing", Move("rest")))
    match.act(0, SING, sure=True)
    assert done(match) == ["rest!"]


# what follows a move


def test_a_move_may_be_followed_by_others_which_come_first():
    house = plugin()

    @house.after("sing")
    def dance(journal: Journal, deed: Deed) -> list[Deed]:
        return [Deed(deed.seat, Move("hop", 0, {"far": n})) for n in (1, 2)]

    @house.after("hop")
    def rest_after_the_first(journal: Journal, deed: Deed) -> list[Deed]:
        return [Deed(deed.seat, Move("rest"))] if deed.move.picks["far"] == 1 else []

    match = perch(house)
    match.act(0, SING)
    assert done(match) == ["sing", "hop 1", "rest", "hop 2"]


def test_hooks_after_a_move_go_by_priority_and_observers_come_last():
    house, order = plugin(), []
    house.after("sing", priority=250)(lambda journal, deed: order.append("late"))
    house.after("*", priority=50)(lambda journal, deed: order.append("early"))

    @house.observer
    def watch(look: Look, deed: Deed) -> list[Deed]:
        order.append("watching")
        return []

    perch(house).act(0, SING)
    assert order == ["early", "late", "watching"]


def test_what_follows_is_looked_at_like_any_move_and_may_be_refused():
    house = plugin()
    house.after("sing")(lambda journal, deed: [Deed(0, Move("rest")), Deed(0, Move("hop", 0, {"far": 1}))])
    house.blocker(lambda look, deed: Block("no", "No.") if deed.move.type == "rest" else None)
    match = perch(house)
    match.act(0, SING)
    assert done(match) == ["sing", "hop 1"]


def test_an_observer_that_never_rests_is_stopped_and_the_match_goes_on():
    house = plugin()
    house.observer(lambda look, deed: [Deed(deed.seat, Move("hop", 0, {"far": 1}))])
    match = perch(house)
    step = match.act(0, SING)
    assert len(done(match)) == 100
    assert [news.facts["key"] for news in step.news] == ["follow_ups_stopped"]
    match.act(0, REST)
    assert match.waiting() == (1,)


def test_nothing_follows_once_the_match_is_over():
    house = plugin()

    @house.after("sing")
    def win(journal: Journal, deed: Deed) -> list[Deed]:
        journal.end((deed.seat,), "song")
        return [Deed(deed.seat, Move("hop", 0, {"far": 1}))]

    match = perch(house)
    match.act(0, SING)
    assert done(match) == ["sing"]
    assert match.table.result.winners == (0,)


# moves of one's own


def test_a_plugin_may_bring_a_move_that_is_offered_and_done():
    house = plugin()

    @house.custom("preen", lambda look, seat: [Offer("preen")] if seat == 0 else [])
    def preen(journal: Journal, deed: Deed) -> None:
        journal.note(DONE, ["preened"])

    match = perch(house)
    match.act(0, {"type": "preen"})
    assert done(match) == ["preened"]
    match.act(0, REST)
    with pytest.raises(Refused, match="not among your offers"):
        match.act(1, {"type": "preen"})


# coming and going


def test_a_plugin_is_registered_once():
    with pytest.raises(ValueError, match="'house' is registered already"):
        Plugins(plugin(), plugin())


def test_a_plugin_needs_others_to_be_there_first():
    with pytest.raises(ValueError, match="'house' needs 'ground', which is not registered"):
        Plugins(plugin(needs=("ground",)))
    assert list(Plugins(plugin("ground"), plugin(needs=("ground",))).here) == ["ground", "house"]


def test_a_plugin_that_others_need_stays():
    plugins = Plugins(plugin("ground"), plugin(needs=("ground",)))
    with pytest.raises(ValueError, match="'house' needs 'ground'; take it away first"):
        plugins.unregister("ground")
    plugins.unregister("house")
    plugins.unregister("ground")
    with pytest.raises(ValueError, match="there is no plugin 'ground'"):
        plugins.unregister("ground")


def test_two_plugins_cannot_bring_the_same_move():
    one, other = plugin("one"), plugin("other")
    for house in (one, other):
        house.custom("preen", lambda look, seat: [])(lambda journal, deed: None)
    with pytest.raises(ValueError, match="'other' brings the move 'preen', which is taken"):
        Plugins(one, other)


def test_what_a_plugin_brought_goes_with_it():
    match = perch(warning())
    match.game.plugins.unregister("loud")
    assert match.act(0, SING, heed="all").warnings == ()


def test_the_plugin_that_came_last_says_how_cards_are_read_out():
    one, other, silent = plugin("one"), plugin("other"), plugin("silent")
    one.readable(lambda card: {**card, "by": "one"})
    other.readable(lambda card: {**card, "by": "other"})
    plugins = Plugins(one, other, silent)
    assert plugins.reads is not None
    assert plugins.reads({}) == {"by": "other"}
    assert Plugins(silent).reads is None

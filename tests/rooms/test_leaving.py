"""Players who stay away: how long they are waited for, who may claim what, and what is held against nobody."""

from __future__ import annotations

import msgspec
import pytest

from rooms import wire
from rooms.happenings import Closing
from rooms.manners import Manners, speed
from tests.rooms.tables import Table, clock

FAST, MIDDLE, SLOW = clock(base=180_000), clock(base=900_000), clock(base=901_000)


def until(table: Table, person) -> int:
    """How long the others are told to wait for somebody, from now."""
    shown = next(p for p in table.people if p is not person).heard(wire.Presence)[-1].seats[str(person.seat)]
    return shown.get("until", table.now) - table.now


@pytest.mark.parametrize(
    ("how", "wait"),
    [(FAST, 30_000), (MIDDLE, 60_000), (SLOW, 120_000), (None, 120_000), (clock(decision=15_000), 30_000)],
)
def test_who_is_cut_off_is_waited_for_by_the_speed_of_the_match(how, wait):
    table = Table(clock=how)
    ana, bo = table.sit("Ana", "Bo")
    bo.goes()
    assert until(table, bo) == wait
    assert ana.wishes(wire.Claim) == "not_away"


def test_who_leaves_on_purpose_is_not_waited_for_long():
    table = Table(clock=MIDDLE)
    ana, bo = table.sit("Ana", "Bo")
    bo.goes(closed=True)
    assert until(table, bo) == 10_000
    assert ana.heard(wire.Presence)[-1].seats["1"]["closed"] is True
    table.later(9_999)
    assert ana.wishes(wire.Claim) == "not_away"
    table.later(1)
    assert ana.wishes(wire.Claim) == "ok"
    assert (table.result.winners, table.result.reason) == ((ana.seat,), "left")


def test_who_waits_may_take_half_instead():
    table = Table(clock=FAST)
    ana, bo = table.sit("Ana", "Bo")
    bo.goes()
    table.later(30_000)
    assert ana.wishes(wire.Claim, what="draw") == "ok"
    assert (table.result.winners, table.result.reason) == ((), "left")


def test_a_claim_is_made_once_however_often_it_is_said():
    table = Table(clock=FAST)
    ana, bo = table.sit("Ana", "Bo")
    bo.goes()
    table.later(30_000)
    assert [ana.wishes(wire.Claim) for _ in range(2)] == ["ok", "ok"]
    assert ana.wishes(wire.Claim, what="draw") == "over"
    assert len(table.inputs) == 2


def test_who_comes_back_in_time_plays_on():
    table = Table(clock=FAST)
    ana, bo = table.sit("Ana", "Bo")
    bo.goes()
    table.later(29_000)
    bo.comes()
    table.later(5_000)
    assert ana.wishes(wire.Claim) == "not_away"
    assert not bo.heard(wire.Notice)
    assert table.marks == {}


def test_another_window_that_is_still_open_counts():
    table = Table(clock=FAST)
    ana, bo = table.sit("Ana", "Bo")
    other = table.person("Bo")
    other.comes()
    bo.goes(closed=True)
    table.later(60_000)
    assert ana.wishes(wire.Claim) == "not_away"


def test_a_match_by_post_is_not_claimed():
    table = Table(clock=clock(days=2))
    ana, bo = table.sit("Ana", "Bo")
    bo.goes(closed=True)
    table.later(3_600_000)
    assert ana.wishes(wire.Claim) == "not_away"


def test_who_has_no_seat_claims_nothing():
    table = Table(clock=FAST)
    _, bo = table.sit("Ana", "Bo")
    cy = table.person("Cy")
    cy.comes(watch=True)
    bo.goes()
    table.later(30_000)
    assert cy.wishes(wire.Claim) == "not_seated"


def test_whoever_left_for_long_is_told_before_anything_is_held_against_them():
    table = Table(clock=FAST)
    ana, bo = table.sit("Ana", "Bo")
    bo.goes()
    table.later(31_000)
    assert table.marks == {"bo": "1"}
    bo.comes()
    assert [frame.code for frame in bo.heard(wire.Notice)] == ["left_once"]
    assert table.marks == {"bo": "warned"}
    bo.goes()  # the second time today
    assert until(table, bo) == 15_000
    table.later(15_000)
    assert ana.wishes(wire.Claim) == "ok"


def test_who_was_never_warned_is_waited_for_as_long_as_anybody():
    table = Table(clock=FAST)
    table.marks["bo"] = "1"  # left a match today, and has not been back since
    ana, bo = table.person("Ana"), table.person("Bo")
    ana.comes()
    bo.comes()
    assert not bo.heard(wire.Notice)  # there is no match yet
    bo.goes()
    assert until(table, bo) == 30_000
    bo.comes()
    assert [frame.code for frame in bo.heard(wire.Notice)] == ["left_once"]


def test_an_outage_of_ours_is_nobodys_fault():
    table = Table(clock=FAST)
    ana, bo = table.sit("Ana", "Bo")
    bo.goes()
    table.later(25_000)
    table.people.remove(bo)
    table.moves_house()
    assert ana.wishes(wire.Claim) == "not_away"
    table.later(60_000)
    assert ana.wishes(wire.Claim) == "not_away"
    table.later(60_000)
    assert table.marks == {}
    assert ana.wishes(wire.Claim) == "ok"


def test_nobody_is_claimed_against_while_the_match_is_paused():
    table = Table(clock=FAST)
    ana, bo = table.sit("Ana", "Bo")
    ana.proposes("pause")
    bo.replies("pause")
    bo.goes()
    table.later(60_000)
    assert ana.wishes(wire.Claim) == "paused"
    ana.proposes("pause")
    assert ana.wishes(wire.Claim) == "not_away"
    table.later(30_000)
    assert ana.wishes(wire.Claim) == "ok"


def test_where_more_play_whoever_stays_away_is_out_and_the_others_go_on():
    table = Table("kittens", users=("ana", "bo", "cy"))
    ana, bo, _ = table.sit("Ana", "Bo", "Cy")
    bo.goes()
    table.later(120_000)
    assert ana.wishes(wire.Claim, what="draw") == "bad_claim"
    assert ana.wishes(wire.Claim) == "ok"
    assert table.result is None
    assert bo.seat not in table.core.match.waiting()


def test_a_match_without_a_clock_that_nobody_touches_is_over():
    table = Table(manners=Manners(abandoned=3_600_000))
    table.sit("Ana", "Bo")
    table.later(3_000_000)
    table.mover.acts()
    table.later(3_599_000)
    assert table.result is None
    table.later(1_000)
    assert (table.result.winners, table.result.reason) == ((), "abandoned")


def test_an_abandoned_match_is_noticed_by_whoever_has_the_room_then():
    table = Table(manners=Manners(abandoned=3_600_000))
    ana, bo = table.sit("Ana", "Bo")
    ana.goes()
    bo.goes()
    table.people.clear()
    table.now += 3_600_000
    table.open()
    table.later(0)
    assert table.result.reason == "abandoned"


def test_speeds():
    assert [speed(one) for one in (FAST, MIDDLE, SLOW, None)] == [0, 1, 2, 2]


# talk


def test_what_is_said_is_heard_kept_and_found_by_whoever_comes_later():
    table = Table()
    ana, bo = table.sit("Ana", "Bo")
    for n in range(25):
        assert ana.says(f"line {n}") == "ok"
    assert [said.text for said in bo.heard(wire.Said)][:2] == ["line 0", "line 1"]
    table.moves_house()
    cy = table.person("Cy")
    cy.comes(watch=True)
    assert [said.text for said in cy.heard(wire.Said)] == [f"line {n}" for n in range(5, 25)]
    bo.says("once more")
    assert cy.heard(wire.Said)[-1].line == 26


def test_who_is_muted_is_not_heard_by_whoever_muted_them():
    table = Table()
    ana, bo = table.sit("Ana", "Bo")
    cy = table.person("Cy")
    cy.comes(watch=True)
    assert bo.wishes(wire.Mute, seat=ana.seat) == "ok"
    ana.says("psst")
    assert not bo.heard(wire.Said)
    assert cy.heard(wire.Said)
    table.moves_house()
    ana.says("still")
    assert not bo.heard(wire.Said)
    bo.wishes(wire.Mute, seat=ana.seat, on=False)
    ana.says("again")
    assert [said.text for said in bo.heard(wire.Said)] == ["again"]
    assert bo.wishes(wire.Mute, seat=7) == "bad_seat"


def test_a_report_takes_the_last_lines_along():
    table = Table()
    ana, bo = table.sit("Ana", "Bo")
    ana.says("something foul")
    assert bo.wishes(wire.Report, seat=ana.seat, why="talk", text="please look") == "ok"
    (filed,) = table.reports
    assert (filed["by"], filed["about"], filed["why"]) == ("bo", "ana", "talk")
    assert filed["lines"][0]["text"] == "something foul"
    assert bo.wishes(wire.Report, seat=bo.seat, why="talk") == "bad_seat"
    assert msgspec.json.encode(filed)


# before the match


def test_where_everybody_is_asked_the_cards_wait_for_all():
    table = Table(ready=True)
    ana, bo = table.sit("Ana", "Bo")
    assert table.core.match is None
    assert ana.wishes(wire.Ready) == "ok"
    assert bo.heard(wire.Presence)[-1].seats["0"]["ready"] is True
    assert ana.wishes(wire.Ready, yes=False) == "ok"
    bo.wishes(wire.Ready)
    assert table.core.match is None
    ana.wishes(wire.Ready)
    assert table.core.match is not None
    assert ana.wishes(wire.Ready) == "started"


def test_who_left_is_not_ready_any_more():
    table = Table(ready=True)
    ana, bo = table.sit("Ana", "Bo")
    ana.wishes(wire.Ready)
    ana.goes()
    ana.comes()
    bo.wishes(wire.Ready)
    assert table.core.match is None


def test_whoever_opened_the_room_shows_others_out_and_they_stay_out():
    table = Table(host="ana", ready=True)
    ana, bo = table.sit("Ana", "Bo")
    assert bo.wishes(wire.Kick, seat=0) == "not_host"
    assert ana.wishes(wire.Kick, seat=0) == "bad_seat"
    assert ana.wishes(wire.Kick, seat=1) == "ok"
    assert [frame.code for frame in bo.heard(wire.Closed)] == ["kicked"]
    assert bo.comes() == "kicked"
    table.people.remove(bo)
    table.moves_house()
    assert bo.comes() == "kicked"
    cy = table.person("Cy")
    assert cy.comes() == "ok"
    ana.wishes(wire.Ready)
    cy.wishes(wire.Ready)
    assert ana.wishes(wire.Kick, seat=1) == "started"


def test_a_table_with_nobody_at_it_is_closed():
    table = Table()
    (ana,) = table.sit("Ana")
    table.later(10_000_000)
    assert not table.shut
    ana.goes()
    table.later(899_000)
    assert not table.shut
    table.later(1_000)
    assert [shut.told.code for shut in table.shut] == ["idle"]


def test_an_empty_table_is_closed_by_whoever_has_it_then_but_not_before_anybody_could_say_that_they_sit_there():
    table = Table()
    table.now += 3_600_000
    table.open()
    assert not table.shut
    (ana,) = table.sit("Ana")
    table.later(100_000)
    assert not table.shut
    ana.goes()
    table.now += 3_600_000
    table.people.clear()
    table.open()
    table.later(60_000)
    assert table.shut


def test_a_match_that_was_arranged_is_off_when_somebody_does_not_come():
    table = Table(ready_by=1_020_000)
    (ana,) = table.sit("Ana")
    assert ana.heard(wire.Presence)[-1].ready_by == 1_020_000
    table.later(19_999)
    assert not table.off
    table.later(1)
    assert [off.came for off in table.off] == [["ana"]]
    assert [shut.told.code for shut in table.shut] == ["not_ready"]


def test_a_match_that_was_arranged_is_on_when_all_come():
    table = Table(ready_by=1_020_000)
    table.sit("Ana", "Bo")
    table.later(60_000)
    assert table.core.match is not None
    assert not table.off


def test_whoever_gives_their_seat_up_before_the_deal_is_told_nothing_more():
    table = Table(users=("ana", "bo"), ready=True)
    ana, bo = table.sit("Ana", "Bo")
    assert bo.wishes(wire.Resign) == "ok"
    assert [closed.code for closed in bo.heard(wire.Closed)] == ["stood_up"]
    assert bo.wishes(wire.Ready) == "not_joined"
    cy = table.person("Cy")
    assert cy.comes() == "ok"
    assert [person.seat for person in (ana, cy)] == [0, 1]
    assert not table.core.seating.kicked
    table.moves_house()
    assert table.core.seating.sitters[1].user == "cy"


def test_whoever_does_not_want_a_match_that_was_arranged_need_not_be_waited_for():
    table = Table(users=("ana", "bo", "cy"), game="kittens", ready_by=1_020_000)
    ana, bo = table.sit("Ana", "Bo")
    assert bo.wishes(wire.Resign) == "ok"
    assert [off.came for off in table.off] == [["ana"]]
    assert [shut.told.code for shut in table.shut] == ["not_ready"]
    assert ana.told


def test_a_table_is_closed_from_above_whatever_happens_at_it():
    waiting = Table(ready=True)
    waiting.sit("Ana", "Bo")
    waiting.hear(Closing())
    assert [shut.told.code for shut in waiting.shut] == ["closed"]
    arranged = Table(ready_by=1_020_000)
    arranged.sit("Ana")
    arranged.hear(Closing())
    assert [off.came for off in arranged.off] == [["ana"]]
    playing = Table(clock=clock(base=60_000))
    ana, bo = playing.sit("Ana", "Bo")
    playing.hear(Closing())
    assert playing.result is not None
    assert (playing.result.reason, playing.result.winners) == ("abandoned", ())
    assert [notice.code for notice in bo.heard(wire.Notice)] == ["closed"]
    playing.hear(Closing())  # and once more
    assert ana.says("good game") == "ok"

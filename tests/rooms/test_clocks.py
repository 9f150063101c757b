"""Clocks as arithmetic: increments, allowances, lag, and whose time runs out."""

from __future__ import annotations

import msgspec

from rooms import wire
from rooms.clocks import credit, deadline, run_out
from rooms.happenings import Acted, Answer, Commit, Committed, TimeUp, Wake, Who
from rooms.scripts import Code
from rooms.state import Times
from tests.rooms.cores import Core, of
from tests.rooms.tables import Table, clock


def left(table: Table) -> list[int]:
    return table.core.state.times.left


def test_who_moves_pays_and_gets_the_increment():
    table = Table(clock=clock(base=60_000, inc=2_000))
    table.sit("Ana", "Bo")
    mover = table.mover
    table.later(5_000)
    mover.acts()
    assert left(table)[mover.seat] == 57_000
    assert table.core.state.times.runs == [1 - mover.seat]


def test_the_time_that_a_move_was_on_its_way_is_given_back_within_bounds():
    table = Table(clock=clock(base=60_000))
    table.sit("Ana", "Bo")
    mover, other = table.mover, table.waits
    table.later(1_000)
    mover.acts(lag=200)
    assert left(table)[mover.seat] == 59_200
    table.later(1_000)
    other.acts(lag=5_000)  # at most 300 ms
    assert left(table)[other.seat] == 59_300
    for _ in range(24):
        table.later(1_000)
        table.mover.acts(lag=300)
    assert table.core.state.times.lag == [3_000, 3_000]  # at most 3 s in a match
    assert left(table) == [60_000 - 13_000 + 3_000] * 2


def test_lag_gives_nobody_more_than_they_used():
    table = Table(clock=clock(base=60_000))
    table.sit("Ana", "Bo")
    mover = table.mover
    table.later(100)
    mover.acts(lag=300)
    assert left(table)[mover.seat] == 60_000


def test_taking_back_and_pausing_earn_no_increment():
    table = Table(clock=clock(base=60_000, inc=5_000))
    ana, bo = table.sit("Ana", "Bo")
    mover, other = table.mover, table.waits
    mover.acts()
    before = left(table)[other.seat]
    table.later(1_000)
    mover.proposes("takeback")
    assert left(table)[other.seat] == before - 1_000
    assert table.core.state.times.runs == [mover.seat]
    ana.proposes("pause")
    bo.replies("pause")
    bo.proposes("pause")
    assert left(table)[mover.seat] == 65_000


def test_an_allowance_is_for_each_decision_and_a_pause_does_not_renew_it():
    table = Table(clock=clock(decision=10_000))
    ana, bo = table.sit("Ana", "Bo")
    table.later(6_000)
    ana.proposes("pause")
    bo.replies("pause")
    table.later(60_000)
    ana.proposes("pause")
    assert left(table)[table.mover.seat] == 4_000
    table.mover.acts()
    assert left(table)[table.mover.seat] == 10_000


def test_days_are_days():
    table = Table(clock=clock(days=2))
    table.sit("Ana", "Bo")
    table.later(2 * 86_400_000)
    assert table.result is None
    table.later(400)
    assert table.result.reason == "time"


def test_where_several_are_asked_only_whoever_has_no_time_left_is_answered_for():
    table = Table("kittens", users=("ana", "bo", "cy"), clock=clock(base=60_000))
    table.sit("Ana", "Bo", "Cy")
    times = Times([60_000, 100, 60_000], [0, 1, 2], 1_000)
    assert deadline(times) == 1_100
    assert run_out(times, 1_100) == 1
    assert run_out(Times([5_000, 5_000], [0, 1], 0, window=900), 900) == -1


def test_an_expiry_is_written_down_with_whose_it_is():
    table = Table(clock=clock(base=1_000))
    table.sit("Ana", "Bo")
    mover = table.mover
    table.later(1_400)
    entry = msgspec.json.decode(table.inputs[-1])
    assert (entry["expire"], entry.get("seat", 0)) == (True, mover.seat)
    assert table.result.winners == (1 - mover.seat,)


def test_time_runs_out_once_though_the_room_changes_hands_at_that_moment():
    table = Table(clock=clock(base=1_000))
    table.sit("Ana", "Bo")
    table.now += 1_399
    table.moves_house()
    assert table.result is None
    table.later(1)
    assert table.result.reason == "time"
    table.moves_house()
    table.later(10_000)
    assert len(table.inputs) == 2


def test_a_move_that_did_not_know_of_an_outage_is_made_again_with_the_clock_put_right():
    room = Core("ggltcg", ["ana", "bo"], first=0, clock=clock(base=60_000))
    room.comes("ana", "bo")
    room.now += 10_000
    act = wire.Act(i="act", room="room", n=1, do={"type": "end_turn"})
    (first,) = of(Commit, room.core.step(Acted(Who("ana", "ana"), act, "ana"), room.now))
    effects = room.core.step(Committed(Code.UNSERVED, room.core.ver, room.now, "4000"), room.now)
    (second,) = of(Commit, effects)
    assert (first.excused, second.excused, second.n) == (0, 4_000, 1)
    assert not of(Answer, effects)
    told = room.core.step(Committed(Code.OK, room.core.ver + 1, room.now), room.now)
    assert [answer.frame.i for answer in of(Answer, told)] == ["act"]
    assert room.core.state.times.left[0] == 60_000 - 10_000 + 4_000


def test_time_that_had_run_out_during_an_outage_has_not_run_out():
    room = Core("ggltcg", ["ana", "bo"], first=0, clock=clock(base=60_000))
    room.comes("ana", "bo")
    room.now += 60_400
    (late,) = of(Commit, room.core.step(TimeUp(), room.now))
    assert late.not_before == room.now
    effects = room.core.step(Committed(Code.UNSERVED, room.core.ver, room.now, "4000"), room.now)
    assert not of(Commit, effects)
    assert of(Wake, effects)[0].at == room.now + 4_000
    assert not room.match.over


def test_time_that_nobody_served_is_nobodys():
    times = Times([1_000], [0], 5_000, window=6_000, lag=[7])
    later = credit(times, 300)
    assert (later.since, later.window, later.left, later.lag) == (5_300, 6_300, [1_000], [7])
    assert credit(times, 0) is times

"""What players agree on: draws, pauses, moves taken back, another match. And what nobody may do alone."""

from __future__ import annotations

import msgspec
import pytest

from cards import find_game
from engine.replay import verify
from rooms import wire
from rooms.onward import name_of_next
from rooms.replaying import replay_of
from rooms.scripts import Code
from rooms.state import Series
from tests.rooms.tables import Table, clock


def states(person, what: str) -> list[str]:
    return [frame.state for frame in person.heard(wire.Proposal) if frame.what == what]


# draws


def test_a_draw_is_proposed_agreed_on_and_told():
    table = Table()
    ana, bo = table.sit("Ana", "Bo")
    assert ana.proposes("draw") == "ok"
    assert states(bo, "draw") == ["open"]
    assert table.result is None
    assert bo.replies("draw") == "ok"
    assert (table.result.winners, table.result.reason) == ((), "agreed")
    assert states(ana, "draw") == states(bo, "draw") == ["open", "agreed"]
    assert "p:draw" not in table.side


def test_proposing_what_the_other_proposes_is_agreeing():
    table = Table()
    ana, bo = table.sit("Ana", "Bo")
    ana.proposes("draw")
    bo.proposes("draw")
    assert table.result.reason == "agreed"


def test_a_refused_draw_cannot_be_pressed_for():
    table = Table()
    ana, bo = table.sit("Ana", "Bo")
    ana.proposes("draw")
    assert bo.replies("draw", yes=False) == "ok"
    assert states(ana, "draw") == ["open", "refused"]
    assert ana.proposes("draw") == "too_soon"
    table.later(20_000)
    assert ana.proposes("draw") == "ok"


def test_who_proposed_may_withdraw_and_not_agree_with_themselves():
    table = Table()
    ana, bo = table.sit("Ana", "Bo")
    ana.proposes("draw")
    assert ana.replies("draw") == "ok"
    assert table.result is None
    assert ana.replies("draw", yes=False) == "ok"
    assert states(bo, "draw") == ["open", "withdrawn"]
    assert bo.replies("draw") == "no_proposal"


def test_a_draw_lapses_when_the_other_plays_on_but_not_by_ones_own_move():
    table = Table()
    table.sit("Ana", "Bo")
    mover, other = table.mover, table.waits
    mover.proposes("draw")
    mover.acts()
    assert states(other, "draw") == ["open"]
    other.acts()
    assert states(mover, "draw") == ["open", "lapsed"]
    assert other.replies("draw") == "no_proposal"


def test_an_agreement_that_was_lost_on_its_way_is_made_once():
    table = Table()
    ana, bo = table.sit("Ana", "Bo")
    ana.proposes("draw")
    bo.replies("draw")
    assert bo.replies("draw") == "ok"  # the answer did not arrive, so it is said again
    assert len(table.records) == 1


def test_a_proposal_is_still_open_in_another_process():
    table = Table()
    ana, bo = table.sit("Ana", "Bo")
    ana.proposes("draw")
    table.moves_house()
    assert bo.replies("draw") == "ok"
    assert table.result.reason == "agreed"


def test_who_comes_later_is_told_what_is_proposed():
    table = Table()
    ana, bo = table.sit("Ana", "Bo")
    ana.proposes("draw")
    cy = table.person("Cy")
    cy.comes(watch=True)
    assert states(cy, "draw") == ["open"]
    bo.goes()
    bo.comes()
    assert states(bo, "draw") == ["open", "open"]


def test_a_watcher_has_no_say():
    table = Table()
    table.sit("Ana", "Bo")
    cy = table.person("Cy")
    cy.comes(watch=True)
    assert cy.proposes("draw") == "not_seated"
    assert cy.replies("draw") == "not_seated"


def test_whoever_is_not_in_the_room_is_not_heard():
    table = Table()
    table.sit("Ana", "Bo")
    assert table.person("Cy").proposes("draw") == "not_joined"


def test_before_the_deal_there_is_nothing_to_agree_on():
    table = Table(users=("ana", "bo"))
    (ana,) = table.sit("Ana")
    assert ana.proposes("draw") == "not_started"
    assert ana.proposes("rematch") == "not_over"


def test_a_bot_plays_on():
    table = Table(users=("ana",), bots={1: "random"})
    (ana,) = table.sit("Ana")
    assert ana.proposes("draw") == "refused"


def test_where_more_play_all_must_agree():
    table = Table("kittens", users=("ana", "bo", "cy"))
    ana, bo, cy = table.sit("Ana", "Bo", "Cy")
    ana.proposes("draw")
    bo.replies("draw")
    assert table.result is None
    assert cy.heard(wire.Proposal)[-1].agreed == [0, 1]
    cy.replies("draw")
    assert table.result.reason == "agreed"


# taking back


def test_a_move_that_told_nobody_anything_is_taken_back_at_once():
    table = Table()
    table.sit("Ana", "Bo")
    mover = table.mover
    seat = mover.seat
    mover.acts()
    assert table.mover is not mover
    assert mover.proposes("takeback") == "ok"
    assert table.mover is mover
    assert msgspec.json.decode(table.inputs[-1])["takeback"] is True
    assert states(mover, "takeback") == ["agreed"]
    assert table.core.match.memory is None  # nothing is remembered longer than it is needed
    assert seat == mover.seat


def test_what_somebody_has_seen_is_taken_back_by_consent():
    table = Table()
    table.sit("Ana", "Bo")
    mover, other = table.mover, table.waits
    play = next(offer for offer in table.core.match.offers(mover.seat) if offer.type == "play" and not offer.slots)
    mover.acts({"type": "play", "card": play.card})
    assert mover.proposes("takeback") == "ok"
    assert states(other, "takeback") == ["open"]
    ver = table.core.ver
    assert other.replies("takeback") == "ok"
    assert table.core.ver == ver + 1
    assert len(table.core.match.table.zones[f"{mover.seat}.hand"]) == 6


def test_a_takeback_lapses_with_the_next_move():
    table = Table()
    table.sit("Ana", "Bo")
    mover, other = table.mover, table.waits
    play = next(offer for offer in table.core.match.offers(mover.seat) if offer.type == "play" and not offer.slots)
    mover.acts({"type": "play", "card": play.card})
    mover.proposes("takeback")
    mover.acts()
    assert states(other, "takeback") == ["open", "lapsed"]
    assert other.replies("takeback") == "no_proposal"


def test_nothing_to_take_back_is_said():
    table = Table()
    table.sit("Ana", "Bo")
    assert table.mover.proposes("takeback") == "nothing_to_take_back"


def test_a_takeback_works_in_a_process_that_never_saw_the_move():
    table = Table()
    table.sit("Ana", "Bo")
    mover = table.mover
    mover.acts()
    table.moves_house()
    assert mover.proposes("takeback") == "ok"
    assert table.mover is mover


def test_a_takeback_that_the_store_refuses_has_not_been():
    table = Table()
    table.sit("Ana", "Bo")
    mover = table.mover
    mover.acts()
    table.code = Code.SEQ_CONFLICT  # whatever the reason
    assert mover.proposes("takeback") == "conflict"
    assert table.mover is not mover
    assert mover.proposes("takeback") == "ok"
    assert table.mover is mover


def test_the_replay_takes_it_back_too():
    table = Table()
    table.sit("Ana", "Bo")
    mover = table.mover
    mover.acts()
    mover.proposes("takeback")
    mover.wishes(wire.Resign)
    again = verify(find_game("ggltcg"), replay_of(table.state, table.inputs))
    assert again.table.version == len(table.inputs)


# pauses


def test_a_pause_stops_the_clock_and_either_ends_it():
    table = Table(clock=clock(base=60_000))
    ana, bo = table.sit("Ana", "Bo")
    seat = table.mover.seat
    table.later(10_000)
    ana.proposes("pause")
    assert bo.replies("pause") == "ok"
    assert table.core.state.times.paused
    table.later(120_000)
    assert table.result is None
    assert ana.proposes("pause") == "ok"
    assert not table.core.state.times.paused
    assert table.core.state.times.left[seat] == 50_000
    table.later(49_000)
    assert table.result is None
    table.later(2_000)
    assert table.result.reason == "time"


def test_a_move_ends_a_pause_and_costs_no_time():
    table = Table(clock=clock(base=60_000, inc=1_000))
    ana, bo = table.sit("Ana", "Bo")
    ana.proposes("pause")
    bo.replies("pause")
    table.later(300_000)
    mover = table.mover
    mover.acts()
    assert table.core.state.times.left[mover.seat] == 61_000
    assert not table.core.state.times.paused


def test_a_pause_ends_by_itself_some_time():
    table = Table(clock=clock(base=60_000))
    ana, bo = table.sit("Ana", "Bo")
    ana.proposes("pause")
    bo.replies("pause")
    table.later(600_000)
    assert not table.core.state.times.paused
    assert msgspec.json.decode(table.inputs[-1])["remark"] == "resumed"
    table.later(61_000)
    assert table.result.reason == "time"


def test_a_pause_outlives_its_process():
    table = Table(clock=clock(base=60_000))
    ana, bo = table.sit("Ana", "Bo")
    ana.proposes("pause")
    bo.replies("pause")
    table.now += 300_000
    table.moves_house()
    assert table.result is None
    assert ana.proposes("pause") == "ok"
    assert table.core.state.times.left == [60_000, 60_000]


def test_a_match_without_a_clock_can_be_paused_too():
    table = Table()
    ana, bo = table.sit("Ana", "Bo")
    ana.proposes("pause")
    bo.replies("pause")
    assert table.core.state.times.paused
    table.mover.acts()
    assert table.core.state.times is None


# another match


def over(**setup) -> tuple[Table, list]:
    table = Table(**setup)
    people = table.sit(*(user.title() for user in ("ana", "bo", "cy")[: table.setup.seats]))
    people[0].wishes(wire.Resign)
    return table, people


def test_a_rematch_is_another_room_with_the_seats_swapped():
    table, (ana, bo) = over(clock=clock(base=60_000))
    cy = table.person("Cy")
    cy.comes(watch=True)
    table.later(1_000)
    assert ana.proposes("rematch") == "ok"
    assert bo.replies("rematch") == "ok"
    (made,) = table.made
    assert made.room == name_of_next("room")
    users = {name: msgspec.json.decode(data)["user"] for name, data in made.side.items()}
    assert users == {"seat0": "bo", "seat1": "ana"}
    assert made.setup.clock == clock(base=60_000)
    for person in (ana, bo, cy):
        assert [frame.next for frame in person.heard(wire.Next)] == [made.room]
    assert table.side["next"].decode() == made.room


def test_right_after_the_end_a_click_is_not_meant_for_a_rematch():
    table, (ana, bo) = over()
    assert ana.proposes("rematch") == "too_soon"
    table.later(1_000)
    assert ana.proposes("rematch") == "ok"
    assert bo.replies("rematch") == "ok"


def test_who_comes_after_the_rematch_is_told_where_it_is():
    table, (ana, bo) = over()
    table.later(1_000)
    ana.proposes("rematch")
    bo.replies("rematch")
    table.moves_house()
    cy = table.person("Cy")
    cy.comes(watch=True)
    assert cy.heard(wire.Next)
    assert ana.proposes("rematch") == "ok"  # it is there already
    assert len(table.made) == 1


def test_a_rematch_with_a_bot_needs_no_asking():
    table = Table(users=("ana",), bots={1: "random"})
    (ana,) = table.sit("Ana")
    ana.wishes(wire.Resign)
    table.later(1_000)
    assert ana.proposes("rematch") == "ok"
    assert table.made[0].setup.bots == {0: "random"}


def test_a_series_goes_on_by_itself_until_it_is_decided():
    table, (ana, _) = over(series=Series(3, 1, [0, 0]))
    (made,) = table.made
    assert made.setup.series == Series(3, 2, [1, 0])  # Bo has won, and sits on seat 0 now
    assert ana.heard(wire.Next)[0].series == {"of": 3, "game": 2, "wins": [1, 0]}
    table, _ = over(series=Series(3, 2, [0, 1]))
    assert table.made == []  # that was the second win of seat 1
    table, _ = over(series=Series(3, 2, [1, 0]))
    assert table.made[0].setup.series == Series(3, 3, [1, 1])


def test_a_series_goes_on_though_the_process_died_before_it_could():
    table = Table(series=Series(3, 1, [0, 0]))
    ana, bo = table.sit("Ana", "Bo")
    ana.wishes(wire.Resign)
    table.side.pop("next")
    table.made.clear()
    table.moves_house()
    assert len(table.made) == 1
    assert bo.heard(wire.Next)


# giving up


def test_who_gives_up_twice_has_given_up_once():
    table = Table()
    ana, bo = table.sit("Ana", "Bo")
    assert ana.wishes(wire.Resign) == "ok"
    assert ana.wishes(wire.Resign) == "ok"
    assert bo.wishes(wire.Resign) == "over"
    assert (table.result.winners, table.result.reason) == ((bo.seat,), "resigned")
    table.moves_house()
    assert ana.wishes(wire.Resign) == "ok"
    assert len(table.inputs) == 2


@pytest.mark.parametrize("what", ["draw", "takeback", "pause"])
def test_after_the_end_there_is_only_a_rematch(what):
    _, (ana, _) = over()
    assert ana.proposes(what) == "over"

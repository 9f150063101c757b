"""Bots in their seats and in other people's: what they are asked, when they answer, and who knows."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from cards.kittens.facts import living
from engine.frames import Offer
from engine.replay import recount
from rooms import wire
from rooms.bots import Habits
from rooms.happenings import Acted, BotMoved, Commit, Committed, Missed, Think, WakeMissed, Who, Wished
from rooms.replaying import replay_of
from rooms.scripts import Code
from rooms.stand_ins import least_move
from rooms.state import Sitter
from rooms.thinker import Job
from rooms.thinkers import NoThought
from rooms.timing import look_again_at
from tests.engine.games import pen
from tests.rooms.cores import Core, of
from tests.rooms.stage import Stage

GRACE = 60_000


# what bots are asked


def test_a_bot_is_asked_when_it_is_waited_for_and_its_move_is_played():
    room = Core("ggltcg", ["ana", "bot:random"], first=0)
    assert not of(Think, room.comes("ana"))
    (think,) = of(Think, room.acts("ana", {"type": "end_turn"}))
    assert (think.seat, think.bot) == (1, "random")
    effects = room.hear(BotMoved(1, think.errand, {"type": "end_turn"}))
    assert of(Commit, effects)
    assert room.match.waiting() == (0,)


@pytest.mark.parametrize("do", [None, {"type": "nonsense"}, {"type": "play", "card": 99_999}, {"kind": 3}])
def test_a_bot_that_fails_or_wants_what_cannot_be_does_the_least(do: dict[str, Any] | None):
    room = Core("ggltcg", ["ana", "bot:greedy"], first=1)
    (think,) = of(Think, room.comes("ana"))
    room.hear(BotMoved(1, think.errand, do))
    assert room.match.waiting() == (0,)  # it has ended its turn


def test_where_our_own_code_fails_whatever_a_bot_does_the_match_ends_undecided(monkeypatch: pytest.MonkeyPatch):
    room = Core("ggltcg", ["ana", "bot:greedy"], first=1)
    (think,) = of(Think, room.comes("ana"))

    def broken(*_: Any) -> None:
        raise RuntimeError("our own bug")

    monkeypatch.setattr(type(room.game), "perform", broken)
    room.hear(BotMoved(1, think.errand, {"type": "end_turn"}))
    assert room.match.table.result.reason == "fault"


def test_a_bot_is_asked_anew_when_the_table_changed_before_it_could_begin():
    """Its question went out together with a move of somebody else that was waiting: nobody looks at half a table."""
    room = window(["ana", "bo", "bot:random"])
    stage = Stage(room, Habits())
    (think,) = of(Think, room.core.stand_ins.think())
    ask = room.match.question(1)[0].id
    act = wire.Act(i="act", room="room", n=1, do={"type": "pass"}, ask=ask)
    assert of(Commit, room.core.step(Acted(Who("bo", "bo"), act, "bo"), room.now))
    stage.think(think)
    assert not stage.moved
    assert of(Think, room.core.step(Committed(Code.OK, room.core.ver + 1, room.now), room.now)) == [think]
    stage.think(think)
    assert len(stage.moved) == 1


@pytest.mark.parametrize("code", [Code.TOO_EARLY, Code.SEQ_CONFLICT])
def test_a_bot_is_asked_anew_when_what_kept_it_waiting_was_struck_out(code: Code):
    room = window(["ana", "bo", "bot:random"])
    ask = room.match.question(1)[0].id
    act = wire.Act(i="act", room="room", n=1, do={"type": "pass"}, ask=ask)
    room.core.step(Acted(Who("bo", "bo"), act, "bo"), room.now)
    assert of(Think, room.core.step(Committed(code, room.core.ver, room.now), room.now))


def test_an_answer_to_an_old_question_is_not_heard():
    room = Core("ggltcg", ["ana", "bot:greedy"], first=1)
    (think,) = of(Think, room.comes("ana"))
    room.hear(BotMoved(1, think.errand, {"type": "end_turn"}))
    before = room.core.ver
    assert not of(Commit, room.hear(BotMoved(1, think.errand, {"type": "end_turn"})))
    assert room.core.ver == before


def window(seats: list[str]) -> Core:
    """Ana has played something that anybody may cancel."""
    room = Core("kittens", seats, first=0, options={"veto_seconds": 5})
    room.comes(*(name for name in seats if not name.startswith("bot:")))
    with pen(room.match) as journal:
        stir = journal.create("Stir", -1, "0.hand")
    room.match._offers.clear()
    room.acts("ana", {"type": "play", "card": stir})
    return room


def test_what_others_answer_does_not_make_a_bots_answer_old():
    """Three bots who think for a while about one window would otherwise all be late."""
    room = window(["ana", "bot:greedy", "bot:greedy", "bot:greedy"])
    thoughts = {think.seat: think.errand for think in of(Think, room.heard)}
    for seat in (2, 1, 3):
        assert of(Commit, room.hear(BotMoved(seat, thoughts[seat], {"type": "pass"})))
    assert room.match.waiting() == (0,)
    assert room.match.question(0) is None


def test_the_least_is_the_default_of_a_question_or_what_luck_picks_where_it_has_none():
    room = window(["ana", "bot:greedy"])
    assert least_move(room.match, 1, 5) == {"type": "pass"}
    room = Core("kittens", ["ana", "bot:greedy"], first=0, options={"actions": False})
    room.comes("ana")
    with pen(room.match) as journal:
        journal.create("Spark", -1, "pile")
    room.acts("ana", {"type": "draw"})
    places = {least_move(room.match, 0, luck)["at"] for luck in range(200)}
    assert len(places) > 10
    assert min(places) >= 0
    assert max(places) <= len(room.match.table.zones["pile"])


# how long they take


def dealt() -> tuple[Core, Think]:
    room = Core("ggltcg", ["ana", "bot:random"], first=1)
    return room, of(Think, room.comes("ana"))[0]


def test_a_bot_takes_its_time_by_the_clock_of_the_room():
    took = []
    for _ in range(40):
        room, ask = dealt()
        stage = Stage(room, Habits(1.0, 3.0))
        start = stage.turns.now
        stage.think(ask)
        stage.wait(0.9)
        assert not stage.moved
        stage.wait(3.0)
        ((when, event),) = stage.moved
        assert event.errand == ask.errand
        took.append(when - start)
    assert min(took) >= 1.0
    assert max(took) <= 3.01
    assert max(took) - min(took) > 0.5


def test_without_a_pace_it_moves_at_once():
    room, ask = dealt()
    stage = Stage(room, Habits())
    stage.think(ask)
    assert len(stage.moved) == 1


@pytest.mark.parametrize("pace", [1.0, 3.0, 0.0])
def test_a_thought_is_ready_before_its_moment_or_the_moment_would_tell_that_there_was_a_choice(pace: float):
    room = Core("kittens", ["ana", "bot:mcts:100000"], first=1)
    (ask,) = of(Think, room.comes("ana"))
    stage = Stage(room, Habits(pace, pace, think=2.0))
    given: list[float] = []

    async def listen(question: bytes, seconds: float) -> dict[str, Any]:
        given.append(msgspec.msgpack.decode(question, type=Job).seconds)
        return {"type": "draw"}

    stage.bots.thinkers.think = listen
    stage.think(ask)
    assert given == [min(0.75 * pace, 2.0) or 2.0]  # without a pace nothing is waited for


def test_being_asked_again_does_not_start_the_pause_anew_but_another_question_does():
    room, ask = dealt()
    stage = Stage(room, Habits(2.0, 2.0))
    stage.think(ask)
    stage.wait(1.5)
    stage.think(ask)
    stage.wait(0.6)
    assert len(stage.moved) == 1
    stage.think(Think(1, "random", ask.errand - 1))
    stage.wait(1.0)
    stage.think(Think(1, "random", ask.errand - 2))
    stage.wait(1.5)
    assert len(stage.moved) == 1
    stage.wait(0.6)
    assert [event.errand for _, event in stage.moved] == [ask.errand, ask.errand - 2]


def test_a_room_that_was_lost_hears_no_bots():
    room, ask = dealt()
    stage = Stage(room, Habits(2.0, 2.0))
    stage.think(ask)
    stage.loop.call_soon(stage.bots.forget, "room", 2)
    stage.wait(5)
    assert not stage.moved


@pytest.mark.parametrize("pace", [0.0, 1.5])
def test_a_bot_whose_thought_is_lost_moves_all_the_same_at_its_moment_and_that_is_logged(pace: float):
    room = Core("ggltcg", ["ana", "bot:greedy"], first=1)
    (ask,) = of(Think, room.comes("ana"))
    stage = Stage(room, Habits(pace, pace))

    async def no_thought(question: bytes, seconds: float) -> dict[str, Any]:
        raise NoThought("overran")

    stage.bots.thinkers.think = no_thought
    start = stage.turns.now
    with capture_logs() as logged:
        stage.think(ask)
        stage.wait(2)
    ((when, event),) = stage.moved
    assert event.do is None
    assert when - start >= pace
    assert stage.bots.host.counts == {"thought.overran": 1}
    why = {"seat": 1, "bot": "greedy", "why": "overran", "event": "bot_failed", "log_level": "warning"}
    assert logged == [{"room": "room", **why}]
    room.hear(event)
    assert room.match.waiting() == (0,)  # it has done the least: its turn is over


def test_a_thinker_is_told_what_its_seat_sees_and_nothing_else():
    room = Core("kittens", ["ana", "bot:greedy"], first=1)
    (ask,) = of(Think, room.comes("ana"))
    stage = Stage(room, Habits())
    questions: list[bytes] = []

    async def listen(question: bytes, seconds: float) -> dict[str, Any]:
        questions.append(question)
        return {"type": "draw"}

    stage.bots.thinkers.think = listen
    stage.think(ask)
    (question,) = questions
    said = msgspec.json.encode(msgspec.msgpack.decode(question)).decode()
    table = room.match.table
    hidden = [id for zone in ("0.hand", "pile") for id in table.zones[zone]]
    shown = set(map(int, room.core.teller.gallery.lenses["1"].whole()["cards"]))
    assert shown == set(table.zones["1.hand"])
    assert not any(f'"{id}"' in said or f",{id}," in said or f"[{id}," in said for id in hidden)
    assert table.seed.hex() not in said


# whoever leaves


def kittens(leavers: str, **more: Any) -> Core:
    room = Core("kittens", ["ana", "bo", "cy"], first=0, leavers=leavers, grace=GRACE, **more)
    room.comes("ana", "bo", "cy")
    return room


def later(room: Core, ms: int) -> list[Any]:
    room.now += ms
    return room.hear(Missed())


def test_a_room_that_waits_never_looks_who_is_away():
    room = kittens("wait")
    assert not of(WakeMissed, room.goes("bo"))
    later(room, 10 * GRACE)
    assert living(room.match.table) == [0, 1, 2]
    assert not room.saved


def test_after_the_grace_a_bot_plays_for_whoever_left_and_everybody_is_told():
    room = kittens("bot:greedy")
    (wake,) = of(WakeMissed, room.goes("bo"))
    assert wake.at == room.now + GRACE
    later(room, GRACE - 1)
    assert not room.saved
    later(room, 1)
    assert msgspec.json.decode(room.saved["seat1"], type=Sitter) == Sitter("bo", "bo", stand_in="greedy")
    told = {"online": False, "since": 1_000_000, "bot": "greedy", "id": "bo", "name": "bo"}
    assert room.presence()["1"] == told
    assert living(room.match.table) == [0, 1, 2]


def test_the_stand_in_is_asked_and_plays():
    room = kittens("bot:greedy")
    room.goes("ana")
    (think,) = of(Think, later(room, GRACE))
    assert (think.seat, think.bot) == (0, "greedy")
    assert of(Commit, room.hear(BotMoved(0, think.errand, {"type": "draw"})))


def test_whoever_comes_back_in_time_is_not_replaced():
    room = kittens("bot:greedy")
    room.goes("bo")
    room.now += GRACE // 2
    room.comes("bo")
    later(room, GRACE)
    assert not room.saved


def test_whoever_comes_back_later_plays_again_and_the_bots_thought_counts_no_more():
    room = kittens("bot:greedy")
    room.goes("ana")
    (think,) = of(Think, later(room, GRACE))
    room.comes("ana")
    assert "bot" not in room.presence()["0"]
    assert msgspec.json.decode(room.saved["seat0"], type=Sitter) == Sitter("ana", "ana")
    assert not of(Commit, room.hear(BotMoved(0, think.errand, {"type": "draw"})))
    assert of(Commit, room.acts("ana", {"type": "draw"}))


def test_or_whoever_leaves_is_out_once():
    room = kittens("out")
    room.goes("ana")
    later(room, GRACE)
    assert living(room.match.table) == [1, 2]
    assert room.match.waiting() == (1,)
    before = room.core.ver
    later(room, 10 * GRACE)
    assert room.core.ver == before


def test_two_who_left_are_let_go_one_after_the_other():
    room = kittens("out")
    room.goes("ana")
    room.now += 1000
    (wake,) = of(WakeMissed, room.goes("bo"))
    assert wake.at == 1_000_000 + GRACE
    room.now += GRACE
    (wake,) = of(WakeMissed, room.hear(Missed()))
    assert wake.at <= room.now
    room.hear(Missed())
    assert room.match.over
    assert room.match.table.result.winners == (2,)


def test_a_new_owner_gives_everybody_the_grace_again():
    room = kittens("bot:greedy")
    again = Core("kittens", ["ana", "bo", "cy"], room.core.state)
    again.now += 5000
    effects = again.core.wake_up(again.now)
    assert [wake.at for wake in of(WakeMissed, effects)] == [again.now + GRACE]
    again.comes("bo", "cy")
    later(again, GRACE)
    assert list(again.saved) == ["seat0"]


def test_a_sleeping_room_is_woken_for_whoever_is_away():
    room = kittens("bot:greedy", options={"veto_seconds": 0})
    assert look_again_at(room.core) == room.core.touched + room.core.manners.abandoned
    room.goes("cy")
    assert look_again_at(room.core) == room.now + GRACE


def test_offers_that_end_a_turn_come_last():
    """What a bot does that knows nothing better."""
    for game, last in (("ggltcg", "end_turn"), ("kittens", "draw")):
        room = Core(game, ["ana", "bo"], first=0)
        room.comes("ana", "bo")
        assert room.match.offers(0)[-1] == Offer(last)


async def test_the_record_of_a_seat_is_found_again_in_the_log() -> None:
    """Whoever takes a room over asks the log what its bots were told."""
    room = Core("ggltcg", ["ana", "bot:random"], first=0)
    room.comes("ana")
    for _ in range(12):
        if room.match.over:
            break
        if room.match.waiting() == (0,):
            room.acts("ana")
        else:
            (think,) = of(Think, room.core.stand_ins.think())
            room.hear(BotMoved(1, think.errand, None))
    inputs = [effect.input for effect in of(Commit, room.heard)]
    replay = replay_of(room.core.state, inputs)
    assert await asyncio.to_thread(recount, room.game, replay, 1) == room.core.records[1]
    assert len(room.core.records[1]) > 10


# pauses


def paused(room: Core, name: str) -> list[Any]:
    """Somebody wants a pause, or its end; bots agree."""
    return room.hear(Wished(Who(name, name), wire.Propose(i="pause", room="room", what="pause"), name))


def test_a_bot_does_not_end_a_pause_by_moving():
    room = Core("ggltcg", ["ana", "bot:random"], first=1)
    (think,) = of(Think, room.comes("ana"))
    effects = paused(room, "ana")
    assert of(Commit, effects)
    assert not of(Think, effects)
    assert not of(Commit, room.hear(BotMoved(1, think.errand, {"type": "end_turn"})))
    (again,) = of(Think, paused(room, "ana"))
    assert of(Commit, room.hear(BotMoved(1, again.errand, {"type": "end_turn"})))


def test_a_pause_is_nobodys_absence():
    room = Core("ggltcg", ["ana", "bot:random"], first=0, leavers="bot:random", grace=GRACE)
    room.comes("ana")
    paused(room, "ana")
    room.goes("ana")
    assert not of(WakeMissed, later(room, 5 * GRACE))[0].at
    assert not room.saved.get("seat0")


def test_whoever_gave_up_is_not_missed():
    room = kittens("out")
    room.hear(Wished(Who("bo", "bo"), wire.Resign(i="bye", room="room"), "bo"))
    room.goes("bo")
    before = room.core.ver
    later(room, 5 * GRACE)
    assert room.core.ver == before

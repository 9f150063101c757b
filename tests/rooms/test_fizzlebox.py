"""Fizzlebox in a room: windows and their deadlines, late answers, and players who go in the middle of it."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from cards.kittens.facts import living
from engine.offers import at_random
from rooms import wire
from rooms.bots import Habits
from rooms.happenings import Answer, BotMoved, Came, Commit, Missed, Tell, Think, TimeUp, Wake, Who, Wished
from rooms.thinker import Job
from rooms.thinker import think as think_over
from tests.engine.games import pen
from tests.rooms.cores import Core, of
from tests.rooms.stage import Stage

SEATS = ["ana", "bo", "cy"]
GRACE = 30_000


def dealt(hands: dict[int, list[str]], seats: list[str] = SEATS, top: str = "", **setup: Any) -> Core:
    """A room in which Ana begins and some hold these cards beside what was dealt."""
    room = Core("kittens", seats, first=0, **setup)
    room.comes(*(name for name in seats if not name.startswith("bot:")))
    with pen(room.match) as journal:
        for seat, names in hands.items():
            for name in names:
                journal.create(name, -1, f"{seat}.hand")
        if top:
            journal.create(top, -1, "pile")
    room.match._offers.clear()
    return room


def card(room: Core, seat: int, face: str) -> int:
    return next(card.id for card in room.match.table.lying(f"{seat}.hand") if card.face == face)


def count(room: Core, seat: int, face: str) -> int:
    return sum(card.face == face for card in room.match.table.lying(f"{seat}.hand"))


def play(room: Core, name: str, face: str) -> list[Any]:
    return room.acts(name, {"type": "play", "card": card(room, SEATS.index(name), face)})


def veto(room: Core, name: str, ask: int | None) -> str:
    """Try to cancel; what the answer was."""
    do = {"type": "veto", "veto": [card(room, SEATS.index(name), "Veto")]}
    (answer,) = of(Answer, room.acts(name, do, ask))
    return getattr(answer.frame, "code", "ok")


def window(room: Core) -> int:
    asked = next((room.match.question(seat) for seat in room.match.waiting()), None)
    return asked[0].id if asked else 0


def test_of_two_vetoes_at_once_the_first_counts_and_the_second_keeps_its_card():
    room = dealt({0: ["Stir"], 1: ["Veto"], 2: ["Veto"]})
    before = count(room, 2, "Veto")
    play(room, "ana", "Stir")
    shown = window(room)
    assert veto(room, "bo", shown) == "ok"
    assert veto(room, "cy", shown) == "stale_ask"
    assert count(room, 2, "Veto") == before
    assert window(room) > shown
    assert room.match.waiting() == (0, 2)


def test_a_veto_that_does_not_say_which_window_it_is_for_is_not_taken_for_the_next_one():
    """Cy means what Ana played. Without a number it would cancel Bo's cancelling."""
    room = dealt({0: ["Stir"], 1: ["Veto"], 2: ["Veto"]})
    before = count(room, 2, "Veto")
    play(room, "ana", "Stir")
    veto(room, "bo", window(room))
    assert veto(room, "cy", None) == "stale_ask"
    assert count(room, 2, "Veto") == before
    (answer,) = of(Answer, room.acts("cy", {"type": "pass"}))
    assert answer.frame.code == "stale_ask"


def test_a_veto_after_the_window_has_closed_keeps_its_card():
    room = dealt({0: ["Stir"], 1: ["Veto"]})
    play(room, "ana", "Stir")
    shown = window(room)
    room.now += 5000
    room.hear(TimeUp())
    assert window(room) == 0
    before = count(room, 1, "Veto")
    assert veto(room, "bo", shown) == "stale_ask"
    assert count(room, 1, "Veto") == before


@pytest.mark.parametrize("holds", [[], ["Veto"]])
def test_the_deadline_is_the_same_whoever_holds_a_veto(holds: list[str]):
    room = dealt({0: ["Stir"], 1: holds}, options={"veto_seconds": 4})
    for seat in (1, 2):
        with pen(room.match) as journal:
            for id in room.match.table.zones[f"{seat}.hand"]:
                if room.match.table[id].face == "Veto" and not (holds and seat == 1):
                    journal.move(id, "out")
    room.match._offers.clear()
    effects = play(room, "ana", "Stir")
    assert [wake.at for wake in of(Wake, effects)] == [room.now + 4000]
    (commit,) = of(Commit, effects)
    assert commit.deadline == room.now + 4000


def test_up_to_the_deadline_of_the_server_a_veto_counts_and_no_moment_longer():
    room = dealt({0: ["Stir"], 1: ["Veto"]}, options={"veto_seconds": 5})
    play(room, "ana", "Stir")
    shown = window(room)
    room.now += 4999
    room.hear(TimeUp())
    assert window(room) == shown  # not yet
    assert veto(room, "bo", shown) == "ok"
    room.now += 4999
    room.hear(TimeUp())
    assert window(room) > shown  # the new window has its full time
    room.now += 1
    effects = room.hear(TimeUp())
    assert window(room) == 0
    (commit,) = of(Commit, effects)
    assert b'"expire":true' in commit.input  # the closing stands in the log


def test_an_answer_of_somebody_else_gives_nobody_more_time():
    room = dealt({0: ["Stir"]}, options={"veto_seconds": 5})
    play(room, "ana", "Stir")
    due = room.now + 5000
    room.now += 3000
    effects = room.acts("bo", {"type": "pass"}, window(room))
    assert [wake.at for wake in of(Wake, effects)] == [due]


def test_whoever_comes_back_while_hiding_a_spark_is_asked_the_same_again():
    room = dealt({}, top="Spark", options={"place_seconds": 20})
    room.acts("ana", {"type": "draw"})
    shown, due = window(room), room.now + 20_000
    room.goes("ana")
    room.now += 7000
    effects = room.comes("ana")
    snap = next(a.frame for a in of(Answer, effects) if isinstance(a.frame, wire.Snap))
    assert snap.ask["id"] == shown
    assert snap.clock["until"] == due
    assert [offer["type"] for offer in snap.offers] == ["place"]
    assert of(Commit, room.acts("ana", {"type": "place", "at": 1}, shown))


def test_whoever_does_not_come_back_leaves_the_spark_to_luck_and_the_gift_too():
    room = dealt({}, top="Spark", options={"place_seconds": 20})
    room.acts("ana", {"type": "draw"})
    room.goes("ana")
    room.now += 20_000
    room.hear(TimeUp())
    assert room.match.waiting() == (1,)
    assert sum(card.face == "Spark" for card in room.match.table.lying("pile")) == 3  # of them, one was laid on top
    room = dealt({0: ["Tithe"]}, options={"give_seconds": 15, "veto_seconds": 5})
    room.acts("ana", {"type": "play", "card": card(room, 0, "Tithe"), "foe": [1]})
    for name in ("bo", "cy"):
        room.acts(name, {"type": "pass"}, window(room))
    sizes = [len(room.match.table.zones[f"{seat}.hand"]) for seat in (0, 1)]
    room.goes("bo")
    room.now += 15_000
    room.hear(TimeUp())
    assert [len(room.match.table.zones[f"{seat}.hand"]) for seat in (0, 1)] == [sizes[0] + 1, sizes[1] - 1]
    assert room.match.waiting() == (0,)


def test_chat_and_giving_up_are_possible_while_a_window_is_open():
    room = dealt({0: ["Stir"]})
    play(room, "ana", "Stir")
    said = room.hear(Wished(Who("cy", "cy"), wire.Say(i="say", room="room", text="hm"), "cy"))
    assert of(Answer, said)[0].frame.i == "say"
    room.hear(Wished(Who("cy", "cy"), wire.Resign(i="bye", room="room"), "cy"))
    assert living(room.match.table) == [0, 1]
    assert room.match.waiting() == (1,)


@pytest.mark.parametrize(("leavers", "end"), [("bot:random", {0, 1, 2}), ("out", {1, 2})])
def test_a_room_whose_player_left_in_the_middle_plays_on_to_the_end(leavers: str, end: set[int]):
    room = dealt({}, ["ana", "bot:random", "bot:random"], leavers=leavers, grace=GRACE)
    room.goes("ana")
    room.now += GRACE
    waiting = of(Think, room.hear(Missed()))
    assert set(living(room.match.table)) == end
    for _ in range(400):
        if room.match.over:
            break
        assert waiting, "the room hangs"
        think = waiting.pop(0)
        waiting = of(Think, room.hear(BotMoved(think.seat, think.errand, None, luck=room.core.ver))) or waiting
    assert room.match.over


def test_whoever_is_out_may_still_come_and_look():
    room = dealt({}, leavers="out", grace=GRACE)
    room.goes("ana")
    room.now += GRACE
    room.hear(Missed())
    effects = room.hear(Came(Who("ana", "ana"), wire.Join(i="join", room="room"), "ana"))
    snap = next(a.frame for a in of(Answer, effects) if isinstance(a.frame, wire.Snap))
    assert snap.view["seats"]["0"] == {"name": "ana", "alive": False, "place": 3}
    assert snap.offers == []


# bots at the table


@pytest.mark.parametrize("who", [["ana", "bot:greedy", "bot:random", "bot:mcts:3"], ["bot:greedy", "bot:random"] * 2])
def test_one_person_and_three_bots_and_four_bots_play_to_the_end_at_the_pace_of_the_rooms_clock(who: list[str]):
    room = Core("kittens", who, first=0)
    stage, luck = Stage(room, Habits(1.0, 3.0)), Random(1)

    async def thought(question: bytes, seconds: float) -> dict[str, Any]:
        return think_over(msgspec.msgpack.decode(question, type=Job)).do or {}

    stage.bots.thinkers.think = thought
    took, asked, start = [], {}, stage.turns.now
    seat = "seat" if "ana" in who else "watch"
    effects = room.hear(Came(Who("ana", "ana"), wire.Join(i="join", room="room", as_=seat), "ana"))
    while not room.match.over:
        for ask in of(Think, effects):
            asked.setdefault((ask.seat, ask.errand), stage.turns.now)
            stage.think(ask)
        room.now = 1_000_000 + round(1000 * (stage.turns.now - start))
        if seat == "seat" and 0 in room.match.waiting():
            effects = room.acts("ana", at_random(room.match.offers(0), luck.randrange), window(room) or None)
            continue
        while not stage.moved:
            stage.turns.step()
        when, moved = stage.moved.pop(0)
        if (moved.seat, moved.errand) in asked:
            took.append(when - asked[moved.seat, moved.errand])
        effects = room.hear(moved)
    assert len(took) > 30
    assert min(took) >= 1.0
    assert max(took) <= 3.01
    assert sorted(seat for rank in room.match.table.result.ranking for seat in rank) == [0, 1, 2, 3]


def test_bots_of_a_kind_are_told_apart_by_their_names():
    room = Core("kittens", ["ana", "bot:greedy", "bot:mcts:5", "bot:greedy"], first=0)
    room.comes("ana")
    assert room.match.table.names == ["ana", "Greedy 1", "Mcts", "Greedy 2"]


def test_wherever_a_spark_is_hidden_the_others_are_sent_the_same_bytes():
    sent = set()
    for at in range(5):
        room = dealt({}, top="Spark")
        room.acts("ana", {"type": "draw"})
        effects = room.acts("ana", {"type": "place", "at": at}, window(room))
        (told,) = of(Tell, effects)
        sent.add(tuple(told.told[view].json for view in ("1", "2")))
    assert len(sent) == 1

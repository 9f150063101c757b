"""Clocks that nobody can turn: time runs out once, not early, and not while nobody serves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from tests.live.people import again, make_room, mover, reached, seated
from tests.live.serving import Live, milliseconds


async def test_time_runs_out_once_and_not_early(serve: Callable[..., Live]) -> None:
    live = serve()
    tables = [await seated(live, clock={"decision": 700}) for _ in range(4)]
    for room, ana, bo in tables:
        assert ana.boards[room].clock["left"][str(ana.boards[room].view["turn"]["seat"])] == 700
        began = ana.boards[room].clock["at"]
        loser = ana.boards[room].view["turn"]["seat"]
        for person in (ana, bo):
            await person.until(lambda person=person, room=room: person.boards[room].over)
            assert person.boards[room].view["result"]["reason"] == "time"
            assert person.boards[room].view["result"]["winners"] == [1 - loser]
        inputs = live.truth(room).inputs
        assert [entry.get("expire") for entry in inputs] == [True]
        assert 700 <= inputs[0]["at"] - began < 4000


async def test_whoever_moves_in_time_goes_on(serve: Callable[..., Live]) -> None:
    live = serve()
    room, ana, bo = await seated(live, clock={"decision": 700})
    for _ in range(4):
        await asyncio.sleep(0.4)
        person = mover(room, ana, bo)
        answer = await person.act(room, {"type": "end_turn"})
        assert answer["t"] == "ok"
        await reached(room, answer["v"], ana, bo)
    assert not ana.boards[room].over


async def test_a_budget_is_used_up_and_an_increment_is_given(serve: Callable[..., Live]) -> None:
    live = serve()
    room, ana, bo = await seated(live, clock={"base": 2000, "inc": 300})
    person, other = (ana, bo) if ana.boards[room].offers else (bo, ana)
    seat = str(person.boards[room].seat)
    await asyncio.sleep(0.5)
    await person.act(room, {"type": "end_turn"})
    left = person.boards[room].clock["left"][seat]
    assert 300 <= left <= 1900
    assert person.boards[room].clock["runs"] == [other.boards[room].seat]
    await other.until(lambda: other.boards[room].over)
    assert other.boards[room].view["result"]["winners"] == [person.boards[room].seat]


async def test_a_clock_stops_while_nobody_serves(serve: Callable[..., Live]) -> None:
    live = serve(renew_ms=100)
    tables = [await seated(live, clock={"decision": 1500}) for _ in range(3)]
    gone = (await make_room(tables[0][1], clock={"decision": 1500}, seats=["me", "bot:random"]))["room"]
    await tables[0][1].join(gone)
    began = max(person.boards[room].clock["at"] for room, person, _ in tables)
    await asyncio.sleep(max(0.0, (began + 1200 - milliseconds()) / 1000))
    live.kill()
    await asyncio.sleep(1.0)  # the deadline passes while nobody is there
    await live.start_again()
    ready = milliseconds()
    back = []
    for room, ana, _ in tables[:2]:  # nobody comes back to the third: its time must run out all the same
        person = await again(ana)
        await person.join(room)
        back.append((room, person))
    for room, person in back:
        await person.until(lambda person=person, room=room: person.boards[room].over)
        assert person.boards[room].view["result"]["reason"] == "time"
    await _over(live, tables[2][0])
    for room, _, _ in tables:
        inputs = live.truth(room).inputs
        assert [entry.get("expire") for entry in inputs] == [True], "time ran out once"
        assert inputs[0]["at"] - ready > 250, "time went on while nobody served"
        assert inputs[0]["at"] - ready < 8000


async def test_a_move_after_the_restart_is_still_in_time(serve: Callable[..., Live]) -> None:
    live = serve(renew_ms=100)
    room, ana, bo = await seated(live, clock={"decision": 2500})
    person = mover(room, ana, bo)
    await asyncio.sleep(1.0)
    live.kill()
    await asyncio.sleep(2.0)
    await live.start_again()
    window = await again(person)
    await window.join(room)
    assert (await window.act(room, {"type": "end_turn"}))["t"] == "ok"
    assert not window.boards[room].over


async def _over(live: Live, room: str) -> None:
    end = time.monotonic() + 10
    while (await live.call("GET", f"/api/rooms/{room}")).json["status"] != "over":
        assert time.monotonic() < end, "time never ran out where nobody was connected"
        await asyncio.sleep(0.05)

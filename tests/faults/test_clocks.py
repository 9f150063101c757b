"""Clocks when something of ours breaks: time that nobody could use is nobody's time, and time runs out once."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.stack import stacked
from tests.live.people import again, mover, reached, seated
from tests.live.serving import Live, milliseconds

LATE = 400  # ms of grace
OFF = 450  # ms by which our own accounting may be off: the last sign of life is as old as a renewal


async def _over(live: Live, room: str, seconds: float = 15) -> None:
    end = time.monotonic() + seconds
    while (await live.call("GET", f"/api/rooms/{room}")).json["status"] != "over":
        assert time.monotonic() < end, "time never ran out"
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGTERM])
async def test_time_runs_out_once_and_not_while_the_service_is_down(serve: Callable[..., Live], stop: int) -> None:
    """Half of the tables have nobody connected any more."""
    live = serve(renew_ms=100)
    tables = [await seated(live, clock={"decision": 1500}) for _ in range(6)]
    began = {room: ana.boards[room].clock["at"] for room, ana, _ in tables}
    for _, ana, bo in tables[3:]:
        await ana.leave()
        await bo.leave()
    await asyncio.sleep(max(0.0, (max(began.values()) + 800 - milliseconds()) / 1000))
    down = milliseconds()
    assert live.process is not None
    live.process.send_signal(stop)
    await asyncio.to_thread(live.process.wait, 10)
    await asyncio.sleep(1.5)  # every deadline passes while nobody serves
    await live.start_again()
    outage = milliseconds() - down
    assert outage > 1500
    back = [await again(ana) for _, ana, _ in tables[:3]]
    for person, (room, _, _) in zip(back, tables[:3], strict=True):
        await person.join(room)
    for room, _, _ in tables:
        await _over(live, room)
        inputs = live.truth(room).inputs
        assert [entry.get("expire") for entry in inputs] == [True], "time ran out once"
        used = inputs[0]["at"] - began[room] - outage
        assert used >= 1500 + LATE - OFF, f"time ran out after {used} ms of 1500, not counting {outage} ms of ours"
        assert used < 8000


async def test_two_outages_are_both_made_up_for(serve: Callable[..., Live]) -> None:
    live = serve(renew_ms=100)
    room, ana, bo = await seated(live, clock={"decision": 3000})
    began, lost = ana.boards[room].clock["at"], 0
    for _ in range(2):
        await asyncio.sleep(0.4)
        down = milliseconds()
        live.kill()
        await asyncio.sleep(1.3)
        await live.start_again()
        back = await again(mover(room, ana, bo))
        await back.join(room)
        lost += milliseconds() - down
    await _over(live, room)
    inputs = live.truth(room).inputs
    assert [entry.get("expire") for entry in inputs] == [True]
    used = inputs[0]["at"] - began - lost
    assert used >= 3000 + LATE - 2 * OFF, f"time ran out after {used} ms of 3000, not counting {lost} ms of ours"


async def test_nobody_loses_on_time_while_the_store_is_out_of_reach(tmp_path: Path) -> None:
    """The turn passed while the store was away: whoever is to move could not know."""
    async with stacked(tmp_path) as live:
        room, ana, bo = await seated(live, clock={"decision": 1500})
        player = mover(room, ana, bo)
        other = bo if player is ana else ana
        live.wire.freeze()
        sent = await player.say("act", room=room, n=1, do={"type": "end_turn"})
        await asyncio.sleep(3)
        live.wire.thaw()
        assert (await player.answer(sent))["t"] == "ok"
        await reached(room, 2, ana, bo)
        await asyncio.sleep(0.3)
        assert not other.boards[room].over, "flagged by our own outage, before they could see that it was their turn"
        assert (await other.act(room, {"type": "end_turn"}))["t"] == "ok"

"""Watching: everybody sees the same, at the same time or as much later as was agreed."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from tests.live.people import Person, again, any_move, come, mover, plain, play_out, reached, seated
from tests.live.serving import Live


async def test_fifty_watchers_get_the_same_bytes(live: Live) -> None:
    room, ana, bo = await seated(live)
    session = await live.session("Cy")
    watchers = [await come(live, session=session if n < 3 else None, msgpack=n % 5 == 0) for n in range(50)]
    for watcher in watchers:
        await watcher.join(room, as_="watch")
    await ana.until(lambda: ana.boards[room].presence["watchers"] == 50)
    await play_out(room, ana, bo, seed=7)
    for watcher in watchers:
        await watcher.until(lambda watcher=watcher: watcher.boards[room].over)
    for binary in (False, True):
        streams = {tuple(_told(watcher)) for watcher in watchers if watcher.msgpack == binary}
        assert len(streams) == 1
    for watcher in watchers[:20]:
        await watcher.leave()
    await bo.until(lambda: bo.boards[room].presence["watchers"] == 30)
    assert watchers[-1].boards[room].snaps == 1


def _told(watcher: Person) -> list[str | bytes]:
    return [heard.raw for heard in watcher.heard if tells(heard.frame)]


def tells(frame: dict[str, Any]) -> bool:
    """Whether a frame is about the table."""
    return frame["t"] in ("snap", "delta")


async def test_watchers_come_and_go_in_the_middle(live: Live) -> None:
    room, ana, bo = await seated(live)
    luck = Random(3)
    watchers: list[Person] = []
    while not ana.boards[room].over:
        watchers.append(await come(live))
        await watchers[-1].join(room, as_="watch")
        person = mover(room, ana, bo)
        answer = await person.act(room, any_move(person.boards[room], luck))
        await reached(room, answer["v"], ana, bo, *watchers)
    assert len({plain(watcher.boards[room].view) for watcher in watchers}) == 1


async def test_a_room_that_nobody_may_watch(live: Live) -> None:
    room, ana, _ = await seated(live, watch={"who": "nobody"})
    cy = await come(live, "Cy")
    err = await cy.ask("join", room=room, as_="watch")
    assert (err["t"], err["code"], err["retry"]) == ("err", "no_watching", False)
    await ana.ask("say", room=room, text="psst")
    await mover(room, ana, ana).act(room, {"type": "end_turn"}) if ana.boards[room].offers else None
    await cy.ask("ping", c=1)
    assert not [frame for frame in cy.frames if frame.get("room") == room], "somebody who may not watch hears"


async def test_a_room_that_is_watched_by_code(live: Live) -> None:
    ana, bo, cy = [await come(live, name) for name in ("Ana", "Bo", "Cy")]
    made = (await live.call("POST", "/api/rooms", {"game": "ggltcg", "watch": {"who": "code"}}, ana.token)).json
    await ana.join(made["room"])
    assert (await cy.ask("join", room=made["room"], as_="watch"))["code"] == "no_watching"
    assert (await cy.ask("join", code=made["code"], as_="watch"))["t"] == "ok"
    await bo.join(made["room"])
    await cy.until(lambda: cy.boards[made["room"]].v == 1)
    window = await again(cy)  # whoever was let in by code may come back to the room
    err = await window.ask("join", room=made["room"], as_="watch")
    assert err["t"] in ("ok", "err")


async def test_a_private_room_is_watched_by_code_only(live: Live) -> None:
    room, _, _ = await seated(live, private=True)
    cy = await come(live, "Cy")
    assert (await cy.ask("join", room=room, as_="watch"))["code"] == "no_watching"


async def test_who_watches_raises_no_version(live: Live) -> None:
    room, ana, _ = await seated(live)
    for _ in range(3):
        cy = await come(live)
        await cy.join(room, as_="watch")
        await cy.leave()
    await ana.until(lambda: ana.boards[room].presence["watchers"] == 0)
    assert ana.boards[room].v == 1


# later than the players


async def test_a_delay_by_moves_keeps_watchers_behind(live: Live) -> None:
    room, ana, bo = await seated(live, watch={"delay": {"moves": 3}})
    cy = await come(live, "Cy")
    await cy.join(room, as_="watch")
    luck = Random(11)
    seen: dict[int, bytes] = {}
    while not ana.boards[room].over:
        person = mover(room, ana, bo)
        answer = await person.act(room, any_move(person.boards[room], luck))
        await reached(room, answer["v"], ana, bo)
        if ana.boards[room].over:
            break
        behind = max(0, answer["v"] - 3)
        await cy.until(lambda behind=behind: cy.boards[room].v >= behind, 3)
        await cy.ask("ping", c=1)
        assert cy.boards[room].v <= behind, "a watcher is ahead of what was agreed"
        newcomer = await come(live)
        ok = await newcomer.ask("join", room=room, as_="watch")
        await reached(room, 0, newcomer)
        assert ok["v"] <= behind, "the answer tells how far the match really is"
        assert newcomer.boards[room].v <= behind, "a newcomer is shown what watchers may not see yet"
        assert plain(newcomer.boards[room].view) == plain(cy.boards[room].view)
        seen[newcomer.boards[room].v] = plain(newcomer.boards[room].view)
        await newcomer.leave()
    await cy.until(lambda: cy.boards[room].over)  # in the end everybody knows
    assert cy.boards[room].v == ana.boards[room].v
    for v, view in seen.items():
        assert cy.boards[room].past[v].view == view


async def test_a_delay_by_time_keeps_watchers_behind(live: Live) -> None:
    room, ana, bo = await seated(live, watch={"delay": {"ms": 600}})
    cy, di = await come(live, "Cy"), await come(live, "Di", msgpack=True)
    await cy.join(room, as_="watch")
    await di.join(room, as_="watch")
    for _ in range(3):
        person = mover(room, ana, bo)
        answer = await person.act(room, {"type": "end_turn"})
        await reached(room, answer["v"], ana, bo)
    newcomer = await come(live)
    ok = await newcomer.ask("join", room=room, as_="watch")
    assert ok["v"] < 4
    for watcher in (cy, di, newcomer):
        await watcher.until(lambda watcher=watcher: watcher.boards[room].v == 4, 5)
        for raw, frame, at in watcher.heard:
            if tells(frame) and frame["v"] >= 1:
                told = next(h.at for h in ana.heard if tells(h.frame) and h.frame["v"] == frame["v"])
                assert at - told >= 0.55, f"version {frame['v']} came after {at - told:.3f} s: {raw!r}"
    assert plain(cy.boards[room].view) == plain(newcomer.boards[room].view)


async def test_a_delayed_watcher_gets_the_very_frames_that_others_got_at_once(live: Live) -> None:
    rooms = [await seated(live, watch=watch) for watch in ({}, {"delay": {"ms": 300}})]
    keys = []
    for room, ana, bo in rooms:
        cy = await come(live, "Cy")
        await cy.join(room, as_="watch")
        for _ in range(3):
            person = mover(room, ana, bo)
            answer = await person.act(room, {"type": "end_turn"})
            await reached(room, answer["v"], ana, bo)
        await cy.until(lambda cy=cy, room=room: cy.boards[room].v == 4, 5)
        keys.append([sorted(frame) for frame in cy.frames if frame["t"] == "delta" and frame["v"] > 1])
    assert keys[0] == keys[1]


@pytest.mark.parametrize("delay", [{"moves": 2}, {"ms": 400}])
async def test_a_delayed_watcher_who_comes_back_is_not_told_more(live: Live, delay: dict[str, int]) -> None:
    room, ana, bo = await seated(live, watch={"delay": delay})
    cy = await come(live, "Cy")
    await cy.join(room, as_="watch")
    for _ in range(5):
        person = mover(room, ana, bo)
        answer = await person.act(room, {"type": "end_turn"})
        await reached(room, answer["v"], ana, bo)
    await cy.until(lambda: cy.boards[room].v >= 2, 5)
    had = cy.boards[room].past[2]
    window = await again(cy)
    board = window.boards[room]
    board.v, board.epoch = 2, had.epoch
    ok = await window.ask("join", room=room, as_="watch", have={"epoch": had.epoch, "v": 2})
    if "moves" in delay:
        await window.ask("ping", c=1)
        assert ok["v"] <= answer["v"] - 2
        assert board.v <= answer["v"] - 2
    else:
        told = {h.frame["v"]: h.at for h in ana.heard if tells(h.frame)}
        await window.until(lambda: board.v == answer["v"], 5)
        assert all(h.at - told[h.frame["v"]] >= 0.35 for h in window.heard if tells(h.frame))


async def test_players_of_a_delayed_room_are_not_delayed(live: Live) -> None:
    room, ana, bo = await seated(live, watch={"delay": {"ms": 3000}})
    async with asyncio.timeout(4):
        await play_out(room, ana, bo, seed=2)

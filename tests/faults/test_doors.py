"""Who may see which room, and what is left of rooms when they are over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from rooms.keys import keys_of
from server.client import Client
from tests.live.people import come, make_room, seated
from tests.live.serving import Live
from tests.redis_servers import until


async def test_a_code_that_was_made_up_opens_nothing(serve: Callable[..., Live]) -> None:
    live = serve()
    room, *_ = await seated(live, watch={"who": "code"})
    stranger = await come(live, "Eve")
    for code in ("AAAAAA", "", "x"):
        answer = await stranger.ask("join", room=room, code=code, as_="watch")
        assert answer["t"] == "err", f"watched with {code!r}: {answer}"
    assert stranger.boards[room].v == -1


async def test_whoever_was_refused_may_come_back_with_the_code(serve: Callable[..., Live]) -> None:
    live = serve()
    ana = await come(live, "Ana")
    made = await make_room(ana, watch={"who": "code"})
    cy = await come(live, "Cy")
    assert (await cy.ask("join", room=made["room"], as_="watch"))["code"] == "no_watching"
    assert (await cy.ask("join", code=made["code"], as_="watch"))["t"] == "ok"


async def test_a_watcher_by_code_is_still_one_after_a_break(serve: Callable[..., Live]) -> None:
    live = serve()
    ana = await come(live, "Ana")
    made = await make_room(ana, private=True)
    async with Client(live.url, name="Cy") as cy:
        seat = await cy.join(code=made["code"], watch=True)
        live.kill()
        await live.start_again()
        bo = await come(live, "Bo")
        await bo.join(code=made["code"])
        back = await come(live, session={"token": ana.token, "user": ana.user})
        await back.join(made["room"])
        async with asyncio.timeout(8):
            await seat.until(lambda: seat.v >= 1)


@pytest.mark.parametrize("turn", range(3))
async def test_a_match_that_ends_at_once_is_on_no_list(serve: Callable[..., Live], turn: int) -> None:
    live = serve()
    people = [await come(live, "Ana"), await come(live, "Bo")]
    rooms = [(await make_room(people[0]))["room"] for _ in range(15)]
    for room in rooms:
        await people[0].join(room)
        await people[1].say("join", room=room)
        await people[0].until(lambda room=room: people[0].boards[room].v == 1)
        await people[0].say("resign", room=room)
    for room in rooms:
        await people[0].until(lambda room=room: people[0].boards[room].over)
    await asyncio.sleep(0.5)
    listed = {row["room"] for row in (await live.call("GET", "/api/rooms")).json}
    assert not listed & set(rooms), f"{len(listed & set(rooms))} of {len(rooms)} are listed for ever"


async def test_a_service_killed_right_after_the_end_leaves_nothing_on_the_list(serve: Callable[..., Live]) -> None:
    live = serve()
    room, ana, bo = await seated(live)
    with live.store() as store:
        kept = store.hget("{lobby}:rooms", room)
        assert kept
        await ana.ask("resign", room=room)
        await bo.until(lambda: bo.boards[room].over)
        await asyncio.sleep(0.2)
        live.kill()
        await live.start_again()
        store = live.store()
        store.hset("{lobby}:rooms", room, kept)  # as if it had died before it could cross it out
    await asyncio.sleep(1.0)
    listed = [row for row in (await live.call("GET", "/api/rooms")).json if row["room"] == room]
    assert not listed, "a match that is over is listed as live"


async def test_nothing_of_a_finished_room_stays_for_ever(serve: Callable[..., Live]) -> None:
    live = serve()
    room, ana, bo = await seated(live)
    cy = await come(live, "Cy")
    await cy.join(room, as_="watch")
    mover = ana if ana.boards[room].offers else bo
    await mover.act(room, {"type": "end_turn"})  # is kept for the watcher too
    await cy.until(lambda: cy.boards[room].v == 2)
    await cy.leave()
    await ana.until(lambda: ana.boards[room].presence["watchers"] == 0)
    await ana.ask("resign", room=room)
    await ana.until(lambda: ana.boards[room].over)
    with live.store() as store:
        head = keys_of(room).meta.removesuffix(":m")
        assert list(store.scan_iter(f"{head}:*", 1000))

        def fades() -> bool:
            """It does once its match is in the archive."""
            return all(store.pttl(key) >= 0 for key in store.scan_iter(f"{head}:*", 1000))

        await asyncio.to_thread(until, fades, what="an end of all its keys")

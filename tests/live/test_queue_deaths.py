"""Processes that die while they bring people together: nobody is lost, nobody is given two matches."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from server.client import Client
from server.finding import find_match
from tests.live.people import Person, again, come
from tests.live.serving import Live
from tests.live.split import Split
from tests.live.test_seeking import matched
from tests.live.test_talk import ok, told
from tests.redis_servers import until

QUEUE = "{q:ggltcg casual free}"


async def dead(live: Live) -> None:
    await asyncio.to_thread(until, lambda: not live.running, what="the end of the service")


async def back(*people: Person) -> list[Person]:
    """They come again, and seek again what they sought."""
    found = [await again(person) for person in people]
    for person in found:
        await ok(person, "seek", game="ggltcg")
    return found


@pytest.mark.parametrize("point", ["match.after_pair", "match.after_make", "match.after_tell"])
async def test_a_match_that_a_dying_process_had_begun_takes_place_once(serve: Callable[..., Live], point: str) -> None:
    live = serve()
    live.stop()
    live.faults = f"{point}@1"
    await live.start_again()
    ana, bo = await come(live, "Ana"), await come(live, "Bo")
    for person in (ana, bo):
        await person.say("seek", game="ggltcg")
    await dead(live)
    await live.start_again()
    ana, bo = await back(ana, bo)
    room = await matched(ana, bo)
    for person in (ana, bo):
        assert {frame["room"] for frame in told(person, "matched")} == {room}
    with live.store() as store:
        assert len(store.keys("*:r:*:m")) == 1
        assert await asyncio.to_thread(until, lambda: not store.exists(f"{QUEUE}:hot", f"{QUEUE}:who"), what="an end")


async def test_who_was_let_down_by_a_dying_process_waits_again(serve: Callable[..., Live]) -> None:
    live = serve(ready_seconds=1)
    live.stop()
    live.faults = "match.after_settle@1"
    await live.start_again()
    ana, bo, cy = [await come(live, name) for name in ("Ana", "Bo", "Cy")]
    for person in (ana, bo):
        await ok(person, "seek", game="ggltcg")
    room = (await ana.until(lambda: told(ana, "matched")))[0]["room"]
    await ana.join(room)
    await dead(live)  # Bo did not come
    await live.start_again()
    ana, cy = await back(ana, cy)
    other = await matched(ana, cy)
    assert other != room
    assert (await live.call("GET", f"/api/rooms/{room}")).status == 404


async def test_a_host_that_is_killed_while_many_seek_strands_nobody(tmp_path: Path) -> None:
    split = Split(tmp_path).start()
    clients = [Client(split.gateways[n % 2].name, name=f"p{n}") for n in range(12)]
    try:
        await asyncio.gather(*(client.open() for client in clients))
        seeking = [asyncio.create_task(find_match(client, "ggltcg")) for client in clients]
        async with asyncio.timeout(60):
            await asyncio.wait(seeking[:1], timeout=0.4)
            split.hosts[0].kill()
            seats = await asyncio.gather(*seeking)
        assert set(Counter(seat.room for seat in seats).values()) == {2}
        assert all(seat.v >= 1 for seat in seats)
    finally:
        await asyncio.gather(*(client.close() for client in clients), return_exceptions=True)
        split.stop()

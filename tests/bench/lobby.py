"""What bringing people together costs, and what a change in the lobby costs with many who follow it.

python -m tests.bench.lobby
"""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from rooms.host import Host
from rooms.keys import queue_keys
from rooms.matchmaking import QUEUES
from rooms.nodes import Nodes
from rooms.queues import Queue, Ticket, Waiting, bring_together, pack_ticket
from rooms.scripts import SCRIPTS
from rooms.telling import Told
from server.lobby import LobbyFeed
from tests.redis_servers import Server

SIZES = (100, 500, 2_000, 10_000)
FOLLOWERS = 1_000


def crowd(size: int, seed: int = 0) -> list[Waiting]:
    """People of all strengths who have waited for up to a minute."""
    luck = random.Random(seed)
    return [
        Waiting(Ticket(f"u{n}", f"User {n}", round(luck.gauss(1500, 200), 1)), -luck.randrange(60_000))
        for n in range(size)
    ]


def pairing() -> dict[int, tuple[float, int]]:
    """CPU seconds of working out who plays whom, and how many matches that gave, by the size of the queue."""
    found = {}
    for size in SIZES:
        people, spent = crowd(size), []
        for _ in range(5):
            start = time.process_time()
            tables = bring_together(people, 0)
            spent.append(time.process_time() - start)
        found[size] = (statistics.median(spent), len(tables))
    return found


async def whole_queue(server: Server, size: int) -> tuple[float, float, int]:
    """The same over a real store, rooms made and told: our CPU, the store's CPU, and matches."""
    nodes = Nodes(server.url, SCRIPTS)
    await nodes.start()
    host = Host(nodes, name="bench")
    queue = Queue("ggltcg", "ranked", seats=2)
    _fill(server, queue, crowd(size, size))
    ours, theirs = time.process_time(), _cpu(server)
    made = await host.matchmaker.look()
    spent = time.process_time() - ours, _cpu(server) - theirs
    with server.client() as store:
        store.flushall()
    await nodes.stop()
    return *spent, made


def _fill(server: Server, queue: Queue, people: list[Waiting]) -> None:
    """Have all of them wait there, and be seen just now."""
    keys = queue_keys(queue.name)
    with server.client() as store:
        seconds, more = store.time()
        now = seconds * 1000 + more // 1000
        pipe = store.pipeline(transaction=False)
        pipe.hset(QUEUES, queue.name, msgspec.json.encode(queue))
        for one in people:
            user = one.ticket.user
            pipe.hset(keys.who, user, pack_ticket(one.ticket))
            pipe.zadd(keys.since, {user: now + one.since})
            pipe.zadd(keys.seen, {user: now + 600_000})
        pipe.execute()


async def lobby() -> tuple[float, int, int]:
    """CPU seconds of one change told to all followers, how often it was written, and how many heard it."""
    heard: list[Told] = []

    class Follower:
        lobby_behind = False

        def put(self, told: Told) -> None:
            heard.append(told)

    rooms: list[dict[str, Any]] = [
        {"room": f"r{n}", "made": n, "status": "open", "seats": [{"name": "A"}, {}], "watch": "all", "mode": "casual"}
        for n in range(100)
    ]

    class Library:
        async def listed(self) -> list[dict[str, Any]]:
            return [dict(facts) for facts in rooms]

        listing = listed

    class Rooms:
        library = Library()

        async def ask(self, *_: object) -> dict[str, Any]:
            return {}

    class Gateway:
        host = Rooms()

    feed = LobbyFeed(Gateway(), lambda: FOLLOWERS)  # type: ignore[arg-type]
    feed.followers = {Follower(): None for _ in range(FOLLOWERS)}  # type: ignore[misc]
    await feed.look()
    heard.clear()
    before, start = feed.encoded, time.process_time()
    rooms[0]["seats"][1]["name"] = "B"
    rooms[0] = {**rooms[0], "status": "live"}
    await feed.look()
    return time.process_time() - start, feed.encoded - before, len(heard)


def _cpu(server: Server) -> float:
    import psutil

    times = psutil.Process(server.pid).cpu_times()
    return float(times.user + times.system)


def main() -> None:
    """Measure and tell."""
    print("who plays whom (CPU)")
    for size, (seconds, tables) in pairing().items():
        print(f"  {size:6} waiting: {seconds * 1000:8.1f} ms, {seconds / size * 1e6:5.1f} us each, {tables} matches")
    with TemporaryDirectory() as folder:
        server = Server(Path(folder))
        server.start()
        try:
            print("the same with rooms made and everybody told (CPU of ours, of the store)")
            for size in SIZES:
                ours, theirs, made = asyncio.run(whole_queue(server, size))
                each = f"{ours / size * 1e6:5.0f} + {theirs / size * 1e6:3.0f} us each"
                print(f"  {size:6} waiting: {ours:5.2f} + {theirs:.2f} s, {each}, {made} matches")
        finally:
            server.kill()
    seconds, encoded, told = asyncio.run(lobby())
    print(f"a change in the lobby: {seconds * 1000:.1f} ms, written {encoded} time(s), told to {told}")


if __name__ == "__main__":
    main()

"""What twenty thinking bots cost a match of people: `python -m tests.bench.beside_bots`.

One server. Two people play by chance, with a short rest after every move; a move's latency is the time from its sending
to its acknowledgement. Rounds without bots and rounds beside them take turns, so that whatever else the machine does
weighs on both alike. Beside them, twenty people each play against a bot that thinks for as long as it is let, and never
keep it waiting. The status is 1 if the median beside them is more than twice that without.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from time import perf_counter

from engine.offers import at_random
from server.client import Client, Disconnected, Rejected, Seat
from server.commands.bot import read_offer
from tests.live.serving import Live

REST = 0.01  # seconds between an answer and the next move
QUIET = 3.0  # seconds until the last thought has been thought
MOST = 2.0


async def main() -> int:
    """Measure, print, and say whether it is within bounds."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.beside_bots", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each kind (default: 5)")
    parser.add_argument("--seconds", type=float, default=6, help="how long a round is (default: 6)")
    parser.add_argument("--bots", type=int, default=20, help="bots that think (default: 20)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        live = Live(Path(folder), bot_think_seconds=2).start()
        try:
            alone, beside, thoughts = await measure(live, args.rounds, args.seconds, args.bots)
        finally:
            live.stop()
    found = {
        "alone_ms": statistics.median(map(statistics.median, alone)),
        "beside_ms": statistics.median(map(statistics.median, beside)),
        "bots": args.bots,
        "thoughts": thoughts,
        "moves": sum(map(len, alone)) + sum(map(len, beside)),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
    }
    found["ratio"] = found["beside_ms"] / found["alone_ms"]
    print(json.dumps(found) if args.json else table(alone, beside, found))
    return 0 if found["ratio"] <= MOST else 1


async def measure(
    live: Live, rounds: int, seconds: float, bots: int
) -> tuple[list[list[float]], list[list[float]], float]:
    """The latencies of every round, in ms: alone and beside bots, in turns; and how many thoughts were thought."""
    alone: list[list[float]] = []
    beside: list[list[float]] = []
    async with Client(live.url, name="Ana") as ana, Client(live.url, name="Bo") as bo:
        await play(ana, bo, 1.0)  # so that nobody pays for the first time
        for number in range(rounds):
            alone.append(await play(ana, bo, seconds))
            before = await live.number('upcard_thoughts_total{result="ok"}')
            async with thinking(live, bots):
                await asyncio.sleep(1)
                beside.append(await play(ana, bo, seconds))
            assert await live.number('upcard_thoughts_total{result="ok"}') > before, "no bot has thought"
            print(f"round {number + 1} of {rounds}", file=sys.stderr)
            await asyncio.sleep(QUIET)
    return alone, beside, await live.number('upcard_thoughts_total{result="ok"}')


async def play(ana: Client, bo: Client, seconds: float) -> list[float]:
    """Two people play match after match; how long each move took, in ms."""
    took: list[float] = []
    luck, end = Random(1), perf_counter() + seconds
    while perf_counter() < end:
        room = (await ana.make_room("ggltcg"))["room"]
        seats = [await ana.join(room), await bo.join(room)]
        await seats[0].until(lambda seats=seats: "turn" in seats[0].view)
        while perf_counter() < end and not seats[0].over:
            seat = seats[seats[0].view["turn"]["waiting"][0]]
            await seat.my_turn()
            took.append(await timed(seat, luck))
            await seats[0].until(lambda seats=seats, seat=seat: seats[0].v >= seat.v)
            await asyncio.sleep(REST)
        if not seats[0].over:
            await ana.ask({"t": "resign", "room": room})
    return took


async def timed(seat: Seat, luck: Random) -> float:
    """One move by chance, and its latency in ms."""
    do = at_random([read_offer(offer) for offer in seat.offers], luck.randrange)
    start = perf_counter()
    await seat.act(do)
    return (perf_counter() - start) * 1000


@asynccontextmanager
async def thinking(live: Live, bots: int) -> AsyncIterator[None]:
    """So many matches in which a bot thinks all the time."""
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(Client(live.url, name=f"P{n}")) for n in range(bots)]
        seats = []
        for person in people:
            room = (await person.make_room("ggltcg", seats=["me", "bot:mcts:100000"]))["room"]
            seats.append(await person.join(room))
        hurried = [asyncio.create_task(hurry(seat)) for seat in seats]
        yield
        for task in hurried:
            task.cancel()
        await asyncio.gather(*hurried, return_exceptions=True)
        for person, seat in zip(people, seats, strict=True):
            if not seat.over:
                await person.ask({"t": "resign", "room": seat.room})


async def hurry(seat: Seat) -> None:
    """Never keep the bot waiting."""
    try:
        while await seat.my_turn() and not seat.over:
            offers = [read_offer(offer) for offer in seat.offers]
            await seat.act(at_random(offers[-1:], Random(1).randrange))
    except (Rejected, Disconnected) as error:
        print(f"a match beside has stopped: {error}", file=sys.stderr)


def table(alone: list[list[float]], beside: list[list[float]], found: dict[str, float]) -> str:
    """For people."""
    lines = [f"{'round':>5}  {'alone ms':>10}  {'beside ms':>10}"]
    for number, (one, other) in enumerate(zip(alone, beside, strict=True), 1):
        lines.append(f"{number:5}  {statistics.median(one):10.2f}  {statistics.median(other):10.2f}")
    lines.append(
        f"median  {found['alone_ms']:8.2f}  {found['beside_ms']:10.2f}   ratio {found['ratio']:.2f}, at most {MOST:g}"
    )
    lines.append(
        f"{found['moves']} moves, {found['thoughts']:.0f} thoughts, {found['cores']} cores, load {found['load']:.1f}"
    )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

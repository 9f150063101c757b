"""One fault after another for a long time, under load."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from random import Random

import pytest

from tests.faults.crowd import Crowd
from tests.faults.stack import Stack, memory, stacked, traces

ROUNDS = int(os.environ.get("UPCARD_SOAK_ROUNDS", "60"))


@pytest.mark.soak
@pytest.mark.timeout(3000)
async def test_faults_of_all_kinds_one_after_another(tmp_path: Path) -> None:
    luck = Random(int(os.environ.get("UPCARD_SOAK_SEED", "1")))
    async with stacked(tmp_path) as live:
        async with Crowd(live, pairs=16).playing() as crowd:
            await crowd.moves(200, 60)
            for _ in range(ROUNDS):
                fault = luck.choice([_freeze, _cut, _no_answers, _kill_store, _forget, _full, _kill, _stop, _sleep])
                await fault(live, luck)
                await crowd.moves(100, 60)
        assert memory(live) < 300 << 20
        assert not traces(live), traces(live)


async def _freeze(live: Stack, luck: Random) -> None:
    live.wire.freeze()
    await asyncio.sleep(luck.uniform(0.1, 4))
    live.wire.thaw()


async def _cut(live: Stack, luck: Random) -> None:
    for _ in range(luck.randint(1, 10)):
        live.wire.cut()
        await asyncio.sleep(luck.uniform(0, 0.2))


async def _no_answers(live: Stack, luck: Random) -> None:
    live.wire.drop("replies")
    await asyncio.sleep(luck.uniform(0.1, 3))
    live.wire.heal()
    live.wire.cut()


async def _kill_store(live: Stack, luck: Random) -> None:
    live.server.kill()
    await asyncio.sleep(luck.uniform(0, 2))
    await asyncio.to_thread(live.server.start)


async def _forget(live: Stack, luck: Random) -> None:
    live.server.ask("SCRIPT", "FLUSH")


async def _full(live: Stack, luck: Random) -> None:
    live.server.ask("CONFIG", "SET", "maxmemory", 1)
    await asyncio.sleep(luck.uniform(0.1, 3))
    live.server.ask("CONFIG", "SET", "maxmemory", 0)


async def _kill(live: Stack, luck: Random) -> None:
    await asyncio.to_thread(live.kill)
    await live.start_again()


async def _stop(live: Stack, luck: Random) -> None:
    await asyncio.to_thread(live.stop)
    await live.start_again()


async def _sleep(live: Stack, luck: Random) -> None:
    os.kill(live.pid, signal.SIGSTOP)
    await asyncio.sleep(luck.uniform(0.1, 3))
    os.kill(live.pid, signal.SIGCONT)

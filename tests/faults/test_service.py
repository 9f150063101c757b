"""The service itself is stopped, killed or put to sleep while its store lives on."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from rooms.fault_points import POINTS
from tests.faults.crowd import Crowd
from tests.faults.stack import stacked, traces


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGKILL])
async def test_a_service_that_ends_under_load_is_missed_by_nobody_for_long(tmp_path: Path, sign: int) -> None:
    async with stacked(tmp_path, drain_spread_seconds=0.5) as live:
        async with Crowd(live).playing() as crowd:
            await crowd.moves(100)
            assert live.process is not None
            live.process.send_signal(sign)
            await asyncio.to_thread(live.process.wait, 20)
            crowd.kept()
            await live.start_again()
            await crowd.moves(100)
        assert sum(client.reconnects for client in crowd.clients) >= len(crowd.clients), "nobody noticed"
        assert crowd.longest < 12
        assert not traces(live), traces(live)


async def test_a_service_that_sleeps_longer_than_its_lease_tells_nothing_wrong(tmp_path: Path) -> None:
    async with stacked(tmp_path) as live:
        async with Crowd(live).playing() as crowd:
            await crowd.moves(100)
            os.kill(live.pid, signal.SIGSTOP)
            await asyncio.sleep(2.5)
            os.kill(live.pid, signal.SIGCONT)
            await crowd.moves(100)
        assert crowd.longest > 2, "nobody waited"
        assert not traces(live), traces(live)


@pytest.mark.parametrize("point", [point for point in POINTS if point.startswith("commit.")])
async def test_a_service_that_dies_in_the_middle_of_a_commit_neither_loses_nor_doubles_it(
    tmp_path: Path, point: str
) -> None:
    async with stacked(tmp_path) as live:
        await asyncio.to_thread(live.stop)
        live.faults = f"{point}@150"
        await live.start_again()
        async with Crowd(live).playing() as crowd:
            assert live.process is not None
            assert await asyncio.to_thread(live.process.wait, 30) == -signal.SIGKILL, "it never got there"
            crowd.kept()
            if point in ("commit.after_send", "commit.after_reply"):
                assert await crowd.untold(), "nothing was written that nobody had been told of"
            await live.start_again()
            await crowd.moves(100)
        assert crowd.longest < 12
        assert not traces(live), traces(live)

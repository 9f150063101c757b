"""Faults on the way to the store, and of the store itself: whatever breaks, an acknowledged move stays made, once."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.faults.crowd import Crowd
from tests.faults.stack import ReplyEater, Stack, stacked, traces


async def test_a_commit_whose_answer_is_lost_is_made_once(tmp_path: Path) -> None:
    async with stacked(tmp_path, ReplyEater) as live:
        wire = live.wire
        assert isinstance(wire, ReplyEater)
        async with Crowd(live).playing() as crowd:
            wire.every = 50
            await crowd.moves(600)
            wire.every = 0
        assert wire.eaten >= 4, "no answer was ever lost"
        assert await live.commits("dup_commit") >= 1, "nobody noticed"
        assert not traces(live), traces(live)


async def test_a_store_that_was_killed_comes_back_with_every_acknowledged_move(tmp_path: Path) -> None:
    async with stacked(tmp_path) as live:
        async with Crowd(live).playing() as crowd:
            await crowd.moves(100)
            before, at = live.server.pid, asyncio.get_running_loop().time()
            live.server.kill()
            await asyncio.sleep(0.5)
            await asyncio.to_thread(live.server.start)
            await crowd.moves(20, seconds=10)
            took = asyncio.get_running_loop().time() - at
            await crowd.moves(100)
        assert live.server.pid != before
        assert live.server.info("persistence")["aof_enabled"] == 1
        assert took < 8, f"it took {took:.1f} s to go on"
        assert not traces(live), traces(live)


async def test_a_store_that_has_forgotten_the_scripts_is_taught_them_again(tmp_path: Path) -> None:
    async with stacked(tmp_path) as live:
        async with Crowd(live).playing() as crowd:
            for _ in range(30):
                await crowd.moves(8)
                live.server.ask("SCRIPT", "FLUSH")
            failed = live.server.info("errorstats").get("errorstat_NOSCRIPT", {})
            await crowd.moves(30)
        assert failed.get("count", 0) >= 10, "the scripts were never missed"
        assert sum(client.reconnects for client in crowd.clients) == 0
        assert crowd.longest < 3
        assert not traces(live), traces(live)


async def test_a_link_that_freezes_for_longer_than_a_lease_only_costs_time(tmp_path: Path) -> None:
    async with stacked(tmp_path) as live:
        async with Crowd(live).playing() as crowd:
            await crowd.moves(100)
            live.wire.freeze()
            await asyncio.sleep(0.2)
            before = len(crowd.acked)
            await asyncio.sleep(2.8)
            assert len(crowd.acked) == before, "something was acknowledged that cannot have been kept"
            crowd.kept()
            live.wire.thaw()
            await crowd.moves(100)
        assert crowd.longest > 2, "nobody waited"
        assert not traces(live), traces(live)


async def test_a_link_that_loses_every_answer_only_costs_time(tmp_path: Path) -> None:
    """Only one direction is broken: what is sent arrives, and nobody hears what became of it."""
    async with stacked(tmp_path) as live:
        async with Crowd(live).playing() as crowd:
            await crowd.moves(100)
            live.wire.drop("replies")
            await asyncio.sleep(2)
            live.wire.heal()
            live.wire.cut()
            await crowd.moves(100)
        assert await live.commits("dup_commit") >= 1, "no answer was lost"
        assert not traces(live), traces(live)


async def test_a_store_without_memory_keeps_what_it_has_and_goes_on_later(tmp_path: Path) -> None:
    async with stacked(tmp_path) as live:
        async with Crowd(live).playing() as crowd:
            await crowd.moves(100)
            before = await _full(live)
            await asyncio.sleep(2)
            assert _keys(live) == before, "something was written into a full store"
            crowd.kept()
            live.server.ask("CONFIG", "SET", "maxmemory", 0)
            await crowd.moves(100)
        assert live.server.info("errorstats")["errorstat_OOM"]["count"] >= 5, "the store was never full"
        assert crowd.longest > 1.5, "nobody waited"
        assert await live.number('upcard_refusals_total{code="busy"}') > 5, "nobody was told that the store is full"
        assert not traces(live), traces(live)


async def _full(live: Stack) -> dict[bytes, bytes]:
    """From now on the store takes nothing more; what it holds."""
    live.server.ask("CONFIG", "SET", "maxmemory", 1)
    await asyncio.sleep(0.2)
    return _keys(live)


def _keys(live: Stack) -> dict[bytes, bytes]:
    with live.store() as store:
        return {key: store.hget(key, "ver") for key in sorted(store.scan_iter("*:m", 1000))}

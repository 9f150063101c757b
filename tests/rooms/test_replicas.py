"""Waiting for replicas: what is acknowledged has reached one, whatever happens to the link or the primary."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import pytest

from rooms.nodes import Nodes, Uncertain
from tests.fault_proxy import FaultProxy
from tests.redis_servers import HOST, Server, until

SCRIPTS = {
    "commit": "#!lua\nreturn redis.call('INCRBY', KEYS[1], ARGV[1])",
    "add": "#!lua\nreturn redis.call('INCRBY', KEYS[1], ARGV[1])",
}


class Pair(NamedTuple):
    """A primary, its replica, the link between them, and us."""

    primary: Server
    replica: Server
    link: FaultProxy
    nodes: Nodes

    def copied(self, key: str = "k") -> int:
        return int(self.replica.ask("GET", key) or 0)


@pytest.fixture
async def pair(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Pair]:
    folder = tmp_path_factory.mktemp("pair")
    primary = Server(folder / "primary", "--repl-diskless-sync-delay", "0").start()
    async with FaultProxy(primary.port) as link:
        copy = Server(folder / "replica", "--replicaof", HOST, str(link.port))
        await asyncio.to_thread(copy.start)
        try:
            await asyncio.to_thread(until, lambda: copy.info("replication")["master_link_status"] == "up")
            nodes = Nodes(primary.url, SCRIPTS, copies=1)
            await nodes.start()
            yield Pair(primary, copy, link, nodes)
            await nodes.stop()
        finally:
            copy.kill()
            primary.kill()


async def test_an_answer_comes_when_a_replica_has_it(pair: Pair) -> None:
    for n in range(1, 51):
        assert await pair.nodes.run("commit", ["k"], [1]) == n
        assert pair.copied() == n
    at_once = await asyncio.gather(*(pair.nodes.run("commit", ["k"], [1]) for _ in range(20)))
    assert sorted(at_once) == list(range(51, 71))
    assert pair.copied() == 70


async def test_without_the_link_nothing_is_certain_and_with_it_everything_is(pair: Pair) -> None:
    assert await pair.nodes.run("commit", ["k"], [1]) == 1
    pair.link.freeze()
    with pytest.raises(Uncertain, match="replicas"):
        await pair.nodes.run("commit", ["k"], [1])
    assert (int(pair.primary.ask("GET", "k")), pair.copied()) == (2, 1), "the fault never came"
    assert await pair.nodes.run("add", ["other"], [1]) == 1, "other scripts need not wait"
    pair.link.thaw()
    assert await pair.nodes.run("commit", ["k"], [1]) == 3
    assert pair.copied() == 3


async def test_a_link_that_breaks_meanwhile_leaves_nobody_without_an_answer(pair: Pair) -> None:
    pair.link.freeze()
    calls: list[asyncio.Task[Any]] = [asyncio.create_task(pair.nodes.run("commit", ["k"], [1])) for _ in range(5)]
    await asyncio.to_thread(until, lambda: pair.primary.ask("GET", "k") == b"5")
    pair.primary.kill()
    answers = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 5)
    assert all(isinstance(answer, Uncertain) for answer in answers), answers

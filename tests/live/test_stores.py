"""Gateways and hosts on every kind of store: a cluster, a primary under sentinels, and through TLS."""

from __future__ import annotations

import asyncio
import ssl
from binascii import crc_hqx
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rooms.keys import keys_of
from rooms.nodes import SLOTS, tag_of
from tests.fault_proxy import FaultProxy
from tests.live.split import Load, Split
from tests.redis_servers import HOST, Cluster, Server, Watched, until

PEM = Path(__file__).parents[1] / "rooms" / "localhost.pem"


@pytest.fixture
def split(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Split]]:
    """`split(Cluster)`: a host and a gateway, twice, on a store of that kind."""
    started: list[Split] = []

    def start(kind: Callable[[Path], Any], parts: int = 2) -> Split:
        folder = tmp_path_factory.mktemp("split")
        started.append(Split(folder, kind(folder / "store")))
        return started[-1].start(parts, parts)

    yield start
    for each in started:
        each.stop()


async def test_a_cluster_loses_a_primary_and_nobody_a_move(split: Callable[..., Split]) -> None:
    house = split(Cluster)
    async with Load(house, tables=6) as load:
        await load.moves_each(5)
        cluster = house.server
        holders = [cluster.owner(crc_hqx(tag_of(keys_of(room).meta), 0) % SLOTS) for room in list(load.seats)[-6:]]
        holders[0].kill()
        await load.moves_each(3, seconds=40)
        assert len(cluster.alive()) == 5
        await load.finish()


async def test_the_sentinels_change_the_primary_and_nobody_loses_a_move(split: Callable[..., Split]) -> None:
    house = split(Watched)
    async with Load(house, tables=3) as load:
        await load.moves_each(5)
        first = house.server.primary
        first.kill()
        await load.moves_each(3, seconds=40)
        assert house.server.replica.info("replication")["role"] == "master"
        await load.finish()


async def test_what_was_acknowledged_is_on_a_replica_if_that_was_asked_for(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The link to the replica freezes under load and the primary dies: nobody was promised what the replica lacks."""
    folder = tmp_path_factory.mktemp("copies")
    primary = Server(folder / "primary", "--repl-diskless-sync-delay", "0").start()
    async with FaultProxy(primary.port) as link:
        copy = Server(folder / "replica", "--replicaof", HOST, str(link.port))
        await asyncio.to_thread(copy.start)
        house = Split(folder, Behind(primary, primary.url), replicas=1)
        try:
            await asyncio.to_thread(until, lambda: copy.info("replication")["master_link_status"] == "up")
            await asyncio.to_thread(house.start, 1, 1)
            async with Load(house, tables=4) as load:
                await load.moves_each(5)
                link.freeze()
                await asyncio.sleep(1)  # they go on trying
                written = _inputs(primary, load)
                primary.kill()
                kept = _inputs(copy, load)
                load.enough.set()
            acked = {
                (room, v) for player in load.players for room, moves in player.acked.items() for v in moves.values()
            }
            assert written > kept, "the fault never came"
            assert acked <= kept
        finally:
            await asyncio.to_thread(house.stop)
            copy.kill()
            primary.kill()


def _inputs(server: Server, load: Load) -> set[tuple[str, int]]:
    """Every version of every room that a server has."""
    with server.client() as store:
        rooms = {room: store.xrange(keys_of(room).inputs) for room in load.seats}
    return {(room, int(id.partition(b"-")[0])) for room, entries in rooms.items() for id, _ in entries}


async def test_all_of_it_through_tls(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("tls")
    proof = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    proof.load_cert_chain(PEM)
    server = Server(folder / "store").start()
    try:
        async with FaultProxy(server.port, tls=proof) as wire:
            house = Split(folder, Behind(server, f"rediss://{HOST}:{wire.port}?ca={PEM}"))
            try:
                await asyncio.to_thread(house.start, 1, 1)
                async with Load(house, tables=2) as load:
                    await load.moves_each(5)
                    await load.finish()
            finally:
                await asyncio.to_thread(house.stop)
    finally:
        server.kill()


class Behind:
    """A server that is reached by another address than its own."""

    def __init__(self, server: Server, url: str) -> None:
        self.server, self.url = server, url
        self.client = server.client

    def start(self) -> None:
        """It runs already."""

    def stop(self) -> None:
        """Whoever started it ends it."""

"""The store as a whole: its address, its scripts, and servers that come, go and swap places."""

from __future__ import annotations

import asyncio
import re
import ssl
from binascii import crc_hqx
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import ResponseError

from rooms.ears import Ears
from rooms.nodes import BadAddress, Nodes, Refused, StoreTrouble, Uncertain, parse, tag_of
from rooms.pipe import ReplyError
from tests.fault_proxy import FaultProxy
from tests.redis_servers import HOST, Cluster, Server, Watched, running

PEM = Path(__file__).with_name("localhost.pem")
SCRIPTS = {
    "add": "#!lua\nreturn redis.call('INCRBY', KEYS[1], ARGV[1])",
    "say": "#!lua\nredis.call('SPUBLISH', KEYS[1], ARGV[1]) return redis.call('INCR', KEYS[2])",
    "trip": "#!lua\nredis.call('INCR', KEYS[1]) return redis.call('LPUSH', KEYS[1], 'x')",
    "full": "#!lua\nredis.call('INCR', KEYS[1]) error({err = 'OOM in the middle'})",
}


@pytest.fixture
async def stores() -> AsyncIterator[list[Any]]:
    """Stores and ears to close at the end, the last first."""
    opened: list[Any] = []
    yield opened
    for each in reversed(opened):
        await (each.stop() if isinstance(each, Nodes) else each.close())


async def reach(stores: list[Any], url: str, **more: Any) -> Nodes:
    nodes = Nodes(url, SCRIPTS, **more)
    await nodes.start()
    stores.append(nodes)
    return nodes


async def works_again(nodes: Nodes, key: str, seconds: float = 20) -> Any:
    """Run a script until it works."""
    async with asyncio.timeout(seconds):
        while True:
            try:
                return await nodes.run("add", [key], [1])
            except StoreTrouble:
                await asyncio.sleep(0.02)


def slot_of(key: str) -> int:
    return crc_hqx(tag_of(key), 0) % 16384


def key_on(server: Server, cluster: Cluster, name: str) -> str:
    """A key that this server holds."""
    return next(key for n in range(1000) if cluster.owner(slot_of(key := f"{{{name}{n}}}:k")) is server)


class Room:
    """Somebody who listens: what was heard, and when there was a gap."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[bytes] = asyncio.Queue()
        self.gap = asyncio.Event()

    async def joins(self, ears: Ears, channel: str) -> Room:
        await asyncio.wait_for(ears.listen(channel, self.heard.put_nowait, self.gap.set), 10)
        return self

    async def hears(self) -> bytes:
        return await asyncio.wait_for(self.heard.get(), 10)


# addresses


@pytest.mark.parametrize(
    ("url", "kind", "first"),
    [
        ("unix:///run/a%20b/s", "single", "/run/a b/s"),
        ("redis://example", "single", "example:6379"),
        ("redis://ann:p%40ss@example:7000/2", "single", "example:7000"),
        ("redis://[::1]:7000", "single", "::1:7000"),
        ("rediss://example:7000?insecure", "single", "example:7000"),
        ("redis+sentinel://a:1,b/upcard?sentinel_password=x", "sentinel", "a:1"),
        ("redis+cluster://a:1,b:2", "cluster", "a:1"),
    ],
)
async def test_an_address_is_understood(url: str, kind: str, first: str) -> None:
    place = parse(url)
    assert (place.kind, str(place.seeds[0])) == (kind, first)


async def test_an_address_says_who_we_are() -> None:
    place = parse("redis://ann:p%40ss@example:7000/2")
    assert (place.seeds[0].user, place.seeds[0].password, place.seeds[0].db) == ("ann", "p@ss", 2)
    watched = parse("redis+sentinel://ann:secret@a:1,b/upcard?sentinel_password=x")
    assert (watched.service, watched.server.password, watched.seeds[1].password) == ("upcard", "secret", "x")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example:6379",
        "http://example",
        "unix://",
        "redis://",
        "redis://example:port",
        "redis://example/first",
        "redis+sentinel://a:1",
        "redis+cluster://a:1/2",
        "redis://example?cafile=x",
        "rediss://example?ca=/no/such/file",
    ],
)
async def test_a_bad_address_is_one_sentence(url: str) -> None:
    with pytest.raises(BadAddress, match=r"^[^\n]+\.$"):
        parse(url)


async def test_no_password_is_repeated() -> None:
    with pytest.raises(BadAddress) as no:
        parse("redis://ann:hidden@example/first")
    assert "hidden" not in str(no.value)


# one server


async def test_a_script_runs_where_its_key_is(stores: list[Any], server: Server) -> None:
    nodes = await reach(stores, server.url, lanes=4)
    assert await nodes.run("add", ["{b:01}:n"], [2]) == 2
    assert nodes.pipe("{b:01}:n") is nodes.pipe("{b:01}:other")
    assert len({nodes.pipe(f"{{b:{n:02x}}}:n") for n in range(64)}) == 4


async def test_forgotten_scripts_are_not_noticed(stores: list[Any], server: Server) -> None:
    nodes = await reach(stores, server.url)
    server.ask("SCRIPT", "FLUSH")
    answers = await asyncio.gather(*(nodes.run("add", ["{b:02}:flushed"], [1]) for _ in range(20)))
    assert sorted(answers) == list(range(1, 21))


@pytest.mark.parametrize(("script", "word"), [("trip", "WRONGTYPE"), ("full", "OOM")])
async def test_a_script_that_fails_half_way_is_uncertain(
    stores: list[Any], server: Server, script: str, word: str
) -> None:
    nodes = await reach(stores, server.url)
    with pytest.raises(Uncertain, match=word):
        await nodes.run(script, [f"{{b:03}}:{script}"], [])
    assert await nodes.client.get(f"{{b:03}}:{script}") == b"1"


async def test_a_full_server_refuses_for_sure(stores: list[Any], own_server: Server) -> None:
    nodes = await reach(stores, own_server.url)
    own_server.ask("CONFIG", "SET", "maxmemory", "1")
    with pytest.raises(Refused) as no:
        await nodes.run("add", ["{b:04}:n"], [1])
    assert no.value.code == "OOM"
    own_server.ask("CONFIG", "SET", "maxmemory", "0")
    assert await nodes.run("add", ["{b:04}:n"], [1]) == 1


async def test_a_replica_refuses_for_sure(stores: list[Any], own_server: Server) -> None:
    nodes = await reach(stores, own_server.url)
    own_server.ask("REPLICAOF", HOST, 1)
    with pytest.raises(Refused) as no:
        await nodes.run("add", ["{b:04}:n"], [1])
    assert no.value.code in ("READONLY", "MASTERDOWN")


async def test_a_dead_server_is_uncertain_then_down(stores: list[Any], own_server: Server) -> None:
    nodes = await reach(stores, own_server.url, lanes=1)
    own_server.kill()
    with pytest.raises(Uncertain):
        await nodes.run("add", ["{b:05}:n"], [1])
    with pytest.raises(Refused) as no:
        await nodes.run("add", ["{b:05}:n"], [1])
    assert no.value.code == "DOWN"
    own_server.start()
    assert await works_again(nodes, "{b:05}:n") == 1


async def test_a_server_that_is_not_there_at_the_start_is_one_sentence() -> None:
    with pytest.raises(Refused, match=r"^nobody listens at"):
        await Nodes(f"redis://{HOST}:1", SCRIPTS).start()


async def test_within_waits_for_a_server_to_come_back(stores: list[Any], own_server: Server) -> None:
    nodes = await reach(stores, own_server.url)
    own_server.kill()
    waiting = asyncio.create_task(nodes.within(8, lambda: nodes.client.set("card", "Ka")))
    await asyncio.sleep(0.1)
    own_server.start()
    assert await waiting is True


async def test_within_waits_for_a_pipe_too(stores: list[Any], own_server: Server) -> None:
    nodes = await reach(stores, own_server.url, lanes=1)
    own_server.kill()
    waiting = asyncio.create_task(nodes.within(8, lambda: nodes.pipe("card").call("SET", "card", "Ka")))
    await asyncio.sleep(0.1)
    own_server.start()
    assert await waiting == b"OK"
    with pytest.raises(ReplyError):
        await asyncio.wait_for(nodes.within(8, lambda: nodes.pipe("card").call("LPUSH", "card", "x")), 2)


async def test_within_follows_a_slot(stores: list[Any], cluster: Cluster) -> None:
    cluster.settle()
    source, target = cluster.primaries()[:2]
    key = key_on(source, cluster, "within")
    nodes = await reach(stores, cluster.url)
    cluster.migrate(slot_of(key), source, target)
    assert await nodes.within(8, lambda: nodes.pipe(key).call("SET", key, "Ka")) == b"OK"


async def test_within_gives_up_in_time(stores: list[Any], own_server: Server) -> None:
    nodes = await reach(stores, own_server.url)
    own_server.kill()
    with pytest.raises(StoreTrouble):
        await asyncio.wait_for(nodes.within(0.3, lambda: nodes.client.get("card")), 3)


async def test_within_does_not_repeat_a_mistake(stores: list[Any], server: Server) -> None:
    nodes = await reach(stores, server.url)
    with pytest.raises(ResponseError):
        await asyncio.wait_for(nodes.within(8, lambda: nodes.client.execute_command("NOSUCH")), 2)


async def test_tls_all_the_way(stores: list[Any], server: Server) -> None:
    proof = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    proof.load_cert_chain(PEM)
    async with FaultProxy(server.port, tls=proof) as wire:
        for trust in (f"ca={PEM}", "insecure"):
            nodes = await reach(stores, f"rediss://{HOST}:{wire.port}/1?{trust}")
            await nodes.run("add", ["{b:06}:n"], [1])
            assert int(await nodes.client.get("{b:06}:n")) > 0
        with pytest.raises(Refused, match=re.escape("?ca=FILE")):
            await Nodes(f"rediss://{HOST}:{wire.port}").start()
        await stores.pop().stop()
        await stores.pop().stop()


async def test_a_channel_is_heard_and_forgotten(stores: list[Any], server: Server) -> None:
    nodes = await reach(stores, server.url)
    ears = Ears(nodes)
    stores.append(ears)
    room = await Room().joins(ears, "{b:07}:v:0")
    other = await Room().joins(ears, "{b:08}:v:0")
    await nodes.run("say", ["{b:07}:v:0", "{b:07}:n"], ["one"])
    assert await room.hears() == b"one"
    ears.forget("{b:07}:v:0")
    await nodes.run("say", ["{b:07}:v:0", "{b:07}:n"], ["two"])
    await nodes.run("say", ["{b:08}:v:0", "{b:08}:n"], ["three"])
    assert await other.hears() == b"three"
    assert room.heard.empty()
    room = await Room().joins(ears, "{b:07}:v:0")
    await nodes.run("say", ["{b:07}:v:0", "{b:07}:n"], ["four"])
    assert await room.hears() == b"four"
    assert not room.gap.is_set()


async def test_a_gap_is_told_after_the_connection_broke(stores: list[Any], server: Server) -> None:
    async with FaultProxy(server.port) as wire:
        nodes = await reach(stores, f"redis://{HOST}:{wire.port}")
        ears = Ears(nodes)
        stores.append(ears)
        room = await Room().joins(ears, "{b:09}:v:0")
        wire.cut()
        await asyncio.wait_for(room.gap.wait(), 10)
        await works_again(nodes, "{b:09}:n")
        await nodes.run("say", ["{b:09}:v:0", "{b:09}:n"], ["after"])
        assert await room.hears() == b"after"
        while stores:
            each = stores.pop()
            await (each.stop() if isinstance(each, Nodes) else each.close())


async def test_a_silent_wire_is_noticed_by_those_who_only_listen(stores: list[Any], server: Server) -> None:
    async with FaultProxy(server.port) as wire:
        nodes = await reach(stores, f"redis://{HOST}:{wire.port}")
        ears = Ears(nodes)
        stores.append(ears)
        room = await Room().joins(ears, "{b:0a}:v:0")
        wire.drop("replies")
        async with asyncio.timeout(10):
            while next(iter(ears._ears.values())).pipe.up:
                await asyncio.sleep(0.01)
        wire.heal()
        await asyncio.wait_for(room.gap.wait(), 10)
        while stores:
            each = stores.pop()
            await (each.stop() if isinstance(each, Nodes) else each.close())


# many servers


async def test_a_cluster_is_reached_everywhere(stores: list[Any], cluster: Cluster) -> None:
    cluster.settle()
    nodes = await reach(stores, cluster.url)
    keys = [f"{{b:{n:02x}}}:everywhere" for n in range(64)]
    assert await asyncio.gather(*(nodes.run("add", [key], [1]) for key in keys)) == [1] * 64
    assert {nodes.pipe(key).address.port for key in keys} == {server.port for server in cluster.primaries()}
    assert int(await nodes.client.get(keys[0])) == 1


async def test_a_slot_that_moves_takes_its_callers_along(stores: list[Any], cluster: Cluster) -> None:
    cluster.settle()
    source, target = cluster.primaries()[:2]
    key = key_on(source, cluster, "move")
    nodes = await reach(stores, cluster.url)
    ears = Ears(nodes)
    stores.append(ears)
    room = await Room().joins(ears, key)
    assert await nodes.run("add", [key], [1]) == 1
    cluster.migrate(slot_of(key), source, target)
    assert await nodes.run("add", [key], [1]) == 2
    assert nodes.pipe(key).address.port == target.port
    await asyncio.wait_for(room.gap.wait(), 10)
    await nodes.run("say", [key, key + "n"], ["moved"])
    assert await room.hears() == b"moved"


async def test_a_slot_on_the_move_is_asked_for(stores: list[Any], cluster: Cluster) -> None:
    cluster.settle()
    source, target = cluster.primaries()[:2]
    key = key_on(source, cluster, "ask")
    slot = slot_of(key)
    nodes = await reach(stores, cluster.url)
    target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", cluster.name(source))
    source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", cluster.name(target))
    try:
        assert await nodes.run("add", [key], [5]) == 5  # it lies nowhere yet, so the new holder makes it
        assert nodes.pipe(key).address.port == source.port
    finally:
        for server in (target, source):
            server.ask("CLUSTER", "SETSLOT", slot, "NODE", cluster.name(target))


async def test_a_dead_primary_is_replaced_and_heard_again(stores: list[Any], cluster: Cluster) -> None:
    cluster.settle()
    victim, bystander = cluster.primaries()[:2]
    key, calm = key_on(victim, cluster, "dead"), key_on(bystander, cluster, "calm")
    nodes = await reach(stores, cluster.url)
    ears = Ears(nodes)
    stores.append(ears)
    room, quiet = await Room().joins(ears, key), await Room().joins(ears, calm)
    await nodes.run("add", [key], [1])
    victim.kill()
    try:
        assert await nodes.run("add", [calm], [1]) == 1  # the others are not disturbed
        await works_again(nodes, key)
        await asyncio.wait_for(room.gap.wait(), 20)
        await nodes.run("say", [key, key + "n"], ["alive"])
        assert await room.hears() == b"alive"
        await nodes.run("say", [calm, calm + "n"], ["calm"])
        assert await quiet.hears() == b"calm"
        assert not quiet.gap.is_set()
        assert await nodes.within(8, lambda: nodes.client.get(key)) is not None
    finally:
        victim.start()


async def test_a_planned_change_of_primaries_is_followed(stores: list[Any], cluster: Cluster) -> None:
    cluster.settle()
    primary = cluster.primaries()[0]
    key = key_on(primary, cluster, "plan")
    nodes = await reach(stores, cluster.url)
    ears = Ears(nodes)
    stores.append(ears)
    room = await Room().joins(ears, key)
    replica = next(s for s in cluster.alive() if s.info("replication").get("master_port") == primary.port)
    replica.ask("CLUSTER", "FAILOVER")
    await asyncio.wait_for(room.gap.wait(), 20)
    await works_again(nodes, key)
    await nodes.run("say", [key, key + "n"], ["planned"])
    assert await room.hears() == b"planned"


async def test_the_sentinels_choice_is_followed(stores: list[Any], watched: Watched) -> None:
    nodes = await reach(stores, watched.url)
    ears = Ears(nodes)
    stores.append(ears)
    room = await Room().joins(ears, "{b:0b}:v:0")
    assert await nodes.run("add", ["{b:0b}:n"], [1]) == 1
    watched.primary.kill()
    await works_again(nodes, "{b:0b}:n", 30)
    assert watched.replica is not None
    assert nodes.pipe("{b:0b}:n").address.port == watched.replica.port
    await asyncio.wait_for(room.gap.wait(), 10)
    await nodes.run("say", ["{b:0b}:v:0", "{b:0b}:n"], ["chosen"])
    assert await room.hears() == b"chosen"
    assert int(await nodes.within(8, lambda: nodes.client.get("{b:0b}:n"))) > 1


async def test_a_restarted_store_keeps_its_listeners(stores: list[Any], tmp_path: Path) -> None:
    with running(Server(tmp_path / "s", unix=True)) as own:
        nodes = await reach(stores, own.url)
        ears = Ears(nodes)
        stores.append(ears)
        room = await Room().joins(ears, "{b:0c}:v:0")
        own.kill()
        own.start()
        await asyncio.wait_for(room.gap.wait(), 10)
        await works_again(nodes, "{b:0c}:n")
        await nodes.run("say", ["{b:0c}:v:0", "{b:0c}:n"], ["back"])
        assert await room.hears() == b"back"

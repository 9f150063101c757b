"""Who is there, and whose turn it is: with a clock that the test sets where time matters, and a real store."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from rooms.nodes import Nodes
from rooms.registry import GATEWAYS, HOSTS, Entry, Registry, may_claim, place
from tests.redis_servers import Server

NAMES = tuple(f"host.{n}" for n in range(5))
ROOMS = [f"room{n}" for n in range(1000)]


class Watch:
    """A clock that can be pushed on; the store's own time only sets it once."""

    def __init__(self) -> None:
        self.pushed = 0

    def now(self) -> int:
        return round(time.time() * 1000) + self.pushed

    def heard(self, now: int) -> None:
        pass


@pytest.fixture
async def nodes(server: Server) -> AsyncIterator[Nodes]:
    with server.client() as client:
        client.delete(HOSTS, GATEWAYS)
    nodes = Nodes(server.url)
    await nodes.start()
    yield nodes
    await nodes.stop()


def registry(nodes: Nodes, *entries: tuple[str, str]) -> Registry:
    watch = Watch()
    made = Registry(nodes, watch.now, watch.heard)
    for table, name in entries:
        made.enter(table, name, lambda: Entry(load=3, pid=7))
    return made


async def test_everybody_sees_who_is_there(nodes: Nodes) -> None:
    ann, bob = registry(nodes, (HOSTS, "ann.1"), (GATEWAYS, "ann.1")), registry(nodes, (HOSTS, "bob.2"))
    await ann.tick()
    await bob.tick()
    await ann.tick()
    for each in (ann, bob):
        assert each.up() == ("ann.1", "bob.2")
        assert list(each.gateways()) == ["ann.1"]
    assert bob.hosts()["ann.1"].load == 3


async def test_who_drains_takes_no_rooms_but_is_there(nodes: Nodes) -> None:
    ann, bob = registry(nodes), registry(nodes, (HOSTS, "bob.2"))
    ann.enter(HOSTS, "ann.1", lambda: Entry(state="draining"))
    await ann.tick()
    await bob.tick()
    assert bob.up() == ("bob.2",)
    assert "ann.1" in bob.hosts()
    assert not bob.vanished("ann.1")


async def test_who_leaves_is_gone_at_once(nodes: Nodes) -> None:
    ann, bob = registry(nodes, (HOSTS, "ann.1")), registry(nodes)
    await ann.tick()
    await ann.stop()
    await bob.tick()
    assert bob.hosts() == {}


async def test_who_is_silent_for_three_seconds_has_vanished(nodes: Nodes, server: Server) -> None:
    bob = registry(nodes, (HOSTS, "bob.2"))
    left: list[tuple[str, str]] = []
    bob.left.append(lambda table, name: left.append((table, name)))
    told(server, "ann.1", 0)
    await bob.tick()
    bob._since -= 5000  # as if we had looked for a while
    told(server, "ann.1", 2500)
    await bob.tick()
    assert not bob.vanished("ann.1")
    told(server, "ann.1", 3500)
    await bob.tick()
    assert bob.vanished("ann.1")
    assert left == [(HOSTS, "ann.1")]
    assert not bob.vanished("bob.2")


async def test_who_could_not_listen_knows_nothing_of_others_silence(nodes: Nodes, server: Server) -> None:
    bob = registry(nodes)
    left: list[str] = []
    bob.left.append(lambda table, name: left.append(name))
    told(server, "ann.1", 0)
    await bob.tick()
    bob._last -= 10_000
    bob._since -= 20_000  # the store was away for ten seconds
    told(server, "ann.1", 9000)
    await bob.tick()
    assert not bob.vanished("ann.1")
    assert left == []


async def test_an_old_entry_is_cleared_away(nodes: Nodes, server: Server) -> None:
    told(server, "ann.1", 120_000)
    bob = registry(nodes)
    await bob.tick()
    await bob.tick()
    with server.client() as client:
        assert client.hkeys(HOSTS) == []


def told(server: Server, name: str, ago: int) -> None:
    """Somebody said so long ago that they are there."""
    with server.client() as client:
        client.hset(HOSTS, name, b'{"seen":%d}' % (round(time.time() * 1000) - ago))


def test_rooms_are_spread_evenly() -> None:
    shares = Counter(place(room, NAMES)[0] for room in ROOMS)
    assert all(140 < shares[name] < 260 for name in NAMES)


def test_one_host_less_moves_only_its_own_rooms() -> None:
    for room in ROOMS[:200]:
        order = place(room, NAMES)
        fewer = tuple(name for name in NAMES if name != order[0])
        assert place(room, fewer) == order[1:]


@pytest.mark.parametrize(("rank", "waits"), [(0, 0), (1, 500), (2, 1500), (4, 1500)])
def test_a_room_waits_for_those_who_come_first(rank: int, waits: int) -> None:
    own = place("room", NAMES)[rank]
    assert may_claim("room", own, NAMES, waits)
    assert not may_claim("room", own, NAMES, waits - 1)


def test_who_is_not_there_claims_nothing() -> None:
    assert not may_claim("room", "draining.9", NAMES, 10**6)

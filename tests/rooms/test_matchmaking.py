"""Matchmakers over a real store: any of them may die at any moment, and nobody is lost or given two matches."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest

from engine.errors import Refused
from rooms import matchmaking, wire
from rooms.host import Host
from rooms.keys import keys_of, queue_keys
from rooms.matchmaking import Customs
from rooms.nodes import StoreTrouble
from rooms.people import People
from rooms.queues import Queue, Ticket, room_of
from rooms.registry import GATEWAYS, HOSTS
from rooms.state import Clock
from tests.redis_servers import Server
from tests.rooms.wiring import Person, Table, Wiring

QUEUE = Queue("ggltcg", "casual", Clock(base=60_000))


class Died(BaseException):
    """The process is gone."""


@pytest.fixture
async def wiring(server: Server) -> AsyncIterator[Wiring]:
    with server.client() as client:
        client.flushall()
        client.delete(HOSTS, GATEWAYS)
    made = Wiring(server)
    yield made
    await made.close()


class Told:
    """What gateways were told."""

    def __init__(self, *hosts: Host) -> None:
        self.frames: list[tuple[str, str, wire.Frame]] = []
        for host in hosts:
            host.matchmaker.tell = lambda *said: self.frames.append(said)

    def matched(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for _, user, frame in self.frames:
            if isinstance(frame, wire.Matched):
                found.setdefault(user, set()).add(frame.room)
        return found


def ticket(user: str, **more: Any) -> Ticket:
    return Ticket(user, user.title(), gateway="gate", **more)


async def seek(host: Host, *users: str, queue: Queue = QUEUE) -> None:
    for user in users:
        await host.matchmaker.seek(queue, ticket(user))


async def test_two_who_seek_the_same_find_a_room_of_their_own(wiring: Wiring) -> None:
    host = await wiring.host()
    told = Told(host)
    await seek(host, "ann", "bob")
    assert await host.matchmaker.look() == 1
    rooms = told.matched()
    assert rooms.keys() == {"ann", "bob"}
    (room,) = rooms["ann"] | rooms["bob"]
    facts = await host.library.facts(room)
    assert facts is not None
    assert {seat["id"] for seat in facts["seats"]} == {"ann", "bob"}
    assert facts["clock"] == {"base": 60_000}
    entry = (await host.matches_of("ann"))[0]
    assert (entry["room"], facts["seats"][entry["seat"]]["id"]) == (room, "ann")
    assert entry["ready_by"] > host.now()
    assert b"blocked" not in await host.nodes.ask(keys_of(room).side, "HGET", keys_of(room).side, "setup")


async def test_who_seeks_something_else_is_not_met(wiring: Wiring) -> None:
    host = await wiring.host()
    Told(host)
    await seek(host, "ann")
    await seek(host, "bob", queue=Queue("ggltcg", "casual"))
    await seek(host, "cy", queue=Queue("kittens", "casual", Clock(base=60_000)))
    assert await host.matchmaker.look() == 0


async def test_a_second_seek_is_refused_and_the_same_one_keeps_its_place(wiring: Wiring) -> None:
    host = await wiring.host()
    first = await host.matchmaker.seek(QUEUE, ticket("ann"))
    assert (await host.matchmaker.seek(QUEUE, ticket("ann")))["since"] == first["since"]
    with pytest.raises(Refused) as no:
        await host.matchmaker.seek(Queue("kittens"), ticket("ann"))
    assert no.value.code == "already_seeking"
    await host.matchmaker.unseek("ann", QUEUE.name)
    await host.matchmaker.seek(Queue("kittens"), ticket("ann"))
    assert await host.matchmaker.sizes() == {
        QUEUE.name: {"game": "ggltcg", "mode": "casual", "waiting": 0, "clock": {"base": 60_000}},
        "kittens casual free": {"game": "kittens", "mode": "casual", "waiting": 1},
    }


async def test_blocks_and_last_opponents_are_honoured(wiring: Wiring) -> None:
    host = await wiring.host()
    told = Told(host)
    await host.people.block("ann", "bob", True)
    await seek(host, "ann", "bob")
    assert await host.matchmaker.look() == 0
    await host.people.have_met(["ann", "cy"])
    await seek(host, "cy", "dan")
    await host.matchmaker.look()
    rooms = told.matched()
    assert rooms.get("ann") != rooms.get("bob") or "ann" not in rooms
    assert rooms.get("ann") != rooms.get("cy") or "ann" not in rooms


async def test_a_bot_is_offered_after_a_while_and_an_estimate_is_told(wiring: Wiring) -> None:
    host = await wiring.host()
    Told(host)
    await seek(host, "ann", "bob")
    await host.matchmaker.look()
    host.matchmaker.customs = Customs(bot_after=1)
    first = await host.matchmaker.seek(QUEUE, ticket("cy"))
    assert first["waiting"] == 1
    assert first["estimate"] >= 0
    await asyncio.sleep(0.01)
    (standing,) = await host.matchmaker.beat(QUEUE, ["cy"])
    assert standing["bot"] == "greedy"


async def test_who_is_silent_is_given_no_match(wiring: Wiring, monkeypatch: pytest.MonkeyPatch) -> None:
    host = await wiring.host()
    Told(host)
    monkeypatch.setattr(matchmaking, "FRESH_MS", 1)
    await seek(host, "ann", "bob")
    await asyncio.sleep(0.01)
    assert await host.matchmaker.look() == 0
    monkeypatch.setattr(matchmaking, "SILENT_MS", 1)
    await host.matchmaker.look()
    assert await host.matchmaker.beat(QUEUE, ["ann", "bob"]) == [{}, {}]


async def test_several_matchmakers_give_everybody_one_match(wiring: Wiring) -> None:
    hosts = [await wiring.host(f"host{n}") for n in range(3)]
    told = Told(*hosts)
    for host in hosts:
        host.matchmaker.up = lambda: ()  # all work all queues
    users = [f"user{n}" for n in range(40)]
    await seek(hosts[0], *users)
    made = await asyncio.gather(*(host.matchmaker.look() for host in hosts for _ in range(2)))
    assert sum(made) == 20
    rooms = told.matched()
    assert rooms.keys() == set(users)
    assert set(Counter(room for found in rooms.values() for room in found).values()) == {2}


POINTS = ["pair", "make", "sits", "hot"]


@pytest.mark.parametrize("point", POINTS)
async def test_a_matchmaker_that_dies_in_the_middle_loses_nobody(
    wiring: Wiring, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    """After the people were taken out of the queue, after the room was made, after some were told."""
    dying, other = await wiring.host("dying"), await wiring.host("other")
    told = Told(dying, other)
    monkeypatch.setattr(matchmaking, "PENDING_MS", -1000)  # whatever our clocks say
    dying.matchmaker.up = other.matchmaker.up = lambda: ()
    await seek(dying, "ann", "bob")
    _die(dying, point)
    with pytest.raises(Died):
        await dying.matchmaker.look()
    rooms: dict[str, set[str]] = {}
    for _ in range(3):
        await other.matchmaker.look()
        rooms = told.matched()
    assert rooms.keys() == {"ann", "bob"}
    assert rooms["ann"] == rooms["bob"]
    assert len(rooms["ann"]) == 1
    assert await other.nodes.ask(queue_keys(QUEUE.name).hot, "HLEN", queue_keys(QUEUE.name).hot) == 0


def _die(host: Host, point: str) -> None:
    """Let a host stop for good at this point of its work."""

    async def die(*_: object, **__: object) -> None:
        raise Died

    maker = host.matchmaker
    if point == "pair":
        maker._arrange = die  # type: ignore[method-assign]
    elif point == "make":
        make = host.make

        async def made(*words: Any) -> str:
            await make(*words)
            raise Died

        host.make = made  # type: ignore[method-assign]
    elif point == "sits":
        sits, left = host.library.sits, [1]

        async def once(*words: Any, **more: Any) -> None:
            if not left:
                raise Died
            left.pop()
            await sits(*words, **more)

        host.library.sits = once  # type: ignore[method-assign]
    else:
        ask = maker._ask

        async def asked(key: str, *words: Any) -> Any:
            if words[0] == "HDEL" and key.endswith(":hot"):
                raise Died
            return await ask(key, *words)

        maker._ask = asked  # type: ignore[method-assign]


async def test_who_came_and_was_let_down_waits_again_at_the_front(wiring: Wiring) -> None:
    host = await wiring.host()
    told = Told(host)
    host.matchmaker.customs = Customs(ready=300)
    await seek(host, "ann", "bob")
    standing = (await host.matchmaker.beat(QUEUE, ["ann"]))[0]
    await host.matchmaker.look()
    (room,) = told.matched()["ann"]
    assert await host.matchmaker.beat(QUEUE, ["ann"]) == [{"match": await _match(host, "ann"), "room": room}]
    gateway = await wiring.gateway()
    table = Table(gateway, room, await gateway.room(room))
    ann = Person("ann")
    assert (await table.join(ann))["t"] == "ok"
    await ann.hears(lambda frame: frame["t"] == "closed" and frame["code"] == "not_ready", 10)
    back = [frame for _, user, frame in told.frames if user == "ann" and isinstance(frame, wire.Seeking)]
    assert [(frame.again, frame.since) for frame in back] == [(True, standing["since"])]
    over = [frame for _, user, frame in told.frames if user == "bob" and isinstance(frame, wire.Seeking)]
    assert [frame.over for frame in over] == [True]
    again, gone = await host.matchmaker.beat(QUEUE, ["ann", "bob"])
    assert (again["since"], gone) == (standing["since"], {})
    await seek(host, "cy", "dan")
    await host.matchmaker.look()
    assert len(told.matched()["ann"]) == 2
    assert room_of("x") != room
    assert await host.matches_of("bob") == []


async def _match(host: Host, user: str) -> str:
    keys = queue_keys(QUEUE.name)
    busy = await host.nodes.ask(keys.busy, "HGET", keys.busy, user)
    return bytes(busy).decode().rpartition(":")[0]


async def test_when_a_match_has_begun_everybody_is_free_again(wiring: Wiring) -> None:
    host = await wiring.host()
    told = Told(host)
    await seek(host, "ana", "bo")
    await host.matchmaker.look()
    (room,) = told.matched()["ana"]
    gateway = await wiring.gateway()
    table = Table(gateway, room, await gateway.room(room))
    await table.sit()
    async with asyncio.timeout(5):
        while await host.matchmaker.beat(QUEUE, ["ana", "bo"]) != [{}, {}]:
            await asyncio.sleep(0.02)
        while await host.people.last_met("ana") != ["bo"]:
            await asyncio.sleep(0.02)
    await host.matchmaker.seek(Queue("kittens"), ticket("ana"))


async def test_nothing_is_promised_while_the_store_is_away(wiring: Wiring, monkeypatch: pytest.MonkeyPatch) -> None:
    host = await wiring.host()

    async def away(*_: object) -> None:
        raise StoreTrouble("away")

    monkeypatch.setattr(People, "seeks", away)
    with pytest.raises(StoreTrouble):
        await host.matchmaker.seek(QUEUE, ticket("ann"))

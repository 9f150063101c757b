"""Two hosts and two gateways on one store: whatever dies, nobody loses a move. Each test proves that its fault came."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import psutil
import pytest

from server.client import Client
from server.commands.bot import play_out
from tests.live.split import BOTS, GAME, LEASE, ROOT, Load, Part, Player, Split
from tests.redis_servers import free_port, until


@pytest.fixture
def split(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Split]]:
    """`split(hosts=2, gateways=2)`: processes of one's own that may be broken."""
    started: list[Split] = []

    def start(hosts: int = 2, gateways: int = 2, guarded: bool = False) -> Split:
        started.append(Split(tmp_path_factory.mktemp("split")))
        return started[-1].start(hosts, gateways, guarded)

    yield start
    for each in started:
        each.stop()


async def test_a_match_through_two_gateways_is_one_match(split: Callable[..., Split]) -> None:
    house = split(guarded=True)  # and with no more rights than each role needs
    one, two = (part.name for part in house.gateways)
    async with Client(one, name="Ana") as ana, Client(two, name="Bo", msgpack=True) as bo, Client(two) as cy:
        rooms = []
        for _ in range(4):  # some for each host
            made = await ana.make_room(GAME.id)
            rooms.append(made["room"])
            seats = [await ana.join(made["room"]), await bo.join(code=made["code"])]
            watcher = await cy.join(made["room"], watch=True)
            await bo.ask({"t": "say", "room": made["room"], "text": "hello"})
            async with asyncio.timeout(20):
                await asyncio.gather(*(play_out(seat, BOTS["random"](GAME, seat.seat or 0, 1)) for seat in seats))
                await watcher.until(lambda watcher=watcher: watcher.over)
            assert {seat.v for seat in (*seats, watcher)} == {len(house.truth(made["room"]).entries)}
            assert len({str(seat.view["result"]) for seat in (*seats, watcher)}) == 1
            assert not any(seat.drifts for seat in (*seats, watcher))
            facts = await ana.http("GET", f"/api/rooms/{made['room']}")
            assert (facts["status"], [seat["name"] for seat in facts["seats"]]) == ("over", ["Ana", "Bo"])
            replay = await bo.http("GET", f"/api/rooms/{made['room']}/replay")
            assert len(replay["inputs"]) == seats[0].v - 1
        assert {house.owner(room) for room in rooms} <= {part.name for part in house.hosts}


async def test_a_host_that_dies_is_replaced_and_no_move_is_lost(split: Callable[..., Split]) -> None:
    house = split()
    async with Load(house) as load:
        victim = busiest(house, load)
        taken = rooms_of(house, load, victim)
        died = time.monotonic()
        victim.kill()
        await load.moves_each(3, seconds=LEASE + 4)
        assert taken
        assert load.longest_silence(died - 0.5) < LEASE + 2
        await load.finish()
        assert {house.owner(room) for room in taken} <= {part.name for part in house.hosts}
        assert not load.errors()


async def test_a_gateway_that_dies_is_no_loss(split: Callable[..., Split]) -> None:
    house = split()
    async with Load(house) as load:
        victim = house.gateways[0]
        for player in load.players:
            if player.client.url == victim.name:
                player.client.url = player.elsewhere
        victim.kill()
        await load.moves_each(3)
        assert sum(player.client.reconnects for player in load.players) >= len(load.players) // 2
        await load.finish()
        assert not load.errors()


async def test_an_owner_that_slept_too_long_is_fenced_and_says_nothing_old(split: Callable[..., Split]) -> None:
    house = split()
    async with Load(house) as load:
        victim = busiest(house, load)
        slept = rooms_of(house, load, victim)
        victim.signal(signal.SIGSTOP)
        await load.moves_each(3, seconds=LEASE + 5)
        victim.signal(signal.SIGCONT)
        assert slept
        assert any(house.owner(room) != victim.name for room in slept)
        async with asyncio.timeout(8):
            while (await house.host_facts(victim)).get("fenced", 0) < 1:
                await asyncio.sleep(0.1)
        await load.moves_each(2)
        await load.finish()  # nobody saw a version go back
        assert not load.errors()


async def test_a_rolling_restart_is_not_noticed(split: Callable[..., Split]) -> None:
    house = split()
    async with Load(house) as load:
        began = time.monotonic()
        for part in list(house.hosts):
            handed = rooms_of(house, load, part)
            fresh = house.add("host")
            await asyncio.to_thread(fresh.wait_ready)
            part.signal(signal.SIGTERM)
            assert await part.leaves() == 0, part.said()
            await load.moves_each(2)
            assert all(house.owner(room) != part.name for room in handed)
        assert load.longest_silence(began) < 1.5
        for part in list(house.gateways):
            fresh = house.add("gateway")
            await asyncio.to_thread(fresh.wait_ready)
            for player in load.players:
                player.elsewhere = fresh.name
            part.signal(signal.SIGTERM)
            assert await part.leaves() == 0, part.said()
            await load.moves_each(2)
        assert all(player.client.reconnects for player in load.players)
        await load.finish()
        assert not load.errors()


async def test_what_a_broken_channel_swallowed_is_told_after_all(split: Callable[..., Split]) -> None:
    house = split()
    async with Load(house, tables=4) as load:
        with house.store() as store:
            for _ in range(5):
                killed: Any = store.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
                assert killed >= 2
                await load.moves_each(1)
        await load.finish()
        assert not load.errors()


async def test_two_whole_servers_share_a_store(split: Callable[..., Split]) -> None:
    house = split(hosts=0, gateways=0)
    for _ in range(2):
        house.add("serve")
    for part in house.parts:
        await asyncio.to_thread(part.wait_ready)
    async with Load(house) as load:
        for end in (signal.SIGTERM, signal.SIGKILL):
            victim, fresh = house.gateways[0], house.add("serve")
            await asyncio.to_thread(fresh.wait_ready)
            for player in load.players:
                player.elsewhere = fresh.name
                if end == signal.SIGKILL and player.client.url == victim.name:
                    player.client.url = fresh.name
            victim.signal(end)
            assert await victim.leaves() == (0 if end == signal.SIGTERM else -signal.SIGKILL), victim.said()
            await load.moves_each(3, seconds=LEASE + 8)
        await load.finish()
        assert not load.errors()


async def test_workers_share_a_port_and_a_dead_one_is_replaced(split: Callable[..., Split]) -> None:
    house = split(hosts=0, gateways=0)
    part = house.add("serve", "--workers=2")
    await asyncio.to_thread(part.wait_ready)
    async with asyncio.timeout(30):
        found = await house.looks()
        pids = {host["pid"] for host in found["hosts"]}
        assert len(pids) == 2
        ana, bo = Player(part.name, "Ana"), Player(part.name, "Bo")
        async with ana.client, bo.client:
            for _ in range(4):
                room = (await ana.client.make_room(GAME.id))["room"]
                seats = [await player.client.join(room) for player in (ana, bo)]
                await asyncio.gather(ana.play(seats[0], 0.0), bo.play(seats[1], 0.0))
                assert seats[0].view["result"] == seats[1].view["result"]
        os.kill(min(pids), signal.SIGKILL)
        while len({host["pid"] for host in (await house.looks())["hosts"]} - {min(pids)}) < 2:
            await asyncio.sleep(0.1)
    part.signal(signal.SIGTERM)
    assert await part.leaves() == 0


async def test_workers_do_not_outlive_their_parent(split: Callable[..., Split]) -> None:
    house = split(hosts=0, gateways=0)
    part = house.add("serve", "--workers=2", "--drain-spread-seconds=0.1")
    await asyncio.to_thread(part.wait_ready)
    workers = [psutil.Process(host["pid"]) for host in (await house.looks())["hosts"]]
    assert len(workers) == 2
    part.signal(signal.SIGKILL)
    _, left = await asyncio.to_thread(psutil.wait_procs, workers, 20)
    assert not left, "they went on without anybody to look after them"


async def test_a_host_shows_its_figures_at_a_door_of_its_own(split: Callable[..., Split]) -> None:
    house, port = split(hosts=0, gateways=1), free_port()
    part = house.add("host", f"--host-port={port}").wait_ready()
    async with Load(house, tables=1) as load:
        assert await asyncio.to_thread(_read, port, "readyz") == "ready\n"
        assert 'upcard_rooms{status="playing"} 1.0' in await asyncio.to_thread(_read, port, "metrics")
        with pytest.raises(HTTPError, match="404"):
            await asyncio.to_thread(_read, port, "api/games")
        await load.finish()
    part.signal(signal.SIGTERM)
    assert await part.leaves() == 0


async def test_a_host_can_be_asked_to_leave(split: Callable[..., Split]) -> None:
    house = split()
    async with Load(house, tables=3) as load:
        leaving = busiest(house, load)
        command = [sys.executable, "-m", "server.cli", "drain", leaving.name, f"--redis={house.server.url}"]
        done = await asyncio.to_thread(subprocess.run, command, cwd=ROOT, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, f"asked {leaving.name}\n")
        assert await leaving.leaves() == 0
        await load.moves_each(2)
        names = {host["name"] for host in (await house.looks())["hosts"]}
        assert names == {part.name for part in house.hosts}
        await load.finish()
        assert not load.errors()


def _read(port: int, page: str) -> str:
    with urlopen(f"http://127.0.0.1:{port}/{page}", timeout=5) as answer:
        text: str = answer.read().decode()
        return text


def rooms_of(house: Split, load: Load, part: Part) -> list[str]:
    """The rooms in play that a host has."""
    playing = [room for room, seats in load.seats.items() if not seats[0].over]
    return [room for room in playing if house.owner(room) == part.name]


def busiest(house: Split, load: Load) -> Part:
    """The host with the most rooms in play, once one has any."""
    found: Part = until(lambda: max(house.hosts, key=lambda part: len(rooms_of(house, load, part))))
    return found

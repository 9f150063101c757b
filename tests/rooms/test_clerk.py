"""Finished matches on their way from the store to the archive, with clerks that race, die and wait."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rooms import wire
from rooms.archive import clerk as clerks
from rooms.archive.archive import Archive
from rooms.archive.clerk import KNOWN, Clerk
from rooms.archive.database import ArchiveTrouble, BadArchive
from rooms.happenings import Wished
from rooms.host import Host
from rooms.keys import bucket_of, keys_of, results_key
from rooms.nodes import StoreTrouble
from rooms.remote_host import RemoteHost
from rooms.scripts import ARCHIVE
from rooms.state import Delay, Watch
from tests.archive.past import record
from tests.redis_servers import Cluster, Server
from tests.rooms.wiring import Person, Table, Wiring


class Office:
    """Hosts on an empty store, an archive, and as many clerks as one likes."""

    def __init__(self, wiring: Wiring, folder: Path) -> None:
        self.wiring, self.folder = wiring, folder
        self.archives: list[Archive] = []

    async def clerk(self, host: Host | None = None, **more: Any) -> Clerk:
        """One more, with a connection to the archive of its own."""
        host = host or await self.wiring.host()
        archive = host.archive = Archive("", self.folder)
        host.library.past = archive.filing.replay
        self.archives.append(archive)
        return Clerk(host, archive, **more)

    async def tell(self, room: str, *users: str, **more: Any) -> bytes:
        """What the last commit of a match would hand out; the match itself is nowhere."""
        key, data = results_key(bucket_of(room)), msgspec.json.encode(record(room, *users, **more))
        entry: bytes = await self.wiring.hosts[0].nodes.ask(key, "XADD", key, "*", "room", room, "record", data)
        return entry

    async def left(self) -> int:
        """Results that are still in the store."""
        found = 0
        for bucket in range(256):
            found += await self.wiring.hosts[0].nodes.ask(results_key(bucket), "XLEN", results_key(bucket))
        return found

    async def board(self) -> dict[str, tuple[int, int, int]]:
        lines = (await self.archives[0].standings.leaderboard("ggltcg", 100, 0))["players"]
        return {line["id"]: (line["matches"], line["won"], line["lost"]) for line in lines}


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clerks, "REST", 0)


async def _office(server: Any, clients: list[Any], folder: Path) -> AsyncIterator[Office]:
    for client in clients:
        client.flushall()
        client.close()
    made = Office(Wiring(server), folder)
    yield made
    for archive in made.archives:
        await archive.close()
    await made.wiring.close()


@pytest.fixture
async def office(server: Server, tmp_path: Path) -> AsyncIterator[Office]:
    async for made in _office(server, [server.client()], tmp_path):
        yield made


async def finished(office: Office, far: RemoteHost, **setup: Any) -> Table:
    """Ana and Bo have played; Ana gave up."""
    table = await (await office.wiring.table(far, **{"mode": "ranked", **setup})).sit()
    await table.move()
    table.room.hear(Wished(table.ana.who, wire.Resign(i="r", room=table.name), table.ana))
    assert (await table.ana.answer("r"))["t"] == "ok"
    return table


# a match


async def test_a_ranked_match_is_rated_and_its_players_are_told(office: Office) -> None:
    clerk, far = await office.clerk(), await office.wiring.gateway()
    table = await finished(office, far)
    assert await clerk.look() == 1
    for person in (table.ana, table.bo):
        told = await person.hears(lambda frame: frame["t"] == "rated")
        assert told["game"] == "ggltcg"
        assert told["seats"]["0"]["change"] < 0 < told["seats"]["1"]["change"]
        assert told["seats"]["1"]["rating"] == 1500 + told["seats"]["1"]["change"]
    assert await office.board() == {"ana": (1, 0, 1), "bo": (1, 1, 0)}
    cy = Person("cy")
    await table.join(cy, as_="watch")
    assert await cy.hears(lambda frame: frame["t"] == "rated") == told
    assert await office.left() == 0


async def test_an_archived_match_can_be_replayed_when_its_room_is_gone(office: Office) -> None:
    clerk, far = await office.clerk(linger_ms=1), await office.wiring.gateway()
    table = await finished(office, far)
    before = await far.library.replay(table.name, "")
    assert await clerk.look() == 1
    nodes, keys = clerk.host.nodes, keys_of(table.name)
    for key in (keys.meta, keys.state, keys.inputs, keys.side, keys.view("0"), keys.view("watch")):
        async with asyncio.timeout(5):
            while await nodes.ask(key, "EXISTS", key):
                await asyncio.sleep(0.005)
    after = await far.library.replay(table.name, "")
    assert after is not None
    assert after == before


async def test_whoever_has_the_room_tells_of_what_another_host_worked_out(office: Office) -> None:
    here, far = await office.wiring.host("here"), await office.wiring.gateway()
    table = await finished(office, far)
    assert table.name in here.rooms
    there = await office.clerk(await office.wiring.host("there"))
    there.tell = office.wiring.lines[1].tell_rated
    assert await there.look() == 1
    assert (await table.bo.hears(lambda frame: frame["t"] == "rated"))["seats"]["1"]["change"] > 0


async def test_watchers_who_are_kept_behind_are_not_told_who_won(office: Office) -> None:
    clerk, far = await office.clerk(), await office.wiring.gateway()
    cy = Person("cy")
    table = await office.wiring.table(far, mode="ranked", watch=Watch("all", Delay(ms=60_000)))
    await table.join(cy, as_="watch")
    await table.sit()
    table.room.hear(Wished(table.ana.who, wire.Resign(i="r", room=table.name), table.ana))
    await table.ana.answer("r")
    assert await clerk.look() == 1
    await table.ana.hears(lambda frame: frame["t"] == "rated")
    di = Person("di")
    await table.join(di, as_="watch")
    assert not [*cy.told("rated"), *di.told("rated")]


async def test_a_casual_match_is_kept_and_nobody_is_told(office: Office) -> None:
    clerk, far = await office.clerk(), await office.wiring.gateway()
    table = await finished(office, far, mode="casual")
    assert await clerk.look() == 1
    assert await office.board() == {}
    page = await office.archives[0].standings.profile("bo", "", 0)
    assert page is not None
    assert [(match["room"], match["reason"]) for match in page["matches"]] == [(table.name, "resigned")]
    await table.join(table.bo)
    assert not table.bo.told("rated")


# many clerks, and some that die


async def test_clerks_that_race_file_every_match_once(office: Office) -> None:
    some = [await office.clerk() for _ in range(3)]
    for n in range(40):
        await office.tell(f"race{n}", *(("ana", "bo") if n % 2 else ("bo", "ana")))
    assert sum(await asyncio.gather(*(clerk.look() for clerk in some))) == 40
    assert await office.board() == {"ana": (40, 20, 20), "bo": (40, 20, 20)}
    assert await office.left() == 0


async def test_a_result_that_somebody_died_over_is_taken_up(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    clerk = await office.clerk()
    await office.tell("lost", "ana", "bo")
    key, ask = results_key(bucket_of("lost")), clerk.host.nodes.ask
    await ask(key, "XGROUP", "CREATE", key, ARCHIVE, "0")
    assert await ask(key, "XREADGROUP", "GROUP", ARCHIVE, "dead", "STREAMS", key, ">")
    assert await clerk.look() == 0  # they may still be at it
    monkeypatch.setattr(clerks, "LOST_MS", 1)
    monkeypatch.setattr(clerks, "EVERY", 0)
    await asyncio.sleep(0.01)
    clerk._look_at = 0.0
    assert await clerk.look() == 1
    assert await office.board() == {"ana": (1, 1, 0), "bo": (1, 0, 1)}


async def test_on_a_store_of_our_own_nobody_is_waited_for(office: Office) -> None:
    clerk = await office.clerk()
    await office.tell("lost", "ana", "bo")
    key, ask = results_key(bucket_of("lost")), clerk.host.nodes.ask
    await ask(key, "XGROUP", "CREATE", key, ARCHIVE, "0")
    await ask(key, "XREADGROUP", "GROUP", ARCHIVE, "dead", "STREAMS", key, ">")
    clerk.host.alone = True
    assert await clerk.look() == 1


class Dies(BaseException):
    """The process is no more."""


async def test_dying_between_archive_and_store_rates_once_and_tells_all_the_same(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, far = await office.clerk(), await office.wiring.gateway()
    table = await finished(office, far)

    def die(point: str) -> None:
        raise Dies(point)

    with monkeypatch.context() as dying:
        dying.setattr(clerks, "reach", die)
        with pytest.raises(Dies):
            await first.look()
    assert await office.board() == {"ana": (1, 0, 1), "bo": (1, 1, 0)}
    assert await office.left() == 1
    second = await office.clerk(first.host)
    monkeypatch.setattr(clerks, "LOST_MS", 0)
    assert await second.look() == 1
    assert await office.board() == {"ana": (1, 0, 1), "bo": (1, 1, 0)}
    assert await office.left() == 0
    assert (await table.bo.hears(lambda frame: frame["t"] == "rated"))["seats"]["1"]["change"] > 0


# trouble


async def test_results_wait_for_an_archive_that_is_away(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    clerk = await office.clerk()
    await office.tell("r1", "ana", "bo")

    async def away(*_: Any) -> Any:
        raise ArchiveTrouble("nobody there")

    with monkeypatch.context() as broken:
        broken.setattr(clerk.archive.filing, "put", away)
        with pytest.raises(StoreTrouble):
            await clerk.look()
    assert await office.left() == 1
    monkeypatch.setattr(clerks, "LOST_MS", 0)
    clerk._look_at = 0.0
    assert await clerk.look() == 1


async def test_a_result_that_cannot_be_read_holds_nothing_up_and_is_not_lost(office: Office) -> None:
    clerk = await office.clerk()
    clerk.host.alone = True
    key = results_key(bucket_of("good"))
    await clerk.host.nodes.ask(key, "XADD", key, "*", "room", "odd", "record", b"{}")
    await office.tell("good", "ana", "bo")
    assert await clerk.look() == 1
    assert await office.left() == 1
    clerk._look_at = 0.0
    assert await clerk.look() == 0  # it is not tried all the time
    assert clerk.host.counts["archive.failed"] == 1


async def test_a_match_whose_name_another_room_has_is_kept_without_its_replay(office: Office) -> None:
    clerk, far = await office.clerk(), await office.wiring.gateway()
    table = await (await office.wiring.table(far)).sit()  # still being played
    await office.tell(table.name, "cy", "di", started=1)
    assert await clerk.look() == 1
    assert await office.archives[0].filing.replay(table.name, "cy") == (None, True)
    assert await clerk.host.nodes.ask(keys_of(table.name).meta, "PEXPIRETIME", keys_of(table.name).meta) == -1


async def test_a_store_that_forgot_the_group_is_told_again(office: Office) -> None:
    clerk = await office.clerk()
    await office.tell("r1", "ana", "bo")
    assert await clerk.look() == 1
    key = results_key(bucket_of("r1"))
    await clerk.host.nodes.ask(key, "DEL", key)
    await office.tell("r1again", "ana", "bo")
    room = next(f"r{n}" for n in range(2, 5000) if bucket_of(f"r{n}") == bucket_of("r1"))
    await office.tell(room, "ana", "bo")
    for _ in range(2):
        clerk._look_at = 0.0
        await clerk.look()
    assert await office.left() == 0


async def test_the_matches_of_one_store_go_to_one_archive(office: Office) -> None:
    first = await office.clerk()
    await first.start()
    office.folder /= "elsewhere"
    other = await office.clerk()
    with pytest.raises(BadArchive, match="another archive"):
        await other.start()
    other.host.alone = True  # then there is nobody to whom the first could matter
    await other.start()
    known = await other.host.nodes.ask(KNOWN, "GET", KNOWN)
    assert known.decode() == await other.archive.mark()
    await asyncio.gather(first.stop(), other.stop())


async def test_in_a_cluster_too(cluster: Cluster, tmp_path: Path) -> None:
    clients = [node.client() for node in cluster.servers if node.info("replication")["role"] == "master"]
    async for office in _office(cluster, clients, tmp_path):
        clerk, far = await office.clerk(), await office.wiring.gateway()
        table = await finished(office, far)
        for n in range(10):
            await office.tell(f"c{n}", "ana", "bo")
        async with asyncio.timeout(10):
            filed = 0
            while filed < 11:
                clerk._look_at = 0.0
                filed += await clerk.look()
        assert (await office.board())["ana"] == (11, 10, 1)
        assert (await table.bo.hears(lambda frame: frame["t"] == "rated"))["seats"]["1"]["change"] > 0
        assert await office.left() == 0

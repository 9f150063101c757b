"""A store that forgets what it had acknowledged is reminded by the room's owner, who still knows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from rooms.happenings import Acted
from rooms.keys import keys_of
from rooms.registry import GATEWAYS, HOSTS
from rooms.repair import Recent, as_it_was, under
from rooms.scripts import commit_args
from tests.redis_servers import Server
from tests.rooms.wiring import Table, Wiring


@pytest.fixture
async def wiring(server: Server) -> AsyncIterator[Wiring]:
    with server.client() as client:
        client.delete(HOSTS, GATEWAYS)
    made = Wiring(server)
    yield made
    await made.close()


async def seated(wiring: Wiring, repairs: bool) -> Table:
    host = await wiring.host()
    host.repairs = repairs
    far = await wiring.gateway()
    await wiring.look()
    return await (await wiring.table(far)).sit()


class Past:
    """A room as the store knew it at some moment: what a replica that lags behind would come up with."""

    def __init__(self, server: Server, room: str) -> None:
        self.client = server.client()
        keys = keys_of(room)
        names = [keys.meta, keys.state, keys.inputs, keys.side, *(keys.view(view) for view in ("0", "1", "watch"))]
        self.kept: dict[str, Any] = {name: self.client.dump(name) for name in names}

    def comes_back(self) -> None:
        for name, value in self.kept.items():
            self.client.delete(name)
            if value is not None:
                self.client.restore(name, 0, value)


def versions(server: Server, room: str) -> list[int]:
    entries = server.client().xrange(keys_of(room).inputs)
    return [int(str(id.decode() if isinstance(id, bytes) else id).split("-")[0]) for id, _ in entries]


async def test_moves_that_the_store_forgot_are_written_again_before_the_next_one(wiring: Wiring) -> None:
    table = await seated(wiring, repairs=True)
    await table.move()
    past = Past(wiring.server, table.name)
    for _ in range(3):
        await table.move()
    past.comes_back()
    v = await table.move()
    assert versions(wiring.server, table.name) == list(range(1, v + 1))
    assert wiring.owner(table).counts["repair.ok"] == 1
    shown = [frame["v"] for person in (table.ana, table.bo) for frame in person.told("snap")]
    assert max(shown) <= 1  # nobody noticed


async def test_an_idle_owner_notices_at_its_next_renewal(wiring: Wiring) -> None:
    table = await seated(wiring, repairs=True)
    past = Past(wiring.server, table.name)
    for _ in range(2):
        v = await table.move()
    past.comes_back()
    host = wiring.owner(table)
    await host.keeper._renew()
    async with asyncio.timeout(5):
        while host.counts["repair.ok"] == 0:
            await wiring.look()
    assert versions(wiring.server, table.name) == list(range(1, v + 1))


async def test_without_replicas_nothing_is_kept_and_the_room_goes_on_from_what_the_store_knows(wiring: Wiring) -> None:
    table = await seated(wiring, repairs=False)
    await table.move()
    past = Past(wiring.server, table.name)
    lost = await table.move()
    past.comes_back()
    person = table.mover
    act = table.act(person)
    table.room.hear(Acted(person.who, act, person))
    await person.hears(lambda frame: frame["t"] == "snap" and frame["v"] == lost - 1)  # shown where it stands now
    assert wiring.owner(table).counts["repair.ok"] == 0


def words(ver: int, cid: bytes) -> list[bytes]:
    return [b"2", b"meta", b"state", b"own", b"7", b"%d" % (ver - 1), cid, b"rest"]


def test_only_the_owners_own_history_is_continued() -> None:
    recent = Recent()
    for ver in (4, 5, 6):
        recent.keep(float(ver), ver, words(ver, b"c%d" % ver))
    assert recent.after(5, b"c5") == [words(6, b"c6")]
    assert recent.after(6, b"c6") == []
    assert recent.after(5, b"another") is None
    assert recent.after(2, b"c2") is None


def test_what_is_older_than_a_replica_can_lag_is_forgotten_but_never_the_newest() -> None:
    recent = Recent()
    recent.keep(0.0, 1, words(1, b"c1"))
    recent.keep(9.0, 2, words(2, b"c2"))
    assert recent.after(1, b"c1") is None
    assert recent.after(2, b"c2") == []


def test_a_commit_under_a_later_claim_differs_in_nothing_else() -> None:
    commit = commit_args(keys_of("r"), room="r", own="own", ep="1", base=3, cid=b"c", ttl=1, status=1, snapshot=b"s",
                         input=b"i", views={"0": b"0"}, keep=16, excused=7)  # fmt: skip
    assert [place for place, (one, two) in enumerate(zip(commit, as_it_was(commit), strict=True)) if one != two] == [
        commit.index(b"7")
    ]
    assert as_it_was(commit)[commit.index(b"7")] == b""
    assert under(words(4, b"c4"), "99") == [b"2", b"meta", b"state", b"own", b"99", b"3", b"c4", b"rest"]

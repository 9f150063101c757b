"""The line between gateways and hosts, both ends in one process, over a real store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from rooms import errands, letters, line, remote_host, wire
from rooms.happenings import Acted, Came, Went, Wished
from rooms.host import RoomGone
from rooms.keys import gateway_inbox, host_inbox
from rooms.library import NotOver
from rooms.registry import GATEWAYS, HOSTS
from rooms.remote_host import RemoteHost
from rooms.scripts import Code
from rooms.state import Delay, Watch
from rooms.telling import Told
from tests.redis_servers import Server
from tests.rooms.wiring import LEASE_MS, Person, Wiring, deafen, silence


@pytest.fixture
async def wiring(server: Server) -> AsyncIterator[Wiring]:
    with server.client() as client:
        client.delete(HOSTS, GATEWAYS)
    made = Wiring(server)
    yield made
    await made.close()


@pytest.fixture
async def house(wiring: Wiring) -> tuple[Wiring, RemoteHost]:
    """One host and one gateway."""
    await wiring.host()
    return wiring, await wiring.gateway()


# when all is well


async def test_a_move_goes_out_and_comes_back_to_everybody(house: tuple[Wiring, RemoteHost]) -> None:
    table = await (await house[0].table(house[1])).sit()
    for v in range(2, 12):
        if table.ana.view.get("result"):
            break
        assert await table.move() == v
    assert table.ana.told("snap")[-1]["v"] == 0  # all the rest came as news
    assert house[1].gaps == house[1].repaired == 0


async def test_watchers_presence_and_talk_come_through(house: tuple[Wiring, RemoteHost]) -> None:
    table = await (await house[0].table(house[1])).sit()
    cy = Person("cy")
    assert (await table.join(cy, as_="watch"))["t"] == "ok"
    await table.move()
    await cy.reaches(table.ana.v)
    assert "you" not in cy.view
    table.room.hear(Wished(cy.who, wire.Say(i="s", room=table.name, text="hello"), cy))
    assert (await cy.answer("s"))["t"] == "ok"
    for person in (table.ana, table.bo, cy):
        assert (await person.hears(lambda frame: frame["t"] == "said"))["text"] == "hello"
    assert (await table.ana.hears(lambda frame: frame["t"] == "presence" and frame["watchers"] == 1))["seats"]
    table.room.hear(Went(cy))
    await table.ana.hears(lambda frame: frame["t"] == "presence" and frame["watchers"] == 0)
    assert len(table.ana.told("said")) == 1


async def test_what_is_proposed_through_a_gateway_is_answered_and_carried_out(
    house: tuple[Wiring, RemoteHost],
) -> None:
    table = await (await house[0].table(house[1])).sit()

    async def wishes(person: Person, wish: wire.Wish) -> dict[str, Any]:
        table.room.hear(Wished(person.who, wish, person))
        return await person.answer(wish.i)

    await table.move()
    ana, bo = table.ana, table.bo
    assert (await wishes(ana, wire.Propose(i="p", room=table.name, what="draw")))["t"] == "ok"
    assert (await bo.hears(lambda frame: frame["t"] == "proposal"))["state"] == "open"
    assert (await wishes(bo, wire.Reply(i="r", room=table.name, what="draw")))["t"] == "ok"
    for person in (ana, bo):
        await person.reaches(3)
        assert person.view["result"]["reason"] == "agreed"
    answer = await wishes(ana, wire.Propose(i="q", room=table.name, what="rematch"))
    assert answer["code"] == "too_soon"


async def test_watchers_who_are_kept_behind_are_told_later(house: tuple[Wiring, RemoteHost]) -> None:
    table = await house[0].table(house[1], watch=Watch(delay=Delay(moves=2)))
    await table.sit()
    cy = Person("cy")
    assert (await table.join(cy, as_="watch"))["t"] == "ok"
    for _ in range(4):
        await table.move()
    await cy.reaches(table.ana.v - 2)
    await table.room.check()
    await asyncio.sleep(0)
    assert cy.v == table.ana.v - 2
    assert house[1].repaired == 0


async def test_a_second_window_mirrors_and_a_third_is_closed(house: tuple[Wiring, RemoteHost]) -> None:
    table = await (await house[0].table(house[1])).sit()
    second, third = Person("ana"), Person("ana")
    await table.join(second)
    assert table.ana.mirrored
    await table.join(third)
    assert second.mirrored
    assert table.ana.closed == 4409


async def test_a_gateway_asks_a_host_for_what_it_may_not_read(house: tuple[Wiring, RemoteHost]) -> None:
    wiring, far = house
    table = await (await wiring.table(far)).sit()
    facts = await far.library.facts(table.name)
    assert facts is not None
    assert [seat["name"] for seat in facts["seats"]] == ["ana", "bo"]
    with pytest.raises(NotOver):
        await far.library.replay(table.name, "ana")
    table.room.hear(Wished(table.ana.who, wire.Resign(i="r", room=table.name), table.ana))
    assert (await table.ana.answer("r"))["t"] == "ok"
    replay = await far.library.replay(table.name, "ana")
    assert replay is not None
    assert replay.result is not None
    assert await far.library.facts("nowhere") is None
    with pytest.raises(RoomGone):
        await far.room("nowhere")


# when something is lost


async def test_a_lost_message_is_noticed_by_the_next_one(house: tuple[Wiring, RemoteHost]) -> None:
    table = await (await house[0].table(house[1])).sit()
    dropped = deafen(table, 1)
    person = table.mover
    act = table.act(person)
    table.room.hear(Acted(person.who, act, person))
    await person.answer(act.i)
    assert dropped == [2]
    person.n += 1
    await asyncio.sleep(errands.FIRST_WAIT)
    await house[1].library.status(table.name)
    assert table.ana.v == table.bo.v == 1  # nobody knows yet; the last move before a silence
    await table.ana.reaches(2, seconds=3)
    await table.bo.reaches(2, seconds=3)
    assert house[1].repaired == 2
    await table.move()


async def test_a_gap_is_filled_at_once(house: tuple[Wiring, RemoteHost], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_host, "TAIL_SECONDS", 3600.0)
    table = await (await house[0].table(house[1])).sit()
    await asyncio.sleep(0.6)  # so long ago that it may be asked again
    dropped = deafen(table, 1)
    person = table.mover
    act = table.act(person)
    table.room.hear(Acted(person.who, act, person))
    await person.answer(act.i)
    table.room.hear(Wished(table.ana.who, wire.Resign(i="x", room=table.name), table.ana))
    await table.ana.reaches(3)
    await table.bo.reaches(3)
    assert dropped == [2]
    assert house[1].gaps == 2
    assert [frame["v"] for frame in table.bo.told("delta")][-2:] == [2, 3]


async def test_whoever_missed_the_end_of_their_turn_is_not_left_with_its_offers(
    house: tuple[Wiring, RemoteHost], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_host, "TAIL_SECONDS", 3600.0)
    table = await (await house[0].table(house[1])).sit()
    await asyncio.sleep(0.6)  # so long ago that it may be asked again
    one = table.mover
    two = table.bo if one is table.ana else table.ana
    deafen(table, 1, str(one.view["you"]))
    end = wire.Act(i="end", room=table.name, n=one.n, do={"type": "end_turn"})
    table.room.hear(Acted(one.who, end, one))
    await two.reaches(2)
    assert one.v == 1
    while (act := table.act(two)).do["type"] == "end_turn":
        two.n += 1  # only the bot's luck
    two.n = act.n = 1
    table.room.hear(Acted(two.who, act, two))  # what it tells the other says nothing of offers: they had none before
    await one.reaches(3)
    assert [frame["v"] for frame in one.told("delta")][-2:] == [2, 3]
    assert one.offers == []


async def test_a_lost_command_is_sent_again_and_done_once(
    house: tuple[Wiring, RemoteHost], monkeypatch: pytest.MonkeyPatch
) -> None:
    wiring, far = house
    table = await (await wiring.table(far)).sit()
    lost = []
    send = far.post.send
    monkeypatch.setattr(far.post, "send", lambda key, letter: lost.append(letter))
    person = table.mover
    act = table.act(person)
    table.room.hear(Acted(person.who, act, person))
    await asyncio.sleep(0)
    monkeypatch.setattr(far.post, "send", send)
    assert [letter.number for letter in lost]
    assert (await person.answer(act.i, 4))["v"] == 2


async def test_a_lost_answer_is_given_again_and_talk_is_said_once(
    house: tuple[Wiring, RemoteHost], monkeypatch: pytest.MonkeyPatch
) -> None:
    wiring, far = house
    table = await (await wiring.table(far)).sit()
    lost: list[Any] = []
    take = far._take

    def forgetful(sender: str, letter: Any) -> None:
        if isinstance(letter, letters.Answer) and len(lost) < 2:
            lost.append(letter)
        else:
            take(sender, letter)

    monkeypatch.setattr(far, "_take", forgetful)
    table.room.hear(Wished(table.bo.who, wire.Say(i="s", room=table.name, text="once"), table.bo))
    assert (await table.bo.answer("s", 6))["t"] == "ok"
    assert len(lost) == 2
    assert len(table.ana.told("said")) == len(table.bo.told("said")) == 1


async def test_whoever_cannot_be_reached_is_busy(wiring: Wiring, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errands, "PATIENCE", 1.5)
    await wiring.host()
    far = await wiring.gateway()
    table = await (await wiring.table(far)).sit()
    wiring.lines[0].inbox.heard = lambda mails: None  # reads, and does nothing about it
    table.room.hear(Wished(table.bo.who, wire.Say(i="s", room=table.name, text="?"), table.bo))
    no = await table.bo.answer("s", 4)
    assert (no["t"], no["code"], no["retry"]) == ("err", "busy", True)


async def test_too_much_at_once_is_refused(house: tuple[Wiring, RemoteHost], monkeypatch: pytest.MonkeyPatch) -> None:
    wiring, far = house
    table = await (await wiring.table(far)).sit()
    monkeypatch.setattr(line, "BACKLOG", 3)
    for n in range(5):
        table.room.hear(Wished(table.bo.who, wire.Say(i=f"s{n}", room=table.name, text="?"), table.bo))
    said = [await table.bo.answer(f"s{n}") for n in range(5)]
    assert [frame.get("code") for frame in said] == [None, None, None, "busy", "busy"]


# when the room moves


async def test_a_room_that_is_handed_over_takes_its_guests_along(wiring: Wiring) -> None:
    for name in ("one", "two"):
        await wiring.host(name)
    far = await wiring.gateway()
    await wiring.look()
    table = await (await wiring.table(far)).sit()
    old = wiring.owner(table)
    snaps = len(table.ana.told("snap"))
    await old.stop()
    for _ in range(3):
        await table.move()
    assert table.name not in old.rooms
    assert wiring.owner(table) is not old
    assert len(table.ana.told("snap")) == snaps
    assert not table.ana.told("err") + table.bo.told("err")


async def test_a_host_without_the_room_says_who_has_it(wiring: Wiring) -> None:
    for name in ("one", "two"):
        await wiring.host(name)
    far = await wiring.gateway()
    await wiring.look()
    table = await (await wiring.table(far)).sit()
    right = wiring.owner(table)
    wrong = next(host for host in wiring.hosts if host is not right)
    table.room.owner = wrong.own
    await table.move(seconds=2)
    assert table.room.owner == right.own
    assert table.name not in wrong.rooms


async def test_a_silent_owner_is_replaced_when_its_lease_is_over(wiring: Wiring) -> None:
    for name in ("one", "two"):
        await wiring.host(name)
    far = await wiring.gateway()
    await wiring.look()
    table = await (await wiring.table(far)).sit()
    old = wiring.owner(table)
    await silence(wiring, old)
    await table.move(seconds=LEASE_MS / 1000 + 2)
    assert any(table.name in host.rooms for host in wiring.hosts if host is not old)
    assert table.room.owner != old.own
    assert await old.keeper.still_ours(old.rooms[table.name]) is False  # it notices before it says anything
    assert old.counts["renew.fenced"] == 1


async def test_that_a_commit_was_applied_before_is_no_sign_of_life(wiring: Wiring) -> None:
    """Even a replaced owner is told that its commit is in the store. That must not let it answer from memory."""
    host = await wiring.host()
    await wiring.look()
    table = await (await wiring.table(host)).sit()
    actor = host.rooms[table.name]
    send, sent = actor.host.nodes.call, []
    actor.host.nodes.call = lambda name, words, done: (sent.append(words), send(name, words, done))
    await table.move()
    actor.lease = before = host.loop.time() + 1
    again = asyncio.get_running_loop().create_future()
    send("commit", sent[-1], again.set_result)
    actor.hear = lambda event: None
    actor._answered("commit", sent[-1], await again, host.loop.time())
    assert ((await again)[0], actor.lease) == (Code.DUP_COMMIT, before)


async def test_an_owner_that_vanished_is_replaced_before_its_lease_is_over(wiring: Wiring) -> None:
    one, two = [await wiring.host(name, lease_ms=60_000) for name in ("one", "two")]
    far = await wiring.gateway()
    await wiring.look()
    table = await (await wiring.table(far)).sit()
    old = wiring.owner(table)
    new = two if old is one else one
    await silence(wiring, old)
    with wiring.server.client() as store:
        store.hdel(HOSTS, old.own)
    for registry in wiring.registries:
        registry._since -= 5000  # as if all had looked for a while
        await registry.tick()
    await table.move(seconds=5)
    assert table.name in new.rooms
    assert new.counts["claim.fenced"] >= 1  # the first try was refused, the second named the dead


async def test_what_an_old_owner_still_says_is_not_told(house: tuple[Wiring, RemoteHost]) -> None:
    wiring, far = house
    table = await (await wiring.table(far)).sit()
    await table.move()
    follower = table.room.followers[table.ana]
    old = letters.Shown(
        follower.number, table.room.ep - 1, "1", "", 1, True, True, b'{"t":"snap","room":"x","v":1,"epoch":"1"}'
    )
    before = len(table.ana.frames)
    far._take(wiring.hosts[0].own, old)
    assert len(table.ana.frames) == before
    assert far.stale == 1


async def test_history_that_was_rewritten_is_shown_anew(house: tuple[Wiring, RemoteHost]) -> None:
    table = await (await house[0].table(house[1])).sit()
    for _ in range(3):
        await table.move()
    feed = table.room.feeds["0"]
    other = Told(b'{"t":"delta","room":"x","v":3}', 3, str(table.room.ep), str(table.room.ep))
    snaps = len(table.ana.told("snap"))
    for follower in table.room.followers.values():
        follower.epoch = str(table.room.ep - 1)  # of an owner whose versions were lost
    table.room._told("0", feed, f"{other.epoch}:3:".encode() + other.published)
    await table.ana.hears(lambda frame: len(table.ana.told("snap")) > snaps)
    assert table.ana.v == 4


async def test_a_gateway_that_vanished_takes_its_guests_with_it(wiring: Wiring) -> None:
    await wiring.host()
    far, other = await wiring.gateway("gate.1"), await wiring.gateway("gate.2")
    await wiring.look()
    table = await (await wiring.table(far)).sit()
    cy = Person("cy")
    (await other.room(table.name)).hear(Came(cy.who, wire.Join(i="w", room=table.name, as_="watch"), cy))
    assert (await cy.answer("w"))["t"] == "ok"
    await table.ana.hears(lambda frame: frame["t"] == "presence" and frame["watchers"] == 1)
    await other.registry.stop()
    for registry in wiring.registries[:1]:
        registry._since -= 5000
        await registry.tick()
    await table.ana.hears(lambda frame: frame["t"] == "presence" and frame["watchers"] == 0)


async def test_letters_to_nobody_are_noticed(house: tuple[Wiring, RemoteHost]) -> None:
    far = house[1]
    gone: list[str] = []
    far.post.nobody = gone.append
    far.post.send(host_inbox("nobody.1"), letters.Look([]))
    async with asyncio.timeout(5):
        while not gone:
            await asyncio.sleep(0.01)
    assert gone == [host_inbox("nobody.1")]


async def test_letters_of_one_turn_are_one_entry(house: tuple[Wiring, RemoteHost]) -> None:
    wiring, far = house
    key = gateway_inbox("gate.x")
    with wiring.server.client() as store:
        store.xadd(key, {"x": b""})
        for n in range(50):
            far.post.send(key, letters.Heard(n))
        await far.nodes.ask(key, "PING")
        assert store.xlen(key) == 2

"""What happens to matches when processes die or hang: nothing that was acknowledged is lost, and play goes on."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Callable
from random import Random
from typing import Any, NamedTuple

import msgspec

from cards import find_game
from engine.replay import read_replay, verify
from rooms.keys import keys_of
from server.client import Client, Rejected, Seat
from tests.live.people import again, any_move, come, make_room, mover, plain, reached, seated
from tests.live.serving import Live

ROOMS = 20


class Acked(NamedTuple):
    """A move that the service said was committed."""

    room: str
    seat: int
    n: int
    v: int
    do: dict[str, Any]


class Crowd:
    """Many matches at once, by clients that come back by themselves. Everything they are told is kept."""

    def __init__(self, live: Live, rooms: int = ROOMS, think: float = 0.05) -> None:
        self.live, self.rooms, self.think = live, rooms, think
        self.acked: list[Acked] = []
        self.seats: list[Seat] = []
        self.versions: dict[Seat, list[tuple[str, int]]] = {}
        self.clients: list[Client] = []

    @contextlib.asynccontextmanager
    async def seated(self) -> AsyncIterator[Crowd]:
        """Everybody sits; nobody has moved yet."""
        async with contextlib.AsyncExitStack() as stack:
            for place in range(self.rooms):
                pair = [Client(self.live.url, name=name, msgpack=place % 2 == 0) for name in ("Ana", "Bo")]
                self.clients += [await stack.enter_async_context(client) for client in pair]
                room = (await pair[0].make_room("ggltcg"))["room"]
                for client in pair:
                    seat = await client.join(room)
                    self.seats.append(seat)
                    self.versions[seat] = []
                    seat.heard.append(lambda frame, seat=seat: self._hear(seat, frame))
            yield self

    async def play(self, meanwhile: Callable[[], Any]) -> None:
        """Play all matches to their end while something happens."""
        async with asyncio.TaskGroup() as group:
            for place, seat in enumerate(self.seats):
                group.create_task(self._play(seat, Random(place)))
            group.create_task(meanwhile())

    async def moves(self, count: int) -> None:
        """Wait until so many moves were acknowledged."""
        async with asyncio.timeout(30):
            while len(self.acked) < count:
                await asyncio.sleep(0.005)

    def _hear(self, seat: Seat, frame: dict[str, Any]) -> None:
        if frame["t"] in ("snap", "delta"):
            self.versions[seat].append((frame["t"], frame["v"]))

    async def _play(self, seat: Seat, luck: Random) -> None:
        while await seat.my_turn() and not seat.over:
            await asyncio.sleep(luck.uniform(0, 2 * self.think))
            if not seat.offers:
                continue
            do, n = any_move(seat, luck), seat.n
            answer = await seat.act(do)  # an offer is always accepted, and a move sent again is the same move
            assert seat.seat is not None
            self.acked.append(Acked(seat.room, seat.seat, n, answer["v"], do))

    async def check(self) -> None:
        """Nothing acknowledged is lost or doubled, and everybody sees the table that the inputs lead to."""
        game = find_game("ggltcg")
        for first, second in zip(self.seats[::2], self.seats[1::2], strict=True):
            room = first.room
            answer = await self.live.call("GET", f"/api/rooms/{room}/replay")
            assert answer.status == 200, answer
            replay = read_replay(answer.body)
            verify(game, replay)
            assert [entry.v for entry in replay.inputs] == list(range(2, len(replay.inputs) + 2))
            for seat in (0, 1):
                numbers = [entry.n for entry in replay.inputs if entry.seat == seat and entry.do is not None]
                assert numbers == list(range(1, len(numbers) + 1)), "a move is missing or was applied twice"
            by_number = {(entry.seat, entry.n): entry for entry in replay.inputs}
            mine = [acked for acked in self.acked if acked.room == room]
            assert len({(acked.seat, acked.n) for acked in mine}) == len(mine)
            for acked in mine:
                entry = by_number[acked.seat, acked.n]
                assert (entry.v, entry.do) == (acked.v, acked.do), "an acknowledged move is not in the log"
            assert len(mine) == len(replay.inputs), "a move is in the log that nobody got an answer for"
            await self._converged(room, first, second, len(replay.inputs) + 1)

    async def _converged(self, room: str, first: Seat, second: Seat, v: int) -> None:
        for seat in (first, second):
            assert (seat.v, seat.drifts) == (v, 0)
            told = [number for _, number in self.versions[seat]]
            assert told == sorted(told), "a version came after a later one"
            newcomer = await come(self.live, session={"token": seat.client.token, "user": seat.client.user})
            assert plain((await newcomer.join(room)).view) == plain(seat.view)
            await newcomer.leave()


# the process dies


async def test_a_killed_service_has_lost_nothing_when_it_is_back(serve: Callable[..., Live]) -> None:
    live = serve()
    async with Crowd(live).seated() as crowd:

        async def kill_twice() -> None:
            for count in (60, 220):
                await crowd.moves(count)
                live.kill()
                await live.start_again()

        await crowd.play(kill_twice)
        assert sum(client.reconnects for client in crowd.clients) >= len(crowd.clients), "the fault did not happen"
        await crowd.check()


async def test_a_killed_store_comes_back_with_everything(serve: Callable[..., Live]) -> None:
    live = serve()
    async with Crowd(live, 10).seated() as crowd:

        async def kill_store() -> None:
            await crowd.moves(40)
            before = live.store_pid
            os.kill(before, signal.SIGKILL)
            async with asyncio.timeout(10):
                while live.store_pid == before:
                    await asyncio.sleep(0.02)

        await crowd.play(kill_store)
        await crowd.check()
        assert live.process is not None
        assert live.process.poll() is None
        assert (await live.call("GET", "/readyz")).status == 200


async def test_without_its_store_the_service_is_alive_but_not_ready(serve: Callable[..., Live]) -> None:
    live = serve()
    room, ana, bo = await seated(live)
    os.kill(live.store_pid, signal.SIGSTOP)
    stopped = live.store_pid
    try:
        sent = await mover(room, ana, bo).say("act", room=room, n=1, do={"type": "end_turn"})
        assert (await live.call("GET", "/healthz")).status == 200
        assert (await ana.ask("ping", c=1))["t"] == "pong"
        assert not [frame for frame in (*ana.frames, *bo.frames) if frame.get("i") == sent], "told before it was kept"
        assert ana.boards[room].v == bo.boards[room].v == 1
    finally:
        os.kill(stopped, signal.SIGCONT)
    assert (await mover(room, ana, bo).answer(sent))["t"] == "ok"
    await ana.until(lambda: ana.boards[room].v == 2)


async def test_a_service_that_slept_longer_than_its_lease_goes_on(serve: Callable[..., Live]) -> None:
    live = serve()
    async with Crowd(live, 8).seated() as crowd:

        async def sleep() -> None:
            await crowd.moves(40)
            os.kill(live.pid, signal.SIGSTOP)
            await asyncio.sleep(2.5)  # more than the lease
            os.kill(live.pid, signal.SIGCONT)

        await crowd.play(sleep)
        await crowd.check()


async def test_a_room_that_changed_hands_goes_on_without_showing_everything_anew(serve: Callable[..., Live]) -> None:
    """Another owner had the room for a moment; whoever follows it notices nothing but a new epoch."""
    live = serve()
    room, ana, bo = await seated(live)
    cy = await come(live, "Cy")
    await cy.join(room, as_="watch")
    mirror = await again(ana)
    await mirror.join(room)
    await ana.until(lambda: ana.boards[room].mirror)
    player = {0: mirror, 1: bo}[0 if mirror.boards[room].offers else 1]
    assert (await player.act(room, {"type": "end_turn"}))["t"] == "ok"
    people = (ana, mirror, bo, cy)
    await reached(room, 2, *people)
    before = {person: (person.boards[room].snaps, person.boards[room].epoch) for person in people}
    meta = keys_of(room).meta
    with live.store() as store:
        old = store.hget(meta, "ep")
        store.hset(meta, mapping={"own": "somebody.else", "ep": int(old) + 1})
        async with asyncio.timeout(10):
            while store.hget(meta, "own") == b"somebody.else":
                await asyncio.sleep(0.02)
        assert store.hget(meta, "ep") != old
    other = bo if player is mirror else mirror
    answer = await _insist(other, room)
    for person in people:
        await person.until(lambda person=person: person.boards[room].v == answer["v"])
        assert person.boards[room].epoch != before[person][1], "a new owner writes under a new epoch"
    late = await ana.ask("act", room=room, n=ana.boards[room].n, do={"type": "end_turn"})
    assert late.get("code") == "elsewhere", "a mirror took the seat back by itself"
    assert {person: person.boards[room].snaps for person in people} == {
        person: snaps for person, (snaps, _) in before.items()
    }, "a change of owner alone forced everything on everybody"


async def _insist(person: Any, room: str) -> dict[str, Any]:
    """Move, and send again for as long as that is what the service asks for."""
    async with asyncio.timeout(10):
        while (answer := await person.act(room, {"type": "end_turn"}))["t"] == "err":
            assert answer["retry"], answer
            await asyncio.sleep(0.05)
    return answer


async def test_rooms_that_wait_for_players_survive_too(serve: Callable[..., Live]) -> None:
    live = serve()
    ana = await come(live, "Ana")
    made = await make_room(ana, deck="Classic", options={"turn_limit": 30})
    live.kill()
    await live.start_again()
    back, bo = await again(ana), await come(live, "Bo")
    assert [seat["room"] for seat in back.frames[0]["seats"]] == [made["room"]]
    assert (await bo.join(code=made["code"])).seat == 1
    assert (await back.join(made["room"])).seat == 0
    await bo.until(lambda: bo.boards[made["room"]].v == 1)
    assert bo.boards[made["room"]].view["options"]["turn_limit"] == 30
    assert bo.boards[made["room"]].view["seats"]["0"]["deck"] == list(find_game("ggltcg").decks["Classic"])


async def test_a_bot_goes_on_after_its_service_was_killed(serve: Callable[..., Live]) -> None:
    live = serve()
    async with Client(live.url, name="Ana") as ana:
        made = await ana.make_room("ggltcg", seats=["me", "bot:random"])
        seat = await ana.join(made["room"])
        luck = Random(4)
        while seat.v < 6 and not seat.over:
            await seat.my_turn()
            if seat.offers:
                await seat.act(any_move(seat, luck))
        live.kill()
        await live.start_again()
        async with asyncio.timeout(20):
            while await seat.my_turn() and not seat.over:
                with contextlib.suppress(Rejected):
                    await seat.act(any_move(seat, luck))
        assert seat.over


async def test_what_is_offered_no_more_is_taken_away_after_a_restart(serve: Callable[..., Live]) -> None:
    live = serve()
    room, ana, bo = await seated(live)
    live.kill()
    await live.start_again()
    people = [await again(ana), await again(bo)]
    for person in people:
        await person.join(room)
    for _ in range(3):
        answer = await mover(room, *people).act(room, {"type": "end_turn"})
        assert answer["t"] == "ok", answer
        await reached(room, answer["v"], *people)
        assert sorted(bool(person.boards[room].offers) for person in people) == [False, True]
        for person in people:
            newcomer = await again(person)
            person.boards[room].same(await newcomer.join(room))
            await newcomer.leave()
            await person.join(room)


async def test_a_hello_is_good_after_the_service_was_killed(serve: Callable[..., Live]) -> None:
    live = serve()
    ana = await come(live, "Ana")
    live.kill()
    assert await ana.ending() == 1006
    await live.start_again()
    assert (await again(ana)).frames[0]["user"] == ana.user


# the store's own view of it


async def test_a_replay_and_the_store_agree(serve: Callable[..., Live]) -> None:
    live = serve()
    room, ana, _ = await seated(live)
    await ana.ask("resign", room=room)
    await ana.until(lambda: ana.boards[room].over)
    replay = read_replay((await live.call("GET", f"/api/rooms/{room}/replay")).body)
    truth = live.truth(room)
    assert [entry["v"] for entry in truth.inputs] == [entry.v for entry in replay.inputs]
    assert truth.tables()[1].seed.hex() == replay.seed
    assert plain(msgspec.to_builtins(replay.result)) == plain(ana.boards[room].view["result"])
    with live.store() as store:
        assert int(store.hget(keys_of(room).meta, "st")) == 2

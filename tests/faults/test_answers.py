"""Every command gets its one answer, whatever breaks between a room and its store."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

from rooms.keys import keys_of
from tests.fault_proxy import FaultProxy, Way
from tests.faults.stack import stacked, traces
from tests.live.people import Person, again, come, dial, make_room, mover, seated
from tests.live.serving import PATIENCE


class CutAtWord(FaultProxy):
    """Breaks the connection as soon as somebody asks for something that contains a word; so many times."""

    word, times, cuts = b"", 0, 0

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: Way) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(65536):
                if way == "requests" and self.times and self.word in piece:
                    self.times -= 1
                    self.cuts += 1
                    self.cut()
                    break
                writer.write(piece)
                await writer.drain()
        self._writers.discard(writer)
        writer.close()


async def _answers(*asked: tuple[Person, str]) -> list[dict[str, Any]]:
    return [await person.answer(i) for person, i in asked]


async def test_what_waits_behind_a_commit_of_a_room_that_is_lost_is_answered(tmp_path: Path) -> None:
    """While a commit was on its way the room got another owner: neither it nor anything behind it may hang."""
    async with stacked(tmp_path) as live:
        room, ana, bo = await seated(live)
        cy, di = await come(live, "Cy"), await come(live, "Di")
        player = mover(room, ana, bo)
        live.wire.freeze()
        asked = [(player, await player.say("act", room=room, n=1, do={"type": "end_turn"}))]
        await asyncio.sleep(0.05)
        asked += [
            (ana, await ana.say("say", room=room, text="hello")),
            (player, await player.say("act", room=room, n=1, do={"type": "end_turn"})),
            (bo, await bo.say("say", room=room, text="hello")),
            (ana, await ana.say("act", room=room, n=1, do={"type": "end_turn"})),
            (bo, await bo.say("act", room=room, n=1, do={"type": "end_turn"})),
            (cy, await cy.say("join", room=room, as_="watch")),
            (di, await di.say("join", room=room)),
        ]
        await asyncio.sleep(0.05)
        with live.store() as store:
            meta = keys_of(room).meta
            store.hset(meta, mapping={"own": "", "ep": int(store.hget(meta, "ep")) + 1, "exp": 1})
        live.wire.thaw()
        found = await _answers(*asked)
        assert found[0]["t"] == "ok" or found[0]["retry"], "the fault did not happen"
        assert await live.commits("fenced") >= 1, "the fault did not happen"


async def test_a_link_that_breaks_while_a_room_is_opened_leaves_nobody_without_an_answer(tmp_path: Path) -> None:
    async with stacked(tmp_path, CutAtWord) as live:
        wire = live.wire
        assert isinstance(wire, CutAtWord)
        room, ana, bo = await seated(live)
        live.kill()
        wire.word, wire.times = b"HVALS\r\n$%d\r\n" % len(keys_of(room).view("0")), 1  # right after the claim
        await live.start_again()
        back = [await dial(live, session={"token": person.token, "user": person.user}) for person in (ana, bo)]
        for person in back:
            assert (await person.ask("hello", token=person.token, proto=[1, 1]))["t"] == "welcome"
        answer = await back[0].ask("join", room=room)
        assert wire.cuts == 1, "the fault did not happen"
        assert answer["t"] == "ok" or answer["retry"], answer
        assert (await back[1].ask("join", room=room))["t"] == "ok"
        assert not traces(live), traces(live)


async def test_those_who_follow_a_room_find_it_again_though_the_link_breaks_meanwhile(tmp_path: Path) -> None:
    async with stacked(tmp_path, CutAtWord) as live:
        wire = live.wire
        assert isinstance(wire, CutAtWord)
        room, ana, bo = await seated(live)
        player = mover(room, ana, bo)
        with live.store() as store:
            meta = keys_of(room).meta
            store.hset(meta, mapping={"own": "", "ep": int(store.hget(meta, "ep")) + 1, "exp": 1})
        wire.word, wire.times = b"HVALS", 1
        async with asyncio.timeout(PATIENCE):
            while (answer := await player.ask("act", room=room, n=1, do={"type": "end_turn"}))["t"] == "err":
                assert answer["retry"], answer
                await asyncio.sleep(0.1)
        assert wire.cuts == 1, "the fault did not happen"
        for person in (ana, bo):
            await person.until(lambda person=person: person.boards[room].v >= 2)


async def test_a_join_that_is_sent_twice_at_once_is_one_place_at_the_table(tmp_path: Path) -> None:
    """A client that was cut off sends again what has no answer, perhaps while the first is still being looked at."""
    async with stacked(tmp_path) as live:
        ana, bo = await come(live, "Ana"), await come(live, "Bo")
        room = (await make_room(ana))["room"]
        live.wire.freeze()  # nobody has the room yet, so it takes a moment to open it
        asked = [(ana, await ana.say("join", room=room)) for _ in range(2)]
        await asyncio.sleep(0.2)
        live.wire.thaw()
        assert [answer["t"] for answer in await _answers(*asked)] == ["ok", "ok"]
        await bo.join(room)
        await ana.until(lambda: ana.boards[room].v == 1)
        await asyncio.sleep(0.2)
        assert [frame["v"] for frame in ana.frames if frame["t"] == "delta"] == [1], "the deal was told twice"
        assert ana.wrong is None, ana.wrong
        assert not ana.boards[room].mirror, "a window cannot be its own mirror"
        assert (await mover(room, ana, bo).act(room, {"type": "end_turn"}))["t"] == "ok"


async def test_without_a_store_hello_join_and_requests_are_still_answered(tmp_path: Path) -> None:
    """Longer than anybody of ours waits for the store."""
    async with stacked(tmp_path) as live:
        ana = await come(live, "Ana")
        made = await make_room(ana)
        session = {"token": ana.token, "user": ana.user}
        live.wire.freeze()
        late = await dial(live, session=session)
        asked = [
            (late, await late.say("hello", token=ana.token, proto=[1, 1])),
            (ana, await ana.say("join", code=made["code"])),
        ]
        async with asyncio.timeout(25):
            for person, i in asked:
                await person.until(lambda p=person, i=i: any(f.get("i") == i for f in p.frames) or p.code, 20)
        answer = await _http(live, ana.token)
        assert answer in (201, 503), answer
        live.wire.thaw()
        assert (await (await again(ana)).ask("join", room=made["room"]))["t"] == "ok"
        assert not traces(live), traces(live)


async def _http(live: Any, token: str) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(live.netloc.rpartition(":")[2]))
    body = b'{"game":"ggltcg"}'
    head = f"POST /api/rooms HTTP/1.1\r\nHost: {live.netloc}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n"
    writer.write(head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    async with asyncio.timeout(20):
        line = await reader.readline()
    writer.close()
    return int(line.split()[1])

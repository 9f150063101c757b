"""How connections end, and how the service does."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import time
from collections.abc import Callable

import msgspec
import pytest
from websockets.exceptions import InvalidStatus

from tests.live.people import Person, again, come, dial, make_room, seated
from tests.live.serving import PATIENCE, Live
from tests.server.peers import BINARY, CLOSE, CONT, PING, TEXT, Peer, frame

GARBAGE = ["", "{", "null", "[]", "7", '"hello"', "{}", '{"t":"ping"}', '{"t":7,"i":"x"}', '{"i":"x"}', "[" * 2000]


# our own codes


@pytest.mark.parametrize("data", [*GARBAGE, '{"t":"ping","i":""}', '{"t":"ping","i":"' + "x" * 33 + '"}'])
async def test_the_third_frame_that_cannot_be_read_closes(live: Live, data: str) -> None:
    ana = await come(live)
    for count in (1, 2):
        await ana.send(data)
        await ana.until(lambda count=count: [f["t"] for f in ana.frames].count("err") == count)
        err = ana.frames[-1]
        assert err["code"] == "bad_frame"
        assert err["text"]
        assert err["retry"] is False
    assert (await ana.ask("ping", c=1))["t"] == "pong"
    await ana.send(data)
    assert await ana.ending() == 4400


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x92\x01", b"\x93" * 3000, msgspec.msgpack.encode({"t": "ping"})])
async def test_the_same_in_messagepack(live: Live, data: bytes) -> None:
    ana = await come(live, msgpack=True)
    for _ in range(3):
        await ana.send(data)
    assert await ana.ending() == 4400
    assert [f["code"] for f in ana.frames if f["t"] == "err"] == ["bad_frame"] * 2


async def test_a_frame_in_the_other_encoding_is_a_breach(live: Live) -> None:
    ana, bo = await come(live), await come(live, msgpack=True)
    for _ in range(3):
        await ana.send(msgspec.msgpack.encode({"t": "ping", "i": "1", "c": 1}))
        await bo.send('{"t":"ping","i":"1","c":1}')
    assert (await ana.ending(), await bo.ending()) == (4400, 4400)


async def test_a_long_frame_is_a_breach(live: Live) -> None:
    ana = await come(live)
    for _ in range(3):
        await ana.send('{"t":"ping","i":"1","c":"' + "x" * 8200 + '"}')
    assert await ana.ending() == 4400
    assert [frame["t"] for frame in ana.frames].count("err") == 2


async def test_an_illegal_move_is_no_breach(live: Live) -> None:
    room, ana, _ = await seated(live)
    for n in range(12):
        assert (await ana.ask("act", room=room, n=n + 5, do={"type": "nap"}))["t"] == "err"
        assert (await ana.ask("dance"))["t"] == "err"
    assert ana.code is None


async def test_a_page_of_another_site_may_not_connect(serve: Callable[..., Live]) -> None:
    live = serve(origins="https://cards.example")
    for origin in ("https://evil.example", "null", f"http://{live.netloc}.evil.example"):
        with pytest.raises(InvalidStatus) as refused:
            await dial(live, origin=origin)
        assert refused.value.response.status_code == 403
    for origin in (f"http://{live.netloc}", "https://cards.example", None):
        person = await dial(live, origin=origin)
        await person.leave()


async def test_too_many_windows_of_one_user(serve: Callable[..., Live]) -> None:
    live = serve(sockets_per_user=3)
    ana = await come(live)
    windows = [ana, await again(ana), await again(ana)]
    fourth = await dial(live)
    err = await fourth.ask("hello", token=ana.token, proto=[1, 1])
    assert (err["t"], err["code"]) == ("err", "too_many")
    assert await fourth.ending() == 4409
    await windows[1].leave()
    await _until(lambda: again(ana))


async def test_a_flood_is_refused_and_then_shown_out(serve: Callable[..., Live]) -> None:
    live = serve(player_commands=50, command_seconds=1, command_burst=3)
    ana, bo = await come(live), await come(live)
    line = msgspec.json.encode({"t": "ping", "i": "x", "c": "x" * 500}).decode()
    flood = asyncio.create_task(_flood(ana, line))
    try:
        assert await ana.ending(10) == 4429
    finally:
        flood.cancel()
    bye = ana.frames[-1]
    assert (bye["t"], bye["code"]) == ("bye", 4429)  # which says when to come back
    assert bye["after"] > 0
    assert [f["code"] for f in ana.frames if f["t"] == "err"] == ["too_fast"] * 2
    assert all(f["retry"] for f in ana.frames if f["t"] == "err")
    assert (await bo.ask("ping", c=1))["t"] == "pong"


async def _flood(person: Person, line: str) -> None:
    while person.code is None:
        await person.send(line)


async def test_a_fast_player_is_only_slowed(serve: Callable[..., Live]) -> None:
    live = serve(player_commands=100, command_seconds=5, command_burst=5)
    ana = await come(live)
    sent = [await ana.say("ping", c=n) for n in range(30)]
    began = time.monotonic()
    for i in sent:
        assert (await ana.answer(i))["t"] == "pong"
    assert time.monotonic() - began > 0.5
    assert ana.code is None


async def test_who_only_watches_is_slowed_sooner(serve: Callable[..., Live]) -> None:
    live = serve(watcher_commands=1, command_seconds=3600, command_burst=10_000)
    room, ana, _ = await seated(live)
    cy = await come(live)
    await cy.join(room, as_="watch")
    first, second = [await cy.say("ping", c=n) for n in range(2)]
    assert (await cy.answer(first))["t"] == "pong"
    assert (await ana.ask("ping", c=1))["t"] == "pong"
    assert second not in {frame.get("i") for frame in cy.frames}  # the one before cost all they had
    assert cy.code is None


async def test_a_peer_that_does_not_read_is_cut_off_and_nobody_else_notices(serve: Callable[..., Live]) -> None:
    live = serve(stall_seconds=0.5, outbox_frames=4, outbox_bytes=4096)
    room, ana, bo = await seated(live)
    session = await live.session("Cy")
    plug = _dial_raw(live)
    peer = Peer(plug, "/ws")
    peer.send(msgspec.json.encode({"t": "hello", "i": "1", "token": session["token"], "proto": [1, 1]}))
    join = msgspec.json.encode({"t": "join", "i": "2", "room": room, "as": "watch"})
    cut = await asyncio.to_thread(_ask_without_reading, peer, join)
    assert cut, "it was never cut off"
    assert (await ana.ask("ping", c=1))["t"] == "pong"
    assert (await bo.ask("say", room=room, text="still here"))["t"] == "ok"
    await bo.until(lambda: bo.boards[room].presence["watchers"] == 0)
    assert await live.number("upcard_outbox_collapses_total") >= 1


def _dial_raw(live: Live) -> socket.socket:
    plug = socket.socket()
    plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plug.settimeout(PATIENCE)
    host, _, port = live.netloc.rpartition(":")
    plug.connect((host, int(port)))
    return plug


def _ask_without_reading(peer: Peer, line: bytes) -> bool:
    """Ask for more and more and take nothing; whether that came to an end."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            for _ in range(50):
                peer.send(line)
            time.sleep(0.01)
        except OSError:
            return True
    return False


async def test_a_peer_that_was_slow_for_a_moment_is_shown_everything_once(serve: Callable[..., Live]) -> None:
    live = serve(outbox_frames=4, outbox_bytes=4096, stall_seconds=10)
    room, ana, bo = await seated(live)
    session = await live.session("Cy")
    peer = Peer(_dial_raw(live), "/ws")
    peer.send(msgspec.json.encode({"t": "hello", "i": "1", "token": session["token"], "proto": [1, 1]}))
    join = msgspec.json.encode({"t": "join", "i": "2", "room": room, "as": "watch"})

    async def until_full() -> None:
        while await live.number("upcard_outbox_collapses_total") < 1:
            await asyncio.to_thread(lambda: [peer.send(join) for _ in range(20)])

    await asyncio.wait_for(until_full(), PATIENCE)
    v = 1
    for _ in range(3):
        person = ana if ana.boards[room].offers else bo
        v = (await person.act(room, {"type": "end_turn"}))["v"]
        await ana.until(lambda v=v: ana.boards[room].v == v)
        await bo.until(lambda v=v: bo.boards[room].v == v)
    newest = await asyncio.to_thread(_read_until, peer, v)
    cy = await come(live, "Di")
    board = await cy.join(room, as_="watch")
    assert newest == board.view
    peer.hang_up()


async def test_a_peer_that_was_slow_still_gets_every_answer(serve: Callable[..., Live]) -> None:
    """What is left out for a slow peer is news that a snap makes up for; answers are made up for by nothing."""
    live = serve(outbox_frames=4, outbox_bytes=4096, stall_seconds=10)
    room, _, _ = await seated(live)
    session = await live.session("Cy")
    peer = Peer(_dial_raw(live), "/ws")
    peer.send(msgspec.json.encode({"t": "hello", "i": "hello", "token": session["token"], "proto": [1, 1]}))
    sent: list[str] = []

    def ask_more() -> None:
        for _ in range(20):
            sent.append(f"join{len(sent)}")
            peer.send(msgspec.json.encode({"t": "join", "i": sent[-1], "room": room, "as": "watch"}))

    async def until_full() -> None:
        while await live.number("upcard_outbox_collapses_total") < 1:
            await asyncio.to_thread(ask_more)

    await asyncio.wait_for(until_full(), PATIENCE)

    def answers() -> list[str]:
        """Everything that still comes, until it is quiet."""
        found: list[str] = []
        peer.plug.settimeout(1.5)
        with contextlib.suppress(TimeoutError):
            while got := peer.read():
                if got.opcode == TEXT and (i := msgspec.json.decode(got.data).get("i")):
                    found.append(i)
        return found

    found = await asyncio.to_thread(answers)
    peer.hang_up()
    assert [i for i in sent if found.count(i) != 1] == []


def _read_until(peer: Peer, v: int) -> dict[str, object]:
    """Read on until this version has been shown as a whole."""
    while True:
        got = peer.read()
        if got.opcode == TEXT:
            heard = msgspec.json.decode(got.data)
            if heard["t"] == "snap" and heard["v"] == v:
                view: dict[str, object] = heard["view"]
                return view


# the transport's own


ODD = {
    "not UTF-8": (frame(b"\xff\xfe", TEXT), 1007),
    "too long": (frame(b"x" * 16385, TEXT), 1009),
    "too long in parts": (frame(b"x" * 10000, TEXT, fin=False) + frame(b"x" * 10000, CONT), 1009),
    "said to be huge": (b"\x81\xff" + (2**62).to_bytes(8, "big") + b"1234", 1009),
    "without a mask": (frame(b"hi", TEXT, mask=False), 1002),
    "a reserved bit": (frame(b"hi", TEXT, rsv=4), 1002),
    "no such opcode": (frame(b"hi", 3), 1002),
    "a part of nothing": (frame(b"hi", CONT), 1002),
    "a long ping": (frame(b"x" * 126, PING), 1002),
    "half a close": (frame(b"x", CLOSE), 1002),
}


@pytest.mark.parametrize("odd", ODD)
async def test_what_breaks_the_rules_of_the_wire(live: Live, odd: str) -> None:
    data, code = ODD[odd]

    def broken() -> int:
        peer = Peer(_dial_raw(live), "/ws")
        peer.plug.sendall(data)
        return peer.close_code()

    assert await asyncio.to_thread(broken) == code
    ana = await come(live)
    assert (await ana.ask("ping", c=1))["t"] == "pong"


async def test_binary_garbage_on_many_connections_leaves_the_service_whole(live: Live) -> None:
    def throw(seed: int) -> None:
        peer = Peer(_dial_raw(live), "/ws")
        try:
            for size in (1, 125, 126, 4000):
                peer.plug.sendall(frame(os.urandom(size), BINARY if seed % 2 else TEXT))
            peer.plug.sendall(os.urandom(200))
            while peer.read():
                pass
        except (EOFError, OSError):
            peer.hang_up()

    await asyncio.gather(*(asyncio.to_thread(throw, seed) for seed in range(60)))
    ana = await come(live)
    assert (await ana.ask("ping", c=1))["t"] == "pong"
    assert "Traceback" not in live.said()


# the end of the service


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
async def test_a_lone_service_says_goodbye_and_is_gone_within_a_second(serve: Callable[..., Live], sign: int) -> None:
    live = serve()
    room, ana, bo = await seated(live)
    idle = await dial(live)
    cy = await come(live, "Cy", msgpack=True)
    await cy.join(room, as_="watch")
    pids = (live.pid, live.store_pid)
    began = time.monotonic()
    os.kill(live.pid, sign)
    for person in (ana, bo, cy, idle):
        assert await person.ending(3) == 4503
        bye = person.frames[-1]
        assert (bye["t"], bye["code"]) == ("bye", 4503)
        assert bye["after"] >= 0
    assert live.process is not None
    assert await asyncio.to_thread(live.process.wait, 5) == 0
    assert time.monotonic() - began < 3, "a lone service is expected to be gone after about a second"
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


async def test_a_service_that_nobody_uses_stops_at_once(serve: Callable[..., Live]) -> None:
    live = serve()
    began = time.monotonic()
    assert await asyncio.to_thread(live.stop) == 0
    assert time.monotonic() - began < 3


async def test_a_stopped_service_goes_on_where_it_was(serve: Callable[..., Live]) -> None:
    live = serve()
    room, ana, bo = await seated(live)
    person = ana if ana.boards[room].offers else bo
    await person.act(room, {"type": "end_turn"})
    waiting = (await make_room(ana))["room"]
    await asyncio.to_thread(live.stop)
    await live.start_again()
    back = await again(ana)
    assert sorted(seat["room"] for seat in back.frames[0]["seats"]) == sorted([room, waiting])
    board = await back.join(room)
    assert board.v == 2
    assert board.seat == 0
    assert (await back.join(waiting)).v == 0


async def test_two_services_on_one_folder_are_one_too_many(serve: Callable[..., Live]) -> None:
    live = serve()
    second = Live(live.folder)
    with pytest.raises(AssertionError, match="already uses"):
        second.start()
    assert (await live.call("GET", "/readyz")).status == 200


async def _until(attempt: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            await attempt()  # type: ignore[misc]
            return
        except AssertionError:
            if time.monotonic() > end:
                raise
            await asyncio.sleep(0.05)

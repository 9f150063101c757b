"""Thousands of frames that are none: each gets the answer that the protocol promises, and the service stays whole."""

from __future__ import annotations

import asyncio
import contextlib
import os
import struct
import time
from collections import Counter
from collections.abc import Callable
from random import Random

import msgspec
import pytest

from tests.faults.stack import memory, traces
from tests.faults.test_slow_peers import dial, hear, say
from tests.live.people import come, seated
from tests.live.people import dial as connect
from tests.live.serving import Live
from tests.server.peers import BINARY, CLOSE, CONT, PING, TEXT, Peer, frame

REPEATS = 60
DEEP = b'{"t":"act","i":"x","room":"r","n":1,"do":{"a":' + b"[" * 3000 + b"]" * 3000 + b"}}"

WIRE = {  # what breaks the rules of the wire, and the code that it is closed with
    "bad utf-8": ([frame(b"\xff\xfe\xfd")], 1007),
    "unmasked": ([frame(b"{}", mask=False)], 1002),
    "reserved bit": ([frame(b"{}", rsv=4)], 1002),
    "unknown opcode": ([frame(b"{}", opcode=5)], 1002),
    "a part without a beginning": ([frame(b"{}", opcode=CONT)], 1002),
    "a message inside another": ([frame(b"{", fin=False), frame(b"{}")], 1002),
    "a long ping": ([frame(b"x" * 126, opcode=PING)], 1002),
    "a ping in parts": ([frame(b"x", opcode=PING, fin=False)], 1002),
    "half a close code": ([frame(b"\x03", opcode=CLOSE)], 1002),
    "a close code that cannot be": ([frame(struct.pack("!H", 1005), opcode=CLOSE)], 1002),
    "too long": ([frame(b"x" * (16384 + 1))], 1009),
    "too long in parts": ([frame(b"x" * 10240, fin=False), frame(b"x" * 10240, opcode=CONT)], 1009),
    "a length that nobody has": ([b"\x81\xff" + struct.pack("!Q", 1 << 62) + b"abcd"], 1009),
}
BREACHES = {  # what is a frame, and no command: two are answered, the third closes
    "empty": b"",
    "no json": b"{",
    "a number": b"7",
    "nothing": b"null",
    "a list": b"[]",
    "a hundred thousand brackets, as far as they go": b"[" * 8000,
    "no kind": b'{"i":"x"}',
    "no i": b'{"t":"ping"}',
    "a kind that is a number": b'{"t":7,"i":"x"}',
    "nan": b'{"t":"ping","i":"x","c":NaN}',
    "binary where text was agreed": b"",
    "longer than is listened to": b'{"t":"ping","i":"x","c":"' + b"x" * 9000 + b'"}',
    "deep": DEEP,
}
REFUSED = {  # what is a command that cannot be: always answered, never a breach
    "wrong type": ({"t": "act", "i": "x", "room": 7, "n": 1, "do": {}}, "bad_command"),
    "no room": ({"t": "act", "i": "x", "n": 1, "do": {}}, "bad_command"),
    "a number that is none": ({"t": "act", "i": "x", "room": "r", "n": -1, "do": {}}, "bad_command"),
    "a huge number": ({"t": "act", "i": "x", "room": "r", "n": 10**30, "do": {}}, "bad_command"),
    "a long room": ({"t": "leave", "i": "x", "room": "r" * 65}, "bad_command"),
    "an unknown way to join": ({"t": "join", "i": "x", "room": "r", "as": "king"}, "bad_command"),
    "no such room": ({"t": "join", "i": "x", "room": "nowhere"}, "no_room"),
    "neither room nor code": ({"t": "join", "i": "x"}, "bad_command"),
    "hello again": ({"t": "hello", "i": "x", "token": "x", "proto": [1, 1]}, "hello_twice"),
    "not joined": ({"t": "act", "i": "x", "room": "r", "n": 1, "do": {"type": "end_turn"}}, "not_joined"),
    "an empty text": ({"t": "say", "i": "x", "room": "r", "text": ""}, "bad_command"),
}


async def test_thousands_of_malformed_frames_leave_the_service_whole(serve: Callable[..., Live]) -> None:
    live = serve()
    token = (await live.session("Mal"))["token"]
    room, ana, bo = await seated(live)
    await asyncio.to_thread(_break_the_wire, live, token, 2)  # the first ones fill caches
    before, began = memory(live), time.monotonic()
    closed = await asyncio.to_thread(_break_the_wire, live, token, REPEATS)
    breaches = await asyncio.to_thread(_breaches, live, token, 25)
    refused = await asyncio.to_thread(_refusals, live, token, 150)
    noise = await asyncio.to_thread(_noise, live, 300)
    assert closed == {name: {code: REPEATS} for name, (_, code) in WIRE.items()}
    assert breaches == {name: {4400: 25} for name in BREACHES}
    assert refused == {name: {code: 150} for name, (_, code) in REFUSED.items()}
    assert noise["open"] == 0, noise
    assert time.monotonic() - began < 60
    sent = 2 * len(WIRE) * REPEATS + 3 * 25 * len(BREACHES) + 150 * len(REFUSED) + 300
    assert sent > 3000
    assert memory(live) - before < 20 << 20, f"grew by {(memory(live) - before) >> 20} MiB"
    assert not traces(live), traces(live)[:5]
    assert (live.folder / "log").read_text().count("\n") < sent / 20, "a stranger can fill the log"
    mover = ana if ana.boards[room].offers else bo
    assert (await mover.act(room, {"type": "end_turn"}))["t"] == "ok"


def _greeted(live: Live, token: str) -> Peer:
    peer = dial(live)
    say(peer, "hello", token=token, proto=[1, 1])
    assert hear(peer, "hello")["t"] == "welcome"
    return peer


def _break_the_wire(live: Live, token: str, repeats: int) -> dict[str, dict[int, int]]:
    found: dict[str, Counter[int]] = {}
    for name, (frames, _) in WIRE.items():
        codes = found[name] = Counter()
        for place in range(repeats):
            peer = _greeted(live, token) if place % 10 == 0 else dial(live)
            for data in frames:
                peer.plug.sendall(data)
            codes[peer.close_code()] += 1
            peer.hang_up()
    return {name: dict(codes) for name, codes in found.items()}


def _breaches(live: Live, token: str, repeats: int) -> dict[str, dict[int, int]]:
    found: dict[str, Counter[int]] = {}
    for name, data in BREACHES.items():
        codes = found[name] = Counter()
        opcode = BINARY if name.startswith("binary") else TEXT
        for place in range(repeats):
            peer = _greeted(live, token) if place % 5 == 0 else dial(live)
            for _ in range(2):
                peer.send(data, opcode)
                while (got := peer.read()).opcode != TEXT:
                    pass
                answer = msgspec.json.decode(got.data)
                assert (answer["t"], answer["code"]) == ("err", "bad_frame"), f"{name}: {answer}"
            peer.send(data, opcode)
            codes[peer.close_code()] += 1
            peer.hang_up()
    return {name: dict(codes) for name, codes in found.items()}


def _refusals(live: Live, token: str, repeats: int) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    peer = _greeted(live, token)
    for name, (command, _) in REFUSED.items():
        codes = found[name] = Counter()
        for _ in range(repeats):
            peer.send(msgspec.json.encode(command))
            answer = hear(peer, "x")
            codes[answer.get("code", answer["t"])] += 1
            assert answer["t"] != "err" or {"code", "text", "retry"} <= answer.keys()
    peer.hang_up()
    return {name: dict(codes) for name, codes in found.items()}


def _noise(live: Live, repeats: int) -> Counter[str]:
    """Random bytes after a good handshake: every connection comes to an end, by its own fault or by ours."""
    found: Counter[str] = Counter()
    luck = Random(7)
    for _ in range(repeats):
        peer = dial(live)
        with contextlib.suppress(OSError):
            peer.plug.sendall(os.urandom(luck.randint(1, 3000)))
            peer.plug.shutdown(1)
        try:
            peer.plug.settimeout(15)
            peer.close_code()
            found["closed"] += 1
        except (EOFError, ConnectionError):
            found["cut"] += 1
        except TimeoutError:
            found["open"] += 1
        peer.hang_up()
    return found


@pytest.mark.parametrize("binary", [False, True])
async def test_a_kind_of_command_that_is_not_known_is_told_from_one_that_is_wrong(
    serve: Callable[..., Live], binary: bool
) -> None:
    person = await come(serve(), msgpack=binary)
    assert (await person.ask("dance"))["code"] == "unknown_command"
    assert (await person.ask("leave", room=7))["code"] == "bad_command"


@pytest.mark.parametrize("binary", [False, True])
async def test_moves_of_impossible_shapes_are_refused(serve: Callable[..., Live], binary: bool) -> None:
    live = serve()
    room, ana, bo = await seated(live, msgpack=(binary, binary))
    mover = ana if ana.boards[room].offers else bo
    odd = [
        {},
        {"type": None},
        {"type": 7},
        {"type": "end_turn", "card": 2**64 - 1},
        {"type": "end_turn", "more": {"a": [1, {"b": None}]}},
        {"type": "play", "card": -1},
        {"type": "play", "card": [1] * 500},
        {"type": "play", "card": {"x": "y"}},
        {"type": "play", "card": 1.5},
        {"type": "play", "card": float("inf") if binary else 1e308},
        {"type": "x" * 5000},
        {"": ""},
    ]
    if binary:
        odd += [{"type": b"\x00\xff"}, {"type": "play", "card": msgspec.msgpack.Ext(5, b"x")}]
    for do in odd:
        answer = await mover.ask("act", room=room, n=1, do=do)
        assert answer["t"] == "err", f"{do} gave {answer}"
        assert answer["code"] != "our_fault", f"{do} gave {answer}"
    assert (await mover.act(room, {"type": "end_turn"}))["t"] == "ok"
    assert not traces(live), traces(live)


async def test_an_origin_that_is_no_address_leaves_no_trace(serve: Callable[..., Live]) -> None:
    live = serve()
    for origin in ("http://[", "http://[::1", "null", "\x7f", "http://\u2100"):
        with contextlib.suppress(Exception):
            person = await connect(live, additional_headers={"Origin": origin})
            await person.leave()
    assert (await come(live)).code is None
    assert not traces(live), traces(live)


async def test_a_body_of_brackets_leaves_no_trace(serve: Callable[..., Live]) -> None:
    live = serve()
    token = (await live.session())["token"]
    raw = b'{"game":"ggltcg","options":{"a":' + b"[" * 20000 + b"]" * 20000 + b"}}"
    answer = await live.call("POST", "/api/rooms", token=token, raw=raw)
    assert answer.status == 400, answer
    assert answer.json["code"] == "bad_request"
    assert not traces(live), traces(live)

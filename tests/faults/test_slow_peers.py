"""Peers that stop reading: they are cut off within bounds, and nobody else notices."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable
from typing import Any

import msgspec

from tests.faults.crowd import Crowd
from tests.faults.stack import memory, traces
from tests.live.people import come, seated
from tests.live.serving import Live
from tests.server.peers import PATIENCE, TEXT, Peer

SLOW = 20
LINE = "x" * 190


def dial(live: Live, receive_buffer: int = 0) -> Peer:
    """A bare socket that has been let in."""
    plug = socket.socket()
    if receive_buffer:
        plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    plug.settimeout(PATIENCE)
    host, _, port = live.netloc.rpartition(":")
    plug.connect((host, int(port)))
    peer = Peer(plug, "/ws")
    assert peer.status == 101, peer.head
    return peer


def say(peer: Peer, t: str, **fields: Any) -> None:
    peer.send(msgspec.json.encode({"t": t, "i": t, **fields}))


def hear(peer: Peer, i: str) -> dict[str, Any]:
    """Read on until this is answered."""
    while True:
        got = peer.read()
        if got.opcode == TEXT and (frame := msgspec.json.decode(got.data)).get("i") == i:
            found: dict[str, Any] = frame
            return found


async def test_those_who_do_not_read_are_cut_off_and_the_others_play_on(serve: Callable[..., Live]) -> None:
    live = serve(stall_seconds=1.0)
    room, ana, bo = await seated(live)
    sessions = [await live.session("Slow") for _ in range(SLOW)]

    def come_slowly(token: str) -> Peer:
        peer = dial(live, 4096)
        say(peer, "hello", token=token, proto=[1, 1])
        hear(peer, "hello")
        say(peer, "join", room=room, **{"as": "watch"})
        assert hear(peer, "join")["t"] == "ok"
        return peer

    slow = [await asyncio.to_thread(come_slowly, session["token"]) for session in sessions]
    try:
        async with Crowd(live, pairs=8).playing() as crowd:
            await crowd.moves(50)
            alone = crowd.longest
            crowd.longest = 0.0
            before, began = memory(live), time.monotonic()
            peak = before
            while ana.boards[room].presence.get("watchers", SLOW) > 0 and time.monotonic() - began < 30:
                for _ in range(20):
                    await ana.say("say", room=room, text=LINE)
                    await bo.say("say", room=room, text=LINE)
                await bo.ask("ping", c=1)
                peak = max(peak, memory(live))
                await asyncio.sleep(0.02)
            took = time.monotonic() - began
            assert ana.boards[room].presence["watchers"] == 0, "somebody who does not read is still there"
            await crowd.moves(30)
        said = sum(frame["t"] == "said" for frame in bo.frames)
        assert said * len(LINE) > 200_000, "nobody was ever full"
        assert took < 25
        assert peak - before < 20 << 20, f"grew by {(peak - before) >> 20} MiB"
        assert crowd.longest < max(1.0, 10 * alone), f"others waited {crowd.longest:.2f} s"
        assert not traces(live), traces(live)
        newcomer = await come(live, "Zoe")
        assert (await newcomer.join(room, as_="watch")).v == 1
    finally:
        for peer in slow:
            with contextlib.suppress(OSError):
                peer.hang_up()

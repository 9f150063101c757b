"""Whatever a peer does, the server answers with the right code, in bounded time, and stays up."""

from __future__ import annotations

import logging
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from server.hearing import CONTROLS, FRAGMENTS
from server.listening import BODY_BYTES, HEADER_BYTES, PunctualHttp, open_door
from server.settings import BadSetting, Settings
from server.wires import Wire, binary_frame, text_frame
from tests.server.peers import BINARY, CLOSE, CONT, LOOPS, PATIENCE, PING, PONG, TEXT, House, Peer, frame, opened


@pytest.fixture(scope="module", params=LOOPS)
def house(request: pytest.FixtureRequest) -> Iterator[House]:
    patch = pytest.MonkeyPatch()
    patch.setattr(PunctualHttp, "header_seconds", 0.4)
    patch.setattr(PunctualHttp, "body_seconds", 0.4)
    with opened(request.param, stall_seconds=0.3) as house:
        yield house
    patch.undo()


HUGE = b"\x81\xff" + struct.pack("!Q", 2**62) + b"\0\0\0\0"
MALFORMED = {
    "one byte too long": (frame(b"x" * 16385), 1009),
    "far too long": (frame(b"x" * 70_000), 1009),
    "claims 2^62 bytes": (HUGE, 1009),
    "too long in parts": (frame(b"x" * 10_000, fin=False) + frame(b"x" * 10_000, CONT), 1009),
    "parts without end": (frame(fin=False) + frame(opcode=CONT, fin=False) * FRAGMENTS, 1009),
    "not UTF-8": (frame(b"\xff\xfe"), 1007),
    "not UTF-8, cut short": (frame("é".encode()[:1]), 1007),
    "not UTF-8, in parts": (frame(b"a", fin=False) + frame(b"\xff", CONT), 1007),
    "a surrogate": (frame(b"\xed\xa0\x80"), 1007),
    "a close reason that is not UTF-8": (frame(struct.pack("!H", 1000) + b"\xff", CLOSE), 1007),
    "unmasked": (frame(b"hi", mask=False), 1002),
    "RSV1": (frame(b"hi", rsv=4), 1002),
    "RSV3": (frame(b"hi", rsv=1), 1002),
    "unknown opcode": (frame(b"hi", 3), 1002),
    "unknown control opcode": (frame(b"hi", 11), 1002),
    "continuation of nothing": (frame(b"hi", CONT), 1002),
    "text inside a fragmented message": (frame(b"a", fin=False) + frame(b"b"), 1002),
    "long ping": (frame(b"x" * 126, PING), 1002),
    "long pong": (frame(b"x" * 126, PONG), 1002),
    "fragmented ping": (frame(b"x", PING, fin=False), 1002),
    "one-byte close": (frame(b"x", CLOSE), 1002),
    "close with 1005": (frame(struct.pack("!H", 1005), CLOSE), 1002),
    "pings without end": (frame(b"", PING) * 5000, 4429),
    "pongs without end": (frame(b"", PONG) * 5000, 4429),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_frame_ends_the_connection_with_its_code(
    house: House, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    data, code = MALFORMED[name]
    peer = house.peer()
    peer.plug.sendall(data)
    assert peer.close_code() == code
    assert house.guest().close_code() == code
    with pytest.raises(EOFError):
        peer.read()
    assert not [record for record in caplog.records if record.exc_info or record.levelno >= logging.WARNING]


@pytest.mark.parametrize("name", [name for name, (data, _) in MALFORMED.items() if len(data) < 300])
def test_it_does_so_after_good_messages_and_byte_by_byte(house: House, name: str) -> None:
    data, code = MALFORMED[name]
    peer = house.peer()
    peer.plug.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    peer.send(b"good")
    assert peer.read().data == b"good"
    for byte in data:
        peer.plug.sendall(bytes([byte]))
    assert peer.close_code() == code
    house.guest()


def test_messages_come_back_as_they_went(house: House) -> None:
    peer = house.peer()
    for size in (0, 1, 125, 126, 8192, 16384):
        for opcode in (TEXT, BINARY):
            peer.send(b"x" * size, opcode)
            assert peer.read() == (opcode, b"x" * size)
    peer.send("Zoë ✓".encode())
    assert peer.read().data == "Zoë ✓".encode()
    house.guest()


def test_messages_may_come_in_any_pieces(house: House) -> None:
    peer = house.peer()
    stream = b"".join(frame(b"%d" % n) for n in range(40))
    stream += frame(b"to", fin=False) + frame(b"p", PING) + frame(b"ge", CONT, fin=False) + frame(b"ther", CONT)
    stream += frame("é".encode()[:1], fin=False) + frame("é".encode()[1:], CONT)
    for size in (1, 2, 3, 7, 100, len(stream)):
        for start in range(0, len(stream), size):
            peer.plug.sendall(stream[start : start + size])
        got = [peer.read() for _ in range(43)]
        assert [one.data for one in got if one.opcode == TEXT] == [
            *(b"%d" % n for n in range(40)),
            b"together",
            "é".encode(),
        ]
        assert [one.data for one in got if one.opcode == PONG] == [b"p"]
    wire: Any = house.guest().wire
    assert house.does(lambda: wire._whole)  # and the short way is open again


def test_a_ping_now_and_then_is_answered(house: House) -> None:
    peer = house.peer()
    for _ in range(int(CONTROLS)):
        peer.send(b"there?", PING)
        assert peer.read() == (PONG, b"there?")
    house.guest()


def test_one_wrapping_serves_many(house: House) -> None:
    peers = [house.peer(), house.peer()]
    guests = [house.guest(), house.guest()]
    wrapped = text_frame(b"x" * 200) + binary_frame(b"y" * 70_000)
    assert house.does(lambda: [guest.wire.write(wrapped) for guest in guests]) == [True, True]
    for peer in peers:
        assert peer.read() == (TEXT, b"x" * 200)
        assert peer.read() == (BINARY, b"y" * 70_000)


def test_a_peer_that_leaves_is_answered_and_told_of(house: House) -> None:
    for data, code in ((struct.pack("!H", 1000) + b"bye", 1000), (struct.pack("!H", 4001), 4001), (b"", 1005)):
        peer = house.peer()
        peer.send(data, CLOSE)
        assert peer.close_code() == code
        assert house.guest().next() == ("close", code)
        with pytest.raises(EOFError):
            peer.read()


def test_a_peer_that_vanishes_is_1006(house: House) -> None:
    house.peer().hang_up()
    assert house.guest().next() == ("close", 1006)


def test_the_service_closes_with_a_code_and_hears_of_it_once(house: House) -> None:
    peer, guest = house.peer(), house.guest()
    house.does(lambda: guest.wire.close(4401, "no hello"))
    house.does(lambda: guest.wire.close(4400))
    assert guest.next() == ("close", 4401)
    assert peer.read() == (CLOSE, struct.pack("!H", 4401) + b"no hello")
    assert house.does(lambda: guest.wire.send_text(b"late")) is False
    peer.send(b"too late")
    peer.send(struct.pack("!H", 4401), CLOSE)
    with pytest.raises(EOFError):
        peer.read()
    assert guest.heard.empty()


def test_a_listener_that_falls_over_is_our_fault(house: House) -> None:
    peer = house.peer("/ws/boom")
    peer.send(b"x")
    assert peer.close_code() == 4500
    assert house.guest().close_code() == 4500


def test_the_handshake_is_the_apps_decision(house: House) -> None:
    assert house.peer("/ws/refuse").status == 403
    assert house.peer("/nowhere").status == 403
    assert house.peer("/ws/fall").status == 500
    banned = house.peer("/ws/ban")
    assert banned.status == 101
    assert banned.close_code() == 4403


def test_what_comes_before_anybody_listens_is_kept(house: House) -> None:
    peer = house.peer("/ws/late")
    for n in range(3):
        peer.send(b"%d" % n)
    guest = house.guest()
    assert [guest.next()[1] for _ in range(3)] == [b"0", b"1", b"2"]


def test_nobody_is_told_what_serves_them(house: House) -> None:
    assert "\r\nserver:" not in house.peer().head
    house.guest()


def test_a_pause_holds_messages_back_in_order(house: House) -> None:
    peer = house.peer("/ws/pause")
    guest = house.guest()
    parts = frame(b"3", fin=False) + frame(b"", CONT) + frame(b"4", fin=False) + frame(b"", CONT)
    peer.plug.sendall(frame(b"1") + frame(b"2") + parts + frame(b"5"))
    for n in range(1, 6):
        assert guest.next() == ("frame", b"%d" % n, True)
        assert guest.heard.empty()
        assert (house.does(lambda: guest.wire.waiting) > 0) == (n < 5)
        house.does(guest.wire.resume)
    peer.send(b"6")
    assert guest.next()[1] == b"6"


def test_a_paused_peer_can_still_be_closed(house: House) -> None:
    peer = house.peer("/ws/pause")
    guest = house.guest()
    peer.plug.sendall(frame(b"1") + frame(b"2"))
    assert guest.next()[1] == b"1"
    house.does(lambda: guest.wire.close(4400))
    assert peer.close_code() == 4400
    peer.send(struct.pack("!H", 4400), CLOSE)
    with pytest.raises(EOFError):
        peer.read()
    assert guest.next() == ("close", 4400)
    assert guest.heard.empty()


def test_a_peer_that_does_not_read_is_cut_off(house: House) -> None:
    peer = house.peer("/ws/none", receive_buffer=4096)
    guest = house.guest()
    sent = _fill(house, guest.wire)
    assert sent < 600_000  # little waits here and in the system
    assert house.does(lambda: guest.wire.buffered) < 64 * 1024
    assert guest.next() == ("close", 4508)
    with pytest.raises((EOFError, ConnectionError)):
        peer.close_code()  # there is none


def test_a_peer_that_reads_again_is_told_the_rest(house: House) -> None:
    peer = house.peer("/ws/none", receive_buffer=4096)
    guest = house.guest()
    sent = _fill(house, guest.wire)
    got = 0
    while got < sent:
        got += len(peer.read().data)
    assert guest.next() == ("drained",)
    assert house.does(lambda: guest.wire.send_text(b"on we go")) is True
    assert peer.read().data == b"on we go"


def _fill(house: House, wire: Wire) -> int:
    """Write until it is turned away."""
    chunk, sent = b"x" * 4096, 0
    while house.does(lambda: wire.send_text(chunk)):
        sent += len(chunk)
    return sent


def test_a_silent_peer_is_cut_off_and_one_that_answers_pings_is_not(house: House) -> None:
    quiet, lively = house.peer(), house.peer()
    gone, here = house.guest(), house.guest()
    house.does(lambda: gone.wire.heartbeat(0.05, 0.4))
    house.does(lambda: here.wire.heartbeat(0.1, 5))
    assert quiet.read().opcode == PING
    for _ in range(3):
        assert lively.read().opcode == PING
        lively.send(b"", PONG)
    assert gone.next() == ("close", 1006)
    assert here.heard.empty()
    lively.send(b"still here")
    while (got := lively.read()).opcode == PING:
        pass
    assert got.data == b"still here"


HEADER = b"GET /hello HTTP/1.1\r\nHost: x\r\n"
BODY = b"POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
DRIPS = [
    (b"", b""),
    (b"\r\n", b"\r\n"),
    (b"GET /hell", b"o"),
    (HEADER + b"X-Slow: ", b"a"),
    (BODY % 100, b"a"),
    (BODY % 100, b""),
]


@pytest.mark.parametrize(("begin", "drip"), DRIPS)
def test_a_request_that_drips_in_is_dropped(house: House, begin: bytes, drip: bytes) -> None:
    plug = house.dial()
    plug.sendall(begin)
    assert _answer_to_drips(plug, drip) == b""


@pytest.mark.parametrize("drip", [b"\r\n", b"G"])
def test_so_is_the_second_request_of_a_connection(house: House, drip: bytes) -> None:
    plug = house.dial()
    plug.sendall(HEADER + b"\r\n")
    _read_until(plug, b"hello")
    plug.sendall(drip)
    assert _answer_to_drips(plug, b"\r\n" if drip == b"\r\n" else b"") == b""


def _answer_to_drips(plug: socket.socket, drip: bytes) -> bytes:
    """Drip on until the server has had enough, and see what it said."""
    end = time.monotonic() + PATIENCE
    plug.settimeout(0.05)
    while time.monotonic() < end:
        try:
            return plug.recv(4096)
        except TimeoutError:
            plug.sendall(drip)
        except ConnectionError:
            return b""
    raise AssertionError("it is still patient")


def _read_until(plug: socket.socket, words: bytes) -> None:
    got = b""
    while words not in got:
        more = plug.recv(4096)
        assert more, got
        got += more


def test_requests_have_bounds(house: House) -> None:
    head, body, fine = house.dial(), house.dial(), house.dial()
    head.sendall(HEADER + b"X: " + b"x" * (HEADER_BYTES + 1))
    _read_until(head, b" 431 ")
    body.sendall(BODY % (BODY_BYTES + 1) + b"x" * (BODY_BYTES + 1))
    _read_until(body, b" 413 ")
    fine.sendall(BODY % BODY_BYTES + b"x" * BODY_BYTES)
    _read_until(fine, b"\r\n\r\n%d" % BODY_BYTES)


SERVE = """
import asyncio, sys
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from server.listening import UpcardServer, configure, open_door
from server.settings import Settings
from server.wires import wire_of
class Guest:
    def on_frame(self, data, text): pass
    def on_drained(self): pass
    def on_close(self, code): print("close", code, flush=True)
wires = []
async def admit(websocket):
    await websocket.accept()
    wires.append(wire_of(websocket.scope))
    wires[-1].listen(Guest())
    wires[-1].send_text(b"welcome")
async def goodbye():
    for wire in wires:
        wire.send_text(b"bye")
        wire.close(4503)
settings = Settings(port=0)
app = Starlette(routes=[WebSocketRoute("/ws", admit)])
server = UpcardServer(configure(app, settings), goodbye, lambda host, port: print(port, flush=True))
server.run([open_door(settings)])
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_being_asked_to_stop_is_a_success_and_everybody_is_told(number: signal.Signals) -> None:
    serving = subprocess.Popen([sys.executable, "-c", SERVE], stdout=subprocess.PIPE, text=True)
    assert serving.stdout is not None
    try:
        plugs = [socket.create_connection(("127.0.0.1", port)) for port in [int(serving.stdout.readline())] * 2]
        peer, rude = (Peer(plug, "/ws") for plug in plugs)  # the second never answers
        idle = socket.create_connection(plugs[0].getpeername())
        assert (peer.read().data, rude.read().data) == (b"welcome", b"welcome")
        began = time.monotonic()
        serving.send_signal(number)
        assert peer.read().data == b"bye"
        assert peer.close_code() == 4503
        peer.send(struct.pack("!H", 4503), CLOSE)
        assert serving.wait(PATIENCE) == 0
        assert time.monotonic() - began < 3  # a second is promised; this machine may be busy
        assert serving.stdout.read().split() == ["close", "4503"] * 2
        assert idle.recv(1) == b""
    finally:
        serving.kill()
        serving.wait()


def test_a_taken_port_is_one_sentence() -> None:
    door = open_door(Settings(port=0))
    door.listen()
    with pytest.raises(BadSetting, match=r"^Cannot listen on 127.0.0.1 port \d+: .*--port\.$"):
        open_door(Settings(port=door.getsockname()[1]))
    door.close()

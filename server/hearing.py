"""How a connection hears: messages reach the listener at once, and only as fast as it lets them.

A message that comes whole and plain takes a short way; everything else (fragments, pings, closing, anything odd) goes
through the websockets library, which knows every way in which a frame can be wrong.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Generator
from typing import Any

import structlog
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN
from websockets.streams import StreamReader

from server.limits import Bucket
from server.wires import BAD_DATA, BINARY, GONE, OUR_FAULT, PONG, TEXT, TOO_BIG, TOO_FAST, Listener

try:
    from websockets.speedups import apply_mask
except ImportError:  # where the wheel is pure Python
    from websockets.utils import apply_mask

log = structlog.get_logger(__name__)

PIECE = 2048  # bytes the careful way takes at a time, so that a flood is seen before it is worked through
FRAGMENTS = 64  # a message may come in so many parts; empty ones would otherwise never end
CONTROLS = 5.0  # pings, pongs and the like a second
GOODBYE = 2.0  # seconds a peer has to answer a close

_silence = logging.getLogger("upcard.websockets")  # what a peer does wrong is counted, not told
_silence.disabled = True


class HearingWS(WebSocketsSansIOProtocol):
    """The half of a connection that listens, and knows when it is over."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.conn.debug, self.conn.logger = False, _silence
        self.listener: Listener | None = None
        self.full = False
        self.code: int | None = None  # why it ended, once it did
        self._most = self.config.ws_max_size
        self._heard = self.loop.time()
        self._deaf = False  # not reading now
        self._finished = False  # nothing that still comes matters
        self._whole = True  # the careful way stands between two messages, so the short one may be taken
        self._held = b""  # came in during a pause, or before anybody listened
        self._parsed: deque[tuple[bytes, bool]] = deque()  # likewise, already unwrapped
        self._controls = Bucket(CONTROLS, 2 * CONTROLS, self.loop.time)
        self._pinged = 0.0  # when the ping left that is not answered yet
        self._lag = 0.0

    @property
    def waiting(self) -> int:
        return len(self._held) + sum(len(data) for data, _ in self._parsed)

    @property
    def lag(self) -> int:
        return round(self._lag * 1000)

    def pause(self) -> None:
        if not self._deaf and not self._finished:
            self._deaf = True
            self.transport.pause_reading()

    def resume(self) -> None:
        if self._deaf:
            self._deaf = False
            self._heard = self.loop.time()
            self.loop.call_soon(self._catch_up)  # never while a listener is in the middle of something

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
        elif self._finished:
            return
        elif self._deaf or (self.listener is None and self.code is None):
            self._hold(data)
        else:
            self._heard = self.loop.time()
            self._read(data)

    def _read(self, data: bytes) -> None:
        at, size = 0, len(data)
        while at < size and not self._deaf and not self._finished:
            end = self._quick(data, at) if self._whole and self.code is None else 0
            if not end:
                end = at + PIECE
                self._careful(data[at:end])
            at = end
        if at < size and not self._finished:
            self._hold(data[at:])

    def _quick(self, data: bytes, at: int) -> int:
        """Take one plain whole message and tell where it ends; 0 if that is not what comes next."""
        room = len(data) - at
        if room < 6 or (head := data[at]) not in (TEXT, BINARY, PONG) or (size := data[at + 1]) < 0x80:
            return 0
        start, size = at + 6, size & 0x7F
        if size > 125:
            if size == 127 or head == PONG or room < 8:
                return 0
            start, size = at + 8, data[at + 2] << 8 | data[at + 3]
        end = start + size
        if end > len(data) or size > self._most:
            return 0
        if head == PONG:
            self._ponged()
            self._count_control()
        else:
            self._deliver(apply_mask(data[start:end], data[start - 4 : start]), head == TEXT)
        return end

    def _careful(self, piece: bytes) -> None:
        self.conn.receive_data(piece)
        for event in self.conn.events_received():
            if isinstance(event, Frame) and not self._finished:
                self._take(event)
        if self._finished:
            return
        if self.conn.parser_exc is not None:
            self._fail()
        else:
            self._write_replies()
            self._whole = self.conn.current_size is None and _between_frames(self.conn.parser)

    def _take(self, frame: Frame) -> None:
        match frame.opcode:
            case Opcode.TEXT | Opcode.BINARY | Opcode.CONT:
                if frame.opcode is not Opcode.CONT:
                    self.frames, self.curr_msg_data_type = [], "text" if frame.opcode is Opcode.TEXT else "bytes"
                self.frames.append(bytes(frame.data))
                if len(self.frames) > FRAGMENTS:
                    self._fail(TOO_BIG)
                elif frame.fin:
                    data, self.frames = b"".join(self.frames), []
                    self._deliver(data, self.curr_msg_data_type == "text")
            case Opcode.CLOSE:
                self._write_replies()
                self._end(self.conn.close_rcvd.code if self.conn.close_rcvd else GONE)
                self._leave()
            case _:
                if frame.opcode is Opcode.PONG:
                    self._ponged()
                self._count_control()

    def _deliver(self, data: bytes, text: bool) -> None:
        if self.code is not None or self.listener is None:
            return
        if self._deaf:
            self._parsed.append((data, text))
        elif text and not _is_utf8(data):
            self._fail(BAD_DATA)
        else:
            try:
                self.listener.on_frame(data, text)
            except Exception:
                log.exception("listener_failed")
                self.close(OUR_FAULT)

    def _ponged(self) -> None:
        """A ping came back: how long it took, smoothed."""
        if self._pinged:
            took, self._pinged = self.loop.time() - self._pinged, 0.0
            self._lag = 0.7 * self._lag + 0.3 * took if self._lag else took

    def _count_control(self) -> None:
        if not self._controls.take():
            self._fail(TOO_FAST)

    def _hold(self, data: bytes) -> None:
        """Keep what came too early, and read no more: at most one read's worth ever waits here."""
        self._held += data
        self.pause()

    def _catch_up(self) -> None:
        while self._parsed and not self._deaf and self.code is None:
            self._deliver(*self._parsed.popleft())
        if self._deaf:
            return
        held, self._held = self._held, b""
        self._read(held)
        self._read_on()

    def _read_on(self) -> None:
        if not self._deaf and not self.transport.is_closing():
            self.transport.resume_reading()

    def close(self, code: int, reason: str = "") -> None:
        if self.code is None and self.conn.state is OPEN:
            self.conn.send_close(code, reason)
            self._write_replies()
            self._end(code)
            self.close_timer = self.loop.call_later(GOODBYE, self.transport.abort)
            self.resume()  # its answer must be read

    def abort(self, code: int = GONE) -> None:
        self._end(code)
        self._finished = True
        self.transport.abort()

    def _write_replies(self) -> None:
        replies = b"".join(self.conn.data_to_send())
        if replies and not (self.full and self.conn.state is OPEN):  # a peer that does not read needs no pong
            self.transport.write(replies)

    def _fail(self, code: int | None = None) -> None:
        """The peer broke the rules of the wire: tell it which, and hear no more of it."""
        if code is not None:
            self.conn.fail(code)
        self._write_replies()
        self._end(self.conn.close_sent.code if self.conn.close_sent else GONE)
        self._leave()

    def _leave(self) -> None:
        """Let the last words go out and wait for the peer to hang up, so that it can read them."""
        self._finished = True
        self._held, self.frames = b"", []
        if self.close_timer is None:
            self.close_timer = self.loop.call_later(GOODBYE, self.transport.abort)
        if not self.transport.can_write_eof():
            self.transport.close()
        elif not self.transport.is_closing():
            self.transport.write_eof()
            self.transport.resume_reading()

    def _end(self, code: int) -> None:
        if self.code is None:
            self.code = code
            self.stop_keepalive()
            if self.listener is not None:
                self.loop.call_soon(self.listener.on_close, code)


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _between_frames(parser: Generator[Any]) -> bool:
    """Whether the library waits for the first byte of a frame, and not for the rest of one."""
    inner: Any = parser
    while (deeper := inner.gi_yieldfrom) is not None:
        inner = deeper
    return inner.gi_code is StreamReader.at_eof.__code__

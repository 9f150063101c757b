"""One connection: what its person says, what they are told, and what waits while they are slow."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from rooms import wire
from rooms.happenings import Came, Who
from rooms.places import Room
from rooms.telling import Told
from server.limits import Breaches, Bucket, Pace
from server.wires import BINARY, TEXT, Wire, header

if TYPE_CHECKING:
    from server.doorkeeper import Visitor
    from server.gateway import Gateway

ANSWERS = (wire.Ok, wire.Err, wire.Pong, wire.Welcome)  # each is owed exactly once

_to_json = msgspec.json.Encoder()
_to_msgpack = msgspec.msgpack.Encoder()
_from_json = msgspec.json.Decoder(wire.AnyCommand)
_from_msgpack = msgspec.msgpack.Decoder(wire.AnyCommand)


class Chair:
    """One connection in one room: what the room speaks to."""

    __slots__ = (
        "actor",
        "asked",
        "behind",
        "by_code",
        "connection",
        "epoch",
        "inside",
        "join",
        "mirrored",
        "room",
        "v",
    )

    def __init__(self, connection: Connection, room: str, join: wire.Join, by_code: bool) -> None:
        self.connection = connection
        self.room = room
        self.join = join
        self.by_code = by_code
        self.actor: Room | None = None
        self.behind = False  # was too slow and is owed everything anew
        self.mirrored = False
        have = join.have  # the newest version that they were told, perhaps over another connection
        self.v, self.epoch = (have.v, have.epoch) if have is not None else (-1, "")
        self.asked = ""  # the join that is not answered yet
        self.inside = False

    def tell(self, frame: wire.Frame | Told) -> None:
        """Say this to the person, unless they are owed everything anyway."""
        if isinstance(frame, Told):
            if self.behind or (frame.v <= self.v and not frame.whole):  # owed everything anyway, or told already
                return
            self.v, self.epoch = frame.v, frame.epoch
        elif isinstance(frame, wire.Snap):
            self.v, self.epoch = frame.v, frame.epoch
        elif isinstance(frame, wire.Ok | wire.Err) and frame.i == self.asked:
            self._let_in(isinstance(frame, wire.Ok))
        elif isinstance(frame, wire.Closed | wire.Next | wire.Said) and not self.connection.gateway.heed(self, frame):
            return
        self.connection.put(frame)

    def _let_in(self, yes: bool) -> None:
        """The room has said whether they may come in. Whoever was turned away has no place and no voice here."""
        self.asked = ""
        self.inside = self.inside or yes
        if not self.inside:
            self.connection.gateway.turned_away(self)

    def follows(self, view: str, late: bool) -> bool:
        """The room tells them itself."""
        return True

    def mirror(self) -> None:
        """The person plays in another window now."""
        self.mirrored = True
        self.connection.put(wire.Presence(room=self.room, seats={}, watchers=0, mirror=True))

    def close(self, code: int) -> None:
        """The person has opened too many windows."""
        self.connection.close(code)

    def again(self) -> Came:
        """What has them shown what they missed."""
        have = wire.Have(self.epoch, self.v) if self.v >= 0 else None
        join = wire.Join(i="again", room=self.room, as_=self.join.as_, have=have)
        return Came(self.connection.who, join, self, self.by_code, quiet=True, mirror=self.mirrored)


class Connection:
    """A socket and whoever is behind it."""

    def __init__(self, gateway: Gateway, line: Wire, text: bool, address: str) -> None:
        self.gateway = gateway
        self.line = line
        self.text = text
        self.address = address
        self.who = Who("", "")  # until hello
        self.issued = 0  # when the token was signed by which they came in, in ms
        self.entering = False  # it is being found out who they are
        self.chairs: dict[str, Chair] = {}
        self.held: dict[str, list[wire.AnyCommand]] = {}  # commands to rooms that are being looked for
        self.invited: set[str] = set()  # rooms that go on where they were let in by code
        self.blocked: frozenset[str] = frozenset()  # users whom they do not want to hear
        self.lobby_behind = False  # was too slow for the lobby's news, and is owed all of it
        self._batch: list[tuple[bytes, bool]] = []  # said in this turn of the event loop; whether it is an answer
        self._outbox: deque[tuple[bytes, bool]] = deque()
        self._waiting = 0  # bytes in the outbox
        settings = gateway.settings
        self._pace = Pace(settings.player_commands, settings.command_seconds, settings.command_burst)
        self._breaches = Breaches()
        self.chat = Bucket(settings.chat_lines / settings.chat_seconds, settings.chat_lines)
        self._hello = gateway.loop.call_later(settings.hello_seconds, self._no_hello)

    # what comes in

    def on_frame(self, data: bytes, text: bool) -> None:
        """A message arrived."""
        metrics = self.gateway.metrics
        metrics.frames_in += 1
        metrics.bytes_in += len(data)
        if text != self.text or len(data) > self.gateway.settings.max_frame:
            self._breach("bad_frame", "This message is too long, or not in the encoding that was agreed on.", 4400)
            return
        try:
            command = (_from_json if text else _from_msgpack).decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._undecodable(data, error)
            return
        delay = self._pace.delay()
        if delay > 0:
            self.line.pause()
            self.gateway.loop.call_later(delay, self._resume)
        self.gateway.hear(self, command)

    def _resume(self) -> None:
        if self.line.closed or self.entering:
            return
        if self._pace.floods(self.line.waiting):
            self._breach("too_fast", "Slower, please.", 4429)
        self.line.resume()

    def _undecodable(self, data: bytes, error: Exception) -> None:
        """Tell a command that we do not know, which is answered, from a frame that is none, which is a breach."""
        try:
            raw = (msgspec.json if self.text else msgspec.msgpack).decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raw = None
        i = raw.get("i") if isinstance(raw, dict) else None
        if isinstance(i, str) and 0 < len(i) <= 32 and isinstance(raw, dict) and isinstance(raw.get("t"), str):
            code = "unknown_command" if "`$.t`" in str(error) else "bad_command"
            self.refuse(i, code, f"This command cannot be read: {error}.")
        else:
            self._breach("bad_frame", "This message cannot be read.", 4400)

    def _breach(self, code: str, text: str, close: int, i: str = "") -> None:
        self.gateway.metrics.breaches.add(code)
        if self._breaches.add():
            if close == 4429:
                self.put(wire.Bye(code=close, after=round(self.gateway.settings.command_seconds * 1000)))
            self.close(close)
        else:
            self.refuse(i, code, text, retry=close == 4429)

    def _no_hello(self) -> None:
        if not self.who.user:
            self.close(4401)

    def knocked(self) -> None:
        """The person has shown a token; it is being looked at."""
        self._hello.cancel()
        self.entering = True
        self.line.pause()

    def greeted(self, who: Who, visitor: Visitor) -> None:
        """They are who they say."""
        self.who, self.issued, self.blocked = who, visitor.issued, visitor.blocked

    def renamed(self, who: Who) -> None:
        """They are called something else now; so are the seats on which they sit."""
        self.who = who
        for chair in self.chairs.values():
            if chair.actor is not None and not chair.actor.dropped and chair.inside:
                chair.actor.hear(chair.again())

    def answered(self) -> None:
        """They have been told whether they may come in: whatever else they said is heard now."""
        self.entering = False
        self.line.resume()

    def plays(self, yes: bool) -> None:
        """Whether they have come to a seat. Who only watches has less to say, and may be silent for longer."""
        settings = self.gateway.settings
        self._pace.cost = 1.0 if yes else settings.player_commands / settings.watcher_commands
        if yes:
            self.line.heartbeat(settings.ping_seconds, settings.silent_seconds)
        else:
            self.line.heartbeat(settings.idle_ping_seconds, settings.idle_silent_seconds)

    # what goes out

    def put(self, frame: wire.Frame | Told) -> None:
        """Say something, at once if the peer keeps up."""
        if isinstance(frame, Told):
            data, answer = frame.json if self.text else frame.msgpack, False
        else:
            data, answer = (_to_json if self.text else _to_msgpack).encode(frame), isinstance(frame, ANSWERS)
            if isinstance(frame, wire.Err):
                self.gateway.metrics.refusals.add(frame.code)
        if self._outbox:
            self._wait(data, answer)
            return
        if not self._batch:
            self.gateway.will_write(self)
        self._batch.append((data, answer))

    def flush(self) -> None:
        """Write what was said in this turn of the event loop, all in one go."""
        batch, self._batch = self._batch, []
        kind = TEXT if self.text else BINARY
        frames = [header(kind, len(data)) + data for data, _ in batch]
        if self.line.write(frames[0] if len(frames) == 1 else b"".join(frames)):
            self._count(len(frames), sum(map(len, frames)))
            return
        for data, answer in batch:
            self._wait(data, answer)

    def refuse(self, i: str, code: str, text: str, retry: bool = False) -> None:
        """Say no."""
        self.put(wire.Err(i=i or UNSET, code=code, text=text, retry=retry, say=(code, {})))

    def _write(self, data: bytes) -> bool:
        sent = self.line.send_text(data) if self.text else self.line.send_binary(data)
        if sent:
            self._count(1, len(data))
        return sent

    def _count(self, frames: int, size: int) -> None:
        metrics = self.gateway.metrics
        metrics.frames_out += frames
        metrics.bytes_out += size

    def _wait(self, data: bytes, answer: bool) -> None:
        """The peer is slow. Beyond a limit, what waits is replaced by everything anew, later; answers stay owed."""
        if self.line.closed:
            return
        self._outbox.append((data, answer))
        self._waiting += len(data)
        settings = self.gateway.settings
        if len(self._outbox) > settings.outbox_frames or self._waiting > settings.outbox_bytes:
            self._outbox = deque(entry for entry in self._outbox if entry[1])
            self._waiting = sum(len(owed) for owed, _ in self._outbox)
            self.gateway.metrics.outbox_collapses += 1
            self.lobby_behind = True
            for chair in self.chairs.values():
                chair.behind, chair.v = True, -1
            if self._waiting > settings.outbox_bytes // 2:
                self.line.pause()  # whoever does not read answers asks no more questions

    def on_drained(self) -> None:
        """The peer has caught up a little."""
        while self._outbox:
            if not self._write(self._outbox[0][0]):
                return
            self._waiting -= len(self._outbox.popleft()[0])
        self._resume()
        if self.lobby_behind:
            self.lobby_behind = False
            self.gateway.reception.lobby.again(self)
        for chair in list(self.chairs.values()):
            if chair.behind and chair.actor is not None and not self.line.full:
                chair.behind = False
                chair.actor.hear(chair.again())

    # the end

    def close(self, code: int, reason: str = "") -> None:
        """Hang up, after whatever was said before."""
        if self._batch:
            self.flush()
        self.gateway.metrics.closes.add(code)
        self.line.close(code, reason)

    def on_close(self, code: int) -> None:
        """It is over, whoever ended it."""
        self._hello.cancel()
        self._outbox.clear()
        self.gateway.gone(self, code)

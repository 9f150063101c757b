"""People at the table, as a good client behaves: numbers its moves, sends again after silence, resumes where it was."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from engine.merge import merge
from tests.simulation.processes import SILENT, DoorWire, Process

if TYPE_CHECKING:
    from tests.simulation.world import World

SILENCE = 4.0  # seconds without an answer until a player tries elsewhere
NEVER = 1e18

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


class Pending:
    """A move without an answer."""

    def __init__(self, n: int, command: dict[str, Any], since: float) -> None:
        self.n, self.command, self.since = n, command, since


class Player:
    """Somebody who plays, or only watches."""

    def __init__(self, world: World, name: str, watches: bool = False, restless: bool = False) -> None:
        self.world, self.name, self.watches = world, name, watches
        self.restless = restless  # looks in here and there
        self.luck: Random = world.luck
        self.wire: DoorWire | None = None
        self.process: Process | None = None
        self.joined = self.mirrored = False
        self.seat = -1
        self.v, self.epoch = -1, ""
        self.state: dict[str, Any] = {}  # view, offers, blocked, ask, clock
        self.over = False
        self.next_n = 1
        self.pending: Pending | None = None
        self.acked = 0
        self.plays = True
        self.floors: dict[str, int] = {}  # what was written when they asked to be shown the table
        self._knocks: set[str] = set()  # each hello and join; what was sent twice may be refused the second time
        self._let_in = 0  # which command was the newest join that was answered
        self.seen_after, self.answered = 0, 0.0  # the version that the last answered move made, and when
        self.said: dict[str, float] = {}  # what was said and has no answer yet, with when
        self._count = 0
        self._awaits = NEVER  # since when hello or join have no answer
        self._heard = self._moving_at = 0.0
        self._tick()

    # the connection

    def _tick(self) -> None:
        world, now = self.world, self.world.turns.now
        world.turns.at(now + self.luck.uniform(0.4, 0.8), self._tick)
        if self.wire is None:
            self._connect()
        elif now - min(self._awaits, self._heard) > SILENCE * (1 + 3 * self.restless):
            self.hang_up()
        elif self.pending is not None and now - self.pending.since > SILENCE:
            self.world.judge.expect(not self.world.settled, f"{self.name} has no answer to {self.pending.command}")
            if self.luck.random() < 0.5:
                self.hang_up()
            else:
                self._send_move()
        elif self.joined and self.v < self.seen_after and now - self.answered > SILENCE:
            self.join()  # a move was answered, and what came of it never told
        elif self.restless and self.joined and self.v >= 0 and not self.world.calm:
            self._look_again()
        elif now - self._heard > 1.5:
            self._say({"t": "ping"})
        if self.world.settled:
            waits = [i for i, at in self.said.items() if now - at > SILENCE]
            self.world.judge.expect(not waits, f"{self.name} has no answer to what they said: {waits}")
        if self.joined and self.pending is None:
            self._think()

    def _connect(self) -> None:
        doors = [process for process in self.world.processes if process.gateway is not None and not process.loop.dead]
        if not doors:
            return
        if self.process not in doors or self.restless or self.luck.random() < 0.5:
            self.process = self.luck.choice(doors)
            if self.restless and (owner := self.world.owner()) in doors:
                self.process = owner
        wire = self.wire = DoorWire(self.world.net, self.process, self._hear, lambda: self._cut(wire))
        self._heard = self._awaits = self.world.turns.now
        self._say({"t": "hello", "token": self.name, "proto": [1, 1]})

    def _look_again(self) -> None:
        if self.luck.random() < 0.2:
            self.hang_up()
            self._connect()
        else:
            self.join()

    def hang_up(self) -> None:
        """Leave this connection and look for another."""
        if self.wire is not None:
            self.wire.link.hang_up(SILENT)
        self._cut(self.wire)

    def _cut(self, wire: DoorWire | None) -> None:
        if self.wire is wire:
            self.wire, self.joined, self._awaits = None, False, NEVER
            self.said.clear()  # a connection takes the answers that it owes with it

    def _say(self, command: dict[str, Any]) -> None:
        self._count += 1
        command.setdefault("i", f"{self.name}.{self._count}")
        if command["t"] in ("hello", "join"):
            self._knocks.add(command["i"])
        if self.wire is not None:
            self.wire.link.send_in(_encode(command))

    def join(self) -> None:
        """Sit down, or come back to where one was."""
        command: dict[str, Any] = {"t": "join", "room": self.world.room, "as": "watch" if self.watches else "seat"}
        if self.v >= 0:
            command["have"] = {"epoch": self.epoch, "v": self.v}
        self._awaits = min(self._awaits, self.world.turns.now)
        self._say(command)
        self.floors[command["i"]] = len(self.world.judge.log)

    # what is heard

    def _hear(self, data: bytes) -> None:
        if self.wire is None:
            return
        self._heard = self.world.turns.now
        while data and self.wire is not None:
            size, head = data[1], 2
            if size == 126:
                size, head = int.from_bytes(data[2:4], "big"), 4
            elif size == 127:
                size, head = int.from_bytes(data[2:10], "big"), 10
            frame, data = _decode(data[head : head + size]), data[head + size :]
            getattr(self, "_on_" + frame["t"])(frame)

    def _on_welcome(self, frame: dict[str, Any]) -> None:
        self.join()

    def _on_pong(self, frame: dict[str, Any]) -> None:
        pass

    def _on_said(self, frame: dict[str, Any]) -> None:
        pass

    def _on_bye(self, frame: dict[str, Any]) -> None:
        self.hang_up()

    def _on_presence(self, frame: dict[str, Any]) -> None:
        if frame.get("mirror"):
            self.mirrored = True

    def _on_ok(self, frame: dict[str, Any]) -> None:
        if self.said.pop(frame["i"], None):
            return
        if "room" in frame:
            self._on_joined(frame)
        elif self.pending is not None and frame["i"] == self.pending.command["i"]:
            if self.pending.command["t"] == "act":
                self.world.judge.acknowledged(self, self.pending.n, frame["v"])
                self.next_n = self.pending.n + 1
                self.acked += 1
            self.seen_after, self.answered = frame["v"], self.world.turns.now
            self.pending = None
            self._think()

    def _on_joined(self, frame: dict[str, Any]) -> None:
        floor, number = self.floors.pop(frame["i"], 0), int(frame["i"].partition(".")[2])
        if number < self._let_in:
            return  # they asked again meanwhile, and know more by now
        self._let_in = number
        self.joined, self.mirrored, self._awaits = True, False, NEVER
        self.seen_after = min(self.seen_after, frame["v"])  # what comes after that is lost
        self.world.judge.joined(self, frame["v"], frame.get("n", self.next_n), floor)
        if "seat" not in frame:
            return
        self.seat, self.next_n = frame["seat"], frame["n"]
        if self.pending is not None:
            if self.pending.command["t"] == "act" and self.pending.n < self.next_n:
                self.pending = None
            else:
                self._send_move()

    def _on_err(self, frame: dict[str, Any]) -> None:
        code = frame["code"]
        self.world.errors[code] += 1
        if self.said.pop(frame.get("i", ""), None):
            return
        if self.pending is not None and frame.get("i") == self.pending.command["i"]:
            if frame["retry"] or code in ("elsewhere", "not_joined"):
                self._later(self.luck.uniform(0.1, 0.8), self._try_again)
            else:
                self.pending = None
                if code in ("gap", "conflict", "stale"):
                    self._later(0.0, self.join)
        elif self._awaits != NEVER and frame.get("i", "") in {"", *self._knocks}:
            if not frame["retry"]:
                self.world.judge.failed(f"{self.name} was told {code}: {frame['text']}")
            self._later(self.luck.uniform(0.1, 0.8), self.join)

    def _later(self, wait: float, do: Any) -> None:
        wire, turns = self.wire, self.world.turns
        turns.at(turns.now + wait, lambda: do() if self.wire is wire else None)

    def _try_again(self) -> None:
        if self.mirrored or not self.joined:
            self.join()
        elif self.pending is not None:
            self._send_move()

    def _on_snap(self, frame: dict[str, Any]) -> None:
        self.world.judge.shown(self, frame["epoch"], frame["v"], whole=True)
        if frame["epoch"] != self.epoch:  # perhaps another history, in which the last answered move is not there
            self.seen_after = min(self.seen_after, frame["v"])
        self.v, self.epoch = frame["v"], frame["epoch"]
        self.next_n = frame.get("n", self.next_n)
        self.state = {key: frame[key] for key in ("view", "offers", "blocked", "ask", "clock") if key in frame}
        self._looked()

    def _on_delta(self, frame: dict[str, Any]) -> None:
        if frame["v"] <= self.v:
            self.world.counts["deltas again"] += 1
            return
        if frame["v"] != self.v + 1:
            self.world.counts["gaps"] += 1
            self.world.judge.gap(self, frame["v"])
            self.join()
            return
        epoch = frame.get("epoch", self.epoch)
        self.world.judge.shown(self, epoch, frame["v"], whole=False)
        self.v, self.epoch = frame["v"], epoch
        if "patch" in frame:
            self.state["view"] = merge(self.state["view"], frame["patch"])
        self.state |= {key: frame[key] for key in ("offers", "blocked", "ask", "clock") if key in frame}
        if "sum" in frame:
            self.world.judge.summed(self, frame["sum"])
        self._looked()

    def _looked(self) -> None:
        self.over = "result" in self.state["view"]
        self._think()

    # moves

    def _think(self) -> None:
        now = self.world.turns.now
        if not (self.plays and self.joined and self.seat >= 0 and self.pending is None and not self.over):
            return
        if self.state.get("offers") and self.v >= self.seen_after and self._moving_at <= now:
            self._moving_at = now + self.luck.choice((0.01, 0.05, 0.3, 1.0, 2.5))
            self.world.turns.at(self._moving_at, self._move)

    def _move(self) -> None:
        offers = self.state.get("offers")
        if not (self.plays and self.joined and self.pending is None and offers and self.v >= self.seen_after):
            return
        if self.luck.random() < 0.02:
            self.hang_up()
            return
        if self.luck.random() < self.world.resigning:
            self.pending = Pending(0, {"t": "resign", "room": self.world.room}, 0.0)
        else:
            do = _filled(self.luck.choice(offers), self.luck)
            command: dict[str, Any] = {"t": "act", "room": self.world.room, "n": self.next_n, "do": do}
            if self.state.get("ask"):
                command["ask"] = self.state["ask"]["id"]
            self.pending = Pending(self.next_n, command, 0.0)
        self._send_move()
        if self.luck.random() < 0.05:
            self._send_move()
        if self.world.settled:  # all is well: whatever is said, also while a move is being written, has an answer
            self._say(said := {"t": "say", "room": self.world.room, "text": "Your turn."})
            self.said[said["i"]] = self.world.turns.now

    def _send_move(self) -> None:
        if self.pending is not None and self.joined:
            self.pending.since = self.world.turns.now
            self._say(self.pending.command)


def _filled(offer: dict[str, Any], luck: Random) -> dict[str, Any]:
    do = {"type": offer["type"]}
    if "card" in offer:
        do["card"] = offer["card"]
    for slot in offer.get("slots", ()):
        do[slot["name"]] = [luck.choice(slot["from"])]
    return do

"""What must hold, whatever happens: looked at after every write, and whenever somebody is told something."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from engine.errors import EngineError
from engine.match import Match
from engine.merge import canonical
from engine.replay import Input
from engine.store import state_hash, unpack
from rooms import clocks
from rooms.keys import keys_of
from rooms.scripts import Code
from rooms.state import RoomState, Times, unpack_room
from tests.simulation.game import GAME

if TYPE_CHECKING:
    from tests.simulation.players import Player
    from tests.simulation.world import World

LEASE = 6000  # ms
TOLERANCE = 5  # ms, for rounding
NOT_OURS = (Code.FENCED, Code.GONE)


class Version(Struct):
    """One version as it was written."""

    cid: bytes
    own: bytes
    ep: int
    input: Input
    snapshot: bytes
    at: int


class Acknowledged(Struct):
    """A move that a player was told to be safe."""

    seat: int
    n: int
    v: int


class Judge:
    """Knows the truth, and remembers what was promised."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.violations: list[str] = []
        self.log: list[Version] = []
        self.lost: list[Version] = []  # what the store forgot
        self.acks: list[Acknowledged] = []
        self.owner = (b"", 0)
        self.highest = 0  # of all epochs
        self.last_life = 0  # when the owner last did anything
        self.outage = 0  # ms since the last version in which nobody served
        self.takeovers = self.expiries = self.reads = 0
        self.digest = sha256()  # of all that happened, to see whether a seed gives the same again
        self._numbers: dict[int, int] = {}

    def failed(self, what: str) -> None:
        """Something is wrong."""
        if len(self.violations) < 20:
            self.violations.append(f"{self.world.turns.now - 1000:.3f} s: {what}")

    def expect(self, right: bool, what: str) -> None:
        """This must hold."""
        if not right:
            self.failed(what)

    # the store

    def script(self, name: str, words: list[bytes], reply: list[Any]) -> None:
        """A script has run."""
        keys = int(words[0])
        args, code, now = words[1 + keys :], reply[0], reply[2]
        self.digest.update(b"%d %b %d %d\n" % (now, name.encode(), code, reply[1]))
        self.world.note(f"{name} by {args[0].decode()[:12]} -> {Code(code).name} v{reply[1]}")
        if name == "claim" and code == Code.OK:
            self._claimed(args, reply)
        elif name == "commit" and code == Code.OK:
            self._committed(args, reply)
        elif name == "release" and code == Code.OK:
            self.owner = (b"", self.owner[1])
        elif args[0] == self.owner[0] and (Code.OK in reply[3::3] if name == "renew" else code not in NOT_OURS):
            silent = now - self.last_life > LEASE / 2
            if silent and (name == "renew" or code == Code.UNSERVED):
                self._unserved(now)
            self.last_life = now

    def _claimed(self, args: list[bytes], reply: list[Any]) -> None:
        _, ver, now, ep, last = reply[:5]
        self.takeovers += 1
        self.expect(ep > self.highest, f"epoch {ep} was given after {self.highest}")
        self.expect(ver == len(self.log), f"a claim found version {ver}, but {len(self.log)} were written")
        if last and (last != args[0] or now - self.last_life > LEASE / 2):
            self._unserved(now)
        self.owner, self.highest, self.last_life = (args[0], ep), ep, now

    def _unserved(self, now: int) -> None:
        """Until now nobody could be served."""
        if self.log:
            self.outage += max(0, now - max(self.last_life, self.log[-1].at))

    def _committed(self, args: list[bytes], reply: list[Any]) -> None:
        own, ep, base, cid = args[0], int(args[1]), int(args[2]), args[3]
        entry, now, log = read_input(args[13]), reply[2], self.log
        self.expect((own, ep) == self.owner, f"{own!r} wrote version {reply[1]} though {self.owner} owns the room")
        self.expect(reply[1] == len(log) + 1, f"version {reply[1]} came after {len(log)}")
        self.expect(base == len(log), f"version {reply[1]} was built on {base}")
        self.expect(not log or ep >= log[-1].ep, "an epoch went back along versions")
        self.expect(all(cid != one.cid for one in log[-20:]), f"commit {cid!r} was applied twice")
        if entry.n:
            last = self._numbers.get(entry.seat, 0)
            self.expect(entry.n == last + 1, f"move {entry.n} of seat {entry.seat} came after {last}")
            self._numbers[entry.seat] = entry.n
        version = Version(cid, own, ep, entry, args[12], now)
        if log and all(cid != one.cid for one in self.lost):  # what is written again happened before it was lost
            self._clock(log[-1], version)
        log.append(version)
        self.last_life, self.outage = now, 0

    def _clock(self, before: Version, after: Version) -> None:
        """Time that nobody served is nobody's time, and no timer fires early."""
        then = unpack_room(before.snapshot).times
        if then is None:
            return
        if after.input.expire:
            self.expiries += 1
            due = clocks.deadline(then)
            self.expect(due > 0, "time ran out though no clock ran")
            early = due + clocks.grace(then) + self.outage - after.at
            self.expect(early <= TOLERANCE, f"time ran out {early} ms early, after {self.outage} ms without an owner")
        self._compensated(then, unpack_room(after.snapshot).times, after.at)

    def _compensated(self, then: Times, now: Times | None, at: int) -> None:
        for seat in then.runs if now is not None else ():
            least = then.left[seat] - max(0, at - then.since - self.outage) - TOLERANCE
            left = now.left[seat] if now is not None else 0
            self.expect(left >= least, f"seat {seat} has {left} ms left and should have {least}")

    def went_back(self, m: dict[bytes, bytes]) -> None:
        """The store has lost its last versions, and what is left is this."""
        ver, own, ep = int(m[b"ver"]), m[b"own"], int(m[b"ep"])
        self.outage, self.last_life = int(m.get(b"out", 0)), int(m[b"exp"]) - LEASE
        self.world.note(f"the store went back from {len(self.log)} to {ver}")
        self.lost += self.log[ver:]
        del self.log[ver:]
        self.owner = (own, ep)
        self._numbers = {one.input.seat: one.input.n for one in self.log if one.input.n}

    # the players

    def acknowledged(self, player: Player, n: int, v: int) -> None:
        """A player was told that a move is safe."""
        self.acks.append(Acknowledged(player.seat, n, v))
        self.world.note(f"{player.name} has an answer to move {n}: {v}")
        if not self.world.lossy:
            self.expect(self._is_written(self.acks[-1]), f"move {n} of seat {player.seat} was acknowledged unwritten")

    def _is_written(self, ack: Acknowledged) -> bool:
        if ack.v > len(self.log):
            return False
        entry = self.log[ack.v - 1].input
        return (entry.seat, entry.n) == (ack.seat, ack.n)

    def joined(self, player: Player, v: int, n: int, floor: int) -> None:
        """A player was told where the table stands, and their next number."""
        self.world.note(f"{player.name} joined at {v}, next is {n}")
        self.reads += 1
        if not self.world.lossy:
            self.expect(n >= player.next_n, f"{player.name} had the number {player.next_n} and was told {n}")
            if not (player.watches and self.world.kept_behind):
                self.expect(v >= floor, f"{player.name} asked when {floor} was written, and was told of {v}")

    def shown(self, player: Player, epoch: str, v: int, whole: bool) -> None:
        """A player was shown a version."""
        self.world.note(f"{player.name} sees {v}{' whole' if whole else ''} of {epoch[-6:]}")
        old = (int(player.epoch or 0), player.v)
        new = (int(epoch), v)
        goes_on = new[0] >= old[0] and new[1] >= old[1]
        rolled_back = self.world.lossy and new[0] > old[0]
        self.expect(goes_on or rolled_back, f"{player.name} had {old} and was shown {new}")
        if not self.world.lossy:
            self.expect(v <= len(self.log), f"{player.name} was shown {v} before it was written")

    def gap(self, player: Player, v: int) -> None:
        """A player noticed that something is missing."""
        self.world.note(f"{player.name} has {player.v} and hears of {v}")

    def summed(self, player: Player, sum: str) -> None:
        """The room says what the player's view should be."""
        own = sha256(canonical(player.state["view"])).hexdigest()[:8]
        self.expect(own == sum, f"the view of {player.name} has drifted")

    # the end

    def lost_acks(self) -> list[Acknowledged]:
        """The moves that were acknowledged and are not there."""
        return [ack for ack in self.acks if not self._is_written(ack)]

    def close(self) -> None:
        """Look at everything once more."""
        forgotten = {(one.input.seat, one.input.n) for one in self.lost}
        for ack in self.lost_acks():
            self.expect((ack.seat, ack.n) in forgotten, f"move {ack.n} of seat {ack.seat} was acknowledged and is lost")
        self._replay()

    def _replay(self) -> None:
        """What is stored is what the inputs lead to."""
        if not self.log:
            return
        data = self.world.store.model.data
        state: RoomState = unpack_room(data.strings[keys_of(self.world.room).state.encode()])
        table = unpack(GAME, state.table)
        match = Match.deal(
            GAME,
            seats=2,
            seed=table.seed,
            decks=state.decks,
            options=state.setup.options,
            names=[str(table.seat(seat).facts.get("name", "")) for seat in (0, 1)],
            version=1,
        )
        try:
            for version in self.log[1:]:
                version.input.apply(match)
        except EngineError as error:
            self.failed(f"the inputs cannot be played one after the other: {error}")
            return
        self.expect(state_hash(match.table) == state_hash(table), "the table is not what its inputs lead to")


def read_input(data: bytes) -> Input:
    """An input as it was written; some have a hash of the table besides."""
    raw = msgspec.json.decode(data)
    raw.pop("hash", None)
    return msgspec.convert(raw, Input)

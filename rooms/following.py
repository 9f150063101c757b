"""What one gateway knows of those who follow a room through it: how far each has come, and what was told last."""

from __future__ import annotations

import asyncio
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from rooms import letters, wire
from rooms.guest import Guest
from rooms.happenings import Acted, Came, Event, Who, Wished
from rooms.telling import Told

RING = 32  # versions of a view that are kept for those who are a little behind

RoomCommand: TypeAlias = letters.Come | letters.Go | letters.Act | letters.Want


class Follower:
    """One guest of this gateway in one room."""

    __slots__ = ("asked", "bare", "code", "epoch", "guest", "joining", "late", "number", "v", "view", "watch", "who")

    def __init__(self, guest: Guest, number: int) -> None:
        self.guest, self.number = guest, number
        self.who = Who("", "")
        self.watch = self.code = False
        self.view = ""  # until the room says which
        self.late = False  # is told by letter, some time after everybody else
        self.joining = False  # a join is on its way, and nothing may come before its answer
        self.v, self.epoch = -1, ""
        self.bare = False  # was last told an old version, without offers: what is published builds on what they lack
        self.asked = 0.0  # when we last asked for what they missed

    def comes(self, came: Came) -> None:
        """They join, perhaps again, and have what they say they have."""
        self.who, self.code, self.watch = came.who, came.code, came.join.as_ == "watch"
        have = came.join.have
        self.v, self.epoch = (have.v, have.epoch) if have is not None else (-1, "")

    def again(self, room: str, number: int) -> letters.Come:
        """A letter that says that they are here, and asks for what they missed."""
        have = wire.Have(self.epoch, self.v) if self.v >= 0 else None
        join = wire.Join(i="again", room=room, as_="watch" if self.watch else "seat", have=have)
        return letters.Come(room, self.number, number, self.who, join, self.code, quiet=True)

    def take(self, told: Told) -> bool:
        """Tell them the next version. False if it is not the next one of their history."""
        if told.v != self.v + 1 or self.epoch not in (told.was, told.epoch):
            return False
        self.v, self.epoch = told.v, told.epoch
        self.guest.tell(told)
        return True

    def show(self, told: Told) -> None:
        """Show them everything anew, unless it is older than what they have."""
        if self.v < told.v or int(told.epoch) > int(self.epoch or 0):
            self.v, self.epoch = told.v, told.epoch
            self.guest.tell(told)


class Feed:
    """What is told on one view's channel."""

    __slots__ = ("ring", "sure", "top")
    sure: asyncio.Future[None]  # once it is done, nothing is missed

    def __init__(self) -> None:
        self.ring: dict[int, Told] = {}
        self.top = -1

    def add(self, told: Told) -> bool:
        """Keep a version for a while. False if it is not history that goes on, but history that was rewritten."""
        known = self.ring.get(told.v)
        if told.v <= self.top and (known is None or known.json != told.json):
            self.ring = {told.v: told}
            self.top = told.v
            return False
        self.ring[told.v] = told
        self.top = max(self.top, told.v)
        while len(self.ring) > RING:
            del self.ring[next(iter(self.ring))]
        return True


class Unanswered(Struct):
    """A command that was sent and not answered yet."""

    command: RoomCommand
    follower: Follower
    i: str  # what the client calls it; empty if the client knows nothing of it
    first: float
    sent: float

    def event(self) -> Event | None:
        """The same for a room of this process; None if nobody waits for it."""
        guest = self.follower.guest
        match self.command:
            case letters.Come(who=who, join=join, code=code) if self.i:
                one = self.follower  # what they were shown since they asked is what they have
                have = wire.Have(one.epoch, one.v) if one.v >= 0 else None
                return Came(who, replace(join, have=have), guest, code)
            case letters.Act(who=who, act=act, lag=lag):
                return Acted(who, act, guest, lag)
            case letters.Want(who=who, wish=wish):
                return Wished(who, wish, guest)
        return None


def read_told(payload: bytes) -> Told:
    """A version as the commit published it."""
    epoch, v, was, frame = payload.split(b":", 3)
    return Told(frame, int(v), epoch.decode(), was.decode())

"""What reaches a room, and what it wants done about it.

A room's core is a function from events to effects: it never waits and never talks to anybody itself.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct

from rooms import wire
from rooms.telling import Kept, Told

Address: TypeAlias = Any  # where an answer goes; only the shell knows what it is


class Who(Struct, frozen=True):
    """A person, as the gateway knows them."""

    user: str
    name: str


# events


class Came(Struct):
    """Somebody wants to sit or to watch."""

    who: Who
    join: wire.Join
    to: Address
    code: bool = False  # came by invite code
    quiet: bool = False  # was here before and is only shown everything anew
    mirror: bool = False  # and only looked on, since their player plays in another window


class Went(Struct):
    """A connection follows the room no longer."""

    to: Address


class Acted(Struct):
    """A player made a move."""

    who: Who
    act: wire.Act
    to: Address


class GaveUp(Struct):
    """A player resigned."""

    who: Who
    i: str
    to: Address


class Talked(Struct):
    """Somebody said something to the table."""

    who: Who
    say: wire.Say
    to: Address


class TimeUp(Struct):
    """A deadline may have passed."""


class WatchDue(Struct):
    """Watchers who are kept behind may be told more."""


class BotMoved(Struct):
    """A bot has made up its mind, about the table at this version."""

    seat: int
    v: int
    do: dict[str, Any]


class Committed(Struct):
    """The store answered a commit."""

    code: int
    ver: int
    now: int
    detail: str = ""


class Saved(Struct):
    """The store answered a write of the side record."""

    code: int
    now: int


Event: TypeAlias = Came | Went | Acted | GaveUp | Talked | TimeUp | WatchDue | BotMoved | Committed | Saved


# effects


class Commit(Struct):
    """Write a version down, whole or not at all."""

    base: int
    status: int
    deadline: int
    not_before: int
    seat: str
    n: int
    digest: str
    result: str
    snapshot: bytes
    input: bytes
    kept: dict[str, Kept]
    told: dict[str, Told]  # the whole frames, for whoever listens in other processes
    record: bytes = b""  # what the results stream is told at the end


class Save(Struct):
    """Write to the side record; `guard` names a field that must not be there yet."""

    pairs: dict[str, bytes]
    guard: str = ""


class Answer(Struct):
    """Tell one connection something."""

    to: Address
    frame: wire.Frame | Told


class Follow(Struct):
    """From now on this connection is told what a view is told."""

    to: Address
    view: str


class Mirror(Struct):
    """This connection's player plays elsewhere now; it still sees."""

    to: Address


class Close(Struct):
    """Close this connection with a code."""

    to: Address
    code: int


class Tell(Struct):
    """Tell everybody who follows a view."""

    told: dict[str, Told]


class Present(Struct):
    """Tell everybody who follows the room something that raises no version: who is here, what was said."""

    frame: wire.Frame


class Wake(Struct):
    """Come back at this server time; 0: no need."""

    at: int


class WakeWatch(Struct):
    """Come back at this server time for the watchers' sake; 0: no need."""

    at: int


class Think(Struct):
    """A bot is to move."""

    seat: int
    bot: str


class Drop(Struct):
    """This room is not ours any more; whoever waits is told to try again."""

    why: str


Effect: TypeAlias = Commit | Save | Answer | Follow | Mirror | Close | Tell | Present | Wake | WakeWatch | Think | Drop

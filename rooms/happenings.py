"""What reaches a room, and what it wants done about it.

A room's core is a function from events to effects: it never waits and never talks to anybody itself.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct

from rooms import wire
from rooms.state import Setup
from rooms.telling import Kept, Told

Address: TypeAlias = Any  # where an answer goes; only the shell knows what it is


class Who(Struct, frozen=True, gc=False):
    """A person, as the gateway knows them."""

    user: str
    name: str


# events


class Came(Struct, gc=False):
    """Somebody wants to sit or to watch."""

    who: Who
    join: wire.Join
    to: Address
    code: bool = False  # came by invite code
    quiet: bool = False  # was here before and is only shown everything anew
    mirror: bool = False  # and only looked on, since their player plays in another window


class Went(Struct, gc=False):
    """A connection follows the room no longer."""

    to: Address
    closed: bool = False  # on purpose, and not because it broke
    ours: bool = False  # a process of ours is gone, and took it along


class Acted(Struct, gc=False):
    """A player made a move."""

    who: Who
    act: wire.Act
    to: Address
    lag: int = 0  # ms that it was on its way to us


class Wished(Struct, gc=False):
    """Somebody wants something of the room that is no move: talk, a proposal, giving up."""

    who: Who
    wish: wire.Wish
    to: Address


class TimeUp(Struct, gc=False):
    """A deadline may have passed."""


class WatchDue(Struct, gc=False):
    """Watchers who are kept behind may be told more."""


class Missed(Struct, gc=False):
    """Somebody may have been away for too long."""


class Closing(Struct, gc=False):
    """Whoever runs this place wants the table closed."""


class BotMoved(Struct, gc=False):
    """A bot has made up its mind about what it was asked; or it could not."""

    seat: int
    errand: int
    do: dict[str, Any] | None
    luck: int = 0  # decides where the rules leave it to luck what happens instead


class Committed(Struct, gc=False):
    """The store answered a commit."""

    code: int
    ver: int
    now: int
    detail: str = ""


class Unwritten(Struct, gc=False):
    """The store said for certain that it did not write a commit: it is full, or may not write."""


class Saved(Struct, gc=False):
    """The store answered a write of the side record."""

    code: int
    now: int


class Brought(Struct, gc=False):
    """What the room sent for is here; None if it could not be had."""

    value: Any


class Rated(Struct, gc=False):
    """The match is in the archive, and this is what it did to ratings."""

    frame: wire.Rated


class Known(Struct, gc=False):
    """It was looked up whether somebody has left a match today: a word, or nothing."""

    user: str
    mark: str


Event: TypeAlias = (
    Came
    | Went
    | Acted
    | Wished
    | TimeUp
    | WatchDue
    | Missed
    | BotMoved
    | Committed
    | Unwritten
    | Saved
    | Brought
    | Known
    | Closing
    | Rated
)


# effects


class Commit(Struct, gc=False):
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
    excused: int = 0  # ms without service that are nobody's time any more


class Save(Struct, gc=False):
    """Write to the side record; `guard` names a field that must not be there yet."""

    pairs: dict[str, bytes]
    guard: str = ""


class Note(Struct, gc=False):
    """Write to the side record without waiting for it; nothing as a value takes a field away."""

    pairs: dict[str, bytes]


class Recall(Struct, gc=False):
    """Bring every input since the deal."""


class Make(Struct, gc=False):
    """Have another room made; twice is once."""

    room: str
    setup: Setup
    side: dict[str, bytes]


class Off(Struct, gc=False):
    """A match that was arranged does not take place: only these came."""

    came: list[str]


class Shut(Struct, gc=False):
    """Close a room that was never played in, and tell whoever is there."""

    told: wire.Closed


class File(Struct, gc=False):
    """Put a report where the operator finds it."""

    report: dict[str, Any]


class LookUp(Struct, gc=False):
    """Find out whether somebody has left a match today."""

    user: str


class Mark(Struct, gc=False):
    """Remember for a day that somebody left a match, or that they were warned."""

    user: str
    word: str


class Answer(Struct, gc=False):
    """Tell one connection something."""

    to: Address
    frame: wire.Frame | Told


class Follow(Struct, gc=False):
    """From now on this connection is told what a view is told."""

    to: Address
    view: str


class Unfollow(Struct, gc=False):
    """This connection is told nothing more of the table."""

    to: Address


class Mirror(Struct, gc=False):
    """This connection's player plays elsewhere now; it still sees."""

    to: Address


class Close(Struct, gc=False):
    """Close this connection with a code."""

    to: Address
    code: int


class Tell(Struct, gc=False):
    """Tell everybody who follows a view."""

    told: dict[str, Told]


class Present(Struct, gc=False):
    """Tell everybody who follows the room something that raises no version: who is here, what was said."""

    frame: wire.Frame
    deaf: frozenset[Address] = frozenset()  # except those who do not want to hear it


class Wake(Struct, gc=False):
    """Come back at this server time; 0: no need."""

    at: int


class WakeWatch(Struct, gc=False):
    """Come back at this server time for the watchers' sake; 0: no need."""

    at: int


class WakeMissed(Struct, gc=False):
    """Come back at this server time to see who is still away; 0: no need."""

    at: int


class Think(Struct, gc=False):
    """A bot is to move. The errand names what it is asked: as long as that is open, an answer is welcome."""

    seat: int
    bot: str
    errand: int


class Drop(Struct, gc=False):
    """This room is not ours any more; whoever waits is told to try again."""

    why: str


Effect: TypeAlias = (
    Commit
    | Save
    | Note
    | Recall
    | Make
    | Off
    | Shut
    | File
    | LookUp
    | Mark
    | Answer
    | Follow
    | Unfollow
    | Mirror
    | Close
    | Tell
    | Present
    | Wake
    | WakeWatch
    | WakeMissed
    | Think
    | Drop
)

"""Every message that travels between a player and a room, version 1.

These structs are the source of truth: the published spec and the typed clients are made from them. Fields may be
added; none is renamed or dropped. A client ignores what it does not know; of a client's command we ignore unknown
fields too, except inside a move, where the engine refuses them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

PROTO = 1

Ref = Annotated[str, Meta(min_length=1, max_length=32)]  # echoed in the answer
RoomId = Annotated[str, Meta(min_length=1, max_length=64)]
Text = Annotated[str, Meta(min_length=1, max_length=200)]
Number = Annotated[int, Meta(ge=1, le=2**53)]
Version = Annotated[int, Meta(ge=0, le=2**53)]
View: TypeAlias = dict[str, Any]
UserId = Annotated[str, Meta(min_length=1, max_length=64)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Proposed: TypeAlias = Literal["draw", "rematch", "takeback", "pause"]


class Have(Struct):
    """What a client already has of a view: it asks only for what it missed."""

    epoch: str
    v: Version


# from the client


class Command(Struct, tag_field="t", kw_only=True):
    """Anything that a client says."""

    i: Ref


class Hello(Command, tag="hello"):
    """Who is there. Comes first, within ten seconds."""

    token: Annotated[str, Meta(max_length=4096)]
    proto: tuple[int, int]
    client: Annotated[str, Meta(max_length=100)] = ""


class Join(Command, tag="join", rename={"as_": "as"}):
    """Take a free seat, return to one's own, or watch."""

    room: RoomId | None = None
    code: Annotated[str, Meta(max_length=16)] | None = None
    as_: Literal["seat", "watch"] = "seat"
    deck: str | list[str] | None = None
    have: Have | None = None


class Leave(Command, tag="leave"):
    """Stop following a room. A seated player stays seated."""

    room: RoomId


class Act(Command, tag="act"):
    """A move: a filled offer with its number."""

    room: RoomId
    n: Number
    do: dict[str, Any]
    ask: int | None = None
    sure: bool = False
    heed: Literal["none", "hard", "all"] = "none"


class Say(Command, tag="say"):
    """Chat."""

    room: RoomId
    text: Text | None = None
    emote: Annotated[str, Meta(max_length=32)] | None = None


class Propose(Command, tag="propose"):
    """Table talk with consequences. A pause that is on is ended by proposing it."""

    room: RoomId
    what: Proposed


class Reply(Command, tag="reply"):
    """An answer to a proposal. Saying no to one's own takes it back."""

    room: RoomId
    what: Proposed
    yes: bool = True


class Resign(Command, tag="resign"):
    """Give the match up."""

    room: RoomId


class Claim(Command, tag="claim"):
    """End a match whose other player has been away for too long."""

    room: RoomId
    what: Literal["win", "draw"] = "win"


class Ready(Command, tag="ready"):
    """Say that one is ready, where the room asks for it before the cards are dealt."""

    room: RoomId
    yes: bool = True


class Kick(Command, tag="kick"):
    """Show somebody out before the match begins. Only for whoever opened the room."""

    room: RoomId
    seat: SeatNumber


class Mute(Command, tag="mute"):
    """Hear nothing more from a seat in this room, or hear it again. Nobody is told."""

    room: RoomId
    seat: SeatNumber
    on: bool = True


class Block(Command, tag="block"):
    """Meet somebody no more: no talk, no pairing; or meet them again. Nobody is told."""

    user: UserId
    on: bool = True


class Report(Command, tag="report"):
    """Tell whoever runs this place about somebody at this table. The last lines of talk go along."""

    room: RoomId
    seat: SeatNumber
    why: Literal["talk", "name", "cheating", "stalling", "other"]
    text: Annotated[str, Meta(max_length=500)] = ""


class Seek(Command, tag="seek"):
    """Enter the matchmaking queue."""

    game: Annotated[str, Meta(max_length=64)]
    mode: Literal["casual", "ranked"] = "casual"
    clock: dict[str, int] | None = None
    deck: str | list[str] | None = None
    seats: Annotated[int, Meta(ge=2, le=16)] | None = None


class Unseek(Command, tag="unseek"):
    """Leave the matchmaking queue."""

    game: Annotated[str, Meta(max_length=64)] = ""


class Lobby(Command, tag="lobby"):
    """Follow the lobby, or stop following it."""

    on: bool


class Ping(Command, tag="ping"):
    """Is anybody there?"""

    c: int | float | str = 0


Wish: TypeAlias = Say | Propose | Reply | Resign | Claim | Ready | Kick | Mute | Report  # what is said to a room
AnyCommand: TypeAlias = (
    Hello
    | Join
    | Leave
    | Act
    | Say
    | Propose
    | Reply
    | Resign
    | Claim
    | Ready
    | Kick
    | Mute
    | Block
    | Report
    | Seek
    | Unseek
    | Lobby
    | Ping
)


# from the server


class Frame(Struct, tag_field="t", kw_only=True, omit_defaults=True):
    """Anything that the server says."""


class Welcome(Frame, tag="welcome"):
    """You are in: who you are here, what holds, and which matches wait for you."""

    i: str
    user: dict[str, str]
    proto: int
    now: int
    limits: dict[str, Any]
    heartbeat: int
    seats: list[dict[str, Any]]
    token: str | UnsetType = UNSET


class Ok(Frame, tag="ok"):
    """Done. Of a move: it is in the store and survives the death of any process of ours."""

    i: str
    v: int | UnsetType = UNSET
    warnings: list[View] | UnsetType = UNSET
    room: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    n: int | UnsetType = UNSET
    epoch: str | UnsetType = UNSET


class Err(Frame, tag="err", omit_defaults=False):
    """Not done, and why. Nothing has changed."""

    code: str
    text: str
    retry: bool = False
    i: str | UnsetType = UNSET
    v: int | UnsetType = UNSET
    warn: bool | UnsetType = UNSET
    warnings: list[View] | UnsetType = UNSET
    say: tuple[str, dict[str, Any]] | UnsetType = UNSET


class Snap(Frame, tag="snap", omit_defaults=False):
    """Everything that this viewer may see now."""

    room: str
    epoch: str
    v: int
    view: Raw | View
    offers: Raw | list[View] | UnsetType = UNSET
    blocked: Raw | list[View] | UnsetType = UNSET
    ask: Raw | View | UnsetType | None = UNSET
    clock: Raw | View | UnsetType | None = UNSET
    seat: int | UnsetType = UNSET
    n: int | UnsetType = UNSET


class Delta(Frame, tag="delta", omit_defaults=False):
    """What one commit changed for this viewer; an absent field is as it was."""

    room: str
    v: int
    epoch: str | UnsetType = UNSET
    patch: Raw | View | UnsetType = UNSET
    events: Raw | list[View] | UnsetType = UNSET
    offers: Raw | list[View] | UnsetType = UNSET
    blocked: Raw | list[View] | UnsetType = UNSET
    ask: Raw | View | UnsetType | None = UNSET
    clock: Raw | View | UnsetType | None = UNSET
    sum: str | UnsetType = UNSET


class LobbyNews(Frame, tag="lobby"):
    """The lobby as a whole, or what changed in it."""

    snap: View | UnsetType = UNSET
    patch: View | UnsetType = UNSET


class Seeking(Frame, tag="seeking", omit_defaults=False):
    """How it stands with one's place in the queue."""

    game: str
    mode: str
    since: int
    waiting: int
    clock: dict[str, int] | UnsetType = UNSET
    estimate: int | UnsetType = UNSET
    bot: str | UnsetType = UNSET
    again: bool | UnsetType = UNSET
    over: bool | UnsetType = UNSET


class Matched(Frame, tag="matched", omit_defaults=False):
    """An opponent was found; joining before `ready_by` is the acceptance."""

    room: str
    seat: int
    ready_by: int


class Presence(Frame, tag="presence", omit_defaults=False):
    """Who is here. No part of the view, and raises no version."""

    room: str
    seats: dict[str, View]
    watchers: int
    mirror: bool | UnsetType = UNSET
    host: str | UnsetType = UNSET
    ready_by: int | UnsetType = UNSET


class Said(Frame, tag="said", omit_defaults=False):
    """Chat."""

    room: str
    seat: int | UnsetType = UNSET
    name: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    emote: str | UnsetType = UNSET
    user: str | UnsetType = UNSET
    line: int | UnsetType = UNSET
    at: int | UnsetType = UNSET


class Proposal(Frame, tag="proposal", omit_defaults=False):
    """Table talk: what is proposed, by whom, and what became of it."""

    room: str
    what: str
    seat: int
    state: Literal["open", "agreed", "refused", "withdrawn", "lapsed"] = "open"
    agreed: list[int] | UnsetType = UNSET


class Next(Frame, tag="next", omit_defaults=False):
    """The table goes on in another room: a rematch, or the next match of a series. Join it, to sit or to watch."""

    room: str
    next: str
    series: dict[str, Any] | UnsetType = UNSET


class Rated(Frame, tag="rated", omit_defaults=False):
    """What a ranked match did to the ratings of those who played it. Comes a moment after its end."""

    room: str
    game: str
    seats: dict[str, View]


class Closed(Frame, tag="closed", omit_defaults=False):
    """This room is closed, or closed to you; and why."""

    room: str
    code: str
    text: str
    say: tuple[str, dict[str, Any]]


class Notice(Frame, tag="notice", omit_defaults=False):
    """Something that you should know."""

    code: str
    text: str
    say: tuple[str, dict[str, Any]]


class Bye(Frame, tag="bye", omit_defaults=False):
    """The connection is about to be closed; come back after so many milliseconds."""

    code: int
    after: int


class Pong(Frame, tag="pong", omit_defaults=False):
    """Here."""

    i: str
    c: int | float | str
    now: int


AnyFrame: TypeAlias = (
    Welcome
    | Ok
    | Err
    | Snap
    | Delta
    | LobbyNews
    | Seeking
    | Matched
    | Presence
    | Said
    | Proposal
    | Next
    | Rated
    | Closed
    | Notice
    | Bye
    | Pong
)
ToUser: TypeAlias = Matched | Seeking | Notice  # what somebody is told wherever they are
AtTable: TypeAlias = (
    Presence | Said | Proposal | Next | Rated | Closed | Notice
)  # what a room says without raising a version

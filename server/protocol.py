"""What only the front door knows of the protocol: how a connection opens and closes, its limits, and what HTTP takes.

The messages themselves are in `rooms.wire`; `server.spec` writes both down for everybody who makes a client.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from rooms import state

JSON, MSGPACK = "upcard.v1.json", "upcard.v1.msgpack"
SUBPROTOCOLS = (JSON, MSGPACK)  # the first is what a client that names none gets

MONTH = 31 * 86_400_000

Saying: TypeAlias = tuple[str, dict[str, Any]]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
GameId = Annotated[str, Meta(min_length=1, max_length=64)]
Face = Annotated[str, Meta(min_length=1, max_length=64)]
Deck: TypeAlias = Face | Annotated[list[Face], Meta(max_length=250)]
Time = Annotated[int, Meta(ge=0, le=MONTH)]
Chair = Annotated[str, Meta(pattern=r"^(me|open|bot:[a-z][a-z0-9_:-]{0,31})$")]
Leavers = Annotated[str, Meta(pattern=r"^(wait|out|bot:[a-z][a-z0-9_:-]{0,31})$")]


# how a connection ends


class Then(StrEnum):
    """What a client does about a closed connection."""

    STOP = "stop"  # and say why
    RETRY = "retry"  # after as many milliseconds as `bye` said
    RESUME = "resume"  # reconnect after a random while, join again with `have`


class Close(IntEnum):
    """Every code that we close a connection with. 1002, 1007 and 1009 are the transport's own."""

    meaning: str
    then: Then

    LEFT = 1000, "You left on purpose.", Then.STOP
    BAD_FRAME = 4400, "Three frames within a minute could not be read.", Then.STOP
    BAD_TOKEN = 4401, "The token is not good, or no hello came in time.", Then.STOP
    NOT_ALLOWED = 4403, "This site or this user may not come in.", Then.STOP
    TOO_OLD = 4406, "We share no version of the protocol: the client must be renewed.", Then.STOP
    ELSEWHERE = 4409, "You play this match in newer windows.", Then.STOP
    TOO_FAST = 4429, "Too many commands.", Then.RETRY
    OUR_FAULT = 4500, "Something broke on our side; nothing acknowledged is lost.", Then.RESUME
    DRAINING = 4503, "This process is about to stop; another one serves you.", Then.RESUME
    TOO_SLOW = 4508, "You did not read what was sent to you.", Then.RESUME

    def __new__(cls, code: int, meaning: str, then: Then) -> Close:
        """A code with its meaning beside it."""
        self = int.__new__(cls, code)
        self._value_ = code
        self.meaning, self.then = meaning, then
        return self


# what `welcome` tells


class User(Struct, frozen=True):
    """Somebody, as others know them."""

    id: str
    name: str


class Limits(Struct, frozen=True):
    """What a connection may do. A client that keeps to them is never refused for its speed."""

    frame: int
    commands: int
    seconds: float


class Playing(Struct, frozen=True):
    """A running match in which one has a seat."""

    room: str
    game: str
    since: int
    seat: int | UnsetType = UNSET
    ready_by: int | UnsetType = UNSET


# what HTTP takes and gives


class Problem(Struct, frozen=True):
    """The body of every answer that is not what was asked for."""

    code: str
    text: str
    say: Saying


class SessionRequest(Struct, frozen=True):
    """A guest wants to come in, perhaps with the code of another device; without a name they are given one."""

    name: Name | None = None
    code: Annotated[str, Meta(max_length=16)] | None = None


class Session(Struct, frozen=True):
    """Somebody is known from now on. The token goes into `hello` and into `Authorization: Bearer`, never into a URL."""

    token: str
    user: User


class PassMade(Struct, frozen=True):
    """Typed in on another device until then, this makes whoever does it the same guest; once."""

    code: str
    until: int


class ClockRequest(Struct, frozen=True, omit_defaults=True):
    """Time to think: a budget with an increment, an allowance for each decision, or days for each."""

    base: Time = 0
    inc: Time = 0
    decision: Time = 0
    days: Annotated[int, Meta(ge=0, le=31)] = 0

    def __post_init__(self) -> None:
        """Exactly one way of counting."""
        if sum(map(bool, (self.base, self.decision, self.days))) != 1 or (self.inc and not self.base):
            raise ValueError("A clock is {base, inc}, {decision} or {days}")

    def agreed(self) -> state.Clock:
        """The clock as a room keeps it."""
        return state.Clock(self.base, self.inc, self.decision, self.days)


CLOCKS = (  # what a form may propose; any other clock will do as well
    ClockRequest(base=180_000, inc=2_000),
    ClockRequest(base=600_000, inc=5_000),
    ClockRequest(base=1_800_000, inc=20_000),
    ClockRequest(decision=60_000),
    ClockRequest(days=2),
)


class DelayRequest(Struct, frozen=True, omit_defaults=True):
    """How far behind watchers are kept: so many moves, or so long."""

    moves: Annotated[int, Meta(ge=0, le=16)] = 0
    ms: Annotated[int, Meta(ge=0, le=3_600_000)] = 0


class WatchRequest(Struct, frozen=True, omit_defaults=True):
    """Who may watch, and how long after."""

    who: Literal["all", "code", "nobody"] = "all"
    delay: DelayRequest | None = None

    def agreed(self) -> state.Watch:
        """The same as a room keeps it."""
        delay = self.delay or DelayRequest()
        return state.Watch(self.who, state.Delay(delay.moves, delay.ms))


class RoomRequest(Struct, frozen=True, kw_only=True):
    """A table is wanted. What is left out is up to the game."""

    game: GameId
    options: dict[str, Any] = {}
    clock: ClockRequest | None = None
    deck: Deck | None = None
    private: bool = False
    seats: Annotated[list[Chair], Meta(min_length=1, max_length=5)] | None = None
    watch: WatchRequest | None = None
    leavers: Leavers = state.WAIT
    grace: Annotated[int, Meta(ge=0, le=86_400_000)] = state.GRACE
    key: Annotated[str, Meta(min_length=8, max_length=64)] | None = None
    first: Annotated[int, Meta(ge=0, le=4)] | None = None
    ready: bool = False
    best_of: Literal[1, 3, 5, 7] = 1


class DeckRequest(Struct, frozen=True):
    """May this deck be played, with these options of the room?"""

    deck: Deck
    options: dict[str, Any] = {}


class DeckCheck(Struct, frozen=True):
    """How many cards a deck has, and everything that is wrong with it. Without mistakes it may be played."""

    cards: int
    mistakes: list[Problem]


class StoryStep(Struct, frozen=True, omit_defaults=True):
    """One version of a match that is told again: what changed for that viewer, what happened, by whom and when."""

    v: int
    patch: dict[str, Any]
    events: list[dict[str, Any]]
    seat: int = -1
    at: int = 0


class Story(Struct, frozen=True):
    """A finished match as one viewer saw it. Whoever reads this knows that the match was played again and checked."""

    game: str
    seats: list[str]
    v: int
    view: dict[str, Any]
    events: list[dict[str, Any]]
    steps: list[StoryStep]
    checked: bool


class RoomMade(Struct, frozen=True):
    """The table stands."""

    room: str
    code: str
    seat: int | UnsetType = UNSET

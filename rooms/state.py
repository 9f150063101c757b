"""What a room remembers between two processes."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from engine.bots import name_bots

SCHEMA = 1
WAITING, PLAYING, OVER = 0, 1, 2  # the statuses of a room
WAIT, OUT = "wait", "out"  # what becomes of whoever leaves, where no bot plays for them
GRACE = 60_000  # ms that somebody may be away


class Clock(Struct, omit_defaults=True):
    """Time to think: a budget with an increment, an allowance for each decision, or days."""

    base: int = 0
    inc: int = 0
    decision: int = 0
    days: int = 0

    @property
    def each(self) -> int:
        """What a player is given for one decision, if that is how time is counted."""
        return self.decision or self.days * 86_400_000


class Times(Struct, omit_defaults=True):
    """Who has how much time left, whose time is running, and since when."""

    left: list[int]
    runs: list[int] = field(default_factory=list)
    since: int = 0  # server time
    window: int = 0  # the end of a reaction window that the rules opened
    asked: int = 0  # the question that is open; an answer of somebody else does not give anybody more time
    paused: int = 0  # all time stands still, at the latest until then
    lag: list[int] = field(default_factory=list)  # what each seat was given back for the way that its moves took


class Delay(Struct, omit_defaults=True):
    """How far behind watchers are kept."""

    moves: int = 0
    ms: int = 0


class Watch(Struct, omit_defaults=True):
    """Who may watch, and how long after."""

    who: Literal["all", "code", "nobody"] = "all"
    delay: Delay = field(default_factory=Delay)


class Sitter(Struct, omit_defaults=True):
    """Who sits on a seat, or will play it."""

    user: str = ""
    name: str = ""
    bot: str = ""
    deck: list[str] | None = None
    stand_in: str = ""  # the bot that plays while the user is away

    @property
    def played_by(self) -> str:
        """The bot that plays this seat now; empty if a person does."""
        return self.bot or self.stand_in

    @property
    def taken(self) -> bool:
        """Whether nobody else can sit here."""
        return bool(self.user or self.bot)


class Series(Struct, omit_defaults=True):
    """Several matches for one result: best of so many, the number of this one, and who has won how many, by seat."""

    of: int
    game: int = 1
    wins: list[int] = field(default_factory=list)


class Queue(Struct, frozen=True, omit_defaults=True):
    """What is sought: only those who seek the same meet."""

    game: str
    mode: str = "casual"
    clock: Clock | None = None
    seats: int = 2

    @property
    def name(self) -> str:
        """What the queue is called, in the store and in the lobby."""
        words = [self.game, self.mode, _clock_word(self.clock)]
        return " ".join([*words, f"for {self.seats}"] if self.seats != 2 else words)


class Sought(Struct):
    """Somebody for whom a match was arranged, since when they had waited, and their ticket."""

    user: str
    since: int
    ticket: str


class Arranged(Struct):
    """How a match came about that people had sought. Not for everybody to read."""

    queue: Queue
    match: str
    people: list[Sought]


class Setup(Struct, omit_defaults=True, kw_only=True):
    """What was agreed when the room was opened."""

    game: str
    seats: int
    options: dict[str, Any] = field(default_factory=dict)
    clock: Clock | None = None
    watch: Watch = field(default_factory=Watch)
    private: bool = False
    mode: Literal["casual", "ranked"] = "casual"
    host: str = ""  # the user who opened it
    code: str = ""
    made: int = 0
    first: int | None = None
    bots: dict[int, str] = field(default_factory=dict)
    leavers: str = WAIT  # or out, or bot:NAME
    grace: int = GRACE  # ms
    ready: bool = False  # everybody is asked before the cards are dealt
    ready_by: int = 0  # everybody must have come by then, or the match is off
    series: Series | None = None
    arranged: Arranged | None = None

    def sitter(self, seat: int) -> Sitter:
        """Who has a seat that nobody has taken: the bot that plays it, or nobody."""
        return Sitter(name=name_bots(self.bots).get(seat, ""), bot=self.bots.get(seat, ""))


class RoomState(Struct, kw_only=True):
    """Everything about a match that must survive. Secret: it holds every card."""

    setup: Setup
    schema: int = SCHEMA
    epoch: str = "0"  # under which ownership the newest version was made: proves a client's history
    table: bytes = b""  # empty until the deal
    decks: list[list[str] | None] = field(default_factory=list)
    times: Times | None = None
    started: int = 0
    resigned: dict[int, int] = field(default_factory=dict)  # who gave up, and with which version


def _clock_word(clock: Clock | None) -> str:
    if clock is None:
        return "free"
    if clock.days:
        return f"{clock.days}d"
    if clock.decision:
        return f"{_seconds(clock.decision)}s/move"
    return f"{_seconds(clock.base)}+{_seconds(clock.inc)}"


def _seconds(ms: int) -> str:
    return f"{ms / 1000:g}"


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(RoomState)
_sitter = msgspec.json.Decoder(Sitter)


def pack_room(state: RoomState) -> bytes:
    """A room ready to be stored."""
    return _encoder.encode(state)


def unpack_room(data: bytes) -> RoomState:
    """The room that was stored."""
    return _decoder.decode(data)


def read_sitters(side: dict[str, bytes], setup: Setup) -> list[Sitter]:
    """Who sits where, from the room's side record and its bots."""
    found = []
    for seat in range(setup.seats):
        data = side.get(f"seat{seat}")
        found.append(_sitter.decode(data) if data else setup.sitter(seat))
    return found

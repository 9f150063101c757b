"""What lies inside the frames: views, offers, questions, events. Real matches are checked against it.

The engine makes these as plain JSON and each game adds facts of its own, so nothing is ever decoded into them.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, field

from engine.table import Result
from server.protocol import ClockRequest, Saying

Facts: TypeAlias = dict[str, Any]
Patch: TypeAlias = dict[str, Any]


class Open(Struct):
    """Something that games add facts of their own to."""


# the view


class Turn(Open):
    """Whose turn it is, and who still owes an answer."""

    waiting: list[int]
    number: int | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    phase: str | UnsetType = UNSET
    asked: bool | UnsetType = UNSET


class SeatView(Open):
    """A seat as this viewer sees it, with the game's own counters."""

    name: str | UnsetType = UNSET


class Zone(Struct):
    """A place where cards lie. Without `cards` one may count them and not look."""

    n: int
    cards: list[int] | UnsetType = UNSET


class Card(Open):
    """A card that this viewer can point at; without a `face` it lies face down."""

    owner: int
    face: str | UnsetType = UNSET
    controller: int | UnsetType = UNSET


class View(Open):
    """Everything that one viewer may see. It never holds a null; before the deal it has only its first few fields."""

    game: str
    rules: str
    seats: dict[str, SeatView]
    you: int | UnsetType = UNSET
    options: Facts | UnsetType = UNSET
    commitment: str | UnsetType = UNSET
    turn: Turn | UnsetType = UNSET
    zones: dict[str, Zone] | UnsetType = UNSET
    cards: dict[str, Card] | UnsetType = UNSET
    result: Result | UnsetType = UNSET


# what one may do


class Slot(Struct, rename={"from_": "from"}):
    """A gap in an offer: different entries of `from` in the order chosen, or one number out of `range`."""

    name: str
    from_: list[int | str] | UnsetType = UNSET
    range: tuple[int, int] | UnsetType = UNSET
    least: int | UnsetType = UNSET
    most: int | UnsetType = UNSET
    worth: list[int] | UnsetType = UNSET
    total: int | UnsetType = UNSET


class Offer(Struct):
    """A legal move with gaps. Every filling that respects its slots is accepted."""

    type: str
    label: str
    say: Saying
    card: int | UnsetType = UNSET
    cost: dict[str, int] | UnsetType = UNSET
    slots: list[Slot] | UnsetType = UNSET
    warns: list[str] | UnsetType = UNSET
    free: bool | UnsetType = UNSET


class Move(Open):
    """A filled offer: its `type`, its `card` if it has one, and a field for each slot. Nothing else may stand here."""

    type: str
    card: int | UnsetType = UNSET


class Question(Struct):
    """What one is asked; the offers are its answers."""

    id: int
    text: str
    say: Saying
    by: int | UnsetType = UNSET
    until: int | UnsetType = UNSET


class Blocked(Struct):
    """A card that cannot be used now, and why."""

    card: int
    code: str


class Clock(Struct):
    """Time left at the moment `at`; it runs for the seats in `runs`."""

    left: dict[str, int]
    runs: list[int]
    at: int
    until: int | UnsetType = UNSET
    paused: int | UnsetType = UNSET


class Warning(Struct):
    """What is unusual about a move, by which rule."""

    rule: str
    text: str
    level: Literal["hard", "soft"] | UnsetType = UNSET
    say: Saying | UnsetType = UNSET


class Worth(Struct):
    """What a match did to somebody's rating."""

    rating: int
    change: int


class Here(Struct):
    """Whether somebody is at their seat, and since when."""

    online: bool
    since: int | UnsetType = UNSET
    bot: str | UnsetType = UNSET
    id: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    ready: bool | UnsetType = UNSET
    closed: bool | UnsetType = UNSET
    until: int | UnsetType = UNSET


class Series(Struct):
    """Several matches that are played for one result."""

    of: int
    game: int
    wins: list[int]


class LobbyQueue(Struct):
    """Where one may seek, and how many do."""

    game: str
    mode: str
    waiting: int
    clock: ClockRequest | UnsetType = UNSET


class LobbyView(Struct):
    """The lobby as everybody sees it."""

    online: int
    open: dict[str, Facts]
    live: dict[str, Facts]
    queues: dict[str, LobbyQueue]


# what happened


class Happening(Struct, tag_field="e", kw_only=True):
    """Something that happened, as far as this viewer may know."""


class Moved(Happening, tag="moved", rename={"from_": "from"}):
    """A card went somewhere. `was` is the id it had before, if it got a new one."""

    card: int | UnsetType = UNSET
    was: int | UnsetType = UNSET
    face: str | UnsetType = UNSET
    from_: str | UnsetType = UNSET
    to: str | UnsetType = UNSET


class Changed(Happening, tag="changed"):
    """A number of a card or of a seat went up or down."""

    what: str
    by: int
    card: int | UnsetType = UNSET
    seat: int | UnsetType = UNSET


class Turned(Happening, tag="turned"):
    """A card was shown to somebody."""

    card: int | UnsetType = UNSET
    face: str | UnsetType = UNSET


class Shuffled(Happening, tag="shuffled"):
    """A zone was shuffled: its cards have new ids."""

    zone: str


class Looked(Happening, tag="looked"):
    """Somebody looked at hidden cards."""

    seat: int
    zone: str
    count: int


class Struck(Happening, tag="struck"):
    """A card hit another one."""

    by: int
    card: int | UnsetType = UNSET
    on: int | UnsetType = UNSET


class Rolled(Happening, tag="rolled"):
    """Dice or coins fell."""

    results: list[int | str]


class Asked(Happening, tag="asked"):
    """These seats are being asked something."""

    seats: list[int]
    by: int | UnsetType = UNSET


class Phase(Happening, tag="phase"):
    """A new turn or a new part of it."""

    phase: str
    number: int | UnsetType = UNSET
    seat: int | UnsetType = UNSET


class Spoken(Happening, tag="said"):
    """A line for the log: the key of a message of the game, and what it speaks of."""

    key: str
    args: Facts


class Over(Happening, tag="over"):
    """The match is over."""

    winners: list[int]
    reason: str


Event: TypeAlias = (
    Moved | Changed | Turned | Shuffled | Looked | Struck | Rolled | Asked | Phase | Spoken | Over
)  # more may come: a client skips those it does not know


# `upcard drive`


class ToolCall(Struct):
    """A tool that is called, with its arguments by name."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)


class DriveLine(Struct):
    """One line to `upcard drive`: a move, giving up, taking back, time running out, or a wish to see something."""

    seat: int | None = None
    do: Move | None = None
    ask: int | None = None
    sure: bool = False
    heed: Literal["none", "ask", "hard", "all"] = "none"
    resign: bool = False
    takeback: bool = False
    expire: bool = False
    show: str | None = None
    call: ToolCall | None = None
    calls: list[ToolCall] = field(default_factory=list)


class DriveNow(Struct, kw_only=True):
    """The table: whom it waits for, and what they may do."""

    v: int
    to_act: list[int]
    offers: dict[str, list[Offer]]
    asks: dict[str, Question]
    result: Result | None
    blocked: dict[str, list[Blocked]] = field(default_factory=dict)


class DriveOpening(DriveNow, kw_only=True):
    """The first line, which comes unasked, and the answer to `show: views`."""

    epoch: str
    views: dict[str, View]


class DriveStep(DriveNow, kw_only=True):
    """The answer to a line that changed something."""

    patches: dict[str, Patch]
    events: dict[str, list[Event]]
    warnings: list[Warning] | UnsetType = UNSET


class DriveError(Struct):
    """The answer to a line that changed nothing."""

    err: Refusal


class Refusal(Struct):
    """Why not."""

    code: str
    text: str
    say: Saying | UnsetType = UNSET
    warn: bool | UnsetType = UNSET
    warnings: list[Warning] | UnsetType = UNSET

"""Where to draw what: the playmat, one format for every game.

A mat has an area for me, one for each of the others and one that all share; an area is a grid or a board of hexes,
and a slot in it says where a zone lies. The mat also names the facts that are drawn as numbers, badges and colours.
A client that can draw one mat can draw them all. Whatever is wrong with a mat is told at once, by the name of its
field, when the game is loaded.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from engine.errors import BadCards
from engine.table import Zone

Name = Annotated[str, Meta(min_length=1, max_length=60)]
Hue = Annotated[str, Meta(pattern=r"^([a-z]{3,20}|#[0-9a-f]{3}|#[0-9a-f]{6})$")]
Cells = Annotated[int, Meta(ge=1, le=40)]
Step = Annotated[int, Meta(ge=-40, le=40)]
Who = Literal["all", "owner", "none"]
Positive = Annotated[float, Meta(gt=0, le=10)]
AREAS = ("others", "shared", "me")


class Part(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, rename="camel"):
    """A part of a mat. A field that nobody knows is a mistake, not a wish."""


class Position(Part, frozen=True):
    """A cell of the grid, counted from 1, and how far it reaches; or a hex by its two axes."""

    row: Cells | None = None
    col: Cells | None = None
    row_span: Cells = 1
    col_span: Cells = 1
    q: Step | None = None
    r: Step | None = None

    def cells(self) -> Iterator[tuple[int, int]]:
        """Every cell that this covers; of a hex, the one."""
        if self.q is not None and self.r is not None:
            yield self.q, self.r
        if self.row is not None and self.col is not None:
            yield from ((self.row + n, self.col + m) for n in range(self.row_span) for m in range(self.col_span))


class Slot(Part, frozen=True):
    """A place on the mat and the zone that lies there."""

    id: Name
    zone: Name
    position: Position
    label: Name | None = None
    stack_direction: Literal["none", "down", "up", "right", "fan"] = "none"
    show_count: bool = False
    align: Literal["start", "center", "end"] = "start"
    fixed_size: bool = False
    scale: Positive = 1.0
    group: Name | None = None  # slots of one group are drawn as one thing, such as a bench
    colour: Hue | None = None  # of the ground, such as blue for a sea


class Area(Part, frozen=True):
    """A grid of so many rows and columns, or a board of hexes."""

    slots: tuple[Slot, ...]
    rows: Cells | None = None
    cols: Cells | None = None
    hex: bool = False


class Areas(Part, frozen=True):
    """Who sits where: each of the others, what all share, me."""

    others: Area | None = None
    shared: Area | None = None
    me: Area | None = None

    def drawn(self) -> Iterator[tuple[str, Area]]:
        """The areas that there are, by name."""
        for name in AREAS:
            area: Area | None = getattr(self, name)
            if area is not None:
                yield name, area


class Counter(Part, frozen=True):
    """A fact that is drawn as a number, a bar where there is a most, the word for its value, or who has what.

    `gain` names a second fact that says how much comes each turn: the two are drawn as one, 32 +5.
    """

    name: Name
    label: Name
    gain: Name | None = None
    least: int | None = None
    most: int | None = None
    words: dict[str, Name] = {}
    owners: bool = False  # the fact is the seat that has each of several things, by the name of the thing


class Counters(Part, frozen=True):
    """The numbers that stand beside a player, or beside the table."""

    counters: tuple[Counter, ...] = ()


class Card(Part, frozen=True):
    """Which facts of a card are drawn, and where on it."""

    corner: Name | None = None
    stats: tuple[Name, ...] = ()
    colour: Name | None = None
    colours: dict[str, Hue] = {}
    turned: Name | None = None  # a yes or no: the card lies sideways
    counters: tuple[Name, ...] = ()  # numbers drawn as badges where they are not 0
    marks: tuple[Name, ...] = ()  # yes or no, a word or a number: drawn as chips
    links: tuple[Name, ...] = ()  # another card by its id: drawn as a chip with its name
    silent: tuple[Name, ...] = ()  # for programs only
    owner: Literal["tint"] | None = None


class ZoneRow(Part, frozen=True):
    """A zone of a game whose furniture is the mat itself.

    In an ordered zone cards lie on each other: one stack, whose top card bears the counters.
    """

    id: Name
    name: Name | None = None
    faces: Who = "none"
    things: Who = "none"
    shared: bool = False
    counted: bool = True
    most: Annotated[int, Meta(ge=1, le=1000)] | None = None  # cards that have room here
    ordered: bool = False
    counters: bool = True  # whether a card here can bear counters


class Playmat(Part, frozen=True):
    """A mat whole."""

    id: Name
    name: Name
    game: Name
    areas: Areas
    seat: Counters = Counters()
    table: Counters = Counters()
    card: Card = Card()
    zones: tuple[ZoneRow, ...] = ()
    words: dict[str, tuple[Name, ...]] = {}  # what may be said at the table, by what it is about
    undrawn: tuple[Name, ...] = ()  # zones that are nowhere to be seen, on purpose


def read_playmat(mat: Mapping[str, Any], game: str, zones: Sequence[Zone], seats: int) -> Playmat:
    """A mat that fits its game. Raises `BadCards` with everything that does not."""
    read = parse_playmat(mat)
    mistakes = [f"playmat.json: {mistake}" for mistake in _mistakes(read, game, zones, seats)]
    if mistakes:
        raise BadCards(mistakes)
    return read


def parse_playmat(mat: Mapping[str, Any]) -> Playmat:
    """A mat, whatever game it is for. Raises `BadCards` where it is none."""
    try:
        return msgspec.convert(mat, Playmat)
    except msgspec.ValidationError as error:
        raise BadCards([_worded(str(error))]) from None


def _worded(error: str) -> str:
    """What is wrong and where: `areas.me.slots[2].align: …`."""
    wrong, _, path = error.partition(" - at `$")
    return f"playmat.json: {path.rstrip('`').lstrip('.') or 'the mat'}: {wrong}"


def _mistakes(mat: Playmat, game: str, zones: Sequence[Zone], seats: int) -> Iterator[str]:
    if mat.game != game:
        yield f"game: this mat is for {mat.game!r}, not for {game!r}"
    known = {zone.name: zone.shared for zone in zones}
    yield from _twice((f"zones[{n}].id", zone.id) for n, zone in enumerate(mat.zones))
    yield from _twice((where, slot.id) for where, slot in _slots(mat, "id"))
    for name, area in mat.areas.drawn():
        yield from _grid(f"areas.{name}", area)
    for where, slot in _slots(mat, "zone"):
        if slot.zone not in known:
            yield f"{where}: there is no zone {slot.zone!r}.{_near(slot.zone, known)}"
        elif known[slot.zone] != where.startswith("areas.shared"):
            whose = "shared; it" if known[slot.zone] else "one of each seat; it"
            yield f"{where}: the zone {slot.zone!r} is {whose} belongs in {_homes(known[slot.zone], seats)}"
    yield from _missing(mat, known, seats)
    yield from _counted(mat)


def _slots(mat: Playmat, field: str) -> Iterator[tuple[str, Slot]]:
    for name, area in mat.areas.drawn():
        for n, slot in enumerate(area.slots):
            yield f"areas.{name}.slots[{n}].{field}", slot


def _grid(where: str, area: Area) -> Iterator[str]:
    taken: dict[tuple[int, int], str] = {}
    if area.hex == (area.rows is not None or area.cols is not None):
        yield f"{where}: an area has rows and cols, or hex: true"
        return
    if not area.hex and (area.rows is None or area.cols is None):
        yield f"{where}: rows and cols are needed, both"
        return
    for n, slot in enumerate(area.slots):
        here = f"{where}.slots[{n}].position"
        wrong = _outside(area, slot.position)
        if wrong:
            yield f"{here}: {wrong}"
            continue
        for cell in slot.position.cells():
            if taken.setdefault(cell, slot.id) != slot.id:
                yield f"{here}: {slot.id!r} lies on {taken[cell]!r}"
                break
    yield from _twice((f"{where}.slots[{n}].zone", slot.zone) for n, slot in enumerate(area.slots))


def _outside(area: Area, at: Position) -> str:
    """What is wrong with a position in an area; nothing if it lies inside."""
    if area.hex:
        return "" if at.q is not None and at.r is not None and at.row is at.col is None else "a hex has q and r"
    if at.row is None or at.col is None or at.q is not None or at.r is not None:
        return "a cell has row and col"
    assert area.rows is not None
    assert area.cols is not None
    if at.row + at.row_span - 1 > area.rows or at.col + at.col_span - 1 > area.cols:
        return f"it reaches outside the grid of {area.rows} rows and {area.cols} columns"
    return ""


def _missing(mat: Playmat, known: Mapping[str, bool], seats: int) -> Iterator[str]:
    """Zones that are drawn nowhere where they should be, unless that is on purpose."""
    drawn = {name: {slot.zone for slot in area.slots} for name, area in mat.areas.drawn()}
    for zone, shared in known.items():
        gaps = [area for area in _areas(shared, seats) if zone not in drawn.get(area, ())]
        if gaps and zone not in mat.undrawn:
            yield f"areas.{gaps[0]}: the zone {zone} has no slot; draw it, or name it in undrawn"
        if not gaps and zone in mat.undrawn:
            yield f"undrawn: the zone {zone} is drawn after all"
    for n, zone in enumerate(mat.undrawn):
        if zone not in known:
            yield f"undrawn[{n}]: there is no zone {zone!r}.{_near(zone, known)}"


def _counted(mat: Playmat) -> Iterator[str]:
    for part, counters in (("seat", mat.seat.counters), ("table", mat.table.counters)):
        yield from _twice((f"{part}.counters[{n}].name", one.name) for n, one in enumerate(counters))
        for n, one in enumerate(counters):
            if one.least is not None and one.most is not None and one.least >= one.most:
                yield f"{part}.counters[{n}].most: it is not above least"


def _areas(shared: bool, seats: int) -> tuple[str, ...]:
    if shared:
        return ("shared",)
    return ("me", "others") if seats > 1 else ("me",)


def _homes(shared: bool, seats: int) -> str:
    return " and ".join(f"areas.{area}" for area in _areas(shared, seats))


def _twice(named: Iterable[tuple[str, str]]) -> Iterator[str]:
    seen: dict[str, str] = {}
    for where, name in named:
        if seen.setdefault(name, where) != where:
            yield f"{where}: {name!r} is taken by {seen[name]}"


def _near(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1)
    return f" Did you mean {close[0]}?" if close else ""

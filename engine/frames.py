"""What is still to be done at a table, as plain data.

A word acts or asks, never both, so what is left after a question is just the rest of a list. Three frames are
enough: `Run` is doing, `Ask` waits for answers, `Turn` waits for a move. They can be stored between any two
messages and taken up by another process.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct

# Frozen things cannot refer to each other in a circle, so the garbage collector need not look at them (gc=False).

Seat: TypeAlias = int
EntityId: TypeAlias = int


class Entity(Struct, frozen=True, gc=False, array_like=True):
    """A card, a seat, a token, the table itself. Never edited: the journal swaps it."""

    id: EntityId
    face: str = ""
    owner: Seat = -1
    zone: str = ""
    shown: int = 0  # viewers who see this face although the zone hides it
    facts: dict[str, Any] = {}
    dark: int = 0  # viewers who do not see this face although the zone shows it: for them it lies face down


class Word(Struct, frozen=True, gc=False, array_like=True):
    """One word of a card's text: which function, and what it was given."""

    name: str
    args: dict[str, Any] = {}


Program: TypeAlias = tuple[Word, ...]


def word(name: str, /, **args: Any) -> Word:
    """A word with its arguments by name."""
    return Word(name, args)


class Event(Struct, frozen=True, gc=False, omit_defaults=True):
    """Something that cards can hear. It carries the card as it was when it happened."""

    kind: str
    seat: Seat = -1
    card: Entity | None = None
    facts: dict[str, Any] = {}


class Ref(Struct, frozen=True, gc=False):
    """A card in a sentence: lenses drop what their viewer may not know."""

    id: EntityId
    face: str
    ids: int  # viewers who can tell which card is meant
    faces: int  # viewers who see what it is


Arg: TypeAlias = Ref | str | int | float | bool | list[Ref | str | int]


class Heard(Struct, frozen=True, gc=False):
    """A card heard an event; what it has to say waits in the bag."""

    word: Word
    source: Entity
    seat: Seat
    event: Event


class Slot(Struct, frozen=True, gc=False, omit_defaults=True, rename={"from_": "from"}):
    """A gap in an offer: different entries of `from_` in the order chosen, or a number out of `range`.

    Where entries are worth something (`worth`, one number for each), those chosen must come to at least `total`.
    """

    name: str
    from_: tuple[int | str, ...] = ()
    range: tuple[int, int] | None = None
    least: int = 1
    most: int = 1
    worth: tuple[int, ...] = ()
    total: int = 0


class Offer(Struct, frozen=True, gc=False, omit_defaults=True):
    """A legal move as a template. Every filling that respects its slots is accepted."""

    type: str
    card: EntityId = 0
    slots: tuple[Slot, ...] = ()
    cost: dict[str, int] = {}
    warns: tuple[str, ...] = ()  # rules that may find it unusual
    free: bool = False  # nothing asks for it: people may, bots pass it over


class Move(Struct, frozen=True, gc=False, omit_defaults=True):
    """An offer with its slots filled."""

    type: str
    card: EntityId = 0
    picks: dict[str, Any] = {}  # slot name -> list of entries, or a number for a range
    sure: bool = False  # made in spite of a warning, or before there was one

    def chosen(self, slot: str) -> tuple[Any, ...]:
        """What was put into a slot; nothing if the offer had no such slot."""
        return tuple(self.picks.get(slot, ()))


class Question(Struct, frozen=True, gc=False, omit_defaults=True):
    """What one seat is asked. The offers are the answers; nobody else sees them."""

    offers: tuple[Offer, ...]
    key: str = ""  # what is asked, as a message key
    args: dict[str, Arg] = {}
    default: Move | None = None  # when time runs out; without one the match's own luck picks
    then: dict[str, Program] = {}  # what follows an answer of that type


class Run(Struct, frozen=True, gc=False, omit_defaults=True, tag="run"):
    """Words still to be spoken, who speaks them and what was chosen so far."""

    todo: Program
    seat: Seat
    source: Entity | None = None
    event: Event | None = None
    bound: dict[str, Any] = {}


class Ask(Struct, frozen=True, gc=False, omit_defaults=True, tag="ask"):
    """A question per seat. It ends when all have answered or, with `first`, at the first answer but a pass."""

    id: int
    questions: dict[Seat, Question]
    into: str = "answer"
    first: bool = False
    seconds: float = 0  # time allowed by the rules; 0 leaves it to the room's clock
    by: EntityId = 0
    answers: dict[Seat, Move] = {}


class Turn(Struct, frozen=True, gc=False, omit_defaults=True, tag="turn"):
    """A seat may make a move."""

    seat: Seat


Frame: TypeAlias = Run | Ask | Turn
PASS = "pass"

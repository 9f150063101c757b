"""How a word on a card becomes a function.

A word is registered once, by decorator; its signature is its schema. What the engine hands over comes before the
`/`, what the card says comes after it:

    @effects.does("gain")
    def gain(ctx: Ctx, /, amount: int) -> None: ...

`parse("gain:2")` (from a CSV cell, by position) and `word("gain", {"amount": 2})` (from JSON, by name) give the
same word. Each game has its own `Effects`, so two games may mean different things by one word.

    does      acts once, when the card is played or the ability is used
    when      hears an event and acts after it
    instead   hears an event before it happens and may do something else in its place
    always    bends the numbers of cards while it is in play
    costs     changes a price
    allows    permits, forbids or protects
    uses      an ability that its player may use
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from engine.errors import Fault
from engine.frames import Ask, EntityId, Event, Question, Run, Seat, Word
from engine.misread import near, worded

if TYPE_CHECKING:
    from engine.frames import Entity
    from engine.journal import Journal
    from engine.look import Look
    from engine.table import Table

Fn = TypeVar("Fn", bound=Callable[..., Any])
Of = Literal["self", "mine", "others", "theirs", "any"]


class BadWord(ValueError):
    """A word that nobody registered, or that was given the wrong things."""


class Spoken(Struct, frozen=True):
    """A registered word: what kind it is, what it is about, and the function behind it."""

    name: str
    kind: str
    topic: str
    of: Of
    fn: Callable[..., Any]
    takes: dict[str, Any]  # parameter -> type
    needs: frozenset[str]
    aim: Callable[..., Any] | None = None
    only: Callable[..., bool] | None = None


class Ability(Struct, frozen=True):
    """A word as it stands on a card, ready to be called."""

    word: Word
    kind: str
    topic: str
    of: Of
    fn: Callable[..., Any]
    aim: Callable[..., Any] | None = None
    only: Callable[..., bool] | None = None


class Face(Struct, frozen=True, kw_only=True):
    """A card of the catalogue. Games add their own fields; `by` finds its words by kind and topic."""

    name: str
    text: str = ""
    abilities: tuple[Ability, ...] = ()
    by: dict[str, tuple[Ability, ...]] = {}
    token: bool = False  # laid on the table when it is needed; it comes out of no pile


def by_topic(abilities: Iterable[Ability]) -> dict[str, tuple[Ability, ...]]:
    """Abilities found by kind and topic, in the order printed."""
    found: dict[str, tuple[Ability, ...]] = {}
    for ability in abilities:
        key = f"{ability.kind}:{ability.topic}"
        found[key] = (*found.get(key, ()), ability)
    return found


class Effects:
    """The vocabulary of one game."""

    def __init__(self, events: Iterable[str] = (), core: Effects | None = None) -> None:
        self.words: dict[str, Spoken] = dict(core.words) if core else {}
        self.events: frozenset[str] = frozenset(events) | (core.events if core else frozenset())

    def does(self, name: str, aim: Callable[..., Any] | None = None) -> Callable[[Fn], Fn]:
        """A word that acts, once. `aim` says what it may be aimed at when that is chosen with the move."""
        return self._register("does", name, aim=aim)

    def when(
        self, name: str, event: str, of: Of = "self", only: Callable[..., bool] | None = None
    ) -> Callable[[Fn], Fn]:
        """A word that hears an event: of its own card, its side, the others of its side, the other side, any.

        `only` is asked the moment it happens, with what the card says: events that it refuses are not heard at all.
        """
        return self._register("when", name, self._known(event), of, only=only)

    def instead(
        self, name: str, event: str, of: Of = "self", only: Callable[..., bool] | None = None
    ) -> Callable[[Fn], Fn]:
        """A word that may do something else in place of an event; it returns whether it did."""
        return self._register("instead", name, self._known(event), of, only=only)

    def always(self, name: str) -> Callable[[Fn], Fn]:
        """A word that bends numbers for as long as its card is in play."""
        return self._register("always", name)

    def costs(self, name: str, topic: str) -> Callable[[Fn], Fn]:
        """A word that changes a price."""
        return self._register("costs", name, topic)

    def allows(self, name: str, topic: str) -> Callable[[Fn], Fn]:
        """A word that permits, forbids or protects."""
        return self._register("allows", name, topic)

    def uses(self, name: str, aim: Callable[..., Any] | None = None) -> Callable[[Fn], Fn]:
        """A word that is an ability to be used."""
        return self._register("uses", name, aim=aim)

    def parse(self, text: str) -> Word:
        """A word from a CSV cell: `name:value:value`.

        A value that does not fit a parameter which may be left out is tried on the next one, so that
        `unsleep:2` and `unsleep:actions:1` can be one word.
        """
        name, *values = (part.strip() for part in text.split(":"))
        spoken = self._spoken(name)
        args: dict[str, Any] = {}
        left = list(spoken.takes)
        for value in values:
            while left:
                key = left.pop(0)
                try:
                    args[key] = msgspec.convert(value, spoken.takes[key], strict=False)
                    break
                except msgspec.ValidationError as error:
                    if key in spoken.needs or not left:
                        raise BadWord(f"{name}: {value!r} does not fit {key} ({str(error).lower()})") from None
            else:
                raise BadWord(f"{name}: {value!r} is one value too many; it takes {self._takes(spoken)}")
        return self._whole(spoken, args)

    def word(self, name: str, args: dict[str, Any] | None = None) -> Word:
        """A word from JSON, or one that comes back from storage: its values by name."""
        spoken = self._spoken(name)
        found = {}
        for key, value in (args or {}).items():
            if key not in spoken.takes:
                raise BadWord(f"{name}: it has no {key!r}; it takes {self._takes(spoken)}{near(key, spoken.takes)}")
            try:
                found[key] = msgspec.convert(value, spoken.takes[key])
            except msgspec.ValidationError as error:
                raise BadWord(f"{name}: {key}: {worded(error, spoken.takes[key])}") from None
        return self._whole(spoken, {key: self._revived(value) for key, value in found.items()})

    def ability(self, word: Word) -> Ability:
        """A word as a card bears it."""
        spoken = self._spoken(word.name)
        return Ability(word, spoken.kind, spoken.topic, spoken.of, spoken.fn, spoken.aim, spoken.only)

    def speak(self, ctx: Ctx, word: Word) -> None:
        """Do what a word says. A word acts or asks, never both: the rest must be plain data while we wait."""
        journal = ctx.journal
        writes, asked = journal.writes, journal.table.asked
        spoken = self.words[word.name]
        if spoken.kind == "when":
            spoken.fn(ctx, ctx.event, **word.args)
        else:
            spoken.fn(ctx, **word.args)
        if journal.table.asked != asked and journal.writes != writes:
            raise Fault(f"the word {word.name!r} both acts and asks; make it two words")

    def _register(
        self,
        kind: str,
        name: str,
        topic: str = "",
        of: Of = "self",
        aim: Callable[..., Any] | None = None,
        only: Callable[..., bool] | None = None,
    ) -> Callable[[Fn], Fn]:
        if name in self.words:
            raise ValueError(f"the word {name!r} is registered twice")

        def keep(fn: Fn) -> Fn:
            takes, needs = _schema(fn)
            self.words[name] = Spoken(name, kind, topic, of, fn, takes, needs, aim, only)
            return fn

        return keep

    def _known(self, event: str) -> str:
        if event not in self.events:
            raise ValueError(f"nobody ever emits the event {event!r}{near(event, self.events)}")
        return event

    def _spoken(self, name: str) -> Spoken:
        try:
            return self.words[name]
        except KeyError:
            raise BadWord(f"unknown effect {name!r}{near(name, self.words)}") from None

    def _whole(self, spoken: Spoken, args: dict[str, Any]) -> Word:
        missing = sorted(spoken.needs - args.keys())
        if missing:
            raise BadWord(f"{spoken.name}: {', '.join(missing)} is missing; it takes {self._takes(spoken)}")
        return Word(spoken.name, args)

    def _revived(self, value: Any) -> Any:
        if isinstance(value, Word):
            return self.word(value.name, value.args)
        if isinstance(value, tuple):
            return tuple(self._revived(part) for part in value)
        return value

    @staticmethod
    def _takes(spoken: Spoken) -> str:
        parts = [key if key in spoken.needs else f"[{key}]" for key in spoken.takes]
        return ", ".join(parts) or "nothing"


class Ctx:
    """What a word has at hand while it is spoken: the pen, its card, its player, what was chosen before."""

    __slots__ = ("_depth", "bound", "event", "journal", "look", "seat", "source", "table")

    def __init__(self, journal: Journal, run: Run) -> None:
        self.journal = journal
        self.look: Look = journal.look
        self.table: Table = journal.table
        self.seat: Seat = run.seat
        self.source: Entity | None = run.source
        self.event: Event | None = run.event
        self.bound = run.bound
        self._depth = len(journal.table.stack) - 1

    @property
    def card(self) -> Entity:
        """The card whose words these are, as it was when it began to speak."""
        if self.source is None:
            raise Fault("these words belong to no card")
        return self.source

    def then(self, *words: Word) -> None:
        """Go on with these words, before the rest of what this card says."""
        run = self.table.stack[self._depth]
        assert isinstance(run, Run)
        self.journal.swap(msgspec.structs.replace(run, todo=(*words, *run.todo)), self._depth)

    def bind(self, **found: Any) -> None:
        """Remember something for the words that follow."""
        run = self.table.stack[self._depth]
        assert isinstance(run, Run)
        self.bound = {**run.bound, **found}
        self.journal.swap(msgspec.structs.replace(run, bound=self.bound), self._depth)

    def chosen(self, name: str = "target") -> list[EntityId]:
        """The cards chosen under a name that are still there."""
        return [id for id in self.bound.get(name, ()) if id in self.table.entities]

    def ask(
        self, questions: dict[Seat, Question], *, into: str = "answer", first: bool = False, seconds: float = 0
    ) -> None:
        """Ask one or several seats at once, each its own question."""
        by = self.source.id if self.source else 0
        self.journal.ask(questions, into=into, first=first, seconds=seconds, by=by)


def revive(effects: Effects, frame: Run | Ask) -> Run | Ask:
    """A frame as it was before storage: the words inside words are words again."""
    if isinstance(frame, Run):
        return msgspec.structs.replace(frame, todo=tuple(effects.word(w.name, w.args) for w in frame.todo))
    questions = {
        seat: msgspec.structs.replace(
            question, then={k: tuple(effects.word(w.name, w.args) for w in todo) for k, todo in question.then.items()}
        )
        for seat, question in frame.questions.items()
    }
    return msgspec.structs.replace(frame, questions=questions)


def _schema(fn: Callable[..., Any]) -> tuple[dict[str, Any], frozenset[str]]:
    hints = typing.get_type_hints(fn, include_extras=True)
    said = [p for p in inspect.signature(fn).parameters.values() if p.kind is not p.POSITIONAL_ONLY]
    needs = frozenset(p.name for p in said if p.default is p.empty)
    return {p.name: hints[p.name] for p in said}, needs

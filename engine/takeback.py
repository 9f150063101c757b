"""Taking a move back: where the table was before it, and whether anybody has learned something since.

What was shown decides, not the card that was played: the pen knows whose eyes each face came under. Chance does not go
back with the table, and a card that somebody saw and shall not see any more lies there under another id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.errors import Refused
from engine.frames import Ask, Entity, EntityId, Event, Frame, Heard, Move, Offer, Program, Question, Ref, Run, Seat
from engine.journal import Journal
from engine.table import Place

UNDONE = -2  # as whoever moved: a step that does not count any more, or the one that took it back


class Moment(Struct, frozen=True):
    """One step that was made, and the pen that made it: what it found there is the way back.

    A step that was taken back stays on that way: further back leads through it.
    """

    seat: Seat  # who moved; AUDIENCE if time ran out
    journal: Journal


def last_move(memory: Sequence[Moment], seat: Seat) -> tuple[Moment, ...]:
    """A seat's last move and everything since; refused where the way back is closed."""
    start = next((n for n in range(len(memory) - 1, -1, -1) if memory[n].seat == seat), None)
    if start is None:
        raise Refused("nothing_to_take_back", "You have made no move that could be taken back.", seat=seat)
    undone = tuple(memory[start:])
    if any(moment.journal.fated for moment in undone):
        raise Refused("chance_seen", "Chance has decided something since, and somebody has seen it.", seat=seat)
    return undone


def unnoticed(undone: Sequence[Moment]) -> bool:
    """Whether nobody learned anything from these steps and nobody else acted: then nobody need be asked."""
    counting = [moment for moment in undone if moment.seat != UNDONE]
    pens = [moment.journal for moment in counting]
    return all(moment.seat == undone[0].seat for moment in counting) and not any(p.seen or p.exposed for p in pens)


def struck_out(memory: Sequence[Moment], undone: Sequence[Moment]) -> tuple[Moment, ...]:
    """What is remembered once these steps, near the end of it, do not count any more."""
    first = len(memory) - len(undone) - 1  # the last is the step that took them back
    return (*memory[:first], *(replace(moment, seat=UNDONE) for moment in memory[first:]))


def rewind(journal: Journal, undone: Sequence[Moment]) -> None:
    """Lay the table as it was before these steps."""
    table = journal.table
    images: dict[EntityId, Entity | None] = {}
    zones = dict(table.zones)
    for moment in reversed(undone):  # the oldest image is the one that counts
        found = moment.journal.before
        images |= found.entities
        zones |= found.zones
    seen = frozenset().union(*(moment.journal.seen for moment in undone))
    anew = Anew(
        {
            id: journal.mint()
            for id, card in sorted(images.items())
            if id > 0 and card is not None and (id in seen or _out_of_sight(journal, card))
        }
    )
    then = {id: card for id, card in {**table.entities, **images}.items() if card is not None}
    entities = [anew.entity(card) for _, card in sorted(then.items())]
    found = undone[0].journal.before
    open_now = {frame.id for frame in table.stack if isinstance(frame, Ask)}
    stack = [anew.frame(frame) for frame in found.stack]
    for depth, frame in enumerate(stack):
        if isinstance(frame, Ask) and frame.id not in open_now:  # no late answer shall fit a question that comes back
            stack[depth] = replace(frame, id=journal.next_question())
    zones = {key: tuple(anew.names.get(id, id) for id in ids) for key, ids in zones.items()}
    journal.lay_out(entities, zones, stack, [anew.heard(one) for one in found.bag])
    journal.say("taken_back", seat=undone[0].seat)


def _out_of_sight(journal: Journal, card: Entity) -> bool:
    """Whether somebody who can point at a card now, or see it, cannot once it lies where it lay."""
    now = journal.table.entities.get(card.id)
    if now is None:
        return True  # it went out of sight under this id
    places = journal.look.places
    here, there = _viewers(places[now.zone], now), _viewers(places[card.zone], card)
    return bool(here[0] & ~there[0] or here[1] & ~there[1])


def _viewers(place: Place, card: Entity) -> tuple[int, int]:
    return place.known_to(card), place.seen_by(card)


class Anew:
    """Things of a table with some of its cards under new ids.

    In facts and in the words of a card a number may be a card or just a number. Where that cannot be told, the table
    stays as it is.
    """

    def __init__(self, names: Mapping[EntityId, EntityId]) -> None:
        self.names = names

    def entity(self, entity: Entity) -> Entity:
        """A card under its new id."""
        self._free(entity.facts)
        return replace(entity, id=self.names[entity.id]) if entity.id in self.names else entity

    def frame(self, frame: Frame) -> Frame:
        """Something still to be done, to the same cards."""
        match frame:
            case Run():
                return replace(
                    frame,
                    todo=self._program(frame.todo),
                    source=None if frame.source is None else self.entity(frame.source),
                    event=None if frame.event is None else self._event(frame.event),
                    bound=self._chosen(frame.bound),
                )
            case Ask():
                questions = {seat: self._question(question) for seat, question in frame.questions.items()}
                answers = {seat: self._move(move) for seat, move in frame.answers.items()}
                return replace(frame, by=self._id(frame.by), questions=questions, answers=answers)
        return frame

    def heard(self, heard: Heard) -> Heard:
        """Something that a card has heard."""
        self._free(heard.word.args)
        return replace(heard, source=self.entity(heard.source), event=self._event(heard.event))

    def _id(self, id: EntityId) -> EntityId:
        return self.names.get(id, id)

    def _question(self, question: Question) -> Question:
        return replace(
            question,
            offers=tuple(map(self._offer, question.offers)),
            args={key: self._arg(value) for key, value in question.args.items()},
            default=None if question.default is None else self._move(question.default),
            then={key: self._program(program) for key, program in question.then.items()},
        )

    def _offer(self, offer: Offer) -> Offer:
        slots = tuple(replace(slot, from_=tuple(map(self._pick, slot.from_))) for slot in offer.slots)
        return replace(offer, card=self._id(offer.card), slots=slots)

    def _move(self, move: Move) -> Move:
        return replace(move, card=self._id(move.card), picks=self._chosen(move.picks))

    def _event(self, event: Event) -> Event:
        self._free(event.facts)
        return replace(event, card=None if event.card is None else self.entity(event.card))

    def _program(self, program: Program) -> Program:
        for word in program:
            self._free(word.args)
        return program

    def _arg(self, value: Any) -> Any:
        if isinstance(value, Ref):
            return replace(value, id=self._id(value.id))
        if isinstance(value, list):
            return [self._arg(part) for part in value]
        self._free(value)
        return value

    def _chosen(self, chosen: dict[str, Any]) -> dict[str, Any]:
        """What was picked: lists hold cards, seats or words; a number alone is only a number, except of a card."""
        found: dict[str, Any] = {}
        for key, value in chosen.items():
            if isinstance(value, dict):
                found[key] = self._chosen(value)
            elif isinstance(value, list | tuple):
                found[key] = type(value)(map(self._pick, value))
            elif key == "card":
                found[key] = self._id(value)
            else:
                self._free(value)
                found[key] = value
        return found

    def _pick(self, value: Any) -> Any:
        return self.names.get(value, value) if type(value) is int else value

    def _free(self, value: Any) -> None:
        """Refuse where a number that is to be another stands and may be no card at all."""
        if not self.names:
            return
        if isinstance(value, dict):
            for key, part in value.items():
                self._free(key)
                self._free(part)
        elif isinstance(value, list | tuple):
            for part in value:
                self._free(part)
        elif isinstance(value, Struct):
            for name in value.__struct_fields__:
                self._free(getattr(value, name))
        elif type(value) is int and value in self.names:
            raise _entangled()


def _entangled() -> Refused:
    return Refused("entangled", "This cannot be taken back without giving away which card is which.")

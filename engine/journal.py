"""The only pen at the table.

Entities are frozen, so the first image of everything that is touched is the undo log and the list of what may
look different, both in one. A step that fails is struck out whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from engine import chance
from engine.frames import Ask, Entity, EntityId, Event, Frame, Heard, Program, Question, Ref, Run, Seat, Turn
from engine.news import Before, News, Step
from engine.table import EVERYONE, TABLE, Attr, Result

if TYPE_CHECKING:
    from engine.effects import Ability
    from engine.look import Look

T = TypeVar("T")
NO_FACTS: dict[str, Any] = {}  # shared by all cards that have none: nobody ever writes into facts


class Journal:
    """Writes on one table during one step, and can strike all of it out again."""

    __slots__ = (
        "_bag",
        "_first",
        "_luck",
        "_result",
        "_stack",
        "_zones",
        "asked_at",
        "exposed",
        "fated",
        "look",
        "news",
        "seen",
        "table",
        "writes",
    )

    def __init__(self, look: Look) -> None:
        self.look = look
        self.table = table = look.table
        self._first: dict[EntityId, Entity | None] = {}
        self._zones: dict[str, tuple[EntityId, ...]] = {}
        self._stack = table.stack
        self._bag = table.bag
        self._luck = table.luck
        self._result = table.result
        self.asked_at = table.asked
        self.news: list[News] = []
        self.seen: set[EntityId] = set()  # cards whose face somebody sees who did not see it before
        self.exposed = False  # whether answers that were given in secret became known
        self.fated = False  # whether somebody learned what only chance had known
        self.writes = 0

    # entities and their facts

    def put(self, entity: Entity) -> None:
        """Lay an entity down in place of the one with its id."""
        id = entity.id
        entities = self.table.entities
        if id not in self._first:
            self._first[id] = entities.get(id)
        entities[id] = entity
        self.writes += 1
        self.look.stale(id > 0)

    def set(self, id: EntityId, attr: Attr[T], value: T) -> None:
        """Write a fact down. The default is not written: it is what stands there when nothing does."""
        entity = self.table.entities[id]
        facts = entity.facts
        if value == attr.default:
            if attr.name in facts:
                self.put(replace(entity, facts={k: v for k, v in facts.items() if k != attr.name}))
        elif facts.get(attr.name) != value:
            self.put(replace(entity, facts={**facts, attr.name: value}))

    def add(self, id: EntityId, attr: Attr[int], amount: int) -> None:
        """Count a fact up or down."""
        self.set(id, attr, attr.of(self.table.entities[id]) + amount)

    def note(self, attr: Attr[T], value: T) -> None:
        """Write down a fact of the table itself, such as the number of the turn."""
        self.set(TABLE, attr, value)

    # cards and where they lie

    def create(self, face: str, owner: Seat, zone: str, **facts: Any) -> EntityId:
        """A card that was not there before, laid on top of a zone."""
        id = self.mint()
        self.put(Entity(id, face, owner, zone, 0, facts or NO_FACTS))
        self._lay(zone, (*self.table.zones[zone], id))
        return id

    def move(
        self, id: EntityId, zone: str, at: int | None = None, facts: Mapping[str, Any] | None = None, dark: int = 0
    ) -> EntityId:
        """Move a card to the top of a zone, or to a place counted from the bottom. Returns the id it has there.

        Its facts stay with it only within one kind of zone: a card that leaves play is its printed self again.
        Whoever loses sight of it must not recognise it later, so it then gets a new id. It comes to lie as its zone
        has it, but face down for those to whom it is dark.
        """
        table, places = self.table, self.look.places
        card = table.entities[id]
        old, new = places[card.zone], places[zone]
        was = Ref(id, card.face, old.known_to(card), old.seen_by(card))
        if facts is None:
            facts = card.facts if old.kind == new.kind else NO_FACTS
        faces, dark = new.faces & ~dark, new.faces & dark
        lost = was.ids & ~new.things or was.faces & ~faces
        now = self.mint() if lost else id
        self._lay(card.zone, tuple([other for other in table.zones[card.zone] if other != id]))
        if lost:
            self._drop(id)
        self.put(Entity(now, card.face, card.owner, zone, 0, dict(facts) if facts else NO_FACTS, dark))
        if faces & ~was.faces:
            self._exposed(now, was.faces)
        there = table.zones[zone]
        self._lay(zone, (*there, now) if at is None else (*there[:at], now, *there[at:]))
        ref = Ref(now, card.face, new.things, faces)
        self.news.append(News("moved", {"was": was, "card": ref, "from": old.key, "to": new.key}))
        return now

    def gather(self, ids: Iterable[EntityId], zone: str) -> list[EntityId]:
        """Move several cards at once, told as one thing: a pile is swept together, nobody names its cards."""
        start, moved = len(self.news), [self.move(id, zone) for id in tuple(ids)]
        told: dict[str, int] = {}
        for news in self.news[start:]:
            told[news.facts["from"]] = told.get(news.facts["from"], 0) + 1
        del self.news[start:]
        self.news += [News("moved", {"from": key, "to": zone, "count": count}) for key, count in told.items()]
        return moved

    def show(self, id: EntityId, viewers: int) -> None:
        """Let viewers see this face although it lies hidden, until it moves or is shuffled."""
        card = self.table.entities[id]
        known = self.look.places[card.zone].seen_by(card)
        if viewers & ~known:
            self._exposed(id, known)
        self.put(replace(card, shown=card.shown | viewers, dark=card.dark & ~viewers))
        self._lay(card.zone, self.table.zones[card.zone])  # the zone looks different to them too
        self.news.append(News("turned", {"card": self.ref(id)}))

    def turn(self, id: EntityId, viewers: int) -> EntityId:
        """Let exactly these viewers see a face where it lies. Returns its id: new if anybody lost sight of it."""
        card = self.table.entities[id]
        place = self.look.places[card.zone]
        was = self.ref(id)
        now = self.mint() if was.faces & ~viewers else id
        if now != id:
            self._drop(id)
        self.put(replace(card, id=now, shown=viewers & ~place.faces, dark=place.faces & ~viewers))
        if viewers & ~was.faces:
            self._exposed(now, was.faces)
        self._lay(card.zone, tuple([now if other == id else other for other in self.table.zones[card.zone]]))
        ref = self.ref(now)
        told = {"card": ref} if now == id else {"was": was, "card": ref}
        self.news.append(News("turned", told, was.ids | ref.ids))
        return now

    def arrange(self, zone: str, ids: Sequence[EntityId]) -> None:
        """Lay the cards of a zone in another order."""
        self._lay(zone, tuple(ids))

    def shuffle(self, zone: str) -> None:
        """Shuffle a zone. Nobody recognises any of its cards afterwards: those that somebody could tell apart get new
        ids, and the others have ids that nobody has ever met."""
        ids = list(self.table.zones[zone])
        for last in range(len(ids) - 1, 0, -1):
            pick = self._draw(last + 1, chance.LUCK)
            ids[last], ids[pick] = ids[pick], ids[last]
        entities, things = self.table.entities, self.look.places[zone].things
        self._lay(zone, tuple([self._renamed(id) if things or entities[id].shown else id for id in ids]))
        self.news.append(News("shuffled", {"zone": zone}))

    def _renamed(self, id: EntityId) -> EntityId:
        """The same card under an id that nobody knows."""
        fresh, card = self.mint(), self.table.entities[id]
        self._drop(id)
        self.put(replace(card, id=fresh, shown=0, dark=0))
        return fresh

    def _lay(self, zone: str, ids: tuple[EntityId, ...]) -> None:
        zones = self.table.zones
        if zone not in self._zones:
            self._zones[zone] = zones[zone]
        zones[zone] = ids
        self.writes += 1
        self.look.stale()

    def _drop(self, id: EntityId) -> None:
        gone = self.table.entities.pop(id)
        if id not in self._first:
            self._first[id] = gone

    # chance

    def below(self, limit: int, lane: str = chance.LUCK) -> int:
        """A number from 0 to limit - 1."""
        self.fated = True
        return self._draw(limit, lane)

    def _draw(self, limit: int, lane: str) -> int:
        table = self.table
        number, count = chance.below(table.seed, lane, table.luck.get(lane, 0), limit)
        table.luck = {**table.luck, lane: count}
        self.writes += 1
        return number

    def pick(self, options: Sequence[T]) -> T:
        """One of these, each as likely."""
        return options[self.below(len(options))]

    def mint(self) -> EntityId:
        """A card id that this match has never used, and that is no seat's number: what is chosen is never unclear."""
        table = self.table
        count = table.luck.get(chance.IDS, 0)
        table.luck = {**table.luck, chance.IDS: count + 1}
        return chance.minted(table.seed, count)

    # what cards hear

    def emit(self, event: Event) -> None:
        """Let every card in play hear this, and the card it is about even if it has just left.

        What a departed card has to say it says for the seat that the event names.
        """
        key = "when:" + event.kind
        if key not in self.look.game.topics:
            return
        heard = [
            Heard(ability.word, source, event.seat if source is event.card else self.look.controller(source), event)
            for source, ability in self._listeners(key, event)
            if self._concerns(ability, source, event)
        ]
        if heard:
            self.hear(*heard)

    def hear(self, *heard: Heard) -> None:
        """Put something into the bag that a card has to say, whether it is printed on it or not."""
        self.table.bag = (*self.table.bag, *heard)

    def instead(self, event: Event) -> bool:
        """Let a card do something else in place of this. True when one did."""
        key = "instead:" + event.kind
        return any(
            ability.fn(self, source, event, **ability.word.args)
            for source, ability in self.look.bearing(key)
            if self._concerns(ability, source, event)
        )

    def _listeners(self, key: str, event: Event) -> Iterable[tuple[Entity, Ability]]:
        yield from self.look.bearing(key)
        card = event.card
        if card is not None and card.zone and self.look.places[card.zone].live and not self._lies(card):
            for ability in self.look.face(card).by.get(key, ()):
                yield card, ability

    def _lies(self, card: Entity) -> bool:
        """Whether the card is still where it was when the event's image of it was taken."""
        now = self.table.entities.get(card.id)
        return now is not None and now.zone == card.zone

    def _concerns(self, ability: Ability, source: Entity, event: Event) -> bool:
        if not self._regards(ability, source, event):
            return False
        return ability.only is None or ability.only(self.look, source, event, **ability.word.args)

    def _regards(self, ability: Ability, source: Entity, event: Event) -> bool:
        if ability.of == "any":
            return True
        card = event.card
        if ability.of == "self":
            return card is not None and card.id == source.id
        if ability.of == "others" and card is not None and card.id == source.id:
            return False
        mine = event.seat == self.look.controller(source)
        return not mine if ability.of == "theirs" else mine

    # what is still to be done

    def push(self, frame: Frame) -> None:
        """Put a frame on top of what is still to be done."""
        self.table.stack = (*self.table.stack, frame)

    def swap(self, frame: Frame, depth: int = -1) -> None:
        """Put a frame in place of the one at this depth."""
        stack = self.table.stack
        depth %= len(stack)
        self.table.stack = (*stack[:depth], frame, *stack[depth + 1 :])

    def pop(self) -> None:
        """Take the top frame away."""
        self.table.stack = self.table.stack[:-1]

    def run(self, todo: Program, seat: Seat, source: Entity | None = None, **bound: Any) -> None:
        """Have words spoken before anything that is already waiting."""
        self.push(Run(todo, seat, source, None, bound))

    def take_turn(self, seat: Seat) -> None:
        """Hand the turn over: the lowest turn frame now waits for this seat, under whatever is still to be done."""
        for depth, frame in enumerate(self.table.stack):
            if type(frame) is Turn:
                self.swap(Turn(seat), depth)
                return
        self.table.stack = (Turn(seat), *self.table.stack)

    def ask(
        self,
        questions: dict[Seat, Question],
        *,
        into: str = "answer",
        first: bool = False,
        seconds: float = 0,
        by: EntityId = 0,
    ) -> None:
        """Ask each of these seats its own question, all at once."""
        self.push(Ask(self.next_question(), questions, into, first, float(seconds), by))
        facts: dict[str, Any] = {"seats": sorted(questions)}
        if by > 0 and by in self.table.entities:
            facts["by"] = self.ref(by)
        self.news.append(News("asked", facts))

    def empty_bag(self) -> tuple[Heard, ...]:
        """Everything that was heard and not yet answered, taken out."""
        bag, self.table.bag = self.table.bag, ()
        return bag

    def end(self, winners: Iterable[Seat], reason: str, ranking: Iterable[Iterable[Seat]] | None = None) -> None:
        """The match is over. No winners: a draw."""
        won = tuple(sorted(winners))
        seats = range(self.table.seats)
        ranks = [won, tuple(seat for seat in seats if seat not in won)] if ranking is None else ranking
        self.table.result = Result(won, reason, tuple(tuple(rank) for rank in ranks if tuple(rank)))
        self.table.stack, self.table.bag = (Turn(self.table.active),), ()  # whose turn it was stays to be seen
        self.news.append(News("over", {"winners": list(won), "reason": reason}))

    # what people are told

    def ref(self, id: EntityId, to: int = 0) -> Ref:
        """A card as it may be spoken of now; `to` are viewers who may know it although it lies hidden."""
        card = self.table.entities[id]
        place = self.look.places[card.zone]
        known = place.seen_by(card)
        if to & ~known:
            self._exposed(id, known)
        return Ref(id, card.face, place.known_to(card) | to, known | to)

    def _exposed(self, id: EntityId, known: int) -> None:
        """Somebody comes to know a face; if nobody knew it before, chance has shown its hand."""
        self.seen.add(id)
        self.fated = self.fated or not known

    def tell(self, e: str, /, to: int = EVERYONE, **facts: Any) -> None:
        """Tell something that happened: `card` and `on` name cards by id."""
        for key in ("card", "on"):
            if key in facts:
                facts[key] = self.ref(facts[key])
        self.fated = self.fated or to != EVERYONE  # what only some are told was hidden, and is not to be unlearned
        self.news.append(News(e, facts, to))

    def say(self, key: str, /, to: int = EVERYONE, **args: Any) -> None:
        """A line for the log, as a message key and what it speaks of."""
        self.fated = self.fated or to != EVERYONE
        self.news.append(News("said", {"key": key, "args": args}, to))

    # the way back

    @property
    def before(self) -> Before:
        """What was there before the first stroke, of everything that was touched."""
        return Before(self._first, self._zones, self._stack, self._bag)

    def next_question(self) -> int:
        """An id that no question has had."""
        self.table.asked += 1
        return self.table.asked

    def lay_out(
        self,
        entities: Iterable[Entity],
        zones: Mapping[str, tuple[EntityId, ...]],
        stack: Iterable[Frame],
        bag: Iterable[Heard],
    ) -> None:
        """Have exactly this on the table, whatever lies there now. Chance stays as it is."""
        wanted = {entity.id: entity for entity in entities}
        for id in [id for id in self.table.entities if id not in wanted]:
            self._drop(id)
        for entity in wanted.values():
            if self.table.entities.get(entity.id) != entity:
                self.put(entity)
        for key, ids in zones.items():
            if self.table.zones[key] != ids:
                self._lay(key, ids)
        self.table.stack, self.table.bag = tuple(stack), tuple(bag)
        self.look.stale()

    # the end of the step

    def close(self) -> Step:
        """The step is done: the table has a new version."""
        self.table.version += 1
        return self.step()

    def step(self) -> Step:
        """What was written so far."""
        return Step(self.table.version, frozenset(self._first), frozenset(self._zones), tuple(self.news))

    def strike(self) -> None:
        """Strike everything out: the table is as it was before the first stroke."""
        table = self.table
        for id, entity in self._first.items():
            if entity is None:
                table.entities.pop(id, None)
            else:
                table.entities[id] = entity
        table.zones.update(self._zones)
        table.stack, table.bag, table.luck = self._stack, self._bag, self._luck
        table.result, table.asked = self._result, self.asked_at
        self.look.stale()

"""What there is a reason to do in the creature battle, worked out from what one can see.

For people it is a hint at the head of their list; it is all that bots do. Every step is an ordinary move of the table:
an attack is declared, then its damage is laid down, its coin flipped and its conditions set, as one does it by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cards.creatures import field
from cards.creatures.faces import STADIUM, SUPPORTER, TOOL, Attack, Card
from cards.creatures.field import ACTIVE, BENCH, EXTRA, STAGING, choice, in_field, kind, number
from cards.creatures.remarks import ATTACK, FIRST_EVOLUTION
from cards.table.facts import BOTTOM, NUMBER, SETUP, TOP, deciding, decision, others, phase
from cards.table.furniture import DISCARD, HAND
from cards.table.turns import FRESH, marked
from engine.frames import Entity, Offer, Seat
from engine.look import Look
from engine.table import TABLE

OPENING = 7  # cards of a first hand
PATIENCE = 20  # times that somebody begins again
PROMOTE = "Choose a new active creature."
RESISTED = 20
UNABLE = ("asleep", "paralyzed")


def reasons(look: Look, seat: Seat) -> Iterator[Offer]:
    """What is next for whoever is waited for."""
    mind = Mind(look, seat)
    if phase(look.table) == SETUP:
        yield from mind.setting_up()
    elif deciding(look.table, seat):
        yield from mind.deciding()
    else:
        yield from mind.turn()


class Mind:
    """The table as one of its players sees it."""

    def __init__(self, look: Look, seat: Seat) -> None:
        self.look, self.seat, self.table = look, seat, look.table
        self.foe: Seat = next(iter(others(look.table, seat)), seat)
        self.hand = field.stack(look, seat, f"{seat}.{HAND}")
        self.active = f"{seat}.{ACTIVE}"
        self.bench = [f"{seat}.{name}" for name in BENCH]
        self.benched = [zone for zone in self.bench if self.table.zones[zone]]
        self.done = field.deeds(self.table)

    # before the first turn

    def setting_up(self) -> Iterator[Offer]:
        """Begin again while there is no Basic; then send one out, perhaps more, and be ready."""
        basics = self._held(lambda face: face.is_basic)
        if EXTRA.of(self.table.seat(self.seat)):
            return  # the plugin's own move
        if self.table.zones[self.active]:
            yield from self._to_bench(basics)
            yield Offer("end_turn")
        elif basics:
            yield _move(basics, self.active)
        elif sum(deed["do"] == "mulligan" for deed in self.done) < PATIENCE:
            yield Offer("mulligan", slots=(number("count", OPENING, OPENING),))
        else:
            yield Offer("end_turn")  # there may be none left: all of them lie among the prizes

    def _held(self, fits: Any) -> list[int]:
        return [card.id for card, face in self.hand if fits(face)]

    def _to_bench(self, basics: list[int]) -> Iterator[Offer]:
        free = [zone for zone in self.bench if not self.table.zones[zone]]
        if basics and free:
            yield _move(basics, free[0])

    # a decision

    def deciding(self) -> Iterator[Offer]:
        """Take the prizes that are due, send somebody out, and hand back."""
        if field.due(self.table, self.seat):
            yield self._take_prize()
        elif not self.going_out():
            yield Offer("resolve_decision")

    def going_out(self) -> list[str]:
        """The benches of which one is to send its creature out; the plugin's own move."""
        if phase(self.table) == SETUP or not self.benched:
            return []
        empty = not self.table.zones[self.active]
        wanted = self._must_switch() if deciding(self.table, self.seat) else empty
        return self.benched if wanted else []

    def _must_switch(self) -> bool:
        if not self.table.zones[self.active]:
            return True
        asked = max((n for n, deed in enumerate(self.done) if deed["do"] == "create_decision"), default=0)
        swapped = any(deed["do"] == "swap_card_stacks" for deed in self.done[asked:])
        wanted = decision(self.table).get("message") == PROMOTE
        return wanted and not swapped

    def _take_prize(self) -> Offer:
        ids = [self.table.zones[zone][-1] for zone in field.prizes(self.table, self.seat)]
        return _move(ids, f"{self.seat}.{HAND}")

    # one's own turn

    def turn(self) -> Iterator[Offer]:
        """What must be done first, if there is anything; else whatever one may."""
        needed = next(self._needed(), None)
        if needed is not None:
            yield from needed
            return
        if self._declared() is not None:
            yield Offer("end_turn")
            return
        yield from self._to_bench(self._held(lambda face: face.is_basic))
        yield from self._growing()
        yield from self._attaching()
        yield from self._playing()
        yield from self._attacking()
        yield Offer("end_turn")

    def _needed(self) -> Iterator[list[Offer]]:
        table = self.table
        if any(field.beaten(self.look, self.seat, zone) for s in (self.seat, self.foe) for zone in field.places(s)):
            yield []  # the plugin's own move
        if field.due(table, self.seat):
            yield [self._take_prize()]
        if self._foe_is_waited_for():
            message = choice("message", PROMOTE)
            yield [Offer("create_decision", slots=(choice("seat", self.foe), message))]
        if reason := self.victory():
            yield [Offer("declare_victory", slots=(choice("reason", reason),))]
        if self.going_out():
            yield []
        if step := self._next_step():
            yield step
        if step := self._carrying_out():
            yield step

    def _foe_is_waited_for(self) -> bool:
        """Whether the other has a prize to take or somebody to send out, and was not asked since."""
        foe_bench = any(self.table.zones[zone] for zone in field.places(self.foe)[1:])
        empty = foe_bench and not self.table.zones[f"{self.foe}.{ACTIVE}"]
        if not (empty or field.due(self.table, self.foe)):
            return False
        last = [deed["do"] for deed in self.done if deed["do"] in ("knock_out", "create_decision")][-1:]
        return last != ["create_decision"]

    def victory(self) -> str:
        """Why this seat has won, if it has."""
        return won(self.look, self.seat)

    # an attack, step by step

    def _declared(self) -> int | None:
        """Where among the deeds of this turn the last attack was declared."""
        mine = [n for n, deed in enumerate(self.done) if deed["do"] == "declare_action" and deed["seat"] == self.seat]
        return next((n for n in reversed(mine) if self.done[n].get("kind") == ATTACK), None)

    def _next_step(self) -> list[Offer]:
        """What of an attack is still to be done."""
        start, here = self._declared(), field.creature(self.look, self.seat, self.active)
        if start is None or here is None:
            return []
        attack = here[1].attack(str(self.done[start].get("name", "")))
        since = self.done[start + 1 :]
        if attack is None or any(deed["do"] == "knock_out" for deed in since):
            return []
        steps = self._steps(attack, here, since)
        return steps[len(since)] if len(since) < len(steps) else []

    def _steps(self, attack: Attack, here: tuple[Entity, Card], since: list[dict[str, Any]]) -> list[list[Offer]]:
        """The moves of an attack in their order, each as offers, as far as they are certain."""
        (attacker, _), foes = here, f"{self.foe}.{ACTIVE}"
        coin = [Offer("coin_flip", slots=(number("count", 1, 1),))]
        results = [deed["results"][0] for deed in since if deed["do"] == "coin_flip"]
        steps: list[list[Offer]] = []
        muddled = since[0]["do"] == "coin_flip" if since else field.status(self.table, self.active) == "confused"
        if muddled:
            steps.append(coin)
            if results[:1] == ["tails"]:
                return [*steps, [_counters(attacker.id, "10", 3)]]
            results = results[1:]
        hits = self.table.zones[foes]
        amount = self.damage(attack, here)
        if hits and (amount or any(deed["do"] == "add_counter" for deed in since)):
            steps.append([_counters(hits[-1], "10", max(1, amount // 10))])
        if hits and (attack.heads or attack.tails):
            steps.append(coin)
            if results == ["heads"] and attack.heads:
                steps.append([_condition(hits[-1], attack.heads)])
            if results == ["tails"] and attack.tails:
                steps.append([_condition(attacker.id, attack.tails)])
        thrown = sum(deed.get("to") == f"{self.seat}.{DISCARD}" for deed in since)
        for n in range(attack.discards):
            ids = [card.id for card, _ in field.energies(self.look, self.seat, self.active)]
            if ids or n < thrown:
                steps.append([_move(ids, f"{self.seat}.{DISCARD}")])
        if attack.decides and any(self.table.zones[zone] for zone in field.places(self.foe)[1:]):
            steps.append([Offer("create_decision", slots=(choice("seat", self.foe), choice("message", PROMOTE)))])
        return steps

    def damage(self, attack: Attack, here: tuple[Entity, Card]) -> int:
        """What an attack does to the creature that it meets, weakness and resistance counted."""
        foe = field.creature(self.look, self.seat, f"{self.foe}.{ACTIVE}")
        if foe is None or not attack.damage:
            return 0
        row, amount = here[1].row, attack.damage
        if attack.further is not None:
            mine = [face for _, face in field.energies(self.look, self.seat, self.active)]
            of = sum(attack.further.of in face.row.types for face in mine)
            amount += attack.further.amount * max(0, of - attack.cost.count(attack.further.of))
        for _, face in field.stack(self.look, self.seat, field.STADIUM):
            amount += sum(face.row.boosts.get(type, 0) for type in row.types)
        if any(type in foe[1].row.weaknesses for type in row.types):
            amount *= 2
        if any(type in foe[1].row.resistances for type in row.types):
            amount -= RESISTED
        return max(0, amount)

    # trainers

    def _carrying_out(self) -> list[Offer]:
        """What a trainer that was played says, move by move; then it is thrown away."""
        played = [(card, face) for card, face in field.stack(self.look, self.seat, STAGING) if card.owner == self.seat]
        if not played:
            return []
        card, face = played[-1]
        since = 0
        for n, deed in enumerate(self.done):
            if deed.get("to") == STAGING:
                since = len(self.done) - n - 1
        if since < len(face.row.by_hand):
            offer = self._by_hand(face.row.by_hand[since])
            if offer is not None:
                return [offer]
        return [_move([card.id], f"{self.seat}.{DISCARD}")]

    def _by_hand(self, move: dict[str, Any]) -> Offer | None:
        """A move that a card names, as an offer; None where there is nothing to do it to."""
        if move["type"] != "remove_counter":
            return Offer(move["type"], slots=(number("count", move["count"], move["count"]),))
        name, amount = move["counter"], move["amount"]
        hurt = [
            self.table.zones[zone][-1] for zone in field.places(self.seat) if field.counters(self.table, zone).get(name)
        ]
        slots = (choice("what", *hurt), choice("counter", name), number("amount", amount, amount))
        return Offer("remove_counter", slots=slots) if hurt else None

    def _playing(self) -> Iterator[Offer]:
        """Trainers that can be carried out by the moves they name, tools, and a stadium where there is none."""
        table, number = self.table, NUMBER.of(self.table[TABLE])
        faces = self.look.game.faces
        had = any(
            to == STAGING and kind(origin) == HAND and _supports(faces.get(face))
            for face, origin, to, _ in field.carried(table)
        )
        free = number > 1 and not had
        able = self._held(
            lambda face: (
                face.row.by_hand
                and (free or not face.has(SUPPORTER))
                and all(self._by_hand(move) for move in face.row.by_hand)
            )
        )
        if able:
            yield _move(able, STAGING)
        stadiums = self._held(lambda face: face.has(STADIUM))
        if stadiums and not table.zones[field.STADIUM]:
            yield _move(stadiums, field.STADIUM)
        tools = self._held(lambda face: face.has(TOOL))
        bare = [zone for zone in (self.active, *self.benched) if self._bare(zone)]
        if tools and bare:
            yield _move(tools, *bare, at=BOTTOM)

    def _bare(self, zone: str) -> bool:
        """Whether there is a creature that holds no tool yet."""
        held = field.stack(self.look, self.seat, zone)
        return any(face.is_creature for _, face in held) and not any(face.has(TOOL) for _, face in held)

    # creatures

    def _growing(self) -> Iterator[Offer]:
        if NUMBER.of(self.table[TABLE]) < FIRST_EVOLUTION:
            return
        for zone in (self.active, *self.benched):
            here = field.creature(self.look, self.seat, zone)
            if here is not None and not marked(here[0], FRESH):
                below = here[1].name
                grown = self._held(lambda face, below=below: face.row.evolves_from == below)
                if grown:
                    yield _move(grown, zone)

    def _attaching(self) -> Iterator[Offer]:
        faces = self.look.game.faces
        for face, origin, to, sure in field.carried(self.table):
            card = faces.get(face)
            if isinstance(card, Card) and card.is_energy and kind(origin) == HAND and in_field(to) and not sure:
                return
        held = self._held(lambda face: face.is_energy)
        there = [zone for zone in (self.active, *self.benched) if field.creature(self.look, self.seat, zone)]
        if held and there:
            yield _move(held, *there, at=BOTTOM)

    def _attacking(self) -> Iterator[Offer]:
        here = field.creature(self.look, self.seat, self.active)
        ready = NUMBER.of(self.table[TABLE]) > 1 and field.status(self.table, self.active) not in UNABLE
        if here is None or not ready or not self.table.zones[f"{self.foe}.{ACTIVE}"]:
            return
        energies = [face for _, face in field.energies(self.look, self.seat, self.active)]
        able = [attack.name for attack in here[1].row.attacks if _pays(energies, attack)]
        if able:
            yield declaration(ATTACK, here[0].id, *able)


def won(look: Look, seat: Seat) -> str:
    """Why a seat has won, as far as the table can see: all prizes taken, or nobody left to fight."""
    if phase(look.table) == SETUP:
        return ""
    if not field.prizes(look.table, seat):
        return "prizes"
    alone = not any(field.has_creatures(look.table, other) for other in others(look.table, seat))
    return "no_creatures" if alone else ""


def declaration(kind: str, id: int, *names: str) -> Offer:
    """Something with a name that one says one does with a creature."""
    return Offer("declare_action", slots=(choice("kind", kind), choice("name", *names), choice("what", id)))


def _supports(card: Any) -> bool:
    return isinstance(card, Card) and card.has(SUPPORTER)


def _pays(energies: list[Card], attack: Attack) -> bool:
    """Whether so many cards are there, and of every type enough."""
    types = [type for face in energies for type in face.row.types]
    return len(energies) >= len(attack.cost) and all(
        types.count(type) >= attack.cost.count(type) for type in attack.cost if type != "Neutral"
    )


def _move(ids: list[int], *zones: str, at: str = TOP) -> Offer:
    return Offer("move_card", slots=(choice("what", *ids), choice("to", *zones), choice("at", at)))


def _counters(id: int, name: str, amount: int) -> Offer:
    return Offer("add_counter", slots=(choice("what", id), choice("counter", name), number("amount", amount, amount)))


def _condition(id: int, status: str) -> Offer:
    """How a condition is shown: by the way a creature is turned, or by a counter on it."""
    if status in field.TURNS:
        return Offer("set_orientation", slots=(choice("what", id), choice("orientation", field.TURNS[status])))
    return _counters(id, status, 1)

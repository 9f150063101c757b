"""What things cost."""

from __future__ import annotations

from cards.ggltcg.facts import face
from engine.frames import Entity, Seat
from engine.look import Look

TUSSLE = 2
ABILITY = 1


def own_cost(look: Look, card: Entity) -> int:
    """What a card costs by itself, as Copy, Glue and Stomp count it: its own reductions, nobody else's."""
    cost = face(look, card).cost
    seat = look.controller(card)
    if seat == card.owner:
        cost += _own_changes(look, card, seat)
    return max(0, cost)


def price(look: Look, seat: Seat, card: Entity, target: Entity | None = None) -> int:
    """What a seat pays to play a card, aimed at this target if its cost depends on one."""
    cost = face(look, card).cost
    if cost < 0:
        cost = own_cost(look, target) if target else 0
    for source, ability in look.bearing("costs:play"):
        cost += int(ability.fn(look, source, card, **ability.word.args))
    return max(0, cost + _own_changes(look, card, seat))


def tussle_price(look: Look, card: Entity) -> int:
    """What it costs a toy to attack: the lowest price that anything in play names."""
    own = [(card, ability) for ability in look.face(card).by.get("costs:own_tussle", ())]
    lowest = TUSSLE
    for source, ability in (*own, *look.bearing("costs:tussle")):
        named: int | None = ability.fn(look, source, card, **ability.word.args)
        if named is not None:
            lowest = min(lowest, named)
    return lowest


def _own_changes(look: Look, card: Entity, seat: Seat) -> int:
    own = look.face(card).by.get("costs:own_play", ())
    return sum(int(ability.fn(look, seat, **ability.word.args)) for ability in own)

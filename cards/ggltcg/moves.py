"""What a seat may do on its turn, and why not.

play      a card from the hand, perhaps at a target, perhaps paid for by sleeping a card
tussle    one of your toys against a card of the other side
strike    a direct attack on the other hand
use       an ability
end_turn
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cards.ggltcg.facts import CC, STRIKES, STRIKES_A_TURN, face, first_turn, hand, side, turn_number
from cards.ggltcg.prices import ABILITY, price, tussle_price
from engine.effects import Ability
from engine.frames import Entity, EntityId, Offer, Seat, Slot
from engine.look import Look


def offers(look: Look, seat: Seat) -> Iterator[Offer]:
    """Every legal move."""
    table = look.table
    cc = CC.of(table.seat(seat))
    for id in hand(table, seat):
        yield from _plays(look, seat, table.entities[id], cc)
    foes = side(table, 1 - seat)
    for id in side(table, seat):
        yield from _attacks(look, seat, table.entities[id], cc, foes)
        yield from _uses(look, seat, table.entities[id], cc)
    yield Offer("end_turn")


def blocked(look: Look, seat: Seat) -> Iterator[tuple[EntityId, str]]:
    """The cards that can do nothing now, and why."""
    table = look.table
    cc = CC.of(table.seat(seat))
    foes = side(table, 1 - seat)
    for id in hand(table, seat):
        if not any(_plays(look, seat, table[id], cc)):
            yield id, _why_not_played(look, seat, table[id])
    for id in side(table, seat):
        card = table[id]
        if not any(_attacks(look, seat, card, cc, foes)) and not any(_uses(look, seat, card, cc)):
            yield id, _why_no_attack(look, seat, card, cc, "tussle" if foes else "strike")


def why_not(look: Look, seat: Seat, do: Mapping[str, Any]) -> str | None:
    """Why a move with one of the seat's own cards is not offered."""
    table = look.table
    id = do.get("card")
    cc = CC.of(table.seat(seat))
    if do["type"] == "play" and id in hand(table, seat):
        return _why_not_played(look, seat, table[id])
    if do["type"] in ("tussle", "strike") and id in side(table, seat):
        return _why_no_attack(look, seat, table[id], cc, do["type"])
    if do["type"] == "use" and id in side(table, seat) and "uses:" in look.face(table[id]).by:
        return "cannot_afford" if cc < ABILITY else "no_target"
    return None


def _plays(look: Look, seat: Seat, card: Entity, cc: int) -> Iterator[Offer]:
    printed = face(look, card)
    if printed.waits and first_turn(look.table, seat):
        return
    if printed.aimed is None:
        cost = price(look, seat, card)
        if cost <= cc:
            yield Offer("play", card.id, cost={"cc": cost})
        for ability in printed.by.get("costs:pay_by_sleeping", ()):
            others = tuple(ability.fn(look, card, **ability.word.args))
            if others:
                yield Offer("play", card.id, (Slot("pay", others),), {"cc": 0})
        return
    targets, least, most = _aim(look, seat, printed.aimed)
    if printed.cost >= 0:
        cost = price(look, seat, card)
        if cost <= cc and len(targets) >= least:
            yield Offer("play", card.id, (_slot(targets, least, most),), {"cc": cost})
        return
    for cost, some in sorted(_by_price(look, seat, card, targets).items()):
        if cost <= cc:
            yield Offer("play", card.id, (_slot(some, least, most),), {"cc": cost})


def _attacks(look: Look, seat: Seat, card: Entity, cc: int, foes: tuple[EntityId, ...]) -> Iterator[Offer]:
    cost = tussle_price(look, card)
    if cost > cc or not _may_attack(look, card):
        return
    if foes:
        yield Offer("tussle", card.id, (Slot("foe", foes),), {"cc": cost})
    if _may_strike(look, seat, card, foes):
        yield Offer("strike", card.id, cost={"cc": cost})


def _may_attack(look: Look, card: Entity) -> bool:
    attacks = face(look, card).attacks
    return attacks == "always" or (attacks == "not_turn_1" and turn_number(look.table) != 1)


def _may_strike(look: Look, seat: Seat, card: Entity, foes: tuple[EntityId, ...]) -> bool:
    return (
        (not foes or "allows:strike_past" in look.face(card).by)
        and bool(hand(look.table, 1 - seat))
        and STRIKES.of(look.table.seat(seat)) < STRIKES_A_TURN
    )


def _uses(look: Look, seat: Seat, card: Entity, cc: int) -> Iterator[Offer]:
    if cc < ABILITY:
        return
    for ability in look.face(card).by.get("uses:", ()):
        targets, least, most = _aim(look, seat, ability)
        if len(targets) >= least:
            yield Offer("use", card.id, (_slot(targets, least, most),), {"cc": ABILITY})


def _aim(look: Look, seat: Seat, ability: Ability) -> tuple[list[EntityId], int, int]:
    assert ability.aim is not None
    found: tuple[list[EntityId], int, int] = ability.aim(look, seat, **ability.word.args)
    return found


def _slot(targets: list[EntityId], least: int, most: int) -> Slot:
    return Slot("target", tuple(targets), None, least, min(most, len(targets)))


def _by_price(look: Look, seat: Seat, card: Entity, targets: list[EntityId]) -> dict[int, list[EntityId]]:
    found: dict[int, list[EntityId]] = {}
    for id in targets:
        found.setdefault(price(look, seat, card, look.table[id]), []).append(id)
    return found


def _why_not_played(look: Look, seat: Seat, card: Entity) -> str:
    printed = face(look, card)
    if printed.waits and first_turn(look.table, seat):
        return "first_turn"
    if printed.aimed and not _aim(look, seat, printed.aimed)[0]:
        return "no_target"
    return "cannot_afford"


def _why_no_attack(look: Look, seat: Seat, card: Entity, cc: int, kind: str) -> str:
    foes = side(look.table, 1 - seat)
    if not _may_attack(look, card):
        return "cannot_tussle"
    if kind == "tussle" and not foes:
        return "nothing_to_attack"
    if kind == "strike":
        if foes and "allows:strike_past" not in look.face(card).by:
            return "shielded"
        if not hand(look.table, 1 - seat):
            return "nothing_to_attack"
        if STRIKES.of(look.table.seat(seat)) >= STRIKES_A_TURN:
            return "strike_limit"
    return "cannot_afford"

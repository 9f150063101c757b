"""What a seat may do on its turn, and why it may not do the rest.

play            a card of the hand: [choice] [amount] [steel] [titanium] [heat]
use             the action of a card in play, once a generation: the same slots
first           the first action of a corporation that has one, before anything else
sell_patents    cards of the hand for money
power_plant     and the other standard projects by name: asteroid, aquifer, greenery, city: [heat]
convert_plants  plants into a greenery; convert_heat: heat into a step of temperature
claim           a milestone; fund: an award
end_turn        after one action; pass: before any, for the rest of the generation
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cards.mars.counting import at_goal, board, count, rules
from cards.mars.facts import (
    ACTIONS,
    ACTIONS_A_TURN,
    AWARDS,
    FORCED,
    MILESTONES,
    PHASE,
    USED,
    Deed,
    ProjectRow,
    face,
    here,
    tableau,
)
from cards.mars.judging import aims_at_nothing, refusal, spent, units, unmet
from cards.mars.prices import Box, Means
from cards.mars.reading import Goal
from engine.frames import PASS, Entity, EntityId, Offer, Seat, Slot, Word
from engine.look import Look

Judged = tuple[str, list[Offer]]  # why not, or the offers


def offers(look: Look, seat: Seat) -> Iterator[Offer]:
    """Every legal move; selling cards, which can be done in so many ways, comes last."""
    means = Means(look, seat)
    if PHASE.of(here(look.table)) == "final":
        yield from project(means, rules(look).projects["convert_plants"])[1]
        yield Offer(PASS)
        return
    if FORCED.of(look.table.seat(seat)):
        yield from (Offer("first", card.id) for card in tableau(look.table, seat) if face(look, card).firsts)
        return
    for card in look.table.lying(f"{seat}.hand"):
        yield from play(means, card)[1]
    for card in tableau(look.table, seat):
        if face(look, card).action >= 0:
            yield from use(means, card)[1]
    yield from claim(means)[1]
    yield from fund(means)[1]
    yield Offer(PASS if ACTIONS.of(here(look.table)) == ACTIONS_A_TURN else "end_turn")
    for row in reversed(rules(look).projects.values()):
        yield from project(means, row)[1]


def blocked(look: Look, seat: Seat) -> Iterator[tuple[EntityId, str]]:
    """The cards that cannot be used now, and why."""
    means = Means(look, seat)
    for card in look.table.lying(f"{seat}.hand"):
        if code := wrong_time(look, seat) or play(means, card)[0]:
            yield card.id, code
    for card in tableau(look.table, seat):
        if face(look, card).action >= 0 and (code := wrong_time(look, seat) or use(means, card)[0]):
            yield card.id, code


def why_not(look: Look, seat: Seat, do: Mapping[str, Any]) -> str | None:
    """Why a move is not offered."""
    kind, means = do.get("type"), Means(look, seat)
    if kind in ("play", "use"):
        return next((code for card, code in blocked(look, seat) if card == do.get("card")), None)
    if not isinstance(kind, str) or kind not in (*rules(look).projects, "claim", "fund", "first"):
        return None
    if code := wrong_time(look, seat, kind):
        return code
    if kind in ("claim", "fund"):
        return (claim if kind == "claim" else fund)(means)[0] or None
    return project(means, rules(look).projects[kind])[0] or None if kind in rules(look).projects else None


def wrong_time(look: Look, seat: Seat, kind: str = "") -> str:
    """Why hardly anything can be done at this moment; nothing on an ordinary turn."""
    if PHASE.of(here(look.table)) == "final":
        return "" if kind == "convert_plants" else "wrong_phase"
    return "first_action" if FORCED.of(look.table.seat(seat)) and kind != "first" else ""


# cards


def play(means: Means, card: Entity) -> Judged:
    """Playing a card of the hand."""
    printed = face(means.look, card)
    if code := unmet(means, printed.needs):
        return code, []
    deeds = [printed.deeds[n] for n in printed.plays]
    hand = len(means.look.table.zones[f"{means.seat}.hand"]) - 1
    return _deeds(means, "play", card, deeds, means.price(printed), means.materials(printed), hand)


def use(means: Means, card: Entity) -> Judged:
    """Using the action of a card in play."""
    if USED.of(card):
        return "already_used", []
    deed = face(means.look, card).deeds[face(means.look, card).action]
    hand = len(means.look.table.zones[f"{means.seat}.hand"])
    return _deeds(means, "use", card, [deed], 0, (), hand)


def _deeds(
    means: Means,
    type: str,
    card: Entity,
    deeds: Sequence[Deed],
    price: int,
    materials: tuple[str, ...],
    hand: int,
) -> Judged:
    """The offers to do these together: branches that are paid for alike are one offer."""
    why, ways = "", dict[tuple[Any, ...], list[str]]()
    for branch in next((deed.branches for deed in deeds if deed.branches), (Deed(),)):
        group = [*deeds, branch]
        code, terms = _terms(means, type == "play", card, group, price, materials, hand)
        if code:
            why = why or code
        else:
            ways.setdefault(terms, []).append(branch.name)
    found = [
        Offer(type, card.id, (*_choice(names), *more, *box), {"credit": cost} if cost or type == "play" else {})
        for (cost, more, boxes), names in ways.items()
        for box in boxes
    ]
    return "" if found else why, found


def _terms(
    means: Means,
    played: bool,
    card: Entity,
    group: Sequence[Deed],
    price: int,
    materials: tuple[str, ...],
    hand: int,
) -> tuple[str, tuple[Any, ...]]:
    """Why these cannot be done; or what they cost, what else is to be chosen, and the ways to pay."""
    if code := refusal(means, group, card, hand):
        return code, ()
    if not played and aims_at_nothing(means, group, card):
        return "no_target", ()
    due, plain, taken = price, 0, spent(group)
    for deed in group:
        due, plain = (due + deed.credits, plain) if deed.materials else (due, plain + deed.credits)
        materials = (*materials, *deed.materials)
        for name, _ in deed.varies:
            taken[name] = means.has.get(name, 0)
    least, most = 0 if played else 1, units(means, group, card)
    boxes = means.ways(due, materials, plain, taken)
    if not boxes or (most is not None and most < least):
        return "cannot_afford", ()
    return "", (due + plain, () if most is None else (Slot("amount", range=(least, most)),), tuple(boxes))


def _choice(names: Sequence[str]) -> Box:
    return (Slot("choice", tuple(names)),) if names != [""] else ()


def dues(deeds: Sequence[Deed], price: int = 0) -> tuple[int, int]:
    """What is due in money or materials, and what in money only."""
    due = price + sum(deed.credits for deed in deeds if deed.materials)
    return due, sum(deed.credits for deed in deeds if not deed.materials)


# projects, milestones, awards


def project(means: Means, row: ProjectRow) -> Judged:
    """A standard project or a conversion."""
    look, hand = means.look, means.look.table.zones[f"{means.seat}.hand"]
    if row.pays == "card":
        slot = Slot("cards", hand, least=1, most=len(hand))
        return ("", [Offer(row.name, slots=(slot,))]) if hand else ("no_cards", [])
    if any(_at_goal(look, word) for word in row.deed.program):
        return "at_goal", []
    price = means.project_price(row.id, row.cost)
    boxes = means.ways(0, plain=price) if row.pays == "credit" else [()] * (means.has[row.pays] >= price)
    if not boxes:
        return "cannot_afford", []
    kinds = [word.args["kind"] for word in row.deed.program if word.name == "tile"]
    if not all(board(look).has_spot(look.table, means.seat, kind) for kind in kinds):
        return "no_legal_hex", []
    return "", [Offer(row.name, slots=box, cost={row.pays: price}) for box in boxes]


def _at_goal(look: Look, word: Word) -> bool:
    """Whether a project would raise what cannot rise any more."""
    track = word.args.get("track") or ("oceans" if word.args.get("kind") == "ocean" else "")
    return bool(track) and at_goal(look, track)


def claim(means: Means) -> Judged:
    """Claiming a milestone that was reached."""
    look, goals = means.look, rules(means.look).goals
    taken = MILESTONES.of(here(look.table))
    if len(taken) >= goals.most:
        return "all_claimed", []
    open_ = [goal for goal in goals.milestones if goal.id not in taken]
    reached = tuple(goal.id for goal in open_ if tally(look, means.seat, goal) >= goal.least)
    return _bought(means, "claim", "milestone", reached, goals.claim) if reached else ("not_reached", [])


def fund(means: Means) -> Judged:
    """Funding an award."""
    look, goals = means.look, rules(means.look).goals
    funded = AWARDS.of(here(look.table))
    if len(funded) >= goals.most:
        return "all_funded", []
    open_ = tuple(goal.id for goal in goals.awards if goal.id not in funded)
    return _bought(means, "fund", "award", open_, goals.fund[len(funded)])


def _bought(means: Means, type: str, slot: str, from_: tuple[str, ...], price: int) -> Judged:
    boxes = means.ways(0, plain=price)
    found = [Offer(type, slots=(Slot(slot, from_), *box), cost={"credit": price}) for box in boxes]
    return "" if found else "cannot_afford", found


def tally(look: Look, seat: Seat, goal: Goal) -> int:
    """How far a seat has come with a milestone or an award."""
    return sum(count(look, seat, per) for per in goal.counts)

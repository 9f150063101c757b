"""Whether something can be done, and if not, why: one code for each cause, before anything has changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from cards.mars.counting import board, count, times
from cards.mars.facts import DID, HOLDS, MAKES, RESOURCES, TRACKS, Deed, floor, here, living, tableau
from cards.mars.prices import Means
from cards.mars.schema import Need, Per
from cards.mars.vocabulary import QUESTIONS, Asking
from engine.frames import Entity, Question, Seat
from engine.look import Look

GLOBAL = {"temperature": "temperature", "oxygen": "oxygen", "ocean": "oceans"}
COUNTED = {"city": "city-tile", "greenery": "greenery-tile", "tr": "tr"}


def unmet(means: Means, needs: Iterable[Need]) -> str:
    """The code of the first requirement that is not met; nothing if all are."""
    return next((f"requirement_{need.type}" for need in needs if not met(means, need)), "")


def met(means: Means, need: Need) -> bool:
    """Whether a requirement is met. What the planet is like may be off by some steps if a card says so."""
    look, seat = means.look, means.seat
    if need.type in GLOBAL:
        track = GLOBAL[need.type]
        slack = means.slack * board(look).tracks[track].step
        return need.hold(TRACKS[track].of(here(look.table)), slack)
    if need.type == "tags":
        return need.hold(means.tags[need.tag or ""])
    if need.type == "production":
        return need.hold(means.makes[need.resource or "credit"])
    if need.type == "resource":
        return need.hold(_has(means, need.resource or "credit"))
    target = "self-player" if need.type == "tr" else "any-player"
    return need.hold(count(look, seat, Per(COUNTED[need.type], target=target)))  # type: ignore[arg-type]


def _has(means: Means, resource: str) -> int:
    if resource in RESOURCES:
        return means.has[resource]
    return sum(HOLDS[resource].of(card) for card in tableau(means.look.table, means.seat))


def refusal(means: Means, deeds: Sequence[Deed], source: Entity | None, hand: int) -> str:
    """Why these behaviours of a card cannot be done together, money apart; nothing if they can.

    `hand` is how many cards there are to discard: a card that is being played is none of them.
    """
    return (
        next((code for deed in deeds if (code := unmet(means, deed.needs))), "")
        or _not_yet(means, deeds)
        or _too_dear(means, deeds, source, hand)
        or _too_low(means, deeds, source)
    )


def _not_yet(means: Means, deeds: Sequence[Deed]) -> str:
    did = DID.of(means.look.table.seat(means.seat))
    done = all(asked.count.hold(did.get(asked.event, 0)) for deed in deeds for asked in deed.happened)
    return "" if done else "not_yet"


def _too_dear(means: Means, deeds: Sequence[Deed], source: Entity | None, hand: int) -> str:
    for name, amount in spent(deeds).items():
        if means.has[name] < amount:
            return "cannot_afford"
    card = means.look.table.entities.get(source.id) if source else None
    for deed in deeds:
        if any(card is None or HOLDS[name].of(card) < amount for name, amount in deed.spends):
            return "cannot_afford"
    return "cannot_afford" if sum(deed.discards for deed in deeds) > hand else ""


def spent(deeds: Iterable[Deed]) -> Counter[str]:
    """The resources that these take beside money."""
    found: Counter[str] = Counter()
    for deed in deeds:
        for name, amount in deed.pays:
            found[name] += amount
    return found


def _too_low(means: Means, deeds: Sequence[Deed], source: Entity | None) -> str:
    """Own production must not fall too low, and what somebody must lose, somebody must have."""
    made = _made(means, deeds, source)
    if any(made[name] < floor(name) for name, _ in _lowered(deeds)):
        return "production_floor"
    for deed in deeds:
        for name, amount in deed.forces:
            if not losers(means.look, name, amount, {means.seat: made[name]}):
                return "no_target"
    return ""


def _made(means: Means, deeds: Iterable[Deed], source: Entity | None) -> dict[str, int]:
    """Own production as it will be."""
    made = dict(means.makes)
    for deed in deeds:
        for name, amount, per in deed.makes:
            made[name] += amount * times(means.look, means.seat, per, source)
    return made


def _lowered(deeds: Iterable[Deed]) -> list[tuple[str, int]]:
    return [(name, amount) for deed in deeds for name, amount, _ in deed.makes if amount < 0]


def losers(look: Look, resource: str, amount: int, made: dict[Seat, int] | None = None) -> list[Seat]:
    """The seats whose production could fall so far; `made` are those whose production will be another by then."""
    found = []
    for seat in living(look.table):
        now = (made or {}).get(seat, MAKES[resource].of(look.table.seat(seat)))
        if now - amount >= floor(resource):
            found.append(seat)
    return found


def units(means: Means, deeds: Sequence[Deed], source: Entity | None) -> int | None:
    """How high a number the player may choose beside what is taken anyway; nothing if there is none to choose."""
    each: Counter[str] = Counter()
    for deed in deeds:
        for name, amount in deed.varies:
            each[name] += amount
    if not each:
        return None
    fixed, made = spent(deeds), _made(means, deeds, source)
    left = {name: means.has[name] - fixed[name] for name in RESOURCES}
    left.update((f"{name}-production", made[name] - floor(name)) for name in RESOURCES)
    return min(left[name] // amount for name, amount in each.items())


def aims_at_nothing(means: Means, deeds: Sequence[Deed], source: Entity) -> bool:
    """Whether all that these would do is hit something, and there is nothing to hit."""
    if not all(deed.aimed or not deed.program for deed in deeds):
        return False
    asking = Asking(means.look, means.seat, source, {})
    words = [word for deed in deeds for word in deed.program if word.name in QUESTIONS]
    found = [QUESTIONS[word.name](asking, **word.args) for word in words]
    return bool(words) and not any(isinstance(one, Question) or one for one in found)

"""What things cost a seat, and the ways in which it can pay.

Steel pays for buildings and titanium for what goes to space; heat pays for anything where a card says so. What is left
is money. Nothing is given back: whoever lays down more steel than needed has lost the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from cards.mars.counting import tags
from cards.mars.facts import HAS, MAKES, NEXT, RESOURCES, Card
from cards.mars.schema import Selector
from engine.frames import Seat, Slot
from engine.look import Look

WORTH = {"steel": 2, "titanium": 3}
BUYS = {"building": "steel", "space": "titanium"}
Box = tuple[Slot, ...]


class Means:
    """What a seat has, and how its cards bend what things cost it. Worked out once for all of its offers."""

    def __init__(self, look: Look, seat: Seat) -> None:
        self.look = look
        self.seat = seat
        entity = look.table.seat(seat)
        self.has = {name: HAS[name].of(entity) for name in RESOURCES}
        self.makes = {name: MAKES[name].of(entity) for name in RESOURCES}
        self.worth = dict(WORTH)
        self.discounts: list[tuple[int, tuple[Selector, ...]]] = []
        self.instead: set[str] = set()  # resources that count as money
        self.slack = 0
        self._tags: Counter[str] | None = None
        for source, ability in look.bearing("costs:means"):
            if look.controller(source) == seat:
                ability.fn(self, **ability.word.args)
        for kept in NEXT.of(entity):
            look.game.effects.words[kept["word"]].fn(self, **_typed(look, kept))

    @property
    def tags(self) -> Counter[str]:
        """The tags in play."""
        if self._tags is None:
            self._tags = tags(self.look, self.seat)
        return self._tags

    @property
    def heat(self) -> int:
        """Heat that counts as money."""
        return self.has["heat"] if "heat" in self.instead else 0

    def price(self, card: Card) -> int:
        """What a card costs now."""
        off = sum(amount for amount, selectors in self.discounts if not selectors or fits_card(selectors, card))
        return max(0, card.cost - off)

    def project_price(self, id: str, cost: int) -> int:
        """What a standard project or a conversion costs now."""
        off = sum(amount for amount, selectors in self.discounts if fits_project(selectors, id, cost, named=True))
        return max(0, cost - off)

    def ways(self, due: int, materials: Iterable[str] = (), plain: int = 0, spent: Mapping[str, int] = {}) -> list[Box]:
        """The ways to pay: each is a set of slots that may be filled in any way. None if it cannot be paid.

        `due` may be paid in these materials too, `plain` in money only; `spent` is what the same move takes beside.
        """
        money = self.has["credit"] - spent.get("credit", 0)
        heat = self.heat - spent.get("heat", 0) if self.heat else 0
        piles = []
        for name in materials:
            left = self.has[name] - spent.get(name, 0)
            most = min(left, due // self.worth[name] + 1) if due else 0
            if most > 0:
                piles.append((name, self.worth[name], most))
        return _boxes(piles, due, plain, money, max(0, min(heat, due + plain)))

    def materials(self, card: Card) -> tuple[str, ...]:
        """What a card may be paid with beside money."""
        return tuple(name for tag, name in BUYS.items() if tag in card.tags)


def _boxes(piles: list[tuple[str, int, int]], due: int, plain: int, money: int, heat: int) -> list[Box]:
    """Ranges for each pile such that every filling pays; where that takes several sets of ranges, all of them."""
    if not piles:
        short = max(0, due) + plain - money
        if short > heat:
            return []
        return [(Slot("heat", range=(max(0, short), heat)),)] if heat else [()]
    (name, worth, most), *rest = piles
    found: list[Box] = []
    low, same = 0, _boxes(rest, due, plain, money, heat)
    for units in range(1, most + 1):
        boxes = _boxes(rest, due - units * worth, plain, money, heat)
        if boxes != same:
            found += [(Slot(name, range=(low, units - 1)), *box) for box in same]
            low, same = units, boxes
    return found + [(Slot(name, range=(low, most)), *box) for box in same]


def bill(means: Means, due: int, plain: int, picks: Mapping[str, Any]) -> dict[str, int]:
    """What is laid down for a price, by what was put into the slots. Of heat no more than is needed."""
    laid = {name: picks[name] for name in WORTH if picks.get(name)}
    left = max(0, due - sum(means.worth[name] * units for name, units in laid.items())) + plain
    heat = min(picks.get("heat", 0), left)
    return {name: units for name, units in {**laid, "heat": heat, "credit": left - heat}.items() if units}


def fits_card(selectors: Iterable[Selector], card: Card) -> bool:
    """Whether one of these means this card. One that says nothing of cards means none."""
    return any(_fits(selector, card) for selector in selectors)


def _fits(selector: Selector, card: Card) -> bool:
    cost = selector.required_original_cost
    if not (selector.tags or selector.card_types or cost):
        return False
    if any(tag not in card.tags for tag in selector.tags):
        return False
    if selector.card_types and card.type not in selector.card_types:
        return False
    return cost is None or cost.hold(card.cost)


def fits_project(selectors: Iterable[Selector], id: str, cost: int, *, named: bool = False) -> bool:
    """Whether one of these means this project: by its name or, unless it must be named, by what is printed on it."""
    return any(_fits_project(selector, id, cost, named) for selector in selectors)


def _fits_project(selector: Selector, id: str, cost: int, named: bool) -> bool:
    if selector.standard_projects:
        return id in selector.standard_projects
    if named or selector.tags or selector.card_types or selector.required_original_cost is None:
        return False
    return selector.required_original_cost.hold(cost)


def _typed(look: Look, kept: Mapping[str, Any]) -> dict[str, Any]:
    return look.game.effects.word(kept["word"], kept["args"]).args

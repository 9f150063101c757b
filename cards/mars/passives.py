"""Words that listen, and words that bend prices or protect for as long as their card is in play."""

from __future__ import annotations

from cards.mars.facts import GONE, Card, Deed, face
from cards.mars.judging import refusal
from cards.mars.prices import Means, fits_card, fits_project
from cards.mars.schema import Selector
from cards.mars.vocabulary import HAPPENINGS, effects
from engine.effects import Ctx
from engine.frames import Entity, Event, word
from engine.look import Look


def concerns(look: Look, source: Entity, event: Event, /, n: int) -> bool:
    """Whether an event is one of those that a card listens to; that it is the right player's is known."""
    condition = face(look, source).deeds[n].condition
    assert condition is not None
    causes = (event.facts.get("by"), event.card.id if event.card else 0)
    if not condition.includes_self and source.id in causes:
        return False
    if condition.location == "mars" and event.facts.get("off"):
        return False
    return not condition.selectors or _selected(look, condition.selectors, event)


def react(ctx: Ctx, event: Event, /, n: int) -> None:
    """A card heard what it listens to. Whatever costs something may be declined; whoever has left says nothing."""
    if GONE.of(ctx.table.seat(ctx.seat)):
        return
    deed = face(ctx.look, ctx.card).deeds[n]
    if event.card is not None:
        ctx.bind(trigger=event.card.id)
    if deed.pays or deed.spends or deed.credits or deed.discards:
        ctx.then(word("may", n=n))
    elif not _forbidden(ctx, deed):
        ctx.then(*deed.program)


def _forbidden(ctx: Ctx, deed: Deed) -> bool:
    """Whether it is not its time, or production would fall lower than it may: then nothing happens."""
    if not (deed.happened or any(amount < 0 for _, amount, _ in deed.makes)):
        return False
    return bool(refusal(Means(ctx.look, ctx.seat), (deed,), ctx.source, 0))


for _kind in HAPPENINGS:
    effects.when(_kind, _kind, only=concerns)(react)


def _selected(look: Look, selectors: tuple[Selector, ...], event: Event) -> bool:
    match event.kind:
        case "tag-played":
            return any(event.facts["tag"] in selector.tags for selector in selectors)
        case "card-played":
            assert event.card is not None
            printed = look.face(event.card)
            return isinstance(printed, Card) and fits_card(selectors, printed)
        case "standard-project-played":
            return fits_project(selectors, event.facts["project"], event.facts["cost"])
        case "placement-bonus-gained":
            return any(set(selector.resources) & set(event.facts["bonus"]) for selector in selectors)
        case "production-increased":
            return any(event.facts["resource"] in selector.resources for selector in selectors)
    return True


# what lasts


@effects.costs("discount", "means")
def discount(means: Means, /, amount: int, selectors: tuple[Selector, ...] = ()) -> None:
    """Cards or projects cost less."""
    means.discounts.append((amount, selectors))


@effects.costs("value-modifier", "means")
def value(means: Means, /, amount: int, selectors: tuple[Selector, ...] = ()) -> None:
    """Steel or titanium is worth more."""
    for name in means.worth:
        if any(name in selector.resources for selector in selectors):
            means.worth[name] += amount


@effects.costs("payment-substitute", "means")
def substitute(means: Means, /, amount: int = 1, selectors: tuple[Selector, ...] = ()) -> None:
    """Something counts as money."""
    for selector in selectors:
        means.instead.update(selector.resources)


@effects.costs("global-parameter-lenience", "means")
def lenience(means: Means, /, amount: int, selectors: tuple[Selector, ...] = ()) -> None:
    """What the planet must be like may be off by so many steps."""
    means.slack += amount


@effects.allows("defense", "defense")
def defense(
    resource: str, here: bool, /, amount: int = 1, selectors: tuple[Selector, ...] = (), whole: bool = True
) -> bool:
    """Others cannot take these: anywhere on one's side, or only off this card."""
    return (whole or here) and any(resource in selector.resources for selector in selectors)

"""The vocabulary of the quays, and what all words have at hand.

A word acts on the cards that were chosen before (`on`): under a name, `target` unless it is said; or `this` card, the
one that was heard of (`it`), or whoever that one has to do with (`foe`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from cards.lore.facts import in_play
from cards.lore.picking import Number, count
from engine.effects import Ctx, Effects
from engine.frames import Arg, Entity, EntityId, Seat

Whom: TypeAlias = Literal["you", "opponent", "each"]

effects = Effects(
    events=(
        "banish",
        "banished",
        "banishes",
        "challenged",
        "challenges",
        "chosen",
        "damage",
        "damaged",
        "discarded",
        "inked",
        "moved",
        "played",
        "quested",
        "sang",
        "turn_ended",
        "turn_started",
    )
)


def meant(ctx: Ctx, on: str) -> list[EntityId]:
    """The cards that a word acts on, as far as they are still there."""
    if on == "this":
        ids: Iterable[EntityId] = (ctx.card.id,)
    elif on == "it":
        ids = (ctx.event.card.id,) if ctx.event and ctx.event.card else ()
    elif on == "foe":
        ids = (ctx.event.facts["foe"],) if ctx.event and "foe" in ctx.event.facts else ()
    else:
        ids = ctx.bound.get(on, ())
    return [id for id in ids if id in ctx.table.entities]


def played(ctx: Ctx, on: str) -> list[Entity]:
    """Those of them that are in play."""
    return [card for id in meant(ctx, on) if (card := in_play(ctx.look, id)) is not None]


def many(ctx: Ctx, said: Number) -> int:
    """The number that is meant."""
    return count(ctx.look, said, ctx.card, ctx.seat, ctx.bound)


def whom(ctx: Ctx, who: Whom) -> tuple[Seat, ...]:
    """The seats that are meant, the active player's first."""
    if who == "each":
        active = ctx.table.active
        return (active, 1 - active)
    return (ctx.seat,) if who == "you" else (1 - ctx.seat,)


def speaks(ctx: Ctx, **more: Arg) -> dict[str, Arg]:
    """What a question speaks of: the card that asks, and more."""
    return {"face": ctx.card.face, **more}

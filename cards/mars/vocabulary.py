"""The words of this game, as a list that the modules beside it fill: what acts, what asks, what listens, what bends.

A word that asks is written as a function that only says what the question is, so that the same question can be put
again from a view: by a bot, or by whoever takes the match up midway.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeAlias, get_args

import msgspec
from msgspec import Struct

from cards.mars.schema import Happening
from engine.effects import Ctx, Effects
from engine.frames import Entity, Program, Question, Seat
from engine.look import Look

HAPPENINGS: tuple[str, ...] = get_args(Happening)
effects = Effects(events=HAPPENINGS)


class Asking(Struct, frozen=True):
    """Who is asked, because of which card, and what was settled before."""

    look: Look
    seat: Seat
    source: Entity | None
    bound: Mapping[str, Any]

    @property
    def card(self) -> Entity | None:
        """The card that asks, as it is now."""
        return self.look.table.entities.get(self.source.id) if self.source else None


Found: TypeAlias = Question | Program  # a question, or what happens without one; nothing happens if nothing is possible
Asks: TypeAlias = Callable[..., Found]
QUESTIONS: dict[str, Asks] = {}


def asks(name: str) -> Callable[[Asks], Asks]:
    """Register a word that asks its player something, unless there is nothing to choose."""

    def keep(fn: Asks) -> Asks:
        @wraps(fn)
        def speak(ctx: Ctx, /, **args: Any) -> None:
            found = fn(Asking(ctx.look, ctx.seat, ctx.source, ctx.bound), **args)
            if isinstance(found, Question):
                ctx.bind(asked=[name, msgspec.to_builtins(args)])
                ctx.ask({ctx.seat: found})
            elif found:
                ctx.then(*found)

        effects.does(name)(speak)
        QUESTIONS[name] = fn
        return fn

    return keep

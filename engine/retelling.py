"""A finished match told again: what one viewer saw of it from the deal to the end, or what all of them saw together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.game import Game
from engine.lens import Lens
from engine.look import Look
from engine.merge import diff
from engine.replay import Replay, play_again
from engine.sight import Shown, Sight
from engine.table import AUDIENCE, EVERYONE, Viewer

ALL = "all"  # the name of the view that nobody had while it was played


class Moment(NamedTuple):
    """One version of a match: at the deal the whole view, after it what changed, and what happened."""

    v: int
    patch: Shown
    events: list[dict[str, Any]]


class OpenLens(Lens):
    """Everything that anybody at the table could see. Only for matches that are over."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, AUDIENCE)
        self.bit = EVERYONE

    def _seats(self, sight: Sight) -> Shown:
        show_own = self.look.game.show_own
        return {key: {**shown, **show_own(self.look, int(key))} for key, shown in sight.seats().items()}


def retell(game: Game, replay: Replay, viewer: Viewer | None) -> Iterator[Moment]:
    """The match step by step as a viewer saw it, with every hash checked on the way. None sees it all."""
    lens: Lens | None = None
    before: Shown = {}
    for match, step in play_again(game, replay):
        lens = lens or (OpenLens(match.look) if viewer is None else Lens(match.look, viewer))
        now = lens.whole()
        yield Moment(step.version, diff(before, now), lens.news(step))
        before = now

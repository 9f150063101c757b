"""A free table laid out from a view. What is hidden is filled in by whoever knows which cards there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from cards.table.words import questions
from engine.frames import Ask, Frame, Move, Run, Turn, word
from engine.game import Luck, View
from engine.imagining import Imagined
from engine.look import Look
from engine.table import TABLE, Table, seat_id

if TYPE_CHECKING:
    from cards.table.rules import FreeTable

Fill: TypeAlias = Callable[["FreeTable", View, Imagined], None]
KEPT = ("number", "done", "decision", "claim", "moves")
SAT = ("name", "ready", "gone", "looks")


def imagine(game: FreeTable, view: View, luck: Luck, fill: Fill) -> Table:
    """A table that could be the real one."""
    imagined = Imagined(game, view, luck, game.read_card)
    table, turn = imagined.table, view["turn"]
    fill(game, view, imagined)
    for seat in range(table.seats):
        shown = view["seats"][str(seat)]
        imagined.note(seat_id(seat), **{name: shown.get(name) for name in SAT}, **game.read_seat(shown))
    phase = {"phase": turn["phase"]} if turn["phase"] != "playing" else {}
    imagined.note(TABLE, **phase, **game.read_table(view), **{name: turn.get(name) for name in KEPT})
    frames: list[Frame] = [Turn(turn["seat"])]
    if "decision" in turn:
        frames.append(Turn(turn["decision"]["seat"]))
    table.stack = tuple(frames)
    table.stack += _asked(Look(game, table), view, luck)
    return imagined.done()


def _asked(look: Look, view: View, luck: Luck) -> tuple[Frame, ...]:
    """The question that is open, put again. What others have answered already nobody knows."""
    turn: dict[str, Any] = view["turn"]
    if "asked" not in turn:
        return ()
    put, claim = questions(look), turn["claim"]
    look.table.asked = 1
    answered = [seat for seat in put if seat not in turn["waiting"]]
    answers = {seat: Move(("agree", "refuse")[luck(2)]) for seat in answered}
    then = word("close_victory" if claim["what"] == "victory" else "open_hands")
    return Run((then,), claim["seat"]), Ask(1, put, "votes", answers=answers)


def one_pack(game: FreeTable, view: View, imagined: Imagined) -> None:
    """There is one card of each face; whatever is not in sight lies anywhere that cannot be seen."""
    seen = Counter(card.face for card in imagined.table.entities.values() if card.face)
    left = [face for face in game.faces if not seen[face]]
    for zone, places in imagined.unseen.items():
        hidden = [left.pop(imagined.luck(len(left))) for _ in places]
        imagined.hide(zone, hidden, -1)

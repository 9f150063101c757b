"""What a bot makes of a toy battle: how it stands, and what the other may hold."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from cards.ggltcg.words import may_sleep
from engine.frames import Ask, Run, Seat, Turn
from engine.game import Game, Luck, Record, View
from engine.imagining import Imagined
from engine.look import Look
from engine.table import TABLE, Table, seat_id

if TYPE_CHECKING:
    from cards.ggltcg.rules import ToyBattle

OWN_FACTS = ("damage", "as", "plus")


def score(game: ToyBattle, view: View, seat: Seat) -> float:
    """Between lost and won: the cards awake, what the toys in play can do, and CC."""
    if "result" in view:
        return Game.score(game, view, seat)
    worth: float = _worth(view, seat) - _worth(view, 1 - seat) + 0.06 * view["seats"][str(seat)]["cc"]
    return 0.5 + worth / 100


def _worth(view: View, seat: Seat) -> float:
    cards, zones = view["cards"], view["zones"]
    worth: float = 2.0 * zones[f"{seat}.hand"]["n"]
    for id in zones[f"{seat}.in_play"]["cards"]:
        toy = cards[str(id)]
        worth += 2.6 + 0.04 * toy["strength"] + 0.04 * toy["stamina"] + 0.02 * toy["speed"]
    return worth


def imagine(game: ToyBattle, view: View, record: Record, luck: Luck) -> Table:
    """A table that could be the real one."""
    imagined = Imagined(game, view, luck, lambda shown: {key: shown[key] for key in OWN_FACTS if key in shown})
    table = imagined.table
    for seat in range(2):
        shown = view["seats"][str(seat)]
        imagined.hide(f"{seat}.hand", _unseen(table, shown["deck"], seat), seat)
        own = {key: shown[key] for key in ("name", "cc", "strikes", "deck") if key in shown}
        imagined.note(seat_id(seat), **own)
    turn = view["turn"]
    first = turn["seat"] if turn["number"] % 2 else 1 - turn["seat"]
    idle, still = turn.get("idle", 0), turn.get("still", 0)
    imagined.note(TABLE, number=turn["number"], first=first, busy=True, idle=idle, still=still)
    table.stack = (Turn(turn["seat"]), *_asked(game, table, view, record))
    return imagined.done()


def _unseen(table: Table, deck: list[str], seat: Seat) -> list[str]:
    seen = Counter(card.face for card in table.entities.values() if card.owner == seat)
    return list((Counter(deck) - seen).elements())


def _asked(game: ToyBattle, table: Table, view: View, record: Record) -> tuple[Any, ...]:
    """The question that is open, put again by the card that put it."""
    if "asked" not in view["turn"]:
        return ()
    seat = view["turn"]["waiting"][0]
    by = next((event["by"] for event in reversed(record) if event["e"] == "asked"), 0)
    question = may_sleep(Look(game, table), seat, 1)
    if question is None:
        return ()
    source = table.entities.get(by)
    return Run((), seat, source), Ask(1, {seat: question}, by=by)

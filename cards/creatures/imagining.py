"""What a bot makes of a battle: how it stands, and what may lie where it cannot look."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from cards.creatures.field import BENCH, FIELD, PRIZES
from cards.table import imagining
from engine.game import Luck, View
from engine.imagining import Imagined
from engine.table import Seat, Table

if TYPE_CHECKING:
    from cards.creatures.rules import Creatures
    from cards.table.rules import FreeTable


def score(game: Creatures, view: View, seat: Seat) -> float:
    """Between lost and won."""
    worth = _worth(game, view, seat) - _worth(game, view, 1 - seat)
    return 0.5 + max(-0.49, min(0.49, worth / 40))


def _worth(game: Creatures, view: View, seat: Seat) -> float:
    zones, cards = view["zones"], view["cards"]
    worth: float = -4.0 * sum(zones[f"{seat}.{name}"]["n"] for name in PRIZES)
    worth += 0.15 * min(zones[f"{seat}.hand"]["n"], 10)
    for name in FIELD:
        ids = zones[f"{seat}.{name}"].get("cards", [])
        worth += _creature(game, [cards[str(id)] for id in ids if id]) * (1.0 if name not in BENCH else 0.8)
    return worth


def _creature(game: Creatures, shown: list[dict[str, Any]]) -> float:
    """What a creature can take, and what is attached to it as far as it can use that."""
    faces = [game.faces[card["face"]] for card in shown if "face" in card]
    here = next((face for face in reversed(faces) if face.is_creature), None)
    if here is None:
        return 0.0
    left: float = max(0, here.row.hp - shown[-1].get("damage", 0))
    wanted = max((len(attack.cost) for attack in here.row.attacks), default=0)
    energies = sum(face.is_energy for face in faces)
    hits = max((attack.damage for attack in here.row.attacks if len(attack.cost) <= energies), default=0)
    status = 0.5 * ("orientation" in shown[-1] or "burn" in shown[-1] or "poison" in shown[-1])
    worth: float = 0.5 + left / 60 + 0.5 * min(energies, wanted) + 0.05 * energies + hits / 50 - status
    return worth


def imagine(game: Creatures, view: View, luck: Luck) -> Table:
    """A table that could be the real one."""
    return imagining.imagine(game, view, luck, _fill)


def _fill(game: FreeTable, view: View, imagined: Imagined) -> None:
    """Give every hidden card of a seat a face that its deck could have."""
    seats = range(imagined.table.seats)
    for seat in seats:
        mine = [zone for zone in imagined.unseen if zone.startswith(f"{seat}.")]
        need = sum(len(imagined.unseen[zone]) for zone in mine)
        seen = Counter(card.face for card in imagined.table.entities.values() if card.owner == seat and card.face)
        rest = _hidden(game, view["seats"][str(seat)], seen, need, imagined.luck)
        for zone in mine:
            faces = [rest.pop(imagined.luck(len(rest))) for _ in imagined.unseen[zone]]
            imagined.hide(zone, faces, seat)
    for zone, hidden in imagined.unseen.items():  # whatever lies face down in the middle may be anything
        if not zone[:1].isdigit() and hidden:
            faces = list(game.faces)
            imagined.hide(zone, [faces[imagined.luck(len(faces))] for _ in hidden], 0)


def _hidden(game: FreeTable, shown: dict[str, Any], seen: Counter[str], need: int, luck: Luck) -> list[str]:
    """As many faces as a seat has hidden cards: of its own list, of a ready-made deck that fits, or of any."""
    lists = [Counter(shown["deck"])] if "deck" in shown else [Counter(deck) for deck in game.decks.values()]
    fitting = [left for left in lists if seen <= left] or lists
    rest = list((fitting[luck(len(fitting))] - seen).elements())
    faces = list(game.faces)
    while len(rest) < need:
        rest.append(faces[luck(len(faces))])
    return rest

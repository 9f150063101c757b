"""What a bot makes of the quays: how it stands, and what it would do without thinking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cards.lore.facts import GOAL
from engine.frames import Offer, Seat
from engine.game import Game, Luck, View
from engine.offers import at_random

# how likely a move is, beside the others that are possible: what builds comes before what only moves things about
LIKELY = {
    "play_ink": 8,
    "play_character": 8,
    "play_action": 3,
    "play_item": 3,
    "play_location": 5,
    "sing_song": 5,
    "sing_together": 5,
    "quest_character": 6,
    "challenge_character": 4,
    "boost": 4,
}
UNLIKELY = 1


# how it stands


def score(game: Game, view: View, seat: Seat) -> float:
    """Between lost and won: lore, the more the nearer the end; what is in play; cards and ink."""
    if "result" in view:
        return Game.score(game, view, seat)
    worth = _worth(view, seat) - _worth(view, 1 - seat)
    return 0.5 + max(-0.49, min(0.49, worth / 60))


def _worth(view: View, seat: Seat) -> float:
    zones, cards, shown = view["zones"], view["cards"], view["seats"][str(seat)]
    lore = shown["lore"]
    worth: float = lore + 0.6 * max(0, lore - GOAL // 2)
    worth += 0.55 * min(zones[f"{seat}.hand"]["n"], 8) + _inkwell(zones[f"{seat}.inkwell"]["n"])
    for id in zones[f"{seat}.characters"]["cards"]:
        worth += _character(cards[str(id)])
    worth += sum(0.8 + 0.9 * cards[str(id)]["lore"] for id in zones[f"{seat}.locations"]["cards"])
    worth += 0.9 * zones[f"{seat}.items"]["n"]
    return worth - (3.0 if zones[f"{seat}.deck"]["n"] == 0 else 0.0)


def _inkwell(count: int) -> float:
    """Ink is worth much at first and little when there is enough."""
    return 1.0 * min(count, 4) + 0.6 * max(0, min(count - 4, 3)) + 0.15 * max(0, count - 7)


def _character(card: dict[str, Any]) -> float:
    left = max(0, card["willpower"] - card.get("damage", 0))
    worth: float = 0.5 + 0.75 * card["lore"] + 0.28 * card["strength"] + 0.28 * left
    if "exerted" in card:
        worth -= 0.12 * worth  # it can be challenged now
    return worth


# without thinking


def hunch(offers: Sequence[Offer], luck: Luck) -> Mapping[str, Any]:
    """A move found without thinking: mostly one that builds, and only then the end of the turn."""
    if len(offers) == 1:
        return at_random(offers, luck)
    weights = [LIKELY.get(offer.type, UNLIKELY) for offer in offers]
    place = luck(sum(weights))
    for offer, weight in zip(offers, weights, strict=True):
        place -= weight
        if place < 0:
            return at_random((offer,), luck)
    raise AssertionError("the weights add up")

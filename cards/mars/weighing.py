"""How a seat stands, from what it sees: the points it has, and those that it may expect of what it owns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import tanh
from typing import TYPE_CHECKING, Any

from cards.mars.board import TILES
from cards.mars.facts import RESOURCES, STORED, Card
from cards.mars.schema import Per
from engine.frames import Offer
from engine.game import Game, Luck, View
from engine.offers import at_random

if TYPE_CHECKING:
    from cards.mars.rules import Mars

MONEY = 0.05  # points for one M€
STOCK = {"credit": 1.0, "steel": 1.6, "titanium": 2.5, "plant": 1.9, "energy": 0.6, "heat": 0.9}
FLOW = {"credit": 1.0, "steel": 1.6, "titanium": 2.5, "plant": 2.1, "energy": 1.0, "heat": 1.0}
STEPS = 2.0  # of the tracks that a seat makes in a generation
WIDE = 30.0  # points ahead that are as good as won
RAISES = {"greenery": "oxygen", "ocean": "oceans", "oxygen": "oxygen", "temperature": "temperature"}
IDLE = frozenset({"pass", "end_turn", "sell_patents", "fund"})
GROWTH = 0.3  # points for a place beside a city where something may still grow


def score(game: Mars, view: View, seat: int) -> float:
    """How far a seat is ahead of the best of the others."""
    if "result" in view:
        return Game.score(game, view, seat)
    glance = Glance(game, view)
    worth = {other: glance.worth(other) for other in range(glance.seats)}
    others = max(points for other, points in worth.items() if other != seat)
    return 0.5 + 0.49 * tanh((worth[seat] - others) / WIDE)


class Glance:
    """One look at a view."""

    def __init__(self, game: Mars, view: View) -> None:
        self.game = game
        self.view = view
        self.seats = len(view["seats"])
        cards, zones = view["cards"], view["zones"]
        self.tiles: dict[str, Any] = {}
        for key in game.board.hexes:
            for id in zones[key]["cards"]:
                if cards[str(id)]["face"] != TILES["claim"]:
                    self.tiles[key] = cards[str(id)]
        self.played = [self._cards(f"{seat}.tableau") for seat in range(self.seats)]
        self.tags = [self._tags(played) for played in self.played]
        self.left = self._generations_left()

    def worth(self, seat: int) -> float:
        """Points had and to be expected."""
        has = self.view["seats"][str(seat)]
        if has.get("gone"):
            return -100.0
        stock = sum(STOCK[name] * has[name] for name in RESOURCES)
        flow = sum(FLOW[name] * has[f"{name}-production"] for name in RESOURCES)
        return float(
            has["tr"] * (1 + MONEY * self.left)
            + MONEY * (stock + flow * self.left)
            + self._goals(seat)
            + self._ground(seat)
            + sum(self._points(seat, card, shown) for card, shown in self._valued(seat))
            + self._hand(seat)
            + self._pending(seat)
        )

    def _pending(self, seat: int) -> float:
        """What was begun and is still to come: paid for, and not yet there."""
        turn = self.view["turn"]
        words = [one for run in turn.get("todo", ()) if run["seat"] == seat for one in run["do"]]
        if words or ("asks" in turn and seat in turn["waiting"]):
            words = [turn["asks"], *words]
        found = 0.0
        for name, args in words:
            now, later = _brought(name, args)
            track = RAISES.get(args.get("kind", args.get("track", "")), "")
            if track and self._at_goal(track):
                now, later = now - 1, 0.0
            found += now + later * self.left
        return found

    def _at_goal(self, track: str) -> bool:
        return bool(self.view[track] >= self.game.board.tracks[track].most)

    def _cards(self, zone: str) -> list[tuple[Card, View]]:
        cards = self.view["cards"]
        ids = self.view["zones"][zone].get("cards", ())
        return [(self.game.cards[cards[str(id)]["face"]], cards[str(id)]) for id in ids]

    def _tags(self, played: list[tuple[Card, View]]) -> Counter[str]:
        found: Counter[str] = Counter()
        for card, _ in played:
            found.update(card.tags)
        return found

    def _generations_left(self) -> float:
        """By how far there was to go at the start; by how far it is now, raising a track would look like a loss."""
        options, turn = self.view["options"], self.view["turn"]
        steps = sum((track.most - options[name]) / track.step for name, track in self.game.board.tracks.items())
        whole = min(options["generations"], 2 + steps / (STEPS * self.seats))
        return float(max(0.5, whole - turn["number"]))

    def _valued(self, seat: int) -> list[tuple[Card, View]]:
        return [*self.played[seat], *self._cards(f"{seat}.events")]

    def _goals(self, seat: int) -> float:
        goals = self.game.goals
        won = 0.0 + sum(goals.points for owner in self.view["milestones"].values() if owner == seat)
        for goal in goals.awards:
            if goal.id in self.view["awards"]:
                tallies = [sum(self.count(other, per) for per in goal.counts) for other in range(self.seats)]
                best = max(tally for other, tally in enumerate(tallies) if other != seat)
                won += goals.points * (0.5 + 0.5 * tanh((tallies[seat] - best) / 3))
        return won

    def _ground(self, seat: int) -> float:
        """Greeneries count one, cities one for each beside them; a free place beside one's city is worth something."""
        green, city, points = TILES["greenery"], TILES["city"], 0.0
        for key, tile in self.tiles.items():
            if tile["owner"] != seat:
                continue
            if tile["face"] == green:
                points += 1
            elif tile["face"] == city:
                beside = self.game.board.next_to[key]
                points += sum(key in self.tiles and self.tiles[key]["face"] == green for key in beside)
                free = sum(key not in self.tiles and self.game.board.hexes[key].kind != "ocean" for key in beside)
                points += GROWTH * free * min(1.0, self.left / 4)
        return points

    def _points(self, seat: int, card: Card, shown: View) -> float:
        points = 0.0
        for part in card.points:
            if part.condition == "fixed":
                points += part.amount
            elif part.per is not None:
                count = self.count(seat, part.per, shown) / part.per.amount
                points += part.amount * (count if part.max_trigger < 0 else min(count, part.max_trigger))
        if card.action >= 0 or card.by:
            points += 2 * MONEY * self.left  # something can be done with it again and again
        return points

    def count(self, seat: int, per: Per, shown: View | None = None) -> int:
        """How many there are, as far as the view tells."""
        if per.type in STORED:
            return int(shown.get(per.type, 0)) if shown else 0
        if per.type.endswith("tile"):
            return self._tiles(seat, per, shown)
        has = self.view["seats"][str(seat)]
        if per.type == "tag":
            return self.tags[seat][per.tag or ""]
        if per.type == "card-hand":
            return int(self.view["zones"][f"{seat}.hand"]["n"])
        return int(has[per.type])

    def _tiles(self, seat: int, per: Per, shown: View | None) -> int:
        tiles = self.tiles
        if per.adjacent:
            beside = self.game.board.next_to.get((shown or {}).get("tile", ""), ())
            tiles = {key: tiles[key] for key in beside if key in tiles}
        kind = "" if per.type == "tile" else TILES[per.type.removesuffix("-tile")]
        mine = per.target == "self-player"
        return sum((not kind or t["face"] == kind) and (not mine or t["owner"] == seat) for t in tiles.values())

    def _hand(self, seat: int) -> float:
        """Cards that are seen are worth a part of what they would bring; others what they cost."""
        total = 0.0
        for kind in ("hand", "draft"):
            zone = self.view["zones"][f"{seat}.{kind}"]
            if "cards" not in zone:
                total += MONEY * 3 * zone["n"]
            elif kind == "hand":
                total += sum(self.promise(card) for card, _ in self._cards(f"{seat}.hand"))
        return total

    def promise(self, card: Card) -> float:
        """What a card in hand may bring beyond what it costs."""
        once, each = self.game.brings(card)
        brings = once + each * self.left - MONEY * card.cost
        return max(0.02, min(1.5, 0.6 * brings))


def hunch(offers: Sequence[Offer], luck: Luck) -> Mapping[str, Any]:
    """A move found without thinking."""
    builds = [offer for offer in offers if offer.type not in IDLE]
    return at_random(builds if builds and luck(8) else offers, luck)


def brought(card: Card) -> tuple[float, float]:
    """What a card brings: at once, and in every generation that is left."""
    once = sum(float(part.amount) for part in card.points)
    each = 2 * MONEY if card.action >= 0 or card.by else 0.0
    for deed in (card.deeds[n] for n in card.plays):
        halves = (deed, *deed.branches[:1])
        for one in (word for half in halves for word in half.program):
            now, later = _brought(one.name, one.args)
            once, each = once + now, each + later
    return once, each


def _brought(name: str, args: dict[str, Any]) -> tuple[float, float]:
    match name:
        case "gain":
            return MONEY * STOCK[args["resource"]] * args["amount"], 0.0
        case "produce":
            return 0.0, MONEY * FLOW[args["resource"]] * args["amount"]
        case "rate":
            return float(args["amount"]), MONEY * args["amount"]
        case "raise":
            return float(args.get("steps", 1)), MONEY * args.get("steps", 1)
        case "tile":
            return {"city": 1.6, "greenery": 2.0}.get(args["kind"], 1.1), MONEY
        case "draw" | "add_to" | "store":
            return 0.2 * args["amount"], 0.0
        case "peek" | "steal" | "take_away" | "lower_any" | "stake":
            return 0.25, 0.0
    return 0.0, 0.0

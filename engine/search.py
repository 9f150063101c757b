"""Thinking many moves ahead without peeking: Monte-Carlo tree search over information sets.

Every iteration imagines another table that could be the real one for all that the seat knows, plays on it in its head
and remembers how that went. What is remembered hangs in trees, one for each seat, and each tree branches only where
its seat can tell two things apart: nobody in there acts on what they could not know.

    select      go down by moves that did well or were hardly tried (UCT, counted over the worlds that allow them)
    widen       try a new filling of an offer, the more often this point was reached the more of them
    play on     by hunch, to the end or so many moves
    remember    what it was worth to each seat
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log, sqrt
from typing import Any, TypeAlias

from engine.errors import EngineError
from engine.frames import Ask, Offer, Seat, Slot
from engine.game import Game, Luck, Record, View
from engine.lens import Lens
from engine.match import Match
from engine.merge import canonical
from engine.offers import at_random, suits, usual
from engine.sight import Sight
from engine.table import bit

Do: TypeAlias = Mapping[str, Any]
Key: TypeAlias = tuple[Any, ...]  # seat, type, card, and what is in each slot; cards by a name that holds in all worlds
HIDDEN = "?"
CURIOSITY = 0.7  # how much a move that was hardly tried is worth trying
WIDTH = 4.0  # moves looked at after one visit; after n visits, so many times the root of n
TRIES = 4  # to find a filling that was not tried yet


class Node:
    """A point that a seat can tell from others, and how matches went on from it."""

    __slots__ = ("next", "possible", "visits", "worth")

    def __init__(self) -> None:
        self.next: dict[Key, Node] = {}
        self.visits = 0  # how often somebody chose to go here
        self.possible = 0  # how often they could have
        self.worth = 0.0  # what came of it for them, in sum


class Search:
    """One decision of one seat, thought over again and again."""

    def __init__(self, game: Game, seat: Seat, luck: Luck, view: View, record: Record) -> None:
        self.game, self.seat, self.luck = game, seat, luck
        self.view, self.record = view, record
        self.alike = look_alikes(view)
        self.roots = [Node() for _ in view["seats"]]
        self.first: dict[Key, Do] = {}  # what may really be played
        self.iterations = self.failed = 0

    def think(self, offers: Sequence[Offer], enough: Callable[[int], bool]) -> None:
        """Go over it until it is enough; a world in which something breaks teaches nothing."""
        while not enough(self.iterations):
            self.iterations += 1
            try:
                self._iterate(offers)
            except EngineError:
                self.failed += 1

    def best(self) -> Do | None:
        """The move that was gone for most often; of equals the one that did better. None if nothing was learned."""
        tried = [(self.roots[self.seat].next[key], do) for key, do in self.first.items()]
        tried = [(node, do) for node, do in tried if node.visits]
        if not tried:
            return None
        return max(tried, key=lambda pair: (pair[0].visits, pair[0].worth))[1]

    def _iterate(self, offers: Sequence[Offer]) -> None:
        world = World(Match(self.game, self.game.imagine(self.view, self.record, self.luck)), self.alike)
        path = self._descend(world, offers)
        self._play_on(world.match)
        worth = appraise(world.match)
        for seat, node in path:
            node.visits += 1
            node.worth += worth[seat]

    def _descend(self, world: World, offers: Sequence[Offer]) -> list[tuple[Seat, Node]]:
        """Down the trees until a move is made that was never made before."""
        match, at, path, seat = world.match, list(self.roots), [], self.seat
        while not match.over:
            key, do = self._choose(world, at[seat], seat, offers)
            if at[seat] is self.roots[self.seat]:
                self.first.setdefault(key, do)
            fresh = key not in at[seat].next
            at = world.go(seat, key, do, at)
            path.append((seat, at[seat]))
            if fresh or match.over:
                break
            seat = match.waiting()[0]
            offers = usual(match.offers(seat))
        return path

    def _choose(self, world: World, node: Node, seat: Seat, offers: Sequence[Offer]) -> tuple[Key, Do]:
        open_ = [
            (child, key, do)
            for key, child in node.next.items()
            if key[0] == seat and (do := world.fitted(key, offers)) is not None
        ]
        reached = sum(child.visits for child, _, _ in open_)
        if len(open_) < WIDTH * sqrt(reached + 1):
            for _ in range(TRIES):
                do = at_random(offers, self.luck)
                key = world.key(seat, do)
                if key not in node.next or not open_:
                    return key, do
        for child, _, _ in open_:
            child.possible += 1
        _, key, do = max(open_, key=_promise)
        return key, do

    def _play_on(self, match: Match) -> None:
        game = self.game
        for _ in range(game.foresight):
            if match.over:
                return
            seat = match.waiting()[0]
            match.act(seat, game.hunch(match.look, seat, usual(match.offers(seat)), self.luck))


class World:
    """A table as it might be, and how its cards are called in every world alike."""

    def __init__(self, match: Match, alike: Mapping[int, int]) -> None:
        self.match = match
        self.table = match.table
        self.alike = alike

    def name(self, entry: int | str) -> int | str:
        """A card that the thinker sees by its id, or that of its double; one that was imagined by its face."""
        if type(entry) is not int:
            return entry
        known = self.alike.get(entry)
        if known is not None:
            return known
        card = self.table.entities.get(entry) if entry > 0 else None
        return entry if card is None else card.face

    def key(self, seat: Seat, do: Do) -> Key:
        """A move as its player knows it."""
        return (seat, do["type"], self.name(do.get("card", 0)), *[(slot, self._names(do[slot])) for slot in _slots(do)])

    def fitted(self, key: Key, offers: Sequence[Offer]) -> Do | None:
        """The move of this key in this world, if it is offered here."""
        _, kind, card, *wants = key
        for offer in offers:
            if offer.type == kind and len(offer.slots) == len(wants) and self.name(offer.card) == card:
                picks = [self._fit(slot, want) for slot, want in zip(offer.slots, wants, strict=True)]
                if None not in picks:
                    head = {"type": kind, "card": offer.card} if offer.card else {"type": kind}
                    return {**head, **{slot.name: pick for slot, pick in zip(offer.slots, picks, strict=True)}}
        return None

    def go(self, seat: Seat, key: Key, do: Do, at: Sequence[Node]) -> list[Node]:
        """Make a move. Each seat goes on in its own tree, by as much of the move as it can see."""
        answer = type(self.table.stack[-1]) is Ask  # what somebody answers is told to nobody
        cards = [id for id in _entries(do) if type(id) is int and id > 0 and id in self.table.entities]
        seen = {id: self._faces(id) for id in cards}
        names = {id: self.name(id) for id in cards}
        self.match.act(seat, do)
        for id in cards:
            seen[id] |= self._faces(id)

        def told(entry: Any, viewer: int) -> Any:
            if entry in names:
                return names[entry] if seen[entry] & viewer else HIDDEN
            return HIDDEN if answer else entry

        keys = (key if other == seat else (seat, *_retold(do, told, bit(other))) for other in range(len(at)))
        return [node.next.setdefault(seen_as, Node()) for node, seen_as in zip(at, keys, strict=True)]

    def _faces(self, id: int) -> int:
        card = self.table.entities.get(id)
        return self.match.look.places[card.zone].seen_by(card) if card else 0

    def _names(self, value: Any) -> Any:
        return tuple(map(self.name, value)) if isinstance(value, list | tuple) else value

    def _fit(self, slot: Slot, want: tuple[str, Any]) -> Any:
        name, value = want
        if slot.name != name:
            return None
        if slot.range is not None or not isinstance(value, tuple):
            return value if suits(slot, value) else None
        left, found = list(slot.from_), []
        for part in value:
            entry = next((entry for entry in left if self.name(entry) == part), None)
            if entry is None:
                return None
            left.remove(entry)
            found.append(entry)
        return found if suits(slot, found) else None


def appraise(match: Match) -> list[float]:
    """What a table is worth to each seat: the result, or how well it stands by what it sees."""
    game, seats, result = match.game, range(match.table.seats), match.table.result
    if result is not None:
        return [game.prize(result, seat) for seat in seats]
    sight = Sight(match.look)
    return [game.score(Lens(match.look, seat).whole(sight), seat) for seat in seats]


def look_alikes(view: View) -> dict[int, int]:
    """Every card in sight, and the first one that lies in the same place and looks the same."""
    first: dict[Any, int] = {}
    found = {}
    for key, zone in view["zones"].items():
        for id in filter(None, zone.get("cards", ())):
            looks = (key, canonical(view["cards"][str(id)]))
            found[id] = first.setdefault(looks, id)
    return found


def _promise(choice: tuple[Node, Key, Do]) -> float:
    node = choice[0]
    if not node.visits:
        return 2.0 + node.possible
    return node.worth / node.visits + CURIOSITY * sqrt(log(node.possible) / node.visits)


def _slots(do: Do) -> list[str]:
    return [name for name in do if name not in ("type", "card")]


def _entries(do: Do) -> list[Any]:
    """Everything in a move that might be a card."""
    parts = [do[slot] for slot in _slots(do)]
    return [do.get("card", 0), *(entry for part in parts if isinstance(part, list | tuple) for entry in part)]


def _retold(do: Do, told: Callable[[Any, int], Any], viewer: int) -> Key:
    """A move as somebody else has seen it."""
    card = told(do["card"], viewer) if "card" in do else 0
    return do["type"], card, *[(slot, _part(do[slot], told, viewer)) for slot in _slots(do)]


def _part(value: Any, told: Callable[[Any, int], Any], viewer: int) -> Any:
    if isinstance(value, list | tuple):
        return tuple(told(entry, viewer) for entry in value)
    return told(str(value), viewer)  # a number is never a card

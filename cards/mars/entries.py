"""What is taken and given, entry by entry, as words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, get_args

import msgspec

from cards.mars.facts import RESOURCES, STORED
from cards.mars.schema import Entry, Input, Modifier, Output, Restrictions
from cards.mars.vocabulary import effects
from engine.effects import BadWord
from engine.frames import Word, word

MODIFIERS: tuple[str, ...] = get_args(Modifier)
KINDS = {"ocean-placement": "ocean", "city-placement": "city", "greenery-placement": "greenery"}
LOOKS = ("card-peek", "card-take", "card-buy")
NUMBERED = frozenset({"gain", "produce", "rate", "draw", "store"})  # words that can be multiplied


class Entries:
    """The entries of one card; collects everything that is wrong with them."""

    def __init__(self, places: frozenset[str]) -> None:
        self.places = places
        self.mistakes: list[str] = []
        self.tiles: list[str] = []

    def wrong(self, path: str, text: str) -> None:
        """Note something that makes no sense."""
        self.mistakes.append(f"{path}: {text}")

    def checked(self, path: str, *words: Word) -> Iterator[Word]:
        """The words that fit what was registered."""
        for one in words:
            try:
                yield effects.word(one.name, msgspec.to_builtins(one.args))
            except BadWord as error:
                self.wrong(path, str(error))

    # inputs

    def input(self, path: str, entry: Input, listens: bool) -> Iterator[Word]:
        """What paying it comes to; money is paid with the move, unless a passive asks for it."""
        if entry.amount < 1:
            self.wrong(path, "an input is what is paid; its amount is at least 1")
            return
        more = {"variable": True} if entry.variable else {}
        if entry.payable_with and entry.type != "credit":
            self.wrong(path, "only credits can be paid in steel or titanium")
        if entry.variable and entry.type not in (*RESOURCES[1:], *(f"{name}-production" for name in RESOURCES)):
            self.wrong(path, "only a resource other than credit, or a production, can be as many as the player likes")
        if entry.type == "credit":
            if listens:
                yield word("pay", resource="credit", amount=entry.amount)
        elif entry.type in RESOURCES:
            yield word("pay", resource=entry.type, amount=entry.amount, **more)
        elif entry.type in STORED:
            yield word("spend", resource=entry.type, amount=entry.amount)
        elif entry.type == "card-discard":
            yield word("discard", amount=entry.amount)
        else:
            yield word("produce", resource=made_of(entry), amount=-entry.amount, **more)

    # outputs

    def outputs(self, outputs: Sequence[tuple[str, Output]]) -> Iterator[tuple[str, list[Word]]]:
        """What giving them comes to, each with its path; looking, taking and buying are one thing."""
        looking: dict[str, int] = {output.type: output.amount for _, output in outputs if output.type in LOOKS}
        for path, output in outputs:
            if output.type not in LOOKS:
                yield path, [self._multiplied(path, output, one) for one in self._output(path, output)]
            elif output.type == "card-peek" and len(looking) > 1:
                yield path, list(_looks(looking))
            elif output.type == "card-peek":
                self.wrong(path, "a card-peek needs a card-take or a card-buy beside it")
            elif "card-peek" not in looking:
                self.wrong(path, f"a {output.type} chooses among cards looked at; it needs a card-peek beside it")

    def _output(self, path: str, output: Output) -> Iterator[Word]:
        match output.type:
            case "tr":
                yield word("rate", amount=output.amount)
            case "temperature" | "oxygen":
                yield word("raise", track=output.type, steps=output.amount)
            case "ocean-placement" | "city-placement" | "greenery-placement" | "special-tile" | "land-claim":
                yield from self._tile(path, output)
            case "card-draw":
                yield word("draw", amount=output.amount)
            case "card-resource":
                yield word("add_any", amount=output.amount)
            case kind if kind in RESOURCES:
                yield self._resource(path, output)
            case kind if kind in STORED:
                yield self._stored(path, output)
            case kind if kind in MODIFIERS:
                yield self._next(path, output)
            case _:
                yield self._production(path, output)

    def _resource(self, path: str, output: Output) -> Word:
        amount = abs(output.amount)
        match output.target:
            case "any-player":
                return word("take_away", resource=output.type, amount=amount)
            case "steal-any-player":
                return word("steal", resource=output.type, amount=amount)
            case "self-player":
                if output.amount < 0:
                    self.wrong(path, "a player loses resources by paying them; write it as an input")
                return word("gain", resource=output.type, amount=output.amount)
        return self._nobody(path, output)

    def _production(self, path: str, output: Output) -> Word:
        match output.target:
            case "any-player":
                return word("lower_any", resource=made_of(output), amount=abs(output.amount))
            case "self-player":
                return word("produce", resource=made_of(output), amount=output.amount)
        return self._nobody(path, output)

    def _stored(self, path: str, output: Output) -> Word:
        amount = abs(output.amount)
        match output.target:
            case "any-card" if output.amount < 0:
                return word("remove_from", resource=output.type, amount=amount)
            case "any-card":
                return word("add_to", resource=output.type, amount=amount)
            case "steal-from-any-card":
                return word("steal_from", resource=output.type, amount=amount)
            case "trigger-card":
                return word("store", resource=output.type, amount=amount, there=True)
            case "self-card":
                if output.amount < 0:
                    self.wrong(path, "what is taken off the card is paid; write it as an input")
                return word("store", resource=output.type, amount=amount)
        return self._nobody(path, output)

    def _nobody(self, path: str, output: Output) -> Word:
        self.wrong(f"{path}.target", f"{output.type} cannot go to {output.target}")
        return word("rate", amount=0)

    def _tile(self, path: str, output: Output) -> Iterator[Word]:
        where = output.tile_restrictions or Restrictions()
        for name in where.board_tags:
            if name not in self.places:
                self.wrong(
                    f"{path}.tileRestrictions.boardTags",
                    f"the map has no {name!r}; it has {', '.join(sorted(self.places))}",
                )
        more: dict[str, Any] = {} if where == Restrictions() else {"where": where}
        if output.type == "special-tile":
            if output.tile is None:
                self.wrong(path, "a special tile has a name, in tile")
            more["name"] = output.tile or ""
            self.tiles.append(output.tile or "")
        if output.type == "land-claim":
            yield from [word("stake")] * output.amount
        else:
            yield from [word("tile", kind=KINDS.get(output.type, "special"), **more)] * output.amount

    def _next(self, path: str, output: Output) -> Word:
        if output.type not in ("discount", "global-parameter-lenience"):
            self.wrong(path, f"a {output.type} cannot wait for the next card")
        return word("next_card", modifier=output.type, amount=output.amount, selectors=output.selectors)

    def _multiplied(self, path: str, output: Entry, one: Word) -> Word:
        """A word with what it is multiplied by, where it can be."""
        args: dict[str, Any] = {}
        if output.per is not None:
            args = {"per": output.per, **({"most": output.max_trigger} if output.max_trigger >= 0 else {})}
        if output.variable:
            args["variable"] = True
        if args and (one.name not in NUMBERED or (output.variable and one.name not in ("gain", "produce"))):
            self.wrong(path, f"{output.type} cannot be multiplied")
            return one
        return Word(one.name, {**one.args, **args})


def made_of(entry: Entry) -> str:
    return entry.type.removesuffix("-production")


def _looks(looking: dict[str, int]) -> Iterator[Word]:
    take, buy = looking.get("card-take", 0), looking.get("card-buy", 0)
    yield word("peek", amount=looking["card-peek"])
    if take:
        yield word("take_peeked", amount=take, **({"last": False} if buy else {}))
    if buy:
        yield word("buy_peeked", amount=buy)

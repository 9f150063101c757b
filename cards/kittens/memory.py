"""What a seat remembers: who was seen to take which card, and what lies where in the pile.

Some things are known for certain, others only as likely as luck makes them: a card that is stolen unseen is any card of
that hand, and a spark that somebody else hides lies anywhere. Those are drawn anew each time that somebody remembers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from cards.kittens.facts import DEALT
from engine.frames import Seat
from engine.game import Luck, Record

Args = Mapping[str, Any]


class Memory:
    """What one seat makes of everything that it was told since the deal."""

    def __init__(self, me: Seat, seats: int, pile: int, spark: str, douse: str, luck: Luck) -> None:
        self.me, self.spark, self.douse, self.luck = me, spark, douse, luck
        self.hands = {seat: Counter({douse: 1}) for seat in range(seats)}  # everybody begins with one
        self.sure = {seat: Counter({douse: 1}) for seat in range(seats)}  # what of that is no guess
        self.lacks: dict[Seat, set[str]] = {seat: set() for seat in range(seats)}
        self.sizes = dict.fromkeys(range(seats), DEALT + 1)
        self.pile: dict[int, str] = {}  # by how far below the top
        self.left = pile
        self.exact = True  # whether what is known of the pile lies where it is thought to lie

    def recall(self, record: Record) -> Memory:
        """Go through all of it."""
        for event in record:
            if event["e"] == "shuffled":
                self._forget_the_pile()
            elif event["e"] == "said":
                hear = _HEARD.get(event["key"])
                if hear is not None:
                    hear(self, event["args"])
        return self

    # the pile

    def drew(self, args: Args) -> None:
        """A card that was known to lie on top is known to be in that hand; a spark did not lie there, but deeper."""
        if self.pile.get(0) == self.spark and self.left > 1:
            self._take_out(0)
            self._put_in(1 + self.luck(self.left - 1))
        top = self._off_the_top()
        self._gain(args["seat"], top if top and top != self.spark else "", self.exact)

    def sparked(self, args: Args) -> None:
        """If another card was thought to be on top, a spark that was thought to be deeper was above it."""
        guessed = [at for at, name in self.pile.items() if name == self.spark]
        if self.pile.get(0) in (None, self.spark) or not guessed:
            self._off_the_top()
        else:
            self._take_out(min(guessed))
            self.left -= 1

    def foreseen(self, args: Args) -> None:
        self.pile |= dict(enumerate(args["faces"]))

    def placed(self, args: Args) -> None:
        """Our own spark; where it lies replaces the guess of the line before."""
        self._put_in(args["at"])

    def returned(self, args: Args) -> None:
        """Somebody else's spark may lie anywhere, also between what was known."""
        if args["seat"] != self.me:
            self._put_in(self.luck(max(0, self.left) + 1))
            self.exact = False
        self.left += 1

    def spark_removed(self, args: Args) -> None:
        """Any of them: what was known may lie one higher now."""
        self._forget_the_pile()
        self.left -= 1

    def _forget_the_pile(self) -> None:
        self.pile, self.exact = {}, True

    def _off_the_top(self) -> str | None:
        top = self.pile.get(0)
        self._take_out(0)
        self.left -= 1
        return top

    def _take_out(self, place: int) -> None:
        self.pile = {at - (at > place): name for at, name in self.pile.items() if at != place}

    def _put_in(self, place: int) -> None:
        self.pile = {at + (at >= place): name for at, name in self.pile.items()}
        self.pile[place] = self.spark

    # hands

    def played(self, args: Args) -> None:
        """A card left a hand for all to see."""
        self._lose(args["seat"], args["card"]["face"])

    def laid(self, args: Args) -> None:
        """So did a set of cards."""
        for card in args["on"]:
            self._lose(args["seat"], card["face"])

    def moved(self, args: Args) -> None:
        """A card went from hand to hand; those two saw which. For the others it may have been any of them."""
        seen = args.get("face", "")
        face = seen or self._some_card(args["foe"])
        if not seen:
            self.sure[args["foe"]].clear()
        self._lose(args["foe"], face)
        self._gain(args["seat"], face, bool(seen))

    def missed(self, args: Args) -> None:
        self.hands[args["foe"]][args["face"]] = 0
        self.lacks[args["foe"]].add(args["face"])

    def salvaged(self, args: Args) -> None:
        self._gain(args["seat"], args["card"]["face"])

    def out(self, args: Args) -> None:
        self.hands[args["seat"]].clear()
        self.sure[args["seat"]].clear()
        self.sizes[args["seat"]] = 0

    def _some_card(self, seat: Seat) -> str:
        """Any card of a hand: perhaps one that was known to be there, mostly one that was not."""
        known = list(self.hands[seat].elements())
        place = self.luck(max(1, self.sizes[seat]))
        return known[place] if place < len(known) else ""

    def _lose(self, seat: Seat, face: str) -> None:
        self.sizes[seat] -= 1
        for known in (self.hands[seat], self.sure[seat]):
            if known[face] > 0:
                known[face] -= 1

    def _gain(self, seat: Seat, face: str = "", sure: bool = True) -> None:
        self.sizes[seat] += 1
        if face:
            self.hands[seat][face] += 1
            self.sure[seat][face] += sure
            self.lacks[seat].discard(face)
        else:
            self.lacks[seat].clear()


_HEARD = {
    "drew": Memory.drew,
    "sparked": Memory.sparked,
    "foreseen": Memory.foreseen,
    "placed": Memory.placed,
    "returned": Memory.returned,
    "spark_removed": Memory.spark_removed,
    "played": Memory.played,
    "played_at": Memory.played,
    "vetoed": Memory.played,
    "doused": Memory.played,
    "pair": Memory.laid,
    "triple": Memory.laid,
    "five": Memory.laid,
    "given": Memory.moved,
    "stolen": Memory.moved,
    "demanded": Memory.moved,
    "missed": Memory.missed,
    "salvaged": Memory.salvaged,
    "exploded": Memory.out,
    "left": Memory.out,
}

"""Solitaire: a mat, a deal, two moves and two observers.

It forbids nothing: whoever plays alone may lay any card anywhere. The table turns up what comes to lie on top, and sees
when it is won.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from cards.solitaire.fitting import fitting
from cards.table import turns
from cards.table.facts import ALL
from cards.table.noting import note, refs
from cards.table.placing import shift
from cards.table.rules import OPTIONS, FreeTable
from engine.frames import Move, Offer, Seat
from engine.game import Game, Option, View
from engine.hooks import Deed, Plugin
from engine.journal import Journal
from engine.look import Look
from engine.table import EVERYONE

STOCK, WASTE = "0.stock", "0.waste"
FOUNDATIONS = tuple(f"0.foundation_{n}" for n in range(1, 5))
TABLEAU = tuple(f"0.tableau_{n}" for n in range(1, 8))
COMPLETE = "foundations"
LIMIT = Option("move_limit", "number", 1000, "It is over after so many moves; 0 plays on.", least=0, most=100_000)


def alone() -> Plugin:
    """The whole plugin."""
    plugin = Plugin("solitaire", "Solitaire", needs=("table",))

    @plugin.observer
    def turn_up_tops(look: Look, deed: Deed) -> Iterator[Deed]:
        """What comes to lie on top of a pile is turned up."""
        for zone in TABLEAU:
            if cards := look.table.lying(zone)[-1:]:
                if cards[0].dark:
                    yield Deed(deed.seat, Move("flip_card", 0, {"what": [cards[0].id], "seen_by": [ALL]}))

    @plugin.observer
    def win(look: Look, deed: Deed) -> Iterator[Deed]:
        """Four times thirteen cards are a victory."""
        if complete(look):
            yield Deed(deed.seat, Move("declare_victory", 0, {"reason": [COMPLETE]}))

    @plugin.custom("turn_one", lambda look, seat: [Offer("turn_one")] if look.table.zones[STOCK] else [])
    def turn_one(journal: Journal, deed: Deed) -> None:
        """The top card of the stock onto the waste."""
        moved = shift(journal, journal.table.zones[STOCK][-1:], WASTE, sure=True)
        journal.say("turned_one", seat=deed.seat, cards=refs(moved))
        note(journal, deed, moved, to=WASTE)

    @plugin.custom("turn_over", lambda look, seat: [Offer("turn_over")] if _exhausted(look) else [])
    def turn_over(journal: Journal, deed: Deed) -> None:
        """The waste becomes the stock again."""
        shift(journal, journal.table.zones[WASTE][::-1], STOCK, sure=True)
        journal.say("turned_over", seat=deed.seat)
        note(journal, deed)

    return plugin


def complete(look: Look) -> bool:
    """Whether every foundation is."""
    return all(len(look.table.zones[zone]) == 13 for zone in FOUNDATIONS)


def _exhausted(look: Look) -> bool:
    return not look.table.zones[STOCK] and bool(look.table.zones[WASTE])


class Solitaire(FreeTable):
    """One player, one pack, and patience."""

    id = "solitaire"
    title = "Solitaire"
    seats = (1, 1)
    folder = Path(__file__).parent
    takes_turns = False
    foresight = 12
    options = (*(option for option in OPTIONS if option.name != LIMIT.name), LIMIT)

    def laid_over(self) -> Iterable[Plugin]:
        """The plugin above."""
        return (alone(),)

    def deal(self, journal: Journal, decks: Sequence[Sequence[str]], first: Seat | None) -> None:
        """One card to the first pile, two to the second and so on; the last of each lies face up."""
        for name in self.faces:
            journal.create(name, -1, STOCK)
        journal.shuffle(STOCK)
        for size, zone in enumerate(TABLEAU, 1):
            for n in range(1, size + 1):
                journal.move(journal.table.zones[STOCK][-1], zone, dark=0 if n == size else EVERYONE)
        turns.start_turn(journal, 0)

    def won(self, look: Look, seat: Seat, reason: str) -> bool:
        """Whether all cards lie where they belong."""
        return complete(look)

    def usual(self, look: Look, seat: Seat) -> Iterable[Offer]:
        """What fits by the rules that everybody knows; the table itself does not mind."""
        return fitting(look, TABLEAU, FOUNDATIONS, WASTE)

    def score(self, view: View, seat: Seat) -> float:
        """The more lies on the foundations and the less face down, the better."""
        if "result" in view:
            return Game.score(self, view, seat)
        laid = sum(int(view["zones"][zone]["n"]) for zone in FOUNDATIONS)
        return 0.4 + 0.01 * laid + 0.002 * sum("face" in card for card in view["cards"].values()) / 52

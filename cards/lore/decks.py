"""What may be played as a deck: at least sixty cards, four of a kind, two inks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches

from cards.lore.facts import Card
from engine.errors import Refused

LEAST, COPIES, COLOURS = 60, 4, 2


def mistakes(cards: Mapping[str, Card], deck: Sequence[str]) -> Iterator[Refused]:
    """Everything that is wrong with a deck, with what would make it right."""
    counts = Counter(deck)
    for name in counts:
        if name not in cards:
            near = get_close_matches(name, cards, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            yield Refused("unknown_card", f"There is no card {name!r}.{hint}", card=name)
    if len(deck) < LEAST:
        text = f"A deck has at least {LEAST} cards; this one has {len(deck)}, so {LEAST - len(deck)} are missing."
        yield Refused("deck_size", text, size=len(deck))
    for name, count in counts.items():
        if count > COPIES:
            text = f"{name} is in the deck {count} times; {COPIES} is the most, so take {count - COPIES} out."
            yield Refused("deck_copies", text, card=name, count=count)
    yield from _inks(cards, counts)


def _inks(cards: Mapping[str, Card], counts: Counter[str]) -> Iterator[Refused]:
    inks: Counter[str] = Counter()
    for name, count in counts.items():
        if name in cards:
            inks[cards[name].ink] += count
    if len(inks) > COLOURS:
        parts = ", ".join(f"{count} {ink}" for ink, count in inks.most_common())
        fewest = " and ".join(ink for ink, _ in inks.most_common()[COLOURS:])
        text = f"A deck has at most {COLOURS} inks; this one has {len(inks)} ({parts}). Leave {fewest} out."
        yield Refused("deck_inks", text, inks=sorted(inks))

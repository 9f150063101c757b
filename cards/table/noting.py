"""What is remembered of a turn, as far as everybody may know it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cards.table.facts import DONE, MOST_DONE, furniture
from cards.table.placing import Moved, seen_by_all
from engine.errors import Refused
from engine.frames import Ref, Seat
from engine.hooks import Deed
from engine.journal import Journal
from engine.table import EVERYONE, TABLE


def note(journal: Journal, deed: Deed, moved: Sequence[Moved] = (), **facts: Any) -> int:
    """Remember what was done; a card that somebody may not know has no name here.

    Returns the viewers who may know all the cards of it.
    """
    done = DONE.of(journal.table[TABLE])
    entry: dict[str, Any] = {"do": deed.move.type, "seat": deed.seat, **facts}
    if deed.move.sure:
        entry["sure"] = True
    if moved:
        entry["cards"] = [one.ref.face if one.ref.faces == EVERYONE else "" for one in moved]
        origins = [one.zone for one in moved]
        entry["from"] = origins[0] if len(set(origins)) == 1 else origins
    last = max(map(int, done), default=-1)
    kept = {key: value for key, value in done.items() if int(key) > last + 1 - MOST_DONE}
    journal.note(DONE, {**kept, str(last + 1): entry})
    return seen_by_all(moved)


def own(journal: Journal, kind: str, seat: Seat) -> str:
    """Where a seat finds a kind of zone."""
    key = furniture(journal.look).key(kind, seat)
    if key is None:
        raise Refused("no_such_zone", f"There is no {kind} at this table.", zone=kind)
    return key


def refs(moved: Sequence[Moved]) -> list[Ref]:
    """Cards as the log may speak of them."""
    return [one.ref for one in moved]

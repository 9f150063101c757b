"""What a seat may do on its turn.

play     an action, perhaps at somebody; without action cards, a trinket
pair     two trinkets alike: steal a card
triple   three alike: name a card
five     five different cards: take one from the discard pile
draw     the end of every turn
"""

from __future__ import annotations

from collections.abc import Iterator

from cards.kittens.facts import FIVE, PAIR, TRIPLE, face, robbable
from engine.frames import EntityId, Offer, Seat, Slot
from engine.look import Look


def offers(look: Look, seat: Seat, names: tuple[str, ...]) -> Iterator[Offer]:
    """Every legal move; drawing comes last."""
    foes = robbable(look.table, seat)
    actions: bool = look.table.options["actions"]
    for card in look.table.lying(f"{seat}.hand"):
        printed = face(look, card)
        if printed.kind == "action" and (foes or not printed.aimed):
            yield Offer("play", card.id, (Slot("foe", foes),) if printed.aimed else ())
        elif printed.kind == "trinket" and not actions:
            yield Offer("play", card.id)
    if actions:
        yield from _sets(look, seat, foes, names)
    yield Offer("draw")


def blocked(look: Look, seat: Seat) -> Iterator[tuple[EntityId, str]]:
    """The cards that wait for their moment, and why."""
    alike = _alike(look, seat)
    for card in look.table.lying(f"{seat}.hand"):
        printed = face(look, card)
        if printed.kind == "douse":
            yield card.id, "keep"
        elif printed.kind == "veto":
            yield card.id, "not_now"
        elif printed.kind == "action" and printed.aimed and not robbable(look.table, seat):
            yield card.id, "nobody"
        elif printed.kind == "trinket" and look.table.options["actions"] and len(alike[card.face]) < PAIR:
            yield card.id, "alone"


def _sets(look: Look, seat: Seat, foes: tuple[Seat, ...], names: tuple[str, ...]) -> Iterator[Offer]:
    alike = _alike(look, seat)
    for ids in alike.values():
        if foes and len(ids) >= PAIR and face(look, look.table[ids[0]]).kind == "trinket":
            yield Offer("pair", slots=(Slot("cards", ids, least=PAIR, most=PAIR), Slot("foe", foes)))
            if len(ids) >= TRIPLE:
                cards = Slot("cards", ids, least=TRIPLE, most=TRIPLE)
                yield Offer("triple", slots=(cards, Slot("foe", foes), Slot("name", names)))
    kinds = tuple(ids[0] for ids in alike.values() if face(look, look.table[ids[0]]).kind != "douse")
    if len(kinds) >= FIVE and look.table.zones["discard"]:
        cards = Slot("cards", kinds, least=FIVE, most=FIVE)
        yield Offer("five", slots=(cards, Slot("take", look.table.zones["discard"])))


def _alike(look: Look, seat: Seat) -> dict[str, tuple[EntityId, ...]]:
    found: dict[str, tuple[EntityId, ...]] = {}
    for card in look.table.lying(f"{seat}.hand"):
        found[card.face] = (*found.get(card.face, ()), card.id)
    return found

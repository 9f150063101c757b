"""What can happen on the red planet: each change and its announcement in one place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cards.mars.board import MONEY_BY_THE_SEA, ORBIT, TILES
from cards.mars.counting import at_goal, board, rules
from cards.mars.facts import DID, HAS, HOLDS, MAKES, RATING, RESOURCES, TILE, TRACKS, here
from engine.frames import EntityId, Event, Program, Seat, word
from engine.journal import Journal
from engine.table import seat_id


def gain(journal: Journal, seat: Seat, resource: str, amount: int) -> None:
    """A seat gets some of a resource, or loses it."""
    if amount:
        journal.add(seat_id(seat), HAS[resource], amount)


def pay(journal: Journal, seat: Seat, bill: Mapping[str, int]) -> None:
    """Lay down what something costs."""
    for resource, amount in bill.items():
        assert amount <= HAS[resource].of(journal.table.seat(seat)), f"seat {seat} cannot pay {amount} {resource}"
        gain(journal, seat, resource, -amount)


def produce(journal: Journal, seat: Seat, resource: str, amount: int, by: EntityId = 0) -> None:
    """The production of a resource rises or falls, because of some card."""
    if amount:
        journal.add(seat_id(seat), MAKES[resource], amount)
    if amount > 0:
        journal.emit(Event("production-increased", seat, facts={"resource": resource, "amount": amount, "by": by}))


def rate(journal: Journal, seat: Seat, amount: int, by: EntityId = 0) -> None:
    """The rating of a seat rises or falls, because of some card."""
    journal.add(seat_id(seat), RATING, amount)
    if amount > 0:
        note_deed(journal, seat, "tr-raise", amount)
        journal.emit(Event("tr-raise", seat, facts={"amount": amount, "by": by}))


def note_deed(journal: Journal, seat: Seat, deed: str, times: int = 1) -> None:
    """Remember what happened this generation, for cards that ask."""
    did = DID.of(journal.table.seat(seat))
    journal.set(seat_id(seat), DID, {**did, deed: did.get(deed, 0) + times})


def step(journal: Journal, seat: Seat, track: str, by: EntityId = 0) -> Program:
    """Raise a parameter by one step for a seat, because of some card. Returns what that step sets off besides."""
    if at_goal(journal.look, track):
        return ()
    printed = board(journal.look).tracks[track]
    level = TRACKS[track].of(here(journal.table)) + printed.step
    journal.note(TRACKS[track], level)
    rate(journal, seat, 1, by)
    if track != "oceans":
        journal.say("raised", seat=seat, track=track, level=level)
        journal.emit(Event(f"{track}-raise", seat, facts={"level": level, "by": by}))
    return rules(journal.look).bonuses.get((track, level), ())


def lay(journal: Journal, seat: Seat, kind: str, name: str, key: str, by: EntityId) -> Program:
    """Lay a tile: what is printed under it, money for every ocean beside it, and what its kind does."""
    owner = -1 if kind == "ocean" else seat
    tile = journal.create(name or TILES[kind], owner, key)
    journal.say("laid", seat=seat, tile=name or TILES[kind], at=key)
    if by > 0 and by in journal.table.entities:
        journal.set(by, TILE, key)
    _bonuses(journal, seat, key, tile)
    facts = {"by": by, "off": key == ORBIT}
    journal.emit(Event("tile-placed", seat, journal.table[tile], facts))
    if kind == "special":
        return ()
    note_deed(journal, seat, f"{kind}-placement")
    journal.emit(Event(f"{kind}-placed", seat, journal.table[tile], facts))
    if kind == "ocean":
        return step(journal, seat, "oceans", by)
    return (word("raise", track="oxygen"),) if kind == "greenery" else ()


def _bonuses(journal: Journal, seat: Seat, key: str, tile: EntityId) -> None:
    map = board(journal.look)
    hex = map.hexes.get(key)
    if hex is None:
        return
    for bonus in hex.bonus:
        if bonus == "card":
            draw(journal, seat, 1)
        else:
            gain(journal, seat, bonus, 1)
    seas = sum(other.face == TILES["ocean"] for other in map.beside(map.laid(journal.table), key))
    gain(journal, seat, "credit", MONEY_BY_THE_SEA * seas)
    if hex.bonus:
        facts = {"bonus": list(hex.bonus)}
        journal.emit(Event("placement-bonus-gained", seat, journal.table[tile], facts))


def claim_land(journal: Journal, seat: Seat, key: str) -> None:
    """Nobody else may build here from now on."""
    journal.create(TILES["claim"], seat, key)
    journal.say("claimed_land", seat=seat, at=key)


def store(journal: Journal, id: EntityId, kind: str, amount: int) -> None:
    """Something is laid on a card, or taken off it."""
    if amount:
        journal.add(id, HOLDS[kind], amount)


# cards


def top(journal: Journal) -> EntityId | None:
    """The card that is drawn next; an empty deck is made anew from what was discarded."""
    table = journal.table
    if not table.zones["deck"] and table.zones["discard"]:
        journal.gather(table.zones["discard"], "deck")
        journal.shuffle("deck")
        journal.say("reshuffled")
    return table.zones["deck"][-1] if table.zones["deck"] else None


def draw(journal: Journal, seat: Seat, count: int, to: str = "hand") -> int:
    """Draw so many cards, or as many as there are. Only their player sees them."""
    drawn = 0
    while drawn < count and (id := top(journal)) is not None:
        journal.move(id, f"{seat}.{to}")
        drawn += 1
    if drawn and to == "hand":
        journal.say("drew", seat=seat, count=drawn)
    return drawn


def discard(journal: Journal, ids: Iterable[EntityId]) -> None:
    """Lay cards on the discard pile, face down."""
    for id in tuple(ids):
        journal.move(id, "discard")


def income(journal: Journal, seat: Seat) -> None:
    """Energy turns into heat; then everything is produced, and money by the rating too."""
    entity = journal.table.seat(seat)
    for name in RESOURCES:
        amount = MAKES[name].of(entity)
        if name == "credit":
            amount += RATING.of(entity)
        elif name == "energy":
            amount -= HAS["energy"].of(entity)
        elif name == "heat":
            amount += HAS["energy"].of(entity)
        gain(journal, seat, name, amount)
    journal.say("income", seat=seat, credit=HAS["credit"].of(journal.table.seat(seat)))

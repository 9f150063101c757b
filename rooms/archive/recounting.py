"""A finished match played again: whether it proves itself, and what it says of cards.

This runs in a process that thinks at low priority, never in one that serves people.
"""

from __future__ import annotations

import zlib

import msgspec
from msgspec import Struct

from cards import find_game
from engine.errors import BadReplay
from engine.game import Game
from engine.match import Match
from engine.replay import Input, Replay, play_again

UNSEEN, SOUND, STRAYED, FOREIGN = 0, 1, 2, 3  # not played again yet; as it says; not; by other rules or cards
HAND = "hand"  # the kind of zone that cards are drawn into and played from

_replay = msgspec.json.Decoder(Replay)


class Seen(Struct):
    """What the cards of one seat did, by their faces."""

    held: list[str]
    drawn: list[str]
    played: list[str]


class Recount(Struct):
    """What came of playing a match again."""

    seen: int
    why: str = ""
    seats: list[Seen] = []


def recount(data: bytes) -> Recount:
    """Play a match again, as it lies in the archive."""
    replay = _replay.decode(zlib.decompress(data))
    game = find_game(replay.game)
    if (replay.rules, replay.set) != (game.rules, game.cards_hash):
        return Recount(FOREIGN, f"it was played by rules {replay.rules} with cards {replay.set}")
    try:
        return Recount(SOUND, seats=_watch(game, replay))
    except BadReplay as stray:
        return Recount(STRAYED, str(stray))


def _watch(game: Game, replay: Replay) -> list[Seen]:
    count = len(replay.seats)
    drawn: list[set[str]] = [set() for _ in range(count)]
    played: list[set[str]] = [set() for _ in range(count)]
    inputs: list[Input | None] = [*replay.inputs, None]
    for (match, step), entry in zip(play_again(game, replay), inputs, strict=True):
        cards = step.entities if step is not match.dealt else match.table.entities
        for id in cards:
            card = match.table.entities.get(id)
            owner = _whose_hand(card.zone) if card is not None else None
            if card is not None and owner is not None:
                drawn[owner].add(card.face)
        if entry is not None and entry.seat >= 0 and entry.do is not None:  # what is about to be done
            played[entry.seat] |= _plays(game, match, entry)
    decks = [set(deck) for deck in replay.decks] + [set()] * count
    return [Seen(sorted(decks[seat]), sorted(drawn[seat]), sorted(played[seat])) for seat in range(count)]


def _plays(game: Game, match: Match, entry: Input) -> set[str]:
    """The faces that a move plays out of its own hand."""
    do = entry.do or {}
    if do.get("type") not in game.plays:
        return set()
    named = [
        do.get("card"),
        *(id for name, ids in do.items() if name != "card" and isinstance(ids, list) for id in ids),
    ]
    cards = [match.table.entities.get(id) for id in named if isinstance(id, int)]
    return {card.face for card in cards if card is not None and _whose_hand(card.zone) == entry.seat}


def _whose_hand(zone: str) -> int | None:
    seat, _, kind = zone.partition(".")
    return int(seat) if kind == HAND and seat.isdecimal() else None

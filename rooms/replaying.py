"""A room's match as a replay: from what is stored of it, and from every input since the deal."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cards import find_game
from engine.chance import commitment
from engine.match import Match, choose_decks
from engine.replay import Input, Replay, deal_again
from engine.store import state_hash, unpack
from rooms.state import RoomState


def replay_of(state: RoomState, entries: Sequence[bytes]) -> Replay:
    """Everything that is needed to play a room's match again."""
    game = find_game(state.setup.game)
    table = unpack(game, state.table)
    decks = choose_decks(game, table.seed, table.options, state.decks, table.seats)
    hashes = {}
    inputs = []
    for data in entries:
        raw = msgspec.json.decode(data)
        if digest := raw.pop("hash", None):
            hashes[str(raw["v"])] = digest
        if raw["v"] > 1:
            inputs.append(msgspec.convert(raw, Input))
    return Replay(
        game=table.game,
        rules=table.rules,
        set=table.cards,
        seats=table.names,
        decks=[list(deck) for deck in decks],
        seed=table.seed.hex(),
        commitment=commitment(table.seed),
        options=dict(table.options),
        first=state.setup.first,
        start=1,
        inputs=inputs,
        hashes=hashes,
        result=table.result,
    )


def remembered(match: Match, state: RoomState, entries: Sequence[bytes]) -> bool:
    """Give a match the memory of its own past, by playing it again. False if that does not lead where it stands."""
    replay = replay_of(state, entries)
    again = deal_again(match.game, replay)
    for entry in replay.inputs:
        entry.apply(again)
    if state_hash(again.table) != state_hash(match.table):
        return False
    match.memory = again.memory
    return True

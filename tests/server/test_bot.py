"""Bots that sit down over the socket: they must read what anybody is sent."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from cards import find_game, game_ids
from engine.frames import Offer, Slot
from engine.lens import Lens
from engine.match import Match
from server.commands.bot import read_offer
from tests.engine.games import some_move


@pytest.mark.parametrize("id", game_ids())
def test_every_offer_is_read_as_it_was_made(id: str) -> None:
    read = 0
    for seed in range(4):
        luck, match = Random(seed), Match.deal(find_game(id), seed=seed)
        while not match.over and match.table.version < 60:
            seat = match.waiting()[0]
            wire = msgspec.json.decode(msgspec.json.encode(Lens(match.look, seat).offers(match)))
            assert tuple(map(read_offer, wire)) == match.offers(seat)
            read += len(wire)
            match.act(*some_move(match, luck))
    assert read > 200


def test_what_must_come_to_a_total_is_read_with_what_each_is_worth() -> None:
    slot = {"name": "singers", "from": [71, 72], "least": 1, "most": 2, "worth": [3, 4], "total": 7}
    shown = {"type": "sing", "card": 70, "label": "Sing", "slots": [slot]}
    assert read_offer(shown) == Offer("sing", 70, (Slot("singers", (71, 72), None, 1, 2, (3, 4), 7),))

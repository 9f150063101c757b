"""A whole match of bots with a spy in both seats and one who watches; and messages that somebody made up."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.bots import make_bot
from engine.errors import Refused
from engine.findings import Unusual
from engine.lens import Lens, viewers
from engine.match import Match
from engine.merge import canonical
from engine.store import state_hash
from tests.cards.test_creatures_remarks import ANN, BO, EMBER, GAME, scene
from tests.engine.secrecy import Spy, long_ids


def test_no_message_of_a_whole_match_of_bots_tells_what_is_hidden():
    """Beside every spy a second world is played that differs in all that they may not know: they are told the same."""
    luck, compared = Random(4), 0
    with long_ids():
        match = Match.deal(GAME, seed=4, options={"turn_limit": 16})
        bots = [make_bot("random", GAME, seat, 4) for seat in (ANN, BO)]
        spies = [Spy(match, viewer) for viewer in viewers(2)]
        while not match.over:
            for spy in spies:
                spy.compare(luck)
            seat = match.waiting()[0]
            do = bots[seat].pick({}, match.offers(seat), [])
            ready = [(spy.shown(match), spy.knows.hidden(match.table)) for spy in spies]
            step = match.act(seat, do)
            for spy, (shown, hidden) in zip(spies, ready, strict=True):
                spy.heard(seat, do, step, shown, hidden)
        compared = sum(spy.steps for spy in spies)
    assert compared > 100


def test_what_lies_in_a_hand_and_in_a_deck_is_in_no_view_of_the_other():
    match = Match.deal(GAME, seed=2)
    told = canonical(Lens(match.look, BO).whole()).decode()
    seen = {card["face"] for card in Lens(match.look, BO).whole()["cards"].values() if "face" in card}
    listed = set(Lens(match.look, BO).whole()["seats"]["1"]["deck"])
    for card in match.table.lying("0.hand"):
        assert f'"{card.id}"' not in told
        assert card.face in seen | listed or card.face not in told


@pytest.mark.parametrize(
    "do",
    [
        {"type": "knock_out", "card": 1},
        {"type": "draw_extra", "count": 1},
        {"type": "declare_action", "kind": ["attack"], "name": ["Kiln Breath"], "what": [1]},
        {"type": "declare_action", "kind": ["attack"], "name": ["Win"]},
        {"type": "add_counter", "what": [1], "counter": ["1000"], "amount": 1},
        {"type": "add_counter", "what": [1], "counter": ["10"], "amount": 10**6},
        {"type": "move_card", "what": [1], "to": ["1.prizes_1"], "at": ["top"]},
        {"type": "peek", "zone": ["1.prizes_1"], "count": 1, "end": ["top"]},
        {"type": "coin_flip", "count": 10**6},
        {"type": "mulligan", "count": -1},
        {"type": "declare_victory", "reason": ["because"]},
    ],
)
def test_messages_that_somebody_made_up_are_refused_and_change_nothing(do: dict[str, Any]):
    table = scene(hand=[EMBER], active=["Sootling"], their_active=["Puddlet"], prizes_1=["Spyglass"])
    before = state_hash(table.match.table)
    for sure in (False, True):
        with pytest.raises(Refused):
            table.match.act(ANN, do, sure=sure)
    with pytest.raises(Refused):
        table.match.act(BO, {"type": "end_turn"})
    assert state_hash(table.match.table) == before


def test_a_room_that_asks_first_asks_before_anything_unusual():
    table = scene(hand=[EMBER], active=["Sootling"])
    wrong = table.do("move_card", what=EMBER, to="0.active", at="top")
    with pytest.raises(Unusual) as doubt:
        table.match.act(ANN, wrong, heed="ask")
    assert doubt.value.passes
    assert table.match.act(ANN, wrong, heed="ask", sure=True).warnings == ()

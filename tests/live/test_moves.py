"""Moves: their numbers, their refusals, and that each is applied once."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from tests.live.people import again, any_move, come, make_room, mover, plain, question, refused, seated
from tests.live.serving import Live


async def test_the_same_number_again_is_the_same_answer(live: Live) -> None:
    room, ana, bo = await seated(live)
    person = mover(room, ana, bo)
    do = any_move(person.boards[room], Random(1))
    first = await person.ask("act", room=room, n=1, do=do)
    assert first["t"] == "ok"
    for _ in range(3):
        assert {**await person.ask("act", room=room, n=1, do=do), "i": ""} == {**first, "i": ""}
    assert (await person.ask("act", room=room, n=1, do=do, sure=True))["v"] == first["v"]  # no part of the move
    refused(await person.ask("act", room=room, n=1, do={"type": "nap"}), "conflict")
    refused(await person.ask("act", room=room, n=1, do=do, ask=5), "conflict")
    refused(await person.ask("act", room=room, n=4, do=do), "gap")
    assert person.boards[room].v == first["v"]
    person.boards[room].n = 2
    await person.play(room, Random(2), stop=lambda board: board.n > 2 or not board.offers)
    if person.boards[room].n > 2:
        refused(await person.ask("act", room=room, n=1, do=do), "stale")


@pytest.mark.parametrize(
    ("do", "code"),
    [
        ({"type": "nap"}, None),
        ({}, None),
        ({"type": "end_turn", "more": 1}, "bad_move"),
        ({"type": "play", "card": 999_999_999}, None),
        ({"type": "play"}, None),
        ({"type": ["end_turn"]}, None),
        ({"type": "play", "card": "x", "target": [[]]}, None),
        ({"type": None, "card": None}, None),
        ({"type": "play", "card": 2**60}, None),
        ({"type": "play", "card": -1}, None),
        ({"type": "play", "card": 1.5}, None),
    ],
)
async def test_a_refused_move_uses_no_number(live: Live, do: dict[str, Any], code: str | None) -> None:
    room, ana, bo = await seated(live)
    person = mover(room, ana, bo)
    answer = await person.ask("act", room=room, n=1, do=do)
    refused(answer, code or answer["code"])
    assert answer["code"] not in ("our_fault", "conflict", "gap", "stale")
    assert (await person.act(room, {"type": "end_turn"}))["v"] == 2


async def test_only_whoever_is_to_move_may(live: Live) -> None:
    room, ana, bo = await seated(live)
    waits = bo if mover(room, ana, bo) is ana else ana
    refused(await waits.ask("act", room=room, n=1, do={"type": "end_turn"}), "not_your_turn")


async def test_before_the_deal_nobody_moves(live: Live) -> None:
    ana = await come(live)
    room = (await make_room(ana))["room"]
    refused(await ana.ask("act", room=room, n=1, do={"type": "end_turn"}), "not_joined")
    await ana.join(room)
    refused(await ana.ask("act", room=room, n=1, do={"type": "end_turn"}), "not_started", retry=True)


async def test_a_question_is_answered_by_its_id(live: Live) -> None:
    async with question(live) as (room, one, other):
        board = one.boards[room]
        asked, do = board.ask, any_move(board, Random(3))
        assert {"id", "text"} <= asked.keys()
        assert not other.boards[room].ask
        assert not other.boards[room].offers
        refused(await one.ask("act", room=room, n=board.n, do=do, ask=asked["id"] + 1), "stale_ask")
        other_thing = await one.ask("act", room=room, n=board.n, do={"type": "end_turn"}, ask=asked["id"])
        refused(other_thing, "pending_decision")
        refused(
            await other.ask("act", room=room, n=other.boards[room].n, do={"type": "end_turn"}),
            "not_asked",
        )
        answer = await one.ask("act", room=room, n=board.n, do=do, ask=asked["id"])
        assert answer["t"] == "ok"
        await one.until(lambda: board.v >= answer["v"])
        assert board.ask is None or board.ask["id"] != asked["id"]
        board.n += 1
        late = await one.ask("act", room=room, n=board.n, do=do, ask=asked["id"])
        refused(late, "stale_ask")


async def test_an_answer_to_a_question_that_is_not_open_is_late(live: Live) -> None:
    room, ana, bo = await seated(live)
    person = mover(room, ana, bo)
    refused(await person.ask("act", room=room, n=1, do={"type": "end_turn"}, ask=77), "stale_ask")


async def test_two_moves_at_once_are_taken_in_order(live: Live) -> None:
    room, ana, bo = await seated(live)
    person = mover(room, ana, bo)
    moves = [await person.say("act", room=room, n=n, do={"type": "end_turn"}) for n in (1, 2)]
    first, second = [await person.answer(i) for i in moves]
    assert first["v"] == 2
    refused(second, "not_your_turn")


async def test_resigning_ends_the_match_for_all(live: Live) -> None:
    room, ana, bo = await seated(live)
    cy = await come(live, "Cy")
    await cy.join(room, as_="watch")
    refused(await cy.ask("resign", room=room), "not_seated")
    answer = await ana.ask("resign", room=room)
    assert (answer["t"], answer["v"]) == ("ok", 2)
    for person in (ana, bo, cy):
        await person.until(lambda person=person: person.boards[room].over)
        assert person.boards[room].view["result"]["winners"] == [1]
        assert person.boards[room].view["result"]["reason"] == "resigned"
        assert not person.boards[room].offers
    refused(await bo.ask("resign", room=room), "over")
    refused(await bo.ask("act", room=room, n=1, do={"type": "end_turn"}), "over")
    refused(await bo.ask("resign", room="nowhere"), "not_joined")


async def test_a_move_in_an_unknown_room_is_refused(live: Live) -> None:
    ana = await come(live)
    refused(await ana.ask("act", room="nowhere", n=1, do={"type": "end_turn"}), "not_joined")


async def test_one_connection_sits_at_many_tables(live: Live) -> None:
    ana, bo = await come(live, "Ana"), await come(live, "Bo")
    rooms = [(await make_room(ana))["room"] for _ in range(4)]
    for person in (ana, bo):
        for room in rooms:
            await person.join(room)
    for room in rooms:
        await ana.until(lambda room=room: ana.boards[room].v == 1)
    await asyncio.gather(*(person.play(room, Random(room)) for person in (ana, bo) for room in rooms))
    for room in rooms:
        assert plain(ana.boards[room].view["result"]) == plain(bo.boards[room].view["result"])


async def test_a_seated_player_who_only_watches_elsewhere_does_not_move_there(live: Live) -> None:
    room, ana, bo = await seated(live)
    person = mover(room, ana, bo)
    second = await again(person)
    assert (await second.join(room, as_="watch")).seat is None
    assert not second.boards[room].offers
    answer = await second.ask("act", room=room, n=1, do={"type": "end_turn"})
    assert answer["t"] == "err", "a window that watches has moved"

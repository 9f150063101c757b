"""Bots at real tables: beside people, instead of people, and after the service was killed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

import pytest

from cards import find_game
from engine.replay import read_replay, verify
from tests.live.people import Board, Person, again, any_move, come, make_room, refused, seated
from tests.live.serving import Live


async def play(person: Person, room: str, luck: Random, stop: Callable[[Board], bool] = lambda board: False) -> Board:
    """Play by chance to the end. Where anybody may cancel something, somebody else may have been quicker."""
    board = person.boards[room]
    while True:
        await person.until(lambda: board.offers or stop(board) or board.over, 30)
        if stop(board) or board.over:
            return board
        answer = await person.act(room, any_move(board, luck))
        assert answer["t"] == "ok" or answer["code"] in ("stale_ask", "not_asked", "not_your_turn", "over"), answer


async def test_one_person_and_three_bots_play_fizzlebox_to_its_end(live: Live) -> None:
    ana = await come(live, "Ana")
    made = await make_room(ana, game="kittens", seats=["me", "bot:greedy", "bot:random", "bot:mcts:5"])
    board = await ana.join(made["room"])
    await play(ana, made["room"], Random(1))
    assert sorted(seat for rank in board.view["result"]["ranking"] for seat in rank) == [0, 1, 2, 3]
    assert verify(find_game("kittens"), read_replay((await live.call("GET", f"/api/rooms/{made['room']}/replay")).body))
    assert await live.number('upcard_thoughts_total{result="ok"}') > 0
    assert await live.number('upcard_thoughts_total{result="failed"}') == 0


async def test_four_bots_play_to_the_end_while_somebody_watches(live: Live) -> None:
    ana = await come(live, "Ana")
    made = await make_room(ana, game="kittens", seats=["bot:greedy"] * 4)
    board = await ana.join(made["room"], as_="watch")
    await ana.until(lambda: board.over, 60)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"seats": ["me", "bot:hal"]}, "unknown_bot"),
        ({"seats": ["me", "bot:greedy:9"]}, "bad_budget"),
        ({"leavers": "bot:hal"}, "unknown_bot"),
        ({"leavers": "nobody"}, "bad_request"),
        ({"leavers": "out", "grace": -1}, "bad_request"),
    ],
)
async def test_a_bot_that_is_not_there_is_refused_before_the_room_is_made(live: Live, asked: dict, code: str) -> None:
    ana = await come(live, "Ana")
    answer = await live.call("POST", "/api/rooms", {"game": "ggltcg", **asked}, ana.token)
    assert (answer.status, answer.json["code"]) == (400, code)


async def test_a_bot_plays_for_whoever_left_until_they_come_back(live: Live) -> None:
    room, ana, bo = await seated(live, leavers="bot:random", grace=200)
    facts = (await live.call("GET", f"/api/rooms/{room}")).json
    assert facts["leavers"] == "bot:random"
    board = bo.boards[room]
    await ana.leave()
    await bo.until(lambda: board.presence["seats"]["0"].get("bot") == "random")
    assert board.presence["seats"]["0"]["online"] is False
    await bo.play(room, Random(1), stop=lambda board: board.v > 6)
    back = await again(ana)
    mine = await back.join(room)
    await bo.until(lambda: board.over or "bot" not in board.presence["seats"]["0"])
    if not board.over:
        await asyncio.gather(back.play(room, Random(2)), bo.play(room, Random(3)))
    await back.until(lambda: mine.over)
    replay = await live.call("GET", f"/api/rooms/{room}/replay")
    assert verify(find_game("ggltcg"), read_replay(replay.body)).over


async def test_whoever_left_is_out_where_the_room_says_so(live: Live) -> None:
    room, ana, bo = await seated(live, leavers="out", grace=200)
    await ana.leave()
    board = bo.boards[room]
    await bo.until(lambda: board.over)
    assert board.view["result"]["winners"] == [1]
    assert board.view["result"]["reason"] == "left"


async def test_a_move_of_the_owner_of_a_seat_needs_their_coming_back(live: Live) -> None:
    room, ana, bo = await seated(live, leavers="bot:random", grace=100)
    await ana.leave()
    await bo.until(lambda: bo.boards[room].presence["seats"]["0"].get("bot"))
    back = await again(ana)
    refused(await back.ask("act", room=room, n=1, do={"type": "end_turn"}), "not_joined")


async def test_a_thinking_bot_goes_on_after_its_service_was_killed(serve: Callable[..., Live]) -> None:
    live = serve()
    ana = await come(live, "Ana")
    made = await make_room(ana, game="kittens", seats=["me", "bot:mcts:4", "bot:greedy"])
    await ana.join(made["room"])
    await play(ana, made["room"], Random(1), lambda board: board.v > 12)
    live.kill()
    await live.start_again()
    back = await again(ana)
    board = await back.join(made["room"])
    await play(back, made["room"], Random(2))
    assert board.over
    assert "bot_f" not in live.said(), live.said()  # neither failed nor forgot


async def test_a_game_says_how_many_sit_at_a_table_of_one_person_and_bots(live: Live) -> None:
    company = {game["id"]: game["company"] for game in (await live.call("GET", "/api/games")).json}
    assert company["kittens"] == 4
    assert company["ggltcg"] == 2

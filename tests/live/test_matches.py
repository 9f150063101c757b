"""Whole matches over real sockets, as everybody at the table and around it sees them."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest

from cards import find_game
from engine.replay import read_replay, verify
from server.client import Client
from tests.live.canaries import scan
from tests.live.people import (
    SNUGGLES,
    Board,
    Person,
    again,
    any_move,
    come,
    make_room,
    mover,
    plain,
    play_out,
    reached,
    seated,
)
from tests.live.serving import Live


@pytest.mark.parametrize("binary", [(False, False), (True, True), (False, True)])
async def test_what_is_rebuilt_from_patches_is_what_a_newcomer_is_shown(live: Live, binary: tuple[bool, bool]) -> None:
    room, ana, bo = await seated(live, msgpack=binary, options={"set": "all"}, deck=SNUGGLES)
    watcher = await come(live, "Cy", msgpack=binary[1])
    await watcher.join(room, as_="watch")
    luck = Random(str(binary))
    while not ana.boards[room].over:
        person = mover(room, ana, bo)
        answer = await person.act(room, any_move(person.boards[room], luck))
        await reached(room, answer["v"], ana, bo, watcher)
        newcomer = await again(watcher, msgpack=not watcher.msgpack)
        watcher.boards[room].same(await newcomer.join(room, as_="watch"))
        await newcomer.leave()
        await _look_anew(room, luck.choice((ana, bo)))
    assert watcher.boards[room].snaps == 1


async def _look_anew(room: str, person: Person) -> None:
    """Ask for everything again, and find that it is what one had."""
    board = person.boards[room]
    before, snaps = _shown(board), board.snaps
    await person.join(room)
    await person.until(lambda: board.snaps > snaps)
    assert _shown(board) == before


def _shown(board: Board) -> bytes:
    return plain([board.v, board.n, board.view, board.offers, board.ask, board.blocked, board.clock])


async def test_many_rooms_at_once_end_with_the_same_result_for_all_and_a_replay_that_proves_it(live: Live) -> None:
    game = find_game("ggltcg")

    async def one(seed: int) -> int:
        room, ana, bo = await seated(live, msgpack=(seed % 2 == 0, seed % 3 == 0))
        cy = await come(live, "Cy", msgpack=seed % 4 == 0)
        await cy.join(room, as_="watch")
        refused = await live.call("GET", f"/api/rooms/{room}/replay", token=ana.token)
        assert (refused.status, refused.json["code"]) == (403, "not_over")
        await play_out(room, ana, bo, seed=seed)
        await cy.until(lambda: cy.boards[room].over)
        boards = [person.boards[room] for person in (ana, bo, cy)]
        assert len({plain(board.view["result"]) for board in boards}) == 1
        assert len({board.v for board in boards}) == 1
        for board in boards:
            assert sorted(board.past) == list(range(min(board.past), board.v + 1))
            assert not board.offers
        answer = await live.call("GET", f"/api/rooms/{room}/replay")
        assert answer.status == 200
        replay = read_replay(answer.body)
        match = verify(game, replay)
        assert match.table.version == boards[0].v
        assert plain(msgspec.to_builtins(replay.result)) == plain(msgspec.to_builtins(match.table.result))
        assert boards[0].view["result"]["winners"] == list(match.table.result.winners)
        assert replay.commitment == boards[2].view["commitment"]
        assert replay.seats == ["Ana", "Bo"]
        return sum(board.sums for board in boards)

    sums = await asyncio.gather(*map(one, range(8)))
    assert sum(sums), "no checksum was ever told"
    assert scan(live) > 100, "no hidden card was looked for"


@pytest.mark.parametrize("bot", ["greedy", "random"])
async def test_a_bot_sits_at_the_table(live: Live, bot: str) -> None:
    ana = await come(live, "Ana")
    made = await make_room(ana, seats=["me", f"bot:{bot}"])
    assert made["seat"] == 0
    board = await ana.join(made["room"])
    await ana.until(lambda: board.v >= 1)  # bots are ready at once
    assert ana.boards[made["room"]].presence["seats"]["1"] == {"online": True, "bot": bot}
    await ana.play(made["room"], Random(bot))
    assert "result" in board.view
    assert verify(find_game("ggltcg"), read_replay((await live.call("GET", f"/api/rooms/{made['room']}/replay")).body))


async def test_bots_alone_play_to_the_end_once_somebody_opens_the_door(live: Live) -> None:
    ana = await come(live, "Ana")
    made = await make_room(ana, seats=["bot:greedy", "bot:random"])
    assert "seat" not in made
    board = await ana.join(made["room"], as_="watch")
    await ana.until(lambda: board.over)


async def test_a_match_by_the_client_that_we_ship(live: Live) -> None:
    async with Client(live.url, name="Ana") as ana, Client(live.url, name="Bo", msgpack=True) as bo:
        made = await ana.make_room("ggltcg")
        seats = [await ana.join(made["room"]), await bo.join(code=made["code"].lower())]
        await asyncio.gather(*(_play_seat(seat, Random(seat.seat)) for seat in seats))
        assert plain(seats[0].view["result"]) == plain(seats[1].view["result"])
        assert [seat.drifts for seat in seats] == [0, 0]
        assert (ana.reconnects, bo.reconnects) == (0, 0)


async def _play_seat(seat: Any, luck: Random) -> None:
    while await seat.my_turn() and not seat.over:
        await seat.act(any_move(seat, luck))


async def test_a_table_before_the_deal_shows_who_has_come(live: Live) -> None:
    ana = await come(live, "Ana")
    made = await make_room(ana)
    board = await ana.join(made["room"])
    assert (board.v, board.seat, board.n) == (0, 0, 1)
    assert {name: board.view[name] for name in ("game", "rules", "seats")} == {
        "game": "ggltcg",
        "rules": find_game("ggltcg").rules,
        "seats": {"0": {"name": "Ana"}, "1": {}},
    }
    bo = await come(live, "Bo")
    await bo.join(code=made["code"])
    await ana.until(lambda: board.v == 1)
    assert board.view["seats"]["1"]["name"] == "Bo"


async def test_offers_are_only_made_to_whoever_is_waited_for(live: Live) -> None:
    room, ana, bo = await seated(live)
    cy = await come(live, "Cy")
    watched = await cy.join(room, as_="watch")
    boards = [ana.boards[room], bo.boards[room]]
    active = watched.view["turn"]["seat"]
    assert boards[active].offers
    assert not boards[1 - active].offers
    assert not watched.offers
    assert "you" not in watched.view
    assert [board.view["you"] for board in boards] == [0, 1]

"""Ratings and the past over real sockets: a match counts once, whatever dies at its end, and is told of ever after."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cards import find_game
from engine.replay import read_replay, verify
from rooms.archive.database import FILE
from rooms.keys import bucket_of, keys_of, queue_keys, results_key
from rooms.queues import unpack_ticket
from server.client import Client, Seat
from server.finding import find_match
from server.spec import openapi
from tests import postgres
from tests.live.people import Person, again, come, play_out, seated
from tests.live.serving import Live
from tests.live.split import Split
from tests.live.test_seeking import matched
from tests.live.test_talk import hears, ok, told
from tests.redis_servers import until
from tests.server.schemas import mistakes

ROOT = Path(__file__).parents[2]


async def ranked(live: Live, **seek: Any) -> tuple[str, Person, Person]:
    """Two found each other for a match that counts."""
    ana, bo = await come(live, "Ana"), await come(live, "Bo")
    for person in (ana, bo):
        await ok(person, "seek", game="ggltcg", mode="ranked", **seek)
    return await matched(ana, bo), ana, bo


async def page(live: Live, path: str, schema: str = "") -> Any:
    """What a call gives; it is as the document says."""
    answer = await live.call("GET", path)
    assert answer.status == 200, answer
    if schema:
        document = openapi()
        assert list(mistakes(answer.json, {"$ref": f"#/components/schemas/{schema}"}, document)) == []
    return answer.json


async def board(live: Live) -> dict[str, tuple[int, int, int]]:
    found = await page(live, "/api/leaderboard?game=ggltcg", "Leaderboard")
    return {line["name"]: (line["matches"], line["won"], line["lost"]) for line in found["players"]}


async def archived(live: Live, room: str) -> None:
    """Until the result has left the store."""

    def gone() -> bool:
        with live.store() as store:
            return store.pttl(keys_of(room).meta) > 0 and not store.xlen(results_key(bucket_of(room)))

    await asyncio.to_thread(until, gone, 20, "the archive")


async def test_a_ranked_match_changes_ratings_and_is_told_of(live: Live) -> None:
    room, ana, bo = await ranked(live, clock={"base": 62000})
    await ok(bo, "resign", room=room)
    for person in (ana, bo):
        news = await hears(person, "rated", room=room)
        assert sum(one["change"] for one in news["seats"].values()) == 0
    loser = str(bo.boards[room].seat)
    assert news["seats"][loser]["change"] < 0
    person = await page(live, f"/api/players/{ana.user['id']}", "PlayerPage")
    assert person["ratings"][0]["rating"] == 1500 - news["seats"][loser]["change"]
    assert [(match["room"], match["outcome"]) for match in person["matches"]] == [(room, "won")]
    both = await page(live, f"/api/players/{bo.user['id']}/against/{ana.user['id']}?game=ggltcg", "Against")
    assert (both["matches"], both["lost"]) == (1, 1)
    window = await again(ana)
    await window.join(room)
    assert await hears(window, "rated", room=room) == news
    async with asyncio.timeout(10):
        while (await window.ask("seek", game="ggltcg", mode="ranked", clock={"base": 64000}))["t"] != "ok":
            await asyncio.sleep(0.02)  # a moment after a match one is still spoken for by it
    with live.store() as store:  # and the queue knows of it
        (ticket,) = store.hvals(queue_keys("ggltcg ranked 64+0").who)
    assert round(unpack_ticket(ticket).rating) == person["ratings"][0]["rating"]
    await ok(window, "unseek")


async def test_without_its_archive_matches_go_on_and_the_past_is_busy(serve: Callable[..., Live]) -> None:
    live = serve(archive="postgresql://upcard@127.0.0.1:1/none")
    room, ana, bo = await ranked(live)
    await ok(bo, "resign", room=room)
    await ana.until(lambda: ana.boards[room].over)
    for path in ("/api/leaderboard?game=ggltcg", f"/api/players/{ana.user['id']}", "/api/stats/ggltcg"):
        answer = await live.call("GET", path)
        assert (answer.status, answer.json["code"]) == (503, "busy")
    assert (await live.call("GET", f"/api/rooms/{room}/replay")).status == 200  # it is still where it was played
    with live.store() as store:
        assert store.xlen(results_key(bucket_of(room))) == 1
        assert store.pttl(keys_of(room).meta) == -1


async def test_a_casual_match_is_in_the_archive_and_rates_nobody(serve: Callable[..., Live]) -> None:
    live = serve(linger_seconds=1)
    room, ana, bo = await seated(live, key="at the round table")
    await play_out(room, ana, bo)
    await archived(live, room)
    person = await page(live, f"/api/players/{ana.user['id']}?game=ggltcg", "PlayerPage")
    assert person["ratings"] == []
    assert person["matches"][0]["room"] == room
    assert not told(ana, "rated")

    def gone() -> bool:
        with live.store() as store:
            return not store.exists(keys_of(room).meta)

    await asyncio.to_thread(until, gone)
    answer = await live.call("GET", f"/api/rooms/{room}/replay")
    assert answer.status == 200
    verify(find_game("ggltcg"), read_replay(answer.body))
    story = await live.call("GET", f"/api/rooms/{room}/replay/all")
    assert story.json["checked"]
    assert (await live.call("GET", f"/api/rooms/{room}")).status == 404
    again_there = {"game": "ggltcg", "key": "at the round table"}
    assert (await live.call("POST", "/api/rooms", again_there, ana.token)).json["code"] == "conflict"

    live.people.clear()  # what they saw cannot be compared with a table that is gone


async def test_cards_and_decks_are_counted_when_a_match_has_been_played_again(serve: Callable[..., Live]) -> None:
    live = serve(program=ROOT, audit_seconds=0.2)  # with ids as they are: another process plays it again
    live.searched = False
    await play_out(*await seated(live))
    async with asyncio.timeout(40):
        while not (found := await page(live, "/api/stats/ggltcg?mode=casual", "GameFigures"))["matches"]:
            await asyncio.sleep(0.2)
    assert {card["held"]["matches"] for card in found["cards"]} <= {1, 2}
    assert any(card["played"]["matches"] for card in found["cards"])
    assert sum(deck["matches"] for deck in found["decks"]) == 2
    assert await live.number('upcard_recounts_total{result="sound"}') == 1


@pytest.mark.parametrize(
    "fault", ["commit.after_send@2", "commit.after_reply@2", "commit.after_install@2", "archive.after_write@1"]
)
async def test_a_kill_at_the_end_of_a_match_rates_it_exactly_once(serve: Callable[..., Live], fault: str) -> None:
    live = serve()
    live.stop()
    live.faults = fault
    live.start()
    room, ana, bo = await ranked(live)
    await bo.send({"t": "resign", "i": "end", "room": room})
    await asyncio.to_thread(until, lambda: not live.running, 20, "the end")
    await live.start_again()
    await archived(live, room)
    assert await board(live) == {"Ana": (1, 1, 0), "Bo": (1, 0, 1)}
    ana = await again(ana)
    await ana.join(room)
    await hears(ana, "rated", room=room)
    live.stop()
    await live.start_again()  # and not again at the next start
    assert await board(live) == {"Ana": (1, 1, 0), "Bo": (1, 0, 1)}


async def test_two_bots_that_seek_play_ranked_and_stand_on_the_leaderboard(serve: Callable[..., Live]) -> None:
    live = serve()

    async def bot(name: str) -> int:
        words = ["bot", "ggltcg", "--seek", f"--url={live.url}", f"--name={name}", "--bot=random"]
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "server.cli", *words, cwd=ROOT, stdout=subprocess.DEVNULL
        )
        return await process.wait()

    assert await asyncio.gather(bot("Ann"), bot("Bob")) == [0, 0]
    async with asyncio.timeout(10):
        while len(found := await board(live)) < 2:
            await asyncio.sleep(0.05)
    assert sorted(found) == ["Ann", "Bob"]


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/leaderboard", 400, "bad_request"),
        ("/api/leaderboard?game=none", 404, "unknown_game"),
        ("/api/leaderboard?game=ggltcg&limit=0", 400, "bad_request"),
        ("/api/leaderboard?game=ggltcg&limit=101", 400, "bad_request"),
        ("/api/leaderboard?game=ggltcg&offset=-1", 400, "bad_request"),
        ("/api/leaderboard?game=ggltcg&limit=%D9%A3", 400, "bad_request"),
        ("/api/players/nobody", 404, "no_player"),
        (f"/api/players/{'x' * 65}", 404, "no_player"),
        ("/api/players/nobody?before=soon", 400, "bad_request"),
        ("/api/players/nobody?game=none", 404, "unknown_game"),
        ("/api/players/nobody/against/nobody", 404, "no_player"),
        ("/api/stats/none", 404, "unknown_game"),
        ("/api/stats/ggltcg?mode=serious", 400, "bad_request"),
    ],
)
async def test_what_is_not_there_is_said_in_a_sentence(live: Live, path: str, status: int, code: str) -> None:
    answer = await live.call("GET", path)
    assert (answer.status, answer.json["code"]) == (status, code)
    assert answer.json["text"].endswith(".")


async def test_whoever_deletes_themselves_is_in_no_list_any_more(live: Live) -> None:
    room, ana, bo = await ranked(live, clock={"base": 63000})
    await ok(bo, "resign", room=room)
    await hears(ana, "rated", room=room)
    assert (await live.call("DELETE", "/api/session", token=ana.token)).status == 204
    assert (await live.call("GET", f"/api/players/{ana.user['id']}")).status == 404
    (match,) = (await page(live, f"/api/players/{bo.user['id']}", "PlayerPage"))["matches"]
    assert [seat["name"] for seat in match["seats"] if "id" not in seat] == ["Somebody"]
    assert "Ana" not in (await live.call("GET", f"/api/rooms/{room}/replay")).body.decode()


# hosts and gateways apart


@pytest.fixture
def split(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Split]]:
    """Processes of one's own that may be broken."""
    started: list[Split] = []

    def start(**settings: Any) -> Split:
        started.append(Split(tmp_path_factory.mktemp("split"), **settings))
        return started[-1].start(2, 1, guarded=True)

    yield start
    for each in started:
        each.stop()


async def through(split: Split, *clients: Client) -> list[Seat]:
    """Two find each other, the first gives up, and the host that had their room is killed at once."""
    seats = await asyncio.gather(*(find_match(client, "ggltcg", mode="ranked") for client in clients))
    await clients[0].ask({"t": "resign", "room": seats[0].room})
    next(host for host in split.hosts if host.name == split.owner(seats[0].room)).kill()
    return list(seats)


async def lines(client: Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await client.http("GET", "/api/leaderboard?game=ggltcg"))["players"]
    return found


async def rated_once_by_whoever_is_left(split: Split) -> None:
    url = split.gateways[0].name
    async with Client(url, name="Ana") as ana, Client(url, name="Bo") as bo:
        seats = await through(split, ana, bo)
        async with asyncio.timeout(30):
            while len(found := await lines(bo)) < 2:
                await asyncio.sleep(0.1)
        assert [(line["name"], line["matches"], line["won"]) for line in found] == [("Bo", 1, 1), ("Ana", 1, 0)]
        replay = await bo.http("GET", f"/api/rooms/{seats[0].room}/replay")
        verify(find_game("ggltcg"), read_replay(msgspec.json.encode(replay)))


async def test_a_host_that_dies_at_the_end_leaves_the_rating_to_another(split: Callable[..., Split]) -> None:
    apart = split()
    await rated_once_by_whoever_is_left(apart)
    with sqlite3.connect(apart.folder / "state" / FILE) as archive:
        assert archive.execute("SELECT count(*) FROM matches").fetchone() == (1,)


@pytest.mark.postgres
async def test_the_same_with_an_archive_that_all_share(split: Callable[..., Split]) -> None:
    async with postgres.database() as url:
        await rated_once_by_whoever_is_left(split(archive=url))

"""From the queue to a table, and the lobby, over real sockets: what a killed server had begun the next one finishes."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.merge import merge
from rooms.keys import queue_keys
from rooms.queues import Queue
from server.client import Client
from server.finding import find_match
from tests.live.people import Person, again, come, make_room, reached, refused, seated
from tests.live.serving import Live
from tests.live.split import Split
from tests.live.test_talk import hears, ok, told

ROOT = Path(__file__).parents[2]


def lobby(person: Person) -> dict[str, Any]:
    """The lobby as somebody knows it from what they were told."""
    view: dict[str, Any] = {}
    for frame in told(person, "lobby"):
        view = frame["snap"] if "snap" in frame else merge(view, frame["patch"])
    return view


async def matched(*people: Person) -> str:
    """Everybody was told of the same room; they have joined it, and the cards are dealt."""
    frames = [await person.until(lambda p=person: told(p, "matched")) for person in people]
    (room,) = {found[-1]["room"] for found in frames}
    for person in people:
        await person.join(room)
    await reached(room, 1, *people)
    return room


async def test_two_who_seek_sit_in_a_match_in_seconds(live: Live) -> None:
    ana, bo = await come(live, "Ana"), await come(live, "Bo")
    clock = {"base": 61000}
    await ok(ana, "seek", game="ggltcg", mode="ranked", clock=clock)
    standing = await hears(ana, "seeking")
    assert (standing["game"], standing["mode"], standing["clock"], standing["waiting"]) == (
        "ggltcg",
        "ranked",
        clock,
        1,
    )
    await ok(bo, "seek", game="ggltcg", mode="ranked", clock=clock)
    room = await matched(ana, bo)
    facts = (await live.call("GET", f"/api/rooms/{room}")).json
    assert (facts["mode"], facts["clock"], facts["delay"]) == ("ranked", clock, {"ms": 30000})
    while (await ana.ask("seek", game="kittens"))["t"] != "ok":  # whoever plays may soon seek again
        await asyncio.sleep(0.02)
    await ok(ana, "unseek")


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"game": "no-such-game"}, "unknown_game"),
        ({"game": "ggltcg", "deck": "no such deck"}, "unknown_deck"),
        ({"game": "ggltcg", "deck": ["Ka"]}, "deck_size"),
        ({"game": "ggltcg", "clock": {"base": 1, "decision": 1}}, "bad_clock"),
        ({"game": "ggltcg", "clock": {"base": -1}}, "bad_clock"),
        ({"game": "ggltcg", "seats": 5}, "bad_seats"),
        ({"game": "ggltcg", "mode": "serious"}, "bad_command"),
    ],
)
async def test_a_wish_that_cannot_be_is_refused_and_changes_nothing(
    live: Live, wish: dict[str, Any], code: str
) -> None:
    ana = await come(live, "Ana")
    refused(await ana.ask("seek", **wish), code)
    await ok(ana, "seek", game="kittens", mode="ranked")
    await ok(ana, "unseek", game="kittens")


async def test_a_second_seek_is_refused_and_the_same_is_not_one(live: Live) -> None:
    ana = await come(live, "Ana")
    await ok(ana, "seek", game="kittens", clock={"days": 9})
    await ok(ana, "seek", game="kittens", clock={"days": 9})
    refused(await ana.ask("seek", game="ggltcg"), "already_seeking")
    assert len({frame["since"] for frame in told(ana, "seeking")}) == 1
    await ok(ana, "unseek")
    await ok(ana, "unseek")


async def test_who_does_not_come_lets_nobody_down_for_long(serve: Callable[..., Live]) -> None:
    live = serve(ready_seconds=1)
    ana, bo = await come(live, "Ana"), await come(live, "Bo")
    for person in (ana, bo):
        await ok(person, "seek", game="ggltcg")
    since = (await hears(ana, "seeking"))["since"]
    room = (await ana.until(lambda: told(ana, "matched")))[0]["room"]
    await ana.join(room)
    assert (await hears(ana, "closed", room=room))["code"] == "not_ready"
    back = (await ana.until(lambda: told(ana, "seeking", again=True)))[0]
    assert back["since"] == since
    await hears(bo, "seeking", over=True)
    cy = await come(live, "Cy")
    await ok(cy, "seek", game="ggltcg")
    await cy.until(lambda: told(cy, "matched"))
    await ana.until(lambda: len(told(ana, "matched")) == 2)
    await matched(ana, cy)
    assert (await live.call("GET", f"/api/rooms/{room}")).status == 404


async def test_a_kill_between_pairing_and_first_move_strands_nobody(serve: Callable[..., Live]) -> None:
    live = serve()
    ana, bo = await come(live, "Ana"), await come(live, "Bo")
    for person in (ana, bo):
        await ok(person, "seek", game="ggltcg", mode="ranked")
    room = (await ana.until(lambda: told(ana, "matched")))[0]["room"]
    live.kill()
    await live.start_again()
    ana, bo = await again(ana), await again(bo)
    for person in (ana, bo):
        assert room in [entry["room"] for entry in told(person, "welcome")[0]["seats"]]
    assert await matched(ana, bo) == room


async def test_a_kill_while_people_wait_loses_nobodys_place(serve: Callable[..., Live]) -> None:
    live = serve()
    ana = await come(live, "Ana")
    await ok(ana, "seek", game="ggltcg")
    since = (await hears(ana, "seeking"))["since"]
    live.kill()
    await live.start_again()
    ana, bo = await again(ana), await come(live, "Bo")
    await ok(ana, "seek", game="ggltcg")
    assert (await hears(ana, "seeking"))["since"] == since
    await ok(bo, "seek", game="ggltcg")
    await matched(ana, bo)


async def test_two_bots_find_each_other_though_the_server_dies(serve: Callable[..., Live]) -> None:
    live = serve()
    words = ["-m", "server.cli", "bot", "ggltcg", "--seek", "--bot", "random", "--url", live.url]
    bots = [
        await asyncio.create_subprocess_exec(sys.executable, *words, cwd=ROOT, stdout=subprocess.PIPE) for _ in range(2)
    ]
    try:
        async with asyncio.timeout(60):
            with live.store() as store:
                busy = queue_keys(Queue("ggltcg", "ranked").name).busy
                while store.hlen(busy) < 2 and not list(
                    store.scan_iter("*:r:*:m", 1000)
                ):  # until they are brought together
                    await asyncio.sleep(0.002)
        live.kill()
        await live.start_again()
        async with asyncio.timeout(60):
            said = [(await bot.communicate())[0] for bot in bots]
        assert [bot.returncode for bot in bots] == [0, 0], said
        assert len({out.splitlines()[-1] for out in said}) == 1, said
    finally:
        for bot in bots:
            if bot.returncode is None:
                bot.kill()


async def test_people_on_two_gateways_find_each_other_through_any_host(tmp_path: Path) -> None:
    """Each process has only the rights on the store that our own file gives it."""
    split = Split(tmp_path).start(guarded=True)
    try:
        clients = [Client(part.name, name=f"p{n}") for n, part in enumerate(split.gateways)]
        for client in clients:
            await client.open()
        async with asyncio.timeout(20):
            seats = await asyncio.gather(*(find_match(client, "ggltcg") for client in clients))
        assert {seat.seat for seat in seats} == {0, 1}
        assert seats[0].room == seats[1].room
        await clients[0].ask({"t": "block", "user": clients[1].user["id"]})
        await clients[0].ask({"t": "report", "room": seats[0].room, "seat": seats[1].seat, "why": "other"})
        lobby: list[dict[str, Any]] = []
        clients[0].frames.append(lambda frame: lobby.append(frame) if frame["t"] == "lobby" else None)
        await clients[0].ask({"t": "lobby", "on": True})
        async with asyncio.timeout(10):
            while not lobby:
                await asyncio.sleep(0.02)
        assert seats[0].room in lobby[0]["snap"]["live"]
        with split.store() as store:
            assert store.xlen("{reports}") == 1
        for client in clients:
            await client.close()
    finally:
        split.stop()


# the lobby


async def test_the_lobby_tells_what_is_open_what_is_live_and_who_waits(live: Live) -> None:
    ana, bo, cy = [await come(live, name) for name in ("Ana", "Bo", "Cy")]
    await ok(cy, "lobby", on=True)
    assert lobby(cy)["online"] >= 0
    room = (await make_room(ana))["room"]
    secret = (await make_room(ana, private=True))["room"]
    await cy.until(lambda: room in lobby(cy)["open"])
    assert lobby(cy)["open"][room]["seats"][0]["name"] == "Ana"
    await ok(bo, "seek", game="kittens", clock={"days": 8})
    await cy.until(lambda: lobby(cy)["queues"].get("kittens casual 8d", {}).get("waiting") == 1)
    await ana.join(room)
    await bo.join(room)
    await cy.until(lambda: room in lobby(cy)["live"] and room not in lobby(cy)["open"])
    await ok(ana, "resign", room=room)
    await cy.until(lambda: room not in lobby(cy)["live"])
    assert secret not in lobby(cy)["open"]
    late = await come(live, "Dan")
    await ok(late, "lobby", on=True)
    assert lobby(late) == lobby(cy)
    await ok(bo, "unseek")
    await ok(cy, "lobby", on=False)
    count = len(told(cy, "lobby"))
    other = (await make_room(ana))["room"]
    await late.until(lambda: other in lobby(late)["open"])
    assert len(told(cy, "lobby")) == count


# manners


async def test_who_is_blocked_is_not_heard_and_not_met(serve: Callable[..., Live]) -> None:
    live = serve()
    room, ana, bo = await seated(live)
    refused(await ana.ask("block", user=ana.user["id"]), "bad_user")
    await ok(ana, "block", user=bo.user["id"])
    await ok(bo, "say", room=room, text="psst")
    await ok(ana, "resign", room=room)
    await bo.until(lambda: bo.boards[room].over)
    assert not told(ana, "said")
    for person in (ana, bo):
        await ok(person, "seek", game="ggltcg")
    cy = await come(live, "Cy")
    await ok(cy, "seek", game="ggltcg")
    await cy.until(lambda: told(cy, "matched"))
    window = await again(ana)
    await window.join(room)
    assert not told(window, "said")  # it is remembered
    await ok(window, "block", user=bo.user["id"], on=False)
    await ok(bo, "say", room=room, text="again")
    await hears(window, "said", text="again")


async def test_bad_words_are_starred_out_and_are_no_emotes(serve: Callable[..., Live], tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.write_text("# what nobody says here\nfiddle*\nprune\n")
    live = serve(words=words)
    room, ana, bo = await seated(live)
    await ok(ana, "say", room=room, text="You Prune, stop fiddlesticking my prunes")
    assert (await hears(bo, "said"))["text"] == "You *****, stop ************** my prunes"
    await ok(ana, "say", room=room, emote="well_played")
    for emote in ("you_prune", "two words", "Wave", "🃏", "a" * 33):
        refused(await ana.ask("say", room=room, emote=emote), "bad_emote" if len(emote) < 33 else "bad_command")
    phrases = (await live.call("GET", "/api/games/ggltcg")).json["phrases"]
    assert phrases["well_played"] == "Well played!"

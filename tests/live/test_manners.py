"""What people at a table and in a queue may expect of each other, and what follows them there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tests.live.people import Person, again, come, make_room, reached, refused, seated
from tests.live.serving import Live
from tests.live.test_identity import admin, session
from tests.live.test_seeking import lobby
from tests.live.test_talk import hears, ok, told


async def nowhere(person: Person) -> None:
    """Wait until no match waits for them."""
    async with asyncio.timeout(10):
        while True:
            window = await again(person)
            seats = window.frames[0]["seats"]
            await window.leave()
            if not seats:
                return


async def test_whoever_was_shown_out_has_no_match_there_any_more(live: Live) -> None:
    ana, bo = await come(live, "Ana"), await come(live, "Bo")
    room = (await make_room(ana, ready=True))["room"]
    for person in (ana, bo):
        await person.join(room)
    await ok(ana, "kick", room=room, seat=1)
    await nowhere(bo)
    assert [seat["room"] for seat in (await again(ana)).frames[0]["seats"]] == [room]


async def test_whoever_resigns_before_the_deal_gives_the_seat_free(live: Live) -> None:
    ana, bo, cy = [await come(live, name) for name in ("Ana", "Bo", "Cy")]
    room = (await make_room(ana, ready=True))["room"]
    for person in (ana, bo):
        await person.join(room)
    await ok(bo, "resign", room=room)
    await ana.until(lambda: ana.boards[room].presence["seats"].keys() == {"0"})
    await nowhere(bo)
    assert (await hears(bo, "closed", room=room))["code"] == "stood_up"
    assert (await cy.join(room)).seat == 1
    refused(await bo.ask("join", room=room), "full")
    await ok(cy, "resign", room=room)
    assert (await bo.join(room)).seat == 1  # nobody showed them out, so they may come back
    for person in (ana, bo):
        await ok(person, "ready", room=room)
    await reached(room, 1, ana, bo)


async def test_a_block_holds_for_whoever_waits_already(serve: Callable[..., Live]) -> None:
    live = serve()
    ana, bo, cy = [await come(live, name) for name in ("Ana", "Bo", "Cy")]
    await ok(ana, "seek", game="ggltcg", mode="casual")
    await ok(ana, "block", user=bo.user["id"])
    await ok(bo, "seek", game="ggltcg", mode="casual")
    await asyncio.sleep(1.5)  # three looks
    assert not told(ana, "matched")
    await ok(cy, "seek", game="ggltcg", mode="casual")
    await hears(cy, "matched")


async def test_more_windows_are_no_more_talk(serve: Callable[..., Live]) -> None:
    live = serve(chat_lines=3, chat_seconds=60)
    room, ana, _ = await seated(live)
    window = await again(ana)
    await window.join(room, as_="watch")
    for n in range(3):
        await ok((ana, window)[n % 2], "say", room=room, text=str(n))
    for one in (ana, window):
        refused(await one.ask("say", room=room, text="more"), "too_much_talk", retry=True)
        refused(await one.ask("report", room=room, seat=1, why="talk"), "too_much_talk", retry=True)


async def test_a_new_name_stands_at_the_tables_where_one_sits(live: Live) -> None:
    ana, bo = await come(live, "Rascal"), await come(live, "Bo")
    room = (await make_room(ana))["room"]
    await ana.join(room)
    await bo.join(room, as_="watch")
    await admin(live, "name", ana.user["id"], "Ana")
    await bo.until(lambda: bo.boards[room].presence["seats"]["0"]["name"] == "Ana")
    await session(live, bo.token, name="Boris")
    bo = await again(bo)
    await bo.join(room)
    await bo.until(lambda: bo.boards[room].presence["seats"]["1"]["name"] == "Boris")
    await reached(room, 1, ana, bo)
    assert [seat["name"] for seat in bo.boards[room].view["seats"].values()] == ["Ana", "Boris"]


async def test_an_invite_code_runs_out_and_whoever_made_the_table_gets_another(live: Live) -> None:
    ana, bo = await come(live, "Ana"), await come(live, "Bo")
    made = await make_room(ana, private=True, key="over-a-flaky-line")
    with live.store() as store:
        assert 14 * 60 < store.ttl(f"code:{made['code']}") <= 15 * 60
        store.pexpire(f"code:{made['code']}", 1)
    await asyncio.sleep(0.01)
    refused(await bo.ask("join", code=made["code"]), "bad_code")
    assert (await live.call("GET", f"/api/codes/{made['code']}")).status == 404
    again_made = await make_room(ana, private=True, key="over-a-flaky-line")
    assert (again_made["room"], again_made["seat"]) == (made["room"], 0)
    assert (await bo.join(code=again_made["code"])).seat == 1


FOREIGN: list[tuple[str, dict[str, Any], str]] = [
    ("act", {"n": 1, "do": {"type": "end_turn"}}, "not_joined"),
    ("say", {"text": "psst"}, "not_joined"),
    ("propose", {"what": "draw"}, "not_joined"),
    ("reply", {"what": "draw"}, "not_joined"),
    ("resign", {}, "not_joined"),
    ("claim", {}, "not_joined"),
    ("ready", {}, "not_joined"),
    ("kick", {"seat": 1}, "not_joined"),
    ("mute", {"seat": 1}, "not_joined"),
    ("report", {"seat": 1, "why": "other"}, "not_joined"),
    ("join", {}, "full"),
    ("join", {"as": "watch"}, "no_watching"),
]


async def test_in_a_room_of_others_nothing_can_be_done_and_nothing_changes(live: Live) -> None:
    room, ana, bo = await seated(live, watch={"who": "nobody"}, clock={"base": 600_000})
    before = (live.truth(room).entries, len(ana.frames), len(bo.frames))
    cy = await come(live, "Cy")
    for t, fields, code in FOREIGN:
        refused(await cy.ask(t, room=room, **fields), code)
        refused(await cy.ask(t, room="no-such-room", **fields), "no_room" if t == "join" else "not_joined")
    for person in (ana, bo):
        await person.ask("ping", c=1)
    assert (live.truth(room).entries, len(ana.frames) - 1, len(bo.frames) - 1) == before
    for t, fields, code in (
        ("kick", {"seat": 1}, "started"),
        ("ready", {}, "started"),
        ("claim", {}, "not_away"),
        ("mute", {"seat": 5}, "bad_seat"),
        ("report", {"seat": 0, "why": "talk"}, "bad_seat"),
        ("propose", {"what": "rematch"}, "not_over"),
        ("reply", {"what": "pause"}, "no_proposal"),
        ("propose", {"what": "a duel"}, "bad_command"),
    ):
        refused(await ana.ask(t, room=room, **fields), code)
    assert live.truth(room).entries == before[0]


async def test_the_lobby_counts_people_and_not_their_windows(serve: Callable[..., Live]) -> None:
    live = serve()
    ana, bo = await come(live, "Ana"), await come(live, "Bo")
    await again(ana)
    await ok(bo, "lobby", on=True)
    await bo.until(lambda: lobby(bo)["online"] == 2)
    await ana.leave()
    assert lobby(bo)["online"] == 2
    await (await come(live, "Cy")).ask("ping")
    await bo.until(lambda: lobby(bo)["online"] == 3)

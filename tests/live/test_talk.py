"""Table talk over real sockets: what is agreed on survives whoever served it, and everybody is carried along."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from cards import find_game
from engine.replay import read_replay, verify
from tests.live.people import Person, again, come, make_room, mover, reached, refused, seated
from tests.live.serving import Live


def told(person: Person, t: str, **fields: Any) -> list[dict[str, Any]]:
    return [f for f in person.frames if f["t"] == t and all(f.get(k) == v for k, v in fields.items())]


async def hears(person: Person, t: str, **fields: Any) -> dict[str, Any]:
    found: dict[str, Any] = (await person.until(lambda: told(person, t, **fields)))[0]
    return found


async def ok(person: Person, t: str, **fields: Any) -> dict[str, Any]:
    answer = await person.ask(t, **fields)
    assert answer["t"] == "ok", answer
    return answer


async def test_a_draw_is_agreed_on(live: Live) -> None:
    room, ana, bo = await seated(live)
    await ok(ana, "propose", room=room, what="draw")
    await hears(bo, "proposal", what="draw", state="open", seat=0)
    await ok(bo, "reply", room=room, what="draw")
    for person in (ana, bo):
        await person.until(lambda person=person: person.boards[room].over)
        assert person.boards[room].view["result"] == {"winners": [], "ranking": [], "reason": "agreed"}
        await hears(person, "proposal", what="draw", state="agreed")


async def test_a_move_is_taken_back_and_the_replay_knows(live: Live) -> None:
    room, ana, bo = await seated(live)
    person = mover(room, ana, bo)
    other = bo if person is ana else ana
    before = person.boards[room].view["turn"]
    await person.act(room, {"type": "end_turn"})
    answer = await ok(person, "propose", room=room, what="takeback")
    await reached(room, answer["v"], ana, bo)
    assert person.boards[room].view["turn"] == before
    assert person.boards[room].offers
    assert not other.boards[room].offers
    await ok(person, "resign", room=room)
    replay = await live.call("GET", f"/api/rooms/{room}/replay", token=ana.token)
    assert [bool(entry.get("takeback")) for entry in replay.json["inputs"]] == [False, True, False]
    verify(find_game("ggltcg"), read_replay(replay.body))


async def test_a_takeback_by_consent_hides_the_card_again(live: Live) -> None:
    room, ana, bo = await seated(live)
    person = mover(room, ana, bo)
    other = bo if person is ana else ana
    offers = person.boards[room].offers
    play = next(offer for offer in offers if offer["type"] == "play" and "slots" not in offer)
    await person.act(room, {"type": "play", "card": play["card"]})
    await other.until(lambda: str(play["card"]) in other.boards[room].view["cards"])
    await ok(person, "propose", room=room, what="takeback")
    await hears(other, "proposal", what="takeback", state="open")
    answer = await ok(other, "reply", room=room, what="takeback")
    await reached(room, answer["v"], ana, bo)
    hand = other.boards[room].view["zones"][f"{person.boards[room].seat}.hand"]
    assert hand == {"n": 6}
    assert str(play["card"]) not in person.boards[room].view["cards"]  # it has another id now
    refused(await other.ask("reply", room=room, what="takeback"), "no_proposal")


async def test_a_rematch_swaps_seats_and_is_guarded_against_accidental_clicks(live: Live) -> None:
    room, ana, bo = await seated(live, private=True)
    await ok(ana, "resign", room=room)
    refused(await bo.ask("propose", room=room, what="rematch"), "too_soon")
    await asyncio.sleep(1.0)
    await ok(bo, "propose", room=room, what="rematch")
    await ok(ana, "reply", room=room, what="rematch")
    following = (await hears(ana, "next", room=room))["next"]
    assert (await hears(bo, "next", room=room))["next"] == following
    assert (await ana.join(following)).seat == 1
    assert (await bo.join(following)).seat == 0
    await reached(following, 1, ana, bo)


async def test_who_watched_by_code_watches_the_rematch(live: Live) -> None:
    ana, bo, cy = [await come(live, name) for name in ("Ana", "Bo", "Cy")]
    made = await make_room(ana, private=True)
    room = made["room"]
    await ana.join(room)
    await cy.join(code=made["code"], as_="watch")
    await bo.join(room)
    await reached(room, 1, ana, bo, cy)
    await ok(ana, "resign", room=room)
    await asyncio.sleep(1.0)
    await ok(bo, "propose", room=room, what="rematch")
    await ok(ana, "reply", room=room, what="rematch")
    following = (await hears(cy, "next", room=room))["next"]
    await cy.join(following, as_="watch")
    dan = await come(live, "Dan")
    refused(await dan.ask("join", room=following, as_="watch"), "no_watching")


async def test_a_series_goes_on_by_itself(live: Live) -> None:
    room, ana, bo = await seated(live, best_of=3)
    await ok(ana, "resign", room=room)
    step = await hears(bo, "next", room=room)
    assert step["series"] == {"of": 3, "game": 2, "wins": [1, 0]}
    await ana.join(step["next"])
    await bo.join(step["next"])
    await reached(step["next"], 1, ana, bo)
    facts = (await live.call("GET", f"/api/rooms/{step['next']}")).json
    assert facts["series"] == {"of": 3, "game": 2, "wins": [1, 0]}
    await ok(ana, "resign", room=step["next"])
    await bo.until(lambda: bo.boards[step["next"]].over)
    await ok(bo, "say", room=step["next"], text="well played")
    assert not told(bo, "next", room=step["next"])


async def test_what_is_proposed_and_said_survives_a_kill(serve: Callable[..., Live]) -> None:
    live = serve()
    room, ana, bo = await seated(live)
    await ok(ana, "say", room=room, text="one moment")
    await ok(ana, "propose", room=room, what="draw")
    live.kill()
    await live.start_again()
    ana, bo = await again(ana), await again(bo)
    await ana.join(room)
    await bo.join(room)
    await hears(bo, "said", text="one moment")
    await hears(bo, "proposal", what="draw", state="open")
    await ok(bo, "reply", room=room, what="draw")
    await ana.until(lambda: ana.boards[room].over)


async def test_after_the_end_the_room_stays_open_through_a_kill(serve: Callable[..., Live]) -> None:
    live = serve()
    room, ana, bo = await seated(live)
    await ok(ana, "resign", room=room)
    live.kill()
    await live.start_again()
    ana, bo = await again(ana), await again(bo)
    await ana.join(room)
    await bo.join(room)
    assert ana.boards[room].over
    await ok(bo, "say", room=room, text="good game")
    await hears(ana, "said", text="good game")
    assert (await ok(ana, "resign", room=room))["v"] == 2  # said again, done once
    await asyncio.sleep(max(0.0, 1.0))
    await ok(ana, "propose", room=room, what="rematch")
    await ok(bo, "reply", room=room, what="rematch")
    following = (await hears(bo, "next"))["next"]
    await ana.join(following)
    await bo.join(following)
    await reached(following, 1, ana, bo)


async def test_a_pause_stops_the_clock_through_a_kill(serve: Callable[..., Live]) -> None:
    live = serve()
    room, ana, bo = await seated(live, clock={"base": 2500})
    await ok(ana, "propose", room=room, what="pause")
    await ok(bo, "reply", room=room, what="pause")
    await ana.until(lambda: (ana.boards[room].clock or {}).get("paused"))
    live.kill()
    await asyncio.sleep(1.0)
    await live.start_again()
    ana, bo = await again(ana), await again(bo)
    await ana.join(room)
    await bo.join(room)
    await asyncio.sleep(1.5)
    assert not ana.boards[room].over
    answer = await ok(ana, "propose", room=room, what="pause")
    await reached(room, answer["v"], ana, bo)
    assert "paused" not in ana.boards[room].clock
    assert min(ana.boards[room].clock["left"].values()) > 1500


async def test_whoever_stays_away_loses_by_a_claim(serve: Callable[..., Live]) -> None:
    live = serve(closed_seconds=0.5, grace_slow_seconds=1.0)
    room, ana, bo = await seated(live)
    refused(await ana.ask("claim", room=room), "not_away")
    await bo.leave()
    await ana.until(lambda: ana.boards[room].presence["seats"]["1"].get("closed"))
    assert ana.boards[room].presence["seats"]["1"]["until"] > 0
    await asyncio.sleep(0.6)
    await ok(ana, "claim", room=room)
    await ana.until(lambda: ana.boards[room].over)
    assert ana.boards[room].view["result"]["winners"] == [0]
    assert ana.boards[room].view["result"]["reason"] == "left"


async def test_who_vanished_is_waited_for_longer_and_may_come_back(serve: Callable[..., Live]) -> None:
    live = serve(closed_seconds=0.1, grace_slow_seconds=30)
    room, ana, bo = await seated(live)
    bo.vanish()
    await ana.until(lambda: not ana.boards[room].presence["seats"]["1"]["online"])
    assert ana.boards[room].presence["seats"]["1"]["closed"] is False
    await asyncio.sleep(0.3)
    refused(await ana.ask("claim", room=room), "not_away")
    await (await again(bo)).join(room)
    await ana.until(lambda: ana.boards[room].presence["seats"]["1"]["online"])


async def test_a_room_may_ask_and_its_host_may_show_people_out(live: Live) -> None:
    ana, bo, cy = [await come(live, name) for name in ("Ana", "Bo", "Cy")]
    room = (await make_room(ana, ready=True))["room"]
    await ana.join(room)
    await bo.join(room)
    await ok(bo, "ready", room=room)
    refused(await bo.ask("kick", room=room, seat=0), "not_host")
    await ok(ana, "kick", room=room, seat=1)
    assert (await hears(bo, "closed", room=room))["code"] == "kicked"
    refused(await bo.ask("join", room=room), "kicked")
    refused(await bo.ask("say", room=room, text="but"), "not_joined")
    await cy.join(room)
    await ok(ana, "ready", room=room)
    await ok(cy, "ready", room=room)
    await reached(room, 1, ana, cy)


async def test_a_table_that_everybody_left_is_closed(serve: Callable[..., Live]) -> None:
    live = serve(table_seconds=1)
    ana = await come(live, "Ana")
    room = (await make_room(ana))["room"]
    await ana.join(room)
    await asyncio.sleep(1.2)
    assert (await live.call("GET", f"/api/rooms/{room}")).status == 200
    await ok(ana, "leave", room=room)
    async with asyncio.timeout(10):
        while (await live.call("GET", f"/api/rooms/{room}")).status != 404:
            await asyncio.sleep(0.05)
    assert (await live.call("GET", "/api/rooms")).json == []
    refused(await ana.ask("join", room=room), "no_room")


async def test_a_match_that_nobody_touches_is_over(serve: Callable[..., Live]) -> None:
    live = serve(abandon_hours=0.001, idle_seconds=1)  # 3.6 s
    room, ana, bo = await seated(live)
    await ana.leave()
    await bo.leave()
    async with asyncio.timeout(15):
        while (await live.call("GET", f"/api/rooms/{room}")).json["status"] != "over":
            await asyncio.sleep(0.1)
    assert [entry.get("stop") for entry in live.truth(room).inputs] == ["abandoned"]

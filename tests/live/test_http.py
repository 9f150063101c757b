"""The HTTP side: what it gives, what it refuses, and that a refusal leaves nothing behind."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from cards import find_game
from tests.live.people import again, come, make_room, mover, play_out, seated
from tests.live.serving import Answer, Live

DECK = ["Ka", "Knight", "Beary", "Raggy", "Umbruh", "Wake"]


def refused(answer: Answer, status: int, code: str = "") -> None:
    """A fitting status, a code and a sentence."""
    assert answer.status == status, answer
    assert answer.headers["content-type"].startswith("application/json"), answer
    assert isinstance(answer.json["code"], str)
    assert answer.json["text"]
    if code:
        assert answer.json["code"] == code


async def rooms_of(live: Live) -> int:
    """How many rooms there are in the store."""
    with live.store() as store:
        return len(store.keys("*:r:*:m"))


# sessions


@pytest.mark.parametrize("name", ["Ana", "Zoë ✨", "  Bo  ", "x" * 24])
async def test_a_session_has_a_token_and_a_user(live: Live, name: str) -> None:
    answer = await live.call("POST", "/api/session", {"name": name})
    assert answer.status == 201
    assert answer.json["user"]["name"] == name.strip()
    assert answer.json["token"]
    assert answer.headers["cache-control"] == "no-store"


async def test_a_session_without_a_name_gets_one(live: Live) -> None:
    for raw in (b"", b"{}"):
        answer = await live.call("POST", "/api/session", raw=raw)
        assert answer.status == 201
        assert answer.json["user"]["name"]


async def test_two_sessions_are_two_users(live: Live) -> None:
    one, two = await live.session("Ana"), await live.session("Ana")
    assert one["user"]["id"] != two["user"]["id"]


@pytest.mark.parametrize("raw", [b"{", b"7", b'{"name":7}', b'{"name":"' + b"x" * 25 + b'"}', b'{"name":""}', b"\xff"])
async def test_a_bad_session_request_is_refused(live: Live, raw: bytes) -> None:
    refused(await live.call("POST", "/api/session", raw=raw), 400)


# games


async def test_games_tell_their_options_with_types(live: Live) -> None:
    games = (await live.call("GET", "/api/games")).json
    found = next(game for game in games if game["id"] == "ggltcg")
    assert found["seats"] == [2, 2]
    assert next(iter(found["decks"])) == "Surprise"
    for option in found["options"]:
        assert {"name", "kind", "default", "text"} <= option.keys()
        assert option["kind"] in ("choice", "number", "flag", "text")
        if option["kind"] == "choice":
            assert option["default"] in option["choices"]
        if option["kind"] == "number":
            assert option["least"] <= option["default"] <= option["most"]


async def test_a_game_comes_with_catalogue_playmat_and_messages(live: Live) -> None:
    game = (await live.call("GET", "/api/games/ggltcg")).json
    assert game["catalogue"]
    assert game["playmat"]
    assert game["messages"]
    assert game["rules"] == find_game("ggltcg").rules
    refused(await live.call("GET", "/api/games/no-such-game"), 404)
    refused(await live.call("GET", "/api/games/..%2f..%2fetc"), 404)


# rooms


async def test_a_room_is_made_listed_and_told_of(live: Live) -> None:
    ana = await come(live, "Ana")
    made = await make_room(ana, options={"turn_limit": 50}, clock={"base": 60000, "inc": 1000})
    assert made["seat"] == 0
    assert len(made["code"]) == 6
    facts = (await live.call("GET", f"/api/rooms/{made['room']}")).json
    assert (facts["room"], facts["game"], facts["status"]) == (made["room"], "ggltcg", "open")
    assert facts["options"]["turn_limit"] == 50
    assert facts["clock"] == {"base": 60000, "inc": 1000}
    assert facts["seats"][0]["name"] == "Ana"
    assert facts["seats"][1] == {}
    listed = (await live.call("GET", "/api/rooms?status=open&game=ggltcg")).json
    assert made["room"] in [room["room"] for room in listed]
    assert made["code"].encode() not in msgspec.json.encode([facts, listed])
    assert ana.token.encode() not in msgspec.json.encode([facts, listed])


async def test_a_room_moves_through_the_lists(live: Live) -> None:
    room, ana, bo = await seated(live)

    async def listed(status: str) -> bool:
        rooms = (await live.call("GET", f"/api/rooms?status={status}")).json
        return room in [entry["room"] for entry in rooms]

    async def until(status: str, there: bool) -> None:
        async with asyncio.timeout(5):
            while await listed(status) != there:
                await asyncio.sleep(0.02)

    await until("live", True)
    await until("open", False)
    await play_out(room, ana, bo)
    await until("live", False)
    assert (await live.call("GET", f"/api/rooms/{room}")).json["status"] == "over"
    assert not (await live.call("GET", "/api/rooms?game=no-such-game")).json
    refused(await live.call("GET", "/api/rooms?status=strange"), 400)


async def test_a_private_room_is_on_no_list(live: Live) -> None:
    ana, bo = await come(live, "Ana"), await come(live, "Bo")
    made = await make_room(ana, private=True)
    everything = (await live.call("GET", "/api/rooms")).json
    assert made["room"] not in [room["room"] for room in everything]
    await ana.join(made["room"])
    await bo.join(code=made["code"])
    await bo.until(lambda: bo.boards[made["room"]].v == 1)
    everything = (await live.call("GET", "/api/rooms")).json
    assert made["room"] not in [room["room"] for room in everything]


async def test_the_same_key_makes_the_same_room(live: Live) -> None:
    ana, bo = await come(live, "Ana"), await come(live, "Bo")
    before = await rooms_of(live)
    made = await asyncio.gather(*(make_room(ana, key="my-first-room") for _ in range(4)))
    assert len({room["room"] for room in made}) == 1
    assert {room["seat"] for room in made} == {0}
    assert await rooms_of(live) == before + 1
    assert (await make_room(bo, key="my-first-room"))["room"] != made[0]["room"]
    for one in made:  # every code that was told leads there
        cy = await come(live)
        assert (await cy.ask("join", code=one["code"], as_="watch"))["room"] == made[0]["room"]


async def test_the_same_key_for_another_game_or_seat_is_no_second_room(live: Live) -> None:
    ana = await come(live, "Ana")
    first = await make_room(ana, key="my-second-room", seats=["me", "open"])
    other = await live.call(
        "POST", "/api/rooms", {"game": "ggltcg", "key": "my-second-room", "seats": ["open", "me"]}, ana.token
    )
    if other.status == 201:  # told again, then as it is
        assert (other.json["room"], other.json["seat"]) == (first["room"], first["seat"])
    else:
        refused(other, 409)


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({}, 400),
        ({"game": "no-such-game"}, 404),
        ({"game": 7}, 400),
        ({"game": "ggltcg", "options": {"no_such": 1}}, 400),
        ({"game": "ggltcg", "options": {"set": "no-such-set"}}, 400),
        ({"game": "ggltcg", "options": {"turn_limit": "many"}}, 400),
        ({"game": "ggltcg", "options": {"turn_limit": -1}}, 400),
        ({"game": "ggltcg", "options": {"turn_limit": 10**9}}, 400),
        ({"game": "ggltcg", "options": []}, 400),
        ({"game": "ggltcg", "seats": ["me", "bot:no-such-bot"]}, 400),
        ({"game": "ggltcg", "seats": ["me", "me"]}, 400),
        ({"game": "ggltcg", "seats": ["me"]}, 400),
        ({"game": "ggltcg", "seats": ["me", "open", "open"]}, 400),
        ({"game": "ggltcg", "seats": []}, 400),
        ({"game": "ggltcg", "seats": ["me", "king"]}, 400),
        ({"game": "ggltcg", "deck": "No Such Deck"}, 400),
        ({"game": "ggltcg", "deck": ["Ka"]}, 400),
        ({"game": "ggltcg", "deck": ["Ka"] * 6}, 400),
        ({"game": "ggltcg", "deck": [*DECK[:5], "No Such Card"]}, 400),
        ({"game": "ggltcg", "deck": ["Ka"] * 300}, 400),
        ({"game": "ggltcg", "clock": {}}, 400),
        ({"game": "ggltcg", "clock": {"base": 1000, "decision": 1000}}, 400),
        ({"game": "ggltcg", "clock": {"inc": 1000}}, 400),
        ({"game": "ggltcg", "clock": {"decision": -5}}, 400),
        ({"game": "ggltcg", "clock": {"decision": 10**15}}, 400),
        ({"game": "ggltcg", "clock": 5}, 400),
        ({"game": "ggltcg", "watch": {"who": "everyone"}}, 400),
        ({"game": "ggltcg", "watch": {"delay": {"moves": 1000}}}, 400),
        ({"game": "ggltcg", "watch": {"delay": {"ms": -1}}}, 400),
        ({"game": "ggltcg", "key": "short"}, 400),
        ({"game": "ggltcg", "private": "yes"}, 400),
    ],
)
async def test_a_bad_room_is_refused_and_nothing_is_made(live: Live, asked: dict[str, Any], status: int) -> None:
    ana = await live.session("Ana")
    before = await rooms_of(live)
    refused(await live.call("POST", "/api/rooms", asked, ana["token"]), status)
    assert await rooms_of(live) == before


@pytest.mark.parametrize("raw", [b"", b"{", b"null", b"[]", b'"ggltcg"', b"\xff\xfe", b"[" * 5000, b'{"game":"ggltcg"'])
async def test_what_is_not_json_is_refused(live: Live, raw: bytes) -> None:
    ana = await live.session("Ana")
    refused(await live.call("POST", "/api/rooms", raw=raw, token=ana["token"]), 400)


async def test_what_is_too_big_is_refused(live: Live) -> None:
    ana = await live.session("Ana")
    before = await rooms_of(live)
    body = b'{"game":"ggltcg","x":"' + b"x" * 70_000 + b'"}'
    refused(await live.call("POST", "/api/rooms", raw=body, token=ana["token"]), 413)
    with contextlib.suppress(OSError):  # whoever sends a megabyte may be cut off in the middle
        await live.call("POST", "/api/rooms", raw=body * 15, token=ana["token"])
    assert await rooms_of(live) == before


@pytest.mark.parametrize("token", ["", "nonsense", "a.b.c", "x" * 3000])
async def test_without_a_good_token_nothing_is_made(live: Live, token: str) -> None:
    before = await rooms_of(live)
    refused(await live.call("POST", "/api/rooms", {"game": "ggltcg"}, token), 401)
    assert await rooms_of(live) == before


async def test_a_token_in_another_scheme_is_none(live: Live) -> None:
    ana = await live.session("Ana")
    refused(await live.call("POST", "/api/rooms", {"game": "ggltcg"}, authorization=f"Basic {ana['token']}"), 401)
    refused(await live.call("POST", f"/api/rooms?token={ana['token']}", {"game": "ggltcg"}), 401)


@pytest.mark.parametrize(
    "path",
    [
        "/api/rooms/no-such-room",
        "/api/rooms/no-such-room/replay",
        "/api/rooms/" + "x" * 200,
        "/api/rooms/%00",
        "/api/rooms/{b:00}:wake",
        "/api/games/no-such-game",
        "/api/nothing",
    ],
)
async def test_unknown_things_are_404_and_stay_unknown(live: Live, path: str) -> None:
    with live.store() as store:
        before = set(store.keys("*"))
    refused(await live.call("GET", path), 404)
    with live.store() as store:
        assert set(store.keys("*")) <= before | {key for key in before if b"session" in key}


async def test_the_wrong_method_is_refused(live: Live) -> None:
    refused(await live.call("DELETE", "/api/rooms"), 405)
    refused(await live.call("GET", "/api/session"), 405)


# replays


async def test_a_replay_is_for_whoever_could_have_watched(live: Live) -> None:
    room, ana, bo = await seated(live, watch={"who": "nobody"})
    refused(await live.call("GET", f"/api/rooms/{room}/replay", token=ana.token), 403, "not_over")
    await ana.ask("resign", room=room)
    await bo.until(lambda: bo.boards[room].over)
    stranger = await live.session("Cy")
    refused(await live.call("GET", f"/api/rooms/{room}/replay"), 403)
    refused(await live.call("GET", f"/api/rooms/{room}/replay", token=stranger["token"]), 403)
    refused(await live.call("GET", f"/api/rooms/{room}/replay", token="nonsense"), 401)
    for person in (ana, bo):
        answer = await live.call("GET", f"/api/rooms/{room}/replay", token=person.token)
        assert answer.status == 200
        assert answer.json["result"]["reason"] == "resigned"
        fields = "game rules set options decks seats seed commitment inputs hashes result"
        assert set(fields.split()) <= answer.json.keys()


async def test_no_page_tells_a_seed_before_the_end(live: Live) -> None:
    room, _, _ = await seated(live)
    seed = live.truth(room).tables()[1].seed.hex()
    for path in (f"/api/rooms/{room}", "/api/rooms", f"/api/rooms/{room}/replay", "/metrics"):
        assert seed not in (await live.call("GET", path)).body.decode()


# plain doors


async def test_health_readiness_and_figures(live: Live) -> None:
    ana = await come(live)
    assert (await live.call("GET", "/healthz")).status == 200
    assert (await live.call("GET", "/readyz")).status == 200
    before = await live.number('upcard_commands_total{kind="ping"}')
    await ana.ask("ping", c=1)
    assert await live.number('upcard_commands_total{kind="ping"}') == before + 1
    text = (await live.call("GET", "/metrics")).body.decode()
    assert ana.user["id"] not in text
    assert ana.user["name"] not in text


async def test_port_0_is_any_free_port_and_is_told(serve: Callable[..., Live]) -> None:
    live = serve(port=0)
    assert int(live.url.rpartition(":")[2]) > 0
    assert (await live.call("GET", "/healthz")).status == 200


async def test_what_a_room_refuses_is_counted_too(live: Live) -> None:
    room, ana, bo = await seated(live)
    waiting = bo if mover(room, ana, bo) is ana else ana
    before = await live.number('upcard_refusals_total{code="not_your_turn"}')
    await waiting.act(room, {"type": "end_turn"})
    assert await live.number('upcard_refusals_total{code="not_your_turn"}') == before + 1


async def test_a_token_of_before_is_good_in_a_second_window(live: Live) -> None:
    ana = await come(live, "Ana")
    assert (await again(ana)).user == ana.user

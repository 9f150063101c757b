"""Every command and its one answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tests.live.people import again, come, dial, make_room, mover, refused, seated
from tests.live.serving import Live
from tests.server.peers import frame

# hello


async def test_hello_is_answered_by_a_welcome(live: Live) -> None:
    ana = await come(live, "Ana")
    welcome = ana.frames[0]
    assert welcome["user"] == ana.user
    assert welcome["user"]["name"] == "Ana"
    assert (welcome["proto"], welcome["seats"]) == (1, [])
    assert welcome["limits"]["frame"] == 8192
    assert welcome["heartbeat"] > 0
    assert welcome["now"] > 1_600_000_000_000


async def test_hello_tells_of_my_running_matches(live: Live) -> None:
    room, ana, _ = await seated(live)
    back = await again(ana)
    assert [(seat["room"], seat["game"]) for seat in back.frames[0]["seats"]] == [(room, "ggltcg")]
    await ana.ask("resign", room=room)
    await ana.until(lambda: ana.boards[room].over)
    assert (await again(ana)).frames[0]["seats"] == []


async def test_a_second_hello_is_refused(live: Live) -> None:
    ana = await come(live)
    refused(await ana.ask("hello", token=ana.token, proto=[1, 1]), "hello_twice")
    assert (await ana.ask("ping", c=1))["t"] == "pong"


@pytest.mark.parametrize("token", ["", "nonsense", "a.b.c", "x" * 3000])
async def test_a_bad_token_is_refused_and_shown_out(live: Live, token: str) -> None:
    person = await dial(live)
    answer = await person.ask("hello", token=token, proto=[1, 1])
    assert answer["t"] == "err"
    assert not answer["retry"]
    assert token not in answer["text"] or not token
    assert await person.ending() == 4401


async def test_a_protocol_that_we_do_not_share_is_refused(live: Live) -> None:
    ana = await live.session("Ana")
    person = await dial(live)
    refused(await person.ask("hello", token=ana["token"], proto=[2, 7]), "protocol")
    assert await person.ending() == 4406


async def test_whoever_says_anything_before_hello_is_shown_out(live: Live) -> None:
    person = await dial(live)
    refused(await person.ask("lobby", on=True), "no_hello")
    assert await person.ending() == 4401


async def test_whoever_says_nothing_is_shown_out(serve: Callable[..., Live]) -> None:
    live = serve(hello_seconds=0.3)
    silent, late = await dial(live), await come(live, "Ana")
    assert await silent.ending(3) == 4401
    assert (await late.ask("ping", c=1))["t"] == "pong"


# join and leave


async def test_join_by_room_and_by_code(live: Live) -> None:
    ana, bo = await come(live, "Ana"), await come(live, "Bo")
    made = await make_room(ana)
    ok = await ana.ask("join", room=made["room"])
    assert {**ok, "i": ""} == {
        "t": "ok",
        "i": "",
        "room": made["room"],
        "seat": 0,
        "n": 1,
        "v": 0,
        "epoch": ok["epoch"],
    }
    ok = await bo.ask("join", code=f" {made['code'].lower()} ")
    assert (ok["room"], ok["seat"], ok["n"]) == (made["room"], 1, 1)
    await bo.until(lambda: bo.boards[made["room"]].v == 1)


async def test_join_says_which_room(live: Live) -> None:
    ana = await come(live)
    refused(await ana.ask("join"), "bad_command")
    refused(await ana.ask("join", room="no-such-room"), "no_room")
    refused(await ana.ask("join", room="no-such-room", as_="watch"), "no_room")
    refused(await ana.ask("join", code="AAAAAA"), "bad_code")
    refused(await ana.ask("join", code="?"), "bad_code")
    assert (await live.call("GET", "/api/rooms/no-such-room")).status == 404
    with live.store() as store:
        assert not store.keys("*no-such-room*")


async def test_wrong_codes_are_only_heard_so_often(serve: Callable[..., Live]) -> None:
    live = serve(code_misses=3)
    ana = await come(live)
    made = await make_room(ana)
    codes = [(await ana.ask("join", code=f"AAAAA{n}"))["code"] for n in range(2, 7)]
    assert codes == ["bad_code"] * 3 + ["too_many_codes"] * 2
    refused(await ana.ask("join", code=made["code"]), "too_many_codes", retry=True)
    assert (await ana.ask("join", room=made["room"]))["t"] == "ok"


async def test_a_full_table_has_no_seat(live: Live) -> None:
    room, _, _ = await seated(live)
    cy = await come(live, "Cy")
    refused(await cy.ask("join", room=room), "full")
    assert (await cy.ask("act", room=room, n=1, do={"type": "end_turn"}))["t"] == "err"
    assert (await cy.ask("join", room=room, as_="watch"))["t"] == "ok"
    refused(await cy.ask("act", room=room, n=1, do={"type": "end_turn"}), "not_seated")


async def test_the_same_user_sits_only_once(live: Live) -> None:
    ana = await come(live, "Ana")
    room = (await make_room(ana))["room"]
    assert (await ana.join(room)).seat == 0
    second = await again(ana)
    assert (await second.join(room)).seat == 0
    assert second.boards[room].v == 0  # and the match has not begun with oneself


async def test_a_seat_that_two_want_goes_to_one(live: Live) -> None:
    ana = await come(live, "Ana")
    room = (await make_room(ana))["room"]
    people = [await come(live, f"P{n}") for n in range(5)]
    answers = await asyncio.gather(*(person.ask("join", room=room) for person in people))
    assert sorted(answer["t"] for answer in answers) == ["err"] * 4 + ["ok"]


@pytest.mark.parametrize(
    ("deck", "code"),
    [
        ("Classic", ""),
        ("Surprise", ""),
        (["Ka", "Knight", "Beary", "Raggy", "Umbruh", "Wake"], ""),
        ("No Such Deck", "unknown_deck"),
        (["Ka"], "deck_size"),
        (["Ka"] * 6, "deck_repeats"),
        (["Ka", "Knight", "Beary", "Raggy", "Umbruh", "Wakey"], "unknown_card"),
        ([], "deck_size"),
        (7, "bad_command"),
    ],
)
async def test_a_deck_is_chosen_while_sitting_down(live: Live, deck: Any, code: str) -> None:
    ana, bo = await come(live, "Ana"), await come(live, "Bo")
    room = (await make_room(ana))["room"]
    await ana.join(room)
    answer = await bo.ask("join", room=room, deck=deck)
    if code:
        refused(answer, code)
        assert (await live.call("GET", f"/api/rooms/{room}")).json["seats"][1] == {}
        assert (await bo.ask("join", room=room))["t"] == "ok"  # the seat is still free
    else:
        board = bo.boards[room]
        await bo.until(lambda: board.v == 1)
        if isinstance(deck, list):
            hand = [board.view["cards"][str(id)]["face"] for id in board.view["zones"]["1.hand"]["cards"]]
            assert sorted(hand) == sorted(deck)


async def test_leaving_stops_the_news_and_keeps_the_seat(live: Live) -> None:
    room, ana, bo = await seated(live)
    assert (await ana.ask("leave", room=room))["t"] == "ok"
    await bo.until(lambda: not bo.boards[room].presence["seats"]["0"]["online"])
    heard = len(ana.frames)
    await bo.ask("say", room=room, text="Where are you?")
    assert (await ana.ask("ping", c=1))["t"] == "pong"
    assert len(ana.frames) == heard + 1
    refused(await ana.ask("act", room=room, n=1, do={"type": "end_turn"}), "not_joined")
    assert (await ana.join(room)).seat == 0
    assert (await ana.ask("leave", room="nowhere"))["t"] == "ok"


# talk


async def test_what_is_said_is_heard_by_all(live: Live) -> None:
    room, ana, bo = await seated(live)
    cy = await come(live, "Cy", msgpack=True)
    await cy.join(room, as_="watch")
    assert (await ana.ask("say", room=room, text="Good luck! 🃏"))["t"] == "ok"
    for person in (ana, bo, cy):
        said = await person.next("said")
        assert (said["room"], said["seat"], said["name"], said["text"]) == (room, 0, "Ana", "Good luck! 🃏")
    heard = len(bo.frames)
    await cy.ask("say", room=room, emote="wave")
    said = await bo.next("said", heard)
    assert (said["emote"], "seat" in said) == ("wave", False)
    assert ana.boards[room].v == 1  # talk raises no version
    refused(await ana.ask("say", room=room), "bad_command")
    refused(await ana.ask("say", room=room, text="a", emote="b"), "bad_command")
    refused(await ana.ask("say", room=room, text="x" * 201), "bad_command")
    refused(await ana.ask("say", room=room, text=""), "bad_command")
    refused(await ana.ask("say", room="nowhere", text="hello"), "not_joined")


async def test_chat_has_a_limit(serve: Callable[..., Live]) -> None:
    live = serve(chat_lines=5, chat_seconds=60)
    room, ana, _ = await seated(live)
    answers = [await ana.ask("say", room=room, text=f"{n}") for n in range(9)]
    assert [answer["t"] for answer in answers[:5]] == ["ok"] * 5
    assert "err" in [answer["t"] for answer in answers[5:]], "ninety lines a minute are no chat"
    assert (await ana.ask("ping", c=1))["t"] == "pong"


@pytest.mark.parametrize("c", [0, 1.5, "when", 2**53])
@pytest.mark.parametrize("binary", [False, True])
async def test_ping_is_answered_by_pong(live: Live, c: Any, binary: bool) -> None:
    ana = await come(live, msgpack=binary)
    pong = await ana.ask("ping", c=c)
    assert (pong["t"], pong["c"]) == ("pong", c)
    assert abs(pong["now"] - ana.heard[-1].at * 1000) < 5000


# in one breath


async def test_commands_that_come_in_one_breath_are_taken_in_order(live: Live) -> None:
    """A client that comes back says hello, joins and sends its open move again without waiting in between."""
    room, ana, bo = await seated(live)
    person = mover(room, ana, bo)
    person.vanish()
    window = await dial(live, session={"token": person.token})
    commands = [
        {"t": "hello", "i": "a", "token": person.token, "proto": [1, 1]},
        {"t": "join", "i": "b", "room": room, "have": {"epoch": person.boards[room].epoch, "v": 1}},
        {"t": "act", "i": "c", "room": room, "n": 1, "do": {"type": "end_turn"}},
        {"t": "say", "i": "d", "room": room, "text": "back"},
        {"t": "leave", "i": "e", "room": room},
        {"t": "ping", "i": "f"},
    ]
    window.boards[room].v = 1
    window.socket.transport.write(b"".join(frame(msgspec.json.encode(command)) for command in commands))
    answers = [await window.answer(command["i"]) for command in commands]
    assert [answer["t"] for answer in answers] == ["welcome", "ok", "ok", "ok", "ok", "pong"], answers
    assert answers[2]["v"] == 2


async def test_a_room_is_left_even_while_it_is_being_joined(live: Live) -> None:
    room, ana, bo = await seated(live)
    cy = await come(live, "Cy")
    commands = [{"t": "join", "i": "a", "room": room, "as": "watch"}, {"t": "leave", "i": "b", "room": room}]
    cy.socket.transport.write(b"".join(frame(msgspec.json.encode(command)) for command in commands))
    assert [(await cy.answer(i))["t"] for i in "ab"] == ["ok", "ok"]
    await mover(room, ana, bo).act(room, {"type": "end_turn"})
    await cy.ask("ping", c=1)
    assert cy.boards[room].v <= 1, "whoever has left is still told"


# what else may be sent


@pytest.mark.parametrize(
    ("t", "fields"),
    [
        ("seek", {"game": "ggltcg"}),
        ("seek", {"game": "ggltcg", "mode": "ranked", "clock": {"decision": 5000}}),
        ("seek", {"game": "no-such-game"}),
        ("unseek", {}),
        ("lobby", {"on": True}),
        ("lobby", {"on": False}),
        ("propose", {"what": "draw"}),
        ("propose", {"what": "rematch"}),
        ("propose", {"what": "takeback"}),
        ("reply", {"what": "draw", "yes": True}),
        ("reply", {"what": "pause"}),
    ],
)
async def test_every_other_command_gets_its_one_answer(live: Live, t: str, fields: dict[str, Any]) -> None:
    room, ana, _ = await seated(live)
    if t in ("propose", "reply"):
        fields = {**fields, "room": room}
    answer = await ana.ask(t, **fields)
    assert answer["t"] in ("ok", "err")
    if answer["t"] == "err":
        refused(answer, answer["code"], answer["retry"])
        assert answer["code"] not in ("bad_command", "unknown_command")
    assert (await ana.ask("ping", c=1))["t"] == "pong"
    assert len([told for told in ana.frames if told.get("i") == answer["i"]]) == 1


@pytest.mark.parametrize("binary", [False, True])
async def test_what_cannot_be_is_answered_too(live: Live, binary: bool) -> None:
    ana = await come(live, msgpack=binary)
    refused(await ana.ask("dance", on="table"), "unknown_command")
    refused(await ana.ask("join", room=5), "bad_command")
    refused(await ana.ask("join", room="x", as_="king"), "bad_command")
    refused(await ana.ask("act", room="x", n=0, do={}), "bad_command")
    refused(await ana.ask("act", room="x", n="1", do={}), "bad_command")
    refused(await ana.ask("act", room="x", n=1, do=[]), "bad_command")
    refused(await ana.ask("act", room="x", n=2**60, do={}), "bad_command")
    refused(await ana.ask("ping", c={"deep": [1]}), "bad_command")
    assert (await ana.ask("ping", c=1))["t"] == "pong"  # none of it was a breach


async def test_unknown_fields_are_ignored(live: Live) -> None:
    ana = await come(live)
    room = (await make_room(ana))["room"]
    assert (await ana.ask("join", room=room, colour="green", have=None, deck=None))["t"] == "ok"
    assert (await ana.ask("ping", c=1, volume=11))["t"] == "pong"


async def test_whoever_was_turned_away_has_no_voice_at_the_table(live: Live) -> None:
    room, _, bo = await seated(live, watch={"who": "nobody"})
    cy = await come(live, "Cy")
    refused(await cy.ask("join", room=room, as_="watch"), "no_watching")
    refused(await cy.ask("join", room=room), "full")
    answer = await cy.ask("say", room=room, text="Boo!")
    await bo.ask("ping", c=1)
    assert not [told for told in bo.frames if told["t"] == "said"], "a stranger speaks in a closed room"
    refused(answer, "not_joined")
    assert bo.boards[room].presence["watchers"] == 0

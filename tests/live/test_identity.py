"""Who one is, over real doors: renewed sessions, other devices, leaving for good, the site's word, and bans."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from server.client import Client
from server.identity import FRESH_MS, Identity, User
from server.site import site_user
from tests.live.people import Person, again, come, dial, make_room, reached, refused, seated
from tests.live.serving import Answer, Live
from tests.live.split import Split
from tests.live.test_talk import hears, ok, told

ROOT = Path(__file__).parents[2]
OURS, FORMER, SITE = (os.urandom(20).hex() for _ in range(3))


def no(answer: Answer, status: int, code: str) -> None:
    assert (answer.status, answer.json["code"]) == (status, code), answer
    assert answer.json["text"]


async def session(live: Live, token: str = "", **asked: Any) -> Answer:
    return await live.call("POST", "/api/session", asked, token)


async def admin(live: Live | Split, *words: str, status: int = 0) -> str:
    """What `upcard admin` says."""
    where = f"--redis={live.url('ops')}" if isinstance(live, Split) else f"--state={live.folder / 'state'}"
    deed, *rest = words
    command = [sys.executable, "-m", "server.cli", "admin", deed, where, *rest]
    pipe = asyncio.subprocess.PIPE
    done = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=pipe, stderr=pipe)
    out, err = await done.communicate()
    assert done.returncode == status, (out, err)
    return (out or err).decode()


# sessions


async def test_a_session_that_grows_old_or_was_signed_by_a_former_secret_is_renewed(
    serve: Callable[..., Live],
) -> None:
    live = serve(secret=OURS, old_secret=FORMER)
    ana = User("ana-of-old", "Ana")
    old = Identity([OURS.encode()], lambda: time.time() - FRESH_MS / 1000 - 60).open_session(ana)
    former = Identity([FORMER.encode()]).open_session(ana)
    for token in (old, former):
        person = await come(live, session={"token": token})
        fresh = person.frames[0]["token"]
        assert fresh != token
        later = await come(live, session={"token": fresh})
        assert later.frames[0]["user"] == {"id": ana.id, "name": ana.name}
        assert "token" not in later.frames[0]


async def test_our_own_client_goes_on_with_the_renewed_session(serve: Callable[..., Live]) -> None:
    live = serve(secret=OURS, old_secret=FORMER)
    token = Identity([FORMER.encode()]).open_session(User("ana-of-old", "Ana"))
    async with Client(live.url, token=token) as client:
        async with asyncio.timeout(10):
            await client.ask({"t": "ping", "c": 1})
        assert client.token != token
        assert client.user["id"] == "ana-of-old"


async def test_a_session_without_a_new_name_keeps_the_old_one(live: Live) -> None:
    ana = (await session(live, name="Ana")).json
    assert (await session(live, ana["token"])).json["user"] == ana["user"]


async def test_a_new_name_is_heard_everywhere_at_once(live: Live) -> None:
    room, ana, bo = await seated(live)
    other = await again(ana)
    await session(live, ana.token, name="Anna")
    said = itertools.count(1)

    async def called() -> str:
        await ok(other, "join", room=room)
        await ok(other, "say", room=room, text="it is me")
        heard = next(said)
        await bo.until(lambda: len(told(bo, "said")) >= heard)
        return str(told(bo, "said")[-1]["name"])

    async with asyncio.timeout(10):
        while await called() != "Anna":
            await asyncio.sleep(0.02)
    assert (await again(ana)).frames[0]["user"]["name"] == "Anna"  # though this token says Ana
    assert (await session(live, ana.token)).json["user"]["name"] == "Anna"


async def test_a_word_that_is_not_said_here_is_no_name(serve: Callable[..., Live], tmp_path: Path) -> None:
    (tmp_path / "words").write_text("prune\n")
    live = serve(words=tmp_path / "words", site_secret=SITE)
    ana = (await session(live, name="Ana")).json
    for name in ("Prune", "TheRealPrune", "pr\u200bune"):
        no(await session(live, name=name), 400, "bad_name")
        no(await session(live, ana["token"], name=name), 400, "bad_name")
    assert (await session(live, ana["token"])).json["user"]["name"] == "Ana"
    sent = (await session(live, by_site("7", name="Prune"))).json["user"]["name"]
    assert sent.startswith("Guest-")


# another device


async def test_a_code_makes_another_device_the_same_guest_once(live: Live) -> None:
    ana = (await session(live, name="Ana")).json
    made = await live.call("POST", "/api/session/code", token=ana["token"])
    assert made.status == 201
    assert len(made.json["code"]) == 8
    assert 9 * 60_000 < made.json["until"] - time.time() * 1000 <= 10 * 60_000 + 100  # two clocks
    typed = f" {made.json['code'][:4]}-{made.json['code'][4:].lower()} "
    there = await session(live, code=typed)
    assert there.json["user"] == ana["user"]
    assert (await come(live, session=there.json)).frames[0]["user"] == ana["user"]
    no(await session(live, code=made.json["code"]), 404, "bad_code")
    no(await live.call("POST", "/api/session/code"), 401, "no_token")


async def test_a_code_that_two_devices_use_at_once_serves_one(live: Live) -> None:
    ana = (await session(live, name="Ana")).json
    code = (await live.call("POST", "/api/session/code", token=ana["token"])).json["code"]
    answers = await asyncio.gather(*(session(live, code=code) for _ in range(4)))
    assert sorted(answer.status for answer in answers) == [201, 404, 404, 404]


async def test_codes_run_out_and_guessing_them_is_slow(serve: Callable[..., Live]) -> None:
    live = serve(code_misses=3)
    ana = (await session(live, name="Ana")).json
    code = (await live.call("POST", "/api/session/code", token=ana["token"])).json["code"]
    with live.store() as store:
        assert 9 * 60 < store.ttl(f"{{pass:{code}}}") <= 600
        store.pexpire(f"{{pass:{code}}}", 1)
    await asyncio.sleep(0.01)
    for guess in (code, "ABCDEFGH", "not one"):
        no(await session(live, code=guess), 404, "bad_code")
    no(await session(live, code="ABCDEFGH"), 429, "too_many_codes")


# leaving for good


async def test_who_gives_an_identity_up_is_nobody_any_more(live: Live) -> None:
    room, ana, bo = await seated(live)
    code = (await live.call("POST", "/api/session/code", token=ana.token)).json["code"]
    await ok(ana, "block", user="somebody")
    await ok(ana, "seek", game="kittens", clock={"days": 3})
    gone = await live.call("DELETE", "/api/session", token=ana.token)
    assert (gone.status, gone.body) == (204, b"")
    assert await ana.ending() == 4401
    assert told(ana, "notice")[-1]["code"] == "signed_out"
    late = await dial(live)
    refused(await late.ask("hello", token=ana.token, proto=[1, 1]), "signed_out")
    assert await late.ending() == 4401
    no(await session(live, ana.token), 401, "signed_out")
    no(await session(live, code=code), 401, "signed_out")
    no(await live.call("GET", f"/api/rooms/{room}/replay", token=ana.token), 401, "signed_out")
    await bo.until(lambda: bo.boards[room].presence["seats"]["0"].get("closed"))  # as if they had left on purpose
    with live.store() as store:
        kept = {key.decode().rpartition(":")[2] for key in store.keys(f"{{u:{ana.user['id']}}}:*")}
        assert kept <= {"since", "left"}
        assert store.ttl(f"{{u:{ana.user['id']}}}:since") > 30 * 86_400
        assert not store.hexists("{q:kittens casual 3d}:who", ana.user["id"])


# the site that embeds us


def by_site(sub: str, key: Any = SITE, algorithm: str = "HS256", **claims: Any) -> str:
    now = int(time.time())
    headers = {"kid": "one"} if algorithm != "HS256" else None
    return jwt.encode({"aud": "upcard", "exp": now + 600, "sub": sub, **claims}, key, algorithm, headers=headers)


async def test_whoever_the_site_sends_is_known_by_socket_and_by_http(serve: Callable[..., Live]) -> None:
    live = serve(site_secret=SITE)
    token = by_site("42", name="Ana of the site")
    ana = await come(live, session={"token": token, "user": {"id": site_user("42"), "name": "Ana of the site"}})
    assert ana.frames[0]["user"] == {"id": site_user("42"), "name": "Ana of the site"}
    room = (await make_room(ana))["room"]
    ours = (await session(live, token)).json
    assert ours["user"] == ana.user
    window = await come(live, session=ours)
    assert [seat["room"] for seat in window.frames[0]["seats"]] == [room]
    assert (await session(live, ours["token"])).json["token"] == ours["token"]  # it lasts no longer by being shown
    no(await session(live, token, name="Somebody"), 409, "site_user")
    no(await live.call("POST", "/api/session/code", token=token), 409, "site_user")
    guest = (await session(live, name="Bo")).json  # and guests are welcome all the same
    assert (await come(live, session=guest)).frames[0]["user"] == guest["user"]
    for bad in (by_site("42", "x" * 40), by_site("42", aud="elsewhere"), by_site("42", exp=int(time.time()) + 10**7)):
        no(await session(live, bad), 401, "bad_token")
        late = await dial(live)
        refused(await late.ask("hello", token=bad, proto=[1, 1]), "bad_token")
        assert await late.ending() == 4401


async def test_who_leaves_for_good_may_be_sent_again(serve: Callable[..., Live]) -> None:
    live = serve(site_secret=SITE)
    ours = (await session(live, by_site("42", name="Ana"))).json
    assert (await live.call("DELETE", "/api/session", token=ours["token"])).status == 204
    no(await session(live, ours["token"]), 401, "signed_out")
    assert (await session(live, by_site("42", name="Ana"))).status == 201


async def test_without_a_site_nobody_is_sent_by_one(live: Live) -> None:
    no(await session(live, by_site("42")), 401, "bad_token")


@asynccontextmanager
async def publishing(*keys: dict[str, Any]) -> AsyncIterator[tuple[str, list[int]]]:
    """A site that publishes its keys: where, and how often it was asked."""
    asked: list[int] = []
    body = json.dumps({"keys": keys}).encode()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        asked.append(1)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/jwks.json", asked


async def test_the_site_may_publish_its_keys(serve: Callable[..., Live]) -> None:
    key = rsa.generate_private_key(65537, 2048)
    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key())) | {"kid": "one"}
    async with publishing(public) as (url, asked):
        live = serve(site_jwks=url)
        for _ in range(3):
            ana = await come(live, session={"token": by_site("42", key, "RS256", name="Ana")})
            assert ana.frames[0]["user"] == {"id": site_user("42"), "name": "Ana"}
        assert len(asked) == 1
    ana = await come(live, session={"token": by_site("42", key, "RS256")})  # the site is away, its keys hold
    assert ana.frames[0]["user"]["name"].startswith("Guest-")
    name = ana.frames[0]["user"]["name"]
    assert (await session(live, by_site("42", key, "RS256"))).json["user"]["name"] == name


async def test_while_the_site_s_keys_cannot_be_had_nobody_is_told_that_they_are_nobody(
    serve: Callable[..., Live],
) -> None:
    live = serve(site_jwks="http://127.0.0.1:9/jwks.json")
    token = by_site("42", rsa.generate_private_key(65537, 2048), "RS256")
    late = await dial(live)
    refused(await late.ask("hello", token=token, proto=[1, 1]), "busy", retry=True)
    assert await late.ending() == 4500
    no(await session(live, token), 503, "busy")
    await come(live, "Bo")  # guests need no site


# bans, and what else whoever runs the place may do


async def test_a_ban_closes_sockets_and_doors(live: Live) -> None:
    room, ana, bo = await seated(live)
    window = await again(ana)
    await ok(ana, "seek", game="kittens", clock={"days": 4})
    assert "until" in await admin(live, "ban", ana.user["id"], "--hours=2", "--why=foul play")
    for person in (ana, window):
        assert await person.ending() == 4403
        notice = told(person, "notice")[-1]
        assert (notice["code"], notice["say"][1]["why"]) == ("banned", "foul play")
        assert "foul play" in notice["text"]
        assert "2 more hours" in notice["text"]
    late = await dial(live)
    refused(await late.ask("hello", token=ana.token, proto=[1, 1]), "banned")
    assert await late.ending() == 4403
    no(await live.call("POST", "/api/rooms", {"game": "ggltcg"}, ana.token), 403, "banned")
    no(await session(live, ana.token), 403, "banned")
    await bo.until(lambda: bo.boards[room].presence["seats"]["0"].get("closed"))
    with live.store() as store:
        assert not store.hexists("{q:kittens casual 4d}:who", ana.user["id"])
    assert "banned until" in await admin(live, "who", ana.user["id"])
    await admin(live, "unban", ana.user["id"])
    await (await again(ana)).join(room)
    assert "is not banned" in await admin(live, "unban", ana.user["id"], status=2)


async def test_a_ban_for_a_while_ends_by_itself(live: Live) -> None:
    ana = await come(live, "Ana")
    await admin(live, "ban", ana.user["id"], "--hours=0.001")  # 3.6 s
    assert await ana.ending() == 4403
    async with asyncio.timeout(20):
        while (await session(live, ana.token)).status != 201:
            await asyncio.sleep(0.2)


async def test_whoever_runs_the_place_may_name_somebody(live: Live) -> None:
    ana = await come(live, "Rude Word")
    await admin(live, "name", ana.user["id"], "Ana")
    assert (await again(ana)).frames[0]["user"]["name"] == "Ana"
    assert "called Ana" in await admin(live, "who", ana.user["id"])
    assert "Say the name" in await admin(live, "name", ana.user["id"], " ", status=2)
    assert "user's id" in await admin(live, "name", "no id!", "Ana", status=2)


async def test_whoever_runs_the_place_may_close_a_table(live: Live) -> None:
    ana = await come(live, "Ana")
    waiting = (await make_room(ana))["room"]
    await ana.join(waiting)
    await admin(live, "close", waiting)
    assert (await hears(ana, "closed", room=waiting))["code"] == "closed"
    assert (await live.call("GET", f"/api/rooms/{waiting}")).status == 404
    room, cy, dan = await seated(live, best_of=3)
    await admin(live, "close", room)
    for person in (cy, dan):
        await person.until(lambda person=person: person.boards[room].over)
        assert person.boards[room].view["result"] == {"winners": [], "ranking": [], "reason": "abandoned"}
        await hears(person, "notice", code="closed")
    assert not told(cy, "next")
    assert "is over" in await admin(live, "close", room, status=2)
    assert "no room" in await admin(live, "close", "no-such-room", status=2)


async def test_reports_are_read_and_struck_off(serve: Callable[..., Live]) -> None:
    live = serve()
    assert "Nobody" in await admin(live, "reports")
    room, ana, bo = await seated(live)
    await ok(bo, "say", room=room, text="you rascal")
    await ok(ana, "report", room=room, seat=1, why="talk", text="rude")
    (report,) = json.loads(await _reported(live))
    assert (report["about"], report["by"], report["why"], report["text"]) == (
        bo.user["id"],
        ana.user["id"],
        "talk",
        "rude",
    )
    assert report["lines"][-1]["text"] == "you rascal"
    said = await admin(live, "reports")
    assert bo.user["id"] in said
    assert "Bo: you rascal" in said
    await admin(live, "done", report["report"])
    assert "Nobody" in await admin(live, "reports")
    assert "no such report" in await admin(live, "done", report["report"], status=2)


async def _reported(live: Live) -> str:
    async with asyncio.timeout(10):
        while (found := (await admin(live, "reports", "--json")).strip()) == "[]":
            await asyncio.sleep(0.1)
    return found


async def test_all_of_it_between_processes_that_have_only_their_own_rights(tmp_path: Path) -> None:
    """Two gateways, two hosts, and an operator, each with the rights that our own file gives them on the store."""
    split = Split(tmp_path).start(guarded=True)
    try:
        here, there = [part.name for part in split.gateways]
        ana = Client(here, name="Ana")
        await ana.open()
        await ana.ask({"t": "ping", "c": 1})
        code = (await ana.http("POST", "/api/session/code"))["code"]
        other = Client(there)
        same = await other.http("POST", "/api/session", {"code": code})
        assert same["user"]["id"] == ana.user["id"]
        other.token = same["token"]
        await other.open()
        await other.http("POST", "/api/session", {"name": "Anna"})
        async with asyncio.timeout(10):
            while (await ana.http("POST", "/api/session"))["user"]["name"] != "Anna":
                await asyncio.sleep(0.02)
        bo = Client(here, name="Bo")
        await bo.open()
        room = (await other.make_room("ggltcg"))["room"]
        seats = [await client.join(room) for client in (other, bo)]
        async with asyncio.timeout(10):
            await seats[0].until(lambda: seats[0].v >= 1)
        await bo.ask({"t": "report", "room": room, "seat": 0, "why": "stalling"})
        async with asyncio.timeout(10):
            while "stalling" not in await admin(split, "reports"):
                await asyncio.sleep(0.1)
        await admin(split, "name", ana.user["id"], "Annabel")
        await admin(split, "close", room)
        async with asyncio.timeout(10):
            await seats[1].until(lambda: seats[1].over)
        await admin(split, "ban", ana.user["id"])
        async with asyncio.timeout(10):
            while {ana.closed_with, other.closed_with} != {4403}:
                await asyncio.sleep(0.02)
        assert "Annabel" in await admin(split, "who", ana.user["id"])
        await admin(split, "unban", ana.user["id"])
        await bo.http("DELETE", "/api/session")
        async with asyncio.timeout(10):
            while bo.closed_with != 4401:
                await asyncio.sleep(0.02)
        for client in (ana, other, bo):
            await client.close()
    finally:
        split.stop()


async def test_a_ban_that_a_gateway_could_not_hear_of_holds_when_somebody_comes(live: Live) -> None:
    ana = await come(live, "Ana")
    await ana.leave()
    await admin(live, "ban", ana.user["id"])
    late: Person = await dial(live)
    refused(await late.ask("hello", token=ana.token, proto=[1, 1]), "banned")
    assert "for good" in await admin(live, "who", ana.user["id"])
    await late.ending()


@pytest.mark.parametrize("word", ["join", "seek", "act"])
async def test_what_is_said_in_one_breath_with_hello_is_heard_after_it(live: Live, word: str) -> None:
    ana = await live.session("Ana")
    room = (await live.call("POST", "/api/rooms", {"game": "ggltcg"}, ana["token"])).json["room"]
    person = await dial(live)
    wish = {
        "join": {"room": room},
        "seek": {"game": "ggltcg", "clock": {"days": 5}},
        "act": {"room": room, "n": 1, "do": {}},
    }[word]
    await person.send({"t": "hello", "i": "1", "token": ana["token"], "proto": [1, 1]})
    await person.send({"t": word, "i": "2", **wish})
    answer = await person.answer("2")
    assert person.frames[0]["t"] == "welcome"
    assert answer["t"] == "ok" if word != "act" else answer["code"] == "not_joined"
    await person.ask("unseek")
    await reached(room, 0, person) if word == "join" else None

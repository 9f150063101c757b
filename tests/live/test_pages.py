"""What a browser is given: the page and its parts, safe headers, and nothing twice."""

from __future__ import annotations

import gzip
import re

import msgspec
import pytest

from cards import find_game
from server.pages import ADDRESSES, Pages
from tests.live.people import come, make_room, play_out, seated
from tests.live.serving import Live
from tests.live.test_http import refused


@pytest.mark.parametrize("address", [re.sub(r"\{\w+\}", "thing", address) for address in ADDRESSES])
async def test_every_address_of_the_client_gives_the_same_safe_page(live: Live, address: str) -> None:
    answer = await live.call("GET", address)
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"].split("; ")
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "style-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert answer.headers["cache-control"] == "no-cache"


async def test_no_script_and_no_style_stands_inside_the_page(live: Live) -> None:
    page = (await live.call("GET", "/")).body.decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)


async def test_parts_of_the_client_are_kept_for_good_under_the_mark_of_the_day(live: Live) -> None:
    page = (await live.call("GET", "/")).body.decode()
    parts = set(re.findall(r'(?:href|src)="(/-/[^"]+)"', page))
    assert parts
    for part in parts:
        answer = await live.call("GET", part)
        assert answer.status == 200, part
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    mark = next(iter(parts)).split("/")[2]
    refused(await live.call("GET", f"/-/{'0' * len(mark)}/main.js"), 404)
    refused(await live.call("GET", f"/-/{mark}/no-such.js"), 404)
    refused(await live.call("GET", f"/-/{mark}/../app.py"), 404)
    refused(await live.call("GET", f"/-/{mark}/%2e%2e/app.py"), 404)


async def test_whoever_has_it_already_is_told_so(live: Live) -> None:
    for path in ("/", "/upcard.wire.d.ts", "/api/games", "/api/games/ggltcg"):
        first = await live.call("GET", path)
        again = await live.call("GET", path, if_none_match=f'"other", W/{first.headers["etag"]}')
        assert (again.status, again.body) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        assert (await live.call("GET", path, if_none_match='"other"')).status == 200


async def test_what_is_long_comes_compressed_to_whoever_can_read_it(live: Live) -> None:
    plain = await live.call("GET", "/api/games/ggltcg")
    packed = await live.call("GET", "/api/games/ggltcg", accept_encoding="br, gzip")
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["vary"] == "accept-encoding"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) * 2 < len(plain.body)
    assert packed.headers["etag"] != plain.headers["etag"]


async def test_other_people_s_pages_may_import_the_kit_and_its_types(live: Live) -> None:
    for path, media in {"/upcard.js": "text/javascript", "/upcard.wire.d.ts": "text/plain"}.items():
        answer = await live.call("GET", path)
        assert answer.status == 200
        assert answer.headers["content-type"].startswith(media)
        assert answer.headers["access-control-allow-origin"] == "*"


def test_a_changed_file_changes_the_mark(tmp_path) -> None:
    (tmp_path / "index.html").write_text('<link href="/-/@/a.css"><!-- modules -->')
    (tmp_path / "main.js").write_text('import { a } from "./part/a.js";\n')
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "a.js").write_text('import "../b.js";\nconst later = () => import("./c.js");\n')
    (tmp_path / "b.js").write_text('export * from "./part/a.js";\n')
    before = Pages(tmp_path)
    page = before.page.body.decode()
    assert f'<link href="/-/{before.mark}/a.css">' in page
    assert re.findall(rf"/-/{before.mark}/(\S+)\.js", page) == ["main", "part/a", "b"]
    (tmp_path / "b.js").write_text("export const b = 1;\n")
    assert Pages(tmp_path).mark != before.mark


async def test_sites_that_were_named_may_call_and_others_may_not(serve) -> None:
    live = serve(origins="https://cards.example")
    asked = {"access_control_request_method": "POST", "access_control_request_headers": "authorization,content-type"}
    friend = await live.call("OPTIONS", "/api/rooms", origin="https://cards.example", **asked)
    assert friend.status == 200
    assert friend.headers["access-control-allow-origin"] == "https://cards.example"
    stranger = await live.call("OPTIONS", "/api/rooms", origin="https://else.example", **asked)
    assert "access-control-allow-origin" not in stranger.headers


# games, decks, codes, names


async def test_a_game_tells_people_its_rules(live: Live) -> None:
    guide = await live.call("GET", "/api/games/ggltcg/guide")
    assert guide.headers["content-type"].startswith("text/markdown")
    assert guide.body.startswith(b"# GGLTCG\n")
    games = (await live.call("GET", "/api/games")).json
    about = next(game["about"] for game in games if game["id"] == "ggltcg")
    assert about == "Two players, six toys and tricks each. Put all of the other's cards to sleep before yours are."
    refused(await live.call("GET", "/api/games/no-such-game/guide"), 404)


async def test_a_deck_can_be_checked_before_anybody_sits_down(live: Live) -> None:
    deck = ["Ka", "Knight", "Beary", "Raggy", "Umbruh", "Wake"]
    good = await live.call("POST", "/api/games/ggltcg/deck", {"deck": deck})
    assert (good.status, good.json) == (200, {"cards": 6, "mistakes": []})
    bad = await live.call("POST", "/api/games/ggltcg/deck", {"deck": ["Ka", "Ka", "Nobody"]})
    assert (bad.status, bad.json["cards"]) == (200, 3)
    assert {"deck_size", "unknown_card"} <= {mistake["code"] for mistake in bad.json["mistakes"]}
    assert all(mistake["text"] for mistake in bad.json["mistakes"])
    refused(await live.call("POST", "/api/games/ggltcg/deck", {"deck": "no such deck"}), 400, "unknown_deck")
    refused(await live.call("POST", "/api/games/ggltcg/deck", {"deck": deck, "options": {"no": 1}}), 400, "bad_option")
    refused(await live.call("POST", "/api/games/ggltcg/deck", {}), 400)
    refused(await live.call("POST", "/api/games/no-such-game/deck", {"deck": deck}), 404)


async def test_a_deck_of_lore_can_be_checked_and_brought_as_a_list(live: Live) -> None:
    decks = find_game("lore").decks
    own = [*decks["Lantern Choir"][1:], "Vesper Round"]
    good = await live.call("POST", "/api/games/lore/deck", {"deck": own})
    assert good.json == {"cards": 60, "mistakes": []}
    mixed = [*decks["Lantern Choir"][:55], *["Broadside"] * 5, "Brodside"]
    bad = await live.call("POST", "/api/games/lore/deck", {"deck": mixed})
    told = {mistake["code"]: mistake["text"] for mistake in bad.json["mistakes"]}
    assert list(told) == ["unknown_card", "deck_copies", "deck_inks"]
    assert told["unknown_card"] == "There is no card 'Brodside'. Did you mean Broadside?"
    ana = await live.session("Ana")
    made = await live.call("POST", "/api/rooms", {"game": "lore", "deck": own}, ana["token"])
    assert made.status == 201
    refused(await live.call("POST", "/api/rooms", {"game": "lore", "deck": mixed}, ana["token"]), 400)


async def test_a_code_leads_to_public_facts_and_guessing_is_slow(live: Live) -> None:
    ana = await come(live, "Ana")
    made = await make_room(ana, private=True, watch={"delay": {"moves": 2}})
    found = (await live.call("GET", f"/api/codes/{made['code'].lower()}")).json
    assert (found["room"], found["game"], found["delay"]) == (made["room"], "ggltcg", {"moves": 2})
    assert ana.token.encode() not in msgspec.json.encode(found)
    refused(await live.call("GET", "/api/codes/ZZZZZZ"), 404, "bad_code")
    refused(await live.call("GET", "/api/codes/" + "x" * 300), 404, "bad_code")


async def test_somebody_can_take_another_name_and_stays_who_they_are(live: Live) -> None:
    first = await live.session("Ana")
    answer = await live.call("POST", "/api/session", {"name": "Anna"}, token=first["token"])
    assert answer.status == 201
    assert answer.json["user"] == {"id": first["user"]["id"], "name": "Anna"}
    person = await come(live, session=answer.json)
    assert person.user == answer.json["user"]
    refused(await live.call("POST", "/api/session", {"name": "Bo"}, token="nonsense"), 401)


# replays


async def test_a_match_is_told_again_to_whoever_could_have_watched(live: Live) -> None:
    room, ana, bo = await seated(live, watch={"who": "nobody"})
    refused(await live.call("GET", f"/api/rooms/{room}/replay/all", token=ana.token), 403, "not_over")
    await play_out(room, ana, bo)
    refused(await live.call("GET", f"/api/rooms/{room}/replay/all"), 403)
    refused(await live.call("GET", f"/api/rooms/{room}/replay/2", token=ana.token), 404, "no_view")
    for view in ("0", "1", "watch", "all"):
        story = (await live.call("GET", f"/api/rooms/{room}/replay/{view}", token=bo.token)).json
        assert story["checked"] is True
        assert story["seats"] == ["Ana", "Bo"]
        assert [step["v"] for step in story["steps"]] == list(range(2, ana.boards[room].v + 1))
        hands = [zone for zone in ("0.hand", "1.hand") if "cards" in story["view"]["zones"][zone]]
        assert hands == {"0": ["0.hand"], "1": ["1.hand"], "watch": [], "all": ["0.hand", "1.hand"]}[view]

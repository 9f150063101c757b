"""Whole matches, played with a mouse, a keyboard and a finger."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

from playwright.async_api import expect

from tests.browser.people import OVER, Someone, play_out
from tests.live.serving import Live


async def test_two_people_play_a_whole_match_against_each_other(live: Live, come: Callable[..., Any]) -> None:
    ana, bo = await asyncio.gather(come("Ana"), come("Bo"))
    room = await ana.opens_table()
    await bo.go(f"/table/{room}")
    await expect(bo.page.get_by_text("Ana waits for you.")).to_be_visible()
    await bo.press("Sit down")
    await play_out(ana, bo, seed=4)
    result = (await live.call("GET", f"/api/rooms/{room}/replay")).json["result"]
    for seat, someone in enumerate((ana, bo)):
        words = "You have won!" if seat in result["winners"] else "has won" if result["winners"] else "A draw"
        await expect(someone.tray).to_contain_text(words)
    truth = live.truth(room)
    assert len(truth.inputs) > 10
    assert {entry["seat"] for entry in truth.inputs} == {0, 1}


async def test_a_friend_comes_in_by_a_private_link(live: Live, come: Callable[..., Any]) -> None:
    ana, bo, cy = await asyncio.gather(come("Ana"), come("Bo"), come("Cy"))
    room = await ana.opens_table(private=True)
    link = await ana.page.locator(".invite .link").inner_text()
    code = await ana.page.locator(".invite .code").inner_text()
    assert link == f"{live.url}/join/{code}"
    await cy.go()
    await expect(cy.page.get_by_text("No open table at the moment")).to_be_visible()
    await bo.go(link.removeprefix(live.url))
    await bo.press("Sit down")
    await bo.page.wait_for_url(f"**/table/{room}")
    for someone in (ana, bo):
        await expect(someone.page.locator(".side.me .zone[data-zone$=hand] .card[data-card]")).to_have_count(6)
    await cy.at_home()
    cy.pardoned = ("404",)
    await cy.page.get_by_label("Have a code?").fill(code.lower())
    await cy.press("Join")  # too late: nobody else sits down here
    full = cy.page.get_by_text("All chairs are taken.").or_(cy.page.get_by_text("No table has this code"))
    await expect(full.first).to_be_visible()
    await expect(cy.page.get_by_role("button", name="Sit down")).to_have_count(0)


async def test_a_wrong_code_leads_nowhere(come: Callable[..., Any]) -> None:
    ana: Someone = await come("Ana")
    ana.pardoned = ("404",)
    await ana.at_home()
    await ana.page.get_by_label("Have a code?").fill("ZZZZZZ")
    await ana.press("Join")
    await expect(ana.page.locator(".toast.bad")).to_contain_text("No table has this code")
    assert ana.page.url == f"{ana.url}/"


async def test_a_match_can_be_played_with_the_keyboard_alone(come: Callable[..., Any]) -> None:
    ana: Someone = await come("Ana")
    await ana.go()
    page, keys, luck = ana.page, ana.page.keyboard, Random(3)
    await expect(page.locator(".tile").first).to_be_visible()
    await tab_to(ana, ".tile[data-game=ggltcg]", ".tile")
    await keys.press("Space")
    await tab_to(ana, "text=Play a bot")
    await keys.press("Enter")
    await tab_to(ana, "dialog .entry >> text=Random")
    await keys.press("Enter")
    await page.wait_for_url("**/table/*")
    for _ in range(300):
        before = await ana.state()
        if not await ana.ready():
            break
        usable = await page.locator(".mat .card[data-state~=can]").count()
        if await page.locator(".tray .pick").count():
            await tab_to(ana, ".tray .pick:not([aria-pressed=true])")
            await keys.press("Enter")
            if await page.locator(".tray [data-key=done]:enabled").count():
                await tab_to(ana, ".tray [data-key=done]")
                await keys.press("Enter")
        elif usable and luck.random() < 0.8:
            await arrow_to(ana, ".card[data-state~=can]")
            await keys.press("Enter")
            await expect(page.locator(".menu .offer").first).to_be_focused()
            await keys.press("Enter")
        else:
            await keys.press("t")  # straight to what can be done
            await expect(page.locator(".tray .offer").first).to_be_focused()
            await keys.press("Enter")
        await ana.until_other(before)
        await page.wait_for_function("() => document.activeElement !== document.body")  # the focus is never lost
    await expect(page.locator(OVER)).to_be_visible()


async def tab_to(someone: Someone, selector: str, otherwise: str = "") -> None:
    """Press the tab key until something has the focus; in a group, arrows lead on."""
    wanted = someone.page.locator(selector).first
    await wanted.wait_for()
    for _ in range(80):
        if await wanted.evaluate("one => one === document.activeElement || one.contains(document.activeElement)"):
            return
        inside = otherwise and await someone.page.evaluate("s => !!document.activeElement?.matches(s)", otherwise)
        await someone.page.keyboard.press("ArrowRight" if inside else "Tab")
    raise AssertionError(f"the tab key does not lead to {selector}")


async def arrow_to(someone: Someone, selector: str) -> None:
    """From zone to zone with the tab key, from card to card with arrows."""
    for _ in range(80):
        if await someone.page.evaluate("s => !!document.activeElement?.matches(s)", selector):
            return
        at = await someone.page.evaluate(
            """() => { const zone = document.activeElement?.closest("[data-zone]");
                 const cards = [...(zone?.querySelectorAll(".card[data-card]") ?? [])];
                 return cards.indexOf(document.activeElement) < cards.length - 1 && cards.length > 1; }"""
        )
        await someone.page.keyboard.press("ArrowRight" if at else "Tab")
    raise AssertionError(f"no key leads to {selector}")


async def test_a_card_is_played_by_dragging_it_to_where_it_belongs(come: Callable[..., Any]) -> None:
    ana: Someone = await come("Ana")
    await ana.plays_bot(game="pebbles")
    assert await ana.ready()
    card = ana.page.locator(".side.me .card[data-state~=can]").first
    label = await card.locator(".name").inner_text()
    start = await card.bounding_box()
    pond = await ana.page.locator("[data-zone=pond]").bounding_box()
    assert start is not None
    assert pond is not None
    await ana.page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    await ana.page.mouse.down()
    await ana.page.mouse.move(start["x"] + 40, start["y"] - 40, steps=4)
    await expect(ana.page.locator(".zone.drop[data-zone=pond]")).to_be_visible()
    await ana.page.mouse.move(pond["x"] + pond["width"] / 2, pond["y"] + pond["height"] / 2, steps=6)
    await ana.page.mouse.up()
    await expect(ana.page.locator("[data-zone=pond] .card", has_text=label).first).to_be_visible()


async def test_a_game_that_the_client_has_never_heard_of_can_be_played(come: Callable[..., Any]) -> None:
    """Ten lines of Python, no playmat, no messages: zones, cards and moves are found all the same."""
    ana, bo = await asyncio.gather(come("Ana"), come("Bo"))
    room = await ana.opens_table(game="pebbles")
    await bo.go(f"/table/{room}")
    await bo.press("Sit down")
    await expect(ana.page.locator("[data-zone='0.hand'] .card[data-card]")).to_have_count(3)
    await expect(ana.page.locator("[data-zone='1.hand'] .card.down")).to_have_count(3)
    await play_out(ana, bo)
    await expect(ana.tray).to_contain_text("You have won!")
    await expect(bo.tray).to_contain_text("Ana has won")
    await expect(bo.tray).to_contain_text("empty handed")


async def test_a_match_fits_a_phone_and_is_played_with_a_finger(come: Callable[..., Any]) -> None:
    for viewport in ({"width": 360, "height": 720}, {"width": 800, "height": 360}):
        ana: Someone = await come("Ana", viewport=viewport, has_touch=True, is_mobile=True)
        await ana.plays_bot()
        assert await ana.ready()
        size = await ana.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert size[0] <= viewport["width"]
        assert size[1] <= viewport["height"]
        hand = ana.page.locator(".side.me .zone[data-zone$=hand] .card")
        for n in range(await hand.count()):
            box = await hand.nth(n).bounding_box()
            assert box is not None
            assert box["x"] >= -8
            assert box["x"] + box["width"] <= viewport["width"] + 8
            assert box["y"] + box["height"] <= viewport["height"]
        card = ana.page.locator(".side.me .card[data-state~=can]").last
        await card.tap(position={"x": 10, "y": 10}, force=True)
        await expect(ana.page.locator(".menu")).to_be_visible()
        menu = await ana.page.locator(".menu").bounding_box()
        assert menu is not None
        assert menu["x"] >= 0
        assert menu["x"] + menu["width"] <= viewport["width"] + 1
        before = await ana.state()
        await ana.page.locator(".menu .offer").first.tap()
        await ana.until_other(before)


async def test_one_person_and_three_bots_is_one_click(live: Live, come: Callable[..., Any]) -> None:
    ana: Someone = await come("Ana")
    room = await ana.plays_bot(game="kittens")
    seats = (await live.call("GET", f"/api/rooms/{room}")).json["seats"]
    assert [seat["bot"] for seat in seats] == [False, True, True, True]


async def test_whoever_opens_a_table_says_what_becomes_of_those_who_leave(live: Live, come: Callable[..., Any]) -> None:
    ana: Someone = await come("Ana")
    await ana.at_home("kittens")
    await ana.press("Open a table")
    form = ana.page.locator("dialog")
    await form.locator("summary", has_text="More").click()
    await form.get_by_label("Whoever goes").select_option(label="is played for by a bot: Greedy: thinks one move ahead")
    await form.get_by_role("button", name="Open the table").click()
    await ana.page.wait_for_url("**/table/*")
    assert (await live.call("GET", f"/api/rooms/{ana.room}")).json["leavers"] == "bot:greedy"


async def test_a_game_for_one_begins_with_one_click(come: Callable[..., Any]) -> None:
    ana: Someone = await come("Ana")
    await ana.plays_alone("solitaire")
    assert await ana.ready()
    await expect(ana.page.locator(".seat")).to_have_count(1)
    await ana.go("/")
    await expect(ana.page.locator(".notice.match")).to_contain_text("Your match of Solitaire is waiting for you.")


async def test_a_grey_card_says_why_it_is_grey(come: Callable[..., Any]) -> None:
    ana: Someone = await come("Ana")
    await ana.plays_bot()
    assert await ana.ready()
    card = ana.page.locator(".side.me .card[data-state~=grey]").first
    why = str(await card.get_attribute("aria-description"))
    assert why.endswith(".")
    await card.dispatch_event("click")
    await expect(ana.page.locator(".menu .why")).to_have_text(why)
    await expect(ana.page.locator(".menu .offer")).to_have_count(0)
    await ana.page.keyboard.press("Escape")
    await card.hover(force=True, position={"x": 12, "y": 40})
    await expect(ana.page.locator(".preview .why")).to_have_text(why)

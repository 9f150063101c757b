"""Those who watch, and those who look again at what is over."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from random import Random
from typing import Any

from playwright.async_api import expect

from tests.browser.people import Someone, play_out
from tests.live.serving import Live


async def test_somebody_drops_in_and_sees_what_the_table_sees(come: Callable[..., Any]) -> None:
    ana, cy = await asyncio.gather(come("Ana"), come("Cy"))
    room = await ana.opens_table(Player_2="Random: plays anything at all")
    assert await ana.ready()
    await cy.go()
    await cy.page.locator(f".tables a[href='/table/{room}']").click()
    await cy.page.wait_for_url(f"**/table/{room}")
    await expect(cy.page.locator(".tray[data-kind=watching]")).to_be_visible()
    await expect(ana.page.locator("#bar .watchers")).to_have_text("1 watches")
    for hand in await cy.page.locator(".zone[data-zone$=hand]").all():
        assert await hand.locator(".card[data-card]").count() == 0  # nobody's hand is shown
    luck = Random(1)
    for _ in range(4):
        before = await ana.state()
        if await ana.ready():
            await ana.move(luck)
            await ana.until_other(before)
    assert await ana.ready()  # and the bot has made its moves
    version = await ana.page.locator(".table-page").get_attribute("data-v")
    await expect(cy.page.locator(".table-page")).to_have_attribute("data-v", str(version))
    shown = "[data-zone='{0}.in_play'] .card .name"
    for seat in (0, 1):
        names = [await one.page.locator(shown.format(seat)).all_inner_texts() for one in (ana, cy)]
        assert names[0] == names[1]
    below = cy.page.locator(".side.me")
    await expect(below).to_have_attribute("data-seat", "0")
    await cy.press("Other side")
    await expect(below).to_have_attribute("data-seat", "1")


async def test_watchers_are_told_that_they_see_it_later(come: Callable[..., Any]) -> None:
    ana, cy = await asyncio.gather(come("Ana"), come("Cy"))
    await ana.at_home()
    await ana.press("Open a table")
    form = ana.page.locator("dialog")
    await form.get_by_label("Player 2").select_option(label="Random: plays anything at all")
    await form.get_by_text("Who may watch").click()
    await form.get_by_label("They see it").select_option(label="three moves later")
    await form.get_by_role("button", name="Open the table").click()
    await ana.page.wait_for_url("**/table/*")
    assert await ana.ready()
    await cy.go(f"/table/{ana.room}")
    await expect(cy.page.locator(".delay")).to_have_text("Shown 3 moves later")


async def finished(come: Callable[..., Any]) -> tuple[Someone, str]:
    """Somebody who has just played a match to its end."""
    ana: Someone = await come("Ana")
    room = await ana.plays_bot()
    await play_out(ana, seed=2)
    return ana, room


async def test_a_replay_is_scrubbed_seen_by_anybody_and_proven(live: Live, come: Callable[..., Any]) -> None:
    ana, room = await finished(come)
    page = ana.page
    await page.get_by_role("link", name="Replay").click()
    await page.wait_for_url(f"**/replay/{room}**")
    await expect(page.locator(".proof.good", has_text="Shuffle verified")).to_be_visible()
    await expect(page.locator(".proof.good", has_text="Match verified")).to_be_visible()
    slider = page.get_by_label("Moment of the match")
    last = len(live.truth(room).inputs)
    assert await slider.get_attribute("max") == str(last)
    hands = page.locator(".zone[data-zone$=hand] .card[data-card]")
    await expect(hands).to_have_count(12)  # all hands lie open at the deal
    await page.get_by_label("Seen by").select_option(label="As Ana saw it")
    await expect(hands).to_have_count(6)
    await page.get_by_label("Seen by").select_option(label="As watchers saw it")
    await expect(hands).to_have_count(0)
    await slider.fill(str(last))
    await expect(page.locator(".what")).to_contain_text(re.compile(r"wins|draw"))
    for button, step in (("One step back", last - 1), ("One step on", last), ("To the deal", 0)):
        await page.get_by_role("button", name=button).click()
        await expect(page.locator(".what")).to_contain_text(f"Step {step} of {last}")
    await page.get_by_role("button", name="Turn ›").click()
    await expect(page.locator(".what")).to_contain_text("turn 2")
    moment, words = page.url, await page.locator(".what").inner_text()
    await page.goto(moment)  # the link to this very moment
    await expect(page.locator(".what")).to_have_text(words)
    await page.get_by_label("Speed", exact=True).select_option("4")
    await page.get_by_role("button", name="Play", exact=True).click()
    await expect(page.locator(".what")).not_to_have_text(words)
    await page.get_by_role("button", name="Pause").click()


async def test_the_debug_drawer_leads_to_any_version_of_a_match_that_is_over(come: Callable[..., Any]) -> None:
    ana, room = await finished(come)
    await ana.page.get_by_role("button", name="More", exact=True).click()
    await ana.page.locator("dialog").get_by_role("button", name="Debug drawer").click()
    drawer = ana.page.locator(".debug")
    for version in (4, 7):
        await drawer.get_by_label("Version").fill(str(version))
        await drawer.get_by_role("button", name="Go there").click()
        await ana.page.wait_for_url(f"**/replay/{room}?v={version}**")
        await expect(drawer.locator(".figures")).to_contain_text(f"version {version}")


async def test_a_seed_that_was_not_promised_is_shown_as_such(come: Callable[..., Any]) -> None:
    ana, room = await finished(come)

    async def tamper(route: Any) -> None:
        answer = await route.fetch()
        record = await answer.json()
        await route.fulfill(response=answer, json={**record, "seed": "00" * 32})

    await ana.page.route(f"**/api/rooms/{room}/replay", tamper)
    await ana.go(f"/replay/{room}")
    await expect(ana.page.locator(".proof.bad")).to_contain_text("The seed is not the promised one!")


async def test_a_match_that_is_not_over_has_no_replay(come: Callable[..., Any]) -> None:
    ana: Someone = await come("Ana")
    room = await ana.plays_bot()
    ana.pardoned = ("403", "A replay can be seen after the end")
    await ana.go(f"/replay/{room}")
    await expect(ana.page.get_by_role("heading")).to_contain_text("A replay can be seen after the end")

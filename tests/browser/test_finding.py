"""Finding each other: one click, the queue, the lobby as it happens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from playwright.async_api import expect

from tests.browser.people import Someone


async def test_one_click_each_and_two_strangers_sit_at_one_table(come: Callable[..., Any]) -> None:
    ana, bo = await asyncio.gather(come("Ana"), come("Bo"))
    await asyncio.gather(ana.at_home("lore"), bo.at_home("lore"))
    await ana.press("Play now")
    queue = ana.page.locator(".notice.seeking")
    await expect(queue).to_contain_text("Looking for an opponent: Lore")
    await expect(queue.locator(".count")).to_have_text("0:01")
    await ana.page.get_by_role("link", name="Settings").click()  # the search goes on whatever one looks at
    await expect(queue).to_be_visible()
    await bo.press("Play now")
    for someone in (ana, bo):
        await someone.page.wait_for_url("**/table/*")
        await expect(someone.page.locator(".side.me .zone[data-zone$=hand] .card[data-card]")).to_have_count(7)
        await expect(someone.page.locator(".seat .clock:visible")).to_have_count(2)
        await expect(someone.page.locator(".notice.seeking")).to_have_count(0)
    assert ana.room == bo.room


async def test_whoever_thinks_better_of_it_seeks_no_more(come: Callable[..., Any]) -> None:
    ana, bo = await asyncio.gather(come("Ana"), come("Bo"))
    await asyncio.gather(ana.at_home("mars"), bo.at_home("mars"))
    await ana.press("Play now")
    await ana.page.locator(".notice.seeking").get_by_role("button", name="Cancel").click()
    await expect(ana.page.locator(".notice.seeking")).to_have_count(0)
    await bo.press("Play now")
    await expect(bo.page.locator(".notice.seeking")).to_contain_text("1 waiting")
    await bo.page.locator(".notice.seeking").get_by_role("button", name="Cancel").click()


async def test_a_lost_connection_does_not_lose_the_place_in_the_queue(come: Callable[..., Any]) -> None:
    ana, bo = await asyncio.gather(come("Ana"), come("Bo"))
    await asyncio.gather(ana.at_home("table"), bo.at_home("table"))
    ana.pardoned = ("ERR_INTERNET_DISCONNECTED", "WebSocket")
    await ana.press("Play now")
    await expect(ana.page.locator(".notice.seeking")).to_be_visible()
    await ana.context.set_offline(True)
    await expect(ana.page.locator(".notice.trouble")).to_be_visible()
    await ana.context.set_offline(False)
    await expect(ana.page.locator(".notice.trouble")).to_have_count(0)
    await bo.press("Play now")
    for someone in (ana, bo):
        await someone.page.wait_for_url("**/table/*")
    assert ana.room == bo.room


async def test_the_lobby_shows_tables_as_they_come_and_go(come: Callable[..., Any]) -> None:
    ana, bo = await asyncio.gather(come("Ana"), come("Bo"))
    await bo.at_home()
    room = await ana.opens_table()
    row = bo.page.locator(f".tables a[href='/table/{room}']")
    await expect(row).to_contain_text("free chair")
    await row.click()
    await bo.press("Sit down")
    await expect(bo.page.locator(".side.me .zone[data-zone$=hand] .card[data-card]")).to_have_count(6)
    cy: Someone = await come("Cy")
    await cy.at_home()
    await expect(cy.page.locator(f".tables a[href='/table/{room}']")).to_contain_text("Watch")

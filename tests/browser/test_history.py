"""What remains: ratings, leaderboards, players."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any

from playwright.async_api import expect

from tests.browser.people import OVER, Someone
from tests.browser.test_coming_back import seated
from tests.browser.test_talk import tool


async def test_a_ranked_match_changes_ratings_and_everybody_can_see_it(come: Callable[..., Any]) -> None:
    ana, bo = await asyncio.gather(come("Ana"), come("Bo"))
    for someone in (ana, bo):
        await someone.at_home("ggltcg")
        await someone.page.get_by_label("Does it count?").select_option(label="Ranked")
        await someone.press("Play now")
    for someone in (ana, bo):
        await someone.page.wait_for_url("**/table/*")
        await expect(someone.page.locator(".side.me .zone[data-zone$=hand] .card[data-card]")).to_have_count(6)
    room = ana.room
    await tool(bo, "Give up")
    await bo.page.locator("dialog").get_by_role("button", name="Give up").click()
    await expect(ana.tray).to_contain_text(re.compile(r"Your rating: 1[5-9]\d\d \(\+\d+\)"))
    await expect(bo.tray).to_contain_text(re.compile(r"Your rating: 1[0-4]\d\d \(−\d+\)"))
    told = re.search(r"Your rating: (\d+)", await ana.tray.inner_text())
    assert told is not None
    await ana.at_home("ggltcg")
    best = ana.page.locator(".best li", has_text="Ana")
    await expect(best.first).to_contain_text(told[1])
    await ana.page.get_by_role("link", name="Everybody at GGLTCG").click()
    await expect(ana.page.locator(".board tr.me")).to_contain_text("Ana")
    await ana.page.locator(".board tr.me a").click()
    await expect(ana.page.get_by_role("heading", level=1)).to_contain_text("Ana (you)")
    match = ana.page.locator(".past li").first
    await expect(match).to_contain_text("Won against Bo")
    await expect(match).to_contain_text("Ranked")
    await match.get_by_role("link").click()
    await ana.page.wait_for_url(f"**/replay/{room}?*")
    await expect(ana.page.locator(".proof.good")).to_have_count(2)


async def test_a_board_on_which_nobody_stands_says_so(come: Callable[..., Any]) -> None:
    ana: Someone = await come("Ana")
    await ana.go("/leaders/pebbles")
    await expect(ana.page.get_by_role("heading", name="The best at Pebbles")).to_be_visible()
    await expect(ana.page.locator(".none")).to_contain_text("Nobody has played for a rating yet.")
    ana.pardoned = ("404", "Nobody of this name")
    await ana.go("/player/nobody")
    await expect(ana.page.get_by_role("heading")).to_contain_text("Nobody of this name has ended a match here yet.")


async def test_a_player_at_the_table_can_be_looked_up(come: Callable[..., Any]) -> None:
    first, other, _ = await seated(come)
    await tool(other, "Give up")
    await other.page.locator("dialog").get_by_role("button", name="Give up").click()
    await first.page.locator(OVER).wait_for()
    await tool(first, f"About {other.name}")
    await first.page.locator("dialog").get_by_role("button", name="Their matches and ratings").click()
    await expect(first.page.get_by_role("heading", level=1)).to_contain_text(other.name)
    await expect(first.page.locator(".past li").first).to_contain_text(f"Lost against {first.name}")

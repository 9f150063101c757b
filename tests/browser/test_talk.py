"""What people say to each other at a table, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.async_api import expect

from tests.browser.people import Someone
from tests.browser.test_coming_back import hand, seated


async def tool(someone: Someone, name: str) -> None:
    """Something from the menu of the table."""
    await someone.page.get_by_role("button", name="More", exact=True).click()
    await someone.page.locator("dialog").get_by_role("button", name=name).click()


async def test_a_draw_is_offered_and_agreed_and_a_rematch_leads_to_the_next_table(come: Callable[..., Any]) -> None:
    first, other, room = await seated(come)
    await tool(first, "Offer a draw")
    await expect(first.page.locator(".strip")).to_contain_text("You have offered a draw.")
    await expect(other.page.locator(".strip")).to_contain_text(f"{first.name} offers a draw.")
    await other.page.locator(".strip").get_by_role("button", name="Agree").click()
    for someone in (first, other):
        await expect(someone.tray).to_contain_text("A draw")
        await expect(someone.tray).to_contain_text("agreed")
    await other.page.wait_for_timeout(1000)  # a click within the first second was meant for the last move
    await other.press("Rematch")
    await expect(first.page.locator(".strip")).to_contain_text(f"{other.name} wants a rematch.")
    await first.page.locator(".strip").get_by_role("button", name="Agree").click()
    for someone in (first, other):
        await someone.page.wait_for_url(lambda url: "/table/" in url and room not in url)
        await expect(someone.page.locator(".side.me .zone[data-zone$=hand] .card[data-card]")).to_have_count(6)
    assert first.room == other.room != room


async def test_a_draw_can_be_refused_and_an_offer_withdrawn(come: Callable[..., Any]) -> None:
    first, other, _ = await seated(come)
    await tool(other, "Offer a draw")
    await first.page.locator(".strip").get_by_role("button", name="No", exact=True).click()
    await expect(other.page.locator(".strip")).to_have_count(0)
    await expect(other.page.locator(".lines .note").last).to_have_text("Refused: a draw.")
    await tool(first, "Offer a draw")
    await first.page.locator(".strip").get_by_role("button", name="Never mind").click()
    await expect(other.page.locator(".strip")).to_have_count(0)
    await expect(first.page.locator(".tray[data-kind=mine]")).to_be_visible()


async def test_a_move_that_told_nothing_is_taken_back(come: Callable[..., Any]) -> None:
    first, other, _ = await seated(come)
    cards = await hand(first)
    await first.press("End turn")
    await expect(other.page.locator(".tray[data-kind=mine]")).to_be_visible()
    await tool(first, "Take my last move back")
    agree = other.page.locator(".strip").get_by_role("button", name="Agree")
    await agree.or_(other.page.locator(".tray[data-kind=theirs]")).first.wait_for()
    if await agree.count():
        await agree.click()
    await expect(first.page.locator(".tray[data-kind=mine]")).to_be_visible()
    await expect(other.page.locator(".tray[data-kind=theirs]")).to_be_visible()
    assert await hand(first) == cards


async def test_giving_up_is_asked_about_once_more(come: Callable[..., Any]) -> None:
    first, other, _ = await seated(come)
    await tool(first, "Give up")
    await first.page.locator("dialog").get_by_role("button", name="No").click()
    await expect(first.page.locator(".tray[data-kind=mine]")).to_be_visible()
    await tool(first, "Give up")
    await first.page.locator("dialog").get_by_role("button", name="Give up").click()
    await expect(other.tray).to_contain_text("You have won!")
    await expect(first.tray).to_contain_text("somebody gave up")


async def test_names_and_chat_are_only_ever_text(come: Callable[..., Any]) -> None:
    first, other, _ = await seated(come)
    words = "<img src=x onerror=alert(1)> **hello** https://else.example"
    await first.page.get_by_label("Say something").fill(words)
    await first.page.keyboard.press("Enter")
    for someone in (first, other):
        line = someone.page.locator(".lines .chat").last
        await expect(line).to_contain_text(words)
        assert await line.locator("img, a, strong").count() == 0
    await other.page.get_by_role("button", name="Well played!").click()
    await expect(first.page.locator(".lines .chat").last).to_contain_text("Well played!")
    await first.page.reload()  # what was said is told again, once
    await expect(first.page.locator(".lines .chat")).to_have_count(2)


async def test_a_strange_name_stays_a_name(come: Callable[..., Any]) -> None:
    name = "<b onclick=x>Ana</b>"
    ana: Someone = await come("")
    await ana.at_home()
    await ana.page.locator("#bar .who").click()
    await ana.page.get_by_label("Your name", exact=True).fill(name)
    await ana.press("That is me")
    await expect(ana.page.locator("#bar .who .name")).to_have_text(name)
    await ana.plays_bot()
    await expect(ana.page.locator(".side.me .seat .name")).to_have_text(name)
    assert await ana.page.locator(".seat b[onclick]").count() == 0

"""Reloads, lost connections, second windows, a server that is renewed: the same seat, the same question, one move."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any

from playwright.async_api import Browser, expect

from tests.browser.people import Someone
from tests.live.serving import Live


async def seated(come: Callable[..., Any], **more: Any) -> tuple[Someone, Someone, str]:
    """Two people at a table, whoever is to move first."""
    ana, bo = await asyncio.gather(come("Ana", **more), come("Bo", **more))
    room = await ana.opens_table()
    await bo.go(f"/table/{room}")
    await bo.press("Sit down")
    await ana.page.locator(".tray[data-kind=mine], .tray[data-kind=theirs]").wait_for()
    return (ana, bo, room) if await ana.kind() == "mine" else (bo, ana, room)


async def hand(someone: Someone) -> list[str]:
    """The names of the cards in somebody's hand."""
    return await someone.page.locator(".side.me .zone[data-zone$=hand] .card .name").all_inner_texts()


async def test_a_reload_comes_back_to_the_same_seat(come: Callable[..., Any]) -> None:
    first, other, _ = await seated(come)
    cards, version = await hand(first), await first.page.locator(".table-page").get_attribute("data-v")
    for someone in (first, other):
        await someone.page.reload()
    await expect(first.page.locator(".tray[data-kind=mine]")).to_be_visible()
    await expect(other.page.locator(".tray[data-kind=theirs]")).to_be_visible()
    assert await hand(first) == cards
    assert await first.page.locator(".table-page").get_attribute("data-v") == version
    await first.press("End turn")
    await expect(other.page.locator(".tray[data-kind=mine]")).to_be_visible()


async def test_a_reload_comes_back_to_the_same_question(come: Callable[..., Any]) -> None:
    """Somebody whom a question is put to loads the page anew and is asked again."""
    ana: Someone = await come("Ana")
    while not await asked_for_a_place(ana):
        pass  # the bot has drawn every Spark by itself
    words = await ana.tray.locator(".title").inner_text()
    await ana.page.reload()
    await expect(ana.page.locator(".tray[data-kind=asked] .title")).to_have_text(words)
    for width, height in ((360, 720), (800, 360), (1280, 860)):
        await ana.page.set_viewport_size({"width": width, "height": height})
        for part in ("input[type=number]", ".step >> nth=0", ".step >> nth=1"):
            await ana.page.locator(f".tray .number {part}").click(trial=True)  # nothing lies over it
    await ana.page.locator(".tray .number input[type=number]").fill("1")
    await ana.press("Take this number")
    await expect(ana.page.locator(".tray .number")).to_have_count(0)


async def asked_for_a_place(ana: Someone) -> bool:
    """Draw until there is a Spark to be hidden; False if the match ends before that."""
    await ana.at_home("kittens")
    await ana.press("Open a table")
    form = ana.page.locator("dialog")
    await form.get_by_label("Player 2").select_option(label="Random: plays anything at all")
    await form.get_by_label("Actions").uncheck()  # whoever draws a Spark has a Douse, and is asked where it goes
    await form.get_by_role("button", name="Open the table").click()
    while await ana.ready():
        if await ana.page.locator(".tray .number").count():
            return True
        before = await ana.state()
        await ana.page.locator(".tray .offer", has_text="Draw").click()
        await ana.until_other(before)
    return False


async def test_a_move_made_without_a_connection_is_made_once(live: Live, come: Callable[..., Any]) -> None:
    first, other, room = await seated(come)
    first.pardoned = ("ERR_INTERNET_DISCONNECTED", "WebSocket")
    before = len(live.truth(room).inputs)
    await first.context.set_offline(True)
    await first.press("End turn")
    await expect(first.page.locator(".notice.trouble")).to_be_visible()
    await expect(first.tray).to_contain_text("Your move is kept")
    assert len(live.truth(room).inputs) == before
    await first.context.set_offline(False)
    await expect(other.page.locator(".tray[data-kind=mine]")).to_be_visible()
    await expect(first.page.locator(".notice.trouble")).to_have_count(0)
    await expect(first.page.locator(".tray[data-kind=theirs]")).to_be_visible()
    assert len(live.truth(room).inputs) == before + 1


async def test_everybody_sees_who_is_away(come: Callable[..., Any]) -> None:
    first, other, room = await seated(come)
    await expect(other.page.locator(".seat .dot.good")).to_have_count(2)
    await first.page.close()
    away = other.page.locator(".side.other .seat[data-away] .dot.bad")
    await expect(away).to_have_attribute("aria-label", re.compile("^Away, last seen"))
    first.page = await first.window()
    await first.go(f"/table/{room}")
    await expect(other.page.locator(".seat .dot.good")).to_have_count(2)


async def test_a_move_made_without_a_connection_survives_a_reload(live: Live, come: Callable[..., Any]) -> None:
    first, other, room = await seated(come)
    first.pardoned = ("ERR_INTERNET_DISCONNECTED", "WebSocket")
    before = len(live.truth(room).inputs)
    await first.context.set_offline(True)
    await first.press("End turn")
    await expect(first.tray).to_contain_text("Your move is kept")
    await first.context.set_offline(False)
    await first.page.reload()
    await expect(other.page.locator(".tray[data-kind=mine]")).to_be_visible()
    await expect(first.page.locator(".tray[data-kind=theirs]")).to_be_visible()
    assert len(live.truth(room).inputs) == before + 1


async def test_a_second_window_takes_over_and_gives_back(come: Callable[..., Any]) -> None:
    first, _, room = await seated(come)
    old = first.page
    new = await first.window()
    await new.goto(f"{first.url}/table/{room}")
    await expect(new.locator(".tray[data-kind=mine]")).to_be_visible()
    await expect(old.locator(".tray[data-kind=mirror]")).to_be_visible()
    await expect(old.locator(".mat .card[data-state~=can]")).to_have_count(0)
    await old.get_by_role("button", name="Play here").click()
    await expect(old.locator(".tray[data-kind=mine]")).to_be_visible()
    await expect(new.locator(".tray[data-kind=mirror]")).to_be_visible()
    await old.get_by_role("button", name="End turn").click()
    await expect(old.locator(".tray[data-kind=theirs]")).to_be_visible()


async def test_from_every_page_a_way_leads_back_to_the_match(come: Callable[..., Any]) -> None:
    first, _, room = await seated(come)
    for path in ("/", "/settings", "/games/ggltcg", "/decks/ggltcg"):
        await first.go(path)
        await expect(first.page.locator(".notice.match")).to_be_visible()
    await first.page.locator(".notice.match a").click()
    await first.page.wait_for_url(f"**/table/{room}")
    await expect(first.page.locator(".tray[data-kind=mine]")).to_be_visible()
    await expect(first.page.locator(".notice.match")).to_have_count(0)


async def test_a_server_that_is_renewed_is_waited_for(chromium: Browser, serve: Callable[..., Live]) -> None:
    from tests.browser.people import People

    live = serve()
    people = People(chromium, live.url)
    ana: Someone = await people.come("Ana")
    ana.pardoned = ("WebSocket", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET")
    await ana.plays_bot()
    assert await ana.ready()
    cards = await hand(ana)
    assert live.stop() == 0
    await expect(ana.page.locator(".notice.trouble")).to_contain_text("The server is being renewed")
    await expect(ana.page.locator(".notice.trouble")).to_contain_text("Trying again in")
    await live.start_again()
    await expect(ana.page.locator(".notice.trouble")).to_have_count(0)
    assert await ana.ready()
    assert await hand(ana) == cards
    await people.leave()

"""A board of hexes: drawn from the mat alone, and played on by clicking."""

from __future__ import annotations

from playwright.async_api import expect

from tests.browser.people import Someone


async def found_a_corporation(ana: Someone) -> None:
    """Be the first corporation that is offered, and buy nothing."""
    await ana.ready()
    await ana.page.locator(".mat .card[data-state~=can]").first.dispatch_event("click")
    await ana.page.locator(".menu .offer").first.click()
    await ana.page.locator(".tray [data-key=done]").click()
    await ana.page.locator(".tray[data-kind=mine]").wait_for()


async def lay_a_tile(ana: Someone) -> None:
    """The first action of the corporation if it has one, or else a greenery; then the first hex that lights up."""
    first = ana.page.locator(".side.me .card[data-state~=can]")
    if await first.count():
        await first.dispatch_event("click")
        await ana.page.locator(".menu .offer").first.click()
    else:
        await ana.page.locator(".tray .offer[data-type=greenery]").click()
    hexes = ana.page.locator(".hex[data-state~=target]")
    await hexes.first.wait_for()
    assert await hexes.count() > 20
    place = await hexes.first.get_attribute("data-zone")
    await hexes.first.click()
    await expect(ana.page.locator(f"[data-zone='{place}'] .card")).to_have_attribute("data-owner", "0")


async def test_a_tile_is_laid_by_clicking_a_hex_and_bears_the_colour_of_its_owner(ana: Someone) -> None:
    await ana.plays_bot(game="mars")
    await expect(ana.page.locator(".hex[data-zone^='hex.']")).to_have_count(61)
    await found_a_corporation(ana)
    await lay_a_tile(ana)


async def test_what_a_hex_is_called_says_where_it_lies(ana: Someone) -> None:
    await ana.plays_bot(game="mars")
    await found_a_corporation(ana)
    await lay_a_tile(ana)
    told = ana.page.locator(".log").get_by_text("of Ana at")
    await expect(told).to_contain_text("(")


async def test_whoever_has_an_award_stands_beside_the_table(ana: Someone) -> None:
    await ana.plays_bot(game="mars")
    await expect(ana.page.locator(".table-facts")).to_contain_text("Awards")
    await found_a_corporation(ana)
    if await ana.page.locator(".side.me .card[data-state~=can]").count():
        await lay_a_tile(ana)
    await ana.page.locator(".tray [data-key=more]").click()
    await ana.page.locator("dialog .entry", has_text="Fund an award").click()
    await ana.page.locator(".tray .pick", has_text="Stoker (most heat)").click()
    await expect(ana.page.locator(".table-facts .owned")).to_have_text("Stoker: Ana")

"""Everybody can play here: audited pages, other languages, larger texts, less movement, calls to the table."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.people import Someone, play_out
from tests.browser.test_coming_back import seated

WEB = Path(__file__).parents[2] / "server" / "web"
GRAVE = ("serious", "critical")


def axe() -> str:
    """The auditor."""
    return Path(os.environ["UPCARD_AXE"]).read_text(encoding="utf-8")


async def audit(page: Page, where: str) -> list[str]:
    """What axe-core finds grave on a page, when everything has come to rest: what fades in is pale for a moment."""
    await page.wait_for_function(
        "() => document.getAnimations()"
        ".every((it) => it.playState !== 'running' || it.effect.getTiming().iterations === Infinity)"
    )
    await page.evaluate(axe())
    found = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{where}: {rule['id']}: {rule['help']}: {[node['target'] for node in rule['nodes']][:4]}"
        for rule in found["violations"]
        if rule["impact"] in GRAVE
    ]


@pytest.mark.axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_an_audit_finds_nothing_grave_on_any_page(come: Callable[..., Any], scheme: str) -> None:
    ana: Someone = await come("Ana", color_scheme=scheme)
    page, found = ana.page, []
    await ana.at_home()
    found += await audit(page, "front page")
    await ana.press("Open a table")
    found += await audit(page, "making a table")
    for path, ready in {
        "/games/ggltcg": ".guide h2",
        "/decks/ggltcg?deck=%3DClassic": ".verdict.good",
        "/settings": ".settings",
        "/leaders/ggltcg": ".leaders",
    }.items():
        await ana.go(path)
        await page.locator(ready).first.wait_for()
        found += await audit(page, path)
    await ana.plays_bot()
    assert await ana.ready()
    found += await audit(page, "table")
    await page.locator(".side.me .card[data-card]").first.dispatch_event("click")
    await page.locator(".menu").wait_for()
    found += await audit(page, "menu of a card")
    await page.keyboard.press("Escape")
    luck = Random(5)
    for _ in range(40):
        if not await ana.ready():
            break
        if await ana.kind() == "choosing":
            found += await audit(page, "choosing")
            break
        before = await ana.state()
        await ana.move(luck)
        await ana.until_other(before)
    await play_out(ana)
    found += await audit(page, "end of a match")
    await page.get_by_role("link", name="Replay").click()
    await page.locator(".proof.good").first.wait_for()
    found += await audit(page, "replay")
    assert not found, "\n".join(found)


async def test_what_happens_is_read_out(come: Callable[..., Any]) -> None:
    first, other, _ = await seated(come)
    voice = other.page.locator("#voice[aria-live=assertive]")
    log = other.page.locator("[role=log]")
    await first.press("End turn")
    await expect(voice).to_contain_text("Your move.")
    await expect(log).to_contain_text(f"{first.name} ends the turn.")
    assert await other.page.evaluate("document.activeElement === document.body")  # no focus is stolen for that


async def test_somebody_who_looks_elsewhere_is_called(come: Callable[..., Any]) -> None:
    first, other, _ = await seated(come)
    calm = await other.page.locator("#icon").get_attribute("href")
    assert not (await other.page.title()).startswith("●")
    await first.press("End turn")
    await other.page.wait_for_function("() => document.title.startsWith('● Your move')")
    assert await other.page.locator("#icon").get_attribute("href") != calm
    await other.press("End turn")
    await other.page.wait_for_function("() => !document.title.startsWith('●')")
    assert await other.page.locator("#icon").get_attribute("href") == calm


CALLS = """window.calls = []; window.Notification = class {
    static permission = "granted"; constructor(title, more) { window.calls.push(more.body); } close() {} };
    Object.defineProperty(document, "hidden", { get: () => window.away ?? false });"""


async def test_whoever_wants_it_is_notified_while_they_look_elsewhere(come: Callable[..., Any]) -> None:
    first, other, _ = await seated(come, settings={"notify": True})
    for page in (first.page, other.page):
        await page.evaluate(CALLS)
    await other.page.evaluate("window.away = true")
    await first.press("End turn")
    await other.page.wait_for_function("() => window.calls.length")
    assert await other.page.evaluate("window.calls") == ["Your move"]
    assert await first.page.evaluate("window.calls") == []


async def test_sound_is_a_few_notes_until_it_is_muted(come: Callable[..., Any]) -> None:
    first, other, _ = await seated(come, settings={"sound": True})
    notes = """() => { window.notes = 0; const make = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () { window.notes += 1; return make.call(this); }; }"""
    for page in (first.page, other.page):
        await page.evaluate(notes)
    await first.press("Sound is on; mute")
    await first.press("End turn")
    await other.page.wait_for_function("() => window.notes > 0")
    await other.press("End turn")
    await expect(first.page.locator(".tray[data-kind=mine]")).to_be_visible()
    assert await first.page.evaluate("window.notes") == 0


async def test_the_client_speaks_german_to_whoever_wants_it(come: Callable[..., Any]) -> None:
    ana: Someone = await come("Ana", locale="de-DE")
    await ana.go()
    await expect(ana.page.locator("html")).to_have_attribute("lang", "de")
    await expect(ana.page.get_by_role("button", name="Gegen einen Bot")).to_be_visible()
    await ana.go("/settings")
    await ana.page.get_by_label("Sprache").select_option(label="English")
    await expect(ana.page.get_by_role("heading", name="Settings")).to_be_visible()
    await ana.go()
    await expect(ana.page.locator("html")).to_have_attribute("lang", "en")


async def test_every_language_has_every_text_with_the_same_parts(come: Callable[..., Any]) -> None:
    ana: Someone = await come("Ana")
    await ana.go()
    mark = re.search(r"/-/(\w+)/main\.js", await ana.page.content())
    assert mark is not None
    tables = await ana.page.evaluate(
        """async (mark) => Object.fromEntries(await Promise.all(["en", "de"].map(
            async (name) => [name, (await import(`/-/${mark}/texts/${name}.js`)).default])))""",
        mark[1],
    )
    english, german = tables["en"], tables["de"]
    assert german.keys() == english.keys()
    for key, text in english.items():
        assert sorted(re.findall(r"\{\w+\}", german[key])) == sorted(re.findall(r"\{\w+\}", text)), key
    used = set()
    for path in WEB.rglob("*.js"):
        if path.parent.name != "texts":
            used |= set(re.findall(r"""\bt\("([\w.]+)"[,)]""", path.read_text(encoding="utf-8")))
            used |= {f"{key}.other" for key in re.findall(r"""\btn\("([\w.]+)",""", path.read_text(encoding="utf-8"))}
    assert len(used) > 150
    assert used <= english.keys(), sorted(used - english.keys())


async def test_texts_can_be_larger_and_colours_chosen(come: Callable[..., Any]) -> None:
    ana: Someone = await come("Ana", color_scheme="light")
    await ana.go("/settings")
    size = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
    before = await ana.page.evaluate(size)
    await ana.page.get_by_label("Size of texts").select_option("150")
    assert await ana.page.evaluate(size) == before * 1.5
    ground = "getComputedStyle(document.body).backgroundColor"
    light = await ana.page.evaluate(ground)
    await ana.page.get_by_label("Colours").select_option(label="Dark")
    assert await ana.page.evaluate(ground) != light
    await ana.page.reload()
    await expect(ana.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert await ana.page.evaluate(size) == before * 1.5
    wide = await ana.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
async def test_nothing_flies_for_those_who_want_it_still(come: Callable[..., Any], motion: str) -> None:
    ana: Someone = await come("Ana", settings={"speed": "normal"}, reduced_motion=motion)
    await ana.plays_bot(game="pebbles")
    assert await ana.ready()
    await ana.page.evaluate(
        """() => { window.flights = 0; const fly = Element.prototype.animate;
            Element.prototype.animate = function (...how) { window.flights += 1; return fly.apply(this, how); }; }"""
    )
    before = await ana.state()
    await ana.move(Random(1))
    await ana.until_other(before)
    await expect(ana.page.locator("[data-zone=pond] .card").first).to_be_visible()
    assert (await ana.page.evaluate("window.flights") > 0) == (motion == "no-preference")


async def test_a_careful_player_is_asked_before_every_move(come: Callable[..., Any]) -> None:
    ana: Someone = await come("Ana", settings={"careful": True})
    await ana.plays_bot(game="pebbles")
    assert await ana.ready()
    card = ana.page.locator(".side.me .card[data-state~=can]").first
    for answer in ("No", "Yes"):
        before = await ana.page.locator(".table-page").get_attribute("data-v")
        await card.click()
        await ana.page.locator(".menu .offer").click()
        await ana.page.locator("dialog").get_by_role("button", name=answer).click()
        await expect(ana.page.locator("dialog")).to_have_count(0)
        if answer == "No":
            assert await ana.page.locator(".table-page").get_attribute("data-v") == before
    await expect(ana.page.locator("[data-zone=pond] .card").first).to_be_visible()


async def test_a_deck_is_built_checked_kept_and_played(come: Callable[..., Any]) -> None:
    ana: Someone = await come("Ana")
    page, cards = ana.page, ["Ka", "Knight", "Beary", "Raggy", "Umbruh", "Wake"]
    await ana.go("/decks/ggltcg")
    for n, name in enumerate(cards):
        await expect(page.locator(".verdict")).to_have_class(re.compile("bad"))
        await page.locator(f".spread .card[data-face='{name}']").click()
        await expect(page.locator(".size")).to_have_text("1 card" if n == 0 else f"{n + 1} cards")
    await expect(page.locator(".verdict.good")).to_have_text("This deck may be played.")
    await page.get_by_label("Name", exact=True).fill("My six")
    await ana.press("Save")
    await page.reload()
    await page.get_by_label("Begin with").first.select_option(label="My six")
    await expect(page.locator(".decklist li")).to_have_count(6)
    await ana.at_home()
    await ana.press("Play a bot")
    await expect(page.locator("dialog select")).to_have_value("+My six")
    await page.locator("dialog").get_by_role("button", name="Random").click()
    hand = page.locator(".side.me .zone[data-zone$=hand] .card .name")
    await expect(hand).to_have_count(6)
    assert sorted(await hand.all_inner_texts()) == sorted(cards)


async def test_the_debug_drawer_shows_the_view_and_every_frame(come: Callable[..., Any]) -> None:
    ana: Someone = await come("Ana", settings={"debug": True})
    await ana.plays_bot()
    assert await ana.ready()
    drawer = ana.page.locator(".debug")
    await expect(drawer).to_contain_text("version")
    await expect(drawer.locator("summary", has_text="frames")).to_be_visible()
    await drawer.locator("summary", has_text="offers").first.click()
    await expect(drawer).to_contain_text("end_turn")
    await expect(drawer.locator("summary", has_text="view").first).to_contain_text('"game":"ggltcg"')
    await ana.go("/settings")
    await ana.page.get_by_label("Debug drawer").uncheck()
    await ana.page.go_back()
    assert await ana.ready()
    await expect(drawer).to_be_hidden()

"""Lore with a mouse: ink, quests, songs and challenges, drawn from the view, the offers and the mat alone."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from playwright.async_api import expect

from tests.browser.people import Someone

CHOIR = (
    "Wick, Apprentice Lamplighter",
    "Hollin Reed, Choir Tenor",
    "Merle Thrush, Song Collector",
    "Oswin Pale, Gatehouse Warden",
    "Choirmaster Bellamy, Last of the Basses",
    "Ballad of Low Tide",
    "All Hands Carol",
    "Vesper Round",
    "Rowing Shanty",
    "Bram Cutter, Dockside Brawler",
    "Kestrel Vane, Rigging Runner",
    "Sorrel Pike, Duelist for Hire",
    "Emberhound, Kennel Stray",
    "Breakwater Signal",
    "The Lamplit Quay",
)
WISHES = ("sing_song", "challenge_character", "challenge_location", "move_character", "play_ink")
PLAYS = ("play_character", "play_location", "quest_character")
MINE = ".side.me .zone[data-zone$={}] .card"
OPEN_ROOM = """async asked => {
    const token = localStorage.getItem("upcard.token");
    const headers = {"content-type": "application/json", authorization: `Bearer ${token}`};
    return (await fetch("/api/rooms", {method: "POST", body: JSON.stringify(asked), headers})).json();
}"""


async def test_ink_quests_songs_and_challenges_need_nothing_but_clicks(come: Callable[..., Any]) -> None:
    ana: Someone = await come("Ana")
    await ana.at_home("lore")
    asked = {"game": "lore", "deck": list(CHOIR) * 4, "seats": ["me", "bot:random"], "private": True}
    made = await ana.page.evaluate(OPEN_ROOM, asked)
    await ana.go(f"/table/{made['room']}")
    await expect(ana.page.locator(MINE.format("hand"))).to_have_count(7)
    done: set[str] = set()
    luck = Random(1)
    for _ in range(250):
        if not await ana.ready() or {"play_ink", "quest_character", "sing_song", "challenge_character"} <= done:
            break
        before = await ana.state()
        if await ana.kind() != "mine":
            await ana.move(luck)
        elif kind := await clicks_one_of(ana, (*WISHES, *PLAYS)):
            done.add(kind)
            if kind == "play_ink":
                await sees_ink(ana)
            if kind == "quest_character":
                await expect(
                    ana.page.locator(".side.me .zone[data-zone$=characters] .card[data-turned]").first
                ).to_be_visible()
        else:
            await ana.press("End turn")
        await ana.until_other(before)
    assert {"play_ink", "quest_character", "sing_song", "challenge_character"} <= done


async def clicks_one_of(someone: Someone, kinds: tuple[str, ...]) -> str:
    """Open the menus of the cards that can be used, and take the offer that is wished for most; its kind."""
    page = someone.page
    cards, offers = page.locator(".mat .card[data-state~=can]"), page.locator(".menu .offer")
    found: dict[str, int] = {}
    for place in range(await cards.count()):
        await cards.nth(place).dispatch_event("click")
        await offers.first.wait_for()
        for kind in await offers.evaluate_all("all => all.map((one) => one.dataset.type)"):
            found.setdefault(kind, place)
        await page.keyboard.press("Escape")
    for kind in kinds:
        if kind in found:
            await cards.nth(found[kind]).dispatch_event("click")
            await page.locator(f".menu .offer[data-type={kind}]").first.click()
            return kind
    return ""


async def sees_ink(someone: Someone) -> None:
    """The inkwell lies face down before everybody's eyes, one's own too."""
    ink = MINE.format("inkwell")
    await expect(someone.page.locator(ink).first).to_be_visible()
    await expect(someone.page.locator(f"{ink}:not(.down)")).to_have_count(0)

"""People in front of a browser. They see a page, click, type and drag; what a page does wrong is held against it."""

from __future__ import annotations

import asyncio
import json
import re
from random import Random
from typing import Any

from playwright.async_api import Browser, BrowserContext, Locator, Page, Request, expect

PATIENCE = 15_000  # ms
READY = ".tray[data-kind=mine], .tray[data-kind=asked], .tray[data-kind=choosing]"
OVER = ".tray[data-kind^=over]"
STILL = {"speed": "off", "sound": False}  # nothing moves, so nothing has to be waited for

STATE = """[document.querySelector(".table-page")?.dataset.v, document.querySelector(".tray")?.textContent,
    document.querySelectorAll(".tray [aria-pressed=true]").length,
    !!document.querySelector("dialog[open]")].join("|")"""

expect.set_options(timeout=PATIENCE)


class People:
    """Everybody of one test."""

    def __init__(self, chromium: Browser, url: str) -> None:
        self.chromium, self.url = chromium, url
        self.here: list[Someone] = []

    async def come(
        self, name: str = "", *, settings: dict[str, Any] | None = None, url: str = "", **more: Any
    ) -> Someone:
        """Somebody with a browser of their own."""
        more = {"viewport": {"width": 1280, "height": 860}, "locale": "en-GB", **more}
        context = await self.chromium.new_context(**more)
        someone = Someone(context, self.url, name)
        await someone.begin(STILL | (settings or {}))
        self.here.append(someone)
        return someone

    async def leave(self) -> None:
        """Everybody goes; whoever saw something go wrong says so."""
        wrong = [line for someone in self.here for line in someone.wrong]
        told = [url for someone in self.here for url in someone.told]
        for someone in self.here:
            await someone.context.close()
        assert not wrong, wrong
        assert not told, "a token was part of an address"


class Someone:
    """One person and their window."""

    def __init__(self, context: BrowserContext, url: str, name: str) -> None:
        self.context, self.url, self.name = context, url, name
        self.page: Page
        self.wrong: list[str] = []
        self.told: list[str] = []
        self.pardoned: tuple[str, ...] = ()  # what may go wrong in this test

    async def begin(self, settings: dict[str, Any]) -> None:
        words = {"upcard.settings": json.dumps(settings), **({"upcard.name": self.name} if self.name else {})}
        script = (
            "for (const [k, v] of Object.entries(%s)) if (localStorage.getItem(k) === null) localStorage.setItem(k, v);"
        )
        await self.context.add_init_script(script % json.dumps(words))
        self.page = await self.window()

    async def window(self) -> Page:
        """One more window of the same person."""
        page = await self.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self._note(f"{error}"))
        page.on("console", lambda said: self._note(said.text) if said.type == "error" else None)
        page.on("request", self._overhear)
        return page

    def _note(self, text: str) -> None:
        if not any(re.search(pattern, text) for pattern in self.pardoned):
            self.wrong.append(text)

    def _overhear(self, request: Request) -> None:
        if "eyJ" in request.url:  # how every signed token begins
            self.told.append(request.url)

    # getting around

    async def go(self, path: str = "/") -> None:
        await self.page.goto(self.url + path)

    async def at_home(self, game: str = "ggltcg") -> None:
        """At the front page, with a game chosen."""
        await self.go()
        await self.page.locator(f".tile[data-game={game}]").click()
        await expect(self.page.locator("#bar .dot.good")).to_be_visible()

    async def plays_bot(self, bot: str = "Random", game: str = "ggltcg") -> str:
        """Sit down against a bot; the room."""
        await self.at_home(game)
        await self.press("Play a bot")
        choices = self.page.locator("dialog").get_by_role("button", name=bot)
        await choices.or_(self.page.locator(".mat")).first.wait_for()
        if await choices.count():
            await choices.click()
        await self.page.wait_for_url("**/table/*")
        await expect(self.page.locator(".mat .card").first).to_be_visible()
        return self.room

    async def plays_alone(self, game: str) -> str:
        """Sit down at a game for one; the room."""
        await self.at_home(game)
        await self.page.get_by_role("button", name="Play", exact=True).click()
        await self.page.wait_for_url("**/table/*")
        await expect(self.page.locator(".mat .card").first).to_be_visible()
        return self.room

    async def opens_table(self, *, private: bool = False, game: str = "ggltcg", deck: str = "", **choices: str) -> str:
        """Open a table; the room."""
        await self.at_home(game)
        await self.press("Invite a friend" if private else "Open a table")
        for label, value in {**choices, **({"Deck": deck} if deck else {})}.items():
            await self.page.locator("dialog").get_by_label(label.replace("_", " ")).select_option(label=value)
        await self.page.locator("dialog").get_by_role("button", name="Open the table").click()
        await self.page.wait_for_url("**/table/*")
        await self.tray.wait_for()
        return self.room

    @property
    def room(self) -> str:
        return self.page.url.split("/")[-1].split("?")[0]

    async def press(self, name: str) -> None:
        await self.page.get_by_role("button", name=name).click()

    @property
    def tray(self) -> Locator:
        return self.page.locator(".tray")

    async def kind(self) -> str:
        """What the tray is about."""
        return await self.tray.get_attribute("data-kind") or ""

    # playing

    async def ready(self) -> bool:
        """Wait until there is something to do; False if the match is over."""
        await self.page.locator(f"{READY}, {OVER}").first.wait_for()
        return not (await self.kind()).startswith("over")

    async def version(self) -> int:
        """How many versions of the table this window has seen."""
        return int(await self.page.evaluate("document.querySelector('.table-page')?.dataset.v ?? -1"))

    async def move(self, luck: Random) -> None:
        """One click further: at a card and its menu, at a target, or in the tray."""
        sure = self.page.locator("dialog.confirm .primary")
        if await sure.count():
            await sure.click()
            return
        picks = self.page.locator(".tray .pick:not([aria-pressed=true])")
        if await self.page.locator(".tray .picks, .tray .number").count():
            if count := await picks.count():
                await picks.nth(luck.randrange(count)).click()
            done = self.page.locator(".tray [data-key=done]:enabled")
            if await done.count():
                await done.click()
            return
        cards, loose = self.page.locator(".mat .card[data-state~=can]"), self.page.locator(".tray .offer")
        count = await cards.count()
        if count and (luck.random() < 0.85 or not await loose.count()):
            await cards.nth(luck.randrange(count)).dispatch_event("click")
            offers = self.page.locator(".menu .offer")
            await offers.nth(luck.randrange(await offers.count())).click()
        else:
            await loose.nth(luck.randrange(await loose.count())).click()

    async def play_on(self, luck: Random, most: int = 400) -> None:
        """Play by chance until the match is over."""
        for _ in range(most):
            before = await self.state()
            if not await self.ready():
                return
            await self.move(luck)
            await self.until_other(before)
        raise AssertionError(f"no end after {most} clicks: {await self.tray.inner_text()}")

    async def state(self) -> str:
        """Something that is different after every click that did something."""
        return str(await self.page.evaluate(STATE))

    async def until_other(self, before: str) -> None:
        """Wait until something is different."""
        await self.page.wait_for_function(f"before => ({STATE}) !== before", arg=before)


async def play_out(*people: Someone, seed: int = 1) -> None:
    """All play by chance, each in their own window, until the match is over."""
    await asyncio.gather(*(one.play_on(Random(f"{seed} {n}")) for n, one in enumerate(people)))

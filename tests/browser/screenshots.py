"""Pictures of what people see: `make pictures`. Every main state, on a desk, a tablet and a phone, in light and dark.

A service of its own is started, matches are played against bots, and each state is photographed in all shapes before
the match goes on. The pictures land in `build/pictures/`; look at them before you call a change of the client done.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

from playwright.async_api import ViewportSize, async_playwright

from cards import find_game, game_ids
from tests.browser.people import People, Someone
from tests.conftest import browser as find_browser
from tests.live.serving import Live

SHAPES: dict[str, ViewportSize] = {
    "desk": {"width": 1440, "height": 900},
    "tablet": {"width": 820, "height": 1180},
    "phone": {"width": 390, "height": 844},
    "lying": {"width": 844, "height": 390},
    "book": {"width": 1080, "height": 680},  # for docs/pictures, if asked for
}
USUAL = [shape for shape in SHAPES if shape != "book"]
SCHEMES = ("light", "dark")
STILL = """() => document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity)
    .every((one) => one.playState !== "running")"""
LATER = {"lore": 45, "mars": 70}  # clicks until there is something to see; of other games 14
MOST = 220  # clicks until a match is given up


class Album:
    """Where pictures are put, and of which shapes and colours they are."""

    def __init__(self, folder: Path, shapes: list[str], schemes: list[str]) -> None:
        self.folder, self.shapes, self.schemes = folder, shapes, schemes
        self.count = 0
        folder.mkdir(parents=True, exist_ok=True)

    async def take(self, someone: Someone, name: str) -> None:
        """One state in all shapes and colours; afterwards everything is as before."""
        page = someone.page
        before = page.viewport_size
        for shape in self.shapes:
            await page.set_viewport_size(SHAPES[shape])
            for scheme in self.schemes:
                await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                await page.wait_for_timeout(120)  # the observer of sizes has its say in the next frame
                await page.wait_for_function(STILL)
                await page.screenshot(path=self.folder / f"{name}.{shape}.{scheme}.png")
                self.count += 1
        if before:
            await page.set_viewport_size(before)


async def at_the_front(ana: Someone, bo: Someone, album: Album) -> None:
    """The pages around the tables."""
    await bo.opens_table(game="lore")
    await ana.at_home("mars")
    await ana.press("Play now")
    await ana.page.locator(".notice.seeking").wait_for()
    await album.take(ana, "home")
    await ana.page.locator(".notice.seeking").get_by_role("button", name="Cancel").click()
    await ana.press("Open a table")
    await album.take(ana, "making")
    await ana.page.keyboard.press("Escape")
    for name, path, ready in (
        ("rules", "/games/ggltcg", ".guide h2"),
        ("deck", "/decks/ggltcg?deck=%3DClassic", ".verdict.good"),
        ("leaders", "/leaders/ggltcg", ".leaders"),
        ("settings", "/settings", ".settings"),
    ):
        await ana.go(path)
        await ana.page.locator(ready).first.wait_for()
        await album.take(ana, name)
    await ana.opens_table(private=True)
    await album.take(ana, "invitation")
    await ana.go("/")  # a match waits: the way back is shown on every page


async def at_a_table(ana: Someone, game: str, album: Album) -> None:
    """A whole match of one game."""
    luck = Random(game)
    await (ana.plays_alone(game) if find_game(game).seats[1] == 1 else ana.plays_bot("Random", game))
    seen: set[str] = set()

    async def once(name: str, take: Callable[[], Awaitable[None]]) -> None:
        if name not in seen:
            seen.add(name)
            await take()

    for clicks in range(MOST):
        if not await ana.ready():
            break
        kind = await ana.kind()
        if clicks == 0:
            await album.take(ana, f"{game}.deal")
        if kind in ("asked", "choosing"):
            await once(kind, lambda kind=kind: album.take(ana, f"{game}.{kind}"))  # type: ignore[misc]
        if clicks >= LATER.get(game, 14) and kind == "mine":
            await once("later", lambda: album.take(ana, f"{game}.later"))
            if await ana.page.locator(".mat .card[data-state~=can]").count():
                await once("menu", lambda: menu(ana, game, album))
        before = await ana.state()
        await ana.move(luck)
        await ana.until_other(before)
    else:
        await ana.page.get_by_role("button", name="More", exact=True).click()
        await ana.page.locator("dialog").get_by_role("button", name="Give up").click()
        await ana.page.locator("dialog").get_by_role("button", name="Give up").click()
        await ana.page.locator(".tray[data-kind^=over]").wait_for()
    await album.take(ana, f"{game}.over")
    await ana.page.get_by_role("link", name="Replay").click()
    await ana.page.locator(".proof").first.wait_for()
    slider = ana.page.get_by_label("Moment of the match")
    await slider.fill(str(int(await slider.get_attribute("max") or 0) * 2 // 3))
    await album.take(ana, f"{game}.replay")


async def menu(ana: Someone, game: str, album: Album) -> None:
    """What opens at a card."""
    card = ana.page.locator(".side.me .card[data-state~=can]").first
    if not await card.count():
        return
    await card.dispatch_event("click")
    await ana.page.locator(".menu").wait_for()
    await album.take(ana, f"{game}.menu")
    await ana.page.keyboard.press("Escape")


async def main(args: argparse.Namespace) -> int:
    """Start, play, photograph, stop."""
    path = find_browser()
    if path is None:
        print("There is no Chromium here; install one and try again.", file=sys.stderr)
        return 1
    album = Album(Path(args.out), args.shape, args.scheme)
    with tempfile.TemporaryDirectory() as folder:
        live = Live(Path(folder)).start()
        try:
            async with async_playwright() as playwright:
                chromium = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
                people = People(chromium, live.url)
                if "front" in args.what:
                    ana, bo = await people.come("Ana"), await people.come("Bo")
                    await at_the_front(ana, bo, album)
                for game in game_ids():
                    if game in args.what:
                        await at_a_table(await people.come("Ana"), game, album)
                await people.leave()
                await chromium.close()
        finally:
            live.stop()
    print(f"{album.count} pictures in {args.out}")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="make pictures", description=__doc__)
    parser.add_argument("--out", default="build/pictures", help="folder for the pictures (default: build/pictures)")
    everything = ["front", *game_ids()]
    parser.add_argument("--what", nargs="+", choices=everything, default=everything, help="only these")
    parser.add_argument("--shape", nargs="+", choices=list(SHAPES), default=USUAL, help="only these shapes")
    parser.add_argument("--scheme", nargs="+", choices=SCHEMES, default=list(SCHEMES), help="only these colours")
    sys.exit(asyncio.run(main(parser.parse_args())))

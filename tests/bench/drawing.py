"""`make bench-browser`: how soon the front page stands, what it weighs, and how long a change of a full table takes.

A service is started on the loopback and asked by a real Chromium. A change begins with the frame that the server would
send: the patch is applied, the page changed, styled and laid out; then the browser paints. Counted is the processor
time of the page's thread, which depends little on what else the machine has to do.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, async_playwright

from cards import find_game
from tests.conftest import browser as find_browser
from tests.live.serving import Live

CARDS = 120
WARM = 20  # changes before anything is counted
WANTED = {"first_paint_ms": 1000, "page_bytes": 150_000, "change_ms": 8}
PAGE = """async () => {
    const found = performance.getEntriesByType("resource");
    const [page] = performance.getEntriesByType("navigation");
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    return {paint: paint.startTime, bytes: [page, ...found].reduce((sum, one) => sum + one.decodedBodySize, 0),
            files: found.length + 1};
}"""
SIT = """async ([mark, snap, deltas]) => {
    const part = (name) => import(`/-/${mark}/${name}`);
    const [{TablePage}, {Table}, {upcard, findGame}, {need}] = await Promise.all(
        ["table/page.js", "upcard.js", "session.js", "styles.js"].map(part));
    await need("card", "table", "play");
    const table = new Table(upcard, "bench");
    table.joined({t: "join", as: "seat"}, {seat: 0, n: 1});
    table.hear(snap);
    const page = new TablePage(table, await findGame(snap.view.game));
    document.getElementById("main").replaceChildren(page.element);
    page.start();
    window.bench = {table, page, deltas};
}"""
CHANGE = """async ([from, to, paints]) => {
    const {table, page, deltas} = window.bench;
    for (const delta of deltas.slice(from, to)) {
        page.showing = false;  // one after the other, without a pause for the eye
        table.hear(delta);
        page.mat.element.getBoundingClientRect();  // everything has its style and its place
        if (paints) await new Promise((then) => requestAnimationFrame(() => setTimeout(then)));
    }
    return [page.element.querySelectorAll(".mat .card[data-card]").length, page.v];
}"""


def frames(changes: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A table on which 120 cards lie open, and what happens on it: cards are played and come back, numbers change."""
    faces = sorted(face for face, printed in find_game("ggltcg").faces.items())
    ids = [101 + n for n in range(CARDS)]
    zones = {"0.hand": ids[:10], "0.in_play": ids[10:50], "1.in_play": ids[50:90], "0.sleep": ids[90:105]}
    zones["1.sleep"] = ids[105:]
    cards = {str(one): {"face": faces[n % len(faces)], "owner": int(n >= 50)} for n, one in enumerate(ids)}
    view = {
        "game": "ggltcg",
        "rules": "1.0",
        "you": 0,
        "turn": {"number": 1, "seat": 0, "phase": "main", "waiting": [0]},
        "seats": {"0": {"name": "Ana", "cc": 4}, "1": {"name": "Bo", "cc": 2}},
        "zones": {key: {"n": len(lying), "cards": lying} for key, lying in zones.items()} | {"1.hand": {"n": 6}},
        "cards": cards,
    }
    snap = {"t": "snap", "room": "bench", "epoch": "1", "v": 1, "view": view, "offers": _offers(zones), "n": 1}
    deltas = []
    for v in range(2, 2 + changes):
        here, there = ("0.hand", "0.in_play") if v % 2 == 0 else ("0.in_play", "0.hand")
        moved = zones[here][-1]
        zones = {**zones, here: zones[here][:-1], there: [*zones[there], moved]}
        struck = {str(one): {"strength": (v + one) % 9, "stamina": v % 5} for one in zones["1.in_play"][v % 30 :][:6]}
        patch = {
            "seats": {"0": {"cc": v % 8}},
            "zones": {key: {"n": len(zones[key]), "cards": zones[key]} for key in (here, there)},
            "cards": struck,
        }
        events = [{"e": "moved", "card": moved, "from": here, "to": there}]
        said = [{"e": "said", "key": "returned", "args": {"card": {"card": moved, "face": faces[0]}, "owner": 0}}]
        deltas.append(
            {"t": "delta", "room": "bench", "v": v, "patch": patch, "events": events + said, "offers": _offers(zones)}
        )
    return snap, deltas


def _offers(zones: dict[str, list[int]]) -> list[dict[str, Any]]:
    plays = [{"type": "play", "card": card, "label": "Play", "cost": {"cc": 1}} for card in zones["0.hand"]]
    foes = [{"name": "foe", "from": zones["1.in_play"]}]
    return [
        *plays,
        *({"type": "tussle", "card": card, "label": "Tussle", "slots": foes} for card in zones["0.in_play"]),
    ]


async def first_paint(chromium: Browser, url: str, rounds: int) -> dict[str, float]:
    """The front page for somebody who was never here, several times; nothing comes compressed."""
    found = []
    for _ in range(rounds):
        context = await chromium.new_context(extra_http_headers={"accept-encoding": "identity"})
        page = await context.new_page()
        await page.goto(url)
        await page.locator(".doing .choice").first.wait_for()
        found.append(await page.evaluate(PAGE))
        await context.close()
    paints = [one["paint"] for one in found]
    return {
        "first_paint_ms": statistics.median(paints),
        "first_paint_best_ms": min(paints),
        "page_bytes": found[0]["bytes"],
        "page_files": found[0]["files"],
    }


async def change(context: BrowserContext, url: str, each: int) -> dict[str, float]:
    """One table: what a change of it costs the page's thread, without painting and with it."""
    page = await context.new_page()
    await page.goto(url)
    await page.locator(".doing .choice").first.wait_for()
    mark = (await page.locator("script[src]").first.get_attribute("src") or "").split("/")[2]
    snap, deltas = frames(WARM + 2 * each)
    await page.evaluate(SIT, [mark, snap, deltas])
    inspector = await context.new_cdp_session(page)
    await inspector.send("Performance.enable", {"timeDomain": "threadTicks"})

    async def busy() -> float:
        """Seconds of processor time that the page's thread has used so far."""
        metrics = (await inspector.send("Performance.getMetrics"))["metrics"]
        return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")

    async def cost(start: int, count: int, paints: bool) -> float:
        before = await busy()
        cards, v = await page.evaluate(CHANGE, [start, start + count, paints])
        assert cards == CARDS, f"{cards} of {CARDS} cards are on the table"
        assert v == deltas[start + count - 1]["v"], "not every change was drawn"
        return 1000 * (await busy() - before) / count

    await cost(0, WARM, True)
    found = {"change_ms": await cost(WARM, each, False)}
    found["painted_ms"] = await cost(WARM + each, each, True)
    await page.close()
    return found


async def changes(chromium: Browser, url: str, rounds: int, each: int) -> dict[str, float]:
    """The best of some rounds: whatever else runs on this machine only makes them longer."""
    context = await chromium.new_context(viewport={"width": 1440, "height": 900})
    still = json.dumps({"speed": "off", "sound": False})
    await context.add_init_script(f"localStorage.setItem('upcard.settings', {still!r})")
    found = [await change(context, url, each) for _ in range(rounds)]
    await context.close()
    return {name: min(one[name] for one in found) for name in found[0]}


async def measure(rounds: int, each: int) -> dict[str, float]:
    """Everything."""
    path = find_browser()
    if path is None:
        sys.exit("There is no Chromium here; install one and try again.")
    with tempfile.TemporaryDirectory() as folder:
        live = Live(Path(folder)).start()
        try:
            async with async_playwright() as playwright:
                chromium = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
                found = await first_paint(chromium, live.url, rounds)
                found |= await changes(chromium, live.url, rounds, each)
                await chromium.close()
        finally:
            live.stop()
    return found


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(prog="make bench-browser", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often to repeat (default: 5)")
    parser.add_argument("--changes", type=int, default=60, help="changes of the table in a round (default: 60)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    args = parser.parse_args()
    found = asyncio.run(measure(args.rounds, args.changes))
    if args.json:
        print(json.dumps(found, indent=2))
        return
    rows = [
        ("first paint of the front page, median", "first_paint_ms", " ms"),
        ("first paint of the front page, best round", "first_paint_best_ms", " ms"),
        ("sent for it, uncompressed", "page_bytes", " B"),
        ("in so many files", "page_files", ""),
        (f"a change on a table of {CARDS} cards, applied and drawn", "change_ms", " ms"),
        ("the same, painted too, without a graphics card", "painted_ms", " ms"),
    ]
    for label, name, unit in rows:
        wanted = f"under {WANTED[name]:,}{unit}" if name in WANTED else ""
        value = f"{found[name]:,.1f}" if unit == " ms" else f"{found[name]:,.0f}"
        print(f"  {label:52} {value + unit:>14}   {wanted}")


if __name__ == "__main__":
    main()

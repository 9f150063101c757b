"""The kit in somebody else's page: imported from here, it plays from there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

from playwright.async_api import Browser

from tests.live.serving import Live

PAGE = """<!doctype html><title>Toys</title><script type="module">
import { Upcard, fill } from "%s/upcard.js";
const upcard = new Upcard({ url: "%s" });
window.story = [];
try {
  await upcard.open({ name: "Ana" });
  const made = await upcard.http("POST", "/api/rooms", { game: "pebbles", seats: ["me", "bot:random"] });
  const table = await upcard.join({ room: made.room });
  while (!table.over) {
    await table.until(() => table.offers.length || table.over);
    if (!table.over) window.story.push((await table.act(fill(table.offers[0]))).v);
  }
  window.result = table.view.result;
} catch (no) {
  window.result = { reason: String(no) };
}
</script>"""


@contextmanager
def elsewhere(pages: list[str]) -> Iterator[str]:
    """Another site: gives out one page, and is an origin of its own."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(pages[0].encode())

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    site = HTTPServer(("127.0.0.1", 0), Site)
    Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{site.server_port}"
    site.shutdown()
    site.server_close()


async def result(chromium: Browser, url: str) -> tuple[str, list[int]]:
    """How the match on that page ended, and the versions that its moves made."""
    context = await chromium.new_context()
    page = await context.new_page()
    await page.goto(url)
    await page.wait_for_function("() => window.result", timeout=30_000)
    found = await page.evaluate("[window.result.reason, window.story]")
    await context.close()
    return found[0], found[1]


async def test_another_site_plays_a_match_with_the_kit(chromium: Browser, serve: Callable[..., Live]) -> None:
    pages = [""]
    with elsewhere(pages) as site:
        live = serve(origins=site, games="tests.browser.tiny_game")
        pages[0] = PAGE % (live.url, live.url)
        reason, moves = await result(chromium, site)
    assert reason == "empty_handed"
    assert len(moves) in (2, 3)


async def test_a_site_that_was_not_named_is_not_let_in(chromium: Browser, serve: Callable[..., Live]) -> None:
    pages = [""]
    with elsewhere(pages) as site:
        live = serve(games="tests.browser.tiny_game")
        pages[0] = PAGE % (live.url, live.url)
        reason, moves = await result(chromium, site)
    assert "fetch" in reason
    assert not moves

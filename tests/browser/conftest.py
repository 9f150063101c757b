"""A browser and a service for all tests of this folder. After each test nothing has gone wrong behind its back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from tests.browser.people import People, Someone
from tests.conftest import browser as find_browser
from tests.live.serving import Live


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in here needs the browser, and shares one loop with it."""
    for item in items:
        if "tests/browser" in str(item.path):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """One browser for all."""
    path = find_browser()
    assert path is not None, "there is no Chromium here, and UPCARD_NEED_BROWSER says that there must be one"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        await browser.close()


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service that nobody breaks."""
    started = Live(tmp_path_factory.mktemp("browser"), games="tests.browser.tiny_game").start()
    yield started
    assert started.stop() == 0, started.said()


@pytest.fixture
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Live]]:
    """A service of one's own, that may be broken."""
    started: list[Live] = []

    def start(**settings: Any) -> Live:
        started.append(Live(tmp_path_factory.mktemp("own"), **settings).start())
        return started[-1]

    yield start
    for service in started:
        service.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def come(chromium: Browser, live: Live) -> AsyncIterator[Callable[..., Any]]:
    """`await come("Ana")`: somebody in a browser of their own, at the front page."""
    people = People(chromium, live.url)
    yield people.come
    await people.leave()


@pytest_asyncio.fixture(loop_scope="session")
async def ana(come: Callable[..., Any]) -> Someone:
    """Somebody."""
    return await come("Ana")

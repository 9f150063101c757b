"""The last line of a test run says what was left out here, and why."""

from __future__ import annotations

import os
import shutil

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def browser() -> str | None:
    """A Chromium on this machine, if there is one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without a browser its tests are left out, unless it was said that one must be there."""
    if browser() or os.environ.get("UPCARD_NEED_BROWSER") == "1":
        return
    left = [item for item in items if item.get_closest_marker("browser")]
    if left:
        items[:] = [item for item in items if item not in left]
        config.hook.pytest_deselected(items=left)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Named last, so that nobody takes a short run for a whole one."""
    if hasattr(config, "workerinput") or config.option.collectonly:
        return
    left = [] if browser() else ["tests in a browser (no Chromium here)"]
    print(f"left out here: {', '.join(left) or 'nothing'} (long repeats: make soak)")

"""The last line of a test run says what was left out here, and why."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from deploy import compile as compile_tool
from tests import postgres

# Properties are tried on the same examples every time, so that a failure here is a failure everywhere.
settings.register_profile(
    "upcard",
    max_examples=60,
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("upcard")

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def browser() -> str | None:
    """A Chromium on this machine, if there is one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def _absent() -> dict[str, str]:
    """The marks of tests that cannot be run here, each with what is missing."""
    found = {}
    if not browser() and os.environ.get("UPCARD_NEED_BROWSER") != "1":
        found["browser"] = "tests in a browser (no Chromium here)"
    if not Path(os.environ.get("UPCARD_AXE", "")).is_file() and os.environ.get("UPCARD_NEED_BROWSER") != "1":
        found["axe"] = "the accessibility audit (UPCARD_AXE names no axe.min.js)"
    if not postgres.found() and os.environ.get("UPCARD_NEED_POSTGRES") != "1":
        found["postgres"] = "the archive in PostgreSQL (none here)"
    if trouble := compile_tool.missing():
        found["compiler"] = f"tests of the compiled program ({trouble})"
    return found


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What cannot be run here is left out; a browser is not, if it was said that one must be there."""
    left = [item for item in items if any(item.get_closest_marker(mark) for mark in _absent())]
    if left:
        items[:] = [item for item in items if item not in left]
        config.hook.pytest_deselected(items=left)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Named last, so that nobody takes a short run for a whole one."""
    if hasattr(config, "workerinput") or config.option.collectonly:
        return
    print(f"left out here: {', '.join(_absent().values()) or 'nothing'} (long repeats: make soak)")

"""Archives that the tests of this folder are given: in a file, and in a PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from rooms.archive.archive import Archive
from tests import postgres

Opened: TypeAlias = Callable[[], Archive]


@pytest.fixture(params=["file", pytest.param("postgresql", marks=pytest.mark.postgres)])
async def opened(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opened]:
    """Opens the same archive as often as one likes: each time as another process would."""
    archives: list[Archive] = []

    def another() -> Archive:
        archives.append(Archive(url, tmp_path))
        return archives[-1]

    if request.param == "file":
        url = ""
        yield another
    else:
        async with postgres.database() as url:
            yield another
            for archive in archives:
                await archive.close()
    for archive in archives:
        await archive.close()


@pytest.fixture
async def archive(opened: Opened) -> Archive:
    """An archive with nothing in it."""
    return opened()

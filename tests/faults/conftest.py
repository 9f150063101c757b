"""Services that the tests of this folder may break. Afterwards all that was said is searched for hidden cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.engine.secrecy import long_ids
from tests.live.canaries import scan
from tests.live.serving import Live


@pytest.fixture
def serve(ids_of_four_digits: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Live]]:
    """`serve(lease_ms=1000)`: a service with a store of its own."""
    started: list[Live] = []

    def start(**settings: Any) -> Live:
        started.append(Live(tmp_path_factory.mktemp("own"), **settings).start())
        return started[-1]

    yield start
    try:
        for service in started:
            scan(service)
    finally:
        for service in started:
            service.stop()


@pytest.fixture(autouse=True)
def ids_of_four_digits() -> Iterator[None]:
    """Matches that are played again here have the ids that the service gave them."""
    with long_ids():
        yield

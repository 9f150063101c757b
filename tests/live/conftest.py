"""Services that the tests of this folder share. After each test, everything that was said is searched for secrets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.engine.secrecy import long_ids
from tests.live.canaries import scan
from tests.live.serving import Live

_running: list[Live] = []


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service that nobody breaks."""
    started = Live(tmp_path_factory.mktemp("live")).start()
    _running.append(started)
    yield started
    _running.remove(started)
    assert started.stop() == 0, started.said()


@pytest.fixture
def serve(ids_of_four_digits: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Live]]:
    """`serve(lease_ms=1000)`: a service of one's own that may be broken."""
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
def canaries(ids_of_four_digits: None) -> Iterator[None]:
    """Nothing hidden was told to anybody in this test, and nobody was answered twice."""
    yield
    for service in _running:
        for person in service.people:
            answers = [frame["i"] for frame in person.frames if "i" in frame]
            assert len(answers) == len(set(answers)), answers
        scan(service)


@pytest.fixture(autouse=True)
def ids_of_four_digits() -> Iterator[None]:
    """Matches that are played again here have the ids that the service gave them."""
    with long_ids():
        yield

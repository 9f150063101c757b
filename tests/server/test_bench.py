"""The load test works from end to end: a server of its own, real sockets, figures that add up."""

from __future__ import annotations

import json
import os

import pytest

from server.commands.bench import percentiles
from server.commands.processes import _seconds, usage_of
from tests.server.conftest import Upcard

SHORT = ("--rooms", "2", "--seconds", "1", "--warm", "0.3", "--json")


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("game", "more"), [("ggltcg", ()), ("bench-duel", ("--msgpack", "--watchers", "2")), ("bench-duel", ())]
)
def test_it_loads_a_server_of_its_own(
    upcard: Upcard, monkeypatch: pytest.MonkeyPatch, game: str, more: tuple[str, ...]
) -> None:
    monkeypatch.setenv("UPCARD_GAMES", "tests.bench.duel")
    status, out, err = upcard("bench", "--game", game, *SHORT, *more)
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["moves"] > 10
    assert found["refused"] == found["closed"] == {}
    assert 0 < found["own_ms"][0] <= found["own_ms"][1] <= found["own_ms"][2]
    assert found["bytes_mover"] > found["bytes_opponent"] > 0
    assert found["bytes_offers"] > 0
    if "--watchers" in more:
        heard = found["watched"]["moves"] - 2  # the last move of each room may be on its way when time is up
        assert heard > 10
        assert found["watcher_frames"] >= 2 * heard


def test_a_server_that_is_not_there_gets_a_sentence(upcard: Upcard) -> None:
    status, out, err = upcard("bench", "--url", "http://127.0.0.1:9", *SHORT)
    assert (status, out) == (2, "")
    assert "could not be loaded" in err
    assert len(err.splitlines()) == 1


def test_percentiles() -> None:
    assert percentiles([]) == []
    assert percentiles(range(0, 100_000_000, 1_000_000)) == [50.0, 95.0, 99.0]


def test_a_process_is_seen_with_its_time_and_memory() -> None:
    mine = usage_of(os.getpid())
    assert mine is not None
    assert mine.server > 0
    assert mine.rss > 1 << 20
    assert usage_of(2**22 + 1) is None


def test_processor_time_as_ps_writes_it() -> None:
    assert _seconds("0:01.50") == 1.5
    assert _seconds("02:03:04") == 2 * 3600 + 3 * 60 + 4
    assert _seconds("1-00:00:01") == 86401

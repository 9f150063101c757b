"""What is written is one line, for people or programs, and gives nobody away; what is counted, likewise."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from starlette.requests import ClientDisconnect

from server.logs import ALLOWED, SECRET, configure_logs
from server.metrics import LABELLED, LABELS, LEVELS, NUMBERS, Metrics, Tally, Timing


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Leave logging as it was found."""
    root, before = logging.getLogger(), (logging.getLogger().handlers[:], logging.getLogger().level)
    yield
    root.handlers, root.level = before
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


def lines(style: str = "json", level: str = "info") -> tuple[Any, io.StringIO]:
    out = io.StringIO()
    configure_logs(style, level, out)
    return structlog.get_logger("test"), out


def read(out: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_line_says_what_when_and_how_bad() -> None:
    log, out = lines()
    log.info("room_opened", room="r1", seats=2)
    log.debug("not_now")
    (line,) = read(out)
    assert (line["event"], line["level"], line["room"], line["seats"]) == ("room_opened", "info", "r1", 2)
    assert line["timestamp"].endswith("Z")


def test_only_listed_keys_reach_a_line() -> None:
    log, out = lines()
    structlog.contextvars.bind_contextvars(user_name="Ana")
    secrets = dict.fromkeys(SECRET, "CANARY") | {"hand": ["CANARY"], "access_token": "CANARY"}
    log.warning("odd", room="r1", zone="CANARY", **secrets)
    (line,) = read(out)
    assert "CANARY" not in out.getvalue()
    assert "Ana" not in out.getvalue()
    assert set(line) == {"event", "level", "timestamp", "room", "left_out"}
    assert {"hand", "zone", "user_name", "access_token", *SECRET} == set(line["left_out"].split(","))


def test_a_secret_is_left_out_even_if_somebody_lists_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not ALLOWED & set(SECRET)
    monkeypatch.setattr("server.logs.ALLOWED", ALLOWED | {"hand", "user_token"})
    log, out = lines()
    log.info("odd", hand="CANARY", user_token="CANARY")
    assert "CANARY" not in out.getvalue()


def test_a_value_is_one_short_line_and_no_structure() -> None:
    log, out = lines("people")
    log.error("odd", reason="first\nsecond\x1b[31m", detail="x" * 5000, view={"cards": "CANARY"})
    text = out.getvalue()
    assert text.count("\n") == 1
    assert "\x1b" not in text
    assert len(text) < 600
    assert "CANARY" not in text
    assert "dict of 1" in text


@pytest.mark.parametrize("style", ["json", "people"])
def test_a_failure_shows_where_and_never_what_was_in_hand(style: str) -> None:
    log, out = lines(style)

    def fall(cards: str) -> None:
        raise RuntimeError("fell")

    try:
        fall("".join(["CAN", "ARY"]))
    except RuntimeError:
        log.exception("broken")
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")
    text = out.getvalue()
    assert text.count("RuntimeError: fell") == 2
    assert "fall" in text
    assert "CANARY" not in text


def test_libraries_speak_through_the_same_door_and_not_about_requests() -> None:
    _, out = lines(level="debug")
    other = logging.getLogger("uvicorn.error")
    other.info('127.0.0.1:1 - "WebSocket /ws?token=CANARY" [accepted]')
    other.debug("< TEXT CANARY")
    logging.getLogger("websockets.server").info("CANARY")
    logging.getLogger("uvicorn.access").error("CANARY")
    other.warning("Invalid HTTP request received.")
    try:
        raise ClientDisconnect
    except ClientDisconnect:
        other.exception("Exception in ASGI application\n")
    assert out.getvalue() == ""
    other.warning("something else")
    assert read(out)[0]["event"] == "something else"


def test_every_count_is_exposed() -> None:
    metrics = Metrics()
    metrics.frames_in += 3
    metrics.refusals.add("not_your_turn")
    metrics.closes.add(4429)
    metrics.connections.add("player", 2)
    metrics.connections.add("player", -1)
    metrics.commit_seconds.add(0.003)
    text = metrics.text().decode()
    for name in (*NUMBERS, *LABELLED, *LEVELS, "commit_seconds"):
        assert f"# HELP upcard_{name}" in text
    for line in (
        "upcard_frames_in_total 3.0",
        'upcard_refusals_total{code="not_your_turn"} 1.0',
        'upcard_closes_total{code="4429"} 1.0',
        'upcard_connections{role="player"} 1.0',
        'upcard_commit_seconds_bucket{le="0.002"} 0.0',
        'upcard_commit_seconds_bucket{le="0.005"} 1.0',
        'upcard_commit_seconds_bucket{le="+Inf"} 1.0',
        "upcard_commit_seconds_count 1.0",
    ):
        assert line in text


def test_a_label_cannot_run_away() -> None:
    tally = Tally()
    for n in range(LABELS * 3):
        tally.add(f"code_{n}")
    tally.add('"} evil')
    tally.add("Ana Müller")
    assert len(tally) <= LABELS + 1
    assert tally["other"] == LABELS * 2 + 2
    assert sum(tally.values()) == LABELS * 3 + 2


def test_timings_count_at_their_bound() -> None:
    timing = Timing()
    for seconds in (0, 0.0005, 0.00051, 10, 11):
        timing.add(seconds)
    assert timing.buckets()[0] == ("0.0005", 2)
    assert timing.buckets()[1] == ("0.001", 3)
    assert timing.buckets()[-2:] == [("10.0", 4), ("+Inf", 5)]

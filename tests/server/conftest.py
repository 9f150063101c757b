"""Calling commands as a user does, and reading what comes back."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import NamedTuple

import pytest

from server.cli import main


class Answer(NamedTuple):
    """What a command leaves behind."""

    status: int
    out: str
    err: str


Upcard = Callable[..., Answer]


@pytest.fixture
def upcard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Upcard:
    """`upcard("play", "ggltcg", typed="1\\n")`: run a command in this process."""
    monkeypatch.setenv("COLUMNS", "100")

    def call(*words: str, typed: str = "") -> Answer:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        status = main(words)
        return Answer(status, *capsys.readouterr())

    return call

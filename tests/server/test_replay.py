"""A match is saved, verified, printed, and caught when somebody tampers with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import Upcard

Spoil = Callable[[dict[str, Any]], None]


@pytest.fixture
def saved(upcard: Upcard, tmp_path: Path) -> Path:
    path = tmp_path / "match.json"
    words = ("play", "ggltcg", "--seed", "saved", "--option", "turn_limit=60", "--save", str(path))
    assert upcard(*words, typed="1\n" * 400).status == 0
    return path


def test_a_saved_match_is_verified_and_told(upcard: Upcard, saved: Path) -> None:
    status, out, err = upcard("replay", str(saved))
    assert (status, err) == (0, "")
    assert "Turn 1 · " in out
    assert "Turn 2 · " in out
    assert "ends the turn." in out
    assert out.splitlines()[-1].startswith("verified: ")


def test_quiet_prints_one_line(upcard: Upcard, saved: Path) -> None:
    status, out, _ = upcard("replay", "--quiet", str(saved))
    assert status == 0
    assert out.startswith("verified: ")
    assert out.count("\n") == 1


def test_an_unfinished_match_can_be_saved_too(upcard: Upcard, tmp_path: Path) -> None:
    path = tmp_path / "half.json"
    upcard("play", "ggltcg", "--seed", "half", "--save", str(path), typed="1\n")
    status, out, _ = upcard("replay", str(path))
    assert status == 0
    assert "not played to its end" in out


def test_a_match_that_was_given_up_can_be_saved_too(upcard: Upcard, tmp_path: Path) -> None:
    path = tmp_path / "given-up.json"
    upcard("play", "ggltcg", "--seed", "up", "--save", str(path), typed="q\ny\n")
    status, out, _ = upcard("replay", str(path))
    assert status == 0
    assert "Greedy wins (resigned)." in out


def swap(key: str, value: Any) -> Spoil:
    return lambda replay: replay.__setitem__(key, value)


def drop(replay: dict[str, Any]) -> None:
    del replay["inputs"][2]


def alter(replay: dict[str, Any]) -> None:
    last = max(replay["hashes"], key=int)
    replay["hashes"][last] = "0" * 32


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (drop, "one is missing or twice there"),
        (alter, "is not the one that was played on"),
        (swap("seed", "00" * 32), "does not fit the commitment"),
        (swap("seed", "xyz"), "not written in hexadecimal"),
        (swap("rules", "0.1"), "played by rules 0.1"),
        (swap("result", {"winners": [0, 1], "reason": "friendship"}), "friendship"),
        (swap("options", {"set": "none"}), "one of core"),
        (swap("seats", ["A", "B", "C"]), "for 2 players"),
    ],
)
def test_a_tampered_replay_is_caught(upcard: Upcard, saved: Path, spoil: Spoil, sentence: str) -> None:
    replay = json.loads(saved.read_text())
    spoil(replay)
    saved.write_text(json.dumps(replay))
    status, out, err = upcard("replay", "--quiet", str(saved))
    assert status == 1
    assert sentence in err
    assert err.count("\n") == 1
    assert "verified" not in out


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\x00", b"[]", b'{"game": "ggltcg"}'])
def test_what_is_no_replay_is_refused(upcard: Upcard, tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "no.json"
    path.write_bytes(text)
    status, _, err = upcard("replay", str(path))
    assert status == 2
    assert "this is no replay" in err
    assert err.count("\n") == 1


def test_a_name_cannot_command_the_terminal(upcard: Upcard, saved: Path) -> None:
    replay = json.loads(saved.read_text())
    replay["seats"][0] = "\x1b[2JEvil"
    replay["hashes"] = {}
    saved.write_text(json.dumps(replay))
    status, out, _ = upcard("replay", str(saved))
    assert status == 0
    assert "\x1b" not in out
    assert "[2JEvil" in out

"""Card files with planted mistakes, in a copy of the house."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.conftest import Upcard

HOUSE = Path(__file__).parents[2]


class Copy:
    """A copy in which files can be spoilt."""

    def __init__(self, root: Path) -> None:
        self.game = root / "cards" / "ggltcg"
        self.root = root
        for part in ("engine", "cards", "server"):
            shutil.copytree(HOUSE / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))

    def spoil(self, file: str, old: str, new: str) -> None:
        path = self.game / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def check(self, *words: str) -> subprocess.CompletedProcess[str]:
        run = [sys.executable, "-m", "server.cli", *(words or ("cards", "check"))]
        env = {**os.environ, "PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(run, cwd=self.root, env=env, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def test_all_is_well(upcard: Upcard) -> None:
    status, out, err = upcard("cards", "check")
    assert (status, err) == (0, "")
    for word in ("ggltcg: fine", "41 cards: core 18, extra 23", "Dreamers (set=all)", "messages", "playmat"):
        assert word in out


def test_every_mistake_is_told_with_its_line_and_a_suggestion(copy: Copy) -> None:
    copy.spoil("cards.csv", "stat_boost:strength:2", "stat_bost:strength:2")
    copy.spoil("cards.csv", "Wizard,core,toy,2,1,3,3", "Wizard,core,toy,2,1,3,")
    copy.spoil("cards.csv", "gain_cc:2:not_first_turn", "gain_cc:lots:not_first_turn")
    done = copy.check()
    assert done.returncode == 1
    assert "ggltcg/cards.csv line 9, Ka: unknown effect 'stat_bost' (did you mean 'stat_boost'?)" in done.stdout
    assert "line 19, Wizard: a toy needs speed, strength and stamina" in done.stdout
    assert "line 12, Rush: gain_cc" in done.stdout
    assert "3 mistakes found." in done.stdout
    assert done.stderr == ""


def test_a_file_that_cannot_be_read_at_all_is_a_mistake_too(copy: Copy) -> None:
    copy.spoil("messages.json", "{", "{{")
    done = copy.check()
    assert done.returncode == 1
    assert "ggltcg/messages.json" in done.stdout
    assert "cannot be read" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_a_missing_message_is_found(copy: Copy) -> None:
    copy.spoil("messages.json", '"offer.strike"', '"offer.strikes"')
    copy.spoil("messages.json", '"tussled"', '"tusled"')
    done = copy.check()
    assert done.returncode == 1
    assert "messages.json: nothing for 'offer.strike'. Did you mean offer.strikes?" in done.stdout
    assert "messages.json: nothing for 'tussled'. Did you mean tusled?" in done.stdout


def test_a_zone_that_is_not_there_is_found(copy: Copy) -> None:
    copy.spoil("playmat.json", '"zone": "sleep"', '"zone": "sleeep"')
    done = copy.check()
    assert done.returncode == 1
    assert "there is no zone 'sleeep'. Did you mean sleep?" in done.stdout


def test_a_deck_that_nobody_may_play_is_found(copy: Copy) -> None:
    copy.spoil("decks.json", '"Classic": ["Beary", "Ka",', '"Classic": ["Beary", "Beary",')
    done = copy.check()
    assert done.returncode == 1
    assert "deck Classic: Beary is in the deck twice" in done.stdout


def test_other_commands_point_here(copy: Copy) -> None:
    copy.spoil("cards.csv", "stat_boost:strength:2", "stat_bost:strength:2")
    done = copy.check("play", "ggltcg")
    assert done.returncode == 2
    assert "have a mistake; `upcard cards check ggltcg` lists them" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_game_that_leaves_a_bad_card_out_tells_so_and_is_played_without_it(copy: Copy) -> None:
    copy.game = copy.root / "cards" / "mars"
    copy.spoil("cards.json", '"type": "steel-production"', '"type": "steal-production"')
    done = copy.check("cards", "check", "mars")
    assert done.returncode == 1
    where = "mars/cards.json 001 Basalt Quarry: behaviors[0].outputs[0].type"
    assert f"{where}: there is no 'steal-production' (did you mean 'steel-production'?)" in done.stdout
    assert "1 mistake found." in done.stdout
    assert "matches played to try it" in done.stdout

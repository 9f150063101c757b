"""Whatever is mistyped gets one sentence and status 2; leaving is quiet."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

import cards
from tests.redis_servers import until
from tests.server.conftest import Upcard

UPCARD = (sys.executable, "-m", "server.cli")

MISTYPED = [
    (["plya"], "did you mean play"),
    (["--foo"], "no argument --foo"),
    (["play"], "GAME is missing"),
    (["play", "ggltgc"], "Did you mean ggltcg"),
    (["play", "ggltcg", "--bot", "gredy"], "Did you mean greedy"),
    (["play", "ggltcg", "--seat", "2"], "from 0 to 1"),
    (["play", "ggltcg", "--seat", "x"], "whole number, not 'x'"),
    (["play", "ggltcg", "--first", "7"], "from 0 to 1"),
    (["play", "ggltcg", "--seats", "5"], "for 2 players, not 5"),
    (["play", "ggltcg", "--option", "set"], "name=value"),
    (["play", "ggltcg", "--option", "set=big"], "one of core, extra, all"),
    (["play", "ggltcg", "--option", "sett=all"], "no option 'sett'"),
    (["play", "ggltcg", "--deck", "Clasic"], "Did you mean Classic"),
    (["play", "ggltcg", "--deck", "Ka,Berry"], "Did you mean Beary"),
    (["play", "ggltcg", "--deck", "Ka,Beary"], "6 cards, not 2"),
    (["play", "ggltcg", "--deck", "Dreamers"], "not in the set core"),
    (["play", "ggltcg", "--deck", "no/such.txt"], "no deck file"),
    (["play", "ggltcg", *["--deck", "Classic"] * 3], "2 seats and 3 decks"),
    (["play", "ggltcg", "--save", "no/such/folder/x.json"], "cannot be saved"),
    (["sim", "ggltcg", "--games", "0"], "from 1 up, not '0'"),
    (["sim", "ggltcg", "--games", "many"], "from 1 up, not 'many'"),
    (["sim", "ggltcg", "--jobs", "-1"], "from 1 up"),
    (["sim", "ggltcg", "--bots", "greedy,bob"], "no bot 'bob'"),
    (["sim", "ggltcg", "--games"], "--games needs a value"),
    (["cards", "check", "nope"], "no game 'nope'"),
    (["cards", "check", "ggltcg", "--option", "set=all"], "goes with --deck"),
    (["replay"], "FILE is missing"),
    (["replay", "no-such-file.json"], "cannot be read"),
]


@pytest.mark.parametrize(
    ("words", "sentence"), MISTYPED, ids=lambda value: " ".join(value) if type(value) is list else ""
)
def test_what_is_mistyped_gets_one_helpful_sentence(upcard: Upcard, words: list[str], sentence: str) -> None:
    status, out, err = upcard(*words)
    assert status == 2
    assert sentence in err
    assert err.count("\n") == 1
    assert out == ""


def test_upcard_alone_shows_what_there_is(upcard: Upcard) -> None:
    status, out, _ = upcard()
    assert status == 0
    for command in ("play", "sim", "cards", "replay", "drive"):
        assert command in out
    assert upcard("--help").out == out


def test_every_command_explains_itself(upcard: Upcard) -> None:
    for command in ("play", "sim", "replay", "drive"):
        assert "usage: upcard " + command in upcard(command, "--help").out
    assert "--deck" in upcard("cards", "check", "--help").out


def test_the_version_is_told(upcard: Upcard) -> None:
    status, out, _ = upcard("--version")
    assert status == 0
    assert out.startswith("upcard 0.")


def test_strange_signs_in_a_mistake_do_not_reach_the_terminal(upcard: Upcard) -> None:
    _, _, err = upcard("play", "\x1b[31mred\nline")
    assert "\x1b" not in err
    assert err.count("\n") == 1


def test_a_closed_pipe_ends_quietly() -> None:
    words = [*UPCARD, "play", "ggltcg", "--seed", "1"]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as play:
        assert play.stdin is not None
        assert play.stdout is not None
        assert play.stderr is not None
        play.stdout.readline()
        play.stdout.close()
        play.stdin.write("1\n" * 500)
        play.stdin.close()
        assert play.stderr.read() == ""


def test_an_interrupt_ends_quietly() -> None:
    words = [*UPCARD, "sim", "ggltcg", "--games", "100000", "--jobs", "2"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever tests in the background ignores it
    try:
        sim = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    with sim:
        playing = psutil.Process(sim.pid)
        until(lambda: sum(child.cpu_times().user for child in playing.children()) > 1, what="a match")
        sim.send_signal(signal.SIGINT)
        out, err = sim.communicate(timeout=30)
    assert (out, err) == ("", "")
    assert sim.returncode == 130


class TestDecks:
    """A deck is a name, a list or a file."""

    def test_a_file_may_count_and_comment(self, upcard: Upcard, tmp_path: Path) -> None:
        deck = tmp_path / "mine.txt"
        deck.write_text("# my toys\nKa\n1 Beary\n1x wake  # twice would be too many\n\nKnight\nRaggy\nTwist\n")
        assert upcard("cards", "check", "ggltcg", "--deck", str(deck)).status == 0

    def test_a_file_may_be_a_json_list(self, upcard: Upcard, tmp_path: Path) -> None:
        deck = tmp_path / "mine.json"
        deck.write_text('["Ka", "Beary", "Wake", "Knight", "Raggy", "Twist"]')
        assert upcard("cards", "check", "ggltcg", "--deck", str(deck)).status == 0

    def test_repeats_count(self, upcard: Upcard, tmp_path: Path) -> None:
        deck = tmp_path / "mine.txt"
        deck.write_text("3x Ka\n3 Beary\n")
        status, out, _ = upcard("cards", "check", "ggltcg", "--deck", str(deck))
        assert status == 1
        assert "twice" in out

    def test_sixty_cards_with_commas_in_their_names_come_from_a_file_too(self, upcard: Upcard, tmp_path: Path) -> None:
        """A ready-made deck of Lore is a file as anybody may write it; another one has three mistakes at once."""
        own = Path(cards.__path__[0]) / "lore" / "decks" / "lantern-choir.txt"
        status, out, _ = upcard("cards", "check", "lore", "--deck", str(own))
        assert status == 0
        assert "60 cards, fine for Lore with deck_out=end_of_turn." in out
        bad = tmp_path / "bad.txt"
        bad.write_text("5 Wick, Apprentice Lamplighter\n4x Broadside\n3 sliver, nobody's shadow\n")
        status, out, _ = upcard("cards", "check", "lore", "--deck", str(bad))
        assert status == 1
        inks = "this one has 3 (5 Amber, 4 Steel, 3 Emerald). Leave Emerald out"
        for says in ("so 48 are missing", "so take 1 out", inks):
            assert says in out

    def test_an_unknown_card_is_told_with_its_line(self, upcard: Upcard, tmp_path: Path) -> None:
        deck = tmp_path / "mine.txt"
        deck.write_text("Ka\nBeery\n")
        status, out, _ = upcard("cards", "check", "ggltcg", "--deck", str(deck))
        assert status == 1
        assert "line 2" in out
        assert "Did you mean Beary?" in out

    @pytest.mark.parametrize("text", [b"", b"# nothing", b"\xff\xfe\x00", b'["Ka", 3]', b"[", b"[" * 20000])
    def test_a_file_that_is_no_deck_is_refused_in_a_sentence(self, upcard: Upcard, tmp_path: Path, text: bytes) -> None:
        deck = tmp_path / "mine.txt"
        deck.write_bytes(text)
        status, _, err = upcard("play", "ggltcg", "--deck", str(deck))
        assert status == 2
        assert err.count("\n") == 1

"""The compiled program is the same program: it deals, tells and stores the same, and carries whole matches."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from cards import find_game
from deploy.compile import HOT, main
from engine.replay import read_replay, verify
from tests.engine.test_determinism import played
from tests.live.people import come, play_out, seated
from tests.live.serving import Live


@pytest.mark.compiler
@pytest.mark.timeout(600)
async def test_the_compiled_program_is_the_same_program(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One test, because compiling takes most of a minute."""
    monkeypatch.setattr(sys, "argv", ["compile.py", str(tmp_path / "fast")])
    await asyncio.to_thread(main)
    _is_what_runs(tmp_path / "fast")
    assert played("1", tmp_path / "fast") == played("2")
    await _carries_a_match(Live(tmp_path_factory.mktemp("service"), program=tmp_path / "fast"))


def _is_what_runs(folder: Path) -> None:
    names = [f"{package}.{name}" for package, group in HOT.items() for name in group.split()]
    script = f"import importlib\nfor name in {names}: print(importlib.import_module(name).__file__)"
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=True)
    files = done.stdout.split()
    assert len(files) == len(names)
    assert all(file.startswith(str(folder)) and file.endswith((".so", ".pyd")) for file in files), files


async def _carries_a_match(live: Live) -> None:
    """One that the program as it is written verifies."""
    live.start()
    try:
        room, ana, bo = await seated(live)
        cy = await come(live, "Cy", msgpack=True)
        await cy.join(room, as_="watch")
        await play_out(room, ana, bo, seed=1)
        await cy.until(lambda: cy.boards[room].over)
        replay = read_replay((await live.call("GET", f"/api/rooms/{room}/replay")).body)
        assert verify(find_game("ggltcg"), replay).table.version == cy.boards[room].v
    finally:
        assert live.stop() == 0, live.said()

"""Processes that think for bots: they come when needed, are replaced when lost, and leave with their parent."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from cards import find_game
from engine.frames import Offer
from engine.lens import Lens
from engine.match import Match
from rooms import thinkers as module
from rooms.thinker import Job, think
from rooms.thinkers import NoThought, Thinkers
from tests.redis_servers import until

ODD = "tests.rooms.odd_game"
PATIENCE = 30.0


def odd(mode: str) -> bytes:
    """A question about the game in which thinking goes wrong."""
    view: dict[str, Any] = {"mode": mode, "cards": {}, "zones": {}, "seats": {"0": {}, "1": {}}}
    return msgspec.msgpack.encode(Job("odd", "greedy", 0, 1, 0, view, (Offer("odd"), Offer("even")), []))


def toys(bot: str = "greedy", seed: int = 1) -> tuple[Match, bytes]:
    """A question about a toy battle."""
    match = Match.deal(find_game("ggltcg"), seed=seed, first=0)
    view = Lens(match.look, 0).whole()
    return match, msgspec.msgpack.encode(Job("ggltcg", bot, 0, 1, 0, view, match.offers(0), []))


@pytest_asyncio.fixture
async def pool() -> AsyncIterator[Thinkers]:
    made = Thinkers(1, (ODD,))
    yield made
    await made.stop()


async def test_a_process_is_started_for_the_first_thought_and_kept_for_the_next(pool: Thinkers) -> None:
    assert pool.started == 0
    for seed in range(3):
        match, question = toys(seed=seed)
        match.act(0, await pool.think(question, PATIENCE))
    assert pool.started == 1


async def test_a_thought_is_the_same_here_and_there(pool: Thinkers) -> None:
    _, question = toys("mcts:30")
    assert await pool.think(question, PATIENCE) == think(msgspec.msgpack.decode(question, type=Job)).do


async def test_never_more_processes_than_agreed_and_nobody_is_forgotten(pool: Thinkers) -> None:
    thoughts = await asyncio.gather(*(pool.think(toys(seed=seed)[1], PATIENCE) for seed in range(6)))
    assert pool.started == 1
    assert all(thoughts)


@pytest.mark.parametrize(("mode", "word"), [("crash", "crashed"), ("hang", "overran"), ("fail", "failed")])
async def test_a_thought_that_comes_to_grief_is_lost_and_the_next_is_not(pool: Thinkers, mode: str, word: str) -> None:
    await pool.think(toys()[1], PATIENCE)  # so that the time below is not spent on starting
    with pytest.raises(NoThought) as why:
        await pool.think(odd(mode), 0.5 if mode == "hang" else PATIENCE)
    assert why.value.word == word
    assert "secret" not in str(why.value)
    assert await pool.think(toys()[1], PATIENCE)
    assert pool.started == (1 if mode == "fail" else 2)


async def test_what_a_game_prints_is_no_answer(pool: Thinkers) -> None:
    with pytest.raises(NoThought, match="failed: Fault"):
        await pool.think(odd("print"), PATIENCE)
    assert await pool.think(toys()[1], PATIENCE)


async def test_a_process_that_died_while_nobody_asked_is_replaced(pool: Thinkers) -> None:
    await pool.think(toys()[1], PATIENCE)
    (process,) = pool._alive
    os.kill(process.pid, signal.SIGKILL)
    await process.wait()
    assert await pool.think(toys()[1], PATIENCE)
    assert pool.started == 2


async def test_whoever_does_not_want_to_know_any_more_leaves_no_thinker_behind(pool: Thinkers) -> None:
    await pool.think(toys()[1], PATIENCE)
    (process,) = pool._alive
    asking = asyncio.ensure_future(pool.think(odd("hang"), PATIENCE))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    assert await asyncio.wait_for(process.wait(), PATIENCE) == -signal.SIGKILL
    assert await pool.think(toys()[1], PATIENCE)


async def test_a_crowd_of_thoughts_is_turned_away(pool: Thinkers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 1)
    first = asyncio.ensure_future(pool.think(toys()[1], PATIENCE))
    await asyncio.sleep(0)
    with pytest.raises(NoThought, match="crowded"):
        await pool.think(toys()[1], PATIENCE)
    assert await first


async def test_a_module_that_is_not_there_keeps_bots_from_thinking_and_nothing_else() -> None:
    pool = Thinkers(1, ("no.such.module",))
    with pytest.raises(NoThought, match="not_started"):
        await pool.think(toys()[1], PATIENCE)
    await pool.stop()


def test_a_thinker_leaves_with_its_parent_even_in_the_middle_of_a_thought(tmp_path: Path) -> None:
    script = textwrap.dedent(
        """
        import asyncio
        from rooms.thinkers import Thinkers
        from tests.rooms.test_thinkers import ODD, odd, toys

        async def main():
            pool = Thinkers(1, (ODD,))
            await pool.think(toys()[1], 30)
            (process,) = pool._alive
            print(process.pid, flush=True)
            await pool.think(odd("hang"), 600)

        asyncio.run(main())
        """
    )
    words, here = [sys.executable, "-c", script], Path(__file__).parents[2]
    with subprocess.Popen(words, stdout=subprocess.PIPE, cwd=here) as parent:
        assert parent.stdout is not None
        thinker = int(parent.stdout.readline())
        parent.kill()
    until(lambda: not _alive(thinker), what="the thinker's end")


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"  # whoever has to bury it may take its time

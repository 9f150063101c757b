"""Many worlds one after the other, and what to say about those that went wrong."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterable

from tests.simulation.world import Result, World

BURY = 10  # worlds after which memory is looked after


def failing(seeds: Iterable[int], *, lossy: bool = False) -> list[Result]:
    """The worlds in which something did not hold."""
    found = []
    for count, seed in enumerate(seeds, 1):
        result = World(seed, lossy=lossy).run()
        if result.violations:
            found.append(result)
        if count % BURY == 0:
            bury()
    bury()
    return found


def bury() -> None:
    """Processes that died in the middle of something leave things that were never waited for."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()


def report(results: Iterable[Result], *, lossy: bool = False) -> str:
    """What failed, and how to see it again."""
    again = " lossy" if lossy else ""
    return "\n".join(f"python -m tests.simulation {result.seed}{again}: {result.violations[0]}" for result in results)

"""See a world again: python -m tests.simulation SEED [lossy]."""

from __future__ import annotations

import sys

from tests.simulation.world import World


def main(words: list[str]) -> int:
    """Run one world and tell its story if it went wrong."""
    result = World(int(words[0]), lossy="lossy" in words).run()
    if result.violations or "-v" in words:
        print("\n".join(result.story))
    print(*result.violations, sep="\n")
    print(dict(result.counts), result.digest)
    return bool(result.violations)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""`upcard` as the tests run it: with ids of four digits, so that a card can be told from a count in any sentence."""

from __future__ import annotations

import sys

from server.cli import main
from tests.engine.secrecy import long_ids

if __name__ == "__main__":
    with long_ids():
        sys.exit(main())

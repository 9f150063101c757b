"""Where the commands write."""

from __future__ import annotations

from typing import NoReturn

from rich.console import Console


class Screen(Console):
    """A terminal, or a file or pipe in its place. Numbers and names are not coloured by guessing."""

    def __init__(self, stderr: bool = False) -> None:
        super().__init__(highlight=False, stderr=stderr)

    def on_broken_pipe(self) -> NoReturn:
        """Nobody reads any more: the command line knows how to leave quietly."""
        raise BrokenPipeError

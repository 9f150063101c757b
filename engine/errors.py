"""What can go wrong at a card table.

EngineError
  Refused     the rules do not allow it; the table is untouched; the player is told why
  Fault       our own bug in a card or in the rules; the step was struck out whole; play goes on
  BadCards    a card file does not say what it should; raised while loading, never in play
  BadReplay   a replay does not lead where it says it does
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class EngineError(Exception):
    """Anything the engine has to say to the layer above."""


class Refused(EngineError):
    """The rules say no. Nothing has changed."""

    def __init__(self, code: str, text: str, **args: Any) -> None:
        super().__init__(text)
        self.code = code  # stable, for programs; the text is for people
        self.args_ = args

    @property
    def say(self) -> tuple[str, dict[str, Any]]:
        """The message key and what it speaks of, for clients that speak another language."""
        return self.code, self.args_


class Fault(EngineError):
    """A card did what no card may do. The table is as it was before the step."""

    code = "our_fault"


class BadReplay(EngineError):
    """The file and the match that it describes do not agree."""


class BadCards(EngineError):
    """Every mistake found in a card file, told at once."""

    def __init__(self, mistakes: Iterable[str]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(self.mistakes))

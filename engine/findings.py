"""What is unusual about a move, and whom that stops.

The rules of a table that knows no game forbid little. They remark: people are told and may go on, bots are stopped.
Somebody who is sure passes by, and that is written down with the move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct

from engine.errors import Refused
from engine.frames import Arg
from engine.story import fill_in
from engine.table import EVERYONE

Level = Literal["hard", "soft"]
Heed = Literal["none", "ask", "hard", "all"]  # nothing · everything, until one is sure · as a bot does, less or more
STOPS: dict[Heed, tuple[Level, ...]] = {"none": (), "ask": ("hard", "soft"), "hard": ("hard",), "all": ("hard", "soft")}


class Finding(Struct, frozen=True, omit_defaults=True):
    """Something unusual about a move: by which rule, and how grave it is."""

    rule: str
    level: Level = "soft"
    args: dict[str, Arg] = {}
    firm: bool = False  # being sure makes no difference to a bot
    to: int = EVERYONE  # viewers who may know all that it rests on

    def stops(self, heed: Heed, sure: bool) -> bool:
        """Whether somebody who heeds so much is stopped by this."""
        beyond_help = self.firm and heed != "ask"
        return self.level in STOPS[heed] and (beyond_help or not sure)


class Unusual(Refused):
    """The move would pass if its player were sure. Nothing has changed."""

    def __init__(self, findings: Iterable[Finding], messages: Mapping[str, str]) -> None:
        self.findings = tuple(findings)
        texts = [remark["text"] for remark in remarks(self.findings, messages)]
        super().__init__("unusual", " ".join(texts), rules=[finding.rule for finding in self.findings])

    @property
    def passes(self) -> bool:
        """Whether being sure helps."""
        return not any(finding.firm for finding in self.findings)


def remarks(findings: Iterable[Finding], messages: Mapping[str, str]) -> list[dict[str, Any]]:
    """Findings in words, for whoever made the move."""
    return [
        {
            "rule": finding.rule,
            "level": finding.level,
            "text": fill_in(messages, f"rule.{finding.rule}", finding.args),
            "say": [f"rule.{finding.rule}", finding.args],
        }
        for finding in findings
    ]

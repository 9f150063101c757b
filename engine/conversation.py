"""A seat that is played by talking: read the table, look at the tools, call one, read the answer.

This is how it is done in process and from a pipe. Over a socket the same is made of one's own view (`upcard bot`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from engine.errors import Refused
from engine.findings import Heed, Unusual, remarks
from engine.frames import Seat
from engine.lens import Lens
from engine.match import Match
from engine.naming import Names
from engine.news import Step
from engine.readable import as_text, readable, story
from engine.tools import BadCall, mode, read_call, tools


class Answer(Struct, frozen=True, omit_defaults=True):
    """What comes back for a call: whether it was done, and a text to act on."""

    done: bool
    text: str
    step: Step | None = None


class Conversation:
    """One seat of a match, in words."""

    def __init__(self, match: Match, seat: Seat, heed: Heed = "hard") -> None:
        self.match, self.seat, self.heed = match, seat, heed
        self.lens = Lens(match.look, seat)
        self.record: list[dict[str, Any]] = []

    def hear(self, step: Step) -> None:
        """Remember what this seat is told of a step."""
        self.record += self.lens.news(step)

    def state(self) -> dict[str, Any]:
        """How things stand, in names."""
        return readable(self.match.game, self.lens.whole())

    def text(self) -> str:
        """How things stand, as a page; a question comes last."""
        asked = self.lens.ask(self.match)
        question = f"\n\nA question for you: {asked['text']}" if asked else ""
        return as_text(self.match.game, self.lens.whole(), self.record) + question

    def mode(self) -> str:
        """What kind of moment it is."""
        return mode(self.lens.whole(), self.lens.ask(self.match))

    def tools(self) -> list[dict[str, Any]]:
        """What can be called now."""
        return tools(self.match.game, self.lens.whole(), self.lens.offers(self.match), self.lens.ask(self.match))

    def call(self, name: str, arguments: Mapping[str, Any] | None = None) -> Answer:
        """Call a tool. What cannot be changes nothing, and the answer says what could be."""
        arguments = arguments or {}
        try:
            step = self._step(name, arguments)
        except BadCall as no:
            return Answer(False, f"Nothing was done. {no}")
        except Unusual as doubt:
            how = " Call it again with sure=true to do it all the same." if doubt.passes else ""
            return Answer(False, f"Nothing was done. {doubt}{how}")
        except Refused as no:
            return Answer(False, f"Nothing was done. {no}")
        return Answer(True, self.told(step), step)

    def told(self, step: Step) -> str:
        """What a step came to, as this seat reads it, and who is waited for next."""
        view = self.lens.whole()
        names = Names(self.match.game, view)
        lines = story(self.match.game, names, self.lens.news(step))
        lines += [f"Warning: {remark['text']}" for remark in remarks(step.warnings, self.match.game.messages)]
        if "result" in view:
            winners = [names.seat(seat) for seat in view["result"]["winners"]]
            lines.append(f"The match is over, won by {' and '.join(winners) or 'nobody'}.")
        else:
            lines.append(f"Waiting for {', '.join(map(names.seat, view['turn']['waiting'])) or 'nobody'}.")
        return "\n".join(lines)

    def _step(self, name: str, arguments: Mapping[str, Any]) -> Step:
        if name == "resign":
            return self.match.resign(self.seat)
        if name == "take_back":
            if not self.match.may_take_back(self.seat):
                raise BadCall("Somebody has learned something since; your opponent would have to agree.")
            return self.match.take_back(self.seat)
        do = read_call(self.match.game, self.lens.whole(), self.lens.offers(self.match), name, arguments)
        return self.match.act(self.seat, do, sure=arguments.get("sure") is True, heed=self.heed)

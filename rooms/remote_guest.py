"""A guest whose connection another process holds, as the rooms of this one see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from rooms import letters, wire
from rooms.telling import Told

if TYPE_CHECKING:
    from rooms.line import HostLine

REMEMBERED = 16  # answers to a guest that can be given again

_json = msgspec.json.Encoder()


class RemoteGuest:
    """Somebody whose connection another process holds."""

    __slots__ = ("expected", "given", "line", "number", "room", "to")

    def __init__(self, line: HostLine, to: str, room: str, number: int) -> None:
        self.line, self.to, self.room, self.number = line, to, room, number
        self.expected: dict[str, list[int]] = {}  # by what the client called them: commands without an answer
        self.given: dict[int, letters.Answer | None] = {}  # the last commands and their answers

    def is_new(self, number: int) -> bool:
        """Whether a command has not come before. If it has, its answer is given again, if there is one."""
        if number in self.given:
            if (answer := self.given[number]) is not None:
                self.line.post.send(self.to, answer)
            return False
        while len(self.given) >= REMEMBERED:
            del self.given[next(iter(self.given))]
        self.given[number] = None
        return True

    def follows(self, view: str, late: bool) -> bool:
        """The gateway listens to the view's channel, unless watchers are kept behind: then we tell them."""
        self.line.post.send(self.to, letters.Following(self.number, view, late))
        return late

    def tell(self, frame: wire.Frame | Told) -> None:
        """Pass it on to the gateway."""
        line = self.line
        if isinstance(frame, Told):
            line.show(self, frame)
        elif isinstance(frame, wire.Ok | wire.Err):
            self._answer(frame)
        elif isinstance(frame, wire.Snap):
            line.show(self, Told(_json.encode(frame), frame.v, frame.epoch, whole=True))
        else:
            line.say(self, frame)

    def mirror(self) -> None:
        """Pass it on to the gateway."""
        self.line.post.send(self.to, letters.Mirror(self.number))

    def close(self, code: int) -> None:
        """Pass it on to the gateway."""
        self.line.post.send(self.to, letters.Close(self.number, code))

    def _answer(self, frame: wire.Ok | wire.Err) -> None:
        numbers = self.expected.get(str(frame.i))
        if not numbers:
            return  # nobody asked: the room was only to be shown anew
        number = numbers.pop(0)
        if not numbers:
            del self.expected[str(frame.i)]
        if isinstance(frame, wire.Err) and frame.code == "moved_on":
            self.given.pop(number, None)  # the gateway sends it again, to whoever has the room then
            self.line.post.send(self.to, letters.Elsewhere(self.room, ""))
            return
        answer = self.given[number] = letters.Answer(number, _json.encode(frame))
        self.line.post.send(self.to, answer)

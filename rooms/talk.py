"""What is said at a table that is no move: chat, muting, reports, giving up. The rest is passed on.

The last lines are kept beside the match, so that whoever comes later, or to another process, still finds them.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from engine.replay import Input
from rooms import gathering, leaving, wire
from rooms.answers import no
from rooms.happenings import Address, Answer, Effect, File, Note, Present, Wished

if TYPE_CHECKING:
    from rooms.core import RoomCore

LINES = 20  # that are kept

_json = msgspec.json.Encoder()
_said = msgspec.json.Decoder(wire.Said)
_names = msgspec.json.Decoder(list[str])


class Talk:
    """What was said in one room, and who does not want to hear whom."""

    def __init__(self, side: dict[str, bytes]) -> None:
        kept = [_said.decode(data) for name, data in side.items() if name.startswith("line")]
        self.lines: deque[wire.Said] = deque(sorted(kept, key=_number), LINES)
        self.count = _number(self.lines[-1]) if self.lines else 0
        self.muted = {name[5:]: set(_names.decode(data)) for name, data in side.items() if name.startswith("mute:")}

    def deaf_to(self, core: RoomCore, user: str) -> frozenset[Address]:
        """The connections that do not want to hear somebody."""
        deaf = {listener for listener, muted in self.muted.items() if user in muted}
        return frozenset(to for to, who in core.seating.users.items() if who in deaf) if deaf else frozenset()


def hear(core: RoomCore, event: Wished, now: int) -> list[Effect]:
    """What comes of a wish."""
    if not core.seating.is_here(event.to):
        return [no(event.to, event.wish.i, "not_joined", "Join the room first.")]
    match event.wish:
        case wire.Say() as say:
            return chat(core, event, say, now)
        case wire.Propose() as wish:
            return core.proposals.propose(core, event, wish, now)
        case wire.Reply() as wish:
            return core.proposals.reply(core, event, wish, now)
        case wire.Resign() as wish:
            return give_up(core, event, wish, now)
        case wire.Claim() as wish:
            return leaving.claim(core, event, wish, now)
        case wire.Ready() as wish:
            return gathering.ready(core, event, wish, now)
        case wire.Kick() as wish:
            return gathering.kick(core, event, wish)
        case wire.Mute() as wish:
            return mute(core, event, wish)
        case wire.Report() as wish:
            return report(core, event, wish, now)


def give_up(core: RoomCore, event: Wished, wish: wire.Resign, now: int) -> list[Effect]:
    """A player resigns. Saying it twice is saying it once."""
    seat = core.seating.seat_of(event.who.user)
    if seat is None:
        return [no(event.to, wish.i, "not_seated", "You have no match to give up here.")]
    if core.match is None:
        return gathering.stand_up(core, event, seat, wish.i)
    if seat in core.state.resigned:
        return [Answer(event.to, wire.Ok(i=wish.i, v=core.state.resigned[seat]))]
    if not core.seating.plays(seat, event.to):
        return [no(event.to, wish.i, "elsewhere", "You play this match in another window.")]
    entry = Input(core.ver + 1, seat, resign="resigned", at=now)
    return core.try_input(entry, now, event.to, wish.i, None)


def chat(core: RoomCore, event: Wished, say: wire.Say, now: int) -> list[Effect]:
    """Somebody says something for all to hear who want to."""
    seat, talk = core.seating.seat_of(event.who.user), core.talk
    talk.count += 1
    said = wire.Said(
        room=core.room,
        seat=UNSET if seat is None else seat,
        name=event.who.name,
        text=say.text or UNSET,
        emote=say.emote or UNSET,
        user=event.who.user,
        line=talk.count,
        at=now,
    )
    talk.lines.append(said)
    kept = Note({f"line{talk.count % LINES}": _json.encode(said)})
    return [Answer(event.to, wire.Ok(i=say.i)), Present(said, talk.deaf_to(core, event.who.user)), kept]


def mute(core: RoomCore, event: Wished, wish: wire.Mute) -> list[Effect]:
    """Somebody wants to hear a seat no more, or again."""
    user = core.seating.sitters[wish.seat].user if wish.seat < len(core.seating.sitters) else ""
    if not user:
        return [no(event.to, wish.i, "bad_seat", "Nobody who talks sits there.")]
    muted = core.talk.muted.setdefault(event.who.user, set())
    if wish.on:
        muted.add(user)
    else:
        muted.discard(user)
    kept = _json.encode(sorted(muted)) if muted else b""
    return [Answer(event.to, wire.Ok(i=wish.i)), Note({f"mute:{event.who.user}": kept})]


def report(core: RoomCore, event: Wished, wish: wire.Report, now: int) -> list[Effect]:
    """Somebody tells the operator of this place about somebody at the table."""
    sitter = core.seating.sitters[wish.seat] if wish.seat < len(core.seating.sitters) else None
    if sitter is None or not sitter.user or sitter.user == event.who.user:
        return [no(event.to, wish.i, "bad_seat", "Nobody whom you could report sits there.")]
    filed = {
        "room": core.room,
        "by": event.who.user,
        "about": sitter.user,
        "name": sitter.name,
        "why": wish.why,
        "text": wish.text,
        "lines": [msgspec.to_builtins(line) for line in core.talk.lines],
        "at": now,
    }
    return [Answer(event.to, wire.Ok(i=wish.i)), File(filed)]


def greet(core: RoomCore, to: Address, user: str) -> list[Effect]:
    """What a newcomer missed of the talk: the last lines, what is proposed, and where the table has gone on."""
    muted = core.talk.muted.get(user, ())
    said: list[Effect] = [Answer(to, line) for line in core.talk.lines if line.user not in muted]
    said += [Answer(to, frame) for frame in core.proposals.shown(core)]
    said += core.worth.greet(core, to)
    if core.onward.next:
        said.append(Answer(to, core.onward.frame(core)))
    return said


def _number(line: wire.Said) -> int:
    return line.line or 0

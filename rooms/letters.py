"""What hosts and gateways write to each other.

A gateway's letters carry a command of one guest to the owner of a room; each has a number and is answered once, so it
can be sent again until the answer is there. A host's letters carry answers and whatever is meant for single guests;
what a whole view is told goes over the view's channel instead.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from rooms import wire
from rooms.happenings import Who


class Letter(Struct, array_like=True):
    """Anything that one process writes to another."""


# to a host


class Command(Letter):
    """What a guest of a gateway wants from a room. The gateway counts guests and commands."""

    room: str
    guest: int
    number: int


class Come(Command, tag="come"):
    """Somebody sits down, watches, or is shown what they missed."""

    who: Who
    join: wire.Join
    code: bool = False
    quiet: bool = False


class Go(Command, tag="go"):
    """Somebody follows the room no longer."""

    closed: bool = False


class Act(Command, tag="act"):
    """A move."""

    who: Who
    act: wire.Act
    lag: int = 0


class Want(Command, tag="want"):
    """Somebody wants something that is no move."""

    who: Who
    wish: wire.Wish


class Ask(Letter, tag="ask"):
    """Something that only hosts may read or write; answered by a Reply."""

    number: int
    what: str
    words: list[Any]


class Look(Letter, tag="look"):
    """These rooms have nobody; look after them."""

    rooms: list[str]


class CloseRoom(Letter, tag="close_room"):
    """Whoever runs this place wants a table closed."""

    room: str


class Drain(Letter, tag="drain"):
    """Hand everything over and stop."""


class Rated(Letter, tag="rated"):
    """A match of yours is in the archive, and did this to ratings."""

    frame: wire.Rated


ToHost: TypeAlias = Come | Go | Act | Want | Ask | Look | CloseRoom | Drain | Rated


# to a gateway


class Answer(Letter, tag="answer"):
    """The one answer to a command, as JSON."""

    number: int
    frame: bytes


class Heard(Letter, tag="heard"):
    """A command that needs no answer has arrived."""

    number: int


class Following(Letter, tag="following"):
    """The guest is told a view from now on; a late one comes by letter, not over the channel."""

    guest: int
    view: str
    late: bool


class Shown(Letter, tag="shown"):
    """A snap or a delta for one guest, told under the ownership `ep`."""

    guest: int
    ep: int
    epoch: str
    was: str  # the epoch of the version before
    v: int
    whole: bool
    newest: bool  # comes with offers, question and clock as they are now; older ones come without
    frame: bytes


class Said(Letter, tag="said"):
    """Presence or talk for some guests."""

    guests: list[int]
    frame: bytes


class ForUser(Letter, tag="for_user"):
    """Something for every connection of a user, whatever rooms they follow."""

    user: str
    frame: bytes


class About(Letter, tag="about"):
    """What is known of a user has changed: whoever has them looks again."""

    user: str


class Mirror(Letter, tag="mirror"):
    """The guest's player plays in another window now."""

    guest: int


class Close(Letter, tag="close"):
    """Hang up on a guest."""

    guest: int
    code: int


class Elsewhere(Letter, tag="elsewhere"):
    """We do not have this room (any more); `to` may have it. Unanswered commands are to be sent there."""

    room: str
    to: str


class Gone(Letter, tag="gone"):
    """There is no such room: the answer to a command."""

    number: int


class Busy(Letter, tag="busy"):
    """Too much is waiting here: the answer to a command."""

    number: int


class Stranger(Letter, tag="stranger"):
    """We do not know who follows this room through you: tell us."""

    room: str


class Reply(Letter, tag="reply"):
    """The answer to an Ask."""

    number: int
    value: bytes
    error: str = ""


ToGateway: TypeAlias = (
    Answer
    | Heard
    | Following
    | Shown
    | Said
    | ForUser
    | About
    | Mirror
    | Close
    | Elsewhere
    | Gone
    | Busy
    | Stranger
    | Reply
    | Drain
)


class HostMail(Struct, array_like=True):
    """All letters of one sender to a host from one turn of its event loop."""

    sender: str
    letters: list[ToHost]


class GatewayMail(Struct, array_like=True):
    """The same to a gateway."""

    sender: str
    letters: list[ToGateway]


encode = msgspec.msgpack.Encoder().encode
read_host_mail = msgspec.msgpack.Decoder(HostMail).decode
read_gateway_mail = msgspec.msgpack.Decoder(GatewayMail).decode

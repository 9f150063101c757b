"""Commands to the owner of a room: who that is, and sending again until there is an answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from rooms import wire
from rooms.following import Follower, RoomCommand, Unanswered
from rooms.host import RoomGone
from rooms.keys import host_inbox
from rooms.nodes import StoreTrouble

if TYPE_CHECKING:
    from rooms.remote_host import RemoteHost

SILENCE = 1.0  # seconds without an answer until we look for the owner again
PATIENCE = 10.0  # until the client is told to try again
FIRST_WAIT, LONGEST_WAIT = 0.02, 0.25  # between two tries to find an owner


class Errands:
    """What one gateway wants from the owner of one room. Whoever follows the room is the business of its heir."""

    def __init__(self, far: RemoteHost, room: str, owner: str) -> None:
        self.far, self.room, self.owner = far, room, owner
        self.dropped = False
        self.unanswered: dict[int, Unanswered] = {}
        self._heard_at = 0.0  # when the owner last said something
        self._hops = 0  # how often in a row we were sent on
        self._finding: asyncio.Task[None] | None = None

    @property
    def wanted(self) -> bool:
        """Whether anybody still follows the room."""
        raise NotImplementedError

    def introduce(self) -> None:
        """Tell a new owner who is here."""
        raise NotImplementedError

    def drop(self) -> None:
        """The room is in this process now."""
        raise NotImplementedError

    def send(self, command: RoomCommand, follower: Follower, i: str) -> None:
        """Have the owner do something. The client knows it as `i`, or not at all."""
        now = self.far.loop.time()
        self.unanswered[command.number] = Unanswered(command, follower, i, now, now)
        self.far.waiting[command.number] = self
        if len(self.far.waiting) > self.far.most_waiting:
            self.refuse(command.number, "busy", "Too much is waiting at the moment; try again.", retry=True)
        else:
            self.post(command)

    def post(self, command: RoomCommand) -> None:
        """Put a command into the mail, if it is known where to."""
        if self.owner:
            self.far.post.send(host_inbox(self.owner), command)

    def settle(self, number: int) -> Unanswered | None:
        """A command has its answer."""
        self.far.waiting.pop(number, None)
        return self.unanswered.pop(number, None)

    def refuse(self, number: int, code: str, text: str, retry: bool = False) -> None:
        """A command will not be done."""
        one = self.settle(number)
        if one is not None and one.i:
            one.follower.joining = False
            one.follower.guest.tell(wire.Err(i=one.i, code=code, text=text, retry=retry, say=(code, {})))

    def spoke(self) -> None:
        """The owner is there."""
        self._heard_at = self.far.loop.time()
        self._hops = 0

    def moved(self, by: str, to: str) -> None:
        """The one we thought to be the owner says that it is not, and who might be."""
        if by == self.owner:
            self.owner = ""
            self.look(to)

    def late(self, now: float) -> None:
        """Look after commands that have no answer."""
        self._give_up(now)
        if any(now - one.sent > SILENCE for one in self.unanswered.values()):
            self.look(silent=self.owner)

    def look(self, to: str = "", silent: str = "") -> None:
        """Find the owner; `to` may be it, `silent` does not answer."""
        if self._finding is None and not self.dropped:
            self._finding = self.far.begin(self._find(to, silent))

    async def _find(self, owner: str, silent: str) -> None:
        began = self.far.loop.time()
        wait = min(FIRST_WAIT * 2**self._hops, LONGEST_WAIT) if self._hops else 0.0
        try:
            while self.wanted and not self.dropped:
                await asyncio.sleep(wait)
                wait, exp = min(max(wait * 2, FIRST_WAIT), LONGEST_WAIT), 0
                if not owner:
                    owner, exp = await self._ask(silent)
                if owner and owner == self.far.mine:
                    self.drop()
                elif owner and owner == silent and self._heard_at < began:
                    self.owner = owner
                    self._resend()  # it may yet wake up; nobody else can have the room before its lease ends
                    wait = min(SILENCE, max(0.05, (exp - self.far.now()) / 1000 + 0.01))
                elif owner:
                    self._go_to(owner)
                    return
                owner = ""
                self._give_up(self.far.loop.time())
        except RoomGone:
            for number in list(self.unanswered):
                self.refuse(number, "no_room", "There is no such room, or it is gone.")
        finally:
            self._finding = None

    async def _ask(self, silent: str) -> tuple[str, int]:
        try:
            return await self.far.owner(self.room, silent)
        except StoreTrouble:
            return "", 0

    def _go_to(self, owner: str) -> None:
        self._hops += 1
        same, self.owner = owner == self.owner, owner
        if not same:
            for number in [number for number, one in self.unanswered.items() if not one.i]:
                self.settle(number)  # is said anew, in the introduction
            waiting = list(self.unanswered.values())
            self.introduce()
            self._resend(waiting)
        else:
            self._resend()

    def _resend(self, some: list[Unanswered] | None = None) -> None:
        for one in list(self.unanswered.values()) if some is None else some:
            one.sent = self.far.loop.time()
            self.post(one.command)

    def _give_up(self, now: float) -> None:
        for number, one in list(self.unanswered.items()):
            if now - one.first > PATIENCE:
                self.refuse(number, "busy", "The room cannot be reached at the moment; try again.", retry=True)

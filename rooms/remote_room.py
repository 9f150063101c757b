"""A room that another process has, as a gateway sees it.

What everybody is told comes over the channels of the views; each follower is told each version once and in order, and
for whoever missed one the owner is asked.
"""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from rooms import letters, wire
from rooms.errands import Errands
from rooms.following import Feed, Follower, read_told
from rooms.guest import Guest
from rooms.happenings import Acted, Came, Event, Went, Wished
from rooms.host import RoomGone
from rooms.keys import keys_of
from rooms.nodes import StoreTrouble
from rooms.seating import WATCH
from rooms.telling import Told

if TYPE_CHECKING:
    from rooms.remote_host import RemoteHost

GRACE = 0.15  # seconds that something published may be on its way
ASK_EVERY = 0.5  # seconds between two questions for what one follower missed

_answers = msgspec.json.Decoder(wire.Ok | wire.Err)


class RemoteRoom(Errands):
    """One room of another process."""

    def __init__(self, far: RemoteHost, room: str, owner: str) -> None:
        super().__init__(far, room, owner)
        self.keys = keys_of(room)
        self.ep = 0  # the newest ownership that we heard of
        self.followers: dict[Guest, Follower] = {}
        self.feeds: dict[str, Feed] = {}

    @property
    def wanted(self) -> bool:
        return bool(self.followers)

    # what guests want

    def hear(self, event: Event) -> None:
        """Pass on to the owner what a guest wants."""
        match event:
            case Came():
                self._come(event)
            case Went(to=guest, closed=closed):
                self._go(guest, closed)
            case Acted(who=who, act=act, to=guest, lag=lag):
                one = self._known(guest)
                self.send(letters.Act(self.room, one.number, self.far.count(), who, act, lag), one, act.i)
            case Wished(who=who, wish=wish, to=guest):
                one = self._known(guest)
                self.send(letters.Want(self.room, one.number, self.far.count(), who, wish), one, wish.i)
            case _:
                raise AssertionError(f"no guest does {event}")

    def leave(self, guest: Guest) -> None:
        """A guest follows the room no longer, and is about to say so."""

    def _known(self, guest: Guest) -> Follower:
        follower = self.followers.get(guest) or Follower(guest, self.far.count())
        self.followers[guest] = follower
        self.far.guests[follower.number] = (self, follower)
        return follower

    def _come(self, came: Came) -> None:
        follower = self._known(came.to)
        self.followers[came.to] = self.followers.pop(came.to)  # the newest one last
        follower.comes(came)
        if came.quiet:
            self._catch_up(follower)
            return
        follower.joining = True
        come = letters.Come(self.room, follower.number, self.far.count(), came.who, came.join, came.code)
        if follower.watch and not (listening := self._listen(WATCH)).done():
            listening.add_done_callback(lambda done: self._send_if_here(come, follower, came.join.i))
        else:
            self.send(come, follower, came.join.i)

    def _send_if_here(self, come: letters.Come, follower: Follower, i: str) -> None:
        if self.followers.get(follower.guest) is follower:
            self.send(come, follower, i)

    def _go(self, guest: Guest, closed: bool) -> None:
        follower = self.followers.pop(guest, None)
        if follower is None:
            return
        self.far.guests.pop(follower.number, None)
        for number in [number for number, one in self.unanswered.items() if one.follower is follower]:
            self.settle(number)
        self.post(letters.Go(self.room, follower.number, self.far.count(), closed))
        self._forget_unless_followed(follower.view)
        if not self.followers:
            self._forget_unless_followed(WATCH)
            self.far.forget(self)

    def _catch_up(self, follower: Follower) -> None:
        """Tell the owner that somebody is here, and what they have."""
        follower.asked = self.far.loop.time()
        self.send(follower.again(self.room, self.far.count()), follower, "")

    # what the owner says

    def answered(self, number: int, data: bytes) -> None:
        """Pass an answer on."""
        one = self.settle(number)
        if one is not None:
            if isinstance(one.command, letters.Come):
                one.follower.joining = False
            one.follower.guest.tell(_answers.decode(data))

    def following(self, follower: Follower, view: str, late: bool) -> None:
        """Somebody is told this view from now on."""
        before, follower.view, follower.late = follower.view, view, late
        if before != view:
            self._forget_unless_followed(before)
        if late:
            self._forget_unless_followed(view)
        elif not (listening := self._listen(view)).done():
            listening.add_done_callback(lambda done: self.far.spawn(self._listening(follower)))

    def shown(self, follower: Follower, ep: int, told: Told, newest: bool) -> None:
        """A version for one follower. What an owner says that was replaced since is not told any more."""
        if 0 < ep < self.ep:
            self.far.stale += 1
            return
        self.ep = max(self.ep, ep)
        if told.whole:
            follower.show(told)
            follower.bare = False
        elif follower.take(told):
            follower.bare = not newest
        elif follower.late and told.v > follower.v:
            self._missed(follower)
        feed = None if follower.bare else self.feeds.get(follower.view)
        while feed is not None and (then := feed.ring.get(follower.v + 1)) is not None and follower.take(then):
            pass

    def introduce(self) -> None:
        for follower in list(self.followers.values()):
            if not follower.joining:
                self._catch_up(follower)

    # what everybody is told

    def _listen(self, view: str) -> asyncio.Future[None]:
        """Hear a view; done once nothing is missed any more."""
        if (feed := self.feeds.get(view)) is None:
            feed = self.feeds[view] = Feed()
            feed.sure = self.far.ears.listen(self.keys.view(view), partial(self._told, view, feed), self.suspect)
        return feed.sure

    def _forget_unless_followed(self, view: str) -> None:
        if not any(one.view == view and not one.late for one in self.followers.values()):
            self._forget(view)

    def _forget(self, view: str) -> None:
        if self.feeds.pop(view, None) is not None:
            self.far.ears.forget(self.keys.view(view))

    async def _listening(self, follower: Follower) -> None:
        """What was said before we listened is to be asked for."""
        with contextlib.suppress(StoreTrouble, RoomGone):
            ver, *_ = await self.far.meta(self.room)
            if self.followers.get(follower.guest) is follower and not follower.joining and follower.v < ver:
                self._catch_up(follower)

    def _told(self, view: str, feed: Feed, payload: bytes) -> None:
        """A commit told a view something."""
        told = read_told(payload)
        rewritten = not feed.add(told)
        for follower in self.followers.values():
            if follower.view != view or follower.joining or follower.v < 0:
                continue
            if rewritten:  # the store went back, and other things happened since
                self._catch_up(follower)
            elif told.v > follower.v and (follower.bare or not follower.take(told)):
                self._missed(follower)
        known, self.ep = self.ep, max(self.ep, int(told.epoch))
        if 0 < known < self.ep:
            self.look()  # somebody else has the room now

    def _missed(self, follower: Follower) -> None:
        if self.far.loop.time() - follower.asked > ASK_EVERY:
            self.far.gaps += 1
            self._catch_up(follower)

    # what nobody said

    def suspect(self) -> None:
        """Something may have been missed."""
        self.far.spawn(self.check())

    async def check(self) -> None:
        """Compare what everybody has with the store. What is on its way is not missing, so look twice."""
        try:
            ver, own, exp, _ = await self.far.meta(self.room)
            if not all(follower.v == ver and follower.view for follower in self.followers.values()):
                await asyncio.sleep(GRACE)
                have = {follower: follower.v for follower in self.followers.values()}
                newest, own, exp, _ = await self.far.meta(self.room)
                self._repair(ver, newest, have)
        except (StoreTrouble, RoomGone):
            return
        if own != self.owner or exp < self.far.now():
            self.look(silent=self.owner if own == self.owner else "")

    def _repair(self, expected: int, newest: int, have: dict[Follower, int]) -> None:
        for follower, v in have.items():
            here = self.followers.get(follower.guest) is follower
            if not here or follower.joining or follower.late:
                continue
            if not follower.view:  # that they were let in was said, and lost
                self._catch_up(follower)
                continue
            if follower.v < expected or v > newest:  # something was missed, or the store went back
                self.far.repaired += 1
                self._catch_up(follower)

    def drop(self) -> None:
        if not self.dropped:
            self.dropped = True
            for view in list(self.feeds):
                self._forget(view)
            self.far.forget(self)
            for tell in self.far.lost:
                tell(self)
            events = [one.event() for one in self.unanswered.values()]
            self.far.hand_back(self.room, [event for event in events if event is not None])

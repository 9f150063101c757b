"""Hearing what is said on the store's channels, wherever in a cluster they are.

One connection to each server that holds a wanted channel. A channel that fell silent, because its server died or gave
it away, is found again; whoever listens is then told of a gap, as what was said meanwhile is gone and must be read.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from rooms.address import Address, pack
from rooms.nodes import Nodes
from rooms.pipe import Pipe, ReplyError

PING_EVERY = 1.0  # seconds; a connection that only listens would not notice that the other end is gone


class Listener:
    """Somebody who wants to hear a channel."""

    __slots__ = ("channel", "gap", "heard", "home", "sure", "tries")

    def __init__(self, channel: str, heard: Callable[[bytes], None], gap: Callable[[], None]) -> None:
        self.channel, self.heard, self.gap = channel, heard, gap
        self.home: Ear | None = None  # where we asked for it
        self.sure: asyncio.Future[None] = asyncio.get_running_loop().create_future()  # done: nothing is missed from now
        self.tries = 0


class Ears:
    """All the channels that this process listens to."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.gaps = 0  # how often somebody had to be told
        self._wanted: dict[str, Listener] = {}
        self._ears: dict[Address, Ear] = {}
        self._pinger: asyncio.Task[None] | None = None
        nodes.changed.append(self._look_around)

    def listen(self, channel: str, heard: Callable[[bytes], None], gap: Callable[[], None]) -> asyncio.Future[None]:
        """Hear a channel; one listener each. Once the future is done, nothing is missed but for what `gap` tells."""
        self.forget(channel)
        self._pinger = self._pinger or asyncio.get_running_loop().create_task(self._ping())
        self._wanted[channel] = Listener(channel, heard, gap)
        self._place(self._wanted[channel])
        return self._wanted[channel].sure

    def forget(self, channel: str) -> None:
        """Hear it no longer."""
        if (listener := self._wanted.pop(channel, None)) is not None:
            listener.sure.cancel()
            if listener.home is not None:
                listener.home.leave(channel)

    async def close(self) -> None:
        """Hear nothing any more."""
        with contextlib.suppress(ValueError):
            self.nodes.changed.remove(self._look_around)
        if self._pinger is not None:
            self._pinger.cancel()
            await asyncio.wait([self._pinger])
        for channel in list(self._wanted):
            self.forget(channel)
        await asyncio.gather(*(ear.pipe.close() for ear in self._ears.values()))

    def _place(self, listener: Listener) -> None:
        """Ask the server that holds the channel now. If there is none, the next change of places brings one."""
        if self._wanted.get(listener.channel) is not listener:
            return
        address, listener.home = self.nodes.home(listener.channel), None
        if address is None:
            self.nodes.stir()
            return
        if address not in self._ears:
            self._ears[address] = Ear(address, self)
        listener.home = self._ears[address]
        if listener.home.pipe.up:  # else all are asked for when it comes up
            listener.home.join(listener)

    def _look_around(self) -> None:
        """The servers changed places: follow them, and hang up on those that hold nothing any more."""
        for listener in list(self._wanted.values()):
            home = listener.home
            if home is None or home.pipe.address != self.nodes.home(listener.channel):
                if home is not None:
                    home.leave(listener.channel)
                self._place(listener)
        used = {listener.home for listener in self._wanted.values()}
        for address, ear in list(self._ears.items()):
            if ear not in used:
                del self._ears[address]
                ear.pipe.hang_up()

    def _lost(self, listener: Listener) -> None:
        """The server does not serve this channel, or no longer: ask again, a little later each time."""
        listener.tries += 1
        self.nodes.stir()
        wait = min(0.02 * 2 ** min(listener.tries, 5), 0.5) * random.uniform(0.5, 1.0)
        asyncio.get_running_loop().call_later(wait, self._place, listener)

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(PING_EVERY)
            for ear in self._ears.values():
                if ear.pipe.up:
                    ear.pipe.send(pack("PING"), lambda reply: None)


class Ear:
    """The connection to one server."""

    def __init__(self, address: Address, ears: Ears) -> None:
        self.ears = ears
        self.leaving: Counter[str] = Counter()  # farewells that we asked for; any other means that we were sent away
        self.pipe = Pipe(address, deadline=max(1.0, ears.nodes.deadline))
        self.pipe.push, self.pipe.came, self.pipe.went = self._push, self._came, ears.nodes.stir
        self.pipe.open()

    def join(self, listener: Listener) -> None:
        """Ask for a channel."""
        self.pipe.send(pack("SSUBSCRIBE", listener.channel), partial(self._joined, listener))

    def leave(self, channel: str) -> None:
        """Ask for a channel no longer."""
        if self.pipe.up:
            self.leaving[channel] += 1
            self.pipe.send(pack("SUNSUBSCRIBE", channel), partial(self._left, channel))

    def _came(self) -> None:
        self.leaving.clear()
        for listener in self.ears._wanted.values():
            if listener.home is self:
                self.join(listener)

    def _joined(self, listener: Listener, reply: Any) -> None:
        if self.ears._wanted.get(listener.channel) is not listener or listener.home is not self:
            return
        if isinstance(reply, ReplyError):
            if str(reply).startswith("MOVED"):
                self.ears.nodes.moved(str(reply), self.pipe.address)
            self.ears._lost(listener)
        elif not isinstance(reply, Exception):  # a lost connection comes back and asks again
            listener.tries = 0
            if not listener.sure.done():
                listener.sure.set_result(None)
            else:
                self.ears.gaps += 1
                listener.gap()

    def _left(self, channel: str, reply: Any) -> None:
        self.leaving -= Counter((channel,))  # keeps none below one

    def _push(self, reply: Any) -> bool:
        """Take what nobody asked for: messages, and being sent away because the slot moved."""
        if type(reply) is not list or len(reply) != 3:
            return False
        kind, name, said = reply
        if kind == b"smessage":
            if (listener := self.ears._wanted.get(name.decode())) is not None:
                listener.heard(said)
            return True
        if kind == b"sunsubscribe" and not self.leaving[name.decode()]:
            if (listener := self.ears._wanted.get(name.decode())) is not None and listener.home is self:
                self.ears._lost(listener)
            return True
        return False

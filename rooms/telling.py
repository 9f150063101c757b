"""What everybody at a table is told of one version, written once for each view.

A view's delta has two parts. What changed and what happened is kept in the view's ring, so that whoever missed it can
be told again. What one may do now, what one is asked and the clock are only ever told for the newest version.
"""

from __future__ import annotations

from collections import deque
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from engine.gallery import Gallery
from engine.match import Match
from engine.merge import canonical
from engine.news import Step
from rooms import wire

KEEP = 16  # versions that a ring holds
SUM_EVERY = 20  # a checksum of the whole view goes along with every twentieth version

_json = msgspec.json.Encoder()
_msgpack = msgspec.msgpack.Encoder()
_json_decoder = msgspec.json.Decoder()


class Kept(Struct, frozen=True):
    """One version of one view as its ring keeps it: `"patch":{…},"events":[…]` without the braces."""

    v: int
    epoch: str
    body: bytes

    def stored(self) -> bytes:
        """As it lies in the store."""
        return b"%b:%d:%b" % (self.epoch.encode(), self.v, self.body)

    @classmethod
    def read(cls, data: bytes) -> Kept:
        """From the store."""
        epoch, v, body = data.split(b":", 2)
        return cls(int(v), epoch.decode(), body)


PARTS = (b"offers", b"blocked", b"ask", b"clock")  # what is told for the newest version only
UNTOLD = (b"?",) * 4  # we do not know what was told before us: all of it is news


class Told:
    """A frame that is written at most once in each encoding, however many it goes to."""

    __slots__ = ("_msgpack", "epoch", "json", "v", "was", "whole")

    def __init__(self, json: bytes, v: int, epoch: str, was: str = "", whole: bool = False) -> None:
        self.json = json
        self.v, self.epoch = v, epoch
        self.whole = whole  # shows everything, and does not build on what was told before
        self.was = was  # the epoch of the version before: it follows on that one and on no other
        self._msgpack: bytes | None = None

    @property
    def published(self) -> bytes:
        """What the commit tells other processes, after epoch and version."""
        return b"%b:%b" % (self.was.encode(), self.json)

    @property
    def msgpack(self) -> bytes:
        """The same in MessagePack."""
        if self._msgpack is None:
            self._msgpack = _msgpack.encode(_json_decoder.decode(self.json))
        return self._msgpack


class Teller:
    """Writes deltas and snapshots of one match, for every view."""

    def __init__(self, room: str, match: Match) -> None:
        self.room = room
        self.match = match
        self.gallery = Gallery(match)
        self.views = tuple(self.gallery.lenses)
        self.rings: dict[str, deque[Kept]] = {view: deque(maxlen=KEEP) for view in self.views}
        self.now: dict[str, tuple[bytes, ...]] = dict.fromkeys(self.views, UNTOLD)
        self.shown: dict[str, dict[str, Any]] = {}  # the patch of each view that was told last
        self.heard: dict[str, list[dict[str, Any]]] = {}  # what each view was told last
        self._head = b'{"t":"delta","room":%b,"v":' % _json.encode(room)

    def tell(
        self, step: Step, v: int, epoch: str, was: str, clock: Any, watched: bool = True
    ) -> tuple[dict[str, Kept], dict[str, Told]]:
        """The ring's entry and the frame of each view for this step. The deal tells everything.

        Nothing is written for watchers while there are none; the first one is shown everything.
        """
        views = self.views if watched else self.views[:-1]
        patches = self.gallery.views() if v == 1 else self.gallery.patches(step, views)
        news = self.heard = self.gallery.news(step, views)
        self.shown = patches
        clock_bytes = b"null" if clock is None else _json.encode(clock)
        waiting = [str(seat) for seat in self.match.waiting()]
        kept, told = {}, {}
        for view in views:
            body = _body(patches[view], news[view])
            kept[view] = Kept(v, epoch, body)
            more = self._fresh(view, view in waiting, clock_bytes)
            if epoch != was:
                more += b',"epoch":' + _json.encode(epoch)
            if v % SUM_EVERY == 0:
                more += b',"sum":"%b"' % self.sum(view).encode()
            told[view] = self._frame(v, epoch, was, body, more)
        return kept, told

    def keep(self, kept: dict[str, Kept]) -> None:
        """The version is committed: remember it for those who will have missed it."""
        for view, entry in kept.items():
            self.rings[view].append(entry)

    def snap(self, view: str, v: int, epoch: str, seat: int | None, n: int | None, clock: Any) -> wire.Snap:
        """Everything that a view shows now."""
        lens = self.gallery.lenses[view]
        if view == "watch":
            self.now[view] = (_json.encode(clock),)
        snap = wire.Snap(room=self.room, epoch=epoch, v=v, view=lens.whole(), clock=clock)
        if seat is not None:
            snap.seat = seat
            snap.n = n if n is not None else UNSET
            snap.offers, snap.blocked, snap.ask = (
                lens.offers(self.match),
                lens.blocked(self.match),
                lens.ask(self.match),
            )
        return snap

    def missed(self, view: str, have: wire.Have, v: int) -> list[Kept] | None:
        """What a client missed, if its history is ours and the ring still holds it all."""
        ring = self.rings[view]
        place = next((n for n, entry in enumerate(ring) if entry.v == have.v and entry.epoch == have.epoch), None)
        if place is None:
            return None
        after = [entry for entry in list(ring)[place + 1 :] if entry.v <= v]
        whole = [entry.v for entry in after] == list(range(have.v + 1, v + 1))
        return after if whole else None

    def again(self, view: str, kept: Kept, last_epoch: str, newest: bool, clock: Any) -> Told:
        """A kept version as a frame; the newest one comes with what one may do now."""
        more = b"" if kept.epoch == last_epoch else b',"epoch":' + _json.encode(kept.epoch)
        if newest:
            lens = self.gallery.lenses[view]
            fresh = {"clock": clock}
            if view != "watch":
                fresh |= {
                    "offers": lens.offers(self.match),
                    "ask": lens.ask(self.match),
                    "blocked": lens.blocked(self.match),
                }
            more += b"," + _json.encode(fresh)[1:-1]
        return self._frame(kept.v, kept.epoch, last_epoch, kept.body, more)

    def sum(self, view: str) -> str:
        """The first digits of the hash of a whole view: a client that has drifted notices."""
        return sha256(canonical(self.gallery.lenses[view].whole())).hexdigest()[:8]

    def reset(self) -> None:
        """A step was struck out: look at everything anew."""
        self.gallery.look_anew()
        self.tell_all()

    def tell_all(self) -> None:
        """What players were told last is not known; tell them offers, question and clock whatever they are."""
        self.now = dict.fromkeys(self.views, UNTOLD)

    def _fresh(self, view: str, waited_for: bool, clock: bytes) -> bytes:
        """Offers, question and clock, as far as they changed."""
        old = self.now[view]
        if view == "watch":  # watchers are offered and asked nothing
            self.now[view] = (clock,)
            return b"" if old == (clock,) else b',"clock":' + clock
        offers = blocked = b"[]"
        ask = b"null"
        if waited_for:
            lens, match = self.gallery.lenses[view], self.match
            offers, blocked = _json.encode(lens.offers(match)), _json.encode(lens.blocked(match))
            ask = _json.encode(lens.ask(match))
        new = self.now[view] = (offers, blocked, ask, clock)
        fresh = b""
        for name, before, now in zip(PARTS, old, new, strict=True):
            if now != before:
                fresh += b',"%b":%b' % (name, now)
        return fresh

    def _frame(self, v: int, epoch: str, was: str, body: bytes, more: bytes) -> Told:
        """A whole frame. What comes after the body begins with a comma."""
        frame = b"%b%d,%b%b}" % (self._head, v, body, more) if body else b"%b%d%b}" % (self._head, v, more)
        return Told(frame, v, epoch, was)


def _body(patch: dict[str, Any], news: list[dict[str, Any]]) -> bytes:
    parts = []
    if patch:
        parts.append(b'"patch":' + _json.encode(patch))
    if news:
        parts.append(b'"events":' + _json.encode(news))
    return b",".join(parts)

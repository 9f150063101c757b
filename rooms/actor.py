"""The shell around a room's core: carries out what the core wants, and brings it the answers.

No task and no lock: an event comes in, effects go out, and the answer to a write comes in as the next event.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import structlog

from rooms import scripts, wire
from rooms.answers import turned_away
from rooms.core import RoomCore
from rooms.fault_points import reach
from rooms.guest import Guest
from rooms.happenings import (
    Answer,
    Close,
    Commit,
    Committed,
    Drop,
    Effect,
    Event,
    Follow,
    Mirror,
    Missed,
    Present,
    Save,
    Saved,
    Tell,
    Think,
    TimeUp,
    Unfollow,
    Unwritten,
    Wake,
    WakeMissed,
    WakeWatch,
    WatchDue,
)
from rooms.keys import keys_of
from rooms.nodes import Refused, StoreTrouble
from rooms.outside import Outside
from rooms.repair import Recent, as_it_was, under
from rooms.scripts import Code
from rooms.seating import WATCH
from rooms.telling import KEEP, Told

if TYPE_CHECKING:
    from rooms.host import Host

log = structlog.get_logger()
FIRST_RETRY, LONGEST_RETRY = 0.1, 1.0  # seconds
FULL = ("OOM", "MISCONF", "NOREPLICAS")  # what a store says that must not write now


class Actor:
    """One room in this process."""

    def __init__(self, host: Host, core: RoomCore, lease: float) -> None:
        self.host = host
        self.core = core
        self.room = core.room
        self.keys = keys_of(core.room)
        self.lease = lease  # until when nobody else can have taken the room, by our own clock
        self.dropped = False
        self.touched = host.loop.time()
        self.followers: dict[str, dict[Guest, None]] = {}
        self._views: dict[Guest, str] = {}
        self._timers: dict[type[Event], asyncio.TimerHandle] = {}
        self.noting = asyncio.Lock()
        self.begun = False  # whether those who arranged the match know that it has begun
        self.recent = Recent() if host.repairs else None
        self._held: list[Event] | None = None  # what waits while the store is asked or mended
        self.outside = Outside(self)
        self.noted = core.seating.people()  # whose matches list the room
        self._facts = (core.status, self.noted)  # as the lists know it

    def hear(self, event: Event) -> None:
        """Something happened; do what it leads to."""
        if self._held is not None:
            self._held.append(event)
            return
        self.touched = self.host.loop.time()
        if self.touched >= self.lease and not self.core.busy:
            self._held = [event]
            self.host.spawn(self._make_sure())
            return
        for effect in self.core.step(event, self.host.now()):
            self._do(effect)

    async def _make_sure(self) -> None:
        """We slept, or could not reach the store: only it knows whether the room is ours, and what time it is."""
        while not self.dropped:
            try:
                await self.host.keeper.still_ours(self)
                break
            except StoreTrouble as error:
                log.warning("store_trouble", why=str(error))
        self._release_held()

    def _release_held(self) -> None:
        held, self._held = self._held or [], None
        for event in held if not self.dropped else ():
            self.hear(event)

    def unserved(self, total: int) -> None:
        """For so long nobody could be served here since the last version."""
        if total and not self.dropped:
            for effect in self.core.unserved(total):
                self._do(effect)

    def leave(self, guest: Guest) -> None:
        """A guest follows the room no longer."""
        view = self._views.pop(guest, None)
        if view is not None:
            self.followers.get(view, {}).pop(guest, None)

    def _do(self, effect: Effect) -> None:
        match effect:
            case Tell(told=told):
                self._tell(told)
            case Answer():
                effect.to.tell(effect.frame)
            case Commit():
                self._commit(effect)
            case Wake(at=at):
                self._wake(at, TimeUp)
            case WakeWatch(at=at):
                self._wake(at, WatchDue)
            case WakeMissed(at=at):
                self._wake(at, Missed)
            case Think():
                self.host.bots.think(self, effect)
            case Save(pairs=pairs, guard=guard):
                self._save(pairs, guard)
            case Follow(to=guest, view=view):
                self._follow(guest, view)
            case Unfollow(to=guest):
                self.leave(guest)
            case Present():
                self._say(effect.frame, effect.deaf)
            case Mirror(to=guest):
                guest.mirror()
            case Close(to=guest, code=code):
                self.leave(guest)
                guest.close(code)
            case Drop(why=why):
                self.drop(why)
            case _:
                self.outside.do(effect)

    def _tell(self, told: dict[str, Told]) -> None:
        for view, frame in told.items():
            for guest in list(self.followers.get(view, ())):
                guest.tell(frame)

    # writing

    def _commit(self, commit: Commit) -> None:
        words = scripts.commit_args(
            self.keys,
            room=self.room,
            own=self.host.own,
            ep=self.core.ep,
            base=commit.base,
            cid=self.host.commit_id(),
            ttl=self.host.lease_ms,
            status=commit.status,
            snapshot=commit.snapshot,
            input=commit.input,
            views={view: kept.stored() for view, kept in commit.kept.items()},
            keep=KEEP,
            deadline=commit.deadline,
            not_before=commit.not_before,
            seat=commit.seat,
            n=commit.n,
            digest=commit.digest,
            result=commit.result,
            frames={view: told.published for view, told in commit.told.items()} if self.host.publishes else None,
            record=commit.record,
            excused=commit.excused,
        )
        reach("commit.before_send")
        self._send("commit", words, FIRST_RETRY)
        self.host.loop.call_soon(reach, "commit.after_send")  # the pipe writes at the end of this turn of the loop

    def _save(self, pairs: dict[str, bytes], guard: str) -> None:
        absent = (guard,) if guard else ()
        words = scripts.side_args(
            self.keys, own=self.host.own, ep=self.core.ep, ttl=self.host.lease_ms, pairs=pairs, absent=absent
        )
        self._send("side", words, FIRST_RETRY)

    def _send(self, name: str, words: list[bytes], wait: float) -> None:
        """Have a script run. Until it is certain what became of it, the very same words are sent again."""
        sent = self.host.loop.time()

        def done(reply: Any) -> None:
            if self.dropped:
                return
            if name == "commit" and wait == FIRST_RETRY and isinstance(reply, Refused) and reply.code in FULL:
                log.warning("write_refused", room=self.room, why=reply.code)  # for certain: it was never sent before
                self.hear(Unwritten())
                return
            if isinstance(reply, StoreTrouble):
                log.warning("write_uncertain", room=self.room, script=name, why=str(reply))
                self.host.loop.call_later(wait, self._send, name, words, min(wait * 2, LONGEST_RETRY))
                return
            self._answered(name, words, reply, sent)

        self.host.nodes.call(name, words, done)

    def _answered(self, name: str, words: list[bytes], reply: list[Any], sent: float) -> None:
        code, ver, now = Code(reply[0]), reply[1], reply[2]
        if name == "commit":
            reach("commit.after_reply")
        self.host.heard_time(now)
        # That it was applied before is no sign of life, nor of still being the owner.
        if code not in (Code.FENCED, Code.GONE, Code.DUP_COMMIT):
            self.lease = sent + self.host.lease_seconds
        self.host.count(name, code)
        if code not in (Code.FENCED, Code.GONE) and not code.applied and self.mend(ver, words):
            return
        if name == "commit" and code.applied and self.recent is not None:
            self.recent.keep(self.host.loop.time(), self.core.ver + 1, words)
        detail = bytes(reply[4]).decode() if code == Code.UNSERVED else ""
        self.hear(Committed(code, ver, now, detail) if name == "commit" else Saved(code, now))
        if name == "commit":
            reach("commit.after_install")
        facts = (self.core.status, self.core.seating.people())
        if facts != self._facts and not self.dropped:
            self._facts = facts
            self.host.changed(self)

    def mend(self, ver: int, waiting: list[bytes] | None = None) -> bool:
        """The store holds less than was committed: write the rest again, then what waits. False: nothing to mend."""
        if self.recent is None or ver >= self.core.ver or self._held is not None:
            return False
        self._held = []
        self.host.spawn(self._mend(self.recent, waiting))
        return True

    async def _mend(self, recent: Recent, waiting: list[bytes] | None) -> None:
        host = self.host
        claim = scripts.claim_args(self.keys, room=self.room, own=host.own, ttl=host.lease_ms)
        try:
            reply = await host.call("claim", claim)
            claimed = scripts.read_claim(reply) if reply[0] == Code.OK else None
            rest = recent.after(claimed.ver, claimed.meta["cid"]) if claimed else None
            if claimed is None or rest is None:
                self.drop("forgotten")
                return
            for words in rest:
                reply = await host.call("commit", as_it_was(under(words, claimed.ep)))
                if not Code(reply[0]).applied:
                    self.drop("forgotten")
                    return
        except StoreTrouble as error:
            log.warning("repair_failed", room=self.room, why=str(error))
            self.drop("forgotten")
            return
        log.info("room_repaired", room=self.room, versions=len(rest))
        host.counts["repair.ok"] += 1
        self.core.ep = claimed.ep
        if waiting is not None:
            self._send("commit", under(waiting, claimed.ep), FIRST_RETRY)
        self._release_held()

    # time

    def _wake(self, at: int, to: type[TimeUp | WatchDue | Missed]) -> None:
        """Let the core hear this at that time, and not at the one that was named before."""
        timer = self._timers.pop(to, None)
        if timer is not None:
            timer.cancel()
        if at:
            wait = max(0.0, (at - self.host.now()) / 1000)
            self._timers[to] = self.host.loop.call_later(wait, self.hear, to())

    def wake_up(self) -> None:
        """Take up where the last owner left off: timers, and bots that are to move."""
        for effect in self.core.wake_up(self.host.now()):
            self._do(effect)

    # people

    def _follow(self, guest: Guest, view: str) -> None:
        self.leave(guest)
        self._views[guest] = view
        if guest.follows(view, view == WATCH and self.core.late is not None):
            self.followers.setdefault(view, {})[guest] = None

    def guests(self) -> list[Guest]:
        """Everybody who follows the room."""
        return list(self._views)

    def _say(self, frame: wire.Frame, deaf: frozenset[Guest]) -> None:
        for guest in self.guests():
            if guest not in deaf:
                guest.tell(frame)

    def drop(self, why: str) -> None:
        """Stop being this room. Whoever follows it is passed on to its next owner."""
        if self.dropped:
            return
        self.dropped = True
        for timer in self._timers.values():
            timer.cancel()
        for answer in turned_away(self._held or ()):
            answer.to.tell(answer.frame)
        log.debug("room_dropped", room=self.room, why=why)
        self.host.dropped(self)

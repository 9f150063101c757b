"""The shell around a room's core: carries out what the core wants, and brings it the answers.

No task and no lock: an event comes in, effects go out, and the answer to a write comes in as the next event.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any

import structlog

from rooms import scripts, wire
from rooms.core import RoomCore
from rooms.fault_points import reach
from rooms.guest import Guest
from rooms.happenings import (
    Answer,
    BotMoved,
    Close,
    Commit,
    Committed,
    Drop,
    Effect,
    Event,
    Follow,
    Mirror,
    Present,
    Save,
    Saved,
    Tell,
    Think,
    TimeUp,
    Wake,
    WakeWatch,
    WatchDue,
)
from rooms.keys import keys_of
from rooms.nodes import StoreTrouble
from rooms.repair import Recent, under
from rooms.scripts import Code
from rooms.seating import WATCH
from rooms.telling import KEEP

if TYPE_CHECKING:
    from rooms.host import Host

log = structlog.get_logger()
FIRST_RETRY, LONGEST_RETRY = 0.1, 1.0  # seconds


class Actor:
    """One room in this process."""

    def __init__(self, host: Host, core: RoomCore, lease: float) -> None:
        self.host = host
        self.core = core
        self.room = core.room
        self.keys = keys_of(core.room)
        self.lease = lease  # until when nobody else can have taken the room, by our own clock
        self.dropped = False
        self.finished = False  # the match was over when we came: there is nothing to own
        self.touched = host.loop.time()
        self.followers: dict[str, dict[Guest, None]] = {}
        self._views: dict[Guest, str] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._watch_timer: asyncio.TimerHandle | None = None
        self.noting = asyncio.Lock()
        self.recent = Recent() if host.repairs else None
        self._held: list[Event] | None = None  # what waits while the store is being mended
        self._facts = (core.status, core.seating.taken())  # as the lists know it

    def hear(self, event: Event) -> None:
        """Something happened; do what it leads to."""
        if self._held is not None:
            self._held.append(event)
            return
        self.touched = self.host.loop.time()
        for effect in self.core.step(event, self.host.now()):
            self._do(effect)

    def leave(self, guest: Guest) -> None:
        """A guest follows the room no longer."""
        view = self._views.pop(guest, None)
        if view is not None:
            self.followers.get(view, {}).pop(guest, None)

    def _do(self, effect: Effect) -> None:
        match effect:
            case Tell(told=told):
                for view, frame in told.items():
                    for guest in list(self.followers.get(view, ())):
                        guest.tell(frame)
            case Answer(to=guest, frame=frame):
                guest.tell(frame)
            case Commit():
                self._commit(effect)
            case Wake(at=at):
                self._wake(at)
            case WakeWatch(at=at):
                self._wake_watch(at)
            case Think(seat=seat, bot=bot):
                self.host.think(self, seat, bot)
            case Save(pairs=pairs, guard=guard):
                self._save(pairs, guard)
            case Follow(to=guest, view=view):
                self._follow(guest, view)
            case Present(frame=frame):
                self._say(frame)
            case Mirror(to=guest):
                guest.mirror()
            case Close(to=guest, code=code):
                self.leave(guest)
                guest.close(code)
            case Drop(why=why):
                self.drop(why)

    # writing

    def _commit(self, commit: Commit) -> None:
        words = scripts.commit_args(
            self.keys,
            room=self.room,
            own=self.host.own,
            ep=self.core.ep,
            base=commit.base,
            cid=secrets.token_bytes(8).hex().encode(),
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
            frames={view: told.json for view, told in commit.told.items()} if self.host.publishes else None,
            record=commit.record,
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
        if code not in (Code.FENCED, Code.GONE):
            self.lease = sent + self.host.lease_seconds
        self.host.count(name, code)
        if code not in (Code.FENCED, Code.GONE) and not code.applied and self.mend(ver, words):
            return
        if name == "commit" and code.applied and self.recent is not None:
            self.recent.keep(self.host.loop.time(), self.core.ver + 1, words)
        self.hear(Committed(code, ver, now) if name == "commit" else Saved(code, now))
        if name == "commit":
            reach("commit.after_install")
        facts = (self.core.status, self.core.seating.taken())
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
                reply = await host.call("commit", under(words, claimed.ep))
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
        held, self._held = self._held or [], None
        if waiting is not None:
            self._send("commit", under(waiting, claimed.ep), FIRST_RETRY)
        for event in held:
            self.hear(event)

    # time

    def _wake(self, at: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if at:
            wait = max(0.0, (at - self.host.now()) / 1000)
            self._timer = self.host.loop.call_later(wait, self.hear, TimeUp())

    def _wake_watch(self, at: int) -> None:
        if self._watch_timer is not None:
            self._watch_timer.cancel()
            self._watch_timer = None
        if at:
            wait = max(0.0, (at - self.host.now()) / 1000)
            self._watch_timer = self.host.loop.call_later(wait, self.hear, WatchDue())

    def wake_up(self) -> None:
        """Take up where the last owner left off: timers, and bots that are to move."""
        for effect in self.core.wake_up(self.host.now()):
            self._do(effect)

    def bot_moved(self, seat: int, v: int, do: dict[str, Any]) -> None:
        """A bot has made up its mind."""
        if not self.dropped:
            self.hear(BotMoved(seat, v, do))

    # people

    def _follow(self, guest: Guest, view: str) -> None:
        self.leave(guest)
        self._views[guest] = view
        if guest.follows(view, view == WATCH and self.core.late is not None):
            self.followers.setdefault(view, {})[guest] = None

    def _say(self, frame: wire.Frame) -> None:
        for guest in list(self._views):
            guest.tell(frame)

    def drop(self, why: str) -> None:
        """Stop being this room. Whoever follows it is passed on to its next owner."""
        if self.dropped:
            return
        self.dropped = True
        for timer in (self._timer, self._watch_timer):
            if timer is not None:
                timer.cancel()
        log.debug("room_dropped", room=self.room, why=why)
        self.host.dropped(self)

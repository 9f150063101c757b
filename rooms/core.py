"""A room's own mind: what happens to a match when people come, move, leave and run out of time.

Sans I/O: `step(event, now)` gives effects, and the shell around it carries them out. At most one write is on its way
at any moment; until it is answered nothing else is looked at, so nobody is ever told of a table that might not last.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec
import structlog
from msgspec import Struct

from engine.errors import Fault, Refused
from engine.findings import Heed, Unusual
from engine.game import Game
from engine.match import Match
from engine.replay import Input
from engine.store import unpack
from rooms import answers, clocks, coming, gathering, leaving, talk, timing, versions
from rooms.answers import LastMove, move_digest, moved_on, no, turned_away
from rooms.happenings import (
    Acted,
    Address,
    Answer,
    BotMoved,
    Brought,
    Came,
    Closing,
    Committed,
    Drop,
    Effect,
    Event,
    Known,
    Missed,
    Rated,
    Saved,
    Tell,
    TimeUp,
    Unwritten,
    Wake,
    WatchDue,
    Went,
    Wished,
)
from rooms.lateness import Late, Lateness, let_watch
from rooms.manners import Manners
from rooms.onward import Onward
from rooms.proposals import Proposals
from rooms.scripts import Code
from rooms.seating import Seating
from rooms.stand_ins import StandIns
from rooms.state import OVER, PLAYING, WAITING, RoomState
from rooms.talk import Talk
from rooms.telling import Teller
from rooms.versions import Pending
from rooms.worth import Worth

log = structlog.get_logger()
REIGN = 1000  # ms that an owner stays the owner, whatever somebody says that they have seen
SLOW = 50  # ms; a commit that took longer is made up for on the clock of whoever is next


class Errand(Struct):
    """Something that is written or fetched outside, for whom, and what is done then."""

    to: Address | None
    i: str
    then: Callable[[Any, int], list[Effect]]


class RoomCore:
    """One room of one owner."""

    def __init__(
        self,
        room: str,
        game: Game,
        state: RoomState,
        ver: int,
        ep: str,
        seating: Seating,
        last: list[LastMove],
        seed: bytes,
        side: dict[str, bytes] | None = None,
        manners: Manners | None = None,
        touched: int = 0,
        excused: int = 0,
    ) -> None:
        self.room = room
        self.game = game
        self.state = state
        self.ver = ver
        self.ep = ep
        self.seating = seating
        self.last = last
        self.seed = seed  # for the deal, if it is still to come
        self.match: Match | None = None
        self.teller: Teller | None = None
        self.records: dict[int, list[dict[str, Any]]] = {}  # what each bot was told so far, where we know it
        self._inbox: deque[Event] = deque()
        self._pending: Pending | None = None
        self._errand: Errand | None = None
        self.stand_ins = StandIns(self)
        self.manners = manners or Manners()
        self.touched = touched  # when the newest version was made
        self.excused = excused  # ms since then in which nobody was served, and which are nobody's time
        self.state.times = clocks.credit(self.state.times, excused)
        self.talk = Talk(side or {})
        self.proposals = Proposals(side or {})
        self.onward = Onward(side or {})
        self.worth = Worth(side or {})
        self.faults = 0  # how often in a row our own code kept time from running out
        self.unwritten = False  # whether the store would not write what we wanted last
        self.rewound = False  # whether somebody has seen what the store has forgotten since
        delay = state.setup.watch.delay
        self.late = Lateness(delay) if delay.moves or delay.ms else None
        if state.table:
            self._sit_down(Match(game, unpack(game, state.table))).tell_all()

    @property
    def status(self) -> int:
        """Waiting, playing or over."""
        if self.match is None:
            return WAITING
        return OVER if self.match.over else PLAYING

    @property
    def busy(self) -> bool:
        """Whether a write is on its way: nothing may be read or written until it is answered."""
        return self._pending is not None or self._errand is not None

    @property
    def committing(self) -> bool:
        """Whether it is a version that is on its way. Its answer extends the lease."""
        return self._pending is not None

    @property
    def epoch(self) -> str:
        """Under which ownership the newest version is told; a new one where history was lost, so that all notice."""
        return self.ep if self.rewound else self.state.epoch

    def witnessed(self, came: Came, now: int) -> list[Effect]:
        """Somebody says what they have seen. If that is more than ever was, the store went back."""
        have = came.join.have
        seen = answers.epoch_number(have.epoch) if have is not None else 0
        if int(self.ep) + REIGN < now and int(self.ep) < seen < now + REIGN:
            # It has even forgotten an owner after us, whose number is above ours: we need a new one.
            return [*turned_away([came]), *self._turned_away(), Drop("outdated")]
        if have is not None and (have.v > self.ver or seen > int(self.state.epoch)):
            self.rewound = True
        if self.late is not None:
            self.late.seen(int(self.ep) if self.rewound else min(seen, int(self.ep)))
        return []

    @property
    def ended(self) -> int:
        """When the match ended, if it has."""
        return self.touched

    def step(self, event: Event, now: int) -> list[Effect]:
        """What is to be done about this."""
        match event:
            case Committed():
                effects = self._committed(event, now)
            case Saved() | Brought():
                effects = self._brought(event, now)
            case Unwritten():
                effects = self._unwritten(now)
            case _:
                self._inbox.append(event)
                effects = []
        while self._inbox and not self.busy:
            effects += self._hear(self._inbox.popleft(), now)
        return effects

    def _hear(self, event: Event, now: int) -> list[Effect]:
        match event:
            case Acted():
                return self._act(event, now)
            case Came():
                return coming.come(self, event, now)
            case Went():
                return [*coming.go(self, event, now), *self.stand_ins.wake()]
            case Wished():
                return talk.hear(self, event, now)
            case Rated(frame=frame):
                return self.worth.hear(self, frame)
            case Known(user=user, mark=mark):
                return leaving.known(self, user, mark, now)
            case TimeUp():
                return timing.time_up(self, now)
            case Closing():
                return timing.close(self, now)
            case WatchDue():
                return let_watch(self, now)
            case BotMoved():
                return self.stand_ins.moved(event, now)
            case Missed():
                return self.stand_ins.missed(event, now)
        raise AssertionError(f"nobody handles {event}")

    # moves

    def _act(self, event: Acted, now: int) -> list[Effect]:
        act, to = event.act, event.to
        seat = self.seating.seat_of(event.who.user)
        if seat is None:
            return [no(to, act.i, "not_seated", "You have no seat at this table.")]
        if not self.seating.plays(seat, to):
            return [no(to, act.i, "elsewhere", "You play this match in another window. Join again to play it here.")]
        last = self.last[seat]
        try:
            digest = move_digest(act.ask, act.do)
        except (TypeError, ValueError, RecursionError):
            return [no(to, act.i, "bad_move", "A move is made of words, numbers and lists.")]
        if act.n <= last.n:
            return [answers.seen_before(act, last, digest, to)]
        if act.n > last.n + 1:
            return [no(to, act.i, "gap", f"Your next move has the number {last.n + 1}.", n=last.n + 1)]
        if self.match is None:
            return [no(to, act.i, "not_started", "The match has not begun.", retry=True)]
        asked = self.match.question(seat)
        if act.ask is not None and (asked is None or asked[0].id != act.ask):
            return [no(to, act.i, "stale_ask", "That question is not open any more.")]
        if act.ask is None and asked is not None and asked[0].first:  # it may be meant for the one before
            return [no(to, act.i, "stale_ask", "Others may be quicker: say with `ask` which question you answer.")]
        entry = Input(self.ver + 1, seat, act.n, act.do, act.sure, at=now)
        heed = answers.heeds(act, self.match.table.options)
        last = LastMove(act.n, digest, self.ver + 1)
        return self.try_input(entry, now, to, act.i, last, heed=heed, lag=event.lag)

    def try_input(
        self,
        entry: Input,
        now: int,
        to: Address | None,
        i: str,
        last: LastMove | None,
        not_before: int = 0,
        heed: Heed = "none",
        lag: int = 0,
    ) -> list[Effect]:
        """Play an input on the open table and have it written; if the rules refuse, say so."""
        assert self.match is not None
        try:
            step = entry.apply(self.match, heed)
        except Unusual as doubt:
            return [answers.unusual(to, i, doubt, self.game)] if to is not None else []
        except Refused as refused:
            return [no(to, i, refused.code, str(refused), say=refused.say)] if to is not None else []
        except Fault as fault:
            return self._faulty(to, i, fault)
        try:
            return self._send(*versions.prepare(self, step, entry, now, to, i, last, not_before, lag))
        except Exception as fault:
            self.match.undo()
            if self.teller is not None:
                self.teller.reset()
            return self._faulty(to, i, fault)

    def _faulty(self, to: Address | None, i: str, fault: Exception) -> list[Effect]:
        """Our own code failed: the step is struck out, and play goes on."""
        log.error("our_fault", room=self.room, kind=type(fault).__name__)  # its text might name a card
        return [no(to, i, "our_fault", "That is our own fault; nothing has changed.")] if to is not None else []

    # writing a version

    def _send(self, pending: Pending, state: RoomState) -> list[Effect]:
        self._pending, self._next = pending, state
        return [pending.commit]

    def _committed(self, reply: Committed, now: int) -> list[Effect]:
        pending, self._pending = self._pending, None
        assert pending is not None
        if reply.code in (Code.OK, Code.DUP_COMMIT):
            return self._install(pending, now)
        self._strike(pending)
        if reply.code == Code.UNSERVED:
            return self._make_up(pending, int(reply.detail), now)
        self.proposals.failed(self)
        if reply.code == Code.TOO_EARLY:
            return [Wake(pending.commit.not_before), *self.stand_ins.think()]
        if reply.code == Code.SEQ_CONFLICT and pending.to is not None:
            conflict = no(pending.to, pending.i, "conflict", "Your move with this number was another one.")
            return [conflict, *self.stand_ins.think()]
        lost: list[Effect] = []
        if pending.to is not None:
            lost.append(moved_on(pending.to, pending.i))
        return [*lost, *self._turned_away(), Drop(Code(reply.code).name.lower())]

    def _make_up(self, pending: Pending, total: int, now: int) -> list[Effect]:
        """Nobody was served for a while and this version did not know: with the clocks put right it is made again."""
        effects = self.unserved(total)
        if pending.commit.not_before:  # somebody's time had run out, and has not now; the timer is set anew
            return [*effects, *self.stand_ins.think()]
        again = self.try_input(pending.entry, now, pending.to, pending.i, pending.last, lag=pending.lag)
        return [*effects, *again]

    def _unwritten(self, now: int) -> list[Effect]:
        """Nothing was written and nothing has changed: whoever asked may ask again, and we try again ourselves."""
        pending, self._pending = self._pending, None
        assert pending is not None
        self._strike(pending)
        self.proposals.failed(self)
        self.unwritten = True
        text = "The store takes nothing new at the moment, so nothing has changed. Try again."
        busy = [no(pending.to, pending.i, "busy", text, retry=True)] if pending.to is not None else []
        return [*busy, Wake(now + timing.AGAIN)]

    def _turned_away(self) -> list[Answer]:
        waiting, self._inbox = self._inbox, deque()
        return turned_away(waiting)

    def _install(self, pending: Pending, now: int) -> list[Effect]:
        assert self.teller is not None
        self.ver += 1
        self.faults = self.excused = 0
        self.rewound = False
        paused = self.state.times is not None and self.state.times.paused
        self.state, self.touched = self._next, now
        if now - pending.at > SLOW:  # nobody could see this version before it was written
            self.state.times = clocks.credit(self.state.times, now - pending.at)
        self.teller.keep(pending.commit.kept)
        for seat in self.records:
            self.records[seat] += self.teller.heard[str(seat)]
        if pending.last is not None:
            self.last[pending.seat] = pending.last
        effects: list[Effect] = []
        if pending.to is not None:
            effects.append(Answer(pending.to, (pending.last or LastMove(v=self.ver)).answer(pending.i)))
        if self.late is not None:
            patch = self.teller.shown["watch"]
            self.late.add(Late(self.ver, self.ep, now, pending.told.pop("watch"), patch))
        effects.append(Tell(pending.told))
        if self.proposals.open or self.proposals.carried:
            effects += self.proposals.settled(self, now)
        if paused:
            effects += leaving.resumed(self, now)
        if self.status == OVER:
            effects += self._after_the_end()
        return [*effects, *let_watch(self, now), *self.go_on()]

    def _after_the_end(self) -> list[Effect]:
        """A series goes on by itself."""
        return self.onward.go(self) if self.onward.wanted(self) else []

    def unserved(self, total: int) -> list[Effect]:
        """Nobody was served for so long since the last version: that is nobody's time, and nobody was away."""
        ms = total - self.excused
        if ms <= 0 or self.status != PLAYING or self.committing:  # what is being written is made up for when it is
            return []
        self.excused = total
        self.state.times = clocks.credit(self.state.times, ms)
        leaving.excuse(self, ms)
        return [Wake(self.wake_at())]

    def wake_up(self, now: int) -> list[Effect]:
        """What a table needs whose owner is new."""
        if self.match is None or self.teller is None:
            return gathering.look_round(self, now)
        if self.status == OVER:
            return self._after_the_end()
        waits = leaving.look_round(self, now)
        if self.late is not None:  # how far watchers had come is not known: they see this position when it is due
            view = self.teller.gallery.lenses["watch"].whole()
            self.late.add(Late(self.ver, self.state.epoch, now, None, view))
        self.seating.look_round(now)
        return [*waits, *let_watch(self, now), *self.go_on()]

    def go_on(self) -> list[Effect]:
        """What the table needs next: a timer, and bots that are to move."""
        assert self.match is not None
        return [Wake(self.wake_at()), *self.stand_ins.wake(), *self.stand_ins.think()]

    def wake_at(self) -> int:
        """When somebody must look again, because time will have run out; 0 if nothing can."""
        return timing.wake_at(self)

    def _strike(self, pending: Pending) -> None:
        assert self.match is not None
        if pending.commit.base == 0 and self.ver == 0:
            self.match = self.teller = None  # it was the deal
            return
        self.match.undo()
        if self.teller is not None:
            self.teller.reset()

    # errands

    def send_out(
        self, effect: Effect, to: Address | None, i: str, then: Callable[[Any, int], list[Effect]]
    ) -> list[Effect]:
        """Have something written or fetched, and go on when it is; until then nothing else is looked at."""
        self._errand = Errand(to, i, then)
        return [effect]

    def _brought(self, event: Saved | Brought, now: int) -> list[Effect]:
        errand, self._errand = self._errand, None
        assert errand is not None
        if isinstance(event, Saved) and event.code != Code.OK:
            lost = [moved_on(errand.to, errand.i)] if errand.to is not None else []
            return [*lost, *self._turned_away(), Drop("side")]
        return errand.then(event.value if isinstance(event, Brought) else True, now)

    def deal_if_ready(self, now: int) -> list[Effect]:
        """Deal once everybody is there."""
        if self.match is not None or not self.seating.all_ready():
            return []
        setup, sitters = self.state.setup, self.seating.sitters
        decks = [sitter.deck for sitter in sitters]
        names = [sitter.name for sitter in sitters]
        try:
            match = Match.deal(
                self.game,
                seats=setup.seats,
                seed=self.seed,
                decks=decks,
                options=setup.options,
                first=setup.first,
                names=names,
                version=1,
            )
            self._sit_down(match)
            self.records = {seat: [] for seat, sitter in enumerate(sitters) if sitter.bot}
            self.state = msgspec.structs.replace(self.state, decks=decks, started=now)
            return self._send(*versions.prepare(self, match.dealt, Input(1, at=now), now))
        except Exception as fault:
            self.match = self.teller = None  # the next one who comes may find it mended
            return self._faulty(None, "", fault)

    def _sit_down(self, match: Match) -> Teller:
        self.match = match
        self.teller = Teller(self.room, match)
        return self.teller

"""A room's own mind: what happens to a match when people come, move, leave and run out of time.

Sans I/O: `step(event, now)` gives effects, and the shell around it carries them out. At most one write is on its way
at any moment; until it is answered nothing else is looked at, so nobody is ever told of a table that might not last.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import msgspec
import structlog
from msgspec import UNSET, Struct

from engine.errors import Fault, Refused
from engine.game import Game
from engine.match import Match
from engine.news import Step
from engine.offers import fillings
from engine.replay import HASH_EVERY, Input
from engine.store import pack, state_hash, unpack
from rooms import clocks, wire
from rooms.answers import LastMove, move_digest, moved_on, no, record_of, turned_away
from rooms.happenings import (
    Acted,
    Address,
    Answer,
    BotMoved,
    Came,
    Commit,
    Committed,
    Drop,
    Effect,
    Event,
    GaveUp,
    Present,
    Save,
    Saved,
    Talked,
    Tell,
    Think,
    TimeUp,
    Wake,
    WakeWatch,
    WatchDue,
    Went,
)
from rooms.lateness import Late, Lateness
from rooms.scripts import Code
from rooms.seating import Seating
from rooms.state import OVER, PLAYING, WAITING, RoomState, Sitter, pack_room
from rooms.telling import Teller, Told

log = structlog.get_logger()
SLOW = 50  # ms; a commit that took longer is made up for on the clock of whoever is next
AGAIN = 1000  # ms until something that failed by our own fault is tried once more

_json = msgspec.json.Encoder()


class Pending(Struct):
    """A version that is on its way to the store."""

    step: Step
    told: dict[str, Told]
    commit: Commit
    to: Address | None
    i: str
    seat: int
    last: LastMove | None
    at: int


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
        self.records: dict[int, list[dict[str, Any]]] = {}  # what each bot was told so far
        self._inbox: deque[Event] = deque()
        self._pending: Pending | None = None
        self._saving: Came | None = None
        self._faults = 0  # how often in a row our own code kept time from running out
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
        return self._pending is not None or self._saving is not None

    def step(self, event: Event, now: int) -> list[Effect]:
        """What is to be done about this."""
        match event:
            case Committed():
                effects = self._committed(event, now)
            case Saved():
                effects = self._saved(event, now)
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
                return self._come(event, now)
            case Went():
                return self.seating.leave(event.to, now)
            case GaveUp():
                return self._give_up(event, now)
            case Talked():
                return self._talk(event)
            case TimeUp():
                return self._time_up(now)
            case WatchDue():
                return self._let_watch(now)
            case BotMoved():
                return self._bot_moved(event, now)
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
            return [self._seen_before(act, last, digest, to)]
        if act.n > last.n + 1:
            return [no(to, act.i, "gap", f"Your next move has the number {last.n + 1}.", n=last.n + 1)]
        if self.match is None:
            return [no(to, act.i, "not_started", "The match has not begun.", retry=True)]
        asked = self.match.question(seat)
        if act.ask is not None and (asked is None or asked[0].id != act.ask):
            return [no(to, act.i, "stale_ask", "That question is not open any more.")]
        return self._try(
            Input(self.ver + 1, seat, act.n, act.do, at=now), now, to, act.i, LastMove(act.n, digest, self.ver + 1)
        )

    def _seen_before(self, act: wire.Act, last: LastMove, digest: str, to: Address) -> Answer:
        if act.n < last.n:
            return no(to, act.i, "stale", f"Your move {act.n} was answered long ago; the last one was {last.n}.")
        if digest != last.digest:
            return no(to, act.i, "conflict", f"Your move {act.n} was another one.")
        return Answer(to, wire.Ok(i=act.i, v=last.v))

    def _give_up(self, event: GaveUp, now: int) -> list[Effect]:
        seat = self.seating.seat_of(event.who.user)
        if seat is None or self.match is None:
            return [no(event.to, event.i, "not_seated", "You have no match to give up here.")]
        if not self.seating.plays(seat, event.to):
            return [no(event.to, event.i, "elsewhere", "You play this match in another window.")]
        return self._try(Input(self.ver + 1, seat, resign="resigned", at=now), now, event.to, event.i, None)

    def _talk(self, event: Talked) -> list[Effect]:
        say, seat = event.say, self.seating.seat_of(event.who.user)
        if not self.seating.is_here(event.to):
            return [no(event.to, say.i, "not_joined", "Join the room first.")]
        said = wire.Said(
            room=self.room,
            seat=UNSET if seat is None else seat,
            name=event.who.name,
            text=say.text or UNSET,
            emote=say.emote or UNSET,
        )
        return [Answer(event.to, wire.Ok(i=say.i)), Present(said)]

    def _time_up(self, now: int) -> list[Effect]:
        if self.match is None or self.match.over:
            return []
        due = clocks.deadline(self.state.times)
        if not due:
            return []
        due += clocks.grace(self.state.times)
        if due > now:
            return [Wake(due)]
        effects = self._try(Input(self.ver + 1, expire=True, at=now), now, None, "", None, not_before=due)
        if self._pending is not None:
            return effects
        self._faults += 1  # it should have worked: once more, and then the match ends undecided
        if self._faults < 2:
            return [Wake(now + AGAIN)]
        return self._try(Input(self.ver + 1, stop="fault", at=now), now, None, "", None)

    def _bot_moved(self, event: BotMoved, now: int) -> list[Effect]:
        if self.match is None or event.v != self.ver or event.seat not in self.match.waiting():
            return []
        last = self.last[event.seat]
        offers = self.match.offers(event.seat)
        for do in (event.do, next(fillings(offers[-1]))):  # a bot that may not do what it wants does the least
            n, digest = last.n + 1, move_digest(None, do)
            entry = Input(self.ver + 1, event.seat, n, do, at=now)
            effects = self._try(entry, now, None, "", LastMove(n, digest, self.ver + 1))
            if self._pending is not None:
                return effects
        return []

    def _try(
        self, entry: Input, now: int, to: Address | None, i: str, last: LastMove | None, not_before: int = 0
    ) -> list[Effect]:
        """Play an input on the open table and have it written; if the rules refuse, say so."""
        assert self.match is not None
        try:
            step = entry.apply(self.match)
        except Refused as refused:
            return [no(to, i, refused.code, str(refused), say=refused.say)] if to is not None else []
        except Fault as fault:
            return self._faulty(to, i, fault)
        try:
            return self._write(step, entry, now, to, i, last, not_before)
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

    def _write(
        self, step: Step, entry: Input, now: int, to: Address | None, i: str, last: LastMove | None, not_before: int
    ) -> list[Effect]:
        assert self.match is not None
        assert self.teller is not None
        table, v = self.match.table, self.ver + 1
        times = clocks.after(self.match, self.state, now)
        watched = bool(self.seating.watchers) or self.late is not None or self.match.over
        fresh = self.ep != self.state.epoch
        kept, told = self.teller.tell(step, v, self.ep, fresh, clocks.shown(times), watched)
        if v % HASH_EVERY == 0 or self.match.over:
            entry_bytes = _json.encode({**msgspec.to_builtins(entry), "hash": state_hash(table)})
        else:
            entry_bytes = _json.encode(entry)
        state = msgspec.structs.replace(self.state, epoch=self.ep, table=pack(table), times=times)
        commit = Commit(
            base=self.ver,
            status=self.status,
            deadline=clocks.deadline(times) if not self.match.over else 0,
            not_before=not_before,
            seat=str(entry.seat) if last is not None else "",
            n=last.n if last else 0,
            digest=last.digest if last else "",
            result=str(v),
            snapshot=pack_room(state),
            input=entry_bytes,
            kept=kept,
            told=told if self.late is None else {view: told[view] for view in told if view != "watch"},
            record=record_of(self.room, self.match, self.state, self.seating.sitters, now) if self.match.over else b"",
        )
        self._pending = Pending(step, told, commit, to, i, entry.seat, last, now)
        self._next = state
        return [commit]

    def _committed(self, reply: Committed, now: int) -> list[Effect]:
        pending, self._pending = self._pending, None
        assert pending is not None
        if reply.code in (Code.OK, Code.DUP_COMMIT):
            return self._install(pending, now)
        self._strike(pending)
        if reply.code == Code.TOO_EARLY:
            return [Wake(pending.commit.not_before)]
        if reply.code == Code.SEQ_CONFLICT and pending.to is not None:
            return [no(pending.to, pending.i, "conflict", "Your move with this number was another one.")]
        lost: list[Effect] = []
        if pending.to is not None:
            lost.append(moved_on(pending.to, pending.i))
        return [*lost, *self._turned_away(), Drop(Code(reply.code).name.lower())]

    def _turned_away(self) -> list[Answer]:
        waiting, self._inbox = self._inbox, deque()
        return turned_away(waiting)

    def _install(self, pending: Pending, now: int) -> list[Effect]:
        assert self.teller is not None
        self.ver += 1
        self._faults = 0
        self.state = self._next
        if now - pending.at > SLOW:  # nobody could see this version before it was written
            self.state.times = clocks.credit(self.state.times, now - pending.at)
        self.teller.keep(pending.commit.kept)
        for seat in self.records:
            self.records[seat] += self.teller.heard[str(seat)]
        if pending.last is not None:
            self.last[pending.seat] = pending.last
        effects: list[Effect] = []
        if pending.to is not None:
            effects.append(Answer(pending.to, wire.Ok(i=pending.i, v=self.ver)))
        if self.late is not None:
            patch = self.teller.shown["watch"]
            self.late.add(Late(self.ver, self.ep, now, pending.told.pop("watch"), patch))
        effects.append(Tell(pending.told))
        return [*effects, *self._let_watch(now), *self._go_on()]

    def _let_watch(self, now: int) -> list[Effect]:
        """Tell watchers who are kept behind what they may see by now."""
        if self.late is None:
            return []
        effects: list[Effect] = []
        for late in self.late.due(self.ver, now, self.status == OVER):
            if late.told is not None:
                effects.append(Tell({"watch": late.told}))
            else:
                effects += [Answer(to, self.seating.late_snap(self)) for to in self.seating.watchers]
        return [*effects, WakeWatch(self.late.next_at())]

    def wake_up(self, now: int) -> list[Effect]:
        """What a table needs whose owner is new."""
        if self.match is None or self.teller is None:
            return []
        if self.late is not None:  # how far watchers had come is not known: they see this position when it is due
            view = self.teller.gallery.lenses["watch"].whole()
            self.late.add(Late(self.ver, self.state.epoch, now, None, view))
        return [*self._let_watch(now), *self._go_on()]

    def _go_on(self) -> list[Effect]:
        """What the table needs next: a timer, and bots that are to move."""
        assert self.match is not None
        effects: list[Effect] = [Wake(self.wake_at())]
        for seat in self.match.waiting():
            bot = self.seating.sitters[seat].bot
            if bot:
                effects.append(Think(seat, bot))
        return effects

    def wake_at(self) -> int:
        """When somebody must look again, because time will have run out; 0 if nothing can."""
        due = clocks.deadline(self.state.times) if self.status == PLAYING else 0
        return due + clocks.grace(self.state.times) if due else 0

    def _strike(self, pending: Pending) -> None:
        assert self.match is not None
        if pending.commit.base == 0 and self.ver == 0:
            self.match = self.teller = None  # it was the deal
            return
        self.match.undo()
        if self.teller is not None:
            self.teller.reset()

    # coming and sitting

    def _come(self, event: Came, now: int) -> list[Effect]:
        if event.join.as_ == "watch":
            return self.seating.watch(self, event, now) + self._deal_if_ready(now)
        seat = self.seating.seat_of(event.who.user)
        if seat is None:
            return self._take_seat(event, now)
        effects = self.seating.sit(self, event, seat, now)
        return effects + self._deal_if_ready(now)

    def _take_seat(self, event: Came, now: int) -> list[Effect]:
        free = self.seating.free()
        if self.status != WAITING or free is None:
            return [no(event.to, event.join.i, "full", "There is no free seat at this table; you may watch.")]
        try:
            deck = self.game.find_deck(event.join.deck, self.state.setup.options)
        except Refused as refused:
            return [no(event.to, event.join.i, refused.code, str(refused), say=refused.say)]
        sitter = Sitter(event.who.user, event.who.name, deck=deck)
        self._saving = event
        self._sitter = (free, sitter)
        return [Save({f"seat{free}": _json.encode(sitter)}, guard=f"seat{free}")]

    def _saved(self, reply: Saved, now: int) -> list[Effect]:
        event, self._saving = self._saving, None
        assert event is not None
        if reply.code != Code.OK:
            return [moved_on(event.to, event.join.i), *self._turned_away(), Drop("side")]
        seat, sitter = self._sitter
        self.seating.sitters[seat] = sitter
        return self.seating.sit(self, event, seat, now) + self._deal_if_ready(now)

    def _deal_if_ready(self, now: int) -> list[Effect]:
        if self.match is not None or not self.seating.all_ready():
            return []
        setup, sitters = self.state.setup, self.seating.sitters
        decks = [sitter.deck for sitter in sitters]
        names = [sitter.name or sitter.bot for sitter in sitters]
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
            self.state = msgspec.structs.replace(self.state, decks=decks, started=now)
            return self._write(match.dealt, Input(1, at=now), now, None, "", None, 0)
        except Exception as fault:
            self.match = self.teller = None  # the next one who comes may find it mended
            return self._faulty(None, "", fault)

    def _sit_down(self, match: Match) -> Teller:
        self.match = match
        self.teller = Teller(self.room, match)
        self.records = {seat: [] for seat, sitter in enumerate(self.seating.sitters) if sitter.bot}
        return self.teller

"""Who is in the room: players on their seats, second windows that only look on, and watchers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from rooms import clocks, wire
from rooms.happenings import Address, Answer, Came, Close, Effect, Follow, Mirror, Present
from rooms.leaving import Away
from rooms.state import Setup, Sitter, Watch

if TYPE_CHECKING:
    from rooms.core import RoomCore

WATCH = "watch"


class Seating:
    """The people around one table, as far as this process knows."""

    def __init__(
        self, room: str, sitters: list[Sitter], watch: Watch, setup: Setup | None = None, kicked: Sequence[str] = ()
    ) -> None:
        self.room = room
        self.sitters = sitters
        self.policy = watch
        self.here: dict[int, list[Address]] = {}  # seat -> connections, the playing one last
        self.watchers: dict[Address, None] = {}  # in the order in which they came
        self.users: dict[Address, str] = {}  # who is behind a connection
        self.away: dict[int, Away] = {}  # players who are not there while a match is played
        self.asks = setup.ready if setup is not None else False  # whether everybody must say that they are ready
        self.ready: set[int] = set()
        self.ready_by = setup.ready_by if setup is not None else 0
        self.host = setup.host if setup is not None else ""
        self.kicked = list(kicked)  # users who do not come back
        self.empty_at = 0  # since when nobody at all is here; 0 while somebody is
        self._since: dict[int, int] = {}

    def seat_of(self, user: str) -> int | None:
        """The seat that belongs to a user."""
        return next((seat for seat, sitter in enumerate(self.sitters) if sitter.user == user), None)

    def free(self) -> int | None:
        """The first seat that nobody has taken."""
        return next((seat for seat, sitter in enumerate(self.sitters) if not sitter.taken), None)

    def people(self) -> tuple[tuple[str, str], ...]:
        """Who sits where, and what they are called."""
        return tuple((sitter.user, sitter.name) for sitter in self.sitters)

    def all_ready(self) -> bool:
        """Whether everybody sits and is there, and has said so where they are asked; bots are always ready."""
        return all(sitter.bot or (sitter.user and self._is_ready(seat)) for seat, sitter in enumerate(self.sitters))

    def _is_ready(self, seat: int) -> bool:
        return bool(self.here.get(seat)) and (not self.asks or seat in self.ready)

    def plays(self, seat: int, to: Address) -> bool:
        """Whether this is the connection that a player plays with; their other windows only look on."""
        return self.here.get(seat, [])[-1:] == [to]

    def is_here(self, to: Address) -> bool:
        """Whether this connection was let in."""
        return to in self.watchers or any(to in connections for connections in self.here.values())

    def followers(self) -> int:
        """How many connections follow the room."""
        return len(self.watchers) + sum(map(len, self.here.values()))

    def sit(self, core: RoomCore, event: Came, seat: int, now: int) -> list[Effect]:
        """Let a player's newest connection play; an older one looks on, a third is closed."""
        connections = self.here.setdefault(seat, [])
        effects: list[Effect] = []
        self.watchers.pop(event.to, None)
        self.users[event.to] = event.who.user
        self.empty_at = 0
        if event.quiet and (event.mirror or event.to in connections):  # whoever only looked on still does
            self.here[seat] = connections if event.to in connections else [event.to, *connections][:2]
        elif event.to not in connections:
            effects += [Mirror(older) for older in connections[-1:]]
            effects += [Close(oldest, 4409) for oldest in connections[:-1]]
            self.here[seat] = [*connections[-1:], event.to]
            if not connections:
                self._since[seat] = now
        elif connections[-1] != event.to:  # the looking-on window plays again
            effects.append(Mirror(connections[-1]))
            self.here[seat] = [connections[-1], event.to]
        effects.append(Follow(event.to, str(seat)))
        if not event.quiet:
            n, epoch = core.last[seat].n + 1, core.epoch
            effects.append(
                Answer(event.to, wire.Ok(i=event.join.i, room=self.room, seat=seat, n=n, v=core.ver, epoch=epoch))
            )
        return [*effects, *self._catch_up(core, event, str(seat), seat), self.present(now)]

    def watch(self, core: RoomCore, event: Came, now: int) -> list[Effect]:
        """Let somebody watch, if the room allows it."""
        seated = self.seat_of(event.who.user) is not None
        allowed = self.policy.who == "all" or (self.policy.who == "code" and event.code) or seated
        if not allowed:
            text = "This room is not open to watchers." if self.policy.who == "nobody" else "Watching needs the code."
            return [Answer(event.to, wire.Err(i=event.join.i, code="no_watching", text=text, say=("no_watching", {})))]
        self._stand_up(event.to, now)
        self.watchers[event.to] = None
        self.users[event.to] = event.who.user
        self.empty_at = 0
        effects: list[Effect] = [Follow(event.to, WATCH)]
        if not event.quiet:
            v, epoch = (core.late.v, core.late.epoch) if core.late else (core.ver, core.epoch)
            effects.append(Answer(event.to, wire.Ok(i=event.join.i, room=self.room, v=v, epoch=epoch)))
        return [*effects, *self._catch_up(core, event, WATCH, None), self.present(now)]

    def leave(self, to: Address, now: int) -> list[Effect]:
        """A connection is gone; its player stays seated."""
        self.watchers.pop(to, None)
        self.users.pop(to, None)
        self._stand_up(to, now)
        self.empty_at = 0 if self.followers() else now
        return [self.present(now)]

    def seat_at(self, to: Address) -> int | None:
        """The seat that a connection belongs to."""
        return next((seat for seat, connections in self.here.items() if to in connections), None)

    def _stand_up(self, to: Address, now: int) -> None:
        for seat, connections in list(self.here.items()):
            if to in connections:
                connections.remove(to)
                if not connections:
                    del self.here[seat]
                    self._since[seat] = now

    def look_round(self, now: int) -> None:
        """Whoever is not here is missed from now on: the last owner's memory of it is gone."""
        for seat in range(len(self.sitters)):
            self._since.setdefault(seat, now)

    def present(self, now: int) -> Present:
        """Who is here, for everybody to know."""
        shown = wire.Presence(room=self.room, seats=self._online(now), watchers=len(self.watchers))
        if self.host:
            shown.host = self.host
        if self.ready_by:
            shown.ready_by = self.ready_by
        return Present(shown)

    def _online(self, now: int) -> dict[str, dict[str, Any]]:
        shown: dict[str, dict[str, Any]] = {}
        for seat, sitter in enumerate(self.sitters):
            if sitter.bot:
                shown[str(seat)] = {"online": True, "bot": sitter.bot}
            elif sitter.user:
                shown[str(seat)] = one = {
                    "online": seat in self.here,
                    "since": self._since.get(seat, now),
                    "id": sitter.user,
                    "name": sitter.name,
                }
                if sitter.stand_in:
                    one["bot"] = sitter.stand_in
                if self.asks:
                    one["ready"] = seat in self.ready
                if away := self.away.get(seat):
                    one["closed"] = away.closed
                    one |= {"until": away.until} if away.until else {}
        return shown

    def _catch_up(self, core: RoomCore, event: Came, view: str, seat: int | None) -> list[Effect]:
        """What a newcomer is shown: what they missed if they were here before, else everything."""
        n = core.last[seat].n + 1 if seat is not None else None
        if core.teller is None:
            return [Answer(event.to, self._empty(core, seat, n))]
        if seat is None and core.late is not None:
            return self._catch_up_late(core, event)
        clock = clocks.shown(core.state.times)
        have = event.join.have
        missed = core.teller.missed(view, have, core.ver) if have else None
        if have is None or missed is None:
            return [Answer(event.to, core.teller.snap(view, core.ver, core.epoch, seat, n, clock))]
        told: list[Effect] = []
        epoch = have.epoch
        for kept in missed:
            told.append(Answer(event.to, core.teller.again(view, kept, epoch, kept.v == core.ver, clock)))
            epoch = kept.epoch
        return told

    def _catch_up_late(self, core: RoomCore, event: Came) -> list[Effect]:
        """The same for a watcher who is kept behind: up to where watchers are."""
        assert core.late is not None
        assert core.teller is not None
        have = event.join.have
        if event.quiet and not core.late.view:
            return []  # they saw more before the table was handed over
        if have is not None and have.v > core.late.v and not core.rewound:
            return []  # they have seen more than we may show yet: what comes next will reach them
        missed = core.teller.missed(WATCH, have, core.late.v) if have else None
        if have is None or missed is None or not core.late.view:
            return [Answer(event.to, self.late_snap(core))]
        return [Answer(event.to, core.teller.again(WATCH, kept, "", False, None)) for kept in missed]

    def late_snap(self, core: RoomCore) -> wire.Snap:
        """What watchers who are kept behind see now."""
        assert core.late is not None
        if not core.late.view:
            empty = self._empty(core, None, None)
            empty.v, empty.epoch = 0, core.late.epoch
            return empty
        return wire.Snap(room=self.room, epoch=core.late.epoch, v=core.late.v, view=core.late.view, clock=None)

    def _empty(self, core: RoomCore, seat: int | None, n: int | None) -> wire.Snap:
        """The table before the deal: what is played, by which rules, and who has come."""
        seats = {str(k): {"name": s.name} if s.taken else {} for k, s in enumerate(self.sitters)}
        view: dict[str, Any] = {"game": core.game.id, "rules": core.game.rules, "seats": seats}
        if seat is not None:
            view["you"] = seat
        return wire.Snap(
            room=self.room,
            epoch=core.epoch,
            v=core.ver,
            view=view,
            clock=None,
            seat=UNSET if seat is None else seat,
            n=UNSET if n is None else n,
        )

"""A match: one game on one table.

A move is checked, applied and carried on until somebody must decide. It happens whole or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from engine import chance
from engine.chance import Lane
from engine.effects import Ctx
from engine.errors import Fault, Refused
from engine.findings import Finding, Heed, Unusual
from engine.frames import PASS, Ask, Entity, Move, Offer, Question, Run, Seat, Turn
from engine.game import Game
from engine.journal import Journal
from engine.look import Look
from engine.news import Step
from engine.offers import accept, at_random
from engine.table import AUDIENCE, TABLE, Table, seat_id
from engine.takeback import UNDONE, Moment, last_move, rewind, struck_out, unnoticed

Deck = Sequence[str]


class Match:
    """Applies moves to a table by the rules of its game."""

    def __init__(self, game: Game, table: Table) -> None:
        self.game = game
        self.table = table
        self.look = Look(game, table)
        self.decks: tuple[tuple[str, ...], ...] = ()  # as dealt; empty for a match that was taken up midway
        self.first: Seat | None = None  # who was chosen to begin, if it was not left to chance
        self._offers: dict[Seat, tuple[Offer, ...]] = {}
        self._extra: dict[Seat, tuple[Offer, ...]] = {}  # what takes somebody who is sure
        self._offered = self._offers  # before the last step, for when it is struck out
        self._last: Journal | None = None
        self.memory: tuple[Moment, ...] | None = None  # the way back, where somebody wants to be able to go it
        self._remembered: tuple[Moment, ...] | None = None  # before the last step

    @classmethod
    def deal(
        cls,
        game: Game,
        *,
        seats: int | None = None,
        seed: str | bytes | int,
        decks: Sequence[Deck | None] = (),
        options: Mapping[str, Any] | None = None,
        first: Seat | None = None,
        names: Sequence[str] = (),
        version: int = 0,
    ) -> Match:
        """Set a table and deal. `version` is the number that the deal has in the room's history."""
        count = game.seats[0] if seats is None else seats
        chosen = game.read_options(options or {})
        _check_seats(game, count, first)
        table = Table(game.id, game.rules, game.cards_hash, count, chance.make_seed(seed), chosen, version - 1)
        table.zones = dict.fromkeys(game.places(count), ())
        table.entities = {id: Entity(id) for id in (TABLE, *map(seat_id, range(count)))}
        for seat, name in enumerate(names[:count]):
            if not name:
                continue
            table.entities[seat_id(seat)] = Entity(seat_id(seat), facts={"name": name})
        match = cls(game, table)
        match.first = first
        match.decks = choose_decks(game, table.seed, chosen, decks, count)
        match._step(lambda journal: game.deal(journal, match.decks, first))
        return match

    @property
    def dealt(self) -> Step:
        """The last step; right after the deal, the deal itself."""
        assert self._last is not None
        return self._last.step()

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.table.result is not None

    def waiting(self) -> tuple[Seat, ...]:
        """The seats that owe a move or an answer."""
        return self.table.waiting()

    def question(self, seat: Seat) -> tuple[Ask, Question] | None:
        """What this seat is asked now, if it is."""
        top = self.table.stack[-1] if self.table.stack else None
        if isinstance(top, Ask) and seat in top.questions and seat not in top.answers:
            return top, top.questions[seat]
        return None

    def offers(self, seat: Seat) -> tuple[Offer, ...]:
        """Everything that this seat may do now."""
        found = self._offers.get(seat)
        if found is None:
            found = self._offers[seat] = self._work_out(seat)
        return found

    def act(self, seat: Seat, do: Mapping[str, Any], *, sure: bool = False, heed: Heed = "none") -> Step:
        """Apply a move whole, or raise and leave the table as it was.

        What is unusual about it is told with the step, or stops whoever heeds that and is not sure.
        """
        move = self.check(seat, do, sure)
        found = self._judge(seat, move)
        if any(finding.stops(heed, sure) for finding in found):
            raise Unusual(found, self.game.messages)
        step = self._step(lambda journal: self._apply(journal, seat, move), seat)
        return replace(step, warnings=found) if found else step

    def check(self, seat: Seat, do: Mapping[str, Any], sure: bool = False) -> Move:
        """The move that these words make. After this nothing is refused but what is unusual."""
        if self.over:
            raise Refused("over", "The match is over.")
        if seat not in self.waiting():
            raise self._not_now()
        try:
            move = accept(self.offers(seat), do)
        except Refused as no:
            move = self._override(seat, do, sure, no)
        return replace(move, sure=True) if sure else move

    def _override(self, seat: Seat, do: Mapping[str, Any], sure: bool, no: Refused) -> Move:
        """A move that is not offered, if it is one of those that take somebody who is sure; else why not."""
        for offer in () if self.question(seat) else self._overrides(seat):
            try:
                move = accept((offer,), do)
            except Refused:
                continue
            if sure:
                return move
            raise Unusual([Finding(rule, "hard") for rule in offer.warns], self.game.messages)
        raise self._why(seat, do, no) from None

    def _overrides(self, seat: Seat) -> tuple[Offer, ...]:
        found = self._extra.get(seat)
        if found is None:
            found = self._extra[seat] = tuple(self.game.overrides(self.look, seat))
        return found

    def _judge(self, seat: Seat, move: Move) -> tuple[Finding, ...]:
        if type(self.table.stack[-1]) is Ask:
            return ()
        return tuple(self.game.judge(self.look, seat, move))

    def expire(self, seat: Seat | None = None) -> Step:
        """Time has run out for a seat, or for all who are waited for: the default is played, or the turn is lost."""
        if self.over:
            raise Refused("over", "The match is over.")
        if seat is not None and seat not in self.waiting():
            raise Refused("not_waited_for", f"Nobody waits for seat {seat}.", seat=seat)
        seats = self.waiting() if seat is None else (seat,)
        return self._step(lambda journal: self._run_out(journal, seats))

    def resign(self, seat: Seat, reason: str = "resigned") -> Step:
        """A seat gives up."""
        if self.over:
            raise Refused("over", "The match is over.")
        if not 0 <= seat < self.table.seats:
            raise Refused("bad_seat", f"There is no seat {seat} at this table.", seat=seat)
        step = self._step(lambda journal: self.game.leave(journal, seat, reason))
        self.memory = None if self.memory is None else ()  # nobody comes back to a seat they have given up
        return step

    def stop(self, reason: str) -> Step:
        """The match ends undecided: nobody can go on."""
        if self.over:
            raise Refused("over", "The match is over.")
        return self._step(lambda journal: journal.end((), reason, ()))

    def remark(self, key: str, seat: Seat) -> Step:
        """Nothing changes on the table, and everybody is told of it: a pause, and its end."""
        if self.over:
            raise Refused("over", "The match is over.")
        return self._step(lambda journal: journal.say(key, seat=seat), None)

    # going back

    def remember(self) -> None:
        """Keep the way back from here on."""
        self.memory = ()

    def may_take_back(self, seat: Seat) -> bool:
        """Whether a seat may take its last move back without asking anybody. Refused if not even then."""
        if self.over:
            raise Refused("over", "The match is over.")
        return unnoticed(last_move(self.memory or (), seat))

    def take_back(self, seat: Seat) -> Step:
        """A seat's last move, and all that came after it, has not been made."""
        if self.over:
            raise Refused("over", "The match is over.")
        undone = last_move(self.memory or (), seat)
        step = self._step(lambda journal: rewind(journal, undone), UNDONE)
        self.memory = struck_out(self.memory or (), undone)
        return step

    def undo(self) -> None:
        """Strike out the last step, as if it had not been: for thinking ahead, and for a step nobody was told of."""
        assert self._last is not None, "nothing to strike out"
        self._last.strike()
        self._last = None
        self.table.version -= 1
        self._offers, self._extra, self.memory = self._offered, {}, self._remembered

    def _step(self, change: Any, seat: Seat | None = AUDIENCE) -> Step:
        journal = Journal(self.look)
        try:
            change(journal)
            self._settle(journal)
        except (Refused, Fault):
            journal.strike()
            raise
        except Exception as bug:
            journal.strike()
            raise Fault(f"{type(bug).__name__}: {bug}") from bug
        self._last = journal
        self._offered, self._offers, self._extra = self._offers, {}, {}
        self._remembered = self.memory
        if self.memory is not None and seat is not None:
            self.memory = (*self.memory, Moment(seat, journal))
        return journal.close()

    def _apply(self, journal: Journal, seat: Seat, move: Move) -> None:
        top = self.table.stack[-1]
        if isinstance(top, Ask):
            journal.swap(replace(top, answers={**top.answers, seat: move}))
        else:
            self.game.perform(journal, seat, move)

    def _settle(self, journal: Journal) -> None:
        """Go on until somebody must decide. Between two things the rules and the cards that heard something speak."""
        table, left = self.table, self.game.budget
        while table.result is None:
            top = table.stack[-1]
            if type(top) is Ask:
                if not _answered(top):
                    return
                self._conclude(journal, top)
            elif type(top) is Run and top.todo:
                left -= 1
                if left < 0:
                    raise Fault(f"a move set off more than {self.game.budget} words; the last was {top.todo[0].name!r}")
                journal.swap(replace(top, todo=top.todo[1:]))
                self.game.effects.speak(Ctx(journal, top), top.todo[0])
            else:
                if type(top) is Run:
                    journal.pop()
                if not self.game.settle(journal) and not (table.bag and self.game.open_bag(journal)):
                    if type(table.stack[-1]) is Turn:
                        return
                    continue
                left -= 1
                if left < 0:
                    raise Fault("the rules never come to rest")

    def _conclude(self, journal: Journal, ask: Ask) -> None:
        """All answers are in: bind them for the words that follow, and run what each answer sets off."""
        journal.pop()
        below = self.table.stack[-1]
        bound = below.bound if isinstance(below, Run) else {}
        speakers = sorted(ask.answers, key=lambda seat: _from(seat, self.table))
        if ask.first:
            speakers = [seat for seat in speakers if ask.answers[seat].type != PASS][:1] or speakers[:1]
        journal.exposed = journal.exposed or len(ask.questions) > 1
        if len(ask.questions) == 1:
            move = ask.answers[speakers[0]]
            bound = {**bound, **move.picks, ask.into: move.type}
        else:
            bound = {**bound, ask.into: {str(seat): _plain(move) for seat, move in sorted(ask.answers.items())}}
        programs = {seat: ask.questions[seat].then.get(ask.answers[seat].type, ()) for seat in speakers}
        if isinstance(below, Run):
            alone = speakers == [below.seat]
            mine = programs.pop(below.seat) if alone else ()  # one card goes on in one breath
            picks = ask.answers[below.seat].picks if alone else {}
            journal.swap(replace(below, todo=(*mine, *below.todo), bound={**bound, **picks}))
        source, event = (below.source, below.event) if isinstance(below, Run) else (None, None)
        for seat, program in reversed(programs.items()):
            if program:
                journal.push(Run(program, seat, source, event, {**bound, **ask.answers[seat].picks}))

    def _run_out(self, journal: Journal, seats: Sequence[Seat]) -> None:
        top = self.table.stack[-1]
        if not isinstance(top, Ask):
            for seat in seats:
                self.game.expired(journal, seat)
            return
        answers = dict(top.answers)
        for seat in seats:
            question = top.questions[seat]
            answers[seat] = question.default or accept(question.offers, at_random(question.offers, journal.below))
        journal.swap(replace(top, answers=answers))

    def _work_out(self, seat: Seat) -> tuple[Offer, ...]:
        if seat not in self.waiting():
            return ()
        asked = self.question(seat)
        return asked[1].offers if asked else tuple(self.game.offers(self.look, seat))

    def _not_now(self) -> Refused:
        seats = self.waiting()
        if self.table.stack and isinstance(self.table.stack[-1], Ask):
            who = " and ".join(f"seat {seat}" for seat in seats)
            return Refused("not_asked", f"The table waits for an answer of {who}.", waiting=list(seats))
        return Refused("not_your_turn", f"It is seat {seats[0]}'s turn.", seat=seats[0])

    def _why(self, seat: Seat, do: Mapping[str, Any], no: Refused) -> Refused:
        """A refusal in the game's own words where it has some: why this card cannot be used now."""
        if no.code != "illegal":
            return no
        if self.question(seat):
            return Refused("pending_decision", "There is a question for you; answer it first.", type=do.get("type"))
        code = self.game.why_not(self.look, seat, do)
        if code is None:
            return no
        return Refused(code, self.game.messages.get(f"blocked.{code}", str(no)), card=do.get("card"))


def _check_seats(game: Game, count: int, first: Seat | None) -> None:
    least, most = game.seats
    if not least <= count <= most:
        wants = str(least) if least == most else f"{least} to {most}"
        raise Refused("bad_seats", f"{game.title} is for {wants} players, not {count}.", seats=count)
    if first is not None and not 0 <= first < count:
        raise Refused("bad_seat", f"There is no seat {first} at this table.", seat=first)


def choose_decks(
    game: Game, seed: bytes, options: Mapping[str, Any], decks: Sequence[Deck | None], seats: int
) -> tuple[tuple[str, ...], ...]:
    """The deck of every seat, checked. A seat that chose none gets what the seed draws for it.

    Each seat's deck is drawn in a lane of its own and nothing else is, so a match dealt with the same decks by name
    is the same match.
    """
    if len(decks) > seats:
        raise Refused("bad_deck", f"There are {len(decks)} decks for {seats} seats.", decks=len(decks))
    found = []
    for seat in range(seats):
        deck = decks[seat] if seat < len(decks) else None
        found.append(game.draw_deck(options, Lane(seed, f"deck{seat}")) if deck is None else tuple(deck))
        game.check_deck(found[-1], options)
    return tuple(found)


def _answered(ask: Ask) -> bool:
    if ask.first and any(move.type != PASS for move in ask.answers.values()):
        return True
    return len(ask.answers) == len(ask.questions)


def _from(seat: Seat, table: Table) -> int:
    """Seats counted from the one whose turn it is."""
    return (seat - max(table.active, 0)) % table.seats


def _plain(move: Move) -> dict[str, Any]:
    return {"type": move.type, "card": move.card, "picks": move.picks}

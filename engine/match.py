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
from engine.frames import PASS, Ask, Entity, Move, Offer, Question, Run, Seat, Turn
from engine.game import Game
from engine.journal import Journal
from engine.look import Look
from engine.news import Step
from engine.offers import accept, at_random
from engine.table import TABLE, Table, seat_id

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
        self._offered = self._offers  # before the last step, for when it is struck out
        self._last: Journal | None = None

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

    def act(self, seat: Seat, do: Mapping[str, Any]) -> Step:
        """Apply a move whole, or raise and leave the table as it was."""
        move = self.check(seat, do)
        return self._step(lambda journal: self._apply(journal, seat, move))

    def check(self, seat: Seat, do: Mapping[str, Any]) -> Move:
        """The move that these words make. After this nothing is refused."""
        if self.over:
            raise Refused("over", "The match is over.")
        if seat not in self.waiting():
            raise self._not_now()
        try:
            return accept(self.offers(seat), do)
        except Refused as no:
            raise self._why(seat, do, no) from None

    def expire(self) -> Step:
        """Time has run out for whoever is waited for: the default is played, or the turn is lost."""
        if self.over:
            raise Refused("over", "The match is over.")
        return self._step(self._run_out)

    def resign(self, seat: Seat, reason: str = "resigned") -> Step:
        """A seat gives up."""
        if self.over:
            raise Refused("over", "The match is over.")
        if not 0 <= seat < self.table.seats:
            raise Refused("bad_seat", f"There is no seat {seat} at this table.", seat=seat)
        return self._step(lambda journal: self.game.leave(journal, seat, reason))

    def stop(self, reason: str) -> Step:
        """The match ends undecided: nobody can go on."""
        if self.over:
            raise Refused("over", "The match is over.")
        return self._step(lambda journal: journal.end((), reason, ()))

    def undo(self) -> None:
        """Strike out the last step, as if it had not been: for thinking ahead, and for a step nobody was told of."""
        assert self._last is not None, "nothing to strike out"
        self._last.strike()
        self._last = None
        self.table.version -= 1
        self._offers = self._offered

    def _step(self, change: Any) -> Step:
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
        self._offered, self._offers = self._offers, {}
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

    def _run_out(self, journal: Journal) -> None:
        top = self.table.stack[-1]
        if not isinstance(top, Ask):
            for seat in self.waiting():
                self.game.expired(journal, seat)
            return
        answers = dict(top.answers)
        for seat in self.waiting():
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
        if no.code != "illegal" or self.question(seat):
            return no
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

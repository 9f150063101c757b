"""A spy who tries to learn from a match what the printed rules hide.

Two tables that differ only in what a viewer may not know must give that viewer identical bytes: the whole view,
the patch, the news, the offers, the blocked cards, the question and every refusal. What is secret is stated by the
rules as they are printed (`printed.py`); nothing in here asks a lens or a zone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from engine import chance
from engine.errors import EngineError, Refused
from engine.frames import Ask
from engine.gallery import Gallery
from engine.game import Game
from engine.lens import Lens, view_name, viewers
from engine.match import Match
from engine.merge import canonical
from engine.news import Step
from engine.offers import accept, at_random
from engine.store import pack, unpack
from engine.table import Table, bit
from tests.engine.games import go_on, some_move
from tests.engine.printed import printed

NOBODY_HAS_THIS = 987_654_321


class Leak(AssertionError):
    """Somebody was told what they may not know."""


class Knowledge:
    """What one viewer is entitled to know."""

    def __init__(self, game: Game, viewer: int) -> None:
        self.rules = printed(game)
        self.viewer = viewer
        self._may: dict[tuple[str, str], bool] = {}

    def may(self, right: str, zone: str) -> bool:
        """Whether the rules give this viewer a right (faces, things, counted) on a zone such as `1.hand`."""
        found = self._may.get((right, zone))
        if found is None:
            who = getattr(self.rules.piles[_kind(zone)], right)
            found = who == "all" or (who == "owner" and zone.startswith(f"{self.viewer}."))
            self._may[right, zone] = found
        return found

    def face(self, table: Table, id: int) -> bool:
        """Whether they see what a card is; who was shown a card knows it for as long as it stays there."""
        card = table[id]
        turned_down = bool(card.dark & bit(self.viewer))
        return (self.may("faces", card.zone) and not turned_down) or bool(card.shown & bit(self.viewer))

    def thing(self, table: Table, id: int) -> bool:
        """Whether they can point at a card."""
        return self.may("things", table[id].zone) or self.face(table, id)

    def hidden(self, table: Table) -> set[int]:
        """The cards that they cannot point at."""
        shut = (ids for zone, ids in table.zones.items() if not self.may("things", zone))
        return {id for ids in shut for id in ids if not self.face(table, id)}

    def of_table(self, table: Table) -> Any:
        """All that they may know of a table."""
        cards = {}
        for zone, ids in table.zones.items():
            known = [id if self.thing(table, id) else 0 for id in ids]
            if self.may("counted", zone) or any(known):
                cards[zone] = [(id, self._face(table, id)) for id in known]
        facts = {
            id: {k: v for k, v in entity.facts.items() if id == -1 - self.viewer or k not in self.rules.own_facts}
            for id, entity in table.entities.items()
            if id <= 0
        }
        return cards, facts, table.active, table.result

    def of_step(self, table: Table, step: Step) -> Any:
        """All that the rules tell them of a step: faces and things that came by, and what is told to everybody."""
        seen = []
        for news in step.news:
            if news.e == "moved" and "count" in news.facts:
                continue  # a pile that is swept together: nobody names its cards
            if news.e == "moved":
                ends = [(news.facts["was"], news.facts["from"]), (news.facts["card"], news.facts["to"])]
                if any(self.may("faces", zone) for _, zone in ends):
                    seen.append(news.facts["card"].face)
                seen.extend(ref.id for ref, zone in ends if self.may("things", zone))
            elif news.e == "turned" and news.facts["card"].id in table.entities:
                looked_at = news.facts["card"].id
                seen.extend([looked_at] if self.thing(table, looked_at) else [])
            elif news.e == "said" and news.facts["key"] in self.rules.told:
                seen.append(news.facts["args"])
            elif news.e == "said" and news.facts["key"] in self.rules.confided:
                seen.extend([news.facts["args"]] if news.facts["args"]["seat"] == self.viewer else [])
        return seen

    def _face(self, table: Table, id: int) -> Any:
        return (table[id].face, table[id].facts, table[id].owner) if id and self.face(table, id) else None


def twin(match: Match, viewer: int, luck: Random) -> Match:
    """A table that differs from this one in all that the viewer cannot know, and in nothing else."""
    knows = Knowledge(match.game, viewer)
    table = unpack(match.game, pack(match.table))
    _spread_anew(knows, table, luck)
    for group in _alike(knows, table):
        _swap_faces(table, group, luck, knows.rules.on_backs)
    for zone, ids in table.zones.items():
        places = [n for n, id in enumerate(ids) if not knows.thing(table, id)]
        mixed, order = list(ids), luck.sample(places, len(places))
        for place, other in zip(places, order, strict=True):
            mixed[place] = ids[other]
        table.zones[zone] = tuple(mixed)
    for seat in range(table.seats):
        if seat != viewer:
            for fact in knows.rules.own_facts:
                entity = table.seat(seat)
                table.entities[entity.id] = replace(entity, facts={**entity.facts, fact: luck.randrange(9, 99)})
    _answer_anew(table, viewer, luck)
    table.luck = {**table.luck, "luck": table.luck.get("luck", 0) + luck.randrange(1, 999)}
    return Match(match.game, table)


def _spread_anew(knows: Knowledge, table: Table, luck: Random) -> None:
    """What lies where nobody may count could as well lie in another such place."""
    places = [zone for zone in table.zones if not knows.may("counted", zone)]
    ids = [id for zone in places for id in table.zones[zone]]
    for zone in places:
        table.zones[zone] = ()
    for id in ids:
        zone = luck.choice(places)
        table.zones[zone] += (id,)
        table.entities[id] = replace(table[id], zone=zone)


def _alike(knows: Knowledge, table: Table) -> Iterator[list[int]]:
    unknown = [id for ids in table.zones.values() for id in ids if not knows.face(table, id)]
    if knows.rules.mixed:
        loose = [id for id in unknown if table[id].face not in knows.rules.never_held]
        for apart in (True, False):
            yield [id for id in loose if (_kind(table[id].zone) in knows.rules.apart) == apart]
        return
    for zone in table.zones:
        yield [id for id in unknown if table[id].zone == zone]


@cache
def _kind(zone: str) -> str:
    seat, _, kind = zone.partition(".")
    return kind if seat.isdigit() else zone


def _swap_faces(table: Table, ids: list[int], luck: Random, on_backs: tuple[str, ...]) -> None:
    cards = [table[id] for id in ids]
    for id, other in zip(ids, luck.sample(cards, len(cards)), strict=True):
        facts = {key: value for key, value in other.facts.items() if key not in on_backs}
        facts |= {key: value for key, value in table[id].facts.items() if key in on_backs}
        table.entities[id] = replace(table[id], face=other.face, facts=facts)


def _answer_anew(table: Table, viewer: int, luck: Random) -> None:
    """Others may have answered anything; where the first answer decides, all that waits is a pass."""
    top = table.stack[-1] if table.stack else None
    if isinstance(top, Ask) and not top.first:
        answers = {seat: move if seat == viewer else _any_answer(top, seat, luck) for seat, move in top.answers.items()}
        table.stack = (*table.stack[:-1], replace(top, answers=answers))


def _any_answer(ask: Ask, seat: int, luck: Random) -> Any:
    offers = ask.questions[seat].offers
    return accept(offers, at_random(offers, luck.randrange))


class Spy:
    """Watches a match for one viewer, beside a second world that looks the same to them."""

    def __init__(
        self, match: Match, viewer: int, lens: Callable[..., Lens] = Lens, gallery: Callable[..., Gallery] = Gallery
    ) -> None:
        self.match, self.viewer, self.lens, self.gallery = match, viewer, lens, gallery
        self.knows = Knowledge(match.game, viewer)
        self.met: set[int] = set()
        self.other: Match | None = None
        self.steps = 0  # compared so far

    def compare(self, luck: Random) -> None:
        """Look at the table as it stands, in both worlds."""
        if self.other is None or luck.random() < 0.3:
            self.other = twin(self.match, self.viewer, luck)
        if self.knows.of_table(self.match.table) != self.knows.of_table(self.other.table):
            raise AssertionError("the two worlds should look the same by the rules; the test itself is wrong")
        mine, theirs = ([*self._sees(match), *self._refusals(match)] for match in (self.match, self.other))
        self._same(mine, theirs)
        self._ids(mine, self.knows.hidden(self.match.table))
        self._old_ids()
        self._guesses()

    def shown(self, match: Match) -> Gallery:
        """What they were shown until now."""
        return self.gallery(match, [self.viewer])

    def heard(self, seat: int, do: Any, step: Step, shown: Gallery, before: set[int]) -> None:
        """The match went on; let the other world go on too. Where the rules reveal something the worlds part."""
        told = [*self._hears(shown, step), *self._sees(self.match)]
        hidden = before | self.knows.hidden(self.match.table)
        self._ids(told, hidden - {seen for seen in self.knows.of_step(self.match.table, step) if isinstance(seen, int)})
        other, self.other = self.other, None
        assert other is not None
        shown_there = self.shown(other)
        try:
            theirs = other.expire() if do is None else other.act(seat, do)
        except EngineError:
            return  # a move that exists in one world only: the rules let the viewer see that it was made
        entitled = [
            (self.knows.of_table(match.table), self.knows.of_step(match.table, done))
            for match, done in ((self.match, step), (other, theirs))
        ]
        if entitled[0] == entitled[1]:
            self._same(told, [*self._hears(shown_there, theirs), *self._sees(other)])
            self.steps += 1
            self.other = other

    def _hears(self, shown: Gallery, step: Step) -> list[Any]:
        lens = self.lens(shown.match.look, self.viewer)
        return [shown.patches(step)[view_name(self.viewer)], lens.news(step)]

    def _sees(self, match: Match) -> list[Any]:
        lens = self.lens(match.look, self.viewer)
        return [lens.whole(), lens.offers(match), lens.blocked(match), lens.ask(match)]

    def _refusals(self, match: Match) -> list[Any]:
        """What they are answered when they try what they may not."""
        kinds = {offer.type for seat in range(match.table.seats) for offer in self.match.offers(seat)}
        guesses = sorted(self._guessable())
        tries = [{"type": kind, "card": id} for kind in sorted(kinds) for id in guesses]
        return [_answer(match, self.viewer, do) for do in tries]

    def _guessable(self) -> list[int]:
        """Ids that cannot be mistaken for a seat or a count in an answer."""
        long = sorted(id for id in self.knows.hidden(self.match.table) if id > 999)
        return [*long[:4], NOBODY_HAS_THIS]

    def _guesses(self) -> None:
        """A hidden card that is guessed and a card that does not exist are answered alike."""
        guesses = self._guessable()
        for kind in sorted({offer.type for seat in range(self.match.table.seats) for offer in self.match.offers(seat)}):
            answers = {
                str(_answer(self.match, self.viewer, {"type": kind, "card": id})).replace(str(id), "?")
                for id in guesses
            }
            if len(answers) != 1:
                raise Leak(f"a guess is answered by {answers}")

    def _same(self, mine: Any, theirs: Any) -> None:
        for one, other in zip(mine, theirs, strict=True):
            if canonical(one) != canonical(other):
                raise Leak(f"to {self.viewer} it is either {one} or {other}")

    def _ids(self, told: Any, hidden: set[int]) -> None:
        if found := {number for number in _numbers(told) if number in hidden and number > 999}:
            raise Leak(f"{self.viewer} is told of the hidden cards {found}")

    def _old_ids(self) -> None:
        """Nobody recognises a card that went out of their sight."""
        hidden = self.knows.hidden(self.match.table)
        if again := self.met & hidden:
            raise Leak(f"{self.viewer} would recognise {again}")
        self.met |= {id for id in self.match.table.entities if id > 0} - hidden


@contextmanager
def long_ids() -> Iterator[None]:
    """Ids of four digits, so that a card cannot be mistaken for a seat or a count in what somebody is told."""
    minted = chance.minted
    with patch.object(chance, "minted", lambda seed, count: minted(seed, count) + 20 * chance.BLOCK):
        yield


def spy_on(game: Game, seed: int, most: int = 60, **eyes: Any) -> int:
    """Play a match by chance with a spy in every seat and one who watches. Returns how many steps were compared."""
    luck = Random(seed)
    with long_ids():
        match = Match.deal(game, seed=seed)
        spies = [Spy(match, viewer, **eyes) for viewer in viewers(match.table.seats)]
        while not match.over and match.table.version < most:
            for spy in spies:
                spy.compare(luck)
            _step(match, spies, luck)
    return sum(spy.steps for spy in spies)


def _step(match: Match, spies: list[Spy], luck: Random) -> None:
    seat, do = some_move(match, luck)
    late = match.question(seat) is not None and luck.random() < 0.1
    ready = [(spy.shown(match), spy.knows.hidden(match.table)) for spy in spies]
    step = match.expire() if late else match.act(seat, do)
    for spy, (shown, hidden) in zip(spies, ready, strict=True):
        spy.heard(seat, None if late else do, step, shown, hidden)


def _answer(match: Match, viewer: int, do: Any) -> Any:
    try:
        match.check(viewer, do)
    except Refused as no:
        return no.code, str(no), no.say
    return "yes"


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, dict):
        for key, part in value.items():
            if str(key).isdigit():
                yield int(key)
            yield from _numbers(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, int):
        yield value


def ordered_pairs(game: Game, seeds: range) -> float:
    """How often the second of two cards that lie side by side has the higher id: a half, if ids tell nothing."""
    luck, rising, all_pairs = Random(7), 0, 0
    for seed in seeds:
        match = Match.deal(game, seed=seed)
        for _ in range(12):
            if match.over:
                break
            go_on(match, luck)
        for ids in match.table.zones.values():
            for one, other in pairwise(ids):
                rising += one < other
                all_pairs += 1
    return rising / all_pairs

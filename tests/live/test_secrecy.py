"""Two worlds that differ only in what somebody may not know look the same to them, to the last byte.

A service plays some matches halfway and stops. Its whole folder is copied, and in the copy each stored table is dealt
anew in all that one viewer cannot see. Both services then go on with the same moves. Whatever that viewer hears from
the two must be equal for as long as the rules reveal no difference: frames, refusals, snaps, resumes and pages.
"""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from cards import find_game
from engine.errors import EngineError
from engine.match import Match
from engine.offers import at_random
from engine.store import pack, unpack
from engine.table import AUDIENCE
from rooms.keys import keys_of
from rooms.state import pack_room
from tests.engine.secrecy import NOBODY_HAS_THIS, Knowledge, twin
from tests.live.canaries import Canary, scan
from tests.live.people import SNUGGLES, Person, come, play_out, reached, seated
from tests.live.serving import Live

TABLES = 18
STEPS = 14
GAME = find_game("ggltcg")
_TIME = re.compile(rb"\b1[0-9]{12}\b")  # the two services do not do things in the same millisecond


class World:
    """One of the two services, and the people at one of its tables."""

    def __init__(self, live: Live, room: str, match: Match) -> None:
        self.live, self.room, self.match = live, room, match
        self.seats: list[Person] = []
        self.viewer: Person
        self.windows: list[Person] = []  # all connections of the viewer, in order

    async def sit(self, sessions: list[dict[str, Any]], viewer: int, binary: bool) -> None:
        """Everybody comes in the same order; the viewer, who has been here before, comes last."""
        for seat, session in enumerate(sessions[:2]):
            self.seats.append(await come(self.live, session=session, msgpack=binary and seat == viewer))
        order = [seat for seat in range(2) if seat != viewer] + ([viewer] if viewer != AUDIENCE else [])
        for seat in order:
            await self.seats[seat].join(self.room)
        if viewer == AUDIENCE:
            self.viewer = await come(self.live, session=sessions[2], msgpack=binary)
            await self.viewer.join(self.room, as_="watch")
        else:
            self.viewer = self.seats[viewer]
        self.windows.append(self.viewer)
        await self.settle()

    async def settle(self) -> None:
        """Wait until everything that was on its way has come."""
        for person in (*self.seats, self.viewer):
            await person.ask("ping", c=1)

    async def move(self, seat: int, do: dict[str, Any]) -> None:
        answer = await self.seats[seat].act(self.room, do)
        assert answer["t"] == "ok", answer
        await reached(self.room, answer["v"], *self.seats, self.viewer)
        await self.settle()

    async def guess(self, cards: list[int]) -> None:
        """Try what one may not."""
        n = self.viewer.boards[self.room].n
        for card in cards:
            for kind in ("play", "strike", "use", "nap"):
                await self.viewer.ask("act", room=self.room, n=n, do={"type": kind, "card": card})
        await self.viewer.ask("act", room=self.room, n=n + 7, do={"type": "end_turn"})
        await self.viewer.ask("act", room=self.room, n=n, do={"type": "end_turn"}, ask=12345678)

    async def come_back(self, v: int | None) -> None:
        """Another window of the viewer that has this much already."""
        session = {"token": self.viewer.token, "user": self.viewer.user}
        window = await come(self.live, session=session, msgpack=self.viewer.msgpack)
        board, had = window.boards[self.room], self.viewer.boards[self.room]
        have = {}
        if v is not None:
            board.v, board.view = v, msgspec.json.decode(had.past[v].view)
            have = {"have": {"epoch": had.past[v].epoch, "v": v}}
        ok = await window.ask("join", room=self.room, as_="watch" if had.seat is None else "seat", **have)
        await window.until(lambda: board.v >= ok["v"])
        await window.ask("ping", c=1)
        await window.leave()
        self.windows.append(window)
        await self.settle()

    def told(self) -> list[tuple[int, bytes]]:
        """Everything the viewer was ever told: how long it was, and what it said but for the time."""
        return [
            (len(raw), _TIME.sub(b"0", raw.encode() if isinstance(raw, str) else msgspec.json.encode(frame)))
            for window in self.windows
            for raw, frame, _ in window.heard
        ]


async def test_what_one_cannot_see_cannot_change_what_one_hears(serve: Callable[..., Live]) -> None:
    live = serve(sweep_ms=300_000, renew_ms=1000)
    tables = await asyncio.gather(*(_halfway(live, place) for place in range(TABLES)))
    live.stop()
    await live.start_again()
    other = _copied(live, serve)
    pairs = [
        asyncio.create_task(_compare(live, other, room, sessions, place % 3 - 1, place % 2 == 0, Random(place)))
        for place, (room, sessions) in enumerate(tables)
    ]
    steps = await asyncio.gather(*pairs)
    assert sum(steps) > TABLES, f"the worlds parted too early to prove anything: {steps}"
    pages = [
        _TIME.sub(b"0", (await world.call("GET", path)).body)
        for path in ("/api/rooms?status=live", *(f"/api/rooms/{room}" for room, _ in tables))
        for world in (live, other)
    ]
    assert _sorted(pages[0]) == _sorted(pages[1])
    assert pages[2::2] == pages[3::2]


def _sorted(page: bytes) -> Any:
    return sorted(msgspec.json.decode(page), key=lambda room: room["room"])


async def _halfway(live: Live, place: int) -> tuple[str, list[dict[str, Any]]]:
    room, ana, bo = await seated(live, options={"set": "all"}, deck=SNUGGLES)
    far = 2 + place % 7
    await play_out(room, ana, bo, seed=place, stop=lambda board: board.v >= far)
    cy = await live.session("Cy")
    return room, [*({"token": person.token, "user": person.user} for person in (ana, bo)), cy]


def _copied(live: Live, serve: Callable[..., Live]) -> Live:
    """A second service that remembers exactly what the first one does."""
    other = serve(**{name: live.settings[name] for name in ("sweep_ms", "renew_ms")})
    other.stop()
    live.stop()
    shutil.rmtree(other.folder / "state")
    shutil.copytree(live.folder / "state", other.folder / "state", ignore=_sockets)
    live.start()
    other.searched = False  # the inputs in that store are of another world
    return other.start()


def _sockets(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if Path(folder, name).is_socket()]


async def _compare(
    live: Live, other: Live, room: str, sessions: list[dict[str, Any]], viewer: int, binary: bool, luck: Random
) -> int:
    """Let one table go on in both worlds; how many steps looked the same."""
    state = live.truth(room).state
    mine = Match(GAME, unpack(GAME, state.table))
    if mine.over:
        return 0
    theirs = twin(mine, viewer, luck)
    knows = Knowledge(GAME, viewer)
    with other.store() as store:
        assert store.get(keys_of(room).state) == pack_room(state)
        store.set(keys_of(room).state, pack_room(_dealt(state, theirs)))
    worlds = [World(live, room, mine), World(other, room, theirs)]
    for world in worlds:
        await world.sit(sessions, viewer, binary)
    steps = 0
    for _ in range(STEPS):
        _same(worlds)
        await _try_everything(worlds, knows, mine)
        step = _next(worlds, knows, luck)
        if step is None:
            break
        for world in worlds:
            await world.move(*step)
        steps += 1
    _same(worlds)
    for v in (None, *worlds[0].viewer.boards[room].past):
        for world in worlds:
            await world.come_back(v)
    _same(worlds)
    return steps


async def _try_everything(worlds: list[World], knows: Knowledge, mine: Match) -> None:
    hidden = sorted(knows.hidden(mine.table))[:3]
    for world in worlds:
        await world.guess([*hidden, NOBODY_HAS_THIS])
    answers: dict[int, list[str]] = {}
    for world in worlds:  # a hidden card and one that does not exist are answered alike
        texts = [frame["text"] for frame in world.viewer.frames if frame["t"] == "err"][-2 - 4 * (len(hidden) + 1) : -2]
        for place, text in enumerate(texts):
            answers.setdefault(place % 4, []).append(re.sub(r"\d{3,}", "?", text))
    for texts in answers.values():
        assert len(set(texts)) == 1, set(texts)


def _next(worlds: list[World], knows: Knowledge, luck: Random) -> tuple[int, dict[str, Any]] | None:
    """A move that exists in both worlds and shows the viewer no difference between them; None if there is none."""
    mine, theirs = (world.match for world in worlds)
    if mine.over:
        return None
    seat = luck.choice(mine.waiting())
    for _ in range(6):
        do = at_random(mine.offers(seat), luck.randrange)
        ours = mine.act(seat, do)
        try:
            step = theirs.act(seat, do)
        except EngineError:
            mine.undo()
            continue
        seen = [
            (knows.of_table(match.table), knows.of_step(match.table, done))
            for match, done in ((mine, ours), (theirs, step))
        ]
        if seen[0] == seen[1] and not mine.over and not theirs.over:
            return seat, dict(do)
        mine.undo()
        theirs.undo()
    return None


def _dealt(state: Any, match: Match) -> Any:
    return msgspec.structs.replace(state, table=pack(match.table))


def _same(worlds: list[World]) -> None:
    mine, theirs = (world.told() for world in worlds)
    for one, two in zip(mine, theirs, strict=False):
        assert one == two
    assert len(mine) == len(theirs), (mine[-3:], theirs[-3:])


# the search for canaries finds what it is meant to find


async def test_a_hidden_card_that_is_told_is_found(serve: Callable[..., Live]) -> None:
    live = serve()
    room, ana, bo = await seated(live)
    for person in (ana, bo):
        await person.act(room, {"type": "end_turn"}) if person.boards[room].offers else None
    await ana.until(lambda: ana.boards[room].v >= 2)
    table = live.truth(room).tables()[2]
    secret = next(id for id in table.zones["1.hand"] if id > 999)
    assert scan(live) > 0
    for frame in (
        {"t": "delta", "room": room, "v": 2, "patch": {"cards": {str(secret): {"owner": 1}}}},
        {"t": "err", "i": "x", "code": "illegal", "text": f"Card {secret} cannot be played.", "retry": False},
        {"t": "snap", "room": room, "v": 2, "seat": 0, "view": {"zones": {"1.hand": {"cards": [secret]}}}},
    ):
        ana.heard.append(ana.heard[-1]._replace(frame=frame))
        live.people = [ana]
        with pytest.raises(Canary):
            scan(live)
        ana.heard.pop()
    live.people = [ana, bo]


async def test_two_people_at_one_table_hear_different_things(live: Live) -> None:
    """A test of the tests: what one sees in their own hand is indeed a secret that could be told."""
    room, ana, bo = await seated(live)
    hands = [set(person.boards[room].view["zones"][f"{seat}.hand"]["cards"]) for seat, person in enumerate((ana, bo))]
    assert not hands[0] & hands[1]
    assert "cards" not in ana.boards[room].view["zones"]["1.hand"]
    assert hands[1] == set(live.truth(room).tables()[1].zones["1.hand"])

"""Many matches at once by clients that come back by themselves, and what must hold of them whatever broke meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from random import Random
from typing import Any, NamedTuple

import redis

from rooms.keys import keys_of
from server.client import Client, Disconnected, Rejected, Seat
from tests.live.people import any_move, come, plain
from tests.live.serving import Live, Truth, milliseconds

PATIENCE = 15.0  # seconds for a command to be answered once nothing is broken any more
SOON = 5.0  # seconds for all views to be equal


class Acked(NamedTuple):
    """A move that the service said was committed."""

    room: str
    seat: int
    n: int
    v: int
    do: dict[str, Any]


class Witness:
    """Everything that one client was told, as the search for hidden cards wants to read it."""

    code = 1000  # it has nothing more to hear

    def __init__(self, client: Client) -> None:
        self.frames: list[dict[str, Any]] = []
        self.boards = client.rooms
        client.frames.append(self._hear)

    def _hear(self, frame: dict[str, Any]) -> None:
        if frame["t"] != "bye":  # it holds a code and a time, which are numbers like those of cards
            self.frames.append(frame)


class Crowd:
    """Pairs of players, each playing one match after another, and some watchers."""

    def __init__(self, live: Live, pairs: int = 12, think: float = 0.03, watched: int = 3, **asked: Any) -> None:
        self.live, self.pairs, self.think, self.watched, self.asked = live, pairs, think, watched, asked
        self.acked: list[Acked] = []
        self.refused: Counter[str] = Counter()  # answers that were no
        self.unanswered: list[str] = []
        self.seats: list[Seat] = []
        self.told: dict[Seat, list[tuple[str, str, int]]] = {}  # kind, epoch, version
        self.clients: list[Client] = []
        self.longest = 0.0  # that anybody waited for an answer
        self._stopped = False

    @contextlib.asynccontextmanager
    async def playing(self) -> AsyncIterator[Crowd]:
        """They play for as long as the block lasts; then the move that is on its way is waited for."""
        async with contextlib.AsyncExitStack() as stack:
            people = [
                await stack.enter_async_context(Client(self.live.url, name=f"P{place}", msgpack=place % 3 == 0))
                for place in range(2 * self.pairs + self.watched)
            ]
            self.clients = people
            self.live.people += [Witness(client) for client in people]
            watchers = people[2 * self.pairs :] + [None] * self.pairs
            matches = [
                asyncio.create_task(self._matches(people[2 * k], people[2 * k + 1], watchers[k], Random(k)))
                for k in range(self.pairs)
            ]
            try:
                yield self
                self._stopped = True
                await asyncio.gather(*matches)
            finally:
                for match in matches:
                    match.cancel()
                await asyncio.gather(*matches, return_exceptions=True)
            await self._settled()
            await self.check()

    async def moves(self, count: int, seconds: float = 20) -> None:
        """Wait until so many more moves were acknowledged."""
        goal = len(self.acked) + count
        async with asyncio.timeout(seconds):
            while len(self.acked) < goal:
                await asyncio.sleep(0.005)

    # playing

    async def _matches(self, one: Client, other: Client, watcher: Client | None, luck: Random) -> None:
        while not self._stopped:
            with self._patient("a new table"):
                async with asyncio.timeout(2 * PATIENCE):
                    room = await self._make_room(one)
                    seats = [await one.join(room), await other.join(room)]
                    watching = [await watcher.join(room, watch=True)] if watcher else []
                for seat in (*seats, *watching):
                    self._listen(seat)
                await asyncio.gather(*(self._play(seat, Random(luck.random())) for seat in seats))
                if not self._stopped:
                    await self._settle(*seats, *watching)

    async def _make_room(self, client: Client) -> str:
        """A table; nobody sends a request again by itself, so while the service is away we do."""
        while True:
            try:
                return str((await client.make_room("ggltcg", **self.asked))["room"])
            except OSError:
                await asyncio.sleep(0.1)

    async def _play(self, seat: Seat, luck: Random) -> None:
        while not self._stopped and not seat.over:
            if not seat.offers:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(seat.changed(), 0.1)
                continue
            await asyncio.sleep(luck.uniform(0, 2 * self.think))
            if seat.offers and not seat.over:
                await self._act(seat, any_move(seat, luck))

    async def _act(self, seat: Seat, do: dict[str, Any]) -> None:
        """Move; the acknowledgement is written down the moment that it comes, before anything else is heard."""
        n, began = seat.n, asyncio.get_running_loop().time()
        asked = {"ask": seat.ask["id"]} if seat.ask else {}

        def acked(ok: dict[str, Any]) -> None:
            assert seat.seat is not None
            if (each := Acked(seat.room, seat.seat, n, ok["v"], do)) not in self.acked[-200:]:
                self.acked.append(each)

        with self._patient(f"move {n}"):
            async with asyncio.timeout(2 * PATIENCE):
                command = {"t": "act", "room": seat.room, "n": n, "do": do, **asked}
                answer = await seat.client.ask(command, acked)
                seat.n = max(seat.n, n + 1)
                await seat.until(lambda: seat.v >= answer["v"])
        self.longest = max(self.longest, asyncio.get_running_loop().time() - began)

    def kept(self) -> None:
        """Whatever was acknowledged so far is in the store right now."""
        with self.live.store() as store:
            for each in list(self.acked):
                entries = store.xrange(keys_of(each.room).inputs, f"{each.v}-0", f"{each.v}-0")
                assert entries, f"{each} was acknowledged and is not in the store"

    async def untold(self) -> set[tuple[str, int]]:
        """Versions that are in the store though nobody was told of them; they may still be on their way there."""
        async with asyncio.timeout(SOON):
            while not (found := self._untold()):
                await asyncio.sleep(0.05)
        return found

    def _untold(self) -> set[tuple[str, int]]:
        told = {(seat.room, v) for seat, heard in self.told.items() for _, _, v in heard}
        with self.live.store() as store:
            streams = {key.split(b":")[-2].decode(): key for key in store.scan_iter("{b:*}:r:*:i", 1000)}
            newest = {room: store.xrevrange(key, count=1)[0][0] for room, key in streams.items()}
        return {(room, int(id.partition(b"-")[0])) for room, id in newest.items()} - told

    @contextlib.contextmanager
    def _patient(self, what: str) -> Any:
        try:
            yield
        except Rejected as no:
            self.refused[no.code] += 1
        except TimeoutError:
            self.unanswered.append(what)
            self._stopped = True
        except Disconnected as gone:
            self.unanswered.append(f"{what}: {gone}")
            self._stopped = True

    def _listen(self, seat: Seat) -> None:
        if seat not in self.told:
            self.seats.append(seat)
            self.told[seat] = [("snap", seat.epoch, seat.v)]
            seat.heard.append(lambda frame: self._hear(seat, frame))

    def _hear(self, seat: Seat, frame: dict[str, Any]) -> None:
        if frame["t"] in ("snap", "delta"):
            heard = self.told[seat]
            heard.append((frame["t"], frame.get("epoch", heard[-1][1]), frame["v"]))

    async def _settled(self) -> None:
        await asyncio.gather(*(self._settle(seat) for seat in self.seats))

    async def _settle(self, *seats: Seat) -> None:
        """Everybody hears of the newest version."""
        for seat in seats:
            with contextlib.suppress(TimeoutError):  # the check says what is missing
                async with asyncio.timeout(SOON):
                    await seat.until(lambda seat=seat: seat.v >= 1)  # they had only just sat down
            newest = await self._newest(seat.room)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SOON):
                    await seat.until(lambda seat=seat, newest=newest: seat.v >= newest)

    async def _newest(self, room: str) -> int:
        while True:
            with contextlib.suppress(redis.RedisError), self.live.store() as store:  # it may be down just now
                return int(store.hget(keys_of(room).meta, "ver"))
            await asyncio.sleep(0.1)

    # what must hold

    async def check(self, newcomers: int = 12) -> None:
        """Nothing acknowledged is lost, doubled or out of order, and everybody sees the table that is in the store."""
        assert not self.unanswered, f"no answer: {self.unanswered}; {self.live.said()}"
        assert not self.refused, f"refused: {self.refused}"
        assert self.acked, "nobody ever moved"
        rooms = list(dict.fromkeys(seat.room for seat in self.seats))
        truths = {room: self.live.truth(room) for room in rooms}
        for room, truth in truths.items():
            assert truth.entries, f"{room} was never dealt though both had sat down"
            self._log_is_whole(room, truth)
        self._one_writer()
        for seat in self.seats:
            self._never_back(seat)
            assert (seat.v, seat.drifts) == (truths[seat.room].entries[-1]["v"], 0), f"{seat.room} fell behind"
        self._looked_after(truths)
        for seat in self.seats[-newcomers:]:
            await self._as_a_newcomer(seat)

    def _log_is_whole(self, room: str, truth: Truth) -> None:
        """I1, I2: every acknowledged move is in the log once, in order, and nothing else is."""
        assert [entry["v"] for entry in truth.entries] == list(range(1, len(truth.entries) + 1))
        truth.tables()  # the inputs lead to the state beside them
        moves = {(entry["seat"], entry["n"]): entry for entry in truth.inputs if "do" in entry}
        for seat in (0, 1):
            numbers = [entry["n"] for entry in truth.inputs if entry.get("seat") == seat and "do" in entry]
            assert numbers == list(range(1, len(numbers) + 1)), f"seat {seat} of {room} moved {numbers}"
        acked = [each for each in self.acked if each.room == room]
        assert len({(each.seat, each.n) for each in acked}) == len(acked)
        for each in acked:
            entry = moves.get((each.seat, each.n))
            assert entry is not None, f"{each} is lost"
            assert (entry["v"], entry["do"]) == (each.v, each.do), f"{each} is another move in the log"
        assert len(acked) == len(moves), f"{room} holds a move that nobody was answered for"

    def _one_writer(self) -> None:
        """I3: each version was made by one owner, and owners follow one another."""
        made: defaultdict[str, dict[int, set[str]]] = defaultdict(dict)
        for seat, heard in self.told.items():
            for _, epoch, v in heard:
                made[seat.room].setdefault(v, set()).add(epoch)
        for room, versions in made.items():
            epochs = [versions[v] for v in sorted(versions)]
            assert all(len(each) == 1 for each in epochs), f"{room} has two histories: {epochs}"
            order = [int(next(iter(each))) for each in epochs]
            assert order == sorted(order), f"an older owner of {room} wrote after a newer one"

    def _never_back(self, seat: Seat) -> None:
        """I4: versions come in order, each once."""
        for (_, _, last), (kind, _, v) in zip(self.told[seat], self.told[seat][1:], strict=False):
            assert v == last + 1 if kind == "delta" else v >= last, f"{kind} {v} came after {last} in {seat.room}"

    def _looked_after(self, truths: dict[str, Truth]) -> None:
        """I7: somebody will look after every live room."""
        now = milliseconds()
        with self.live.store() as store:
            for room in truths:
                keys = keys_of(room)
                score = store.zscore(keys.wake, room)
                if store.hget(keys.meta, "st") != b"2":
                    assert score is not None, f"{room} is forgotten"
                    assert score > now - 10_000, f"{room} is forgotten"

    async def _as_a_newcomer(self, seat: Seat) -> None:
        """I5: whoever comes now sees the same, to the last byte."""
        if seat.seat is None:
            newcomer = await come(self.live, "Zoe")
            board = await newcomer.join(seat.room, as_="watch")
        else:
            session = {"token": seat.client.token, "user": seat.client.user}
            newcomer = await come(self.live, session=session)
            board = await newcomer.join(seat.room)
            assert plain(board.offers) == plain(seat.offers)
            assert plain(board.ask) == plain(seat.ask)
            assert board.n == seat.n
        assert board.v == seat.v
        assert plain(board.view) == plain(seat.view)
        await newcomer.leave()

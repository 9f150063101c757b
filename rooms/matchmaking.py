"""Bringing people together: whoever seeks the same, of about the same strength, in a room that is made for them.

The store keeps the queues, and scripts move people through them, so any number of matchmakers may be at work. What one
of them has begun another finishes: who was taken out of a queue is written down until their room is there, and making
a room twice makes one.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import msgspec
import structlog
from msgspec import UNSET, Struct

from cards import NoSuchGame, find_game
from engine.bots import can_play
from engine.errors import Refused
from rooms import wire
from rooms.fault_points import reach
from rooms.keys import queue_keys
from rooms.nodes import StoreTrouble
from rooms.queues import (
    START,
    Queue,
    Ticket,
    Waiting,
    bring_together,
    pack_ticket,
    read_pending,
    room_of,
    seating_order,
    unpack_ticket,
)
from rooms.registry import place
from rooms.scripts import Code
from rooms.state import Arranged, Delay, Setup, Sitter, Sought, Watch

if TYPE_CHECKING:
    from rooms.host import Host

log = structlog.get_logger()

QUEUES = "{queues}"  # a hash: the queues that there are, and what is sought there
WAITS = "{queues}:waits"  # a hash: how long people waited there lately
FRESH_MS = 15_000  # nobody is given a match who was not seen for so long
SILENT_MS = 60_000  # after that they are not in the queue any more
PENDING_MS = 2_000  # a match whose room is not there after so long is taken care of by whoever sees it
SPOKEN_MS = 30_000  # beyond the time for coming: nobody is spoken for for ever
BATCH = 200  # matches that are made in one call
EVERY = 0.5  # seconds between two looks
ALL_EVERY = 10  # looks between two at the queues of others
RATING_SECONDS = 2.0  # that a rating may take to look up
PATIENCE = 20  # seconds of rest for each second of work

_json = msgspec.json.Encoder()
_queue = msgspec.json.Decoder(Queue)


class Customs(Struct, frozen=True):
    """How people are brought together here."""

    ready: int = 20_000  # ms for coming to a match
    bot_after: int = 60_000  # ms after which a bot is offered; 0: never
    bot: str = "greedy"
    ranked_delay: int = 30_000  # ms that watchers of ranked matches are kept behind


class Matchmaker:
    """The queues, as one host works them."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.customs = Customs()
        self.up: Callable[[], tuple[str, ...]] = lambda: (host.own,)  # the hosts that are at work
        self.tell: Callable[[str, str, wire.Frame], None] = lambda gateway, user, frame: None
        self.rating: Callable[[str, str], Awaitable[float]] = _no_rating
        self._task: asyncio.Task[None] | None = None
        self._looks = 0

    def start(self) -> None:
        """Begin to look."""
        self._task = self.host.loop.create_task(self._run())

    async def stop(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    # what people want

    async def seek(self, queue: Queue, ticket: Ticket) -> dict[str, Any]:
        """Somebody enters a queue; if they were in it before, they keep their place."""
        people, name = self.host.people, queue.name
        there = await people.seeks(ticket.user, name)
        if there != name and not await self._seeks_there(ticket.user, there):  # that was long ago
            await people.stop_seeking([ticket.user])
            there = await people.seeks(ticket.user, name)
        if there != name:
            raise Refused("already_seeking", f"You seek already: {there}. Leave that queue first.", queue=there)
        ticket.rating = await self._strength(ticket.user, queue)
        ticket.last, ticket.blocked = await people.last_met(ticket.user), await people.blocked(ticket.user)
        await self._ask(QUEUES, "HSET", QUEUES, name, _json.encode(queue))
        keys = queue_keys(name)
        places = [keys.who, keys.since, keys.seen, keys.busy]
        code, _, now, word = await self._run_script("seek", places, [ticket.user, pack_ticket(ticket)])
        self.host.heard_time(now)
        if code == Code.FENCED:
            return {"match": bytes(word).decode(), "room": room_of(bytes(word).decode())}
        return await self._standing(queue, int(word), 0)

    async def _strength(self, user: str, queue: Queue) -> float:
        """How strong a seeker is. If the archive does not say, better a rough match than none."""
        if queue.mode != "ranked":
            return START
        try:
            async with asyncio.timeout(RATING_SECONDS):
                return await self.rating(user, queue.game)
        except (StoreTrouble, TimeoutError) as error:
            log.warning("rating_unknown", why=str(error))
            return START

    async def _seeks_there(self, user: str, name: str) -> bool:
        keys = queue_keys(name)
        return bool((await self._run_script("beat", [keys.who, keys.seen, keys.busy], [user]))[3])

    async def unseek(self, user: str, name: str) -> None:
        """Somebody leaves a queue."""
        keys = queue_keys(name)
        await self._run_script("unseek", [keys.who, keys.since, keys.seen], [user, 0])
        await self.host.people.stop_seeking([user])

    async def beat(self, queue: Queue, users: list[str]) -> list[dict[str, Any]]:
        """These are still there; how it stands with each."""
        keys, name = queue_keys(queue.name), queue.name
        reply = await self._run_script("beat", [keys.who, keys.seen, keys.busy], users)
        await self._ask(QUEUES, "HSET", QUEUES, name, _json.encode(queue))
        words = [bytes(word).decode() for word in reply[3:]]
        waiting = [user for user, word in zip(users, words, strict=True) if word]
        await self.host.people.still_seek(waiting)
        found = []
        for user, word in zip(users, words, strict=True):
            if word == "+":
                since = await self._ask(keys.since, "ZSCORE", keys.since, user)
                found.append(await self._standing(queue, int(float(since or reply[2])), reply[1]))
            else:
                found.append({"match": word, "room": room_of(word)} if word else {})
        return found

    async def sizes(self) -> dict[str, dict[str, Any]]:
        """The queues that there are, and how many wait in each."""
        flat = await self._ask(QUEUES, "HGETALL", QUEUES)
        names = [bytes(name).decode() for name in flat[::2]]
        counts = await asyncio.gather(*(self._ask(queue_keys(n).who, "HLEN", queue_keys(n).who) for n in names))
        found = {}
        for name, data, count in zip(names, flat[1::2], counts, strict=True):
            queue = _queue.decode(data)
            shown = {"game": queue.game, "mode": queue.mode, "waiting": count}
            if queue.clock is not None:
                shown["clock"] = msgspec.to_builtins(queue.clock)
            found[name] = shown
        return found

    async def _standing(self, queue: Queue, since: int, waiting: int) -> dict[str, Any]:
        keys, waited = queue_keys(queue.name), max(0, self.host.now() - since)
        count = waiting or await self._ask(keys.who, "HLEN", keys.who)
        found: dict[str, Any] = {"since": since, "waiting": count}
        usual = await self._ask(WAITS, "HGET", WAITS, queue.name)
        if usual is not None:
            found["estimate"] = max(0, int(float(usual)) - waited)
        customs = self.customs
        if customs.bot_after and waited >= customs.bot_after and can_play(customs.bot, find_game(queue.game)):
            found["bot"] = customs.bot
        return found

    # what becomes of it

    async def began(self, setup: Setup) -> None:
        """A match that was arranged has begun."""
        plan = setup.arranged
        if plan is not None:
            users = [one.user for one in plan.people]
            await self._settle(plan, [], users)
            await self.host.people.have_met(users)
            await self.host.people.stop_seeking(users)

    async def let_down(self, setup: Setup, came: list[str]) -> None:
        """It is off: who came waits again, at the front, with the time that they had waited; who did not, does not."""
        plan = setup.arranged
        if plan is None:
            return
        again = [one for one in plan.people if one.user in came]
        others = [one.user for one in plan.people if one.user not in came]
        await self._settle(plan, again, others)
        reach("match.after_settle")
        await self.host.people.still_seek(came)
        await self.host.people.stop_seeking(others)
        queue = plan.queue
        for one in plan.people:
            ticket = unpack_ticket(one.ticket.encode())
            back = one.user in came
            told = seeking(queue, {"since": one.since, "waiting": 1}, again=back or UNSET, over=UNSET if back else True)
            self.tell(ticket.gateway, one.user, told)

    async def _settle(self, plan: Arranged, again: list[Any], others: list[str]) -> None:
        keys = queue_keys(plan.queue.name)
        words: list[bytes | str | int] = [plan.match, len(again)]
        for one in again:
            ticket = unpack_ticket(one.ticket.encode())
            ticket.front = True
            words += [one.user, one.since, pack_ticket(ticket)]
        places = [keys.who, keys.since, keys.seen, keys.busy, keys.hot]
        await self._run_script("settle", places, [*words, *others])

    # looking

    async def _run(self) -> None:
        while True:
            began = self.host.loop.time()
            try:
                if not self.host.draining:
                    await self.look()
            except (StoreTrouble, OSError) as error:
                log.warning("queues_unreachable", why=str(error))
            except Exception:  # without this task nobody would ever find anybody
                log.exception("matchmaking_failed")
            await asyncio.sleep(max(EVERY, PATIENCE * (self.host.loop.time() - began)))

    async def look(self) -> int:
        """Work our share of the queues; now and then those of others too. Returns how many matches were made."""
        self._looks += 1
        up, made = self.up(), 0
        flat = await self._ask(QUEUES, "HGETALL", QUEUES)
        for name, data in zip(flat[::2], flat[1::2], strict=True):
            key = bytes(name).decode()
            if self._looks % ALL_EVERY == 0 or not up or place(f"queue {key}", up)[0] == self.host.own:
                made += await self._work(_queue.decode(data))
        return made

    async def _work(self, queue: Queue) -> int:
        keys, now = queue_keys(queue.name), self.host.now()
        await self._run_script("unseek", [keys.who, keys.since, keys.seen], ["", SILENT_MS])
        who, since = await asyncio.gather(
            self._ask(keys.who, "HGETALL", keys.who), self._ask(keys.since, "ZRANGE", keys.since, 0, -1, "WITHSCORES")
        )
        made = 0
        if len(who) >= 2 * queue.seats:
            made = await self._pair(queue, _waiting(who, since), now)
        hot = await self._ask(keys.hot, "HGETALL", keys.hot)
        for match, data in zip(hot[::2], hot[1::2], strict=True):
            at, people = read_pending(bytes(data))
            if now - at >= PENDING_MS:
                await self._arrange(queue, bytes(match).decode(), people, at)
        if not who and not hot:
            await self._ask(QUEUES, "HDEL", QUEUES, queue.name)
        return made

    async def _pair(self, queue: Queue, waiting: list[Waiting], now: int) -> int:
        tables, keys = bring_together(waiting, now, queue.seats), queue_keys(queue.name)
        spoken, made = self.customs.ready + SPOKEN_MS, 0
        for start in range(0, len(tables), BATCH):
            some = [(secrets.token_urlsafe(12), table) for table in tables[start : start + BATCH]]
            words: list[bytes | str | int] = [FRESH_MS, spoken, queue.seats]
            for match, table in some:
                words += [match, *(one.ticket.user for one in table)]
            places = [keys.who, keys.since, keys.seen, keys.busy, keys.hot]
            _, count, at, *good = await self._run_script("pair", places, words)
            made += count
            reach("match.after_pair")
            met = [(match, list(table)) for (match, table), yes in zip(some, good, strict=True) if yes]
            await asyncio.gather(*(self._arrange(queue, match, table, at) for match, table in met))
            await self._note_waits(queue, [at - one.since for _, table in met for one in table])
        return made

    async def _note_waits(self, queue: Queue, waits: list[int]) -> None:
        if waits:
            lately, known = sum(waits) / len(waits), await self._ask(WAITS, "HGET", WAITS, queue.name)
            usual = lately if known is None else 0.7 * float(known) + 0.3 * lately
            await self._ask(WAITS, "HSET", WAITS, queue.name, f"{usual:.0f}")

    async def _arrange(self, queue: Queue, match: str, people: list[Waiting], at: int) -> None:
        """Make the room of a match and tell everybody; done twice it is done once."""
        host, room = self.host, room_of(match)
        order = seating_order(match, [one.ticket.user for one in people])
        seated = sorted(people, key=lambda one: order.index(one.ticket.user))
        try:
            setup = self._setup(queue, match, seated)
        except NoSuchGame:
            return  # another host may know it
        sitters = [Sitter(one.ticket.user, one.ticket.name, deck=one.ticket.deck) for one in seated]
        side = {f"seat{seat}": _json.encode(sitter) for seat, sitter in enumerate(sitters)}
        await host.make(room, setup, match, side)
        reach("match.after_make")
        by = (await host.library.ready_by(room)) or 0
        for seat, one in enumerate(seated):
            await host.library.sits(one.ticket.user, room, queue.game, setup.made, seat=seat, ready_by=by)
            self.tell(one.ticket.gateway, one.ticket.user, wire.Matched(room=room, seat=seat, ready_by=by))
        reach("match.after_tell")
        keys = queue_keys(queue.name)
        await self._ask(keys.hot, "HDEL", keys.hot, match)

    def _setup(self, queue: Queue, match: str, seated: list[Waiting]) -> Setup:
        game, now = find_game(queue.game), self.host.now()
        ranked = queue.mode == "ranked"
        watch = Watch(delay=Delay(ms=self.customs.ranked_delay if ranked else 0))
        plan = Arranged(queue, match, [_person(one) for one in seated])
        return Setup(
            game=game.id,
            seats=queue.seats,
            options=game.read_options({}),
            clock=queue.clock,
            watch=watch,
            mode="ranked" if ranked else "casual",
            made=now,
            ready_by=now + self.customs.ready,
            arranged=plan,
        )

    async def _ask(self, key: str, *words: bytes | str | int) -> Any:
        nodes = self.host.nodes
        return await nodes.within(8, lambda: nodes.ask(key, *words))

    async def _run_script(self, name: str, keys: list[str], args: list[Any]) -> list[Any]:
        words = [b"%d" % len(keys), *(key.encode() for key in keys)]
        words += [arg if isinstance(arg, bytes) else str(arg).encode() for arg in args]
        return await self.host.call(name, words)


def seeking(queue: Queue, standing: dict[str, Any], **more: Any) -> wire.Seeking:
    """How it stands, as somebody is told."""
    clock = UNSET if queue.clock is None else msgspec.to_builtins(queue.clock)
    return wire.Seeking(game=queue.game, mode=queue.mode, clock=clock, **standing, **more)


def _waiting(who: list[bytes], since: list[bytes]) -> list[Waiting]:
    times = {bytes(user): int(float(at)) for user, at in zip(since[::2], since[1::2], strict=True)}
    people = zip(who[::2], who[1::2], strict=True)
    return [Waiting(unpack_ticket(ticket), times[bytes(user)]) for user, ticket in people if bytes(user) in times]


def _person(one: Waiting) -> Sought:
    return Sought(one.ticket.user, one.since, pack_ticket(one.ticket).decode())


async def _no_rating(user: str, game: str) -> float:
    return START

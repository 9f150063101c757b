"""The scripts that keep queues: each does what it says, and the model of them does the same."""

from __future__ import annotations

import time
from itertools import count
from typing import Any

import pytest
import redis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from rooms.keys import QueueKeys, queue_keys
from rooms.model import Model
from rooms.queues import read_pending
from rooms.scripts import HASHES, Code
from tests.rooms.script_store import MODES, server

_names = count(1)


class Desk:
    """A queue on a server."""

    def __init__(self, client: redis.Redis) -> None:
        self.client = client
        self.keys: QueueKeys = queue_keys(f"queue {next(_names)} {id(self)}")

    def call(self, script: str, keys: tuple[str, ...], *args: object) -> list[Any]:
        words = [str(len(keys)), *keys, *(str(arg) if not isinstance(arg, bytes) else arg for arg in args)]
        reply: Any = self.client.execute_command("EVALSHA", HASHES[script], *words)
        return list(reply)

    def seek(self, user: str, ticket: str = "") -> list[Any]:
        k = self.keys
        return self.call(
            "seek", (k.who, k.since, k.seen, k.busy), user, ticket or f'{{"user":"{user}","name":"{user}"}}'
        )

    def unseek(self, user: str, silent: int = 0) -> list[Any]:
        k = self.keys
        return self.call("unseek", (k.who, k.since, k.seen), user, silent)

    def beat(self, *users: str) -> list[Any]:
        k = self.keys
        return self.call("beat", (k.who, k.seen, k.busy), *users)

    def pair(self, *matches: tuple[str, ...], fresh: int = 10_000, spoken: int = 20_000, seats: int = 2) -> list[Any]:
        words = [word for match in matches for word in match]
        return self.call("pair", self.all(), fresh, spoken, seats, *words)

    def settle(
        self, match: str, again: tuple[tuple[str, int, str], ...] = (), others: tuple[str, ...] = ()
    ) -> list[Any]:
        words = [word for one in again for word in one]
        return self.call("settle", self.all(), match, len(again), *words, *others)

    def unheard(self, user: str, ms: int) -> None:
        """They have given no sign of life for so long."""
        self.client.zincrby(self.keys.seen, -ms, user)

    def all(self) -> tuple[str, ...]:
        k = self.keys
        return k.who, k.since, k.seen, k.busy, k.hot

    def dump(self) -> dict[str, Any]:
        k = self.keys
        return {
            **{key: self.client.hgetall(key) for key in (k.who, k.busy, k.hot)},
            **{key: dict(self.client.zrange(key, 0, -1, withscores=True)) for key in (k.since, k.seen)},
        }


@pytest.fixture(params=MODES)
def desk(request: pytest.FixtureRequest) -> Desk:
    return Desk(server(request.param))


def test_somebody_waits_and_asking_again_keeps_their_place(desk: Desk) -> None:
    code, _, now, since = desk.seek("ann")
    assert (code, since) == (Code.OK, b"%d" % now)
    time.sleep(0.005)
    again = desk.seek("ann", '{"user":"ann","name":"Ann"}')
    assert (again[0], again[3]) == (Code.TAKEN, since)
    assert b"Ann" in desk.client.hget(desk.keys.who, "ann")
    assert desk.unseek("ann")[:2] == [1, 1]
    assert desk.unseek("ann")[:2] == [1, 0]
    assert not any(desk.dump().values())


def test_people_are_brought_together_once(desk: Desk) -> None:
    for user in ("ann", "bob", "cy"):
        desk.seek(user)
    assert desk.pair(("m1", "ann", "bob"), ("m2", "bob", "cy"))[1::2] == [1, 1]
    assert desk.pair(("m1", "ann", "bob"))[1] == 0
    assert desk.beat("ann", "cy", "dan")[3:] == [b"m1", b"+", b""]
    assert desk.seek("ann")[::3] == [Code.FENCED, b"m1"]
    at, people = read_pending(desk.client.hget(desk.keys.hot, "m1"))
    assert [one.ticket.user for one in people] == ["ann", "bob"]
    assert at >= people[0].since


def test_nobody_is_brought_together_with_themselves_or_with_somebody_who_is_gone(desk: Desk) -> None:
    desk.seek("ann")
    assert desk.pair(("m1", "ann", "ann"))[1] == 0
    desk.seek("bob")
    desk.unheard("bob", 60_000)
    assert desk.pair(("m1", "ann", "bob"), fresh=30_000)[1] == 0
    assert desk.unseek("", silent=30_000)[1] == 1
    assert desk.beat("ann", "bob")[3:] == [b"+", b""]


def test_who_was_let_down_waits_again_with_the_time_that_they_had_waited(desk: Desk) -> None:
    since = int(desk.seek("ann")[3])
    desk.seek("bob")
    desk.pair(("m1", "ann", "bob"))
    assert desk.settle("m1", (("ann", since, "again"),), ("bob",))[1] == 1
    assert desk.client.zscore(desk.keys.since, "ann") == since
    assert desk.beat("ann", "bob")[3:] == [b"+", b""]
    assert desk.settle("m1", (("ann", 1, "twice"),), ("bob",))[1] == 0  # said twice, done once
    assert desk.client.hget(desk.keys.who, "ann") == b"again"
    assert desk.seek("bob")[0] == Code.OK


def test_a_match_that_is_settled_does_not_touch_a_later_one(desk: Desk) -> None:
    for match in ("m1", "m2"):
        desk.seek("ann")
        desk.seek("bob")
        desk.pair((match, "ann", "bob"))
        if match == "m1":
            desk.settle("m1", (), ("ann", "bob"))
    assert desk.settle("m1", (("ann", 1, "t"),), ("bob",))[1] == 0
    assert desk.beat("ann", "bob")[3:] == [b"m2", b"m2"]


def test_nobody_is_spoken_for_for_ever(desk: Desk) -> None:
    desk.seek("ann")
    desk.seek("bob")
    desk.pair(("m1", "ann", "bob"), spoken=5)
    time.sleep(0.01)
    assert desk.beat("ann")[3] == b""
    assert desk.seek("ann")[0] == Code.OK


def test_tables_for_more(desk: Desk) -> None:
    for user in ("ann", "bob", "cy"):
        desk.seek(user)
    assert desk.pair(("m1", "ann", "bob", "cy"), seats=3)[1] == 1
    assert desk.pair(("m1", "ann", "bob"), seats=3)[0] == Code.BAD_ARGS


USERS = st.sampled_from(("ann", "bob", "cy", "dan"))
MATCHES = st.sampled_from(("m1", "m2", "m:3"))


class QueueAndModel(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.desk = Desk(server("standalone"))
        self.now = 0
        self.model = Model(lambda: self.now)

    def same(self, reply: list[Any], script: str, keys: tuple[str, ...], *args: object) -> None:
        self.now = reply[2]
        words = [b"%d" % len(keys), *(key.encode() for key in keys), *(str(arg).encode() for arg in args)]
        assert self.model.call(script, words) == reply
        k, data = self.desk.keys, self.model.data
        found = {
            **{key: data.hashes.get(key.encode(), {}) for key in (k.who, k.busy, k.hot)},
            **{key: data.indexes.get(key.encode(), {}) for key in (k.since, k.seen)},
        }
        assert found == self.desk.dump()

    @rule(user=USERS, ticket=st.sampled_from(("t", "u")))
    def seek(self, user: str, ticket: str) -> None:
        k = self.desk.keys
        self.same(self.desk.seek(user, ticket), "seek", (k.who, k.since, k.seen, k.busy), user, ticket)

    @rule(user=st.one_of(USERS, st.just("")), silent=st.sampled_from((0, 1, 3, 10_000)))
    def unseek(self, user: str, silent: int) -> None:
        k = self.desk.keys
        self.same(self.desk.unseek(user, silent), "unseek", (k.who, k.since, k.seen), user, silent)

    @rule(users=st.lists(USERS, min_size=1, max_size=4))
    def beat(self, users: list[str]) -> None:
        k = self.desk.keys
        self.same(self.desk.beat(*users), "beat", (k.who, k.seen, k.busy), *users)

    @rule(
        matches=st.lists(st.tuples(MATCHES, USERS, USERS), min_size=1, max_size=3),
        fresh=st.sampled_from((0, 2, 10_000)),
        spoken=st.sampled_from((1, 3, 10_000)),
    )
    def pair(self, matches: list[tuple[str, str, str]], fresh: int, spoken: int) -> None:
        words = [word for match in matches for word in match]
        reply = self.desk.pair(*matches, fresh=fresh, spoken=spoken)
        self.same(reply, "pair", self.desk.all(), fresh, spoken, 2, *words)

    @rule(match=MATCHES, again=st.lists(USERS, max_size=2, unique=True), others=st.lists(USERS, max_size=2))
    def settle(self, match: str, again: list[str], others: list[str]) -> None:
        back = tuple((user, 7, "again") for user in again)
        reply = self.desk.settle(match, back, tuple(others))
        words = [word for one in back for word in one]
        self.same(reply, "settle", self.desk.all(), match, len(back), *words, *others)

    @rule()
    def wait(self) -> None:
        time.sleep(0.002)


TestQueueAndModel = QueueAndModel.TestCase
TestQueueAndModel.settings = settings(
    max_examples=100, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)

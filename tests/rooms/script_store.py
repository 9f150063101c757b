"""Real servers for the script tests, and a room on one with all filled in that a test does not care about."""

from __future__ import annotations

import atexit
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import redis

from rooms.keys import Keys, bucket_of, keys_of, wake_key
from rooms.scripts import (
    HASHES,
    SCRIPTS,
    claim_args,
    commit_args,
    create_args,
    release_args,
    renew_args,
    shelve_args,
    side_args,
)
from tests.redis_servers import Server, free_port, until

MODES = ("standalone", "cluster")
TTL = 60_000
KEEP = 16
VIEWS = ("0", "1", "watch")

_rooms = count(1)


@cache
def server(mode: str, *settings: str) -> redis.Redis:
    """A server of this process's own, with the scripts loaded; the same one for the same question."""
    home = TemporaryDirectory(prefix="upcard-")
    if mode == "cluster":  # one node that holds every slot
        settings = ("--cluster-enabled", "yes", "--cluster-port", str(free_port()), *settings)
    started = Server(Path(home.name), *settings)
    atexit.register(home.cleanup)
    atexit.register(started.kill)
    client = started.start().client()
    if mode == "cluster":
        client.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
        until(lambda: client.incr("ready"), what="the cluster")
    for text in SCRIPTS.values():
        client.script_load(text)
    return client


class Desk:
    """A room on a server. `own` and `ep` are those of the last create or claim that went well."""

    def __init__(self, client: redis.Redis, room: str = "") -> None:
        self.client = client
        self.room = room or f"room{next(_rooms)}"
        self.keys: Keys = keys_of(self.room)
        self.own, self.ep, self.cids = "ann.1", "0", count(1)

    def call(self, script: str, words: list[bytes]) -> list[Any]:
        reply = self.client.execute_command("EVALSHA", HASHES[script], *words)
        assert isinstance(reply, list)
        return reply

    def create(self, **said: Any) -> list[Any]:
        own = said.setdefault("own", self.own)
        words = {"room": self.room, "key": "k1", "snapshot": b"dealt", "ttl": TTL, "status": 1} | said
        return self._owned(own, self.call("create", create_args(self.keys, **words)))

    def commit(self, **said: Any) -> list[Any]:
        return self.call("commit", self.commit_words(**said))

    def commit_words(self, **said: Any) -> list[bytes]:
        base, ep = said.setdefault("base", 0), said.setdefault("ep", self.ep)
        words = {
            "room": self.room,
            "own": self.own,
            "cid": b"c%d" % next(self.cids),
            "ttl": TTL,
            "status": 1,
            "snapshot": b"state %d" % (base + 1),
            "input": b"input %d" % (base + 1),
            "views": {view: f"{ep}:{base + 1}:{view}".encode() for view in VIEWS},
            "keep": KEEP,
            "frames": {view: f"frame {base + 1} of {view}".encode() for view in VIEWS},
        }
        return commit_args(self.keys, **words | said)

    def claim(self, own: str, **said: Any) -> list[Any]:
        words = {"room": self.room, "ttl": TTL, "alone": True} | said
        return self._owned(own, self.call("claim", claim_args(self.keys, own=own, **words)))

    def renew(self, **said: Any) -> list[Any]:
        words = {"own": self.own, "ttl": TTL} | said
        rooms = words.pop("rooms", [(self.room, self.keys, self.ep)])
        return self.call("renew", renew_args(wake_key(bucket_of(self.room)), rooms, **words))

    def release(self, **said: Any) -> list[Any]:
        words = {"room": self.room, "own": self.own, "ep": self.ep, "look": 0} | said
        return self.call("release", release_args(self.keys, **words))

    def side(self, pairs: dict[str, bytes], **said: Any) -> list[Any]:
        words = {"own": self.own, "ep": self.ep, "ttl": TTL} | said
        return self.call("side", side_args(self.keys, pairs=pairs, **words))

    def shelve(self, entry: Any, **said: Any) -> list[Any]:
        return self.call("shelve", shelve_args(self.keys, entry=entry, **{"views": VIEWS} | said))

    def meta(self, name: str) -> Any:
        return self.client.hget(self.keys.meta, name)

    def lease(self) -> int:
        return int(self.meta("exp"))

    def wake(self) -> float | None:
        found: Any = self.client.zscore(self.keys.wake, self.room)
        return found

    def all_keys(self, views: tuple[str, ...] = VIEWS) -> list[str]:
        keys = self.keys
        return [keys.meta, keys.state, keys.inputs, keys.side, *map(keys.view, views)]

    def image(self) -> dict[str, Any]:
        """All that is stored of this room and its bucket."""
        return {key: self.client.dump(key) for key in [*self.all_keys(), self.keys.wake, self.keys.out]}

    def _owned(self, own: str, reply: list[Any]) -> list[Any]:
        if reply[0] == 1:
            self.own, self.ep = own, str(reply[3])
        return reply


def neighbours(client: redis.Redis, many: int) -> list[Desk]:
    """Rooms that lie in one bucket."""
    desks: list[Desk] = []
    while len(desks) < many:
        desk = Desk(client)
        if not desks or desk.keys.wake == desks[0].keys.wake:
            desks.append(desk)
    return desks

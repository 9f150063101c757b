"""The model is the scripts: the same words to both, then every answer, every key and every message is compared.

The server's clock cannot be set, so the model is told what the server said the time was. Keys are read by a script too:
within a script time stands still, so that even a key that fades at that moment is there for both or for neither.
"""

from __future__ import annotations

import time
from functools import cache
from typing import Any

import redis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from rooms.keys import keys_of
from rooms.model import Model
from rooms.scripts import (
    HASHES,
    Code,
    claim_args,
    close_args,
    commit_args,
    create_args,
    old_slots,
    release_args,
    renew_args,
    shelve_args,
    side_args,
)
from tests.rooms.script_store import neighbours, server

READ = """#!lua flags=no-writes
local t = redis.call('TIME')
local found = {t[1] * 1000 + math.floor(t[2] / 1000)}
for i, key in ipairs(KEYS) do
  local kind, held = redis.call('TYPE', key).ok, ''
  if kind == 'hash' then held = redis.call('HGETALL', key)
  elseif kind == 'string' then held = redis.call('GET', key)
  elseif kind == 'stream' then held = redis.call('XRANGE', key, '-', '+')
  elseif kind == 'zset' then held = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES') end
  found[i + 1] = {kind, held, redis.call('PEXPIRETIME', key)}
end
return found"""

OWNERS = ("ann.1", "bob.2")
VIEWS = ("0", "watch")
KEEP = 3
TTLS = st.sampled_from((60_000, 60_000, 60_000, 3, 1))
mostly = st.sampled_from((True, True, True, True, True, False))
rooms = st.sampled_from((0, 0, 0, 1))


@cache
def ear_of(mode: str) -> Any:
    """Somebody who listens to all that the rooms say."""
    ear = server(mode).pubsub()
    ear.ssubscribe(*(key for room in rooms_of(mode) for key in (keys_of(room).side, *map(keys_of(room).view, VIEWS))))
    return ear


@cache
def rooms_of(mode: str) -> list[str]:
    """Two rooms of one bucket."""
    return [desk.room for desk in neighbours(server(mode), 2)]


class ScriptsAndModel(RuleBasedStateMachine):
    mode = "standalone"

    def __init__(self) -> None:
        super().__init__()
        self.client: redis.Redis = server(self.mode)
        self.rooms, self.ear = rooms_of(self.mode), ear_of(self.mode)
        self.keys = [keys_of(room) for room in self.rooms]
        all_keys = {key.encode() for k in self.keys for key in (k.meta, k.state, k.inputs, k.side, k.wake, k.out)}
        self.names = sorted(all_keys | {k.view(view).encode() for k in self.keys for view in VIEWS})
        self.client.delete(*self.names)
        self.now = 0
        self.told: list[tuple[bytes, bytes]] = []
        self.model = Model(lambda: self.now, lambda channel, payload: self.told.append((channel, payload)))

    # what may happen

    @initialize(seated=st.booleans())
    def open(self, seated: bool) -> None:
        for room, own in enumerate(OWNERS):
            self.create(room, own, 60_000, "k", seated, 1)

    @rule(
        room=rooms,
        own=st.sampled_from((*OWNERS, "")),
        ttl=TTLS,
        key=st.sampled_from("kl"),
        seated=st.booleans(),
        status=st.sampled_from((0, 1)),
    )
    def create(self, room: int, own: str, ttl: int, key: str, seated: bool, status: int) -> None:
        side = {"seat0": b"ann"} if seated else {}
        words = {"room": self.rooms[room], "own": own, "ttl": ttl, "key": key, "snapshot": b"s0", "status": status}
        self.same("create", create_args(self.keys[room], side=side, **words))

    @rule(
        room=rooms,
        own=st.sampled_from((0, 0, 0, 0, 0, 0, 1, 2)),
        step=st.sampled_from((0, 0, 0, 0, 0, 1, -1)),
        cid=st.sampled_from((b"c1", b"c2", b"c3")),
        ttl=TTLS,
        status=st.sampled_from((1, 1, 1, 1, 2)),
        wait=st.sampled_from((None, None, None, -1, 0, 1, 2, 10**6)),
        seat=st.sampled_from(("0", "0", "1", "")),
        ahead=st.sampled_from((1, 1, 1, 1, 0, 0, -1, 2)),
        digest=st.sampled_from("ddde"),
        publish=st.booleans(),
        excused=st.sampled_from((None, None, 0, 3, 10**6)),
    )
    def commit(
        self,
        room: int,
        own: int,
        step: int,
        cid: bytes,
        ttl: int,
        status: int,
        wait: int | None,
        seat: str,
        ahead: int,
        digest: str,
        publish: bool,
        excused: int | None = 0,
    ) -> None:
        meta = self.meta(room)
        name, ep = self.owner(room, own)
        base = max(0, int(meta.get(b"ver", 0)) + step)
        n = max(0, int(meta.get(b"q" + seat.encode(), 0)) + ahead)
        words = commit_args(
            self.keys[room],
            room=self.rooms[room],
            own=name,
            ep=ep,
            base=base,
            cid=cid,
            ttl=ttl,
            status=status,
            snapshot=b"s%d" % (base + 1),
            input=b"i%d" % (base + 1),
            views={view: f"{ep}:{base + 1}:{view}".encode() for view in VIEWS},
            keep=KEEP,
            deadline=base,
            not_before=0 if wait is None else self.now + wait,
            seat=seat,
            n=n,
            digest=digest,
            result=f"r{n}",
            frames={view: f"frame of {view}".encode() for view in VIEWS[n % 2 :]} if publish else None,
            record=b"won",
            excused=excused,
        )
        self.same("commit", words)

    @rule(
        room=rooms, cid=st.sampled_from((b"c4", b"c5")), seat=st.sampled_from(("0", "1")), digest=st.sampled_from("de")
    )
    def move(self, room: int, cid: bytes, seat: str, digest: str) -> None:
        """All is well, unless the id is the last one's."""
        self.commit(room, 0, 0, cid, 60_000, 1, None, seat, 1, digest, True)

    @rule(room=rooms, seat=st.sampled_from(("0", "1")), ahead=st.sampled_from((0, -1, 2)), digest=st.sampled_from("de"))
    def move_out_of_order(self, room: int, seat: str, ahead: int, digest: str) -> None:
        self.commit(room, 0, 0, b"c6", 60_000, 1, None, seat, ahead, digest, True)

    @rule(
        room=rooms,
        own=st.sampled_from(OWNERS),
        ttl=TTLS,
        force=st.booleans(),
        seen=st.sampled_from((0, 0, 0, 1, 2)),
        alone=mostly,
    )
    def claim(self, room: int, own: str, ttl: int, force: bool, seen: int, alone: bool) -> None:
        gone = self.owner(room, seen) if force else ("", "")
        words = claim_args(self.keys[room], room=self.rooms[room], own=own, ttl=ttl, gone=gone, alone=alone)
        self.same("claim", words)

    @rule(who=st.sampled_from(OWNERS), ttl=TTLS, right=st.tuples(mostly, mostly))
    def renew(self, who: str, ttl: int, right: tuple[bool, bool]) -> None:
        eps = [self.owner(room, 0 if right[room] else 2)[1] for room in (0, 1)]
        batch = list(zip(self.rooms, self.keys, eps, strict=True))
        self.same("renew", renew_args(self.keys[0].wake, batch, own=who, ttl=ttl))

    @rule(room=rooms, own=st.sampled_from((0, 0, 0, 1, 2)), look=st.sampled_from((0, None, 7)), thin=st.booleans())
    def release(self, room: int, own: int, look: int | None, thin: bool) -> None:
        name, ep = self.owner(room, own)
        ver = int(self.meta(room).get(b"ver", 0))
        rings = {"views": VIEWS, "forget": old_slots(ver, KEEP, 1)} if thin else {}
        words: dict[str, Any] = {"room": self.rooms[room], "own": name, "ep": ep, "look": look, **rings}
        self.same("release", release_args(self.keys[room], **words))

    @rule(
        room=rooms,
        own=st.sampled_from((0, 0, 0, 0, 1, 2)),
        ttl=TTLS,
        pairs=st.dictionaries(
            st.sampled_from(("seat0", "seat1", "talk")), st.sampled_from((b"", b"x", b"y")), min_size=1
        ),
        guards=st.sampled_from((set(), {"seat0"}, {"seat0", "seat1"})),
        publish=st.sampled_from((b"", b"news")),
    )
    def side(self, room: int, own: int, ttl: int, pairs: dict[str, bytes], guards: set[str], publish: bytes) -> None:
        name, ep = self.owner(room, own)
        absent = [field for field in guards if field in pairs]
        words: dict[str, Any] = {"own": name, "ep": ep, "ttl": ttl, "absent": absent, "publish": publish}
        self.same("side", side_args(self.keys[room], pairs=pairs, **words))

    @rule(room=rooms, own=st.sampled_from((0, 0, 0, 1, 2)))
    def close(self, room: int, own: int) -> None:
        name, ep = self.owner(room, own)
        self.same("close", close_args(self.keys[room], room=self.rooms[room], own=name, ep=ep))

    @rule(
        room=rooms,
        which=st.integers(0, 2),
        linger=st.sampled_from((60_000, 60_000, 2)),
        rated=st.sampled_from((b"", b"up")),
    )
    def shelve(self, room: int, which: int, linger: int, rated: bytes) -> None:
        """Of either room, or of nobody: entries of both lie in one stream."""
        told = [id for id, _ in self.model.data.streams.get(self.keys[0].out.encode(), [])]
        entry = told[which] if which < len(told) else b"1-1"
        self.same("shelve", shelve_args(self.keys[room], entry=entry, views=VIEWS, linger=linger, rated=rated))

    @rule(script=st.sampled_from(sorted(HASHES)), some=st.integers(0, 3))
    def forget_words(self, script: str, some: int) -> None:
        assert self.same(script, [b"1", self.keys[0].meta.encode(), *[b"1"] * some])[0] == Code.BAD_ARGS

    @rule()
    def wait(self) -> None:
        time.sleep(0.002)

    # what must be the same

    def same(self, script: str, words: list[bytes]) -> list[Any]:
        real: Any = self.client.execute_command("EVALSHA", HASHES[script], *words)
        self.now = real[2] or self.now
        model = self.model.call(script, words)
        assert _plain(script, real) == _plain(script, model)
        found: Any = self.client.execute_command("EVAL", READ, len(self.names), *self.names)
        self.now = found[0]
        self.model.expire(self.now)
        assert {name: _read(*row) for name, row in zip(self.names, found[1:], strict=True)} == self.modelled()
        return model

    def modelled(self) -> dict[bytes, Any]:
        data = self.model.data
        found: dict[bytes, Any] = {}
        for name in self.names:
            kinds = (data.strings, data.hashes, data.streams, data.indexes)
            held = next((kind[name] for kind in kinds if name in kind), None)
            found[name] = (held, data.ends.get(name, -1 if held is not None else -2))
        return found

    def teardown(self) -> None:
        end = self.keys[0].side.encode(), b"end"
        self.client.execute_command("SPUBLISH", *end)
        heard: list[tuple[bytes, bytes]] = []
        while not heard or heard[-1] != end:
            message = self.ear.get_sharded_message(ignore_subscribe_messages=True, timeout=5)
            if message is not None and message["type"] == "smessage":
                heard.append((message["channel"], message["data"]))
        assert heard[:-1] == self.told

    # help for the rules

    def meta(self, room: int) -> dict[bytes, bytes]:
        return self.model.data.hashes.get(self.keys[room].meta.encode(), {})

    def owner(self, room: int, which: int) -> tuple[str, str]:
        """The name and number in force; or the other name; or an old number."""
        meta = self.meta(room)
        name, ep = meta.get(b"own", b"ann.1").decode(), meta.get(b"ep", b"1").decode()
        other = OWNERS[name == OWNERS[0]]
        return ((name, ep), (other, ep), (name, str(int(ep) - 1)))[which]


def _plain(script: str, reply: list[Any]) -> list[Any]:
    """Without what the server leaves open: the order of a hash."""
    if script == "claim" and reply[0] == Code.OK:
        return reply[:7] + [dict(zip(flat[::2], flat[1::2], strict=True)) for flat in reply[7:]]
    return reply


def _read(kind: bytes, held: Any, end: int) -> tuple[Any, int]:
    match kind:
        case b"hash":
            return dict(zip(held[::2], held[1::2], strict=True)), end
        case b"stream":
            return [(id, tuple(facts)) for id, facts in held], end
        case b"zset":
            return {member: int(score) for member, score in zip(held[::2], held[1::2], strict=True)}, end
        case b"none":
            return None, end
    return held, end


class ScriptsAndModelInACluster(ScriptsAndModel):
    mode = "cluster"


TestStandalone = ScriptsAndModel.TestCase
TestCluster = ScriptsAndModelInACluster.TestCase
TestStandalone.settings = TestCluster.settings = settings(
    max_examples=120, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)

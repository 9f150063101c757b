"""What a commit costs the store: python -m tests.rooms.script_bench

Three views of 300 bytes, a snapshot of 1.2 KB, fifty rooms, 32 commits in one write. `script` is what the server counts
for the script alone; `cpu` is all that its process used per commit: reading, replying and the append-only file too.
"""

from __future__ import annotations

import os
from typing import Any

import redis

from rooms.scripts import HASHES, Code
from tests.rooms.script_store import VIEWS, Desk, server

COMMITS, ROOMS, DEPTH = 20_000, 50, 32
STORES = {
    "no append-only file": ("--appendonly", "no"),
    "everysec": ("--appendonly", "yes", "--appendfsync", "everysec"),
    "always": ("--appendonly", "yes", "--appendfsync", "always"),
}


def measure(client: redis.Redis, publish: bool) -> tuple[float, float]:
    """Microseconds per commit: of the script, and of the process."""
    desks = [Desk(client) for _ in range(ROOMS)]
    for desk in desks:
        desk.create()
    batches = [
        [("EVALSHA", HASHES["commit"], *_words(desks[k % ROOMS], k // ROOMS, publish)) for k in range(at, at + DEPTH)]
        for at in range(0, COMMITS, DEPTH)
    ]
    line: Any = client.connection_pool.get_connection()
    packed = [line.pack_commands(batch) for batch in batches]
    client.config_resetstat()
    before = _cpu(client)
    for batch in packed:
        line.send_packed_command(batch)
        assert all(line.read_response()[0] == Code.OK for _ in range(DEPTH))
    spent = (_cpu(client) - before) / COMMITS * 1e6
    client.connection_pool.release(line)
    return client.info("commandstats")["cmdstat_evalsha"]["usec_per_call"], spent


def _words(desk: Desk, base: int, publish: bool) -> list[bytes]:
    head, body = f"{desk.ep}:{base + 1}:".encode(), os.urandom(280)
    return desk.commit_words(
        base=base,
        cid=os.urandom(16),
        seat=str(base % 2),
        n=base // 2 + 1,
        digest=os.urandom(8).hex(),
        result=str(base + 1),
        snapshot=os.urandom(1200),
        input=os.urandom(80),
        views=dict.fromkeys(VIEWS, head + body),
        frames=dict.fromkeys(VIEWS, body + os.urandom(400)) if publish else None,
    )


def _cpu(client: redis.Redis) -> float:
    used: dict[str, float] = client.info("cpu")
    return used["used_cpu_user"] + used["used_cpu_sys"]


def main() -> None:
    for name, settings in STORES.items():
        client = server("standalone", *settings)
        for publish in (True, False):
            runs = [measure(client, publish) for _ in range(3)]
            script, cpu = (sorted(column)[1] for column in zip(*runs, strict=True))
            print(f"{name:20} {'published' if publish else 'silent':10} script {script:5.1f} us   cpu {cpu:5.1f} us")


if __name__ == "__main__":
    main()

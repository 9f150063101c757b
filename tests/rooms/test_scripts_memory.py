"""What a room weighs in the store. The input log is kept until the match is archived and is counted apart."""

from __future__ import annotations

import random

import pytest

from rooms.scripts import NEVER, Code, old_slots
from tests.rooms.script_store import KEEP, VIEWS, Desk, server

MOVES = 60
MOST = 64 * 1024


def played(snapshot: int, payload: int) -> Desk:
    """A room of two seats after sixty moves."""
    desk, luck = Desk(server("standalone")), random.Random(1)
    desk.create(side={"seat0": luck.randbytes(80), "seat1": luck.randbytes(80)})
    for base in range(MOVES):
        head = f"{desk.ep}:{base + 1}:".encode()
        reply = desk.commit(
            base=base,
            cid=luck.randbytes(16),
            seat=str(base % 2),
            n=base // 2 + 1,
            digest=luck.randbytes(8).hex(),
            result=str(base + 1),
            snapshot=luck.randbytes(snapshot),
            input=luck.randbytes(80),
            views={view: head + luck.randbytes(payload) for view in VIEWS},
        )
        assert reply[:2] == [Code.OK, base + 1]
    return desk


def weight(desk: Desk) -> int:
    """Bytes of everything but the input log."""
    keys = [key for key in desk.all_keys() if key != desk.keys.inputs]
    return sum(desk.client.memory_usage(key, samples=0) or 0 for key in keys)


@pytest.mark.parametrize(("snapshot", "payload"), [(1200, 300), (4096, 300), (4096, 800)])
def test_a_room_is_light_and_lighter_asleep(snapshot: int, payload: int) -> None:
    desk = played(snapshot, payload)
    awake = weight(desk)
    assert awake <= MOST
    desk.release(look=NEVER, views=VIEWS, forget=old_slots(MOVES, KEEP))
    assert weight(desk) < awake - (KEEP - 4) * len(VIEWS) * payload


def test_a_ring_grows_no_further() -> None:
    desk = played(1200, 300)
    assert [desk.client.hlen(desk.keys.view(view)) for view in VIEWS] == [KEEP] * len(VIEWS)

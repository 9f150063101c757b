"""Every answer that a script can give, on a real server, alone and in cluster mode."""

from __future__ import annotations

import contextlib
import re
import time
from typing import Any

import pytest
import redis

from rooms.scripts import ARCHIVE, HASHES, SCRIPTS, Code, slot_of
from tests.rooms.script_store import KEEP, MODES, TTL, VIEWS, Desk, server


@pytest.fixture(params=MODES)
def desk(request: pytest.FixtureRequest) -> Desk:
    """A room at version 0 that ann owns."""
    desk = Desk(server(request.param))
    assert desk.create()[0] == Code.OK
    return desk


def move(desk: Desk, n: int, base: int, **said: object) -> list[object]:
    """Seat 0 makes its nth move."""
    return desk.commit(**{"seat": "0", "n": n, "base": base, "digest": f"d{n}", "result": f"r{n}"} | said)


def short_lease(desk: Desk) -> None:
    """Make the lease so short that an extension shows."""
    desk.renew(ttl=1)


def assert_refused(desk: Desk, reply: list[object], code: Code, detail: bytes) -> None:
    """Nothing but the lease changed, and that was extended."""
    assert (reply[0], reply[4]) == (code, detail)
    assert desk.lease() == int(str(reply[2])) + TTL


# commit


def test_a_commit_writes_everything_at_once(desk: Desk) -> None:
    short_lease(desk)
    code, ver, now, ep, detail = move(desk, 1, 0, deadline=77)
    assert (code, ver, str(ep), detail) == (Code.OK, 1, desk.ep, b"")
    client, keys = desk.client, desk.keys
    assert client.hgetall(keys.meta) == {
        b"ver": b"1",
        b"ep": desk.ep.encode(),
        b"own": b"ann.1",
        b"exp": b"%d" % (int(str(now)) + TTL),
        b"cid": b"c1",
        b"st": b"1",
        b"dl": b"77",
        b"at": b"%d" % int(str(now)),
        b"key": b"k1",
        b"q0": b"1",
        b"d0": b"d1",
        b"r0": b"r1",
    }
    assert client.get(keys.state) == b"state 1"
    assert client.xrange(keys.inputs) == [(b"1-0", {b"x": b"input 1"})]
    for view in VIEWS:
        assert client.hgetall(keys.view(view)) == {b"1": f"{desk.ep}:1:{view}".encode()}


def test_a_timer_leaves_no_move_behind(desk: Desk) -> None:
    assert desk.commit()[0] == Code.OK
    assert not [name for name in desk.client.hkeys(desk.keys.meta) if name[:1] in b"qr"]


def test_a_ring_forgets_the_version_that_many_ago(desk: Desk) -> None:
    for base in range(KEEP + 1):
        assert desk.commit(base=base)[:2] == [Code.OK, base + 1]
    ring = desk.client.hgetall(desk.keys.view("0"))
    versions = sorted(int(payload.split(b":")[1]) for payload in ring.values())
    assert versions == list(range(2, KEEP + 2))
    assert ring[slot_of(KEEP + 1, KEEP)].split(b":")[1] == b"17"


@pytest.mark.parametrize("missing", [1, 2])
def test_a_commit_with_the_wrong_number_of_words_is_our_bug(desk: Desk, missing: int) -> None:
    before = desk.image()
    assert desk.call("commit", desk.commit_words()[:-missing]) == [Code.BAD_ARGS, 0, 0, 0, b"args"]
    assert desk.commit(cid=b"")[0] == Code.BAD_ARGS  # a fresh room's own id is empty, and this must not look applied
    assert desk.commit(views={})[0] == Code.BAD_ARGS
    assert desk.image() == before


def test_a_commit_to_no_room_is_gone() -> None:
    reply = Desk(server("standalone")).commit()
    assert (reply[:2], reply[3:]) == ([Code.GONE, 0], [0, b"none"])


def test_the_same_commit_twice_is_applied_once(desk: Desk) -> None:
    words = desk.commit_words(seat="0", n=1)
    assert desk.call("commit", words)[0] == Code.OK
    before = desk.image()
    assert desk.call("commit", words)[:2] == [Code.DUP_COMMIT, 1]
    assert desk.image() == before


def test_a_replaced_owner_still_learns_that_its_commit_was_applied(desk: Desk) -> None:
    words = desk.commit_words()
    desk.call("commit", words)
    assert desk.claim("bob.1", gone=(desk.own, desk.ep))[0] == Code.OK
    assert desk.call("commit", words)[:2] == [Code.DUP_COMMIT, 1]


def test_of_two_owners_only_the_later_one_writes(desk: Desk) -> None:
    old = desk.ep
    desk.claim("bob.1", gone=(desk.own, old))
    before = desk.image()
    assert desk.commit(own="ann.1", ep=old)[::4] == [Code.FENCED, b"bob.1"]
    assert desk.commit(own="bob.1", ep=old)[0] == Code.FENCED  # the right name with an old number is not enough
    assert desk.commit(own="ann.1", ep=desk.ep)[0] == Code.FENCED
    assert desk.image() == before
    assert desk.commit()[0] == Code.OK


def test_a_lapsed_owner_may_write_until_somebody_claims(desk: Desk) -> None:
    short_lease(desk)
    time.sleep(0.005)
    assert desk.commit()[0] == Code.OK
    assert desk.client.hget(desk.keys.meta, "own") == b"ann.1"


def test_nothing_is_committed_after_the_end(desk: Desk) -> None:
    assert desk.commit(status=2, record=b"won")[0] == Code.OK
    before = desk.image()
    assert desk.commit(base=1)[::4] == [Code.GONE, b"over"]
    assert desk.image() == before


def test_another_move_under_the_same_number_is_a_conflict(desk: Desk) -> None:
    move(desk, 1, 0)
    short_lease(desk)
    assert_refused(desk, move(desk, 1, 1, digest="other"), Code.SEQ_CONFLICT, b"")


def test_the_same_move_again_brings_the_first_result(desk: Desk) -> None:
    move(desk, 1, 0)
    short_lease(desk)
    assert_refused(desk, move(desk, 1, 1, result="never stored"), Code.DUP_CMD, b"r1")
    assert desk.client.get(desk.keys.state) == b"state 1"


def test_a_move_from_before_the_last_one_is_old(desk: Desk) -> None:
    move(desk, 1, 0)
    move(desk, 2, 1)
    short_lease(desk)
    assert_refused(desk, move(desk, 1, 2), Code.OLD_CMD, b"2")


def test_a_move_too_far_ahead_is_told_what_is_missing(desk: Desk) -> None:
    move(desk, 1, 0)
    short_lease(desk)
    assert_refused(desk, move(desk, 3, 1), Code.SEQ_GAP, b"2")


@pytest.mark.parametrize("base", [0, 2])
def test_a_commit_on_another_version_is_told_which_commit_came_last(desk: Desk, base: int) -> None:
    move(desk, 1, 0, cid=b"first")
    short_lease(desk)
    assert_refused(desk, move(desk, 2, base), Code.VERSION, b"first")
    assert desk.meta("ver") == b"1"


def test_a_deadline_has_passed_when_the_store_says_so(desk: Desk) -> None:
    now = desk.renew(ttl=1)[2]
    assert_refused(desk, desk.commit(not_before=now + 30_000), Code.TOO_EARLY, b"%d" % (now + 30_000))
    assert desk.commit(not_before=now)[0] == Code.OK


def test_an_owner_that_was_silent_is_told_for_how_long_until_it_has_excused_that(desk: Desk) -> None:
    move(desk, 1, 0)
    desk.client.hincrby(desk.keys.meta, "exp", -TTL // 2 - 5_000)  # the last sign of life was so long ago
    desk.client.hincrby(desk.keys.meta, "at", -60_000)
    answer = move(desk, 2, 1, excused=0)
    assert (answer[0], int(answer[4]) >= TTL // 2) == (Code.UNSERVED, True)
    unserved = int(answer[4])
    again = move(desk, 2, 1, excused=unserved - 1)  # though it is not silent any more: the first answer may be lost
    assert (again[0], int(again[4])) == (Code.UNSERVED, unserved)
    assert desk.lease() == again[2] + TTL
    assert move(desk, 2, 1, excused=unserved)[0] == Code.OK
    assert desk.meta("out") is None


def test_a_room_that_waits_for_its_players_has_no_time_to_excuse(desk: Desk) -> None:
    desk.client.hset(desk.keys.meta, mapping={"st": 0, "out": 50_000})
    assert desk.commit(excused=0)[0] == Code.OK


def test_the_seats_number_is_checked_before_the_version(desk: Desk) -> None:
    move(desk, 1, 0)
    assert move(desk, 1, 0)[0] == Code.DUP_CMD  # as after a reply that was lost and a new id
    assert move(desk, 5, 9)[0] == Code.SEQ_GAP


def test_seats_are_counted_apart(desk: Desk) -> None:
    assert move(desk, 1, 0)[0] == Code.OK
    assert move(desk, 1, 1, seat="1")[0] == Code.OK
    assert move(desk, 2, 2)[0] == Code.OK


def test_a_move_is_applied_exactly_once_however_often_it_is_sent(desk: Desk) -> None:
    words = [desk.commit_words(seat="0", n=n, base=n - 1, digest=f"d{n}") for n in (1, 2, 3)]
    for turn in (0, 0, 1, 0, 1, 1, 2, 0, 2, 1):
        desk.call("commit", words[turn])
    assert [entry[0] for entry in desk.client.xrange(desk.keys.inputs)] == [b"1-0", b"2-0", b"3-0"]
    assert desk.meta("q0") == b"3"


def test_followers_of_a_view_hear_of_a_commit_only_if_it_is_to_be_told(desk: Desk) -> None:
    with desk.client.pubsub() as ear:
        ear.ssubscribe(*(desk.keys.view(view) for view in VIEWS))
        desk.commit(frames=None)
        desk.commit(base=1)
        desk.commit(base=1)  # refused: nobody hears of it
        desk.commit(base=2, frames={"1": b"for one"})
        heard = []
        while len(heard) < 4:
            message = ear.get_sharded_message(ignore_subscribe_messages=True, timeout=5)
            if message is not None and message["type"] == "smessage":
                heard.append((message["channel"].decode(), message["data"].decode()))
    told = [(desk.keys.view(view), f"{desk.ep}:2:frame 2 of {view}") for view in VIEWS]
    assert heard == [*told, (desk.keys.view("1"), f"{desk.ep}:3:for one")]


def test_the_last_commit_hands_over_the_result_and_the_room_stays(desk: Desk) -> None:
    desk.side({"talk": b"hello"})
    assert desk.commit(status=2, record=b"ann won")[0] == Code.OK
    last = desk.client.xrevrange(desk.keys.out, count=1)
    assert last[0][1] == {b"room": desk.room.encode(), b"record": b"ann won"}
    assert desk.wake() is None
    assert {desk.client.pexpiretime(key) for key in desk.all_keys()} == {-1}


# shelve


def over(desk: Desk) -> bytes:
    """The match ends; what was told of it has been handed out, and not yet been dealt with."""
    desk.side({"talk": b"hello"})
    desk.commit(status=2, record=b"ann won")
    with contextlib.suppress(redis.ResponseError):  # an earlier test in this bucket made it
        desk.client.xgroup_create(desk.keys.out, ARCHIVE, "0")
    found: Any = desk.client.xreadgroup(ARCHIVE, "ann.1", {desk.keys.out: ">"})
    entry: bytes = next(id for id, facts in found[0][1] if facts[b"room"] == desk.room.encode())
    return entry


def test_a_match_in_the_archive_leaves_the_results_and_its_room_fades(desk: Desk) -> None:
    entry = over(desk)
    reply = desk.shelve(entry, linger=90_000, rated=b"up")
    assert (reply[0], reply[1], reply[4]) == (Code.OK, 1, b"ann.1")
    assert {desk.client.pexpiretime(key) for key in desk.all_keys()} == {reply[2] + 90_000}
    assert desk.client.hget(desk.keys.side, "rated") == b"up"
    assert desk.client.pexpiretime(desk.keys.out) == -1
    assert not desk.client.xrange(desk.keys.out, entry, entry)
    assert not desk.client.xpending_range(desk.keys.out, ARCHIVE, entry, entry, 1)


def test_a_match_is_shelved_once(desk: Desk) -> None:
    entry = over(desk)
    end = desk.shelve(entry, linger=90_000)[2] + 90_000
    assert desk.shelve(entry, linger=5, rated=b"up")[0] == Code.TAKEN
    assert desk.client.pexpiretime(desk.keys.meta) == end
    assert desk.client.hget(desk.keys.side, "rated") is None


def test_a_room_that_is_not_over_does_not_fade(desk: Desk) -> None:
    stray = desk.client.xadd(desk.keys.out, {"room": desk.room, "record": "of an earlier room of this name"})
    assert desk.shelve(stray)[0] == Code.TAKEN
    assert desk.client.pexpiretime(desk.keys.meta) == -1
    assert not desk.client.xrange(desk.keys.out, stray, stray)


def test_a_room_is_gone_when_it_has_faded(desk: Desk) -> None:
    entry = over(desk)
    desk.shelve(entry, linger=1)
    time.sleep(0.01)
    assert not any(desk.client.exists(key) for key in desk.all_keys())
    assert desk.commit(base=1)[::4] == [Code.GONE, b"none"]
    assert desk.shelve(entry)[::4] == [Code.GONE, b"none"]
    assert desk.create()[0] == Code.OK


# all of them


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_touches_declared_keys_only_and_is_checked_before_it_runs(name: str) -> None:
    text = SCRIPTS[name]
    assert text.startswith("#!lua\n")  # no flags: out of memory, a replica, too few replicas are refused beforehand
    first = re.findall(r"call\('([A-Z]+)'(?:, ([^,)]+))?", text)
    assert first
    assert {key for command, key in first if command != "TIME"} <= {
        *(
            "meta",
            "side",
            "KEYS[1]",
            "KEYS[2]",
            "KEYS[3]",
            "KEYS[4]",
            "KEYS[5]",
            "KEYS[i]",
            "KEYS[1 + i]",
            "KEYS[5 + i]",
        ),
    }


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_full_store_refuses_before_anything_is_written(name: str) -> None:
    client = server("standalone", "--maxmemory-policy", "noeviction")
    desk = Desk(client)
    client.config_set("maxmemory", 1)
    try:
        with pytest.raises(redis.exceptions.OutOfMemoryError):
            client.execute_command("EVALSHA", HASHES[name], 1, desk.keys.meta)
    finally:
        client.config_set("maxmemory", 0)

"""Who owns a room, who may look after it, and what is written beside its versions: on a real server."""

from __future__ import annotations

import time

import pytest

from rooms.scripts import NEVER, Code, close_args, old_slots, read_claim, read_renewal
from tests.rooms.script_store import KEEP, MODES, TTL, VIEWS, Desk, neighbours, server


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


# claim


def test_a_claim_loads_the_room_in_the_same_step(desk: Desk) -> None:
    desk.side({"seat0": b"ann"})
    move(desk, 1, 0)
    exp = desk.lease()
    released = desk.release()
    claimed = read_claim(desk.claim("bob.1"))
    assert (claimed.ver, claimed.last_own, claimed.last_exp) == (1, "", released[2])
    assert (claimed.snapshot, claimed.side) == (b"state 1", {"seat0": b"ann"})
    assert (claimed.meta["own"], claimed.meta["q0"]) == (b"bob.1", b"1")
    assert (claimed.meta["ep"].decode(), claimed.ep) == (desk.ep, desk.ep)
    assert int(claimed.meta["exp"]) == desk.wake() == claimed.now + TTL >= exp


def test_a_held_room_cannot_be_claimed(desk: Desk) -> None:
    exp = desk.lease()
    reply = desk.claim("bob.1")
    assert (reply[:2], reply[3:]) == ([Code.FENCED, 0], [int(desk.ep), b"ann.1", exp])
    assert desk.meta("own") == b"ann.1"


def test_a_refused_claim_puts_the_index_right(desk: Desk) -> None:
    desk.client.zadd(desk.keys.wake, {desk.room: 5})  # due, though commits have extended the lease since
    desk.claim("bob.1")
    assert desk.wake() == desk.lease()


def test_a_lapsed_room_can_be_claimed_and_says_when_it_lapsed(desk: Desk) -> None:
    short_lease(desk)
    exp = desk.lease()
    time.sleep(0.005)
    claimed = read_claim(desk.claim("bob.1"))
    assert (claimed.last_own, claimed.last_exp) == ("ann.1", exp)


def test_an_owner_may_claim_its_own_room_again_under_a_new_number(desk: Desk) -> None:
    old = int(desk.ep)
    assert desk.claim("ann.1")[0] == Code.OK
    assert int(desk.ep) > old


def test_a_forced_claim_works_only_against_the_owner_that_was_seen(desk: Desk) -> None:
    assert desk.claim("bob.1", gone=("ann.1", "17"))[0] == Code.FENCED
    assert desk.claim("bob.1", gone=("cid.1", desk.ep))[0] == Code.FENCED
    assert desk.claim("bob.1", gone=("ann.1", desk.ep))[0] == Code.OK
    assert desk.claim("cid.1", gone=("ann.1", desk.ep))[0] == Code.FENCED  # too late: bob was faster


def test_an_owner_that_just_gave_a_sign_of_life_is_not_replaced_by_force(desk: Desk) -> None:
    seen = (desk.own, desk.ep)
    desk.renew()
    assert desk.claim("bob.1", gone=seen, alone=False)[0] == Code.FENCED
    assert desk.claim("bob.1", gone=seen)[0] == Code.OK  # on a store of one's own nobody else can be alive


def test_time_that_nobody_served_adds_up_until_the_next_version(desk: Desk) -> None:
    released = desk.release()
    first = desk.claim("bob.1")
    assert int(desk.meta("out")) == first[2] - released[2]
    desk.commit()
    assert desk.meta("out") is None


def test_epochs_rise_even_if_the_stores_clock_went_back(desk: Desk) -> None:
    future = int(desk.ep) + 10**9
    desk.client.hset(desk.keys.meta, "ep", future)
    desk.claim("ann.1")
    assert int(desk.ep) == future + 1
    desk.claim("ann.1")
    assert int(desk.ep) == future + 2


def test_epochs_follow_the_clock_so_that_a_forgotten_claim_uses_none_up(desk: Desk) -> None:
    image = desk.client.hgetall(desk.keys.meta)
    time.sleep(0.002)
    desk.claim("bob.1", gone=(desk.own, desk.ep))
    lost = int(desk.ep)
    desk.client.hset(desk.keys.meta, mapping=image)  # a failover to a replica that had not heard of it
    time.sleep(0.002)
    desk.claim("cid.1", gone=("ann.1", image[b"ep"].decode()))
    assert int(desk.ep) > lost


def test_rooms_that_are_no_more_leave_the_index_when_somebody_looks() -> None:
    desk = Desk(server("standalone"))
    desk.client.zadd(desk.keys.wake, {desk.room: 5})
    assert desk.claim("bob.1")[::4] == [Code.GONE, b"none"]
    assert desk.wake() is None


def test_a_match_that_is_over_is_claimed_for_the_talk_after_it_and_stays_out_of_the_index(desk: Desk) -> None:
    desk.commit(status=2)
    desk.client.zadd(desk.keys.wake, {desk.room: 5})
    assert desk.claim("bob.1")[0] == Code.FENCED  # as long as its last owner lives
    assert desk.wake() is None
    desk.release()
    desk.client.zadd(desk.keys.wake, {desk.room: 5})
    reply = desk.claim("bob.1")
    assert reply[0] == Code.OK
    assert desk.wake() is None
    assert b"out" not in reply[7]  # nobody's time runs


def test_a_claim_by_nobody_is_our_bug(desk: Desk) -> None:
    assert desk.claim("")[0] == Code.BAD_ARGS


# renew


def test_a_renewal_moves_lease_and_index(desk: Desk) -> None:
    desk.commit()
    reply = desk.renew(ttl=5000)
    assert (reply[:2], read_renewal(reply)) == ([Code.OK, 1], [(Code.OK, 1, 0)])
    assert desk.lease() == desk.wake() == reply[2] + 5000


@pytest.mark.parametrize("mode", MODES)
def test_one_lost_room_does_not_spoil_the_renewal_of_the_others(mode: str) -> None:
    mine, lost, gone, old, over = neighbours(server(mode), 5)
    for desk in (mine, lost, old, over):
        desk.create()
    mine.commit()
    over.commit(status=2)
    number = old.ep
    old.claim(old.own)
    lost.claim("bob.1", gone=(lost.own, lost.ep))
    kept = lost.lease()
    rooms = [(desk.room, desk.keys, desk.ep) for desk in (lost, mine, gone)]
    rooms += [(old.room, old.keys, number), (over.room, over.keys, over.ep)]
    reply = mine.renew(rooms=rooms, ttl=5000)
    assert reply[1] == 2
    assert read_renewal(reply) == [
        (Code.FENCED, 0, 0),
        (Code.OK, 1, 0),
        (Code.GONE, 0, 0),
        (Code.FENCED, 0, 0),
        (Code.OK, 1, 0),
    ]
    assert mine.lease() == mine.wake() == over.lease() == reply[2] + 5000
    assert lost.lease() == kept
    assert (gone.wake(), over.wake()) == (None, None)  # a finished room does not come back into the index


def test_a_renewal_takes_a_thousand_rooms_and_no_more() -> None:
    desk = Desk(server("standalone"))
    desk.create()
    room = (desk.room, desk.keys, desk.ep)
    assert desk.renew(rooms=[room] * 1000)[1] == 1000
    with pytest.raises(ValueError):
        desk.renew(rooms=[room] * 1001)
    with pytest.raises(ValueError):
        desk.renew(rooms=[])
    words = [b"1002", desk.keys.wake.encode(), *[desk.keys.meta.encode()] * 1001, b"ann.1", b"5", *[b"r", b"1"] * 1001]
    assert desk.call("renew", words) == [Code.BAD_ARGS, 0, 0]


# release


def test_a_room_that_is_handed_over_is_due_at_once(desk: Desk) -> None:
    reply = desk.release()
    assert reply[0] == Code.OK
    now = reply[2]
    assert (desk.meta("own"), desk.lease(), desk.wake()) == (b"", now, now)  # from now on nobody serves
    assert desk.commit()[::4] == [Code.FENCED, b""]


def test_a_sleeping_room_is_due_at_its_deadline_or_never(desk: Desk) -> None:
    desk.release(look=4_000_000_000_000)
    assert desk.wake() == 4_000_000_000_000
    desk.claim("bob.1")
    desk.release(look=NEVER)
    assert desk.wake() is None


def test_a_finished_room_is_never_due(desk: Desk) -> None:
    desk.commit(status=2)
    assert desk.release()[0] == Code.OK
    assert desk.wake() is None


def test_a_sleeping_room_keeps_the_last_versions_only(desk: Desk) -> None:
    for base in range(21):
        desk.commit(base=base)
    desk.release(views=VIEWS, forget=old_slots(21, KEEP))
    for view in VIEWS:
        ring = desk.client.hgetall(desk.keys.view(view))
        assert sorted(int(payload.split(b":")[1]) for payload in ring.values()) == [18, 19, 20, 21]


def test_only_the_owner_can_let_go(desk: Desk) -> None:
    before = desk.image()
    assert desk.release(own="bob.1")[::4] == [Code.FENCED, b"ann.1"]
    assert desk.release(ep="1")[0] == Code.FENCED
    assert desk.image() == before


def test_what_is_not_there_cannot_be_released() -> None:
    desk = Desk(server("standalone"))
    assert desk.release()[::4] == [Code.GONE, b"none"]
    assert desk.call("release", [b"1", desk.keys.meta.encode(), b"a", b"b", b"c", b"d"])[0] == Code.BAD_ARGS


# create


def test_a_room_is_created_once(desk: Desk) -> None:
    assert desk.create(key="k2", snapshot=b"other")[::4] == [Code.TAKEN, b"k1"]
    assert desk.client.get(desk.keys.state) == b"dealt"


def test_a_repeated_creation_knows_its_own_key_and_goes_on_where_it_was(desk: Desk) -> None:
    desk.commit()
    reply = desk.create()
    assert reply[:2] + reply[3:] == [Code.TAKEN, 1, int(desk.ep), b"k1", b"ann.1"]
    other = Desk(desk.client)
    other.create(key="k7")
    assert other.create(key="k8")[::4] == [Code.TAKEN, b"k7"]


@pytest.mark.parametrize("mode", MODES)
def test_a_room_may_be_created_for_whoever_comes_first(mode: str) -> None:
    desk = Desk(server(mode))
    reply = desk.create(own="", ttl=500, status=0, side={"seat0": b"ann", "host": b"ann"})
    assert reply[:2] + reply[3:] == [Code.OK, 0, 0, b"k1"]
    assert (desk.lease(), desk.wake(), desk.meta("st")) == (0, reply[2] + 500, b"0")
    claimed = read_claim(desk.claim("bob.1"))
    assert claimed.side == {"seat0": b"ann", "host": b"ann"}


def test_an_odd_side_record_is_our_bug() -> None:
    desk = Desk(server("standalone"))
    words = [b"4", *(key.encode() for key in desk.all_keys()[:4]), *b"room own 5 0 snap key field".split()]
    assert desk.call("create", words)[0] == Code.BAD_ARGS


# side


def test_the_side_record_changes_without_a_new_version(desk: Desk) -> None:
    short_lease(desk)
    desk.side({"talk": b"hello", "offer": b"draw"})
    reply = desk.side({"offer": b"", "ready": b"1"})
    assert reply[:2] + reply[3:] == [Code.OK, 0, int(desk.ep), b""]
    assert desk.client.hgetall(desk.keys.side) == {b"talk": b"hello", b"ready": b"1"}
    assert desk.lease() == reply[2] + TTL


def test_a_seat_is_taken_by_whoever_is_first(desk: Desk) -> None:
    assert desk.side({"seat0": b"ann", "n": b"1"}, absent=["seat0"])[0] == Code.OK
    short_lease(desk)
    reply = desk.side({"n": b"2", "seat0": b"bob", "seat1": b"bob"}, absent=["seat1", "seat0"])
    assert reply[:2] + reply[4:] == [Code.TAKEN, 0, b"ann", b"seat0"]
    assert desk.client.hgetall(desk.keys.side) == {b"seat0": b"ann", b"n": b"1"}
    assert desk.lease() == reply[2] + TTL  # the owner is alive all the same


def test_only_the_owner_writes_the_side_record(desk: Desk) -> None:
    before = desk.image()
    assert desk.side({"a": b"b"}, own="bob.1")[::4] == [Code.FENCED, b"ann.1"]
    assert desk.side({"a": b"b"}, ep="3")[0] == Code.FENCED
    assert desk.image() == before
    assert Desk(desk.client).side({"a": b"b"})[::4] == [Code.GONE, b"none"]


def test_a_side_record_can_be_announced_on_its_own_channel(desk: Desk) -> None:
    with desk.client.pubsub() as ear:
        ear.ssubscribe(desk.keys.side)
        desk.side({"a": b"silent"})
        desk.side({"a": b"taken"}, absent=["a"], publish=b"no")
        desk.side({"a": b"aloud"}, publish=b"news")
        message = None
        while message is None or message["type"] != "smessage":
            message = ear.get_sharded_message(ignore_subscribe_messages=True, timeout=5)
    assert message["data"] == b"news"


def test_talk_after_the_end_fades_with_the_room(desk: Desk) -> None:
    desk.commit(status=2)
    (entry, _), *_ = desk.client.xrevrange(desk.keys.out, count=1)
    end = desk.shelve(entry, linger=90_000)[2] + 90_000
    assert desk.side({"talk": b"well played"})[0] == Code.OK
    assert desk.client.pexpiretime(desk.keys.side) == desk.client.pexpiretime(desk.keys.meta) == end


@pytest.mark.parametrize("tail", [[b"0", b"odd"], [b"2", b"f", b"v"], [b"x", b"f", b"v"]])
def test_a_side_record_with_missing_words_is_our_bug(desk: Desk, tail: list[bytes]) -> None:
    heads = [b"3", *(key.encode() for key in (desk.keys.meta, desk.keys.side, desk.keys.side))]
    assert desk.call("side", [*heads, b"ann.1", desk.ep.encode(), b"5", b"", *tail])[0] == Code.BAD_ARGS


def test_a_guard_must_be_written_too(desk: Desk) -> None:
    with pytest.raises(ValueError):
        desk.side({"a": b"b"}, absent=["c"])


# close


def test_a_table_that_nobody_ever_played_at_is_taken_away_whole() -> None:
    desk = Desk(server("standalone"))
    desk.create(status=0, side={"seat0": b"ann"})
    reply = desk.call("close", close_args(desk.keys, room=desk.room, own=desk.own, ep=desk.ep))
    assert reply[0] == Code.OK
    assert desk.wake() is None
    assert not any(desk.client.exists(key) for key in desk.all_keys())
    again = desk.call("close", close_args(desk.keys, room=desk.room, own=desk.own, ep=desk.ep))
    assert again[::4] == [Code.GONE, b"none"]


def test_a_table_is_not_taken_away_by_others_or_from_under_a_match(desk: Desk) -> None:
    before = desk.image()
    other = desk.call("close", close_args(desk.keys, room=desk.room, own="bob.1", ep=desk.ep))
    assert other[0] == Code.FENCED
    played = desk.call("close", close_args(desk.keys, room=desk.room, own=desk.own, ep=desk.ep))
    assert played[0] == Code.VERSION
    assert desk.image() == before

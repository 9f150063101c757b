"""Who is brought together with whom, and who is not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rooms.queues import Queue, Ticket, Waiting, bring_together, room_of, seating_order, window
from rooms.state import Clock

NOW = 10_000_000


def waits(user: str, rating: float = 1500, seconds: float = 0, **more) -> Waiting:
    return Waiting(Ticket(user, user, rating, **more), NOW - round(seconds * 1000))


def pairs(*people: Waiting, seats: int = 2) -> list[list[str]]:
    return [sorted(one.ticket.user for one in table) for table in bring_together(people, NOW, seats)]


def test_the_window_widens_with_the_wait():
    assert window(0) == 50
    assert round(window(10_000)) == 83
    assert round(window(76_000)) == 300
    assert round(window(16 * 60_000)) == 592
    assert window(60 * 60_000) == 600


def test_equals_meet_at_once():
    assert pairs(waits("ann"), waits("bob")) == [["ann", "bob"]]
    assert pairs(waits("ann")) == []


def test_who_is_far_apart_meets_after_a_while():
    assert pairs(waits("ann", 1500), waits("bob", 1560)) == []
    assert pairs(waits("ann", 1500, 5), waits("bob", 1560, 5)) == [["ann", "bob"]]
    assert pairs(waits("ann", 1500, 60), waits("bob", 1560, 0)) == []  # both windows must reach


def test_everybody_gets_whoever_is_nearest_the_longest_waiting_first():
    people = waits("ann", 1500, 9), waits("bob", 1510, 1), waits("cy", 1501, 1), waits("dan", 1530, 1)
    assert pairs(*people) == [["ann", "cy"], ["bob", "dan"]]


def test_who_was_let_down_comes_first():
    people = waits("ann", 1500, 9), waits("bob", 1500, 8), waits("cy", 1500, 1, front=True)
    assert pairs(*people)[0] in (["ann", "cy"], ["bob", "cy"])


def test_nobody_meets_the_same_opponent_twice_in_a_row_while_others_wait():
    ann, bob, cy = waits("ann", last=["bob"]), waits("bob", last=["ann"]), waits("cy", 1540, 1)
    assert pairs(ann, bob) == [["ann", "bob"]]  # there is nobody else
    assert ["ann", "bob"] not in pairs(ann, bob, cy)


def test_who_is_blocked_is_never_met():
    assert pairs(waits("ann", blocked=["bob"]), waits("bob")) == []
    assert pairs(waits("ann"), waits("bob", blocked=["ann"])) == []


def test_nobody_meets_themselves():
    assert pairs(waits("ann"), waits("ann")) == []


def test_a_table_for_three_takes_three_who_all_fit():
    people = waits("ann", 1500), waits("bob", 1520), waits("cy", 1540)
    assert pairs(*people, seats=3) == [["ann", "bob", "cy"]]
    assert pairs(*people[:2], waits("cy", 1560), seats=3) == []
    assert pairs(*people[:2], waits("cy", 1540, blocked=["ann"]), seats=3) == []


def test_queues_have_names_that_people_can_read():
    assert Queue("ggltcg").name == "ggltcg casual free"
    assert Queue("ggltcg", "ranked", Clock(base=180_000, inc=2_000)).name == "ggltcg ranked 180+2"
    assert Queue("kittens", "casual", Clock(decision=30_000), 4).name == "kittens casual 30s/move for 4"
    assert Queue("lore", clock=Clock(days=3)).name == "lore casual 3d"


def test_a_match_has_one_room_and_one_order_of_seats():
    assert room_of("m1") == room_of("m1") != room_of("m2")
    orders = {tuple(seating_order(f"m{n}", ["ann", "bob"])) for n in range(20)}
    assert orders == {("ann", "bob"), ("bob", "ann")}


@given(
    st.lists(
        st.tuples(st.integers(1000, 2000), st.integers(0, 1200), st.sets(st.integers(0, 29), max_size=3)), max_size=30
    ),
    st.sampled_from((2, 2, 3)),
)
def test_whoever_is_brought_together_fits(people, seats):
    waiting = [
        waits(f"u{n}", rating, seconds, blocked=[f"u{k}" for k in blocked])
        for n, (rating, seconds, blocked) in enumerate(people)
    ]
    tables = bring_together(waiting, NOW, seats)
    users = [one.ticket.user for table in tables for one in table]
    assert len(users) == len(set(users))
    for table in tables:
        assert len(table) == seats
        for one in table:
            for other in table:
                apart = abs(one.ticket.rating - other.ticket.rating)
                assert apart <= window(NOW - one.since)
                assert other.ticket.user not in one.ticket.blocked or other is one
    if seats == 2:  # nobody is left who would fit somebody else who is left
        left = [one for one in waiting if one.ticket.user not in users]
        assert not any(bring_together([one, other], NOW) for n, one in enumerate(left) for other in left[:n])

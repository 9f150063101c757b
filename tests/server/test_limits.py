"""The arithmetic of limits, with a clock that only moves when told."""

from __future__ import annotations

import pytest

from server.limits import FLOOD, Breaches, Bucket, Crowd, Misses, Pace, address_key, guess_key


class Clock:
    """Stands still until somebody turns it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_bucket_gives_its_burst_and_then_its_rate(clock: Clock) -> None:
    bucket = Bucket(5, 20, clock)
    assert [bucket.take() for _ in range(21)] == [True] * 20 + [False]
    assert bucket.wait() == pytest.approx(0.2)
    clock.now += 0.2
    assert bucket.take()
    assert not bucket.take()
    clock.now += 1000
    assert bucket.level() == 20  # it never holds more


def test_borrowing_tells_how_long_to_wait(clock: Clock) -> None:
    bucket = Bucket(5, 2, clock)
    assert [bucket.borrow() for _ in range(4)] == pytest.approx([0, 0, 0.2, 0.4])
    clock.now += 0.4
    assert bucket.level() == pytest.approx(0)


def test_a_fast_player_is_slowed_to_the_allowed_pace(clock: Clock) -> None:
    pace = Pace(100, 20, 20, clock)
    began, taken = clock.now, 0
    while clock.now - began < 20:
        clock.now += pace.delay()  # this is not being read
        assert not pace.floods()
        taken += 1
    assert taken == 120  # the burst, and a hundred in twenty seconds
    assert pace.wait() == pytest.approx(0.2)


def test_who_only_watches_is_slowed_to_half_of_that(clock: Clock) -> None:
    pace = Pace(100, 20, 20, clock)
    pace.cost = 2.0
    began, taken = clock.now, 0
    while clock.now - began < 20:
        clock.now += pace.delay()
        taken += 1
    assert taken == 60


def test_only_somebody_far_ahead_of_us_floods(clock: Clock) -> None:
    pace = Pace(100, 20, 20, clock)
    assert not pace.floods(FLOOD + 1)  # much at once is fine while there are tokens
    for _ in range(21):
        pace.delay()
    assert not pace.floods(FLOOD)
    assert pace.floods(FLOOD + 1)
    assert not pace.floods()
    for _ in range(20):
        pace.delay()
    assert pace.floods()  # taken though nobody paused


def test_the_third_breach_within_a_minute_is_one_too_many(clock: Clock) -> None:
    breaches = Breaches(clock=clock)
    assert [breaches.add(), breaches.add(), breaches.add()] == [False, False, True]
    calm = Breaches(clock=clock)
    for _ in range(10):
        assert not calm.add()
        clock.now += 30
    clock.now -= 1
    assert calm.add()  # 59 seconds after the last but one


def test_a_crowd_has_room_for_so_many_of_each(clock: Clock) -> None:
    crowd = Crowd(2)
    assert [crowd.enter("ana"), crowd.enter("ana"), crowd.enter("ana"), crowd.enter("bo")] == [True, True, False, True]
    crowd.leave("ana")
    assert crowd.enter("ana")
    assert all(crowd.enter("") for _ in range(10))  # this machine
    for who in ("ana", "ana", "bo", "", "never was here"):
        crowd.leave(who)
    assert crowd.count("ana") == crowd.count("bo") == crowd.count("") == 0
    assert not crowd._inside  # and nothing is remembered of them


def test_ten_wrong_codes_a_minute(clock: Clock) -> None:
    misses = Misses(clock=clock)
    for _ in range(10):
        assert misses.may_guess("here")
        misses.add("here")
    assert not misses.may_guess("here")
    assert misses.may_guess("there")
    clock.now += 6
    assert misses.may_guess("here")
    misses.add("here")
    assert not misses.may_guess("here")


def test_not_every_guesser_is_remembered_for_ever(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.limits.REMEMBERED", 3)
    misses = Misses(most=1, clock=clock)
    for who in "abcd":
        misses.add(who)
    assert misses.may_guess("a")
    assert not misses.may_guess("d")


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("127.0.0.1", ""),
        ("127.9.9.9", ""),
        ("::1", ""),
        ("::ffff:127.0.0.1", ""),
        ("", ""),
        (None, ""),
        ("testclient", "testclient"),
    ],
)
def test_whom_an_address_stands_for(address: str | None, key: str) -> None:
    assert address_key(address) == key
    assert guess_key(address) == (key or "here")

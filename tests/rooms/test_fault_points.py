"""The switch that lets a test kill the service at the worst moment."""

from __future__ import annotations

import pytest

from rooms.fault_points import POINTS, BadFault, reaching


def test_the_named_moment_ends_the_process_when_it_has_come_so_often() -> None:
    ended: list[str] = []
    reach = reaching("commit.after_send@3", lambda: ended.append("dead"))
    for _ in range(2):
        for point in POINTS:
            reach(point)
    assert not ended
    reach("commit.before_send")
    assert not ended
    reach("commit.after_send")
    assert ended == ["dead"]


def test_without_the_variable_nothing_happens() -> None:
    reach = reaching("", lambda: pytest.fail("it died"))
    for point in POINTS:
        reach(point)


@pytest.mark.parametrize(
    "text", ["commit.after_send", "commit.after_lunch@3", "commit.after_send@0", "@3", "commit.after_send@x"]
)
def test_what_names_no_moment_is_refused(text: str) -> None:
    with pytest.raises(BadFault, match=r"commit\.after_send@40"):
        reaching(text)

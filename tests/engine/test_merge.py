"""Patches between views: RFC 7396, to the letter."""

from __future__ import annotations

import copy

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.merge import canonical, diff, merge

# the examples of the RFC's appendix
CASES = [
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, None, None),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
]


@pytest.mark.parametrize(("view", "patch", "merged"), CASES)
def test_a_patch_does_what_the_standard_says(view, patch, merged):
    before = copy.deepcopy((view, patch))
    assert merge(view, patch) == merged
    assert (view, patch) == before


@pytest.mark.parametrize(
    ("old", "new", "patch"),
    [
        ({"a": 1}, {"a": 1}, {}),
        ({"a": 1}, {"a": 2}, {"a": 2}),
        ({"a": 1}, {}, {"a": None}),
        ({}, {"a": {}}, {"a": {}}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, {"a": {"c": 3}}),
        ({"a": {"b": 1}}, {"a": {}}, {"a": {"b": None}}),
        ({"a": [1, 2]}, {"a": [1]}, {"a": [1]}),
        ({"a": {"b": 1}}, {"a": 3}, {"a": 3}),
        ({"a": 3}, {"a": {"b": 1}}, {"a": {"b": 1}}),
        ({"a": 0}, {"a": False}, {"a": False}),
        ({"a": 1}, {"a": 1.0}, {"a": 1.0}),
        ({"a": ""}, {"a": 0}, {"a": 0}),
    ],
)
def test_the_smallest_patch_between(old, new, patch):
    found = diff(old, new)
    assert canonical(found) == canonical(patch)
    assert canonical(merge(old, found)) == canonical(new)


values = st.recursive(
    st.one_of(st.booleans(), st.integers(-2, 2), st.sampled_from(["", "a", "1"]), st.sampled_from([0.0, 1.0])),
    lambda inside: st.one_of(
        st.lists(inside, max_size=3), st.dictionaries(st.sampled_from(["a", "b", "c"]), inside, max_size=3)
    ),
    max_leaves=8,
)
views = st.dictionaries(st.sampled_from(["a", "b", "c"]), values, max_size=3)


@given(old=views, new=views)
def test_a_patch_leads_from_any_view_to_any_other(old, new):
    before = copy.deepcopy((old, new))
    assert canonical(merge(old, diff(old, new))) == canonical(new)
    assert (old, new) == before


@given(old=views, new=views)
@example({"a": {"b": 1}}, {"a": {"b": True}})
@example({"a": [0]}, {"a": [False]})
@example({"a": [{"b": 1}]}, {"a": [{"b": 1.0}]})
def test_a_yes_is_not_a_one_however_deep_it_lies(old, new):
    """Python holds 1, 1.0 and True for equal; bytes do not."""
    assert (diff(old, new) == {}) == (canonical(old) == canonical(new))


def test_equal_views_are_equal_bytes():
    assert canonical({"b": 1, "a": {"d": 1, "c": 2}}) == canonical({"a": {"c": 2, "d": 1}, "b": 1})
    assert canonical({"a": [1, 2]}) != canonical({"a": [2, 1]})

"""JSON Merge Patch (RFC 7396): what changed between two views, and putting it back together.

A view never holds a null, so a null in a patch always means that something is gone.
"""

from __future__ import annotations

from typing import Any

import msgspec


def diff(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The smallest patch that leads from the old view to the new one."""
    patch: dict[str, Any] = {}
    if not old.keys() <= new.keys():
        patch = {key: None for key in old if key not in new}
    for key, value in new.items():
        before = old.get(key)
        if before is value:
            continue
        if type(before) is dict and type(value) is dict:
            if inner := diff(before, value):
                patch[key] = inner
        elif not same(before, value):
            patch[key] = value
    return patch


def same(one: Any, other: Any) -> bool:
    """Whether two parts of a view are written alike. To Python a yes is a one; to a client it is not."""
    kind = type(one)
    if kind is not type(other) or one != other:
        return False
    if kind is dict:
        return all(same(value, other[key]) for key, value in one.items())
    if kind is not list:
        return True
    kinds = list(map(type, one))
    if kinds != list(map(type, other)):
        return False
    return (dict not in kinds and list not in kinds) or all(map(same, one, other))


def merge(view: Any, patch: Any) -> Any:
    """The view after the patch. Neither is changed."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(view) if isinstance(view, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge(merged.get(key), value)
    return merged


def canonical(view: Any) -> bytes:
    """A view written so that equal views are equal bytes."""
    return msgspec.json.encode(view, order="sorted")

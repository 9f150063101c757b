"""What a file says that it must not, in words for whoever wrote it: where, what, and what was probably meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Any, get_args

import msgspec

_KEY = re.compile(r"Invalid enum value '([^']*)' - at `key` in `\$\.?(.*)`$")
_ENUM = re.compile(r"Invalid enum value '([^']*)'(?: - at `\$\.?(.*)`)?$")
_FIELD = re.compile(r"Object contains unknown field `([^`]*)`(?: - at `\$\.?(.*)`)?$")
_OTHER = re.compile(r"(.*?)(?: - at `\$\.?(.*)`)?$", re.DOTALL)


def worded(error: msgspec.DecodeError, kind: Any, whole: str = "") -> str:
    """What is wrong with a value of this kind: `outputs[1].type: there is no …`. `whole` is its name."""
    text = str(error)
    if found := _KEY.match(text):
        value, path = found.groups()
        known = [] if path else _schema_at(get_args(kind)[0], "").get("enum", ())
        return _at(whole, path, f"there is no {value!r}{near(value, known)}")
    if found := _ENUM.match(text):
        value, path = found.groups()
        return _at(whole, path, f"there is no {value!r}{near(value, _schema_at(kind, path or '').get('enum', ()))}")
    if found := _FIELD.match(text):
        name, path = found.groups()
        known = _schema_at(kind, path or "").get("properties", ())
        return _at(whole, path, f"it has no {name!r}{near(name, known)}")
    said, path = _OTHER.match(text).groups()  # type: ignore[union-attr]
    return _at(whole, path, f"{said[:1].lower()}{said[1:]}")


def near(name: str, known: Iterable[str]) -> str:
    """A suggestion for a word that is not there."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _at(whole: str, path: str | None, what: str) -> str:
    return f"{path or whole}: {what}" if path or whole else what


def _schema_at(kind: Any, path: str) -> dict[str, Any]:
    """The part of a schema that this path leads to."""
    (root,), parts = msgspec.json.schema_components([kind])
    at = _resolved(root, parts)
    for step in re.findall(r"[^.\[\]]+|\[[^\]]*\]", path):
        at = _resolved(at.get("items", {}) if step.startswith("[") else at.get("properties", {}).get(step, {}), parts)
    return at


def _resolved(at: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """A schema without detours: what may also be null or a plain number is what it is otherwise."""
    for option in at.get("anyOf", ()):
        if option.get("type") not in ("null", "integer"):
            return _resolved(option, parts)
    return _resolved(parts[at["$ref"].rsplit("/", 1)[-1]], parts) if "$ref" in at else at

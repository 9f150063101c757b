"""A small validator for the schemas that we publish: it knows the words they use and complains about any other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
BOUNDS: dict[str, Callable[[Any, Any], bool]] = {
    "const": lambda value, wanted: value == wanted and type(value) is type(wanted),
    "enum": lambda value, choices: value in choices,
    "minimum": lambda value, least: value >= least,
    "maximum": lambda value, most: value <= most,
    "minLength": lambda value, least: len(value) >= least,
    "maxLength": lambda value, most: len(value) <= most,
    "minItems": lambda value, least: len(value) >= least,
    "maxItems": lambda value, most: len(value) <= most,
    "pattern": lambda value, pattern: re.search(pattern, value) is not None,
}
SILENT = {"title", "description", "default", "$schema", "$defs"}
SHAPES = {"type", "properties", "required", "additionalProperties", "items", "prefixItems", "anyOf", "$ref"}


def mistakes(value: Any, schema: Any, document: dict[str, Any], where: str = "$") -> Iterator[str]:
    """Everything about a value that its schema does not allow."""
    if schema is False:
        yield f"{where}: nothing may stand here"
    if isinstance(schema, bool):
        return
    assert schema.keys() <= SILENT | SHAPES | BOUNDS.keys(), f"{where}: a word we do not know in {sorted(schema)}"
    if "$ref" in schema:
        yield from mistakes(value, look_up(document, schema["$ref"]), document, where)
    if "type" in schema and not TYPES[schema["type"]](value):
        yield f"{where}: {value!r} is no {schema['type']}"
        return
    for word, fits in BOUNDS.items():
        if word in schema and not fits(value, schema[word]):
            yield f"{where}: {value!r} does not keep {word} {schema[word]!r}"
    if "anyOf" in schema and all(list(mistakes(value, part, document, where)) for part in schema["anyOf"]):
        yield f"{where}: {value!r} is none of what it could be"
    if isinstance(value, dict):
        yield from _object(value, schema, document, where)
    if isinstance(value, list):
        yield from _array(value, schema, document, where)


def look_up(document: dict[str, Any], reference: str) -> Any:
    """The part of a document that a reference names."""
    found: Any = document
    for step in reference.removeprefix("#/").split("/"):
        found = found[step]
    return found


def _object(value: dict[str, Any], schema: dict[str, Any], document: dict[str, Any], where: str) -> Iterator[str]:
    for key in schema.get("required", ()):
        if key not in value:
            yield f"{where}: {key} is missing"
    known = schema.get("properties", {})
    for key, part in value.items():
        inside = known.get(key, schema.get("additionalProperties", True))
        yield from mistakes(part, inside, document, f"{where}.{key}")


def _array(value: list[Any], schema: dict[str, Any], document: dict[str, Any], where: str) -> Iterator[str]:
    first = schema.get("prefixItems", [])
    for place, part in enumerate(value):
        inside = first[place] if place < len(first) else schema.get("items", True)
        yield from mistakes(part, inside, document, f"{where}[{place}]")

"""The messages as TypeScript types, for clients in a browser. Needs no Node: the schema has all that is wanted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from textwrap import wrap

from server.protocol import SUBPROTOCOLS, Close
from server.spec.documents import ANSWERS
from server.spec.schema import Schema, components

HEAD = """\
/**
 * The messages of the Upcard protocol, version 1.
 *
 * Made by `upcard spec` from the structs of the service; do not edit. In a script, JSDoc can name
 * them: `@typedef {import("./upcard.wire.d.ts").Delta} Delta`.
 */
"""
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def typescript() -> str:
    """A declaration file with a type for every message; unions are told apart by `t` or `e`."""
    parts = [HEAD]
    parts += [_declared(name, schema) for name, schema in components().items()]
    return "\n".join([*parts, _answers(), _closes(), _subprotocols()])


def _declared(name: str, schema: Schema) -> str:
    comment = _comment(schema.get("description", ""))
    if "properties" not in schema:
        return f"{comment}export type {name} = {_type(schema)};\n"
    lines = [line for field in schema["properties"] for line in _field(field, schema)]
    if schema.get("additionalProperties") is True:
        lines.append("  [fact: string]: unknown;")
    return f"{comment}export interface {name} {{\n" + "\n".join(lines) + "\n}\n"


def _field(field: str, schema: Schema) -> Iterator[str]:
    inside = schema["properties"][field]
    if "const" not in inside:
        yield _comment(inside["description"], "  ").rstrip("\n")
    yield f"  {field}{'' if field in schema['required'] else '?'}: {_type(inside)};"


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(part) for part in schema["anyOf"]))
    if schema.get("type") == "array":
        return _array(schema)
    if schema.get("type") == "object":
        return f"Record<string, {_type(schema.get('additionalProperties', {}))}>"
    return PLAIN[schema["type"]] if "type" in schema else "unknown"


def _array(schema: Schema) -> str:
    if "prefixItems" in schema:
        return "[" + ", ".join(_type(part) for part in schema["prefixItems"]) + "]"
    inside = _type(schema["items"])
    return f"({inside})[]" if " | " in inside else f"{inside}[]"


def _comment(text: str, indent: str = "") -> str:
    lines = wrap(" ".join(text.split()), 110)
    if len(lines) < 2:
        return f"{indent}/** {''.join(lines)} */\n" if lines else ""
    return f"{indent}/**\n" + "".join(f"{indent} * {line}\n" for line in lines) + f"{indent} */\n"


def _answers() -> str:
    lines = (f"  {kind}: {' | '.join(frame.capitalize() for frame in frames)};" for kind, frames in ANSWERS.items())
    return _comment("What each command is answered by.") + "export interface Answers {\n" + "\n".join(lines) + "\n}\n"


def _closes() -> str:
    lines = "\n".join(f"  /** {code.meaning} The client: {code.then}. */\n  | {int(code)}" for code in Close)
    return _comment("The codes that we close a connection with.") + f"export type CloseCode =\n{lines};\n"


def _subprotocols() -> str:
    names = " | ".join(json.dumps(name) for name in SUBPROTOCOLS)
    return _comment("Text frames, or binary ones.") + f"export type Subprotocol = {names};\n"

"""JSON Schema of everything that travels, made from the structs that the service itself reads and writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET, Struct

from engine import game, replay
from rooms import wire
from server import protocol
from server.spec import history, pages, shapes
from server.spec.words import describe

Schema: TypeAlias = dict[str, Any]

UNIONS: dict[str, Any] = {"Command": wire.AnyCommand, "Frame": wire.AnyFrame, "Event": shapes.Event}
HTTP: tuple[Any, ...] = (
    protocol.Problem,
    protocol.SessionRequest,
    protocol.Session,
    protocol.PassMade,
    protocol.RoomRequest,
    protocol.RoomMade,
    pages.GameFacts,
    pages.GamePage,
    protocol.DeckRequest,
    protocol.DeckCheck,
    pages.RoomFacts,
    replay.Replay,
    protocol.Story,
    history.Leaderboard,
    history.PlayerPage,
    history.Against,
    history.GameFigures,
)
DRIVE: tuple[Any, ...] = (shapes.DriveLine, shapes.DriveOpening, shapes.DriveStep, shapes.DriveError)

# What a client may leave out of these is filled in by us; of everything else we send all there is.
HEARD: tuple[type[Struct], ...] = (
    wire.Command,
    wire.Have,
    protocol.SessionRequest,
    protocol.RoomRequest,
    protocol.ClockRequest,
    protocol.DelayRequest,
    protocol.WatchRequest,
    protocol.DeckRequest,
    shapes.DriveLine,
)
STRUCTS: dict[str, type[Struct]] = {
    name: thing
    for module in (game, replay, history, pages, shapes, protocol, wire)
    for name, thing in vars(module).items()
    if isinstance(thing, type) and issubclass(thing, Struct)
}

# Where the service carries JSON that it need not look into, this is what is inside.
INSIDE: dict[tuple[str, str], Any] = {
    ("Act", "do"): shapes.Move,
    ("Seek", "clock"): protocol.ClockRequest | None,
    ("Welcome", "user"): protocol.User,
    ("Welcome", "limits"): protocol.Limits,
    ("Welcome", "seats"): list[protocol.Playing],
    ("Ok", "warnings"): list[shapes.Warning],
    ("Err", "warnings"): list[shapes.Warning],
    ("Snap", "view"): shapes.View,
    ("Delta", "patch"): shapes.Patch,
    ("Delta", "events"): list[shapes.Event],
    ("Presence", "seats"): dict[str, shapes.Here],
    ("LobbyNews", "snap"): shapes.LobbyView,
    ("LobbyNews", "patch"): shapes.Patch,
    ("Seeking", "clock"): protocol.ClockRequest,
    ("Next", "series"): shapes.Series,
    ("Rated", "seats"): dict[str, shapes.Worth],
    ("Story", "view"): shapes.View,
    **{(struct, "events"): list[shapes.Event] for struct in ("Story", "StoryStep")},
    **{
        (frame, field): inside
        for frame in ("Snap", "Delta")
        for field, inside in {
            "offers": list[shapes.Offer],
            "blocked": list[shapes.Blocked],
            "ask": shapes.Question | None,
            "clock": shapes.Clock | None,
        }.items()
    },
}


def components(at: str = "#/$defs/") -> dict[str, Schema]:
    """The schema of every struct and union by its name; `at` is where they will stand in the document."""
    everything = [*UNIONS.values(), *HTTP, *DRIVE, *INSIDE.values()]
    found, structs = msgspec.json.schema_components(everything, ref_template=at + "{name}")
    inside = dict(zip(INSIDE, found[-len(INSIDE) :], strict=True))
    for (struct, field), schema in inside.items():
        old = structs[struct]["properties"][field]
        structs[struct]["properties"][field] = schema | ({"default": old["default"]} if "default" in old else {})
    for name, schema in structs.items():
        _complete(name, schema)
    unions = dict(zip(UNIONS, found, strict=False))
    named = _named({name: schema["anyOf"] for name, schema in unions.items()}, at)
    return {name: rewrite(schema, named) for name, schema in {**_unions(unions), **structs}.items()}


def rewrite(schema: Any, change: Callable[[Schema], Schema]) -> Any:
    """A schema with a change made to every part of it, the innermost first."""
    if isinstance(schema, list):
        return [rewrite(part, change) for part in schema]
    if isinstance(schema, dict):
        return change({key: rewrite(part, change) for key, part in schema.items()})
    return schema


def json_schema() -> Schema:
    """All messages as one JSON Schema document."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Upcard protocol, version 1",
        "description": "A message is a Command, from the client, or a Frame, from the server.",
        "anyOf": [{"$ref": "#/$defs/Command"}, {"$ref": "#/$defs/Frame"}],
        "$defs": components(),
    }


def _complete(name: str, schema: Schema) -> None:
    """What msgspec cannot know: what the fields mean, which we always send, and where games add their own."""
    struct = STRUCTS[name]
    for field in schema["properties"]:
        schema["properties"][field]["description"] = describe(name, field)
    if not struct.__struct_config__.omit_defaults and not issubclass(struct, HEARD):
        sent = {field.encode_name for field in msgspec.structs.fields(struct) if field.default is not UNSET}
        schema["required"] = [field for field in schema["properties"] if field in {*schema["required"], *sent}]
        for field in sent:
            schema["properties"][field].pop("default", None)
    if issubclass(struct, shapes.Open):
        schema["additionalProperties"] = True


def _unions(unions: dict[str, Schema]) -> dict[str, Schema]:
    texts = {
        "Command": "Anything that a client says. Fields that we do not know are passed over, except inside `do`.",
        "Frame": "Anything that the server says. A client passes over fields and kinds that it does not know.",
        "Event": "Something that happened. A client passes over kinds that it does not know.",
    }
    return {name: {"title": name, "description": texts[name], "anyOf": unions[name]["anyOf"]} for name in unions}


def _named(unions: dict[str, list[Schema]], at: str) -> Callable[[Schema], Schema]:
    """Calls a union by its name wherever it stands inside something else, and a kind by its one value."""

    def change(schema: Schema) -> Schema:
        if len(schema.get("enum", ())) == 1:
            return {"const": schema["enum"][0], **{key: part for key, part in schema.items() if key != "enum"}}
        for name, members in unions.items():
            if schema.get("anyOf") == members and schema.get("title") != name:
                rest = {key: part for key, part in schema.items() if key not in ("anyOf", "discriminator")}
                return {"$ref": at + name, **rest}
        return schema

    return change

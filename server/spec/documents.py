"""The published documents: AsyncAPI for the socket and for `upcard drive`, OpenAPI for the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias, get_args

from rooms import wire
from server.protocol import SUBPROTOCOLS, Close
from server.spec.schema import HTTP, Schema, components, rewrite

Document: TypeAlias = dict[str, Any]

ABOUT = {
    "title": "Upcard",
    "version": "1",
    "description": "Card games in real time: every player is sent what they may see, and a move that was acknowledged "
    "is never lost. docs/protocol.md tells the same as a story.",
    "license": {"name": "MIT"},
}
COMMANDS: dict[str, str] = {kind.__struct_config__.tag: kind.__name__ for kind in get_args(wire.AnyCommand)}
FRAMES: dict[str, str] = {kind.__struct_config__.tag: kind.__name__ for kind in get_args(wire.AnyFrame)}
ANSWERS = {kind: {"hello": ("welcome", "err"), "ping": ("pong",)}.get(kind, ("ok", "err")) for kind in COMMANDS}
UNASKED = [kind for kind in FRAMES if not any(kind in frames for frames in ANSWERS.values())]
DRIVEN = ("DriveLine", "DriveOpening", "DriveStep", "DriveError")


def spec() -> Document:
    """The socket and the pipe as an AsyncAPI document, from the service's point of view."""
    schemas = rewrite(components("#/components/schemas/"), _older)
    messages = {
        **{f"command.{tag}": _message(tag, name, schemas) for tag, name in COMMANDS.items()},
        **{f"frame.{tag}": _message(tag, name, schemas) for tag, name in FRAMES.items()},
        **{f"drive.{name[5:].lower()}": _message(name, name, schemas) for name in DRIVEN},
    }
    return {
        "asyncapi": "3.0.0",
        "info": ABOUT,
        "defaultContentType": "application/json",
        "channels": {"socket": _socket(messages), "drive": _drive(messages)},
        "operations": _operations(),
        "components": {"messages": messages, "schemas": schemas},
    }


def openapi() -> Document:
    """The calls over HTTP as an OpenAPI document."""
    wanted = [kind.__name__ for kind in HTTP]
    schemas = components("#/components/schemas/")
    return {
        "openapi": "3.1.0",
        "info": ABOUT,
        "paths": _paths(),
        "components": {
            "schemas": {name: schemas[name] for name in _needed(wanted, schemas)},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _message(tag: str, name: str, schemas: dict[str, Schema]) -> Schema:
    summary = schemas[name]["description"]
    return {"name": tag, "summary": summary, "payload": {"$ref": f"#/components/schemas/{name}"}}


def _socket(messages: dict[str, Schema]) -> Schema:
    return {
        "address": "/ws",
        "title": "The socket",
        "description": "One object a frame. `hello` comes first, within ten seconds; every command has one answer.",
        "messages": {key: _to(f"components/messages/{key}") for key in messages if not key.startswith("drive.")},
        "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
        "x-subprotocols": list(SUBPROTOCOLS),
        "x-close-codes": {
            str(int(code)): {"name": code.name.lower(), "meaning": code.meaning, "then": code.then.value}
            for code in Close
        },
    }


def _drive(messages: dict[str, Schema]) -> Schema:
    return {
        "address": None,
        "title": "upcard drive GAME",
        "description": "The engine on stdin and stdout: one JSON object a line. The first line out comes unasked.",
        "messages": {key: _to(f"components/messages/{key}") for key in messages if key.startswith("drive.")},
    }


def _operations() -> Schema:
    socket, drive = _to("channels/socket"), _to("channels/drive")
    told = {f"tell.{kind}": _operation("send", socket, [f"frame.{kind}"]) for kind in UNASKED}
    heard = {
        f"hear.{kind}": {
            **_operation("receive", socket, [f"command.{kind}"]),
            "reply": {"channel": socket, "messages": _in("socket", [f"frame.{frame}" for frame in frames])},
        }
        for kind, frames in ANSWERS.items()
    }
    driven = {
        "drive.open": {"action": "send", "channel": drive, "messages": _in("drive", ["drive.opening"])},
        "drive.line": {
            "action": "receive",
            "channel": drive,
            "messages": _in("drive", ["drive.line"]),
            "reply": {
                "channel": drive,
                "messages": _in("drive", ["drive.opening", "drive.step", "drive.error"]),
            },
        },
    }
    return {**heard, **told, **driven}


def _operation(action: str, channel: Schema, messages: list[str]) -> Schema:
    return {"action": action, "channel": channel, "messages": _in("socket", messages)}


def _in(channel: str, messages: list[str]) -> list[Schema]:
    return [_to(f"channels/{channel}/messages/{message}") for message in messages]


def _to(place: str) -> Schema:
    return {"$ref": f"#/{place}"}


def _older(schema: Schema) -> Schema:
    """AsyncAPI's own schemas grew out of an older draft: nothing beside a reference, and other tuples."""
    if "$ref" in schema and len(schema) > 1:
        return {"allOf": [{"$ref": schema["$ref"]}], **{key: part for key, part in schema.items() if key != "$ref"}}
    if "prefixItems" not in schema:
        return schema
    rest = {key: part for key, part in schema.items() if key not in ("prefixItems", "items")}
    return {**rest, "items": schema["prefixItems"], "additionalItems": False}


def _needed(names: Iterable[str], schemas: dict[str, Schema]) -> list[str]:
    """These schemas, and those that they speak of."""
    found: dict[str, None] = {}
    for name in names:
        found |= dict.fromkeys([name, *_needed(_spoken_of(schemas[name]), schemas)])
    return list(found)


def _spoken_of(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for part in schema:
            yield from _spoken_of(part)
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rpartition("/")[2]
        yield from _spoken_of(list(schema.values()))


# the calls


def _paths() -> Schema:
    names = ("game", "room", "player", "other", "view", "code")
    game, room, player, other, view, code = map(_parameter, names)
    return {
        "/api/session": {
            "post": _call(
                "Come in as a guest, or go on as who one is: with a session, a token of the embedding site, or a code.",
                "Session",
                body="SessionRequest",
                status=201,
            ),
            "delete": _call(
                "Give one's identity up: nothing is known of it, and no token is good.", status=204, user=True
            ),
        },
        "/api/session/code": {
            "post": _call("A code that makes another device the same guest, once.", "PassMade", status=201, user=True)
        },
        "/api/games": {"get": _call("What can be played: seats, options, decks.", "GameFacts", many=True)},
        "/api/games/{game}": {
            "parameters": [game],
            "get": _call("A game, its catalogue and its playmat.", "GamePage"),
        },
        "/api/games/{game}/guide": {
            "parameters": [game],
            "get": _call("The rules for people, as Markdown.", media="text/markdown"),
        },
        "/api/games/{game}/deck": {
            "parameters": [game],
            "post": _call("Everything that is wrong with a deck.", "DeckCheck", body="DeckRequest"),
        },
        "/api/rooms": {
            "post": _call("Open a room.", "RoomMade", body="RoomRequest", status=201, user=True),
            "get": {
                **_call("Open or live rooms, public facts only.", "RoomFacts", many=True),
                "parameters": [_query("status", ["open", "live"]), _query("game")],
            },
        },
        "/api/rooms/{room}": {"parameters": [room], "get": _call("A room, public facts only.", "RoomFacts")},
        "/api/rooms/{room}/replay": {
            "parameters": [room],
            "get": _call("After the end: everything that is needed to play the match again. Before: 403.", "Replay"),
        },
        "/api/rooms/{room}/replay/{view}": {
            "parameters": [room, view],
            "get": _call("The same match step by step, as a seat, `watch` or `all` together saw it.", "Story"),
        },
        "/api/codes/{code}": {
            "parameters": [code],
            "get": _call("The room that an invite code leads to.", "RoomFacts"),
        },
        "/api/players/{player}": {
            "parameters": [player],
            "get": {
                **_call("Ratings and last matches; older ones with `before`.", "PlayerPage"),
                "parameters": [_query("game"), _query("before")],
            },
        },
        "/api/players/{player}/against/{other}": {
            "parameters": [player, other],
            "get": {**_call("How two stand against each other.", "Against"), "parameters": [_query("game")]},
        },
        "/api/leaderboard": {
            "get": {
                **_call("The best of a game.", "Leaderboard"),
                "parameters": [_query("game"), _query("limit"), _query("offset")],
            },
        },
        "/api/stats/{game}": {
            "parameters": [game],
            "get": {
                **_call("What finished matches say of cards and decks.", "GameFigures"),
                "parameters": [_query("mode", ["casual", "ranked"])],
            },
        },
        "/healthz": {"get": _call("Whether the process is alive.", media="text/plain")},
        "/readyz": {"get": _call("Whether it can serve: not while draining or without its store.", media="text/plain")},
        "/metrics": {"get": _call("Figures for Prometheus.", media="text/plain")},
    }


def _call(
    summary: str,
    gives: str = "",
    *,
    body: str = "",
    status: int = 200,
    user: bool = False,
    many: bool = False,
    media: str = "application/json",
) -> Schema:
    inside: Schema = _to(f"components/schemas/{gives}") if gives else {"type": "object"}
    if many:
        inside = {"type": "array", "items": inside}
    schema = inside if media == "application/json" else {"type": "string"}
    call: Schema = {
        "summary": summary,
        "responses": {
            str(status): {"description": "Done."} | ({} if status == 204 else {"content": {media: {"schema": schema}}}),
            "default": {
                "description": "Not done, and why.",
                "content": {"application/json": {"schema": _to("components/schemas/Problem")}},
            },
        },
    }
    if body:
        content = {"application/json": {"schema": _to(f"components/schemas/{body}")}}
        call["requestBody"] = {"required": True, "content": content}
    return {**call, "security": [{"token": []}]} if user else call


def _parameter(name: str) -> Schema:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _query(name: str, choices: list[str] | None = None) -> Schema:
    schema: Schema = {"type": "string", "enum": choices} if choices else {"type": "string"}
    return {"name": name, "in": "query", "schema": schema}

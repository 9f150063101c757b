"""Looks for hidden cards in everything that anybody was ever told.

A card's id changes whenever somebody loses sight of it. So the id of a card that is hidden from somebody now must never
have occurred in anything they heard up to now, in a view or in a sentence.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
import redis

from cards import find_game
from engine.table import AUDIENCE
from tests.engine.secrecy import Knowledge
from tests.live.serving import Live

_NUMBER = re.compile(rb"(?<![0-9A-Za-z_-])[0-9]{4,8}(?![0-9A-Za-z_-])")


class Canary(AssertionError):
    """Somebody was told of a card that they cannot see."""


def scan(live: Live) -> int:
    """Look through everything that was said so far, and forget it; how many hidden cards were looked for."""
    people, pages = list(live.people), list(live.pages)
    live.people, live.pages = [person for person in people if person.code is None], []
    if not live.running or not live.searched:
        return 0
    rooms = {room for person in people for room, board in person.boards.items() if board.v >= 1}
    hidden = {}
    for room in rooms:
        try:
            hidden[room] = _hidden(live, room)
        except redis.RedisError:
            return 0
    looked = 0
    for person in people:
        for room in rooms & person.boards.keys():
            for viewer, first in _first_told(person.frames, room).items():
                for v, ids in hidden[room].get(viewer, {}).items():
                    looked += len(ids)
                    if found := {id for id in ids if first.get(id, v + 1) <= v}:
                        raise Canary(f"viewer {viewer} was told of {found}, which were hidden at {v} in {room}")
    told = set().union(*map(_numbers, pages))
    for views in hidden.values():
        for v, ids in views.get(AUDIENCE, {}).items():
            if v == max(views[AUDIENCE]) and ids & told:
                raise Canary(f"a page told of {ids & told}")
    return looked


def _hidden(live: Live, room: str) -> dict[int, dict[int, set[int]]]:
    """For each viewer, the cards that they could not see at each version."""
    truth = live.truth(room)
    game = find_game(truth.state.setup.game)
    found: dict[int, dict[int, set[int]]] = {}
    for v, table in truth.tables().items():
        for viewer in (*range(table.seats), AUDIENCE):
            hidden = Knowledge(game, viewer).hidden(table)
            found.setdefault(viewer, {})[v] = {id for id in hidden if id > 999}
    return found


def _first_told(frames: list[dict[str, Any]], room: str) -> dict[int, dict[int, int]]:
    """At which version each number was first told, to whomever this person was at that time."""
    viewer, v = AUDIENCE, 0
    found: dict[int, dict[int, int]] = {}
    for frame in frames:
        if frame.get("room", room) != room:
            continue
        if frame["t"] == "snap" or (frame["t"] == "ok" and "epoch" in frame):  # an answer to join
            viewer = frame.get("seat", AUDIENCE)
        v = max(v, frame["v"]) if frame["t"] in ("snap", "delta") else v
        first = found.setdefault(viewer, {})
        if frame["t"] in ("welcome", "pong", "presence", "rated"):
            continue  # they tell of limits, times and ratings, which are numbers too
        for number in _numbers(msgspec.json.encode({**frame, "clock": None})):
            first.setdefault(number, v)
    return found


def _numbers(data: bytes) -> set[int]:
    return set(map(int, _NUMBER.findall(data)))

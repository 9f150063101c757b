"""An agent at a real table, in words."""

from __future__ import annotations

import io
import json
from typing import Any

from cards import find_game
from server.client import Client
from server.commands.talking import talk
from tests.live.serving import Live


async def test_somebody_plays_over_the_socket_by_talking(live: Live) -> None:
    calls: list[Any] = [
        {"name": "dance"},
        "no call at all",
        {"name": "coin_flip", "arguments": {"count": 2}},
        {"name": "move_card", "arguments": {"what": "a unicorn", "to": "your_active", "at": "top"}},
        {"name": "resign"},
    ]
    lines, out = io.BytesIO(b"".join(json.dumps(call).encode() + b"\n" for call in calls)), io.BytesIO()
    async with Client(live.url, name="Ada") as client:
        made = await client.make_room("creatures", seats=["me", "bot:random"])
        seat = await client.join(made["room"])
        await talk(seat, find_game("creatures"), lines, out)
    told = [json.loads(line) for line in out.getvalue().splitlines()]
    answers = [line["answer"] for line in told if "answer" in line]
    assert [answer["done"] for answer in answers] == [False, False, True, False, True]
    assert "You cannot call dance now." in answers[0]["text"]
    assert "cannot be read" in answers[1]["text"]
    assert answers[2]["text"].startswith("Ada flips ")
    assert "'a unicorn' is none of" in answers[3]["text"]
    assert (told[0]["mode"], told[-1]["mode"]) == ("setup", "waiting")
    assert "over, won by opponent (resigned)" in told[-1]["text"]

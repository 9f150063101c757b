"""The worked example on the protocol's page: a few real lines of `upcard drive`, put where the page wants them.

The page marks each place with a comment such as `<!-- shown: 1.patches.other -->` before a block of JSON: the answer
to the first line sent, its patches, those of the seat that did not begin. So the page is right whatever the game does.
"""

from __future__ import annotations

import json
import re
from typing import Any

from cards import find_game
from engine.match import Match
from engine.merge import merge
from server.commands.drive import Drive

SEED = "1"
BLOCK = re.compile(r"(<!-- shown: (\S+) -->\n```json\n).*?(?=```)", re.DOTALL)
WIDE = 110


def refresh(page: str) -> str:
    """The page with every block as the service would really send it."""
    told = run()
    return BLOCK.sub(lambda block: block[1] + layout(_find(told, block[2])) + "\n", page)


def run() -> dict[str, Any]:
    """The seat that begins plays a card, then the other one tries to: what was sent, what came back, what they see."""
    drive = Drive(Match.deal(find_game("ggltcg"), seed=SEED))
    opening = _plain(drive.opening())
    first = opening["to_act"][0]
    plays = [offer for offer in opening["offers"][str(first)] if offer["type"] == "play" and "slots" not in offer]
    sent = [
        {"seat": first, "do": {"type": "play", "card": plays[0]["card"]}},
        {"seat": 1 - first, "do": {"type": "end_turn"}},
    ]
    answers = [_plain(drive.answer(json.dumps(line).encode())) for line in sent]
    answers[0]["patches"] = json.loads(json.dumps(answers[0]["patches"], sort_keys=True))  # their order means nothing
    merged = {view: merge(opening["views"][view], answers[0]["patches"][view]) for view in opening["views"]}
    seats = {"first": str(first), "other": str(1 - first)}
    told = {"0": opening, "1": answers[0], "2": answers[1], "merged": merged, "seats": seats}
    return {**told, "offer": plays[0], "sent": {"1": sent[0], "2": sent[1]}}


def layout(value: Any, indent: str = "") -> str:
    """JSON on one line where it fits, else a line for each part."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= WIDE or not isinstance(value, dict | list) or not value:
        return line
    deeper = indent + "  "
    if isinstance(value, dict):
        parts = [f"{deeper}{json.dumps(key)}: {layout(part, deeper)}" for key, part in value.items()]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(deeper + layout(part, deeper) for part in value) + f"\n{indent}]"


def _find(told: dict[str, Any], place: str) -> Any:
    found: Any = told
    for key in place.split("."):
        found = found[told["seats"].get(key, key)]
    return found


def _plain(value: Any) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json.dumps(value))
    return plain

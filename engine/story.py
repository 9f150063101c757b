"""Messages: keys with what they speak of, and the English they are filled into.

A template names its parts in braces: `{seat} plays {card}.` Clients may bring templates in any language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

COMMON = {  # what any match may have to say; a game may say it in its own words
    "left": "{seat} leaves the match: {reason}.",
    "taken_back": "{seat} takes a move back.",
    "paused": "The match is paused.",
    "resumed": "The match goes on.",
}

_PART = re.compile(r"\{(\w+)\}")


def fill_in(messages: Mapping[str, str], key: str, args: Mapping[str, Any], names: Sequence[str] = ()) -> str:
    """A message as a sentence. A card that the reader may not know is just «a card»."""
    template = messages.get(key) or COMMON.get(key) or key.rpartition(".")[2].replace("_", " ").capitalize()
    return _PART.sub(lambda part: _part(messages, part[1], args, names), template)


def tell(messages: Mapping[str, str], events: Sequence[Mapping[str, Any]], names: Sequence[str] = ()) -> list[str]:
    """The log lines among these events, as sentences."""
    return [fill_in(messages, event["key"], event["args"], names) for event in events if event["e"] == "said"]


def _part(messages: Mapping[str, str], name: str, args: Mapping[str, Any], names: Sequence[str]) -> str:
    if name not in args:
        return "a card" if name in ("card", "on", "by", "face") else ""
    value = args[name]
    if name in ("seat", "foe", "owner") and isinstance(value, int):
        return (names[value] if 0 <= value < len(names) else "") or f"Seat {value}"
    return _speak(messages, value)


def _speak(messages: Mapping[str, str], value: Any) -> str:
    speakers: dict[type, Callable[[Any], str]] = {
        str: lambda word: messages.get(f"word.{word}", word),
        dict: lambda card: str(card.get("face", "a card")),
        list: lambda parts: _list([_speak(messages, part) for part in parts]),
    }
    return speakers.get(type(value), str)(value)


def _list(parts: Sequence[str]) -> str:
    return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else "".join(parts) or "nothing"

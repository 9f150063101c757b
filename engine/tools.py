"""Tools for language models: one for each kind of move that is offered, with a JSON schema, and calls back into moves.

They are made from the offers, so there is one whenever there is something to do, and none that would be refused for
want of a rule. A call that cannot be is answered with a sentence that says what could be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from engine.game import Game, View
from engine.naming import Names, Unclear

Mode = Literal["setup", "main", "decision", "question", "waiting"]
Shown = Mapping[str, Any]
ENDS = frozenset(
    {"end_turn", "resolve_decision", "declare_victory", "resign"}
)  # after these one has nothing left to do
DOUBLE = {"decision": frozenset({"end_turn"})}  # what means the same as another tool in a mode
ALWAYS: tuple[dict[str, Any], ...] = (
    {"name": "take_back", "description": "Take your last move back, if nobody has learned anything from it."},
    {"name": "resign", "description": "Give up the match."},
)


class BadCall(Exception):
    """A call that makes no move. Nothing has changed; the text says what would."""


def mode(view: View, ask: Any = None) -> Mode:
    """What kind of moment it is for this viewer."""
    you, turn = view.get("you"), view["turn"]
    if you not in turn.get("waiting", ()) or "result" in view:
        return "waiting"
    if ask is not None:
        return "question"
    if turn.get("decision", {}).get("seat") == you:
        return "decision"
    return "setup" if turn.get("phase") == "setup" else "main"


def tools(game: Game, view: View, offers: Sequence[Shown], ask: Any = None) -> list[dict[str, Any]]:
    """What this viewer can call now, as they are told of their offers."""
    names, now = Names(game, view), mode(view, ask)
    if now == "waiting":
        return []
    kinds: dict[str, list[Shown]] = {}
    for offer in offers:
        if offer["type"] not in DOUBLE.get(now, ()):
            kinds.setdefault(offer["type"], []).append(offer)
    found = [_tool(names, kind, alike) for kind, alike in kinds.items()]
    nothing = {"type": "object", "properties": {}, "additionalProperties": False}
    always = [{**tool, "input_schema": nothing} for tool in ALWAYS]
    return [{**tool, **({"ends": True} if tool["name"] in ENDS else {})} for tool in [*found, *always]]


def _tool(names: Names, kind: str, offers: Sequence[Shown]) -> dict[str, Any]:
    """One kind of move, whatever offers there are of it."""
    slots: dict[str, list[Shown]] = {}
    for offer in offers:
        for slot in offer.get("slots", ()):
            slots.setdefault(slot["name"], []).append(slot)
    properties = {name: _property(names, alike) for name, alike in slots.items()}
    needed = [name for name in properties if all(_needs(offer, name) for offer in offers)]
    if any("card" in offer for offer in offers):
        cards = list(dict.fromkeys(offer["card"] for offer in offers if "card" in offer))
        properties = {"card": {"type": "string", "enum": list(names.entries(cards))}, **properties}
        needed = [*(["card"] if all("card" in offer for offer in offers) else []), *needed]
    rules = list(dict.fromkeys(rule for offer in offers for rule in offer.get("warns", ())))
    if rules:
        properties["sure"] = {"type": "boolean", "description": "Do it although it is unusual."}
    schema: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    return {
        "name": kind,
        "description": _description(names.game, kind, offers, rules),
        "input_schema": {**schema, "required": needed} if needed else schema,
    }


def _description(game: Game, kind: str, offers: Sequence[Shown], rules: Sequence[str]) -> str:
    labels = {offer.get("label", "") for offer in offers}
    said = labels.pop() if len(labels) == 1 else game.label(kind, "")[0]
    parts = [f"{said}."]
    costs = [f"{amount} {what}" for offer in offers for what, amount in offer.get("cost", {}).items()]
    if costs:
        parts.append(f"Costs {', '.join(dict.fromkeys(costs))}.")
    if any(not offer.get("free") for offer in offers) and any(offer.get("free") for offer in offers):
        parts.append("There is a reason to do it now.")
    if rules:
        parts.append(f"May be unusual by: {', '.join(rules)}.")
    return " ".join(parts)


def _needs(offer: Shown, name: str) -> bool:
    slot = next((slot for slot in offer.get("slots", ()) if slot["name"] == name), None)
    return slot is not None and ("range" in slot or slot["least"] > 0)


def _property(names: Names, slots: Sequence[Shown]) -> dict[str, Any]:
    """What may stand in a slot, whichever of the offers it belongs to."""
    ranges = [slot["range"] for slot in slots if "range" in slot]
    lists = [slot for slot in slots if "range" not in slot]
    kinds: list[dict[str, Any]] = []
    if lists:
        entries = list(dict.fromkeys(entry for slot in lists for entry in slot["from"]))
        words = {"type": "string", "enum": list(names.entries(entries))}
        most = max(slot["most"] for slot in lists)
        if most == 1:
            kinds.append(words)
        else:
            least = min(slot["least"] for slot in lists)
            kinds.append({"type": "array", "items": words, "minItems": least, "maxItems": min(most, len(entries))})
    if ranges:
        low, high = min(low for low, _ in ranges), max(high for _, high in ranges)
        kinds.append({"type": "integer", "minimum": low, "maximum": high})
    return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


# calls


def read_call(game: Game, view: View, offers: Sequence[Shown], name: str, arguments: Shown) -> dict[str, Any]:
    """The move that a call makes. Arguments are names; where nothing else could be meant they may be left out."""
    names = Names(game, view)
    alike = [offer for offer in offers if offer["type"] == name]
    if not alike:
        kinds = ", ".join(dict.fromkeys(offer["type"] for offer in offers)) or "nothing; it is not your turn"
        raise BadCall(f"You cannot call {name} now. You can call {kinds}.")
    reasons: list[tuple[int, str]] = []
    for offer in alike:
        try:
            return _filled(names, offer, arguments, len(alike) == 1)
        except _Misfit as no:
            reasons.append((no.depth, str(no)))
    raise BadCall(max(reasons, key=lambda reason: reason[0])[1])


class _Misfit(Exception):
    """This offer is not what was meant; the further a call got, the nearer it was."""

    def __init__(self, depth: int, text: str) -> None:
        super().__init__(text)
        self.depth = depth


def _filled(names: Names, offer: Shown, arguments: Shown, alone: bool) -> dict[str, Any]:
    slots = {slot["name"]: slot for slot in offer.get("slots", ())}
    fields = [*(["card"] if "card" in offer else []), *slots]
    if further := [name for name in arguments if name not in (*fields, "sure")]:
        takes = ", ".join(fields) or "no arguments"
        raise _Misfit(0, f"{offer['type']} has no argument {further[0]!r}; it takes {takes}.")
    do: dict[str, Any] = {"type": offer["type"]}
    if "card" in offer:
        if "card" in arguments or not alone:
            if "card" not in arguments:
                raise _Misfit(0, f"card is missing; it may be {names.entry(offer['card'])}.")
            _meant(names, [arguments["card"]], [offer["card"]], 0, "card")
        do["card"] = offer["card"]
    for depth, (name, slot) in enumerate(slots.items(), 1):
        do[name] = _slot(names, slot, arguments.get(name), depth, alone)
    return do


def _slot(names: Names, slot: Shown, value: Any, depth: int, alone: bool) -> Any:
    name = slot["name"]
    if "range" in slot:
        low, high = slot["range"]
        if value is None and low == high and alone:
            return low
        if type(value) is not int or not low <= value <= high:
            raise _Misfit(depth, f"{name} is a whole number from {low} to {high}.")
        return value
    if value is None:
        if slot["least"] == 0:
            return []
        if alone and len(slot["from"]) == slot["least"]:
            return list(slot["from"])
        raise _Misfit(depth, f"{name} is missing; it may be {', '.join(names.entries(slot['from']))}.")
    words = value if isinstance(value, list | tuple) else [value]
    if not slot["least"] <= len(words) <= slot["most"]:
        wanted = str(slot["least"]) if slot["least"] == slot["most"] else f"{slot['least']} to {slot['most']}"
        raise _Misfit(depth, f"{name} wants {wanted}, not {len(words)}.")
    return _meant(names, words, slot["from"], depth, name)


def _meant(names: Names, words: Sequence[Any], entries: Sequence[int | str], depth: int, name: str) -> list[int | str]:
    try:
        return names.meant(words, entries)
    except Unclear as no:
        raise _Misfit(depth, f"{name}: {no}") from None

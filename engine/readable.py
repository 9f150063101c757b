"""A view as it is read out: names instead of numbers, like things counted, and nothing that says nothing.

It is made from the view alone, so whoever has a view can have it read out: in process, from a pipe, over the socket.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import Game, View
from engine.naming import Names
from engine.story import tell

LINES = 15  # of the log that are read out
LEFT_OUT = frozenset({"face", "owner", "controller"})


def readable(game: Game, view: View, names: Names | None = None) -> dict[str, Any]:
    """A view for somebody who reads: whose turn it is, who has what, what lies where, what was done."""
    names = names or Names(game, view)
    turn = view["turn"]
    told: dict[str, Any] = {"game": game.title}
    told |= {key: turn[key] for key in ("number", "phase") if turn.get(key) not in (None, "")}
    if "seat" in turn:
        told["turn"] = names.seat(turn["seat"])
    told["waiting_for"] = [names.seat(seat) for seat in turn.get("waiting", ())]
    told["players"] = {names.seat(int(seat)): _full(shown) for seat, shown in view["seats"].items()}
    told["zones"] = {names.zone(key): _zone(game, names, zone) for key, zone in view["zones"].items()}
    if turn.get("done"):
        told["this_turn"] = [_deed(names, turn["done"][n]) for n in sorted(turn["done"], key=int)]
    if decision := turn.get("decision"):
        told["decision"] = _deed(names, decision)
    if "result" in view:
        winners = [names.seat(seat) for seat in view["result"]["winners"]]
        told["result"] = {"winners": winners, "reason": view["result"]["reason"]}
    return told


def _zone(game: Game, names: Names, zone: Mapping[str, Any]) -> dict[str, Any]:
    """How many lie there, and those that can be told apart or seen, from the bottom to the top, like ones as one."""
    told: dict[str, Any] = {"count": zone["n"]} if "n" in zone else {}
    cards: list[dict[str, Any]] = []
    for card in (_card(game, names, id) for id in zone.get("cards", ()) if id):
        like = next((one for one in cards if {**one, "count": 1} == {**card, "count": 1}), None)
        if like is None:
            cards.append(card)
        else:
            like["count"] = like.get("count", 1) + 1
    return {**told, "cards": cards} if cards else told


def _card(game: Game, names: Names, id: int) -> dict[str, Any]:
    shown = names.view["cards"].get(str(id), {})
    facts = game.read_out({key: value for key, value in shown.items() if key not in LEFT_OUT})
    told = {"name": names.card(id), **_full(facts)}
    if "controller" in shown and shown["owner"] >= 0:
        told["owner"] = names.seat(shown["owner"])
    return told


def _full(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in facts.items() if value or (value == 0 and value is not False)}


def _deed(names: Names, deed: Mapping[str, Any]) -> dict[str, Any]:
    """Something that was done, with places and players by name; a card that nobody may know is only a card."""
    told: dict[str, Any] = {}
    for key, value in deed.items():
        if key in ("seat", "by", "of") and isinstance(value, int):
            told[key] = names.seat(value)
        elif key == "cards":
            told[key] = [names.face(face) if face else "a hidden card" for face in value]
        elif key in ("from", "to", "zone", "zones"):
            told[key] = [names.zone(part) for part in value] if isinstance(value, list) else names.zone(value)
        else:
            told[key] = value
    return _full(told)


# as text


def as_text(game: Game, view: View, record: Sequence[Mapping[str, Any]] = ()) -> str:
    """The same as a page: how things stand, each side of the table, what the cards say, what happened last."""
    names = Names(game, view)
    told = readable(game, view, names)
    lines = [_heading(told)]
    if names.you is not None:
        lines.append(f"You are {names.people()[names.you]}, in seat {names.you}.")
    lines += [
        f"{who.capitalize()}: {_facts(_plain(facts)) or 'nothing to say'}" for who, facts in told["players"].items()
    ]
    lines += ["", *(_line(zone, shown) for zone, shown in told["zones"].items() if shown.get("count", 1))]
    if empty := [zone for zone, shown in told["zones"].items() if shown.get("count") == 0]:
        lines.append(f"Empty: {', '.join(empty)}")
    if "this_turn" in told:
        lines += ["", "Done this turn:", *(f"- {_facts(deed)}" for deed in told["this_turn"])]
    if "decision" in told:
        lines += ["", f"To decide: {_facts(told['decision'])}"]
    if texts := _texts(game, names, told):
        lines += ["", "What the cards say:", *texts]
    if log := story(game, names, record)[-LINES:]:
        lines += ["", "What happened last:", *(f"- {line}" for line in log)]
    return "\n".join(lines)


def story(game: Game, names: Names, record: Sequence[Mapping[str, Any]]) -> list[str]:
    """What happened, in sentences that call places as everything else here does; players by the names they have."""
    return tell(game.messages, [_renamed(names, event) for event in record], names.people())


def _renamed(names: Names, event: Mapping[str, Any]) -> Mapping[str, Any]:
    if event["e"] != "said":
        return event
    return {**event, "args": {key: _place(names, value) for key, value in event["args"].items()}}


def _place(names: Names, value: Any) -> Any:
    if isinstance(value, list):
        return [_place(names, part) for part in value]
    return names.zone(value) if isinstance(value, str) and value in names.view["zones"] else value


def _heading(told: Mapping[str, Any]) -> str:
    if "result" in told:
        winners = " and ".join(told["result"]["winners"]) or "nobody"
        return f"{told['game']}: over, won by {winners} ({told['result']['reason']})."
    parts = [f"turn {told['number']}"] if "number" in told else []
    parts += [str(told["phase"])] if "phase" in told else []
    whose = f"the turn is {'yours' if told.get('turn') == 'you' else told.get('turn', 'nobody')}"
    return f"{told['game']}, {', '.join([*parts, whose])}; waiting for {', '.join(told['waiting_for']) or 'nobody'}."


def _line(zone: str, shown: Mapping[str, Any]) -> str:
    cards = [_named(card) for card in shown.get("cards", ())]
    count = f" ({shown['count']})" if "count" in shown else ""
    return f"{zone}{count}: {', '.join(cards) or 'hidden'}"


def _named(card: Mapping[str, Any]) -> str:
    facts = _facts({key: value for key, value in card.items() if key not in ("name", "count")})
    many = f" ×{card['count']}" if card.get("count", 1) > 1 else ""
    return f"{card['name']}{many}" + (f" [{facts}]" if facts else "")


def _facts(facts: Mapping[str, Any]) -> str:
    return ", ".join(
        key.replace("_", " ") if value is True else f"{key.replace('_', ' ')} {_short(value)}"
        for key, value in facts.items()
    )


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{part} {_short(one)}" for part, one in value.items())
    return ", ".join(map(_short, value)) if isinstance(value, list | tuple) else str(value)


def _texts(game: Game, names: Names, told: Mapping[str, Any]) -> list[str]:
    """What is printed on the cards that can be seen, each once."""
    seen = {card["name"] for zone in told["zones"].values() for card in zone.get("cards", ())}
    printed = {names.face(face): facts for face, facts in game.catalogue().items()}
    return [_text(name, printed[name]) for name in sorted(seen) if name in printed]


def _text(name: str, printed: Mapping[str, Any]) -> str:
    facts = _facts(_plain({key: value for key, value in printed.items() if key != "text"}))
    return f"- {name}" + (f" ({facts})" if facts else "") + f": {printed.get('text') or 'no text'}"


def _plain(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Words and numbers; lists of things are read out elsewhere."""
    return {key: value for key, value in _full(facts).items() if not isinstance(value, list | tuple | dict)}

"""Other spellings of the same card.

There is more than one way to write these files: plural names, requirements as an object, targets left out. All of them
are read; inside there is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Raw = dict[str, Any]

PLURALS = {
    "credits": "credit",
    "plants": "plant",
    "credits-production": "credit-production",
    "plants-production": "plant-production",
    "animals": "animal",
    "microbes": "microbe",
}
TYPES = {**PLURALS, "cards": "card-draw", "ocean": "ocean-placement"}
TILES = {"ocean": "ocean-placement", "city": "city-placement", "greenery": "greenery-placement"}
TARGETS = {"other-card": "any-card"}
NEEDS = {"oceans": "ocean", "cities": "city", "greeneries": "greenery"}
GLOBAL = frozenset({"tr", "temperature", "oxygen", "land-claim", "special-tile", *TILES.values()})
ON_CARDS = frozenset({"animal", "microbe", "science"})


def plain(card: Any) -> Any:
    """A card in the one spelling that is read further on. What is no card at all is left for the reader to refuse."""
    if not isinstance(card, dict):
        return card
    found = {key: value for key, value in card.items() if value is not None}
    if isinstance(found.get("requirements"), dict):
        found["requirements"] = _requirements(found["requirements"])
    if isinstance(found.get("resourceStorage"), dict):
        found["resourceStorage"] = _renamed(found["resourceStorage"], "type", PLURALS)
    found["behaviors"] = [_behavior(part) for part in _list(found.get("behaviors"))]
    if found.get("custom") is True and any("custom" in part for part in found["behaviors"] if isinstance(part, dict)):
        del found["custom"]  # the behaviour says it itself
    if not found["behaviors"]:
        del found["behaviors"]
    return found


def _behavior(behavior: Any) -> Any:
    if not isinstance(behavior, dict):
        return behavior
    found = _entries(behavior)
    if "choices" in found:
        found["choices"] = [_choice(choice) for choice in _list(found["choices"])]
    return found


def _choice(choice: Any) -> Any:
    if not isinstance(choice, dict):
        return choice
    found = _entries(choice)
    if isinstance(found.get("requirements"), dict):
        found["requirements"] = _requirements(found["requirements"])
    return found


def _entries(part: Raw) -> Raw:
    found = dict(part)
    for key in ("inputs", "outputs"):
        if key in found:
            found[key] = [_entry(entry) for entry in _list(found[key])]
    return found


def _entry(entry: Any) -> Any:
    """One thing taken or given. Without a target it is the player's own, or the table's where nobody owns it."""
    if not isinstance(entry, dict):
        return entry
    found = _renamed(_renamed(entry, "type", TYPES), "target", TARGETS)
    if found.get("type") == "tile-placement":
        kind = TILES.get(found.get("tile", ""), "special-tile")
        found = {**found, "type": kind}
        if kind != "special-tile":
            del found["tile"]
    if isinstance(found.get("per"), dict):
        found["per"] = _renamed(found["per"], "type", PLURALS)
    if "selectors" in found:
        found["selectors"] = [_selector(selector) for selector in _list(found["selectors"])]
    found.setdefault("target", _target(found.get("type")))
    return found


def _target(type: Any) -> str:
    if type in GLOBAL:
        return "none"
    return "self-card" if type in ON_CARDS else "self-player"


def _selector(selector: Any) -> Any:
    if isinstance(selector, dict) and isinstance(selector.get("resources"), list):
        return {**selector, "resources": [PLURALS.get(name, name) for name in selector["resources"]]}
    return selector


def _requirements(needs: Mapping[str, Any]) -> Raw:
    """`{"tags": {"science": {"min": 3}}, "oxygen": {"max": 4}}` as the list of things that it means."""
    if "items" in needs:
        items = [_renamed(item, "type", NEEDS) if isinstance(item, dict) else item for item in _list(needs["items"])]
        return {**needs, "items": items}
    items = []
    for key, bounds in needs.items():
        if key in ("tags", "production", "resource") and isinstance(bounds, dict):
            part = "tag" if key == "tags" else "resource"
            items += [{"type": key, part: PLURALS.get(name, name), **_bounds(inner)} for name, inner in bounds.items()]
        elif key != "description":
            items.append({"type": NEEDS.get(key, key), **_bounds(bounds)})
    return {"items": items, **({"description": needs["description"]} if "description" in needs else {})}


def _bounds(bounds: Any) -> Raw:
    return dict(bounds) if isinstance(bounds, dict) else {"min": bounds}


def _renamed(part: Raw, key: str, names: Mapping[str, str]) -> Raw:
    value = part.get(key)
    return {**part, key: names[value]} if isinstance(value, str) and value in names else dict(part)


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [] if value is None else [value]

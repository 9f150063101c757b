"""Mars: every project and every corporation of the core set does what is printed on it."""

from __future__ import annotations

import pytest

from tests.cards.planet import GAME, LAND, Planet, side, with_

SEAS = ["hex.1.-4", "hex.2.-4", "hex.1.-3", "hex.3.-2", "hex.2.-1", "hex.1.0", "hex.2.0", "hex.-1.1", "hex.0.1"]
Z = "hex.1.-4"


def seas(count):
    return dict.fromkeys(SEAS[-count:], "ocean") if count else {}


# card: what Ann has before, how the planet is, how she plays it and answers, and what she has more of afterwards
PLAYED = {
    "Basalt Quarry": ({}, {}, {}, [], {"steel-production": 1}),
    "Ore Skiff": ({}, {}, {}, [], {"titanium-production": 1}),
    "Canopy Tents": ({}, {"temperature": -16}, {}, [], {"plant-production": 1, "plant": 2}),
    "Dust-Glass Array": ({}, {}, {}, [], {"energy-production": 1}),
    "Flare Collector": ({}, {}, {}, [], {"energy-production": 3}),
    "Ledger House": ({}, {}, {}, [], {"credit-production": 2}),
    "Thermal Lance": ({}, {}, {}, [], {"tr": 1, "titanium": 1, "temperature": 2}),
    "Twin Bolide": ({}, {}, {}, [], {"tr": 2, "titanium": 3, "temperature": 4}),
    "Brine Breach": ({}, {}, {}, [Z], {"tr": 1, "oceans": 1}),
    "Double Thaw": ({}, {}, {}, [Z, "hex.0.1"], {"tr": 2, "oceans": 2, "plant": 1}),
    "Lichen Drop": ({}, {}, {}, [], {"plant-production": 1}),
    "Vent Field": ({"energy_production": 1}, {}, {}, [], {"energy-production": -1, "heat-production": 4}),
    "Orbital Ferry": ({}, {}, {"choice": "plants"}, [Z], {"tr": 1, "oceans": 1, "hand": 1, "plant": 4}),
    "Charter City": ({"energy_production": 1}, {}, {}, [LAND], {"energy-production": -1, "credit-production": 3}),
    "Rim Settlement": ({}, {}, {}, [LAND], {}),
    "Gorge City": ({"energy_production": 1}, {}, {}, [], {"energy-production": -1, "credit-production": 3, "plant": 2}),
    "Tidal Grove": ({}, {"tiles": seas(4)}, {}, [Z], {"tr": 1, "oxygen": 1}),
    "Algal Mats": ({}, {"tiles": seas(5)}, {}, [], {"plant": 1, "plant-production": 2}),
    "Spore Hatchery": ({}, {}, {}, [], {}),
    "Frost Hares": ({"plant_production": 1}, {"oxygen": 6}, {}, [], {"plant-production": -1}),
    "Burrow Wolves": ({}, {"oxygen": 10}, {}, [], {}),
    "Glass Terrarium": ({}, {}, {}, [], {"here": 1}),
    "Smeltery": ({}, {}, {}, [], {}),
    "Market Crane": ({}, {}, {}, [], {}),
    "Field Institute": ({}, {}, {}, [], {}),
    "Patent Scouts": ({}, {}, {}, [], {"credit-production": -1}),
    "Think-Tank Session": ({}, {}, {}, ["take"], {"hand": 1}),
    "Courier Guild": ({}, {}, {}, [], {}),
    "Dock Union": ({}, {}, {}, [], {}),
    "Alloy Lab": ({}, {}, {}, [], {}),
    "Storm Chasers": ({}, {}, {}, [], {}),
    "Shore Pumps": ({}, {}, {}, [], {}),
    "Ranger Corps": ({}, {"oxygen": 7}, {}, [], {}),
    "Seminar Hall": ({}, {}, {}, [], {"here": 1}),
    "Tap Line": ({}, {}, {}, [], {}),
    "Toll Gate": ({}, {}, {}, [], {}),
    "Harvest Fair": ({"play": ["Lichen Drop"]}, {"oxygen": 4}, {}, [], {"plant-production": 1}),
    "Skyline Fund": ({}, {"tiles": {LAND: ("city", 1)}}, {}, [], {"credit-production": 1}),
    "Magneto Dome": ({}, {}, {}, [], {}),
    "Green Accord": ({}, {}, {}, [], {"tr": 2}),
    "Deep Archive": ({"play": ["Alloy Lab"] * 3}, {}, {}, [], {"hand": 2}),
    "Raid Fleet": ({}, {}, {"choice": "money"}, [], {"credit": 3}),
    "Flexible Specs": ({}, {}, {}, [], {}),
    "Stake Claim": ({}, {}, {}, [LAND], {}),
    "Outer Moon Post": ({}, {}, {}, [], {}),
    "Moon Refinery": ({"titanium_production": 1}, {}, {}, [], {"titanium-production": 2}),
    "Gas Skimmers": ({}, {"oxygen": 2}, {}, [], {"heat-production": 2, "plant-production": 1}),
    "Quiet Reserve": ({}, {}, {}, [LAND], {"credit-production": 1}),
}
POINTS = {
    "Tidal Grove": 1, "Market Crane": 1, "Courier Guild": 1, "Seminar Hall": 1, "Tap Line": -1, "Skyline Fund": 1,
    "Green Accord": -2, "Deep Archive": 2, "Flexible Specs": 1, "Moon Refinery": 1, "Gas Skimmers": 1,
    "Quiet Reserve": 1,
}  # fmt: skip


def standing(scene, ann, card):
    """Everything that a card of the core set could change for its player."""
    numbers = {name: ann.has(name) for name in ("credit", "steel", "titanium", "plant", "energy", "heat")}
    numbers |= {
        f"{name}-production": ann.makes(name) for name in ("credit", "steel", "titanium", "plant", "energy", "heat")
    }
    numbers |= {name: scene.level(name) for name in ("temperature", "oxygen", "oceans")}
    here = ann.holds(card) if card in ann.play else 0
    return {**numbers, "tr": ann.tr, "hand": len(ann.hand), "here": here}


@pytest.mark.parametrize("name", sorted(PLAYED))
def test_a_project_does_what_is_printed_on_it(name):
    has, planet, slots, answers, gains = PLAYED[name]
    cost = GAME.cards[name].cost
    scene = Planet(side(hand=[name], **{"credit": cost, **has}), side(credit=9), **planet)
    ann, bob = scene
    before = standing(scene, ann, name)
    ann.plays(name, **slots)
    for answer in answers:
        if answer == "take":
            ann.picks(ann.options("take", "cards")[0], kind="take")
        else:
            ann.places(answer)
    after = standing(scene, ann, name)
    changed = {key: after[key] - before[key] for key in after if after[key] != before[key]}
    expected = {"credit": -cost, "hand": -1, **gains}
    expected["credit"] = gains.get("credit", 0) - cost
    expected["hand"] = gains.get("hand", 0) - 1
    assert changed == {key: value for key, value in expected.items() if value}
    assert scene.waiting_for() == [ann]
    assert scene.actions == 1
    lies = scene.faces("0.events") if GAME.cards[name].type == "event" else ann.play
    assert name in lies
    assert bob.money == 9 - gains.get("credit", 0)


def test_every_project_of_the_core_set_is_among_them():
    core = {name for name, card in GAME.cards.items() if card.pack == "core" and card.type != "corporation"}
    assert core == PLAYED.keys()


@pytest.mark.parametrize("name", sorted(PLAYED))
def test_the_fixed_points_of_a_project(name):
    fixed = sum(part.amount for part in GAME.cards[name].points if part.condition == "fixed")
    assert fixed == POINTS.get(name, 0)


STARTS = {
    "Halcyon Drillworks": {"credit": 34, "steel": 6, "steel-production": 1},
    "Verdant Compact": {"credit": 36, "plant": 2, "plant-production": 2},
    "Ember Combine": {"credit": 42, "heat-production": 3},
    "Perihelion Freight": {"credit": 26, "titanium": 8},
    "Civic Charter": {"credit": 40},
    "Ledger & Lathe": {"credit": 48},
    "Survey Society": {"credit": 38},
    "Tidewater Line": {"credit": 40, "energy-production": 2},
    "Spindle Works": {"credit": 30, "steel": 4, "energy": 3},
    "Heath & Hollow": {"credit": 37, "plant": 3, "heat": 5},
}


@pytest.mark.parametrize("name", sorted(STARTS))
def test_a_corporation_starts_with_what_is_printed_on_it(name):
    seed = next(n for n in range(200) if name in Planet.dealt(seed=n, options={"packs": "all"}).faces("0.offer"))
    scene = Planet.dealt(seed=seed, options={"packs": "all"})
    ann, _ = scene
    corporation = next(card.id for card in scene.table.lying("0.offer") if card.face == name)
    before = standing(scene, ann, name)
    ann.sends({"type": "start", "card": corporation, "cards": []})
    scene.expire()
    after = standing(scene, ann, name)
    assert {key: after[key] - before[key] for key in after if after[key] != before[key]} == STARTS[name]


def test_every_corporation_is_among_them():
    assert {name for name, card in GAME.cards.items() if card.type == "corporation"} == STARTS.keys()


@pytest.mark.parametrize(
    ("card", "has", "slots", "gains"),
    [
        ("Field Institute", {"energy": 1}, {}, {"energy": -1, "hand": 1}),
        ("Smeltery", {"energy": 4}, {}, {"energy": -4, "steel": 2, "oxygen": 1, "tr": 1}),
        ("Spore Hatchery", {}, {"choice": "grow"}, {"here": 1}),
        (with_("Spore Hatchery", microbe=2), {}, {"choice": "breathe"}, {"here": -2, "oxygen": 1, "tr": 1}),
        ("Frost Hares", {}, {}, {"here": 1}),
        ("Market Crane", {"steel": 1}, {"choice": "steel"}, {"steel": -1, "credit": 5}),
        ("Magneto Dome", {"heat": 8}, {"choice": "heat"}, {"heat": -8, "tr": 1}),
        ("Ledger & Lathe", {"credit": 3, "did": {"tr-raise": 1}}, {}, {"credit": -3, "tr": 1}),
    ],
    ids=str,
)
def test_an_action_does_what_is_printed_on_it(card, has, slots, gains):
    name = card if isinstance(card, str) else card.face
    scene = Planet(side(play=[card], **has), side())
    ann, _ = scene
    before = standing(scene, ann, name)
    ann.uses(name, **slots)
    after = standing(scene, ann, name)
    assert {key: after[key] - before[key] for key in after if after[key] != before[key]} == gains

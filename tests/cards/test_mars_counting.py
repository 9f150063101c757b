"""Mars: whatever can be counted, required, paid or worth a point, by a card made for it."""

from __future__ import annotations

from typing import get_args

import pytest

from cards.mars.counting import points
from cards.mars.schema import CountType, InputType, Stored, Tag
from tests.cards.planet import GAME, LAND, Planet, side, with_
from tests.cards.test_mars_cards import auto, card, manual

TILES = {
    LAND: ("city", 0),
    "hex.-2.-1": ("city", 1),
    "hex.3.0": ("greenery", 0),
    "hex.1.-4": "ocean",
    "orbit": ("city", 0),
}

COUNTED = {
    "tag": ({"tag": "plant"}, {"play": ["Lichen Drop"] * 2}, {}, 2),
    "city-tile": ({}, {}, {"tiles": TILES}, 3),
    "greenery-tile": ({}, {}, {"tiles": TILES}, 1),
    "ocean-tile": ({}, {}, {"tiles": TILES}, 1),
    "tile": ({"target": "self-player", "location": "mars"}, {}, {"tiles": TILES}, 2),
    "tr": ({}, {"tr": 24}, {}, 24),
    "card-hand": ({}, {"hand": ["Ore Skiff"] * 3}, {}, 3),
    **{name: ({}, {name: 5}, {}, 5) for name in ("credit", "steel", "titanium", "plant", "energy", "heat")},
    **{
        f"{name}-production": ({}, {f"{name}_production": 3}, {}, 3)
        for name in ("credit", "steel", "titanium", "plant", "energy", "heat")
    },
}


@pytest.mark.parametrize("kind", sorted(COUNTED))
def test_an_amount_can_be_multiplied_by_whatever_is_counted(kind):
    more, has, planet, count = COUNTED[kind]
    per = {"type": kind, **more}
    row = card("Count", auto({"type": "heat-production", "amount": 1, "per": per}))
    start = has.get("heat_production", 0)
    ann, _ = Planet(side(**{**has, "hand": [*has.get("hand", []), "Count"]}), side(), rows=[row], **planet)
    ann.plays("Count")
    assert ann.makes("heat") - start == count


def test_everything_that_can_be_counted_is_among_them():
    assert COUNTED.keys() | set(get_args(Stored)) == set(get_args(CountType))


@pytest.mark.parametrize("kind", get_args(Stored))
def test_an_amount_can_be_multiplied_by_what_lies_on_the_card(kind):
    row = card(
        "Farm",
        manual({"type": "credit", "amount": 2, "per": {"type": kind, "amount": 2}}),
        type="active",
        resourceStorage={"type": kind},
    )
    ann, _ = Planet(side(play=[with_("Farm", **{kind: 5})]), side(), rows=[row])
    ann.uses("Farm")
    assert ann.money == 4


@pytest.mark.parametrize(("target", "count"), [("self-player", 1), ("any-player", 3), ("opponent", 2), (None, 1)])
def test_tags_are_counted_of_whom_the_card_says(target, count):
    per = {"type": "tag", "tag": "space", **({"target": target} if target else {})}
    row = card("Count", auto({"type": "plant", "amount": 1, "per": per}))
    ann, _ = Planet(side(hand=["Count"], play=["Ore Skiff"]), side(play=["Ore Skiff", "Dock Union"]), rows=[row])
    ann.plays("Count")
    assert ann.has("plant") == count


@pytest.mark.parametrize(("location", "count"), [("anywhere", 3), ("mars", 2)])
def test_cities_are_counted_on_mars_or_anywhere(location, count):
    row = card("Count", auto({"type": "plant", "amount": 1, "per": {"type": "city-tile", "location": location}}))
    ann, _ = Planet(side(hand=["Count"]), side(), rows=[row], tiles=TILES)
    ann.plays("Count")
    assert ann.has("plant") == count


BEARERS = {
    "building": "Basalt Quarry",
    "space": "Ore Skiff",
    "science": "Deep Archive",
    "earth": "Ledger House",
    "power": "Dust-Glass Array",
    "plant": "Lichen Drop",
    "microbe": "Spore Hatchery",
    "jovian": "Gas Skimmers",
    "city": "Charter City",
    "animal": "Frost Hares",
}


@pytest.mark.parametrize("tag", get_args(Tag))
def test_every_tag_counts_while_its_card_is_in_play(tag):
    row = card("Count", auto({"type": "plant", "amount": 1, "per": {"type": "tag", "tag": tag}}))
    ann, _ = Planet(side(hand=["Count"], play=[BEARERS[tag]]), side(), rows=[row])
    ann.plays("Count")
    assert ann.has("plant") == (2 if tag == "science" else 1)  # the archive has two of them


def test_the_tags_of_an_event_count_while_it_is_played():
    row = card(
        "Count",
        auto({"type": "plant", "amount": 1, "per": {"type": "tag", "tag": "space"}}),
        type="event",
        tags=["space"],
    )
    ann, _ = Planet(side(hand=["Count"], events=["Thermal Lance"]), side(), rows=[row])
    ann.plays("Count")
    assert ann.has("plant") == 1


# prices

PRICES = {
    **{name: {name: 3} for name in ("credit", "steel", "titanium", "plant", "energy", "heat")},
    **{
        f"{name}-production": {f"{name}_production": 3}
        for name in ("credit", "steel", "titanium", "plant", "energy", "heat")
    },
}


@pytest.mark.parametrize("kind", sorted(PRICES))
def test_any_resource_or_production_can_be_the_price_of_an_action(kind):
    row = card("Deal", manual({"type": "tr", "amount": 1}, inputs=[{"type": kind, "amount": 3}]), type="active")
    scene = Planet(side(play=["Deal"], **PRICES[kind]), side(), rows=[row])
    ann, _ = scene
    ann.uses("Deal")
    name = kind.removesuffix("-production")
    assert ((ann.has(name) if kind == name else ann.makes(name)), ann.tr) == (0, 21)
    short = {key: value - 1 for key, value in PRICES[kind].items()}
    ann, _ = Planet(side(play=["Deal"], **short), side(), rows=[row])
    if kind != "credit-production":  # that one may fall below nothing
        assert ann.why("Deal") == ("production_floor" if kind != name else "cannot_afford")


@pytest.mark.parametrize("kind", ["animal", "microbe", "science"])
def test_what_lies_on_a_card_can_be_the_price_of_its_action(kind):
    row = card(
        "Deal",
        manual({"type": "tr", "amount": 1}, inputs=[{"type": kind, "amount": 2}]),
        type="active",
        resourceStorage={"type": kind},
    )
    ann, _ = Planet(side(play=[with_("Deal", **{kind: 2})]), side(), rows=[row])
    ann.uses("Deal")
    assert (ann.holds("Deal"), ann.tr) == (0, 21)
    ann, _ = Planet(side(play=[with_("Deal", **{kind: 1})]), side(), rows=[row])
    assert ann.why("Deal") == "cannot_afford"


def test_cards_can_be_the_price_of_an_action():
    row = card(
        "Deal", manual({"type": "tr", "amount": 1}, inputs=[{"type": "card-discard", "amount": 2}]), type="active"
    )
    scene = Planet(side(play=["Deal"], hand=["Ore Skiff", "Tap Line", "Smeltery"]), side(), rows=[row])
    ann, _ = scene
    ann.uses("Deal")
    ann.picks("Ore Skiff", "Smeltery", kind="discard")
    assert (ann.hand, ann.tr) == (["Tap Line"], 21)
    ann, _ = Planet(side(play=["Deal"], hand=["Ore Skiff"]), side(), rows=[row])
    assert ann.why("Deal") == "cannot_afford"


def test_a_card_that_is_being_played_cannot_be_discarded_for_itself():
    row = card("Deal", auto({"type": "tr", "amount": 1}, inputs=[{"type": "card-discard"}]))
    ann, _ = Planet(side(hand=["Deal"]), side(), rows=[row])
    assert ann.why("Deal") == "cannot_afford"


def test_every_price_is_among_them():
    assert {*PRICES, "animal", "microbe", "science", "card-discard"} == set(get_args(InputType))


def test_a_science_laid_by_is_worth_a_card():
    scene = Planet(side(hand=["Alloy Lab"], play=[with_("Seminar Hall", science=1)], credit=9), side())
    ann, _ = scene
    ann.plays("Alloy Lab")
    ann.does("choose", choice="publish")
    assert (ann.holds("Seminar Hall"), len(ann.hand)) == (0, 1)


def test_energy_and_heat_can_be_given_at_once():
    ann, _ = Planet(side(hand=["Melt Reserve"], credit=7, heat=5), side())
    ann.plays("Melt Reserve")
    assert (ann.has("energy"), ann.has("heat")) == (2, 8)


# requirements and points


@pytest.mark.parametrize(("oxygen", "why"), [(4, ""), (5, "requirement_oxygen")])
def test_a_requirement_may_be_at_most(oxygen, why):
    ann, _ = Planet(side(hand=["Quiet Reserve"], credit=9), side(), oxygen=oxygen)
    assert ann.why("Quiet Reserve") == why


@pytest.mark.parametrize(("temperature", "why"), [(-18, "requirement_temperature"), (-16, "")])
def test_a_requirement_may_be_of_warmth(temperature, why):
    ann, _ = Planet(side(hand=["Canopy Tents"], credit=9), side(), temperature=temperature)
    assert ann.why("Canopy Tents") == why


def worth(scene, name):
    return points(scene.match.look, 0, scene.table[scene.players[0].card(name, "tableau")])


@pytest.mark.parametrize(
    ("per", "worth_of"),
    [
        ({"type": "city-tile"}, 3),
        ({"type": "city-tile", "location": "mars"}, 2),
        ({"type": "ocean-tile"}, 1),
        ({"type": "greenery-tile", "target": "self-player"}, 1),
        ({"type": "tag", "tag": "jovian"}, 2),
        ({"type": "tag", "tag": "jovian", "amount": 2}, 1),
        ({"type": "city-tile", "adjacent": True}, 2),
    ],
)
def test_points_can_come_by_whatever_is_counted(per, worth_of):
    monument = auto({"type": "special-tile", "tile": "Monument"})
    row = card("Fame", monument, vpConditions=[{"amount": 1, "condition": "per", "per": per}])
    scene = Planet(
        side(play=[with_("Fame", tile="hex.-3.0"), "Moon Refinery", "Gas Skimmers"]), side(), rows=[row], tiles=TILES
    )
    assert worth(scene, "Fame") == worth_of


@pytest.mark.parametrize(
    ("card_name", "kind", "count", "value"),
    [
        ("Frost Hares", "animal", 5, 2),
        ("Moss Beds", "microbe", 3, 1),
        ("Moss Beds", "microbe", 2, 0),
        ("Life Probe", "science", 2, 3),
        ("Stockyards", "animal", 7, 2),
    ],
)
def test_points_can_come_by_what_lies_on_the_card(card_name, kind, count, value):
    assert worth(Planet(side(play=[with_(card_name, **{kind: count})]), side()), card_name) == value


@pytest.mark.parametrize(("tile", "at"), [("city", "hex.3.0"), ("greenery", "hex.3.0"), ("ocean", "hex.1.-3")])
def test_a_tile_can_be_told_to_lie_beside_any_kind(tile, at):
    row = card("Layer", auto({"type": "special-tile", "tile": "Depot", "tileRestrictions": {"adjacentTo": tile}}))
    scene = Planet(side(hand=["Layer"]), side(), rows=[row], tiles={at: tile if tile == "ocean" else (tile, 1)})
    ann, _ = scene
    ann.plays("Layer")
    beside = {key for key in GAME.board.next_to[at] if GAME.board.hexes[key].kind in ("land", "volcano")}
    assert set(ann.options("place", "hex")) == beside


def test_the_funds_count_tiles_and_greeneries():
    tiles = {LAND: ("greenery", 0), "hex.-4.1": ("city", 0), "hex.3.0": ("greenery", 0), "orbit": ("city", 0)}
    mine = side(hand=["Orchard Board", "Pasture Fund"], play=[with_("Frost Hares", animal=1)], credit=30)
    ann, _ = Planet(mine, side(), tiles=tiles)
    ann.plays("Orchard Board")
    ann.plays("Pasture Fund")
    assert (ann.has("plant"), ann.makes("credit")) == (2, 3)


def test_ratings_come_by_every_second_city():
    ann, _ = Planet(side(hand=["Regents' Charter"], credit=10, tr=25), side(), tiles=TILES)
    ann.plays("Regents' Charter")
    assert ann.tr == 26


def test_gulls_cost_somebody_income_and_bring_an_animal():
    tiles = {LAND: ("city", 0), "hex.3.0": ("city", 1)}
    scene = Planet(side(hand=["Sky Gulls"], play=["Frost Hares"], credit=9, credit_production=-5), side(), tiles=tiles)
    ann, bob = scene
    ann.plays("Sky Gulls")
    assert (ann.makes("credit"), bob.makes("credit"), ann.holds("Frost Hares")) == (-5, -1, 1)

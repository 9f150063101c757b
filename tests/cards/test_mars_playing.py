"""Mars: what a card does when it is played, how it is paid for, and what it requires."""

from __future__ import annotations

import pytest

from tests.cards.planet import LAND, Planet, side, with_

PLAIN = {"id": "T1", "name": "Plain", "type": "automated", "cost": 10}


def row(name="Plain", cost=10, *outputs, tags=(), **more):
    """A card that does this when it is played."""
    behaviors = [{"triggers": [{"type": "auto"}], "outputs": list(outputs) or [{"type": "credit", "amount": 1}]}]
    return {
        "id": name,
        "name": name,
        "type": "automated",
        "cost": cost,
        "tags": list(tags),
        "behaviors": behaviors,
        **more,
    }


# 5


def test_a_played_card_changes_production_takes_an_action_and_comes_to_lie_in_play():
    scene = Planet(side(hand=["Ledger House", "Ore Skiff"], credit=20), side())
    ann, _ = scene
    ann.plays("Ledger House")
    assert (ann.makes("credit"), ann.money) == (2, 13)
    assert (ann.play, ann.hand) == (["Ledger House"], ["Ore Skiff"])
    assert scene.actions == 1
    assert scene.waiting_for() == [ann]


def test_an_event_is_laid_aside_when_it_was_played():
    scene = Planet(side(hand=["Green Accord"], credit=8), side())
    ann, _ = scene
    ann.plays("Green Accord")
    assert (ann.tr, ann.play, scene.faces("0.events")) == (22, [], ["Green Accord"])


# 6


@pytest.mark.parametrize(("energy", "legal"), [(0, False), (1, True)])
def test_production_other_than_money_never_falls_below_nothing(energy, legal):
    scene = Planet(side(hand=["Vent Field"], credit=11, energy_production=energy), side())
    ann, _ = scene
    if legal:
        ann.plays("Vent Field")
        assert (ann.makes("energy"), ann.makes("heat")) == (0, 4)
    else:
        with scene.refused("production_floor"):
            ann.plays("Vent Field")
        assert ann.why("Vent Field") == "production_floor"


@pytest.mark.parametrize(("income", "legal"), [(-4, False), (-3, True)])
def test_production_of_money_falls_to_minus_5_and_no_lower(income, legal):
    costly = row("Costly", 1, {"type": "credit-production", "amount": -2})
    scene = Planet(side(hand=["Costly"], credit=9, credit_production=income), side(), rows=[costly])
    ann, _ = scene
    assert ann.may("play", "Costly") == legal
    if legal:
        ann.plays("Costly")
        assert ann.makes("credit") == -5
    else:
        with scene.refused("production_floor"):
            ann.plays("Costly")


def test_what_a_card_raises_itself_it_may_lower_too():
    scene = Planet(side(hand=["Tap Line"], credit=4), side())
    ann, _ = scene
    ann.plays("Tap Line")
    assert ann.makes("energy") == 0  # nobody else had any to lose


@pytest.mark.parametrize(("energy", "legal"), [(1, False), (2, True)])
def test_production_that_falls_by_tags_counts_the_card_itself(energy, legal):
    drain = row(
        "Drain",
        0,
        {"type": "energy-production", "amount": -1, "per": {"type": "tag", "tag": "power"}},
        tags=["power"],
    )
    ann, _ = Planet(side(hand=["Drain"], play=["Tap Line"], energy_production=energy), side(), rows=[drain])
    assert ann.may("play", "Drain") == legal
    if legal:
        ann.plays("Drain")
        assert ann.makes("energy") == 0


def test_production_that_falls_by_what_the_card_itself_builds_falls_as_far_as_it_can():
    smog = row(
        "Smog",
        0,
        {"type": "city-placement"},
        {"type": "plant-production", "amount": -1, "per": {"type": "city-tile"}},
    )
    ann, _ = Planet(side(hand=["Smog"]), side(), rows=[smog])
    ann.plays("Smog")
    ann.places(LAND)
    assert ann.makes("plant") == 0


# 7


@pytest.mark.parametrize(
    ("steel", "money", "left"), [(3, 4, 0), (5, 0, 0), (5, 3, 3), (6, 0, 0), (0, 10, 0), (4, 2, 0)], ids=str
)
def test_steel_pays_2_for_a_building_and_nothing_is_given_back(steel, money, left):
    scene = Planet(side(hand=["Ten"], credit=money, steel=6), side(), rows=[row("Ten", 10, tags=["building"])])
    ann, _ = scene
    ann.plays("Ten", steel=steel)
    assert (ann.money, ann.has("steel")) == (left + 1, 6 - steel)  # the card itself gives 1


def test_too_little_steel_beside_too_little_money_is_refused():
    scene = Planet(side(hand=["Ten"], credit=3, steel=6), side(), rows=[row("Ten", 10, tags=["building"])])
    ann, _ = scene
    with scene.refused("bad_number"):
        ann.plays("Ten", steel=3)
    with scene.refused("bad_number"):
        ann.plays("Ten", steel=7)
    ann.plays("Ten", steel=4)
    assert ann.money == 2


@pytest.mark.parametrize(("material", "tag"), [("steel", "building"), ("titanium", "space")])
def test_steel_pays_for_nothing_but_buildings_and_titanium_for_nothing_but_space(material, tag):
    rows = [row("Fits", 6, tags=[tag]), row("Misfit", 6, tags=["science"])]
    scene = Planet(side(hand=["Fits", "Misfit"], credit=6, **{material: 4}), side(), rows=rows)
    ann, _ = scene
    with scene.refused("bad_move"):
        ann.plays("Misfit", **{material: 1})
    ann.plays("Fits", **{material: 6 // (2 if material == "steel" else 3)})
    assert ann.money == 7
    ann.plays("Misfit")


def test_a_building_in_space_takes_both():
    station = row("Station", 20, tags=["building", "space"])
    scene = Planet(side(hand=["Station"], credit=7, steel=3, titanium=3), side(), rows=[station])
    ann, _ = scene
    with scene.refused("bad_number"):
        ann.plays("Station", steel=2, titanium=2)  # 4 + 6 + 7 is not enough
    ann.plays("Station", steel=2, titanium=3)
    assert (ann.money, ann.has("steel"), ann.has("titanium")) == (1, 1, 0)


def test_without_enough_of_anything_a_card_is_too_dear():
    scene = Planet(
        side(hand=["Station"], credit=4, steel=3, titanium=3),
        side(),
        rows=[row("Station", 20, tags=["building", "space"])],
    )
    ann, _ = scene
    assert ann.why("Station") == "cannot_afford"
    with scene.refused("cannot_afford"):
        ann.plays("Station")


# 8


def test_titanium_is_worth_more_by_a_modifier_and_modifiers_add_up():
    rows = [row("Twelve", 12, tags=["space"]), row("Ten", 10, tags=["space"])]
    scene = Planet(side(hand=["Twelve"], play=["Perihelion Freight"], titanium=3), side(), rows=rows)
    ann, _ = scene
    ann.plays("Twelve", titanium=3)
    scene = Planet(side(hand=["Ten"], play=["Perihelion Freight", "Alloy Lab"], titanium=2), side(), rows=rows)
    ann, _ = scene
    ann.plays("Ten", titanium=2)
    assert ann.has("titanium") == 0


# 9


def test_discounts_add_up_and_a_price_is_never_below_nothing():
    rows = [row("Rocket", 10, tags=["space"]), row("House", 10, tags=["building"]), row("Kite", 2, tags=["space"])]
    scene = Planet(
        side(hand=["Rocket", "House", "Kite"], play=["Dock Union", "Rim Settlement"], credit=30), side(), rows=rows
    )
    ann, _ = scene
    assert ann.price("play", "Rocket") == 7
    assert ann.price("play", "House") == 9
    assert ann.price("play", "Kite") == 0
    ann.plays("Kite")
    assert ann.money == 31


def test_a_discount_can_be_for_projects_and_conversions():
    ann, _ = Planet(side(play=["Turbine Guild", "Verdant Compact"], credit=30, plant=8), side())
    assert (ann.price("power_plant"), ann.price("asteroid"), ann.price("convert_plants")) == (8, 14, 7)


def test_projects_cost_what_is_printed_without_a_discount():
    ann, _ = Planet(side(play=["Courier Guild"], credit=30, plant=8, heat=8), side())
    prices = {name: ann.price(name) for name in ("power_plant", "asteroid", "aquifer", "greenery", "city")}
    assert prices == {"power_plant": 11, "asteroid": 14, "aquifer": 18, "greenery": 23, "city": 25}
    assert (ann.price("convert_plants"), ann.price("convert_heat")) == (8, 8)


# 10


def test_heat_counts_as_money_only_for_whoever_has_a_substitute():
    scene = Planet(side(hand=["Ten"], play=["Ember Combine"], credit=6, heat=5), side(), rows=[row("Ten", 10)])
    ann, _ = scene
    ann.plays("Ten", heat=4)
    assert (ann.money, ann.has("heat")) == (1, 1)
    scene = Planet(side(hand=["Ten"], credit=6, heat=5), side(), rows=[row("Ten", 10)])
    ann, _ = scene
    assert ann.why("Ten") == "cannot_afford"


def test_of_heat_no_more_is_taken_than_is_needed():
    scene = Planet(
        side(hand=["Ten"], play=["Ember Combine"], credit=10, heat=20, steel=4),
        side(),
        rows=[row("Ten", 10, tags=["building"])],
    )
    ann, _ = scene
    ann.plays("Ten", heat=10, steel=4)
    assert (ann.money, ann.has("heat"), ann.has("steel")) == (11, 18, 0)


def test_heat_pays_for_projects_milestones_and_awards_too():
    ann, _ = Planet(side(play=["Ember Combine"], credit=4, heat=30, tr=35), side())
    ann.does("asteroid", heat=14)
    assert (ann.money, ann.has("heat")) == (4, 16)
    ann.does("claim", milestone="steward", heat=4)
    assert (ann.money, ann.has("heat")) == (0, 12)


# 11


@pytest.mark.parametrize(
    ("temperature", "lenient", "legal"),
    [(-14, False, True), (-12, False, False), (-10, True, True), (-8, True, False)],
)
def test_what_a_card_requires_of_the_planet_may_be_off_by_two_steps_with_lenience(temperature, lenient, legal):
    play = ["Flexible Specs"] if lenient else []
    scene = Planet(side(hand=["Lichen Drop"], play=play, credit=6), side(), temperature=temperature)
    ann, _ = scene
    assert ann.may("play", "Lichen Drop") == legal
    if not legal:
        assert ann.why("Lichen Drop") == "requirement_temperature"
        with scene.refused("requirement_temperature"):
            ann.plays("Lichen Drop")


@pytest.mark.parametrize(("oxygen", "legal"), [(5, False), (6, True)])
def test_a_requirement_may_be_at_least(oxygen, legal):
    ann, _ = Planet(side(hand=["Frost Hares"], credit=8, plant_production=1), side(), oxygen=oxygen)
    assert ann.may("play", "Frost Hares") == legal
    assert ann.why("Frost Hares") == ("" if legal else "requirement_oxygen")


@pytest.mark.parametrize(("oceans", "legal"), [(4, True), (5, False)])
def test_a_requirement_may_be_of_oceans(oceans, legal):
    seas = ["hex.1.-4", "hex.2.-4", "hex.1.-3", "hex.3.-2", "hex.2.-1"]
    scene = Planet(
        side(hand=["Vent Field"], credit=11, energy_production=1), side(), tiles=dict.fromkeys(seas[:oceans], "ocean")
    )
    ann, _ = scene
    assert ann.why("Vent Field") == ("" if legal else "requirement_ocean")


# 12


def test_tags_count_of_the_corporation_and_of_cards_that_stayed_but_not_of_earlier_events():
    rows = [
        {
            "id": "C9",
            "name": "Lab Corp",
            "type": "corporation",
            "tags": ["science"],
            "behaviors": [
                {"triggers": [{"type": "auto-corporation-start"}], "outputs": [{"type": "credit", "amount": 9}]}
            ],
        }
    ]
    played = ["Lab Corp", "Field Institute"]
    ann, _ = Planet(
        side(hand=["Deep Archive"], play=played, events=["Think-Tank Session"], credit=20), side(), rows=rows
    )
    assert ann.why("Deep Archive") == "requirement_tags"
    ann, _ = Planet(side(hand=["Deep Archive"], play=[*played, "Alloy Lab"], credit=20), side(), rows=rows)
    ann.plays("Deep Archive")


def test_a_card_does_not_help_to_meet_its_own_requirement():
    ann, _ = Planet(side(hand=["Deep Archive"], play=["Alloy Lab"], credit=20), side())
    assert ann.why("Deep Archive") == "requirement_tags"


@pytest.mark.parametrize("missing", [None, "Lichen Drop", "Spore Hatchery", "Frost Hares"])
def test_three_tags_can_be_required_one_of_each(missing):
    played = [name for name in ("Lichen Drop", "Spore Hatchery", "Frost Hares") if name != missing]
    ann, _ = Planet(side(hand=["Triad Garden"], play=played, credit=20), side())
    assert ann.why("Triad Garden") == ("requirement_tags" if missing else "")


# 13


@pytest.mark.parametrize(("titanium", "legal"), [(0, False), (1, True)])
def test_production_can_be_required(titanium, legal):
    ann, _ = Planet(side(hand=["Moon Refinery"], credit=24, titanium_production=titanium), side())
    assert ann.why("Moon Refinery") == ("" if legal else "requirement_production")


@pytest.mark.parametrize(
    ("card", "code", "less", "enough"),
    [
        (
            "Sky Gulls",
            "requirement_city",
            {"tiles": {"hex.0.0": ("city", 1)}},
            {"tiles": {"hex.0.0": ("city", 1), "hex.3.1": ("city", 0)}},
        ),
        (
            "Orchard Board",
            "requirement_greenery",
            {"tiles": {"hex.0.0": ("greenery", 1)}},
            {"tiles": {"hex.0.0": ("greenery", 1), "hex.3.1": ("greenery", 0)}},
        ),
    ],
)
def test_tiles_can_be_required(card, code, less, enough):
    for tiles, why in ((less, code), (enough, "")):
        ann, _ = Planet(side(hand=[card], credit=24), side(), **tiles)
        assert ann.why(card) == why


@pytest.mark.parametrize(("numbers", "why"), [({"tr": 24}, "requirement_tr"), ({"tr": 25}, "")])
def test_a_rating_can_be_required(numbers, why):
    ann, _ = Planet(side(hand=["Regents' Charter"], credit=24, **numbers), side())
    assert ann.why("Regents' Charter") == why


@pytest.mark.parametrize(("heat", "why"), [(4, "requirement_resource"), (5, "")])
def test_resources_can_be_required(heat, why):
    ann, _ = Planet(side(hand=["Melt Reserve"], credit=24, heat=heat), side())
    assert ann.why("Melt Reserve") == why


def test_what_lies_on_cards_can_be_required():
    ann, _ = Planet(side(hand=["Pasture Fund"], play=[with_("Frost Hares", animal=1)], credit=24), side())
    assert ann.why("Pasture Fund") == ""
    ann, _ = Planet(side(hand=["Pasture Fund"], play=["Frost Hares"], credit=24), side())
    assert ann.why("Pasture Fund") == "requirement_resource"


# amounts that depend on something


def test_production_can_come_by_the_tags_of_opponents():
    scene = Planet(
        side(hand=["Toll Gate"], credit=11, play=["Ore Skiff"]),
        side(play=["Ore Skiff", "Dock Union"], events=["Thermal Lance"]),
    )
    ann, _ = scene
    ann.plays("Toll Gate")
    assert ann.makes("credit") == 2


@pytest.mark.parametrize(("plants", "made"), [(0, 0), (1, 1), (2, 1), (3, 2)])
def test_production_can_come_by_every_second_tag_this_one_included(plants, made):
    ann, _ = Planet(side(hand=["Harvest Fair"], play=["Lichen Drop"] * plants, credit=12), side(), oxygen=4)
    ann.plays("Harvest Fair")
    assert ann.makes("plant") == made


def test_production_can_come_by_cities_on_mars_whoever_owns_them():
    tiles = {"hex.0.0": ("city", 1), "hex.3.1": ("city", 0), "orbit": ("city", 0), "hex.-3.1": ("greenery", 0)}
    ann, _ = Planet(side(hand=["Skyline Fund"], credit=13), side(), tiles=tiles)
    ann.plays("Skyline Fund")
    assert ann.makes("credit") == 2


def test_an_amount_can_be_capped():
    ann, _ = Planet(side(hand=["Science Parley"], play=["Deep Archive"] * 4, credit=9), side())
    ann.plays("Science Parley")
    assert len(ann.hand) == 3  # nine tags are worth four, and three are the most


@pytest.mark.parametrize(
    ("card", "has", "makes"),
    [("Herd Ledger", ("credit", 3), ("credit", 2)), ("Flux Audit", ("credit", 2), ("heat", 4))],
)
def test_amounts_can_come_by_hands_ratings_resources_and_productions(card, has, makes):
    ann, _ = Planet(
        side(hand=[card, "Ore Skiff"], credit=11, energy=5, heat_production=1), side(heat_production=3, tr=20)
    )
    ann.plays(card)
    if card == "Herd Ledger":
        assert (ann.money, ann.makes("credit")) == (11 - 9 + 1, 2)
    else:
        assert (ann.money, ann.has("heat")) == (2, 4)

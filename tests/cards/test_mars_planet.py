"""Mars: the three tracks and their bonuses, tiles and where they may lie."""

from __future__ import annotations

import pytest

from tests.cards.planet import LAND, Planet, side

SEAS = ["hex.1.-4", "hex.2.-4", "hex.1.-3", "hex.3.-2", "hex.2.-1", "hex.1.0", "hex.2.0", "hex.-1.1", "hex.0.1"]
ALL_SEAS = dict.fromkeys(SEAS, "ocean")
FULL = {"temperature": 8, "oxygen": 14, "tiles": ALL_SEAS}


# 14


def test_a_step_of_temperature_raises_the_rating_and_some_give_heat_production():
    scene = Planet(side(credit=14), side(), temperature=-26)
    ann, _ = scene
    ann.does("asteroid")
    assert (scene.level("temperature"), ann.tr, ann.makes("heat")) == (-24, 21, 1)


def bolide(steps):
    return {
        "id": "T",
        "name": "Bolide",
        "type": "event",
        "cost": 0,
        "behaviors": [{"triggers": [{"type": "auto"}], "outputs": [{"type": "temperature", "amount": steps}]}],
    }


@pytest.mark.parametrize(("steps", "level", "bonuses"), [(1, -24, 1), (2, -22, 1), (3, -20, 2)])
def test_every_step_on_the_way_counts(steps, level, bonuses):
    scene = Planet(side(hand=["Bolide"]), side(), temperature=-26, rows=[bolide(steps)])
    ann, _ = scene
    ann.plays("Bolide")
    assert (scene.level("temperature"), ann.tr, ann.makes("heat")) == (level, 20 + steps, bonuses)


# 15


def test_oxygen_warms_the_planet_and_warmth_melts_an_ocean():
    scene = Planet(side(credit=23), side(), oxygen=7, temperature=-2)
    ann, _ = scene
    ann.does("greenery")
    ann.places(LAND)
    assert (scene.level("oxygen"), scene.level("temperature"), ann.tr) == (8, 0, 22)
    assert scene.waiting_for() == [ann]
    ann.places("hex.1.-4")
    assert (scene.level("oceans"), ann.tr) == (1, 23)
    assert scene.actions == 1


def test_oxygen_warms_the_planet_even_without_an_ocean_to_come():
    scene = Planet(side(credit=23), side(), oxygen=7)
    ann, _ = scene
    ann.does("greenery")
    ann.places(LAND)
    assert (scene.level("temperature"), ann.tr, scene.actions) == (-28, 22, 1)


# 16


def test_what_has_reached_its_goal_rises_no_more_and_the_rest_of_a_card_still_works():
    scene = Planet(side(hand=["Thermal Lance"], credit=60, heat=8), side(), **FULL)
    ann, _ = scene
    assert not ann.may("asteroid")
    with scene.refused("at_goal"):
        ann.does("asteroid")
    with scene.refused("at_goal"):
        ann.does("convert_heat")
    with scene.refused("at_goal"):
        ann.does("aquifer")
    ann.does("greenery")
    ann.places(LAND)
    assert (ann.tr, scene.tile(LAND)) == (20, ("Greenery", 0))
    ann.plays("Thermal Lance")
    assert (ann.tr, ann.has("titanium")) == (20, 1)


def test_a_card_that_warms_and_gives_plants_still_gives_them():
    warm = {
        **bolide(1),
        "behaviors": [
            {
                "triggers": [{"type": "auto"}],
                "outputs": [{"type": "temperature", "amount": 1}, {"type": "plant", "amount": 3}],
            }
        ],
    }
    scene = Planet(side(hand=["Bolide"]), side(), **FULL, rows=[warm])
    ann, _ = scene
    ann.plays("Bolide")
    assert (ann.tr, ann.has("plant")) == (20, 3)


# 17


def test_after_the_ninth_ocean_further_ones_vanish_and_the_card_can_be_played():
    scene = Planet(side(hand=["Double Thaw"], credit=22), side(), tiles=dict.fromkeys(SEAS[:8], "ocean"))
    ann, _ = scene
    ann.plays("Double Thaw")
    ann.places("hex.0.1")
    assert (scene.level("oceans"), ann.tr) == (9, 21)
    assert scene.actions == 1
    scene = Planet(side(hand=["Double Thaw"], credit=22), side(), tiles=ALL_SEAS)
    ann, _ = scene
    ann.plays("Double Thaw")
    assert (scene.level("oceans"), ann.tr, scene.actions) == (9, 20, 1)


def test_two_oceans_are_two_questions():
    scene = Planet(side(hand=["Double Thaw"], credit=22), side())
    ann, _ = scene
    ann.plays("Double Thaw")
    ann.places("hex.1.-4")
    assert scene.waiting_for() == [ann]
    assert "hex.1.-4" not in ann.options("place", "hex")
    with scene.refused("pending_decision"):
        ann.does("asteroid")
    ann.places("hex.2.-4")
    assert (ann.tr, scene.actions) == (22, 1)


# 18


def test_the_first_greenery_goes_anywhere_on_land_the_second_beside_what_one_owns():
    scene = Planet(side(credit=46), side())
    ann, _ = scene
    ann.does("greenery")
    land = ann.options("place", "hex")
    assert len(land) == 61 - 12 - 1
    assert "hex.1.-4" not in land  # kept for an ocean
    assert "hex.-1.0" not in land  # the gorge
    ann.places("hex.-3.1")
    ann.does("greenery")
    assert sorted(ann.options("place", "hex")) == sorted(
        ["hex.-2.1", "hex.-3.2", "hex.-4.2", "hex.-4.1", "hex.-3.0", "hex.-2.0"]
    )


def test_where_nothing_is_free_beside_what_one_owns_a_greenery_goes_anywhere():
    around = dict.fromkeys(["hex.-4.1", "hex.-3.0"], ("greenery", 1))
    scene = Planet(side(credit=23), side(), tiles={"hex.-4.0": ("greenery", 0), "hex.-3.-1": ("city", 1), **around})
    ann, _ = scene
    ann.does("greenery")
    assert len(ann.options("place", "hex")) == 48 - 4


def test_an_ocean_is_nobody_s_to_build_beside():
    scene = Planet(side(credit=23), side(), tiles={"hex.1.-4": "ocean", LAND: ("city", 0)})
    ann, _ = scene
    ann.does("greenery")
    assert set(ann.options("place", "hex")) == {"hex.-3.0", "hex.-3.-1", "hex.-4.1"}


# 19


def test_no_city_beside_a_city():
    scene = Planet(side(credit=25), side(), tiles={"hex.0.-1": ("city", 1)})
    ann, _ = scene
    ann.does("city")
    options = ann.options("place", "hex")
    assert not {"hex.1.-1", "hex.0.0", "hex.-1.-1", "hex.0.-2", "hex.1.-2", "hex.-1.0"} & set(options)
    with scene.refused("bad_target"):
        ann.places("hex.0.0")
    ann.places("hex.2.-2")
    assert (scene.tile("hex.2.-2"), ann.makes("credit")) == (("City", 0), 1)


def test_the_gorge_is_for_the_card_that_names_it_even_beside_a_city():
    tiles = {"hex.-1.-1": ("city", 1)}
    scene = Planet(side(hand=["Gorge City"], credit=25, energy_production=1), side(), tiles=tiles)
    ann, _ = scene
    ann.plays("Gorge City")
    assert scene.tile("hex.-1.0") == ("City", 0)  # the only place: nobody was asked
    assert ann.has("plant") == 2
    scene = Planet(side(credit=25), side())
    ann, _ = scene
    ann.does("city")
    assert "hex.-1.0" not in ann.options("place", "hex")


def test_a_second_gorge_city_finds_no_place_and_is_played_all_the_same():
    scene = Planet(side(hand=["Gorge City"], credit=25, energy_production=1), side(), tiles={"hex.-1.0": ("city", 1)})
    ann, _ = scene
    ann.plays("Gorge City")
    assert (ann.makes("credit"), scene.actions) == (3, 1)


# 20


def test_a_tile_beside_two_oceans_brings_4():
    scene = Planet(side(credit=25), side(), tiles={"hex.1.-4": "ocean", "hex.1.-3": "ocean"})
    ann, _ = scene
    ann.does("city")
    ann.places("hex.0.-3")
    assert ann.money == 4


def test_an_ocean_beside_an_ocean_brings_2():
    scene = Planet(side(credit=18), side(), tiles={"hex.1.-4": "ocean"})
    ann, _ = scene
    ann.does("aquifer")
    ann.places("hex.2.-4")
    assert (ann.money, len(ann.hand)) == (2, 1)  # and the card that is printed there


def test_what_is_printed_on_a_hex_is_given_once():
    scene = Planet(side(credit=25), side())
    ann, _ = scene
    ann.does("city")
    ann.places("hex.-2.0")
    assert ann.has("plant") == 2
    ann.does("power_plant") if ann.money >= 11 else ann.passes()
    assert ann.has("plant") == 2
    assert all("hex.-2.0" not in zone for zone in ann.options("place", "hex"))


# 21


def test_a_claimed_hex_is_only_for_whoever_claimed_it():
    scene = Planet(side(hand=["Stake Claim"], credit=26), side(credit=25))
    ann, bob = scene
    ann.plays("Stake Claim")
    ann.places("hex.2.-2")
    assert scene.tile("hex.2.-2") is None
    ann.passes()
    bob.does("city")
    assert "hex.2.-2" not in bob.options("place", "hex")
    bob.places("hex.-2.0")
    bob.passes()
    ann.does("city")
    ann.places("hex.2.-2")
    assert scene.tile("hex.2.-2") == ("City", 0)


def test_nobody_claims_what_is_claimed_or_kept_or_built_on():
    scene = Planet(
        side(hand=["Stake Claim"], credit=1), side(), tiles={"hex.2.-2": ("claim", 0), "hex.0.-1": ("city", 1)}
    )
    ann, _ = scene
    ann.plays("Stake Claim")
    options = ann.options("place", "hex")
    assert not {"hex.2.-2", "hex.0.-1", "hex.-1.0", "hex.1.-4"} & set(options)
    assert len(options) == 46


def test_next_to_nothing_means_next_to_no_tile_of_any_kind():
    tiles = {"hex.1.-4": "ocean", "hex.0.0": ("greenery", 0)}
    scene = Planet(side(hand=["Rim Settlement"], credit=16), side(), tiles=tiles)
    ann, _ = scene
    ann.plays("Rim Settlement")
    options = set(ann.options("place", "hex"))
    assert not options & {"hex.0.-4", "hex.0.-3", "hex.1.-1", "hex.0.-1", "hex.-1.1", "hex.0.1"}
    assert "hex.4.-3" in options


def test_without_an_isolated_hex_that_city_is_lost():
    tiles = {
        f"hex.{q}.{r}": ("greenery", 1)
        for q in range(-4, 5, 2)
        for r in range(-4, 5)
        if abs(q + r) <= 4 and f"hex.{q}.{r}" not in SEAS
    }
    scene = Planet(side(hand=["Rim Settlement"], credit=16), side(), tiles=tiles)
    ann, _ = scene
    ann.plays("Rim Settlement")
    assert (scene.actions, ann.play) == (1, ["Rim Settlement"])


def test_a_city_off_the_planet_is_in_play_and_has_no_neighbours():
    scene = Planet(side(hand=["Outer Moon Post"], play=["Glass Terrarium"], credit=19), side(play=["Civic Charter"]))
    ann, bob = scene
    ann.plays("Outer Moon Post")
    assert scene.faces("orbit") == ["City"]
    assert ann.holds("Glass Terrarium") == 1  # any city at all
    assert bob.makes("credit") == 0  # only those on Mars


def test_a_greenery_may_be_told_to_lie_where_an_ocean_belongs():
    tiles = {**dict.fromkeys(SEAS[:4], "ocean"), LAND: ("city", 0)}
    scene = Planet(side(hand=["Tidal Grove"], credit=14), side(), tiles=tiles)
    ann, _ = scene
    ann.plays("Tidal Grove")
    assert len(ann.options("place", "hex")) == 8
    ann.places("hex.1.0")
    assert (scene.tile("hex.1.0"), scene.level("oxygen"), scene.level("oceans")) == (("Greenery", 0), 1, 4)


def test_a_project_that_finds_no_place_is_not_offered():
    land = {f"hex.{q}.{r}": ("greenery", 1) for q in range(-4, 5) for r in range(-4, 5) if abs(q + r) <= 4}
    tiles = {
        key: tile for key, tile in land.items() if key not in SEAS and key not in ("hex.-1.2", "hex.-1.3", "hex.-1.4")
    }
    scene = Planet(side(credit=50, plant=8), side(), tiles=tiles)
    ann, _ = scene
    for kind in ("city", "greenery", "convert_plants"):
        with scene.refused("no_legal_hex"):
            ann.does(kind)
    assert ann.may("aquifer")

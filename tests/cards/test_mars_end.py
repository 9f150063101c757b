"""Mars: milestones and awards, the last greeneries, the score sheet and who has won."""

from __future__ import annotations

import pytest

from tests.cards.planet import LAND, Planet, side, with_

SEAS = ["hex.1.-4", "hex.2.-4", "hex.1.-3", "hex.3.-2", "hex.2.-1", "hex.1.0", "hex.2.0", "hex.-1.1", "hex.0.1"]


# 34


def test_after_the_third_milestone_the_rest_is_closed():
    scene = Planet(side(credit=16, tr=35), side(), milestones={"mason": 1, "founder": 1})
    ann, _ = scene
    ann.does("claim", milestone="steward")
    assert ann.money == 8
    with scene.refused("all_claimed"):
        ann.does("claim", milestone="archivist")


@pytest.mark.parametrize(
    ("goal", "less", "enough"),
    [
        ("steward", {"tr": 34}, {"tr": 35}),
        ("mason", {"play": ["Basalt Quarry"] * 7}, {"play": ["Basalt Quarry"] * 8}),
        ("archivist", {"hand": ["Basalt Quarry"] * 15}, {"hand": ["Basalt Quarry"] * 16}),
    ],
)
def test_a_milestone_must_be_reached(goal, less, enough):
    scene = Planet(side(credit=8, **less), side())
    with scene.refused("not_reached"):
        scene.players[0].does("claim", milestone=goal)
    ann, _ = Planet(side(credit=8, **enough), side())
    assert ann.options("claim", "milestone") == [goal]


@pytest.mark.parametrize(("goal", "tile"), [("founder", "city"), ("orchardist", "greenery")])
def test_a_milestone_may_count_tiles(goal, tile):
    places = ["hex.-4.0", "hex.-2.0", "hex.3.0"]
    scene = Planet(side(credit=8), side(), tiles=dict.fromkeys(places[:2], (tile, 0)) | {places[2]: (tile, 1)})
    assert not scene.players[0].may("claim")
    ann, _ = Planet(side(credit=8), side(), tiles=dict.fromkeys(places, (tile, 0)))
    assert ann.options("claim", "milestone") == [goal]


def test_awards_cost_8_then_14_then_20_and_then_there_are_no_more():
    scene = Planet(side(credit=42), side(passed=True))
    ann, _ = scene
    for price, award in ((8, "stoker"), (14, "scholar"), (20, "quarrier")):
        assert ann.price("fund") == price
        ann.does("fund", award=award)
    assert ann.money == 0
    with scene.refused("all_funded"):
        ann.does("fund", award="treasurer")


def ending(*sides, **planet):
    """A scene in which the planet is done and everybody passes."""
    tiles = {**dict.fromkeys(SEAS, "ocean"), **planet.pop("tiles", {})}
    return Planet(*sides, tiles=tiles, temperature=8, oxygen=14, **planet)


def all_pass(scene):
    while scene.phase == "action":
        scene.waiting_for()[0].passes()


def test_with_two_players_a_second_place_is_worth_nothing_and_a_tie_is_worth_5_each():
    scene = ending(side(heat=3, steel=2), side(heat=2, titanium=2), awards={"stoker": 1, "quarrier": 1})
    ann, bob = scene
    all_pass(scene)
    assert (ann.sheet["awards"], bob.sheet["awards"]) == (10, 5)


def test_with_three_players_the_second_gets_2_unless_the_first_place_is_shared():
    sides = [side(heat=3, steel=2), side(heat=2, titanium=2), side(heat=2)]
    scene = ending(*sides, awards={"stoker": 1, "quarrier": 1})
    all_pass(scene)
    assert [player.sheet["awards"] for player in scene] == [10, 7, 2]


def test_awards_count_tiles_on_mars_income_and_science():
    tiles = {LAND: ("city", 0), "hex.-4.1": ("greenery", 0), "hex.3.0": ("greenery", 1), "orbit": ("city", 1)}
    sides = side(credit_production=1), side(play=["Alloy Lab"], credit_production=3)
    scene = ending(*sides, tiles=tiles, awards={"landholder": 0, "treasurer": 0, "scholar": 1})
    ann, bob = scene
    all_pass(scene)
    assert (ann.sheet["awards"], bob.sheet["awards"]) == (5, 10)


# 35


def test_when_the_planet_is_done_the_generation_is_played_out_and_then_plants_may_still_grow():
    tiles = {LAND: ("city", 0)}
    scene = Planet(
        side(credit=14, plant=16, plant_production=1),
        side(),
        tiles={**dict.fromkeys(SEAS, "ocean"), **tiles},
        temperature=6,
        oxygen=14,
    )
    ann, bob = scene
    ann.does("asteroid")
    assert scene.level("temperature") == 8
    assert scene.waiting_for() == [ann]
    ann.passes()
    bob.passes()
    assert scene.waiting_for() == [ann]  # play goes on until all have passed
    ann.passes()
    assert (scene.phase, ann.has("plant"), scene.waiting_for()) == ("final", 17, [ann])
    assert {offer.type for offer in ann.offers()} == {"convert_plants", "pass"}
    with scene.refused("wrong_phase"):
        ann.does("asteroid")
    ann.does("convert_plants")
    ann.places("hex.-4.1")
    assert scene.waiting_for() == [ann]
    ann.does("convert_plants")
    ann.places("hex.-3.0")
    assert scene.match.over
    assert ann.sheet == {"tr": 21, "milestones": 0, "awards": 0, "greeneries": 2, "cities": 2, "cards": 0, "total": 25}
    assert scene.table.result.winners == (0,)
    assert scene.table.result.reason == "terraformed"


def test_the_last_greeneries_may_be_declined_and_go_around_from_the_first_player():
    scene = ending(side(plant=8), side(plant=8), first=1)
    ann, bob = scene
    all_pass(scene)
    assert scene.waiting_for() == [bob]
    bob.passes()
    assert scene.waiting_for() == [ann]
    ann.passes()
    assert scene.match.over


def test_the_sheet_adds_up():
    tiles = {LAND: ("city", 0), "hex.-4.1": ("greenery", 1), "hex.-3.0": ("greenery", 0), "orbit": ("city", 0)}
    played = [
        with_("Frost Hares", animal=5),
        with_("Burrow Wolves", animal=3),
        "Outer Moon Post",
        "Moon Refinery",
        "Tap Line",
        "Deep Archive",
    ]
    scene = ending(
        side(play=played, events=["Green Accord"], tr=30), side(), tiles=tiles, milestones={"mason": 0, "founder": 1}
    )
    ann, bob = scene
    all_pass(scene)
    # hares 2, wolves 3, two Jovian tags 2, refinery 1, line -1, archive 2, accord -2
    assert ann.sheet == {"tr": 30, "milestones": 5, "awards": 0, "greeneries": 1, "cities": 2, "cards": 7, "total": 45}
    assert bob.sheet["total"] == 20 + 5 + 1
    assert ann.view["seats"]["0"]["score"] == ann.sheet


@pytest.mark.parametrize(("money", "winners"), [((5, 4), (0,)), ((4, 5), (1,)), ((5, 5), ())])
def test_a_tie_is_broken_by_money_and_else_it_is_a_draw(money, winners):
    scene = ending(side(credit=money[0]), side(credit=money[1]))
    all_pass(scene)
    assert scene.table.result.winners == winners


def test_a_match_ends_after_the_generations_that_the_room_allows():
    scene = Planet(side(plant=8), side(), generation=2, options={"generations": 2})
    ann, bob = scene
    ann.passes()
    bob.passes()
    assert scene.phase == "final"
    ann.does("convert_plants")
    ann.places(LAND)
    assert scene.table.result.reason == "generations"
    assert (scene.level("oxygen"), ann.sheet["tr"]) == (1, 21)

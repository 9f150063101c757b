"""Mars: what the vocabulary has beyond the usual, each by a card of the extra pack."""

from __future__ import annotations

import pytest

from cards.mars.counting import points
from engine.lens import Lens
from engine.table import AUDIENCE
from tests.cards.planet import LAND, Planet, side, with_
from tests.cards.test_mars_cards import card, manual
from tests.cards.test_mars_end import all_pass, ending

OCEAN = {"hex.1.-4": "ocean"}


# special tiles, restrictions and neighbours


def test_a_special_tile_lies_where_its_card_says_and_belongs_to_its_player():
    scene = Planet(side(hand=["Quiet Reserve"], credit=9), side(), tiles=OCEAN)
    ann, _ = scene
    ann.plays("Quiet Reserve")
    assert "hex.0.-3" not in ann.options("place", "hex")  # beside the ocean
    ann.places(LAND)
    assert (scene.tile(LAND), ann.makes("credit"), scene.level("oxygen")) == (("Reserve", 0), 1, 0)


def test_a_tile_beside_an_ocean_is_worth_a_point_for_each():
    tiles = {"hex.1.-4": "ocean", "hex.1.-3": "ocean"}
    scene = Planet(side(hand=["Tide Works"], credit=16), side(), tiles=tiles)
    ann, _ = scene
    ann.plays("Tide Works")
    assert set(ann.options("place", "hex")) == {"hex.0.-4", "hex.0.-3", "hex.2.-3", "hex.0.-2", "hex.1.-2"}
    ann.places("hex.0.-3")
    assert (ann.makes("energy"), ann.money) == (1, 4)
    works = scene.table[ann.card("Tide Works", "tableau")]
    assert works.facts["tile"] == "hex.0.-3"


def test_points_can_come_by_what_lies_beside_the_tile_of_a_card():
    tiles = {LAND: ("Market", 0), "hex.-4.1": ("city", 1), "hex.-3.0": ("greenery", 1), "hex.-3.-1": ("city", 0)}
    scene = ending(side(play=[with_("Garden Market", tile=LAND)]), side(), tiles=tiles)
    ann, _ = scene
    all_pass(scene)
    assert ann.sheet["cards"] == 2
    assert ann.sheet["greeneries"] == 0


def test_a_city_can_be_worth_the_oceans_beside_it():
    tiles = {"hex.1.-4": "ocean", "hex.1.-3": "ocean", "hex.2.-4": "ocean", "hex.2.-1": "ocean"}
    scene = Planet(side(hand=["Bay Capital"], credit=26, energy_production=2), side(), tiles=tiles)
    ann, _ = scene
    ann.plays("Bay Capital")
    ann.places("hex.2.-3")
    assert points(scene.match.look, 0, scene.table[ann.card("Bay Capital", "tableau")]) == 2


def test_a_market_goes_beside_a_greenery():
    scene = Planet(side(hand=["Garden Market"], credit=12), side(), tiles={LAND: ("greenery", 1)})
    ann, _ = scene
    ann.plays("Garden Market")
    assert set(ann.options("place", "hex")) == {"hex.-4.1", "hex.-3.0", "hex.-3.-1"}


def test_a_pit_goes_on_metal_beside_what_one_owns():
    scene = Planet(side(hand=["Open Pit"], credit=10), side(), tiles={LAND: ("city", 0), "hex.3.-4": ("city", 1)})
    ann, _ = scene
    ann.plays("Open Pit")
    assert scene.tile("hex.-4.1") == (
        "Pit",
        0,
    )  # the only one: steel beside the city; metal beside Bob's is not for Ann
    assert (ann.has("steel"), ann.makes("steel")) == (1, 1)


def test_named_hexes_can_be_for_a_tile():
    scene = Planet(side(hand=["Caldera Works"], credit=14), side())
    ann, _ = scene
    ann.plays("Caldera Works")
    assert set(ann.options("place", "hex")) == {"hex.-1.-3", "hex.-1.-1", "hex.-3.2", "hex.-3.4"}


def test_an_ocean_can_be_told_to_lie_on_land():
    scene = Planet(side(hand=["Crater Lake"], credit=15), side())
    ann, _ = scene
    ann.plays("Crater Lake")
    assert LAND in ann.options("place", "hex")
    assert "hex.1.-4" not in ann.options("place", "hex")
    ann.places(LAND)
    assert (scene.tile(LAND), scene.level("oceans"), ann.tr) == (("Ocean", -1), 1, 21)


def test_a_city_can_be_told_to_lie_beside_two_others():
    tiles = {"hex.-4.0": ("city", 1), "hex.-2.-1": ("city", 0)}
    scene = Planet(side(hand=["Twin Boroughs"], credit=12), side(), tiles=tiles)
    ann, _ = scene
    ann.plays("Twin Boroughs")
    assert {key for key in ("hex.-3.0", "hex.-3.-1") if scene.tile(key) or key in ann.options("place", "hex")} == {
        "hex.-3.0",
        "hex.-3.-1",
    }


# money that may be paid in something else


def test_an_action_can_be_paid_in_titanium():
    scene = Planet(side(play=["Ice Haulers"], credit=3, titanium=4), side())
    ann, _ = scene
    with scene.refused("bad_number"):
        ann.uses("Ice Haulers", titanium=2)
    ann.uses("Ice Haulers", titanium=3)
    ann.places("hex.1.-4")
    assert (ann.money, ann.has("titanium"), scene.level("oceans")) == (0, 1, 1)


def test_an_action_can_be_paid_in_steel():
    ann, _ = Planet(side(play=["Well Drillers"], steel=5), side())
    ann.uses("Well Drillers", steel=5)
    assert (ann.has("steel"), ann.has("plant")) == (0, 3)
    ann, _ = Planet(side(play=["Well Drillers"], titanium=9), side())
    assert ann.why("Well Drillers") == "cannot_afford"


# choices with a guard, discards, the card just played, whatever lies there


@pytest.mark.parametrize(("tags", "choices"), [(2, ["thin"]), (3, ["thin", "rich"])])
def test_a_choice_can_have_a_requirement(tags, choices):
    scene = Planet(side(hand=["Nitrogen Fall"], play=["Lichen Drop"] * tags, credit=20), side())
    ann, _ = scene
    assert ann.options("play", "choice") == choices
    ann.plays("Nitrogen Fall", choice=choices[-1])
    assert ann.makes("plant") == (1 if tags == 2 else 3)


def test_a_card_can_be_the_price_of_a_card():
    scene = Planet(side(hand=["Alloy Lab", "Ore Skiff"], play=["Open University"], credit=9), side(), deck=["Smeltery"])
    ann, bob = scene
    ann.plays("Alloy Lab")
    ann.does("choose", choice="yes")
    assert ann.options("discard", "cards")
    ann.picks("Ore Skiff", kind="discard")
    assert (ann.hand, scene.faces("discard")) == (["Smeltery"], ["Ore Skiff"])
    assert "Ore Skiff" not in str(bob.view)


def test_what_costs_something_may_be_declined_and_is_not_offered_to_an_empty_hand():
    scene = Planet(side(hand=["Alloy Lab", "Ore Skiff"], play=["Open University"], credit=9), side())
    ann, _ = scene
    ann.plays("Alloy Lab")
    ann.passes()
    assert (ann.hand, scene.actions) == (["Ore Skiff"], 1)
    scene = Planet(side(hand=["Alloy Lab"], play=["Open University"], credit=9), side())
    ann, _ = scene
    ann.plays("Alloy Lab")
    assert scene.actions == 1


def test_money_can_be_the_price_of_a_passive():
    scene = Planet(side(hand=["Green Accord"], play=["Broker's Office"], credit=10), side())
    ann, _ = scene
    ann.plays("Green Accord")
    ann.does("choose", choice="yes")
    assert (ann.money, len(ann.hand)) == (0, 1)
    scene = Planet(side(hand=["Green Accord"], play=["Broker's Office"], credit=9), side())
    ann, _ = scene
    ann.plays("Green Accord")
    assert (ann.money, scene.actions) == (1, 1)  # nothing to pay with: nothing was asked


def test_a_passive_can_reach_the_card_that_set_it_off():
    scene = Planet(side(hand=["Moss Beds"], play=["Gene Splicers"], credit=4), side())
    ann, _ = scene
    ann.plays("Moss Beds")
    assert ann.options("choose", "choice") == ["plant", "microbe"]  # it holds no animals
    ann.does("choose", choice="microbe")
    assert ann.holds("Moss Beds") == 2  # and one from the start
    scene = Planet(side(hand=["Lichen Drop"], play=["Gene Splicers"], credit=6), side())
    ann, _ = scene
    ann.plays("Lichen Drop")
    assert ann.has("plant") == 1  # the card holds nothing: there was no choice


def test_one_more_of_whatever_lies_on_a_card():
    mine = [
        "Seed Cultures",
        with_("Frost Hares", animal=1),
        with_("Spore Hatchery", microbe=2),
        "Ranger Corps",
        with_("Moss Beds", microbe=5),
    ]
    scene = Planet(side(play=mine), side(play=[with_("Frost Hares", animal=1)]))
    ann, bob = scene
    ann.uses("Seed Cultures")
    assert {scene.table[id].face for id in ann.options("pick", "cards")} == {"Frost Hares", "Spore Hatchery"}
    ann.picks("Spore Hatchery")
    assert (ann.holds("Spore Hatchery"), bob.holds("Frost Hares")) == (3, 1)


def test_a_card_holds_no_more_than_it_can():
    scene = Planet(side(play=[with_("Moss Beds", microbe=5)]), side())
    ann, _ = scene
    ann.uses("Moss Beds")
    assert ann.holds("Moss Beds") == 5


def test_microbes_are_removed_from_any_card_or_none():
    scene = Planet(side(hand=["Creeping Blight"], credit=6), side(play=[with_("Spore Hatchery", microbe=3)]))
    ann, bob = scene
    ann.plays("Creeping Blight")
    ann.picks("Spore Hatchery")
    assert (bob.holds("Spore Hatchery"), ann.has("plant")) == (1, 2)


# amounts that the player chooses


@pytest.mark.parametrize("amount", [1, 3, 5])
def test_an_action_can_take_as_much_as_the_player_likes(amount):
    ann, _ = Planet(side(play=["Load Exchange"], energy=5), side())
    ann.uses("Load Exchange", amount=amount)
    assert (ann.has("energy"), ann.money) == (5 - amount, amount)


def test_no_more_than_there_is_and_not_nothing_at_all():
    scene = Planet(side(play=["Load Exchange"], energy=5), side())
    ann, _ = scene
    for amount in (0, 6):
        with scene.refused("bad_number"):
            ann.uses("Load Exchange", amount=amount)
    ann, _ = Planet(side(play=["Load Exchange"]), side())
    assert ann.why("Load Exchange") == "cannot_afford"


def test_what_is_taken_anyway_cannot_be_chosen_too():
    row = card(
        "Furnace",
        manual(
            {"type": "credit", "amount": 3, "variable": True},
            inputs=[{"type": "energy", "amount": 2}, {"type": "energy", "amount": 1, "variable": True}],
        ),
        type="active",
    )
    scene = Planet(side(play=["Furnace"], energy=5), side(), rows=[row])
    ann, _ = scene
    with scene.refused("bad_number"):
        ann.uses("Furnace", amount=4)
    ann.uses("Furnace", amount=3)
    assert (ann.has("energy"), ann.money) == (0, 9)
    ann, _ = Planet(side(play=["Furnace"], energy=2), side(), rows=[row])
    assert ann.why("Furnace") == "cannot_afford"


@pytest.mark.parametrize("amount", [0, 2])
def test_production_can_be_turned_into_another_by_as_many_steps_as_one_likes(amount):
    ann, _ = Planet(side(hand=["Lagged Shafts"], credit=2, heat_production=2), side())
    ann.plays("Lagged Shafts", amount=amount)
    assert (ann.makes("heat"), ann.makes("credit")) == (2 - amount, amount)


# modifiers for one card


def test_the_next_card_costs_less_and_only_that_one():
    scene = Planet(side(hand=["Debt Crew", "Flare Collector", "Flare Collector"], credit=24), side(passed=True))
    ann, _ = scene
    ann.plays("Debt Crew")
    assert ann.price("play", "Flare Collector") == 8
    ann.plays("Flare Collector")
    assert ann.price("play", "Flare Collector") == 16


def test_a_discount_for_the_next_card_ends_with_the_generation():
    scene = Planet(side(hand=["Debt Crew", "Flare Collector"], credit=24), side(passed=True))
    ann, bob = scene
    ann.plays("Debt Crew")
    ann.passes()
    ann.passes()
    scene.expire()
    bob.passes()
    assert ann.price("play", "Flare Collector") == 16


def test_the_next_card_may_be_off_by_two_steps():
    scene = Planet(
        side(hand=["Draft Waiver", "Frost Hares", "Frost Hares"], credit=40, plant_production=2),
        side(passed=True),
        oxygen=4,
    )
    ann, _ = scene
    assert ann.why("Frost Hares") == "requirement_oxygen"
    ann.plays("Draft Waiver")
    ann.plays("Frost Hares")
    assert ann.why("Frost Hares") == "requirement_oxygen"


# passives for everything that can happen


@pytest.mark.parametrize(
    ("card", "do", "whose", "gained"),
    [
        ("Cartographers", "city", 0, ("credit", 1)),
        ("Thermal Survey", "asteroid", 0, ("heat", 1)),
        ("Thermal Survey", "asteroid", 1, ("heat", 1)),
        ("Breath Ledger", "greenery", 1, ("credit", 2)),
        ("Breath Ledger", "greenery", 0, ("credit", 0)),
        ("Founders' Press", "asteroid", 0, ("credit", 1)),
        ("Founders' Press", "asteroid", 1, ("credit", 0)),
        ("Tidewater Line", "aquifer", 0, ("credit", 2)),
        ("Heath & Hollow", "greenery", 0, ("credit", 2)),
    ],
)
def test_whatever_happens_can_be_heard(card, do, whose, gained):
    money = {"city": 25, "asteroid": 14, "greenery": 23, "aquifer": 18}[do]
    sides = [side(play=[card]), side()]
    sides[whose] = side(play=[card] if whose == 0 else [], credit=money)
    scene = Planet(*sides, first=whose)
    actor = scene.players[whose]
    actor.does(do)
    if do != "asteroid":
        actor.places("hex.1.-4" if do == "aquifer" else LAND)
    resource, amount = gained
    assert scene.players[0].has(resource) == amount


@pytest.mark.parametrize(("card", "steel"), [("Basalt Quarry", 1), ("Ore Skiff", 1), ("Ledger House", 0)])
def test_rising_production_can_be_heard_by_its_kind(card, steel):
    ann, _ = Planet(side(hand=[card], play=["Overtime Shift"], credit=9), side())
    ann.plays(card)
    assert ann.has("steel") == steel


@pytest.mark.parametrize(
    ("card", "cheap", "dear"),
    [
        ("Standing Order", ("Green Accord", 6), ("Ledger House", 7)),
        ("Night Shift", ("Courier Guild", 18), ("Outer Moon Post", 19)),
        ("Clear Zoning", ("Outer Moon Post", 16), ("Courier Guild", 20)),
    ],
)
def test_what_is_always_on_bends_prices(card, cheap, dear):
    ann, _ = Planet(side(hand=[cheap[0], dear[0]], play=[card], credit=40), side())
    assert ann.price("play", cheap[0]) == cheap[1]
    assert ann.price("play", dear[0]) == dear[1]
    assert ann.price("city") == (22 if card == "Clear Zoning" else 25)


def test_building_cards_of_a_corporation_cost_less():
    ann, _ = Planet(side(hand=["Basalt Quarry", "Ledger House"], play=["Spindle Works"], credit=40), side())
    assert (ann.price("play", "Basalt Quarry"), ann.price("play", "Ledger House")) == (4, 7)


# what happened this generation, several actions, take and buy


@pytest.mark.parametrize(("did", "why"), [({}, "not_yet"), ({"ocean-placement": 1}, "")])
def test_an_action_can_ask_for_an_ocean_this_generation(did, why):
    ann, _ = Planet(side(play=["Claims Office"], did=did), side())
    assert ann.why("Claims Office") == why


@pytest.mark.parametrize(
    ("did", "choices"),
    [
        ({"greenery-placement": 1}, ["0"]),
        ({"city-placement": 1}, ["1"]),
        ({"greenery-placement": 2, "city-placement": 1}, ["0", "1"]),
    ],
)
def test_a_card_with_two_actions_is_used_for_one_of_them(did, choices):
    scene = Planet(side(play=["Grange Hall"], did=did), side())
    ann, _ = scene
    assert ann.options("use", "choice") == choices
    ann.uses("Grange Hall", choice=choices[-1])
    assert (ann.money, ann.has("plant")) == ((3, 0) if choices[-1] == "0" else (0, 2))
    assert ann.why("Grange Hall") == "already_used"


def test_tiles_are_remembered_for_the_generation():
    scene = Planet(side(play=["Grange Hall"], credit=48), side())
    ann, _ = scene
    ann.does("greenery")
    ann.places(LAND)
    assert ann.options("use", "choice") == ["0"]
    ann.uses("Grange Hall", choice="0")


def test_one_card_is_taken_and_others_are_bought():
    deck = ["Ore Skiff", "Smeltery", "Tap Line", "Alloy Lab", "Frost Hares"]
    scene = Planet(side(hand=["Claims Office"], credit=14), side(), deck=deck)
    ann, _ = scene
    ann.plays("Claims Office")
    ann.picks("Smeltery", kind="take")
    ann.picks("Tap Line", kind="buy")
    assert (sorted(ann.hand), ann.money) == (["Smeltery", "Tap Line"], 1)
    assert sorted(scene.faces("discard")) == ["Alloy Lab", "Ore Skiff"]


def test_an_amount_stored_can_be_multiplied():
    ann, _ = Planet(side(play=[with_("Stockyards", animal=5)]), side())
    ann.uses("Stockyards", choice="breed")
    assert ann.holds("Stockyards") == 7


# the custom hook


@pytest.mark.parametrize(("top", "found"), [("Spore Hatchery", 1), ("Ore Skiff", 0)])
def test_a_card_with_a_procedure_of_its_own(top, found):
    scene = Planet(side(play=["Life Probe"], credit=1), side(), deck=[top, "Tap Line"])
    ann, bob = scene
    ann.uses("Life Probe")
    assert (ann.holds("Life Probe"), ann.money, scene.faces("discard")) == (found, 0, [top])
    assert top not in str(bob.view)  # it was shown once, and then it was discarded


def test_what_is_revealed_is_told_to_everybody():
    scene = Planet(side(play=["Life Probe"], credit=1), side(), deck=["Spore Hatchery"])
    ann, _ = scene
    step = scene.match.act(0, {"type": "use", "card": ann.card("Life Probe", "tableau")})
    assert "Spore Hatchery" in str(Lens(scene.match.look, AUDIENCE).news(step))


@pytest.mark.parametrize(("science", "points"), [(0, 0), (1, 3), (4, 3)])
def test_points_can_be_capped(science, points):
    scene = ending(side(play=[with_("Life Probe", science=science)]), side())
    ann, _ = scene
    all_pass(scene)
    assert ann.sheet["cards"] == points

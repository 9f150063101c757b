"""Mars: actions of cards, passives and their order, stealing, removing and defending."""

from __future__ import annotations

import pytest

from engine.errors import Fault
from tests.cards.planet import LAND, Planet, side, with_

# 22


def test_a_blue_card_is_used_once_a_generation_and_again_in_the_next():
    scene = Planet(side(play=["Smeltery"], energy=8, energy_production=4), side(passed=True))
    ann, bob = scene
    ann.uses("Smeltery")
    assert (ann.has("energy"), ann.has("steel"), scene.level("oxygen")) == (4, 2, 1)
    assert ann.why("Smeltery") == "already_used"
    with scene.refused("already_used"):
        ann.uses("Smeltery")
    ann.passes()
    ann.passes()
    scene.expire()
    assert scene.generation == 4
    bob.passes()
    ann.uses("Smeltery")
    assert ann.has("steel") == 4


@pytest.mark.parametrize("buys", [True, False])
def test_a_card_looked_at_is_bought_for_3_or_discarded(buys):
    scene = Planet(side(play=["Patent Scouts"], credit=3), side(), deck=["Ore Skiff", "Smeltery"])
    ann, bob = scene
    ann.uses("Patent Scouts")
    assert "Ore Skiff" in str(ann.view["cards"])
    assert "Ore Skiff" not in str(bob.view)
    ann.picks(*(["Ore Skiff"] if buys else []), kind="buy")
    assert (ann.hand, ann.money) == ((["Ore Skiff"], 0) if buys else ([], 3))
    assert scene.faces("discard") == ([] if buys else ["Ore Skiff"])
    assert scene.faces("0.draft") == []


def test_a_card_looked_at_cannot_be_bought_without_money():
    scene = Planet(side(play=["Patent Scouts"], credit=2), side())
    ann, _ = scene
    ann.uses("Patent Scouts")
    with scene.refused("bad_count"):
        ann.picks("Ledger House", kind="buy")
    ann.picks(kind="buy")
    assert ann.money == 2


def test_of_three_cards_looked_at_one_is_taken():
    scene = Planet(
        side(hand=["Think-Tank Session"], credit=4), side(), deck=["Ore Skiff", "Smeltery", "Tap Line", "Alloy Lab"]
    )
    ann, _ = scene
    ann.plays("Think-Tank Session")
    with scene.refused("bad_count"):
        ann.picks(kind="take")
    with scene.refused("bad_target"):
        ann.picks("Alloy Lab", kind="take")
    ann.picks("Smeltery", kind="take")
    assert ann.hand == ["Smeltery"]
    assert sorted(scene.faces("discard")) == ["Ore Skiff", "Tap Line"]
    assert scene.faces("deck") == ["Alloy Lab"]


# 23


def test_a_branch_that_cannot_be_paid_for_is_not_offered():
    scene = Planet(side(play=[with_("Spore Hatchery", microbe=1)]), side())
    ann, _ = scene
    assert ann.options("use", "choice") == ["grow"]
    with scene.refused("bad_target"):
        ann.uses("Spore Hatchery", choice="breathe")
    ann.uses("Spore Hatchery", choice="grow")
    assert ann.holds("Spore Hatchery") == 2
    scene = Planet(side(play=[with_("Spore Hatchery", microbe=2)]), side())
    ann, _ = scene
    ann.uses("Spore Hatchery", choice="breathe")
    assert (ann.holds("Spore Hatchery"), scene.level("oxygen"), ann.tr) == (0, 1, 21)


def test_a_production_can_be_the_price_of_a_branch():
    scene = Planet(side(play=["Magneto Dome"], energy_production=1, heat=7), side())
    ann, _ = scene
    assert ann.options("use", "choice") == ["dynamo"]
    ann.uses("Magneto Dome", choice="dynamo")
    assert (ann.makes("energy"), ann.tr) == (0, 21)
    ann, _ = Planet(side(play=["Magneto Dome"], heat=8), side())
    ann.uses("Magneto Dome", choice="heat")
    assert (ann.has("heat"), ann.tr) == (0, 21)
    ann, _ = Planet(side(play=["Magneto Dome"], heat=7), side())
    assert ann.why("Magneto Dome") == "production_floor"


@pytest.mark.parametrize("sold", ["steel", "titanium", "plant"])
def test_one_of_three_can_be_sold(sold):
    ann, _ = Planet(side(play=["Market Crane"], **{sold: 1}), side())
    assert ann.options("use", "choice") == [sold]
    ann.uses("Market Crane", choice=sold)
    assert (ann.has(sold), ann.money) == (0, 5)


# 24


def test_a_passive_hears_any_player_or_only_its_own_as_it_says():
    tiles = {LAND: ("city", 0)}
    scene = Planet(side(play=["Glass Terrarium", "Ranger Corps"], credit=1), side(credit=48), tiles=tiles, first=1)
    ann, bob = scene
    bob.does("city")
    bob.places("hex.3.1")
    assert ann.holds("Glass Terrarium") == 1
    bob.does("greenery")
    bob.places("hex.3.0")
    assert ann.holds("Ranger Corps") == 0


def test_an_ocean_of_anybody_waters_the_pumps():
    scene = Planet(side(play=["Shore Pumps"]), side(credit=18), first=1)
    ann, bob = scene
    bob.does("aquifer")
    bob.places("hex.1.-4")
    assert ann.has("plant") == 2


def test_passives_speak_for_the_active_player_first_then_around_the_table_each_in_the_order_played():
    scene = Planet(
        side(play=["Glass Terrarium"]),
        side(play=["Civic Charter", "Cartographers"], credit=25),
        side(play=["Glass Terrarium", "Civic Charter"]),
        first=1,
    )
    _, bob, _ = scene
    bob.does("city")
    heard = []
    spoken = type(scene.match.game).effects
    speak = spoken.speak

    def listen(ctx, word):
        if ctx.event is not None and word.name == ctx.event.kind:
            heard.append((ctx.seat, ctx.card.face))
        speak(ctx, word)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spoken, "speak", listen)
        bob.places("hex.3.1")
    assert heard == [
        (1, "Cartographers"),
        (1, "Civic Charter"),
        (2, "Glass Terrarium"),
        (2, "Civic Charter"),
        (0, "Glass Terrarium"),
    ]


# 25


def test_a_passive_on_tags_fires_once_for_each_of_them():
    scene = Planet(side(hand=["Deep Archive"], play=["Alloy Lab"] * 3 + ["Seminar Hall"], credit=13), side())
    ann, _ = scene
    ann.plays("Deep Archive")
    assert scene.waiting_for() == [ann]  # after the first one there is a choice
    ann.does("choose", choice="learn")
    assert ann.holds("Seminar Hall") == 2


def tagged(includes_self):
    condition = {"type": "tag-played", "selectors": [{"tags": ["science"]}], "includesSelf": includes_self}
    behavior = {"triggers": [{"type": "auto", "condition": condition}], "outputs": [{"type": "credit", "amount": 2}]}
    return {
        "id": "T",
        "name": "Academy",
        "type": "active",
        "cost": 5,
        "tags": ["science", "science"],
        "behaviors": [behavior],
    }


@pytest.mark.parametrize(("includes_self", "gained"), [(True, 4), (False, 0)])
def test_whether_a_card_hears_its_own_tags_is_said_on_it(includes_self, gained):
    ann, _ = Planet(side(hand=["Academy"], credit=5), side(), rows=[tagged(includes_self)])
    ann.plays("Academy")
    assert ann.money == gained


def test_seminar_hall_hears_itself():
    ann, _ = Planet(side(hand=["Seminar Hall"], credit=9), side())
    ann.plays("Seminar Hall")
    assert ann.holds("Seminar Hall") == 1


def test_a_space_event_is_heard_by_its_type_and_its_tag_together():
    ann, _ = Planet(
        side(hand=["Thermal Lance", "Brine Breach", "Ore Skiff"], play=["Storm Chasers"], credit=60), side()
    )
    ann.plays("Thermal Lance")
    assert (ann.money, ann.has("heat")) == (60 - 13 + 2, 2)
    ann.plays("Ore Skiff")
    assert ann.has("heat") == 2


# 26


def test_a_printed_cost_is_what_counts_and_projects_have_one_too():
    scene = Planet(
        side(hand=["Courier Guild", "Flare Collector"], play=["Ledger & Lathe", "Courier Guild"], credit=50), side()
    )
    ann, _ = scene
    ann.plays("Courier Guild")  # printed 20, now 18
    assert ann.money == 50 - 18 + 4
    ann.plays("Flare Collector")
    assert ann.money == 36 - 12


@pytest.mark.parametrize(("project", "gained"), [("asteroid", 0), ("aquifer", 0), ("greenery", 4), ("city", 4)])
def test_projects_of_20_or_more_are_heard(project, gained):
    scene = Planet(side(play=["Ledger & Lathe"], credit=25), side())
    ann, _ = scene
    price = ann.price(project)
    ann.does(project)
    if project != "asteroid":
        ann.places("hex.1.-4" if project == "aquifer" else LAND)
    assert ann.money == 25 - price + gained


# 27


def test_a_thief_gets_what_there_is():
    ann, bob = Planet(side(hand=["Raid Fleet"], credit=2), side(credit=2, steel=5))
    ann.plays("Raid Fleet", choice="money")
    assert (ann.money, bob.money) == (2, 0)
    ann, bob = Planet(side(hand=["Raid Fleet"], credit=2), side(credit=2, steel=5))
    ann.plays("Raid Fleet", choice="steel")
    assert (ann.has("steel"), bob.has("steel")) == (2, 3)


def test_with_several_to_steal_from_one_is_chosen():
    scene = Planet(side(hand=["Raid Fleet"], credit=2), side(credit=3), side(credit=9))
    ann, bob, cy = scene
    ann.plays("Raid Fleet", choice="money")
    assert ann.options("player", "seat") == [1, 2]
    ann.aims(cy)
    assert (ann.money, bob.money, cy.money) == (3, 3, 6)


def locusts(amount):
    return {
        "id": "T",
        "name": "Locusts",
        "type": "event",
        "cost": 0,
        "behaviors": [
            {"triggers": [{"type": "auto"}], "outputs": [{"type": "plant", "amount": amount, "target": "any-player"}]}
        ],
    }


@pytest.mark.parametrize("amount", [8, -8])
def test_removing_takes_what_there_is_whatever_its_sign(amount):
    scene = Planet(side(hand=["Locusts"]), side(plant=5), rows=[locusts(amount)])
    ann, bob = scene
    ann.plays("Locusts")
    ann.aims(bob)
    assert bob.has("plant") == 0


def test_removing_may_be_declined_and_may_hit_oneself():
    scene = Planet(side(hand=["Locusts", "Locusts"], plant=3), side(plant=5), rows=[locusts(2)])
    ann, bob = scene
    ann.plays("Locusts")
    assert ann.options("player", "seat") == [0, 1]
    ann.passes()
    assert (ann.has("plant"), bob.has("plant")) == (3, 5)
    ann.plays("Locusts")
    ann.aims(ann)
    assert (ann.has("plant"), bob.has("plant")) == (1, 5)


def test_nobody_is_asked_when_nobody_else_has_anything_to_lose():
    scene = Planet(side(hand=["Locusts"], plant=3), side(), rows=[locusts(2)])
    ann, _ = scene
    ann.plays("Locusts")
    assert (ann.has("plant"), scene.actions) == (3, 1)


def test_defence_keeps_plants_animals_and_microbes_from_opponents_and_from_nobody_else():
    guarded = ["Warded Domes", with_("Frost Hares", animal=2), with_("Spore Hatchery", microbe=2)]
    rows = [locusts(2)]
    scene = Planet(
        side(hand=["Locusts", "Creeping Blight"], play=["Burrow Wolves"], credit=6),
        side(play=guarded, plant=5),
        rows=rows,
    )
    ann, bob = scene
    ann.plays("Locusts")
    assert (bob.has("plant"), scene.actions) == (5, 1)  # nobody to hit: nothing was asked
    ann.plays("Creeping Blight")
    assert bob.holds("Spore Hatchery") == 2
    scene = Planet(side(play=["Burrow Wolves", *guarded]), side())
    ann, _ = scene
    ann.uses("Burrow Wolves")  # one's own herd is never out of reach
    assert (ann.holds("Burrow Wolves"), ann.holds("Frost Hares")) == (1, 1)


def test_defence_of_one_card_does_not_defend_another():
    theirs = [with_("Glass Terrarium", animal=3), with_("Frost Hares", animal=1)]
    scene = Planet(side(play=["Burrow Wolves"]), side(play=theirs))
    ann, bob = scene
    ann.uses("Burrow Wolves")
    assert (bob.holds("Glass Terrarium"), bob.holds("Frost Hares")) == (3, 0)


# 28


def test_a_predator_takes_from_any_card_but_an_empty_or_a_defended_one_or_itself():
    theirs = [with_("Frost Hares", animal=1), "Ranger Corps", with_("Glass Terrarium", animal=2)]
    mine = [with_("Burrow Wolves", animal=1), with_("Ranger Corps", animal=1)]
    scene = Planet(side(play=mine), side(play=theirs))
    ann, bob = scene
    ann.uses("Burrow Wolves")
    names = {scene.table[id].face for id in ann.options("pick", "cards")}
    assert names == {"Frost Hares", "Ranger Corps"}
    assert len(ann.options("pick", "cards")) == 2
    ann.picks("Frost Hares")
    assert (ann.holds("Burrow Wolves"), bob.holds("Frost Hares")) == (2, 0)


def test_a_predator_without_prey_is_not_offered():
    scene = Planet(side(play=[with_("Burrow Wolves", animal=1)]), side(play=["Frost Hares"]))
    ann, _ = scene
    assert ann.why("Burrow Wolves") == "no_target"
    with scene.refused("no_target"):
        ann.uses("Burrow Wolves")


# 29


def test_a_rating_can_be_bought_only_after_it_rose_this_generation():
    scene = Planet(side(play=["Ledger & Lathe"], credit=40), side(passed=True))
    ann, bob = scene
    assert ann.why("Ledger & Lathe") == "not_yet"
    with scene.refused("not_yet"):
        ann.uses("Ledger & Lathe")
    ann.does("asteroid")
    ann.uses("Ledger & Lathe")
    assert (ann.tr, ann.money) == (22, 40 - 14 - 3)
    ann.passes()
    scene.expire()
    bob.passes()
    assert (scene.generation, ann.why("Ledger & Lathe")) == (4, "not_yet")


# forced losses and other targets


def test_a_production_that_must_fall_must_be_somebody_s():
    scene = Planet(side(hand=["Frost Hares"], credit=8), side(), oxygen=6)
    ann, _ = scene
    assert ann.why("Frost Hares") == "no_target"
    scene = Planet(side(hand=["Frost Hares"], credit=8), side(plant_production=1), oxygen=6)
    ann, bob = scene
    ann.plays("Frost Hares")
    assert bob.makes("plant") == 0  # the only one who could lose it: nobody was asked
    scene = Planet(side(hand=["Frost Hares"], credit=8, plant_production=1), side(plant_production=1), oxygen=6)
    ann, bob = scene
    ann.plays("Frost Hares")
    ann.aims(ann)
    assert (ann.makes("plant"), bob.makes("plant")) == (0, 1)


def test_animals_go_to_a_card_that_holds_animals():
    scene = Planet(
        side(hand=["Orbital Ferry"], play=["Frost Hares", "Ranger Corps", "Spore Hatchery"], credit=21), side()
    )
    ann, _ = scene
    ann.plays("Orbital Ferry", choice="animals")
    ann.places("hex.1.-4")
    assert {scene.table[id].face for id in ann.options("pick", "cards")} == {"Frost Hares", "Ranger Corps"}
    ann.picks("Ranger Corps")
    assert (ann.holds("Ranger Corps"), len(ann.hand)) == (2, 1)


def test_animals_with_nowhere_to_go_are_lost():
    scene = Planet(side(hand=["Orbital Ferry"], credit=21), side())
    ann, _ = scene
    ann.plays("Orbital Ferry", choice="animals")
    ann.places("hex.1.-4")
    assert (scene.actions, len(ann.hand)) == (1, 1)


def test_a_placement_bonus_is_heard_by_whoever_placed_the_tile():
    scene = Planet(side(play=["Halcyon Drillworks"], credit=50), side(play=["Halcyon Drillworks"]))
    ann, bob = scene
    ann.does("city")
    ann.places("hex.4.-4")  # two steel: one bonus
    assert (ann.makes("steel"), ann.has("steel"), bob.makes("steel")) == (1, 2, 0)
    ann.does("city")
    ann.places("hex.-2.0")  # plants
    assert ann.makes("steel") == 1


def passive(name, event, **does):
    """A blue card that hears what anybody does."""
    trigger = {"type": "auto", "condition": {"type": event, "target": "any-player"}}
    return {"id": name, "name": name, "type": "active", "behaviors": [{"triggers": [trigger], **does}]}


@pytest.mark.parametrize(("made", "left", "gained"), [(0, 0, 0), (1, 0, 2)])
def test_a_passive_that_lowers_production_does_nothing_where_it_cannot_fall(made, left, gained):
    smog = passive(
        "Smog",
        "city-placed",
        outputs=[{"type": "plant-production", "amount": -1}, {"type": "steel", "amount": 2}],
    )
    ann, _ = Planet(side(play=["Smog"], credit=25, plant_production=made), side(), rows=[smog])
    ann.does("city")
    ann.places(LAND)
    assert (ann.makes("plant"), ann.has("steel")) == (left, gained)


@pytest.mark.parametrize(("did", "gained"), [({}, 0), ({"ocean-placement": 1}, 2)])
def test_a_passive_can_ask_for_something_done_this_generation(did, gained):
    estuary = passive(
        "Estuary",
        "city-placed",
        outputs=[{"type": "steel", "amount": 2}],
        generationalEventRequirements=[{"event": "ocean-placement"}],
    )
    ann, _ = Planet(side(play=["Estuary"], credit=25, did=did), side(), rows=[estuary])
    ann.does("city")
    ann.places(LAND)
    assert ann.has("steel") == gained


# loops


def echo(name, includes_self):
    condition = {"type": "production-increased", "includesSelf": includes_self}
    behavior = {
        "triggers": [{"type": "auto", "condition": condition}],
        "outputs": [{"type": "steel-production", "amount": 1}],
    }
    return {"id": name, "name": name, "type": "active", "cost": 0, "behaviors": [behavior]}


def test_a_card_does_not_hear_what_it_does_itself_unless_it_says_so():
    scene = Planet(side(play=["Echo"], credit=11), side(), rows=[echo("Echo", includes_self=False)])
    ann, _ = scene
    ann.does("power_plant")
    assert ann.makes("steel") == 1


@pytest.mark.parametrize("cards", [["Loop"], ["Echo", "Other"]])
def test_cards_that_would_set_each_other_off_for_ever_are_stopped_and_nothing_has_happened(cards):
    rows = [echo("Loop", includes_self=True), echo("Echo", includes_self=False), echo("Other", includes_self=False)]
    scene = Planet(side(play=cards, credit=25), side(), rows=rows)
    ann, _ = scene
    before = scene.hash
    with pytest.raises(Fault, match="never come to rest"):
        ann.does("power_plant")
    assert scene.hash == before
    ann.does("asteroid")

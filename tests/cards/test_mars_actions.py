"""Mars: actions of cards, branches and their prices, stealing, removing and defending."""

from __future__ import annotations

import pytest

from tests.cards.planet import Planet, side, with_

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

"""Passives: what cards hear, whose, in which order, and how often."""

from __future__ import annotations

import pytest

from engine.errors import Fault
from tests.cards.planet import LAND, Planet, side

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

"""Mars: turns and generations, income, what all choose in secret, and whoever leaves."""

from __future__ import annotations

from collections import Counter

import pytest

from cards.mars.rules import Mars
from engine.errors import Refused
from engine.lens import Lens
from engine.table import AUDIENCE
from tests.cards.planet import GAME, LAND, Planet, side
from tests.cards.test_mars_cards import card


def nobody_buys(scene):
    """Everybody answers what all are asked, with nothing."""
    scene.expire()


# 30


def test_two_actions_end_a_turn_but_not_while_a_tile_is_still_to_be_placed():
    scene = Planet(side(credit=60), side())
    ann, bob = scene
    ann.does("power_plant")
    assert (scene.waiting_for(), scene.actions) == ([ann], 1)
    ann.does("aquifer")
    assert scene.waiting_for() == [ann]
    with scene.refused("not_asked"):
        bob.passes() if bob.offers() else bob.sends({"type": "pass"})
    ann.places("hex.1.-4")
    assert (scene.waiting_for(), scene.actions) == ([bob], 2)


def test_after_one_action_a_turn_can_be_ended_without_leaving_the_generation():
    scene = Planet(side(credit=60), side(credit=60))
    ann, bob = scene
    ann.does("power_plant")
    assert not ann.may("pass")
    ann.passes()
    assert scene.waiting_for() == [bob]
    bob.does("power_plant")
    bob.passes()
    assert (scene.waiting_for(), scene.actions) == ([ann], 2)


def test_whoever_passes_with_two_actions_left_is_out_and_the_other_goes_on_alone():
    scene = Planet(side(credit=60), side(credit=60))
    ann, bob = scene
    ann.passes()
    for _ in range(3):
        bob.does("power_plant")
        assert scene.waiting_for() == [bob]
    bob.does("power_plant")
    assert (scene.waiting_for(), scene.actions) == ([bob], 2)
    with scene.refused("not_your_turn"):
        ann.sends({"type": "asteroid"})
    bob.passes()
    assert (scene.generation, scene.phase) == (4, "research")


def test_whoever_runs_out_of_time_passes_and_a_pending_tile_goes_to_the_first_hex():
    scene = Planet(side(credit=60), side())
    ann, bob = scene
    ann.does("aquifer")
    scene.expire()
    assert scene.tile("hex.1.-4") == ("Ocean", -1)
    scene.expire()
    assert scene.waiting_for() == [bob]
    scene.expire()
    assert scene.waiting_for() == [ann]


# 31


def test_income_turns_energy_into_heat_first():
    scene = Planet(
        side(
            energy=3,
            energy_production=2,
            heat=1,
            heat_production=1,
            credit=4,
            credit_production=-2,
            tr=21,
            plant_production=1,
            steel_production=2,
            titanium_production=3,
        ),
        side(passed=True),
    )
    ann, _ = scene
    ann.passes()
    assert (ann.has("heat"), ann.has("energy")) == (5, 2)
    assert ann.money == 4 + 21 - 2
    assert [ann.has(name) for name in ("plant", "steel", "titanium")] == [1, 2, 3]


# 32


def researching(**more):
    deck = [
        "Ore Skiff",
        "Smeltery",
        "Tap Line",
        "Alloy Lab",
        "Frost Hares",
        "Moon Refinery",
        "Gas Skimmers",
        "Vent Field",
    ]
    scene = Planet(side(passed=True, **more), side(credit=80, tr=20), deck=[*deck, "Ledger House"], first=1)
    scene.players[1].passes()
    assert scene.phase == "research"
    return scene


def test_research_is_secret_and_waits_for_everybody():
    scene = researching(credit=50)
    ann, bob = scene
    assert scene.waiting_for() == [ann, bob]
    mine = {scene.table[id].face for id in ann.options("buy", "cards")}
    assert mine == {"Ore Skiff", "Smeltery", "Tap Line", "Alloy Lab"}
    watching = Lens(scene.match.look, AUDIENCE)
    for view in (bob.view, watching.whole()):
        assert not any(face in str(view["cards"]) for face in mine)
        assert view["zones"]["0.draft"] == {"n": 4}
    ann.picks("Ore Skiff", "Alloy Lab", kind="buy")
    assert scene.waiting_for() == [bob]
    for view in (bob.view, watching.whole()):
        assert view["zones"]["0.draft"] == {"n": 4}
        assert view["zones"]["0.hand"] == {"n": 0}
        assert view["seats"]["0"]["credit"] == 70  # what was bought is not paid for before all have chosen
    bob.picks(kind="buy")
    assert sorted(ann.hand) == ["Alloy Lab", "Ore Skiff"]
    assert (ann.money, len(bob.hand), scene.phase) == (70 - 6, 0, "action")
    assert watching.whole()["zones"]["0.hand"] == {"n": 2}
    assert Counter(scene.faces("discard")) == Counter(
        ["Smeltery", "Tap Line", "Frost Hares", "Moon Refinery", "Gas Skimmers", "Vent Field"]
    )


def test_four_cards_cannot_be_bought_for_11():
    scene = Planet(side(passed=True, credit_production=-5, tr=16), side(), first=1)
    ann, bob = scene
    bob.passes()
    assert ann.money == 11
    with scene.refused("bad_count"):
        ann.picks(*ann.options("buy", "cards"), kind="buy")
    ann.picks(*ann.options("buy", "cards")[:3], kind="buy")
    bob.picks(kind="buy")
    assert (ann.money, len(ann.hand)) == (2, 3)


def test_heat_buys_cards_too_where_it_counts_as_money():
    scene = Planet(
        side(passed=True, play=["Ember Combine"], credit_production=-5, tr=9, heat_production=8), side(), first=1
    )
    ann, bob = scene
    bob.passes()
    assert (ann.money, ann.has("heat")) == (4, 8)
    cards = ann.options("buy", "cards")[:4]
    with scene.refused("bad_number"):
        ann.sends({"type": "buy", "cards": cards, "heat": 7})
    ann.sends({"type": "buy", "cards": cards, "heat": 8})
    bob.picks(kind="buy")
    assert (ann.money, ann.has("heat"), len(ann.hand)) == (0, 0, 4)


def test_the_start_is_chosen_in_secret_and_revealed_together():
    scene = Planet.dealt()
    ann, bob = scene
    assert scene.waiting_for() == [ann, bob]
    before = bob.view
    corporation = ann.offers("start")[0]
    ann.sends({"type": "start", "card": corporation.card, "cards": list(corporation.slots[0].from_[:2])})
    after = bob.view
    assert {key for key in before if before[key] != after[key]} == {"turn"}  # only that somebody has answered
    scene.expire()
    name = scene.table[corporation.card].face
    assert (ann.play, len(ann.hand)) == ([name], 2)
    assert name in str(bob.view)
    assert (scene.generation, scene.phase) == (1, "action")
    assert sum(len(scene.faces(f"{seat}.{zone}")) for seat in (0, 1) for zone in ("draft", "offer")) == 0


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_table_for_so_many_deals_corporations_and_cards_to_everybody(seats):
    scene = Planet.dealt(seats=seats)
    for player in scene:
        assert len(scene.faces(f"{player.seat}.offer")) == (2 if seats < 4 else 1)
        assert len(scene.faces(f"{player.seat}.draft")) == 10
    nobody_buys(scene)
    assert all(len(player.play) == 1 and player.tr == 20 for player in scene)


def test_cards_at_the_start_are_paid_for_out_of_what_the_corporation_starts_with():
    seed = next(n for n in range(50) if "Perihelion Freight" in Planet.dealt(seed=n).faces("0.offer"))
    scene = Planet.dealt(seed=seed)
    ann, _ = scene
    offer = next(one for one in ann.offers("start") if scene.table[one.card].face == "Perihelion Freight")
    assert offer.slots[0].most == 8  # 26 M€
    with scene.refused("bad_count"):
        ann.sends({"type": "start", "card": offer.card, "cards": list(offer.slots[0].from_[:9])})
    ann.sends({"type": "start", "card": offer.card, "cards": list(offer.slots[0].from_[:8])})
    scene.expire()
    assert (ann.money, ann.has("titanium"), len(ann.hand)) == (2, 8, 8)


def test_a_first_action_comes_before_anything_else():
    scene = Planet(side(play=["Civic Charter"], hand=["Ore Skiff"], credit=40, forced=True), side())
    ann, _ = scene
    assert [offer.type for offer in ann.offers()] == ["first"]
    assert ann.why("Ore Skiff") == "first_action"
    with scene.refused("first_action"):
        ann.does("asteroid")
    with scene.refused("illegal"):
        ann.sends({"type": "pass"})
    ann.sends({"type": "first", "card": ann.card("Civic Charter", "tableau")})
    ann.places(LAND)
    assert (scene.actions, ann.makes("credit")) == (1, 1)
    ann.plays("Ore Skiff")


def test_a_first_action_may_draw_cards():
    scene = Planet(side(play=["Survey Society"], credit=40, forced=True), side())
    ann, _ = scene
    scene.expire()
    assert len(ann.hand) == 3


# 33


def test_the_first_player_alternates_and_research_goes_by_it():
    scene = Planet(side(), side())
    ann, bob = scene
    for generation, first in ((4, bob), (5, ann), (6, bob)):
        for player in (first, *(p for p in scene if p is not first)):
            other = ann if player is bob else bob
            (other if scene.waiting_for() == [other] else player).passes()
        assert scene.generation == generation
        nobody_buys(scene)
        assert scene.waiting_for() == [first]


def test_discards_are_shuffled_into_an_empty_deck():
    deck, thrown = ["Ore Skiff"] * 6, ["Smeltery"] * 5
    scene = Planet(side(passed=True), side(), deck=deck, discard=thrown, first=1)
    _, bob = scene
    bob.passes()
    drafts = Counter(scene.faces("0.draft") + scene.faces("1.draft"))
    assert drafts == {"Ore Skiff": 6, "Smeltery": 2}
    assert (len(scene.faces("deck")), scene.faces("discard")) == (3, [])


def test_when_there_are_no_cards_at_all_nobody_is_dealt_any():
    scene = Planet(side(passed=True), side(), deck=["Ore Skiff"], first=1)
    _, bob = scene
    bob.passes()
    assert [len(scene.faces(f"{seat}.draft")) for seat in (0, 1)] == [1, 0]
    nobody_buys(scene)
    assert scene.phase == "action"


# whoever leaves


def test_of_two_whoever_leaves_has_lost():
    scene = Planet(side(), side())
    scene.match.resign(0)
    assert scene.table.result.winners == (1,)


def test_of_three_the_others_play_on_around_what_was_built():
    scene = Planet(side(credit=60), side(credit=60), side(credit=60), tiles={LAND: ("city", 0)})
    ann, bob, cy = scene
    ann.does("aquifer")
    scene.match.resign(0)
    assert scene.waiting_for() == [bob]
    assert scene.tile(LAND) == ("City", 0)
    bob.passes()
    cy.passes()
    assert scene.waiting_for() == [bob, cy]
    scene.match.resign(1)
    assert scene.table.result.winners == (2,)
    assert scene.table.result.ranking == ((2,), (0, 1))


def test_somebody_who_leaves_while_all_are_asked_buys_nothing():
    scene = Planet(side(credit=60, passed=True), side(credit=60, passed=True), side(credit=60), first=2)
    ann, _, cy = scene
    cy.passes()
    scene.match.resign(1)
    assert scene.waiting_for() == [ann, cy]
    nobody_buys(scene)
    assert scene.phase == "action"
    assert scene.waiting_for() == [ann]


def test_when_the_first_player_leaves_before_anything_began_the_next_one_begins():
    scene = Planet.dealt(seats=3, first=1)
    ann, bob, cy = scene
    scene.match.resign(1)
    assert scene.waiting_for() == [ann, cy]
    nobody_buys(scene)
    assert scene.waiting_for() == [cy]
    for player in (cy, ann):
        if player.may("first"):
            scene.expire()
            scene.expire()
        else:
            player.passes()
    while scene.phase == "action":
        scene.expire()
    assert scene.generation == 2
    assert bob not in scene.waiting_for()
    nobody_buys(scene)
    assert scene.waiting_for() == [cy]


def watchers():
    """Three at a table; Bob's card may turn a steel into plants whenever a city is placed."""
    condition = {"type": "city-placed", "target": "any-player"}
    paid = {"inputs": [{"type": "steel", "amount": 1}], "outputs": [{"type": "plant", "amount": 3}]}
    row = card("Watcher", {"triggers": [{"type": "auto", "condition": condition}], **paid}, type="active")
    return Planet(side(credit=60), side(play=["Watcher"], steel=2), side(credit=30), rows=[row])


def test_whoever_leaves_while_asked_on_another_s_turn_leaves_that_turn_as_it_is():
    scene = watchers()
    ann, bob, cy = scene
    ann.does("city")
    ann.places(LAND)
    assert scene.waiting_for() == [bob]
    scene.match.resign(1)
    assert (scene.waiting_for(), scene.actions) == ([ann], 1)
    ann.passes()
    assert scene.waiting_for() == [cy]


def test_the_cards_of_somebody_who_left_hear_nothing():
    scene = watchers()
    ann, bob, _ = scene
    scene.match.resign(1)
    ann.does("city")
    ann.places(LAND)
    assert (scene.waiting_for(), scene.actions) == ([ann], 1)
    assert bob.has("steel") == 2


def test_what_others_have_to_say_to_the_last_deed_of_somebody_who_left_is_still_said():
    scene = watchers()
    ann, bob, cy = scene
    ann.does("city")
    ann.places(LAND)
    scene.match.resign(0)
    assert scene.waiting_for() == [bob]
    bob.does("choose", choice="yes")
    assert (bob.has("plant"), scene.waiting_for(), scene.actions) == (3, [bob], 2)
    bob.passes()
    cy.passes()
    assert scene.phase == "research"


def test_whoever_leaves_in_the_middle_of_a_move_does_not_finish_it():
    scene = Planet(side(hand=["Double Thaw"], credit=22), side(), side())
    ann, bob, _ = scene
    ann.plays("Double Thaw")
    ann.places("hex.1.-4")
    scene.match.resign(0)
    assert (scene.level("oceans"), scene.waiting_for()) == (1, [bob])


def test_whoever_leaves_while_looking_at_cards_discards_them():
    scene = Planet(side(hand=["Think-Tank Session"], credit=4), side(), side(), deck=["Ore Skiff"] * 3)
    ann, bob, _ = scene
    ann.plays("Think-Tank Session")
    scene.match.resign(0)
    assert (scene.faces("0.draft"), scene.faces("discard")) == ([], ["Ore Skiff"] * 3)
    assert scene.waiting_for() == [bob]


def test_whoever_leaves_before_the_last_greeneries_grows_none():
    scene = Planet(side(plant=8), side(plant=8), side(plant=8), temperature=8, oxygen=14, oceans=9)
    ann, bob, _ = scene
    for player in scene:
        player.passes()
    assert (scene.phase, scene.waiting_for()) == ("final", [ann])
    scene.match.resign(0)
    assert scene.waiting_for() == [bob]
    scene.match.resign(2)
    assert scene.table.result.ranking == ((1,), (0, 2))


def test_a_question_of_the_start_goes_with_whoever_leaves_and_the_match_begins():
    start = {"triggers": [{"type": "auto-corporation-start"}], "outputs": [{"type": "ocean-placement"}]}
    scene = Planet.dealt(
        game=Mars([card(f"Delta {n}", start, type="corporation", pack="core", id=f"delta{n}") for n in range(40)]),
        seats=3,
    )
    ann, bob, _ = scene
    for player in scene:
        offer = next(offer for offer in player.offers("start") if scene.table[offer.card].face.startswith("Delta"))
        player.sends({"type": "start", "card": offer.card, "cards": []})
    assert scene.waiting_for() == [ann]
    scene.match.resign(0)
    assert scene.waiting_for() == [bob]
    bob.places("hex.1.-4")
    scene.expire()
    assert (scene.phase, scene.level("oceans"), scene.waiting_for()) == ("action", 2, [bob])


# options


@pytest.mark.parametrize("temperature", [-29, 7, 9, -32])
def test_a_temperature_is_one_of_the_steps(temperature):
    with pytest.raises(Refused) as no:
        GAME.read_options({"temperature": temperature})
    assert no.value.code == "bad_option"


def test_a_short_match_starts_further_on():
    scene = Planet.dealt(options={"temperature": -10, "oxygen": 8, "oceans": 5})
    assert [scene.level(track) for track in ("temperature", "oxygen", "oceans")] == [-10, 8, 5]
    seas = [key for key in scene.table.zones if key.startswith("hex.") and scene.tile(key)]
    assert len(seas) == 5
    assert all(player.tr == 20 for player in scene)


def test_all_packs_play_with_more_cards():
    core, every = (Planet.dealt(options={"packs": packs}) for packs in ("core", "all"))
    assert len(core.faces("deck")) == 110 - 20
    assert len(every.faces("deck")) > len(core.faces("deck"))

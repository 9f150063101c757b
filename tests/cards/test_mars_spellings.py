"""Mars: the same card can be written down in several ways; each is read, and does what it says."""

from __future__ import annotations

import pytest

from cards.mars.aliases import PLURALS, TYPES
from cards.mars.rules import Mars
from tests.cards.planet import LAND, Planet, side
from tests.cards.test_mars_cards import auto, card, manual


def test_a_requirement_may_be_written_as_an_object():
    heating = card(
        "Well Heat",
        auto(
            {"type": "energy-production", "amount": 1, "target": "self-player"},
            {"type": "temperature", "amount": 1, "target": "none"},
        ),
        cost=13,
        tags=["power", "building"],
        requirements={"tags": {"science": {"min": 3}}},
    )
    ann, _ = Planet(side(hand=["Well Heat"], credit=13), side(), rows=[heating])
    assert ann.why("Well Heat") == "requirement_tags"
    scene = Planet(side(hand=["Well Heat"], play=["Alloy Lab"] * 3, credit=13), side(), rows=[heating])
    ann, _ = scene
    ann.plays("Well Heat")
    assert (ann.makes("energy"), scene.level("temperature"), ann.tr) == (1, -28, 21)


@pytest.mark.parametrize(
    ("needs", "planet", "why"),
    [
        ({"oxygen": {"min": 4}}, {"oxygen": 3}, "requirement_oxygen"),
        ({"oxygen": {"max": 4}}, {"oxygen": 4}, ""),
        ({"temperature": {"max": -20}}, {"temperature": -18}, "requirement_temperature"),
        ({"oceans": {"min": 1}}, {}, "requirement_ocean"),
        ({"production": {"titanium": {"min": 1}}}, {}, "requirement_production"),
        ({"resource": {"plants": {"min": 2}}}, {}, "requirement_resource"),
        ({"cities": 1}, {}, "requirement_city"),
        ({"greeneries": {"min": 1}}, {}, "requirement_greenery"),
        ({"tr": {"min": 20}}, {}, ""),
        ({"items": [{"type": "oceans", "max": 2}], "description": "At most 2 oceans."}, {}, ""),
    ],
)
def test_an_object_of_requirements_means_the_list(needs, planet, why):
    ann, _ = Planet(
        side(hand=["Needy"]), side(), rows=[card("Needy", auto({"type": "heat"}), requirements=needs)], **planet
    )
    assert ann.why("Needy") == why


def test_targets_may_be_left_out():
    supplier = card(
        "Supplier", auto({"type": "energy-production", "amount": 1}, {"type": "credits", "amount": 4}), cost=10
    )
    ann, _ = Planet(side(hand=["Supplier"], credit=10), side(), rows=[supplier])
    ann.plays("Supplier")
    assert (ann.makes("energy"), ann.money) == (1, 4)


def test_an_action_without_targets():
    works = card(
        "Foundry",
        manual(
            {"type": "steel", "amount": 2}, {"type": "oxygen", "amount": 1}, inputs=[{"type": "energy", "amount": 4}]
        ),
        type="active",
    )
    scene = Planet(side(play=["Foundry"], energy=4), side(), rows=[works])
    ann, _ = scene
    ann.uses("Foundry")
    assert (ann.has("energy"), ann.has("steel"), scene.level("oxygen"), ann.tr) == (0, 2, 1, 21)


@pytest.mark.parametrize(("target", "mine", "theirs"), [("any-player", 2, 2), ("self-player", 2, 0), (None, 2, 0)])
def test_a_passive_on_an_automated_card_hears_cities(target, mine, theirs):
    condition = {"type": "city-placed", "location": "anywhere", **({"target": target} if target else {})}
    rovers = card(
        "Rovers",
        {"triggers": [{"type": "auto", "condition": condition}], "outputs": [{"type": "credits", "amount": 2}]},
    )
    for first, gained in ((0, mine), (1, theirs)):
        scene = Planet(side(play=["Rovers"], credit=25), side(credit=25), rows=[rovers], first=first)
        builder = scene.players[first]
        builder.does("city")
        builder.places(LAND)
        assert scene.players[0].money == (0 if first == 0 else 25) + gained


def test_an_ocean_and_a_rating_by_their_short_names():
    water = card(
        "Water",
        auto({"type": "ocean", "amount": 1}, {"type": "tr", "amount": 1}),
        type="event",
        requirements={"tags": {"jovian": {"min": 1}}},
    )
    scene = Planet(side(hand=["Water"], play=["Gas Skimmers"]), side(), rows=[water])
    ann, _ = scene
    ann.plays("Water")
    ann.places("hex.1.-4")
    assert (scene.level("oceans"), ann.tr) == (1, 22)


def test_choices_with_ids_and_microbes_on_another_card():
    designed = card(
        "Designed",
        {
            "triggers": [{"type": "auto"}],
            "choices": [
                {
                    "id": "plant-production",
                    "description": "Two steps",
                    "outputs": [{"type": "plants-production", "amount": 2}],
                },
                {
                    "id": "add-microbes",
                    "description": "Three",
                    "outputs": [{"type": "microbes", "amount": 3, "target": "other-card"}],
                },
            ],
        },
    )
    ann, _ = Planet(side(hand=["Designed"]), side(), rows=[designed])
    ann.plays("Designed", choice="plant-production")
    assert ann.makes("plant") == 2
    ann, _ = Planet(side(hand=["Designed"], play=["Spore Hatchery"]), side(), rows=[designed])
    ann.plays("Designed", choice="add-microbes")
    assert ann.holds("Spore Hatchery") == 3


@pytest.mark.parametrize("plural", sorted(PLURALS))
def test_plurals_are_read_as_singulars(plural):
    single = PLURALS[plural]
    if single in ("animal", "microbe"):
        row = card("Many", auto({"type": plural, "amount": 2}), type="active", resourceStorage={"type": plural})
        ann, _ = Planet(side(hand=["Many"]), side(), rows=[row])
        ann.plays("Many")
        assert ann.holds("Many") == 2
        return
    ann, _ = Planet(side(hand=["Many"]), side(), rows=[card("Many", auto({"type": plural, "amount": 2}))])
    ann.plays("Many")
    kind = single.removesuffix("-production")
    assert (ann.makes(kind) if single != kind else ann.has(kind)) == 2


def probe(**more):
    """A card with a procedure of its own, also flagged as such."""
    shows = {"custom": {"do": "reveal_top", "with": {"tag": "space", "resource": "science"}}}
    trigger = {"triggers": [{"type": "manual"}]}
    return {
        **card("Probe", {**trigger, **shows}, type="active", resourceStorage={"type": "science"}),
        "custom": True,
        **more,
    }


def test_a_card_may_be_flagged_as_one_with_a_procedure_of_its_own():
    ann, _ = Planet(side(play=["Probe"]), side(), deck=["Ore Skiff"], rows=[probe()])
    ann.uses("Probe")
    assert ann.holds("Probe") == 1
    (mistake,) = Mars([probe(behaviors=[])]).mistakes
    assert mistake == 'own Probe Probe: custom: no behavior names its procedure; write {"custom": {"do": …}} in one'


def test_cards_are_drawn_under_their_short_name():
    assert TYPES["cards"] == "card-draw"
    ann, _ = Planet(side(hand=["Two"]), side(), rows=[card("Two", auto({"type": "cards", "amount": 2}))])
    ann.plays("Two")
    assert len(ann.hand) == 2


@pytest.mark.parametrize(
    ("tile", "face"), [("city", "City"), ("greenery", "Greenery"), ("ocean", "Ocean"), ("Depot", "Depot")]
)
def test_a_tile_placement_names_its_tile(tile, face):
    scene = Planet(side(hand=["Layer"]), side(), rows=[card("Layer", auto({"type": "tile-placement", "tile": tile}))])
    ann, _ = scene
    ann.plays("Layer")
    at = "hex.1.-4" if tile == "ocean" else LAND
    ann.places(at)
    assert scene.tile(at) == (face, -1 if tile == "ocean" else 0)


def test_plural_names_in_selectors_and_counts():
    shield = card("Shield", auto({"type": "defense", "selectors": [{"resources": ["plants"]}]}))
    count = card("Count", auto({"type": "credits", "amount": 1, "per": {"type": "plants", "amount": 2}}))
    raid = card("Raid", auto({"type": "plants", "amount": 3, "target": "steal-any-player"}), type="event")
    scene = Planet(side(hand=["Raid"]), side(play=["Shield"], plant=4), rows=[shield, raid])
    ann, bob = scene
    ann.plays("Raid")
    assert bob.has("plant") == 4
    ann, _ = Planet(side(hand=["Count"], plant=5), side(), rows=[count])
    ann.plays("Count")
    assert ann.money == 2

"""The fifteen remarks of the creature battle, and one of our own: bots are stopped, people are warned."""

from __future__ import annotations

import pytest

from cards.creatures.faces import Card, Row
from cards.creatures.field import MARKERS
from cards.creatures.rules import Creatures
from cards.table.facts import FLAGS
from cards.table.turns import FRESH
from engine.journal import Journal
from tests.cards.tables import Scene
from tests.engine.games import find_game

GAME = find_game("creatures")
ANN, BO = 0, 1
EMBER, ODILE, MOSS, COLLAR, TERRACE = (
    "Ember Charge",
    "Wayfinder Odile",
    "Archivist Moss",
    "Barbed Collar",
    "Kiln Terrace",
)
ACTIVE = "0.active"


def scene(turn: int = 3, game: Creatures = GAME, **zones: list[str]) -> Scene:
    """`hand`, `active`, `bench` (the first place) and the like are Ann's; `their_active` is Bo's."""
    names = {"their_active": "1.active", "staging": "staging", "stadium": "stadium", "bench": "0.bench_1"}
    laid = {names.get(zone, f"0.{zone}"): faces for zone, faces in zones.items()}
    return Scene(game, {"0.deck": ["Spyglass"], "1.deck": ["Spyglass"], **laid}, turn=turn)


def stopped(table: Scene, what: str, to: str, at: object = "top", **more: object) -> list[str]:
    """The rules that stop a bot from carrying a card."""
    return table.stops(ANN, "move_card", what=what, to=to, at=at, **more)


def fine(table: Scene, what: str, to: str, at: object = "top", **more: object) -> None:
    """A bot may do that."""
    table.move(ANN, what, to, at, heed="all", **more)


# supporters


def test_a_second_supporter_stops_a_bot_and_warns_a_person():
    table = scene(hand=[ODILE, MOSS], active=["Sootling"])
    fine(table, ODILE, "staging")
    table.move(ANN, ODILE, "0.discard")
    assert stopped(table, MOSS, "staging") == ["second_supporter"]
    table.move(ANN, MOSS, "staging")
    assert table.warned() == ["second_supporter"]
    assert f"{ODILE} was played this turn; {MOSS} would be a second supporter." in table.log(BO)


def test_whoever_is_sure_plays_a_second_supporter_without_a_warning():
    table = scene(hand=[ODILE, MOSS])
    fine(table, ODILE, "staging")
    fine(table, MOSS, "staging", sure=True)
    assert table.warned() == []


def test_a_supporter_that_was_thrown_away_does_not_count():
    table = scene(hand=[ODILE, MOSS])
    fine(table, ODILE, "0.discard")
    fine(table, MOSS, "staging")


def test_two_supporters_at_once_are_not_two_turns_apart():
    table = scene(hand=[ODILE, MOSS])
    fine(table, ODILE, "staging")
    assert table.stops(ANN, "place_on_zone", what=[MOSS], zone="staging", at="top") == ["second_supporter"]


@pytest.mark.parametrize(("turn", "found"), [(1, ["supporter_first_turn"]), (2, [])])
def test_no_supporter_on_the_first_turn(turn, found):
    table = scene(turn=turn, hand=[ODILE])
    if found:
        assert stopped(table, ODILE, "staging") == found
        fine(table, ODILE, "0.discard")
    else:
        fine(table, ODILE, "staging")


# energies


def test_a_second_energy_stops_a_bot_wherever_it_goes():
    table = scene(hand=[EMBER, EMBER, EMBER], active=["Sootling"], bench=["Ashwick"])
    fine(table, EMBER, ACTIVE, "bottom")
    assert stopped(table, f"{EMBER}@0.hand", "0.bench_1", "bottom") == ["second_energy"]
    stack = {"what": [f"{EMBER}@0.hand"], "zone": "0.bench_1", "at": "bottom"}
    assert table.stops(ANN, "place_on_zone", **stack) == ["second_energy"]
    fine(table, f"{EMBER}@0.hand", "0.discard")


def test_two_energies_at_once_are_one_too_many():
    table = scene(hand=[EMBER, "Twin Charge"], active=["Sootling"])
    stack = {"what": [EMBER, "Twin Charge"], "to": ACTIVE, "at": "bottom"}
    assert table.stops(ANN, "move_card_stack", **stack) == ["second_energy"]


def test_what_a_card_allowed_does_not_count_and_laying_in_order_is_free():
    table = scene(hand=[EMBER, EMBER], active=["Sootling"])
    fine(table, EMBER, ACTIVE, "bottom", sure=True)
    fine(table, f"{EMBER}@0.hand", ACTIVE, "bottom")
    fine(table, f"{EMBER}@0.active", ACTIVE, "top")
    assert table.faces(ACTIVE) == [EMBER, EMBER, "Sootling"]


@pytest.mark.parametrize("at", ["bottom", 0])
def test_an_energy_goes_underneath(at):
    fine(scene(hand=[EMBER], active=["Sootling"]), EMBER, ACTIVE, at)


@pytest.mark.parametrize("at", ["top", 1])
def test_an_energy_on_top_stops_a_bot(at):
    assert stopped(scene(hand=[EMBER], active=["Sootling"]), EMBER, ACTIVE, at) == ["energy_on_top"]


def test_several_energies_on_top_stop_a_bot_too():
    table = scene(discard=[EMBER, "Twin Charge"], active=["Sootling"])
    stack = {"what": [EMBER, "Twin Charge"], "to": ACTIVE}
    assert table.stops(ANN, "move_card_stack", **stack, at="top") == ["energy_on_top"]
    table.act(ANN, "move_card_stack", **stack, at="bottom", heed="all")


# evolving


def test_the_wrong_evolution_names_what_is_missing():
    table = scene(hand=["Cindermaul"], active=["Ashwick"])
    assert stopped(table, "Cindermaul", ACTIVE) == ["wrong_evolution"]
    table.move(ANN, "Cindermaul", ACTIVE)
    assert "Cindermaul evolves from Sootling, and that is not there." in table.log(ANN)


def test_the_right_evolution_is_fine_and_so_is_throwing_one_away():
    fine(scene(hand=["Cindermaul"], active=["Sootling"]), "Cindermaul", ACTIVE)
    fine(scene(hand=["Kilnwyrm"], active=["Sootling", "Cindermaul"]), "Kilnwyrm", ACTIVE)
    fine(scene(hand=["Cindermaul"], active=["Ashwick"]), "Cindermaul", "0.discard")


def test_the_creature_as_it_is_now_is_what_counts():
    table = scene(hand=["Cindermaul"], active=["Sootling", "Cindermaul"])
    assert stopped(table, "Cindermaul@0.hand", ACTIVE) == ["wrong_evolution"]


@pytest.mark.parametrize("turn", [1, 2])
def test_nothing_evolves_in_the_first_two_turns(turn):
    table = scene(turn=turn, hand=["Cindermaul"], active=["Sootling"])
    assert stopped(table, "Cindermaul", ACTIVE) == ["evolution_too_early"]


def test_what_came_this_turn_does_not_evolve_yet():
    table = scene(hand=["Sootling", "Cindermaul", "Kilnwyrm"])
    fine(table, "Sootling", ACTIVE)
    assert stopped(table, "Cindermaul", ACTIVE) == ["evolution_of_fresh"]
    table.move(ANN, "Cindermaul", ACTIVE, sure=True)  # as a Growth Tonic lets one
    assert table.warned() == []
    assert stopped(table, "Kilnwyrm", ACTIVE) == ["evolution_of_fresh"]


def test_a_mark_on_the_creature_is_what_stops_it():
    table = scene(hand=["Cindermaul"], active=["Sootling"])
    journal = Journal(table.match.look)
    journal.set(table.id("Sootling"), FLAGS, [FRESH])
    journal.close()
    assert stopped(table, "Cindermaul", ACTIVE) == ["evolution_of_fresh"]


# what lies where


@pytest.mark.parametrize(
    ("face", "rule"),
    [("Cindermaul", "basic_first"), (EMBER, "basic_first"), (ODILE, "trainer_in_field"), (COLLAR, "basic_first")],
)
def test_an_empty_place_wants_a_basic(face, rule):
    table = scene(hand=[face, "Ashwick"])
    assert stopped(table, face, ACTIVE) == [rule]
    stack = {"what": [f"{face}@0.hand", f"{EMBER}@0.discard"], "to": ACTIVE, "at": "top"}
    other = scene(hand=[face], discard=[EMBER])
    assert other.stops(ANN, "move_card_stack", **stack) == [rule]
    fine(table, "Ashwick", ACTIVE)


def test_a_basic_wants_an_empty_place():
    table = scene(hand=["Ashwick", "Sootling"], active=["Brasshide"])
    assert stopped(table, "Ashwick", ACTIVE) == ["basic_first"]
    both = {"what": ["Ashwick", "Sootling"], "to": "0.bench_1", "at": "top"}
    assert table.stops(ANN, "move_card_stack", **both) == ["basic_first"]


def test_what_is_carried_out_is_free():
    fine(scene(staging=["Cindermaul"]), "Cindermaul", ACTIVE)


def test_a_creature_may_change_places_whole():
    table = scene(active=[EMBER, "Sootling", "Cindermaul"])
    table.act(ANN, "move_card_stack", what=[EMBER, "Sootling", "Cindermaul"], to="0.bench_1", at="top", heed="all")
    assert table.faces("0.bench_1") == [EMBER, "Sootling", "Cindermaul"]


def test_only_tools_among_the_trainers_lie_on_creatures():
    table = scene(hand=[ODILE, COLLAR, "Field Ration"], active=["Sootling"])
    assert stopped(table, ODILE, ACTIVE) == ["trainer_in_field"]
    assert stopped(table, "Field Ration", ACTIVE, "bottom") == ["trainer_in_field"]
    fine(table, COLLAR, ACTIVE, "bottom")


def test_a_trainer_on_an_empty_place_is_a_trainer_before_it_is_no_basic():
    assert stopped(scene(hand=["Field Ration"]), "Field Ration", "0.bench_1") == ["trainer_in_field"]


@pytest.mark.parametrize("face", [EMBER, "Sootling", "Field Ration"])
def test_only_a_stadium_lies_where_stadiums_lie(face):
    assert stopped(scene(hand=[face]), face, "stadium") == ["not_a_stadium"]
    fine(scene(hand=[TERRACE]), TERRACE, "stadium")


def test_a_second_stadium_finds_no_room_unless_somebody_is_sure():
    table = scene(hand=[TERRACE], stadium=["Drowned Court"])
    assert table.refuses(ANN, "move_card", what=TERRACE, to="stadium", at="top") == "unusual"
    table.move(ANN, TERRACE, "stadium", sure=True)
    assert table.faces("stadium") == ["Drowned Court", TERRACE]


def test_a_creature_holds_one_tool():
    table = scene(hand=[COLLAR, "Feather Harness"], active=["Sootling"])
    fine(table, COLLAR, ACTIVE, "bottom")
    assert stopped(table, "Feather Harness", ACTIVE, "bottom") == ["second_tool"]


def test_damage_and_conditions_are_for_creatures():
    table = scene(hand=[ODILE], active=["Sootling"], bench=[COLLAR])
    for face in (ODILE, COLLAR):
        slots = {"what": face, "counter": "10", "amount": 3}
        assert table.stops(ANN, "add_counter", **slots) == ["counter_on_trainer"]
    table.act(ANN, "add_counter", what="Sootling", counter="poison", amount=1, heed="all")


# declarations


def attack(table: Scene, name: str, **more: object) -> None:
    table.act(ANN, "declare_action", kind="attack", name=name, what=table.faces(ACTIVE)[-1], heed="all", **more)


def test_nobody_attacks_on_the_first_turn():
    table = scene(turn=1, active=[EMBER, "Sootling"])
    do = {"kind": "attack", "name": "Flick Spark", "what": "Sootling"}
    assert table.stops(ANN, "declare_action", **do) == ["attack_first_turn"]
    attack(scene(turn=3, active=[EMBER, "Sootling"]), "Flick Spark")


@pytest.mark.parametrize(("energies", "enough"), [(0, False), (1, False), (2, True), (3, True)])
def test_an_attack_wants_as_many_energies_as_it_costs(energies, enough):
    table = scene(active=[*[EMBER] * energies, "Sootling"])
    if enough:
        attack(table, "Warm Rush")
    else:
        do = {"kind": "attack", "name": "Warm Rush", "what": "Sootling"}
        assert table.stops(ANN, "declare_action", **do) == ["energy_missing"]


def test_a_card_that_counts_as_two_is_counted_as_one_on_purpose():
    table = scene(active=["Twin Charge", EMBER, "Sootling", "Cindermaul", "Kilnwyrm"])
    table.act(ANN, "declare_action", kind="attack", name="Kiln Breath", what="Kilnwyrm")
    assert table.warned() == ["energy_missing"]
    assert "Kiln Breath costs 3 and 2 are attached. A card may count as two." in table.log(ANN)


class OnceAGame(Creatures):
    """Kiln Breath and Stoked Furnace are used once a game."""

    def read_cards(self):
        cards = dict(super().read_cards())
        row: Row = cards["Kilnwyrm"].row
        attacks = tuple(type(one)(**{**_fields(one), "once_a_game": True}) for one in row.attacks)
        abilities = tuple(type(one)(**{**_fields(one), "once_a_game": True}) for one in row.abilities)
        changed = Row(**{**_fields(row), "attacks": attacks, "abilities": abilities})
        cards["Kilnwyrm"] = Card(name="Kilnwyrm", text="", row=changed)
        return cards


def _fields(one):
    return {name: getattr(one, name) for name in one.__struct_fields__}


def test_what_is_used_once_a_game_turns_a_marker_over():
    stack = [EMBER, EMBER, EMBER, "Sootling", "Cindermaul", "Kilnwyrm"]
    table = scene(game=OnceAGame(), active=stack)
    breath = {"kind": "attack", "name": "Kiln Breath", "what": "Kilnwyrm"}
    furnace = {"kind": "ability", "name": "Stoked Furnace", "what": "Kilnwyrm"}
    table.act(ANN, "declare_action", **breath, heed="all")
    assert table.fact(MARKERS, ANN) == ["attack"]
    assert table.stops(ANN, "declare_action", **breath) == ["marker_used"]
    table.act(ANN, "declare_action", **furnace, heed="all")  # the other marker
    assert table.stops(ANN, "declare_action", **furnace) == ["marker_used"]
    assert table.view(BO)["seats"]["0"]["markers"] == ["attack", "power"]


# the end of a turn


def test_staging_is_empty_when_a_turn_ends_and_being_sure_does_not_help_a_bot():
    table = scene(staging=[ODILE], active=["Sootling"])
    assert table.stops(ANN, "end_turn") == ["staging_not_empty"]
    assert table.stops(ANN, "end_turn", sure=True) == ["staging_not_empty"]
    table.act(ANN, "end_turn")
    assert table.warned() == ["staging_not_empty"]


# what nobody can see, nobody is told


def test_a_remark_rests_on_what_its_player_sees():
    table = scene(hand=["Cindermaul"], active=["Ashwick"])
    table.act(ANN, "flip_card", what="Ashwick", seen_by=[BO])
    fine(table, "Cindermaul", ACTIVE)


def test_others_hear_of_a_remark_only_if_they_see_what_it_rests_on():
    table = scene(hand=["Cindermaul"], active=["Ashwick"])
    table.act(ANN, "flip_card", what="Ashwick", seen_by=[ANN])
    table.move(ANN, "Cindermaul", ACTIVE)
    assert table.warned() == ["wrong_evolution"]
    assert table.log(BO) == ["Ann moves Cindermaul from 0.hand to 0.active."]

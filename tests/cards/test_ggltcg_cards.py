"""The card file: what is printed, and what the reader says about mistakes."""

from __future__ import annotations

import ast
from functools import partial
from pathlib import Path

import pytest

import cards
from cards.ggltcg.facts import Row, make_card
from cards.ggltcg.words import effects
from cards.loading import read_csv
from engine.errors import BadCards
from tests.cards.scene import GAME

PRINTED = """
core Archer toy 0 0/0/5 cannot_tussle;remove_stamina_ability:1
core Ballaber toy 3 4/6/4 alternative_cost_sleep_card
core Beary toy 1 5/3/3 opponent_immunity
core Clean action 3 - sleep_all
core Copy action -1 - copy_card
core Demideca toy 1 3/2/3 stat_boost:all:1
core Dream toy 4 4/5/4 reduce_cost_by_sleeping
core Ka toy 2 5/9/1 stat_boost:strength:2
core Knight toy 1 4/4/3 auto_win_tussle_on_own_turn
core Raggy toy 3 2/3/2 set_self_tussle_cost:0:not_turn_1
core Rush action 0 - gain_cc:2:not_first_turn
core Snuggles toy 2 2/3/1 may_sleep_when_sleeped:1
core Sun action 3 - unsleep:2
core Toynado action 2 - return_all_to_hand
core Twist action 3 - take_control
core Umbruh toy 1 4/4/4 gain_cc_when_sleeped:1
core Wake action 1 - unsleep:1
core Wizard toy 2 1/3/3 set_tussle_cost:1
extra Surge action 0 - gain_cc:1
extra Drum toy 1 1/3/2 stat_boost:speed:2
extra Violin toy 1 3/1/2 stat_boost:strength:2
extra Drop action 2 - sleep_target:1
extra Jumpscare action 0 - return_target_to_hand:1
extra Sock_Sorcerer toy 3 3/3/5 team_opponent_immunity
extra VeryVeryAppleJuice action 0 - turn_stat_boost:all:1
extra Belchaletta toy 1 3/3/4 start_of_turn_gain_cc:2
extra Hind_Leg_Kicker toy 1 3/3/1 on_card_played_gain_cc:1
extra Gibbers toy 1 1/1/1 opponent_cost_increase:1
extra That_was_fun action 0 - unsleep:actions:1
extra Paper_Plane toy 1 2/2/1 direct_attack
extra Monster toy 2 3/1/2 damage_all_opponent_cards:1
extra Car toy 0 7/2/2
extra Dino toy 0 3/7/1
extra Block toy 0 2/3/5
extra Clone action 2 - copy_card
extra Glue action -1 - unsleep:1
extra Stomp action -1 - sleep_target:1
extra MaBookBook toy 0 4/5/4 self_cost_increase_by_sleeping
extra Plane_Plus toy 2 4/2/2 direct_attack;set_self_tussle_cost:1
extra Bubble_Blocker toy 0 2/2/1 team_opponent_immunity
extra Cake action 3 - gain_cc:5
""".strip().splitlines()

HEAD = "name,set,type,cost,speed,strength,stamina,effects,text"


@pytest.mark.parametrize("line", PRINTED, ids=lambda line: line.split()[1])
def test_a_card_is_printed_as_it_should_be(line: str):
    group, name, kind, cost, stats, words = (line + " ").split(" ")[:6]
    card = GAME.cards[name.replace("_", " ")]  # type: ignore[attr-defined]
    assert (card.set, card.type, card.cost) == (group, kind, int(cost))
    wanted = (0, 0, 0) if stats == "-" else tuple(map(int, stats.split("/")))
    assert (card.speed, card.strength, card.stamina) == wanted
    assert [ability.word for ability in card.abilities] == [effects.parse(word) for word in words.split(";") if word]
    assert card.text


def test_there_are_41_cards_18_of_them_core():
    names = [line.split()[1].replace("_", " ") for line in PRINTED]
    assert sorted(GAME.faces) == sorted(names)
    assert len(names) == 41
    sets = [(card.set, card.type) for card in GAME.cards.values()]  # type: ignore[attr-defined]
    assert (sets.count(("core", "toy")), sets.count(("core", "action"))) == (11, 7)
    assert len([group for group, _ in sets if group == "extra"]) == 23


def test_the_catalogue_tells_what_is_printed():
    catalogue = GAME.catalogue()
    assert len(catalogue) == 41
    assert catalogue["Ka"].items() >= {"cost": 2, "speed": 5, "strength": 9, "stamina": 1, "type": "toy"}.items()
    assert "stamina" not in catalogue["Rush"]


# mistakes


def mistakes(folder: Path, *rows: str, head: str = HEAD) -> tuple[str, ...]:
    """What the reader says about a file with these rows."""
    path = folder / "cards.csv"
    path.write_text("\n".join((head, *rows)) + "\n", encoding="utf-8")
    with pytest.raises(BadCards) as bad:
        read_csv(path, Row, partial(make_card, effects))
    return bad.value.mistakes


def test_a_good_file_is_read(tmp_path: Path):
    path = tmp_path / "cards.csv"
    path.write_text(f'{HEAD}\nKa,core,toy,2,5,9,1, stat_boost:strength:2 ; gain_cc:1 ,"Hits, hard."\n')
    card = read_csv(path, Row, partial(make_card, effects))["Ka"]
    assert (card.cost, card.strength, card.text) == (2, 9, "Hits, hard.")
    assert [ability.word.name for ability in card.abilities] == ["stat_boost", "gain_cc"]


def test_an_unknown_effect_comes_with_a_suggestion(tmp_path: Path):
    (text,) = mistakes(tmp_path, "Ka,core,toy,2,5,9,1,stat_bost:strength:2,")
    assert text == "cards.csv line 2, Ka: unknown effect 'stat_bost' (did you mean 'stat_boost'?)"


def test_an_effect_like_no_other_is_unknown_without_a_suggestion(tmp_path: Path):
    (text,) = mistakes(tmp_path, "Ka,core,toy,2,5,9,1,xyzzy,")
    assert text == "cards.csv line 2, Ka: unknown effect 'xyzzy'"


def test_all_mistakes_are_told_at_once_with_their_lines(tmp_path: Path):
    told = mistakes(
        tmp_path,
        "Ka,core,toy,2,5,9,1,stat_bost:strength:2;gain_c:1,",
        "Fine,core,action,0,,,,gain_cc:1,",
        "Dear,core,action,much,,,,gain_cc:1,",
        "Weak,core,toy,1,1,1,,,",
    )
    assert len(told) == 4
    assert [text.split(":")[0] for text in told] == [
        "cards.csv line 2, Ka",
        "cards.csv line 2, Ka",
        "cards.csv line 4, Dear",
        "cards.csv line 5, Weak",
    ]


@pytest.mark.parametrize(
    ("row", "about"),
    [
        ("Ka,core,toy,two,5,9,1,,", "cost"),
        ("Ka,core,toy,-2,5,9,1,,", "cost"),
        ("Ka,core,toy,1.5,5,9,1,,", "cost"),
        ("Ka,core,toy,,5,9,1,,", "cost"),
        ("Ka,core,toy,2,fast,9,1,,", "speed"),
        ("Ka,core,toy,2,-1,9,1,,", "speed"),
        ("Ka,core,toy,2,5,-9,1,,", "strength"),
        ("Ka,core,toy,2,5,9,0,,", "stamina"),
        ("Ka,mine,toy,2,5,9,1,,", "set"),
        ("Ka,core,robot,2,5,9,1,,", "type"),
        (",core,toy,2,5,9,1,,", "name"),
        ("Ka,core,toy,2,5,9,1,stat_boost:luck:2,", "luck"),
        ("Ka,core,toy,2,5,9,1,stat_boost:strength:lots,", "lots"),
        ("Ka,core,toy,2,5,9,1,stat_boost:strength,", "amount"),
        ("Ka,core,toy,2,5,9,1,stat_boost:strength:2:3,", "too many"),
        ("Ka,core,toy,2,5,9,1,set_tussle_cost:-1,", "-1"),
        ("Ka,core,action,2,,,,gain_cc:0,", "0"),
        ("Ka,core,action,2,,,,gain_cc:2:sometimes,", "sometimes"),
        ("Ka,core,action,2,,,,unsleep:0,", "0"),
        ("Ka,core,action,2,,,,unsleep:toys:1,", "toys"),
        ("Ka,core,action,2,,,,sleep_target:0,", "0"),
    ],
)
def test_a_bad_value_is_named(tmp_path: Path, row: str, about: str):
    (text,) = mistakes(tmp_path, row)
    assert "line 2" in text
    assert about in text


@pytest.mark.parametrize("stats", [",,", "5,,", "5,9,", ",9,1"])
def test_a_toy_needs_its_stats(tmp_path: Path, stats: str):
    (text,) = mistakes(tmp_path, f"Ka,core,toy,2,{stats},,")
    assert "a toy needs speed, strength and stamina" in text


def test_an_action_has_no_stats(tmp_path: Path):
    (text,) = mistakes(tmp_path, "Rush,core,action,0,1,,,gain_cc:2,")
    assert "an action has no speed, strength or stamina" in text


def test_only_an_action_costs_what_its_target_costs(tmp_path: Path):
    (text,) = mistakes(tmp_path, "Ka,core,toy,-1,5,9,1,,")
    assert "line 2, Ka" in text


def test_a_name_is_taken_once(tmp_path: Path):
    (text,) = mistakes(tmp_path, "Ka,core,toy,2,5,9,1,,", "Car,core,toy,0,7,2,2,,", "Ka,extra,toy,1,1,1,1,,")
    assert text == "cards.csv line 4, Ka: this name is taken by an earlier line"


@pytest.mark.parametrize("head", [HEAD.replace(",stamina", ""), HEAD.replace("name", "title"), HEAD + ",colour"])
def test_the_columns_must_be_the_right_ones(tmp_path: Path, head: str):
    (text,) = mistakes(tmp_path, "Ka,core,toy,2,5,9,1,,", head=head)
    assert "line 1" in text
    assert "stamina" in text


@pytest.mark.parametrize("row", ["Ka,core,toy,2,5,9,1,", "Ka,core,toy,2,5,9,1,,Hits, hard."])
def test_a_row_has_a_cell_for_every_column(tmp_path: Path, row: str):
    (text,) = mistakes(tmp_path, row)
    assert "line 2" in text


def test_a_file_that_is_not_there_is_a_mistake(tmp_path: Path):
    with pytest.raises(BadCards, match=r"nowhere\.csv"):
        read_csv(tmp_path / "nowhere.csv", Row, partial(make_card, effects))


# cards are data

HOUSE = Path(cards.__file__).parents[1]


@pytest.mark.parametrize("room", ["engine", "cards", "rooms", "server"])
def test_no_code_knows_a_card_by_name(room: str):
    found = [
        f"{path.relative_to(HOUSE)} line {node.lineno}: {node.value}"
        for path in sorted((HOUSE / room).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in GAME.faces
    ]
    assert found == []

"""Solitaire: the deal, what turns up by itself, and the end."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from cards.solitaire.rules import FOUNDATIONS, TABLEAU
from engine.bots import make_bot
from engine.match import Match
from tests.cards.tables import Scene
from tests.engine.games import find_game

GAME = find_game("solitaire")
ROOT = Path(__file__).parents[2]
SUITS = ("Clubs", "Diamonds", "Hearts", "Spades")
RANKS = ("Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King")
ME = 0


def scene(**zones: list[str]) -> Scene:
    return Scene(GAME, {f"0.{zone}": faces for zone, faces in zones.items()}, seats=1)


def test_seven_piles_hold_28_cards_of_which_the_last_lies_open_and_24_are_left():
    match = Match.deal(GAME, seed=1)
    assert [len(match.table.zones[zone]) for zone in TABLEAU] == [1, 2, 3, 4, 5, 6, 7]
    assert len(match.table.zones["0.stock"]) == 24
    for zone in TABLEAU:
        assert [bool(card.dark) for card in match.table.lying(zone)] == [True] * (len(match.table.zones[zone]) - 1) + [
            False
        ]


def test_nobody_sees_what_lies_face_down():
    match = Match.deal(GAME, seed=1)
    table = Scene.__new__(Scene)
    table.match, table.table = match, match.table
    for viewer in (ME, -1):
        assert sum(face != "" for zone in TABLEAU for face in table.sees(viewer, zone)) == 7
        assert table.sees(viewer, "0.stock") == [""] * 24


def test_what_comes_to_lie_on_top_is_turned_up():
    match = Match.deal(GAME, seed=1)
    top = match.table.zones["0.tableau_7"][-1]
    match.act(ME, {"type": "move_card", "what": [top], "to": ["0.waste"], "at": ["top"]})
    assert not match.table.lying("0.tableau_7")[-1].dark
    assert match.table.lying("0.tableau_7")[-2].dark


def test_a_pile_that_is_emptied_has_nothing_to_turn_up():
    table = scene(tableau_1=["King of Hearts"])
    table.move(ME, "King of Hearts", "0.tableau_2")
    assert table.faces("0.tableau_1") == []


def test_the_stock_is_turned_card_by_card_and_then_the_waste_as_a_whole():
    table = scene(stock=["Ace of Clubs", "Two of Clubs"])
    assert "turn_over" not in table.offered(ME)
    table.act(ME, "turn_one")
    table.act(ME, "turn_one")
    assert table.faces("0.waste") == ["Two of Clubs", "Ace of Clubs"]
    assert "turn_one" not in table.offered(ME)
    table.act(ME, "turn_over")
    assert (table.faces("0.stock"), table.faces("0.waste")) == (["Ace of Clubs", "Two of Clubs"], [])
    assert table.sees(ME, "0.stock") == ["", ""]


def test_four_complete_foundations_are_a_victory():
    laid = {zone[2:]: [f"{rank} of {suit}" for rank in RANKS] for zone, suit in zip(FOUNDATIONS, SUITS, strict=True)}
    laid["foundation_4"].pop()
    table = scene(**laid, tableau_1=["King of Spades"])
    assert "declare_victory" not in table.offered(ME)
    table.move(ME, "King of Spades", "0.foundation_4")
    assert (table.match.table.result.winners, table.match.table.result.reason) == ((ME,), "foundations")


def test_the_table_holds_nobody_to_anything():
    table = scene(tableau_1=["Ace of Clubs"], foundation_1=["King of Hearts"])
    table.move(ME, "Ace of Clubs", "0.foundation_1", heed="all")
    assert table.warned() == []


@pytest.mark.parametrize(
    ("card", "pile", "fits"),
    [
        ("Queen of Spades", ["King of Hearts"], True),
        ("Queen of Hearts", ["King of Hearts"], False),
        ("Jack of Spades", ["King of Hearts"], False),
    ],
)
def test_what_fits_comes_first(card, pile, fits):
    table = scene(waste=[card], tableau_1=pile)
    hints = [offer for offer in table.match.offers(ME) if not offer.free and offer.type == "move_card"]
    assert bool(hints) == fits


def test_a_foundation_begins_with_an_ace_and_an_empty_pile_with_a_king():
    table = scene(waste=["King of Hearts", "Ace of Clubs"])
    (hint,) = [offer for offer in table.match.offers(ME) if not offer.free and offer.type == "move_card"]
    assert hint.slots[1].from_ == FOUNDATIONS
    table.move(ME, "Ace of Clubs", "0.foundation_1")
    (hint,) = [offer for offer in table.match.offers(ME) if not offer.free and offer.type == "move_card"]
    assert hint.slots[1].from_ == TABLEAU


def test_a_bot_lays_some_cards_up():
    laid = 0
    for seed in range(4):
        match, bot = Match.deal(GAME, seed=seed, options={"move_limit": 200}), make_bot("random", GAME, ME, seed)
        while not match.over:
            match.act(ME, bot.pick({}, match.offers(ME), []), heed="all")
        laid += sum(len(match.table.zones[zone]) for zone in FOUNDATIONS)
    assert laid > 8


def test_the_tutorial_shows_the_code_as_it_is():
    code = Path(inspect.getfile(type(GAME))).read_text(encoding="utf-8")
    shown = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(shown) == 3
    assert all(part in code for part in shown)

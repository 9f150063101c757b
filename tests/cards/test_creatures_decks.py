"""Cards and deck lists of the creature battle."""

from __future__ import annotations

from collections import Counter

import pytest

from cards.creatures.decklist import Sets
from cards.creatures.faces import read_cards
from engine.errors import BadCards, Refused
from server.cli import main
from tests.engine.games import find_game

GAME = find_game("creatures")


def read(text: str):
    return GAME.read_deck_list(text)


def test_there_are_28_cards_and_two_decks_of_sixty():
    assert len(GAME.faces) == 28
    for deck in GAME.decks.values():
        kinds = Counter(GAME.faces[name].row.supertype for name in deck)
        assert kinds == {"creature": 18, "trainer": 22, "energy": 20}
        assert sum(GAME.faces[name].is_basic for name in deck) == 13


def test_a_card_a_line_and_what_stands_beside_is_for_people():
    found = read("My deck\n\n* 4 Sootling Orrery 1\nTrainers:\n* 2 Wayfinder Odile ORR 13\n")
    assert found.warnings == ()
    assert Counter(found.cards) == {"Sootling": 4, "Wayfinder Odile": 2}


def test_the_same_card_on_two_lines_is_added_up():
    assert Counter(read("* 2 Sootling Orrery 1\n* 1 sootling orr 1").cards) == {"Sootling": 3}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("* Sootling Orrery 1", "is no card"),
        ("* 4 Sootling", "is no card"),
        ("* 4 Sootling Nowhere 1", "names no set that is known"),
        ("* 4 Sootlin Orrery 1", "number 1 of orrery is Sootling, not Sootlin"),
        ("* 4 Sootling Orrery 99", "there is no 'Sootling' number 99"),
        ("* 4 Zzz Orrery 99", "there is no 'Zzz' number 99"),
    ],
)
def test_a_bad_line_is_a_warning_and_the_rest_is_a_deck(line, why):
    found = read(f"{line}\n* 1 Puddlet ORR 8")
    assert found.cards == ("Puddlet",)
    (warning,) = found.warnings
    assert warning.startswith("line 1: ")
    assert why in warning


def test_names_and_sets_of_several_words_are_told_apart():
    cards = [card for card in GAME.faces.values() if card.name in ("Wayfinder Odile", "Kiln Terrace")]
    renamed = [type(card)(name=card.name, row=_in_set(card.row, "Low Tide Court")) for card in cards]
    sets = Sets(renamed, {"LTC": "Low Tide Court"})
    assert sets.read("* 1 Wayfinder Odile Low Tide Court 13\n* 1 Kiln Terrace LTC 24").warnings == ()


def _in_set(row, name):
    return type(row)(**{**{field: getattr(row, field) for field in row.__struct_fields__}, "set": name})


@pytest.mark.parametrize(
    ("deck", "code"),
    [
        (["Sootling"] * 13, "deck_size"),
        (["Sootling"] * 61, "deck_size"),
        (["Ember Charge"] * 60, "no_basic"),
        (["Sootling"] * 59 + ["Sootlin"], "unknown_card"),
    ],
)
def test_a_deck_that_cannot_be_played_is_refused(deck, code):
    with pytest.raises(Refused) as no:
        GAME.check_deck(deck, {})
    assert no.value.code == code


def test_four_of_a_kind_and_sixty_cards_are_nobody_s_business():
    GAME.check_deck(["Sootling"] * 20, {})


def test_a_list_in_a_file_may_be_played_and_its_bad_lines_are_told(tmp_path, capsys):
    path = tmp_path / "deck.txt"
    path.write_text("* 13 Sootling Orrery 1\n* 9 Ember Charge Orrery 26\n* 1 Nobody Orrery 99\n")
    assert main(["cards", "check", "creatures", "--deck", str(path)]) == 0
    told = capsys.readouterr()
    assert "22 cards, fine" in told.out
    assert "line 3: there is no 'Nobody' number 99 in orrery" in told.err


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ('{"name": "X", "number": 1, "set": "S", "supertype": "creature"}', "a creature has hp"),
        ('{"name": "X", "number": 1, "set": "S", "supertype": "dragon"}', "dragon"),
        ('{"name": "X", "number": 1, "set": "S", "supertype": "energy", "types": ["Fire"]}', "no type 'Fire'"),
        (
            '{"name": "X", "number": 1, "set": "S", "supertype": "creature", "hp": 9, "evolves_from": "Y"}',
            "evolves from 'Y', which is no card here",
        ),
    ],
)
def test_a_card_that_makes_no_sense_is_told_with_its_name(tmp_path, row, why):
    path = tmp_path / "cards.json"
    path.write_text(f"[{row}]")
    with pytest.raises(BadCards, match=r"X") as no:
        read_cards(path)
    assert why in str(no.value)

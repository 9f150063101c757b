"""Copy and Clone, and cards that cost what their target costs."""

from __future__ import annotations

import pytest

from cards.ggltcg.facts import face
from tests.cards.scene import Scene, clone_of, copy_of, hurt, side, stolen


def printed(scene: Scene, id: int) -> tuple[str, str, int, list[str]]:
    """What a card is now: its name, type, cost and words."""
    card = face(scene.match.look, scene.table[id])
    return card.name, card.type, card.cost, [ability.word.name for ability in card.abilities]


PLAIN_COPY = ("Copy", "action", -1, ["copy_card"])
PLAIN_CLONE = ("Clone", "action", 2, ["copy_card"])


@pytest.mark.parametrize("card", ["Copy", "Clone"])
def test_without_an_own_card_in_play_there_is_nothing_to_copy(card: str):
    scene = Scene(side(hand=[card, "Knight"], asleep=["Ka"]), side(play=["Ka"]))
    ann, bob = scene
    assert not ann.may("play", card)
    with scene.refused("no_target"):
        ann.plays(card, on=bob.s("Ka"))


@pytest.mark.parametrize("card", ["Copy", "Clone"])
def test_only_own_cards_are_copied(card: str):
    scene = Scene(side(play=["Knight"], hand=[card]), side(play=["Ka"]))
    ann, _ = scene
    assert ann.targets("play", card) == ["Knight"]
    with scene.refused("bad_target"):
        ann.plays(card, on="Ka")


def test_a_copy_becomes_the_card_and_stays_in_play():
    scene = Scene(side(play=["Ka"], hand=["Copy"], cc=2), side())
    ann, _ = scene
    before = ann.s("Copy")
    ann.plays("Copy", on="Ka")
    assert (ann.play, ann.asleep, ann.cc) == (["Ka", "Copy of Ka"], [], 0)
    assert ann.s("Copy of Ka") == before  # it is still the same card
    assert printed(scene, before) == ("Ka", "toy", 2, ["stat_boost"])
    assert scene.table[before].owner == ann.seat


def test_a_copy_acts_at_once():
    ann, bob = Scene(side(play=["Ka"], hand=["Copy"], cc=4), side(play=["Wizard"]))
    ann.plays("Copy", on="Ka")
    ann.tussles("Copy of Ka", "Wizard")
    assert bob.asleep == ["Wizard"]


def test_a_copy_costs_what_its_target_costs():
    ann, _ = Scene(side(play=["Knight", "Ka", "Car", "Ballaber"], hand=["Copy"], cc=4), side())
    assert [ann.price("play", "Copy", on=card) for card in ("Knight", "Ka", "Car", "Ballaber")] == [1, 2, 0, 3]
    ann.plays("Copy", on="Ka")
    assert ann.cc == 2


@pytest.mark.parametrize(("sleepers", "price"), [([], 4), (["Rush", "Sun"], 2)])
def test_a_copy_of_dream_costs_what_dream_would(sleepers: list[str], price: int):
    ann, _ = Scene(side(play=["Dream"], hand=["Copy"], asleep=sleepers), side(asleep=["Wake"]))
    assert ann.price("play", "Copy", on="Dream") == price


def test_a_copy_of_a_stolen_dream_costs_4():
    ann, _ = Scene(side(play=[stolen("Dream")], hand=["Copy"], asleep=["Rush", "Sun"]), side(asleep=["Wake"]))
    assert ann.price("play", "Copy", on="Dream") == 4


def test_a_copy_of_mabookbook_costs_the_own_sleepers():
    ann, _ = Scene(side(play=["MaBookBook"], hand=["Copy"], asleep=["Rush", "Sun"]), side())
    assert ann.price("play", "Copy", on="MaBookBook") == 2


def test_a_copy_is_of_the_printed_card_and_not_of_its_wounds():
    juice = "VeryVeryAppleJuice"
    ann, _ = Scene(side(play=[hurt("Knight", 2)], hand=["Copy", juice]), side())
    ann.plays(juice)
    ann.plays("Copy", on="Knight")
    assert ann.stats("Knight") == (5, 5, 2)
    assert ann.stats("Copy of Knight") == (4, 4, 3)


def test_a_copy_that_slept_is_a_plain_copy():
    scene = Scene(side(play=[copy_of("Ka")], hand=["Drop", "Rush"]), side())
    ann, _ = scene
    ann.plays("Drop", on="Copy of Ka")
    assert ann.asleep == ["Copy", "Drop"]
    assert printed(scene, ann.s("Copy")) == PLAIN_COPY
    assert ann.stats("Copy") == (0, 0, 0)


def test_a_copy_that_returned_is_a_plain_copy_and_may_copy_again():
    scene = Scene(side(play=["Car", copy_of("Ka")], hand=["Jumpscare"]), side())
    ann, _ = scene
    ann.plays("Jumpscare", on="Copy of Ka")
    assert ann.hand == ["Copy"]
    assert printed(scene, ann.s("Copy")) == PLAIN_COPY
    ann.plays("Copy", on="Car")
    assert ann.play == ["Car", "Copy of Car"]


def test_a_stolen_copy_that_slept_is_its_owners_plain_copy():
    scene = Scene(side(play=[stolen(hurt(copy_of("Umbruh"), 2))], hand=["Drop", "Rush"]), side(cc=0))
    ann, bob = scene
    ann.plays("Drop", on="Copy of Umbruh")
    assert (ann.asleep, bob.asleep) == (["Drop"], ["Copy"])
    assert printed(scene, bob.s("Copy")) == PLAIN_COPY
    assert scene.table[bob.s("Copy")].facts == {}
    assert bob.cc == 1


def test_a_copy_of_a_copy_is_as_good():
    ann, _ = Scene(side(play=["Ka"], hand=["Copy", "Copy"], cc=4), side())
    ann.plays("Copy", on="Ka")
    ann.plays("Copy", on="Copy of Ka")
    assert ann.cc == 0
    play = ann.scene.table.zones["0.in_play"]
    assert [ann.strength(id) for id in play] == [15, 15, 15]


def test_a_copy_of_a_copy_outlives_both_others():
    ann, _ = Scene(side(play=["Ka", copy_of("Ka")], hand=["Clone", "Drop", "Drop"], cc=6), side())
    ann.plays("Clone", on="Copy of Ka")
    ann.plays("Drop", on="Copy of Ka")
    ann.plays("Drop", on="Ka")
    assert (ann.play, ann.strength("Clone of Ka")) == (["Clone of Ka"], 11)


def test_a_sleeping_copy_of_umbruh_is_heard():
    ann, bob = Scene(side(play=["Ka"]), side(play=[copy_of("Umbruh")], cc=0))
    ann.tussles("Ka", "Copy of Umbruh")
    assert (bob.asleep, bob.cc) == (["Copy"], 1)


def test_a_sleeping_copy_of_snuggles_asks():
    scene = Scene(side(play=["Ka"]), side(play=[copy_of("Snuggles")]))
    ann, bob = scene
    ann.tussles("Ka", "Copy of Snuggles")
    assert scene.waiting_for() == [bob]


def test_a_copy_of_monster_scares_nobody():
    ann, bob = Scene(side(play=["Monster", "Wizard"], hand=["Copy"]), side(play=["Ka", "Knight"]))
    ann.plays("Copy", on="Monster")
    assert (ann.stamina("Wizard"), bob.stamina("Knight"), bob.play) == (3, 3, ["Ka", "Knight"])


def test_a_copy_of_beary_is_protected():
    scene = Scene(side(hand=["Drop"]), side(play=[copy_of("Beary"), "Car"]))
    ann, _ = scene
    assert ann.targets("play", "Drop") == ["Car"]
    with scene.refused("bad_target"):
        ann.plays("Drop", on="Copy of Beary")


def test_a_copy_of_archer_shoots():
    ann, bob = Scene(side(play=[copy_of("Archer")]), side(play=["Block"]))
    assert not ann.may("tussle")
    ann.uses("Copy of Archer", on="Block")
    assert bob.stamina("Block") == 4


# what can be paid


def test_copy_is_not_offered_when_no_target_can_be_paid_for():
    scene = Scene(side(play=["Ballaber"], hand=["Copy"], cc=1), side())
    ann, _ = scene
    assert not ann.may("play", "Copy")
    with scene.refused("cannot_afford"):
        ann.plays("Copy", on="Ballaber")


def test_copy_lists_only_targets_that_can_be_paid_for():
    scene = Scene(side(play=["Ballaber", "Ka", "Knight"], hand=["Copy"], cc=2), side())
    ann, _ = scene
    assert ann.targets("play", "Copy") == ["Ka", "Knight"]
    with scene.refused("bad_target"):
        ann.plays("Copy", on="Ballaber")


@pytest.mark.parametrize(("cc", "offered"), [(2, False), (3, True)])
def test_gibbers_makes_a_copy_dearer(cc: int, offered: bool):
    ann, _ = Scene(side(play=["Ka"], hand=["Copy"], cc=cc), side(play=["Gibbers"]))
    assert ann.may("play", "Copy") == offered


def test_the_tax_on_a_copy_is_paid():
    ann, _ = Scene(side(play=["Ka"], hand=["Copy"], cc=3), side(play=["Gibbers"]))
    assert ann.price("play", "Copy", on="Ka") == 3
    ann.plays("Copy", on="Ka")
    assert ann.cc == 0


def test_a_copy_of_beary_is_taxed_because_copy_is_not_beary_yet():
    ann, _ = Scene(side(play=["Beary"], hand=["Copy"]), side(play=["Gibbers"]))
    assert ann.price("play", "Copy", on="Beary") == 2


@pytest.mark.parametrize("toy", ["Car", "Ka", "Dream", "Ballaber"])
def test_clone_costs_2_whatever_it_becomes(toy: str):
    ann, _ = Scene(side(play=[toy], hand=["Clone"], cc=2), side())
    assert ann.price("play", "Clone", on=toy) == 2
    ann.plays("Clone", on=toy)
    assert ann.play == [toy, f"Clone of {toy}"]


def test_clone_cannot_be_played_for_1():
    ann, _ = Scene(side(play=["Car"], hand=["Clone"], cc=1), side())
    assert not ann.may("play", "Clone")


@pytest.mark.parametrize(("card", "where"), [("Drop", "asleep"), ("Jumpscare", "hand")])
def test_a_clone_that_leaves_play_is_a_clone(card: str, where: str):
    scene = Scene(side(play=[clone_of("Ka")], hand=[card, "Rush"]), side())
    ann, _ = scene
    ann.plays(card, on="Clone of Ka")
    assert "Clone" in getattr(ann, where)
    assert printed(scene, ann.s("Clone")) == PLAIN_CLONE


# Glue and Stomp


def test_glue_wakes_only_what_it_can_pay_for():
    scene = Scene(side(hand=["Glue", "Rush"], asleep=["Surge", "Ka"], cc=1), side(asleep=["Car"]))
    ann, _ = scene
    assert ann.targets("play", "Glue") == ["Surge"]
    with scene.refused("bad_target"):
        ann.plays("Glue", on="Ka")
    ann.plays("Glue", on="Surge")
    assert (ann.hand, ann.asleep, ann.cc) == (["Rush", "Surge"], ["Ka", "Glue"], 1)


def test_glue_costs_what_it_wakes():
    ann, _ = Scene(side(hand=["Glue"], asleep=["Ka", "Ballaber"], cc=3), side())
    assert (ann.price("play", "Glue", on="Ka"), ann.price("play", "Glue", on="Ballaber")) == (2, 3)
    ann.plays("Glue", on="Ka")
    assert (ann.hand, ann.cc) == (["Ka"], 1)


def test_glue_on_dream_counts_the_sleepers_dream_among_them():
    ann, _ = Scene(side(hand=["Glue"], asleep=["Dream", "Ka", "Knight"]), side())
    assert ann.price("play", "Glue", on="Dream") == 1


def test_glue_on_a_card_that_costs_what_its_target_costs_is_free():
    ann, _ = Scene(side(hand=["Glue"], asleep=["Copy"], cc=0), side())
    assert ann.price("play", "Glue", on="Copy") == 0


def test_gibbers_taxes_glue():
    ann, _ = Scene(side(hand=["Glue"], asleep=["Surge", "Ka"], cc=1), side(play=["Gibbers"]))
    assert ann.price("play", "Glue", on="Surge") == 1
    assert ann.targets("play", "Glue") == ["Surge"]


def test_stomp_reaches_what_it_can_pay_for():
    scene = Scene(side(hand=["Stomp", "Rush"], cc=1), side(play=["Knight", "Ka"]))
    ann, bob = scene
    assert ann.targets("play", "Stomp") == ["Knight"]
    with scene.refused("bad_target"):
        ann.plays("Stomp", on="Ka")
    ann.plays("Stomp", on="Knight")
    assert (bob.asleep, ann.cc) == (["Knight"], 0)


def test_stomp_on_ka_costs_2():
    ann, bob = Scene(side(hand=["Stomp", "Rush"], cc=2), side(play=["Ka"]))
    assert ann.price("play", "Stomp", on="Ka") == 2
    ann.plays("Stomp", on="Ka")
    assert (bob.asleep, ann.cc) == (["Ka"], 0)


def test_stomp_on_dream_counts_the_sleepers_of_dreams_side():
    ann, _ = Scene(side(hand=["Stomp"], asleep=["Sun"]), side(play=["Dream"], asleep=["Wake", "Rush"]))
    assert ann.price("play", "Stomp", on="Dream") == 2


def test_stomp_on_a_dream_in_foreign_hands_costs_4():
    ann, _ = Scene(side(hand=["Stomp"], asleep=["Sun"]), side(play=[stolen("Dream")], asleep=["Wake", "Rush"]))
    assert ann.price("play", "Stomp", on="Dream") == 4


def test_gibbers_taxes_stomp_on_itself():
    ann, _ = Scene(side(hand=["Stomp"], cc=2), side(play=["Gibbers", "Ka"]))
    assert ann.targets("play", "Stomp") == ["Gibbers"]
    assert ann.price("play", "Stomp", on="Gibbers") == 2

"""The deal, the exchange of cards, the steps of a turn, and ink."""

from __future__ import annotations

import pytest

from engine.errors import Refused
from tests.cards.lore_scene import GAME, Scene, drying, exerted, side, watched

CHOIR, CREW = GAME.decks["Lantern Choir"], GAME.decks["Ironquay Crew"]


def begun(*decks: str, **how) -> Scene:
    """A match in which nobody exchanged anything."""
    scene = Scene.dealt(*decks, **how)
    while scene.asked():
        scene.asked()[0].alters()
    return scene


def idle(scene: Scene, turns: int) -> None:
    for _ in range(turns):
        scene.waiting_for()[0].ends_turn()


# the deal


def test_after_the_deal_each_has_7_in_hand_53_in_the_deck_no_lore_and_no_ink():
    scene = Scene.dealt()
    for player in scene:
        assert (len(player.hand), len(player.deck), player.lore, player.inkwell) == (7, 53, 0, 0)
        assert player.play == player.discard == []
    assert sorted(scene.players[0].hand + scene.players[0].deck) == sorted(CHOIR)


def test_whoever_begins_is_asked_first_to_alter_the_hand_then_the_other():
    scene = Scene.dealt(first=1)
    ann, bob = scene
    assert (scene.asked(), scene.phase) == ([bob], "alter")
    bob.alters()
    assert scene.asked() == [ann]
    ann.alters()
    assert (scene.asked(), scene.waiting_for(), scene.turn) == ([], [bob], 1)


def test_who_alters_3_has_7_again_and_a_shuffled_deck_of_53_and_who_alters_0_keeps_the_order():
    scene = Scene.dealt()
    ann, bob = scene
    before = {player: (player.hand, player.deck) for player in scene}
    away = scene.table.zones["0.hand"][:3]
    gone = [scene.table[id].face for id in away]
    ann.alters(*away)
    assert (len(ann.hand), len(ann.deck)) == (7, 53)
    assert ann.hand == before[ann][0][3:] + before[ann][1][-3:][::-1]
    assert sorted(ann.deck[:3]) == sorted(gone)  # at the bottom; the shuffle waits for Bob
    bob.alters()
    assert (bob.hand, bob.deck) == before[bob]
    assert (len(ann.hand), len(ann.deck)) == (7, 53)
    assert ann.deck != gone[::-1] + before[ann][1][:-3]
    assert sorted(ann.hand + ann.deck) == sorted(CHOIR)


def test_the_other_player_learns_how_many_were_altered_and_not_which():
    scene = Scene.dealt()
    ann, bob = scene
    before = bob.view
    ann.alters(*scene.table.zones["0.hand"][:2])
    after = bob.view
    assert after["seats"]["0"]["altered"] == 2
    assert (before["zones"]["0.hand"], after["zones"]["0.hand"]) == ({"n": 7}, {"n": 7})
    assert after["zones"]["0.deck"] == {"n": 53}
    assert all(card["owner"] == 1 for card in after["cards"].values())


def test_nobody_alters_twice():
    scene = Scene.dealt()
    ann, bob = scene
    ann.alters()
    with scene.refused("not_asked"):
        ann.alters()
    bob.alters()
    with scene.refused("illegal"):
        ann.alters()


def test_a_card_of_the_other_player_cannot_be_altered():
    scene = Scene.dealt()
    ann, _ = scene
    with scene.refused("bad_target"):
        ann.alters(scene.table.zones["1.hand"][0])


def test_the_starting_player_skips_the_first_draw_and_nobody_else_does():
    scene = begun()
    ann, bob = scene
    assert (scene.turn, len(ann.hand)) == (1, 7)
    ann.ends_turn()
    assert (scene.turn, len(bob.hand)) == (2, 8)
    bob.ends_turn()
    assert (scene.turn, len(ann.hand)) == (3, 8)


def test_the_round_rises_when_the_starting_player_is_up_again():
    scene = begun(first=1)
    rounds = []
    for _ in range(5):
        rounds.append((watched(scene)["turn"]["seat"], watched(scene)["turn"]["round"]))
        idle(scene, 1)
    assert rounds == [(1, 1), (0, 1), (1, 2), (0, 2), (1, 3)]


# decks


def swapped(deck, out, into):
    found = list(deck)
    found[found.index(out)] = into
    return found


@pytest.mark.parametrize(
    ("deck", "code", "says"),
    [
        (CHOIR[:59], "deck_size", "at least 60 cards; this one has 59, so 1 are missing"),
        (
            swapped(CHOIR, "All Hands Carol", "Wick, Apprentice Lamplighter"),
            "deck_copies",
            "Wick, Apprentice Lamplighter is in the deck 5 times; 4 is the most, so take 1 out",
        ),
        (
            swapped(CHOIR, "All Hands Carol", "Broadside"),
            "deck_inks",
            "at most 2 inks; this one has 3 (30 Amethyst, 29 Amber, 1 Steel). Leave Steel out",
        ),
        (
            swapped(CHOIR, "All Hands Carol", "All Hand Carols"),
            "unknown_card",
            "There is no card 'All Hand Carols'. Did you mean All Hands Carol?",
        ),
    ],
)
def test_a_deck_of_59_or_with_5_copies_or_3_inks_is_refused_with_what_would_help(deck, code, says):
    with pytest.raises(Refused) as no:
        GAME.check_deck(deck, {})
    assert no.value.code == code
    assert says in str(no.value)


def test_everything_that_is_wrong_with_a_deck_is_told_at_once():
    deck = ["Broadside"] * 5 + ["Flash Powder", "Deep Well Survey", "Nothing"]
    codes = [no.code for no in GAME.deck_mistakes(deck, {})]
    assert codes == ["unknown_card", "deck_size", "deck_copies", "deck_inks"]


@pytest.mark.parametrize("deck", [CHOIR, CREW, (*CHOIR, "Vesper Round"), GAME.decks["Undertow Ledger"]])
def test_60_and_61_cards_are_accepted(deck):
    GAME.check_deck(deck, {})


def test_the_starter_decks_have_60_cards_and_the_inkable_ones_that_they_should():
    inkable = {name: sum(GAME.cards[card].inkable for card in deck) for name, deck in GAME.decks.items()}
    assert (inkable["Lantern Choir"], inkable["Ironquay Crew"]) == (52, 51)
    assert {len(deck) for deck in GAME.decks.values()} == {60}


# the steps


def test_the_ready_step_readies_characters_items_and_ink_of_the_active_player_only():
    mine = side([exerted("Crew, 2/3/1"), exerted("Bell")], spent=2)
    scene = Scene(mine, mine)
    ann, bob = scene
    ann.ends_turn()
    assert (bob.is_exerted("Crew, 2/3/1"), bob.is_exerted("Bell"), bob.ink) == (False, False, 2)
    assert (ann.is_exerted("Crew, 2/3/1"), ann.is_exerted("Bell"), ann.ink) == (True, True, 0)


def test_a_start_of_turn_trigger_resolves_before_the_draw():
    scene = Scene(side(), side(["Herald, Asks Early"]))
    ann, bob = scene
    ann.ends_turn()
    assert (scene.asked(), scene.phase, bob.hand) == ([bob], "set", [])
    bob.says("no")
    assert (scene.phase, len(bob.hand)) == ("main", 1)


def test_two_locations_with_1_lore_give_2_in_the_set_step():
    scene = Scene(side(), side(["Pier", "Jetty"], lore=3))
    ann, bob = scene
    ann.ends_turn()
    assert (bob.lore, ann.lore) == (5, 0)


def test_at_18_lore_two_locations_win_before_the_draw():
    scene = Scene(side(), side(["Pier", "Jetty", "Herald, Asks Early"], lore=18))
    ann, bob = scene
    ann.ends_turn()
    assert (scene.winner, scene.reason, bob.lore) == (bob, "lore", 20)
    assert (bob.hand, scene.phase) == ([], "set")  # nobody was asked, nothing was drawn


def test_pass_turn_is_for_the_main_phase():
    scene = Scene.dealt()
    ann, _ = scene
    with scene.refused("pending_decision"):
        ann.ends_turn()


def test_pass_turn_by_the_wrong_player_is_refused():
    scene = Scene(side())
    _, bob = scene
    with scene.refused("not_your_turn"):
        bob.ends_turn()


def test_pass_turn_with_an_open_choice_is_refused():
    scene = Scene(side(hand=["Poke"], ink=1), side(["Crew, 2/3/1", "Crew, 3/4/1"]))
    ann, bob = scene
    ann.plays("Poke")
    assert scene.asked() == [ann]
    with scene.refused("pending_decision"):
        ann.ends_turn()
    with scene.refused("not_asked"):
        bob.ends_turn()


# ink


def test_inking_works_once_a_turn_and_again_on_the_next():
    scene = Scene(side(hand=["Crew, 2/3/1", "Crew, 3/4/1"]))
    ann, _ = scene
    ann.inks("Crew, 2/3/1")
    assert (ann.ink, ann.inkwell, ann.hand) == (1, 1, ["Crew, 3/4/1"])
    with scene.refused("inked_already"):
        ann.inks("Crew, 3/4/1")
    idle(scene, 2)
    ann.inks("Crew, 3/4/1")
    assert ann.inkwell == 2


def test_a_card_without_the_mark_cannot_be_inked():
    scene = Scene(side(hand=["Anchor, Unmarked"]))
    ann, _ = scene
    with scene.refused("not_inkable"):
        ann.inks("Anchor, Unmarked")


def test_ink_can_be_spent_the_turn_it_is_laid():
    scene = Scene(side(hand=["Crew, 2/3/1", "Voice, cost 1"]))
    ann, _ = scene
    with scene.refused("cannot_afford"):
        ann.plays("Voice, cost 1")
    ann.inks("Crew, 2/3/1")
    ann.plays("Voice, cost 1")
    assert (ann.ink, ann.play) == (0, ["Voice, cost 1"])


def test_of_3_ink_with_1_exerted_a_cost_of_3_is_refused_and_2_leaves_none():
    scene = Scene(side(hand=["Voice, cost 3", "Voice, cost 2"], ink=2, spent=1))
    ann, _ = scene
    with scene.refused("cannot_afford"):
        ann.plays("Voice, cost 3")
    ann.plays("Voice, cost 2")
    assert (ann.ink, ann.inkwell) == (0, 3)


def test_the_inkwell_shows_how_many_and_which_are_exerted_and_no_face_to_anybody():
    scene = Scene(side(hand=["Voice, cost 1", "Crew, 2/3/1"], ink=1))
    ann, bob = scene
    ann.plays("Voice, cost 1")
    ann.inks("Crew, 2/3/1")
    for view in (ann.view, bob.view, watched(scene)):
        zone = view["zones"]["0.inkwell"]
        cards = [view["cards"][str(id)] for id in zone["cards"]]
        assert zone["n"] == 2
        assert cards == [{"owner": 0, "exerted": True}, {"owner": 0}]
        assert view["seats"]["0"]["ink"] == 1


def test_a_clerk_lets_its_player_ink_two_cards_a_turn_and_two_clerks_three():
    for clerks, inks in ((0, 1), (1, 2), (2, 3)):
        scene = Scene(side(["Pettifog"] * clerks, hand=["Crew, 2/3/1"] * 4))
        ann, _ = scene
        for _ in range(inks):
            ann.inks("Crew, 2/3/1")
        with scene.refused("inked_already"):
            ann.inks("Crew, 2/3/1")


def test_a_survey_puts_the_top_card_into_the_inkwell_exerted_without_using_the_turn_s_ink():
    scene = Scene(side(hand=["Deep Well", "Crew, 2/3/1"], ink=2, deck=["Crew, 1/1/1", "Crew, 3/4/1"]))
    ann, bob = scene
    ann.plays("Deep Well")
    assert (ann.inkwell, ann.ink, ann.deck) == (3, 0, ["Crew, 1/1/1"])
    ann.inks("Crew, 2/3/1")
    assert (ann.inkwell, ann.ink) == (4, 1)
    assert all("face" not in bob.view["cards"][str(id)] for id in bob.view["zones"]["0.inkwell"]["cards"])


def test_drying_concerns_characters_and_never_ink():
    scene = Scene(side([drying("Crew, 2/3/1")], hand=["Crew, 3/4/1", "Voice, cost 1"]))
    ann, _ = scene
    ann.inks("Crew, 3/4/1")
    assert ann.may("play_character", "Voice, cost 1")
    assert not ann.may("quest_character", "Crew, 2/3/1")

"""The cards of the set quays, as far as the rules' own tests do not use them."""

from __future__ import annotations

import pytest

from tests.cards.lore_scene import GAME, Scene, at, boosted, exerted, hurt, side

QUAYS = [name for name, card in GAME.cards.items() if card.set == "quays"]


def test_there_are_forty_of_them():
    assert len(QUAYS) == 40


def test_wick_the_keeper_heals_up_to_3_and_draws_only_after_a_shift():
    scene = Scene(side([hurt("Crew, 2/9/1", 5), "Wick, Apprentice"], hand=["Wick, Keeper", "Wick, Keeper"], ink=8))
    ann, _ = scene
    ann.plays("Wick, Keeper", onto="Wick, Apprentice")
    ann.chooses("Crew")
    ann.names(3)
    assert (ann.damage("Crew"), len(ann.hand)) == (2, 2)  # one Keeper is left, one card was drawn
    ann.plays("Wick, Keeper")
    ann.chooses("Crew")
    with scene.refused("bad_number"):
        ann.names(3)  # there are only 2 left
    ann.names(1)
    assert (ann.damage("Crew"), len(ann.hand)) == (1, 1)


def test_hollin_sings_better_and_is_worth_more_among_the_choir():
    scene = Scene(side(["Hollin"], hand=["Merle"], ink=2))
    ann, _ = scene
    assert ann.number("Hollin", "lore") == 1
    ann.plays("Merle")
    assert ann.number("Hollin", "lore") == 2
    assert ann.number("Merle", "lore") == 1


def test_two_hollins_count_each_other():
    ann, _ = Scene(side(["Hollin", "Hollin"]))
    assert ann.number("Hollin", "lore") == 2


def test_merle_may_exchange_a_card_for_every_song():
    scene = Scene(side(["Merle", "Voice, cost 3"], hand=["Song of 3", "Poke"], deck=["Kick"]))
    ann, _ = scene
    ann.sings("Song of 3", "Voice")
    ann.says("yes")
    assert ann.choices() == ["Kick", "Poke"]
    ann.chooses("Poke")
    assert (ann.hand, ann.discard) == (["Kick"], ["Song of 3", "Poke"])


def test_oswin_is_cheaper_with_a_wick_of_one_s_own():
    for play, theirs, price in ((["Wick, Apprentice"], [], 3), ([], ["Wick, Apprentice"], 4), ([], [], 4)):
        ann, _ = Scene(side(play, hand=["Oswin"], ink=6), side(theirs))
        assert ann.price("Oswin") == [price]


def test_two_wicks_do_not_make_oswin_cheaper_still():
    ann, _ = Scene(side(["Wick, Apprentice", "Wick, Keeper"], hand=["Oswin"], ink=6))
    assert ann.price("Oswin") == [3]


def test_dame_perrin_moves_damage_that_no_resist_stops():
    scene = Scene(side(["Dame Perrin", hurt("Crew, 2/9/1", 1)]), side(["Anvil Tobb"]))
    ann, bob = scene
    ann.uses("Dame Perrin")
    ann.chooses("Crew")
    ann.names(1)
    assert (ann.damage("Crew"), bob.damage("Anvil Tobb"), ann.is_exerted("Dame Perrin")) == (0, 1, True)


def test_dame_perrin_can_banish_with_what_she_moves():
    scene = Scene(side(["Dame Perrin", hurt("Crew, 2/9/1", 2)]), side([hurt("Crew, 2/3/1", 1)]))
    ann, bob = scene
    ann.uses("Dame Perrin")
    ann.chooses("Crew")
    ann.names(2)
    assert bob.play == []


@pytest.mark.parametrize(("characters", "cards"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (6, 3), (9, 3)])
def test_the_ballad_draws_for_every_two_characters_at_most_3(characters: int, cards: int):
    ann, _ = Scene(side(["Crew, 1/1/1"] * characters, hand=["Ballad"], ink=3))
    ann.plays("Ballad")
    assert len(ann.hand) == cards


def test_the_carol_gives_3_lore_to_a_choir_of_7():
    ann, _ = Scene(side(["Hollin", "Wick, Apprentice", "Voice, cost 1"], hand=["All Hands"]))
    ann.sings("All Hands", "Hollin", "Wick, Apprentice", "Voice")
    assert ann.lore == 3


def test_nix_the_mistress_exerts_somebody_when_she_quests():
    scene = Scene(side(["Nix Farrow, Mistress"]), side(["Crew, 2/3/1", "Crew, 3/4/1"]))
    ann, bob = scene
    ann.quests("Nix")
    ann.chooses("Crew, 3/4/1")
    assert (ann.lore, bob.is_exerted("Crew, 3/4/1"), bob.is_exerted("Crew, 2/3/1")) == (3, True, False)


def test_a_sprite_that_is_banished_otherwise_stays_where_it_is():
    scene = Scene(side(hand=["Poke"], ink=1), side(["Tumbling"]))
    ann, bob = scene
    ann.plays("Poke")
    assert (scene.asked(), bob.discard) == ([], ["Tumbling Sprite, Attic Familiar"])


def test_verrin_returns_a_character_of_cost_2_or_less_of_either_side():
    scene = Scene(side(["Voice, cost 1"], hand=["Verrin"], ink=3), side(["Voice, cost 2", "Voice, cost 3"]))
    ann, bob = scene
    ann.plays("Verrin")
    assert ann.choices() == ["Voice, cost 1", "Voice, cost 2"]
    ann.chooses("Voice, cost 2")
    assert bob.hand == ["Voice, cost 2"]


def test_aunt_sable_takes_one_of_three_and_orders_the_rest():
    deck = ["Poke", "Kick", "Storm", "Fine", "Tome"]
    scene = Scene(side(hand=["Aunt Sable"], ink=4, deck=deck))
    ann, _ = scene
    ann.plays("Aunt Sable")
    assert ann.choices() == ["Fine", "Storm", "Tome"]
    ann.chooses("Fine")
    ann.chooses("Tome", "Storm")
    assert (ann.hand, ann.deck) == (["Fine"], ["Storm", "Tome", "Poke", "Kick"])


def test_aunt_sable_may_take_none_and_does_nothing_without_a_deck():
    scene = Scene(side(hand=["Aunt Sable"], ink=4, deck=["Poke"]))
    ann, _ = scene
    ann.plays("Aunt Sable")
    ann.chooses()
    assert (ann.hand, ann.deck) == ([], ["Poke"])
    empty = Scene(side(hand=["Aunt Sable"], ink=4, deck=()))
    ann, _ = empty
    ann.plays("Aunt Sable")
    assert (empty.asked(), ann.hand) == ([], [])


@pytest.mark.parametrize(("owl", "cards"), [(exerted("Frostglass"), 1), ("Frostglass", 0)])
def test_the_owl_draws_at_the_end_of_its_own_turn_if_it_is_exerted(owl, cards: int):
    scene = Scene(side([owl]), side([exerted("Frostglass")]))
    ann, bob = scene
    ann.ends_turn()
    assert len(ann.hand) == cards
    assert len(bob.hand) == 1  # its draw step; its own owl waits for its own turn


def test_the_lullaby_puts_somebody_on_the_bottom_of_the_deck():
    scene = Scene(side(hand=["Lullaby"], ink=4), side([hurt("Crew, 2/3/1", 1)]))
    ann, bob = scene
    ann.plays("Lullaby")
    assert (bob.play, bob.deck[0], len(bob.deck)) == ([], "Crew, 2/3/1", 11)


def test_a_bottled_echo_lends_a_rushing_character_until_the_end_of_the_turn():
    scene = Scene(
        side(["Bottled Echo"], hand=["Voice, cost 3", "Voice, cost 4", "Poke"]), side([exerted("Crew, 2/9/1")])
    )
    ann, bob = scene
    ann.uses("Bottled Echo")
    assert ann.choices() == ["Voice, cost 3"]
    ann.chooses("Voice, cost 3")
    assert (ann.play, ann.discard) == (["Voice, cost 3"], ["Bottled Echo"])
    ann.challenges("Voice, cost 3", "Crew")
    ann.ends_turn()
    assert (ann.play, ann.discard) == ([], ["Bottled Echo", "Voice, cost 3"])
    assert scene.waiting_for() == [bob]


def test_a_bottled_echo_asks_even_if_there_is_nobody_to_play():
    """Whether Ann holds such a character is nobody's business."""
    scene = Scene(side(["Bottled Echo"], hand=["Poke"]))
    ann, _ = scene
    ann.uses("Bottled Echo")
    assert (scene.asked(), ann.choices()) == ([ann], [])
    ann.chooses()
    assert scene.waiting_for() == [ann]


def test_a_bodyguard_out_of_a_bottle_may_come_exerted():
    for answer in ("yes", "no"):
        scene = Scene(side(["Bottled Echo"], hand=["Rivet", "Voice, cost 1"]))
        ann, _ = scene
        ann.uses("Bottled Echo")
        ann.chooses("Rivet")
        ann.says(answer)
        assert ann.is_exerted("Rivet") == (answer == "yes")
        assert ann.number("Rivet", "rush") == 1


def test_bram_the_terror_gains_lore_for_whom_he_banishes_in_a_challenge():
    scene = Scene(side(["Bram Cutter, Dockside"], hand=["Bram Cutter, Terror"], ink=3), side([exerted("Crew, 4/4/1")]))
    ann, _ = scene
    ann.plays("Bram Cutter, Terror", onto="Bram Cutter, Dockside")
    ann.challenges("Bram", "Crew")
    assert (ann.lore, sorted(ann.discard)) == (
        1,
        ["Bram Cutter, Dockside Brawler", "Bram Cutter, Terror of the Breakwater"],
    )


def test_sorrel_attacks_for_4_and_defends_for_2():
    scene = Scene(side(["Sorrel"]), side([exerted("Crew, 2/9/1")]))
    ann, bob = scene
    ann.challenges("Sorrel", "Crew")
    assert bob.damage("Crew") == 4
    assert ann.strength("Sorrel") == 2  # when it is over


def test_ysolde_comes_on_a_sailor_and_makes_the_others_challengers():
    scene = Scene(side(["Kestrel", "Crew, 2/3/1"], hand=["Ysolde"], ink=4), side([exerted("Gull")]))
    ann, _ = scene
    ann.plays("Ysolde", onto="Kestrel")
    assert ann.number("Crew", "challenger") == 1
    assert ann.number("Ysolde", "challenger") == 0
    assert ann.foes("Ysolde") == ["Gull, Plain Evasive"]


def test_flash_powder_banishes_a_damaged_character_of_either_side():
    scene = Scene(side([hurt("Crew, 2/3/1", 1)], hand=["Flash"], ink=3), side([hurt("Old Harrow", 1), "Crew, 3/4/1"]))
    ann, bob = scene
    ann.plays("Flash")
    assert ann.choices() == ["Crew, 2/3/1", "Old Harrow, Scarred Quartermaster"]
    ann.chooses("Old Harrow")
    assert bob.discard == ["Old Harrow, Scarred Quartermaster"]


def test_a_shanty_readies_somebody_who_cannot_quest_then():
    scene = Scene(side([exerted("Crew, 3/4/1"), "Crew, 2/3/1"], hand=["Rowing"], ink=2), side([exerted("Gull")]))
    ann, _ = scene
    ann.plays("Rowing")
    assert ann.choices() == ["ready_a_character", "three_more_strength"]
    ann.says("ready_a_character")
    ann.chooses("Crew, 3/4/1")
    assert not ann.is_exerted("Crew, 3/4/1")
    with scene.refused("cannot_quest"):
        ann.quests("Crew, 3/4/1")
    assert ann.may("quest_character", "Crew, 2/3/1")


def test_a_shanty_gives_somebody_3_strength():
    scene = Scene(side(hand=["Rowing"], ink=2), side(["Crew, 2/3/1"]))
    ann, bob = scene
    ann.plays("Rowing")
    ann.says("three_more_strength")
    assert bob.strength("Crew") == 5


def test_the_mast_makes_evasive_and_lets_its_challengers_exchange_a_card():
    scene = Scene(
        side(["The Tilting Mast", at("Crew, 3/4/1", "The Tilting Mast"), "Crew, 3/3/1"], hand=["Poke"]),
        side([exerted("Gull"), exerted("Crew, 1/1/1")]),
    )
    ann, bob = scene
    assert ann.foes("Crew, 3/4/1") == ["Crew, 1/1/1", "Gull, Plain Evasive"]
    ann.challenges("Crew, 3/4/1", "Gull")
    assert (scene.asked(), bob.damage("Gull")) == ([ann], 0)  # before the damage
    ann.says("yes")
    ann.chooses("Poke")
    assert (bob.play, ann.discard) == (["Crew, 1/1/1"], ["Poke"])
    ann.challenges("Crew, 3/3/1", "Crew")
    assert scene.asked() == []  # who is not at the mast is not heard


def test_maude_hits_somebody_for_2():
    scene = Scene(side(hand=["Maude"], ink=4), side(["Crew, 2/3/1"]))
    ann, bob = scene
    ann.plays("Maude")
    assert ann.choices() == ["Crew, 2/3/1", "Maude Ferrow, Master Gunner"]
    ann.chooses("Crew")
    assert bob.damage("Crew") == 2


def test_a_broadside_hits_every_opposing_character_and_nothing_else():
    scene = Scene(
        side(["Crew, 2/3/1"], hand=["Broadside"], ink=4),
        side(["Crew, 1/1/1", "Warden, Plain", "Shell, Resist 1", "Pier"]),
    )
    ann, bob = scene
    ann.plays("Broadside")
    assert (ann.damage("Crew"), bob.damage("Warden"), bob.damage("Shell"), bob.damage("Pier")) == (0, 2, 1, 0)
    assert bob.discard == ["Crew, 1/1/1"]


def test_the_maul_strengthens_for_ink_and_hits_when_it_is_thrown():
    scene = Scene(side(["Breaker's Maul", "Crew, 2/3/1"], ink=1), side(["Crew, 1/1/1"]))
    ann, bob = scene
    ann.uses("Breaker's Maul", 0)
    assert (ann.strength("Crew"), ann.ink, ann.is_exerted("Breaker's Maul")) == (4, 0, True)
    ann.uses("Breaker's Maul", 1)  # exerted or not
    ann.chooses(bob.id("Crew"))
    assert (bob.play, ann.discard) == ([], ["Breaker's Maul"])


def test_the_ledger_pays_for_the_fallen_also_on_the_other_player_s_turn():
    scene = Scene(side(["Crew, 3/4/1"]), side([exerted("Crew, 2/3/1"), "Spoils Ledger"], ink=1))
    ann, bob = scene
    ann.challenges("Crew", "Crew")
    assert scene.asked() == [bob]
    bob.says("yes")
    assert (len(bob.hand), bob.ink) == (1, 0)


def test_the_ledger_does_not_ask_who_has_no_ink():
    scene = Scene(side(["Crew, 3/4/1"]), side([exerted("Crew, 2/3/1"), "Spoils Ledger"], spent=2))
    ann, _ = scene
    ann.challenges("Crew", "Crew")
    assert scene.asked() == []


def test_sliver_takes_lore_from_whoever_has_more():
    for theirs, left in ((5, 4), (1, 1), (0, 0)):
        scene = Scene(side(["Sliver"]), side(lore=theirs))
        ann, bob = scene
        ann.quests("Sliver")
        assert (ann.lore, bob.lore) == (1, left)  # the quest's own lore counts first


def test_tilda_is_worth_more_with_a_card_under_her_and_gains_lore_at_the_start():
    scene = Scene(side(), side([boosted("Tilda")]))
    ann, bob = scene
    assert bob.number("Tilda", "lore") == 2
    ann.ends_turn()
    assert bob.lore == 1
    plain = Scene(side(), side(["Tilda"]))
    ann, bob = plain
    ann.ends_turn()
    assert (bob.lore, bob.number("Tilda", "lore")) == (0, 1)


def test_pettifog_makes_items_cheaper_and_may_fetch_one():
    scene = Scene(side(hand=["Pettifog", "Bell"], ink=2, discard=["Bomb", "Poke", "Altar"]))
    ann, _ = scene
    ann.plays("Pettifog")
    assert ann.choices() == ["Altar", "Bomb"]
    ann.chooses("Bomb")
    assert sorted(ann.hand) == ["Bell", "Bomb"]
    assert (ann.price("Bell"), ann.ink) == ([0], 0)
    ann.plays("Bell")


def test_pettifog_may_leave_it_and_asks_nothing_without_an_item():
    scene = Scene(side(hand=["Pettifog", "Pettifog"], ink=4, discard=["Bomb"]))
    ann, _ = scene
    ann.plays("Pettifog")
    ann.chooses()
    assert ann.discard == ["Bomb"]
    bare = Scene(side(hand=["Pettifog"], ink=2, discard=["Poke"]))
    ann, _ = bare
    ann.plays("Pettifog")
    assert bare.asked() == []

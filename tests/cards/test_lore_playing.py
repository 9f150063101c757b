"""Playing cards, drying, and quests."""

from __future__ import annotations

import pytest

from tests.cards.lore_scene import Scene, drying, exerted, hurt, side


def idle(scene: Scene, turns: int) -> None:
    for _ in range(turns):
        scene.waiting_for()[0].ends_turn()


# playing


def test_a_character_enters_ready_drying_and_undamaged_and_hand_and_ink_change_once():
    scene = Scene(side(hand=["Crew, 2/3/1", "Crew, 3/4/1"], ink=3))
    ann, _ = scene
    ann.plays("Crew, 2/3/1")
    assert (ann.is_exerted("Crew, 2/3/1"), ann.is_drying("Crew, 2/3/1"), ann.damage("Crew, 2/3/1")) == (False, True, 0)
    assert (ann.hand, ann.ink, ann.inkwell) == (["Crew, 3/4/1"], 1, 3)


def test_what_cannot_be_afforded_is_refused_and_nothing_has_changed():
    scene = Scene(side(hand=["Voice, cost 5", "Voice, cost 4"], ink=4, spent=3))
    ann, _ = scene
    with scene.refused("cannot_afford"):
        ann.plays("Voice, cost 5")
    assert (ann.ink, len(ann.hand)) == (4, 2)
    ann.plays("Voice, cost 4")


def test_an_item_s_exert_ability_can_be_used_on_its_first_turn_and_once():
    scene = Scene(side(hand=["Bell"], ink=1))
    ann, _ = scene
    ann.plays("Bell")
    ann.uses("Bell")
    assert (ann.lore, ann.is_exerted("Bell")) == (1, True)
    with scene.refused("exerted"):
        ann.uses("Bell")


def test_a_character_s_exert_ability_waits_until_its_player_s_next_turn():
    scene = Scene(side(hand=["Tinkerer, Tired"], ink=1))
    ann, _ = scene
    ann.plays("Tinkerer, Tired")
    with scene.refused("drying"):
        ann.uses("Tinkerer, Tired")
    idle(scene, 2)
    ann.uses("Tinkerer, Tired")
    assert ann.lore == 1


def test_a_drying_character_may_use_an_ability_that_costs_only_ink():
    scene = Scene(side(hand=["Tinkerer, Paid"], ink=3))
    ann, _ = scene
    ann.plays("Tinkerer, Paid")
    ann.uses("Tinkerer, Paid")
    ann.uses("Tinkerer, Paid")
    assert (ann.lore, ann.ink) == (2, 0)
    with scene.refused("cannot_afford"):
        ann.uses("Tinkerer, Paid")


def test_an_action_without_a_legal_target_can_be_played_does_nothing_and_is_discarded():
    scene = Scene(side(hand=["Flash Powder"], ink=3), side(["Crew, 2/3/1"]))
    ann, bob = scene
    ann.plays("Flash Powder")
    assert (ann.discard, bob.play, scene.asked()) == (["Flash Powder"], ["Crew, 2/3/1"], [])


def test_a_cost_that_is_reduced_below_nothing_is_nothing():
    scene = Scene(side(["Crew, 2/3/1"], hand=["Bargain"]))
    ann, _ = scene
    assert ann.price("Bargain") == [0]
    ann.plays("Bargain")
    assert ann.play == ["Crew, 2/3/1", "Bargain, Cheap with Crew"]


def test_without_its_condition_a_cost_is_not_reduced():
    scene = Scene(side(hand=["Bargain"], ink=2))
    ann, _ = scene
    assert ann.price("Bargain") == [2]


def test_a_trigger_caused_by_an_action_waits_until_the_action_is_in_the_discard():
    scene = Scene(side(hand=["Kick"], ink=1), side([hurt("Crew, 2/3/1", 2), "Ghost"], hand=["Poke"]))
    ann, bob = scene
    ann.plays("Kick")
    assert scene.table.zones["stage"]
    ann.chooses("Ghost")
    said = [news.facts["key"] for news in scene.match.dealt.news if news.e == "said"]
    moved = [news.facts["to"] for news in scene.match.dealt.news if news.e == "moved"]
    assert said == ["damaged", "banished", "drew"]
    assert moved == ["0.discard", "1.discard", "1.hand"]  # the action first, then the ghost, then the card drawn
    assert len(bob.hand) == 2


def test_nothing_is_banished_and_nobody_speaks_in_the_middle_of_an_action():
    scene = Scene(side(hand=["Rowing"], ink=2), side(["Ghost"]))
    ann, bob = scene
    ann.plays("Rowing")
    ann.says("three_more_strength")
    assert (scene.asked(), bob.play) == ([], ["Ghost, Parting Gift"])  # the only character there is was chosen


# drying


def test_what_was_played_this_turn_cannot_quest_challenge_or_sing_until_the_next_own_turn():
    scene = Scene(side(hand=["Voice, cost 3", "Song of 3"], ink=3), side([exerted("Crew, 2/3/1")]))
    ann, bob = scene
    ann.plays("Voice, cost 3")
    with scene.refused("drying"):
        ann.quests("Voice")
    with scene.refused("drying"):
        ann.challenges("Voice", "Crew")
    with scene.refused("nobody_sings"):
        ann.sings("Song of 3", "Voice")
    ann.ends_turn()
    assert ann.is_drying("Voice")  # during the opponent's turn still
    bob.ends_turn()
    assert not ann.is_drying("Voice")
    for kind in ("quest_character", "sing_song"):
        assert ann.may(kind)
    assert ann.foes("Voice") == []  # Bob's crew was readied
    ann.sings("Song of 3", "Voice")
    assert ann.lore == 1


def test_rush_allows_to_challenge_while_drying_and_nothing_else():
    scene = Scene(side([drying("Dart, Swift Hand")], hand=["Song of 3"]), side([exerted("Crew, 2/3/1")]))
    ann, bob = scene
    assert not ann.may("quest_character")
    assert not ann.may("sing_song")
    with scene.refused("drying"):
        ann.quests("Dart")
    with scene.refused("drying"):
        ann.uses("Dart")
    ann.challenges("Dart", "Crew")
    assert bob.damage("Crew") == 2


def test_rush_given_for_this_turn_is_gone_on_the_next():
    scene = Scene(side([drying("Crew, 2/3/1")], hand=["Hurry", "Hurry"], ink=1), side([exerted("Crew, 2/9/1")]))
    ann, bob = scene
    assert not ann.may("challenge_character")
    ann.plays("Hurry")
    assert ann.may("challenge_character", "Crew")
    idle(scene, 1)
    assert ann.number("Crew", "rush") == 0
    assert bob.foes("Crew") == []


# quests


def test_a_quest_exerts_and_gains_the_lore_and_cannot_be_repeated():
    scene = Scene(side(["Crew, 2/3/2"]))
    ann, _ = scene
    ann.quests("Crew")
    assert (ann.lore, ann.is_exerted("Crew")) == (2, True)
    with scene.refused("exerted"):
        ann.quests("Crew")


def test_who_has_challenged_cannot_quest():
    scene = Scene(side(["Crew, 3/4/1"]), side([exerted("Crew, 2/3/1")]))
    ann, _ = scene
    ann.challenges("Crew", "Crew")
    with scene.refused("exerted"):
        ann.quests("Crew")


def test_a_lore_value_below_nothing_gives_nothing():
    scene = Scene(side(["Crew, 2/3/2"], hand=["Dull"], ink=1, lore=4))
    ann, _ = scene
    ann.plays("Dull")
    assert ann.number("Crew", "lore") == -1
    ann.quests("Crew")
    assert (ann.lore, ann.is_exerted("Crew")) == (4, True)


def test_a_character_without_lore_may_quest_all_the_same():
    scene = Scene(side(["Crew, 1/3/0"]))
    ann, _ = scene
    ann.quests("Crew")
    assert (ann.lore, ann.is_exerted("Crew")) == (0, True)


def test_the_twentieth_lore_wins_at_once_and_the_rest_of_the_turn_is_refused():
    scene = Scene(side(["Crew, 2/3/1", "Crew, 3/4/1"], lore=19))
    ann, _ = scene
    ann.quests("Crew, 2/3/1")
    assert (scene.winner, scene.reason) == (ann, "lore")
    with scene.refused("over"):
        ann.quests("Crew, 3/4/1")
    with scene.refused("over"):
        ann.ends_turn()


# support


def supported() -> Scene:
    return Scene(side(["Muse", "Crew, 4/5/1", "Crew, 1/1/1"]), side())


def test_support_lends_its_strength_to_another_for_this_turn():
    scene = supported()
    ann, bob = scene
    ann.quests("Muse")
    assert scene.asked() == [ann]
    assert ann.choices() == ["Crew, 1/1/1", "Crew, 4/5/1"]
    ann.chooses("Crew, 4/5/1")
    assert ann.strength("Crew, 4/5/1") == 7
    ann.ends_turn()
    assert ann.strength("Crew, 4/5/1") == 4
    assert scene.waiting_for() == [bob]


def test_support_may_be_declined():
    scene = supported()
    ann, _ = scene
    ann.quests("Muse")
    ann.chooses()
    assert (ann.strength("Crew, 4/5/1"), ann.lore, scene.asked()) == (4, 1, [])


def test_support_is_for_another_and_not_for_itself():
    scene = supported()
    ann, _ = scene
    ann.quests("Muse")
    with scene.refused("bad_target"):
        ann.chooses("Muse")


def test_support_is_declined_when_time_runs_out():
    scene = supported()
    ann, _ = scene
    ann.quests("Muse")
    scene.expire()
    assert (scene.asked(), scene.waiting_for(), ann.strength("Crew, 4/5/1")) == ([], [ann], 4)


def test_support_may_go_to_any_other_character_that_can_be_chosen():
    scene = Scene(side(["Muse"]), side(["Crew, 2/3/1", "Warden, Plain"]))
    ann, bob = scene
    ann.quests("Muse")
    assert ann.choices() == ["Crew, 2/3/1"]
    ann.chooses("Crew")
    assert bob.strength("Crew") == 5


def test_support_without_anybody_to_support_asks_nothing():
    scene = Scene(side(["Muse"]), side(["Warden, Plain"]))
    ann, _ = scene
    ann.quests("Muse")
    assert (scene.asked(), ann.lore) == ([], 1)


@pytest.mark.parametrize(("more", "lent"), [("Wave", 4), ("Cripple", 0)])
def test_support_lends_the_strength_it_has_now(more: str, lent: int):
    scene = Scene(side(["Muse"], hand=[more, "Crew, 1/1/1"], ink=3), side())
    ann, _ = scene
    ann.plays(more)
    ann.plays("Crew, 1/1/1")
    ann.quests("Muse")
    ann.chooses("Crew")
    assert ann.strength("Crew") == 1 + lent

"""Triggers and the bag: their order, what they depend on, what is optional, and what happens instead."""

from __future__ import annotations

import pytest

from tests.cards.lore_scene import Scene, drying, exerted, hurt, side


def said(scene: Scene) -> list[str]:
    """What was said in the last step."""
    return [news.facts["key"] for news in scene.match.dealt.news if news.e == "said"]


def gains(scene: Scene) -> list[int]:
    """Who gained lore in the last step, in order."""
    news = [one.facts for one in scene.match.dealt.news if one.e == "said"]
    return [one["args"]["seat"] for one in news if one["key"] == "gained"]


# the bag


def test_who_has_two_triggers_says_which_comes_first():
    for first in (0, 1):
        scene = Scene(side(hand=["Envoy"], ink=1))
        ann, _ = scene
        ann.plays("Envoy")
        assert scene.asked() == [ann]
        offers = ann.offers("order_triggers")
        assert [offer.slots[0].from_ for offer in offers] == [("#1",), ("#2",)]
        assert all(offer.card == ann.id("Envoy") for offer in offers)
        ann.sends({"type": "order_triggers", "card": ann.id("Envoy"), "item": [f"#{first + 1}"]})
        assert said(scene) == [["drew", "gained"], ["gained", "drew"]][first]
        assert (ann.lore, len(ann.hand), scene.waiting_for()) == (1, 1, [ann])


def test_what_waits_in_the_bag_is_there_for_everybody_to_see():
    scene = Scene(side(hand=["Envoy"], ink=1))
    ann, bob = scene
    ann.plays("Envoy")
    shown = [{"item": f"#{n}", "seat": 0, "face": "Envoy, Two Gifts", "card": ann.id("Envoy")} for n in (1, 2)]
    assert bob.view["turn"]["bag"] == shown
    ann.sends({"type": "order_triggers", "card": ann.id("Envoy"), "item": ["#2"]})
    assert "bag" not in bob.view["turn"]


def test_while_the_bag_is_open_nobody_makes_a_move_of_the_turn():
    scene = Scene(side(["Crew, 2/3/1"], hand=["Envoy"], ink=1))
    ann, _ = scene
    ann.plays("Envoy")
    with scene.refused("pending_decision"):
        ann.quests("Crew")
    with scene.refused("pending_decision"):
        ann.ends_turn()


@pytest.mark.parametrize("mine_first", [True, False])
def test_the_active_player_s_triggers_come_first_whatever_arose_first(mine_first: bool):
    """Two brutes fell each other, and on each side a mourner counts; either side may have been laid down first."""
    sides = (side(["Mourner", "Brute"]), side([exerted("Brute"), "Mourner"]))
    if not mine_first:
        sides = (side(["Brute", "Mourner"]), side(["Mourner", exerted("Brute")]))
    scene = Scene(*sides)
    ann, bob = scene
    ann.challenges("Brute", "Brute")
    assert scene.asked() == [ann]
    assert gains(scene) == []
    ann.resolves("Mourner")
    assert (gains(scene), scene.asked()) == ([0, 0], [bob])
    bob.resolves("Brute")
    assert (gains(scene), scene.waiting_for()) == ([1, 1], [ann])


def test_of_one_trigger_each_the_active_player_s_comes_first():
    scene = Scene(side(["Brute"]), side([exerted("Brute")]))
    ann, _ = scene
    ann.challenges("Brute", "Brute")
    assert gains(scene) == [0, 1]


def test_triggers_that_come_up_in_between_join_and_the_active_player_goes_first_again():
    """Two of Ann's die at once: the fuse runner's blast kills Bob's ghost while Ann's mourner still waits."""
    scene = Scene(
        side(["Powder Jute", "Mourner"]),
        side([exerted("Crew, 3/4/1"), "Ghost"], deck=["Crew, 1/1/1", "Crew, 2/3/1"]),
    )
    ann, bob = scene
    ann.challenges("Powder Jute", "Crew")
    assert scene.asked() == [ann]
    ann.resolves("Powder Jute")
    assert said(scene)[-2:] == ["gained", "drew"]  # Ann's mourner before Bob's ghost
    assert (ann.lore, bob.hand) == (1, ["Crew, 2/3/1"])


def test_an_if_that_does_not_hold_on_resolution_does_nothing():
    scene = Scene(side(hand=["Doubter"], ink=1), side(hand=["Poke"]))
    ann, _ = scene
    ann.plays("Doubter")
    assert ann.lore == 0
    alone = Scene(side(hand=["Doubter"], ink=1), side())
    ann, _ = alone
    ann.plays("Doubter")
    assert ann.lore == 5


@pytest.mark.parametrize(("first", "drawn"), [("Frostglass Owl", 1), ("Groom", 0)])
def test_an_if_is_looked_at_when_the_trigger_resolves_and_not_when_it_arose(first: str, drawn: int):
    """The owl draws if it is exerted at the end of the turn, and the groom readies it."""
    scene = Scene(side([exerted("Frostglass Owl"), "Groom"]))
    ann, bob = scene
    ann.ends_turn()
    assert scene.asked() == [ann]
    ann.resolves(first)
    assert (len(ann.hand), ann.is_exerted("Frostglass Owl"), scene.waiting_for()) == (drawn, False, [bob])


# optional


def test_a_may_that_is_declined_does_nothing():
    scene = Scene(side(["Crew, 3/4/1"]), side([exerted("Tumbling Sprite")]))
    ann, bob = scene
    ann.challenges("Crew", "Tumbling")
    assert scene.asked() == [bob]
    bob.says("no")
    assert (bob.hand, bob.discard) == ([], ["Tumbling Sprite, Attic Familiar"])


def test_a_may_that_is_taken_does_it():
    scene = Scene(side(["Crew, 3/4/1"]), side([exerted("Tumbling Sprite")]))
    ann, bob = scene
    ann.challenges("Crew", "Tumbling")
    bob.says("yes")
    assert (bob.hand, bob.discard) == (["Tumbling Sprite, Attic Familiar"], [])


def test_when_time_runs_out_what_is_optional_is_declined():
    scene = Scene(side(["Crew, 3/4/1"]), side([exerted("Tumbling Sprite")]))
    ann, bob = scene
    ann.challenges("Crew", "Tumbling")
    scene.expire()
    assert (bob.hand, scene.waiting_for()) == ([], [ann])


def test_when_time_runs_out_what_must_be_chosen_is_the_first_that_is_legal():
    scene = Scene(side(hand=["Poke"], ink=1), side(["Warden, Plain", "Crew, 2/3/1", "Crew, 3/4/1"]))
    ann, bob = scene
    ann.plays("Poke")
    scene.expire()
    assert [bob.damage(name) for name in ("Warden", "Crew, 2/3/1", "Crew, 3/4/1")] == [0, 1, 0]


# when banished


def test_when_banished_is_heard_in_a_challenge_by_an_action_and_as_a_cost():
    deck = ["Crew, 1/1/1"] * 3
    fought = Scene(side(["Crew, 3/4/1"]), side([exerted("Ghost")], deck=deck))
    fought.players[0].challenges("Crew", "Ghost")
    burnt = Scene(side(hand=["Kick"], ink=1), side(["Ghost"], deck=deck))
    burnt.players[0].plays("Kick")
    for scene in (fought, burnt):
        assert len(scene.players[1].hand) == 1
    paid = Scene(side(["Altar", "Ghost"]))
    ann, _ = paid
    ann.uses("Altar", sacrifice="Ghost")
    assert len(ann.hand) == 2  # one for the altar, one for the ghost


# the end of the turn


def test_an_end_of_turn_trigger_resolves_before_this_turn_effects_end():
    scene = Scene(side(["Herald, Late"], hand=["Wave"], ink=1))
    ann, _ = scene
    ann.plays("Wave")
    ann.ends_turn()
    assert ann.lore == 2
    assert ann.strength("Herald") == 1


def test_a_delayed_banish_comes_at_the_end_of_the_turn():
    scene = Scene(side(["Crew, 2/3/1"], hand=["Doom"], ink=1))
    ann, bob = scene
    ann.plays("Doom")
    assert ann.play == ["Crew, 2/3/1"]
    assert bob.view["turn"]["later"][0]["target"] == [ann.id("Crew")]
    ann.ends_turn()
    assert (ann.play, ann.discard) == ([], ["Doom", "Crew, 2/3/1"])


def test_a_delayed_banish_of_a_card_that_is_already_gone_does_nothing():
    scene = Scene(side(["Crew, 2/3/1"], hand=["Doom", "Hook"], ink=2))
    ann, bob = scene
    ann.plays("Doom")
    ann.plays("Hook")
    ann.ends_turn()
    assert (ann.hand, scene.waiting_for()) == (["Crew, 2/3/1"], [bob])


def test_a_delayed_banish_does_not_follow_a_card_that_left_and_came_back():
    scene = Scene(side(["Crew, 2/3/1", "Altar"], hand=["Doom", "Vesper Round"], ink=5))
    ann, _ = scene
    ann.plays("Doom")
    ann.uses("Altar", sacrifice="Crew")
    ann.plays("Vesper Round")
    assert "Crew, 2/3/1" in ann.play
    ann.ends_turn()
    assert "Crew, 2/3/1" in ann.play


# instead


def test_damage_that_is_redirected_is_dealt_once_to_the_new_character_by_its_own_resist():
    scene = Scene(
        side(["Crew, 3/4/1"]), side([exerted("Shell, Resist 2"), "Old Harrow", "Harbour Chain"], deck=["Crew, 1/1/1"])
    )
    ann, bob = scene
    assert bob.number("Old Harrow", "resist") == 1  # a Warden, by the chain
    ann.challenges("Crew", "Shell")
    assert (bob.damage("Shell"), bob.damage("Old Harrow")) == (0, 3 - 1)


def test_only_the_first_damage_of_a_turn_is_redirected_and_again_on_the_next():
    scene = Scene(side(hand=["Poke"] * 3, ink=3), side(["Old Harrow", "Crew, 2/9/1"]))
    ann, bob = scene
    for expected in ((1, 0), (1, 1)):
        ann.plays("Poke")
        ann.chooses("Crew")
        assert (bob.damage("Old Harrow"), bob.damage("Crew")) == expected
    ann.ends_turn()
    bob.ends_turn()
    ann.plays("Poke")
    ann.chooses("Crew")
    assert (bob.damage("Old Harrow"), bob.damage("Crew")) == (2, 1)


def test_damage_to_old_harrow_himself_and_damage_that_is_put_are_not_redirected():
    scene = Scene(side([hurt("Crew, 2/9/1", 2), "Healer"], hand=["Poke"], ink=2), side(["Old Harrow", "Crew, 1/5/1"]))
    ann, bob = scene
    ann.plays("Poke")
    ann.chooses("Old Harrow")
    ann.uses("Healer")
    ann.chooses("Crew, 2/9/1")
    ann.chooses("Crew, 1/5/1")
    ann.names(2)
    assert (bob.damage("Old Harrow"), bob.damage("Crew")) == (1, 2)


def test_damage_that_is_redirected_is_not_redirected_again():
    scene = Scene(side(hand=["Poke"], ink=1), side(["Old Harrow", "Crew, 2/9/1", "Old Harrow"]))
    ann, _ = scene
    ann.plays("Poke")
    ann.chooses("Crew")
    hit = [card.facts.get("damage", 0) for card in scene.table.lying("1.characters")]
    assert hit == [1, 0, 0]


# choices of the other player


def test_each_opponent_chooses_what_to_discard():
    scene = Scene(side(hand=["Corin"], ink=3), side(hand=["Poke", "Kick"]))
    ann, bob = scene
    ann.plays("Corin")
    assert scene.asked() == [bob]
    assert bob.choices() == ["Kick", "Poke"]
    bob.chooses("Kick")
    assert (bob.hand, bob.discard, scene.waiting_for()) == (["Poke"], ["Kick"], [ann])


def test_with_an_empty_hand_nothing_is_discarded_and_nobody_is_asked():
    scene = Scene(side(hand=["Corin"], ink=3), side())
    ann, _ = scene
    ann.plays("Corin")
    assert (scene.asked(), scene.waiting_for()) == ([], [ann])


def test_lore_does_not_fall_below_nothing():
    scene = Scene(side(hand=["Fine", "Fine"], ink=2), side(lore=1))
    ann, bob = scene
    ann.plays("Fine")
    assert bob.lore == 0
    ann.plays("Fine")
    assert bob.lore == 0


# freezing


def test_a_frozen_character_misses_exactly_one_ready_step():
    scene = Scene(side(hand=["Numbing Chill"], ink=2), side(["Crew, 2/3/1", "Crew, 3/4/1"]))
    ann, bob = scene
    ann.plays("Numbing Chill")
    ann.chooses("Crew, 2/3/1")
    assert bob.is_exerted("Crew, 2/3/1")
    ann.ends_turn()
    assert bob.is_exerted("Crew, 2/3/1")  # it should have been readied now
    bob.ends_turn()
    ann.ends_turn()
    assert not bob.is_exerted("Crew, 2/3/1")


def test_a_frozen_character_may_be_readied_by_a_card_and_one_that_cannot_ready_may_not():
    for keeper, stays in ((None, False), ("Stopper", True)):
        mine = ["Crew, 1/1/1", *([keeper] if keeper else [])]
        scene = Scene(side(mine, hand=["Numbing Chill"], ink=2), side([exerted("Waker"), hurt("Crew, 2/3/1", 1)]))
        ann, bob = scene
        ann.plays("Numbing Chill")
        ann.chooses("Crew, 2/3/1")
        ann.challenges("Crew", "Waker")
        assert bob.is_exerted("Crew, 2/3/1") == stays


def test_who_cannot_ready_stays_exerted_for_as_long_as_that_holds():
    tired = [exerted(hurt("Crew, 2/3/1", 1)), exerted("Crew, 3/4/1")]
    scene = Scene(side(["Stopper"]), side(tired, hand=["Kick"], ink=1))
    ann, bob = scene
    ann.ends_turn()
    assert (bob.is_exerted("Crew, 2/3/1"), bob.is_exerted("Crew, 3/4/1")) == (True, False)
    bob.plays("Kick")  # that was the stopper
    bob.ends_turn()
    ann.ends_turn()
    assert not bob.is_exerted("Crew, 2/3/1")


def test_a_frozen_character_that_was_drying_dries_all_the_same():
    scene = Scene(side(hand=["Numbing Chill"], ink=2), side([drying("Crew, 2/3/1")]))
    ann, bob = scene
    ann.plays("Numbing Chill")
    ann.ends_turn()
    assert (bob.is_exerted("Crew"), bob.is_drying("Crew")) == (True, False)

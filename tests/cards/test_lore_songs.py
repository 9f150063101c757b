"""Songs, and who may sing them."""

from __future__ import annotations

import pytest

from tests.cards.lore_scene import Scene, drying, exerted, side


def test_a_character_of_cost_3_sings_a_song_of_3_for_no_ink():
    scene = Scene(side(["Voice, cost 3"], hand=["Song of 3"], ink=3))
    ann, _ = scene
    ann.sings("Song of 3", "Voice")
    assert (ann.lore, ann.ink, ann.is_exerted("Voice"), ann.discard) == (1, 3, True, ["Song of 3"])


def test_a_character_of_a_lower_cost_cannot_sing_it():
    scene = Scene(side(["Voice, cost 2"], hand=["Song of 3"]))
    ann, _ = scene
    with scene.refused("nobody_sings"):
        ann.sings("Song of 3", "Voice")


def test_a_character_of_a_higher_cost_may_sing_it():
    scene = Scene(side(["Voice, cost 5"], hand=["Song of 3"]))
    ann, _ = scene
    ann.sings("Song of 3", "Voice")
    assert ann.lore == 1


def test_singer_5_at_cost_3_sings_a_song_of_5_and_costs_3_elsewhere():
    scene = Scene(side(["Alto"], hand=["Song of 5", "Alto"], ink=3), side(hand=["Verrin Ash"]))
    ann, _ = scene
    ann.sings("Song of 5", "Alto")
    assert ann.lore == 1
    assert ann.price("Alto") == [3]


def test_for_everything_but_singing_a_singer_keeps_its_cost():
    """Verrin Ash returns characters of cost 2 or less, and Bellamy sings as 6 but costs 4."""
    scene = Scene(side(["Voice, cost 2", "Choirmaster"], hand=["Verrin Ash"], ink=3))
    ann, _ = scene
    ann.plays("Verrin Ash")
    assert ann.hand == ["Voice, cost 2"]


@pytest.mark.parametrize("singer", [drying("Voice, cost 3"), exerted("Voice, cost 3"), drying("Dart, Plain")])
def test_a_drying_or_exerted_character_cannot_sing_and_rush_does_not_help(singer):
    scene = Scene(side([singer], hand=["Song of 3"]))
    ann, _ = scene
    with scene.refused("nobody_sings"):
        ann.sings("Song of 3", singer.face)


def test_the_same_song_can_be_paid_with_ink():
    scene = Scene(side([drying("Voice, cost 3")], hand=["Song of 3"], ink=3))
    ann, _ = scene
    ann.plays("Song of 3")
    assert (ann.lore, ann.ink, ann.discard) == (1, 0, ["Song of 3"])


def test_somebody_else_s_character_does_not_sing_for_you():
    scene = Scene(side(hand=["Song of 3"]), side(["Voice, cost 5"]))
    ann, bob = scene
    with scene.refused("nobody_sings"):
        ann.sends({"type": "sing_song", "card": ann.id("Song of 3"), "singer": [bob.id("Voice")]})


# together


@pytest.mark.parametrize(
    "singers",
    [["Voice, cost 3", "Voice, cost 4"], ["Alto, Singer 5", "Voice, cost 2"], ["Voice, cost 3", "Alto, Singer 5"]],
)
def test_characters_whose_costs_come_to_7_sing_a_chorus_of_7_together(singers):
    scene = Scene(side(singers, hand=["Chorus"]))
    ann, _ = scene
    ann.sings("Chorus", *singers)
    assert (ann.lore, ann.discard) == (2, ["Chorus"])
    assert all(ann.is_exerted(name) for name in singers)


def test_3_and_3_do_not_come_to_7():
    scene = Scene(side(["Voice, cost 3", "Hothead, Reckless", "Voice, cost 2"], hand=["Chorus"]))
    ann, _ = scene
    with scene.refused("bad_total"):
        ann.sings("Chorus", "Voice, cost 3", "Hothead")
    ann.sings("Chorus", "Voice, cost 3", "Hothead", "Voice, cost 2")
    assert ann.lore == 2


def test_with_too_few_voices_a_chorus_is_not_offered():
    scene = Scene(side(["Voice, cost 3", "Hothead, Reckless"], hand=["Chorus"]))
    ann, _ = scene
    with scene.refused("nobody_sings"):
        ann.sings("Chorus", "Voice, cost 3", "Hothead")


def test_one_character_of_cost_7_sings_a_chorus_of_7_alone_either_way():
    for kind, slot in (("sing_together", "singers"), ("sing_song", "singer")):
        scene = Scene(side(["Voice, cost 7"], hand=["Chorus"]))
        ann, _ = scene
        ann.sends({"type": kind, "card": ann.id("Chorus"), slot: [ann.id("Voice")]})
        assert (ann.lore, ann.is_exerted("Voice")) == (2, True)


def test_a_drying_one_in_the_group_has_the_whole_refused():
    scene = Scene(side(["Voice, cost 3", "Voice, cost 5", drying("Voice, cost 4")], hand=["Chorus"]))
    ann, _ = scene
    with scene.refused("bad_target"):
        ann.sings("Chorus", "Voice, cost 3", "Voice, cost 4")
    assert not ann.is_exerted("Voice, cost 3")
    ann.sings("Chorus", "Voice, cost 3", "Voice, cost 5")


def test_more_may_sing_than_it_takes():
    scene = Scene(side(["Voice, cost 3", "Voice, cost 5", "Voice, cost 1"], hand=["Chorus"]))
    ann, _ = scene
    ann.sings("Chorus", "Voice, cost 3", "Voice, cost 5", "Voice, cost 1")
    assert ann.lore == 2


def test_nobody_sings_twice_in_one_chorus():
    scene = Scene(side(["Voice, cost 4", "Voice, cost 3"], hand=["Chorus"]))
    ann, _ = scene
    with scene.refused("bad_count"):
        ann.sings("Chorus", "Voice, cost 4", "Voice, cost 4")


# who hears a song


def test_whenever_you_play_a_song_is_heard_for_both_ways_of_paying():
    for pay in ("ink", "voice"):
        scene = Scene(side(["Fan", "Voice, cost 3"], hand=["Song of 3"], ink=3))
        ann, _ = scene
        if pay == "ink":
            ann.plays("Song of 3")
        else:
            ann.sings("Song of 3", "Voice")
        assert ann.lore == 2, pay


def test_a_song_of_the_other_player_is_not_yours():
    scene = Scene(side(hand=["Song of 3"], ink=3), side(["Fan"]))
    ann, bob = scene
    ann.plays("Song of 3")
    assert (ann.lore, bob.lore) == (1, 0)


def test_an_action_that_is_no_song_is_not_heard_as_one():
    scene = Scene(side(["Fan"], hand=["Tome"], ink=1))
    ann, _ = scene
    ann.plays("Tome")
    assert (ann.lore, len(ann.hand)) == (0, 2)


def test_a_song_heard_by_merle_waits_until_it_is_done():
    scene = Scene(side(["Merle", "Voice, cost 3"], hand=["Ballad", "Poke"]))
    ann, _ = scene
    ann.sings("Ballad", "Voice")
    assert (len(ann.hand), ann.discard, scene.asked()) == (2, ["Ballad of Low Tide"], [ann])
    ann.says("yes")
    ann.chooses("Poke")
    assert ann.discard == ["Ballad of Low Tide", "Poke"]
    assert len(ann.hand) == 2

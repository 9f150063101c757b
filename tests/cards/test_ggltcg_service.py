"""What the rooms rely on: storage, secrecy, decks, options, and that no card is ever lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine.errors import Refused
from engine.lens import Lens
from engine.match import Match
from engine.offers import at_random
from engine.store import pack, state_hash, unpack
from tests.cards.scene import GAME, Scene, copy_of, hurt, side, stolen, watched

JUICE = "VeryVeryAppleJuice"
SIX = ("Beary", "Ka", "Knight", "Raggy", "Twist", "Wake")

# storage


def busy_scene() -> Scene:
    scene = Scene(
        side(play=["Raggy", stolen(hurt("Umbruh", 2)), copy_of("Knight")], hand=[JUICE, "Rush"], asleep=["Sun"]),
        side(hand=["Dream", "Wake", "Copy"], cc=3),
    )
    ann, _ = scene
    ann.plays(JUICE)
    ann.strikes("Raggy")
    return scene


def stored(scene: Scene) -> Scene:
    return Scene.at(unpack(GAME, pack(scene.table)))


def test_a_stored_table_keeps_everything():
    scene = busy_scene()
    again = stored(scene)
    ann, bob = again
    assert again.hash == scene.hash
    assert again.table == scene.table
    assert ann.play == ["Raggy", "Umbruh", "Copy of Knight"]
    assert [again.table[id].owner for id in again.table.zones["0.in_play"]] == [0, 1, 0]
    assert (ann.stats("Umbruh"), ann.stats("Copy of Knight")) == ((5, 5, 3), (5, 5, 4))
    assert (ann.attacks, ann.cc, bob.cc) == (1, 7, 3)


def test_a_stored_table_goes_on_as_it_would_have():
    scene, again = busy_scene(), stored(busy_scene())
    for one in (scene, again):
        ann, bob = one
        ann.strikes("Raggy")  # chance is stored too
        assert not ann.may("strike")
        ann.ends_turn()
        assert ann.stats("Umbruh") == (4, 4, 2)
        bob.ends_turn()
    assert again.hash == scene.hash


def test_an_open_question_survives_storage():
    scene = Scene(side(play=["Ka"]), side(play=["Snuggles", "Dino"]))
    scene.players[0].tussles("Ka", "Snuggles")
    again = stored(scene)
    ann, bob = again
    assert again.waiting_for() == [bob]
    bob.chooses("Ka")
    assert ann.asleep == ["Ka"]
    assert again.waiting_for() == [ann]


def test_different_tables_have_different_hashes():
    scene = Scene(side(play=["Ka"]), side())
    ann, _ = scene
    before = scene.hash
    assert before == Scene(side(play=["Ka"]), side()).hash
    ann.ends_turn()
    assert scene.hash != before


# secrecy


def everything(view: Any) -> Iterator[Any]:
    """Every key and every value in a view, however deep."""
    if isinstance(view, dict):
        for key, value in view.items():
            yield key
            yield from everything(value)
    elif isinstance(view, list | tuple):
        for value in view:
            yield from everything(value)
    else:
        yield view


def test_the_opponent_sees_how_many_cards_a_hand_has_and_no_more():
    scene = Scene(side(hand=["Dream", "Wake", "Rush"]), side())
    ann, bob = scene
    ids = scene.table.zones["0.hand"]
    for view in (bob.view, watched(scene)):
        assert view["zones"]["0.hand"] == {"n": 3}
        told = set(everything(view))
        assert not told & {*ids, *map(str, ids)}
    assert ann.view["zones"]["0.hand"] == {"n": 3, "cards": list(ids)}
    assert [ann.view["cards"][str(id)]["face"] for id in ids] == ["Dream", "Wake", "Rush"]


def test_the_six_cards_of_both_are_public():
    scene = Scene.dealt(SIX, ("Ka", "Wizard", "Beary", "Copy", "Clean", "Wake"))
    for view in (*(player.view for player in scene), watched(scene)):
        assert view["seats"]["0"]["deck"] == list(SIX)


def test_play_and_sleep_are_public():
    scene = Scene(side(play=["Ka"], asleep=["Sun"]), side())
    ann, bob = scene
    for zone, name in (("0.in_play", "Ka"), ("0.sleep", "Sun")):
        assert bob.view["zones"][zone]["cards"] == [ann.s(name)]
        assert bob.view["cards"][str(ann.s(name))]["face"] == name


def test_a_card_that_returns_to_hand_is_not_recognised_later():
    scene = Scene(side(hand=["Jumpscare", "Rush"]), side(play=["Ka"], hand=["Car"]))
    ann, bob = scene
    before = bob.s("Ka")
    ann.plays("Jumpscare", on="Ka")
    after = bob.s("Ka")
    assert after != before
    assert str(after) in bob.view["cards"]
    assert not {after, str(after), before, str(before)} & set(everything(ann.view))


def test_a_hand_shows_its_owner_what_its_cards_cost():
    scene = Scene(side(hand=["Dream", "Rush"], asleep=["Sun"]), side(play=["Gibbers"]))
    ann, _ = scene
    cards = ann.view["cards"]
    assert [cards[str(ann.s(name))]["cost"] for name in ("Dream", "Rush")] == [4, 1]


def test_moves_and_questions_are_offered_to_whoever_must_decide():
    scene = Scene(side(play=["Ka"]), side(play=["Snuggles", "Dino"]))
    ann, bob = scene
    lenses = [Lens(scene.match.look, seat) for seat in (0, 1, -1)]
    assert [bool(lens.offers(scene.match)) for lens in lenses] == [True, False, False]
    ann.tussles("Ka", "Snuggles")
    assert [bool(lens.offers(scene.match)) for lens in lenses] == [False, True, False]
    assert [lens.ask(scene.match) is not None for lens in lenses] == [False, True, False]
    assert bob.targets() == ["Dino", "Ka"]


# decks and options


def refusal(code: str, *decks: object, **how: Any) -> str:
    """The text with which a deal is refused."""
    with pytest.raises(Refused) as no:
        Match.deal(GAME, seed=0, decks=decks, **how)  # type: ignore[arg-type]
    assert no.value.code == code
    return str(no.value)


def test_a_deck_has_six_cards():
    assert "5" in refusal("deck_size", SIX[:5])
    assert "7" in refusal("deck_size", (*SIX, "Umbruh"))
    assert "0" in refusal("deck_size", ())


def test_the_cards_of_a_deck_are_all_different():
    assert "Ka" in refusal("deck_repeats", SIX, ("Ka", "Ka", "Knight", "Raggy", "Twist", "Wake"))


def test_an_unknown_card_is_named_and_a_near_one_suggested():
    text = refusal("unknown_card", (*SIX[:5], "Wakee"))
    assert "Wakee" in text
    assert "Wake?" in text


def test_a_card_of_another_set_is_not_in_the_pool():
    mixed = (*SIX[:5], "Surge")
    assert "Surge" in refusal("not_in_set", mixed)
    assert "Ka" in refusal("not_in_set", ("Ka", "Car", "Dino", "Drop", "Surge", "Cake"), options={"set": "extra"})
    Match.deal(GAME, seed=0, decks=[mixed, mixed], options={"set": "all"})


def test_both_players_may_bring_the_same_cards():
    ann, bob = Scene.dealt(SIX, SIX)
    assert ann.hand == bob.hand == list(SIX)


def test_the_preset_decks_are_six_and_may_be_played():
    presets = [deck for deck in GAME.decks.values() if deck]
    for deck in presets:
        GAME.check_deck(deck, {"set": "all"})
    assert {frozenset(deck) for deck in presets} == {
        frozenset(("Dream", "Knight", "Raggy", "Umbruh", "Rush", "Surge")),
        frozenset(("Ka", "Wizard", "Beary", "Copy", "Clean", "Wake")),
        frozenset(("Belchaletta", "Drum", "Hind Leg Kicker", "Violin", "Jumpscare", "Surge")),
        frozenset(("Gibbers", "Sock Sorcerer", "Monster", "Twist", "Drop", "Toynado")),
        frozenset(("Beary", "Ka", "Knight", "Raggy", "Twist", "Wake")),
        frozenset(("Archer", "Knight", "Paper Plane", "Umbruh", "Surge", "Wake")),
    }


def surprise(seed: object, **options: Any) -> list[list[str]]:
    """The hands of two players who chose no deck."""
    return [player.hand for player in Scene.dealt(seed=seed, options=options)]


def test_whoever_chooses_no_deck_gets_six_different_cards_of_the_core_set():
    for seed in range(30):
        for hand in surprise(seed):
            assert len(set(hand)) == 6
            assert all(GAME.cards[name].set == "core" for name in hand)  # type: ignore[attr-defined]


def test_the_same_seed_draws_the_same_decks():
    assert surprise("monday") == surprise("monday")
    assert surprise("monday") != surprise("tuesday")


def test_every_card_of_the_set_may_be_drawn():
    for chosen in ("core", "extra", "all"):
        drawn = {name for seed in range(120) for hand in surprise(seed, set=chosen) for name in hand}
        assert drawn == set(GAME.pool({"set": chosen}))  # type: ignore[attr-defined]


def test_one_player_may_choose_and_the_other_be_surprised():
    ann, bob = Scene.dealt(SIX)
    assert ann.hand == list(SIX)
    assert len(set(bob.hand)) == 6


@pytest.mark.parametrize(
    "options", [{"set": "huge"}, {"turn_limit": -1}, {"turn_limit": 1001}, {"turn_limit": "many"}, {"speed": 1}]
)
def test_an_option_that_does_not_exist_is_refused(options: dict[str, Any]):
    refusal("bad_option", SIX, SIX, options=options)


def test_options_have_defaults():
    assert GAME.read_options({}) == {"set": "core", "turn_limit": 0}


@pytest.mark.parametrize("seats", [1, 3])
def test_it_is_a_game_for_two(seats: int):
    refusal("bad_seats", seats=seats)


# no card is ever lost


@pytest.mark.parametrize("seed", range(25))
def test_twelve_cards_stay_twelve_cards(seed: int):
    chance = Random(seed)
    scene = Scene.dealt(seed=seed, options={"set": ("core", "extra", "all")[seed % 3], "turn_limit": 60})
    decks = [sorted(player.hand) for player in scene]
    while not scene.over:
        (player,) = scene.waiting_for()
        player.sends(at_random(scene.match.offers(player.seat), chance.randrange))  # the scene counts cards and CC
        ids = [id for zone in scene.table.zones.values() for id in zone]
        assert len(ids) == len(set(ids)) == 12
        owned = Counter((scene.table[id].owner, scene.table[id].face) for id in ids)
        assert owned == Counter((seat, name) for seat, deck in enumerate(decks) for name in deck)
    assert state_hash(scene.table)

"""Mars: card files, the other ways to write them, and what is said of a card that makes no sense."""

from __future__ import annotations

import copy

import pytest

from cards import find_game
from cards.mars.facts import HERE
from cards.mars.rules import Mars
from tests.cards.planet import Planet, side

GAME = find_game("mars")
PLAIN = {
    "id": "T1",
    "name": "Plain",
    "type": "automated",
    "cost": 5,
    "tags": ["building"],
    "behaviors": [
        {"triggers": [{"type": "auto"}], "outputs": [{"type": "credit", "amount": 1, "target": "self-player"}]}
    ],
}


def mistakes(*rows):
    return list(Mars(rows).mistakes)


def auto(*outputs, **more):
    return {"triggers": [{"type": "auto"}], "outputs": list(outputs), **more}


def manual(*outputs, **more):
    return {"triggers": [{"type": "manual"}], "outputs": list(outputs), **more}


def card(name, *behaviors, type="automated", cost=0, **more):
    return {"id": name, "name": name, "type": type, "cost": cost, "behaviors": list(behaviors), **more}


# the files that come with the game


def test_the_files_of_the_game_are_without_a_mistake():
    assert GAME.mistakes == ()


def test_there_are_48_projects_in_110_copies_and_6_corporations():
    options = GAME.read_options({})
    assert len(GAME.box(options, corporations=False)) == 110
    assert len(set(GAME.box(options, corporations=False))) == 48
    assert len(GAME.box(options, corporations=True)) == 6


def test_every_card_has_a_text_and_every_choice_too():
    for name, printed in GAME.catalogue().items():
        assert printed["text"], name
        assert all(printed.get("choices", {"": "x"}).values()), name


def test_no_card_s_name_stands_in_python():
    code = "\n".join(path.read_text(encoding="utf-8") for path in HERE.glob("*.py"))
    assert [name for name in GAME.cards if name in code] == []


def test_the_mat_draws_every_hex_of_the_map():
    drawn = {slot["zone"]: slot["position"] for slot in GAME.playmat["areas"]["shared"]["slots"]}
    for key, hex in GAME.board.hexes.items():
        assert drawn[key] == {"q": hex.q, "r": hex.r}
    assert len(GAME.board.hexes) == 61
    assert all(3 <= len(beside) <= 6 for beside in GAME.board.next_to.values())


# 2: mistakes


def spoilt(path, value):
    row = copy.deepcopy(PLAIN)
    at = row
    *way, last = path
    for step in way:
        at = at[step]
    if value is None:
        del at[last]
    else:
        at[last] = value
    return row


FIRST = ("behaviors", 0, "outputs", 0)


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (
            ("behaviors", 0, "triggers", 0, "type"),
            "autp",
            "behaviors[0].triggers[0].type: there is no 'autp' (did you mean 'auto'?)",
        ),
        (
            (*FIRST, "type"),
            "ocaen-placement",
            "behaviors[0].outputs[0].type: there is no 'ocaen-placement' (did you mean 'ocean-placement'?)",
        ),
        (
            (*FIRST, "target"),
            "self-playr",
            "behaviors[0].outputs[0].target: there is no 'self-playr' (did you mean 'self-player'?)",
        ),
        (("tags",), ["bulding"], "tags[0]: there is no 'bulding' (did you mean 'building'?)"),
        (
            ("requirements",),
            {"items": [{"type": "oxigen", "min": 1}]},
            "requirements.items[0].type: there is no 'oxigen' (did you mean 'oxygen'?)",
        ),
        (
            ("requirements",),
            {"oxigen": {"min": 1}},
            "requirements.items[0].type: there is no 'oxigen' (did you mean 'oxygen'?)",
        ),
        (("type",), "automatic", "type: there is no 'automatic' (did you mean 'automated'?)"),
        (("cots",), 3, "the card: it has no 'cots' (did you mean 'cost'?)"),
        ((*FIRST, "amonut"), 3, "behaviors[0].outputs[0]: it has no 'amonut' (did you mean 'amount'?)"),
        ((*FIRST, "amount"), "two", "behaviors[0].outputs[0].amount: expected `int`, got `str`"),
        ((*FIRST, "amount"), 1000, "behaviors[0].outputs[0].amount: expected `int` <= 99"),
        (("cost",), -1, "cost: expected `int` >= 0"),
        (("name",), None, "the card: object missing required field `name`"),
        (("behaviors",), "none", "behaviors[0]: expected `object`, got `str`"),
        (("behaviors", 0, "triggers"), [], "behaviors[0].triggers: expected `array` of length >= 1"),
        (
            ("behaviors", 0, "outputs"),
            [],
            "behaviors[0]: it does nothing; it needs outputs, choices or a custom procedure",
        ),
        ((*FIRST, "target"), "any-card", "behaviors[0].outputs[0].target: credit cannot go to any-card"),
        (
            (*FIRST, "amount"),
            -2,
            "behaviors[0].outputs[0]: a player loses resources by paying them; write it as an input",
        ),
        (
            FIRST,
            {"type": "animal", "amount": 1},
            "behaviors[0]: animal cannot lie here without a resourceStorage for it",
        ),
        (
            FIRST,
            {"type": "card-take", "amount": 1},
            "behaviors[0].outputs[0]: a card-take chooses among cards looked at; it needs a card-peek beside it",
        ),
        (FIRST, {"type": "special-tile"}, "behaviors[0].outputs[0]: a special tile has a name, in tile"),
        (
            FIRST,
            {"type": "city-placement", "tileRestrictions": {"boardTags": ["nowhere"]}},
            "behaviors[0].outputs[0].tileRestrictions.boardTags: the map has no 'nowhere'",
        ),
        (FIRST, {"type": "temperature", "amount": -1}, "behaviors[0].outputs[0]: raise: steps: expected `int` >= 1"),
        (
            FIRST,
            {"type": "temperature", "amount": 1, "per": {"type": "tr"}},
            "behaviors[0].outputs[0]: temperature cannot be multiplied",
        ),
        (
            ("behaviors", 0, "custom"),
            {"do": "reveal_tpo"},
            "behaviors[0]: unknown effect 'reveal_tpo' (did you mean 'reveal_top'?)",
        ),
        (
            ("behaviors", 0, "custom"),
            {"do": "reveal_top", "with": {"tag": "lava"}},
            "behaviors[0]: reveal_top: tag: there is no 'lava'",
        ),
        (("behaviors", 0, "custom"), True, "behaviors[0].custom: expected `object | null`, got `bool`"),
        (
            ("behaviors", 0, "inputs"),
            [{"type": "energy", "amount": 0}],
            "behaviors[0].inputs[0]: an input is what is paid; its amount is at least 1",
        ),
        (
            ("behaviors", 0, "triggers", 0, "type"),
            "auto-corporation-start",
            "behaviors: only a corporation has a start or a first action",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_card_that_makes_no_sense_is_left_out_and_told_by_its_path(path, value, says):
    game = Mars([spoilt(path, value), {**PLAIN, "id": "T2", "name": "Sound"}])
    (mistake,) = game.mistakes
    assert mistake.startswith(f"own {'T1' if path == ('name',) else 'T1 Plain'}: {says}")
    assert "Plain" not in game.faces
    assert "Sound" in game.faces  # the rest is read all the same


def test_what_is_no_card_at_all_is_left_out():
    assert len(mistakes(17, None, [], "card", {})) == 5


def test_everything_that_is_wrong_with_the_words_of_a_card_is_told():
    row = card(
        "Bad",
        auto({"type": "credit", "target": "any-card"}, {"type": "special-tile"}),
        manual({"type": "tr", "amount": 1}),
        type="event",
    )
    assert len(mistakes(row)) == 3


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (
            card("A", auto({"type": "discount", "amount": 2}), type="event"),
            "a discount lasts; a card that does not needs lasting: next-card",
        ),
        (card("A", manual({"type": "discount", "amount": 2}), type="active"), "a discount lasts"),
        (
            card("A", auto({"type": "value-modifier", "amount": 2, "lasting": "next-card"})),
            "a value-modifier cannot wait for the next card",
        ),
        (card("A", manual({"type": "tr"}), type="event"), "an event does not stay"),
        (
            card(
                "A",
                {"triggers": [{"type": "manual", "condition": {"type": "city-placed"}}], "outputs": [{"type": "tr"}]},
            ),
            "only an auto trigger has a condition",
        ),
        (
            card(
                "A",
                auto({"type": "tr"}, choices=[{"outputs": [{"type": "heat"}]}]),
                auto(choices=[{"outputs": [{"type": "heat"}]}]),
            ),
            "only one behaviour can be chosen from",
        ),
        (card("A", auto({"type": "tr"}, choices=[{}])), "behaviors[0].choices[0]: it does nothing"),
        (card("A", auto({"type": "tr"}), type="corporation", cost=3), "a corporation costs nothing"),
        (
            card("A", manual({"type": "tr"}, inputs=[{"type": "energy", "payableWith": ["steel"]}]), type="active"),
            "only credits can be paid in steel or titanium",
        ),
        (
            card("A", manual({"type": "tr"}, inputs=[{"type": "credit", "variable": True}]), type="active"),
            "can be as many as the player likes",
        ),
        (card("A", auto({"type": "card-peek", "amount": 2})), "a card-peek needs a card-take or a card-buy beside it"),
        (
            card(
                "A",
                {"triggers": [{"type": "auto", "condition": {"type": "always-active"}}], "outputs": [{"type": "tr"}]},
            ),
            "what is always on bends or protects; it gives nothing",
        ),
        (
            card(
                "A", auto({"type": "microbe", "target": "self-card", "amount": -1}), resourceStorage={"type": "microbe"}
            ),
            "what is taken off the card is paid",
        ),
        (
            card("A", auto({"type": "animal", "target": "trigger-card"})),
            "only a passive knows the card that set it off",
        ),
        (
            card("A", manual({"type": "credit", "variable": True}), type="active"),
            "nothing says how many; an input must vary too",
        ),
    ],
    ids=range(15),
)
def test_what_cannot_work_is_refused_when_it_is_read(row, says):
    assert any(says in mistake for mistake in mistakes(row)), mistakes(row)


# 3


def test_an_id_or_a_name_is_taken_once():
    again = {**PLAIN, "name": "Other"}
    assert mistakes(PLAIN, again) == ["own T1 Other: id: 'T1' is taken by Plain"]
    assert mistakes(PLAIN, {**PLAIN, "id": "T2"}) == ["own T2 Plain: name: there is another 'Plain'"]
    assert "id: '001' is taken" in mistakes({**PLAIN, "id": "001"})[0]


def test_a_special_tile_has_a_name_of_its_own():
    pit = card("Digger", auto({"type": "special-tile", "tile": "Hole"}))
    assert "the name 'Hole' is taken" in mistakes(pit, card("Other", auto({"type": "special-tile", "tile": "Hole"})))[0]
    assert (
        "the name 'Plain' is taken"
        in mistakes(PLAIN, card("Other", auto({"type": "special-tile", "tile": "Plain"})))[0]
    )


def test_an_event_has_the_tag_of_events():
    assert "event" in GAME.cards["Thermal Lance"].tags
    assert "event" not in GAME.cards["Ore Skiff"].tags
    listens = {"type": "tag-played", "selectors": [{"tags": ["event"]}]}
    row = card(
        "Watcher", {"triggers": [{"type": "auto", "condition": listens}], "outputs": [{"type": "credit", "amount": 1}]}
    )
    ann, _ = Planet(side(hand=["Green Accord"], play=["Watcher"], credit=8), side(), rows=[row])
    ann.plays("Green Accord")
    assert ann.money == 1


# 4


def both():
    return card(
        "Both",
        auto(
            {"type": "steel", "amount": 1},
            choices=[{"outputs": [{"type": "heat", "amount": 2}]}, {"outputs": [{"type": "plant", "amount": 3}]}],
        ),
    )


def test_plain_outputs_and_the_chosen_branch_add_up():
    ann, _ = Planet(side(hand=["Both"]), side(), rows=[both()])
    ann.plays("Both", choice="1")
    assert (ann.has("steel"), ann.has("heat"), ann.has("plant")) == (1, 0, 3)


@pytest.mark.parametrize(
    ("choice", "code"), [("2", "bad_target"), (1, "bad_move"), ("", "bad_target"), (None, "bad_move")]
)
def test_a_choice_that_is_not_there_changes_nothing(choice, code):
    scene = Planet(side(hand=["Both"]), side(), rows=[both()])
    ann, _ = scene
    move = {
        "type": "play",
        "card": ann.card("Both", "hand"),
        **({} if choice is None else {"choice": [choice] if isinstance(choice, str) else choice}),
    }
    with scene.refused(code):
        ann.sends(move)


def test_inputs_of_a_behaviour_and_of_its_branch_add_up():
    row = card(
        "Deal",
        manual(
            {"type": "tr", "amount": 1},
            inputs=[{"type": "heat", "amount": 2}],
            choices=[{"inputs": [{"type": "heat", "amount": 3}], "outputs": [{"type": "steel", "amount": 1}]}],
        ),
        type="active",
    )
    ann, _ = Planet(side(play=["Deal"], heat=4), side(), rows=[row])
    assert ann.why("Deal") == "cannot_afford"
    ann, _ = Planet(side(play=["Deal"], heat=5), side(), rows=[row])
    ann.uses("Deal", choice="0")
    assert (ann.has("heat"), ann.has("steel"), ann.tr) == (0, 1, 21)

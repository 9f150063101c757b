"""Words on cards: how they are registered, read and refused."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from msgspec import Meta

from engine.effects import BadWord, Ctx, Effects, by_topic
from engine.frames import Event, Program, Word, word

Count = Annotated[int, Meta(ge=1)]
effects = Effects(events=("slept", "played"))


@effects.does("gain")
def gain(ctx: Ctx, /, amount: Count, when: Literal["any", "later"] = "any") -> None:
    """Gain."""


@effects.does("wake")
def wake(ctx: Ctx, /, kind: Literal["any", "actions"] = "any", count: Count = 1) -> None:
    """Wake."""


@effects.does("twice")
def twice(ctx: Ctx, /, then: Program, times: int = 2) -> None:
    """Do it twice."""


@effects.does("rest")
def rest(ctx: Ctx, /) -> None:
    """Do nothing."""


@effects.when("purr", "slept", of="mine")
def purr(ctx: Ctx, event: Event, /, amount: int) -> None:
    """Purr."""


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ("gain:2", {"amount": 2}),
        ("gain:2:later", {"amount": 2, "when": "later"}),
        (" gain : 2 ", {"amount": 2}),
        ("wake", {}),
        ("wake:2", {"count": 2}),
        ("wake:actions", {"kind": "actions"}),
        ("wake:actions:3", {"kind": "actions", "count": 3}),
        ("purr:-1", {"amount": -1}),
        ("rest", {}),
    ],
)
def test_a_cell_is_read_by_position_and_skips_what_may_be_left_out(text, args):
    assert effects.parse(text) == Word(text.partition(":")[0].strip(), args)


@pytest.mark.parametrize("text", ["gain:2:later", "wake:actions:3", "purr:4"])
def test_json_by_name_gives_the_same_word_as_a_cell_by_position(text):
    from_cell = effects.parse(text)
    assert effects.word(from_cell.name, from_cell.args) == from_cell


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("gian:2", "unknown effect 'gian' (did you mean 'gain'?)"),
        ("zzz", "unknown effect 'zzz'"),
        ("", "unknown effect ''"),
        ("gain", "gain: amount is missing; it takes amount, [when]"),
        ("gain:two", "gain: 'two' does not fit amount"),
        ("gain:2.5", "gain: '2.5' does not fit amount"),
        ("gain:", "gain: '' does not fit amount"),
        ("gain:0", "gain: '0' does not fit amount"),
        ("gain:-3", "gain: '-3' does not fit amount"),
        ("gain:2:sometimes", "gain: 'sometimes' does not fit when"),
        ("gain:2:later:more", "gain: 'more' is one value too many; it takes amount, [when]"),
        ("wake:0", "wake: '0' does not fit count"),
        ("wake:2:actions", "wake: 'actions' is one value too many"),
        ("rest:1", "rest: '1' is one value too many; it takes nothing"),
    ],
)
def test_a_bad_cell_is_told_what_is_wrong_with_it(text, says):
    with pytest.raises(BadWord) as bad:
        effects.parse(text)
    assert str(bad.value).startswith(says)


@pytest.mark.parametrize(
    ("name", "args", "says"),
    [
        ("gain", {}, "gain: amount is missing"),
        ("gain", None, "gain: amount is missing"),
        ("gain", {"amonut": 2}, "gain: it has no 'amonut'; it takes amount, [when] (did you mean 'amount'?)"),
        ("gain", {"amount": "2"}, "gain: amount: expected `int`"),
        ("gain", {"amount": 0}, "gain: amount: expected `int` >= 1"),
        ("gain", {"amount": True}, "gain: amount: expected `int`"),
        ("gain", {"amount": 2, "when": "never"}, "gain: when: there is no 'never'"),
        ("twice", {"then": [["gain", {"amount": 0}]]}, "gain: amount: expected `int` >= 1"),
        ("twice", {"then": [["gian", {}]]}, "unknown effect 'gian' (did you mean 'gain'?)"),
        ("nothing", {}, "unknown effect 'nothing'"),
    ],
)
def test_bad_json_is_told_what_is_wrong_with_it(name, args, says):
    with pytest.raises(BadWord) as bad:
        effects.word(name, args)
    assert str(bad.value).startswith(says)


def test_words_inside_words_are_read_as_deep_as_they_go():
    inner = ["twice", {"then": [["gain", {"amount": 1}]], "times": 3}]
    found = effects.word("twice", {"then": [inner, ["rest", {}]]})
    assert found == word("twice", then=(word("twice", then=(word("gain", amount=1),), times=3), word("rest")))


def test_a_word_is_registered_once():
    with pytest.raises(ValueError, match="'gain' is registered twice"):
        effects.does("gain")
    assert effects.words["gain"].fn is gain


@pytest.mark.parametrize("register", [effects.when, effects.instead])
def test_a_word_cannot_hear_what_nobody_emits(register):
    with pytest.raises(ValueError, match=r"nobody ever emits the event 'slpet' \(did you mean 'slept'\?\)"):
        register("listen", "slpet")
    assert "listen" not in effects.words


def test_two_games_may_mean_different_things_by_one_word():
    one, other = Effects(core=effects), Effects(core=effects)
    one.does("hop")(rest)
    other.does("hop")(wake)
    assert one.words["hop"].fn is rest
    assert other.words["hop"].fn is wake
    assert "hop" not in effects.words
    assert one.parse("gain:2") == effects.parse("gain:2")
    one.when("stir", "slept")


def test_an_ability_knows_its_kind_and_topic_and_whom_it_hears():
    ability = effects.ability(effects.parse("purr:4"))
    assert (ability.kind, ability.topic, ability.of) == ("when", "slept", "mine")
    assert ability.fn is purr


def test_abilities_are_found_by_kind_and_topic_in_the_order_printed():
    printed = [effects.ability(effects.parse(text)) for text in ("gain:1", "purr:1", "wake", "purr:2")]
    found = by_topic(printed)
    assert list(found) == ["does:", "when:slept"]
    assert [ability.word.name for ability in found["does:"]] == ["gain", "wake"]
    assert [ability.word.args["amount"] for ability in found["when:slept"]] == [1, 2]

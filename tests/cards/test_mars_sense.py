"""Mars: a field in the wrong place, or one that is missing beside another, is told by its path in the card."""

from __future__ import annotations

import pytest

from tests.cards.test_mars_cards import auto, card, manual, mistakes


def heard(condition, **more):
    """A blue card that hears this."""
    return card("A", {"triggers": [{"type": "auto", "condition": condition}], "outputs": [{"type": "heat"}]}, **more)


def lasting(**output):
    return card("A", auto(output), type="active")


@pytest.mark.parametrize(
    ("row", "path", "says"),
    [
        (card("A", requirements={"items": [{"type": "tags", "min": 1}]}), "requirements.items[0]", "needs a tag"),
        (
            card("A", requirements={"items": [{"type": "production", "min": 1}]}),
            "requirements.items[0]",
            "needs a resource",
        ),
        (
            card("A", requirements={"items": [{"type": "oxygen", "min": 1, "tag": "space"}]}),
            "requirements.items[0].tag",
            "means nothing to oxygen",
        ),
        (
            card("A", requirements={"items": [{"type": "production", "min": 1, "resource": "animal"}]}),
            "requirements.items[0].resource",
            "nobody produces animal",
        ),
        (card("A", requirements={"items": [{"type": "oxygen"}]}), "requirements.items[0]", "a min or a max"),
        (
            card("A", requirements={"items": [{"type": "oxygen", "min": 9, "max": 3}]}),
            "requirements.items[0]",
            "its min is above its max",
        ),
        (
            card("A", auto(choices=[{"outputs": [{"type": "heat"}], "requirements": {"items": [{"type": "tr"}]}}])),
            "behaviors[0].choices[0].requirements.items[0]",
            "a min or a max",
        ),
        (
            card("A", auto(choices=[{"id": "a", "outputs": [{"type": kind}]} for kind in ("heat", "steel")])),
            "behaviors[0].choices[1].id",
            "there is another 'a'",
        ),
        (
            card("A", auto({"type": "heat", "per": {"type": "tag"}})),
            "behaviors[0].outputs[0].per",
            "tag says which tags",
        ),
        (
            card("A", auto({"type": "heat", "per": {"type": "animal"}})),
            "behaviors[0].outputs[0].per",
            "without a resourceStorage",
        ),
        (
            card("A", auto({"type": "heat", "per": {"type": "tr", "adjacent": True}})),
            "behaviors[0].outputs[0].per.adjacent",
            "only tiles lie beside a tile",
        ),
        (
            card("A", auto({"type": "heat", "maxTrigger": 2})),
            "behaviors[0].outputs[0].maxTrigger",
            "there is no per",
        ),
        (card("A", vpConditions=[{"amount": 1, "condition": "per"}]), "vpConditions[0]", "per says what is counted"),
        (
            card("A", vpConditions=[{"amount": 1, "per": {"type": "tr"}}]),
            "vpConditions[0]",
            "per says what is counted",
        ),
        (
            card("A", vpConditions=[{"amount": 1, "condition": "per", "per": {"type": "city-tile", "adjacent": True}}]),
            "vpConditions[0].per.adjacent",
            "this card lays no tile",
        ),
        (card("A", auto({"type": "heat", "amount": 0})), "behaviors[0].outputs[0].amount", "0 of it"),
        (card("A", auto({"type": "ocean-placement", "amount": -1})), "behaviors[0].outputs[0].amount", "-1 of it"),
        (
            card("A", auto({"type": "temperature", "target": "any-player"})),
            "behaviors[0].outputs[0].target",
            "temperature cannot go to any-player",
        ),
        (card("A", auto({"type": "heat", "tile": "Pit"})), "behaviors[0].outputs[0].tile", "only a special-tile"),
        (
            card("A", auto({"type": "heat", "tileRestrictions": {"adjacency": "none"}})),
            "behaviors[0].outputs[0].tileRestrictions",
            "heat is no tile",
        ),
        (
            card("A", auto({"type": "heat", "selectors": [{"tags": ["space"]}]})),
            "behaviors[0].outputs[0].selectors",
            "heat is not for some cards",
        ),
        (
            card("A", auto({"type": "heat", "lasting": "next-card"})),
            "behaviors[0].outputs[0].lasting",
            "heat does not last",
        ),
        (
            card("A", manual({"type": "tr"}, inputs=[{"type": "heat", "target": "any-player"}]), type="active"),
            "behaviors[0].inputs[0].target",
            "heat is paid by self-player",
        ),
        (lasting(type="discount", amount=-2), "behaviors[0].outputs[0].amount", "at least 1"),
        (
            lasting(type="discount", target="any-player"),
            "behaviors[0].outputs[0].target",
            "discount cannot go to any-player",
        ),
        (lasting(type="value-modifier"), "behaviors[0].outputs[0].selectors", "needs a selector with resources"),
        (
            lasting(type="value-modifier", selectors=[{"resources": ["plant"]}]),
            "behaviors[0].outputs[0].selectors[0].resources",
            "is not about plant",
        ),
        (
            lasting(type="payment-substitute", selectors=[{"resources": ["steel"]}]),
            "behaviors[0].outputs[0].selectors[0].resources",
            "is not about steel",
        ),
        (lasting(type="discount", selectors=[{}]), "behaviors[0].outputs[0].selectors[0]", "it selects nothing"),
        (
            lasting(type="defense", selectors=[{"cardTypes": ["event"]}]),
            "behaviors[0].outputs[0].selectors[0].cardTypes",
            "means nothing to a defense",
        ),
        (
            heard({"type": "city-placed", "selectors": [{"tags": ["space"]}]}),
            "behaviors[0].triggers[0].condition.selectors",
            "cannot be narrowed down",
        ),
        (
            heard({"type": "tag-played", "selectors": [{"resources": ["heat"]}]}),
            "behaviors[0].triggers[0].condition.selectors[0].resources",
            "means nothing to a tag-played",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_parts_that_do_not_fit_each_other_are_told_by_their_path(row, path, says):
    found = [mistake.removeprefix(f"own {row['id']} {row['name']}: ") for mistake in mistakes(row)]
    assert any(mistake.startswith(f"{path}: ") and says in mistake for mistake in found), found

"""Whether the parts of a card fit each other: what is counted, required, selected or aimed at must mean something.

A field that nobody knows is found when the file is read; what is found here is a field in the wrong place, or one that
is missing beside another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, get_args

from cards.mars.schema import (
    Behavior,
    Choice,
    Condition,
    Entry,
    Input,
    Material,
    Modifier,
    Need,
    Output,
    Per,
    Requirements,
    Resource,
    Row,
    Selector,
    Stored,
    Tile,
    VictoryPoints,
)

Mistakes: TypeAlias = Iterator[tuple[str, str]]  # where, and what is wrong there
MODIFIERS, TILES, STORED, RESOURCES, MATERIALS = (
    frozenset(get_args(kind)) for kind in (Modifier, Tile, Stored, Resource, Material)
)
OF_THE_TABLE = frozenset({"tr", "temperature", "oxygen", "card-draw", "card-peek", "card-take", "card-buy", *TILES})
PART = {"tags": "tag", "production": "resource", "resource": "resource"}  # what a requirement must name
SELECTED = {  # what the selectors of a modifier or a condition may be about
    "discount": ("tags", "card_types", "required_original_cost", "standard_projects"),
    "value-modifier": ("resources",),
    "payment-substitute": ("resources",),
    "defense": ("resources",),
    "card-played": ("tags", "card_types", "required_original_cost"),
    "tag-played": ("tags",),
    "standard-project-played": ("standard_projects", "required_original_cost"),
    "placement-bonus-gained": ("resources",),
    "production-increased": ("resources",),
}
BENT = {"value-modifier": MATERIALS, "payment-substitute": {"heat"}, "defense": RESOURCES | STORED}


def nonsense(row: Row) -> Mistakes:
    """Everything on a card that cannot mean anything."""
    yield from _needs("requirements", row.requirements)
    for n, behavior in enumerate(row.behaviors):
        yield from _behavior(f"behaviors[{n}]", behavior, row)
    for n, part in enumerate(row.vp_conditions):
        yield from _points(f"vpConditions[{n}]", part, row)


def _behavior(path: str, behavior: Behavior, row: Row) -> Mistakes:
    yield from _half(path, behavior.inputs, behavior.outputs, row)
    names = [choice.id or str(k) for k, choice in enumerate(behavior.choices)]
    for k, choice in enumerate(behavior.choices):
        if names.index(names[k]) < k:
            yield f"{path}.choices[{k}].id", f"there is another {names[k]!r}"
        yield from _choice(f"{path}.choices[{k}]", choice, row)
    for n, trigger in enumerate(behavior.triggers):
        if trigger.condition is not None:
            yield from _condition(f"{path}.triggers[{n}].condition", trigger.condition)


def _choice(path: str, choice: Choice, row: Row) -> Mistakes:
    yield from _half(path, choice.inputs, choice.outputs, row)
    yield from _needs(f"{path}.requirements", choice.requirements)


def _half(path: str, inputs: Sequence[Input], outputs: Sequence[Output], row: Row) -> Mistakes:
    for k, entry in enumerate(inputs):
        yield from _entry(f"{path}.inputs[{k}]", entry, row)
        yield from _input(f"{path}.inputs[{k}]", entry)
    for k, output in enumerate(outputs):
        yield from _entry(f"{path}.outputs[{k}]", output, row)
        yield from _output(f"{path}.outputs[{k}]", output)


def _entry(path: str, entry: Entry, row: Row) -> Mistakes:
    if entry.per is not None:
        yield from _per(f"{path}.per", entry.per, row)
    elif entry.max_trigger >= 0:
        yield f"{path}.maxTrigger", "it caps what is counted; there is no per"
    if entry.tile_restrictions is not None and entry.type not in TILES:
        yield f"{path}.tileRestrictions", f"{entry.type} is no tile"
    if entry.selectors and entry.type not in SELECTED:
        yield f"{path}.selectors", f"{entry.type} is not for some cards or resources only"


def _input(path: str, entry: Input) -> Mistakes:
    wanted = "self-card" if entry.type in STORED else "self-player"
    if entry.target != wanted:
        yield f"{path}.target", f"{entry.type} is paid by {wanted}, not by {entry.target}"


def _output(path: str, output: Output) -> Mistakes:
    if output.type in OF_THE_TABLE and output.target not in ("none", "self-player"):
        yield f"{path}.target", f"{output.type} cannot go to {output.target}"
    if not output.amount or (output.type in TILES and output.amount < 0):
        yield f"{path}.amount", f"{output.amount} of it is nothing that can be given"
    if output.tile is not None and output.type != "special-tile":
        yield f"{path}.tile", "only a special-tile has a name of its own"
    if output.type in MODIFIERS:
        yield from _modifier(path, output)
    elif output.lasting is not None:
        yield f"{path}.lasting", f"{output.type} does not last"


def _modifier(path: str, output: Output) -> Mistakes:
    if output.amount < 1:
        yield f"{path}.amount", "it is at least 1"
    if output.target not in ("self-player", "none") and (output.type, output.target) != ("defense", "self-card"):
        yield f"{path}.target", f"{output.type} cannot go to {output.target}"
    if output.type in BENT and not output.selectors:
        yield f"{path}.selectors", f"a {output.type} needs a selector with resources"
    yield from _selectors(f"{path}.selectors", output.type, output.selectors)


def _condition(path: str, condition: Condition) -> Mistakes:
    if condition.selectors and condition.type not in SELECTED:
        yield f"{path}.selectors", f"{condition.type} cannot be narrowed down"
    else:
        yield from _selectors(f"{path}.selectors", condition.type, condition.selectors)


def _selectors(path: str, of: str, selectors: Iterable[Selector]) -> Mistakes:
    about = SELECTED.get(of, ())
    for n, selector in enumerate(selectors):
        said = [name for name in selector.__struct_fields__ if getattr(selector, name)]
        if not said:
            yield f"{path}[{n}]", "it selects nothing"
        for name in said:
            if name not in about:
                yield f"{path}[{n}].{_camel(name)}", f"that means nothing to a {of}"
        for resource in selector.resources:
            if "resources" in about and resource not in BENT.get(of, RESOURCES):
                yield f"{path}[{n}].resources", f"a {of} is not about {resource}"


def _needs(path: str, needs: Requirements | None) -> Mistakes:
    for n, need in enumerate(needs.items if needs else ()):
        yield from _need(f"{path}.items[{n}]", need)


def _need(path: str, need: Need) -> Mistakes:
    part = PART.get(need.type)
    for name in ("tag", "resource"):
        if name == part and getattr(need, name) is None:
            yield path, f"{need.type} of what? It needs a {name}"
        elif name != part and getattr(need, name) is not None:
            yield f"{path}.{name}", f"that means nothing to {need.type}"
    if need.type == "production" and need.resource in STORED:
        yield f"{path}.resource", f"nobody produces {need.resource}"
    if need.min is None and need.max is None:
        yield path, "it needs a min or a max"
    elif need.min is not None and need.max is not None and need.min > need.max:
        yield path, "its min is above its max"


def _points(path: str, part: VictoryPoints, row: Row) -> Mistakes:
    if (part.condition == "per") != (part.per is not None):
        yield path, "per says what is counted, where the condition is per and nowhere else"
    if part.per is not None:
        yield from _per(f"{path}.per", part.per, row)


def _per(path: str, per: Per, row: Row) -> Mistakes:
    if (per.type == "tag") != (per.tag is not None):
        yield path, "tag says which tags are counted, where tags are counted and nowhere else"
    if per.type in STORED and (row.resource_storage is None or row.resource_storage.type != per.type):
        yield path, f"{per.type} cannot lie here without a resourceStorage for it"
    if per.adjacent and not per.type.endswith("tile"):
        yield f"{path}.adjacent", "only tiles lie beside a tile"
    if per.adjacent and not any(output.type in TILES for output in _outputs(row)):
        yield f"{path}.adjacent", "this card lays no tile"


def _outputs(row: Row) -> Iterator[Output]:
    for behavior in row.behaviors:
        yield from behavior.outputs
        for choice in behavior.choices:
            yield from choice.outputs


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)

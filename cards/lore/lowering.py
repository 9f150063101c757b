"""From a card's row to a face: keywords and abilities become words of the one vocabulary.

In the file a word is an object with one key, `{"draw": {"count": 2}}`; what stands alone is its first parameter,
`{"draw": 2}`, and a word that needs nothing is its name. Whatever a word takes as a program is a list of words again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cards.lore.facts import Card, Row, Shift
from cards.lore.picking import steady
from engine.effects import Ability, BadWord, Effects, by_topic
from engine.errors import BadCards
from engine.frames import Program, Word

STATS = ("strength", "willpower", "lore")


def make_card(effects: Effects, row: Row) -> Card:
    """A face from its row. Raises with everything that is wrong with it."""
    mistakes = [*_wrong_numbers(row)]
    abilities: list[Ability] = []
    numbers = {name: value for name in STATS if (value := getattr(row, name))}
    special: dict[str, Any] = {}
    for name, value in row.keywords.items():
        try:
            word = lower(effects, {name: value})
            if effects.words[name].topic != "keyword":
                raise BadWord(f"{name} is no keyword; it belongs among the abilities")
            _print(word, numbers, special)
        except BadWord as error:
            mistakes.append(str(error))
    for said in row.abilities:
        try:
            ability = effects.ability(lower(effects, said))
            mistakes += _misplaced(row, ability)
            abilities.append(ability)
        except BadWord as error:
            mistakes.append(str(error))
    if mistakes:
        raise BadCards(mistakes)
    return Card(
        name=row.name,
        text=row.text,
        abilities=tuple(abilities),
        by=by_topic(abilities),
        set=row.set,
        ink=row.ink,
        type=row.type,
        cost=row.cost,
        inkable=row.inkable,
        move=row.move or 0,
        classes=row.classes,
        family=row.name.partition(",")[0],
        numbers=numbers,
        keywords=row.keywords,
        program=tuple(ability.word for ability in abilities if ability.kind == "does"),
        uses=tuple(ability for ability in abilities if ability.kind == "uses"),
        **special,
    )


def lower(effects: Effects, said: Any) -> Word:
    """One word of a file as a word of the vocabulary."""
    if isinstance(said, str):
        return effects.word(said)
    if not isinstance(said, dict) or len(said) != 1:
        raise BadWord(f"a word is its name, or an object with its name as the only key, not {said!r}")
    name, value = next(iter(said.items()))
    spoken = effects.words.get(name)
    if spoken is None:
        return effects.word(name)
    args = value if isinstance(value, dict) else {} if value is True else _first(name, spoken.takes, value)
    return effects.word(name, {key: _part(effects, spoken.takes.get(key), part) for key, part in args.items()})


def _first(name: str, takes: dict[str, Any], value: Any) -> dict[str, Any]:
    if not takes:
        raise BadWord(f"{name}: it takes nothing, not {value!r}")
    return {next(iter(takes)): value}


def _part(effects: Effects, kind: Any, value: Any) -> Any:
    if kind == Program and isinstance(value, list):
        return [lower(effects, said) for said in value]
    return value


def _print(word: Word, numbers: dict[str, int], special: dict[str, Any]) -> None:
    match word.name:
        case "shift":
            special["shift"] = Shift(**word.args)
        case "sing_together":
            special["together"] = word.args["total"]
        case "boost":
            special["boost"] = word.args["cost"]
        case _:
            numbers[word.name] = word.args.get("amount", 1)


def _wrong_numbers(row: Row) -> Iterator[str]:
    wanted = {"character": STATS, "location": ("move", "willpower")}.get(row.type, ())
    allowed = {"character": STATS, "location": ("move", "willpower", "lore")}.get(row.type, ())
    have = [name for name in (*STATS, "move") if getattr(row, name) is not None]
    yield from (f"a {row.type} needs {name}" for name in wanted if name not in have)
    yield from (f"a {row.type} has no {name}" for name in have if name not in allowed)
    if row.type == "character" and "," not in row.name:
        yield "a character is called Name, Version"


def _misplaced(row: Row, ability: Ability) -> Iterator[str]:
    action = row.type in ("action", "song")
    name = ability.word.name
    if action and ability.kind != "does":
        kind = "a song" if row.type == "song" else "an action"
        yield f"{name}: {kind} only does things; it is gone before it could"
    if not action and ability.kind == "does":
        yield f"{name}: a {row.type} needs a moment for this, such as when_played"
    if ability.kind == "always" and not all(map(steady, ability.word.args.values())):
        yield f"{name}: what bends numbers must not ask for numbers that are bent (strength, keywords)"

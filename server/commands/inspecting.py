"""Looking a game over: its cards, decks, messages and playmat.

Keys are looked for in two ways, because each misses some: in the game's own modules, and by playing some matches.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from itertools import chain, product
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct, field

import cards
from cards import find_game
from cards.decklists import near
from engine.errors import BadCards, EngineError, Refused
from engine.frames import Ask
from engine.game import Game
from engine.match import Match
from engine.offers import at_random
from server.commands.captions import slots

TRIALS = 20  # matches that are tried
MOVES = 300


class Findings(Struct):
    """What was read of a game, and what is wrong with it."""

    game: str
    read: list[str] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)


def inspect(id: str) -> Findings:
    """Look one game over. Nothing that is wrong with it stops the looking at others."""
    findings = Findings(id)
    try:
        game = find_game(id)
    except BadCards as error:
        findings.mistakes.extend(error.mistakes)
        return findings
    except Exception as error:  # whatever a broken data file makes of a game's modules
        findings.mistakes.append(f"cannot be read: {type(error).__name__}: {error}")
        return findings
    findings.mistakes.extend(game.mistakes)
    for look in (_cards, _decks, _messages, _playmat):
        look(game, findings)
    return findings


def _cards(game: Game, findings: Findings) -> None:
    catalogue = game.catalogue()
    sets = Counter(str(catalogue.get(name, {}).get("set", "")) for name in game.faces)
    parts = ", ".join(f"{name} {count}" for name, count in sets.items() if name)
    findings.read.append(f"{len(game.faces)} cards" + (f": {parts}" if parts else ""))
    for name in game.faces:
        if name not in catalogue:
            findings.mistakes.append(f"catalogue: {name} is missing")
        elif not catalogue[name].get("text"):
            findings.mistakes.append(f"catalogue: {name} has no text; players would not know what it does")


def _decks(game: Game, findings: Findings) -> None:
    good = []
    for name, deck in game.decks.items():
        unknown = [face for face in deck if face not in game.faces]
        findings.mistakes.extend(f"deck {name}: there is no card {face!r}.{near(face, game.faces)}" for face in unknown)
        if deck and not unknown:
            fits, words = _allowed(game, deck)
            if fits:
                good.append(f"{name} ({words})" if words else name)
            else:
                findings.mistakes.append(f"deck {name}: {words}")
    findings.read.append(f"{len(good)} decks: {', '.join(good)}" if good else "no named decks")


def _allowed(game: Game, deck: tuple[str, ...]) -> tuple[bool, str]:
    """Whether a deck may be played at all; and with which options first, or why not."""
    reason = ""
    for options in _choices(game):
        try:
            game.check_deck(deck, game.read_options(options))
        except Refused as no:
            reason = reason or str(no)
        else:
            return True, ", ".join(f"{name}={value}" for name, value in options.items())
    return False, reason


def _choices(game: Game) -> Iterator[dict[str, Any]]:
    """The defaults, then every combination of the options that are a choice between words."""
    yield {}
    options = [option for option in game.options if option.kind == "choice"]
    for values in product(*(option.choices for option in options)):
        yield {option.name: value for option, value in zip(options, values, strict=True)}


def _messages(game: Game, findings: Findings) -> None:
    used = dict.fromkeys(chain(_keys_written(game), _keys_spoken(game, findings)))
    missing = [key for key in used if key not in game.messages]
    findings.mistakes.extend(f"messages.json: nothing for {key!r}.{near(key, game.messages)}" for key in missing)
    findings.read.append(f"{len(game.messages)} messages; {len(used)} are used")


def _keys_written(game: Game) -> Iterator[str]:
    """Message keys that stand in the game's modules as they are."""
    for path in sorted((Path(cards.__path__[0]) / game.id).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield from _key_of(node)


def _key_of(call: ast.Call) -> Iterator[str]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    first = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
    if name == "say" and isinstance(first, str):
        yield first
    if name == "Offer" and isinstance(first, str):
        yield f"offer.{first}"
    if name == "Question":
        for word in call.keywords:
            if word.arg == "key" and isinstance(word.value, ast.Constant) and isinstance(word.value.value, str):
                yield word.value.value


def _keys_spoken(game: Game, findings: Findings) -> Iterator[str]:
    """Message keys that come up while matches are played at random."""
    faults: dict[str, str] = {}  # each once: one bad deck breaks many matches
    for number in range(TRIALS):
        try:
            yield from _trial(game, number)
        except EngineError as error:
            faults.setdefault(str(error), f"a match with seed {number} breaks down: {error}")
    findings.mistakes.extend(faults.values())
    findings.read.append(f"{TRIALS} matches played to try it")


def _trial(game: Game, number: int) -> Iterator[str]:
    luck = Random(f"{game.id}/{number}").randrange
    least, most = game.seats
    choices = list(_choices(game))
    options = choices[number % len(choices)]
    match = Match.deal(game, seats=least + number % (most - least + 1), seed=number, options=options)
    step = match.dealt
    for _ in range(MOVES):
        yield from (str(news.facts["key"]) for news in step.news if news.e == "said")
        if match.over:
            return
        seat = match.waiting()[0]
        offers = match.offers(seat)
        yield from (f"offer.{offer.type}" for offer in offers)
        yield from _asked(match)
        step = match.act(seat, at_random(offers, luck))


def _asked(match: Match) -> Iterator[str]:
    top = match.table.stack[-1]
    if isinstance(top, Ask):
        yield from (question.key for question in top.questions.values() if question.key)
    else:
        yield from (f"blocked.{code}" for _, code in match.game.blocked(match.look, match.waiting()[0]))


def _playmat(game: Game, findings: Findings) -> None:
    """A mat that does not fit its game is no mat: it was refused when the game was loaded."""
    drawn = slots(game.playmat)
    findings.read.append(f"playmat with {len(drawn)} slots for {len(game.zones)} zones" if drawn else "no playmat")

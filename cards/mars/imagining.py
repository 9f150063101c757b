"""A table that could be the real one for all that a viewer knows: what bots think on."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from cards.mars import flow
from cards.mars.facts import (
    ACTIONS,
    AWARDS,
    FIRST,
    GENERATION,
    MILESTONES,
    PHASE,
    TRACKS,
    living,
)
from cards.mars.showing import MARKS, NUMBERS
from cards.mars.vocabulary import QUESTIONS, Asking
from engine.frames import Ask, Entity, EntityId, Event, Frame, Heard, Run, Turn
from engine.game import Luck, Record, View
from engine.imagining import Imagined
from engine.look import Look
from engine.offers import accept, at_random
from engine.table import TABLE, Attr, Table, seat_id

if TYPE_CHECKING:
    from cards.mars.rules import Mars

PRINTED = ("face", "owner", "controller")
ASKED = {"start": flow.start_question, "research": flow.research_question}


def imagine(game: Mars, view: View, record: Record, luck: Luck) -> Table:
    """A table that could be the real one."""
    imagined = Imagined(game, view, luck, lambda shown: {k: v for k, v in shown.items() if k not in PRINTED})
    table = imagined.table
    for seat in range(table.seats):
        shown = view["seats"][str(seat)]
        facts = _facts(shown, *NUMBERS, *MARKS)
        _write(table, seat_id(seat), {**facts, **({"name": shown["name"]} if "name" in shown else {})})
    turn = {**view["turn"], GENERATION.name: view["turn"]["number"]}
    facts = _facts({**view, **turn}, *TRACKS.values(), MILESTONES, AWARDS, GENERATION, PHASE, FIRST, ACTIONS)
    _write(table, TABLE, facts)
    _fill(game, imagined, view, record)
    look = Look(game, table)
    table.stack = (Turn(turn["seat"]), *_frames(look, turn, luck))
    table.bag = tuple(_heard(_run(look, shown)) for shown in turn.get("heard", ()))
    return imagined.done()


def _facts(shown: View, *attrs: Attr[Any]) -> dict[str, Any]:
    """What is shown of these; a default is what stands there when nothing does."""
    return {a.name: shown[a.name] for a in attrs if a.name in shown and shown[a.name] != a.default}


def _write(table: Table, id: EntityId, facts: dict[str, Any]) -> None:
    table.entities[id] = Entity(id, facts=facts)


def _fill(game: Mars, imagined: Imagined, view: View, record: Record) -> None:
    """Deal out what nobody sees: corporations among themselves, and what was discarded where this seat knows it."""
    seen = Counter(card.face for card in imagined.table.entities.values() if card.face)
    seats = range(imagined.table.seats)
    corporations = list((Counter(game.box(view["options"], True)) - seen).elements())
    _spread(imagined, corporations, [*(f"{seat}.offer" for seat in seats), "corporations"])
    unseen = Counter(game.box(view["options"], False)) - seen
    known = _discarded(record) & unseen
    if known.total() > len(imagined.unseen["discard"]):
        known = Counter()
    loose = list((unseen - known).elements())
    some = [loose.pop(imagined.luck(len(loose))) for _ in range(len(imagined.unseen["discard"]) - known.total())]
    imagined.hide("discard", [*known.elements(), *some], -1)
    _spread(imagined, loose, [*(f"{seat}.{kind}" for seat in seats for kind in ("hand", "draft")), "deck"])


def _spread(imagined: Imagined, faces: list[str], zones: list[str]) -> None:
    """Lay these faces into the hidden places of several zones, by chance."""
    for zone in zones:
        count = len(imagined.unseen[zone])
        imagined.hide(zone, [faces.pop(imagined.luck(len(faces))) for _ in range(count)], -1)


def _discarded(record: Record) -> Counter[str]:
    """What this seat knows to lie on the discard pile since it was last shuffled."""
    known: Counter[str] = Counter()
    for event in record:
        if event["e"] == "shuffled":
            known.clear()
        elif event["e"] == "moved" and event.get("to") == "discard" and "face" in event:
            known[event["face"]] += 1
    return known


def _frames(look: Look, turn: View, luck: Luck) -> list[Frame]:
    """The question that is open, put again, and what comes after it."""
    if "asked" not in turn:
        return []
    if "asks" not in turn:
        return _secret(look, turn, luck)
    runs = [_run(look, shown) for shown in turn["todo"]]
    top, (name, args) = runs[-1], turn["asks"]
    top.bound["asked"] = turn["asks"]
    asking = Asking(look, top.seat, top.source, top.bound)
    question: Any = QUESTIONS[name](asking, **look.game.effects.word(name, args).args)
    return [*runs, Ask(1, {top.seat: question}, by=top.source.id if top.source else 0)]


def _run(look: Look, shown: View) -> Run:
    entities, effects = look.table.entities, look.game.effects
    words = tuple(effects.word(name, args) for name, args in shown["do"])
    on, event = shown.get("on"), None
    if on is not None:
        event = Event(on["kind"], on["seat"], entities.get(on.get("card", 0)) if "card" in on else None, on["facts"])
    return Run(
        words,
        shown["seat"],
        entities.get(shown.get("by", 0)) if "by" in shown else None,
        event,
        dict(shown.get("with", {})),
    )


def _heard(run: Run) -> Heard:
    assert run.source is not None
    assert run.event is not None
    return Heard(run.todo[0], run.source, run.seat, run.event)


def _secret(look: Look, turn: View, luck: Luck) -> list[Frame]:
    """What all are asked at once; who has answered has answered anything."""
    phase: str = turn["phase"]
    questions = {seat: ASKED[phase](look, seat) for seat in living(look.table)}
    answers = {
        seat: accept(question.offers, at_random(question.offers, luck))
        for seat, question in questions.items()
        if seat not in turn["waiting"]
    }
    run = Run(flow.SECRET[phase], flow.NOBODY)
    return [run, Ask(1, questions, phase, answers=answers)]

"""What cards hear, and what passes them by."""

from __future__ import annotations

from engine.effects import Ctx, Effects
from engine.frames import Entity, Event
from engine.match import Match
from tests.engine.games import pen
from tests.engine.magpies import Magpies, effects, make_face


def test_a_word_that_hears_only_some_events_is_asked_the_moment_they_happen():
    picky, robbed = Effects(core=effects), []

    def only(look, source: Entity, event: Event, /, least: int) -> bool:
        return event.facts["worth"] >= least

    @picky.when("gloat", "robbed", of="any", only=only)
    def gloat(ctx: Ctx, event: Event, /, least: int) -> None:
        ctx.journal.say("gloat", worth=event.facts["worth"])

    @picky.instead("shrug", "robbed", of="any", only=only)
    def shrug(journal, source: Entity, event: Event, /, least: int) -> bool:
        return True

    class Picky(Magpies):
        effects = picky
        faces = {
            **Magpies.faces,
            "Jay": make_face(picky, "Jay", "gloat:3"),
            "Owl": make_face(picky, "Owl", "shrug:5"),
        }

    match = Match.deal(Picky(), seed="picky", first=0)
    with pen(match) as journal:
        for face in ("Jay", "Owl"):
            journal.create(face, -1, "0.yard")
        for worth in (2, 3, 5):
            event = Event("robbed", 1, None, {"worth": worth})
            robbed.append(journal.instead(event))
            journal.emit(event)
    assert robbed == [False, False, True]
    assert [heard.event.facts["worth"] for heard in match.table.bag] == [3, 5]

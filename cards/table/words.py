"""What a free table asks its players, and does about the answers."""

from __future__ import annotations

from cards.table import decisions, turns
from cards.table.facts import CLAIM
from engine.effects import Ctx, Effects
from engine.frames import Question, Seat
from engine.look import Look
from engine.table import TABLE

effects = Effects()
AGREE = "agree"


def questions(look: Look) -> dict[Seat, Question]:
    """What others are asked to agree to."""
    claim = CLAIM.of(look.table[TABLE])
    return turns.ask_victory(look, claim) if claim["what"] == "victory" else decisions.ask_hands(claim)


@effects.does("ask_claim")
def ask_claim(ctx: Ctx, /) -> None:
    """Ask whoever has to agree."""
    ctx.ask(questions(ctx.look), into="votes")


@effects.does("close_victory")
def close_victory(ctx: Ctx, /) -> None:
    """If nobody objects, the match is won."""
    claim = CLAIM.of(ctx.table[TABLE])
    if _agreed(ctx):
        turns.crown(ctx.journal, ctx.seat, claim["reason"])
    else:
        _drop(ctx)


@effects.does("open_hands")
def open_hands(ctx: Ctx, /) -> None:
    """Both hands lie open, or neither."""
    claim = CLAIM.of(ctx.table[TABLE])
    if not _agreed(ctx):
        _drop(ctx)
        return
    ctx.journal.note(CLAIM, {})
    theirs = f"{claim['of']}.{ctx.look.places[claim['zone']].kind}"
    decisions.open_hands(ctx.journal, ctx.seat, claim["of"], [claim["zone"], theirs], claim["message"])


def _agreed(ctx: Ctx) -> bool:
    votes = ctx.bound["votes"]
    said = [votes] if isinstance(votes, str) else [vote["type"] for vote in votes.values()]
    return all(vote == AGREE for vote in said)


def _drop(ctx: Ctx) -> None:
    ctx.journal.note(CLAIM, {})
    ctx.journal.say("not_agreed", seat=ctx.seat)

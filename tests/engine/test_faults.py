"""A card that fails leaves no trace, wherever it fails, and play goes on."""

from __future__ import annotations

from random import Random

import pytest

from engine.effects import Ctx, Effects
from engine.errors import Fault
from engine.frames import PASS, Offer, Question, word
from engine.journal import Journal
from engine.match import Match
from engine.store import state_hash
from engine.table import seat_id
from tests.engine.games import GAMES, MAGPIES, everyone, pen, same, some_move
from tests.engine.magpies import SHINY, TRINKETS, Magpies, draw_one, effects, make_face

STROKES = [
    "put",
    "move",
    "below",
    "mint",
    "emit",
    "push",
    "swap",
    "pop",
    "say",
    "tell",
    "ask",
    "end",
    "take_turn",
    "show",
]


class Broken(Exception):
    """What a card that fails raises."""


class Saboteur:
    """Makes the nth stroke of the pen, or the nth word, fail."""

    def __init__(self, monkeypatch) -> None:
        self.left = 10**9
        for owner, name in [*((Journal, stroke) for stroke in STROKES), (Effects, "speak")]:
            monkeypatch.setattr(owner, name, self._wrapped(getattr(owner, name)))

    def _wrapped(self, real):
        def stroke(*args, **kwargs):
            self._count()
            done = real(*args, **kwargs)
            self._count()  # and once more when it was done
            return done

        return stroke

    def _count(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise Broken

    def fail(self, after: int) -> None:
        self.left = after


def fails(saboteur: Saboteur, after: int, match: Match, seat: int, do) -> bool:
    """Make a move of which one stroke fails; false when the move was done before it came to that."""
    saboteur.fail(after)
    try:
        match.act(seat, do)
    except Fault as fault:
        return type(fault.__cause__) is Broken
    else:
        return False
    finally:
        saboteur.fail(10**9)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_failure_at_any_stroke_of_any_move_leaves_no_trace(game, monkeypatch):
    saboteur = Saboteur(monkeypatch)
    failed = 0
    for seed in range(4):
        luck, match, clean = Random(seed), Match.deal(game, seed=seed), Match.deal(game, seed=seed)
        while not match.over and match.table.version < 30:
            seat, do = some_move(match, luck)
            before = state_hash(match.table), everyone(match)
            after = 1
            while fails(saboteur, after, match, seat, do):
                assert (state_hash(match.table), everyone(match)) == before
                after += 1
            failed += after - 1
            saboteur.fail(10**9)
            clean.act(seat, do)
            assert same(match, clean)
    assert failed > 1000


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_failure_while_time_runs_out_or_somebody_leaves_leaves_no_trace(game, monkeypatch):
    saboteur = Saboteur(monkeypatch)
    for seed in range(3):
        match = Match.deal(game, seed=seed)
        luck = Random(seed)
        for _ in range(12):
            before = state_hash(match.table)
            for attempt in (match.expire, lambda match=match: match.resign(0)):
                for after in range(1, 40):
                    saboteur.fail(after)
                    try:
                        attempt()
                    except Fault:
                        assert state_hash(match.table) == before
                    else:
                        match.undo()
                        assert state_hash(match.table) == before
                        break
            saboteur.fail(10**9)
            match.act(*some_move(match, luck))
            if match.over:
                break


cursed = Effects(core=effects)


@cursed.does("echo")
def echo(ctx: Ctx, /) -> None:
    """Says itself, and itself again."""
    ctx.journal.add(seat_id(ctx.seat), SHINY, 1)
    ctx.then(word("echo"))


@cursed.does("burst")
def burst(ctx: Ctx, /) -> None:
    """Does half of what it should."""
    draw_one(ctx.journal, ctx.seat)
    raise ZeroDivisionError("no shiny left to share")


@cursed.does("gift_or_not")
def gift_or_not(ctx: Ctx, /) -> None:
    """Gives first and asks later, which no word may do."""
    ctx.journal.add(seat_id(ctx.seat), SHINY, 1)
    ctx.ask({ctx.seat: Question((Offer(PASS),), "ask.look")})


@cursed.does("shuffle_and_ask")
def shuffle_and_ask(ctx: Ctx, /) -> None:
    """Asks first and acts then, which is no better."""
    ctx.ask({ctx.seat: Question((Offer(PASS),), "ask.look")})
    ctx.journal.shuffle("pile")


@cursed.does("deep")
def deep(ctx: Ctx, /) -> None:
    """Never stops thinking."""
    ctx.journal.add(seat_id(ctx.seat), SHINY, 1)
    deep(ctx)


class Restless(Magpies):
    """Magpies whose rules can never come to rest once somebody played a top."""

    effects = cursed
    faces = {
        **Magpies.faces,
        **{name.title(): make_face(cursed, name.title(), name) for name in ("echo", "burst", "deep")},
        "Gift": make_face(cursed, "Gift", "gift_or_not"),
        "Rain": make_face(cursed, "Rain", "shuffle_and_ask"),
        "Top": make_face(cursed, "Top"),
    }

    def settle(self, journal: Journal) -> bool:
        """A top spins for as long as it lies in the heap."""
        return any(card.face == "Top" for card in journal.table.lying("heap"))


@pytest.mark.parametrize(
    ("face", "says"),
    [
        ("Echo", "more than 1000 words; the last was 'echo'"),
        ("Burst", "ZeroDivisionError: no shiny left to share"),
        ("Gift", "the word 'gift_or_not' both acts and asks"),
        ("Rain", "the word 'shuffle_and_ask' both acts and asks"),
        ("Deep", "RecursionError"),
        ("Top", "never come to rest"),
    ],
)
def test_a_card_that_misbehaves_is_our_fault_and_play_goes_on(face, says):
    game = Restless()
    match = Match.deal(game, seed=1)
    seat = match.waiting()[0]
    with pen(match) as journal:
        bad = journal.create(face, -1, f"{seat}.hand")
    before = state_hash(match.table), everyone(match)
    with pytest.raises(Fault, match=says) as fault:
        match.act(seat, {"type": "play", "card": bad})
    assert fault.value.code == "our_fault"
    assert (state_hash(match.table), everyone(match)) == before
    match.act(seat, {"type": "draw"})
    assert match.waiting() == ((seat + 1) % 3,)


def test_a_word_may_speak_and_ask_and_remember():
    """Only the table counts as acting: saying something, binding something and going on are free."""
    talk = Effects(core=effects)

    @talk.does("chat")
    def chat(ctx: Ctx, /) -> None:
        ctx.journal.say("gossip", seat=ctx.seat)
        ctx.bind(mood=1)
        ctx.then(word("gain", amount=3))
        ctx.ask({ctx.seat: Question((Offer(PASS),), "ask.look")})

    class Chatty(Magpies):
        effects = talk
        faces = {**Magpies.faces, "Crow": make_face(talk, "Crow", "chat")}

    match = Match.deal(Chatty(), seed=1)
    seat = match.waiting()[0]
    with pen(match) as journal:
        crow = journal.create("Crow", -1, f"{seat}.hand")
    match.act(seat, {"type": "play", "card": crow})
    assert match.waiting() == (seat,)
    match.act(seat, {"type": "pass"})
    assert SHINY.of(match.table.seat(seat)) == SHINY.default + 3


def test_the_deal_can_fail_too():
    class Butterfingers(Magpies):
        def deal(self, journal, decks, first):
            super().deal(journal, decks, first)
            raise KeyError("dropped")

    with pytest.raises(Fault, match="dropped"):
        Match.deal(Butterfingers(), seed=1)


def test_the_trinkets_of_the_test_game_use_what_no_registered_game_may_miss():
    kinds = {effects.words[text.partition(":")[0]].kind for _, words in TRINKETS.values() for text in words}
    assert kinds == {"does", "when", "instead"}
    assert MAGPIES.seats == (3, 3)

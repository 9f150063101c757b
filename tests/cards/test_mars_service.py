"""Mars: replays, questions that are put again, matches of bots to the end, and what nobody may learn."""

from __future__ import annotations

from random import Random

import pytest

from cards.mars.facts import GENERATION, HAS, MAKES, RESOURCES, here
from cards.mars.rules import Mars
from engine.bots import BOTS, MctsBot
from engine.frames import Ask
from engine.lens import Lens
from engine.match import Match
from engine.merge import canonical
from engine.offers import at_random
from engine.replay import Input, Recorder, read_replay, verify
from engine.store import state_hash
from tests.cards.planet import GAME, Planet, side, with_
from tests.engine.secrecy import Leak
from tests.engine.test_replays import as_file
from tests.engine.test_secrecy import watch

# 36


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_same_seed_and_the_same_moves_give_the_same_match(seats):
    luck = Random(seats)
    match = Match.deal(GAME, seats=seats, seed="again", options={"packs": "all", "generations": 6}, version=1)
    recorder = Recorder(match)
    while not match.over:
        seat = luck.choice(match.waiting())
        if luck.random() < 0.05:
            recorder.keep(Input(match.table.version + 1, expire=True))
        else:
            recorder.act(seat, at_random(match.offers(seat), luck.randrange))
    again = verify(GAME, read_replay(as_file(recorder.replay)))
    assert state_hash(match.table) == state_hash(again.table)
    assert match.table.result is not None


def test_whoever_comes_back_is_asked_the_same_again():
    scene = Planet(side(hand=["Orbital Ferry"], play=["Frost Hares", "Ranger Corps"], credit=21), side())
    ann, _ = scene
    ann.plays("Orbital Ferry", choice="animals")
    again = scene.restored()
    assert Lens(again.match.look, 0).ask(again.match) == Lens(scene.match.look, 0).ask(scene.match)
    assert again.players[0].view == ann.view
    for part in (scene, again):
        player = part.players[0]
        player.places("hex.1.-4")
        player.picks("Ranger Corps")
    assert scene.hash == again.hash


def test_what_is_still_to_be_done_is_told_and_can_be_imagined_to_its_end():
    """A bot that looks at the middle of a move sees all of it: two oceans, what they set off, and the rest."""
    mine = ["Storm Chasers", "Shore Pumps", "Tidewater Line"]
    scene = Planet(side(hand=["Double Thaw"], play=mine, credit=22), side(play=["Shore Pumps"]), temperature=-2)
    ann, _ = scene
    ann.plays("Double Thaw")
    view = ann.view
    assert view["turn"]["asks"] == ["tile", {"kind": "ocean"}]
    assert [word for run in view["turn"]["todo"] for word, _ in run["do"]] == ["tile"]
    imagined = Match(GAME, GAME.imagine(view, [], Random(1).randrange))
    for match in (scene.match, imagined):
        for key in ("hex.1.-4", "hex.2.-4"):
            match.act(0, {"type": "place", "hex": [key]})
    seen = [Lens(match.look, 0).whole() for match in (scene.match, imagined)]
    for view in seen:
        for part in ("commitment", "cards", "zones"):  # the card that was drawn differs
            del view[part]
    assert canonical(seen[0]) == canonical(seen[1])


def test_passives_that_wait_behind_a_question_are_imagined_too():
    played = ["Alloy Lab", "Alloy Lab", "Seminar Hall", "Open University", with_("Seminar Hall", science=1)]
    scene = Planet(side(hand=["Deep Archive", "Ore Skiff"], play=["Alloy Lab", *played], credit=13), side())
    ann, _ = scene
    ann.plays("Deep Archive")
    steps = 0
    while isinstance(scene.table.stack[-1], Ask):
        imagined = Match(GAME, GAME.imagine(ann.view, [], Random(steps).randrange))
        assert imagined.offers(0) == scene.match.offers(0)
        assert Lens(imagined.look, 0).whole()["turn"] == ann.view["turn"]
        scene.match.act(0, at_random(scene.match.offers(0), Random(steps).randrange))
        steps += 1
    assert steps > 2


# 37


def played_out(name: str, seed: int, seats: int = 2, **options: object) -> Match:
    """A match of bots, looked at after every move."""
    match = Match.deal(GAME, seats=seats, seed=seed, options=options)
    bots = [BOTS[name](GAME, seat, seed) for seat in range(seats)]
    for bot in bots:
        if isinstance(bot, MctsBot):
            bot.iterations = 12
    lenses = [Lens(match.look, seat) for seat in range(seats)]
    records: list[list] = [[] for _ in bots]
    rated = 0
    while not match.over:
        seat = match.waiting()[0]
        step = match.act(seat, bots[seat].pick(lenses[seat].whole(), match.offers(seat), records[seat]))
        rated += sum(n.facts["args"]["amount"] for n in step.news if n.e == "said" and n.facts["key"] == "rated")
        for lens, record in zip(lenses, records, strict=True):
            record.extend(lens.news(step))
        for entity in map(match.table.seat, range(seats)):
            assert all(HAS[resource].of(entity) >= 0 for resource in RESOURCES)
            assert all(MAKES[resource].of(entity) >= (-5 if resource == "credit" else 0) for resource in RESOURCES)
    match.rated = rated  # type: ignore[attr-defined]
    return match


def steps_of(match: Match) -> int:
    """What the ratings rose by for steps of the tracks: all that cards did not give."""
    ratings = sum(match.table.seat(seat).facts["tr"] for seat in range(match.table.seats))
    return ratings - 20 * match.table.seats - match.rated  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize("seed", [1, 2])
def test_greedy_bots_finish_within_25_generations_and_every_step_of_the_tracks_was_somebody_s(seed):
    match = played_out("greedy", seed)
    assert match.table.result.reason == "terraformed"
    assert GENERATION.of(here(match.table)) <= 25
    assert steps_of(match) == 42


def test_bots_that_search_finish_too():
    match = played_out("mcts", 1, temperature=6, oxygen=13, oceans=7)
    assert match.table.result.reason == "terraformed"
    assert GENERATION.of(here(match.table)) <= 25
    assert steps_of(match) == 1 + 1 + 2


@pytest.mark.soak
@pytest.mark.parametrize("name", ["greedy", "mcts"])
@pytest.mark.parametrize("seed", range(10, 20))
def test_many_bots_finish_within_25_generations(name, seed):
    match = played_out(name, seed)
    assert match.table.result.reason == "terraformed"
    assert GENERATION.of(here(match.table)) <= 25
    assert steps_of(match) == 42


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("packs", ["core", "all"])
def test_random_matches_end_whoever_plays(seats, packs):
    match = played_out("random", seats, seats, packs=packs)
    assert match.table.result.reason == "terraformed"
    assert steps_of(match) == 42


def test_a_random_match_ends_after_sixty_generations_at_the_latest():
    """Nobody does anything but pass."""
    match = Match.deal(GAME, seed=1)
    while not match.over:
        match.expire()
    assert match.table.result.reason == "generations"
    assert GENERATION.of(here(match.table)) == 60


# secrets


class TellsWhatWasBought(Mars):
    """Everybody sees how many cards the others want, before all have chosen."""

    def show_turn(self, look):
        top = look.table.stack[-1]
        answers = top.answers if isinstance(top, Ask) else {}
        bought = [len(move.picks.get("cards", ())) for _, move in sorted(answers.items())]
        return {**super().show_turn(look), **({"bought": bought} if bought else {})}


class TellsTheOffer(Mars):
    """Everybody sees the first corporation that each may choose."""

    def show_table(self, look):
        first = [look.table.lying(f"{seat}.offer")[:1] for seat in range(look.table.seats)]
        return {**super().show_table(look), "offered": [card.face for cards in first for card in cards]}


class PaysAtOnce(Mars):
    """What somebody owes for research can be seen in the price of everybody's projects."""

    def blocked(self, look, seat):
        yield from super().blocked(look, seat)
        if any(card.face == "Ore Skiff" for card in look.table.lying(f"{1 - seat}.hand")):
            yield 10**6, "cannot_afford"


@pytest.mark.parametrize("game", [TellsWhatWasBought, TellsTheOffer, PaysAtOnce])
def test_the_spy_notices_a_mars_that_leaks(game):
    with pytest.raises(Leak):
        watch(game())

"""A replay proves itself, and a file that was tampered with is refused."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import find_game
from engine.chance import commitment
from engine.errors import BadReplay
from engine.match import Match
from engine.replay import HASH_EVERY, Input, Recorder, Replay, play_again, read_replay, verify
from tests.engine.games import GAMES, MAGPIES, SHARED, games, same, seeds, some_move

TOYS = find_game("ggltcg")
CLASSIC, DREAMERS = TOYS.decks["Classic"], ("Dream", "Knight", "Raggy", "Umbruh", "Rush", "Wizard")


def recorded(game, seed, most=400, decks=()):
    """A random match, written down: expiries and a resignation included now and then."""
    luck = Random(seed)
    match = Match.deal(game, seed=seed, decks=decks, names=("Ann", "Bo", "Cy"), version=1)
    recorder = Recorder(match)
    for _ in range(most):
        if match.over:
            break
        version = match.table.version + 1
        seat, do = some_move(match, luck)
        chance = luck.random()
        if chance < 0.1 and match.question(seat):
            recorder.keep(Input(version, expire=True))
        elif chance > 0.995:
            recorder.keep(Input(version, seat, resign="resigned"))
        else:
            recorder.act(seat, do)
    return recorder


def as_file(replay: Replay) -> bytes:
    return msgspec.json.encode(replay)


@given(game=games, seed=seeds, most=st.integers(0, 400))
def test_a_replay_leads_to_the_same_table(game, seed, most):
    recorder = recorded(game, seed, most)
    again = verify(game, read_replay(as_file(recorder.replay)))
    assert same(again, recorder.match)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_whole_match_is_hashed_at_the_deal_on_the_way_and_at_the_end(game):
    ended = (recorder.replay for recorder in (recorded(game, seed) for seed in range(8)) if recorder.match.over)
    replay = max(ended, key=lambda replay: len(replay.inputs))
    versions = sorted(map(int, replay.hashes))
    assert versions[0] == 1
    assert versions[-1] == replay.inputs[-1].v
    assert set(range(HASH_EVERY, versions[-1], HASH_EVERY)) <= set(versions)


def test_the_steps_of_a_replay_can_be_looked_at_one_by_one():
    recorder = recorded(TOYS, 3)
    seen = [step.version for _, step in play_again(TOYS, recorder.replay)]
    assert seen == list(range(1, recorder.match.table.version + 1))


def tampered(replay: Replay, how: str) -> Replay:
    """The replay read from a file in which one thing is not as it was."""
    file = msgspec.json.decode(as_file(replay))
    inputs, hashes = file["inputs"], file["hashes"]
    middle, last = len(inputs) // 2, str(inputs[-1]["v"])
    match how:
        case "an input is missing":
            del inputs[middle]
        case "an input is there twice":
            inputs.insert(middle, inputs[middle])
        case "an input has another number":
            inputs[middle]["v"] += 1
        case "the first input is missing and the rest counted anew":
            file["inputs"] = [{**entry, "v": entry["v"] - 1} for entry in inputs[1:]]
        case "the last input is missing":
            inputs.pop()
        case "an input came after the end":
            inputs.append({**inputs[-1], "v": inputs[-1]["v"] + 1})
        case "an input is no move":
            inputs[middle]["do"] = {"type": "dance"}
        case "somebody else made a move":
            inputs[0]["seat"] = (inputs[0].get("seat", -1) + 1) % len(file["seats"])
        case "a hash is another":
            hashes[str(file["start"])] = "0" * 32
        case "the last hash is another":
            hashes[last] = "0" * 32
        case "the seed is another":
            file["seed"] = bytes(32).hex()
        case "the seed is no hexadecimal number":
            file["seed"] = "xyz"
        case "the seed and its commitment are others":
            file["seed"], file["commitment"] = bytes(32).hex(), commitment(bytes(32))
        case "the commitment is another":
            file["commitment"] = "0" * 64
        case "the result is another":
            file["result"]["reason"] = "luck"
        case "the winners are others":
            file["result"]["winners"] = [] if file["result"]["winners"] else [0]
        case "the result is missing":
            file["result"] = None
        case "a name is another":
            file["seats"][0] = "Eve"
        case "the rules are of another version":
            file["rules"] = "0.0"
        case "the cards are other ones":
            file["set"] = "0" * 16
        case "an option is another":
            file["options"] |= {"turn_limit": 7} if replay.game == "ggltcg" else {"turns": 98}
        case "nothing at all":
            pass
    return read_replay(msgspec.json.encode(file))


TAMPERINGS = [
    "an input is missing",
    "an input is there twice",
    "an input has another number",
    "the first input is missing and the rest counted anew",
    "the last input is missing",
    "an input came after the end",
    "an input is no move",
    "somebody else made a move",
    "a hash is another",
    "the last hash is another",
    "the seed is another",
    "the seed is no hexadecimal number",
    "the seed and its commitment are others",
    "the commitment is another",
    "the result is another",
    "the winners are others",
    "the result is missing",
    "a name is another",
    "the rules are of another version",
    "the cards are other ones",
    "an option is another",
]


@pytest.mark.parametrize("how", TAMPERINGS)
@pytest.mark.parametrize("game", [TOYS, MAGPIES], ids=lambda game: game.id)
def test_a_replay_is_refused_when(game, how):
    replay = next(r for r in (recorded(game, seed).replay for seed in range(99)) if plain(r))
    verify(game, tampered(replay, "nothing at all"))
    with pytest.raises(BadReplay):
        verify(game, tampered(replay, how))


def plain(replay: Replay) -> bool:
    """A match that was played to its end, with a move by a seat at its beginning and in its middle."""
    moved = [replay.inputs[0].do, replay.inputs[len(replay.inputs) // 2].do]
    return all(moved) and not any(entry.resign for entry in replay.inputs)


def test_a_replay_with_a_changed_move_is_refused():
    """Every single move of a match, changed to another legal one, is noticed at the end at the latest."""
    recorder = recorded(TOYS, 11)
    verify(TOYS, read_replay(as_file(recorder.replay)))
    changed = 0
    for number, (match, _) in enumerate(play_again(TOYS, recorder.replay)):
        if number == len(recorder.replay.inputs):
            break
        entry = recorder.replay.inputs[number]
        for offer in match.offers(entry.seat):
            if offer.slots or not entry.do or offer.type == entry.do["type"]:
                continue
            do = {"type": offer.type, **({"card": offer.card} if offer.card else {})}
            copy = read_replay(as_file(recorder.replay))
            copy.inputs[number] = msgspec.structs.replace(entry, do=do)
            with pytest.raises(BadReplay):
                verify(TOYS, copy)
            changed += 1
    assert changed > 10


def test_a_changed_deck_is_refused():
    replay = recorded(TOYS, 5, decks=(CLASSIC, DREAMERS)).replay
    assert replay.decks == [list(CLASSIC), list(DREAMERS)]
    verify(TOYS, read_replay(as_file(replay)))
    replay.decks[1] = list(CLASSIC)
    with pytest.raises(BadReplay):
        verify(TOYS, replay)


def test_a_deck_that_nobody_could_play_is_refused_as_a_bad_replay():
    replay = recorded(TOYS, 5, decks=(CLASSIC, DREAMERS)).replay
    replay.decks[1] = ["Nonesuch"] * 6
    with pytest.raises(BadReplay):
        verify(TOYS, replay)


def test_too_many_seats_are_refused_as_a_bad_replay():
    replay = recorded(TOYS, 5).replay
    replay.seats = ["Ann", "Bo", "Cy"]
    with pytest.raises(BadReplay):
        verify(TOYS, replay)


def test_a_match_in_which_one_seat_brought_no_deck_can_be_played_again():
    recorder = recorded(TOYS, 5, decks=(None, CLASSIC))
    again = verify(TOYS, read_replay(as_file(recorder.replay)))
    assert same(again, recorder.match)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("game", SHARED, ids=lambda game: game.id)
def test_a_match_in_which_it_was_chosen_who_begins_can_be_played_again(game, first):
    match = Match.deal(game, seed=3, first=first, names=("Ann", "Bo", "Cy"))
    recorder = Recorder(match)
    recorder.act(*some_move(match, Random(3)))
    replay = read_replay(as_file(recorder.replay))
    assert same(verify(game, replay), match)
    replay.first = 1 - first
    with pytest.raises(BadReplay):
        verify(game, replay)


@pytest.mark.parametrize("names", [(), ("Ann",), ("", "Bo")])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_match_of_players_without_names_can_be_played_again(game, names):
    match = Match.deal(game, seed=3, names=names)
    recorder = Recorder(match)
    recorder.act(*some_move(match, Random(3)))
    assert same(verify(game, read_replay(as_file(recorder.replay))), match)


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b'{"game": 1}', b"\xff\xfe", b"null"])
def test_something_else_is_no_replay(text):
    with pytest.raises(BadReplay, match="no replay"):
        read_replay(text)

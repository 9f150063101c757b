"""What matches say of cards and decks: seen when they are played again, and counted once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cards import find_game
from engine.match import Match
from engine.replay import Input, Recorder, Replay
from rooms.archive import auditor as auditors
from rooms.archive.archive import Archive
from rooms.archive.auditor import Auditor
from rooms.archive.filing import pack_replay
from rooms.archive.recounting import FOREIGN, SOUND, STRAYED, Recount, Seen, recount
from rooms.thinkers import Thinkers
from tests.archive.conftest import Opened
from tests.archive.past import played, record, state_of

DECKS = [
    ["Ka", "Wizard", "Rush", "Clean", "Demideca", "Knight"],
    ["Beary", "Snuggles", "Umbruh", "Twist", "Wake", "Sun"],
]


def short(first: int = 0) -> Replay:
    """Ka is played, and that was all: the other one gives up."""
    game = find_game("ggltcg")
    match = Match.deal(game, seats=2, seed=b"s" * 32, decks=DECKS, first=first)
    recorder = Recorder(match)
    ka = next(card.id for card in match.table.entities.values() if card.face == "Ka")
    recorder.act(0, {"type": "play", "card": ka})
    recorder.keep(Input(match.table.version + 1, 1, resign="resigned"))
    return recorder.replay


async def put(
    archive: Archive, room: str, replay: Replay, *users: str, mode: str = "casual", ended: int = 61_000
) -> None:
    assert replay.result is not None
    one = record(room, "ana", "bo", game=replay.game, mode=mode, result=replay.result, ended=ended)
    await archive.filing.put(one, state_of(one), replay)


# what is seen


def test_a_card_is_held_drawn_and_played() -> None:
    found = recount(pack_replay(short()))
    assert found.seen == SOUND
    ana, bo = found.seats
    assert ana.held == ana.drawn == sorted(DECKS[0])  # in this game one begins with all of them in the hand
    assert ana.played == ["Ka"]
    assert bo.drawn == sorted(DECKS[1])
    assert bo.played == []


@pytest.mark.parametrize(("game", "names"), [("kittens", "abc"), ("lore", "ab"), ("mars", "ab"), ("ggltcg", "ab")])
def test_in_every_game_what_is_played_was_drawn_before(game: str, names: str) -> None:
    found = recount(pack_replay(played(game, names=list(names))))
    assert (found.seen, found.why) == (SOUND, "")
    assert any(seen.played for seen in found.seats)
    for seen in found.seats:
        assert set(seen.played) <= set(seen.drawn)
        assert not seen.held or set(seen.drawn) >= set(seen.played)


def test_a_card_that_is_never_drawn_is_only_held() -> None:
    seen = recount(pack_replay(played("lore"))).seats[0]
    assert set(seen.held) - set(seen.drawn)


def test_a_match_that_strays_says_where() -> None:
    replay = played()
    replay.hashes["20"] = "0" * 32
    found = recount(pack_replay(replay))
    assert found.seen == STRAYED
    assert "version 20" in found.why


def test_a_match_by_other_rules_is_not_judged() -> None:
    replay = played()
    replay.rules = "0.1"
    assert recount(pack_replay(replay)).seen == FOREIGN


# what is counted


async def test_figures_are_counted_by_seat_and_told_as_rates(archive: Archive) -> None:
    for n, found in enumerate((short(), short())):
        await put(archive, f"r{n}", found, mode=("casual", "ranked")[n])
        assert await archive.statistics.count(f"r{n}", recount(pack_replay(found)))
    told = await archive.statistics.told("ggltcg", "")
    assert (told["matches"], told["drawn"], told["moves"], told["duration"]) == (2, 0, 20.0, 60_000)
    cards = {card["face"]: card for card in told["cards"]}
    assert cards["Ka"]["played"] == {"matches": 2, "won": 2, "rate": 1.0}
    assert cards["Beary"]["drawn"] == {"matches": 2, "won": 0, "rate": 0.0}
    assert cards["Beary"]["played"] == {"matches": 0, "won": 0, "rate": None}
    assert sorted((deck["faces"][0], deck["matches"], deck["rate"]) for deck in told["decks"]) == [
        ("Beary", 2, 0.0),
        ("Clean", 2, 1.0),
    ]
    ranked = await archive.statistics.told("ggltcg", "ranked")
    assert (ranked["mode"], ranked["matches"], ranked["cards"][0]["held"]["matches"]) == ("ranked", 1, 1)
    assert (await archive.statistics.told("lore", ""))["cards"] == []


async def test_a_match_is_counted_once_whoever_is_first(opened: Opened) -> None:
    one, two = opened(), opened()
    replay = short()
    await put(one, "r1", replay)
    found = recount(pack_replay(replay))
    assert sorted(await asyncio.gather(one.statistics.count("r1", found), two.statistics.count("r1", found))) == [
        False,
        True,
    ]
    assert (await one.statistics.told("ggltcg", ""))["matches"] == 1
    assert await one.statistics.unseen(10) == []


async def test_many_matches_are_counted_at_the_same_time(opened: Opened) -> None:
    archives = [opened() for _ in range(3)]
    replay = short()
    found = recount(pack_replay(replay))
    for n in range(9):
        await put(archives[0], f"r{n}", replay)
    await asyncio.gather(*(archives[n % 3].statistics.count(f"r{n}", found) for n in range(9)))
    told = await archives[0].statistics.told("ggltcg", "")
    assert told["matches"] == 9
    assert {card["held"]["matches"] for card in told["cards"]} == {9}


@pytest.mark.parametrize("seen", [STRAYED, FOREIGN])
async def test_what_does_not_prove_itself_is_not_counted(archive: Archive, seen: int) -> None:
    await put(archive, "r1", short())
    assert await archive.statistics.count("r1", Recount(seen, "why", [Seen(["Ka"], ["Ka"], ["Ka"])]))
    assert (await archive.statistics.told("ggltcg", ""))["matches"] == 0
    assert await archive.statistics.unseen(10) == []


async def test_the_same_card_on_both_sides_counts_for_both(archive: Archive) -> None:
    await put(archive, "r1", short())
    both = Seen(["Ka"], ["Ka"], ["Ka"])
    assert await archive.statistics.count("r1", Recount(SOUND, "", [both, both]))
    (ka,) = (await archive.statistics.told("ggltcg", ""))["cards"]
    assert ka["played"] == {"matches": 2, "won": 1, "rate": 0.5}


# who plays them again


class Idle:
    """As much of a host as an auditor needs."""

    def __init__(self, thinkers: Any) -> None:
        self.own, self.draining, self.counts = "host", False, dict.fromkeys(("recount.sound", "recount.strayed"), 0)
        self.loop = asyncio.get_running_loop()
        self.bots = self
        self.thinkers = thinkers

    def now(self) -> int:
        return 100_000


@pytest.fixture
async def host(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Idle]:
    monkeypatch.setattr(auditors, "PATIENCE", 0)
    thinkers = Thinkers(1)
    yield Idle(thinkers)
    await thinkers.stop()


async def test_an_auditor_plays_again_what_falls_to_it(host: Idle, tmp_path: Path) -> None:
    archive = Archive("", tmp_path)
    bad = played(seed="2")
    bad.hashes = dict.fromkeys(bad.hashes, "0" * 32)
    await put(archive, "good", short())
    await put(archive, "bad", bad)
    auditor = Auditor(host, archive)  # type: ignore[arg-type]
    assert await auditor.look() == 2
    assert host.counts == {"recount.sound": 1, "recount.strayed": 1}
    assert (await archive.statistics.told("ggltcg", ""))["matches"] == 1
    assert await auditor.look() == 0
    assert host.thinkers.started == 1  # in a process of its own
    await archive.close()


async def test_an_auditor_leaves_fresh_matches_to_whose_turn_it_is(host: Idle, tmp_path: Path) -> None:
    archive = Archive("", tmp_path)
    auditor = Auditor(host, archive)  # type: ignore[arg-type]
    auditor.up = lambda: ("another",)
    await put(archive, "fresh", short(), ended=99_000)
    assert await auditor.look() == 0
    await put(archive, "old", short(), ended=10_000)
    assert await auditor.look() == 1
    assert [one.room for one in await archive.statistics.unseen(9)] == ["fresh"]
    await archive.close()


async def test_an_auditor_throws_away_what_was_kept_long_enough(host: Idle, tmp_path: Path) -> None:
    archive = Archive("", tmp_path)
    await archive.filing.put(record("old", "ana", "bo", ended=10_000), None, None)
    await archive.filing.put(record("new", "ana", "bo", ended=99_000), None, None)
    await Auditor(host, archive, days=50_000 / 86_400_000).look()  # type: ignore[arg-type]
    page = await archive.standings.profile("ana", "", 0)
    assert page is not None
    assert [match["room"] for match in page["matches"]] == ["new"]
    await archive.close()

"""A match is written down once, and rated once, whoever does it and however often; in a file and in PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text

from cards import find_game
from engine.errors import BadReplay
from engine.replay import verify
from engine.table import Result
from rooms.archive.archive import Archive
from rooms.archive.database import ArchiveTrouble, BadArchive
from rooms.archive.filing import NOBODY
from tests.archive.conftest import Opened
from tests.archive.past import DAY, DRAW, played, record, state_of


async def ratings(archive: Archive, *players: str, game: str = "ggltcg") -> list[int]:
    return [round(await archive.standings.rating(player, game)) for player in players]


# ratings


async def test_a_ranked_match_moves_points_from_the_loser_to_the_winner(archive: Archive) -> None:
    changes = await archive.filing.put(record("r1", "ana", "bo"), None, None)
    ana, bo = await ratings(archive, "ana", "bo")
    assert ana > 1500 > bo
    assert (round(changes[0].after), round(changes[1].after)) == (ana, bo)
    assert (changes[0].before, changes[1].before) == (1500, 1500)


async def test_the_same_match_again_changes_nothing_and_tells_the_same(archive: Archive) -> None:
    first = await archive.filing.put(record("r1", "ana", "bo"), None, None)
    before = await ratings(archive, "ana", "bo")
    assert await archive.filing.put(record("r1", "ana", "bo"), None, None) == first
    assert await ratings(archive, "ana", "bo") == before


async def test_many_at_once_rate_every_match_exactly_once(opened: Opened) -> None:
    """Four processes are handed the same twenty matches of three players, in different orders."""
    who = [("ana", "bo"), ("bo", "cy"), ("cy", "ana")]
    some = [record(f"r{n}", *who[n % 3], started=n) for n in range(20)]
    clerks = [opened() for _ in range(4)]

    async def work(n: int, archive: Archive) -> None:
        for one in [*some[5 * n :], *some[: 5 * n]][:: 1 if n % 2 else -1]:
            await archive.filing.put(one, None, None)

    await asyncio.gather(*(work(n, archive) for n, archive in enumerate(clerks)))
    board = (await clerks[0].standings.leaderboard("ggltcg", 10, 0))["players"]
    assert {one["id"]: (one["matches"], one["won"], one["lost"]) for one in board} == {
        "ana": (13, 7, 6),
        "bo": (14, 7, 7),
        "cy": (13, 6, 7),
    }


@pytest.mark.parametrize(
    "unrated",
    [
        record("r", "ana", "bo", mode="casual"),
        record("r", "ana", "bo", result=Result((), "abandoned")),
        record("r", "ana", "bo", result=Result((), "fault")),
        record("r", "ana", ""),
        record("r", "ana"),
    ],
    ids=["casual", "abandoned", "fault", "a bot", "alone"],
)
async def test_what_does_not_count_is_kept_and_not_rated(archive: Archive, unrated: object) -> None:
    assert await archive.filing.put(unrated, None, None) == {}  # type: ignore[arg-type]
    page = await archive.standings.profile("ana", "", 0)
    assert page is not None
    assert page["ratings"] == []
    assert [match["room"] for match in page["matches"]] == ["r"]
    assert all("rating" not in seat for seat in page["matches"][0]["seats"])


async def test_a_draw_between_equals_changes_nobody(archive: Archive) -> None:
    await archive.filing.put(record("r1", "ana", "bo", result=DRAW), None, None)
    assert await ratings(archive, "ana", "bo") == [1500, 1500]
    assert [one["drawn"] for one in (await archive.standings.leaderboard("ggltcg", 9, 0))["players"]] == [1, 1]


async def test_a_draw_moves_the_stronger_and_the_weaker_together(archive: Archive) -> None:
    await archive.filing.put(record("r1", "ana", "bo"), None, None)
    ana, bo = await ratings(archive, "ana", "bo")
    await archive.filing.put(record("r2", "ana", "bo", result=DRAW), None, None)
    new_ana, new_bo = await ratings(archive, "ana", "bo")
    assert new_ana < ana
    assert new_bo > bo


async def test_at_a_table_of_many_each_place_counts(archive: Archive) -> None:
    result = Result((2,), "last_one", ((2,), (0,), (3, 1)))
    await archive.filing.put(record("r1", "ana", "bo", "cy", "di", game="kittens", result=result), None, None)
    ana, bo, cy, di = await ratings(archive, "ana", "bo", "cy", "di", game="kittens")
    assert cy > ana > bo == di
    (match,) = (await archive.standings.profile("ana", "", 0))["matches"]  # type: ignore[index]
    assert [seat["place"] for seat in match["seats"]] == [2, 3, 1, 3]
    assert await ratings(archive, "cy", game="ggltcg") == [1500]  # each game for itself


# who stands where


async def test_whoever_has_played_little_comes_after_all_others(archive: Archive) -> None:
    for n in range(30):
        await archive.filing.put(record(f"r{n}", *(("ana", "bo") if n % 3 else ("bo", "ana"))), None, None)
    await archive.filing.put(record("lucky", "cy", "di"), None, None)
    whole = await archive.standings.leaderboard("ggltcg", 10, 0)
    assert [(one["rank"], one["id"], one["provisional"]) for one in whole["players"]] == [
        (1, "ana", False),
        (2, "bo", False),
        (3, "cy", True),
        (4, "di", True),
    ]
    assert (await archive.standings.leaderboard("ggltcg", 1, 2))["players"] == [whole["players"][2]]
    assert whole["total"] == 4
    page = await archive.standings.profile("di", "", 0)
    assert page is not None
    assert page["ratings"][0]["rank"] == 4
    assert (await archive.standings.leaderboard("lore", 10, 0))["players"] == []


async def test_a_page_tells_the_last_matches_and_older_ones_when_asked(archive: Archive) -> None:
    for n in range(25):
        await archive.filing.put(record(f"r{n}", "ana", "bo", ended=1000 + n), None, None)
    await archive.filing.put(record("other", "ana", "bo", game="lore", ended=9000), None, None)
    first = await archive.standings.profile("bo", "ggltcg", 0)
    assert first is not None
    assert [match["room"] for match in first["matches"]] == [f"r{n}" for n in range(24, 4, -1)]
    match = first["matches"][0]
    assert (match["outcome"], match["seat"], match["reason"]) == ("lost", 1, "no_cards")
    assert match["seats"][0]["change"] == match["seats"][0]["rating"] - (await previous(archive, 23))
    older = await archive.standings.profile("bo", "ggltcg", first["matches"][-1]["ended"])
    assert older is not None
    assert [match["room"] for match in older["matches"]] == [f"r{n}" for n in range(4, -1, -1)]
    assert (await archive.standings.profile("bo", "", 0))["matches"][0]["room"] == "other"  # type: ignore[index]
    assert await archive.standings.profile("nobody", "", 0) is None


async def previous(archive: Archive, n: int) -> int:
    """Ana's rating after a match."""
    page = await archive.standings.profile("ana", "ggltcg", 1000 + n + 1)
    assert page is not None
    return int(page["matches"][0]["seats"][0]["rating"])


async def test_two_who_met_stand_somehow_against_each_other(archive: Archive) -> None:
    await archive.filing.put(record("r1", "ana", "bo"), None, None)
    await archive.filing.put(record("r2", "bo", "ana"), None, None)
    await archive.filing.put(record("r3", "bo", "ana", result=DRAW, game="lore"), None, None)
    await archive.filing.put(record("r4", "ana", "cy"), None, None)
    found = await archive.standings.against("ana", "bo", "")
    assert found is not None
    assert [found[word] for word in ("matches", "won", "drawn", "lost")] == [3, 1, 1, 1]
    assert [(one["game"], one["matches"]) for one in found["games"]] == [("ggltcg", 2), ("lore", 1)]
    assert {match["room"] for match in found["last"]} == {"r1", "r2", "r3"}
    never = await archive.standings.against("bo", "cy", "")
    assert never is not None
    assert (never["matches"], never["last"]) == (0, [])
    assert await archive.standings.against("ana", "nobody", "") is None


# replays


async def test_a_replay_is_kept_and_proves_itself(archive: Archive) -> None:
    replay = played()
    one = record("r1", "ana", "bo", result=replay.result)
    await archive.filing.put(one, state_of(one), replay)
    found = await archive.filing.replay("r1", "")
    assert found == (replay, True)
    verify(find_game("ggltcg"), replay)
    assert await archive.filing.replay("r2", "") is None


async def test_a_replay_is_for_those_who_could_have_watched(archive: Archive) -> None:
    one = record("r1", "ana", "bo")
    await archive.filing.put(one, state_of(one, watch="nobody"), played())
    for who, allowed in (("ana", True), ("cy", False), ("", False)):
        assert ((await archive.filing.replay("r1", who)) or ())[1:] == (allowed,)


# forgetting


async def test_somebody_who_is_forgotten_leaves_matches_without_their_name(archive: Archive) -> None:
    replay = played(names=("Ana", "Bo"))
    one = record("r1", "ana", "bo", result=replay.result)
    await archive.filing.put(one, state_of(one), replay)
    assert await archive.filing.forget("ana", 70_000) == 1
    assert await archive.standings.profile("ana", "", 0) is None
    assert [line["id"] for line in (await archive.standings.leaderboard("ggltcg", 9, 0))["players"]] == ["bo"]
    page = await archive.standings.profile("bo", "", 0)
    assert page is not None
    (match,) = page["matches"]
    assert match["seats"][0]["name"] == NOBODY
    assert "id" not in match["seats"][0]
    kept, _ = await archive.filing.replay("r1", "bo") or (None, False)
    assert kept is not None
    assert kept.seats == [NOBODY, "Bo"]
    verify(find_game("ggltcg"), kept)  # it still leads to the same end
    assert await archive.filing.forget("ana", 80_000) == 0


async def test_another_name_is_in_the_lists_and_not_in_old_matches(archive: Archive) -> None:
    await archive.filing.put(record("r1", "ana", "bo"), None, None)
    await archive.filing.rename("ana", "Anastasia")
    page = await archive.standings.profile("ana", "", 0)
    assert page is not None
    assert (page["name"], page["matches"][0]["seats"][0]["name"]) == ("Anastasia", "Ana")


async def test_a_match_that_ends_afterwards_does_not_bring_them_back(archive: Archive) -> None:
    await archive.filing.forget("ana", 2000)
    assert await archive.filing.put(record("r1", "ana", "bo"), None, None) == {}
    assert await archive.standings.profile("ana", "", 0) is None
    assert (await archive.standings.profile("bo", "", 0))["matches"][0]["seats"][0]["name"] == NOBODY  # type: ignore[index]
    assert await archive.filing.put(record("r2", "ana", "bo", started=3000), None, None)  # they came back
    assert (await archive.standings.profile("ana", "", 0) or {})["name"] == "Ana"


async def test_old_matches_go_and_ratings_stay(archive: Archive) -> None:
    await archive.filing.put(record("old", "ana", "bo", ended=5 * DAY), None, None)
    await archive.filing.put(record("new", "ana", "bo", ended=9 * DAY), None, None)
    before = await ratings(archive, "ana", "bo")
    assert await archive.filing.drop_before(7 * DAY) == 1
    page = await archive.standings.profile("ana", "", 0)
    assert page is not None
    assert [match["room"] for match in page["matches"]] == ["new"]
    assert await ratings(archive, "ana", "bo") == before
    assert page["ratings"][0]["matches"] == 2


# trouble


async def test_a_transaction_that_fails_leaves_nothing(archive: Archive) -> None:
    bad = record("r1", "ana", "bo", moves=None)
    with pytest.raises(ArchiveTrouble):
        await archive.filing.put(bad, None, None)
    assert await ratings(archive, "ana") == [1500]
    assert await archive.filing.put(record("r1", "ana", "bo"), None, None)


async def test_an_archive_of_a_later_version_is_left_alone(opened: Opened) -> None:
    first = opened()
    await first.mark()
    async with first.database.writing() as conn:
        await conn.execute(text("UPDATE about SET word = '99' WHERE name = 'schema'"))
    with pytest.raises(BadArchive, match="another version"):
        await opened().mark()


async def test_an_archive_is_told_from_others_by_its_mark(opened: Opened, tmp_path: Path) -> None:
    marks = await asyncio.gather(*(opened().mark() for _ in range(3)))
    assert len(set(marks)) == 1
    other = Archive("", tmp_path / "elsewhere")
    assert await other.mark() not in marks
    await other.close()


async def test_connections_that_break_are_made_anew(opened: Opened) -> None:
    archive = opened()
    await archive.filing.put(record("r1", "ana", "bo"), None, None)
    if archive.database.file:
        return
    killer = opened()
    async with killer.database.reading() as conn:
        others = "pid <> pg_backend_pid() AND datname = current_database()"
        await conn.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"))
    assert await archive.filing.put(record("r2", "ana", "bo"), None, None)
    assert (await archive.standings.leaderboard("ggltcg", 9, 0))["players"][0]["matches"] == 2


@pytest.mark.parametrize("url", ["mysql://here/there", "nonsense", "postgresql://", "postgresql://u@h:port/x"])
async def test_an_address_that_is_none_is_told_in_a_sentence(url: str, tmp_path: Path) -> None:
    with pytest.raises(BadArchive, match=r"\.$"):
        Archive(url, tmp_path)


async def test_a_server_that_is_not_there_is_trouble_that_may_pass(tmp_path: Path) -> None:
    archive = Archive(f"postgresql://upcard@/x?host={tmp_path}", tmp_path)
    with pytest.raises(ArchiveTrouble):
        await archive.standings.rating("ana", "ggltcg")


def test_a_match_that_strays_is_noticed() -> None:
    replay = played()
    replay.seats[0] = "Somebody else"
    with pytest.raises(BadReplay):
        verify(find_game("ggltcg"), replay)

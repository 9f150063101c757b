"""A match is written down, once: who sat where, how it ended, all that was done, and what that did to ratings."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Row, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from engine.replay import Replay
from engine.table import Result
from rooms.archive.database import ArchiveTrouble, Database
from rooms.archive.ratings import UNRATED, Skill, outcome, places, rate, shown
from rooms.archive.recounting import FOREIGN, UNSEEN
from rooms.archive.tables import forgotten, matches, players, ratings, sides
from rooms.state import Clock, RoomState

LEVEL = 6  # of compression
NOBODY = "Somebody"  # who did not want to be remembered

_json = msgspec.json.Encoder()
_replay = msgspec.json.Decoder(Replay)


class Player(Struct):
    """Who sat on a seat at the end."""

    user: str
    name: str
    bot: str


class Record(Struct):
    """What the last commit of a match told of it."""

    room: str
    game: str
    mode: str
    players: list[Player]
    result: Result
    moves: int
    started: int
    ended: int


class Change(Struct):
    """What a match did to the rating of a seat."""

    before: float
    after: float


class Filing:
    """Writes matches down, and knows how to forget who played them."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def put(self, record: Record, state: RoomState | None, replay: Replay | None) -> dict[int, Change]:
        """Write a match down and rate it; a room that is there already stays as it is. What it did to each seat."""
        async with self.database.writing() as conn:
            missing = await _forgotten(conn, record)
            rated = _counts(record) and not missing
            if not await self.database.add(conn, matches, [_row(record, state, replay, rated)]):
                return await _changes(conn, record.room)
            known = [
                msgspec.structs.replace(one, user="", name=NOBODY) if one.user in missing else one
                for one in record.players
            ]
            changes = await self._rate(conn, record) if rated else {}
            await conn.execute(sides.insert(), _sides(record, known, replay, changes))
            people = [{"player": one.user, "name": one.name, "last": record.ended} for one in known if one.user]
            await self.database.renew(conn, players, people)
            return changes

    async def knows(self, room: str) -> bool:
        """Whether a match was played in a room of this name; if that cannot be said, nothing speaks against another."""
        try:
            async with self.database.reading() as conn:
                return (await conn.execute(select(matches.c.room).where(matches.c.room == room))).first() is not None
        except ArchiveTrouble:
            return False

    async def replay(self, room: str, player: str) -> tuple[Replay | None, bool] | None:
        """What was done in a match, and whether somebody may see it: who could have watched, or sat there."""
        async with self.database.reading() as conn:
            found = (
                await conn.execute(select(matches.c.replay, matches.c.watch).where(matches.c.room == room))
            ).first()
            if found is None:
                return None
            seat = select(sides.c.seat).where(sides.c.room == room, sides.c.player == player)
            seated = bool(player) and (await conn.execute(seat)).first() is not None
        return unpack_replay(found.replay), found.watch == "all" or seated

    async def rename(self, player: str, name: str) -> None:
        """Somebody is called otherwise from now on; what they were called in a match stays with the match."""
        async with self.database.writing() as conn:
            await conn.execute(update(players).where(players.c.player == player).values(name=name))

    async def forget(self, player: str, now: int) -> int:
        """Somebody does not want to be remembered: their matches stay, without their name. How many those are."""
        async with self.database.writing() as conn:
            await self.database.renew(conn, forgotten, [{"mark": _mark(player), "at": now}])
            await conn.execute(delete(ratings).where(ratings.c.player == player))
            await conn.execute(delete(players).where(players.c.player == player))
            sat = select(sides.c.room, sides.c.seat).where(sides.c.player == player).order_by(sides.c.room)
            found = (await conn.execute(sat)).all()
            for room, seat in found:
                await _rename(conn, room, seat)
            await conn.execute(update(sides).where(sides.c.player == player).values(player="", name=NOBODY))
            return len(found)

    async def drop_before(self, ended: int) -> int:
        """Matches that ended before this are thrown away; ratings and statistics keep what they said. How many."""
        async with self.database.writing() as conn:
            old = select(matches.c.room).where(matches.c.ended < ended)
            await conn.execute(delete(sides).where(sides.c.room.in_(old)))
            return int((await conn.execute(delete(matches).where(matches.c.ended < ended))).rowcount)

    async def _rate(self, conn: AsyncConnection, record: Record) -> dict[int, Change]:
        users = [one.user for one in record.players]
        fresh = Skill()
        none = {"game": record.game, "matches": 0, "won": 0, "drawn": 0, "lost": 0, "last": record.ended}
        new = [{**none, "player": user, "mu": fresh.mu, "sigma": fresh.sigma} for user in sorted(users)]
        await self.database.add(conn, ratings, new)
        mine = select(ratings).where(ratings.c.game == record.game, ratings.c.player.in_(users))
        held = (await conn.execute(mine.order_by(ratings.c.player).with_for_update())).all()
        rows: dict[str, Row[Any]] = {row.player: row for row in held}
        skills = [Skill(rows[user].mu, rows[user].sigma) for user in users]
        better = rate(skills, places(record.result, len(users)))
        for seat, user in enumerate(users):
            row, how = rows[user], outcome(record.result, seat)
            sums = {"matches": row.matches + 1, how: getattr(row, how) + 1, "last": record.ended}
            one = update(ratings).where(ratings.c.game == record.game, ratings.c.player == user)
            await conn.execute(one.values(mu=better[seat].mu, sigma=better[seat].sigma, **sums))
        both = enumerate(zip(skills, better, strict=True))
        return {seat: Change(shown(was.mu), shown(now.mu)) for seat, (was, now) in both}


def pack_replay(replay: Replay) -> bytes:
    """A replay as it lies in the archive."""
    return zlib.compress(_json.encode(replay), LEVEL)


def unpack_replay(data: bytes | None) -> Replay | None:
    """The replay that was kept, if one was."""
    return None if data is None else _replay.decode(zlib.decompress(data))


def deck_mark(deck: Sequence[str]) -> str:
    """The same for the same cards, in whatever order they were named."""
    return sha256(_json.encode(sorted(deck))).hexdigest()[:32]


def _mark(player: str) -> str:
    return sha256(b"forgotten/" + player.encode()).hexdigest()


def _counts(record: Record) -> bool:
    """Whether a match is rated: it was meant to be, people played it, and it was decided at the table."""
    users = {one.user for one in record.players} - {""}
    whole = len(users) == len(record.players) >= 2
    return record.mode == "ranked" and whole and record.result.reason not in UNRATED


def _row(record: Record, state: RoomState | None, replay: Replay | None, rated: bool) -> dict[str, Any]:
    setup = state.setup if state is not None else None
    clock = setup.clock if setup is not None else None
    return {
        "room": record.room,
        "game": record.game,
        "mode": record.mode,
        "options": replay.options if replay is not None else {},
        "clock": msgspec.to_builtins(clock) if isinstance(clock, Clock) else {},
        "watch": setup.watch.who if setup is not None else "nobody",
        "seats": len(record.players),
        "moves": record.moves,
        "started": record.started,
        "ended": record.ended,
        "reason": record.result.reason,
        "rated": rated,
        "seen": UNSEEN if replay is not None else FOREIGN,
        "replay": pack_replay(replay) if replay is not None else None,
    }


def _sides(
    record: Record, known: Sequence[Player], replay: Replay | None, changes: dict[int, Change]
) -> list[dict[str, Any]]:
    ranks = places(record.result, len(known))
    return [
        {
            "room": record.room,
            "seat": seat,
            "player": one.user,
            "name": one.name,
            "bot": one.bot,
            "place": ranks[seat],
            "outcome": outcome(record.result, seat),
            "deck": replay.decks[seat] if replay is not None and seat < len(replay.decks) else [],
            "before": changes[seat].before if seat in changes else None,
            "after": changes[seat].after if seat in changes else None,
            "game": record.game,
            "ended": record.ended,
        }
        for seat, one in enumerate(known)
    ]


async def _forgotten(conn: AsyncConnection, record: Record) -> set[str]:
    """Those who wanted to be forgotten after this match had begun."""
    marks = {_mark(one.user): one.user for one in record.players if one.user}
    wanted = select(forgotten.c.mark).where(forgotten.c.mark.in_(list(marks)), forgotten.c.at >= record.started)
    return {marks[mark] for (mark,) in await conn.execute(wanted)}


async def _changes(conn: AsyncConnection, room: str) -> dict[int, Change]:
    found = select(sides.c.seat, sides.c.before, sides.c.after).where(sides.c.room == room, sides.c.after.is_not(None))
    return {seat: Change(before, after) for seat, before, after in await conn.execute(found)}


async def _rename(conn: AsyncConnection, room: str, seat: int) -> None:
    """Take a name out of a replay. Names lie on the table, so its hashes go too: what they proved is known by then."""
    data = (await conn.execute(select(matches.c.replay).where(matches.c.room == room))).scalar_one_or_none()
    replay = unpack_replay(data)
    if replay is not None:
        replay.seats[seat], replay.hashes = NOBODY, {}
        await conn.execute(update(matches).where(matches.c.room == room).values(replay=pack_replay(replay)))

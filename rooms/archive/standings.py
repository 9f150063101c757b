"""What the archive tells: who is how strong, what somebody has played, and how two of them stand against each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, case, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from rooms.archive.database import Database
from rooms.archive.ratings import MIDDLE, SETTLED, deviation, shown
from rooms.archive.recounting import SOUND
from rooms.archive.tables import matches, players, ratings, sides

LAST = 20  # matches that are told at once

_unsure = case((ratings.c.sigma > SETTLED, 1), else_=0)  # whoever has played little comes after all others
_facts = [column for column in matches.c if column is not matches.c.replay]
_order = (_unsure, ratings.c.mu.desc(), ratings.c.player)


class Standings:
    """Reads."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def rating(self, player: str, game: str) -> float:
        """How strong somebody is, as it is shown; the middle, if nothing is known."""
        async with self.database.reading() as conn:
            mu = select(ratings.c.mu).where(ratings.c.game == game, ratings.c.player == player)
            found = (await conn.execute(mu)).scalar_one_or_none()
        return MIDDLE if found is None else shown(found)

    async def leaderboard(self, game: str, most: int, after: int) -> dict[str, Any]:
        """The best of a game, those first whose strength is no guess any more."""
        async with self.database.reading() as conn:
            best = select(ratings, players.c.name).join(players, players.c.player == ratings.c.player)
            rows = (
                await conn.execute(best.where(ratings.c.game == game).order_by(*_order).limit(most).offset(after))
            ).all()
            total = (await conn.execute(select(func.count()).where(ratings.c.game == game))).scalar_one()
        board = [
            {"rank": after + n, "id": row.player, "name": row.name, **_strength(row)} for n, row in enumerate(rows, 1)
        ]
        return {"game": game, "total": total, "players": board}

    async def profile(self, player: str, game: str, before: int) -> dict[str, Any] | None:
        """Somebody's ratings and last matches; None if they never ended one."""
        async with self.database.reading() as conn:
            who = (await conn.execute(select(players).where(players.c.player == player))).first()
            if who is None:
                return None
            held = select(ratings).where(ratings.c.player == player).order_by(ratings.c.matches.desc(), ratings.c.game)
            strengths = [
                {"game": row.game, **_strength(row), "rank": await _rank(conn, row)} for row in await conn.execute(held)
            ]
            wanted = [sides.c.player == player, *([sides.c.game == game] if game else [])]
            wanted += [sides.c.ended < before] if before else []
            played = await _matches(conn, player, select(sides.c.room, sides.c.ended).where(*wanted))
        return {"id": player, "name": who.name, "last": who.last, "ratings": strengths, "matches": played}

    async def against(self, player: str, other: str, game: str) -> dict[str, Any] | None:
        """How two stand against each other; None if either is not known."""
        mine, theirs = sides.alias("mine"), sides.alias("theirs")
        met = mine.join(theirs, and_(mine.c.room == theirs.c.room, mine.c.seat != theirs.c.seat))
        wanted = [mine.c.player == player, theirs.c.player == other, *([mine.c.game == game] if game else [])]
        async with self.database.reading() as conn:
            both = select(players.c.player, players.c.name).where(players.c.player.in_((player, other)))
            names = {row.player: row.name for row in await conn.execute(both)}
            how = select(
                mine.c.game, _sum(mine.c.place < theirs.c.place), _sum(mine.c.place == theirs.c.place), func.count()
            )
            rows = (await conn.execute(how.select_from(met).where(*wanted).group_by(mine.c.game))).all()
            if len(names) < 2:
                return None
            rooms = select(mine.c.room, mine.c.ended).select_from(met).where(*wanted)
            played = await _matches(conn, player, rooms)
        games = [
            {"game": name, "matches": count, "won": won, "drawn": even, "lost": count - won - even}
            for name, won, even, count in sorted(rows, key=lambda row: (-row[3], row[0]))
        ]
        sums = {word: sum(one[word] for one in games) for word in ("matches", "won", "drawn", "lost")}
        people = {"player": _person(player, names), "other": _person(other, names)}
        return {**people, **sums, "games": games, "last": played}


def _sum(true: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((true, 1), else_=0)), 0)


def _person(player: str, names: dict[str, str]) -> dict[str, str]:
    return {"id": player, "name": names[player]}


def _strength(row: Row[Any]) -> dict[str, Any]:
    return {
        "rating": round(shown(row.mu)),
        "deviation": deviation(row.sigma),
        "provisional": row.sigma > SETTLED,
        "matches": row.matches,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "last": row.last,
    }


async def _rank(conn: AsyncConnection, row: Row[Any]) -> int:
    """Where somebody stands on the leaderboard."""
    unsure = int(row.sigma > SETTLED)
    level = and_(_unsure == unsure, ratings.c.mu == row.mu, ratings.c.player < row.player)
    ahead = (_unsure < unsure) | and_(_unsure == unsure, ratings.c.mu > row.mu) | level
    better = select(func.count()).select_from(ratings).where(ratings.c.game == row.game, ahead)
    return 1 + int((await conn.execute(better)).scalar_one())


async def _matches(conn: AsyncConnection, player: str, rooms: Select[Any]) -> list[dict[str, Any]]:
    """The last of these matches, as one who played in them would tell them."""
    ended = rooms.selected_columns["ended"]
    last = rooms.order_by(ended.desc()).limit(LAST).subquery()
    facts = (
        select(*_facts, matches.c.replay.is_not(None).label("kept"))
        .join(last, last.c.room == matches.c.room)
        .order_by(matches.c.ended.desc(), matches.c.room)
    )
    found: Sequence[Any] = (await conn.execute(facts)).all()
    seated = select(sides).where(sides.c.room.in_([row.room for row in found])).order_by(sides.c.room, sides.c.seat)
    by_room: dict[str, list[Row[Any]]] = {}
    for side in await conn.execute(seated):
        by_room.setdefault(side.room, []).append(side)
    return [_told(row, by_room[row.room], player) for row in found]


def _told(row: Row[Any], seats: Iterable[Row[Any]], player: str) -> dict[str, Any]:
    chairs = list(seats)
    own = next(side for side in chairs if side.player == player)
    return {
        "room": row.room,
        "game": row.game,
        "mode": row.mode,
        "started": row.started,
        "ended": row.ended,
        "duration": max(0, row.ended - row.started),
        "moves": row.moves,
        "reason": row.reason,
        "replay": row.kept and row.watch == "all",
        "verified": row.seen == SOUND,
        "seat": own.seat,
        "outcome": own.outcome,
        "seats": [_chair(side) for side in chairs],
    }


def _chair(side: Row[Any]) -> dict[str, Any]:
    rated = {}
    if side.after is not None:
        rated = {"rating": round(side.after), "change": round(side.after) - round(side.before)}
    who = {"id": side.player} if side.player else {}
    return {
        "name": side.name or side.bot,
        "bot": bool(side.bot),
        **who,
        "place": side.place,
        "outcome": side.outcome,
        **rated,
    }

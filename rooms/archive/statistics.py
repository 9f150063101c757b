"""What many matches say of cards and decks. Counted once a match, and only if it proves itself when played again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import select, update

from rooms.archive.database import Database
from rooms.archive.filing import deck_mark
from rooms.archive.recounting import SOUND, UNSEEN, Recount
from rooms.archive.tables import cards, decks, matches, sides, totals

BOARD = 100  # decks that are told, those that were played most
WORDS = ("held", "drawn", "played")


class Unseen(Struct):
    """A match that nobody has played again yet."""

    room: str
    ended: int


class Statistics:
    """Counts, and tells what was counted."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def unseen(self, most: int) -> list[Unseen]:
        """Matches that are still to be played again, the oldest first."""
        async with self.database.reading() as conn:
            wanted = select(matches.c.room, matches.c.ended).where(matches.c.seen == UNSEEN)
            found = await conn.execute(wanted.order_by(matches.c.ended).limit(most))
            return [Unseen(room, ended) for room, ended in found]

    async def kept(self, room: str) -> bytes | None:
        """A match as it lies there."""
        async with self.database.reading() as conn:
            data: bytes | None = (
                await conn.execute(select(matches.c.replay).where(matches.c.room == room))
            ).scalar_one_or_none()
            return data

    async def count(self, room: str, found: Recount) -> bool:
        """Note what playing a match again has shown, and count it; False if somebody did that before."""
        async with self.database.writing() as conn:
            mine = update(matches).where(matches.c.room == room, matches.c.seen == UNSEEN).values(seen=found.seen)
            if not (await conn.execute(mine)).rowcount:
                return False
            if found.seen != SOUND:
                return True
            row = (await conn.execute(select(matches).where(matches.c.room == room))).one()
            seated = (await conn.execute(select(sides).where(sides.c.room == room).order_by(sides.c.seat))).all()
            key = {"game": row.game, "mode": row.mode}
            won = [side.outcome == "won" for side in seated]
            even = any(side.outcome == "drawn" for side in seated)
            facts = {"matches": 1, "moves": row.moves, "ms": max(0, row.ended - row.started), "drawn": int(even)}
            await self.database.count(conn, totals, [{**key, **facts}])
            await self.database.count(conn, cards, [{**key, **line} for line in _cards(found, won)])
            await self.database.count(conn, decks, [{**key, **line} for line in _decks([s.deck for s in seated], won)])
            return True

    async def told(self, game: str, mode: str) -> dict[str, Any]:
        """Everything that was counted of a game, in one mode or in all."""
        async with self.database.reading() as conn:
            rows = {
                table.name: [
                    row._asdict()
                    for row in await conn.execute(
                        select(table).where(table.c.game == game, *([table.c.mode == mode] if mode else []))
                    )
                ]
                for table in (totals, cards, decks)
            }
        whole = _sum(rows["totals"], "game") or [{"matches": 0, "moves": 0, "ms": 0, "drawn": 0}]
        count = whole[0]["matches"]
        return {
            "game": game,
            "mode": mode or "all",
            "matches": count,
            "drawn": whole[0]["drawn"],
            "moves": _mean(whole[0]["moves"], count),
            "duration": round(_mean(whole[0]["ms"], count)),
            "cards": [_card(line) for line in sorted(_sum(rows["cards"], "face"), key=lambda line: line["face"])],
            "decks": [_deck(line) for line in sorted(_sum(rows["decks"], "deck"), key=_often)[:BOARD]],
        }


def _cards(found: Recount, won: Sequence[bool]) -> list[dict[str, Any]]:
    """A line for each face that was anywhere: over all seats."""
    lines: dict[str, dict[str, Any]] = {}
    empty = {name: 0 for word in WORDS for name in (word, f"{word}_won")}
    for seat, seen in enumerate(found.seats):
        for word in WORDS:
            for face in getattr(seen, word):
                line = lines.setdefault(face, {"face": face, **empty})
                line[word] += 1
                line[f"{word}_won"] += won[seat]
    return list(lines.values())


def _decks(found: Sequence[Sequence[str]], won: Sequence[bool]) -> list[dict[str, Any]]:
    lines: dict[str, dict[str, Any]] = {}
    for deck, good in zip(found, won, strict=True):
        if deck:
            mark = deck_mark(deck)
            line = lines.setdefault(mark, {"deck": mark, "faces": sorted(deck), "matches": 0, "won": 0})
            line["matches"] += 1
            line["won"] += good
    return list(lines.values())


def _sum(rows: Sequence[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    """One line for each word under a key: the modes together."""
    lines: dict[str, dict[str, Any]] = {}
    for row in rows:
        line = lines.setdefault(row[key], {})
        for name, value in row.items():
            line[name] = line.get(name, 0) + value if isinstance(value, int) else value
    return list(lines.values())


def _often(line: dict[str, Any]) -> tuple[int, str]:
    return -line["matches"], line["deck"]


def _card(line: dict[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {"face": line["face"]}
    for word in WORDS:
        told[word] = {"matches": line[word], "won": line[f"{word}_won"], "rate": _rate(line[f"{word}_won"], line[word])}
    return told


def _deck(line: dict[str, Any]) -> dict[str, Any]:
    told = {"faces": line["faces"], "matches": line["matches"], "won": line["won"]}
    return {**told, "rate": _rate(line["won"], line["matches"])}


def _mean(whole: int, count: int) -> float:
    return round(whole / count, 1) if count else 0.0


def _rate(won: int, count: int) -> float | None:
    """Matches won of those played; nothing, if there was none."""
    return round(won / count, 4) if count else None

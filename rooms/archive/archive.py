"""The archive of one process."""

from __future__ import annotations

import secrets
from pathlib import Path

from sqlalchemy import select

from rooms.archive.database import Database
from rooms.archive.filing import Filing
from rooms.archive.standings import Standings
from rooms.archive.statistics import Statistics
from rooms.archive.tables import about


class Archive:
    """Finished matches, and all that is known from them."""

    def __init__(self, url: str, folder: Path) -> None:
        self.database = Database(url, folder)
        self.filing = Filing(self.database)
        self.standings = Standings(self.database)
        self.statistics = Statistics(self.database)

    async def close(self) -> None:
        """Hang up."""
        await self.database.close()

    async def mark(self) -> str:
        """What tells this archive from all others."""
        async with self.database.writing() as conn:
            await self.database.add(conn, about, [{"name": "mark", "word": secrets.token_urlsafe(12)}])
            found = await conn.execute(select(about.c.word).where(about.c.name == "mark"))
            return str(found.scalar_one())

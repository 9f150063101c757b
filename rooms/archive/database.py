"""The database of the archive: a file of our own, or a PostgreSQL that all hosts share."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import Connection, Table, event, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from rooms.archive.tables import SCHEMA, about, metadata
from rooms.nodes import StoreTrouble

log = structlog.get_logger()

FILE = "archive.sqlite3"
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
PATIENCE = 10.0  # seconds for a connection, or for another writer
LONGEST = 60.0  # seconds for one statement
TOGETHER = 4  # connections of one process
MAKING = 0x75706361  # the lock under which tables are made


class BadArchive(Exception):
    """The archive cannot be used as it was named. The text says in one sentence what to do about it."""


class ArchiveTrouble(StoreTrouble):
    """The archive did not do as it was asked; later it may."""


class Database:
    """Connections to the archive, and what differs between the two kinds of it."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = _full_url(url, folder)
        self.file = self.url.startswith("sqlite")
        self.ready = False
        self._engine = _engine(self.url, self.file)

    @property
    def shown(self) -> str:
        """Where it is, without a password."""
        return make_url(self.url).render_as_string(hide_password=True)

    async def open(self) -> None:
        """Make what is not there yet. Trouble passes; BadArchive does not."""
        async with self._transaction() as conn:
            if not self.file:
                await conn.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MAKING})
            await conn.run_sync(metadata.create_all)
            await self.add(conn, about, [{"name": "schema", "word": SCHEMA}])
            found = (await conn.execute(select(about.c.word).where(about.c.name == "schema"))).scalar_one()
        if found != SCHEMA:
            raise BadArchive(
                f"{self.shown} was written by another version of Upcard (format {found}, ours is {SCHEMA})."
            )
        self.ready = True

    async def close(self) -> None:
        """Hang up."""
        await self._engine.dispose()

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection to read over."""
        if not self.ready:
            await self.open()
        with _reworded():
            async with self._engine.connect() as conn:
                yield conn

    @contextlib.asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction: everything is written, or nothing is."""
        if not self.ready:
            await self.open()
        async with self._transaction() as conn:
            yield conn

    @contextlib.asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        with _reworded():
            async with self._engine.connect() as conn:
                writer = await conn.execution_options(writes=True)
                async with writer.begin():
                    yield writer

    # what SQL itself does not say

    async def add(self, conn: AsyncConnection, table: Table, rows: Sequence[dict[str, Any]]) -> int:
        """Write rows that may be there already, and stay as they are then. Of a single one, whether it was new."""
        found = await conn.execute(self._insert(table).on_conflict_do_nothing(), rows if len(rows) > 1 else rows[0])
        return int(found.rowcount)

    async def count(self, conn: AsyncConnection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
        """Add numbers to those that are there; whoever does this at the same time goes in the same order."""
        keys = [column.name for column in table.primary_key]
        words = self._insert(table)
        numbers = [column for column in table.c if column.name not in keys and column.type.python_type is int]
        sums = {column.name: column + words.excluded[column.name] for column in numbers}
        ordered = sorted(rows, key=lambda row: [row[key] for key in keys])
        if ordered:
            await conn.execute(words.on_conflict_do_update(index_elements=keys, set_=sums), ordered)

    async def renew(self, conn: AsyncConnection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
        """Write rows; the newest word counts."""
        keys = [column.name for column in table.primary_key]
        words = self._insert(table)
        fresh = {name: words.excluded[name] for name in rows[0] if name not in keys} if rows else {}
        ordered = sorted(rows, key=lambda row: [row[key] for key in keys])
        if ordered:
            await conn.execute(words.on_conflict_do_update(index_elements=keys, set_=fresh), ordered)

    def _insert(self, table: Table) -> Any:
        return sqlite.insert(table) if self.file else postgresql.insert(table)


def _full_url(url: str, folder: Path) -> str:
    if not url:
        return f"sqlite+aiosqlite:///{(folder / FILE).expanduser().absolute()}"
    kind, _, rest = url.partition("://")
    if kind not in DRIVERS or not rest:
        raise BadArchive("The archive is named like postgresql://USER:PASSWORD@HOST/NAME or sqlite:////PATH/FILE.")
    return f"{DRIVERS[kind]}://{rest}"


def _engine(url: str, file: bool) -> AsyncEngine:
    try:
        if not file:
            args = {"timeout": PATIENCE, "command_timeout": LONGEST}
            return create_async_engine(
                url, pool_size=TOGETHER, max_overflow=0, pool_timeout=PATIENCE, pool_pre_ping=True, connect_args=args
            )
        path = Path(make_url(url).database or "")
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)  # it holds what not everybody may read
        engine = create_async_engine(url, pool_size=TOGETHER, max_overflow=0, connect_args={"timeout": PATIENCE})
    except (ArgumentError, ValueError) as error:
        raise BadArchive(f"The archive's address cannot be read: {error}.") from None
    except OSError as error:
        raise BadArchive(f"The archive's file cannot be made: {error.strerror}.") from None
    event.listen(engine.sync_engine, "connect", _prepare_file)
    event.listen(engine.sync_engine, "begin", _begin_on_file)
    return engine


def _prepare_file(connection: Any, _: Any) -> None:
    """One writes while others read, and what was written survives a power failure."""
    connection.isolation_level = None  # transactions are begun by us: the driver would begin them too late
    cursor = connection.cursor()
    for word in ("journal_mode=WAL", "synchronous=FULL"):
        cursor.execute(f"PRAGMA {word}")
    cursor.close()


def _begin_on_file(connection: Connection) -> None:
    """Whoever will write says so at once, and waits for others who do."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextlib.contextmanager
def _reworded() -> Any:
    """A database's trouble is the archive's trouble."""
    try:
        yield
    except OperationalError as error:
        raise ArchiveTrouble(str(error.orig)) from error
    except SQLAlchemyError as error:
        raise ArchiveTrouble(f"{type(error).__name__}: {error}") from error
    except (OSError, TimeoutError) as error:
        raise ArchiveTrouble(str(error) or "no answer in time") from error

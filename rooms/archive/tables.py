"""What lies in the archive, for any database that SQLAlchemy speaks to in the same words."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
)

SCHEMA = "1"  # of these tables; an archive that is newer is left alone

metadata = MetaData()

about = Table(
    "about", metadata, Column("name", String(32), primary_key=True), Column("word", String(64), nullable=False)
)

matches = Table(
    "matches",
    metadata,
    Column("room", String(64), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("mode", String(16), nullable=False),
    Column("options", JSON, nullable=False),
    Column("clock", JSON, nullable=False),
    Column("watch", String(8), nullable=False),
    Column("seats", SmallInteger, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("started", BigInteger, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Column("reason", String(64), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("seen", SmallInteger, nullable=False),  # what playing it again has shown; see `recounting`
    Column("replay", LargeBinary),  # JSON, compressed: seed, decks and every input
)
Index("matches_by_end", matches.c.ended)
Index("matches_unseen", matches.c.seen, matches.c.ended)

sides = Table(  # who sat where, and how it went for them
    "sides",
    metadata,
    Column("room", String(64), primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("player", String(64), nullable=False),  # empty: a bot, or nobody who can still be named
    Column("name", String(64), nullable=False),
    Column("bot", String(64), nullable=False),
    Column("place", SmallInteger, nullable=False),  # from 1 on; those of equal rank share one
    Column("outcome", String(8), nullable=False),
    Column("deck", JSON, nullable=False),
    Column("before", Float),  # the rating as it is shown
    Column("after", Float),
    Column("game", String(64), nullable=False),
    Column("ended", BigInteger, nullable=False),
)
Index("sides_by_player", sides.c.player, sides.c.ended)

players = Table(
    "players",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("last", BigInteger, nullable=False),
)

ratings = Table(
    "ratings",
    metadata,
    Column("game", String(64), primary_key=True),
    Column("player", String(64), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("last", BigInteger, nullable=False),
)
Index("ratings_by_strength", ratings.c.game, ratings.c.mu)

forgotten = Table(  # who wants nothing that began before then to be known of them
    "forgotten", metadata, Column("mark", String(64), primary_key=True), Column("at", BigInteger, nullable=False)
)

totals = Table(
    "totals",
    metadata,
    Column("game", String(64), primary_key=True),
    Column("mode", String(16), primary_key=True),
    Column("matches", Integer, nullable=False),
    Column("moves", BigInteger, nullable=False),
    Column("ms", BigInteger, nullable=False),
    Column("drawn", Integer, nullable=False),
)

cards = Table(  # each counted once a seat and match
    "cards",
    metadata,
    Column("game", String(64), primary_key=True),
    Column("mode", String(16), primary_key=True),
    Column("face", String(64), primary_key=True),
    Column("held", Integer, nullable=False),  # it was in the deck
    Column("held_won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),  # it came into the hand
    Column("drawn_won", Integer, nullable=False),
    Column("played", Integer, nullable=False),
    Column("played_won", Integer, nullable=False),
)

decks = Table(
    "decks",
    metadata,
    Column("game", String(64), primary_key=True),
    Column("mode", String(16), primary_key=True),
    Column("deck", String(32), primary_key=True),
    Column("faces", JSON, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("won", Integer, nullable=False),
)

"""A table as bytes, between any two messages, and the hash that two tables share only if they are equal."""

from __future__ import annotations

from hashlib import sha256

import msgspec
from msgspec.structs import replace

from engine.effects import revive
from engine.errors import EngineError
from engine.frames import Turn
from engine.game import Game
from engine.table import Table

SCHEMA = 2

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(tuple[int, Table])


def pack(table: Table) -> bytes:
    """A table ready to be stored."""
    return _encoder.encode((SCHEMA, table))


def unpack(game: Game, data: bytes) -> Table:
    """The table that was stored, half-answered questions and all."""
    try:
        schema, table = _decoder.decode(data)
    except msgspec.DecodeError as error:
        raise EngineError(f"this is no stored table: {error}") from None
    if schema != SCHEMA or table.game != game.id:
        raise EngineError(f"this table is of {table.game} in format {schema}, not of {game.id} in format {SCHEMA}")
    table.stack = tuple(frame if isinstance(frame, Turn) else revive(game.effects, frame) for frame in table.stack)
    table.bag = tuple(replace(one, word=game.effects.word(one.word.name, one.word.args)) for one in table.bag)
    return table


def state_hash(table: Table) -> str:
    """Equal for equal tables, on every machine."""
    plain = msgspec.to_builtins(table, str_keys=True)
    return sha256(msgspec.json.encode(plain, order="sorted")).hexdigest()[:32]

"""What the service writes about itself: one line an event, and nothing that belongs to a player.

Only keys that are listed here reach a line. Whatever else is handed over is left out and named, so that a new key is a
decision and not an accident; what would give away a hand or open a session is left out even if it is listed one day.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog
from structlog.types import EventDict, Processor

_LISTED = """
event level timestamp exception stack left_out address attempts bytes cause close_code code command
commits count delay_ms detail elapsed_ms endpoint epoch error exit_code failures folder frames game
host how incarnation kind lag_ms left limit method mode ms owner pid port proto rate reason result
retry room rooms script seat seats seconds server signal size slot sockets source state status step
store took_ms until users v version view waiting watchers why worker workers
"""
ALLOWED = frozenset(_LISTED.split())
SECRET = ("token", "cookie", "authorization", "secret", "password", "body", "frame", "snapshot", "hand", "deck", "seed")
LONGEST = 300  # characters of a value; a line is for reading

_INNER = ("_record", "_from_structlog")  # taken out again before anything is written
_CHATTER = ("Invalid HTTP request received.", "Unsupported upgrade request.")


def configure_logs(style: str = "people", level: str = "info", stream: TextIO | None = None) -> None:
    """Send every line, ours and the libraries', to one place in one form."""
    out = stream or sys.stderr
    threshold = logging.getLevelNamesMapping()[level.upper()]
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,  # plain: others print local variables, which may be cards
        only_allowed,
    ]
    structlog.configure(
        processors=[*shared, _renderer(style, out)],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=structlog.WriteLoggerFactory(out),
        cache_logger_on_first_use=False,
    )
    _route_others(shared, _renderer(style, out), threshold, out)


def only_allowed(logger: Any, method: str, event: EventDict) -> EventDict:
    """Leave out whatever is not listed, and clean what is."""
    left_out = sorted(key for key in event if (key not in ALLOWED or _is_secret(key)) and key not in _INNER)
    kept: EventDict = {key: _clean(key, value) for key, value in event.items() if key not in left_out}
    if left_out:
        kept["left_out"] = ",".join(left_out)
    return kept


class Quiet(logging.Filter):
    """Turns away lines that anybody on the internet could make us write."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this line is worth writing."""
        failure = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
        return record.msg not in _CHATTER and failure not in ("ClientDisconnect", "ClientDisconnected")


def _route_others(shared: list[Processor], renderer: Processor, threshold: int, out: TextIO) -> None:
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(formatter)
    handler.addFilter(Quiet())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(max(threshold, logging.WARNING))  # below that, libraries print requests and frames
    for name in ("uvicorn", "uvicorn.error", "uvicorn.asgi", "websockets", "websockets.server"):
        other = logging.getLogger(name)
        other.handlers, other.propagate = [], True
        other.setLevel(logging.NOTSET)
    access = logging.getLogger("uvicorn.access")
    access.handlers, access.propagate = [], False


def _renderer(style: str, out: TextIO) -> Processor:
    if style == "json":
        return structlog.processors.JSONRenderer(sort_keys=True)
    return structlog.dev.ConsoleRenderer(colors=out.isatty(), exception_formatter=structlog.dev.plain_traceback)


def _is_secret(key: str) -> bool:
    return any(word in SECRET for word in key.lower().split("_"))


def _clean(key: str, value: Any) -> Any:
    """Numbers as they are; everything else as one short line."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if key in ("exception", "stack", *_INNER):
        return value
    if isinstance(value, MutableMapping | list | tuple | set | bytes):
        return f"({type(value).__name__} of {len(value)})"
    text = str(value)
    plain = "".join(sign if sign.isprintable() else "?" for sign in text[:LONGEST])
    return plain if len(text) <= LONGEST else plain + "…"

"""Answers that are the same for everybody: written once, compressed once, and not sent again to whoever has them."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from hashlib import blake2b

from starlette.requests import Request
from starlette.responses import Response

WORTH = 512  # bytes below which nothing is compressed
ALWAYS_ASK = "no-cache"  # may be kept, and is asked for again each time
FOR_GOOD = "public, max-age=31536000, immutable"


class Stored:
    """A body with its mark and its compressed form. It holds nothing secret, so its size may tell what it is."""

    __slots__ = ("body", "mark", "media", "packed")

    def __init__(self, body: bytes, media: str) -> None:
        self.body = body
        self.media = media
        self.mark = blake2b(body, digest_size=10).hexdigest()
        packed = gzip.compress(body, 9, mtime=0) if len(body) >= WORTH and _packs(media) else body
        self.packed = packed if len(packed) < len(body) else b""

    def reply(self, request: Request, keep: str = ALWAYS_ASK, more: Mapping[str, str] | None = None) -> Response:
        """The body, or the news that it is still the same."""
        zipped = bool(self.packed) and "gzip" in request.headers.get("accept-encoding", "")
        mark = f'"{self.mark}{"-z" if zipped else ""}"'
        headers = {"cache-control": keep, "etag": mark, "x-content-type-options": "nosniff", **(more or {})}
        if self.packed:
            headers["vary"] = "accept-encoding"
        if mark in [part.strip().removeprefix("W/") for part in request.headers.get("if-none-match", "").split(",")]:
            return Response(status_code=304, headers=headers)
        if zipped:
            headers["content-encoding"] = "gzip"
        return Response(self.packed if zipped else self.body, headers=headers, media_type=self.media)


def _packs(media: str) -> bool:
    return media.startswith("text/") or "json" in media or "svg" in media or "javascript" in media

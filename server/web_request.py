"""A small HTTP call in JSON, for the client and the commands."""

from __future__ import annotations

import asyncio
import ssl
from typing import Any
from urllib.parse import urlsplit

import msgspec


class HttpProblem(Exception):
    """The server said no."""

    def __init__(self, status: int, code: str, text: str) -> None:
        super().__init__(text)
        self.status, self.code = status, code


async def request(method: str, url: str, body: Any = None, token: str = "", seconds: float = 10.0) -> Any:
    """Ask and decode the answer; raises HttpProblem with the server's own code and sentence."""
    parts = urlsplit(url)
    tls = ssl.create_default_context() if parts.scheme == "https" else None
    port = parts.port or (443 if tls else 80)
    async with asyncio.timeout(seconds):
        reader, writer = await asyncio.open_connection(parts.hostname, port, ssl=tls)
        try:
            data = b"" if body is None else msgspec.json.encode(body)
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            head = [
                f"{method} {path} HTTP/1.1",
                f"Host: {parts.netloc}",
                "Connection: close",
                f"Content-Length: {len(data)}",
            ]
            head += ["Content-Type: application/json"] if data else []
            head += [f"Authorization: Bearer {token}"] if token else []
            writer.write("\r\n".join([*head, "", ""]).encode() + data)
            raw = await reader.read()
        finally:
            writer.close()
    return _answer(raw)


def _answer(raw: bytes) -> Any:
    if not raw:
        raise ConnectionError("the server hung up without an answer")
    head, _, body = raw.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    status = int(lines[0].split()[1])
    if any(line.lower().replace(b" ", b"") == b"transfer-encoding:chunked" for line in lines):
        body = _unchunk(body)
    if status >= 400:
        try:
            problem = msgspec.json.decode(body)
            raise HttpProblem(status, problem["code"], problem["text"])
        except (msgspec.DecodeError, KeyError, TypeError):
            raise HttpProblem(status, "http", body.decode(errors="replace")[:200]) from None
    return msgspec.json.decode(body) if body else None


def _unchunk(body: bytes) -> bytes:
    whole = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        count = int(size, 16)
        if not count:
            break
        whole, body = whole + body[:count], body[count + 2 :]
    return whole

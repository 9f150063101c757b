"""Finding an opponent through the queue, for a client in Python."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from server.client import Client, Rejected, Seat


async def find_match(client: Client, game: str, **wish: Any) -> Seat:
    """Seek until a match has begun, however often somebody does not come and whatever becomes of the connection."""
    found: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    def heard(frame: dict[str, Any]) -> None:
        if frame["t"] in ("matched", "closed") or (frame["t"] == "seeking" and frame.get("over")):
            found.put_nowait(frame)

    command = {"t": "seek", "game": game, **wish}
    client.frames.append(heard)
    client.standing["seek"] = command
    try:
        await client.ask(command)
        while True:
            frame = await found.get()
            if frame["t"] == "seeking":  # we came too late
                await client.ask(command)
            elif frame["t"] == "matched":
                with contextlib.suppress(Rejected):  # it may be off already; then we wait again
                    seat = await client.join(frame["room"])
                    if await _begins(seat, found):
                        return seat
    finally:
        client.frames.remove(heard)
        client.standing.pop("seek", None)


async def _begins(seat: Seat, found: asyncio.Queue[dict[str, Any]]) -> bool:
    """Whether everybody comes. If not, we are told that the room is closed."""
    begins = asyncio.ensure_future(seat.until(lambda: seat.v >= 1))
    while not begins.done():
        other = asyncio.ensure_future(found.get())
        await asyncio.wait([begins, other], return_when=asyncio.FIRST_COMPLETED)
        if not other.done():
            other.cancel()
        elif other.result()["t"] == "closed" and other.result()["room"] == seat.room:
            begins.cancel()
            seat.client.rooms.pop(seat.room, None)
            return False
    return True

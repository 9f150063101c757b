"""The same load for the other services: two players a room in lockstep, raw frames, nothing decoded that need not be.

python -m tests.bench.peers.load colyseus|bgio --port P --pid N --rooms R --seconds S [--think S] [--store N]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import time
from array import array
from typing import Any

import uvloop

from server.commands.bench import percentiles
from server.commands.processes import cpu_of, usage_of
from server.commands.raw_socket import BINARY, RawSocket
from server.web_request import request

_now = time.perf_counter_ns


class Run:
    """What all seats share."""

    def __init__(self, think: float) -> None:
        self.think = think
        self.on = self.going = False
        self.moves = self.to_mover = self.to_opponent = self.cut_off = 0
        self.own, self.opponent = array("q"), array("q")


class Seat(RawSocket):
    """One player. The parity of a seat's updates says whose move each was."""

    def __init__(self, run: Run, seat: int, ticket: Any) -> None:
        super().__init__()
        self.run, self.seat, self.ticket = run, seat, ticket
        self.other: Seat
        self.updates = self.sent = 0
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def update(self, size: int) -> None:
        at, run, mine = _now(), self.run, self.updates & 1 == self.seat
        self.updates += 1
        if run.on and mine:
            run.own.append(at - self.sent)
            run.to_mover += size
        elif run.on:
            run.opponent.append(at - self.other.sent)
            run.to_opponent += size
            run.moves += 1
        if not mine and run.think:
            asyncio.get_running_loop().call_later(run.think, self.move)
        elif not mine:
            self.move()

    def move(self) -> None:
        if self.run.going:
            self.sent = _now()
            self.send_move()

    def is_ready(self) -> None:
        if not self.ready.done():
            self.ready.set_result(None)

    def on_end(self, code: int) -> None:
        self.run.cut_off += self.run.going

    def send_move(self) -> None:
        raise NotImplementedError


class Colyseus(Seat):
    JOINED, ERROR, STATE, PATCH = 10, 11, 14, 15

    def on_message(self, data: bytes, size: int) -> None:
        code = data[0] & 31
        if code == self.PATCH:
            if self.run.going:
                self.update(size)
        elif code == self.JOINED:
            self.send(b"\x0a", BINARY)
        elif code == self.STATE:
            self.is_ready()
        elif code == self.ERROR:
            self.run.cut_off += 1

    def send_move(self) -> None:
        self.send(b"\x0d\xa4play\x00", BINARY)


class Boardgame(Seat):
    HEAD = b"42/bench-duel,"
    STATE = re.compile(rb'"_stateID":(\d+)')

    def on_message(self, data: bytes, size: int) -> None:
        if data.startswith(b'42/bench-duel,["update"'):
            self._state(data)
            self.update(size)
        elif data == b"2":
            self.send(b"3")
        elif data[:1] == b"0":
            self.send(b"40/bench-duel,")
        elif data.startswith(b"40/bench-duel"):
            match, credentials = self.ticket
            self.send(self.HEAD + json.dumps(["sync", match, str(self.seat), credentials, 2]).encode())
        elif data.startswith(b'42/bench-duel,["sync"') and not self.ready.done():
            self._state(data)
            match, credentials = self.ticket
            payload = {"type": "play", "args": [0], "playerID": str(self.seat), "credentials": credentials}
            action = json.dumps({"type": "MAKE_MOVE", "payload": payload}, separators=(",", ":"))
            self.before = self.HEAD + f'["update",{action},'.encode()
            self.after = f',"{match}","{self.seat}"]'.encode()
            self.is_ready()

    def _state(self, data: bytes) -> None:
        found = self.STATE.search(data)
        assert found is not None
        self.state = found[1]

    def send_move(self) -> None:
        self.send(self.before + self.state + self.after)


async def open_room(kind: str, run: Run, port: int) -> list[Seat]:
    """A room with two players who are ready."""
    base = f"http://127.0.0.1:{port}"

    async def post(path: str, body: Any) -> Any:
        return await request("POST", base + path, body, seconds=60)

    seats: list[Seat] = []
    if kind == "bgio":
        match = (await post("/games/bench-duel/create", {"numPlayers": 2}))["matchID"]
        for seat in (0, 1):
            joined = await post(f"/games/bench-duel/{match}/join", {"playerID": str(seat), "playerName": f"p{seat}"})
            seats.append(Boardgame(run, seat, (match, joined["playerCredentials"])))
        urls = [f"{base}/socket.io/?EIO=4&transport=websocket"] * 2
    else:
        one = await post("/matchmake/create/duel", {})
        two = await post(f"/matchmake/joinById/{one['roomId']}", {})
        seats = [Colyseus(run, seat, ticket) for seat, ticket in enumerate((one, two))]
        urls = [f"{base}/{t['processId']}/{t['roomId']}?sessionId={t['sessionId']}" for t in (one, two)]
    for seat, url in zip(seats, urls, strict=True):
        await seat.connect(url)
        await asyncio.wait_for(seat.ready, 60)
    seats[0].other, seats[1].other = seats[1], seats[0]
    return seats


async def measure(args: argparse.Namespace) -> dict[str, Any]:
    """Open, play, count."""
    run, rooms, gate = Run(args.think), [], asyncio.Semaphore(16)

    async def one() -> None:
        async with gate:
            rooms.append(await open_room(args.kind, run, args.port))

    empty = usage_of(args.pid)
    await asyncio.gather(*(one() for _ in range(args.rooms)))
    await asyncio.sleep(1)
    full = usage_of(args.pid)
    assert empty is not None
    assert full is not None
    run.going = True
    for place, room in enumerate(rooms):
        room[0].updates = room[1].updates = 0
        asyncio.get_running_loop().call_later(args.think * place / len(rooms), room[0].move)
    await asyncio.sleep(args.warm)
    moved = [room[0].updates for room in rooms]
    before, mine, store = usage_of(args.pid), time.process_time(), cpu_of(args.store) if args.store else 0.0
    run.on, began = True, time.perf_counter()
    await asyncio.sleep(args.seconds)
    run.on, took = False, time.perf_counter() - began
    after, mine = usage_of(args.pid), time.process_time() - mine
    store = cpu_of(args.store) - store if args.store else 0.0
    run.going = False
    assert before is not None
    assert after is not None
    moves = max(1, run.moves)
    return {
        "rooms": args.rooms,
        "moves": run.moves,
        "moves_per_second": round(run.moves / took, 1),
        "own_ms": percentiles(run.own),
        "opponent_ms": percentiles(run.opponent),
        "bytes_mover": round(run.to_mover / moves, 1),
        "bytes_opponent": round(run.to_opponent / moves, 1),
        "server_us": round((after.server - before.server) / moves * 1e6, 1),
        "server_percent": round((after.server - before.server) / took * 100, 1),
        "store_us": round(store / moves * 1e6, 1) if args.store else None,
        "client_percent": round(mine / took * 100, 1),
        "room_kb": round((full.rss - empty.rss) / args.rooms / 1024, 1),
        "stuck": sum(room[0].updates == count for room, count in zip(rooms, moved, strict=True)),
        "closed": run.cut_off,
    }


def main() -> None:
    """Measure and print one JSON line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=("colyseus", "bgio"))
    for name, kind, default in (
        ("port", int, 0),
        ("pid", int, 0),
        ("store", int, 0),
        ("rooms", int, 50),
        ("seconds", float, 5),
        ("warm", float, 1.5),
        ("think", float, 0),
    ):
        parser.add_argument(f"--{name}", type=kind, default=default)
    print(json.dumps(uvloop.run(measure(parser.parse_args()))), flush=True)
    os._exit(0)  # a thousand sockets need no goodbye


if __name__ == "__main__":
    main()

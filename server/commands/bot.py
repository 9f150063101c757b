"""`upcard bot GAME`: a bot that sits down over the socket, like a person."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
from typing import Any

from engine.bots import BOTS, Agent
from engine.frames import Offer, Slot
from server.client import Client, Disconnected, Rejected, Seat
from server.commands.arguments import BadArgument, read_game
from server.web_request import HttpProblem

URL = "http://127.0.0.1:8000"


def add(commands: Any) -> None:
    """Tell the command line about this command."""
    parser = commands.add_parser("bot", help="seat a bot at a table of a running server")
    parser.add_argument("game", help="which game, for example ggltcg")
    parser.add_argument("--url", default=URL, help=f"the server (default: {URL})")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--seek", action="store_true", help="find an opponent through the queue")
    where.add_argument("--room", help="the room to sit down in; without any, a new one is opened")
    where.add_argument("--code", help="the invite code of the room")
    parser.add_argument("--bot", default="greedy", help="which bot (default: greedy)")
    parser.add_argument("--name", default="", help="what it calls itself")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play one match."""
    if args.bot not in BOTS:
        raise BadArgument(f"There is no bot {args.bot!r}; there is {', '.join(BOTS)}.")
    try:
        return asyncio.run(_play(args))
    except (Rejected, HttpProblem) as no:
        raise BadArgument(str(no)) from None
    except Disconnected as gone:
        raise BadArgument(f"The server closed the connection ({gone.code}).") from None
    except OSError:
        raise BadArgument(f"There is no server at {args.url}; start one with `upcard serve`.") from None


async def _play(args: argparse.Namespace) -> int:
    game = read_game(args.game)
    async with Client(args.url, name=args.name or f"{args.bot}-bot") as client:
        if args.seek:
            await client.ask({"t": "seek", "game": game.id, "mode": "ranked"})
        room = args.room or ""
        if not args.room and not args.code:
            made = await client.make_room(game.id)
            room = made["room"]
            print(f"room {room}, code {made['code']}: waiting for somebody to sit down", flush=True)
        seat = await client.join(room, code=args.code or "")
        assert seat.seat is not None
        agent = BOTS[args.bot](game, seat.seat, secrets.randbits(32))
        await play_out(seat, agent)
    result = seat.view["result"]
    winners = " and ".join(seat.view["seats"][str(k)].get("name", f"seat {k}") for k in result["winners"])
    print(f"{winners or 'nobody'} won: {result['reason']}")
    return 0


async def play_out(seat: Seat, agent: Agent) -> None:
    """Let an agent play a seat until the match is over."""
    while offers := await seat.my_turn():
        picked = agent.pick(seat.view, [read_offer(offer) for offer in offers], seat.record)
        try:
            await seat.act(dict(picked))
        except Rejected as no:
            if no.code not in ("stale_ask", "not_your_turn", "not_asked", "over", "stale"):
                raise
            print(f"refused: {no}", file=sys.stderr)


def read_offer(offer: dict[str, Any]) -> Offer:
    """An offer from the wire, as bots know it."""
    slots = tuple(
        Slot(
            slot["name"],
            tuple(slot.get("from", ())),
            tuple(slot["range"]) if "range" in slot else None,
            slot.get("least", 1),
            slot.get("most", 1),
        )
        for slot in offer.get("slots", ())
    )
    return Offer(offer["type"], offer.get("card", 0), slots, offer.get("cost", {}), tuple(offer.get("warns", ())))

"""`upcard bot GAME`: a bot that sits down over the socket, like a person."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
from time import perf_counter
from typing import Any

import msgspec

from engine.bots import Agent, make_bot
from engine.frames import Offer
from engine.game import Game
from server.client import Client, Disconnected, Rejected, Seat
from server.commands.arguments import BadArgument, read_game
from server.commands.dealing import read_bot
from server.commands.talking import talk
from server.finding import find_match
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
    parser.add_argument(
        "--ranked", action=argparse.BooleanOptionalAction, default=True, help="with --seek: whether the match counts"
    )
    parser.add_argument("--bot", default="greedy", help="which bot (default: greedy)")
    parser.add_argument(
        "--readable", action="store_true", help="no bot: in words and tools on stdin and stdout, for language models"
    )
    parser.add_argument("--name", default="", help="what it calls itself")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play one match."""
    game = read_game(args.game)
    bot = read_bot(game, args.bot)
    try:
        return asyncio.run(_play(args, game, bot))
    except (Rejected, HttpProblem) as no:
        raise BadArgument(str(no)) from None
    except Disconnected as gone:
        raise BadArgument(f"The server closed the connection ({gone.code}).") from None
    except OSError:
        raise BadArgument(f"There is no server at {args.url}; start one with `upcard serve`.") from None


async def _play(args: argparse.Namespace, game: Game, bot: str) -> int:
    name = args.name or ("agent" if args.readable else f"{bot.partition(':')[0]}-bot")
    async with Client(args.url, name=name) as client:
        seat = await _seek(client, game, args.ranked) if args.seek else await _sit(client, game, args)
        assert seat.seat is not None
        if args.readable:
            await talk(seat, game, sys.stdin.buffer, sys.stdout.buffer)
            return 0
        agent = make_bot(bot, game, seat.seat, secrets.randbits(32), perf_counter)
        await play_out(seat, agent)
    result = seat.view["result"]
    winners = " and ".join(seat.view["seats"][str(k)].get("name", f"seat {k}") for k in result["winners"])
    print(f"{winners or 'nobody'} won: {result['reason']}")
    return 0


async def _seek(client: Client, game: Game, ranked: bool) -> Seat:
    print("looking for an opponent", file=sys.stderr, flush=True)
    seat = await find_match(client, game.id, mode="ranked" if ranked else "casual")
    print(f"room {seat.room}: playing", file=sys.stderr, flush=True)
    return seat


async def _sit(client: Client, game: Game, args: argparse.Namespace) -> Seat:
    room = args.room or ""
    if not args.room and not args.code:
        made = await client.make_room(game.id)
        room = made["room"]
        waiting = f"room {room}, code {made['code']}: waiting for somebody to sit down"
        print(waiting, file=sys.stderr, flush=True)
    return await client.join(room, code=args.code or "")


async def play_out(seat: Seat, agent: Agent) -> None:
    """Let an agent play a seat until the match is over."""
    while offers := await seat.my_turn():
        options = [read_offer(offer) for offer in offers]
        picked = await asyncio.to_thread(agent.pick, seat.view, options, list(seat.record))
        try:
            await seat.act(dict(picked))
        except Rejected as no:
            if no.code not in ("stale_ask", "not_your_turn", "not_asked", "over", "stale"):
                raise
            print(f"refused: {no}", file=sys.stderr)


def read_offer(offer: dict[str, Any]) -> Offer:
    """An offer from the wire, as bots know it."""
    return msgspec.convert(offer, Offer)

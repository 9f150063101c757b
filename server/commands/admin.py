"""`upcard admin`: what whoever runs a place may do about its people and tables, through the store that all share.

Nothing here goes through a gateway's front door, so there is no password to lose: who may use the store may do this.
"""

from __future__ import annotations

import argparse
import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, TypeAlias

import msgspec

from rooms.guestbook import Ban, Guestbook
from rooms.keys import gateway_inbox, host_inbox, keys_of
from rooms.letters import About, CloseRoom, Letter, encode
from rooms.library import REPORTS, Library
from rooms.nodes import Nodes
from rooms.registry import Registry, place
from rooms.state import OVER
from server.commands.arguments import BadArgument
from server.commands.rooms import add_store, with_store
from server.identity import clean_name

PATIENCE, LOOK = 10.0, 0.2  # seconds for a table to close, and between two looks at it
AGAIN = 5  # looks after which it is asked once more
LAST = 20
USER = re.compile(r"[A-Za-z0-9_-]{1,64}")

Do: TypeAlias = Callable[[Nodes, Registry, argparse.Namespace], Awaitable[None]]


def add(commands: Any) -> None:
    """Tell the command line about this command."""
    parser = commands.add_parser("admin", help="ban, rename, close tables, and read what people report")
    parser.set_defaults(parser=parser)
    deeds = parser.add_subparsers(title="deeds", metavar="DEED", parser_class=type(parser))

    def deed(name: str, do: Do, text: str) -> Any:
        one = deeds.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        add_store(one)
        one.set_defaults(run=run, do=do)
        return one

    ban = deed("ban", _ban, "let somebody in no more; whatever connections they have are closed")
    ban.add_argument("user", type=_user, help="their id, as `reports` and public pages tell it")
    ban.add_argument("--hours", type=_hours, default=0.0, help="for how long (default: for good)")
    ban.add_argument("--why", default="", help="what they are told")
    deed("unban", _unban, "let somebody in again").add_argument("user", type=_user)
    name = deed("name", _name, "give somebody another name")
    name.add_argument("user", type=_user)
    name.add_argument("name")
    close = deed("close", _close, "close a table; a match on it stays undecided")
    close.add_argument("room")
    who = deed("who", _who, "tell what is known of somebody")
    who.add_argument("user", type=_user)
    reports = deed("reports", _reports, "tell what people reported, the newest last")
    reports.add_argument("--last", type=int, default=LAST, metavar="N", help=f"how many (default: {LAST})")
    done = deed("done", _done, "strike reports that were seen to off the list")
    done.add_argument("report", nargs="+", type=_report, help="the number that `reports` shows")
    for one in (who, reports):
        one.add_argument("--json", action="store_true", help="for programs")


def run(args: argparse.Namespace) -> int:
    """Do it, and say what was done."""
    asyncio.run(with_store(args, lambda nodes, registry: args.do(nodes, registry, args)))
    return 0


# people


async def _ban(nodes: Nodes, registry: Registry, args: argparse.Namespace) -> None:
    now = registry.now()
    until = now + round(args.hours * 3_600_000) if args.hours else 0
    await Guestbook(nodes).ban(args.user, Ban(args.why.strip()[:200], until), now)
    await _tell_gateways(nodes, registry, args.user)
    print(f"{args.user} may not come in any more{f' until {_time(until)}' if until else ''}")


async def _unban(nodes: Nodes, registry: Registry, args: argparse.Namespace) -> None:
    if not await Guestbook(nodes).unban(args.user):
        raise BadArgument(f"{args.user} is not banned.")
    await _tell_gateways(nodes, registry, args.user)
    print(f"{args.user} may come in again")


async def _name(nodes: Nodes, registry: Registry, args: argparse.Namespace) -> None:
    if not args.name.strip():
        raise BadArgument("Say the name too.")
    name = clean_name(args.name)
    await Guestbook(nodes).rename(args.user, name)
    await _tell_gateways(nodes, registry, args.user)
    print(f"{args.user} is called {name} from now on")


async def _who(nodes: Nodes, registry: Registry, args: argparse.Namespace) -> None:
    known, matches = await Guestbook(nodes).about(args.user), await Library(nodes).matches_of(args.user)
    if args.json:
        shown = {**msgspec.to_builtins(known), "rooms": [match["room"] for match in matches]}
        shown.pop("blocked", None)  # whom they do not want to meet is their own business
        print(msgspec.json.encode({"user": args.user, **shown}).decode())
        return
    print(f"{args.user}{f', called {known.name}' if known.name else ''}")
    if known.ban is not None:
        print(f"banned {f'until {_time(known.ban.until)}' if known.ban.until else 'for good'}: {known.ban.why or '–'}")
    if known.since:
        print(f"gave this identity up at {_time(known.since)}")
    for match in matches:
        print(f"plays {match['game']} in room {match['room']}")


async def _tell_gateways(nodes: Nodes, registry: Registry, user: str) -> None:
    """Whoever has them looks again now; whoever has not, when they come."""
    await asyncio.gather(*(_write(nodes, gateway_inbox(name), About(user)) for name in registry.gateways()))


# tables


async def _close(nodes: Nodes, registry: Registry, args: argparse.Namespace) -> None:
    room, loop = args.room, asyncio.get_running_loop()
    status, owner = await _state(nodes, room)
    if status is None:
        raise BadArgument(f"There is no room {room}.")
    if status == OVER:
        raise BadArgument(f"The match in room {room} is over.")
    if not registry.hosts():
        raise BadArgument("No host is running; start one, and ask again.")
    end, looks = loop.time() + PATIENCE, 0
    while loop.time() < end:
        if looks % AGAIN == 0:
            await registry.tick()
            to = owner if owner in registry.hosts() else place(room, registry.up() or tuple(registry.hosts()))[0]
            await _write(nodes, host_inbox(to), CloseRoom(room))
        await asyncio.sleep(LOOK)
        looks += 1
        status, owner = await _state(nodes, room)
        if status in (None, OVER):
            print(f"room {room} is closed")
            return
    raise BadArgument(f"Nobody closed room {room} within {PATIENCE:g} s; ask again.")


async def _state(nodes: Nodes, room: str) -> tuple[int | None, str]:
    meta = keys_of(room).meta
    st, own = await nodes.ask(meta, "HMGET", meta, "st", "own")
    return None if st is None else int(st), bytes(own or b"").decode()


# reports


async def _reports(nodes: Nodes, registry: Registry, args: argparse.Namespace) -> None:
    entries = await nodes.ask(REPORTS, "XREVRANGE", REPORTS, "+", "-", "COUNT", max(1, args.last))
    found = [{"report": bytes(id).decode(), **msgspec.json.decode(fields[1])} for id, fields in reversed(entries)]
    if args.json:
        print(msgspec.json.encode(found).decode())
        return
    for one in found:
        print(f"{one['report']}  {_time(one['at'])}  {one['why']}: {one['name']} ({one['about']})")
        print(f"    by {one['by']} in room {one['room']}{': ' + one['text'] if one['text'] else ''}")
        for line in one["lines"]:
            print(f"    {line.get('name', '?')}: {line.get('text') or ':' + line.get('emote', '') + ':'}")
    if not found:
        print("Nobody has reported anybody.")


async def _done(nodes: Nodes, registry: Registry, args: argparse.Namespace) -> None:
    count = await nodes.ask(REPORTS, "XDEL", REPORTS, *args.report)
    if not count:
        raise BadArgument("There is no such report, or it was seen to before.")
    print(f"{count} struck off")


# parts


async def _write(nodes: Nodes, inbox: str, letter: Letter) -> None:
    await nodes.ask(inbox, "XADD", inbox, "NOMKSTREAM", "*", "x", encode(("admin", [letter])))


def _user(text: str) -> str:
    if not USER.fullmatch(text):
        raise argparse.ArgumentTypeError(f"is a user's id, not {text!r}")
    return text


def _hours(text: str) -> float:
    try:
        hours = float(text)
    except ValueError:
        hours = 0.0
    if not 0.001 <= hours <= 1_000_000:
        raise argparse.ArgumentTypeError(f"is a number of hours, not {text!r}")
    return hours


def _report(text: str) -> str:
    if not re.fullmatch(r"\d{1,20}-\d{1,20}", text):
        raise argparse.ArgumentTypeError(f"is a number such as `reports` shows, not {text!r}")
    return text


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")

"""`upcard drain`: has hosts and gateways hand everything over and stop, through the store that they share."""

from __future__ import annotations

import argparse
import asyncio
from typing import Any

from rooms.keys import gateway_inbox, host_inbox
from rooms.letters import Drain, encode
from rooms.nodes import Nodes
from rooms.registry import Registry
from server.commands.arguments import BadArgument
from server.commands.rooms import add_store, with_store


def add(commands: Any) -> None:
    """Tell the command line about this command."""
    parser = commands.add_parser("drain", help="have hosts and gateways hand everything over and stop")
    parser.add_argument("name", nargs="*", help="which ones, as `upcard rooms` calls them; not needed if there is one")
    add_store(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Ask, and say who was asked."""

    async def ask(nodes: Nodes, registry: Registry) -> None:
        for name in _chosen(args.name, registry):
            for inbox, table in ((host_inbox, registry.hosts()), (gateway_inbox, registry.gateways())):
                if name in table:
                    letter = encode(("drain", [Drain()]))
                    await nodes.ask(inbox(name), "XADD", inbox(name), "NOMKSTREAM", "*", "x", letter)
                    print(f"asked {name}")
                    break

    asyncio.run(with_store(args, ask))
    return 0


def _chosen(names: list[str], registry: Registry) -> list[str]:
    there = {**registry.hosts(), **registry.gateways()}
    if not names and len(there) != 1:
        raise BadArgument(f"Say which to drain; there is {', '.join(sorted(there)) or 'nobody'}.")
    for name in names or there:
        if name not in there:
            raise BadArgument(f"There is no {name!r}; there is {', '.join(sorted(there)) or 'nobody'}.")
    return list(dict.fromkeys(names or there))

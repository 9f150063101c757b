"""`upcard host`: rooms without sockets, for gateways elsewhere."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
from typing import Any

from server.commands.gateway import needs_store
from server.commands.serve import prepare, run_loop
from server.settings import Settings, add_settings, read_settings


def add(commands: Any) -> None:
    """Tell the command line about this command."""
    parser = commands.add_parser("host", help="run rooms, for gateways on other machines or cores")
    add_settings(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run rooms until told to stop."""
    return run_loop(host(needs_store(read_settings(args, os.environ), "host")))


async def host(settings: Settings) -> None:
    """Take rooms, and hand them over at the end. A second signal does not wait for that."""
    from server.app import Service

    prepare(settings)
    asked, hurry = asyncio.Event(), asyncio.Event()

    def leave() -> None:
        (hurry if asked.is_set() else asked).set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, leave)
    service = Service(settings, ("hosts",))
    service.asked_to_stop = asked.set
    try:
        await service.start()
        assert service.host is not None
        print(f"ready {service.host.own}", flush=True)
        await asked.wait()
        leaving = [asyncio.ensure_future(service.goodbye()), asyncio.ensure_future(hurry.wait())]
        await asyncio.wait(leaving, timeout=settings.drain_seconds, return_when=asyncio.FIRST_COMPLETED)
        for task in leaving:
            task.cancel()
    finally:
        await service.stop()

"""`upcard host`: rooms without sockets, for gateways elsewhere."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from server.commands.gateway import needs_store
from server.commands.serve import prepare, run_loop, started
from server.settings import Settings, add_settings, read_settings

if TYPE_CHECKING:
    from starlette.applications import Starlette


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
        app = await started(service)
        assert service.host is not None
        async with _side_door(app, settings):
            print(f"ready {service.host.own}", flush=True)
            await asked.wait()
            leaving = [asyncio.ensure_future(service.goodbye()), asyncio.ensure_future(hurry.wait())]
            await asyncio.wait(leaving, timeout=settings.drain_seconds, return_when=asyncio.FIRST_COMPLETED)
            for task in leaving:
                task.cancel()
    finally:
        await service.stop()


@contextlib.asynccontextmanager
async def _side_door(app: Starlette, settings: Settings) -> AsyncIterator[None]:
    """Health and figures, for whoever watches over us; only if a port was named for it."""
    if not settings.host_port:
        yield
        return
    from server.listening import SideDoor, configure, open_door

    there = replace(settings, port=settings.host_port)
    server = SideDoor(configure(app, there))
    serving = asyncio.ensure_future(server.serve(sockets=[open_door(there)]))
    try:
        yield
    finally:
        server.should_exit = True
        await serving

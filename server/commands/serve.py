"""`upcard serve`: everything in one process, with a store of its own unless one is named; or several of them."""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from server.settings import BadSetting, Settings, add_settings, read_settings

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from server.app import Service

BOTH = ("hosts", "gateways")


def add(commands: Any) -> None:
    """Tell the command line about this command."""
    parser = commands.add_parser("serve", help="run the service: rooms, sockets and web page")
    add_settings(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until told to stop."""
    settings = read_settings(args, os.environ)
    if settings.workers == 1:
        return run_loop(serve(settings))
    from server.supervisor import Supervisor

    if not settings.redis:
        raise BadSetting("Several --workers need a store that they share; name one with --redis.")
    return Supervisor(settings.workers, lambda ready: run_loop(serve(settings, shared=True, ready=ready))).run(settings)


def run_loop(work: Any) -> int:
    """Run a coroutine on the fastest event loop there is."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(work)
    else:
        uvloop.run(work)
    return 0


def prepare(settings: Settings) -> None:
    """What every role does first."""
    from cards import add_games
    from server.logs import configure_logs

    configure_logs(settings.log, settings.log_level)
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)  # a move makes many small things, and almost none of them in circles
    add_games(settings.games)


async def started(service: Service) -> Starlette:
    """The service, once its store is there; without one there is a sentence, not a stack of calls."""
    from rooms.address import BadAddress
    from rooms.archive.database import BadArchive
    from rooms.embedded import NoStore
    from rooms.nodes import StoreTrouble

    try:
        return await service.start()
    except (StoreTrouble, NoStore, BadAddress) as error:
        raise BadSetting(f"The store cannot be used: {error}") from None
    except BadArchive as error:
        raise BadSetting(str(error)) from None


async def serve(
    settings: Settings,
    roles: tuple[str, ...] = BOTH,
    shared: bool = False,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Open everything, say where, and close everything again at the end."""
    from server.app import Service
    from server.listening import UpcardServer, configure, open_door

    prepare(settings)
    service = Service(settings, roles)
    door = open_door(settings, shared)
    say = ready or (lambda where: print(f"ready {where}", flush=True))
    try:
        app = await started(service)
        server = UpcardServer(
            configure(app, settings),
            before_close=service.goodbye,
            on_listening=lambda host, port: say(f"http://{_shown(host)}:{port}"),
            drain_seconds=settings.drain_seconds,
        )
        service.asked_to_stop = lambda: setattr(server, "should_exit", True)
        await server.serve(sockets=[door])
    finally:
        await service.stop()


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host

"""`upcard gateway`: sockets and web page, for rooms that hosts have."""

from __future__ import annotations

import argparse
import os
from typing import Any

from server.commands.serve import run_loop, serve
from server.settings import BadSetting, Settings, add_settings, read_settings


def add(commands: Any) -> None:
    """Tell the command line about this command."""
    parser = commands.add_parser("gateway", help="hold the sockets, for rooms on other machines or cores")
    add_settings(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Hold sockets until told to stop."""
    return run_loop(serve(needs_store(read_settings(args, os.environ), "gateway"), ("gateways",)))


def needs_store(settings: Settings, role: str) -> Settings:
    """A role of several cannot have a store of its own."""
    if not settings.redis:
        raise BadSetting(f"A {role} needs the store that all share; name it with --redis.")
    if settings.workers > 1:
        raise BadSetting(f"A {role} is one process; start several, or use `upcard serve --workers`.")
    return settings

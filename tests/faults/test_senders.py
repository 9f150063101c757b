"""Players whose network sends everything twice and in the wrong order, and players with several windows."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from tests.live.people import Person, again, any_move, reached, seated
from tests.live.serving import Live

TABLES = 10
NEVER = {"our_fault", "busy", "moved_on", "not_joined", "not_seated", "bad_command"}


class Sent:
    """One send of a move, and what came back."""

    def __init__(self, person: Person, seat: int, act: dict[str, Any]) -> None:
        self.person, self.seat, self.act, self.i = person, seat, act, ""

    @property
    def answers(self) -> list[dict[str, Any]]:
        return [frame for frame in self.person.frames if frame.get("i") == self.i]


async def test_moves_that_come_twice_and_in_any_order_are_made_once_and_in_order(serve: Callable[..., Live]) -> None:
    live = serve()
    tables = await asyncio.gather(*(_shuffled_match(live, Random(place)) for place in range(TABLES)))
    counted: Counter[str] = Counter()
    for room, sends in tables:
        counted += _answers(live, room, sends)
    assert not NEVER & counted.keys(), counted
    assert sum(counted.values()) > 1000
    for code in ("ok", "gap", "stale", "conflict", "elsewhere"):
        assert counted[code] >= 10, f"{code} hardly ever came up: {counted}"
    moves = sum(len(live.truth(room).inputs) for room, _ in tables)
    assert counted["ok"] > moves, "nothing was ever answered a second time"


async def _shuffled_match(live: Live, luck: Random) -> tuple[str, list[Sent]]:
    """Play a match in which each move is sent up to three times by two windows, among three wrong ones."""
    room, *people = await seated(live)
    windows = [(await again(person), person) for person in people]
    for window, _ in windows:
        await window.join(room)
    sends: list[Sent] = []
    for _ in range(40):
        fresh = [window for window, _ in windows]
        await asyncio.wait(
            [asyncio.create_task(w.until(lambda w=w: w.boards[room].offers or w.boards[room].over)) for w in fresh],
            return_when=asyncio.FIRST_COMPLETED,
        )
        if any(window.boards[room].over for window in fresh):
            break
        seat = next(seat for seat, window in enumerate(fresh) if window.boards[room].offers)
        await _one_move(room, seat, windows[seat], luck, sends)
        await reached(room, max(window.boards[room].v for window in fresh), *fresh)
    return room, sends


async def _one_move(room: str, seat: int, windows: tuple[Person, Person], luck: Random, sends: list[Sent]) -> None:
    board = windows[0].boards[room]
    n = board.n
    more = {"ask": board.ask["id"]} if board.ask else {}
    right = {"room": room, "n": n, "do": any_move(board, luck), **more}
    wrong = [{**right, "n": n + 1}, {**right, "n": max(1, n - 1)}, {**right, "do": {"type": "end_turn", "card": 1}}]
    window = [right] * luck.randint(1, 3) + wrong
    luck.shuffle(window)
    mine = []
    for act in window:
        send = Sent(luck.choice(windows) if act is not right else windows[luck.random() < 0.2], seat, act)
        send.i = await send.person.say("act", **act)
        mine.append(send)
    sure = Sent(windows[0], seat, right)  # at least once over the window that plays
    sure.i = await sure.person.say("act", **right)
    mine.append(sure)
    for send in mine:
        await send.person.answer(send.i)
    sends += mine
    made = [(send.act["n"], send.answers[0]["v"]) for send in mine if send.answers[0]["t"] == "ok"]
    assert made, [send.answers for send in mine]
    board.n = max(n for n, _ in made) + 1  # the one that came too early may have been good as well
    await windows[0].until(lambda: board.v >= max(v for _, v in made))


def _answers(live: Live, room: str, sends: list[Sent]) -> Counter[str]:
    """Every send got one answer, and every yes is in the log as it was sent."""
    truth = live.truth(room)
    truth.tables()
    moves = {(entry["seat"], entry["n"]): entry for entry in truth.inputs}
    for seat in (0, 1):
        numbers = [n for at, n in moves if at == seat]
        assert numbers == list(range(1, len(numbers) + 1))
    found: Counter[str] = Counter()
    acked = set()
    for send in sends:
        assert len(send.answers) == 1, f"{send.act} got {send.answers}"
        answer = send.answers[0]
        found[answer.get("code", "ok")] += 1
        if answer["t"] == "ok":
            entry = moves[send.seat, send.act["n"]]
            assert (entry["do"], entry["v"]) == (send.act["do"], answer["v"]), "a wrong yes"
            acked.add((send.seat, send.act["n"]))
    assert acked == set(moves), "a move was made that nobody was told of"
    return found


async def test_of_two_windows_only_the_newer_one_plays(serve: Callable[..., Live]) -> None:
    live = serve(sockets_per_user=100)
    room, *people = await seated(live)
    older: Person | None = None
    codes: Counter[str] = Counter()
    for turn in range(20):
        seat = next(seat for seat, person in enumerate(people) if person.boards[room].offers)
        newer = await again(people[seat])
        await newer.join(room)
        await people[seat].until(lambda seat=seat: people[seat].boards[room].mirror)
        n = newer.boards[room].n
        sent = await asyncio.gather(
            people[seat].ask("act", room=room, n=n, do={"type": "end_turn"}),
            newer.ask("act", room=room, n=n, do={"type": "end_turn"}),
        )
        codes.update(frame.get("code", frame["t"]) for frame in sent)
        assert [frame.get("code", "ok") for frame in sent] == ["elsewhere", "ok"], f"round {turn}: {sent}"
        older, people[seat] = people[seat], newer
        await reached(room, sent[1]["v"], *people)
        third = await again(newer)
        await third.join(room)
        assert await older.ending() == 4409
        await newer.until(lambda newer=newer: newer.boards[room].mirror)
        people[seat] = third
        await newer.leave()
    assert codes == {"elsewhere": 20, "ok": 20}
    truth = live.truth(room)
    assert len(truth.inputs) == 20
    truth.tables()

"""The figures of a simulation: as tables for people, as one object for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from server.commands.schedule import Plan
from server.commands.tally import Line, Tally, difference, ordered

ORDER = ("first", "later")


def bot_names(bots: Sequence[str]) -> list[str]:
    """The bots by name; the second of the same name is `greedy 2`."""
    return [
        bot if bots.count(bot) == 1 or bots[:place].count(bot) == 0 else f"{bot} {bots[:place].count(bot) + 1}"
        for place, bot in enumerate(bots)
    ]


def as_object(plan: Plan, tally: Tally, seconds: float, jobs: int) -> dict[str, Any]:
    """Everything, machine-readable. Only `speed` differs between two runs of the same plan."""
    names = bot_names(plan.bots)
    gap = difference(tally.gaps)
    shown: dict[str, Any] = {
        "game": plan.game,
        "seats": plan.seats,
        "seed": plan.seed,
        "options": plan.options,
        "games": tally.games,
        "bots": {names[int(key)]: _plain(line) for key, line in _by_number(tally.bots)},
        "by_seat": {key: _plain(line) for key, line in _by_number(tally.seats)},
        "by_order": {key: _plain(line) for key, line in ordered(tally.order, ORDER)},
        "by_deck": {key: _plain(line) for key, line in ordered(tally.decks)},
        "by_card": {key: _plain(line) for key, line in ordered(tally.cards)},
        "reasons": dict(sorted(tally.reasons.items())),
        "draws": dict(sorted(tally.draws.items())),
        "moves_per_game": round(tally.moves / tally.games, 3),
        "turns_per_game": round(tally.turns / tally.games, 3),
        "faults": dict(sorted(tally.faults.items())),
    }
    if gap is not None:
        mean, low, high = (round(number, 5) for number in gap)
        shown["difference"] = {"of": names[:2], "mean": mean, "low": low, "high": high, "confidence": 0.95}
    rate = tally.games / seconds if seconds else 0.0
    shown["speed"] = {"seconds": round(seconds, 3), "games_per_second": round(rate, 1), "jobs": jobs}
    return shown


def show(console: Console, plan: Plan, tally: Tally, seconds: float, jobs: int) -> None:
    """Everything, readable."""
    names = bot_names(plan.bots)
    seats = [(f"seat {key}", line) for key, line in _by_number(tally.seats)]
    order = [({"first": "goes first", "later": "goes later"}[key], line) for key, line in ordered(tally.order, ORDER)]
    console.print(_head(plan, tally, seconds, jobs))
    console.print()
    console.print(_table("bot", [(names[int(key)], line) for key, line in _by_number(tally.bots)], (seats, order)))
    _show_difference(console, names, tally)
    for title, lines in (("deck", tally.decks), ("card in the deck", tally.cards)):
        if lines:
            console.print()
            console.print(_table(title, ordered(lines)))
    console.print()
    console.print(_ends(tally))
    for seed, fault in sorted(tally.faults.items())[:5]:
        console.print(Text(f"fault in the match with seed {seed}: {fault}", "red"))


def _head(plan: Plan, tally: Tally, seconds: float, jobs: int) -> Text:
    rate = tally.games / seconds if seconds else 0.0
    text = Text(f"{plan.game}: {tally.games:,} matches", "bold")
    turns = f", {tally.turns / tally.games:.1f} turns" if tally.turns else ""
    text.append(f", {tally.moves / tally.games:.1f} moves{turns} each", "not bold")
    text.append(f"\n{seconds:.1f} s, {rate:,.0f} games/s, {jobs} {_job(jobs)}, seed {plan.seed}", "not bold dim")
    return text


def _table(title: str, lines: Sequence[tuple[str, Line]], more: Sequence[Sequence[tuple[str, Line]]] = ()) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column(title, min_width=16)
    for head in ("games", "wins", "draws", "win rate"):
        table.add_column(head, justify="right")
    table.add_column("", min_width=20)
    for part in (lines, *more):
        for place, (name, line) in enumerate(part):
            last = place == len(part) - 1 and part is not (more[-1] if more else lines)
            table.add_row(*_cells(name, line), end_section=last)
        if more and part is not more[-1]:
            table.add_row()
    return table


def _cells(name: str, line: Line) -> tuple[str | Text, ...]:
    bar = Text("█" * round(line.rate * 20), "green" if line.rate >= 0.5 else "yellow")
    return name, f"{line.games:,}", f"{line.wins:,}", f"{line.draws:,}", f"{line.rate:.1%}", bar


def _show_difference(console: Console, names: Sequence[str], tally: Tally) -> None:
    gap = difference(tally.gaps)
    if gap is None:
        return
    mean, low, high = (100 * number for number in gap)
    verdict = "" if low > 0 or high < 0 else " (it may be chance)"
    text = f"{names[0]} wins {mean:+.1f} points more often than {names[1]}; 95 %: {low:+.1f} to {high:+.1f}{verdict}"
    console.print()
    console.print(Text(text, "bold"))


def _ends(tally: Tally) -> Text:
    ends = ", ".join(f"{reason} {count:,}" for reason, count in tally.reasons.most_common())
    draws = ", ".join(f"{reason} {count:,}" for reason, count in tally.draws.most_common())
    return Text(f"ended by: {ends}\ndraws: {draws or 'none'}")


def _plain(line: Line) -> dict[str, Any]:
    return {"games": line.games, "wins": line.wins, "draws": line.draws, "win_rate": round(line.rate, 5)}


def _by_number(lines: dict[str, Line]) -> list[tuple[str, Line]]:
    return sorted(lines.items(), key=lambda item: int(item[0]))


def _job(jobs: int) -> str:
    return "process" if jobs == 1 else "processes"

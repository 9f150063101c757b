"""`make bench`: what things cost on this machine. `--json` for programs, `--seconds` for how long to measure."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from typing import Any

from cards import game_ids
from tests.bench import battle, engine, late, planet, quays, search

WANTED = {
    "creatures": {"late_offers_us": 2000, "late_offers_bytes": 24_576},
    "ggltcg": {"moves_per_second": 20_000, "act_us": 40, "stored_bytes": 4096, "iterations": 600},
    "lore": {"moves_per_second": 5_000, "sent_bytes": 600, "late_sent_bytes": 600},
    "mars": {"act_us": 300, "late_offers_us": 3000, "late_act_us": 300, "late_sent_bytes": 700},
}
LATE = {"creatures": battle.late, "lore": quays.late, "mars": planet.late}  # games whose full tables are measured too


def main() -> None:
    """Measure every game and print a table."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=5, help="how long to measure each game (default: 5)")
    parser.add_argument("--game", choices=game_ids(), help="only this one")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    args = parser.parse_args()
    found = {game: _measure(game, args.seconds) for game in game_ids() if args.game in (None, game)}
    if args.json:
        print(json.dumps(found, indent=2))
        return
    print(f"Python {platform.python_version()}, {platform.machine()}, one core, random moves\n")
    for game, figures in found.items():
        _show(game, figures)


def _measure(game: str, seconds: float) -> dict[str, Any]:
    print(f"measuring {game} …", file=sys.stderr)
    speed = engine.speed(game, seconds)
    return {
        "moves_per_second": speed["best"],
        "median": speed["median"],
        **engine.parts(game),
        "shares": engine.shares(game),
        "thinking": search.iterations(game),
        **(late.measure(LATE[game]) if game in LATE else {}),
    }


def _show(game: str, figures: dict[str, Any]) -> None:
    wanted = WANTED.get(game, {})
    rows = [
        ("moves a second, best round", f"{figures['moves_per_second']:,.0f}", _least(wanted, "moves_per_second")),
        ("moves a second, median round", f"{figures['median']:,.0f}", ""),
        ("act, median", f"{figures['act_us']:.1f} µs", _most(wanted, "act_us", " µs")),
        ("offers, median", f"{figures['offers_us']:.1f} µs", ""),
        ("patches and events of all views, median", f"{figures['views_us']:.1f} µs", ""),
        ("stored mid-match", f"{figures['stored_bytes']:,.0f} B", _most(wanted, "stored_bytes", " B")),
        ("told to a player a move, median", f"{figures['sent_bytes']:,.0f} B", _most(wanted, "sent_bytes", " B")),
    ]
    if thinking := figures["thinking"]:
        wants = _least(wanted, "iterations")
        rows.append(("iterations of mcts a second, best round", f"{thinking['best']:,.0f}", wants))
        rows.append(("iterations of mcts a second, median round", f"{thinking['median']:,.0f}", ""))
    if game in LATE:
        rows += [
            (
                "late: offers of a seat, median",
                f"{figures['late_offers_us']:.0f} µs",
                _most(wanted, "late_offers_us", " µs"),
            ),
            (
                "late: offers on the wire",
                f"{figures['late_offers_bytes']:,.0f} B",
                _most(wanted, "late_offers_bytes", " B"),
            ),
            ("late: why not the rest, median", f"{figures['late_blocked_us']:.0f} µs", ""),
            ("late: act, median", f"{figures['late_act_us']:.0f} µs", _most(wanted, "late_act_us", " µs")),
            ("late: act, 95 %", f"{figures['late_act_p95_us']:.0f} µs", ""),
            (
                "late: told to the other, median",
                f"{figures['late_sent_bytes']:.0f} B",
                _most(wanted, "late_sent_bytes", " B"),
            ),
            ("late: told to the other, 95 %", f"{figures['late_sent_p95_bytes']:.0f} B", ""),
            *(
                (f"late: told to the other, {kind}", f"{size:.0f} B", "")
                for kind, size in figures["late_sent_by_move"].items()
            ),
        ]
    print(game)
    for name, value, want in rows:
        print(f"  {name:42} {value:>12}   {want}")
    print("  where the time goes: " + ", ".join(f"{name} {share:.0%}" for name, share in figures["shares"]) + "\n")


def _least(wanted: dict[str, int], name: str) -> str:
    return f"at least {wanted[name]:,}" if name in wanted else ""


def _most(wanted: dict[str, int], name: str, unit: str) -> str:
    return f"under {wanted[name]:,}{unit}" if name in wanted else ""


if __name__ == "__main__":
    main()

"""The end: what everything is worth, and who has won."""

from __future__ import annotations

from collections import Counter

from cards.mars.board import TILES
from cards.mars.counting import board, points, rules
from cards.mars.facts import AWARDS, HAS, MILESTONES, RATING, SCORE, here, living, tableau
from cards.mars.moves import tally
from engine.frames import Seat
from engine.journal import Journal
from engine.look import Look
from engine.table import seat_id


def sheet(look: Look, seat: Seat) -> dict[str, int]:
    """The points of a seat, line by line and in sum."""
    table, goals = look.table, rules(look).goals
    laid = board(look).laid(table)
    mine = {key: tile for key, tile in laid.items() if tile.owner == seat}
    green = TILES["greenery"]
    cities = [key for key, tile in mine.items() if tile.face == TILES["city"]]
    lines = {
        "tr": RATING.of(table.seat(seat)),
        "milestones": goals.points * sum(owner == seat for owner in MILESTONES.of(here(table)).values()),
        "awards": awards(look)[seat],
        "greeneries": sum(tile.face == green for tile in mine.values()),
        "cities": sum(tile.face == green for key in cities for tile in board(look).beside(laid, key)),
        "cards": sum(points(look, seat, card) for card in (*tableau(table, seat), *table.lying(f"{seat}.events"))),
    }
    return {**lines, "total": sum(lines.values())}


def awards(look: Look) -> Counter[Seat]:
    """What the funded awards are worth. Who ties for the first place shares it, and then nobody is second."""
    goals, found = rules(look).goals, Counter[Seat]()
    seats = living(look.table)
    for goal in goals.awards:
        if goal.id not in AWARDS.of(here(look.table)):
            continue
        tallies = {seat: tally(look, seat, goal) for seat in seats}
        ranks = sorted(set(tallies.values()), reverse=True)
        first = [seat for seat in seats if tallies[seat] == ranks[0]]
        found.update(dict.fromkeys(first, goals.points))
        if len(first) == 1 and look.table.seats > 2 and len(ranks) > 1:
            found.update({seat: goals.second for seat in seats if tallies[seat] == ranks[1]})
    return found


def finish(journal: Journal, reason: str) -> None:
    """Write the sheets, and rank everybody by points and then by money. Who cannot be told apart shares a place."""
    table = journal.table
    standing: dict[tuple[int, int], list[Seat]] = {}
    for seat in living(table):
        lines = sheet(journal.look, seat)
        journal.set(seat_id(seat), SCORE, lines)
        journal.say("scored", seat=seat, **lines)
        standing.setdefault((lines["total"], HAS["credit"].of(table.seat(seat))), []).append(seat)
    ranking = [standing[key] for key in sorted(standing, reverse=True)]
    gone = [seat for seat in range(table.seats) if seat not in living(table)]
    first = ranking[0]
    drawn = len(first) == len(living(table))
    if drawn:
        journal.say("drawn")
    else:
        for seat in first:
            journal.say("won", seat=seat)
    journal.end(() if drawn else first, reason, [*ranking, *([gone] if gone else [])])

"""What a result does to the strength that we believe players to have."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from openskill.models import PlackettLuce

from engine.table import Result

MIDDLE, POINT = 1500, 40  # what is shown to people: the middle of all, and the points to one of the model's own
SETTLED = 6.0  # an uncertainty below which a rating is no guess any more
UNRATED = ("abandoned", "fault")  # nobody's doing

_model = PlackettLuce()


class Skill(Struct, frozen=True):
    """How strong somebody is, and how sure that is."""

    mu: float = _model.mu
    sigma: float = _model.sigma


def shown(mu: float) -> float:
    """A rating as people see it."""
    return MIDDLE + POINT * (mu - _model.mu)


def deviation(sigma: float) -> int:
    """How far from that the truth may well be, in the same points."""
    return round(POINT * sigma)


def places(result: Result, seats: int) -> list[int]:
    """The place of each seat, from 1 on; those of equal rank share one, and whoever is not ranked comes last."""
    ranking = result.ranking or ((result.winners,) if result.winners else (range(seats),))
    found: dict[int, int] = {}
    before = 0
    for rank in ranking:
        found |= dict.fromkeys(rank, before + 1)
        before += len(rank)
    return [found.get(seat, before + 1) for seat in range(seats)]


def outcome(result: Result, seat: int) -> str:
    """How it went for a seat."""
    if not result.winners:
        return "drawn"
    return "won" if seat in result.winners else "lost"


def rate(skills: Sequence[Skill], ranks: Sequence[int]) -> list[Skill]:
    """The strength of everybody after a match that ended with these places."""
    teams = [[_model.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    return [Skill(one.mu, one.sigma) for (one,) in _model.rate(teams, ranks=[float(rank) for rank in ranks])]

"""Every rule of the protocol is broken once, to see that the simulation notices."""

from __future__ import annotations

import re

import pytest

from tests.simulation.mutants import MUTANTS
from tests.simulation.runs import bury

pytestmark = pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")  # of processes that died

MOST = 120  # seeds until a mutant counts as overlooked; nearly all are found by the first few


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_rule_is_noticed(name):
    mutant = MUTANTS[name]
    for seed in range(MOST):
        violations = mutant.run(seed).violations
        if seed % 10 == 9:
            bury()
        if any(re.search(mutant.notices, violation) for violation in violations):
            break
    else:
        pytest.fail(f"{name} was overlooked in {MOST} worlds")
    bury()

"""The planning kernel equals the core's planner: at every position, in every layout."""

from fractions import Fraction

import pytest
from hypothesis import example, given

from licet import Candidate
from licet.beliefs import compile_candidate
from licet_proofs.gate_generators import budgets, candidates
from tests.gate.candidates import complementary

from .cases import at_the_bound, at_the_cap, harmful, often, pair, twins
from .reference import check_everywhere

pytestmark = pytest.mark.slow

TWO = Fraction(2)


@example(often(), TWO)
@example(twins(), TWO)
@example(pair(), TWO)
@example(harmful(), TWO)
@example(at_the_bound(), TWO)
@example(at_the_cap(), TWO)
@example(complementary(), TWO)
@given(candidates(), budgets)
def test_every_state_and_every_choice_are_the_references(
    candidate: Candidate, budget: Fraction
) -> None:
    check_everywhere(compile_candidate(candidate), budget)

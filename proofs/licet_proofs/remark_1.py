"""Remark 1: for a fixed action, no observation reduces the expected loss (AMV, section 2.4).

Confirmed over the reals for one premise and one symmetric verifier, on the core's own posterior.
Tested on generated exact models for the general form.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Final

import z3
from hypothesis import given

from licet import Candidate
from licet.information import fixed_action
from licet.regimes import posterior

from . import independent_gate as paper
from .expect import SAMPLED, expect
from .gate_generators import answers, budgets, candidates
from .gate_views import model_of, walk
from .proposition_1 import COST, DOMAIN, ERROR, LOSS, RELIABILITY, Case, confirm, term
from .solver_reals import paths


def a_fixed_action_gains_nothing_by_either_answer() -> Iterator[Case]:
    """Pi theta p+ + (1 - pi) theta p- = theta p, so the score is -c, never positive."""
    for path in paths(posterior, (ERROR, RELIABILITY), DOMAIN):
        found = path.result
        support = term(found.support)
        after = LOSS * (
            support * term(found.after_support) + (1 - support) * term(found.after_refute)
        )
        score = LOSS * ERROR - after - COST
        yield Case((*DOMAIN, *path.conditions), z3.And(score == -COST, score <= 0))


CLAUSES: Final[tuple[Callable[[], Iterator[Case]], ...]] = (
    a_fixed_action_gains_nothing_by_either_answer,
)


def a_fixed_action_gains_nothing_over_the_reals() -> int:
    """For one premise and one symmetric verifier the fixed-action value is minus the cost.

    Source: AMV, Remark 1; confirmed by a solver for every error, reliability, loss and cost.
    """
    return sum(confirm(clause) for clause in CLAUSES)


@SAMPLED
@given(candidates(), budgets, answers)
def a_fixed_action_never_pays_for_a_check(
    candidate: Candidate, budget: Fraction, given: Sequence[tuple[int, bool]]
) -> None:
    """In the exact model the fixed-action value of every query is minus its price.

    Source: AMV, Remark 1 (the tower property).
    """
    model = model_of(candidate)
    belief = walk(model, budget, given)[0].belief
    for index, verifier in enumerate(candidate.verifiers):
        value = fixed_action(model, belief, index)
        price = paper.price(candidate, verifier)
        expect(value == -price, "the value of", verifier, "is", value, "not", -price)


PROPERTIES: Final[tuple[Callable[[], object], ...]] = (
    a_fixed_action_gains_nothing_over_the_reals,
    a_fixed_action_never_pays_for_a_check,
)

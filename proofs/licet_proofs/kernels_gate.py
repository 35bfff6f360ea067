"""The gate's kernels equal the core: exact plans, values of information, choices, encodings.

Statement. On every candidate the planning kernel has W, V* and the choice of the reference at every
position that answers lead to, in both layouts; one-step and two-step values are the core's, and the
policies on them choose what the core's choose; a model comes back from its arrays.

Premises. The exact observation model; W within 1e-12 Z (kappa + lambda B), V* within twice that
without Z, values of a query within 1e-12 (greatest loss + kappa), choices equal.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from hypothesis import example, given

from licet import Candidate
from licet.beliefs import compile_candidate
from licet_kernels.compilation import require_available

from .equation_3 import COMPLEMENTS, TWO
from .expect import SAMPLED
from .gate_cases import AT_THE_BOUND, AT_THE_CAP, HARMFUL, OFTEN, PAIR, PAIR_AND_BETTER
from .gate_generators import budgets, candidates


@SAMPLED
@example(OFTEN, TWO)
@example(PAIR_AND_BETTER, TWO)
@example(PAIR, TWO)
@example(HARMFUL, TWO)
@example(AT_THE_BOUND, TWO)
@example(AT_THE_CAP, TWO)
@example(COMPLEMENTS, TWO)
@given(candidates(), budgets)
def a_kernel_plans_a_gate_as_the_exact_planner_does(candidate: Candidate, budget: Fraction) -> None:
    """W, V* and the choice at every position are the reference's, in both layouts.

    Source: AMV, Equation (3); DESIGN, section 3.
    """
    require_available("kernels")
    from .kernels_gate_agree import compare_plans

    compare_plans(compile_candidate(candidate), budget)


@SAMPLED
@example(AT_THE_BOUND, TWO)
@example(AT_THE_CAP, TWO)
@example(PAIR_AND_BETTER, TWO)
@given(candidates(), budgets)
def kernels_value_a_query_as_the_core_does(candidate: Candidate, budget: Fraction) -> None:
    """One-step and two-step values at every position are the core's.

    Source: AMV, Equations (4) and (5).
    """
    require_available("kernels")
    from .kernels_gate_agree import compare_values

    compare_values(compile_candidate(candidate), budget)


@SAMPLED
@example(AT_THE_BOUND, TWO)
@example(PAIR, TWO)
@given(candidates(), budgets)
def policies_on_kernels_ask_what_the_cores_ask(candidate: Candidate, budget: Fraction) -> None:
    """The greedy and the two-step policy choose what the core's choose, at every position.

    Source: AMV, Equations (4) and (5), section 3.3.
    """
    require_available("kernels")
    from .kernels_gate_agree import compare_choices

    compare_choices(compile_candidate(candidate), budget)


@SAMPLED
@given(candidates())
def a_gate_model_comes_back_from_its_arrays(candidate: Candidate) -> None:
    """A model comes back from its arrays, numbers rounded, and the arrays from it as they were.

    Source: DESIGN, section 1.
    """
    require_available("kernels")
    from .kernels_gate_agree import compare_encodings

    compare_encodings(compile_candidate(candidate))


PROPERTIES: Final[tuple[Callable[[], None], ...]] = (
    a_kernel_plans_a_gate_as_the_exact_planner_does,
    kernels_value_a_query_as_the_core_does,
    policies_on_kernels_ask_what_the_cores_ask,
    a_gate_model_comes_back_from_its_arrays,
)

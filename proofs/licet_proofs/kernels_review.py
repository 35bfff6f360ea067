"""The review's kernels equal the core: exact plans, decisions on many ledgers, encodings.

Statement. The planning kernel has the worth and the choice of the reference at every state that
useful checks lead to, for expected utility and for greatest regret; over many ledgers at once the
authorized and maximal conclusions, the target and the hold indicator are those of the core, bit for
bit; a program comes back from its arrays.

Premises. Expected worths within 1e-12 of themselves, regrets within 1e-12 of the greatest utility;
all else exactly.
"""

from collections.abc import Callable
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from licet.decisions import Settled
from licet_kernels.compilation import require_available

from .expect import SAMPLED
from .generators import Case, cases, large_cases
from .review_problems import Moment, Problem, moments, problems

large: Final = st.booleans().flatmap(large_cases)


@SAMPLED
@given(problems())
def a_kernel_plans_a_review_as_the_planner_does(problem: Problem) -> None:
    """Worth and choice at every state are the reference's, by both criteria.

    Source: PRIME, problem (2); DESIGN, section 3.
    """
    require_available("kernels")
    from .kernels_review_agree import compare_problem

    compare_problem(problem.model)


@SAMPLED
@given(st.data())
def a_kernel_decides_on_many_ledgers_as_the_core_does(data: st.DataObject) -> None:
    """Authorized, maximal, targeted, held: at every ledger what the core says.

    Source: PRIME, Equations (1) and (4), D2, the hold indicator mu.
    """
    require_available("kernels")
    from .kernels_review_agree import compare_decisions

    case = data.draw(cases())
    compare_decisions(case, data.draw(moments(case)))


@SAMPLED
@given(st.data())
def a_kernel_decides_at_real_sizes_as_the_core_does(data: st.DataObject) -> None:
    """The same with 20 routes over 40 atoms, much settled, little, and nothing.

    Source: PRIME, Equations (1) and (4), D2, the hold indicator mu.
    """
    require_available("kernels")
    from .kernels_review_agree import compare_decisions

    case = data.draw(large)
    drawn = data.draw(moments(case))
    sparse = [
        Moment(Settled(z.true & z.unavailable, z.false & ~z.unavailable), left, checks)
        for z, left, checks in drawn
    ]
    nothing = Moment(Settled(), 10**6, case.commitment.compiled.all_checks)
    compare_decisions(case, [*drawn, *sparse, nothing])


@SAMPLED
@given(st.one_of(cases(), large))
def a_program_comes_back_from_its_arrays(case: Case) -> None:
    """A program comes back from its arrays, and the arrays from it as they were.

    Source: DESIGN, section 1.
    """
    require_available("kernels")
    from .kernels_review_agree import compare_encodings

    compare_encodings(case)


PROPERTIES: Final[tuple[Callable[[], None], ...]] = (
    a_kernel_plans_a_review_as_the_planner_does,
    a_kernel_decides_on_many_ledgers_as_the_core_does,
    a_kernel_decides_at_real_sizes_as_the_core_does,
    a_program_comes_back_from_its_arrays,
)

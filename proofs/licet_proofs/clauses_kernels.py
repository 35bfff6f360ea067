"""The clauses of the kernels: every kernel equals its function of the core.

All are tested, none is confirmed: a kernel calculates in doubles, and models are sampled. Without
the extra `kernels` `licet prove` refuses to run them, and by themselves their checks break, and say
what to install; they never pass. Bugs that each of them must find are in `planted_kernels`; the
tests of the project plant many more.
"""

from typing import Final

from .clauses import Clause, generated

CANDIDATES: Final = "candidates of up to 4 claims, 4 premises, 4 failure modes and 4 verifiers"
POSITIONS: Final = f"{CANDIDATES}; budgets to 4, every position that answers lead to"
PROGRAMS: Final = "programs of up to 6 atoms, any order, overlapping checks"

CLAUSES: Final[tuple[Clause, ...]] = (
    Clause(
        "kernel-gate-plan",
        "An exact plan of the kernel is that of the core: W, V* and Z at every position, and the"
        " choice, in both layouts, with equal verifiers taken together and apart.",
        "AMV, Equation (3); the exact planner of the core",
        (
            generated(
                f"{POSITIONS}; W within 1e-12 Z (kappa + lambda B),"
                " V* within 2e-12 of the same sum",
                "a_kernel_plans_a_gate_as_the_exact_planner_does",
            ),
        ),
    ),
    Clause(
        "kernel-information",
        "One-step and two-step values of the kernels are the core's, and the greedy and the"
        " two-step policy on them choose what the core's choose.",
        "AMV, Equations (4) and (5); the policies of the core",
        (
            generated(
                f"{POSITIONS}; values within 1e-12 (greatest loss + kappa)",
                "kernels_value_a_query_as_the_core_does",
                "policies_on_kernels_ask_what_the_cores_ask",
            ),
        ),
    ),
    Clause(
        "kernel-review-plan",
        "An exact plan of a review by the kernel has the worth and the choice of the core's at"
        " every state, for expected utility and for the greatest regret.",
        "PRIME, problem (2); the review planner of the core",
        (
            generated(
                f"{PROGRAMS}, up to 5 checks; every state that useful checks lead to; worths"
                " within 1e-12 of themselves, regrets within 1e-12 of the greatest utility",
                "a_kernel_plans_a_review_as_the_planner_does",
            ),
        ),
    ),
    Clause(
        "kernel-ledgers",
        "Over many ledgers at once, what is authorized and maximal, the target with its checks and"
        " cost, and the hold indicator are those of the core, bit for bit.",
        "PRIME, Equations (1) and (4), D2, the hold indicator mu",
        (
            generated(
                f"{PROGRAMS}; and 20 routes over 40 atoms; any ledgers and budgets",
                "a_kernel_decides_on_many_ledgers_as_the_core_does",
                "a_kernel_decides_at_real_sizes_as_the_core_does",
            ),
        ),
    ),
    Clause(
        "kernel-encodings",
        "A model or program comes back from its arrays, and the arrays from it; a model's numbers"
        " come back as their nearest doubles, costs and all of a program exactly.",
        "the data that the kernels and the core share",
        (
            generated(
                f"{CANDIDATES}; {PROGRAMS}; and 20 routes over 40 atoms",
                "a_gate_model_comes_back_from_its_arrays",
                "a_program_comes_back_from_its_arrays",
            ),
        ),
    ),
)

"""Bugs to plant in the compiled kernels, one or more for each property; and one for certificates.

The tests of the kernels plant many more, in compiled code too.
"""

from typing import Final

from .planted_bug import Bug


def _kernel(name: str, file: str, original: str, planted: str, falls: str) -> Bug:
    return Bug(name, file, original, planted, falls, "licet_kernels")


BUGS: Final = (
    _kernel(
        "a kernel's plan forgets the price",
        "gate/problem.py",
        "arrays.price / arrays.cost_unit,",
        "0.0,",
        "a_kernel_plans_a_gate_as_the_exact_planner_does",
    ),
    _kernel(
        "rounding decides a screen at its bound",
        "gate/plan.py",
        "        if found:\n            settled",
        "        if found[:0]:\n            settled",
        "a_kernel_plans_a_gate_as_the_exact_planner_does",
    ),
    _kernel(
        "of equal verifiers a kernel asks the last",
        "gate/plan.py",
        "return min(verifier for verifier, value in asked.items() if value <= least)",
        "return max(verifier for verifier, value in asked.items() if value <= least)",
        "a_kernel_plans_a_gate_as_the_exact_planner_does",
    ),
    _kernel(
        "a kernel's values forget the price",
        "gate/information.py",
        "arrays.price * (arrays.cost / arrays.cost_unit),",
        "0.0 * arrays.cost,",
        "kernels_value_a_query_as_the_core_does",
    ),
    _kernel(
        "a kernel asks a verifier of one use twice",
        "gate/information.py",
        "left = np.array([min(count, 2) for count in uses], np.int64)",
        "left = np.array([min(2 * count, 2) for count in uses], np.int64)",
        "kernels_value_a_query_as_the_core_does",
    ),
    _kernel(
        "a policy on kernels asks what is worth nothing",
        "gate/information.py",
        "return chosen if chosen is not None and worth[chosen] > 0 else None",
        "return chosen if chosen is not None and worth[chosen] >= 0 else None",
        "policies_on_kernels_ask_what_the_cores_ask",
    ),
    _kernel(
        "sensitivity comes back as specificity",
        "gate/encoding.py",
        "float(arrays.sensitivity[q]),",
        "float(arrays.specificity[q]),",
        "a_gate_model_comes_back_from_its_arrays",
    ),
    _kernel(
        "a kernel's plan exchanges the answers of a check",
        "review/sweep_kernels.py",
        "mean = true * after[2 * value + 1] + false * after[2 * value]",
        "mean = false * after[2 * value + 1] + true * after[2 * value]",
        "a_kernel_plans_a_review_as_the_planner_does",
    ),
    _kernel(
        "a kernel's plan expects the best of what it should fear",
        "review/sweep_kernels.py",
        "min(zero[low], one[low])",
        "max(zero[low], one[low])",
        "a_kernel_plans_a_review_as_the_planner_does",
    ),
    _kernel(
        "a kernel's plan checks where stopping is worth the same",
        "review/choice_kernels.py",
        "best > stop + slack",
        "best >= stop - slack",
        "a_kernel_plans_a_review_as_the_planner_does",
    ),
    _kernel(
        "a kernel holds a report for what is worth no more",
        "review/ledgers.py",
        "aimed > greatest",
        "aimed >= greatest",
        "a_kernel_decides_on_many_ledgers_as_the_core_does",
    ),
    _kernel(
        "whatever holds, a kernel authorizes the first conclusion",
        "review/ledger_kernels.py",
        "auth |= conclusions.at_or_below[conclusion]",
        "auth |= ONE",
        "a_kernel_decides_on_many_ledgers_as_the_core_does",
    ),
    _kernel(
        "a kernel targets what is certified unavailable",
        "review/ledger_kernels.py",
        "| ledgers.unavailable[ledger]",
        "",
        "a_kernel_decides_at_real_sizes_as_the_core_does",
    ),
    _kernel(
        "what a route needs false is encoded as needed true",
        "review/encoding.py",
        "route.needs_false for route in routes",
        "route.needs_true for route in routes",
        "a_program_comes_back_from_its_arrays",
    ),
    Bug(
        "a review certifies what a conflict supports",
        "ledger.py",
        "return Settled(ones & ~zeros, zeros & ~ones, ones & zeros, unavailable)",
        "return Settled(ones, zeros & ~ones, 0, unavailable)",
        "the_checker_judges_certificates_as_the_core_does",
    ),
)

"""What the AMV paper reports, as far as its text gives figures; its tables' cells are not in it."""

from typing import Final

TABLE_2_OBJECTIVE: Final = (-0.0314, -0.0322, -0.0306)
"""Section 5.4: the objective of greedy less static, and its interval."""

TABLE_2: Final = {
    "greedy less static, safe completion": 0.0415,
    "greedy less static, cost": 0.257,
    "regret, static": 0.0746,
    "regret, greedy": 0.0431,
    "several verifiers, greedy": 0.068,
}
"""Section 5.4, the controlled adaptive subset."""

FALLBACK: Final = {
    "greedy": {"recall": 0.170, "coverage": 0.0531, "harm": 0.0, "cost": 0.059},
    "two-step": {"recall": 1.0, "coverage": 0.3125, "harm": 0.0, "cost": 1.213},
}
"""Section 5.4, ToolSandbox development data at kappa 1, lambda 0.1, rho 0.95."""

SWEEP_DELTAS: Final = ("0.1", "0.25", "0.5", "1", "2")
SWEEP_PRICES: Final = ("0", "0.05", "0.1", "0.2", "0.5", "1")
"""Appendix E, the 30 settings of the loss and cost sweep."""

SAFE_COVERAGE: Final = (0.0, 0.465)
SAFE_CALLS: Final = (0.0, 1.153)
"""Section 5.2: coverage and verifier calls over the points with delta at most 0.5; harm is 0."""

MAIN_COVERAGE: Final = 0.4417
MAIN_COST: Final = 1.219
"""Section 5.2, the main point: full episodes with replanning."""

"""What the AMV paper reports of ToolSandbox end to end, as far as its text gives figures."""

from typing import Final, NamedTuple


class Reported(NamedTuple):
    """Shares of all instances, and the mean cost; recall is of the safe ones."""

    recall: float
    harmful: float
    coverage: float
    cost: float


MAIN: Final = Reported(1.0, 0.0, 0.4417, 1.219)
"""Section 5.2, AMV-Guard; the exact planner coincides with it."""

RESOLVED: Final = 0.3183
REPLANNED: Final = 0.25
"""Section 5.6."""

COST_LESS_STATIC: Final = -0.339
COST_LESS_ALL: Final = -0.383
COVERAGE_LESS_STATIC: Final = 0.0533
"""Section 5.2: relative cost to AMV-Static and to verify-all, and coverage in shares."""

CALIBRATED: Final = Reported(1.0, 0.0, 0.3333, 1.167)
"""Appendix E: the initial gate with all data."""

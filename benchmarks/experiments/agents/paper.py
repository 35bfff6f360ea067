"""What the PRIME paper reports of its agents, policies and adapted systems."""

from typing import Final, NamedTuple


class Reported(NamedTuple):
    """One row of the paper's tables at 20 calls, shares in percent; None where it gives none."""

    unsupported: float
    premature: float | None
    utility: float
    emission: float | None
    reads: float | None


SYSTEMS: Final = {
    "unenforced": Reported(26.7, 28.3, 38.0, 99.0, 3.1),
    "PRIME, no guidance": Reported(0.0, 0.0, 30.1, 99.0, None),
    "PRIME": Reported(0.0, 0.0, 45.5, 100.0, 2.8),
    "PRIME with completion": Reported(0.0, 0.0, 59.2, 100.0, 3.6),
    "flat gate": Reported(0.0, None, 8.1, 9.8, None),
    "ideal filter": Reported(0.0, None, 43.5, None, None),
    "AgentSpec, stop": Reported(0.0, 0.0, 38.7, 87.4, 3.0),
    "AgentSpec, self-examine": Reported(0.0, 0.0, 40.1, 92.9, 3.1),
    "ResearchLoop": Reported(0.0, 0.0, 47.7, 97.0, 3.2),
    "Proof-or-Stop": Reported(0.0, 0.0, 52.0, 99.2, 4.2),
}
"""Tables 2 and 5, appendix E.2: one model, Qwen2.5-32B-Instruct, on 480 tasks.

Table 12 has the same but for reads, which are 0.1 lower there for most.
"""

BY_BUDGET: Final = {
    "unenforced": (38.1, None, 38.6, 38.0),
    "PRIME, no guidance": (30.1, None, 30.1, 30.1),
    "PRIME": (52.6, None, 47.3, 45.5),
    "PRIME with completion": (58.8, None, 59.2, 59.2),
}
"""Table 11: utility at b_min, b_min + 1, 2 b_min and 20."""

GUIDANCE_GAIN: Final = "+15.6 (12.5 to 18.6)"
MASK_REMOVED: Final = "-28.0 (-33.5 to -22.7)"
"""Family-mean differences at 20 calls with their intervals (section 7.1, appendix E.2)."""

SCRIPTED: Final = {
    "ceiling": (59.2, 59.2, 59.2, 59.2),
    "random": (46.5, None, 59.2, 59.2),
    "HESP": (58.0, 59.2, 59.2, 59.2),
}
"""Table 13 and appendix E.2: utility by budget on the balanced split."""

LOCATOR: Final = {
    "PRIME with completion": (53.7, 54.6, 59.2, 59.2),
    "blind": (40.3, 44.7, 58.5, 59.2),
    "locator": (59.2, 59.2, 59.2, 59.2),
    "HESP": (11.2, 12.3, 50.3, 59.0),
}
"""Table 13: utility by budget on the copy with uncertain locations."""

HESP_PREMATURE: Final = 11.7
HESP_READS: Final = 3.9
HESP_ESTABLISHED: Final = 49.0
"""HESP on the balanced split at 20 calls (Table 5)."""


class Judged(NamedTuple):
    """One row of Table 4: shares in percent, utility, and admitted judgements."""

    unsupported: float
    utility: float
    admitted: int
    wrong: float
    with_wrong: float


JUDGED: Final = {
    "PRIME": Judged(4.6, 57.5, 298, 10.1, 11.7),
    "PRIME, verified": Judged(0.8, 55.1, 222, 2.7, 2.5),
}
"""Table 4: 240 tasks with texts."""

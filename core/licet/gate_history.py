"""What happened at a gate, in order: from it the gate goes on where it was cut off."""

from enum import Enum
from typing import NamedTuple, Protocol, TypeAlias

from .candidate import Candidate
from .verdicts import Decision


class Observed(Enum):
    """What became of a report.

    RECORDED: charged, and the belief updated. FAILED: charged, the verifier gave no answer.
    CONTRADICTION: charged; the belief excludes the answer, so the model is wrong. REFUSED: nothing
    was charged; the verifier has no use left, or costs more than is left. A refused answer is heard
    all the same, against proceeding and never for it.
    """

    RECORDED = "recorded"
    FAILED = "failed"
    CONTRADICTION = "contradiction"
    REFUSED = "refused"


class GateEntry(NamedTuple):
    """One line of a gate's history.

    Attributes:
        candidate: to which candidate it belongs, 0 for the first, one more after each replan.
        verifier: its name.
        refutes: its answer; None when it failed.
        observed: what became of it.
    """

    candidate: int
    verifier: str
    refutes: bool | None
    observed: Observed


GateEvent: TypeAlias = GateEntry | Candidate | Decision
"""What is written of a gate: a report, the candidate of a replan, or a decision that was given."""


class GateJournal(Protocol):
    """Where a gate is written down while it is used, before it answers.

    What it raises goes through to whoever asked the gate.
    """

    def record(self, position: int, event: GateEvent) -> None:
        """Write the event of this position, 0 the first; return when it cannot be lost."""

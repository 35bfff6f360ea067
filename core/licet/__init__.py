"""licet, the trusted kernel: what an agent may report or do, decided outside the agent.

Review: evidence routes are fixed before the first check; every check goes into a ledger; a
conclusion that the ledger does not authorize is refused. Gate: an action commits only where what
the agent remembers is reliable enough for it. This package imports the standard library and
icontract alone, does no input or output, and keeps no state but that of the `Review` and `Gate`
objects that you make.
"""

from typing import TYPE_CHECKING

from .commitment import Commitment, Generator, canonical_text, commit
from .errors import Forgery, InvalidInput, InvariantViolation, LicetError
from .ledger import Certificate, Ledger, Observation, State
from .messages import (
    Answer,
    AnswerKind,
    CheckRequest,
    CloseRequest,
    Event,
    Failed,
    OtherRequest,
    ReportRequest,
    Request,
    Resolved,
    StopRequest,
    Unavailable,
    Value,
)
from .objects import Atom, Check, Conclusion, Literal, Program, Route, Specification, own_checks
from .outcome import Ending, Outcome, Support, Unresolved
from .rationals import Number, exact
from .renderer import denote, render
from .review import Entry, Guidance, Resolver, Review, replay
from .validation import Fault, faults, validate

if TYPE_CHECKING:
    from .candidate import (
        Candidate,
        Claim,
        FailureMode,
        Loss,
        ObservationModel,
        Premise,
        Verifier,
    )
    from .gate import Gate, GateEntry, Observed
    from .verdicts import Decision, DecisionKind, Evidence

__all__ = [
    "Answer",
    "AnswerKind",
    "Atom",
    "Candidate",
    "Certificate",
    "Check",
    "CheckRequest",
    "Claim",
    "CloseRequest",
    "Commitment",
    "Conclusion",
    "Decision",
    "DecisionKind",
    "Ending",
    "Entry",
    "Event",
    "Evidence",
    "Failed",
    "FailureMode",
    "Fault",
    "Forgery",
    "Gate",
    "GateEntry",
    "Generator",
    "Guidance",
    "InvalidInput",
    "InvariantViolation",
    "Ledger",
    "LicetError",
    "Literal",
    "Loss",
    "Number",
    "Observation",
    "ObservationModel",
    "Observed",
    "OtherRequest",
    "Outcome",
    "Premise",
    "Program",
    "ReportRequest",
    "Request",
    "Resolved",
    "Resolver",
    "Review",
    "Route",
    "Specification",
    "State",
    "StopRequest",
    "Support",
    "Unavailable",
    "Unresolved",
    "Value",
    "Verifier",
    "canonical_text",
    "commit",
    "denote",
    "exact",
    "faults",
    "own_checks",
    "render",
    "replay",
    "validate",
]

if not TYPE_CHECKING:  # so that a type checker still objects to names that are not there

    def __getattr__(name: str) -> object:
        """Load the gate when one of its names is first used, so that a review need not."""
        if name in __all__:
            from . import candidate, gate, verdicts

            for module in (candidate, gate, verdicts):
                if hasattr(module, name):
                    return getattr(module, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        """List the gate's names too."""
        return list(__all__)

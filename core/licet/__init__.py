"""licet, the trusted kernel: what an agent may report or do, decided outside the agent.

Review: evidence routes are fixed before the first check; every check goes into a ledger; a
conclusion that the ledger does not authorize is refused. Gate: an action commits only where what
the agent remembers is reliable enough for it. This package imports the standard library and
icontract alone, does no input or output, and keeps no state but that of the `Review` and `Gate`
objects that you make.
"""

from typing import TYPE_CHECKING

from .commitment import Commitment, Generator, canonical_text, commit
from .errors import Forgery, InvalidInput, InvariantViolation, LicetError, Unwritten
from .freshness import still_authorized
from .guidance import Guidance
from .history import Entry, Journal, replay
from .ledger import (
    Attestation,
    Certificate,
    Expiration,
    Inconclusive,
    Ledger,
    Observation,
    Retraction,
    State,
    TextRead,
)
from .messages import (
    Answer,
    AnswerKind,
    AttestRequest,
    CheckRequest,
    CloseRequest,
    Event,
    Failed,
    Judged,
    OtherRequest,
    Read,
    RefreshRequest,
    ReportRequest,
    Request,
    Resolved,
    RetractRequest,
    StopRequest,
    Unavailable,
    Value,
)
from .objects import (
    Atom,
    Attester,
    AttesterKind,
    Check,
    CheckKind,
    Conclusion,
    Literal,
    Program,
    Route,
    Specification,
    own_checks,
)
from .outcome import Ending, Outcome, Support, Suspension, Unresolved
from .rationals import Number, exact
from .renderer import denote, render
from .resolving import Judge, Resolver, Sourced
from .review import Review
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
    from .gate import Gate
    from .gate_history import GateEntry, GateEvent, GateJournal, Observed
    from .review_planner import ReviewModel, ReviewPlanner, review_model
    from .verdicts import Decision, DecisionKind, Evidence

__all__ = [
    "Answer",
    "AnswerKind",
    "Atom",
    "AttestRequest",
    "Attestation",
    "Attester",
    "AttesterKind",
    "Candidate",
    "Certificate",
    "Check",
    "CheckKind",
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
    "Expiration",
    "Failed",
    "FailureMode",
    "Fault",
    "Forgery",
    "Gate",
    "GateEntry",
    "GateEvent",
    "GateJournal",
    "Generator",
    "Guidance",
    "Inconclusive",
    "InvalidInput",
    "InvariantViolation",
    "Journal",
    "Judge",
    "Judged",
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
    "Read",
    "RefreshRequest",
    "ReportRequest",
    "Request",
    "Resolved",
    "Resolver",
    "RetractRequest",
    "Retraction",
    "Review",
    "ReviewModel",
    "ReviewPlanner",
    "Route",
    "Sourced",
    "Specification",
    "State",
    "StopRequest",
    "Support",
    "Suspension",
    "TextRead",
    "Unavailable",
    "Unresolved",
    "Unwritten",
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
    "review_model",
    "still_authorized",
    "validate",
]

if not TYPE_CHECKING:  # so that a type checker still objects to names that are not there

    def __getattr__(name: str) -> object:
        """Load the gate, or a planner, when a name of it is first used; a review need not."""
        if name in __all__:
            from . import candidate, gate, gate_history, review_planner, verdicts

            modules = (candidate, gate, gate_history, review_planner, verdicts)
            return next(vars(module)[name] for module in modules if name in vars(module))
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        """List the gate's names too."""
        return list(__all__)

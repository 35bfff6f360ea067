"""licet, the trusted kernel: what an agent may report, decided outside the agent.

Evidence routes are fixed before the first check; every check goes into a ledger; a conclusion that
the ledger does not authorize is refused. This package imports the standard library and icontract
alone, does no input or output, and keeps no state but that of the `Review` objects that you make.
"""

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

__all__ = [
    "Answer",
    "AnswerKind",
    "Atom",
    "Certificate",
    "Check",
    "CheckRequest",
    "CloseRequest",
    "Commitment",
    "Conclusion",
    "Ending",
    "Entry",
    "Event",
    "Failed",
    "Fault",
    "Forgery",
    "Generator",
    "Guidance",
    "InvalidInput",
    "InvariantViolation",
    "Ledger",
    "LicetError",
    "Literal",
    "Number",
    "Observation",
    "OtherRequest",
    "Outcome",
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

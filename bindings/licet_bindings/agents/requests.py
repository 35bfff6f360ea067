"""What an agent asks of a review through a tool, and licet's answer as data."""

from __future__ import annotations

from licet import (
    Answer,
    AttestRequest,
    CheckRequest,
    OtherRequest,
    ReportRequest,
    Request,
    Review,
    Unavailable,
    Value,
)
from licet.renderer import number
from licet_bindings.records.values import Json

CHECK, ATTEST, REPORT = "licet_check", "licet_attest", "licet_report"
TOOLS = frozenset({CHECK, ATTEST, REPORT})
"""The names of the tools by which an agent asks its review."""

DESCRIPTIONS = {
    CHECK: "Run a registered check, by its name or by the name of an atom that it settles.",
    ATTEST: "Judge a text that was read: the atom, whether it holds, and a verbatim quote.",
    REPORT: "Ask to report a conclusion. It is refused unless the checks that ran establish it.",
}
"""What each of them does, for the model."""

INSTRUCTIONS = (
    "Your answers are written by licet from what was checked and done; your own text is not shown."
    " A call that licet refuses has not happened. When you are done, stop."
)
"""What a model is told of licet."""


def check_request(review: Review, name: str) -> Request:
    """Return the request to run a check, given its identifier or an atom that it settles."""
    registered = review.commitment.compiled.registered
    if any(check.identifier == name for check in registered):
        return CheckRequest(name)
    settling = (check.identifier for check in registered if name in check.settles)
    return CheckRequest(next(settling, name))


def request_of(review: Review, tool: str, arguments: dict[str, Json]) -> Request:
    """Return what a call of one of the tools asks; whatever else it is, unrecognized."""
    match tool, arguments:
        case "licet_check", {"name": str(name), **rest} if not rest:
            return check_request(review, name)
        case "licet_report", {"conclusion": str(name), **rest} if not rest:
            return ReportRequest(name)
        case "licet_attest", {"atom": str(a), "value": bool(v), "quote": str(q), **rest} if (
            not rest
        ):
            return AttestRequest(a, v, q)
    return OtherRequest(f"{tool} {arguments!r}")


def answer_data(review: Review, answer: Answer) -> dict[str, Json]:
    """Return an answer as JSON, with where the review points its agent next."""
    data: dict[str, Json] = {
        "answer": answer.kind.value,
        "about": answer.subject,
        "established": {atom: _value(value) for atom, value in answer.values},
        "authorized": list(review.authorized),
        "remaining": number(review.remaining),
    }
    if answer.reason:
        data["reason"] = answer.reason
    if answer.text:
        data["text"] = answer.text
    guidance = None if review.over else review.guidance
    if guidance is not None:
        data["target"] = {
            "conclusion": guidance.conclusion,
            "checks": list(guidance.checks),
            "attest": list(guidance.attest),
            "cost": number(guidance.cost),
        }
    return data


def reminder_text(review: Review) -> str:
    """Return what an agent is told that stops while a stronger conclusion can still be reached."""
    guidance = review.guidance
    if guidance is None:
        return "Stopping was refused; ask again."
    wanted = ", ".join([*guidance.checks, *(f"attest {atom}" for atom in guidance.attest)])
    return f"Do not stop yet: {guidance.conclusion} can still be established by: {wanted}."


def _value(value: Value) -> Json:
    return "unavailable" if isinstance(value, Unavailable) else value

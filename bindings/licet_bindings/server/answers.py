"""What the server answers: always data, with a kind and a reason, whatever was asked."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from licet import (
    Answer,
    AnswerKind,
    Decision,
    Guidance,
    Outcome,
    Review,
    Unavailable,
    Value,
    render,
)
from licet_bindings.durable.gates import DurableGate
from licet_bindings.reports import JsonNumber, json_number
from licet_bindings.server.limits import LONGEST_TEXT


class Target(TypedDict):
    """The strongest conclusion still within reach, and what is missing for it.

    `checks` are to be run and `attest` to be judged on their texts, at `cost` calls.
    """

    conclusion: str
    missing: list[str]
    checks: list[str]
    attest: list[str]
    cost: JsonNumber


class Standing(TypedDict):
    """Where a review stands.

    `authorized` may be reported now; while `hold` is true a weaker report is held. `suspended` says
    that what is on record contradicts itself, and nothing is authorized.
    """

    authorized: list[str]
    target: Target | None
    hold: bool
    suspended: bool
    spent: JsonNumber
    remaining: JsonNumber
    over: bool


class ReviewEnd(TypedDict):
    """How a review ended: what is reported, all that is authorized, and the report as text."""

    conclusions: list[str]
    authorized: list[str]
    ended: str
    report: str


class ReviewAnswer(TypedDict):
    """The answer to whatever is asked about a review.

    `kind` is that of the kernel's answer (`recorded`, `unauthorized`, `held`, `accepted`, ...),
    `opened` or `standing`, or says why nothing was asked of it: `no_such_program`,
    `no_such_record`, `unavailable`, `no_such_review`, `too_many_open`, `too_many_requests`,
    `unwritten`. `values` are
    null where a check established nothing. `text` is what was read; it is cut where `text_is_cut`
    says so.
    """

    kind: str
    reason: str
    review: NotRequired[str]
    name: NotRequired[str]
    program_sha256: NotRequired[str]
    subject: NotRequired[str]
    charged: NotRequired[JsonNumber]
    values: NotRequired[dict[str, bool | None]]
    text: NotRequired[str]
    text_is_cut: NotRequired[bool]
    standing: NotRequired[Standing]
    outcome: NotRequired[ReviewEnd]


class GateAnswer(TypedDict):
    """The answer to whatever is asked about a gate.

    `kind` is what is decided (`proceed`, `verify`, `abstain`, `replan`), what became of an answer
    (`recorded`, `failed`, `contradiction`, `refused`), `done`, `failed` or `used` of an action,
    `opened`, or why nothing was asked: `no_such_candidate`, `no_such_subject`, `no_such_gate`,
    `no_such_verifier`, `no_action`, `busy`, `too_many_open`, `too_many_requests`, `unwritten`.
    A decision holds for the action and the subject that it names, and for nothing else.
    """

    kind: str
    reason: str
    gate: NotRequired[str]
    name: NotRequired[str]
    action: NotRequired[str]
    subject: NotRequired[str]
    verifier: NotRequired[str | None]
    premise: NotRequired[str | None]
    expected_loss: NotRequired[JsonNumber]
    harm_probability: NotRequired[JsonNumber]
    admissible: NotRequired[bool]
    worth: NotRequired[dict[str, JsonNumber]]
    askable: NotRequired[list[str]]
    remaining: NotRequired[JsonNumber]
    result: NotRequired[str]


class LedgerAnswer(TypedDict):
    """The answer to an audit.

    `kind` is `holds`, `fails`, `busy`, `no_ledger` or `unreadable`; `head` is where the chain ends,
    to be kept elsewhere.
    """

    kind: str
    reason: str
    head: NotRequired[str]
    entries: NotRequired[int]
    reviews: NotRequired[int]
    gates: NotRequired[int]


NO_REVIEW = "no review of yours has this handle; one that nobody asked for in a while is closed"
NO_RECORD = "no record of this name can be read"
NO_GATE = "no gate of yours has this handle; one that nobody asked for in a while is closed"
TOO_MANY = "as much as is allowed is open; end a review, or try again later"
TOO_MANY_SUBJECTS = "the server keeps no more subjects in mind until it is started again"
TOO_MANY_REQUESTS = "it was asked as often as is allowed; it takes nothing more"
UNWRITTEN = (
    "the ledger could not be read or written: nothing is decided, and whether this was recorded is"
    " not known; open it again"
)


def standing(review: Review) -> Standing:
    """Return where a review stands."""
    aim = None if review.over else review.guidance
    return {
        "authorized": list(review.authorized),
        "target": None if aim is None else _target(aim),
        "hold": aim is not None and aim.hold,
        "suspended": review.suspension is not None,
        "spent": json_number(review.spent),
        "remaining": json_number(review.remaining),
        "over": review.over,
    }


def _target(aim: Guidance) -> Target:
    return {
        "conclusion": aim.conclusion,
        "missing": [str(literal) for literal in aim.residual],
        "checks": list(aim.checks),
        "attest": list(aim.attest),
        "cost": json_number(aim.cost),
    }


def review_answer(review: Review, answer: Answer) -> ReviewAnswer:
    """Return what the kernel answered, and where the review stands then.

    Of a check that failed the reason is left out: it may hold what the resolver's own error says.
    """
    failed = answer.kind is AnswerKind.FAILED
    found: ReviewAnswer = {
        "kind": answer.kind.value,
        "reason": "the check gave no usable answer" if failed else answer.reason,
        "subject": answer.subject,
        "charged": json_number(answer.charged),
        "values": {atom: _value(value) for atom, value in answer.values},
    }
    if answer.text:
        found["text"] = answer.text[:LONGEST_TEXT]
        found["text_is_cut"] = len(answer.text) > LONGEST_TEXT
    return with_standing(found, review)


def with_standing(found: ReviewAnswer, review: Review) -> ReviewAnswer:
    """Return an answer with where the review stands, and how it ended if it did."""
    found["standing"] = standing(review)
    if review.over:
        found["outcome"] = _end(review.outcome)
    return found


def _value(value: Value) -> bool | None:
    return None if isinstance(value, Unavailable) else value


def _end(outcome: Outcome) -> ReviewEnd:
    return {
        "conclusions": list(outcome.conclusions),
        "authorized": list(outcome.authorized),
        "ended": outcome.ending.value,
        "report": render(outcome),
    }


def decision_answer(gate: DurableGate, decision: Decision, subject: str) -> GateAnswer:
    """Return a decision."""
    return {
        "kind": decision.kind.value,
        "reason": decision.reason,
        "name": gate.name,
        "action": decision.candidate.action,
        "subject": subject,
        "verifier": decision.verifier,
        "premise": decision.premise,
        "expected_loss": json_number(decision.expected_loss),
        "harm_probability": json_number(decision.harm_probability),
        "admissible": decision.admissible,
        "worth": {name: json_number(value) for name, value in decision.worth.items()},
        "askable": list(gate.askable),
        "remaining": json_number(decision.budget),
    }

"""One audited review as HTML: what it concluded, on what, what was refused, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from licet import (
    AnswerKind,
    AttestRequest,
    CheckRequest,
    CloseRequest,
    Event,
    Failed,
    Judged,
    Literal,
    OtherRequest,
    Outcome,
    Read,
    RefreshRequest,
    ReportRequest,
    Resolved,
    RetractRequest,
    Support,
    Unavailable,
    Unresolved,
)
from licet.renderer import number
from licet_bindings.durable.audited import AuditedReview, ReviewStep
from licet_bindings.durable.markup import (
    NOTHING,
    Markup,
    code,
    element,
    joined,
    listed,
    paragraph,
    said,
    section,
    stated,
    table,
    terms,
)
from licet_bindings.evidence_reports import implied, suspension

_REFUSED: Final = {
    AnswerKind.UNAUTHORIZED: "refused: not authorized",
    AnswerKind.HELD: "held back",
    AnswerKind.UNRECOGNIZED: "refused: not recognized",
    AnswerKind.REJECTED: "not put on record",
    AnswerKind.FAILED: "failed",
    AnswerKind.BUSY: "refused: another request was being taken",
    AnswerKind.REMINDED: "reminded",
}
"""Answers to what was not done, and what became of it."""

_ENDINGS: Final = {
    "accepted": "a report was accepted",
    "stopped": "the agent stopped",
    "budget": "the budget was spent",
    "unaffordable": "what was asked costs more than was left",
    "closed": "it was closed without a stop",
}


def review_parts(review: AuditedReview) -> Iterator[Markup]:
    """Yield the sections of a review that was replayed; of one that fails, what was written.

    What it concluded is told of an outcome that follows, and of nothing else.
    """
    if review.findings:
        yield paragraph(
            said("The audit of this episode failed: below is only what was written up to there.")
        )
    elif review.outcome is not None:
        yield from _conclusions(review.outcome)
    yield section(3, "Checks", _checks(review))
    yield section(3, "Sources that changed", _expired(review))
    yield section(3, "Refused and held", _refused(review))
    yield section(3, "Judgements on texts", _judgements(review))
    if review.outcome is not None and not review.findings:
        yield section(3, "What is missing", _missing(review.outcome))
        yield section(3, "What is on record of each condition", _conditions(review.outcome))
    yield section(3, "Everything that happened", _history(review))


def conclusion_of(review: AuditedReview) -> Markup:
    """Return what a review reports, in few words."""
    outcome = review.outcome
    if review.findings:
        return said("not shown: the audit failed")
    if outcome is None:
        return said("none yet")
    if outcome.suspension is not None:
        return said("none: suspended")
    return joined(map(code, outcome.conclusions)) or said("none: it abstains")


def _conclusions(outcome: Outcome) -> Iterator[Markup]:
    sentences = {c.identifier: c.sentence for c in outcome.commitment.specification.conclusions}
    request = outcome.commitment.specification.request
    reported = [
        element("strong", stated(sentences[name]), said(" "), code(name))
        for name in outcome.conclusions
    ]
    held = suspension(outcome)
    why = said("No conclusion is authorized by what was recorded: the review abstains.")
    if held is not None:
        review = [
            f"{each['atom']}, by {each['kind']} {each['attester']}" for each in held["review"]
        ]
        why = said(f"Nothing is authorized, for {held['reason']}.")
        reported = [said(f"To be looked at: {each}") for each in review]
    yield section(
        3,
        "Conclusion",
        paragraph(said("Asked: "), stated(request)) if request else NOTHING,
        NOTHING if outcome.conclusions else paragraph(why),
        listed(reported),
    )
    yield section(
        3,
        "Routes",
        table(
            "For each authorized conclusion the route that establishes it",
            ("conclusion", "what it says", "reported", "route"),
            (_support(outcome, sentences, support) for support in outcome.supports),
        ),
        _implied(outcome),
    )


def _support(outcome: Outcome, sentences: dict[str, str], support: Support) -> tuple[Markup, ...]:
    return (
        code(support.conclusion),
        stated(sentences[support.conclusion]),
        said("yes" if support.conclusion in outcome.conclusions else "no: weaker"),
        _literals(support.route.literals),
    )


def _literals(route: Iterable[Literal]) -> Markup:
    return joined((code(str(literal)) for literal in route), " and ")


def _implied(outcome: Outcome) -> Markup:
    literals = implied(outcome)
    if not literals:
        return NOTHING
    return paragraph(said("Implied by the constraints: "), joined(map(code, literals)))


def _missing(outcome: Outcome) -> Markup:
    sentences = {c.identifier: c.sentence for c in outcome.commitment.specification.conclusions}

    def row(lacking: Unresolved) -> tuple[Markup, ...]:
        cannot = [each for each in lacking.blocked if each not in lacking.repairable]
        return (
            code(lacking.conclusion),
            stated(sentences[lacking.conclusion]),
            _literals(lacking.route.literals),
            joined(code(str(literal)) for literal in lacking.missing) or said("none"),
            said(number(lacking.cost)),
            joined(code(str(literal)) for literal in cannot) or said("none"),
            joined(code(str(literal)) for literal in lacking.repairable) or said("none"),
        )

    return table(
        "For each conclusion that is not authorized what its nearest route lacks",
        ("conclusion", "what it says", "route", "open", "its calls", "cannot hold", "repairable"),
        map(row, outcome.unresolved),
    )


def _conditions(outcome: Outcome) -> Markup:
    return table(
        "Conditions, and their state at the end",
        ("condition", "what it says", "state"),
        (
            (
                code(atom.identifier),
                stated(atom.sentence),
                said(outcome.state(atom.identifier).value),
            )
            for atom in outcome.commitment.specification.atoms
        ),
    )


def _checks(review: AuditedReview) -> Markup:
    rows = (
        (
            said(str(step.written.sequence)),
            code(step.check.identifier),
            joined(map(stated, step.check.candidates)) or said("-"),
            _result(step.result),
            code(getattr(step.result, "digest", "") or "-"),
            said(step.written.time),
        )
        for step in review.steps
        if step.check is not None and step.result is not None
    )
    return table(
        "Each check that was run, in order",
        ("entry", "check", "place", "result", "digest of what was read", "time"),
        rows,
    )


def _expired(review: AuditedReview) -> Markup:
    rows = (
        (
            said(str(step.written.sequence)),
            code(step.recorded.event.check),
            code(step.recorded.event.digest),
            said(step.written.time),
        )
        for step in review.steps
        if isinstance(step.recorded.event, RefreshRequest)
        and step.answer.kind is AnswerKind.EXPIRED
    )
    return table(
        "Checks whose source changed: all that rested on what they read before has expired",
        ("entry", "check", "digest of the source from then on", "time"),
        rows,
    )


def _result(result: Resolved | Read | Failed) -> Markup:
    match result:
        case Failed(reason):
            return Markup(said("failed: ") + stated(reason))
        case Read(text):
            return Markup(said(f"a text of {len(text):,} characters: ") + _quoted(text))
        case Resolved(values):
            return joined(
                (Markup(code(atom) + said(" ") + _value(value)) for atom, value in values), "; "
            )


def _value(value: object) -> Markup:
    if isinstance(value, Unavailable):
        return Markup(said("not available: ") + stated(value.reason))
    return said("true" if value else "false")


def _quoted(text: str) -> Markup:
    return element("q", stated(text))


def _refused(review: AuditedReview) -> Markup:
    return table(
        "What was asked and not done, in order",
        ("entry", "what was asked", "what became of it", "why", "charged"),
        (
            (
                said(str(step.written.sequence)),
                code(step.check.identifier) if step.check else _asked(step.recorded.event),
                said(_not_done(step)),
                stated(
                    step.result.reason if isinstance(step.result, Failed) else step.answer.reason
                ),
                said(number(step.answer.charged)),
            )
            for step in review.steps
            if _not_done(step)
        ),
    )


def _not_done(step: ReviewStep) -> str:
    """Return what became of what was asked and not done; empty where it was done."""
    if isinstance(step.result, Failed):
        return "failed"
    if step.over:
        return "refused: the review was over"
    return _REFUSED.get(step.answer.kind, "")


def _judgements(review: AuditedReview) -> Markup:
    rows = []
    judging: AttestRequest | None = None
    for step in review.steps:
        event = step.recorded.event
        if isinstance(event, AttestRequest):
            judging = event
        elif isinstance(event, RetractRequest):
            rows.append(_retraction(step, event))
            continue
        elif not isinstance(event, Judged | Failed) or step.check:
            continue
        if judging is not None and step.answer.kind is not AnswerKind.JUDGE:
            rows.append(_judgement(step, judging))
    return table(
        "Attestations and retractions, in order",
        ("entry", "condition", "judgement", "by whom", "quote", "what became of it"),
        rows,
    )


def _judgement(step: ReviewStep, asked: AttestRequest) -> tuple[Markup, ...]:
    reason = f": {step.answer.reason}" if step.answer.reason else ""
    return (
        said(str(step.written.sequence)),
        code(asked.atom),
        said("true" if asked.value else "false"),
        stated(f"{asked.attester.kind.value} {asked.attester.name}"),
        _quoted(asked.quote),
        said(f"{step.answer.kind.value}{reason}"),
    )


def _retraction(step: ReviewStep, asked: RetractRequest) -> tuple[Markup, ...]:
    return (
        said(str(step.written.sequence)),
        code(asked.atom),
        said("withdrawn"),
        stated(f"{asked.attester.kind.value} {asked.attester.name}"),
        said("-"),
        said(step.answer.kind.value),
    )


def _history(review: AuditedReview) -> Markup:
    return table(
        f"All entries; charged are calls, of {number(review.budget)}",
        ("entry", "time", "what was asked or answered", "answer", "charged", "charged so far"),
        (
            (
                said(str(step.written.sequence)),
                said(step.written.time),
                _asked(step.recorded.event),
                _answered(step),
                said(number(step.answer.charged)),
                said(number(step.spent)),
            )
            for step in review.steps
        ),
    )


def _answered(step: ReviewStep) -> Markup:
    subject = Markup(said(" ") + code(step.answer.subject)) if step.answer.subject else NOTHING
    reason = said(f": {step.answer.reason}") if step.answer.reason else NOTHING
    return Markup(said(step.answer.kind.value) + subject + reason)


def _asked(event: Event) -> Markup:  # noqa: PLR0911, C901 -- one line for each kind
    match event:
        case CheckRequest(check, candidate):
            place = Markup(said(" at ") + stated(candidate)) if candidate else NOTHING
            return Markup(said("check ") + stated(check) + place)
        case AttestRequest(atom, value):
            return Markup(said(f"attest {'true' if value else 'false'} of ") + stated(atom))
        case RetractRequest(atom):
            return Markup(said("retract ") + stated(atom))
        case RefreshRequest(check, digest):
            return Markup(said("refresh ") + stated(check) + said(" to ") + stated(digest))
        case ReportRequest(conclusion):
            return Markup(said("report ") + stated(conclusion))
        case CloseRequest(complete):
            return said("close, and complete" if complete else "close")
        case OtherRequest(text):
            return Markup(said("something else: ") + stated(text))
        case Resolved() | Read():
            return said("the check's result")
        case Judged(value):
            return said(f"the second judge: {'it holds' if value else 'it does not hold'}")
        case Failed(reason):
            return Markup(said("no usable answer: ") + stated(reason))
    return said("stop")


def review_terms(review: AuditedReview) -> Markup:
    """Return the facts of a review: what it was about, under what, and what it cost."""
    outcome = review.outcome
    pairs: list[tuple[str, Markup]] = []
    if review.record:
        pairs.append(("record", stated(review.record)))
    pairs.append(("conclusion", conclusion_of(review)))
    if review.commitment is not None:
        pairs.append(("program", code(review.commitment.sha256)))
    if review.steps:
        pairs.append(
            ("charged", said(f"{number(review.steps[-1].spent)} of {number(review.budget)} calls"))
        )
    if outcome is not None and not review.findings:
        pairs.append(("how it ended", said(_ENDINGS[outcome.ending.value])))
        certified = "holds, by the independent checker" if review.certified else "none"
        pairs.append(("certificate", said(certified)))
    return terms(pairs)

"""One episode by the book: 3 conclusions, 4 atoms, 1 conflict and 1 retraction, as in the paper.

What each request must lead to is written down here by hand; the bookkeeper follows as well.
"""

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Final, NamedTuple

from licet import (
    Answer,
    AnswerKind,
    Atom,
    Attester,
    AttesterKind,
    AttestRequest,
    Check,
    CheckRequest,
    Conclusion,
    InvariantViolation,
    Program,
    ReportRequest,
    RetractRequest,
    Review,
    Specification,
    Value,
    commit,
)

from ..adversary.cases import Case
from .battery import Figures
from .books import Books
from .problems import PlainCheck, Problem, problem_of
from .witness import OTHER, Witness

ALICE: Final = Attester("alice", AttesterKind.PERSON)
TEXT: Final = "A crash in libfoo 1.2 was reported on 2024-02-29; no fix is planned."
QUOTE: Final = "crash in libfoo 1.2"
ROUTES: Final[Mapping[str, tuple[str, ...]]] = {
    "described": ("package",),
    "triage": ("package", "named", "rated"),
    "fix": ("package", "named", "rated", "release"),
}
TRUTH: Final[Mapping[str, bool]] = {"package": True, "rated": True, "release": False}
BUDGET: Final = 20


class Step(NamedTuple):
    """A request, and what must come of it: the answer, and what is authorized then."""

    asked: CheckRequest | AttestRequest | RetractRequest | ReportRequest
    kind: AnswerKind
    authorized: tuple[str, ...]


_ONE: Final = ("described",)
_TWO: Final = ("described", "triage")
SCRIPT: Final = (
    Step(ReportRequest("fix"), AnswerKind.UNAUTHORIZED, ()),
    Step(CheckRequest("package"), AnswerKind.RECORDED, _ONE),
    Step(ReportRequest("described"), AnswerKind.HELD, _ONE),
    Step(AttestRequest("named", True, QUOTE), AnswerKind.REJECTED, _ONE),
    Step(CheckRequest("text"), AnswerKind.RECORDED, _ONE),
    Step(AttestRequest("named", True, QUOTE), AnswerKind.RECORDED, _ONE),
    Step(CheckRequest("rated"), AnswerKind.RECORDED, _TWO),
    Step(AttestRequest("named", False, QUOTE, ALICE), AnswerKind.RECORDED, _ONE),
    Step(ReportRequest("triage"), AnswerKind.UNAUTHORIZED, _ONE),
    Step(RetractRequest("named", ALICE), AnswerKind.RETRACTED, _TWO),
    Step(ReportRequest("triage"), AnswerKind.HELD, _TWO),
    Step(CheckRequest("release"), AnswerKind.RECORDED, _TWO),
    Step(ReportRequest("fix"), AnswerKind.UNAUTHORIZED, _TWO),
    Step(ReportRequest("triage"), AnswerKind.ACCEPTED, _TWO),
)


def scripted_problem() -> Problem:
    """Return the program of the episode."""
    atoms = ("package", "named", "rated", "release")
    names = tuple(ROUTES)
    specification = Specification(
        tuple(
            Conclusion(name, f"The advisory is at {name}.", 10 * place)
            for place, name in enumerate(names, start=1)
        ),
        tuple(Atom(atom, f"{atom} is given") for atom in atoms),
        tuple(Check(atom, (atom,)) for atom in atoms),
    )
    program = Program.of({name: [route] for name, route in ROUTES.items()})
    case = Case(
        commit(specification, program),
        names,
        {name: frozenset(names[place:]) for place, name in enumerate(names)},
        {name: (frozenset((atom, True) for atom in route),) for name, route in ROUTES.items()},
        atoms,
        {atom: (atom,) for atom in atoms},
        dict.fromkeys(atoms, Fraction(1)),
    )
    checks = {
        "package": PlainCheck(("package",), Fraction(1)),
        "text": PlainCheck(("named",), Fraction(1), text=True),
        "rated": PlainCheck(("rated",), Fraction(1)),
        "release": PlainCheck(("release",), Fraction(1)),
    }
    return problem_of(case, checks, (), {"text": TEXT})


def run_script() -> Figures:
    """Run the episode and return what is objected to."""
    figures = Figures()
    witness = Witness(Books(scripted_problem(), Fraction(BUDGET)))

    def resolve(check: Check) -> Mapping[str, Value] | str:
        given = TEXT if check.identifier == "text" else {a: TRUTH[a] for a in check.settles}
        witness.books.sees_call(check, given)
        return given

    review = Review(witness.books.problem.commitment, resolve, budget=BUDGET)
    for step in SCRIPT:
        if review.over:
            witness.objects(OTHER, f"the review is over before {step.asked}")
            break
        _take(step, review, witness)
        figures.counts["requests"] += 1
    with suppress(InvariantViolation):  # the outcome is asked for below, and would say so again
        review.close()
    witness.sees_outcome(review)
    figures.counts["episodes"] += 1
    figures.objected("script", witness)
    return figures


def _take(step: Step, review: Review, witness: Witness) -> None:
    """Make one request, and hold its answer to the script and to the books."""
    expected = witness.expects(step.asked) if isinstance(step.asked, ReportRequest) else None
    answer = _answer(step, review)
    match step.asked, expected:
        case ReportRequest() as report, AnswerKind() as kind:
            witness.sees_report(report, kind, answer)
        case AttestRequest() as attested, _:
            witness.sees_attestation(attested, answer)
        case RetractRequest() as retracted, _:
            witness.sees_retraction(retracted, answer)
    witness.sees_state(review)
    if (answer.kind, review.authorized) != (step.kind, step.authorized):
        came = f"{answer.kind.value}, then authorized {review.authorized}"
        witness.objects(OTHER, f"{step.asked} was {came}")


def _answer(step: Step, review: Review) -> Answer:
    match step.asked:
        case AttestRequest(atom, value, quote, who):
            return review.attest(atom, value, quote, who)
        case RetractRequest(atom, who):
            return review.retract(atom, who)
        case asked:
            return review.request(asked)

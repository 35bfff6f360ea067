"""The kinds of failure that gates show in the field, each as a property of this one.

The kinds about records (presence, dates, duplicate keys) belong to the records binding. A decision
that is cited by its number stands in docs/decisions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from licet import (
    AnswerKind,
    Certificate,
    Check,
    CheckRequest,
    Conclusion,
    InvalidInput,
    Ledger,
    Observation,
    Program,
    Request,
    Review,
    Route,
    State,
    StopRequest,
    Unavailable,
    replay,
)
from licet.compiled import bits
from licet.decisions import authorized as authorized_mask
from licet.ledger import settle

from .adversaries import Scripted
from .decisions_agree import Moment, moments
from .expect import SAMPLED, expect
from .generators import ANY_COSTS, Case, Item, case_from, case_of, cases, drafts, listed_anyhow
from .independent import Evidences
from .misbehaviours import Answer, misbehaviours


def authorized(case: Case, ledger: Evidences) -> frozenset[str]:
    """Return what the kernel authorizes on a ledger."""
    program = case.commitment.compiled
    records = tuple(
        Certificate(e.atom, e.check, "")
        if e.value is None
        else Observation(e.atom, e.value, e.check)
        for e in ledger
    )
    mask = authorized_mask(program, settle(program, Ledger(records)))
    return frozenset(program.conclusions[bit] for bit in bits(mask))


def a_failed_check_is_never_a_pass() -> None:
    """A check that raises, answers nonsense or leaves an atom out is charged and forgotten.

    Every misbehaviour is tried on checks of one, two and three atoms: nothing is established, the
    next call of the check runs again, and when it answers at last, that counts.

    Source: decision 0006, on calls that fail; a check that fails opens many a gate.
    """
    for atoms in (("a",), ("a", "b"), ("a", "b", "c")):
        case = case_from({"ready": [list(atoms)]}, atoms, (Check("all", atoms),))
        for answer in misbehaviours(atoms):
            _fail_then_answer(case, atoms, answer)


def _fail_then_answer(case: Case, atoms: Sequence[str], answer: Answer) -> None:
    resolver = Scripted(case, {"all": (answer, answer, dict.fromkeys(atoms, True))})
    review = Review(case.commitment, resolver, budget=9)
    for spent in (1, 2):
        said = review.check("all")
        expect(said.kind is AnswerKind.FAILED, answer, "got", said)
        expect(said.charged == 1 and review.spent == spent, answer, "cost", review.spent)
        expect(bool(said.reason) and not said.values, answer, "got", said)
        expect(not review.authorized, answer, "authorized", review.authorized)
        expect(all(review.state(atom) is State.UNKNOWN for atom in atoms), answer, "settled")
    expect(review.check("all").kind is AnswerKind.RECORDED, "the third call did not run")
    expect(review.authorized == ("ready",), review.authorized)


def an_interrupted_check_is_charged_and_forgotten() -> None:
    """An interrupt leaves the kernel, but the call that it cut off has failed and is recorded.

    The review goes on as after any failed call, an interrupted completion with what is left of it,
    and the history replays.

    Source: decision 0006, on calls that fail: nothing half-done is believed.
    """
    case = case_from({"described": [["a"]], "ready": [["a", "b"]]}, ["a", "b"])
    calls: list[str] = []

    def interrupted_once(check: Check) -> Mapping[str, bool]:
        calls.append(check.identifier)
        if calls.count(check.identifier) == 1:
            raise KeyboardInterrupt
        return dict.fromkeys(check.settles, True)

    review = Review(case.commitment, interrupted_once, budget=6)
    asked: list[Request] = [
        CheckRequest("a"),
        CheckRequest("a"),
        *[StopRequest()] * 4,
        StopRequest(),
    ]
    interrupted = [_is_interrupted(review, each) for each in asked]
    # The fourth stop starts completion, whose only check is interrupted; the fifth finds the end.
    expect(interrupted == [True, False, False, False, False, True, False], interrupted)
    expect(calls == ["a", "a", "b"], "ran", calls)
    expect(review.spent == 3, review.spent)
    expect(review.authorized == ("described",), review.authorized)
    events = [entry.event for entry in review.history]
    again = replay(case.commitment, 6, True, events)
    expect(again == review.outcome, again, "is not", review.outcome)


def _is_interrupted(review: Review, asked: Request) -> bool:
    try:
        review.request(asked)
    except KeyboardInterrupt:
        return True
    return False


def an_outage_is_told_from_a_refusal() -> None:
    """A check that failed, one that found nothing, and one that found the contrary differ.

    Source: decision 0006, on calls that fail and on reads that establish nothing.
    """
    case = case_from({"ready": [["a"]]}, ["a"])
    told: dict[str, Answer] = {
        "outage": TimeoutError("down"),
        "unavailable": {"a": Unavailable("no such field")},
        "contrary": {"a": False},
    }
    seen = {}
    for name, answer in told.items():
        review = Review(case.commitment, Scripted(case, {"a": (answer,)}), budget=5)
        said = review.check("a")
        outcome = review.close()
        (lacking,) = outcome.unresolved
        seen[name] = (said.kind, outcome.state("a"), bool(lacking.missing), bool(lacking.blocked))
    expected = {
        "outage": (AnswerKind.FAILED, State.UNKNOWN, True, False),
        "unavailable": (AnswerKind.RECORDED, State.UNKNOWN, False, True),
        "contrary": (AnswerKind.RECORDED, State.FALSE, False, True),
    }
    expect(seen == expected, seen)


@SAMPLED
@given(moments(cases()))
def deleting_an_observation_authorizes_nothing_more(moment: Moment) -> None:
    """On a ledger without conflicts, less evidence never authorizes more.

    Source: PRIME, Equation (1), which is monotone; a rule that errs and is skipped must not allow.
    """
    said = {e.atom: e for e in moment.ledger if e.value is not None}
    ledger = [*said.values(), *(e for e in moment.ledger if e.value is None)]
    allowed = authorized(moment.case, ledger)
    for position in range(len(ledger)):
        less = authorized(moment.case, ledger[:position] + ledger[position + 1 :])
        expect(less <= allowed, "without", ledger[position], less, "not", allowed)


@st.composite
def relisted(draw: st.DrawFn) -> tuple[Case, Case]:
    """Draw a case, and the same with everything listed in another order."""
    specification, program = draw(drafts())

    def shuffled(items: Sequence[Item]) -> tuple[Item, ...]:
        return tuple(draw(listed_anyhow(items)))

    other = replace(
        specification,
        conclusions=shuffled(specification.conclusions),
        atoms=shuffled(specification.atoms),
        checks=shuffled([replace(c, settles=shuffled(c.settles)) for c in specification.checks]),
        order=shuffled(specification.pairs),
    )
    routes = [
        (name, shuffled([Route(shuffled(route.literals)) for route in listed]))
        for name, listed in program.routes
    ]
    return case_of(specification, program), case_of(other, Program(shuffled(routes)))


@SAMPLED
@given(relisted(), st.data())
def the_order_of_listing_authorizes_nothing_else(
    both: tuple[Case, Case], data: st.DataObject
) -> None:
    """On one ledger, in any order of its records, Auth is the same however a program is listed.

    Source: PRIME, Equation (1), which knows no order of rules, routes or checks.
    """
    case, other = both
    ledger = data.draw(moments(st.just(case))).ledger
    again = data.draw(listed_anyhow(ledger[:6])) + list(ledger[6:])
    seen, expected = authorized(other, again), authorized(case, ledger)
    expect(seen == expected, seen, "not", expected)


NO_NUMBERS: Final[tuple[object, ...]] = (
    *(float("nan"), float("inf"), -float("inf"), -1, -0.5, True, False, None, "1", 1j, [1]),
    *(Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), Decimal(-1), Decimal("1e-100000")),
    *(Fraction(-1, 3), 10**50, 1e300, Fraction(1, 10**50)),
)


def what_is_no_number_is_refused() -> None:
    """NaN, infinities, truth values, texts and negative numbers are no cost, utility or budget.

    Zero is a cost and a budget, negative zero is zero, and neither is a utility.

    Source: decision 0003.
    """
    case = case_from({"ready": [["a"]]}, ["a"])

    def refuses(value: object) -> list[bool]:
        return [
            _is_refused(lambda: Check("a", ("a",), value)),  # type: ignore[arg-type]
            _is_refused(lambda: Conclusion("ready", "", value)),  # type: ignore[arg-type]
            _is_refused(lambda: Review(case.commitment, dict, budget=value)),  # type: ignore[arg-type]
        ]

    for value in NO_NUMBERS:
        expect(refuses(value) == [True, True, True], value, "is taken", refuses(value))
    for zero in (0, 0.0, -0.0, Decimal("-0"), Fraction(0)):
        expect(refuses(zero) == [False, True, False], zero, "is refused", refuses(zero))


def _is_refused(make: object) -> bool:
    try:
        make()  # type: ignore[operator]
    except InvalidInput:
        return True
    return False


@SAMPLED
@given(st.lists(st.sampled_from(ANY_COSTS), min_size=1, max_size=6))
def an_exact_tie_with_the_budget_is_paid(costs: list[int | float | Fraction]) -> None:
    """Checks that cost exactly the budget all run; with the least bit less, the last does not.

    Source: decision 0003; PRIME, Algorithm 1, line 6.
    """
    dear = [*costs, Fraction(1, 7)]
    atoms = [f"a{number}" for number in range(len(dear))]
    checks = tuple(Check(a, (a,), cost) for a, cost in zip(atoms, dear, strict=True))
    case = case_from({"ready": [atoms]}, atoms, checks)
    total = sum(case.paper.cost.values(), Fraction(0))
    script = {atom: ({atom: True},) for atom in atoms}
    for budget, allowed in ((total, ("ready",)), (total - Fraction(1, 10**30), ())):
        review = Review(case.commitment, Scripted(case, script), budget=budget, completion=False)
        kinds = [review.request(CheckRequest(atom)).kind for atom in atoms]
        expect(review.authorized == allowed, budget, "gave", review.authorized, kinds)
        expect(review.over and review.spent <= budget, budget, "gave", review.spent)


PROPERTIES: Final = (
    a_failed_check_is_never_a_pass,
    an_interrupted_check_is_charged_and_forgotten,
    an_outage_is_told_from_a_refusal,
    deleting_an_observation_authorizes_nothing_more,
    the_order_of_listing_authorizes_nothing_else,
    what_is_no_number_is_refused,
    an_exact_tie_with_the_budget_is_paid,
)

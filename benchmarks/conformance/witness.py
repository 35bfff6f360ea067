"""What is objected to in a review, by an independent bookkeeper: the five counters of Table 7."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from licet import (
    Answer,
    AnswerKind,
    Attester,
    AttesterKind,
    AttestRequest,
    Ending,
    InvariantViolation,
    Outcome,
    ReportRequest,
    RetractRequest,
    Review,
    State,
    Suspension,
    denote,
    render,
)

from ..adversary.cases import PlainRoute
from .books import Books, Said
from .mutations import is_exact
from .reader import Statement, found, read

MASK: Final = "mask violations"
FAIL_OPEN: Final = "conflict fail-open"
PREMATURE: Final = "premature conclusions"
STRENGTHENED: Final = "renderer strengthening"
RETRACTION: Final = "retraction failure"
COUNTERS: Final = (MASK, FAIL_OPEN, PREMATURE, STRENGTHENED, RETRACTION)

WITHHELD: Final = "authorized, but withheld"
OTHER: Final = "otherwise than by the books"
REMINDERS: Final = 3

MORE: Final = (WITHHELD, OTHER)
"""Not in the paper's table: what is refused against the definitions, and every other difference."""


@dataclass(slots=True)
class Witness:
    """Follows one review from outside.

    Attributes:
        books: what was established, by an independent account.
        objections: of every kind what was seen.
    """

    books: Books
    objections: list[tuple[str, str]] = field(default_factory=list)

    def objects(self, kind: str, detail: str) -> None:
        """Keep an objection."""
        self.objections.append((kind, detail))

    def expects(self, asked: ReportRequest) -> AnswerKind:
        """Charge a report request, and return what its answer must be.

        This is asked before the request: where it spends the budget, completion runs at once.
        """
        self.books.spent += 1
        if asked.conclusion not in self.books.authorized():
            return AnswerKind.UNAUTHORIZED
        return AnswerKind.HELD if self.books.holds() else AnswerKind.ACCEPTED

    def sees_report(self, asked: ReportRequest, expected: AnswerKind, answer: Answer) -> None:
        """Check the answer to a report request."""
        if answer.kind is expected:
            return
        detail = f"{asked.conclusion} was {answer.kind.value}, to be {expected.value}"
        if answer.kind is AnswerKind.ACCEPTED:
            self.objects(PREMATURE, detail)
        self.objects(WITHHELD if expected is AnswerKind.ACCEPTED else OTHER, detail)

    def sees_attestation(self, asked: AttestRequest, answer: Answer) -> None:
        """Check the answer to an attestation that could be paid."""
        if self.books.is_repeat(asked):
            if answer.kind is not AnswerKind.CACHED or self.books.judged_on is not None:
                self.objects(OTHER, f"the repeat of {asked} was {answer.kind.value}")
            return
        due = self.books.to_be_judged(asked)
        if self.books.judged_on != due:
            self.objects(OTHER, f"the second judge saw {self.books.judged_on}, not {due}")
        before = len(self.books.said)
        self.books.sees_attestation(asked)
        admitted = len(self.books.said) > before
        if (answer.kind is AnswerKind.RECORDED) != admitted:
            self.objects(OTHER, f"{asked} was {answer.kind.value}")

    def sees_retraction(self, asked: RetractRequest, answer: Answer) -> None:
        """Check the answer to a retraction."""
        if not self.books.withdraws(asked.atom, asked.attester):
            self.books.spent += answer.charged
            return
        self.books.sees_retraction(asked.atom, asked.attester)
        if answer.kind is not AnswerKind.RETRACTED or answer.charged:
            self.objects(RETRACTION, f"{asked} was {answer.kind.value}, for {answer.charged}")

    def sees_stop(self, held: bool, answer: Answer) -> None:
        """Check the answer to a stop, given mu before it: three times a reminder while it is 1."""
        reminded = held and self.books.reminders < REMINDERS
        self.books.reminders += reminded
        if (answer.kind is AnswerKind.REMINDED) != reminded:
            self.objects(OTHER, f"a stop was {answer.kind.value}, mu being {int(held)}")

    def sees_state(self, review: Review) -> None:
        """Check what the review holds after a request: states, authorization, charges."""
        for atom in self.books.problem.atoms:
            self._sees_atom(atom, review.state(atom))
        self._sees_authorized(review.authorized)
        if (review.spent, review.remaining) != (self.books.spent, self.books.left):
            self.objects(OTHER, f"{review.spent} spent, {self.books.spent} by count")

    def _sees_atom(self, atom: str, state: State) -> None:
        values = self.books.values(atom)
        [expected] = [
            known
            for known, held in {
                State.UNKNOWN: set(),
                State.TRUE: {True},
                State.FALSE: {False},
                State.CONFLICT: {True, False},
            }.items()
            if held == values
        ]
        if state is not expected:
            detail = f"{atom} is {state.value}, not {expected.value}"
            if expected is State.CONFLICT:
                self.objects(FAIL_OPEN, detail)
            self.objects(RETRACTION if atom in self.books.withdrawn else OTHER, detail)

    def _sees_authorized(self, names: Iterable[str]) -> None:
        given, allowed = frozenset(names), self.books.authorized()
        if given == allowed:
            return
        detail = f"{sorted(given)}, by the definition {sorted(allowed)}"
        if self.books.withdrawn and given == self.books.unwithdrawn():
            self.objects(RETRACTION, detail)
        if allowed - given:
            self.objects(WITHHELD, detail)
        self._beyond("authorized", given)

    def _beyond(self, where: str, names: Iterable[str]) -> None:
        """Object to conclusions that are not authorized."""
        beyond = frozenset(names) - self.books.authorized()
        if beyond:
            self.objects(MASK, f"{where}: {sorted(beyond)}")
        if beyond & self.books.fails_open():
            self.objects(FAIL_OPEN, f"{where}: {sorted(beyond & self.books.fails_open())}")

    def sees_outcome(self, review: Review) -> Outcome | None:
        """Check what a review ended with, and its report; return it.

        An outcome or a report that the kernel refuses to make is None: it reports nothing.
        """
        try:
            outcome = review.outcome
            text = render(outcome)
        except InvariantViolation as refusal:
            self.objects(OTHER, f"refused: {refusal}")
            return None
        self._sees_authorized(outcome.authorized)
        self._beyond("reported", outcome.conclusions)
        early = frozenset(outcome.conclusions) - self.books.authorized()
        if early:
            self.objects(PREMATURE, f"reported: {sorted(early)}")
        if outcome.ending is not Ending.ACCEPTED:
            self._sees_maximal(outcome.conclusions)
        for support in outcome.supports:
            self._sees_support(frozenset((p.atom, p.positive) for p in support.route.literals))
        if outcome.utility != self._utility(outcome.conclusions):
            self.objects(OTHER, f"{outcome.conclusions} are worth {outcome.utility}")
        self._sees_suspension(outcome.suspension)
        self._sees_text(outcome, text)
        return outcome

    def _sees_maximal(self, reported: Iterable[str]) -> None:
        allowed = self.books.authorized()
        above = self.books.problem.at_or_above
        best = {c for c in allowed if not allowed & (above[c] - {c})}
        if set(reported) != best:
            self.objects(OTHER, f"{sorted(reported)} are reported, {sorted(best)} are maximal")

    def _utility(self, reported: Iterable[str]) -> Fraction:
        return max((self.books.problem.utility[c] for c in reported), default=Fraction(0))

    def _sees_suspension(self, suspension: Suspension | None) -> None:
        """Check that statuses are suspended at bottom alone, and which attestations are exposed.

        None are where the checks contradict the constraints by themselves.
        """
        if (suspension is None) != (self.books.closure() is not None):
            self.objects(OTHER, f"suspension: {suspension}")
        if suspension is None:
            return
        exposed = {Said(a.atom, a.value, a.attester, a.quote) for a in suspension.attestations}
        if (
            not exposed <= set(self.books.said)
            or bool(exposed) != self.books.judgements_contradict()
        ):
            self.objects(OTHER, f"exposed: {exposed}")

    def _sees_support(self, route: PlainRoute) -> None:
        missing = route - (self.books.closure() or frozenset())
        if missing:
            self.objects(MASK, f"supported by {sorted(missing)}")
        if {atom for atom, _ in missing} & self.books.conflicting():
            self.objects(FAIL_OPEN, f"supported by {sorted(missing)}")

    def _sees_text(self, outcome: Outcome, text: str) -> None:
        """Check a report: what it asserts, and what it says that this rests on."""
        beyond = denote(text) - self.books.authorized()
        if beyond:
            self.objects(STRENGTHENED, f"denoted: {sorted(beyond)}")
        if not is_exact(outcome, text):
            self.objects(STRENGTHENED, "the report is not what the outcome says")
            return
        statements = read(text)
        if set(found(statements)) - self.books.authorized():
            self.objects(STRENGTHENED, f"asserted: {sorted(found(statements))}")
        for statement in statements:
            if not self._is_borne_out(statement):
                self.objects(STRENGTHENED, f"not borne out: {statement}")

    def _is_borne_out(self, statement: Statement) -> bool:
        """Return whether the books have what a line of a finding says, and from where."""
        template, _, negated = statement.template.partition(", ")
        if template not in ("established", "judged", "implied"):
            return True
        atom, value = statement.slot("atom"), not negated
        if (atom, value) not in (self.books.closure() or ()):
            return False
        said = [one for one in self.books.said if one.atom == atom]
        if template == "implied":
            return not said
        if template == "established":
            return any((o.value, o.source) == (value, statement.slot("check")) for o in said)
        kind = AttesterKind[statement.slot("kind").upper()]
        who = Attester(statement.slot("attester"), kind)
        truth = statement.slot("truth") == "true"
        return truth is value and any((o.value, o.source) == (value, who) for o in said)

"""The independent check: its own ledger, its own authorization, its own accounts, its own reading.

Everything here works on names and sets. Of the kernel it reads only what the kernel hands out:
answers, outcomes, texts. It shares no code with the decisions, the ledger or the renderer.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from licet import (
    Answer,
    AnswerKind,
    Certificate,
    Ending,
    Entry,
    Observation,
    Outcome,
    Review,
    Value,
)

from .cases import Case, PlainRoute

_QUOTED: Final = re.compile(r'"[^"\n]*"')
_BRACKETED: Final = re.compile(r"\[([^\[\]]*)\]")
_ABSTENTION: Final = "No conclusion is authorized by the recorded checks."
_CLAIM: Final = re.compile(r"\bis (?:reported|authorized)\b")
_REPORTS: Final = frozenset({AnswerKind.UNAUTHORIZED, AnswerKind.HELD, AnswerKind.ACCEPTED})


@dataclass(frozen=True, slots=True)
class Violation:
    """Something that must never be seen: its kind, and what was seen."""

    kind: str
    detail: str


class Witness:
    """Follows one review from outside, and keeps what it objects to.

    Attributes:
        violations: what must never be seen.
        refused: what was established and yet refused or left unsaid, by kind.
    """

    def __init__(self, case: Case, budget: Fraction) -> None:
        """Begin with nothing observed and nothing spent."""
        self._case = case
        self._budget = budget
        self._spent = Fraction(0)
        self._observed: Counter[tuple[str, str, bool | None]] = Counter()
        self._values: dict[str, set[bool]] = {}
        self._authorized: frozenset[str] = frozenset()
        # Before the request: completion may establish more after a report was refused.
        self._before: frozenset[str] = frozenset()
        self.violations: list[Violation] = []
        self.refused: Counter[str] = Counter()

    @property
    def conflicts(self) -> int:
        """How many atoms have been observed both true and false."""
        return sum(len(values) == 2 for values in self._values.values())

    def objects(self, kind: str, detail: str) -> None:
        """Keep a violation."""
        self.violations.append(Violation(kind, detail))

    def charge(self, cost: Fraction) -> None:
        """Put down what a call or a request costs."""
        self._spent += cost

    def sees_values(self, check: str, values: Mapping[str, Value]) -> None:
        """Put down a usable answer of a resolver."""
        for atom, value in values.items():
            known = value if isinstance(value, bool) else None
            self._observed[atom, check, known] += 1
            if known is not None:
                self._values.setdefault(atom, set()).add(known)
        self._authorized = self._authorize()

    def sees_budget(self, remaining: Fraction) -> None:
        """Object to a negative budget, by the kernel's accounts or by these."""
        if remaining < 0 or self._spent > self._budget:
            self.objects("negative budget", f"{remaining} left, {self._spent} spent by count")

    def sees_answer(self, review: Review, answer: Answer) -> None:
        """Check what a request led to."""
        self._charge_for(answer)
        self.sees_budget(review.remaining)
        # A turn without a request does nothing, not even go on with an interrupted completion.
        by_count = (self._spent, self._budget - self._spent)
        if answer.kind is not AnswerKind.IGNORED and (review.spent, review.remaining) != by_count:
            self.objects("wrong charge", f"{review.spent} spent, {self._spent} by count")
        if answer.kind is AnswerKind.ACCEPTED:
            self._within("accepted", [answer.subject])
        if answer.kind is AnswerKind.UNAUTHORIZED:
            self.refused["refused though authorized"] += answer.subject in self._before
        if frozenset(review.authorized) != self._authorized:
            self.objects(
                "authorized", f"{review.authorized}, by the definition {set(self._authorized)}"
            )
        self._before = self._authorized

    def sees_interruption(self, review: Review, entries: Iterable[Entry]) -> None:
        """Check what is known of a request whose answer was lost to an interruption.

        The call that an interrupted completion has already been charged for is still to come, so
        the accounts are compared only after the next request.
        """
        for entry in entries:
            self._charge_for(entry.answer)
        self.sees_budget(review.remaining)
        self._before = self._authorized

    def sees_outcome(self, outcome: Outcome) -> None:
        """Check what a review ended with."""
        self._within("reported", outcome.conclusions)
        self._within("supported", (support.conclusion for support in outcome.supports))
        if frozenset(outcome.authorized) != self._authorized:
            self.objects(
                "authorized", f"{outcome.authorized}, by the definition {set(self._authorized)}"
            )
        for support in outcome.supports:
            route = frozenset((p.atom, p.positive) for p in support.route.literals)
            if not self._holds(route):
                self.objects("supported", f"{support.conclusion} by {support.route}")
        if not self._strongest <= frozenset(outcome.conclusions):
            chosen = outcome.ending is Ending.ACCEPTED
            self.refused["less said by the agent's choice" if chosen else "left unsaid"] += 1
        if self._recorded(outcome) != self._observed:
            self.objects("ledger", "it holds something else than the resolvers answered")
        if outcome.spent != self._spent or outcome.spent > outcome.budget:
            self.objects("wrong charge", f"{outcome.spent} spent, {self._spent} by count")

    def sees_text(self, text: str, denoted: frozenset[str], reported: frozenset[str]) -> None:
        """Check a rendered text: what it denotes, and what a reader finds in it without `denote`.

        A reader takes any bracketed name for a finding, and any line, whatever ends it, that says
        outside quotes that something is reported or authorized.
        """
        self._within("denoted", denoted)
        self.refused["left out of the text"] += not denoted >= reported
        self._within("bracketed in the text", _BRACKETED.findall(text))
        for line in text.splitlines():
            if line != _ABSTENTION and _CLAIM.search(_QUOTED.sub("", line)):
                claimed = _BRACKETED.match(line)
                self._within("claimed in the text", [claimed[1] if claimed else line])

    def _charge_for(self, answer: Answer) -> None:
        """Put down what a request costs; calls are put down where they are made."""
        if answer.kind in _REPORTS:
            self.charge(Fraction(1))
        elif answer.kind is AnswerKind.UNRECOGNIZED:
            self.charge(answer.charged)
            if answer.charged not in (0, 1):
                self.objects("wrong charge", f"{answer.charged} for an unrecognized request")

    def _within(self, kind: str, conclusions: Iterable[str]) -> None:
        # Copied character by character: a name may be compared as if it were another.
        names = ["".join(iter(name)) for name in conclusions]
        beyond = [name for name in names if name not in self._authorized]
        if beyond:
            self.objects(kind, f"{beyond}, authorized are {sorted(self._authorized)}")

    def _authorize(self) -> frozenset[str]:
        """Equation (1): a route of it, or of a stronger conclusion, is established."""
        own = {c for c in self._case.conclusions if any(map(self._holds, self._case.routes[c]))}
        return frozenset(c for c in self._case.conclusions if self._case.at_or_above[c] & own)

    @property
    def _strongest(self) -> frozenset[str]:
        above = self._case.at_or_above
        return frozenset(c for c in self._authorized if above[c] & self._authorized == {c})

    def _holds(self, route: PlainRoute) -> bool:
        return all(self._values.get(atom) == {polarity} for atom, polarity in route)

    @staticmethod
    def _recorded(outcome: Outcome) -> Counter[tuple[str, str, bool | None]]:
        recorded: Counter[tuple[str, str, bool | None]] = Counter()
        for record in outcome.ledger.records:
            match record:
                case Observation(atom, value, check):
                    recorded[atom, check, value] += 1
                case Certificate(atom, check, _):
                    recorded[atom, check, None] += 1
        return recorded

"""How a program fares on records with known answers: coverage, agreement, unsupported conclusions.

Source: PRIME, appendix F, "Summary" and "Scoring against the tracker".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Final, NamedTuple

from licet import Certificate, InvalidInput, Number, Outcome
from licet.compiled import bits
from licet_bindings.choosing.answers import Labelled
from licet_bindings.documents import ReviewDocument, commit_document
from licet_bindings.policies import LOCATOR, in_order
from licet_bindings.reviewing import budget_of, cost_of_all_checks, policy_for, review_record

DEFAULT_POLICY: Final = "ceiling"
"""The policy of appendix F's figures: ceiling targeting."""

_CERTAINTY: Final = 0.95


class Case(NamedTuple):
    """What a program states on one record, and what is right.

    Attributes:
        record: the record's name.
        stated: the conclusions that the policy's review reports; empty where it abstains.
        supported: what all checks together support: MaxAuth of the full evidence.
        answer: the conclusions that are right.
        unsupported: those of `stated` that are at or below none of `answer`.
        unavailable: the atoms whose reads established nothing, with all checks run.
    """

    record: str
    stated: frozenset[str]
    supported: frozenset[str]
    answer: frozenset[str]
    unsupported: frozenset[str]
    unavailable: frozenset[str]


@dataclass(frozen=True, slots=True)
class Score:
    """The figures of a program on records with known answers.

    Every share is of all records: one on which nothing is stated counts, as an abstention.

    Attributes:
        cases: one for each record, in order.
        utilities: the utility of each conclusion.
    """

    cases: tuple[Case, ...]
    utilities: Mapping[str, Fraction]

    @property
    def records(self) -> int:
        """How many records there were."""
        return len(self.cases)

    @property
    def stated(self) -> int:
        """On how many records something is stated; over all of them, this is coverage."""
        return sum(bool(case.stated) for case in self.cases)

    @property
    def unsupported(self) -> int:
        """On how many records something stated is stronger than what is right."""
        return sum(bool(case.unsupported) for case in self.cases)

    @property
    def agreeing(self) -> int:
        """On how many records all checks together support exactly what is right."""
        return sum(case.supported == case.answer for case in self.cases)

    @property
    def agreeing_stated(self) -> int:
        """On how many of the records with something stated that is exactly what is right."""
        return sum(bool(case.stated) and case.stated == case.answer for case in self.cases)

    @property
    def utility(self) -> Fraction:
        """The mean utility of what is stated; 0 for an abstention, and for what is unsupported."""
        return sum(map(self._utility, self.cases), Fraction(0)) / self.records

    @property
    def pairs(self) -> Counter[tuple[frozenset[str], frozenset[str]]]:
        """How many records have which answer and which conclusions stated."""
        return Counter((case.answer, case.stated) for case in self.cases)

    @property
    def unavailable(self) -> Counter[str]:
        """On how many records the read of which atom establishes nothing."""
        return Counter(atom for case in self.cases for atom in case.unavailable)

    def _utility(self, case: Case) -> Fraction:
        if case.unsupported or not case.stated:
            return Fraction(0)
        return max(self.utilities[name] for name in case.stated)


def score_program(
    document: ReviewDocument,
    records: Iterable[Labelled],
    *,
    budget: Number | None = None,
    policy: str = DEFAULT_POLICY,
    seed: int = 0,
) -> Score:
    """Review records with known answers and return how what is stated compares with them.

    No text is judged: a program with conditions on texts is scored without them.

    Args:
        document: the program.
        records: records with known answers; there must be one.
        budget: calls that each review has; None takes the document's.
        policy: chooses the checks, by name; `policies.DESCRIPTIONS` has them.
        seed: for a policy that draws.

    Raises:
        InvalidInput: a setting is not what it should be, or there is no record.
    """
    calls = budget_of(document) if budget is None else budget
    chosen = policy if policy == LOCATOR else policy_for(document, policy, calls, seed)
    everything = cost_of_all_checks(commit_document(document))
    cases = []
    for record in records:
        stated = review_record(document, record.content, budget=calls, policy=chosen).outcome
        full = review_record(
            document, record.content, budget=everything, policy=in_order, completion=False
        ).outcome
        cases.append(_case(document, record, stated, full))
    if not cases:
        raise InvalidInput("records", "expected at least one with a known answer, found none")
    utilities = {c.identifier: Fraction(c.utility) for c in document.specification.conclusions}
    return Score(tuple(cases), utilities)


def wilson_interval(count: int, total: int) -> tuple[float, float]:
    """Return the 95% interval of Wilson's for a share.

    Args:
        count: how often it was so.
        total: of how many, above 0.

    >>> tuple(round(100 * bound, 1) for bound in wilson_interval(70, 1999))
    (2.8, 4.4)
    """
    z = NormalDist().inv_cdf((1 + _CERTAINTY) / 2)
    share, weight = count / total, z * z / total
    middle = share + weight / 2
    half = z * math.sqrt(share * (1 - share) / total + weight / (4 * total))
    low, high = (middle - half) / (1 + weight), (middle + half) / (1 + weight)
    return (0.0 if count == 0 else low, 1.0 if count == total else high)


def _case(document: ReviewDocument, record: Labelled, stated: Outcome, full: Outcome) -> Case:
    program = commit_document(document).compiled
    right = 0
    for name in record.answer:
        if name not in program.conclusions:
            raise InvalidInput("answer", f"{record.name}: no conclusion is named {name!r}")
        right |= program.at_or_below[program.conclusions.index(name)]
    supported_names = {program.conclusions[index] for index in bits(right)}
    reported = frozenset(stated.conclusions)
    unavailable = (r.atom for r in full.ledger.standing if isinstance(r, Certificate))
    return Case(
        record.name,
        reported,
        frozenset(full.conclusions),
        record.answer,
        reported - supported_names,
        frozenset(unavailable),
    )

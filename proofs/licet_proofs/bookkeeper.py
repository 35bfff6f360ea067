"""A second bookkeeper of a gate's episode: what its reports come to, by the rules on the page.

Written from docs/gate.md and decision 0010, and shares nothing with the gate but the objects that
it decides about. It keeps every report as it was made, and derives everything anew whenever it is
asked: which of them bear on a candidate, which of these were possible, what they invalidate, what
is left. Beliefs are weighed over all hidden states, in exact rationals.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from licet import Candidate, DecisionKind, Observed, Verifier

from . import independent_gate as paper

LEAST, MOST = Fraction(1, 100), Fraction(99, 100)
"""Error probabilities below and above are taken for these (AMV, appendix B.2)."""

STOP, GREEDY, TWO_STEP = "stop", "greedy", "two-step"
"""The policies that it knows."""
POLICIES: Final = (STOP, GREEDY, TWO_STEP)

Answer: TypeAlias = tuple[Verifier, bool]
"""Who answered, with the rates that it had then, and whether it refuted."""
Cut: TypeAlias = tuple[str, bool | None]
"""A report that an interrupt cut off."""


class Report(NamedTuple):
    """A report as it was made: about which candidate, by whom, and what became of it."""

    candidate: Candidate
    verifier: Verifier
    refutes: bool | None
    observed: Observed


class KeptInPart(ValueError):
    """A candidate keeps some of the claims that an answer was about, and not the others."""


class Expected(NamedTuple):
    """What a decision must say."""

    kind: DecisionKind
    verifier: str | None
    premise: str | None
    expected_loss: Fraction
    harm_probability: Fraction
    stopping_value: Fraction
    admissible: bool
    worth: dict[str, Fraction]
    evidence: list[tuple[str, int, int]]
    budget: Fraction


@dataclass(slots=True)
class Tally:
    """What the reports that bear on a candidate come to.

    Attributes:
        candidate: with its error probabilities clipped.
        uses: what may still be asked of each of its verifiers.
        charged: the possible answers that were charged; the belief rests on these.
        heard: these, and the refused ones that make proceeding look worse.
        contradicted: whether an answer was impossible.
        rejected: the required premise that was invalidated first, if one was.
    """

    candidate: Candidate
    uses: dict[str, int]
    charged: list[Answer] = field(default_factory=list)
    heard: list[Answer] = field(default_factory=list)
    contradicted: bool = False
    rejected: str | None = None

    def weights(self, answers: Iterable[Answer]) -> paper.Distribution:
        """Return Pr(z, answers) for every hidden state in which they are possible."""
        joint = paper.prior(self.candidate)
        for verifier, refutes in answers:
            joint = {z: p * paper.likelihood(verifier, refutes, z) for z, p in joint.items()}
        return {state: weight for state, weight in joint.items() if weight}

    def belief(self, answers: Iterable[Answer]) -> paper.Distribution:
        """Return the posterior given answers that are possible together."""
        joint = self.weights(answers)
        total = sum(joint.values())
        return {state: weight / total for state, weight in joint.items()}

    def hear(self, answer: Answer, observed: Observed) -> None:
        """Take an answer as evidence; a refused one only against proceeding."""
        if not self.contradicted:
            together = [*self.heard, answer]
            if self.weights(together):
                self.reject(together)
                if observed is not Observed.REFUSED or self._looks_worse(together):
                    self.heard = together
            else:
                self.contradicted = True
        if observed is not Observed.REFUSED and self.weights([*self.charged, answer]):
            self.charged.append(answer)
            self.reject(self.charged)

    def _looks_worse(self, together: Sequence[Answer]) -> bool:
        before, after = self.belief(self.heard), self.belief(together)
        return any(
            judged(self.candidate, after) > judged(self.candidate, before)
            for judged in (paper.risk, paper.harm)
        )

    def reject(self, answers: Sequence[Answer]) -> None:
        """Reject the candidate where the answers bring a required premise to rho; it stays so."""
        rho = self.candidate.loss.invalidation
        if self.rejected is None and rho is not None:
            belief = self.belief(answers)
            for premise in self.candidate.premises:
                violated = sum(p for z, p in belief.items() if paper.is_violated(premise, z))
                if premise.required and violated >= paper.number(rho):
                    self.rejected = premise.identifier
                    return

    def evidence(self) -> list[tuple[str, int, int]]:
        """Return how often each verifier supported and refuted; other rates, another line."""
        counts: dict[tuple[str, object], tuple[int, int]] = {}
        for verifier, refutes in self.charged:
            rates = (paper.number(verifier.sensitivity), paper.number(verifier.specificity))
            key = (verifier.identifier, (frozenset(verifier.covers), rates))
            supported, refuted = counts.get(key, (0, 0))
            counts[key] = (supported + (not refutes), refuted + refutes)
        return sorted((name, *pair) for (name, _), pair in counts.items())


@dataclass(slots=True)
class Books:
    """Everything that happened in an episode, as it was told.

    Attributes:
        granted: the budget of the episode.
        candidates: every candidate, the present one last.
        reports: every report that was taken.
        cut_off: every report that was cut off and has not come again.
    """

    granted: Fraction
    candidates: list[Candidate]
    reports: list[Report] = field(default_factory=list)
    cut_off: list[Cut] = field(default_factory=list)

    @property
    def candidate(self) -> Candidate:
        """The present candidate."""
        return self.candidates[-1]

    @property
    def left(self) -> Fraction:
        """What is left of the budget: each report costs what it cost when it was made."""
        charged = (r.verifier for r in self.reports if r.observed is not Observed.REFUSED)
        return self.granted - sum((paper.number(q.cost) for q in charged), Fraction(0))

    def replan(self, candidate: Candidate) -> None:
        """Take a new candidate.

        Raises:
            KeptInPart: it keeps claims in part; the earlier one stays.
        """
        self.tally(candidate)
        self.candidates.append(candidate)

    def report(self, name: str, refutes: bool | None) -> Observed:
        """Take a report about the present candidate, by one of its verifiers."""
        verifier = next(q for q in self.candidate.verifiers if q.identifier == name)
        tally = self.tally(self.candidate)
        if tally.uses[name] == 0 or paper.number(verifier.cost) > self.left:
            observed = Observed.REFUSED
        elif refutes is None:
            observed = Observed.FAILED
        elif tally.weights([*tally.charged, (verifier, refutes)]):
            observed = Observed.RECORDED
        else:
            observed = Observed.CONTRADICTION
        self.reports.append(Report(self.candidate, verifier, refutes, observed))
        self.cut_off = [cut for cut in self.cut_off if cut != (name, refutes)]
        return observed

    def interrupted(self, name: str, refutes: bool | None) -> None:
        """Note that a report was cut off: nothing was taken, and it must come again."""
        if (name, refutes) not in self.cut_off:
            self.cut_off.append((name, refutes))

    def tally(self, candidate: Candidate) -> Tally:
        """Return what all reports so far come to for a candidate.

        Raises:
            KeptInPart: see there.
        """
        errors = {c.identifier: _clipped(candidate, c.identifier) for c in candidate.claims}
        uses = {q.identifier: q.uses if q.available else 0 for q in candidate.verifiers}
        tally = Tally(paper.with_errors(candidate, errors), uses)
        for report in [r for r in self.reports if bears(r, candidate)]:
            name = report.verifier.identifier
            if report.observed is not Observed.REFUSED and name in uses:
                uses[name] = max(uses[name] - 1, 0)
            if report.refutes is not None:
                tally.hear((report.verifier, report.refutes), report.observed)
        return tally

    def decision(self, policy: str) -> Expected:
        """Return what the gate must decide, and say, under one of the known policies."""
        tally = self.tally(self.candidate)
        candidate, belief = tally.candidate, tally.belief(tally.charged)
        standing = paper.Standing(belief, tally.uses, self.left)
        asked = (
            None
            if policy == STOP
            else paper.bounded_choice(candidate, standing, policy == TWO_STEP)
        )
        alone = paper.proceeds(candidate, belief)
        bars = bool(self.cut_off) or tally.contradicted
        verifier = premise = None
        if bars:
            kind = DecisionKind.ABSTAIN
        elif tally.rejected is not None:
            kind, premise = DecisionKind.REPLAN, tally.rejected
        elif asked is not None:
            kind, verifier = DecisionKind.VERIFY, asked.identifier
        else:
            bars = alone and not paper.proceeds(candidate, tally.belief(tally.heard))
            kind = DecisionKind.PROCEED if alone and not bars else DecisionKind.ABSTAIN
        return Expected(
            kind,
            verifier,
            premise,
            paper.risk(candidate, belief),
            paper.harm(candidate, belief),
            paper.number(candidate.loss.abstain) if bars else paper.stop(candidate, belief),
            paper.is_admissible(candidate, belief) and not bars,
            {
                q.identifier: paper.value_of_information(candidate, standing, q, 0)
                for q in paper.choices(candidate, standing)
            },
            tally.evidence(),
            self.left,
        )


def bears(report: Report, candidate: Candidate) -> bool:
    """Return whether a report is about a candidate: the memories that it is about are still there.

    A memory is a claim's sentence with its error probability. An answer is about the claims that
    its verifier covers, and those that share a draw with them; a call that gave none, about the
    first alone.

    Raises:
        KeptInPart: an answer is about some that are kept, with their draw, and others that are not.
    """
    then, covered = report.candidate, set(report.verifier.covers)
    if report.refutes is None:
        return all(_memory(candidate, name) == _memory(then, name) for name in covered)
    about = set().union(*(_together(then, name) for name in covered))
    kept = {name for name in about if _memory(candidate, name) == _memory(then, name)}
    if kept and (
        kept != about or any(about & _together(then, n) - _together(candidate, n) for n in kept)
    ):
        raise KeptInPart(f"{sorted(kept)} of {sorted(about)}")
    return bool(kept)


def _clipped(candidate: Candidate, name: str) -> Fraction:
    error = next(paper.number(c.error) for c in candidate.claims if c.identifier == name)
    return LEAST if error < LEAST else MOST if error > MOST else error


def _memory(candidate: Candidate, name: str) -> tuple[str, Fraction] | None:
    sentences = {claim.identifier: claim.sentence for claim in candidate.claims}
    return (sentences[name], _clipped(candidate, name)) if name in sentences else None


def _together(candidate: Candidate, name: str) -> set[str]:
    draws = {claim.identifier: claim.draw for claim in candidate.claims}
    return {
        other for other, draw in draws.items() if draw is not None and draw == draws.get(name)
    } | {name}

"""What review planning problems are held against, written on names.

`Brute` solves a problem without a memo, without pruning and without the kernel: every check that
can be paid is tried at every ledger.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import NamedTuple

from licet import Outcome, Review
from licet_bindings.policies import Policy, run_policy
from licet_proofs.independent import Assignment, Paper, authorized, full_ledger
from licet_proofs.review_problems import Problem


@dataclass(frozen=True)
class Brute:
    """The problem solved from its statement; the budget is exact, and 0 ends checking.

    With the budget spent, `Review` lets the agent run nothing; `completion` runs what is free. To
    model that without the target rule, checks that cost nothing may be run then, if `completion`.
    """

    problem: Problem
    regret: bool
    completion: bool = True

    @property
    def paper(self) -> Paper:
        return self.problem.case.paper

    def earned(self, known: Assignment) -> Fraction:
        allowed = authorized(self.paper, full_ledger(known))
        return max((self.paper.utility[c] for c in allowed), default=Fraction(0))

    def stopping(self, known: Assignment) -> Fraction:
        if not self.regret:
            return self.earned(known)
        worst = max(ideal for truth, ideal in self.ideals if known.items() <= truth.items())
        return self.earned(known) - worst

    @cached_property
    def ideals(self) -> list[tuple[Assignment, Fraction]]:
        return [(truth, self.problem.ideal(truth)) for _, truth in self.problem.assignments()]

    def best(self) -> Fraction:
        budget = Fraction(str(self.problem.budget))
        return self._best({}, frozenset(), budget)

    def _best(self, known: Assignment, made: frozenset[str], left: Fraction) -> Fraction:
        best = self.stopping(known)
        for check, atoms in self.paper.settles.items():
            cost = self.paper.cost[check]
            if check in made or cost > left or (left == 0 and not self.completion):
                continue
            worths = []
            for chance, values in self._answers(sorted(atoms - known.keys())):
                after = self._best({**known, **values}, made | {check}, left - cost)
                worths.append((chance, after))
            if self.regret:
                best = max(best, min(worth for _, worth in worths))
            else:
                best = max(best, sum((p * worth for p, worth in worths), Fraction(0)))
        return best

    def _answers(self, atoms: list[str]) -> Iterator[tuple[Fraction, dict[str, bool]]]:
        for values in product((True, False), repeat=len(atoms)):
            chance = Fraction(1)
            for atom, value in zip(atoms, values, strict=True):
                prior = self.problem.priors[atom]
                chance *= prior if value else 1 - prior
            yield chance, dict(zip(atoms, values, strict=True))


class Reviewed(NamedTuple):
    """What came of one real review: the assignment's probability, what was earned, the regret."""

    chance: Fraction
    earned: Fraction
    regret: Fraction
    outcome: Outcome


def reviewed(problem: Problem, policy: Policy, completion: bool = True) -> list[Reviewed]:
    """Review every assignment under a policy; resolvers tell the truth."""
    done = []
    for chance, truth in problem.assignments():
        review = Review(
            problem.case.commitment,
            lambda check, truth=truth: {atom: truth[atom] for atom in check.settles},
            budget=problem.budget,
            completion=completion,
        )
        outcome = run_policy(review, policy)
        utility = problem.case.paper.utility
        earned = max((utility[name] for name in outcome.conclusions), default=Fraction(0))
        done.append(Reviewed(chance, earned, problem.ideal(truth) - earned, outcome))
    return done


def expected(done: list[Reviewed]) -> Fraction:
    return sum((each.chance * each.earned for each in done), Fraction(0))


def greatest_regret(done: list[Reviewed]) -> Fraction:
    return max(each.regret for each in done)

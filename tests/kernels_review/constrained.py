"""Review planning under constraints, solved from its statement, on names.

`Constrained` enumerates the assignments that satisfy the constraints. What is known is what holds
in all of them that agree with what was observed, and chances are shares of their prior weight.
Nothing is pruned, memoized or asked of the core.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product

from hypothesis import strategies as st

from licet import Literal, Number, ReviewModel, Specification, faults, review_model
from licet_proofs.generators import Case, Shape, case_of, drafts
from licet_proofs.independent import Assignment, authorized, full_ledger, supported
from licet_proofs.review_problems import PRIORS


@dataclass(frozen=True)
class Constrained:
    """A program with constraints, priors by atom, and a budget."""

    case: Case
    priors: Mapping[str, Fraction]
    budget: Number

    @property
    def model(self) -> ReviewModel:
        return review_model(self.case.commitment, self.budget, self.priors)

    @cached_property
    def worlds(self) -> list[tuple[Fraction, Assignment]]:
        """The assignments that satisfy the constraints, with their prior weights."""
        found = []
        for values in product((True, False), repeat=len(self.case.atoms)):
            world = dict(zip(self.case.atoms, values, strict=True))
            weight = Fraction(1)
            for atom, value in world.items():
                weight *= self.priors[atom] if value else 1 - self.priors[atom]
            clauses = self.case.specification.constraints
            if all(any(world[p.atom] is p.positive for p in clause) for clause in clauses):
                found.append((weight, world))
        return found

    @property
    def likely(self) -> bool:
        return any(weight for weight, _ in self.worlds)

    def agreeing(self, seen: Assignment) -> list[tuple[Fraction, Assignment]]:
        return [(w, world) for w, world in self.worlds if seen.items() <= world.items()]

    def earned(self, seen: Assignment) -> Fraction:
        worlds = [world for _, world in self.agreeing(seen)]
        known = dict(set.intersection(*(set(world.items()) for world in worlds)))
        utility = self.case.paper.utility
        allowed = authorized(self.case.paper, full_ledger(known))
        return max((utility[c] for c in allowed), default=Fraction(0))

    def ideal(self, world: Assignment) -> Fraction:
        utility = self.case.paper.utility
        return max((utility[c] for c in supported(self.case.paper, world)), default=Fraction(0))

    def best(self, regret: bool) -> Fraction:
        return self._best({}, frozenset(), Fraction(str(self.budget)), regret)

    def _best(
        self, seen: Assignment, made: frozenset[str], left: Fraction, regret: bool
    ) -> Fraction:
        best = self.earned(seen)
        if regret:
            best -= max(self.ideal(world) for _, world in self.agreeing(seen))
        for check, atoms in self.case.paper.settles.items():
            cost = self.case.paper.cost[check]
            if check in made or cost > left:
                continue
            worths = [
                (chance, self._best({**seen, **answer}, made | {check}, left - cost, regret))
                for chance, answer in self.answers(seen, sorted(atoms))
                if regret or chance
            ]
            expected = sum((chance * worth for chance, worth in worths), Fraction(0))
            best = max(best, min(worth for _, worth in worths) if regret else expected)
        return best

    def answers(
        self, seen: Assignment, atoms: Sequence[str]
    ) -> Iterator[tuple[Fraction, Assignment]]:
        worlds = self.agreeing(seen)
        total = sum(weight for weight, _ in worlds)
        for values in product((True, False), repeat=len(atoms)):
            answer = dict(zip(atoms, values, strict=True))
            shares = [weight for weight, world in worlds if answer.items() <= world.items()]
            if shares:
                yield (sum(shares) / total if total else Fraction(0)), answer


SMALL = Shape(costs=(1, 0, Fraction(1, 2), 2))


@st.composite
def constrained_problems(draw: st.DrawFn, most_checks: int = 4) -> Constrained:
    """Draw a problem with clauses that its program can be committed under, and likely priors."""
    specification, program = draw(
        drafts(SMALL).filter(lambda each: len(each[0].checks) <= most_checks)
    )
    atoms = [atom.identifier for atom in specification.atoms]
    literal = st.builds(Literal, st.sampled_from(atoms), st.booleans())
    clause = st.lists(literal, min_size=1, max_size=3, unique_by=lambda each: each.atom)
    for drawn in draw(st.lists(clause, min_size=1, max_size=4)):
        more = replace(specification, constraints=(*specification.constraints, tuple(drawn)))
        specification = specification if faults(more, program) else more
    case = case_of(specification, program)
    priors = {atom: Fraction(str(draw(st.sampled_from(PRIORS)))) for atom in case.atoms}
    problem = Constrained(case, priors, draw(st.sampled_from((0, 1, 1.5, 2, 3, 9))))
    return problem if problem.likely else replace(problem, priors=dict.fromkeys(atoms, HALF))


HALF = Fraction(1, 2)


def with_constraints(specification: Specification, *clauses: str) -> Specification:
    """Return the specification under clauses, each written as `a !b`."""
    listed = tuple(tuple(map(Literal.parse, clause.split())) for clause in clauses)
    return replace(specification, constraints=listed)

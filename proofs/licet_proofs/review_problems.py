"""Review planning problems and ledgers, for the sampled properties.

`problems` draws a program of `generators` (chains and partial orders, negative literals, shared and
overlapping checks, costs that are unequal, fractional or 0), priors with 0 and 1 among them, and a
budget from nothing to plenty.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Final, NamedTuple

from hypothesis import strategies as st

from licet import Number, ReviewModel, review_model
from licet.compiled import CompiledProgram
from licet.decisions import Settled

from .generators import Case, Shape, budgets, cases
from .independent import Assignment, supported

PRIORS: Final[tuple[Number, ...]] = (0.5, 0, 1, 0.1, Fraction(1, 3), 0.9, 0.75)

SMALL: Final = Shape()
DISJOINT: Final = Shape(overlapping=False)


@dataclass(frozen=True, slots=True)
class Problem:
    """A program, priors by atom, and a budget."""

    case: Case
    priors: Mapping[str, Fraction]
    budget: Number

    @property
    def model(self) -> ReviewModel:
        """The problem as the core plans it."""
        return review_model(self.case.commitment, self.budget, self.priors)

    def assignments(self) -> Iterator[tuple[Fraction, dict[str, bool]]]:
        """Every truth assignment of the atoms, and its probability."""
        for values in product((True, False), repeat=len(self.case.atoms)):
            chance = Fraction(1)
            for atom, value in zip(self.case.atoms, values, strict=True):
                chance *= self.priors[atom] if value else 1 - self.priors[atom]
            yield chance, dict(zip(self.case.atoms, values, strict=True))

    def ideal(self, truth: Assignment) -> Fraction:
        """The utility of the strongest conclusion that an assignment supports."""
        utility = self.case.paper.utility
        return max((utility[c] for c in supported(self.case.paper, truth)), default=Fraction(0))


@st.composite
def problems(draw: st.DrawFn, shape: Shape = SMALL, most_checks: int = 5) -> Problem:
    """Draw a problem of at most so many checks, and so quick to solve without a memo."""
    case = draw(cases(shape).filter(lambda each: len(each.paper.settles) <= most_checks))
    priors = {atom: Fraction(str(draw(st.sampled_from(PRIORS)))) for atom in case.atoms}
    return Problem(case, priors, draw(budgets))


class Moment(NamedTuple):
    """A ledger, what is left of the budget in units, and the checks that may be run, as a mask."""

    settled: Settled
    left: int
    runnable: int


@st.composite
def ledgers(draw: st.DrawFn, program: CompiledProgram) -> Settled:
    """Draw any ledger: each atom unknown, true, false or in conflict, and unavailable or not."""
    every = (1 << len(program.atoms)) - 1
    ones, zeros, gone = (draw(st.integers(0, every)) for _ in range(3))
    if draw(st.booleans()):  # hardly anything in conflict or unavailable
        zeros, gone = (
            zeros & ~ones,
            gone & draw(st.integers(0, every)) & draw(st.integers(0, every)),
        )
    return Settled(ones & ~zeros, zeros & ~ones, ones & zeros, gone)


def moments(case: Case) -> st.SearchStrategy[list[Moment]]:
    """Draw 1 to 12 ledgers of a program, with budgets to one more than all checks cost."""
    program = case.commitment.compiled
    most = sum(call.cost for call in program.calls)
    everything = program.all_checks
    runnable = st.one_of(st.just(everything), st.integers(0, everything))
    one = st.builds(Moment, ledgers(program), st.integers(0, most + 1), runnable)
    return st.lists(one, min_size=1, max_size=12)

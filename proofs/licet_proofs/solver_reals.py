"""Run the core's own functions on a solver's reals, following every feasible path.

A `Real` stands for a term of the solver. Arithmetic builds terms; a comparison is a `Question`,
and when the code asks for its truth, the run takes one answer and the other is queued. So `min`
and `if` in the code work as written, and what is proved of the paths is proved of the code.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, TypeVar

import z3

Result = TypeVar("Result")


@dataclass
class Oracle:
    """The answers that one run takes, and the conditions under which it takes them."""

    premises: Sequence[z3.BoolRef]
    script: list[bool]
    taken: list[bool] = field(default_factory=list)
    conditions: list[z3.BoolRef] = field(default_factory=list)
    alternatives: list[list[bool]] = field(default_factory=list)

    def answer(self, question: z3.BoolRef) -> bool:
        """Return one feasible answer; where both are, queue the other."""
        position = len(self.taken)
        if position < len(self.script):
            chosen = self.script[position]
        else:
            chosen = self._feasible(question)
            if chosen and self._feasible(z3.Not(question)):
                self.alternatives.append([*self.taken, False])
        self.taken.append(chosen)
        self.conditions.append(question if chosen else z3.Not(question))
        return chosen

    def _feasible(self, question: z3.BoolRef) -> bool:
        solver = z3.Solver()
        solver.add(*self.premises, *self.conditions, question)
        verdict = solver.check()
        if verdict == z3.unknown:
            raise TimeoutError(f"the solver cannot decide {question}")
        return bool(verdict == z3.sat)


@dataclass(frozen=True, eq=False)
class Question:
    """A comparison of terms, asked of the oracle when its truth is needed."""

    term: z3.BoolRef
    oracle: Oracle

    def __bool__(self) -> bool:
        return self.oracle.answer(self.term)


@dataclass(frozen=True, eq=False)
class Real:
    """A real term that answers arithmetic and comparison as a number does."""

    term: z3.ArithRef
    oracle: Oracle

    def _with(
        self, other: object, combine: Callable[[z3.ArithRef, z3.ArithRef], z3.ArithRef]
    ) -> "Real":
        return Real(combine(self.term, _term(other)), self.oracle)

    def __add__(self, other: object) -> "Real":
        return self._with(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: object) -> "Real":
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: object) -> "Real":
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other: object) -> "Real":
        return self._with(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> "Real":
        return self._with(other, lambda a, b: a / b)

    def __lt__(self, other: object) -> Question:
        return Question(self.term < _term(other), self.oracle)

    def __le__(self, other: object) -> Question:
        return Question(self.term <= _term(other), self.oracle)

    def __gt__(self, other: object) -> Question:
        return Question(self.term > _term(other), self.oracle)

    def __ge__(self, other: object) -> Question:
        return Question(self.term >= _term(other), self.oracle)

    def __eq__(self, other: object) -> Question:  # type: ignore[override]
        return Question(self.term == _term(other), self.oracle)

    __hash__ = None  # type: ignore[assignment]


def _term(value: object) -> z3.ArithRef:
    if isinstance(value, Real):
        return value.term
    if isinstance(value, int | Fraction):
        return z3.RealVal(str(value))
    raise TypeError(f"no real: {value!r}")


@dataclass(frozen=True)
class Path(Generic[Result]):
    """One path through the code: the conditions under which it is taken, and its result."""

    conditions: tuple[z3.BoolRef, ...]
    result: Result


def paths(
    function: Callable[..., Result],
    arguments: Sequence[z3.ArithRef | Fraction],
    premises: Sequence[z3.BoolRef],
) -> Iterator[Path[Result]]:
    """Yield every path of `function` that is feasible under the premises."""
    pending: list[list[bool]] = [[]]
    while pending:
        oracle = Oracle(premises, pending.pop())
        given = [
            value if isinstance(value, Fraction) else Real(value, oracle) for value in arguments
        ]
        result = function(*given)
        pending += oracle.alternatives
        yield Path(tuple(oracle.conditions), result)


def proved(goal: z3.BoolRef, given: Sequence[z3.BoolRef]) -> bool:
    """Return whether the solver shows that nothing satisfies the premises but not the goal.

    Raises:
        TimeoutError: the solver cannot tell; what it cannot tell is neither proved nor refuted.
    """
    solver = z3.Solver()
    solver.set("timeout", 60_000)
    solver.add(*given, z3.Not(goal))
    verdict = solver.check()
    if verdict == z3.unknown:
        raise TimeoutError(f"the solver cannot decide {goal}")
    return bool(verdict == z3.unsat)

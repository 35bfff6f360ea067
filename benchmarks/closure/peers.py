"""The same closure by SAT solvers, each asked in the way in which it is fastest.

A solver holds the constraints from the start and keeps what it learns; the settled literals are
assumptions of each question.
"""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Final, Protocol

from licet.constraints import Clauses

from .programs import ATOMS

Literals = tuple[int, int]
"""The atoms true, and the atoms false, as masks."""


class Peer(Protocol):
    """What computes a closure too."""

    def closure(self, settled: Literals) -> Literals | None:
        """Return the settled literals and all that they imply, or None where they contradict."""


class CryptoMiniSat:
    """pycryptosat: an assignment, then a question for each literal that all assignments share."""

    def __init__(self, clauses: Clauses) -> None:
        from pycryptosat import Solver

        self._solver = Solver()
        # It refuses to be asked about an atom that it has never seen.
        self._solver.add_clauses([[number, -number] for number in range(1, ATOMS + 1)])
        for clause in clauses:
            self._solver.add_clause(_numbers((clause.positive, clause.negative)))

    def closure(self, settled: Literals) -> Literals | None:
        holding = _numbers(settled)
        satisfiable, values = self._solver.solve(holding)
        if not satisfiable:
            return None
        implied, shared = set(holding), _assigned(values) - set(holding)
        while shared:
            literal = shared.pop()
            satisfiable, values = self._solver.solve([*holding, -literal])
            if satisfiable:
                shared &= _assigned(values)
            else:
                implied.add(literal)
        return _masks(implied)


class Z3:
    """z3-solver: its finite-domain solver, which lists consequences itself."""

    def __init__(self, clauses: Clauses) -> None:
        import z3

        self._satisfiable, self._is_negation = z3.sat, z3.is_not
        positive = [z3.Bool(str(number)) for number in range(1, ATOMS + 1)]
        self._atoms = positive
        self._literal = {
            signed: atom if signed > 0 else z3.Not(atom)
            for number, atom in enumerate(positive, start=1)
            for signed in (number, -number)
        }
        self._solver = z3.SolverFor("QF_FD")
        for clause in clauses:
            listed = _numbers((clause.positive, clause.negative))
            self._solver.add(z3.Or(*(self._literal[signed] for signed in listed)))

    def closure(self, settled: Literals) -> Literals | None:
        holding = _numbers(settled)
        assumed = [self._literal[signed] for signed in holding]
        result, consequences = self._solver.consequences(assumed, self._atoms)
        if result != self._satisfiable:
            return None
        # Each is an implication: of the assumptions that it needs, a literal.
        return _masks({*holding, *(self._number(each.arg(1)) for each in consequences)})

    def _number(self, literal: object) -> int:
        if self._is_negation(literal):
            return -self._number(literal.arg(0))  # type: ignore[attr-defined]
        return int(literal.decl().name())  # type: ignore[attr-defined]


PEERS: Final = {"pycryptosat": CryptoMiniSat, "z3-solver": Z3}
_MODULES: Final = {"pycryptosat": "pycryptosat", "z3-solver": "z3"}


def installed() -> tuple[str, ...]:
    """Return the names of the peers that are here."""
    return tuple(name for name in PEERS if find_spec(_MODULES[name]))


def _numbers(literals: Literals) -> list[int]:
    """Return literals as solvers number them: from 1, negative ones below 0."""
    true, false = literals
    return [*_signed(true, 1), *_signed(false, -1)]


def _signed(mask: int, sign: int) -> Iterator[int]:
    while mask:
        yield sign * (mask & -mask).bit_length()
        mask &= mask - 1


def _assigned(values: Sequence[bool | None]) -> set[int]:
    """Return an assignment; the first value is of no atom, and an unused atom may lack one."""
    given = (values[n] if n < len(values) else None for n in range(1, ATOMS + 1))
    return {number if value else -number for number, value in enumerate(given, start=1)}


def _masks(literals: set[int]) -> Literals:
    return (
        sum(1 << number - 1 for number in literals if number > 0),
        sum(1 << -number - 1 for number in literals if number < 0),
    )

"""The clauses that a solver confirms, one test each; and goals that it must not confirm."""

from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
import z3

from licet_proofs import admissibility, proposition_1, remark_1
from licet_proofs.expect import PropertyFalls
from licet_proofs.proposition_1 import COST, DOMAIN, ERROR, LOSS, RELIABILITY, Case, confirm, term
from licet_proofs.solver_reals import Real, paths

pytestmark = pytest.mark.slow

CLAUSES = (*proposition_1.CLAUSES, *remark_1.CLAUSES, *admissibility.CLAUSES)


@pytest.mark.parametrize("clause", CLAUSES, ids=lambda clause: clause.__name__)
def test_the_clause_is_confirmed(clause: Callable[[], Iterator[Case]]) -> None:
    assert confirm(clause) > 0


def test_a_false_clause_is_not_confirmed() -> None:
    def verifying_is_always_worth_it() -> Iterator[Case]:
        yield Case(DOMAIN, LOSS * ERROR > COST)

    with pytest.raises(PropertyFalls, match="is not proved"):
        confirm(verifying_is_always_worth_it)


def test_a_clause_without_a_case_is_not_confirmed() -> None:
    def nothing() -> Iterator[Case]:
        yield from ()

    with pytest.raises(PropertyFalls, match="has no case"):
        confirm(nothing)


def test_the_domain_is_not_empty() -> None:
    solver = z3.Solver()
    solver.add(*DOMAIN)
    assert solver.check() == z3.sat


def test_every_path_is_taken_and_together_they_cover_the_domain() -> None:
    def least(a: Fraction, b: Fraction) -> Fraction:
        return min(a, b)

    found = list(paths(least, (ERROR, RELIABILITY), DOMAIN))
    assert len(found) == 2
    solver = z3.Solver()
    solver.add(*DOMAIN, *(z3.Not(z3.And(*path.conditions)) for path in found))
    assert solver.check() == z3.unsat
    assert {str(term(path.result)) for path in found} == {"p", "r"}


def test_what_is_no_real_is_refused() -> None:
    with pytest.raises(TypeError, match="a solver's real"):
        term(1)
    with pytest.raises(TypeError, match="no real"):
        list(paths(lambda real: real + "1", (ERROR,), DOMAIN))


def test_a_real_has_no_hash() -> None:
    for path in paths(lambda real: real, (ERROR,), DOMAIN):
        assert isinstance(path.result, Real)
        with pytest.raises(TypeError):
            hash(path.result)

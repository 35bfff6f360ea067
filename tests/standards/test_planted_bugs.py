"""Bugs planted in the standards: each must be noticed on the fixed ones."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import licet_bindings.standards
from licet import InvalidInput
from tests.standards.brute import Case
from tests.standards.brute import minimal as minimal_by_brute_force
from tests.standards.checks import Standards, check_comparison, check_minimal_routes, check_order
from tests.standards.generated import EITHER_SIDE, FIXED, ORDERED

PACKAGE = Path(licet_bindings.standards.__file__).parent
NAME = "planted_standards"


class Bug(NamedTuple):
    """A passage of a module, and what is put in its place."""

    name: str
    module: str
    passage: str
    instead: str


BUGS = (
    Bug(
        "constraints are ignored",
        "primes",
        "primes(diagrams.choose(realizable, function, TRUE), realizable)",
        "primes(function, TRUE)",
    ),
    Bug(
        "states that cannot be count as not justified",
        "primes",
        "diagrams.choose(realizable, function, TRUE)",
        "diagrams.both(realizable, function)",
    ),
    Bug(
        "routes that hold on no realizable state are kept",
        "primes",
        "function, TRUE), realizable)",
        "function, TRUE), TRUE)",
    ),
    Bug("a route is kept that needs no such literal", "primes", "low) - without", "low)"),
    Bug("the polarity is flipped", "primes", "needs_true | bit, cube.needs_false", "needs_true, 0"),
    Bug(
        "what suffices on both sides is left out",
        "primes",
        "primes(diagrams.both(low, high), possible_without)",
        "frozenset[Cube]()",
    ),
    Bug(
        "a side is possible only where the other is",
        "primes",
        "diagrams.either(possible_low",
        "diagrams.both(possible_low",
    ),
    Bug(
        "a negation is dropped",
        "encoding",
        "negation(self._expression(part))",
        "both(1, self._expression(part))",
    ),
    Bug(
        "a clause needs all of its literals",
        "encoding",
        "self._any(self._literal",
        "self._all(self._literal",
    ),
    Bug("a literal of a route is read as its atom", "encoding", ", literal.positive)", ")"),
    Bug(
        "a predicate is asked about the opposite",
        "encoding",
        "return TRUE if _asked",
        "return FALSE if _asked",
    ),
    Bug(
        "a literal is written with the wrong sign",
        "encoding",
        "needs_true >> level",
        "needs_false >> level",
    ),
    Bug("and binds as or", "expressions", "else Conjunction(", "else Disjunction("),
    Bug(
        "routes that say too little are passed over",
        "comparing",
        "state_outside(justified, held)",
        "state_outside(held, held)",
    ),
    Bug(
        "routes that say too much are passed over",
        "comparing",
        "state_outside(held, justified)",
        "state_outside(held, held)",
    ),
    Bug(
        "routes that hold on the same states count as minimal",
        "comparing",
        "if minimal.keys() == {",
        "if difference is None or minimal.keys() == {",
    ),
    Bug("missing routes are not listed", "comparing", "if key and key not in own", "if not key"),
    Bug(
        "the order is turned round",
        "minimal",
        "state_outside(encoded.formula(stronger), encoded.formula(weaker))",
        "state_outside(encoded.formula(weaker), encoded.formula(stronger))",
    ),
    Bug("the order is passed over", "minimal", "if state is not None:", "if state is None:"),
    Bug(
        "a decision diagram forgets a branch",
        "diagrams",
        "self.choose(test_high, high, other_high)",
        "self.choose(test_high, high, other_low)",
    ),
)


@pytest.fixture
def planted(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Standards]:
    """A copy of the package with a bug in it, under a name of its own."""
    bug: Bug | None = request.param
    folder = tmp_path / NAME
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in folder.glob("*.py"):
        source = path.read_text("utf-8")
        if bug is not None and path.stem == bug.module:
            assert source.count(bug.passage) == 1, bug
            source = source.replace(bug.passage, bug.instead)
        path.write_text(source.replace("licet_bindings.standards", NAME), "utf-8")
    sys.path.insert(0, str(tmp_path))
    try:
        yield Standards(*(importlib.import_module(f"{NAME}.{name}") for name in Standards._fields))
    finally:
        sys.path.remove(str(tmp_path))
        for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
            del sys.modules[name]


def battery(under_test: Standards) -> None:
    for case in FIXED:
        check_minimal_routes(case, under_test)
        compare_all(case, under_test)
    for weak, strong in ORDERED:
        check_order(weak, strong, under_test)


def compare_all(case: Case, under_test: Standards) -> None:
    """Compare with the minimal routes, with one too few, one too long, and one turned round."""
    routes = [sorted(route) for route in minimal_by_brute_force(case) if route]
    routes.sort()
    check_comparison(case, routes, under_test)
    check_comparison(case, routes[:-1], under_test)
    check_comparison(
        case,
        [[(position, not value)] for position, value in routes[0]] if routes else [],
        under_test,
    )
    check_comparison(
        case, [*routes, [(position, True) for position in range(case.count)]], under_test
    )


@pytest.mark.parametrize("planted", [None], indirect=True)
def test_nothing_is_noticed_where_nothing_is_planted(planted: Standards) -> None:
    battery(planted)


@pytest.mark.parametrize("planted", BUGS, indirect=True, ids=[bug.name for bug in BUGS])
def test_a_planted_bug_is_noticed(planted: Standards) -> None:
    with pytest.raises((AssertionError, InvalidInput, RuntimeError)):
        battery(planted)


def test_the_route_that_no_part_names_is_among_the_fixed_ones() -> None:
    assert frozenset({(1, True), (2, True)}) in minimal_by_brute_force(EITHER_SIDE)

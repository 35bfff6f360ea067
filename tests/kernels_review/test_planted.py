"""Bugs planted in the kernels and in the reference: the tests beside this one catch each."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import licet_kernels
from licet import ReviewPlanner, review_planner
from licet.review_planner import initial_state
from licet_proofs.generators import cases
from licet_proofs.kernels_review_agree import Kernels, compare_decisions, compare_plans, states_from
from licet_proofs.review_problems import Problem, moments, problems
from tests.kernels_review import test_lattice, test_ledgers
from tests.kernels_review.problems import Brute


class Bug(NamedTuple):
    """A text in a module of `review`, and what is put in its place."""

    module: str
    text: str
    instead: str


PLANS = [
    Bug("set_kernels", "or cost > sets.left", "or cost >= sets.left"),
    Bug("set_kernels", "atoms[place] | sets.call_atoms[check]", "sets.call_atoms[check]"),
    Bug("set_kernels", "value >>= ONE", "value >>= ZERO"),
    Bug("sweep_kernels", "routes.reach[route] == GAINED and not", "not"),
    Bug("sweep_kernels", "high = (high - free) & free", "high = ZERO"),
    Bug("sweep_kernels", "pattern & mask, atoms)", "mask, atoms)"),
    Bug(
        "sweep_kernels",
        "mean = true * after[2 * value + 1] + false * after[2 * value]",
        "mean = false * after[2 * value + 1] + true * after[2 * value]",
    ),
    Bug("sweep_kernels", "after[here + 2 + low]", "after[here + 1 + low]"),
    Bug("sweep_kernels", "after[here + 4 + low]", "after[here + 2 + low]"),
    Bug("sweep_kernels", "after[here + 8 + low]", "after[here + 4 + low]"),
    Bug("sweep_kernels", "& fixed == begin", "& begin == begin"),
    Bug("sweep_kernels", "true * one[low] + false * zero[low]", "max(one[low], zero[low])"),
    Bug(
        "sweep_kernels",
        "folded[here + low] = true * after[there + run + low]",
        "folded[here + low] = 2 * true * after[there + run + low]",
    ),
    Bug("sweep_kernels", "min(zero[low], one[low])", "zero[low]"),
    Bug("sweep_kernels", "folded[here + low] = min(", "folded[here + low] = max("),
    Bug("sweep_kernels", "count_bits((atoms | new) &", "count_bits(atoms &"),
    Bug("sweep_kernels", "sets.call_cost[check] > left", "sets.call_cost[check] >= left"),
    Bug("sweep_kernels", "worth[value] -= ideal[value]", "worth[value] -= ideal[0]"),
    Bug("sweep_kernels", "known = routes.mask[route] & atoms", "known = routes.mask[route] & ZERO"),
    Bug("choice_kernels", "best > stop + slack", "best >= stop - slack"),
    Bug(
        "choice_kernels", "for check in range(len(worths))", "for check in range(len(worths))[::-1]"
    ),
    Bug("choice_kernels", "worths[check] >= best - slack", "worths[check] == best"),
    Bug("choice_kernels", "and routes.utility[route] > earned", ""),
    Bug("choice_kernels", "missing |= mask & ~known", "missing |= mask"),
    Bug(
        "choice_kernels", "total += probability_of(new, settled, priors) * after", "total += after"
    ),
    Bug(
        "choice_kernels", "cost += chance * sets.call_cost[check]", "cost += sets.call_cost[check]"
    ),
    Bug("problem", "useful.sort(key=lambda check: calls[check].cost > 0)", "pass"),
    Bug("problem", "available = not lacking & settled.unavailable", "available = True"),
    Bug("problem", "told |= route.lacking if regret else 0", "pass"),
    Bug("lattice", "(whole - true) / whole", "true / whole"),
    Bug("lattice", "or state.left != left", ""),
    Bug("lattice", "* problem.grain\n", "\n"),
    Bug("lattice", "(GAINED if not route.lacking & ~problem.atoms else OPEN)", "GAINED"),
]

LEDGERS = [
    Bug("ledger_kernels", "most = cost - 1", "most = cost"),
    Bug("ledger_kernels", "auth |= conclusions.at_or_below[conclusion]", "auth |= ONE"),
    Bug("ledger_kernels", "| ledgers.unavailable[ledger]", ""),
    Bug("ledger_kernels", "worths[place - 1] >= worth", "worths[place - 1] > worth"),
    Bug("ledger_kernels", "count_bits(checks) < count_bits(best)", "True"),
    Bug("ledger_kernels", "return bool(checks & lowest_bit(differ))", "return True"),
    Bug("ledger_kernels", "contested &= ~calls.atoms[check]", "pass"),
    Bug(
        "ledger_kernels", "if cost > most:\n            continue", "if False:\n            continue"
    ),
    Bug("ledger_kernels", "found, best, best_cost, choices > 0", "found, best, best_cost, True"),
    Bug("ledger_kernels", "if missing >> np.uint64(atom) & ONE", "if True"),
    Bug("ledgers", "aimed > greatest", "aimed >= greatest"),
    Bug("encoding", "_starts([route.order for route in routes])", "_starts([(0,)] * len(routes))"),
    Bug(
        "encoding", "route.needs_false for route in routes", "route.needs_true for route in routes"
    ),
]

REFERENCE = [
    Bug("", "if worth > best[0] else best", "if worth >= best[0] else best"),
    Bug("", "if utility <= earned or", "if utility < earned or"),
    Bug("", "calls[c].cost <= state.left)", "calls[c].cost < state.left)"),
    Bug("", "(chance * (1 - prior), ", "(chance * prior, "),
    Bug("", "min(worth for _, worth in reached)", "max(worth for _, worth in reached)"),
    Bug("", "state.left - program.calls[check].cost\n", "state.left\n"),
    Bug("", "if self._regret else 0\n", "if not self._regret else 0\n"),
    Bug("", "key=lambda check: calls[check].cost > 0", "key=lambda check: -calls[check].cost"),
    Bug("", "atoms & ~(now.true | now.false |", "atoms & ~("),
]


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Bug], str]]:
    """Make a copy of the kernels with a bug, run by the interpreter, and return its name."""
    monkeypatch.syspath_prepend(str(tmp_path))
    name = "planted_kernels"

    def plant(bug: Bug) -> str:
        shutil.copytree(Path(licet_kernels.__file__).parent, tmp_path / name)
        alter(tmp_path / name / "review" / f"{bug.module}.py", bug)
        path = tmp_path / name / "compilation.py"
        path.write_text(path.read_text("utf-8") + "\n\ncompiled = lambda f: f\n", "utf-8")
        return name

    with np.errstate(over="ignore"):  # masks wrap around, as compiled code has it
        yield plant
    for module in [each for each in sys.modules if each.partition(".")[0] == name]:
        del sys.modules[module]


def alter(path: Path, bug: Bug) -> None:
    source = path.read_text("utf-8")
    assert source.count(bug.text) == 1, bug
    path.write_text(source.replace(bug.text, bug.instead), "utf-8")


# Many, for what Hypothesis draws depends on which modules are loaded; it ends with the first that
# falls.
EAGER = settings(
    max_examples=3000,
    database=None,
    derandomize=True,
    deadline=None,
    phases=[Phase.generate],
    report_multiple_bugs=False,
)
CONTROL = settings(EAGER, max_examples=50)


def falls(check: Callable[[], None]) -> bool:
    """Whether a check fails; a name that is not there is a fault of the test, and is raised."""
    try:
        check()
    except (AttributeError, NameError, ImportError):
        raise
    except Exception:
        return True
    return False


def plans_agree(name: str, generated: settings = EAGER) -> None:
    """What the tests of plans hold of the real kernels."""
    plan_class = importlib.import_module(f"{name}.review.lattice").LatticePlan
    for model in test_lattice.SYMMETRIC:
        plan = plan_class(model, initial_state(model))
        planner = ReviewPlanner(model)
        for state in states_from(model, plan.root):
            assert plan.choose(state) == planner.choose(state)
    for model in (*test_lattice.SYMMETRIC, *test_lattice.TOGETHER):
        cautious = plan_class(model, initial_state(model), regret=True)
        compare_plans(model, cautious, ReviewPlanner(model, regret=True))

    test_lattice.agree_where_little_is_left_to_gain(plan_class)
    test_lattice.agree_on_routes_that_only_an_assignment_can_make_true(plan_class)

    @generated
    @given(problems(most_checks=4), st.booleans(), st.data())
    def agree(problem: Problem, regret: bool, data: st.DataObject) -> None:
        model = problem.model
        plan = plan_class(model, initial_state(model), regret=regret)
        planner = ReviewPlanner(model, regret=regret)
        compare_plans(model, plan, planner)
        test_lattice.agree_followed(model, plan, planner)
        test_lattice.agree_astray(model, plan, planner, data)
        root = data.draw(st.sampled_from(list(states_from(model, plan.root))))
        compare_plans(model, plan_class(model, root, regret=regret), planner)

    agree()


def ledgers_agree(name: str, generated: settings = EAGER) -> None:
    """What the tests of many ledgers hold of the real kernels."""
    ledgers = importlib.import_module(f"{name}.review.ledgers")
    encode = importlib.import_module(f"{name}.review.encoding").encode
    kernels = Kernels(encode, *(getattr(ledgers, each) for each in Kernels._fields[1:]))
    for hard in test_ledgers.HARD_CASES:
        compare_decisions(hard, test_ledgers.hard_ledgers(hard), kernels)
    compare_decisions(test_ledgers.SHARED, test_ledgers.SHARED_LEDGERS, kernels)
    compare_decisions(test_ledgers.BOTH, test_ledgers.BOTH_LEDGERS, kernels)

    @generated
    @given(st.data())
    def agree(data: st.DataObject) -> None:
        case = data.draw(cases())
        compare_decisions(case, data.draw(moments(case)), kernels)

    agree()


def reference_agrees(module: ModuleType) -> None:
    """What the tests of the reference hold of the real one."""
    for model in (test_lattice.NO_USE, *test_lattice.SYMMETRIC):
        one, other = module.ReviewPlanner(model), ReviewPlanner(model)
        for state in states_from(model, initial_state(model)):
            assert one.choose(state) == other.choose(state)
    for model in (*test_lattice.SYMMETRIC, *test_lattice.TOGETHER):
        one, other = (each(model, regret=True) for each in (module.ReviewPlanner, ReviewPlanner))
        for state in states_from(model, initial_state(model)):
            assert one.worth(state) == other.worth(state)

    @EAGER
    @given(problems(most_checks=4), st.booleans())
    def agree(problem: Problem, regret: bool) -> None:
        model = problem.model
        start = initial_state(model)
        planner = module.ReviewPlanner(model, regret=regret)
        assert planner.worth(start) == Brute(problem, regret).best()
        real = ReviewPlanner(model, regret=regret)
        for state in states_from(model, start):
            assert planner.choose(state) == real.choose(state)

    agree()


@pytest.mark.slow
def test_without_a_bug_nothing_falls(planted: Callable[[Bug], str]) -> None:
    name = planted(Bug("lattice", "MARGIN: Final = 1e-12", "MARGIN: Final = 1e-12"))
    plans_agree(name, CONTROL)
    ledgers_agree(name, CONTROL)


@pytest.mark.slow
@pytest.mark.parametrize("bug", PLANS, ids=lambda bug: bug.text[:40])
def test_a_bug_in_the_plan_is_caught(bug: Bug, planted: Callable[[Bug], str]) -> None:
    name = planted(bug)
    assert falls(lambda: plans_agree(name))


@pytest.mark.slow
@pytest.mark.parametrize("bug", LEDGERS, ids=lambda bug: bug.text[:40])
def test_a_bug_in_decisions_on_ledgers_is_caught(bug: Bug, planted: Callable[[Bug], str]) -> None:
    name = planted(bug)
    assert falls(lambda: ledgers_agree(name))


@pytest.mark.slow
@pytest.mark.parametrize("bug", REFERENCE, ids=lambda bug: bug.text[:40])
def test_a_bug_in_the_reference_is_caught(bug: Bug, tmp_path: Path) -> None:
    source = Path(review_planner.__file__).read_text("utf-8")
    path = tmp_path / "review_planner.py"
    path.write_text(source, "utf-8")
    alter(path, bug)
    module = ModuleType("licet.planted_review_planner")
    module.__package__ = "licet"
    exec(compile(path.read_text("utf-8"), str(path), "exec"), module.__dict__)
    assert falls(lambda: reference_agrees(module))

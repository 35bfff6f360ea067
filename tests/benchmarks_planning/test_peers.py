"""Every peer gives the value of the exact rationals; the compiled kernels give it too."""

from collections.abc import Iterator
from fractions import Fraction
from types import ModuleType

import numpy as np
import pytest

from benchmarks.planning import scaling
from benchmarks.planning.contenders import AGRUM, COPY, GATE, LICET, NAIVE, STORM, installed
from benchmarks.planning.models import GateCase, ReviewCase
from benchmarks.planning.peers import agrum, blas, naive, storm, textbook
from benchmarks.planning.peers.lattice import lattice
from benchmarks.planning.peers.tabulated import tabulate
from benchmarks.planning.reviewing import CONTENDERS
from benchmarks.planning.worker import Failed, Worker, differences, time_in_turn, worker
from licet.beliefs import prior
from licet.information import one_step, two_step
from licet.planner import ExactPlanner, lattice_size
from licet.review_planner import ReviewPlanner, initial_state, review_model

CASES = (
    GateCase(4, premises=4),
    GateCase(5, 2, premises=5),
    GateCase(3, 3, premises=3, uses=2),
    GateCase(4, premises=4, screens=True),
    GateCase(2, 0, premises=3),
    *(GateCase(4, 3, premises=4, seed=seed, screens=seed % 2 == 0) for seed in range(6)),
)


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Worker]:
    """A process for peers whose import warns or prints."""
    with worker() as one:
        yield one


def exact(case: GateCase) -> float:
    return float(ExactPlanner(case.model(), case.spendable).value())


DICTIONARIES = pytest.mark.parametrize("planner", [naive, textbook], ids=["tuned", "naive"])


@DICTIONARIES
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_dictionary_is_exact(case: GateCase, planner: ModuleType) -> None:
    found = planner.plan_gate(case.model(), case.spendable)
    assert found.value == pytest.approx(exact(case), abs=1e-13)
    assert found.states == lattice_size(case.model(), case.spendable).states


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_lattice_of_the_peers_is_the_models(case: GateCase) -> None:
    found = lattice(tabulate(case.model()), float(case.spendable))
    assert len(found.spent) == lattice_size(case.model(), case.spendable).states
    # Z of a state is the sum of those of its two answers.
    for query in found.queries:
        after = found.probability[query.supported] + found.probability[query.refuted]
        assert np.allclose(found.probability[query.states], after, atol=1e-15)


@pytest.mark.parametrize("method", storm.METHODS if installed(STORM) else ())
def test_stormpy_is_exact_by_every_method(method: str, elsewhere: Worker) -> None:
    for case in CASES:
        found = elsewhere.call(storm.plan_gate, case.model(), case.spendable, method)
        assert found.value == pytest.approx(exact(case), abs=1e-12)


@pytest.mark.parametrize("seed", range(3) if installed(AGRUM) else ())
def test_pyagrum_is_exact(seed: int, elsewhere: Worker) -> None:
    for case in (GateCase(3, 2, premises=3, seed=seed), GateCase(4, 1, premises=4, seed=seed)):
        found = elsewhere.call(agrum.plan_gate, case.model(), case.spendable)
        assert found.value == pytest.approx(exact(case), abs=1e-12)


def test_pyagrum_refuses_what_it_cannot_say(elsewhere: Worker) -> None:
    if installed(AGRUM):
        for case in (GateCase(3, 2, premises=3, uses=2), GateCase(3, 2, premises=3, screens=True)):
            with pytest.raises(Failed, match="influence diagram"):
                elsewhere.call(agrum.plan_gate, case.model(), case.spendable)


@pytest.mark.parametrize("case", [case for case in CASES if case.uses == 1], ids=str)
def test_numpy_gives_the_values_of_information(case: GateCase) -> None:
    model = case.model()
    tables, belief = tabulate(model), prior(model)
    asked = blas.questions(tables)
    uses = tuple(q.uses for q in model.verifiers)
    ones = [float(one_step(model, belief, q)) for q in range(case.verifiers)]
    assert blas.one_step(asked, tables.prior) == pytest.approx(ones, abs=1e-14)
    for budget in (1, 2):
        left = Fraction(budget)
        twos = [float(two_step(model, belief, q, uses, left)) for q in range(case.verifiers)]
        assert blas.two_step(asked, tables.prior, budget) == pytest.approx(twos, abs=1e-14)


@DICTIONARIES
@pytest.mark.parametrize("budget", [None, 0, 2, 3])
def test_the_dictionary_of_reviews_is_exact(budget: int | None, planner: ModuleType) -> None:
    for seed in range(3):
        case = ReviewCase(5, 6, budget, seed)
        model = review_model(case.commitment(), case.spendable, case.priors())
        expected = float(ReviewPlanner(model).worth(initial_state(model)))
        found = planner.plan_review(case.commitment(), case.priors(), case.spendable)
        assert found.value == pytest.approx(expected, abs=1e-10)


@pytest.mark.slow
def test_the_kernels_agree_with_every_peer() -> None:
    for run in (
        scaling.Run(GateCase(5), (LICET, NAIVE, STORM, COPY)),
        scaling.Run(GateCase(4, 2), (LICET, NAIVE, STORM, AGRUM)),
    ):
        timed = time_in_turn(run.case, {name: GATE[name] for name in run.contenders}, rounds=1)
        assert not timed[LICET].missing
        apart = differences(timed, scaling.value_scale(run.case))
        assert NAIVE in apart
        assert max(apart.values()) <= scaling.TOLERANCE
    timed = time_in_turn(ReviewCase(6, 9), CONTENDERS, rounds=1)
    apart = differences(timed, 300)
    assert apart.keys() == CONTENDERS.keys() - {LICET}
    assert max(apart.values()) <= scaling.TOLERANCE

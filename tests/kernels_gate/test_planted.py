"""Planted bugs: the comparison with the reference finds each of them."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from licet.beliefs import CompiledVerifier, GateModel, compile_candidate
from licet_kernels.gate import dense, plan, problem, subsets
from licet_kernels.gate.screens import nothing_settled
from licet_proofs.gate_cases import CASES
from licet_proofs.kernels_gate_agree import compare_plans

pytestmark = pytest.mark.slow

TWO = Fraction(2)

Plant = Callable[[pytest.MonkeyPatch], None]


def check_all() -> None:
    for candidate in CASES:
        compare_plans(compile_candidate(candidate), TWO)


def altered_terms(**changes: float) -> Plant:
    def plant(patch: pytest.MonkeyPatch) -> None:
        for module in (dense, subsets):
            patch.setattr(
                module, "terms_of", lambda found: problem.terms_of(found)._replace(**changes)
            )

    return plant


def altered_problem(change: Callable[[problem.Problem], problem.Problem]) -> Plant:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(plan, "problem_at", lambda *at: change(problem.problem_at(*at)))

    return plant


def free_questions(found: problem.Problem) -> problem.Problem:
    return replace(found, price=0.0)


def orders_counted(answer: tuple[float, float], supported: int, refuted: int) -> float:
    return comb(supported + refuted, refuted) * problem.likelihood(answer, supported, refuted)


def multiplicities(patch: pytest.MonkeyPatch) -> None:
    for module in (dense, subsets, plan):
        patch.setattr(module, "likelihood", orders_counted)


def answers_exchanged(found: problem.Problem) -> problem.Problem:
    types = tuple(replace(kind, if_wrong=kind.if_wrong[::-1]) for kind in found.types)
    return replace(found, types=types)


def one_more_unit(found: problem.Problem) -> problem.Problem:
    kinds = tuple(replace(kind, cost=max(kind.cost - 1, 0)) for kind in found.types)
    return replace(found, types=kinds)


def no_exact_screens(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(plan, "settle_exactly", lambda *_: nothing_settled())


def screens_settled_wrongly(patch: pytest.MonkeyPatch) -> None:
    settle = plan.settle_exactly

    def wrong(*arguments: object) -> problem.Settled:
        settled = settle(*arguments)  # type: ignore[arg-type]
        return settled._replace(admits=~settled.admits)

    patch.setattr(plan, "settle_exactly", wrong)


def last_listed_first(patch: pytest.MonkeyPatch) -> None:
    original = problem.problem_at

    def reversed_members(*at: object) -> problem.Problem:
        found = original(*at)  # type: ignore[arg-type]
        types = tuple(replace(kind, members=kind.members[::-1]) for kind in found.types)
        return replace(found, types=types)

    patch.setattr(plan, "problem_at", reversed_members)


def no_tie(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(plan, "TIE", -1e-6)


def worth_no_more(margin: Fraction, *, free: bool) -> Plant:
    """Leave out what costs a little less than kappa, or also what tells nothing and is free."""

    def worth(model: GateModel, verifier: CompiledVerifier) -> bool:
        price = model.price * verifier.cost
        tells = verifier.sensitivity + verifier.specificity != 1
        return price < model.abstain - margin and (tells or (price == 0 and not free))

    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(problem, "may_be_worth_asking", worth)

    return plant


PLANTS: dict[str, Plant] = {
    "what may still be worth its price is left out": worth_no_more(Fraction(1, 2), free=False),
    "a free answer that tells nothing is left out": worth_no_more(Fraction(0), free=True),
    "the price is forgotten": altered_terms(price=0.0),
    "the harm screen is dropped": altered_terms(harm_screen=2.0),
    "the loss screen is dropped": altered_terms(loss_screen=1e9),
    "both screens are dropped": altered_terms(screens=False),
    "Proceed is never better than declining": altered_terms(abstain=0.1),
    "Z counts the orders of answers": multiplicities,
    "support and refute are exchanged": altered_problem(answers_exchanged),
    "more is asked than is paid for": altered_problem(one_more_unit),
    "rounding decides the screens": no_exact_screens,
    "screens at the bound are settled the wrong way": screens_settled_wrongly,
    "of equal verifiers the last is asked": last_listed_first,
    "states are merged that harm tells apart": altered_problem(
        lambda found: replace(found, losses=found.losses * np.array([1, 1, 0, 0]))
    ),
}


def test_nothing_is_found_where_nothing_is_planted() -> None:
    check_all()


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_bug_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTS[name](monkeypatch)
    with pytest.raises(AssertionError):
        check_all()

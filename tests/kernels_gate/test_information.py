"""Policies on the kernels: when the core is asked, and bugs planted in their values.

That values and choices are the core's is a property: `licet_proofs.kernels_gate`.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from licet import Claim, InvalidInput, Verifier, information, policies
from licet.beliefs import Belief, GateModel, compile_candidate
from licet.planner import start
from licet_kernels.gate import information as kernels
from licet_kernels.gate import information_kernels
from licet_kernels.gate.encoding import GateArrays
from licet_kernels.gate.information import (
    Information,
    greedy_policy,
    two_step_policy,
)
from licet_proofs.gate_cases import CASES
from licet_proofs.kernels_gate_agree import compare_values
from tests.gate.candidates import complementary

from .models import synthetic

pytestmark = pytest.mark.slow

TWO = Fraction(2)


def test_a_clear_choice_asks_the_core_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Fraction:
        raise AssertionError("the core was asked")

    model = synthetic(6)
    expected = policies.two_step_policy(model, TWO)(start(model, TWO))
    monkeypatch.setattr(information, "one_step", refuse)
    assert two_step_policy(model, TWO)(start(model, TWO)) == expected


def test_more_claims_than_the_kernels_take_are_left_to_the_core() -> None:
    claims = tuple(Claim(f"c{index}", 0.1, "d") for index in range(18))
    checks = tuple(Verifier.symmetric(f"q{i}", 1, (f"c{i}",), 0.9) for i in range(18))
    candidate = replace(
        complementary(),
        claims=(*complementary().claims, *claims),
        verifiers=(*complementary().verifiers, *checks),
    )
    model = compile_candidate(candidate)
    with pytest.raises(InvalidInput, match="they cover 20 claims; the kernels take 16"):
        Information(model)
    position = start(model, Fraction(1))
    assert greedy_policy(model, TWO)(position) == policies.greedy_policy(model, TWO)(position)


Plant = Callable[[pytest.MonkeyPatch], None]


def altered(**changes: object) -> Plant:
    def plant(patch: pytest.MonkeyPatch) -> None:
        original = kernels._questions

        def questions(model: GateModel, arrays: GateArrays) -> information_kernels.Questions:
            made = original(model, arrays)
            terms = {k: v for k, v in changes.items() if k in made.terms._fields}
            others = {k: v for k, v in changes.items() if k not in terms}
            return made._replace(terms=made.terms._replace(**terms), **others)

        patch.setattr(kernels, "_questions", questions)

    return plant


def no_price(patch: pytest.MonkeyPatch) -> None:
    original = kernels._questions
    patch.setattr(
        kernels,
        "_questions",
        lambda *at: (made := original(*at))._replace(price=made.price * 0),
    )


def answers_exchanged(patch: pytest.MonkeyPatch) -> None:
    original = kernels._questions
    patch.setattr(
        kernels,
        "_questions",
        lambda *at: (made := original(*at))._replace(likelihood=made.likelihood[[0, 1, 3, 2]]),
    )


def the_prior_for_every_belief(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        Information,
        "vector",
        lambda self, belief: np.full(len(self.model.losses), 1 / len(self.model.losses)),
    )


def twice_for_one_use(patch: pytest.MonkeyPatch) -> None:
    original = kernels._two_step

    def generous(
        kernel: Information, belief: Belief, uses: tuple[int, ...], budget: Fraction
    ) -> object:
        return original(kernel, belief, tuple(2 * count for count in uses), budget)

    patch.setattr(kernels, "_two_step", generous)


PLANTS: dict[str, Plant] = {
    "the price is forgotten": no_price,
    "the screens are dropped": altered(harm_screen=2.0, loss_screen=1e9),
    "declining is cheaper than it is": altered(abstain=0.2),
    "support and refute are exchanged": answers_exchanged,
    "every belief is the same": the_prior_for_every_belief,
    "a verifier of one use is asked twice": twice_for_one_use,
    "rounding decides the screens": altered(margin=0.0),
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_bug_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTS[name](monkeypatch)
    with pytest.raises(AssertionError):
        for candidate in CASES:
            compare_values(compile_candidate(candidate), TWO)

"""Models as arrays and back; that every model comes back is a property of the proofs."""

from dataclasses import fields, replace
from fractions import Fraction

import numpy as np
import pytest

from licet import InvalidInput, ObservationModel, Verifier
from licet.beliefs import GateModel, compile_candidate
from licet.planner import start
from licet_kernels.gate import information, problem
from licet_kernels.gate.encoding import GateArrays, bits, decode, encode, likelihoods
from licet_kernels.gate.plan import plan
from licet_kernels.gate.problem import NO_SCREEN, harm_screen, hidden_losses
from tests.gate.candidates import complementary

from .models import synthetic


def test_decimals_come_back_exactly() -> None:
    model = compile_candidate(complementary())
    back = decode(encode(model))
    assert back.errors == (Fraction(3, 10), Fraction(3, 10))
    assert (back.price, back.max_harm_probability) == (Fraction(1, 10), Fraction(1, 20))
    assert (back.losses, back.unit) == (model.losses, model.unit)


def test_costs_are_whole_numbers() -> None:
    verifiers = (
        Verifier.symmetric("a", Fraction(1, 3), ("address",), 0.9),
        Verifier.symmetric("b", 0.25, ("stock",), 0.9),
    )
    arrays = encode(compile_candidate(replace(complementary(), verifiers=verifiers)))
    assert (arrays.cost_unit, arrays.cost.tolist()) == (12, [4, 3])


def test_what_is_not_available_has_no_uses() -> None:
    away = replace(complementary().verifiers[0], available=False)
    arrays = encode(compile_candidate(replace(complementary(), verifiers=(away,))))
    assert arrays.uses.tolist() == [0]


def test_the_shared_observation_model_is_refused() -> None:
    model = compile_candidate(complementary(), ObservationModel.SHARED)
    with pytest.raises(InvalidInput, match="needs the exact observation model; use the two-step"):
        encode(model)


def test_costs_beyond_the_kernels_are_refused() -> None:
    verifiers = (
        Verifier.symmetric("a", Fraction(1, 10**30), ("address",), 0.9),
        Verifier.symmetric("b", 1, ("stock",), 0.9),
    )
    model = compile_candidate(replace(complementary(), verifiers=verifiers))
    with pytest.raises(InvalidInput, match=r"verifiers\.b\.cost: expected at most 2\^60"):
        encode(model)


def test_more_uses_than_any_budget_pays_are_as_many_as_the_kernels_count() -> None:
    verifiers = (Verifier.symmetric("a", 1, ("address",), 0.9, 10**30),)
    model = compile_candidate(replace(complementary(), verifiers=verifiers))
    assert encode(model).uses.tolist() == [1 << 60]
    assert plan(model, Fraction(2)).problem.types[0].uses == 2


def test_a_screen_just_below_one_is_no_screen_of_one() -> None:
    """Sure harm passes a screen of 1, and no other."""
    almost = replace(complementary().loss, max_harm_probability=1 - Fraction(1, 10**30))
    model = compile_candidate(replace(complementary(), loss=almost))
    assert harm_screen(encode(model)) < 1
    assert harm_screen(encode(replace(model, max_harm_probability=Fraction(1)))) == NO_SCREEN


def test_masks_of_any_width_are_the_same_bits() -> None:
    masks = [0, 1, 6, (1 << 63) - 1]
    narrow, wide = bits(masks, 63), bits(masks, 100)
    assert narrow.shape == (4, 63)
    assert not wide[:, 63:].any()
    assert np.array_equal(narrow, wide[:, :63])
    assert np.flatnonzero(narrow[2]).tolist() == [1, 2]


def test_complements_keep_their_digits_where_a_probability_is_near_one() -> None:
    sure = Verifier("a", 1, ("address",), 1 - Fraction(1, 10**20), Fraction(98, 100))
    model = compile_candidate(replace(complementary(), verifiers=(sure,)))
    assert likelihoods(model, encode(model)).T.tolist() == [[0.98, 0.02, 1e-20, 1.0]]


def alter(patch: pytest.MonkeyPatch, field: str) -> None:
    """Alter one field of what both readers are given: doubled, or the other claims covered."""

    def altered(model: GateModel) -> GateArrays:
        arrays = encode(model)
        value = getattr(arrays, field)
        return replace(arrays, **{field: ~value if field == "covers" else value * 2})

    for module in (problem, information):
        patch.setattr(module, "encode", altered)


@pytest.mark.parametrize(
    "field",
    ["covers", "cost", "price", "abstain", "sensitivity", "specificity", "max_harm_probability"],
)
def test_planning_and_information_read_the_encoding(
    field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is altered there is altered in what the kernels take."""
    model = synthetic(3)
    before = readings(model)
    alter(monkeypatch, field)
    after = readings(model)
    assert all(old != new for old, new in zip(before, after, strict=True))


def readings(model: GateModel) -> tuple[str, str]:
    """All that the planner and the values of information take of a model, printed."""
    taken = problem.problem_at(model, start(model, Fraction(3)))
    asked = information.Information(model).questions
    return repr([getattr(taken, field.name) for field in fields(taken)]), repr(asked)


def test_losses_of_any_size_are_the_nearest_doubles() -> None:
    model = replace(compile_candidate(complementary()), unit=3, harm_loss=Fraction(1, 2))
    small = hidden_losses(model, [0, 1, 2, 1 << 52])
    large = hidden_losses(model, [0, 1, 2, 1 << 52, (1 << 53) + 1, 1 << 90])
    assert np.array_equal(small, large[:4])
    assert large[:, 1].tolist() == [0, 1 / 3, 2 / 3, 2**52 / 3, (2**53 + 1) / 3, 2**90 / 3]
    assert large[:, 2].tolist() == [0, 0, 1, 1, 1, 1]

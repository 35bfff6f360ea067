"""Models as arrays and back; that every model comes back is a property of the proofs."""

from dataclasses import replace
from fractions import Fraction

import pytest

from licet import InvalidInput, ObservationModel, Verifier
from licet.beliefs import compile_candidate
from licet_kernels.gate.encoding import decode, encode
from tests.gate.candidates import complementary


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


@pytest.mark.parametrize(("cost", "uses"), [(Fraction(1, 10**30), 1), (1, 10**30)])
def test_numbers_beyond_the_kernels_are_refused(cost: Fraction, uses: int) -> None:
    verifiers = (
        Verifier.symmetric("a", cost, ("address",), 0.9, uses),
        Verifier.symmetric("b", 1, ("stock",), 0.9),
    )
    model = compile_candidate(replace(complementary(), verifiers=verifiers))
    with pytest.raises(InvalidInput, match=r"verifiers\.[ab]\.(cost|uses): expected at most 2\^60"):
        encode(model)
